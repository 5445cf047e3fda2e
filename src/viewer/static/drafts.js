// @ts-check
/// <reference no-default-lib="true" />
/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
/// <reference lib="esnext" />
// Drafts: the words of a person stay in the browser until they are sent, also if the server or the tab is gone.

/** The key under which a tab keeps the key of its last sent draft. */
const SENT = "sent";

/**
 * The key of a field's draft.
 * @param {unknown} field
 * @returns {string | undefined}
 */
function keyOf(field) {
  if (!(field instanceof HTMLTextAreaElement)) return undefined;
  const { draft } = field.form?.dataset ?? {};
  return draft === undefined ? undefined : `draft:${draft}`;
}

/** The browser's stores, of all tabs and of this one; undefined in browsers that refuse them: drafts end with the page. */
function stores() {
  try {
    return { drafts: localStorage, own: sessionStorage };
  } catch {
    return undefined;
  }
}

/** Fills empty fields with their drafts. */
export function restoreDrafts() {
  for (const field of document.querySelectorAll("textarea")) {
    const key = keyOf(field);
    if (key !== undefined && field.value === "") field.value = stores()?.drafts.getItem(key) ?? "";
    showCount(field);
  }
}

/**
 * Shows the number of words of a field, where its form has a place for it.
 * @param {HTMLTextAreaElement} field
 */
function showCount(field) {
  const output = field.form?.querySelector("output");
  const words = field.value.split(/\s+/).filter((word) => word !== "").length;
  if (output) output.textContent = words === 0 ? "" : `${words} word${words === 1 ? "" : "s"}`;
}

/** Removes sent drafts, restores the others, and keeps new ones. */
export function keepDrafts() {
  const sent = stores()?.own.getItem(SENT) ?? undefined;
  stores()?.own.removeItem(SENT);
  // The server redirects after it has taken a form; an error does not.
  const [{ redirectCount = 0 } = {}] = performance.getEntriesByType("navigation")
    .map((each) => /** @type {PerformanceNavigationTiming} */ (each));
  if (sent !== undefined && redirectCount > 0) stores()?.drafts.removeItem(sent);
  document.addEventListener("submit", (event) => {
    const { draft } = event.target instanceof HTMLFormElement ? event.target.dataset : {};
    if (draft !== undefined && !event.defaultPrevented) {
      stores()?.own.setItem(SENT, `draft:${draft}`);
    }
  });
  restoreDrafts();
  document.addEventListener("input", ({ target }) => {
    const key = keyOf(target);
    if (key === undefined || !(target instanceof HTMLTextAreaElement)) return;
    showCount(target);
    if (target.value === "") stores()?.drafts.removeItem(key);
    else stores()?.drafts.setItem(key, target.value);
  });
}
