// Requests to routes of papers and debates, and with failing models, for the test of the OpenAPI document.
import assert from "node:assert/strict";
import { join } from "@std/path";
import type { ModelReply } from "../../support/model_reply.ts";
import { startModelServer } from "../../support/model_server.ts";
import { paperModel } from "../../support/paper_model.ts";
import type { Ask, DocumentedClient } from "./documented_client.ts";
import { withApp } from "./open_app.ts";
import { PAPER } from "./paper_server.ts";
import { Gate, TALK, type TalkingApp, withTalkers } from "./talking_app.ts";

const STEPS = ["questions", "postures", "run", "run-complete"] as const;
const EVENTS = { accept: "text/event-stream" };
const NOBODY = { ...PAPER, id: "nobody" };

/** Returns the operation of a step and a valid body. */
function stepOf(name: typeof STEPS[number], paperId: string = PAPER.id) {
  const question = "Under what conditions do trees cool the streets they stand in?";
  const body = name === "postures" || name === "run"
    ? { paperId, question, numPostures: 2 }
    : { paperId };
  return { at: `post /api/mas-debate/${name}`, body };
}

/** Sends all kinds of requests for papers. */
export async function askPapers(client: DocumentedClient): Promise<void> {
  await withApp(async ({ ask, out }) => {
    const post = (asked: Parameters<DocumentedClient["ask"]>[2]) =>
      client.ask(ask, "post /api/papers", asked);
    assert.equal((await post({ body: PAPER })).status, 201);
    assert.equal((await post({ body: PAPER })).status, 409);
    const form = new FormData();
    form.set("file", new File([PAPER.text], "trees.md"));
    assert.equal((await post({ body: form })).status, 201);
    for (const type of ["text/markdown", "text/plain"]) {
      assert.equal((await post({ body: PAPER.text, type, query: "title=Trees" })).status, 201);
    }
    assert.equal((await post({ body: "", type: "application/pdf" })).json.error.field, "file");
    await Deno.writeTextFile(join(out, "papers", `${NOBODY.id}.md`), "");
    const path = { id: PAPER.id };
    await client.ask(ask, "get /api/papers");
    await client.ask(ask, "get /api/papers/{id}", { path });
    await client.ask(ask, "get /api/papers/{id}", { path: NOBODY });
    for (const name of STEPS) {
      for (const id of [NOBODY.id, "unknown"]) {
        const { at, body } = stepOf(name, id);
        await client.ask(ask, at, { body });
      }
    }
    const config = { kind: "paper-debate", question: "Do trees cool?", paperIds: [NOBODY.id] };
    await client.ask(ask, "post /api/convenings", { body: config });
    await client.ask(ask, "delete /api/papers/{id}", { path });
    // The entry in the lock's place blocks every write.
    await Deno.remove(join(out, "papers", ".lock"));
    await Deno.mkdir(join(out, "papers", ".lock"));
    await post({ body: PAPER });
    await client.ask(ask, "delete /api/papers/{id}", { path: NOBODY });
  });
}

/** Runs debates with working models and without capacity. */
export async function askDebates(client: DocumentedClient): Promise<void> {
  await withApp(async ({ ask }) => {
    await client.ask(ask, "post /api/papers", { body: PAPER });
    await client.ask(ask, "post /api/topics", { body: { subject: "towns", count: 2 } });
    for (const name of STEPS) {
      const { at, body } = stepOf(name);
      await client.ask(ask, at, { body });
      if (name.startsWith("run")) await client.ask(ask, at, { body, headers: EVENTS });
    }
  });
  const gate = new Gate();
  await withTalkers(async (app) => {
    await client.ask(app.fetch, "post /api/papers", { body: PAPER });
    await client.ask(app.fetch, "post /api/convenings", { body: TALK });
    for (const name of ["run", "run-complete"] as const) {
      const { at, body } = stepOf(name);
      const stopped = client.ask(app.fetch, at, { body });
      const queued = await untilQueued(app);
      const { status } = await client.ask(app.fetch, at, { body });
      queued.stop();
      assert.deepEqual([status, (await stopped).status], [503, 409]);
    }
    gate.open();
  }, { say: gate.say, maxRunning: 1, maxQueued: 1 });
}

/** Waits for a queued run and returns it. */
async function untilQueued({ pool }: TalkingApp) {
  for (;;) {
    const queued = pool.running.find(({ state }) => state.state === "queued");
    if (queued !== undefined) return queued;
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}

const LATER = { "retry-after": "3600" };
/** Replies that make a model fail at once, by error code; failures that leave facts in a record come last. */
const FAILURES: Readonly<Record<string, ModelReply>> = {
  ["agent_rate_limited"]: { status: 429, headers: LATER, error: { message: "later" } },
  ["agent_timeout"]: { status: 504, headers: LATER, error: { message: "too long" } },
  ["agent_unreachable"]: { status: 503, headers: LATER, error: { message: "later" } },
  ["agent_auth"]: { status: 401, error: { message: "wrong key" } },
  ["agent_refused"]: { refusal: "I will not." },
  ["agent_bad_reply"]: { text: "I have nothing of that shape to say." },
};

/** Codes of temporary failures. */
const MAY_PASS = ["agent_rate_limited", "agent_timeout", "agent_unreachable"];

/** Sends requests while models fail in each way. */
export async function askFailing(client: DocumentedClient): Promise<void> {
  await using usual = await startModelServer({ respond: paperModel() });
  const variables = new Map([["OPENAI_API_KEY", "test-key"], ["OPENAI_BASE_URL", usual.url]]);
  const model = "gpt-4o-mini";
  await withApp(async ({ ask, hold }) => {
    await client.ask(ask, "post /api/papers", { body: PAPER });
    const id = await hold();
    const topic = "What makes a good teacher?";
    const debate = await hold({ kind: "debate", topic, model: "offline", roundCount: 0 });
    for (const [code, failure] of Object.entries(FAILURES)) {
      await using failing = await startModelServer({ reply: failure });
      variables.set("OPENAI_BASE_URL", failing.url);
      await askEach(client, ask, code);
      for (const [act, body] of [["brief", {}], ["ask", { question: "Why?", model }]] as const) {
        const path = { id };
        const { json } = await client.ask(ask, `post /api/convenings/{id}/${act}`, { path, body });
        // A model that refuses twice has given no readable reply.
        assert.equal(json.error.code, code === "agent_refused" ? "agent_bad_reply" : code, act);
      }
      const flow = await client.ask(ask, "post /api/convenings/{id}/flow", {
        path: { id: debate },
        body: { model },
      });
      // An unreadable reply leaves a turn without notes.
      const isUnread = code === "agent_refused" || code === "agent_bad_reply";
      assert.equal(isUnread ? flow.status : flow.json.error.code, isUnread ? 200 : code);
      const { json } = await client.ask(ask, "post /api/convenings/{id}/judge", {
        path: { id },
        body: { models: [model] },
      });
      // After a temporary failure the judge is asked again by a later request; after another one turns stay unscored.
      if (MAY_PASS.includes(code)) assert.equal(json.error.code, code);
      else assert.equal(json.panel.outcome, "unscored");
    }
  }, { models: { model, env: (name) => variables.get(name) } });
}

async function askEach(client: DocumentedClient, ask: Ask, code: string): Promise<void> {
  for (const name of STEPS) {
    const { at, body } = stepOf(name);
    const { json } = await client.ask(ask, at, { body });
    assert.equal(json.error.code, code, at);
  }
  const { json } = await client.ask(ask, "post /api/topics", { body: { subject: "towns" } });
  // A refusal of the topic's model counts as a bad reply.
  const told = code === "agent_refused" ? "agent_bad_reply" : code;
  assert.equal(json.error.code, told, "topics");
}
