// Debates that a client's own model speaks and judges, through the official clients of both lines.
import assert from "node:assert/strict";
import { join } from "@std/path";
import type { Client } from "@modelcontextprotocol/client";
import { Client as FormerClient } from "@modelcontextprotocol/sdk/client/index.js";
import { openConvening } from "../../mod.ts";
import { namesIn, withFolder } from "../support/cli.ts";
import { spoken } from "../support/speaking_model.ts";
import { called, refusedBy, withHttp, withStdio } from "./support/mcp_client.ts";

const TOPIC = "Should cities ban private cars from their centres?";
const DEBATE = { kind: "debate", topic: TOPIC, roundCount: 1, seed: 1, model: "client" };

/** Client of the line 1.x; the methods used here are the same in both lines. */
const formerClient = () => new FormerClient({ name: "test", version: "1" }) as unknown as Client;

interface Request {
  readonly id: string;
  readonly turn: string;
  readonly participant: string;
  readonly purpose: string;
  readonly attempt: number;
  readonly schema: Record<string, unknown> | null;
  readonly prompt: readonly { readonly role: string; readonly content: string }[];
}

interface Asked {
  readonly status: unknown;
  readonly requests: readonly Request[];
}

async function nextTurn(client: Client, id: unknown): Promise<Asked> {
  const { data } = await called(client, "next_turn", { id });
  return { status: data.status, requests: data.requests as Asked["requests"] };
}

/** Returns the reply of a client's own model. */
function answerOf({ prompt, schema }: Request): string {
  const format = schema === null
    ? {}
    : { response_format: { type: "json_schema", json_schema: { name: "reply", schema } } };
  const body = { model: "own", messages: [...prompt], tools: [], ...format };
  const { text, json } = spoken({ index: 0, body, headers: {}, startedAt: 0, concurrent: 1 });
  return text ?? JSON.stringify(json);
}

/** Answers requests until the convening ends or `most` are answered; returns the answered requests. */
async function answerAll(client: Client, id: unknown, most = Infinity): Promise<Request[]> {
  const answered: Request[] = [];
  for (;;) {
    const { status, requests } = await nextTurn(client, id);
    if (status === "completed") return answered;
    assert.ok(requests.length > 0, String(status));
    for (const request of requests) {
      if (answered.length === most) return answered;
      await called(client, "say", { id, request: request.id, text: answerOf(request) });
      answered.push(request);
    }
  }
}

withFolder.test("mcp: the model of a client speaks and judges a debate, which resumes after a kill with a client of the line 1.x", async (folder) => {
  const out = join(folder, "convenings");
  const before: Request[] = [];
  let id: unknown;
  await withStdio({ out, folder }, async (client, transport) => {
    const { data } = await called(client, "run", { config: DEBATE, wait: true });
    id = data.id;
    assert.equal(data.status, "waiting");
    before.push(...await answerAll(client, id, 6));
    await transport.ended("SIGKILL");
  });
  const { messages, facts } = await openConvening(join(out, String(id).slice(0, 10), String(id)));
  const recorded = new Set([
    ...messages.map(({ turn }) => turn),
    ...facts.flatMap((fact) =>
      fact.type === "score" ? [`score/${fact.message}/${fact.judge}`] : []
    ),
  ]);
  await withHttp(async (client) => {
    const after = await answerAll(client, id);
    assert.ok(before.some(({ purpose }) => purpose === "turn"));
    assert.ok(after.some(({ turn }) => turn.startsWith("verdict/")));
    assert.ok(recorded.size > 1);
    assert.deepEqual(after.filter(({ turn }) => recorded.has(turn)), []);
    assert.equal((await called(client, "verify", { id })).data.sound, true);
    assert.equal((await called(client, "status", { id })).data.status, "completed");
  }, { out, client: formerClient() });
});

withHttp.test("mcp: the requests of one result may be answered in any order, with the prompts and schemas of models", async (client) => {
  const { id } = (await called(client, "run", { config: DEBATE })).data;
  const first = await nextTurn(client, id);
  assert.deepEqual(first.requests.map(({ turn }) => turn).sort(), [
    "opening/advocate-a",
    "opening/advocate-b",
  ]);
  for (const request of first.requests.toReversed()) {
    assert.deepEqual([request.purpose, request.attempt, request.schema], ["turn", 1, null]);
    assert.match(request.prompt.map(({ content }) => content).join("\n"), /opening statement/);
    await called(client, "say", { id, request: request.id, text: answerOf(request) });
  }
  const answered = await answerAll(client, id);
  const score = answered.find(({ turn }) => turn.startsWith("score/"));
  assert.deepEqual(Object.keys(Object(score?.schema).properties).sort(), ["reasons", "scores"]);
});

withHttp.test("mcp: an unreadable answer is asked for again, and only open requests accept answers", async (client) => {
  const config = { ...DEBATE, model: undefined, judges: [{ model: "client" }] };
  const { id } = (await called(client, "run", { config })).data;
  const { requests: [request] } = await nextTurn(client, id);
  assert.match(request!.turn, /^score\//);
  const said = { id, request: request!.id, text: "A fine speech." };
  await called(client, "say", said);
  const refused = await refusedBy(client, "say", { id, request: "0123456789ab", text: "8" });
  assert.deepEqual([refused.code, refused.field], ["turn_order", "request"]);
  const answered = await answerAll(client, id);
  const again = answered.find(({ turn, attempt }) => turn === request!.turn && attempt === 2);
  assert.match(again!.prompt.at(-1)!.content, /could not be read|cannot be read/i);
  assert.equal((await called(client, "verify", { id })).data.sound, true);
});

withHttp.test(
  "mcp: a client of the line 1.x answers requests concurrently, and a second answer changes nothing",
  async (client) => {
    const { id } = (await called(client, "run", { config: DEBATE })).data;
    const { requests } = await nextTurn(client, id);
    const [first, second] = requests;
    const say = (request: string, text: string) => called(client, "say", { id, request, text });
    const same = await Promise.allSettled([
      say(first!.id, "I speak once."),
      say(first!.id, "I speak twice."),
      say(second!.id, "I speak meanwhile."),
    ]);
    // The two answers of one request may arrive in any order; the first that arrives counts.
    const [kept = "", lost = ""] = same[0]!.status === "fulfilled"
      ? ["once", "twice"]
      : ["twice", "once"];
    assert.deepEqual(same.map(({ status }) => status).sort(), [
      "fulfilled",
      "fulfilled",
      "rejected",
    ]);
    assert.equal(same[2]!.status, "fulfilled");
    await answerAll(client, id);
    const over = await refusedBy(client, "say", { id, request: first!.id, text: "I speak late." });
    assert.equal(over.code, "turn_order");
    const { texts } = await called(client, "read_messages", { id });
    assert.match(texts.join("\n"), new RegExp(`I speak ${kept}\\.[^]*I speak meanwhile\\.`));
    assert.doesNotMatch(texts.join("\n"), new RegExp(`I speak (?:${lost}|late)`));
    assert.equal((await called(client, "verify", { id })).data.sound, true);
  },
  { client: formerClient() },
);

withHttp.test("mcp: answers leave no words behind, whatever they answered", async (client, out) => {
  const config = {
    ...{ kind: "dialogue", topic: TOPIC, model: "client", maxTurns: 6, maxPromptTokens: 900 },
    ...{ factCheck: { mode: "strict" }, guards: { repetition: "off" } },
  };
  const { id } = (await called(client, "run", { config })).data;
  const answered = await answerAll(client, id);
  const purposes = new Set(answered.map(({ purpose }) => purpose));
  assert.deepEqual([...purposes].sort(), ["fold", "question", "turn"]);
  const inbox = join(out, String(id).slice(0, 10), String(id), ".inbox");
  assert.deepEqual(await namesIn(inbox), [".lock"]);
});

withHttp.test("mcp: a paused or stopped convening asks its client nothing until it is resumed", async (client) => {
  const { id } = (await called(client, "run", { config: DEBATE })).data;
  const { requests: [open] } = await nextTurn(client, id);
  for (const [act, rests] of [["pause", "paused"], ["stop", "stopped"]] as const) {
    await called(client, act, { id });
    while ((await called(client, "status", { id })).data.status !== rests);
    assert.deepEqual(await nextTurn(client, id), { status: rests, requests: [] });
    const late = { id, request: open!.id, text: "I speak late." };
    const { code, hint } = await refusedBy(client, "say", late);
    assert.deepEqual([code, /resume first/.test(String(hint))], ["turn_order", true]);
    assert.equal((await called(client, "status", { id })).data.status, rests);
    await called(client, "resume", { id });
    assert.deepEqual((await nextTurn(client, id)).requests[0]!.turn, open!.turn);
  }
});

withHttp.test("mcp: the turn of a request names its steps, whatever is asked for", async (client) => {
  const byRound = {
    participants: [{ name: "A" }, { name: "B" }],
    scoreBy: "round",
    audience: [{ model: "client" }],
    factCheck: { mode: "strict" },
  };
  const { id } = (await called(client, "run", { config: { ...DEBATE, ...byRound } })).data;
  const answered = await answerAll(client, id);
  const speech = answered.find(({ turn }) => turn.startsWith("opening/"))!;
  assert.equal(speech.turn, `opening/${speech.participant}`);
  const check = await called(client, "run", { config: { kind: "judge-check", model: "client" } });
  const { requests } = await nextTurn(client, check.data.id);
  await called(client, "stop", { id: check.data.id });
  const turns = [...answered, ...requests].map(({ turn }) => turn);
  for (const turn of ["stance/before/listener-1", "score-round/argument-1/judge", "claims/2/1"]) {
    assert.ok(turns.includes(turn), turns.join(" "));
  }
  assert.deepEqual(turns.filter((turn) => /p-[0-9a-f]{8}/.test(turn)), []);
});
