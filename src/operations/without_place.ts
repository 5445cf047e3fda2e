import { ConveningError } from "../core/error.ts";

/**
 * An error for a client that knows ids: without the archive's folder it speaks of, and naming the `id` where it names a
 * directory.
 */
export function withoutPlace(error: unknown, out: string): unknown {
  if (!(error instanceof ConveningError)) return error;
  const { code, message, hint, field } = error;
  const bare = (text: string) =>
    text.split(out).map((part, at) => {
      if (at === 0) return part;
      return part.startsWith("/")
        ? part.slice(1).replace(/^\d{4}-\d\d-\d\d\//, "")
        : `the archive${part}`;
    }).join("");
  return new ConveningError(code, bare(message), {
    hint: hint && bare(hint),
    field: field === "dir" ? "id" : field && bare(field),
    cause: error,
  });
}
