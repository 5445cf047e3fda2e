// @ts-check
/// <reference no-default-lib="true" />
/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
/// <reference lib="esnext" />
// Parts of a page, loaded and put in the place of older ones; fields, focus and open details stay.

/** The path that a proxy serves the server under; empty without one. */
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
 * Shows times in the zone and the form of the reader; the time in UTC stays as the title.
 * @param {ParentNode} root
 */
export function showLocalTimes(root) {
  const format = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });
  for (const each of root.querySelectorAll("time")) {
    each.title = each.textContent;
    each.textContent = format.format(new Date(each.dateTime));
  }
}

/** The longest wait for an answer, in milliseconds. */
const PATIENCE = 15_000;

/**
 * The nodes of a part of the server's pages; what people and models wrote was escaped there.
 * @param {string} path
 * @param {RequestInit} [request]
 * @returns {Promise<Document | undefined>}
 */
export async function load(path, request = {}) {
  try {
    const answer = await fetch(path, {
      ...request,
      headers: { accept: "text/html" },
      signal: AbortSignal.timeout(PATIENCE),
    });
    // The session has ended: the page gives way to the login.
    if (answer.redirected && new URL(answer.url).pathname === `${BASE}/login`) location.reload();
    if (!answer.ok) return undefined;
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
 * The key of a control among the others of its part.
 * @param {Element} control
 */
function keyOf(control) {
  const kind = control.getAttribute("type");
  return [
    control.tagName,
    control.parentElement?.closest("article")?.id,
    control.closest("form")?.getAttribute("action"),
    // Each turn has words of its own.
    control.closest("form")?.dataset.draft,
    control.getAttribute("name") ?? control.getAttribute("href") ??
      control.parentElement?.className,
    kind === "radio" || kind === "checkbox" ? control.getAttribute("value") : "",
  ].join(" ");
}

/**
 * The controls of a part by key; those of one key are numbered.
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
 * Puts one element in the place of another, with what was typed, opened and focused in it.
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
  for (const [key, known] of before) {
    /** @type {any} */
    const field = after.get(key);
    if (field === undefined) continue;
    keepTyped(known, field);
    if (known === active) focused = field;
  }
  const opened = controlsOf(old, "details");
  for (const [key, each] of controlsOf(fresh, "details")) {
    const known = opened.get(key);
    if (known instanceof HTMLDetailsElement && each instanceof HTMLDetailsElement) {
      each.open = known.open;
    }
  }
  const range = active instanceof HTMLTextAreaElement && focused !== undefined
    ? [active.selectionStart, active.selectionEnd]
    : undefined;
  old.replaceWith(fresh);
  // A message keeps the focus; else the new part has the focus of a control that is gone.
  if (focused === undefined && hadFocus) {
    focused = active.id === "" ? fresh : fresh.querySelector(`#${active.id}`) ?? fresh;
    focused.tabIndex = -1;
  }
  focused?.focus({ preventScroll: true });
  if (range !== undefined) focused.setSelectionRange(...range);
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
 * Changes the page and keeps a visible message where it is on the screen: the one with the focus, or the first.
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
