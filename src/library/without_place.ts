import { ConveningError } from "../core/error.ts";

/**
 * An error for a client that knows ids: without the archive's folder it speaks of, and naming the `id` where it names a
 * directory.
 */
export function withoutPlace(error: unknown, out: string): unknown {
  if (!(error instanceof ConveningError)) return error;
  const { code, message, hint, field } = error;
  const bare = (text: string) =>
    text.replaceAll(out, "\u0000").replace(/\0\/(?:\d{4}-\d\d-\d\d\/)?/g, "")
      .replaceAll("\u0000", "the archive");
  return new ConveningError(code, bare(message), {
    hint: hint && bare(hint),
    field: field === "dir" ? "id" : field && bare(field),
    cause: error,
  });
}
