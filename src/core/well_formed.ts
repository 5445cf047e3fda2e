/**
 * A text, or data with texts in it, as well-formed Unicode: each half of a surrogate pair that stands alone becomes U+FFFD,
 * as it does in UTF-8. Data without such a half is returned as it is.
 */
export function wellFormed<T>(value: T): T {
  return isWellFormed(value) ? value : repaired(value) as T;
}

function isWellFormed(value: unknown): boolean {
  if (typeof value === "string") return value.isWellFormed();
  if (typeof value !== "object" || value === null) return true;
  return Object.entries(value).every(([key, each]) => key.isWellFormed() && isWellFormed(each));
}

function repaired(value: unknown): unknown {
  if (typeof value === "string") return value.toWellFormed();
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(repaired);
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key.toWellFormed(), repaired(each)]),
  );
}
