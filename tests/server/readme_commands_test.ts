import assert from "node:assert/strict";
import { join } from "@std/path";
import { withFolder } from "../support/cli.ts";
import { ROOT } from "../support/deno_process.ts";
import { startServe } from "./support/serve_process.ts";

const README = await Deno.readTextFile(join(ROOT, "README.md"));
const PRINTED = "http://localhost:4000";

/** A `curl` command as the request it makes. */
async function requestOf(command: string, url: string): Promise<Request> {
  const words = [...command.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, bare]) =>
    quoted ?? bare!
  );
  const headers = new Headers();
  const form = new FormData();
  let target = "";
  let body: string | undefined;
  for (let at = 1; at < words.length; at++) {
    const word = words[at]!;
    if (word === "-H") {
      const [name = "", value = ""] = words[++at]!.split(": ");
      headers.set(name, value);
    } else if (word === "-d") body = words[++at]!;
    else if (word === "-F") {
      const [name = "", value = ""] = words[++at]!.split("=");
      if (!value.startsWith("@")) form.set(name, value);
      else {
        const bytes = await Deno.readFile(join(ROOT, value.slice(1)));
        form.set(name, new File([bytes], value.slice(value.lastIndexOf("/") + 1)));
      }
    } else target = word.replace(PRINTED, url);
  }
  const sent = body ?? ([...form].length > 0 ? form : undefined);
  return new Request(target, sent === undefined ? {} : { method: "POST", headers, body: sent });
}

Deno.test("README: what it asks of the server is answered", async () => {
  const commands = README.split("\n").filter((line) => line.startsWith("curl "));
  assert.ok(commands.length >= 5);
  await withFolder(async (folder) => {
    await using server = await startServe([], { folder });
    for (const command of commands) {
      const response = await fetch(await requestOf(command, server.url));
      const text = await response.text();
      assert.ok(response.ok, `${command}: ${response.status} ${text}`);
    }
    server.kill("SIGINT");
    assert.equal((await server.end).code, 130);
  });
});

Deno.test("README: the server's table has every path of the interface", () => {
  const section = README.slice(README.indexOf("\n## Server\n"), README.indexOf("\n## MCP\n"));
  const paths = ["convenings", "events", "messages", "scores", "verify", "files", "export", "say"];
  const more = ["pause", "stop", "resume", "fork", "judge", "ask", "search", "papers", "questions"];
  const last = ["postures", "run", "run-complete", "healthz", "openapi.json", "mcp"];
  for (const each of [...paths, ...more, ...last]) assert.ok(section.includes(each), each);
});
