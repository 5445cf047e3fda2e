import { ConveningError } from "../core/error.ts";
import { archivedFile, largeFile } from "../operations/archived_file.ts";
import { KEPT } from "./etag.ts";

/** How a text is sent by how its name ends; whatever else is plain text, which nothing runs. */
const TYPES: Readonly<Record<string, string>> = {
  md: "text/markdown; charset=utf-8",
  json: "application/json; charset=utf-8",
  jsonl: "application/x-ndjson; charset=utf-8",
  html: "text/html; charset=utf-8",
};
const PLAIN = "text/plain; charset=utf-8";

/** What keeps a page that was made of models' words from doing anything: no script, no form, nobody's origin. */
const SANDBOX = "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:";

/** The media type of a file's name. */
export function mediaTypeOf(name: string): string {
  const ending = name.slice(name.lastIndexOf(".") + 1).toLowerCase();
  return Object.hasOwn(TYPES, ending) ? TYPES[ending]! : PLAIN;
}

/** A text as an answer; a web page is handed over to be saved, and can do nothing where it is opened. */
export function textAnswer(
  body: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>,
  name: string,
  headers: Readonly<Record<string, string>> = {},
): Response {
  const type = mediaTypeOf(name);
  const isPage = type.startsWith("text/html");
  return new Response(body, {
    headers: {
      "content-type": type,
      ...KEPT,
      ...isPage
        ? {
          "content-security-policy": SANDBOX,
          "content-disposition": `attachment; filename="${name.replace(/[^\w.-]/g, "_")}"`,
        }
        : {},
      ...headers,
    },
  });
}

/**
 * A file of the archive as an answer, with an `ETag` of its bytes. A log or a transcript
 * over 64 MiB is streamed, without an `ETag`; another file of that size is refused. Fails with `not_found`
 * for what is no file of the convening, is hidden, or is reached through a link.
 */
export async function fileAnswer(
  out: string,
  names: readonly string[],
): Promise<Response> {
  const large = await largeFile(out, names);
  if (large !== undefined) {
    return textAnswer(large.stream, names.at(-1) ?? "", { "content-length": `${large.size}` });
  }
  const { bytes, sum } = await archivedFile(out, names);
  return textAnswer(bytes, names.at(-1) ?? "", { etag: `"${sum.slice(0, 32)}"` });
}

/** The names in the part of a path behind a prefix, decoded once. Fails with `not_found` where that cannot be done. */
export function namesIn(path: string, prefix: RegExp): string[] {
  try {
    return path.replace(prefix, "").split("/").map(decodeURIComponent);
  } catch {
    throw new ConveningError("not_found", "Cannot find that file: its name cannot be decoded", {
      field: "path",
      hint: "Encode the name in UTF-8.",
    });
  }
}
