// Shutdown of a server by SIGTERM.
import assert from "node:assert/strict";
import { basename, join } from "@std/path";
import {
  composeConvening,
  fork,
  listConvenings,
  openConvening,
  untilReleased,
  verify,
  watchConvening,
} from "../../mod.ts";
import { createServer } from "../../src/server/mod.ts";
import { withFolder } from "../support/cli.ts";
import { startModelServer } from "../support/model_server.ts";
import { post, startServe } from "./support/serve_process.ts";

const TALK = { kind: "dialogue", topic: "What makes a good teacher?", maxTurns: 3 };
const PAPER = { id: "trees", title: "Trees", text: "Streets with trees were 2.1 degrees cooler." };

withFolder.test("SIGTERM ends streams and responses, releases running and queued convenings, and leaves them resumable, also by a server that is killed then", async (folder) => {
  const asked = Promise.withResolvers<void>();
  const opened = Promise.withResolvers<void>();
  await using models = await startModelServer({
    respond: async () => {
      asked.resolve();
      await opened.promise;
      return {};
    },
  });
  const args = ["--base-url", models.url, "--model", "test-model", "--max-running", "1"];
  await using server = await startServe(args, { folder });
  const { url } = server;
  const ids: string[] = [];
  for (let count = 0; count < 3; count++) {
    const { body } = await post(`${url}/api/convenings`, TALK);
    ids.push(String(body["id"]));
  }
  await asked.promise;
  const [running, queued, unwanted] = ids;
  await post(`${url}/api/papers`, PAPER);
  const question = "Do trees cool the streets they stand in?";
  const pending = post(`${url}/api/mas-debate/run`, { paperId: PAPER.id, question });
  const { body: stopped } = await post(`${url}/api/convenings/${unwanted}/stop`, {});
  assert.ok(["queued", "running", "stopped"].includes(String(stopped["status"])));
  const streams = await Promise.all(
    [running, running, queued].map((id) => fetch(`${url}/api/convenings/${id}/events`)),
  );
  await untilLine(`${url}/api/convenings`, 2);
  server.kill("SIGTERM");
  const heard = await Promise.all(streams.map((stream) => stream.text()));
  for (const text of heard.slice(0, 2)) assert.match(text, /^event: turn-start$/m);
  for (const text of heard) assert.doesNotMatch(text, /^event: (?:stop|convening-end)$/m);
  const { status, body: { error } } = await pending;
  const { code, hint } = error as Record<string, string>;
  assert.deepEqual([status, code], [409, "stopped"]);
  assert.match(hint!, /^POST \/api\/convenings\/[^/]+\/resume continues it\.$/);
  assert.equal((await server.end).code, 130);

  const out = join(folder, "convenings");
  const rows = await listConvenings(out);
  assert.equal(rows.length, 4);
  for (const { dir, status } of rows) {
    assert.equal(status, dir.endsWith(unwanted!) ? "stopped" : "interrupted", dir);
    assert.deepEqual((await verify(dir)).findings, []);
  }
  // A server that is killed leaves its runs to the next one.
  await using killed = await startServe(["--resume", ...args], { folder });
  await untilLine(`${killed.url}/api/convenings`, 2);
  killed.kill("SIGKILL");
  await killed.end;
  opened.resolve();
  await using anew = await startServe(["--resume", ...args], { folder });
  for (const { dir, status } of rows) {
    if (status === "interrupted") await untilEnded(dir);
    const { result } = await openConvening(dir);
    assert.equal(result.status, status === "stopped" ? "stopped" : "completed", dir);
  }
  anew.kill("SIGINT");
  assert.equal((await anew.end).code, 130);
});

withFolder.test("a fork that was never resumed is not resumed with the interrupted convenings", async (folder) => {
  const participants = [{ name: "Ada" }, { name: "Ben" }];
  const talk = { kind: "dialogue", topic: TALK.topic, participants, maxTurns: 3 } as const;
  const config = { ...talk, model: "offline", limits: { maxTurns: 1 }, out: folder };
  const { dir } = await (await composeConvening(config)).run();
  const fresh = await fork(dir!, { at: 1 });
  const server = createServer({ out: folder, resume: true });
  assert.deepEqual(await server.resumed, []);
  await server.close();
  assert.equal((await openConvening(fresh)).isNewFork, true);
});

withFolder.test("a fork whose resume was queued at a shutdown is resumed with the interrupted convenings", async (folder) => {
  const { promise, resolve } = Promise.withResolvers<object>();
  await using models = await startModelServer({ respond: () => promise });
  const parent = { ...TALK, kind: "dialogue", model: "offline", out: folder } as const;
  const { dir } = await (await composeConvening(parent)).run();
  const forked = basename(await fork(dir!, { at: 1 }));
  const options = { out: folder, models: { model: "test-model", baseUrl: models.url } };
  const server = createServer({ ...options, maxRunning: 1 });
  const ask = async (path: string, body: object) => {
    const headers = { "content-type": "application/json" };
    const init = { method: "POST", headers, body: JSON.stringify(body) };
    return await (await server.fetch(new Request(`http://localhost${path}`, init))).json();
  };
  const { id } = await ask("/api/convenings", TALK);
  const { status } = await ask(`/api/convenings/${forked}/resume`, {});
  const { isNewFork } = await openConvening(join(dir!, "..", forked));
  assert.equal(isNewFork, undefined, "a process that is killed now leaves no new fork");
  await server.close();
  const anew = createServer({ ...options, resume: true });
  const resumed = await anew.resumed;
  resolve({});
  await anew.close();
  assert.equal(status, "queued");
  assert.deepEqual(resumed.map((each) => each.id).sort(), [forked, id].sort());
  assert.deepEqual((await verify(join(dir!, "..", forked))).findings, []);
  const log = await Deno.readTextFile(join(dir!, "..", forked, "log.jsonl"));
  assert.equal(log.match(/"convening-resume"/g)?.length, 2, "one event for each resume");
});

/** Waits until a convening that may still be queued has ended. */
async function untilEnded(dir: string): Promise<void> {
  for (;;) {
    for await (const { type } of watchConvening(dir)) if (type === "convening-end") return;
    // The run is queued: its record is not locked yet.
    await untilReleased(dir, { within: 1000 });
  }
}

/** Waits until the queue has this length. */
async function untilLine(url: string, length: number): Promise<void> {
  for (;;) {
    const { counts } = await (await fetch(url)).json();
    if ((counts.byStatus["queued"] ?? 0) === length) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
