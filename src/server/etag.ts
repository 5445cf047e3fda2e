// Tags of answers, and 304 to a client that has the answer already.
import type { Context } from "hono";
import { sumOf } from "../operations/archived_file.ts";

/** The header of answers that a client may keep, and asks for again each time. */
export const KEPT = { "cache-control": "private, no-cache" } as const;

const encoder = new TextEncoder();

/** The tag of bytes by their SHA-256, in hex. */
export function tagOf(sum: string): string {
  return `"${sum.slice(0, 32)}"`;
}

/** The answer to a client that has what a tag names; undefined to others. Its `If-None-Match` can be a list, or weak. */
export function knownAnswer({ req }: Context, etag: string): Response | undefined {
  const header = req.header("if-none-match");
  if (header === undefined) return undefined;
  const isKnown = header.trim() === "*" ||
    header.split(",").some((each) => each.trim().replace(/^W\//, "") === etag);
  return isKnown ? new Response(null, { status: 304, headers: { etag, ...KEPT } }) : undefined;
}

/** A value as JSON, with its length and the tag of its bytes. */
export async function jsonAnswer(context: Context, value: unknown): Promise<Response> {
  const bytes = encoder.encode(JSON.stringify(value));
  const etag = tagOf(await sumOf(bytes));
  return knownAnswer(context, etag) ?? context.body(bytes, 200, {
    etag,
    ...KEPT,
    "content-type": "application/json",
    "content-length": `${bytes.length}`,
  });
}
