// Form fields with label, note and error, and the page with the form that starts a convening.
/** @jsxImportSource hono/jsx */
import { TOPIC_LENGTH } from "../core/topic.ts";
import { jsonSchemaOf } from "../core/schema.ts";
import { headingWords } from "../core/text.ts";
import type { Catalogue } from "../compose.ts";
import type { FormRow } from "../config/setting.ts";
import type { Kind } from "../engine/kind.ts";
import { PERSONAS } from "../inputs/yaml_files.ts";
import { RUBRICS } from "../judging/scoring.ts";
import type { Markup } from "../record/html/markup.tsx";
import { kindWords } from "../record/transcript_outline.ts";
import { type Page, page } from "./page.tsx";
import {
  type FormSetting,
  formSettings,
  type FormState,
  kindIn,
  MOST_ROWS,
  rowsIn,
  type SentForm,
  type ShownPlan,
  usualName,
} from "./sent_forms.ts";

/** Options of a select: value and words; the first option is the default. */
type Choices = readonly (readonly [id: string, words: string])[];

interface FieldOptions {
  readonly name: string;
  readonly label: string;
  readonly note?: string | undefined;
  /** Shown in the empty field: the value that applies by default. */
  readonly placeholder?: string | undefined;
  /** Ignored if `choices`, `rows` or `accept` is given: these make a select, a text area or a file field. @default "text" */
  readonly type?: "text" | "date" | "number" | "checkbox" | undefined;
  readonly required?: boolean | undefined;
  /** Minimal characters of a text, or minimal number. */
  readonly least?: number | undefined;
  /** Maximal characters of a text, or maximal number. @default 500 characters; 20,000 in a text area */
  readonly most?: number | undefined;
  readonly step?: number | "any" | undefined;
  /** Number of lines; makes a text area. */
  readonly rows?: number | undefined;
  readonly choices?: Choices | undefined;
  /** File types; makes a file field. */
  readonly accept?: string | undefined;
  /** Suggestions for a text field. */
  readonly list?: readonly string[] | undefined;
}

export function field(form: FormState, options: FieldOptions): Markup {
  const { name, label, note, type } = options;
  const error = form.errors.get(name);
  const id = fieldId(name, form.scope);
  const input = control(form, options);
  return (
    <div class="field">
      {type === "checkbox"
        ? (
          <label class="choice">
            {input} <span>{label}</span>
          </label>
        )
        : (
          <>
            <label for={id}>{label}</label>
            {input}
          </>
        )}
      {note !== undefined && <p class="note" id={`${id}-note`}>{note}</p>}
      {error !== undefined && <p class="wrong" id={`${id}-wrong`}>{error}</p>}
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
  if (list === undefined) return <input type={type} {...text} />;
  const listId = `${fieldId(name, form.scope)}-list`;
  return (
    <>
      <input type="text" {...text} list={listId} />
      <datalist id={listId}>{list.map((each) => <option value={each}></option>)}</datalist>
    </>
  );
}

/** Returns id, name, and references to note and error of a control; the first field with an error gets the focus. */
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

export function errorSummary({ errors, problem, scope }: SentForm): Markup {
  if (problem === undefined && errors.size === 0) return <></>;
  return (
    <div class="problem" role="alert">
      <p>
        <strong>Please correct the following</strong>
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

/** Returns the estimated maximum of a convening's cost, shown before the start; the script keeps the estimate up to date. */
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

export function settingFields(
  form: FormState,
  settings: readonly FormSetting[],
  part: FormRow["part"],
): readonly Markup[] {
  return settings.filter(([, row]) => row.form.part === part)
    .map((setting) => settingField(form, setting));
}

/** Returns the field of a setting; type and bounds come from the setting's schema. */
export function settingField(
  state: FormState,
  [path, { schema, form }]: FormSetting,
  more: Pick<FieldOptions, "required"> = {},
): Markup {
  const { label, note, rows, choices } = form;
  const node = jsonSchemaOf(schema);
  const { type, minimum = node.exclusiveMinimum, maximum, default: usual } = node;
  // An empty box means the default, so it cannot say no.
  const values = type === "boolean" && usual === true ? ["no"] : node.enum ?? [];
  const placeholder = path === "model"
    ? state.model
    : form.placeholder ?? (Array.isArray(usual) ? usual.join("\n") : usual?.toString());
  const shown = { name: path, label, note, placeholder, ...more };
  if (choices !== undefined || values.length > 0) {
    const ids = path === "rubric"
      ? RUBRICS.filter((each) => each !== "conceptual")
      : values.map(String);
    const words = (id: string) => choices?.words?.[id] ?? headingWords(id.replaceAll("-", " "));
    const none = usual === undefined ? "Default" : `Default: ${usual === true ? "yes" : usual}`;
    return field(state, {
      ...shown,
      choices: [
        ["", choices?.none ?? none],
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
    least: minimum === Number.MIN_SAFE_INTEGER ? undefined : minimum,
    most: maximum === Number.MAX_SAFE_INTEGER ? undefined : maximum,
    step: type === "integer" ? 1 : "any",
  });
}

const TOPIC = {
  name: "topic",
  label: "Topic",
  note: "A question or a claim.",
  least: TOPIC_LENGTH.minEast,
  most: TOPIC_LENGTH.max,
} as const;

/** Returns the page with the form that starts a convening; `form` has the values and errors of a sent form. */
export function newPage(
  form: SentForm,
  { kinds, plan }: Pick<Catalogue, "kinds"> & { readonly plan: ShownPlan },
): Page {
  const kind = kindIn(form.values);
  // A judge check has its own topic and cast, and checks no claims.
  const isCheck = kind === "judge-check";
  const settings = formSettings(kind, { kinds }).filter(([path]) =>
    !isCheck || path !== "factCheck.mode"
  );
  const name = kindWords(kind).toLowerCase();
  const ownTopic = kinds.get(kind)?.settings?.["topic"];
  const usualTopic = ownTopic && jsonSchemaOf(ownTopic).default;
  return page({
    title: `New ${name}`,
    at: "new",
    body: (
      <>
        <h1>{`New ${name}`}</h1>
        <nav class="kinds" aria-label="Kind of convening">
          {[...kinds.values()].map((each) => (
            <a
              href={each.name === "paper-debate" ? "/papers" : `/new?kind=${each.name}`}
              aria-current={each.name === kind ? "page" : undefined}
            >
              <strong>{kindWords(each.name)}</strong> <span class="note">{each.summary}</span>
            </a>
          ))}
        </nav>
        {errorSummary(form)}
        <form class="start" method="post" action="/new">
          <input type="hidden" name="kind" value={kind} />
          <button type="submit" class="unseen" tabindex={-1} aria-hidden="true">Start</button>
          {!isCheck && (
            <section class="card" aria-label="Topic">
              {field(form, {
                ...TOPIC,
                required: usualTopic === undefined,
                placeholder: usualTopic?.toString(),
              })}
            </section>
          )}
          {!isCheck && participantRows(form, kind, kinds.get(kind))}
          <section class="card" aria-labelledby="how">
            <h2 id="how">Rules</h2>
            <div class="columns">
              {settingFields(form, settings, "rules")}
              {kind === "debate" &&
                field(form, { name: "judges", label: "Judges", choices: JUDGES })}
            </div>
          </section>
          {moreFields(form, kind, settings)}
          {planPart(plan, "/new")}
          <button type="submit" class="go">{`Start the ${name}`}</button>
        </form>
      </>
    ),
  });
}

const JUDGES: Choices = [
  ["", "Default: one"],
  ["2", "Two"],
  ["3", "Three"],
  ["5", "Five"],
  ["0", "None: no winner"],
];

/** Returns the rarely changed fields, collapsed unless a field has a value or an error. */
function moreFields(
  form: FormState,
  kind: string,
  settings: ReturnType<typeof formSettings>,
): Markup {
  const names = settings.filter(([, row]) => row.form.part === "more")
    .map(([path]) => path);
  return (
    <details class="card more" open={isFilled(form, [...names, "judgeModel", "sources.0.text"])}>
      <summary>
        <h2>Models, limits and more</h2>
      </summary>
      <div class="columns">
        {settingFields(form, settings, "more")}
        {kind === "debate" && field(form, {
          ...{ name: "judgeModel", label: "Model of the judges", placeholder: "The same" },
        })}
      </div>
      {kind !== "judge-check" && field(form, {
        ...{ name: "sources.0.text", label: "Background text", rows: 4 },
        note: "Quoted to all participants.",
      })}
    </details>
  );
}

export function isFilled({ values, errors }: FormState, names: readonly string[]): boolean {
  return names.some((name) => (values[name] ?? "") !== "" || errors.has(name));
}

const USUAL_CAST: Readonly<Record<string, string>> = {
  debate: "two models, one for and one against",
  consensus: "three models",
};

function participantRows(form: FormState, kind: string, about?: Kind): Markup {
  const rows = rowsIn(form.values);
  const cast = about?.participants?.map(({ name }) => name).join(" and ") ?? USUAL_CAST[kind] ??
    "two models";
  return (
    <section class="card" aria-labelledby="who">
      <h2 id="who">Participants</h2>
      <p class="note">
        {`Leave this empty for ${cast}.`}
      </p>
      <input type="hidden" name="rows" value={rows} />
      <div class="people">
        {Array.from({ length: rows }, (_, row) => participantRow(form, kind, row))}
      </div>
      {rows < MOST_ROWS && (
        <button
          type="submit"
          class="second"
          name="change"
          value="add"
          formnovalidate
          formaction={`/new#${fieldId(`p${rows}.name`)}`}
        >
          Add a participant
        </button>
      )}
    </section>
  );
}

const SPEAKERS: Choices = [["", "A model"], ["person", "A person: you"]];

function participantRow(form: FormState, kind: string, row: number): Markup {
  const name = (part: string) => `p${row}.${part}`;
  const isDebate = kind === "debate";
  const [label, position] = isDebate ? ["Side", "Position"] : ["Participant", "Standpoint"];
  const placeholder = isDebate ? ["For", "Against"][row] : "None";
  return (
    <fieldset class="person" data-side={row % 6 + 1}>
      <legend>{`${label} ${row + 1}`}</legend>
      {field(form, {
        ...{ name: name("name"), label: "Name", placeholder: usualName(kind, row), most: 80 },
      })}
      {field(form, { name: name("who"), label: "Spoken by", choices: SPEAKERS })}
      {field(form, { name: name("position"), label: position!, placeholder })}
      <details open={isFilled(form, ["model", "persona", "systemPrompt"].map(name))}>
        <summary>
          Model, persona, instructions<span class="unseen">{` of ${row + 1}`}</span>
        </summary>
        {field(form, { name: name("model"), label: "Model", placeholder: "The convening's" })}
        {field(form, {
          ...{ name: name("persona"), label: "Persona", list: PERSONAS },
          note: `${PERSONAS.join(", ")}, or a description of their style`,
        })}
        {field(form, {
          ...{ name: name("systemPrompt"), label: "Instructions", rows: 3 },
          note: "Added to their system prompt.",
        })}
      </details>
      {rowsIn(form.values) > 2 && (
        <button
          type="submit"
          class="quiet"
          name="change"
          value={`remove-${row}`}
          formnovalidate
          formaction="/new#who"
        >
          Remove<span class="unseen">{` ${row + 1}`}</span>
        </button>
      )}
    </fieldset>
  );
}
