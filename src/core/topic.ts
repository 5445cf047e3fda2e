// Checks of words that people give: topics, positions, names and speech.
import abuse from "./abuse.en.json" with { type: "json" };
import { ConfigurationError, TopicError } from "./error.ts";
import { onceEach } from "./values.ts";

/** The least and the most code points of a topic. */
export const TOPIC_LENGTH = { min: 10, max: 200 } as const;
/** The most code points of a position or a name. */
const NAME_LENGTH = 1000;

/** Check of a topic for abuse: by a list of words, by the moderation endpoint of a provider, or none. */
export type TopicCheck = "words" | "provider" | "off";

/** Rules that a topic is checked by. */
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
 * Refused term of a text: one of the terms as whole words, else a slur, an insult of a group, a call for harm or
 * instructions for harm of the built-in list; undefined for a text without any.
 */
export function refusedIn(text: string, terms?: readonly string[]): string | undefined {
  if (terms !== undefined) return terms.find((each) => containsTerm(text, each))?.trim();
  const plain = text.normalize("NFKD").replace(/\p{M}/gu, "").replace(/[’‘]/g, "'").toLowerCase();
  const spelled = !/[013457@$]/.test(plain) ? plain : plain.replace(
    /(?<!\S)[^\s013457@$]*[013457@$]\S*/g,
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
  let first: RegExpExecArray | undefined;
  signs ??= compiled([...new Set(abuse.refused.flatMap(partsOfSign))].join("|"));
  const hasSign = signs.test(simple);
  for (const refusal of abuse.refused) {
    if (refusal.sign !== undefined && !(hasSign && signOf(refusal).test(simple))) continue;
    const match = patternOf(refusal).exec(simple);
    if (match !== null && (first === undefined || match.index < first.index)) first = match;
  }
  if (first === undefined) return undefined;
  return [...text].slice(first.index, first.index + first[0].length).join("");
}

/** The signs that stand for a letter or digit outside of ASCII, and for any other sign there. */
const [LETTER, SIGN] = ["ª", "¬"];

/** A text of as many signs in one byte each: a pattern without classes of Unicode compiles faster. */
function simplified(text: string): string {
  return text.replace(/(?![_ ])[\s\p{P}]/gu, " ")
    .replace(/[^\0-\x7f]/gu, (sign) => /[\p{L}\p{N}]/u.test(sign) ? LETTER : SIGN);
}

/** A refusal of the built-in list. */
interface Refusal {
  /** Words, parted by `|`, of which every match has one. @default not told */
  readonly sign?: string;
  readonly pattern: string;
}

// A pattern takes milliseconds to compile, all of them longer than the rest of a run's start: a text compiles those alone
// of whose signs it has one. Most texts have no sign at all, which one pattern says.
let signs: RegExp | undefined;
const signOf = onceEach(({ sign = "" }: Refusal) => compiled(sign));
const patternOf = onceEach(({ pattern }: Refusal) => compiled(pattern));

function partsOfSign({ sign }: Refusal): readonly string[] {
  return sign?.split("|") ?? [];
}

/** A pattern for whole words, in which `{name}` stands for a part of the list, a blank for blanks and punctuation. */
function compiled(pattern: string): RegExp {
  return new RegExp(`(?<![a-z0-9${LETTER}])(?:${filled(pattern)})(?![a-z0-9${LETTER}])`);
}

const PARTS: Readonly<Record<string, string>> = abuse.parts;

function filled(pattern: string): string {
  return pattern.replace(/\{([a-z]+)\}/g, (_, name: string) => `(?:${filled(PARTS[name]!)})`)
    .replaceAll(" ", "[\\x20_]{1,3}");
}

/** True if `text` contains `term` as whole words, letter case aside ("fair" does not contain "ai"). */
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

/** The most code points of what a person says at once. */
const SPEECH_LENGTH = 20_000;

const CONTROL_BUT_LAYOUT = /(?![\r\n\t])\p{Cc}/u;

/**
 * A person's words, trimmed, line breaks as `\n`, well-formed; refused without a letter or digit, over 20,000 code points, or with
 * control characters other than line breaks and tabs.
 */
export function checkSpeech(text: string): string {
  const trimmed = text.replace(/\r\n?/g, "\n").trim().toWellFormed();
  if (!/[\p{L}\p{N}]/u.test(trimmed)) {
    throw new ConfigurationError("Cannot say that: there is no word in it", {
      field: "text",
      hint: "Write what is to be said, in plain text or markdown.",
    });
  }
  const length = [...trimmed].length;
  if (length > SPEECH_LENGTH) {
    throw new ConfigurationError(
      `Cannot say that: it has ${length} characters, ${SPEECH_LENGTH} are allowed`,
      { field: "text", hint: "Say it in fewer words." },
    );
  }
  if (CONTROL_BUT_LAYOUT.test(trimmed)) {
    throw new ConfigurationError("Cannot say that: it contains control characters", {
      field: "text",
      hint: "Line breaks and tabs are allowed, other control characters are not.",
    });
  }
  return trimmed;
}
