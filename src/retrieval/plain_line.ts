import { oneLine } from "../core/message.ts";

const UNSEEN = /[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** One line of text without control characters or marks that turn its direction, cut to `max` code points. */
export function plainLine(text: string, max: number): string {
  return oneLine(text.toWellFormed().replace(UNSEEN, " "), max);
}
