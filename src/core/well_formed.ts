/**
 * A text, or data with texts in it, as well-formed Unicode: each half of a surrogate pair that stands alone becomes U+FFFD,
 * as it does in UTF-8. Data without such a half is returned as it is.
 */
export function wellFormed<T>(value: T): T {
  return repaired(value) as T;
}

function repaired(value: unknown): unknown {
  if (typeof value === "string") return value.toWellFormed();
  if (typeof value !== "object" || value === null) return value;
  let isSame = true;
  const entries = Object.entries(value).map(([key, each]): [string, unknown] => {
    const entry: [string, unknown] = [key.toWellFormed(), repaired(each)];
    isSame &&= entry[0] === key && entry[1] === each;
    return entry;
  });
  if (isSame) return value;
  return Array.isArray(value) ? entries.map(([, each]) => each) : Object.fromEntries(entries);
}
