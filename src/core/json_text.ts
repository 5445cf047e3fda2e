// Texts of others as JSON.

/** The value of a JSON text; undefined where the text is no JSON. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
