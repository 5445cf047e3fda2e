import type { MiddlewareHandler } from "hono";
import { bodyLimit } from "hono/body-limit";
import { ConveningError } from "../core/error.ts";

/** The most bytes of a request that starts, steers or asks. */
export const MAX_BODY = 1_000_000;
/** The most bytes of a request that brings a paper: that of a paper's file, and what it is wrapped in. */
export const MAX_PAPER_BODY = 52_000_000;

/** The most bytes of a request to the MCP endpoint, which papers can be part of. */
const MAX_MCP_BODY = 8_000_000;
/** Where more is taken than elsewhere. */
const ROOM: readonly (readonly [path: RegExp, bytes: number])[] = [
  [/^(?:\/api)?\/papers\/?$/, MAX_PAPER_BODY],
  [/^\/mcp\/?$/, MAX_MCP_BODY],
];

/** Refuses bodies that are too large, before they are read where their length is told, else as soon as it shows. */
export function bounded(): MiddlewareHandler {
  const usual = limitedTo(MAX_BODY);
  const others = ROOM.map(([path, bytes]) => ({ path, limit: limitedTo(bytes) }));
  return (context, next) => {
    const other = others.find(({ path }) => path.test(context.req.path));
    return (other?.limit ?? usual)(context, next);
  };
}

function limitedTo(maxSize: number): MiddlewareHandler {
  return bodyLimit({
    maxSize,
    onError: () => {
      throw new ConveningError(
        "too_large",
        `Cannot take the request: its body has over ${maxSize.toLocaleString("en")} bytes`,
        { field: "body", hint: "Send less at once." },
      );
    },
  });
}
