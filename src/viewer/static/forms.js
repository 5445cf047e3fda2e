// @ts-check
/// <reference no-default-lib="true" />
/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
/// <reference lib="esnext" />
// Forms: slow ones are sent once, drafts stay in the browser until they are sent, the cost of a convening is shown again
// as its fields change, and models are suggested.

import { announce, BASE, find, load } from "./parts.js";

/** Keeps forms on the page while the server does not answer, instead of the browser's error. */
function holdForms() {
  document.addEventListener("submit", (event) => {
    const lost = find("#lost");
    if (lost === null || lost.hidden) return;
    event.preventDefault();
    announce(lost.textContent ?? "");
  });
}

/** Shows that a slow form was sent, and sends it once. */
function markSlowForms() {
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (!(form instanceof HTMLFormElement) || form.dataset.slow === undefined) return;
    if (event.defaultPrevented) return;
    const button = form.querySelector("button");
    if (form.dataset.sent !== undefined) return event.preventDefault();
    form.dataset.sent = "";
    if (button !== null) button.textContent = `${form.dataset.slow}…`;
    announce(form.dataset.slow);
  });
  // After a return to the page the form can be sent again.
  addEventListener("pageshow", (event) => {
    if (event.persisted) location.reload();
  });
}

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
function keepDrafts() {
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

/** The time without a change after which the cost is asked for, in milliseconds. */
const SETTLED = 400;

/** Shows the cost again whenever a field of its form has changed. */
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
    // As the button sends the form.
    const body = new URLSearchParams();
    for (const [name, value] of new FormData(form, button)) body.append(name, String(value));
    const page = await load(button.formAction, { method: "POST", body });
    const fresh = find("#planned", page ?? new Document());
    // Of several answers the last one counts.
    if (fresh === null || number !== asked) return;
    find("#planned")?.replaceChildren(...document.adoptNode(fresh).childNodes);
  };
}

const MODEL = "input:is([name$=model], [name$=Model])";

/** Suggests models once a field of a model has the focus: those of servers of the machine, and the prefixes of servers. */
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

/** Helps with all forms of the page. */
export function helpWithForms() {
  holdForms();
  markSlowForms();
  keepDrafts();
  followPlan();
  suggestModels();
}
