// @ts-check
/// <reference no-default-lib="true" />
/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
/// <reference lib="esnext" />
// Drafts: what a person writes stays in the browser until it was sent, also when the server is lost or the tab closed.

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

/**
 * The browser's store; undefined in browsers that refuse it.
 * @returns {Storage | undefined}
 */
function store() {
  try {
    return localStorage;
  } catch {
    // Drafts are then lost with the page.
  }
}

/** Fills empty fields with their drafts. */
export function restoreDrafts() {
  for (const field of document.querySelectorAll("textarea")) {
    const key = keyOf(field);
    if (key !== undefined && field.value === "") field.value = store()?.getItem(key) ?? "";
  }
}

/** Forgets what was sent, restores drafts, and keeps them from now on. */
export function keepDrafts() {
  const [, , id] = location.pathname.split("/");
  const address = new URL(location.href);
  const isOver = document.querySelector("#convening[data-standing=completed]") !== null;
  const sent = address.searchParams.get("done") === "interject" ? "interject" : undefined;
  if (isOver || sent !== undefined) {
    const start = `draft:${id}/${isOver ? "" : sent}`;
    for (const key of Object.keys(store() ?? {})) {
      if (key.startsWith(start)) store()?.removeItem(key);
    }
    // Loading the page anew does not forget the next draft.
    address.searchParams.delete("done");
    history.replaceState(null, "", address);
  }
  restoreDrafts();
  document.addEventListener("input", ({ target }) => {
    const key = keyOf(target);
    if (key === undefined || !(target instanceof HTMLTextAreaElement)) return;
    if (target.value === "") store()?.removeItem(key);
    else store()?.setItem(key, target.value);
  });
}
