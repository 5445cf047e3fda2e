// @ts-check
/// <reference lib="dom" />
// Navigation in a page: the outline of messages, keys that move between messages, links to messages on other pages, and the
// tabs of a report.

import { find, stores, wasRedirected } from "./parts.js";

/** Elements of the exchange that the outline lists: headings and messages. */
const NAMED = ".exchange > :is(h3.phase, article.message)";

/** Updates the outline from the elements of the exchange. */
export function showOutline() {
  const outline = find("#outline");
  if (outline === null) return;
  outline.replaceChildren(...[...document.querySelectorAll(NAMED)].map((each) => {
    const item = document.createElement("li");
    const link = document.createElement("a");
    const { seq = "", side } = each instanceof HTMLElement ? each.dataset : {};
    link.href = `#${each.id}`;
    const isTurn = each.tagName === "ARTICLE";
    item.className = isTurn ? "turn" : "";
    link.textContent = isTurn
      ? `${seq} ${each.querySelector("h4 bdi")?.textContent ?? ""}`
      : each.textContent;
    if (side !== undefined) item.dataset.side = side;
    item.append(link);
    return item;
  }));
}

/** Goes to the page with the message in the URL's hash, if this page does not show the message. */
function goToMessage() {
  const [, seq] = /^#message-(\d+)$/.exec(location.hash) ?? [];
  const exchange = find("#exchange");
  if (seq === undefined || exchange === null || find(`#message-${seq}`) !== null) return;
  location.replace(`${location.pathname}/message?seq=${seq}`);
}

/**
 * Moves the focus to the next or previous message of the one with the focus, else of the one in the URL's hash; to the first
 * visible message if neither is visible.
 * @param {1 | -1} step
 */
function moveBy(step) {
  const messages = [...document.querySelectorAll("article.message")];
  const seen = messages.filter((each) => {
    const { top, bottom } = each.getBoundingClientRect();
    return bottom > 0 && top < innerHeight;
  });
  const from = seen.find((each) => each.contains(document.activeElement)) ??
    seen.find((each) => each.matches(":target"));
  const next = from ? messages[messages.indexOf(from) + step] : seen[0] ?? messages[0];
  if (!(next instanceof HTMLElement)) return;
  next.tabIndex = -1;
  next.focus({ preventScroll: true });
  next.scrollIntoView({ block: "start" });
}

/** @type {Readonly<Record<string, () => void>>} */
const KEYS = {
  j: () => moveBy(1),
  k: () => moveBy(-1),
  "/": () => find("[role=search] input")?.focus(),
  "?": showKeys,
};

/** Shows the list of keys. */
function showKeys() {
  const keys = find("#keys");
  if (keys instanceof HTMLDialogElement) keys.showModal();
}

/** Adds the button that shows the keys, and their switch, kept for all pages: keys disturb people who speak to their browser. */
function makeKeys() {
  const [button, choice] = [find("#show-keys"), find("#use-keys")];
  if (button === null || !(choice instanceof HTMLInputElement)) return;
  button.hidden = false;
  button.addEventListener("click", showKeys);
  choice.checked = stores()?.all.getItem("keys") !== "false";
  choice.addEventListener("change", () => stores()?.all.setItem("keys", String(choice.checked)));
}

/** Adds the listeners for keys outside form fields, and for links to messages. */
export function makeContents() {
  makeKeys();
  document.addEventListener("keydown", (event) => {
    const { key, target, ctrlKey, metaKey, altKey } = event;
    const isTyping = target instanceof HTMLElement && target.matches("input, textarea, select");
    if (isTyping || ctrlKey || metaKey || altKey || !Object.hasOwn(KEYS, key)) return;
    if (find("dialog[open], #use-keys:not(:checked)") !== null) return;
    event.preventDefault();
    KEYS[key]?.();
  });
  addEventListener("hashchange", goToMessage);
  // A page that a redirect led to would lead to itself again, if no page shows the message.
  if (!wasRedirected()) goToMessage();
}

/** Turns the parts of a report into tabs; without JavaScript, the tabs are links to sections of the page. */
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
     * Shows a tab, and keeps the choice in the URL for a reload.
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
    const chosen = tabs.find((tab) => tab.hash === location.hash) ?? tabs[0];
    if (chosen !== undefined) choose(chosen);
  }
}
