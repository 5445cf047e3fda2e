// The fields of forms, each under its label with its note and its error.
/** @jsxRuntime automatic */
/** @jsxImportSource hono/jsx */
import type { FormRow } from "../config/setting.ts";
import { RUBRICS } from "../judging/rubrics.ts";
import type { PlanRow } from "../operations/plan.ts";
import type { Markup } from "../record/html/markup.tsx";
import { headingWords } from "../record/transcript_outline.ts";
import { fieldName, type Fields, type FormSetting, shapeOf } from "./new_configuration.ts";

/** A form as it is shown: values and errors by the fields' names. */
export interface FormState {
  readonly values: Fields;
  readonly errors: ReadonlyMap<string, string>;
  /** A prefix that no other form of the page has, for the ids of fields. @default "field" */
  readonly scope?: string | undefined;
  /** The model of participants without one, as a placeholder. @default none */
  readonly model?: string | undefined;
}

/** A form that was sent and is shown again. */
export interface SentForm extends FormState {
  /** A problem that belongs to no field. */
  readonly problem?: { readonly message: string; readonly hint?: string | undefined } | undefined;
}

/** A form without values. */
export const EMPTY_FORM: FormState = { values: {}, errors: new Map() };

/** Values with the words for them; the first one is chosen by default. */
export type Choices = readonly (readonly [id: string, words: string])[];

/** A field of a form. */
interface FieldOptions {
  readonly name: string;
  readonly label: string;
  readonly note?: string | undefined;
  /** The default, shown in the empty field. */
  readonly placeholder?: string | undefined;
  /** @default "choice" with choices, "area" with rows, "file" with accept, else "text" */
  readonly type?: "text" | "number" | "checkbox" | undefined;
  readonly required?: boolean | undefined;
  /** The fewest characters of a text, or the least number. */
  readonly least?: number | undefined;
  /** The most characters of a text, or the greatest number. @default 500 characters, 20,000 of an area */
  readonly most?: number | undefined;
  /** The step of a number. @default 1 */
  readonly step?: number | "any" | undefined;
  /** The lines of a text area. */
  readonly rows?: number | undefined;
  readonly choices?: Choices | undefined;
  /** The types of files. */
  readonly accept?: string | undefined;
  /** Suggestions for a text. */
  readonly list?: readonly string[] | undefined;
}

/** A control under its label, with its note and its error. */
export function field(form: FormState, options: FieldOptions): Markup {
  const { name, label, note, type } = options;
  const error = form.errors.get(name);
  const id = fieldId(name, form.scope);
  const notes = (
    <>
      {note !== undefined && <p class="note" id={`${id}-note`}>{note}</p>}
      {error !== undefined && <p class="wrong" id={`${id}-wrong`}>{error}</p>}
    </>
  );
  if (type === "checkbox") {
    return (
      <div class="field">
        <label class="choice">
          {control(form, options)} <span>{label}</span>
        </label>
        {notes}
      </div>
    );
  }
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {control(form, options)}
      {notes}
    </div>
  );
}

function fieldId(name: string, scope = "field"): string {
  return `${scope}-${name.replaceAll(".", "-")}`;
}

function control(form: FormState, options: FieldOptions): Markup {
  const { name, type = "text", placeholder, required, least, most, step = 1 } = options;
  const { rows, choices, accept, list } = options;
  const value = form.values[name] ?? "";
  const shared = { ...attributes(form, options), required };
  if (choices !== undefined) {
    return (
      <select {...shared}>
        {choices.map(([id, words]) => <option value={id} selected={id === value}>{words}</option>)}
      </select>
    );
  }
  if (rows !== undefined) {
    const text = { rows, placeholder, maxlength: most ?? 20_000, dir: "auto" };
    return <textarea {...shared} {...text}>{value}</textarea>;
  }
  if (accept !== undefined) return <input type="file" {...shared} accept={accept} />;
  if (type === "checkbox") {
    return <input type="checkbox" {...shared} value="yes" checked={value !== ""} />;
  }
  const shown = { ...shared, value, placeholder };
  if (type === "number") {
    return <input type="number" {...shown} min={least} max={most} step={step} />;
  }
  const text = { ...shown, minlength: least, maxlength: most ?? 500, dir: "auto" };
  if (list === undefined) return <input type="text" {...text} />;
  const listId = `${fieldId(name, form.scope)}-list`;
  return (
    <>
      <input type="text" {...text} list={listId} />
      <datalist id={listId}>{list.map((each) => <option value={each}></option>)}</datalist>
    </>
  );
}

/** The name of a control and the ids of its note and error; the first error has the focus. */
function attributes({ errors, scope }: FormState, { name, note }: FieldOptions): object {
  const id = fieldId(name, scope);
  const isWrong = errors.has(name);
  const described = [
    ...isWrong ? [`${id}-wrong`] : [],
    ...note === undefined ? [] : [`${id}-note`],
  ];
  return {
    id,
    name,
    "aria-describedby": described.length === 0 ? undefined : described.join(" "),
    "aria-invalid": isWrong ? "true" : undefined,
    autofocus: isWrong && errors.keys().next().value === name,
  };
}

/** The errors of a form, above it; each links to its field. */
export function errorSummary({ errors, problem, scope }: SentForm): Markup {
  if (problem === undefined && errors.size === 0) return <></>;
  return (
    <div class="problem" role="alert">
      <p>
        <strong>This cannot be done as it is</strong>
      </p>
      <ul>
        {[...errors].map(([name, message]) => (
          <li>
            <a href={`#${fieldId(name, scope)}`}>{message}</a>
          </li>
        ))}
        {problem !== undefined && (
          <li class="lines">{[problem.message, problem.hint ?? ""].join("\n")}</li>
        )}
      </ul>
    </div>
  );
}

/** The plan of the convening that a form describes, or the problem that keeps it unknown. */
export interface ShownPlan {
  readonly rows?: readonly PlanRow[];
  readonly problem?: string;
}

/** The most that a convening costs, before the button that starts it; the script keeps it up to date. */
export function planPart({ rows = [], problem }: ShownPlan, action: string): Markup {
  return (
    <section id="plan" class="card" aria-labelledby="plan-title">
      <h2 id="plan-title">Before you start</h2>
      <div id="planned" role="status">
        {problem !== undefined && <p class="note">{`Not known yet. ${problem}`}</p>}
        {rows.length > 0 && (
          <dl>
            {rows.map(([name, words]) => (
              <div>
                <dt>{name}</dt>
                <dd>{words}</dd>
              </div>
            ))}
          </dl>
        )}
      </div>
      <button
        type="submit"
        class="second"
        name="change"
        value="plan"
        formnovalidate
        formaction={`${action}#plan`}
      >
        Show cost
      </button>
    </section>
  );
}

/** The fields of the settings in a part of a form. */
export function settingFields(
  form: FormState,
  settings: readonly FormSetting[],
  part: FormRow["part"],
): readonly Markup[] {
  return settings.filter(([, row]) => row.form.part === part)
    .map((setting) => settingField(form, setting));
}

/** The field of a setting: its type and its bounds are those of the setting's schema. */
export function settingField(
  state: FormState,
  [path, { schema, form }]: FormSetting,
  more: Pick<FieldOptions, "required"> = {},
): Markup {
  const { label, note, rows, choices } = form;
  const { type, enum: values = [], minimum = 0, maximum } = shapeOf(schema);
  const placeholder = path === "model" ? state.model : form.placeholder;
  const shown = { name: fieldName(path, form), label, note, placeholder, ...more };
  if (choices !== undefined || values.length > 0) {
    const ids = path === "rubric" ? RUBRICS.filter((each) => each !== "conceptual") : values;
    const words = (id: string) => choices?.words?.[id] ?? headingWords(id.replaceAll("-", " "));
    return field(state, {
      ...shown,
      choices: [
        ["", choices?.none ?? "Default"],
        ...ids.filter((id) => id !== choices?.usual).map((id) => [id, words(id)] as const),
      ],
    });
  }
  if (type === "boolean") return field(state, { ...shown, type: "checkbox" });
  if (type !== "integer" && type !== "number") {
    return field(state, { ...shown, rows, most: form.most });
  }
  return field(state, {
    ...shown,
    type: "number",
    least: minimum,
    most: maximum === Number.MAX_SAFE_INTEGER ? undefined : maximum,
    step: type === "integer" ? 1 : "any",
  });
}
