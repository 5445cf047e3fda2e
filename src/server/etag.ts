// Tags of answers, and 304 to a client that has the answer already.
import type { Context, Next } from "hono";
import project from "../../deno.json" with { type: "json" };
import { sha256 } from "../core/message.ts";
import { sumOf } from "../operations/archived_file.ts";

/** The header of answers that a client may keep, and asks for again each time. */
export const KEPT = { "cache-control": "private, no-cache" } as const;

/** Whether an `If-None-Match`, which can be a list, names a tag; both can be weak. */
export function hasTag(header: string | null | undefined, tag: string): boolean {
  const strong = tag.replace(/^W\//, "");
  return header?.trim() === "*" ||
    (header ?? "").split(",").some((each) => each.trim().replace(/^W\//, "") === strong);
}

/** The tag of an answer by its URL and a stamp, which changes with the answer. */
export function stampTag(url: string, stamp: string): string {
  // Another version may write another answer of the same record.
  return tagOf(sha256(`${project.version}\n${url}\n${stamp}`));
}

/**
 * Gives JSON answers their length and, unless the route gave one, a tag of their bytes; answers 304 to a client that has
 * what any tag names.
 */
export async function tagged(context: Context, next: Next): Promise<void> {
  await next();
  const { req, res } = context;
  if (req.method !== "GET" && req.method !== "HEAD" || res.status !== 200) return;
  const given = res.headers.get("etag");
  const isJson = res.headers.get("content-type")?.startsWith("application/json") === true;
  if (given === null && !isJson) return;
  const bytes = isJson ? await res.bytes() : undefined;
  const etag = given ?? tagOf(await sumOf(bytes!));
  if (hasTag(req.header("if-none-match"), etag)) {
    if (bytes === undefined) await res.body?.cancel();
    context.res = new Response(null, { status: 304, headers: { etag, ...KEPT } });
    for (const name of ["content-type", "content-length"]) context.res.headers.delete(name);
  } else if (bytes !== undefined) {
    context.res = new Response(bytes, res);
    const headers = { etag, ...KEPT, "content-length": `${bytes.length}` };
    for (const [name, value] of Object.entries(headers)) context.res.headers.set(name, value);
  }
}

function tagOf(sum: string): string {
  return `"${sum.slice(0, 32)}"`;
}
