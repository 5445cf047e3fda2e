const CONTROL = /(?![\n\t])\p{Cc}/gu;
/** Marks that turn the direction of what follows, beyond their own line. */
const OVERRIDES = /[\u202a-\u202e\u2066-\u2069]/gu;

/** A text without anything a terminal would obey: control characters but line breaks and tabs, and direction overrides. */
export function plainText(text: string): string {
  return text.replace(CONTROL, "").replace(OVERRIDES, "");
}

/** The same on one line. */
export function plainLine(text: string): string {
  return plainText(text.replace(/\s+/gu, " ")).trim();
}

/** An argument as a shell takes it back unchanged. */
export function shellQuote(argument: string): string {
  return /^[A-Za-z0-9_/.:=,@%+-]+$/.test(argument)
    ? argument
    : `'${argument.replaceAll("'", `'\\''`)}'`;
}
