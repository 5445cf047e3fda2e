// A read-only server: reads and pages without controls that would be refused; changes are rejected.
import assert from "node:assert/strict";
import { cp } from "node:fs/promises";
import { basename, join } from "@std/path";
import { createServer } from "../../src/server/mod.ts";
import { MODEL } from "../support/speaking_model.ts";
import { STUDY } from "../studies/support/tea_study.ts";
import { asPost } from "./support/as_post.ts";
import { type OpenApp, withApp } from "./support/open_app.ts";
import { page, send } from "./support/pages.ts";
import { namesIn, withFolder } from "../support/cli.ts";
import { longRecord } from "../mcp/support/long_record.ts";

const DAY = "2026-11-22";
const EXAMPLE = "2026-11-22T18-08-03_paper-debate";

/** Fills an archive with convenings of every standing, a paper and a study; returns the paths of all pages. */
async function filledArchive(opened: OpenApp): Promise<readonly string[]> {
  const { ask, pool, out } = opened;
  const topic = "Should cities ban private cars from their centres?";
  const debate = await opened.hold({ kind: "debate", topic, roundCount: 1, model: MODEL, seed: 1 });
  const stopped = await opened.hold();
  const deleted = await opened.hold();
  await send(opened, `/convenings/${deleted}/actions/delete`, {});
  const forked = await send(opened, `/convenings/${stopped}/actions/fork`, { at: "1" });
  const waiting = await opened.hold({
    ...{ kind: "debate", topic, roundCount: 1, model: MODEL, personTimeout: 0 },
    participants: [
      { name: "You", position: "Yes", model: "human" },
      { name: "Ben", position: "No" },
    ],
  });
  const paper = { title: "Trees", text: "Trees cool streets by shade. ".repeat(200) };
  const sent = await (await ask("/api/papers", asPost(paper))).json();
  const config = { kind: "paper-debate", paperIds: [sent.id], pick: "ask", personTimeout: 0 };
  const begun = await (await ask("/api/convenings", asPost(config))).json();
  const picking: string = begun.id;
  await pool.run(picking)?.ended;
  await cp(join("examples/records", DAY, EXAMPLE), join(out, DAY, EXAMPLE), { recursive: true });
  assert.equal((await ask("/api/studies", asPost(STUDY))).status, 201);
  await pool.studies.run("tea")?.ended;
  const ids = [debate, stopped, waiting, picking, EXAMPLE];
  return [
    ...["/", "/?folder=trash", "/?q=cars", "/new", "/new?kind=dialogue", "/papers", "/nowhere"],
    ...[`/papers/${sent.id}`, `/papers/${sent.id}/text`, "/studies", "/studies/tea"],
    `/compare?left=${debate}&right=${stopped}`,
    ...[...ids.map((id) => `/convenings/${id}`), forked.headers.get("location")!],
    ...ids.flatMap((id) =>
      ["ask?q=trees", "parts/controls", "parts/status"].map((each) => `/convenings/${id}/${each}`)
    ),
    ...[
      `/convenings/${picking}/parts/board`,
      `/convenings/${debate}/parts/1`,
      `/convenings/${debate}/fork?seq=1`,
    ],
  ];
}

withApp.test("pages of a server that only reads say so once, and have no control that would be refused", async (opened) => {
  const paths = await filledArchive(opened);
  const { out } = opened;
  const server = createServer({ out, readOnly: true, models: { model: MODEL } });
  const reader = {
    ask: async (path: string, init?: RequestInit) =>
      await server.fetch(new Request(`http://127.0.0.1${path}`, init)),
  };
  for (const path of paths) {
    const status = path === "/nowhere" ? 404 : 200;
    const isForm = /^\/new|\/fork\?/.test(path);
    const text = await page(reader, path, isForm ? 403 : status);
    assert.doesNotMatch(text, /method="post"|<textarea|type="file"/i, path);
    assert.doesNotMatch(text, /href="\/new|\/fork\?seq|Run another|upload/, path);
    const isWhole = text.startsWith("<!DOCTYPE");
    assert.equal(text.split("This server only reads.").length - 1, isWhole ? 1 : 0, path);
    // A server that writes does not say so.
    assert.doesNotMatch(await page(opened, path, status), /only reads/, path);
  }
  // What reads stays.
  const [shown = ""] = paths.filter((each) => each.endsWith(EXAMPLE));
  assert.match(await page(reader, shown), /Ask the record[^]*Export the transcript/);
  assert.match(await page(reader, "/"), /Compare two/);
  const asked = await send(reader, `/convenings/${EXAMPLE}/ask`, { q: "trees", model: MODEL });
  assert.equal(asked.status, 403);
  assert.match(await asked.text(), /Cannot ask a model: this server only reads/);
  await server.close();
});

withFolder.test("a read-only server answers reads, rejects everything else over HTTP, MCP and pages, and writes nothing", async (out) => {
  const id = basename(await longRecord(out, { messages: 2 }));
  const before = await namesIn(out);
  const server = createServer({ out, readOnly: true });
  const status = async (path: string, init: RequestInit = {}) => {
    const answer = await server.fetch(new Request(`http://localhost${path}`, init));
    await answer.body?.cancel();
    return answer.status;
  };
  const json = (value: unknown) => asPost(value, { "idempotency-key": "k" });
  assert.equal(await status(`/api/convenings/${id}`), 200);
  assert.equal(await status(`/convenings/${id}`), 200);
  const question = json({ question: "What was said?" });
  assert.equal(await status(`/api/convenings/${id}/ask`, question), 200);
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
});
