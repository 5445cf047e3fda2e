// @ts-check
/// <reference lib="dom" />
// Form behavior: forms are sent once, drafts are kept in the browser until they are sent, the estimated cost follows the
// fields, and model names are suggested.

import { announce, BASE, find, load, stores, wasRedirected } from "./parts.js";

/** Milliseconds in which a form is not sent a second time, such as by a double click. */
const ONCE = 5000;

/**
 * Prevents the submission of forms while the server does not answer, so that the browser shows no error page, and a second
 * submission of a form; shows that a slow form was sent.
 */
function sendOnce() {
  document.addEventListener("submit", (event) => {
    const lost = find("#lost");
    if (lost?.hidden === false) {
      announce(lost.textContent ?? "");
      return event.preventDefault();
    }
    const form = event.target;
    if (!(form instanceof HTMLFormElement) || form.getAttribute("method") !== "post") return;
    if (form.dataset.sent !== undefined) return event.preventDefault();
    form.dataset.sent = "";
    const { slow } = form.dataset;
    // The browser may have stopped the request.
    if (slow === undefined) return void setTimeout(() => delete form.dataset.sent, ONCE);
    const button = form.querySelector("button");
    if (button !== null) button.textContent = `${slow}…`;
    announce(slow);
  });
  // A page restored from the back/forward cache would still have the sent form.
  addEventListener("pageshow", (event) => {
    if (event.persisted) location.reload();
  });
}

/** Session storage key for the key of the last sent draft. */
const SENT = "sent";

/**
 * Returns the storage key of a field's draft; undefined for a field without drafts.
 * @param {unknown} field
 * @returns {string | undefined}
 */
function keyOf(field) {
  if (!(field instanceof HTMLTextAreaElement)) return undefined;
  const { draft } = field.form?.dataset ?? {};
  return draft === undefined ? undefined : `draft:${draft}`;
}

/** Fills untouched fields with their drafts. */
export function restoreDrafts() {
  for (const field of document.querySelectorAll("textarea")) {
    const key = keyOf(field);
    const isUntouched = field.value === field.defaultValue;
    if (key !== undefined && isUntouched) {
      field.value = stores()?.all.getItem(key) ?? field.value;
    }
  }
}

/** Removes sent drafts, restores the others, and keeps new ones. */
function keepDrafts() {
  const sent = stores()?.own.getItem(SENT) ?? undefined;
  stores()?.own.removeItem(SENT);
  // The server redirects after it has accepted a form; an error page has no redirect.
  if (sent !== undefined && wasRedirected()) stores()?.all.removeItem(sent);
  document.addEventListener("submit", (event) => {
    const { draft } = event.target instanceof HTMLFormElement ? event.target.dataset : {};
    if (draft !== undefined && !event.defaultPrevented) {
      stores()?.own.setItem(SENT, `draft:${draft}`);
    }
  });
  /** @param {unknown} field */
  const keep = (field) => {
    const key = keyOf(field);
    if (key === undefined || !(field instanceof HTMLTextAreaElement)) return;
    if (field.value === "") stores()?.all.removeItem(key);
    else stores()?.all.setItem(key, field.value);
  };
  // Words may be written before the script has loaded.
  for (const field of document.querySelectorAll("textarea")) {
    if (field.value !== field.defaultValue) keep(field);
  }
  restoreDrafts();
  document.addEventListener("input", ({ target }) => keep(target));
}

/** Milliseconds without a change before the cost is requested (debounce). */
const SETTLED = 400;

/** Updates the estimated cost after a change of a field. */
function followPlan() {
  const button = find("#plan button");
  if (!(button instanceof HTMLButtonElement) || button.form === null) return;
  const { form } = button;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  let asked = 0;
  form.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(() => void show(++asked), SETTLED);
  });
  /** @param {number} number */
  const show = async (number) => {
    // The same body as a click on the button sends.
    const body = new URLSearchParams();
    for (const [name, value] of new FormData(form, button)) body.append(name, String(value));
    const page = await load(button.formAction, { method: "POST", body });
    const fresh = find("#planned", page ?? new Document());
    // Only the response to the latest request counts.
    if (fresh === null || number !== asked) return;
    find("#planned")?.replaceChildren(...document.adoptNode(fresh).childNodes);
  };
}

const MODEL = "input:is([name$=model], [name$=Model])";

/** Suggests model names when a model field gets the focus: models of local servers, and prefixes of other servers. */
function suggestModels() {
  document.addEventListener("focusin", async ({ target }) => {
    if (!(target instanceof HTMLInputElement) || !target.matches(MODEL)) return;
    target.setAttribute("list", "models");
    if (find("#models") !== null) return;
    const list = document.createElement("datalist");
    list.id = "models";
    document.body.append(list);
    const answer = await fetch(`${BASE}/api/models`).catch(() => undefined);
    if (answer?.ok !== true) return;
    const { local, servers } = await answer.json();
    list.append(new Option("offline"));
    for (const { prefix, models = [{ id: "" }] } of [...local, ...servers]) {
      if (prefix !== "") list.append(...models.map(({ id = "" }) => new Option(`${prefix}:${id}`)));
    }
  });
}

/** Adds the behavior to all forms of the page. */
export function helpWithForms() {
  sendOnce();
  keepDrafts();
  followPlan();
  suggestModels();
}
