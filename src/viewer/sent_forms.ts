// Data of forms: parsing and errors of sent forms, the configuration that a filled-in form describes, the field of each
// setting, and the API requests of a convening's forms.
import { headingWords } from "../core/text.ts";
import { type FormRow, rowsOf, type Setting, type Settings } from "../config/setting.ts";
import { SETTINGS } from "../config/settings.ts";
import { defined, type Schema } from "../core/values.ts";
import { jsonSchemaOf, type Node } from "../core/schema.ts";
import type { Kind } from "../engine/kind.ts";
import type { ServerModels } from "../core/key_rules.ts";
import type { PlanRow } from "../operations/plan.ts";
import { type ErrorScope, problemOf } from "../operations/client_view.ts";

export type Fields = Readonly<Record<string, string>>;

export interface FormState {
  readonly values: Fields;
  readonly errors: ReadonlyMap<string, string>;
  /** Prefix of the fields' ids, unique on the page. @default "field" */
  readonly scope?: string | undefined;
  /** Default model of participants, as a placeholder. @default none */
  readonly model?: string | undefined;
}

export interface SentForm extends FormState {
  /** Problem that belongs to no field. */
  readonly problem?: { readonly message: string; readonly hint?: string | undefined } | undefined;
}

export const EMPTY_FORM: FormState = { values: {}, errors: new Map() };

/** Plan of the convening that a form describes, or the problem that prevents a plan. */
export interface ShownPlan {
  readonly rows?: readonly PlanRow[];
  readonly problem?: string;
}

/** Names of a participant's fields, without the row. */
const ROW_FIELDS = ["name", "position", "who", "model", "persona", "systemPrompt"] as const;

export const MOST_ROWS = 12;

/** Returns the kind that a form names. @default "debate" */
export function kindIn(values: Fields): string {
  return values["kind"] || "debate";
}

/** Returns the number of participant rows in a form, 2 to {@linkcode MOST_ROWS}. */
export function rowsIn(values: Fields): number {
  const rows = Number(values["rows"] ?? 2);
  return Number.isInteger(rows) ? Math.min(MOST_ROWS, Math.max(2, rows)) : 2;
}

export function usualName(kind: string, row: number): string {
  return `${kind === "debate" ? "Advocate" : "Participant"} ${String.fromCharCode(65 + row)}`;
}

/** Adds or removes a participant row: `add` adds a row, `remove-0` removes the first row. */
export function changedRows(values: Fields, change: string): Fields {
  const rows = rowsIn(values);
  if (change === "add") return { ...values, rows: String(Math.min(MOST_ROWS, rows + 1)) };
  const gone = Number(change.replace(/^remove-/, ""));
  if (!Number.isInteger(gone) || gone < 0 || gone >= rows) return values;
  const kept = Object.entries(values).flatMap(([name, value]) => {
    const [, row, part] = /^p(\d+)\.(\w+)$/.exec(name) ?? [];
    if (row === undefined || Number(row) < gone) return [[name, value] as const];
    return Number(row) === gone ? [] : [[`p${Number(row) - 1}.${part}`, value] as const];
  });
  return { ...Object.fromEntries(kept), rows: String(Math.max(2, rows - 1)) };
}

export type FormSetting = readonly [
  path: string,
  row: { readonly schema: Schema; readonly form: FormRow } & Pick<Setting, "kinds">,
];

interface FormTables {
  /** Kinds by name. @default none: own kinds get no fields for their settings */
  readonly kinds?: ReadonlyMap<string, Kind> | undefined;
  /** @default the table of settings */
  readonly settings?: Settings | undefined;
}

/** Returns the settings with a field in a kind's form; the settings that an own kind declares come first. */
export function formSettings(
  kind: string,
  { kinds: table, settings = SETTINGS }: FormTables = {},
): readonly FormSetting[] {
  const isOf = (kinds: readonly string[] | undefined) =>
    kinds === undefined || kinds.includes(kind);
  const shared = rowsOf(settings).flatMap(([path, row]): FormSetting[] => {
    const { form, kinds } = row;
    if (form === undefined || !isOf(kinds) || !isOf(form.kinds)) return [];
    const { choices } = form;
    const none = choices?.noneOf?.[kind as keyof typeof choices.noneOf];
    const shown = none === undefined ? form : { ...form, choices: { ...choices, none } };
    return [[path, { ...row, form: shown }]];
  });
  const fields = Object.entries(table?.get(kind)?.settings ?? {}).flatMap(
    ([key, schema]): FormSetting[] => {
      const { type, items, description } = jsonSchemaOf(schema);
      const isList = type === "array";
      const isShown = isList ? items?.type === "string" : FIELD_TYPES.includes(String(type));
      if (key === "topic" || !isShown) return [];
      const note = isList ? `${description ?? ""} One on each line.`.trim() : description;
      const form = { part: "rules", label: keyWords(key), ...defined({ note }) } as const;
      return [[key, { schema, form: isList ? { ...form, rows: 4 } : form }]];
    },
  );
  return [...fields, ...shared];
}

/** Settings of the limits, which all kinds have. */
export const LIMIT_ROWS: readonly FormSetting[] = formSettings("debate")
  .filter(([path]) => path.startsWith("limits."));

/** Returns the key of a setting in words, such as `Fact check` for `factCheck`. */
export function keyWords(key: string): string {
  return headingWords(key.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`));
}

const FIELD_TYPES = ["string", "integer", "number", "boolean"];

export function configurationOf(
  values: Fields,
  tables: FormTables = {},
): Readonly<Record<string, unknown>> {
  const kind = kindIn(values);
  const background = text(values, "sources.0.text");
  const own = tables.kinds?.get(kind);
  // An own kind without default participants.
  const needsCast = own?.settings !== undefined && own.participants === undefined;
  return defined({
    kind,
    topic: text(values, "topic") ?? (own?.settings?.["topic"] === undefined ? "" : undefined),
    participants: participantsOf(values, kind, needsCast),
    sources: background && [{ name: "background", text: background }],
    ...settingValues(values, formSettings(kind, tables)),
    ...kind === "debate" ? judgesOf(values) : {},
  });
}

export function settingValues(
  values: Fields,
  settings: readonly FormSetting[],
): Readonly<Record<string, unknown>> {
  const config: Record<string, unknown> = {};
  for (const [path, { schema, form }] of settings) {
    const value = text(values, path);
    if (value === undefined) continue;
    const [outer = "", inner] = path.split(".");
    const set = typed(value, jsonSchemaOf(schema).type, form);
    config[outer] = inner === undefined ? set : { ...config[outer] as object, [inner]: set };
  }
  return config;
}

function typed(value: string, type: Node["type"], { times = 1 }: FormRow): unknown {
  if (type === "boolean") return value !== "no";
  if (type === "array") {
    return value.split("\n").map((each) => each.trim()).filter((each) => each !== "");
  }
  const number = type === "integer" || type === "number" ? Number(value) * times : NaN;
  // Keep an invalid number as text, so that the error shows the typed text.
  return Number.isNaN(number) ? value : number;
}

function judgesOf(values: Fields): object {
  const [count, model] = [text(values, "judges"), text(values, "judgeModel")];
  if (count === "0") return { scoringEnabled: false };
  if (count === undefined && model === undefined) return {};
  return { judges: Array.from({ length: Number(count ?? 1) }, () => defined({ model })) };
}

/**
 * Returns the participants of a form; undefined if no row is filled in and the kind has default participants. Of empty rows,
 * only the first two count.
 */
function participantsOf(
  values: Fields,
  kind: string,
  isNeeded = false,
): readonly object[] | undefined {
  const rows = Array.from(
    { length: rowsIn(values) },
    (_, row): Readonly<Partial<Record<(typeof ROW_FIELDS)[number], string>>> =>
      Object.fromEntries(ROW_FIELDS.map((part) => [part, text(values, `p${row}.${part}`)])),
  );
  const said = rows.map((row) => Object.values(row).some((each) => each !== undefined));
  if (!isNeeded && !said.includes(true)) return undefined;
  const kept = rows.flatMap((row, at) => at < 2 || said[at] === true ? [{ row, at }] : []);
  // Without any position, the debate derives positions from the topic.
  const isOpen = kind !== "debate" || kept.every(({ row }) => row.position === undefined);
  return kept.map(({ row, at }) =>
    defined({
      name: row.name ?? (row.who === "person" ? "You" : usualName(kind, at)),
      position: row.position ?? (isOpen ? undefined : ["For", "Against"][at]),
      model: row.who === "person" ? "human" : row.model,
      persona: row.persona,
      systemPrompt: row.systemPrompt,
    })
  );
}

function text(values: Fields, name: string): string | undefined {
  const value = (values[name] ?? "").trim();
  return value === "" ? undefined : value;
}

const MODELS = /^(?:model|judgeModel|p\d+\.model)$/;

/** Returns the field of a form that an error belongs to; undefined for an error without a field. */
function fieldOf(
  values: Fields,
  { field = "", message }: { readonly field?: string | undefined; readonly message: string },
  settings: readonly FormSetting[],
): string | undefined {
  const [, row, part = ""] = /^participants\.(\d+)\.(\w+)$/.exec(field) ?? [];
  if (row !== undefined) return `p${row}.${part}`;
  if (field === "model") {
    // The error names the value, not the participant.
    const named = Object.entries(values).find(([name, value]) =>
      MODELS.test(name) && value.trim() !== "" && message.includes(JSON.stringify(value.trim()))
    );
    return named?.[0] ?? "model";
  }
  if (field === "participants") return repeated(values, "name");
  if (field === "positions") return repeated(values, "position");
  if (field === "scoringEnabled" || field === "summaryBy") return "judges";
  return OTHERS.includes(field) ? field : settingAt(settings, field)?.[0];
}

/** Returns the setting with a path, or with the list that a path such as `options.1` is in. */
function settingAt(settings: readonly FormSetting[], field: string): FormSetting | undefined {
  return settings.find(([path]) => field === path || field.startsWith(`${path}.`));
}

/** Fields that belong to no single setting. */
const OTHERS: readonly string[] = ["topic", "judges", "judgeModel", "sources.0.text"];

/** Returns the field of the first row with a repeated or, after the second row, a missing value; else of the first row. */
function repeated(values: Fields, part: string): string {
  const all = Array.from(
    { length: rowsIn(values) },
    (_, row) => text(values, `p${row}.${part}`)?.toLowerCase(),
  );
  const again = all.findIndex((each, at) => each !== undefined && all.indexOf(each) < at);
  const missing = all.findIndex((each, at) => each === undefined && at >= 2);
  return `p${Math.max(0, again === -1 ? missing : again)}.${part}`;
}

interface Sent {
  readonly text: string;
  readonly participant?: string | undefined;
  readonly turn?: string | undefined;
  readonly interject?: boolean | undefined;
}

/** Words of the forms on a convening's page, by the last part of the form's path. */
export const SPEECHES: Readonly<Record<string, (fields: Fields) => Sent>> = {
  say: ({ text = "", ...fields }) => ({ text, ...turnOf(fields) }),
  pick: ({ pick = "", own = "", ...fields }) => ({
    text: own.trim() === "" ? pick : own,
    ...turnOf(fields),
  }),
  interject: ({ text = "" }) => ({ text, interject: true }),
};

/** Inputs of the other acts of the forms: the names are the last parts of the paths of form and operation. */
export const ACTIONS: Readonly<Record<string, (fields: Fields) => object>> = {
  pause: () => ({}),
  stop: () => ({}),
  delete: () => ({}),
  restore: () => ({}),
  resume: (fields) => settingValues(fields, LIMIT_ROWS),
  fork: ({ at = "", said = "", edit = said }) =>
    defined({ at: Number(at), edit: plain(edit) === plain(said) ? undefined : edit }),
  brief: ({ as, model }) => defined({ as, model: model || undefined }),
  flow: ({ model }) => defined({ model: model || undefined }),
  judge: ({ rubric, models = "" }) => panelOf(rubric, models),
};

/** Normalizes the CRLF line ends of forms to LF, and trims the text. */
function plain(text: string): string {
  return text.replaceAll("\r\n", "\n").trim();
}

function turnOf({ as, turn }: Fields): Pick<Sent, "participant" | "turn"> {
  return { participant: as || undefined, turn: turn || undefined };
}

function panelOf(rubric: string | undefined, models: string): object {
  const named = models.split(",").map((each) => each.trim()).filter((each) => each !== "");
  return defined({ rubric, models: named.length === 0 ? undefined : named });
}

/** Returns the texts among form fields, by field name, without files; of repeated fields, the last. */
export function textsOf(fields: Iterable<readonly [string, unknown]>): Fields {
  return Object.fromEntries(
    [...fields].filter((entry): entry is [string, string] => typeof entry[1] === "string"),
  );
}

export function usualModel({ model = "The server's own" }: ServerModels): string {
  return model;
}

export async function plannedFor(
  plan: Promise<readonly PlanRow[]>,
  form: RefusedForm,
  scope: ErrorScope,
): Promise<ShownPlan> {
  try {
    return { rows: await plan };
  } catch (error) {
    const { errors, problem } = refusalOf(error, form, scope);
    return { problem: [...errors.values()][0] ?? problem?.message ?? "" };
  }
}

interface RefusedForm {
  readonly values: Fields;
  /** Settings with a field. @default none */
  readonly settings?: readonly FormSetting[] | undefined;
  /** Names of the fields, which equal the keys of the problems. @default the fields of the form of a convening */
  readonly fields?: readonly string[] | undefined;
}

/** Converts an error to a form's state: each problem at its field, or above the form for a problem without a field. */
export function refusalOf(
  error: unknown,
  { values, settings = [], fields }: RefusedForm,
  scope: ErrorScope,
): SentForm {
  const { error: whole } = problemOf(error, scope);
  const errors = new Map<string, string>();
  let problem: SentForm["problem"];
  for (const each of whole.fields ?? [whole]) {
    const { hint, field: key = "" } = each;
    const [, { form } = {}] = settingAt(settings, key) ?? [];
    // A message names a setting by the label of its field.
    const message = form === undefined
      ? each.message
      : each.message.replace(key, `“${form.label}”`);
    const field = fields === undefined
      ? fieldOf(values, each, settings)
      : fields.find((name) => name === each.field);
    if (field === undefined) problem ??= { message, hint };
    else errors.set(field, hint === undefined ? message : `${message}. ${hint}`);
  }
  return { values, errors, ...problem === undefined ? {} : { problem } };
}
