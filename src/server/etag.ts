// Tags of answers, and 304 to a client that has the answer already.
import type { Context, Next } from "hono";
import { sumOf } from "../operations/archived_file.ts";

/** The header of answers that a client may keep, and asks for again each time. */
export const KEPT = { "cache-control": "private, no-cache" } as const;

/** Whether an `If-None-Match`, which can be a list, names a tag; both can be weak. */
export function hasTag(header: string | null | undefined, tag: string): boolean {
  const strong = tag.replace(/^W\//, "");
  return header?.trim() === "*" ||
    (header ?? "").split(",").some((each) => each.trim().replace(/^W\//, "") === strong);
}

/**
 * Gives JSON answers their length and a tag of their bytes, unless the route gave a cheaper tag, and answers 304 to a
 * client that has what any tag names.
 */
export async function tagged(context: Context, next: Next): Promise<void> {
  await next();
  const { req, res } = context;
  if (req.method !== "GET" && req.method !== "HEAD" || res.status !== 200) return;
  const given = res.headers.get("etag");
  if (given === null && !res.headers.get("content-type")?.startsWith("application/json")) return;
  const bytes = given === null ? await res.bytes() : undefined;
  const etag = given ?? `"${(await sumOf(bytes!)).slice(0, 32)}"`;
  if (hasTag(req.header("if-none-match"), etag)) {
    if (bytes === undefined) await res.body?.cancel();
    context.res = new Response(null, { status: 304, headers: { etag, ...KEPT } });
    for (const name of ["content-type", "content-length"]) context.res.headers.delete(name);
  } else if (bytes !== undefined) {
    context.res = new Response(bytes, res);
    for (const [name, value] of Object.entries({ etag, ...KEPT })) {
      context.res.headers.set(name, value);
    }
    context.res.headers.set("content-length", `${bytes.length}`);
  }
}
