// Check of speech that a person or program gives.
import { ConfigurationError } from "./error.ts";

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
