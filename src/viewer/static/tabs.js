// @ts-check
/// <reference no-default-lib="true" />
/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
/// <reference lib="esnext" />

/** Makes tabs of the parts of a report, which without script are links to parts of the page. */
export function makeTabs() {
  for (const box of document.querySelectorAll("[data-tabs]")) {
    const nav = box.querySelector("nav");
    const tabs = nav === null ? [] : [...nav.querySelectorAll("a")];
    if (nav === null || tabs.length === 0 || nav.getAttribute("role") === "tablist") continue;
    nav.setAttribute("role", "tablist");
    /** @param {HTMLAnchorElement} tab */
    const panelOf = (tab) => document.getElementById(tab.hash.slice(1));
    /** @param {HTMLAnchorElement} chosen */
    const choose = (chosen) => {
      for (const tab of tabs) {
        tab.setAttribute("aria-selected", String(tab === chosen));
        tab.tabIndex = tab === chosen ? 0 : -1;
        const panel = panelOf(tab);
        if (panel !== null) panel.hidden = tab !== chosen;
      }
    };
    /**
     * Chooses a tab, also for the page when it is loaded again.
     * @param {HTMLAnchorElement} tab
     */
    const keep = (tab) => {
      history.replaceState(null, "", tab.hash);
      choose(tab);
    };
    for (const [at, tab] of tabs.entries()) {
      const panel = panelOf(tab);
      tab.setAttribute("role", "tab");
      tab.id = `tab-${tab.hash.slice(1)}`;
      tab.setAttribute("aria-controls", tab.hash.slice(1));
      panel?.setAttribute("role", "tabpanel");
      panel?.setAttribute("aria-labelledby", tab.id);
      if (panel !== null) panel.tabIndex = 0;
      tab.addEventListener("click", (event) => {
        event.preventDefault();
        keep(tab);
      });
      tab.addEventListener("keydown", (event) => {
        const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
        const next = tabs[(at + step + tabs.length) % tabs.length];
        if (step === 0 || next === undefined) return;
        event.preventDefault();
        keep(next);
        next.focus();
      });
    }
    const [first] = tabs;
    const chosen = tabs.find((tab) => tab.hash === location.hash) ?? first;
    if (chosen !== undefined) choose(chosen);
  }
}
