/** A mapping of keys to values, as a configuration is before it is checked. */
export type Plain = Record<string, unknown>;

/** Whether a value is such a mapping. */
export function isPlain(value: unknown): value is Plain {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
