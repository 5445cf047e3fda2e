// The client for browsers and programs.
import assert from "node:assert/strict";
import {
  type Client,
  ClientError,
  type ConveningJson as Told,
  createClient,
  type RowJson,
} from "../../src/client/mod.ts";
import { ADDRESSES } from "../../src/client/operations.ts";
import { listen, socketUpgrade } from "../../src/cli/listen.ts";
import type { ListPage } from "../../src/operations/list.ts";
import type { ConveningJson, PanelJson } from "../../src/operations/outputs.ts";
import { createServer } from "../../src/server/server.ts";
import { withFolder } from "../support/cli.ts";
import { MODEL, startSpeaker } from "../support/speaking_model.ts";
import { testsWith } from "../support/tests_with.ts";
import { delaysOf } from "../support/timers.ts";

/** Compile-time check: the client's types equal those of the server's schemas. */
export function shown(given: ConveningJson): Told {
  return given;
}
/** Compile-time check of a panel's type. */
export function panelOf(given: PanelJson): Pick<Told, "winner" | "scores" | "agreement"> {
  return given;
}
/** Compile-time check of the list's type. */
export function pageOf(given: ListPage): readonly Omit<RowJson, "links">[] {
  return given.convenings;
}

const TALK = {
  kind: "dialogue",
  topic: "Should cities ban private cars?",
  participants: [{ name: "Ada" }, { name: "Ben" }],
  maxTurns: 3,
  seed: 1,
  guards: { repetition: "off" },
} as const;
const DEBATE = { kind: "debate", topic: TALK.topic, roundCount: 1, seed: 1 } as const;

/** Calls `use` with a client of a server. */
async function withClient(
  use: (client: Client, url: string) => Promise<void>,
  { token, wrap = (fetch) => fetch }: {
    readonly token?: string;
    readonly wrap?: (fetch: (request: Request) => Promise<Response>) => typeof fetch;
  } = {},
): Promise<void> {
  await using speaker = await startSpeaker();
  await withFolder(async (out) => {
    const models = { model: MODEL, env: (name: string) => speaker.env[name] };
    const server = createServer({ out, models, token, upgradeWebSocket: await socketUpgrade() });
    const place = { hostname: "127.0.0.1", port: 0 };
    const listener = await listen((request, from) => server.fetch(request, from), place);
    const url = `http://127.0.0.1:${listener.port}`;
    const send = wrap((request) => fetch(request));
    try {
      await use(createClient({ url: `${url}/`, token, fetch: send }), url);
    } finally {
      await server.close();
      await listener.close();
    }
  });
}

withClient.test = testsWith(withClient);

/** Follows a convening to its end; returns the types of its events. */
async function followed(client: Client, id: string): Promise<string[]> {
  return (await Array.fromAsync(client.events(id))).map(({ type }) => type);
}

withClient.test("the client has every operation of the OpenAPI document", async (client) => {
  const { paths } = await client.describe() as { paths: Record<string, object> };
  const documented = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`)
  );
  const apart = [
    // Files have another, equivalent route; language models have clients of their own.
    "GET /api/convenings/{id}/files/{path}",
    "GET /api/convenings/{id}/events",
    "GET /api/convenings/{id}/socket",
    "GET /api/studies/{id}/events",
    "GET /api/archive/events",
    "POST /mcp",
  ];
  assert.deepEqual(
    [...new Set([...Object.values(ADDRESSES), ...apart])].sort(),
    documented.sort(),
  );
});

withClient.test("a program starts a debate, follows it, reads it, and has it judged again", async (client) => {
  const { id } = await client.start(DEBATE, { key: "first" });
  assert.equal((await client.start(DEBATE, { key: "first" })).id, id);
  const types = await followed(client, id);
  assert.deepEqual([types[0], types.at(-1)], ["convening-start", "convening-end"]);
  const { status, winner, scores, usage, participants } = await client.show({ id });
  assert.equal(status, "completed");
  assert.ok(winner === null || winner in scores);
  assert.ok(usage.inputTokens > 0 && participants.length >= 3);
  const page = await client.messages({ id, limit: 2 });
  assert.deepEqual([page.messages.length, page.next], [2, 2]);
  const [first] = page.messages;
  const { message, scores: judged } = await client.message({ id, seq: 1 });
  assert.equal(message.body, first!.body);
  assert.deepEqual(judged, []);
  const file = await client.file({ id, path: first!.file });
  assert.ok(file.includes(first!.body.trim().slice(0, 40)));
  const whole = await client.scores({ id });
  assert.ok(whole.scores.some(({ total }) => total !== null));
  const few = await client.scores({ id, limit: 2 });
  assert.ok(few.scores.length < whole.scores.length);
  const rest = await client.scores({ id, after: few.next!, limit: 200 });
  assert.deepEqual([...few.scores, ...rest.scores], whole.scores);
  assert.ok((await client.verdicts({ id })).verdicts.length > 0);
  assert.deepEqual((await client.claims({ id })).factChecks, []);
  assert.equal((await client.verify({ id })).sound, true);
  assert.match(await client.export({ id, format: "md" }), /^#|^---/);
  const { panel } = await client.judge({ id, models: [MODEL] });
  assert.equal(typeof panel.rubric, "string");
  const fork = await client.fork({ id, at: 2 });
  assert.deepEqual([fork.parent, fork.at], [id, 2]);
  assert.ok((await client.ask({ id, question: "cars" })).answers.length > 0);
  assert.ok((await client.search({ q: "cars" })).results.length > 0);
  const list = await client.list({ kind: "debate", status: "completed" });
  assert.deepEqual(list.convenings.map((each) => each.id), [id]);
  const { status: health, providers } = await client.health();
  assert.deepEqual([health, Array.isArray(providers)], ["ok", true]);
  assert.equal((await client.list()).counts.total, 2);
  assert.deepEqual((await client.listPapers()).papers, []);
  assert.ok((await client.listKinds()).kinds.length >= 4);
  const { model } = await client.models({ name: "o3" });
  assert.ok(
    model!.profile.some(({ key, from }) => key === "temperature" && from === "model ^o\\d"),
  );
  // @ts-expect-error An operation on a convening needs the convening's id.
  const withoutId: () => Promise<unknown> = () => client.show();
  assert.equal(typeof withoutId, "function");
});

withClient.test("a person speaks, pauses, resumes and stops through the client", async (client) => {
  const people = { ...TALK, participants: [{ name: "Ada" }, { name: "Eve", model: "human" }] };
  const { id } = await client.start({ ...people, maxTurns: 4 });
  const said: string[] = [];
  for await (const event of client.events(id)) {
    if (event.type === "turn-wait") {
      const { participant } = await client.say({ id, text: "Streets are for people." });
      said.push(participant ?? "");
    }
  }
  assert.deepEqual(said, ["eve", "eve"]);
  const { id: next } = await client.start(people);
  for await (const { type } of client.events(next)) if (type === "turn-wait") break;
  assert.equal((await client.pause({ id: next })).held, true);
  assert.ok((await client.say({ id: next, text: "More!", interject: true })).interjected);
  await client.resume({ id: next });
  await client.stop({ id: next });
  const types = await followed(client, next);
  assert.equal(types.at(-1), "convening-end");
  // A client that knows all events of an ended convening is not kept waiting for more.
  assert.deepEqual(await Array.fromAsync(client.events(next, { after: types.length })), []);
  await client.brief({ id: next });
  assert.equal((await followed(client, next)).at(-1), "brief");
});

withClient.test("a program runs a study and reads the files of its report as text", async (client) => {
  const { id } = await client.startStudy({
    study: "two-personas",
    base: { kind: "debate", roundCount: 1 },
    topics: [{ id: "cars", topic: TALK.topic }],
    contestants: ["scientist", "lawyer"].map((id) => ({ id, model: "offline", persona: id })),
    judges: [{ model: "offline" }],
  });
  while ((await client.study({ id, within: 60 })).state === "running");
  const { files, page } = await client.reportStudy({ id });
  const read = async (path: string) => [path, await client.studyFile({ id, path })] as const;
  const texts = new Map(await Promise.all(files.map(read)));
  assert.equal(texts.get("report/leaderboard.md"), page);
  assert.ok(JSON.parse(texts.get("report/ratings.json")!));
});

Deno.test("events arrive once each although connections are lost", async () => {
  let opened = 0;
  const wrap = (send: (request: Request) => Promise<Response>) => async (request: Request) => {
    const response = await send(request);
    if (!request.url.endsWith("/events") || response.body === null || ++opened > 3) return response;
    if (opened === 2) {
      await response.body.cancel();
      return new Response("<html>Bad gateway</html>", { status: 502 });
    }
    let events = 0;
    const cut = new TransformStream<Uint8Array, Uint8Array>({
      transform(piece, controller) {
        if (events++ > 4) controller.error(new TypeError("connection lost"));
        else controller.enqueue(piece);
      },
    });
    return new Response(response.body.pipeThrough(cut), response);
  };
  await withClient(async (client) => {
    const { id } = await client.start(TALK);
    const events = await Array.fromAsync(client.events(id));
    const numbers = events.filter(({ n }) => n > 0).map(({ n }) => n);
    assert.deepEqual(numbers, numbers.map((_, at) => at + 1));
    assert.equal(events.at(-1)?.type, "convening-end");
    assert.ok(opened > 3);
    const [first] = await Array.fromAsync(client.events(id, { after: numbers.length - 1 }));
    assert.equal(first?.type, "convening-end");
    assert.deepEqual(await Array.fromAsync(client.events(id, { after: numbers.length })), []);
  }, { wrap: wrap as never });
});

Deno.test("an error has its code, status and hint, and the token is sent with every request", async () => {
  const token = "a-secret-of-0123456789";
  await withClient(async (client, url) => {
    await assert.rejects(client.show({ id: "none" }), (error) => {
      assert.ok(error instanceof ClientError);
      assert.deepEqual([error.status, error.code], [404, "not_found"]);
      return typeof error.hint === "string";
    });
    await assert.rejects(client.events("none").next(), { code: "not_found" });
    await assert.rejects(
      createClient({ url: "http://127.0.0.1:9" }).events("none").next(),
      TypeError,
    );
    assert.throws(() => createClient(null as never), { code: "config_invalid", field: "url" });
    await assert.rejects(createClient({ url }).list(), { status: 401, code: "unauthorized" });
    const { id } = await client.start(TALK);
    const socket = client.socket(id);
    const last = await new Promise((resolve) => socket.onclose = resolve) as CloseEvent;
    assert.deepEqual([last.code, last.reason], [1000, "completed"]);
    const stop = new AbortController();
    stop.abort(new Error("enough"));
    await assert.rejects(client.list({}, { signal: stop.signal }), /enough/);
  }, { token });
});

Deno.test("a connection that falls silent is opened again after the last event", async () => {
  const asked: (string | null)[] = [];
  let isSilent = false;
  const fetch = ({ headers }: Request) => {
    const number = asked.push(headers.get("last-event-id"));
    const event = number === 1
      ? { type: "phase-start", n: 1 }
      : { type: "convening-end", n: 2, ending: { status: "completed" } };
    const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
      start(controller) {
        const text = `id: ${number}\ndata: ${JSON.stringify(event)}\n\n`;
        controller.enqueue(new TextEncoder().encode(text));
        if (number > 1) controller.close();
      },
    });
    return Promise.resolve(new Response(body));
  };
  const client = createClient({ url: "http://stand-in.test", fetch });
  const types: string[] = [];
  await delaysOf(async () => {
    for await (const { type } of client.events("one")) {
      types.push(type);
      isSilent = true;
    }
  }, (delay) => isSilent && delay <= 40_000);
  assert.deepEqual(types, ["phase-start", "convening-end"]);
  assert.deepEqual(asked, ["0", "1"]);
});

Deno.test("an abort ends the events at once, although more have arrived", async () => {
  const events = [1, 2].map((n) => `id: ${n}\ndata: {"type": "phase-start", "n": ${n}}\n\n`);
  const fetch = () => Promise.resolve(new Response(events.join("")));
  const client = createClient({ url: "http://stand-in.test", fetch });
  const stop = new AbortController();
  const following = client.events("one", { signal: stop.signal });
  assert.equal((await following.next()).value?.n, 1);
  stop.abort(new Error("enough"));
  await assert.rejects(following.next(), /enough/);
});

Deno.test("an error within a stream is a ClientError, and an aborted wait to reconnect ends", async () => {
  const stop = new AbortController();
  const fails = `event: error\ndata: {"error": {"code": "record_corrupt", "message": "Bad"}}\n\n`;
  const answer = ({ url }: Request) => {
    if (url.endsWith("/bad/events")) return new Response(fails);
    if (url.endsWith("/events")) return new Response("");
    if (url.includes("/papers/")) return new Response(null, { status: 204 });
    stop.abort(new Error("enough"));
    return Response.json({ status: "running" });
  };
  const fetch = (request: Request) => Promise.resolve(answer(request));
  const client = createClient({ url: "http://stand-in.test", fetch });
  await assert.rejects(client.events("bad").next(), { status: 500, code: "record_corrupt" });
  await assert.rejects(client.events("one", { signal: stop.signal }).next(), /enough/);
  assert.equal(await client.removePaper({ id: "p" }), undefined);
});

Deno.test("an answer of another server is a ClientError, also for events", async () => {
  const answers = [
    [502, "<html>Bad gateway</html>", "The server answered 502"],
    [403, `{"message": "Forbidden"}`, "The server answered 403"],
    [401, `{"error": "Unauthorized"}`, "The server answered 401"],
    [500, "null", "The server answered 500"],
    [200, "<html>Log in</html>", "The server answered 200 without JSON"],
  ] as const;
  for (const [status, body, message] of answers) {
    const answer = () => Promise.resolve(new Response(body, { status }));
    const client = createClient({ url: "http://proxy.test", fetch: answer });
    const refused = { name: "ClientError", code: "unexpected", status, message };
    await assert.rejects(client.list(), refused);
    await assert.rejects(client.events("one").next(), refused);
  }
});
