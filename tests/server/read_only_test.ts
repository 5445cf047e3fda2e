// A read-only server rejects changes of the archive and requests to models.
import assert from "node:assert/strict";
import { basename } from "@std/path";
import { createServer } from "../../src/server/mod.ts";
import { namesIn, withFolder } from "../support/cli.ts";
import { longRecord } from "../mcp/support/long_record.ts";

Deno.test("a read-only server answers reads, rejects everything else over HTTP, MCP and pages, and writes nothing", () =>
  withFolder(async (out) => {
    const id = basename(await longRecord(out, { messages: 2 }));
    const before = await namesIn(out);
    const server = createServer({ out, readOnly: true });
    const status = async (path: string, init: RequestInit = {}) => {
      const answer = await server.fetch(new Request(`http://localhost${path}`, init));
      await answer.body?.cancel();
      return answer.status;
    };
    const json = (value: unknown): RequestInit => ({
      method: "POST",
      headers: { "content-type": "application/json", "idempotency-key": "k" },
      body: JSON.stringify(value),
    });
    assert.equal(await status(`/api/convenings/${id}`), 200);
    assert.equal(await status(`/convenings/${id}`), 200);
    assert.equal(
      await status(`/api/convenings/${id}/ask`, json({ question: "What was said?" })),
      200,
    );
    const debate = { kind: "debate", topic: "Should cities ban cars?", model: "offline" };
    assert.equal(await status("/api/convenings", json(debate)), 403);
    for (const act of ["resume", "judge", "fork", "pause", "stop"]) {
      assert.equal(await status(`/api/convenings/${id}/${act}`, json({})), 403, act);
    }
    const form = new URLSearchParams({ kind: "debate", topic: debate.topic });
    const refused = await server.fetch(
      new Request("http://127.0.0.1/new", { method: "POST", body: form }),
    );
    assert.equal(refused.status, 403);
    assert.match(await refused.text(), /this server only reads/);
    const papers = new FormData();
    papers.set("text", "# A paper\n\nWords.");
    assert.equal(await status("/papers", { method: "POST", body: papers }), 403);
    await server.close();
    assert.deepEqual(await namesIn(out), before);
  }));
