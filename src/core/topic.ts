import { ConfigurationError, TopicError } from "./error.ts";

/** The least and the most code points of a topic. */
export const TOPIC_LENGTH = { min: 10, max: 200 } as const;
/** The most code points of a position or a name. */
export const NAME_LENGTH = 1000;

/** Terms a topic may not contain unless the configuration says otherwise; matched as whole words. */
export const DEFAULT_REFUSED_TERMS: readonly string[] = [
  "child pornography",
  "csam",
  "bomb-making",
  "how to kill",
];

const CONTROL = /\p{Cc}/u;
const CONTROL_BUT_BREAKS = /(?![\r\n])\p{Cc}/u;

/**
 * The topic, trimmed; refused when it is blank, under 10 or over 200 code points, has control characters, or a
 * refused term as a whole word.
 */
export function checkTopic(
  topic: string,
  refusedTerms: readonly string[] = DEFAULT_REFUSED_TERMS,
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
  const term = refusedTerms.find((each) => containsTerm(trimmed, each));
  if (term !== undefined) {
    throw new TopicError(
      `Cannot use the topic: it contains the refused term "${term}"`,
      {
        hint: "Choose another topic, or change refusedTerms in the configuration.",
      },
    );
  }
  return trimmed;
}

const HINT = {
  hint: "Give a topic of 10 to 200 characters, such as a question.",
};

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
