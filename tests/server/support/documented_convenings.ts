// Requests to routes of convenings for the test of the OpenAPI document.
import assert from "node:assert/strict";
import { join } from "@std/path";
import { openConvening } from "../../../src/operations/convening.ts";
import { folderRecord } from "../../../src/record/directory_record.ts";
import type { Asked, DocumentedClient } from "./documented_client.ts";
import { withApp } from "./open_app.ts";
import { Gate, HUMAN, TALK, type TalkingApp, withTalkers } from "./talking_app.ts";
import { MODEL } from "../../support/speaking_model.ts";
import { STUDY } from "../../studies/support/tea_study.ts";

const ONE = "/api/convenings/{id}";
const DEBATE = { kind: "debate", topic: TALK.topic, model: MODEL, roundCount: 1, seed: 1 };

/** Reads all resources of a convening and of an archive. */
export async function askReading(client: DocumentedClient): Promise<void> {
  await withTalkers(async ({ fetch, pool }) => {
    const get = (at: string, asked: Asked = {}) => client.ask(fetch, `get ${at}`, asked);
    const sources = ["a.json", "a.html", "a.txt"].map((name) => ({ name, text: "{}" }));
    const { json } = await client.ask(fetch, "post /api/convenings", {
      body: { ...DEBATE, sources },
    });
    const id: string = json.id;
    await pool.run(id)!.ended;
    for (
      const at of ["/healthz", "/api/kinds", "/api/models", "/api/openapi.json", "/api/convenings"]
    ) {
      await get(at);
    }
    await get("/api/kinds", { query: "kind=none" });
    await get("/api/search", { query: "q=cars" });
    for (const part of ["", "/messages", "/scores", "/verdicts", "/claims", "/facts", "/verify"]) {
      await get(`${ONE}${part}`, { path: { id } });
    }
    await get(`${ONE}/messages/{seq}`, { path: { id, seq: "1" } });
    await client.ask(fetch, `post ${ONE}/ask`, { path: { id }, body: { question: "Why?" } });
    for (const format of ["md", "json", "txt", "html"]) {
      await get(`${ONE}/export`, { path: { id }, query: `format=${format}` });
    }
    const files = ["index.md", "log.jsonl", ...sources.map(({ name }) => `sources/${name}`)];
    for (const path of files) {
      await get(`${ONE}/files/{path}`, { path: { id, path } });
      await get(`${ONE}/files`, { path: { id }, query: `path=${encodeURIComponent(path)}` });
    }
    await client.ask(fetch, "post /api/studies", { body: STUDY });
    await pool.studies.run("tea")?.ended;
    await askEvents(client, { fetch, id });
  });
}

/** Reads the events of a completed convening: all, none, and with too many listeners. */
async function askEvents(
  client: DocumentedClient,
  { fetch, id }: Pick<TalkingApp, "fetch"> & { readonly id: string },
): Promise<void> {
  const at = `get ${ONE}/events`;
  const { text } = await client.ask(fetch, at, { path: { id } });
  const [, last = ""] = /.*^id: (\d+)$/ms.exec(text) ?? [];
  const headers = { "last-event-id": last };
  assert.equal((await client.ask(fetch, at, { path: { id }, headers })).status, 204);
  const open = await Promise.all(
    Array.from({ length: 1000 }, () => fetch(`/api/convenings/${id}/events`)),
  );
  assert.equal((await client.ask(fetch, at, { path: { id } })).status, 503);
  assert.equal((await client.ask(fetch, "get /api/archive/events")).status, 503);
  const study = await client.ask(fetch, "get /api/studies/{id}/events", { path: { id: "tea" } });
  assert.equal(study.status, 503);
  await Promise.all(open.map(({ body }) => body?.cancel()));
  assert.equal((await client.ask(fetch, at, { path: { id } })).status, 200);
}

/** Performs all acts on a convening. */
export async function askActing(client: DocumentedClient): Promise<void> {
  const gate = new Gate();
  await withTalkers(async ({ fetch, pool, out }) => {
    const post = (at: string, asked: Asked = {}) => client.ask(fetch, `post ${at}`, asked);
    const start = async (body: unknown): Promise<string> =>
      (await post("/api/convenings", { body })).json.id;
    await post("/api/convenings", { body: { ...TALK, topic: "Cars" } });
    await post("/api/convenings", {
      body: { kind: "paper-debate", question: "Do trees cool?", paperIds: ["none"] },
    });
    const id = await start(HUMAN);
    const path = { id };
    gate.open();
    await pool.run(id)!.ended;
    await post(`${ONE}/say`, { path, body: { text: "Me!", participant: "ada" } });
    await post(`${ONE}/say`, { path, body: { text: "Streets are for people." } });
    await pool.run(id)!.ended;
    for (const act of ["pause", "stop", "resume", "next-turn"]) {
      await post(`${ONE}/${act}`, { path });
    }
    const { json: fork } = await post(`${ONE}/fork`, { path, body: { at: 1 } });
    await post(`${ONE}/resume`, { path: { id: fork.id } });
    await pool.run(fork.id)!.ended;
    const debate = { id: await start(DEBATE) };
    await pool.run(debate.id)!.ended;
    await post(`${ONE}/judge`, { path: debate });
    await post(`${ONE}/brief`, { path: debate, body: { model: "offline" } });
    await whileHeld(out, debate.id, async () => {
      for (const act of ["stop", "judge", "brief", "flow"]) {
        assert.equal((await post(`${ONE}/${act}`, { path: debate })).status, 409);
      }
    });
    await post(`${ONE}/flow`, { path: debate });
    await whileHeld(out, debate.id, async () => {
      assert.equal((await client.ask(fetch, `delete ${ONE}`, { path: debate })).status, 409);
    });
    await client.ask(fetch, `delete ${ONE}`, { path: debate });
    const place = join(out, debate.id.slice(0, 10), debate.id);
    await Deno.mkdir(join(place, "messages"), { recursive: true });
    assert.equal((await post(`${ONE}/restore`, { path: debate })).status, 409);
    await Deno.remove(place, { recursive: true });
    assert.equal((await post(`${ONE}/restore`, { path: debate })).status, 200);
    await client.ask(fetch, `delete ${ONE}`, { path: debate });
    await askUnwritable(client, { fetch, out, id });
    assert.equal((await post(`${ONE}/restore`, { path: debate })).status, 500);
  }, { say: gate.say });
}

/** Starts and forks convenings while a file blocks the day's folder. */
async function askUnwritable(
  client: DocumentedClient,
  { fetch, out, id }: Pick<TalkingApp, "fetch" | "out"> & { readonly id: string },
): Promise<void> {
  const old = `2020-01-01${id.slice(10)}`;
  await Deno.mkdir(join(out, "2020-01-01"));
  await Deno.rename(join(out, id.slice(0, 10), id), join(out, "2020-01-01", old));
  await Deno.rename(join(out, id.slice(0, 10)), join(out, "aside"));
  for (const days of [0, 1]) {
    const day = new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
    await Deno.writeTextFile(join(out, day), "");
  }
  const fork = await client.ask(fetch, `post ${ONE}/fork`, { path: { id: old }, body: { at: 1 } });
  const begun = await client.ask(fetch, "post /api/convenings", { body: TALK });
  assert.deepEqual([fork.status, begun.status], [500, 500]);
}

/** Performs acts while another run uses all capacity. */
export async function askCrowded(client: DocumentedClient): Promise<void> {
  const gate = new Gate();
  await withTalkers(async ({ fetch, pool, out }) => {
    const post = (at: string, asked: Asked = {}) => client.ask(fetch, `post ${at}`, asked);
    const speakers = HUMAN.participants.toReversed();
    const { json: waiting } = await post("/api/convenings", {
      body: { ...HUMAN, participants: speakers },
    });
    await pool.run(waiting.id)!.ended;
    const { json: running } = await post("/api/convenings", { body: TALK });
    await gate.reached;
    assert.equal((await post("/api/convenings", { body: TALK })).status, 503);
    await post(`${ONE}/resume`, { path: { id: waiting.id } });
    await post(`${ONE}/next-turn`, { path: { id: waiting.id } });
    await post(`${ONE}/say`, { path: { id: waiting.id }, body: { text: "And bikes?" } });
    await post(`${ONE}/pause`, { path: { id: running.id } });
    await post(`${ONE}/stop`, { path: { id: running.id } });
    gate.open();
    await pool.run(running.id)!.ended;
    for (const [act, { id }] of [["resume", running], ["next-turn", waiting]] as const) {
      await whileHeld(out, id, async () => {
        assert.equal((await post(`${ONE}/${act}`, { path: { id } })).status, 409);
      });
    }
  }, { say: gate.say, maxRunning: 1, maxQueued: 0 });
}

/** Calls `work` while another process holds the lock of a convening's record. */
async function whileHeld(out: string, id: string, work: () => Promise<void>): Promise<void> {
  const dir = join(out, id.slice(0, 10), id);
  const { start } = await openConvening(dir);
  const record = await folderRecord({ dir }).open(start);
  try {
    await work();
  } finally {
    await record.close();
  }
}

/** Sends valid and invalid requests to the MCP endpoint. */
export async function askMcp(client: DocumentedClient): Promise<void> {
  await withApp(async ({ ask }) => {
    const accept = "application/json, text/event-stream";
    const post = (body: unknown, { type, ...headers }: Readonly<Record<string, string>> = {}) =>
      client.ask(ask, "post /mcp", { body, headers: { accept, ...headers }, ...type && { type } });
    const list = { jsonrpc: "2.0", id: 1, method: "tools/list" };
    await post(list);
    await post({ jsonrpc: "2.0", method: "notifications/initialized" });
    await post("{");
    await post(list, { accept: "text/html" });
    await post("{}", { type: "text/plain" });
  });
}
