// Flags of the command line: the value that an occurrence adds, and the flags of every command.
import { ConfigurationError, ConveningError } from "../core/error.ts";
import { didYouMean } from "../core/words.ts";
import { type ReadValue, readWord } from "./read_value.ts";

/** One flag of the command line and what its text becomes. */
export interface Flag<T> {
  /** With its dashes, such as `--rounds`. */
  readonly name: string;
  /** The placeholder of its value in help, such as `<n>`; absent for a flag that is on or off. */
  readonly value?: string;
  /** One line for help. */
  readonly about: string;
  /** The configuration key it sets, parts joined by dots. */
  readonly key?: string;
  /** Under which heading help lists it. @default that of the plain ones */
  readonly group?: string;
  /** The value after one more occurrence. */
  add(before: T | undefined, text: string): T;
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
      throw new ConfigurationError(`Cannot use ${name} twice: a convening has one`, {
        field: name,
        hint: `Give ${name} once; start a convening for each.`,
      });
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
    throw new ConfigurationError(
      `Cannot use ${name}: ${JSON.stringify(text.slice(0, 80))} is not allowed`,
      { field: name, hint: `${didYouMean(text, allowed)}Allowed: ${allowed.join(", ")}.` },
    );
  });
}

/** The flags, listed by help under a heading. */
export function grouped(group: string, flags: readonly Flag<unknown>[]): readonly Flag<unknown>[] {
  return flags.map((flag) => ({ ...flag, group }));
}

/** The same flag, said in other words by a command's help. */
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

/** The flags that were given, by flag. */
export class FlagValues {
  readonly #values = new Map<string, unknown>();

  /** The value of a flag; undefined when it was not given. */
  get<T>(flag: Flag<T>): T | undefined {
    // Only `add` of a flag of this very name puts a value here.
    return this.#values.get(flag.name) as T | undefined;
  }

  /** Takes one more occurrence of a flag. */
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
const JSON_OUTPUT = toggle(
  "--json",
  "print one JSON object on standard output, whatever happens",
);
const QUIET = toggle("--quiet", "show no progress");
const DEBUG = toggle("--debug", "show where an error comes from");
export const EXTEND = flag(
  "--extend <file>",
  "a module with kinds and agents of your own; it has the permissions of this program",
);
/** The flags of every command. */
export const OUTPUT_FLAGS = [JSON_OUTPUT, QUIET, DEBUG, EXTEND] as const;
