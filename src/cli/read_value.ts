// Readers of the values of flags.
import { TRANSCRIPT_FORMATS } from "../config/setting_shapes.ts";
import type { GuardMode } from "../core/turn.ts";
import type { GuardSettings, TranscriptFormat } from "../config/convening_config.ts";
import { ConfigurationError } from "../core/error.ts";
import { didYouMean } from "../core/words.ts";

const UNITS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 } as const;
const DURATION = /^(?:\d+(?:\.\d+)?(?:ms|s|m|h))+$/;
const PART = /(\d+(?:\.\d+)?)(ms|s|m|h)/g;

/** Reads a flag's value, or refuses it. */
export type ReadValue<T> = (text: string, flag: string) => T;

/** A duration in milliseconds: `90s`, `10m`, `1h30m`, or a plain number of milliseconds. */
export function readDuration(text: string, flag: string): number {
  if (/^\d+$/.test(text)) return Number(text);
  if (!DURATION.test(text)) {
    throw refuse(flag, text, "Write a duration such as 90s, 10m or 1h.");
  }
  let sum = 0;
  for (const [, number, unit] of text.matchAll(PART)) {
    sum += Number(number) * UNITS[unit as keyof typeof UNITS];
  }
  return sum;
}

/** A whole number from 0. */
export function readWhole(text: string, flag: string): number {
  if (!/^\d{1,15}$/.test(text)) {
    throw refuse(flag, text, "Write a whole number, such as 3.");
  }
  return Number(text);
}

/** A decimal number from 0. */
export function readNumber(text: string, flag: string): number {
  if (!/^\d{1,15}(\.\d+)?$|^\.\d+$/.test(text)) {
    throw refuse(flag, text, "Write a number, such as 0.5.");
  }
  return Number(text);
}

/** A text that is not blank. */
export function readWord(text: string, flag: string): string {
  if (text.trim() === "") {
    throw refuse(flag, text, "It may not be blank.");
  }
  return text;
}

/** A comma list of transcript formats, each once. */
export function readFormats(text: string, flag: string): TranscriptFormat[] {
  const names = text.split(",").map((name) => name.trim());
  const formats = names.map((name) => TRANSCRIPT_FORMATS.find((each) => each === name));
  if (formats.includes(undefined)) {
    throw refuse(
      flag,
      text,
      `Write a comma list of ${TRANSCRIPT_FORMATS.join(", ")}.`,
    );
  }
  return [...new Set(formats.filter((each) => each !== undefined))];
}

/** A participant as `NAME` or `NAME=MODEL`; a name may contain `=` when a model follows the last one. */
export function readParticipant(
  text: string,
  flag: string,
): { name: string; model?: string } {
  const at = text.lastIndexOf("=");
  const name = (at === -1 ? text : text.slice(0, at)).trim();
  const model = at === -1 ? undefined : text.slice(at + 1).trim();
  if (name === "" || model === "") {
    throw refuse(flag, text, "Write NAME or NAME=MODEL, such as Ada=gpt-4o.");
  }
  return model === undefined ? { name } : { name, model };
}

/** A range of words as `MIN-MAX`, 200 to 1000 (context-network/rules/every_convening.md). */
export function readWords(text: string, flag: string): { min: number; max: number } {
  const [, low, high] = /^(\d{1,9})-(\d{1,9})$/.exec(text) ?? [];
  const [min, max] = [Number(low), Number(high)];
  if (!(min >= WORDS.min && max <= WORDS.max && min <= max)) {
    throw refuse(
      flag,
      text,
      `Write MIN-MAX, both from ${WORDS.min} to ${WORDS.max}, such as 200-500.`,
    );
  }
  return { min, max };
}

const WORDS = { min: 200, max: 1000 } as const;

/** A decimal number from 0 to 1. */
export function readShare(text: string, flag: string): number {
  if (!/^(0(\.\d+)?|1(\.0+)?|\.\d+)$/.test(text)) {
    throw refuse(flag, text, "Write a number from 0 to 1, such as 0.8.");
  }
  return Number(text);
}

/** The mode of one guard, as `NAME=MODE`. */
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
  throw refuse(
    flag,
    text,
    `${near}Write NAME=MODE: NAME is one of ${names}; MODE one of ${modes}.`,
  );
}

/** A persona, and whose it is. */
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
    throw refuse(flag, text, "Write ID, FILE or NAME=ID, such as Ada=economist.");
  }
  return of === undefined ? { persona } : { of, persona };
}

function refuse(
  flag: string,
  text: string,
  hint: string,
): ConfigurationError {
  return new ConfigurationError(
    `Cannot use ${flag}: ${JSON.stringify(text.slice(0, 80))} is not allowed`,
    { field: flag, hint },
  );
}
