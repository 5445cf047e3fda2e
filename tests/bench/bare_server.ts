// Baseline of the server rows: a `Deno.serve` handler that reads the same files, sends the same responses, and checks nothing.
import { createHash } from "node:crypto";
import { join } from "@std/path";
import { load } from "js-yaml";

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

function page(text: string): { readonly data: Record<string, unknown>; readonly body: string } {
  const end = text.indexOf("\n---\n", 4);
  return {
    data: load(text.slice(4, end + 1)) as Record<string, unknown>,
    body: text.slice(end + 5),
  };
}

/** Returns a page of a convening's messages. */
async function messages(dir: string, query: URLSearchParams): Promise<Response> {
  const folder = join(out, dir, "messages");
  const after = Number(query.get("after") ?? 0);
  const names: string[] = [];
  for await (const { name } of Deno.readDir(folder)) {
    if (parseInt(name, 10) > after) names.push(name);
  }
  const part = names.sort().slice(0, Number(query.get("limit") ?? 50));
  const read = async (name: string) => {
    const { data, body } = page(await Deno.readTextFile(join(folder, name)));
    return { ...data, body };
  };
  return Response.json({ messages: await Promise.all(part.map(read)) });
}

/** Returns the newest convenings and the number of each kind. */
async function convenings(query: URLSearchParams): Promise<Response> {
  const dirs: string[] = [];
  for await (const day of Deno.readDir(out)) {
    if (!day.isDirectory) continue;
    for await (const each of Deno.readDir(join(out, day.name))) {
      if (each.isDirectory) dirs.push(join(day.name, each.name));
    }
  }
  const row = async (dir: string) => {
    const { data } = page(await Deno.readTextFile(join(out, dir, "metadata.md")));
    return { dir, kind: data["kind"], topic: data["topic"], status: data["status"] };
  };
  const rows: Awaited<ReturnType<typeof row>>[] = [];
  // A limited number at a time, so that concurrent requests do not run out of file handles.
  for (let at = 0; at < dirs.length; at += 50) {
    rows.push(...await Promise.all(dirs.slice(at, at + 50).map(row)));
  }
  rows.sort((a, b) => a.dir < b.dir ? 1 : -1);
  const counts = Map.groupBy(rows, ({ status }) => status);
  return Response.json({
    convenings: rows.slice(0, Number(query.get("limit") ?? 50)),
    counts: Object.fromEntries([...counts].map(([status, each]) => [String(status), each.length])),
  });
}

const server = Deno.serve(
  { hostname: "127.0.0.1", port: 0, onListen() {} },
  (request) => {
    const { pathname, searchParams } = new URL(request.url);
    const path = decodeURIComponent(pathname);
    if (path.startsWith("/files/")) return file(request, path.slice(7));
    if (path.startsWith("/messages/")) return messages(path.slice(10), searchParams);
    return convenings(searchParams);
  },
);
// deno-lint-ignore no-console -- the line is what the caller reads
console.log(JSON.stringify({ port: server.addr.port }));
