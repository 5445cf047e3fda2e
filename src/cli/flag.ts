// Flags of the command line: readers of values, the value that an occurrence adds, and the flags of every command.
import type { GuardSettings, TranscriptFormat } from "../config/convening_config.ts";
import type { GuardMode } from "../core/turn.ts";
import { didYouMean } from "../core/words.ts";
import { TRANSCRIPT_FORMATS } from "../config/setting_shapes.ts";
import { ConfigurationError, ConveningError } from "../core/error.ts";

export interface Flag<T> {
  readonly name: string;
  /** The placeholder of its value in help, such as `<n>`; absent for a flag that is on or off. */
  readonly value?: string;
  readonly about: string;
  /** The configuration key it sets, parts joined by dots. */
  readonly key?: string;
  /** Under which heading help lists it. @default that of the plain ones */
  readonly group?: string;
  /** The value after one more occurrence. */
  add(before: T | undefined, text: string): T;
}

export type ReadValue<T> = (text: string, flag: string) => T;

/** The error of a flag that cannot be used; `shown` is the flag's name, and what more of it tells. */
export function cannotUse(shown: string, state: string, hint: string): ConfigurationError {
  const [field] = shown.split(" ");
  return new ConfigurationError(`Cannot use ${shown}: ${state}`, { field, hint });
}

/** The error of a flag's value that is not allowed. */
export function refused(flag: string, text: string, hint: string): ConfigurationError {
  return cannotUse(flag, `${JSON.stringify(text.slice(0, 80))} is not allowed`, hint);
}

export function refuseGiven(
  flags: readonly Flag<unknown>[],
  values: FlagValues,
  { why, hint }: { readonly why: string; readonly hint: string },
): void {
  const idle = flags.find((flag) => values.get(flag) !== undefined);
  if (idle !== undefined) throw cannotUse(idle.name, why, hint);
}

/** A flag with one value, given as name and placeholder, such as `--rounds <n>`; the last occurrence counts. */
export function flag(is: string, about: string): Flag<string>;
export function flag<T>(is: string, about: string, read: ReadValue<T>): Flag<T>;
export function flag(
  is: string,
  about: string,
  read: ReadValue<unknown> = readWord,
): Flag<unknown> {
  const [name = "", value = ""] = is.split(" ");
  return { name, value, about, add: (_before, text) => read(text, name) };
}

/** The same flag, refused where it is given twice. */
export function once<T>(single: Flag<T>): Flag<T> {
  const { name } = single;
  return {
    ...single,
    add(before, text) {
      if (before === undefined) return single.add(before, text);
      const hint = `Give ${name} once; start a convening for each.`;
      throw cannotUse(`${name} twice`, "a convening has one", hint);
    },
  };
}

/** A flag that may be given several times, each occurrence one value. */
export function repeated(is: string, about: string): Flag<string[]>;
export function repeated<T>(is: string, about: string, read: ReadValue<T>): Flag<T[]>;
export function repeated(
  is: string,
  about: string,
  read: ReadValue<unknown> = (text) => text,
): Flag<unknown[]> {
  const single = flag(is, `${about} (repeatable)`, read);
  return { ...single, add: (before, text) => [...before ?? [], single.add(undefined, text)] };
}

/** A flag without a value, which stands for one. */
export function toggle(name: string, about: string): Flag<true>;
export function toggle<T>(name: string, about: string, as: T): Flag<T>;
export function toggle(name: string, about: string, as: unknown = true): Flag<unknown> {
  return { name, about, add: () => as };
}

/** A flag that takes one of a few words. */
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

/** Errors about a configuration key that a flag set name the flag. */
export function nameFlag(error: unknown, keys: ReadonlyMap<string, Flag<unknown>>): unknown {
  if (!(error instanceof ConveningError) || error.code !== "config_invalid") return error;
  const { field = "" } = error;
  const parts = field.split(".");
  const flag = parts.map((_, at) => keys.get(parts.slice(0, parts.length - at).join(".")))
    .find((each) => each !== undefined);
  if (flag === undefined) return error;
  const { name, value } = flag;
  // The field's name is no part of a path or of another word.
  const named = new RegExp(`(?<![\\w./-])${RegExp.escape(field)}(?![\\w/-])`);
  const [before = "", ...after] = error.message.split(named);
  // A flag without a value stands for one.
  const rest = value === undefined
    ? after.join(field).replace(/^ (?:"[^"]*"|true)/, "")
    : after.join(field);
  return new ConfigurationError(after.length === 0 ? before : `${before}${name}${rest}`, {
    field: name,
    hint: error.hint,
    cause: error,
  });
}

export class FlagValues {
  readonly #values = new Map<string, unknown>();

  /** The value of a flag; undefined when it was not given. */
  get<T>(flag: Flag<T>): T | undefined {
    // Only `add` of a flag of this very name puts a value here.
    return this.#values.get(flag.name) as T | undefined;
  }

  add<T>(flag: Flag<T>, text: string): void {
    this.#values.set(flag.name, flag.add(this.get(flag), text));
  }

  /** Puts a value in the place of another, also within lists; gives back whether any flag had the other. */
  replace(flags: readonly Flag<unknown>[], { value, by }: { value: string; by: string }): boolean {
    let found = false;
    const replaced = (each: unknown) => {
      found ||= each === value;
      return each === value ? by : each;
    };
    for (const { name } of flags) {
      const given = this.#values.get(name);
      if (given === undefined) continue;
      this.#values.set(name, Array.isArray(given) ? given.map(replaced) : replaced(given));
    }
    return found;
  }

  /** The keys of the configuration that were set, each with its flag. */
  keys(flags: readonly Flag<unknown>[]): Map<string, Flag<unknown>> {
    const found = new Map<string, Flag<unknown>>();
    for (const flag of flags) {
      if (flag.key !== undefined && this.#values.has(flag.name)) found.set(flag.key, flag);
    }
    return found;
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

/** A duration in milliseconds: `90s`, `10m`, `1h30m`, or a plain number of milliseconds. */
export function readDuration(text: string, flag: string): number {
  if (/^\d+$/.test(text)) return Number(text);
  if (!DURATION.test(text)) throw refused(flag, text, "Write a duration such as 90s, 10m or 1h.");
  let sum = 0;
  for (const [, number, unit] of text.matchAll(PART)) {
    sum += Number(number) * UNITS[unit as keyof typeof UNITS];
  }
  return sum;
}

export const readWhole: ReadValue<number> = numberAs(/^\d{1,15}$/, "a whole number, such as 3");
export const readNumber: ReadValue<number> = numberAs(
  /^\d{1,15}(\.\d+)?$|^\.\d+$/,
  "a number, such as 0.5",
);
export const readShare: ReadValue<number> = numberAs(
  /^(0(\.\d+)?|1(\.0+)?|\.\d+)$/,
  "a number from 0 to 1, such as 0.8",
);

function numberAs(pattern: RegExp, what: string): ReadValue<number> {
  return (text, flag) => {
    if (pattern.test(text)) return Number(text);
    throw refused(flag, text, `Write ${what}.`);
  };
}

export function readWord(text: string, flag: string): string {
  if (text.trim() === "") throw refused(flag, text, "It may not be blank.");
  return text;
}

/** A comma list of transcript formats, each once. */
export function readFormats(text: string, flag: string): TranscriptFormat[] {
  const names = text.split(",").map((name) => name.trim());
  const formats = names.map((name) => TRANSCRIPT_FORMATS.find((each) => each === name));
  if (formats.includes(undefined)) {
    throw refused(flag, text, `Write a comma list of ${TRANSCRIPT_FORMATS.join(", ")}.`);
  }
  return [...new Set(formats.filter((each) => each !== undefined))];
}

/** A participant as `NAME` or `NAME=MODEL`; a name may contain `=` when a model follows the last one. */
export function readParticipant(text: string, flag: string): { name: string; model?: string } {
  const at = text.lastIndexOf("=");
  const name = (at === -1 ? text : text.slice(0, at)).trim();
  const model = at === -1 ? undefined : text.slice(at + 1).trim();
  if (name === "" || model === "") {
    throw refused(flag, text, "Write NAME or NAME=MODEL, such as Ada=gpt-4o.");
  }
  return model === undefined ? { name } : { name, model };
}

/** A range of words as `MIN-MAX`, 200 to 1000 (context-network/rules/every_convening.md). */
export function readWords(text: string, flag: string): { min: number; max: number } {
  const [, low, high] = /^(\d{1,9})-(\d{1,9})$/.exec(text) ?? [];
  const [min, max] = [Number(low), Number(high)];
  if (!(min >= WORDS.min && max <= WORDS.max && min <= max)) {
    throw refused(
      flag,
      text,
      `Write MIN-MAX, both from ${WORDS.min} to ${WORDS.max}, such as 200-500.`,
    );
  }
  return { min, max };
}

const WORDS = { min: 200, max: 1000 } as const;

interface GuardSetting {
  readonly name: keyof GuardSettings;
  readonly mode: GuardMode;
}

const GUARDS: Readonly<Record<string, keyof GuardSettings>> = {
  repetition: "repetition",
  coherence: "coherence",
  "refused-terms": "refusedTerms",
  length: "length",
  persona: "persona",
};
const GUARD_MODES: readonly GuardMode[] = ["off", "warn", "reject"];

/** The mode of one guard, as `NAME=MODE`. */
export function readGuard(text: string, flag: string): GuardSetting {
  const [key = "", word, ...rest] = text.split("=");
  const name = Object.hasOwn(GUARDS, key) ? GUARDS[key] : undefined;
  const mode = GUARD_MODES.find((each) => each === word);
  if (name !== undefined && mode !== undefined && rest.length === 0) return { name, mode };
  const [names, modes] = [Object.keys(GUARDS).join(", "), GUARD_MODES.join(", ")];
  const near = (name === undefined ? didYouMean(key, Object.keys(GUARDS)) : "") +
    (mode === undefined ? didYouMean(word ?? "", GUARD_MODES) : "");
  throw refused(
    flag,
    text,
    `${near}Write NAME=MODE: NAME is one of ${names}; MODE one of ${modes}.`,
  );
}

export interface PersonaSetting {
  /** A name or an id; absent: the next one's in order. */
  readonly of?: string;
  /** A persona's id, the path of its YAML file, or how it speaks in words. */
  readonly persona: string;
}

/** A persona as `ID`, `FILE`, `NAME=ID` or `NAME=FILE`. */
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
