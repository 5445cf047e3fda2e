// The error of a file that no text can be read from.
import { MAX_PAPER_CHARACTERS } from "../../core/clean_text.ts";

/** A file that no text can be read from: its message is the state of the file, which those who read it for something name. */
export class UnreadableError extends Error {
  /** The remedy, one sentence. */
  readonly hint: string;

  /** A refusal: what is wrong with the file, and what to do about it. */
  constructor(state: string, hint: string, cause?: unknown) {
    super(state, { cause });
    this.name = "UnreadableError";
    this.hint = hint;
  }
}

/** A file with more text than is read. */
export function tooLong(): UnreadableError {
  const most = MAX_PAPER_CHARACTERS.toLocaleString("en");
  return new UnreadableError(`it has more than ${most} characters of text`, "Give a part of it.");
}
