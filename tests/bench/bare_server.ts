// Baseline of the server rows: a `Deno.serve` handler that reads the same files, sends the same responses, and checks nothing.
import { createHash } from "node:crypto";
import { join } from "@std/path";

const [out = "."] = Deno.args;
const TYPES: Readonly<Record<string, string>> = { md: "text/markdown; charset=utf-8" };

/** Returns a file with an `ETag` of its bytes. */
async function file(request: Request, path: string): Promise<Response> {
  const bytes = await Deno.readFile(join(out, path));
  const etag = `"${createHash("sha256").update(bytes).digest("hex").slice(0, 32)}"`;
  if (request.headers.get("if-none-match") === etag) {
    return new Response(null, { status: 304, headers: { etag } });
  }
  const type = TYPES[path.slice(path.lastIndexOf(".") + 1)] ?? "text/plain; charset=utf-8";
  return new Response(bytes, { headers: { etag, "content-type": type } });
}

const server = Deno.serve(
  { hostname: "127.0.0.1", port: 0, onListen() {} },
  (request) => file(request, decodeURIComponent(new URL(request.url).pathname).slice(7)),
);
// deno-lint-ignore no-console -- the line is what the caller reads
console.log(JSON.stringify({ port: server.addr.port }));
