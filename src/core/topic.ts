import abuse from "./abuse.en.json" with { type: "json" };
import { ConfigurationError, TopicError } from "./error.ts";

/** The least and the most code points of a topic. */
export const TOPIC_LENGTH = { min: 10, max: 200 } as const;
/** The most code points of a position or a name. */
export const NAME_LENGTH = 1000;

/** How a topic is checked for abuse: by a list of words, by the moderation endpoint of a provider, or not at all. */
export type TopicCheck = "words" | "provider" | "off";

/** What a topic is checked by. */
export interface TopicRules {
  /** @default "words" */
  readonly topicCheck?: TopicCheck | undefined;
  /** Terms a topic may not contain, as whole words. @default the built-in list of abuse in English */
  readonly refusedTerms?: readonly string[] | undefined;
}

const CONTROL = /\p{Cc}/u;
const CONTROL_BUT_BREAKS = /(?![\r\n])\p{Cc}/u;

/**
 * The topic, trimmed; refused when it is blank, under 10 or over 200 code points, has control characters, or, checked by
 * words, has a refused term. A provider is asked elsewhere, when the run begins.
 */
export function checkTopic(
  topic: string,
  { topicCheck = "words", refusedTerms }: TopicRules = {},
): string {
  const trimmed = topic.trim().toWellFormed();
  const length = [...trimmed].length;
  if (trimmed === "") {
    throw new TopicError("Cannot use the topic: it is blank", HINT);
  }
  if (CONTROL.test(trimmed)) {
    throw new TopicError(
      "Cannot use the topic: it contains control characters",
      {
        hint: "Write the topic on one line, without line breaks, tabs or other control characters.",
      },
    );
  }
  if (length < TOPIC_LENGTH.min || length > TOPIC_LENGTH.max) {
    throw new TopicError(
      `Cannot use the topic: it has ${length} characters, ${TOPIC_LENGTH.min} to ${TOPIC_LENGTH.max} are allowed`,
      HINT,
    );
  }
  const term = topicCheck === "words" ? refusedIn(trimmed, refusedTerms) : undefined;
  if (term !== undefined) {
    throw new TopicError(
      `Cannot use the topic: it contains the refused term "${term}"`,
      {
        hint:
          "Choose another topic, or change refusedTerms or topicCheck (words, provider, off) in the configuration.",
      },
    );
  }
  return trimmed;
}

const HINT = {
  hint: "Give a topic of 10 to 200 characters, such as a question.",
};

/**
 * What is refused in a text: one of the terms as whole words, else a slur, an insult of a group, a call for harm or
 * instructions for harm that the built-in list has; undefined where there is nothing of it.
 */
export function refusedIn(text: string, terms?: readonly string[]): string | undefined {
  if (terms !== undefined) return terms.find((each) => containsTerm(text, each))?.trim();
  const plain = text.normalize("NFKD").replace(/\p{M}/gu, "").replace(/[’‘]/g, "'").toLowerCase();
  const spelled = plain.replace(
    /\S+/g,
    (word) => /[a-z]/.test(word) ? word.replace(/[013457@$]/g, (sign) => SPELLED[sign]!) : word,
  );
  return abuseIn(plain) ?? (spelled === plain ? undefined : abuseIn(spelled));
}

/** Letters that are written as signs to get past a list. */
const SPELLED: Readonly<Record<string, string>> = {
  "0": "o",
  "1": "i",
  "3": "e",
  "4": "a",
  "5": "s",
  "7": "t",
  "@": "a",
  "$": "s",
};

/** The first words of a text in small letters that the built-in list refuses. */
function abuseIn(text: string): string | undefined {
  const simple = simplified(text);
  const words: Words = { text: simple, starts: startsOf(simple), found: new Map() };
  let first: RegExpExecArray | undefined;
  for (const refusal of refusals ??= abuse.refused.flatMap(alternativesOf)) {
    if (!mayMatch(refusal, words)) continue;
    const match = patternOf(refusal.source).exec(simple);
    if (match !== null && (first === undefined || match.index < first.index)) first = match;
  }
  if (first === undefined) return undefined;
  return [...text].slice(first.index, first.index + first[0].length).join("");
}

/** A text as words. */
interface Words {
  readonly text: string;
  /** Its words by their first two letters. */
  readonly starts: ReadonlyMap<string, readonly string[]>;
  /** The parts of the list that were looked for, and whether the text may have them. */
  readonly found: Map<string, boolean>;
}

function startsOf(text: string): Map<string, string[]> {
  const starts = new Map<string, string[]>();
  for (const word of new Set(text.split(/[^a-z0-9ª]+/))) {
    const start = word.slice(0, 2);
    const found = starts.get(start);
    if (found === undefined) starts.set(start, [word]);
    else found.push(word);
  }
  return starts;
}

function hasStart({ starts }: Words, start: string): boolean {
  if (start.length < 2) return true;
  return starts.get(start.slice(0, 2))?.some((word) => word.startsWith(start)) === true;
}

/** Whether a text has what each match has. */
function mayMatch({ starts, letters, needs }: Refusal, words: Words): boolean {
  return starts.every((each) => hasStart(words, each)) &&
    letters.every((each) => words.text.includes(each)) &&
    needs.every((pattern) => {
      let isThere = words.found.get(pattern);
      if (isThere === undefined) {
        let alternatives = parts.get(pattern);
        if (alternatives === undefined) parts.set(pattern, alternatives = alternativesOf(pattern));
        isThere = alternatives.some((each) => mayMatch(each, words));
        words.found.set(pattern, isThere);
      }
      return isThere;
    });
}

/** The signs that stand for a letter or digit outside of ASCII, and for any other sign there. */
const [LETTER, SIGN] = ["ª", "¬"];

/** A text of as many signs in one byte each: a pattern without classes of Unicode compiles faster. */
function simplified(text: string): string {
  return text.replace(/(?!_)[\s\p{P}]/gu, " ")
    .replace(/[^\0-\x7f]/gu, (sign) => /[\p{L}\p{N}]/u.test(sign) ? LETTER : SIGN);
}

/** A pattern of refused words, with what each text that matches has. */
interface Refusal {
  readonly source: string;
  /** Letters that begin a word. */
  readonly starts: readonly string[];
  /** Letters anywhere. */
  readonly letters: readonly string[];
  /** Patterns of which each matches the start of a word. */
  readonly needs: readonly string[];
}

// Few are compiled for a text: one pattern of all of them takes longer than the rest of a run's start.
let refusals: readonly Refusal[] | undefined;
const parts = new Map<string, readonly Refusal[]>();
const patterns = new Map<string, RegExp>();
const PARTS: Readonly<Record<string, string>> = abuse.parts;

/** The alternatives of a pattern, at every `|` outside of brackets. */
function alternativesOf(pattern: string): Refusal[] {
  const found: Refusal[] = [];
  let [depth, start] = [0, 0];
  const text = `${pattern}|`;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === "(") depth++;
    else if (text[at] === ")") depth--;
    else if (text[at] === "|" && depth === 0) {
      found.push(refusalOf(text.slice(start, at)));
      start = at + 1;
    }
  }
  return found;
}

/** A part, letters, a class, an opening bracket, the end of what may be missing, or any other sign. */
const PIECE = /\{([a-z]+)\}|[a-z]+|\[[^\]]+\]|\((?:\?[:!<]+)?|(?<=[)}])(?:\?|\{0,\d\})|\\?./g;

function refusalOf(source: string): Refusal {
  const starts: string[] = [];
  const letters: string[] = [];
  const needs: string[] = [];
  let [depth, opened, isStart] = [0, 0, true];
  for (const { 0: piece, 1: part, index } of source.matchAll(PIECE)) {
    const end = index + piece.length;
    const isNeeded = !/^(?:\?|\{0)/.test(source.slice(end));
    if (piece.startsWith("(")) {
      if (depth++ === 0) opened = end;
      continue;
    }
    if (piece === ")") depth--;
    if (depth > 0 || /^(?:\?|\{0)/.test(piece) && /[)}]/.test(source[index - 1]!)) continue;
    if (piece === ")" || part !== undefined) {
      const isGroup = part !== undefined || source.slice(0, opened).endsWith("(?:");
      if (!isNeeded) continue;
      if (isGroup && isStart) needs.push(PARTS[part ?? ""] ?? source.slice(opened, index));
    } else if (/^[a-z]/.test(piece)) {
      const sure = isNeeded ? piece : piece.slice(0, -1);
      if (sure !== "") (isStart ? starts : letters).push(sure);
    }
    isStart = piece === " ";
  }
  return { source, starts, letters, needs };
}

function patternOf(source: string): RegExp {
  const known = patterns.get(source);
  if (known !== undefined) return known;
  const made = new RegExp(`(?<![a-z0-9${LETTER}])(?:${filled(source)})(?![a-z0-9${LETTER}])`);
  patterns.set(source, made);
  return made;
}

/** A pattern in which `{name}` stands for a part of the list, a blank for blanks and punctuation. */
function filled(pattern: string): string {
  return pattern.replace(/\{([a-z]+)\}/g, (_, name: string) => `(?:${filled(PARTS[name]!)})`)
    .replaceAll(" ", "[\\x20_]{1,3}");
}

/** Whether `text` contains `term` as whole words, letter case aside ("fair" does not contain "ai"). */
export function containsTerm(text: string, term: string): boolean {
  if (term.trim() === "") return false;
  const pattern = term.trim().replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replace(
    /\s+/g,
    "\\s+",
  );
  return new RegExp(`(?<![\\p{L}\\p{N}_])${pattern}(?![\\p{L}\\p{N}_])`, "iu")
    .test(text);
}

/** A position or name, trimmed; refused when it is blank, over 1,000 code points, or has control characters other than line breaks. */
export function checkWords(value: string, field: string): string {
  const trimmed = value.trim().toWellFormed();
  const length = [...trimmed].length;
  if (length < 1 || length > NAME_LENGTH) {
    throw new ConfigurationError(
      `Cannot use ${field}: it has ${length} characters, 1 to ${NAME_LENGTH} are allowed`,
      { field, hint: `Give ${field} between 1 and ${NAME_LENGTH} characters.` },
    );
  }
  if (CONTROL_BUT_BREAKS.test(trimmed)) {
    throw new ConfigurationError(
      `Cannot use ${field}: it contains control characters`,
      {
        field,
        hint: "Line breaks are allowed, other control characters are not.",
      },
    );
  }
  return trimmed;
}
