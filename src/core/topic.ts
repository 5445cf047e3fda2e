// Validation of user input: topics, positions, names and speech.
import abuse from "./abuse.en.json" with { type: "json" };
import { cannotUse, ConfigurationError, TopicError } from "./error.ts";
import type { Usage } from "./message.ts";
import { counted, thousands, withoutUnseen } from "./text.ts";
import { memoByObject } from "./values.ts";

/** Minimum and maximum length of a topic, in code points; `minEast` are enough with a letter of Chinese, Japanese or Korean. */
export const TOPIC_LENGTH = { min: 10, minEast: 5, max: 200 } as const;
/** A topic of `minEast` code points that is long enough; plain ranges, because OpenAPI and the configuration schema state the pattern. */
export const LONG_ENOUGH = /[ぁ-ヿ㐀-鿿가-힣]|.{10}/u;
/** Maximum length of a position or a name, in code points. */
const NAME_LENGTH = 1000;

/** Check of a topic for abuse: by a word list, by a provider's moderation endpoint, or none. */
export type TopicCheck = "words" | "provider" | "off";

/** Options of {@linkcode checkTopic}. */
export interface TopicRules {
  /** Kind of check. @default "words" */
  readonly topicCheck?: TopicCheck | undefined;
  /** Terms that a topic must not contain, as whole words. @default the built-in English list of abuse */
  readonly refusedTerms?: readonly string[] | undefined;
}

const CONTROL = /\p{Cc}/u;
const CONTROL_BUT_BREAKS = /(?![\r\n])\p{Cc}/u;

/**
 * Returns the topic, trimmed. Throws a `TopicError` if the topic is blank, is shorter or longer than {@linkcode TOPIC_LENGTH},
 * has control characters, or (with the check `words`) contains a refused term. The check `provider` runs at the start of
 * the convening.
 */
export function checkTopic(
  topic: string,
  { topicCheck = "words", refusedTerms }: TopicRules = {},
): string {
  const { min, minEast, max } = TOPIC_LENGTH;
  const refusal = (
    state: string,
    hint = `Give a topic of ${min} to ${max} characters, such as a question.`,
  ) => new TopicError(`Cannot use the topic: ${state}`, { hint });
  if (typeof topic !== "string") throw refusal("it is not a string");
  const trimmed = topic.trim().toWellFormed();
  const length = [...trimmed].length;
  // Invisible characters, such as a zero-width space, are no blanks to `trim`.
  if (!/[^\s\p{Cf}]/u.test(trimmed)) throw refusal("it is blank");
  if (CONTROL.test(trimmed)) {
    throw refusal(
      "it contains control characters",
      "Write the topic on one line, without line breaks, tabs or other control characters.",
    );
  }
  if (length < minEast || length > max || !LONG_ENOUGH.test(trimmed)) {
    throw refusal(`it has ${counted(length, "character")}, ${min} to ${max} are allowed`);
  }
  const term = topicCheck === "words" ? refusedTermIn(trimmed, refusedTerms) : undefined;
  if (term === undefined) return trimmed;
  throw refusal(
    `it contains the refused term "${term}"`,
    "Choose another topic, or change refusedTerms or topicCheck (words, provider, off) in the configuration.",
  );
}

/**
 * Returns the first refused term in a text: one of `terms` as whole words, or by default an entry of the built-in list
 * (slurs, insults of groups, calls for harm, instructions for harm); undefined if there is none.
 */
export function refusedTermIn(text: string, terms?: readonly string[]): string | undefined {
  if (terms !== undefined) return terms.find((each) => containsTerm(text, each))?.trim();
  const plain = text.normalize("NFKD").replace(/\p{M}/gu, "").replace(/[’‘]/g, "'").toLowerCase();
  const spelled = !/[013457@$]/.test(plain) ? plain : plain.replace(
    /(?<!\S)[^\s013457@$]*[013457@$]\S*/g,
    (word) => /[a-z]/.test(word) ? word.replace(/[013457@$]/g, (sign) => SPELLED[sign]!) : word,
  );
  return abuseIn(plain) ?? (spelled === plain ? undefined : abuseIn(spelled));
}

/** Letters by the signs that replace them to evade a word list. */
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

/** Returns the first words in a lower-case text that the built-in list refuses. */
function abuseIn(text: string): string | undefined {
  const simple = toLatin1(text);
  let first: RegExpExecArray | undefined;
  const parts = abuse.refused.flatMap(({ sign }) => sign?.split("|") ?? []);
  signs ??= compile([...new Set(parts)].join("|"));
  const hasSign = signs.test(simple);
  for (const refusal of abuse.refused) {
    if (refusal.sign !== undefined && !(hasSign && signOf(refusal).test(simple))) continue;
    const match = patternOf(refusal).exec(simple);
    if (match !== null && (first === undefined || match.index < first.index)) first = match;
  }
  if (first === undefined) return undefined;
  return [...text].slice(first.index, first.index + first[0].length).join("");
}

/** Stand-ins for non-ASCII letters and digits, and for other non-ASCII signs. */
const [LETTER, SIGN] = ["ª", "¬"];

/** Maps each character to one in Latin-1, same length; patterns without Unicode classes compile faster. */
function toLatin1(text: string): string {
  return text.replace(/(?![_ ])[\s\p{P}]/gu, " ")
    .replace(/[^\0-\x7f]/gu, (sign) => /[\p{L}\p{N}]/u.test(sign) ? LETTER : SIGN);
}

interface Refusal {
  /** Words separated by `|`; every match contains at least one of them. @default unknown: the pattern is always tried */
  readonly sign?: string;
  readonly pattern: string;
}

// Compiling a pattern takes milliseconds, and compiling all takes longer than the rest of a run's start. A pattern is
// compiled only if the text contains one of its `sign` words; one joint pattern finds texts without any.
let signs: RegExp | undefined;
const signOf = memoByObject(({ sign = "" }: Refusal) => compile(sign));
const patternOf = memoByObject(({ pattern }: Refusal) => compile(pattern));

/** Compiles a pattern for whole words; `{name}` stands for a part of the list, a blank for blanks and punctuation. */
function compile(pattern: string): RegExp {
  return new RegExp(`(?<![a-z0-9${LETTER}])(?:${expandParts(pattern)})(?![a-z0-9${LETTER}])`);
}

const PARTS: Readonly<Record<string, string>> = abuse.parts;

function expandParts(pattern: string): string {
  return pattern.replace(/\{([a-z]+)\}/g, (_, name: string) => `(?:${expandParts(PARTS[name]!)})`)
    .replaceAll(" ", "[\\x20_]{1,3}");
}

/** Returns true if `text` contains `term` as whole words, case-insensitively ("fair" does not contain "ai"). */
export function containsTerm(text: string, term: string): boolean {
  if (term.trim() === "") return false;
  const pattern = term.trim().split(/\s+/).map(RegExp.escape).join("\\s+");
  return new RegExp(`(?<![\\p{L}\\p{N}_])${pattern}(?![\\p{L}\\p{N}_])`, "iu")
    .test(text);
}

/** Returns a position or name, trimmed. Throws if it is blank, over 1,000 code points, or has control characters but line breaks. */
export function checkWords(value: string, field: string): string {
  const trimmed = typeof value === "string" ? value.trim().toWellFormed() : "";
  const length = [...withoutUnseen(trimmed).trim()].length;
  if (length < 1 || length > NAME_LENGTH) {
    const allowed = `1 to ${thousands(NAME_LENGTH)}`;
    const state = `it has ${counted(length, "character")}, ${allowed} are allowed`;
    throw cannotUse(field, state, `Give a text of ${allowed} characters.`);
  }
  if (!CONTROL_BUT_BREAKS.test(trimmed)) return trimmed;
  const hint = "Line breaks are allowed, other control characters are not.";
  throw cannotUse(field, "it contains control characters", hint);
}

/** Maximum length of one speech of a person, in code points. */
const SPEECH_LENGTH = 20_000;

const CONTROL_BUT_LAYOUT = /(?![\r\n\t])\p{Cc}/u;

/**
 * Returns a person's speech: trimmed, well-formed, line breaks as `\n`. Throws without a letter or digit, over 20,000 code
 * points, or with control characters other than line breaks and tabs.
 */
export function checkSpeech(text: string): string {
  const trimmed = typeof text === "string"
    ? text.replace(/\r\n?/g, "\n").trim().toWellFormed()
    : "";
  const length = [...trimmed].length;
  const refusal = (state: string, hint: string) =>
    new ConfigurationError(`Cannot say that: ${state}`, { field: "text", hint });
  if (!/[\p{L}\p{N}]/u.test(trimmed)) {
    throw refusal(
      "it contains no words",
      "Write the text to say, in plain text or markdown, or the JSON that is asked for.",
    );
  }
  if (length > SPEECH_LENGTH) {
    const state = `it has ${counted(length, "character")}, ${thousands(SPEECH_LENGTH)} are allowed`;
    throw refusal(state, "Say it in fewer words.");
  }
  if (!CONTROL_BUT_LAYOUT.test(trimmed)) return trimmed;
  throw refusal(
    "it contains control characters",
    "Line breaks and tabs are allowed, other control characters are not.",
  );
}

/** The result of {@linkcode proposeTopics}. */
export interface ProposedTopics {
  /** One to `count` different topics; each passes the rules of topics. */
  readonly topics: readonly string[];
  /** Name of the model. */
  readonly model: string;
  /** True if the offline agent proposed the topics. */
  readonly noModelSpoke?: true;
  /** Number of topics that were asked for and did not come; absent if all came. */
  readonly missing?: number;
  /** Usage of all requests. */
  readonly usage: Usage;
}
