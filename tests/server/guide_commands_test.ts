import assert from "node:assert/strict";
import { join } from "@std/path";
import { withFolder } from "../support/cli.ts";
import { ROOT } from "../support/deno_process.ts";
import { curlRequest } from "./support/curl_request.ts";
import { startServe } from "./support/serve_process.ts";

const GUIDE = await Deno.readTextFile(join(ROOT, "context-network/guides/server.md"));
const PRINTED = "http://localhost:4000";

Deno.test("guide to the server: what it asks of the server is answered", async () => {
  const commands = GUIDE.split("\n").filter((line) => line.startsWith("curl "));
  assert.ok(commands.length >= 5);
  await withFolder(async (folder) => {
    await using server = await startServe([], { folder });
    for (const command of commands) {
      const place = { printed: PRINTED, url: server.url, folder: ROOT };
      const response = await fetch(await curlRequest(command, place));
      const text = await response.text();
      assert.ok(response.ok, `${command}: ${response.status} ${text}`);
    }
    server.kill("SIGINT");
    assert.equal((await server.end).code, 130);
  });
});

Deno.test("guide to the server: its table has every path of the interface", () => {
  const paths = ["convenings", "events", "messages", "scores", "verify", "files", "export", "say"];
  const more = ["pause", "stop", "resume", "fork", "judge", "ask", "search", "papers", "questions"];
  const last = ["postures", "run", "run-complete", "healthz", "openapi.json", "mcp"];
  for (const each of [...paths, ...more, ...last]) assert.ok(GUIDE.includes(each), each);
});
