import { html } from "hono/html";
import type { Fields } from "./fields.ts";
import type { Markup } from "./page.ts";

/** A form as it is shown: what was filled in, and what is wrong with it, by the fields' names. */
export interface FormState {
  readonly values: Fields;
  readonly errors: ReadonlyMap<string, string>;
  /** Tells its fields from those of another form of the page. @default none */
  readonly scope?: string | undefined;
}

/** A form that was sent, and shown again. */
export interface SentForm extends FormState {
  /** What is wrong and stands at no field. */
  readonly problem?: { readonly message: string; readonly hint?: string | undefined } | undefined;
}

/** A form in which nothing was filled in. */
export const EMPTY_FORM: FormState = { values: {}, errors: new Map() };

/** What every field has. */
interface FieldOptions {
  readonly name: string;
  readonly label: string;
  /** What it is for, where its label does not say enough. */
  readonly note?: string | undefined;
  /** What goes without saying. */
  readonly placeholder?: string | undefined;
}

/** Values with the words for them; the first one is chosen where nothing else is. */
export type Choices = readonly (readonly [id: string, words: string])[];

/** The id of a field's control. */
function fieldId(name: string, scope = "field"): string {
  return `${scope}-${name.replaceAll(".", "-")}`;
}

/** One line of text. */
export function textField(
  form: FormState,
  options: FieldOptions & {
    readonly required?: boolean | undefined;
    readonly least?: number | undefined;
    readonly most?: number | undefined;
    /** Ready answers, any other will do. */
    readonly list?: readonly string[] | undefined;
  },
): Markup {
  const { name, placeholder = "", required = false, least, most = 500, list } = options;
  const listId = `${fieldId(name, form.scope)}-list`;
  return field(
    form,
    options,
    html`
      <input type="text" ${attributes(form, options)} value="${form.values[name] ??
        ""}" placeholder="${placeholder}" maxlength="${most}"
        dir="auto" ${least === undefined ? "" : html`minlength="${least}"`} ${required
          ? html`required`
          : ""} ${list === undefined ? "" : html`list="${listId}"`} />${list === undefined
          ? ""
          : html`<datalist id="${listId}">${
            list.map((each) => html`<option value="${each}"></option>`)
          }</datalist>`}
    `,
  );
}

/** Several lines of text. */
export function areaField(
  form: FormState,
  options: FieldOptions & {
    readonly rows?: number | undefined;
    readonly most?: number | undefined;
    readonly required?: boolean | undefined;
  },
): Markup {
  const { name, placeholder = "", rows = 3, most = 20_000, required = false } = options;
  return field(
    form,
    options,
    html`
      <textarea ${attributes(form, options)} ${required
        ? html`
          required
        `
        : ""} rows="${rows}" maxlength="${most}" dir="auto"
        placeholder="${placeholder}">${form.values[name] ?? ""}</textarea>
    `,
  );
}

/** A file. */
export function fileField(
  form: FormState,
  options: FieldOptions & { readonly accept: string },
): Markup {
  const { accept } = options;
  return field(
    form,
    options,
    html`<input type="file" ${attributes(form, options)} required accept="${accept}" />`,
  );
}

/** A number. */
export function numberField(
  form: FormState,
  options: FieldOptions & {
    readonly least: number;
    readonly most?: number | undefined;
    /** @default 1: a whole number */
    readonly step?: number | "any" | undefined;
  },
): Markup {
  const { name, placeholder = "", least, most, step = 1 } = options;
  return field(
    form,
    options,
    html`
      <input type="number" ${attributes(form, options)} value="${form.values[name] ??
        ""}" placeholder="${placeholder}" min="${least}"
        ${most === undefined ? "" : html`max="${most}"`} step="${step}" />
    `,
  );
}

/** One of several. */
export function choiceField(
  form: FormState,
  options: FieldOptions & { readonly choices: Choices },
): Markup {
  const { name, choices } = options;
  const option = ([id, words]: Choices[number]) =>
    id === form.values[name]
      ? html`<option value="${id}" selected>${words}</option>`
      : html`<option value="${id}">${words}</option>`;
  return field(
    form,
    options,
    html`<select ${attributes(form, options)}>${choices.map(option)}</select>`,
  );
}

/** A control under its label, with what it is for and what is wrong with it. */
function field(form: FormState, { name, label, note }: FieldOptions, control: Markup): Markup {
  const error = form.errors.get(name);
  const id = fieldId(name, form.scope);
  return html`<div class="field">
    <label for="${id}">${label}</label>
    ${control}
    ${note === undefined ? "" : html`<p class="note" id="${id}-note">${note}</p>`}
    ${error === undefined ? "" : html`<p class="wrong" id="${id}-wrong">${error}</p>`}
  </div>`;
}

/** The name, and where its note and its error are read; what is wrong first has the focus. */
function attributes({ errors, scope }: FormState, { name, note }: FieldOptions): Markup {
  const id = fieldId(name, scope);
  const isWrong = errors.has(name);
  const described = [
    ...isWrong ? [`${id}-wrong`] : [],
    ...note === undefined ? [] : [`${id}-note`],
  ];
  return html`id="${id}" name="${name}" ${
    described.length === 0 ? "" : html`aria-describedby="${described.join(" ")}"`
  } ${isWrong ? html`aria-invalid="true"` : ""} ${
    isWrong && errors.keys().next().value === name ? html`autofocus` : ""
  }`;
}

/** What is wrong with a form, above it: each links to its field. */
export function errorSummary({ errors, problem, scope }: SentForm): Markup | "" {
  if (problem === undefined && errors.size === 0) return "";
  return html`
    <div class="problem" role="alert">
      <p><strong>This cannot be done as it is</strong></p>
      <ul>${[...errors].map(([name, message]) =>
        html`<li><a href="#${fieldId(name, scope)}">${message}</a></li>`
      )}${problem === undefined
        ? ""
        : html`<li>${problem.message}${
          problem.hint === undefined ? "" : html`<br />${problem.hint}`
        }</li>`}</ul>
    </div>
  `;
}
