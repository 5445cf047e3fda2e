// The configuration that a filled-in form describes, and the field of each key.
import { type FormRow, rowsOf, type Setting, type Settings } from "../config/setting.ts";
import { SETTINGS } from "../config/settings.ts";
import { defined } from "../core/defined.ts";
import type { Fields } from "./fields.ts";

/** The kinds that are begun from a form of their own, by what is said of them. */
export const NEW_KINDS = ["debate", "dialogue", "consensus"] as const;

/** A kind that is begun from a form. */
export type NewKind = (typeof NEW_KINDS)[number];

/** What is said of one who takes part, by the fields' names without the row. */
const ROW_FIELDS = ["name", "position", "who", "model", "persona", "instructions"] as const;

/** The most rows a form has. */
export const MOST_ROWS = 12;

/** The kind a form or an address names; a debate where it names none. */
export function kindIn(values: Fields): NewKind {
  return NEW_KINDS.find((each) => each === values["kind"]) ?? "debate";
}

/** How many rows of participants a form has. */
export function rowsIn(values: Fields): number {
  const rows = Number(values["rows"] ?? 2);
  return Number.isInteger(rows) ? Math.min(MOST_ROWS, Math.max(2, rows)) : 2;
}

/** The name of one who is given none. */
export function usualName(kind: NewKind, row: number): string {
  return `${kind === "debate" ? "Advocate" : "Participant"} ${String.fromCharCode(65 + row)}`;
}

/** The values with one row more, or without one: what the buttons of a form's rows ask for. */
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

/** The settings that a kind's form has fields for, by path. */
export function formRows(
  kind: NewKind,
  settings: Settings = SETTINGS,
): readonly (readonly [path: string, row: Setting & { readonly form: FormRow }])[] {
  return rowsOf(settings).flatMap(([path, row]) => {
    const { form, kinds = NEW_KINDS } = row;
    const has = form !== undefined && kinds.includes(kind) &&
      (form.kinds ?? NEW_KINDS).includes(kind);
    return has ? [[path, { ...row, form }] as const] : [];
  });
}

/** The name of a setting's field: by default the last part of its path. */
export function fieldName(path: string, { name }: FormRow): string {
  return name ?? path.slice(path.lastIndexOf(".") + 1);
}

/** The convening that a filled-in form describes; the library says what is wrong with it. */
export function configurationOf(
  values: Fields,
  settings: Settings = SETTINGS,
): Readonly<Record<string, unknown>> {
  const kind = kindIn(values);
  const background = text(values, "background");
  const given: Record<string, unknown> = {};
  for (const [path, row] of formRows(kind, settings)) {
    const value = valueOf(values, path, row);
    if (value === undefined) continue;
    const [outer = "", inner] = path.split(".");
    given[outer] = inner === undefined ? value : { ...given[outer] as object, [inner]: value };
  }
  return defined({
    kind,
    topic: text(values, "topic") ?? "",
    participants: participantsOf(values, kind),
    sources: background && [{ name: "background", text: background }],
    ...given,
    ...kind === "debate" ? judgesOf(values) : {},
  });
}

function valueOf(
  values: Fields,
  path: string,
  { schema, form }: Setting & { readonly form: FormRow },
): string | number | undefined {
  const value = text(values, fieldName(path, form));
  if (value === undefined || schema.type !== "number") return value;
  return Number(value) * (form.times ?? 1);
}

function judgesOf(values: Fields): object {
  const [count, model] = [text(values, "judges"), text(values, "judgeModel")];
  if (count === "0") return { scoringEnabled: false };
  if (count === undefined && model === undefined) return {};
  return { judges: Array.from({ length: Number(count ?? 1) }, () => defined({ model })) };
}

/** Those who take part, where anything is said of them; rows without a word count for the first two only. */
function participantsOf(values: Fields, kind: NewKind): readonly object[] | undefined {
  const rows = Array.from({ length: rowsIn(values) }, (_, row) => rowOf(values, row));
  const said = rows.map((row) => Object.values(row).some((each) => each !== undefined));
  if (!said.includes(true)) return undefined;
  const kept = rows.flatMap((row, at) => at < 2 || said[at] === true ? [{ row, at }] : []);
  // Where no position is said, those of a debate are made of its topic.
  const isOpen = kind !== "debate" || kept.every(({ row }) => row.position === undefined);
  return kept.map(({ row, at }) =>
    defined({
      name: row.name ?? (row.who === "person" ? "You" : usualName(kind, at)),
      position: row.position ?? (isOpen ? undefined : ["For", "Against"][at]),
      model: row.who === "person" ? "human" : row.model,
      persona: row.persona,
      systemPrompt: row.instructions,
    })
  );
}

function rowOf(
  values: Fields,
  row: number,
): Readonly<Partial<Record<(typeof ROW_FIELDS)[number], string>>> {
  return Object.fromEntries(ROW_FIELDS.map((part) => [part, text(values, `p${row}.${part}`)]));
}

function text(values: Fields, name: string): string | undefined {
  const value = (values[name] ?? "").trim();
  return value === "" ? undefined : value;
}

/** Keys without a row of their own in a form, by the fields they are said in. */
const FIELDS: Readonly<Record<string, string>> = {
  scoringEnabled: "judges",
  summaryBy: "judges",
  "sources.0.text": "background",
  systemPrompt: "instructions",
};
const MODELS = /^(?:model|judgeModel|p\d+\.model)$/;

/** The field of a form that an error of the library is about; undefined where it is about none. */
export function fieldOf(
  values: Fields,
  { field = "", message }: { readonly field?: string | undefined; readonly message: string },
): string | undefined {
  const [, row, part = ""] = /^participants\.(\d+)\.(\w+)$/.exec(field) ?? [];
  if (row !== undefined) return `p${row}.${FIELDS[part] ?? part}`;
  if (field === "model") {
    // It names the value, not whose it is.
    const named = Object.entries(values).find(([name, value]) =>
      MODELS.test(name) && value.trim() !== "" && message.includes(JSON.stringify(value.trim()))
    );
    return named?.[0] ?? "model";
  }
  if (field === "participants") return repeated(values, "name");
  if (field === "positions") return repeated(values, "position");
  const setting = formRows(kindIn(values)).find(([path]) => path === field)?.[1];
  if (setting !== undefined) return fieldName(field, setting.form);
  const name = FIELDS[field] ?? field;
  return OTHERS.includes(name) ? name : undefined;
}

/** Fields that no single setting has. */
const OTHERS: readonly string[] = ["topic", "judges", "judgeModel", "background"];

/** The first row where something is missing or said before; the first one of all where none is. */
function repeated(values: Fields, part: string): string {
  const all = Array.from(
    { length: rowsIn(values) },
    (_, row) => text(values, `p${row}.${part}`)?.toLowerCase(),
  );
  const again = all.findIndex((each, at) => each !== undefined && all.indexOf(each) < at);
  const missing = all.findIndex((each, at) => each === undefined && at >= 2);
  return `p${Math.max(0, again === -1 ? missing : again)}.${part}`;
}
