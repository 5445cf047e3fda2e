// @ts-check
/// <reference no-default-lib="true" />
/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
/// <reference lib="esnext" />
// Help with forms: the cost of the convening that a form describes, shown again as fields change, and names of models.

import { BASE, find, load } from "./parts.js";

/** The time without a change after which the cost is asked for, in milliseconds. */
const SETTLED = 400;

/** Shows the cost again whenever a field of its form has changed. */
export function followPlan() {
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
export function suggestModels() {
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
