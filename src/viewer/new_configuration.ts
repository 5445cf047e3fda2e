import { defined } from "../core/defined.ts";
import type { Fields } from "./fields.ts";

/** The kinds that are begun from a form of their own, by what is said of them. */
export const NEW_KINDS = ["debate", "dialogue", "consensus"] as const;

/** A kind that is begun from a form. */
export type NewKind = (typeof NEW_KINDS)[number];

/** What is said of one who takes part, by the fields' names without the row. */
export const ROW_FIELDS = ["name", "position", "who", "model", "persona", "instructions"] as const;

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

/** The convening that a filled-in form describes; the library says what is wrong with it. */
export function configurationOf(values: Fields): Readonly<Record<string, unknown>> {
  const kind = kindIn(values);
  const background = text(values, "background");
  const limits = defined({
    maxTurns: number(values, "maxTurns"),
    maxCost: number(values, "maxCost"),
    maxDuration: minutes(values),
  });
  const mode = text(values, "factCheck");
  return defined({
    kind,
    topic: text(values, "topic") ?? "",
    participants: participantsOf(values, kind),
    factCheck: mode && { mode },
    model: text(values, "model"),
    language: text(values, "language"),
    seed: number(values, "seed"),
    sources: background && [{ name: "background", text: background }],
    limits: Object.keys(limits).length === 0 ? undefined : limits,
    ...KIND_SETTINGS[kind](values),
  });
}

const KIND_SETTINGS: Readonly<Record<NewKind, (values: Fields) => object>> = {
  debate: (values) => ({
    preset: text(values, "preset"),
    debateFormat: text(values, "format"),
    roundCount: number(values, "rounds"),
    rubric: text(values, "rubric"),
    ...judgesOf(values),
  }),
  dialogue: (values) => ({ maxTurns: number(values, "turns"), select: text(values, "select") }),
  consensus: (values) => ({
    threshold: number(values, "threshold"),
    stableTurns: number(values, "stableTurns"),
  }),
};

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

function number(values: Fields, name: string): number | undefined {
  const value = text(values, name);
  return value === undefined ? undefined : Number(value);
}

function minutes(values: Fields): number | undefined {
  const value = number(values, "minutes");
  return value === undefined ? undefined : value * 60_000;
}

/** The configuration's keys by the fields they are said in, where those have other names. */
const FIELDS: Readonly<Record<string, string>> = {
  roundCount: "rounds",
  debateFormat: "format",
  scoringEnabled: "judges",
  summaryBy: "judges",
  "limits.maxTurns": "maxTurns",
  "limits.maxCost": "maxCost",
  "limits.maxDuration": "minutes",
  "factCheck.mode": "factCheck",
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
  if (kindIn(values) === "dialogue" && field === "maxTurns") return "turns";
  const name = FIELDS[field] ?? field;
  return KNOWN.has(name) ? name : undefined;
}

const KNOWN: ReadonlySet<string> = new Set([
  ...["topic", "preset", "format", "rounds", "rubric", "judges", "judgeModel", "factCheck"],
  ...["turns", "select", "threshold", "stableTurns", "model", "language", "seed"],
  ...["background", "maxTurns", "maxCost", "minutes"],
]);

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
