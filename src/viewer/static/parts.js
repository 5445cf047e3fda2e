// @ts-check
/// <reference lib="dom" />
// Loading and replacing parts of a page; field values, focus and open details are kept.

/** Base path of the server behind a proxy; empty without a base path. */
export const BASE = new URL("..", import.meta.url).pathname.slice(0, -1);

/**
 * @param {string} selector
 * @param {ParentNode} [root]
 * @returns {HTMLElement | null}
 */
export function find(selector, root = document) {
  return root.querySelector(selector);
}

/** @param {string} text */
export function announce(text) {
  const announcer = find("#announcer");
  if (announcer !== null) announcer.textContent = text;
}

/**
 * Shows times in the time zone and format of the browser; the title shows the time in UTC.
 * @param {ParentNode} root
 */
export function showLocalTimes(root) {
  const format = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });
  for (const each of root.querySelectorAll("time")) {
    each.title = each.textContent;
    each.textContent = format.format(new Date(each.dateTime));
  }
}

/** Returns true if a redirect of the server led to this page. */
export function wasRedirected() {
  const [{ redirectCount = 0 } = {}] = performance.getEntriesByType("navigation")
    .map((each) => /** @type {PerformanceNavigationTiming} */ (each));
  return redirectCount > 0;
}

/** Timeout of a request, in milliseconds. */
const TIMEOUT = 15_000;

/**
 * Loads a page or a part of a page; undefined on failure. The server has escaped the words of people and models.
 * @param {string} path
 * @param {RequestInit} [request]
 * @returns {Promise<Document | undefined>}
 */
export async function load(path, request = {}) {
  try {
    const answer = await fetch(path, {
      ...request,
      headers: { accept: "text/html" },
      signal: AbortSignal.timeout(TIMEOUT),
    });
    // The session has ended: reload, which redirects to the login page.
    if (answer.redirected && new URL(answer.url).pathname === `${BASE}/login`) location.reload();
    if (!answer.ok) {
      // The convening was deleted: reload, which says so.
      if (answer.status === 404 && path.endsWith("/parts/status")) location.reload();
      return undefined;
    }
    const part = new DOMParser().parseFromString(await answer.text(), "text/html");
    showLocalTimes(part);
    return part;
  } catch {
    return undefined;
  }
}

const FIELDS = "textarea, input:not([type=hidden]), select";
const FOCUSABLE = `${FIELDS}, a[href], button, summary, [tabindex]`;

/**
 * Returns a key that identifies a control within its part of the page.
 * @param {Element} control
 */
function keyOf(control) {
  const kind = control.getAttribute("type");
  return [
    control.tagName,
    control.parentElement?.closest("article")?.id,
    control.closest("form")?.getAttribute("action"),
    // Each turn has its own draft.
    control.closest("form")?.dataset.draft,
    control.getAttribute("name") ?? control.getAttribute("href") ??
      (control.className || control.parentElement?.className),
    kind === "radio" || kind === "checkbox" ? control.getAttribute("value") : "",
  ].join(" ");
}

/**
 * Returns the controls of a part by key; repeated keys get a number.
 * @param {HTMLElement} root
 * @param {string} selector
 * @returns {Map<string, Element>}
 */
function controlsOf(root, selector) {
  const found = new Map();
  for (const each of root.querySelectorAll(selector)) {
    let key = keyOf(each);
    for (let at = 2; found.has(key); at++) key = `${keyOf(each)} ${at}`;
    found.set(key, each);
  }
  return found;
}

/**
 * Replaces an element by another, and keeps field values, open details, focus and text selection. Words in a form that the
 * new element lacks, such as the form of a turn that is over, are shown above the controls.
 * @param {HTMLElement} old
 * @param {HTMLElement} fresh
 */
export function replace(old, fresh) {
  const before = controlsOf(old, FOCUSABLE);
  const after = controlsOf(fresh, FOCUSABLE);
  const active = document.activeElement;
  const hadFocus = active !== null && old.contains(active);
  /** @type {any} */
  let focused;
  /** @type {Element[]} */
  const unsent = [...old.querySelectorAll(".unsent")];
  for (const [key, known] of before) {
    /** @type {any} */
    const field = after.get(key);
    const words = field === undefined ? unsentWords(known) : [];
    unsent.push(...words);
    if (field !== undefined) keepTyped(known, field);
    if (known === active) focused = field ?? words[0];
  }
  const opened = controlsOf(old, "details");
  for (const [key, each] of controlsOf(fresh, "details")) {
    const known = opened.get(key);
    if (known instanceof HTMLDetailsElement && each instanceof HTMLDetailsElement) {
      each.open = known.open;
    }
  }
  const range = active instanceof HTMLTextAreaElement && focused instanceof HTMLTextAreaElement
    ? [active.selectionStart, active.selectionEnd]
    : undefined;
  old.replaceWith(fresh);
  find("#controls")?.before(...unsent);
  // If the focused control is gone, focus its words, or the element with the same id, else the new part.
  if (focused === undefined && hadFocus) {
    focused = unsent.includes(active) ? active : find(`[id="${active.id}"]`, fresh) ?? fresh;
    focused.tabIndex = -1;
  }
  focused?.focus({ preventScroll: true });
  if (range !== undefined) focused.setSelectionRange(...range);
}

/**
 * Returns an element with the words in a text area whose form was not sent; an empty list if there are none.
 * @param {Element} field
 */
function unsentWords(field) {
  if (!(field instanceof HTMLTextAreaElement) || field.value.trim() === "") return [];
  if (field.form?.dataset.sent !== undefined) return [];
  const box = document.createElement("div");
  box.className = "unsent";
  box.role = "group";
  box.tabIndex = -1;
  const note = document.createElement("p");
  note.className = "note";
  note.textContent = "This page did not send what you wrote, because its turn is over:";
  box.ariaLabel = note.textContent;
  const words = document.createElement("pre");
  words.className = "kept";
  words.dir = "auto";
  words.textContent = field.value;
  box.append(note, words);
  return [box];
}

/**
 * @param {any} known
 * @param {any} field
 */
function keepTyped(known, field) {
  if (!known.matches(FIELDS)) return;
  if (known.type === "radio" || known.type === "checkbox") field.checked = known.checked;
  else field.value = known.value;
}

/**
 * Changes the page, and scrolls so that the focused or first visible message keeps its position on the screen.
 * @param {() => void} change
 */
export function keepPlace(change) {
  const active = document.activeElement?.closest("article[id]");
  const seen = [active, ...document.querySelectorAll("article[id]")].find((each) => {
    const { top = 0, bottom = 0 } = each?.getBoundingClientRect() ?? {};
    return bottom > 0 && top < innerHeight;
  });
  const top = seen?.getBoundingClientRect().top;
  change();
  const same = document.getElementById(seen?.id ?? "");
  if (same === null || top === undefined || scrollY === 0) return;
  scrollBy({ top: same.getBoundingClientRect().top - top, behavior: "instant" });
}

/** Returns the storage of all tabs and of this tab; undefined if the browser blocks storage, so nothing is kept. */
export function stores() {
  try {
    return { all: localStorage, own: sessionStorage };
  } catch {
    return undefined;
  }
}
