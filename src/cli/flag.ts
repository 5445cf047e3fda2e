// Defines flags of the command line: the flag type, its constructors, parsers of values, and the flags of every command.
import { didYouMean } from "../core/text.ts";
import { ConfigurationError, ConveningError, type FieldProblem } from "../core/error.ts";

export interface Flag<T> {
  readonly name: string;
  /** Placeholder of the value in help, such as `<n>`; absent for a flag without a value. */
  readonly value?: string;
  readonly about: string;
  /** The configuration key that the flag sets, with dots between nested keys. */
  readonly key?: string;
  /** The key that errors about the flag name. @default `key` */
  readonly names?: string;
  /** Heading of the flag in help. @default the general heading */
  readonly group?: string;
  /** Returns the value after one more occurrence with `text`. */
  add(before: T | undefined, text: string): T;
}

/** Parses a flag's value; throws a `ConfigurationError` for an invalid text. */
export type ReadValue<T> = (text: string, flag: string) => T;

/** Returns the error of a flag that cannot be used; `shown` is the flag's name, with its value if that helps. */
export function cannotUse(shown: string, state: string, hint: string): ConfigurationError {
  const [field] = shown.split(" ");
  return new ConfigurationError(`Cannot use ${shown}: ${state}`, { field, hint });
}

export function refused(flag: string, text: string, hint: string): ConfigurationError {
  return cannotUse(flag, `${JSON.stringify(text.slice(0, 80))} is not allowed`, hint);
}

/** Throws for the first of `flags` that was given. */
export function refuseGiven(
  flags: readonly Flag<unknown>[],
  values: FlagValues,
  { why, hint }: { readonly why: string; readonly hint: string },
): void {
  const given = flags.find((flag) => values.get(flag) !== undefined);
  if (given !== undefined) throw cannotUse(given.name, why, hint);
}

/** Creates a flag with one value; `is` has name and placeholder, such as `--rounds <n>`. The last occurrence counts. */
export function flag<T = string>(
  is: string,
  about: string,
  // The cast is safe: without a parser, the value is a text.
  read: ReadValue<T> = readWord as ReadValue<never>,
): Flag<T> {
  const [name = "", value = ""] = is.split(" ");
  return { name, value, about, add: (_before, text) => read(text, name) };
}

export function repeated<T = string>(is: string, about: string, read?: ReadValue<T>): Flag<T[]> {
  const single = flag(is, `${about} (repeatable)`, read);
  return { ...single, add: (before, text) => [...before ?? [], single.add(undefined, text)] };
}

/** Creates a flag without a value; `as` is its value if given. @default true */
export function toggle<T = true>(name: string, about: string, as: T = true as T): Flag<T> {
  return { name, about, add: () => as };
}

export function choice<T extends string>(
  name: string,
  about: string,
  allowed: readonly T[],
): Flag<T> {
  return flag<T>(`${name} <${allowed.join("|")}>`, about, (text) => {
    const found = allowed.find((each) => each === text);
    if (found !== undefined) return found;
    throw refused(name, text, `${didYouMean(text, allowed)}Allowed: ${allowed.join(", ")}.`);
  });
}

export function grouped(group: string, flags: readonly Flag<unknown>[]): readonly Flag<unknown>[] {
  return flags.map((flag) => ({ ...flag, group }));
}

export function reworded<T>(flag: Flag<T>, about: string): Flag<T> {
  return { ...flag, about };
}

/**
 * Converts an error about a configuration key into one about the flag that set the key; returns other errors unchanged. A key
 * that contradicts a given flag is named by its flag too, a key to look at by any flag of the command.
 */
export function nameFlag(
  error: unknown,
  { given, known }: Readonly<Record<"given" | "known", readonly Flag<unknown>[]>>,
): unknown {
  if (!(error instanceof ConveningError) || error.code !== "config_invalid") return error;
  const { field = "", message, hint, fields = [{ field, message, hint }] } = error;
  const flags = fields.map((each) => flagOf(each.field, given));
  if (flags.every((each) => each === undefined)) return error;
  const [, whole] = /^Cannot use the ([a-z]+):/.exec(message) ?? [];
  const named = fields.map((each, at) => withFlag(each, flags[at])).map((each) => ({
    ...each,
    // The user's own words, which stand in quotes, are kept.
    message: each.message.replace(
      /"(?:[^"\\]|\\.)*"|(?<= (with|see) )[\w.]+/g,
      (key, word) =>
        (word === "with" ? given : known).find((flag) => flag.key === key)?.name ?? key,
    ),
  }));
  return ConfigurationError.of(named, error, whole);
}

/** Returns the flag that set a key, or the nearest key above it. */
function flagOf(field: string, given: readonly Flag<unknown>[]) {
  const parts = field.split(".");
  return parts.map((_, at) => parts.slice(0, parts.length - at).join("."))
    .map((key) => given.find(({ key: own, names = own }) => names === key))
    .find((each) => each !== undefined);
}

/** Replaces a problem's field by the flag's name, except within a path or a longer word. */
function withFlag(problem: FieldProblem, flag: Flag<unknown> | undefined): FieldProblem {
  if (flag === undefined) return problem;
  const { field, message, hint } = problem;
  const { name, value } = flag;
  // A flag without a value is shown without the value of its key.
  const shown = value === undefined ? '(?: "[^"]*"| true)?' : "";
  const named = new RegExp(`(?<![\\w./-])${RegExp.escape(field)}(?![\\w/-])${shown}`);
  return { field: name, message: message.replace(named, () => name), hint };
}

export class FlagValues {
  readonly #given = new Map<string, { readonly flag: Flag<unknown>; value: unknown }>();

  get<T>(flag: Flag<T>): T | undefined {
    // The cast is safe: values under a flag's name come from the `add` of that flag.
    return this.#given.get(flag.name)?.value as T | undefined;
  }

  add<T>(flag: Flag<T>, text: string): void {
    this.#given.set(flag.name, { flag, value: flag.add(this.get(flag), text) });
  }

  /** Replaces `value` by `by` in all flags and lists of values. */
  replace(flags: readonly Flag<unknown>[], { value, by }: { value: string; by: string }): void {
    const replaced = (each: unknown) => each === value ? by : each;
    for (const { name } of flags) {
      const given = this.#given.get(name);
      if (given === undefined) continue;
      given.value = Array.isArray(given.value) ? given.value.map(replaced) : replaced(given.value);
    }
  }

  get given(): readonly Flag<unknown>[] {
    return [...this.#given.values()].map(({ flag }) => flag);
  }
}

// Flags of every command.
const JSON_OUTPUT = toggle("--json", "print one JSON object on standard output, whatever happens");
const QUIET = toggle("--quiet", "show no progress");
const DEBUG = toggle("--debug", "show where an error comes from");
export const EXTEND = flag(
  "--extend <file>",
  "a module with kinds and agents of your own; it has the permissions of this program",
);
export const OUTPUT_FLAGS = [JSON_OUTPUT, QUIET, DEBUG, EXTEND] as const;

const UNITS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 } as const;
const DURATION = /^(?:\d+(?:\.\d+)?(?:ms|s|m|h))+$/;
const PART = /(\d+(?:\.\d+)?)(ms|s|m|h)/g;

/** Parses a duration such as `90s`, `10m` or `1h30m`, or a number of milliseconds; returns milliseconds. */
export function readDuration(text: string, flag: string): number {
  if (/^\d+$/.test(text)) return Number(text);
  if (!DURATION.test(text)) throw refused(flag, text, "Write a duration such as 90s, 10m or 1h.");
  let sum = 0;
  for (const [, number, unit] of text.matchAll(PART)) {
    sum += Number(number) * UNITS[unit as keyof typeof UNITS];
  }
  return sum;
}

export const readWhole: ReadValue<number> = numberAs(
  /^\d{1,15}$/,
  "a whole number of up to 15 digits without a sign, such as 3",
);
export const readCount: ReadValue<number> = numberAs(
  /^0*[1-9]\d{0,8}$/,
  "a number from 1 on, such as 4",
);
export const readNumber: ReadValue<number> = numberAs(
  /^\d{1,15}(\.\d+)?$|^\.\d+$/,
  "a number without a sign, such as 0.5",
);
function numberAs(pattern: RegExp, what: string): ReadValue<number> {
  return (text, flag) => {
    if (pattern.test(text)) return Number(text);
    throw refused(flag, text, `Write ${what}.`);
  };
}

function readWord(text: string, flag: string): string {
  if (text.trim() === "") throw refused(flag, text, "It may not be blank.");
  return text;
}

/** Parses a comma-separated list; drops blanks and duplicates. */
export function readList(text: string, flag: string): string[] {
  const parts = text.split(",").map((each) => each.trim()).filter((each) => each !== "");
  if (parts.length === 0) throw refused(flag, text, "It may not be blank.");
  return [...new Set(parts)];
}

/** Parses a participant, `NAME` or `NAME=MODEL`; the last `=` separates name and model. */
export function readParticipant(text: string, flag: string): { name: string; model?: string } {
  const at = text.lastIndexOf("=");
  const name = (at === -1 ? text : text.slice(0, at)).trim();
  const model = at === -1 ? undefined : text.slice(at + 1).trim();
  if (name === "" || model === "") {
    throw refused(flag, text, "Write NAME or NAME=MODEL, such as Ada=gpt-4o.");
  }
  return model === undefined ? { name } : { name, model };
}

/** Parses a range, `MIN-MAX`; the schema of the setting has the bounds. */
export function readRange(text: string, flag: string): { min: number; max: number } {
  const [min, max] = /^(\d{1,9})-(\d{1,9})$/.exec(text)?.slice(1).map(Number) ?? [];
  if (min !== undefined && max !== undefined && min <= max) return { min, max };
  throw refused(flag, text, "Write MIN-MAX, such as 200-500.");
}

const GUARDS: readonly string[] = [
  "repetition",
  "coherence",
  "refused-terms",
  "length",
  "persona",
];

/** Parses the mode of a guard, `NAME=MODE`, into its key and the mode; the schema of the setting has the modes. */
export function readGuard(text: string, flag: string): readonly [key: string, mode: string] {
  const [, name = "", mode] = /^([^=]+)=(.+)$/.exec(text) ?? [];
  const keyOf = (name: string) =>
    name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
  const key = keyOf(name);
  if (mode === undefined || !GUARDS.some((each) => keyOf(each) === key)) {
    const near = didYouMean(name, GUARDS);
    const hint = `${near}Write NAME=MODE, such as length=warn; names: ${GUARDS.join(", ")}.`;
    throw refused(flag, text, hint);
  }
  return [key, mode];
}

export interface PersonaSetting {
  /** Name or id of the participant. @default the next participant without a persona */
  readonly of?: string;
  /** Id of a persona, path of its YAML file, or a description of how the participant speaks. */
  readonly persona: string;
}

/** Parses a persona: `ID`, `FILE`, `NAME=ID` or `NAME=FILE`. */
export function readPersona(text: string, flag: string): PersonaSetting {
  const at = text.indexOf("=");
  const [of, persona] = at === -1
    ? [undefined, text.trim()]
    : [text.slice(0, at).trim(), text.slice(at + 1).trim()];
  if (persona === "" || of === "") {
    throw refused(flag, text, "Write ID, FILE or NAME=ID, such as Ada=economist.");
  }
  return of === undefined ? { persona } : { of, persona };
}
