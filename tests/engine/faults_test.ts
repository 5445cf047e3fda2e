// Failing requests: retries, repairs, marks, failures by name and resumes.
import assert from "node:assert/strict";
import { setImmediate } from "node:timers/promises";
import {
  AgentError,
  createAgent,
  createDebateWorkflow,
  type DebateWorkflowConfig,
  memoryRecord,
} from "../../mod.ts";
import { type ModelReply, type ModelRequest, startModelServer } from "../support/model_server.ts";
import type { AgentReply } from "../../protocol.ts";
import { cast, debateOf, dialogueOf, drain, Talker, truthOf } from "../support/talkers.ts";

const FAST = { minWait: 0, maxWait: 0 };

/** Runs a debate on a server whose replies depend on the text of the last message. */
async function onServer(
  respond: (request: ModelRequest, prompt: string) => ModelReply | undefined,
  config: DebateWorkflowConfig = {},
) {
  await using server = await startModelServer({
    respond: (request) =>
      respond(request, request.body.messages.map(({ content }) => content).join("\n")) ?? {},
  });
  const agent = createAgent("test-model", { baseUrl: server.url });
  const record = memoryRecord();
  const drained = await drain(createDebateWorkflow("Should cities ban private cars?", cast(agent), {
    roundCount: 0,
    record,
    retry: FAST,
    ...config,
  }));
  return { ...drained, record, requests: server.requests };
}

const OPENING_OF_ADA = /You are Ada[^]*Give your opening/;

function askedOfAda(requests: readonly ModelRequest[]): number {
  return requests.filter(({ body }) => OPENING_OF_ADA.test(body.messages.at(-1)!.content ?? ""))
    .length;
}

const OK: [string, ModelReply][] = [
  ["429 with Retry-After", { status: 429, headers: { "retry-after": "0.001" } }],
  ["500", { status: 500 }],
  ["a connection cut in the middle", { fault: "cut" }],
  ["a stream that ends unfinished", { fault: "unfinished" }],
];
for (const [name, fault] of OK) {
  Deno.test(`A turn succeeds after ${name}, and the streamed text is reset`, async () => {
    let faults = 2;
    const { result, events, requests } = await onServer((_, prompt) =>
      OPENING_OF_ADA.test(prompt) && faults-- > 0 ? fault : undefined
    );
    assert.equal(result?.status, "completed");
    assert.equal(result.messages[1]!.attempts, 1);
    const resets = events.filter((event) =>
      event.type === "message-reset" && event.turn.turn === "opening/a"
    );
    assert.equal(resets.length, 2);
    const text = events.reduce(
      (said, event) =>
        event.type === "message-reset" && event.turn.turn === "opening/a"
          ? ""
          : event.type === "message-delta" && event.turn.turn === "opening/a"
          ? said + event.text
          : said,
      "",
    );
    assert.equal(
      text,
      result.messages[1]!.body,
      "what was streamed since the reset is what was said",
    );
    assert.equal(askedOfAda(requests), 3);
  });
}

Deno.test("A Retry-After over maxRetryAfter fails at once, with provider, model, status and turn", async () => {
  for (const maxRetryAfter of [0, 50]) {
    const { error, requests, record, events } = await onServer(
      (_, prompt) =>
        OPENING_OF_ADA.test(prompt)
          ? { status: 429, headers: { "retry-after": "0.1" } }
          : undefined,
      { retry: { ...FAST, maxRetryAfter } },
    );
    assert.ok(error instanceof AgentError);
    assert.equal(error.code, "agent_rate_limited");
    assert.equal(error.status, 429);
    assert.match(error.message, /127\.0\.0\.1.*test-model|test-model.*127\.0\.0\.1/);
    assert.match(error.message, /429/);
    assert.match(error.message, /turn "opening\/a" of Ada/);
    assert.equal(askedOfAda(requests), 1);
    assert.ok(events.some((event) => event.type === "message" && event.message.seq === 3));
    assert.match(record.files.get("failures/002.md")!, /^code: agent_rate_limited$/m);
    assert.match(record.files.get("metadata.md")!, /^status: failed$/m);
  }
});

Deno.test("A request is sent five times at most; then the run fails and can be resumed", async () => {
  let down = true;
  let asked = 0;
  const agent = new Talker(({ context }) => {
    if (context.key !== "round-1/argument/b") return undefined;
    asked++;
    if (!down) return undefined;
    throw new AgentError("agent_unreachable", "Cannot reach it", { retryable: true });
  });
  const first = debateOf(agent);
  const { error, events } = await drain(first.workflow);
  assert.ok(error instanceof AgentError);
  assert.equal(asked, 5);
  const end = events.at(-1);
  assert.equal(end?.type === "convening-end" && end.ending.error?.code, "agent_unreachable");
  const failure = first.record.files.get("failures/006.md")!;
  assert.match(failure, /^turn: round-1\/argument\/b$/m);
  down = false;
  const before = agent.requests.length;
  const again = debateOf(agent, { record: first.record });
  const { result } = await drain(again.workflow);
  assert.equal(result?.status, "completed");
  assert.ok(
    !agent.keys.slice(before).includes("opening/a"),
    "what is on record is not asked again",
  );
});

Deno.test("A reply that ends at its cap is cut at the last whole sentence without another request", async () => {
  const agent = new Talker(({ context }) =>
    context.key === "opening/a"
      ? { text: "First point. Second po", finishReason: "length" }
      : undefined
  );
  const { result, events } = await drain(debateOf(agent).workflow);
  const message = result!.messages[1]!;
  assert.equal(message.body, "First point.");
  assert.deepEqual(message.marks, ["truncated"]);
  assert.equal(message.attempts, 1);
  assert.equal(agent.keys.filter((key) => key === "opening/a").length, 1);
  assert.ok(!events.some(({ type }) => type === "turn-reject"));
  for (const later of ["round-1/rebuttal/b/a", "score/2/j", "verdict/j/1"]) {
    const { messages } = agent.requests.find(({ context: { key } }) => key === later)!;
    const statements = messages.at(-1)!.content.match(/^\(The length limit cut this turn: .+\)$/gm);
    assert.equal(statements?.length, 1, `the prompt of ${later} states which turn was cut`);
  }
});

Deno.test("A model's own name before its speech is not part of the message; other names and a bare name are", async () => {
  const speeches = [
    ["Ada: I hold.", "I hold."],
    ["**Ada:** I hold.", "I hold."],
    ["## Ada\n\nI hold.", "I hold."],
    ["## Opening of Ada\n\n**Ada**: I hold.", "I hold."],
    ["## Opening\n\nI hold, Ada: yes.", "## Opening\n\nI hold, Ada: yes."],
    ["Adam: I hold.", "Adam: I hold."],
    ["Ben: I hold.", "Ben: I hold."],
    ["Ada:", "Ada:"],
    ["**Ada: Opening**\n\nI hold.", "**Ada: Opening**\n\nI hold."],
    ["## Ada: Opening\n\nI hold.", "## Ada: Opening\n\nI hold."],
    ["Ada\nI hold.", "Ada\nI hold."],
  ] as const;
  for (const [text, body] of speeches) {
    const { workflow } = dialogueOf(new Talker(() => ({ text })), { maxTurns: 1 });
    const { result } = await drain(workflow);
    assert.equal(result!.messages[0]!.body, body);
  }
});

Deno.test("A reply of a program's agent that cannot be recorded fails the turn and names the keys", async () => {
  const usage = { inputTokens: 1, cachedInputTokens: 0, outputTokens: 1 };
  const cases: readonly (readonly [reply: unknown, problem: RegExp])[] = [
    [undefined, /reply of model "mine": it is not an object/],
    ["Words.", /it is not an object/],
    [{ text: 7, usage }, /: text is missing/],
    [{ text: "Words." }, /: usage is missing/],
    [
      { text: "Words.", usage: { ...usage, cachedInputTokens: NaN } },
      /: usage\.cachedInputTokens is missing/,
    ],
    [{ text: "Words.", usage: { ...usage, inputTokens: -1 } }, /: usage\.inputTokens is missing/],
    [{ text: "Words.", usage: { ...usage, costUsd: -1 } }, /: usage\.costUsd is missing/],
    [{ text: "Words.", usage: { ...usage, reasoningTokens: "9" } }, /: usage\.reasoningTokens is/],
    [{ text: "Words.", usage, served: { model: 7 } }, /: served\.model is missing/],
    [{ text: "Words.", usage, toolCalls: [{}] }, /: toolCalls\.0\.tool, /],
    [
      { text: "Words.", usage, toolCalls: [{ tool: "t", args: 1n, result: "", failed: false }] },
      /: toolCalls\.0\.args is missing or not allowed/,
    ],
    [{ text: "Words.", usage, reasoning: 7 }, /: reasoning is missing/],
  ];
  for (const [reply, problem] of cases) {
    const agent = { model: "mine", reply: () => Promise.resolve(reply as AgentReply) };
    const { error } = await drain(dialogueOf(agent, { maxTurns: 1 }).workflow);
    assert.equal((error as AgentError).code, "agent_bad_reply");
    assert.match((error as AgentError).message, problem);
  }
});

Deno.test("A speech of more than one and a half times the requested words is cut at a sentence", async () => {
  const sentence = (words: number) => `Here ${"word ".repeat(words - 2)}end.`;
  const saying = async (text: string) => {
    const agent = new Talker(({ context }) => context.key === "opening/a" ? { text } : undefined);
    const { result } = await drain(debateOf(agent, { openingStatementMaxTokens: 250 }).workflow);
    const { body, marks } = result!.messages[1]!;
    return [body, marks];
  };
  const within = `${sentence(200)} ${sentence(70)}`;
  assert.deepEqual(await saying(within), [within, []]);
  assert.deepEqual(await saying(`${sentence(200)} ${sentence(71)}`), [sentence(200), [
    "truncated",
  ]]);
});

for (
  const [name, reply, code] of [
    ["empty", { text: " " }, "agent_bad_reply"],
    ["refused", { text: "", finishReason: "refused" }, "agent_refused"],
  ] as const
) {
  Deno.test(`An ${name} reply is retried three times with the reason, then fails by name and can be resumed`, async () => {
    let odd = true;
    const agent = new Talker(({ context }) =>
      odd && context.key === "closing/a" ? reply : undefined
    );
    const first = debateOf(agent);
    const { error } = await drain(first.workflow);
    assert.equal((error as AgentError).code, code);
    assert.match((error as AgentError).message, /"closing\/a" from Ada.*4 attempts/);
    const asked = agent.requests.filter(({ context }) => context.key === "closing/a");
    assert.equal(asked.length, 4);
    assert.match(asked[1]!.messages.at(-1)!.content, /is rejected/);
    const rejected = [...first.record.files.keys()].filter((path) => path.startsWith("rejected/"));
    assert.deepEqual(rejected.sort(), [
      "rejected/009_1.md",
      "rejected/009_2.md",
      "rejected/009_3.md",
      "rejected/009_4.md",
    ]);
    assert.match(first.record.files.get("failures/009.md")!, /^attempts: 4$/m);
    odd = false;
    const { result } = await drain(debateOf(agent, { record: first.record }).workflow);
    assert.equal(result?.status, "completed");
    assert.equal(result.messages[8]!.attempts, 5);
  });
}

Deno.test("Rejected attempts in the record count after a resume, and their reasons are in the prompt", async () => {
  let calls = 0;
  const stop = new AbortController();
  const agent = new Talker(({ context }) => {
    if (context.key !== "closing/a") return undefined;
    if (++calls === 2) stop.abort();
    return calls < 4 ? { text: "" } : undefined;
  });
  const first = debateOf(agent, { signal: stop.signal });
  await drain(first.workflow);
  const { result } = await drain(debateOf(agent, { record: first.record }).workflow);
  assert.equal(result!.messages[8]!.attempts, 3);
  const last = agent.requests.filter(({ context }) => context.key === "closing/a").at(-2)!;
  assert.equal(last.context.attempt, 2);
  assert.match(last.messages.at(-1)!.content, /The reply was empty/);
});

Deno.test("An unreadable score is repaired once, with the reason; otherwise it is unscored and never a number", async () => {
  const agent = new Talker(({ context, messages }) => {
    if (context.key === "score/2/j" && messages.length === 2) return { text: '{"reasons": "x"' };
    if (context.key === "score/3/j") return { text: "Seven, I would say." };
    if (context.key === "verdict/j/2") return { text: "{}" };
    return undefined;
  });
  const { workflow, record } = debateOf(agent);
  const { result, events } = await drain(workflow);
  const scores = events.flatMap((event) => event.type === "score" ? [event.score] : []);
  const repaired = scores.find(({ message }) => message === 2)!;
  assert.equal(repaired.status, "scored");
  assert.equal(repaired.usage.outputTokens, 40);
  const second = agent.requests.filter(({ context }) => context.key === "score/2/j")[1]!;
  assert.match(second.messages.at(-1)!.content, /not valid JSON/);
  const unscored = scores.find(({ message }) => message === 3)!;
  assert.equal(unscored.status, "unscored");
  assert.equal(unscored.total, undefined);
  assert.deepEqual(unscored.criteria, {});
  assert.match(unscored.reason!, /no JSON/);
  assert.equal(result!.scores["b"]!.missing, 1);
  assert.equal(result!.outcome, "undecided", "a verdict that cannot be read is a tie");
  assert.equal([...record.files.keys()].filter((path) => /^scores\/003_/.test(path)).length, 1);
});

Deno.test("Without readable scores a side is unscored, and without any verdict the outcome is unscored too", async () => {
  const agent = new Talker(({ schema }) => schema === undefined ? undefined : { text: "No." });
  const { result } = await drain(debateOf(agent).workflow);
  assert.deepEqual(result?.scores, {});
  assert.deepEqual(result?.unscored, ["a", "b"]);
  assert.equal(result?.outcome, "unscored");
  assert.equal(result?.winner, null);
});

Deno.test("A judge that fails for good leaves the debate complete, with unscored scores on record", async () => {
  const judge = new Talker(() => {
    throw new AgentError("agent_auth", 'Cannot use "judge-model"', { status: 401 });
  }, "ollama:judge");
  const { workflow, record } = debateOf(new Talker(), { agents: { j: judge } });
  const { result } = await drain(workflow);
  assert.equal(result?.status, "completed");
  assert.equal(result.outcome, "unscored");
  assert.equal(judge.requests.length, 10);
  const files = [...record.files].filter(([path]) => path.startsWith("scores/"));
  assert.equal(files.length, 8);
  for (const [, text] of files) {
    assert.match(text, /^status: unscored$/m);
    assert.match(text, /Cannot use "judge-model"|Cannot use \\"judge-model/);
  }
});

const PASSING: readonly [state: string, reply: ModelReply, code: string, hint: RegExp][] = [
  [
    "asks for an hour of waiting",
    { status: 429, headers: { "retry-after": "3600" } },
    "agent_rate_limited",
    /^Resume after \d\d:\d\d UTC/,
  ],
  ["breaks off", { fault: "cut" }, "agent_unreachable", /^/],
];
for (const [state, reply, code, hint] of PASSING) {
  Deno.test(`A judge whose server ${state}: the debate runs to its end and fails, and a resume asks for the missing scores alone`, async () => {
    let isDown = true;
    await using server = await startModelServer({
      respond: ({ body }) =>
        isDown && /Score turn [34]/.test(body.messages.at(-1)!.content ?? "") ? reply : {},
    });
    const judge = createAgent("judge-model", { baseUrl: server.url });
    const options = { agents: { j: judge }, retry: { ...FAST, retries: 1 } };
    const first = debateOf(new Talker(), options);
    const { error, events } = await drain(first.workflow);
    assert.equal((error as AgentError).code, code);
    assert.match((error as AgentError).message, /turn "score\/[34]\/j" of/);
    assert.match((error as AgentError).hint ?? "", hint);
    const ending = events.find((event) => event.type === "convening-end")!.ending;
    assert.equal(ending.status, "failed");
    const scoresIn = () => [...first.record.files.keys()].filter((path) => /^scores\//.test(path));
    assert.equal(scoresIn().length, 6);
    const spoken = [...first.record.files.keys()].filter((path) => /^messages\//.test(path));
    assert.equal(spoken.length, 11, "the debaters finish");

    isDown = false;
    const before = server.requests.length;
    const talker = new Talker();
    const again = debateOf(talker, { ...options, record: first.record });
    const { result } = await drain(again.workflow);
    assert.equal(result?.status, "completed");
    assert.deepEqual(talker.keys, []);
    const asked = server.requests.slice(before)
      .map(({ body }) => /Score turn (\d+)/.exec(body.messages.at(-1)!.content ?? "")?.[1]);
    assert.deepEqual(asked.toSorted(), ["3", "4"]);
    assert.equal(scoresIn().length, 8);
  });
}

Deno.test("A repair that fails leaves the usage of its first reply on record", async () => {
  const agent = new Talker(({ context, messages }) => {
    if (context.key !== "score/2/j") return undefined;
    if (messages.length > 2) throw new AgentError("agent_auth", "Cannot ask again");
    return { text: "Seven." };
  });
  const { workflow, record } = debateOf(agent);
  const { result } = await drain(workflow);
  const sum = [...truthOf(record.files).values()].reduce(
    (total, text) => total + Number(/output_tokens: (\d+)/.exec(text)?.[1] ?? 0),
    0,
  );
  assert.equal(sum, result?.usage.outputTokens, "totals are sums over files");
  assert.equal(sum, (agent.requests.length - 1) * 20);
});

Deno.test("A round summary that fails leaves the debate complete, with its place recorded and its number kept", async () => {
  const agent = new Talker(({ context }) => {
    if (context.key === "round-1/summary/m") throw new AgentError("agent_refused", "Cannot sum up");
    return undefined;
  });
  const { workflow, record } = debateOf(agent);
  const { result } = await drain(workflow);
  assert.equal(result?.status, "completed");
  assert.deepEqual(result.messages.map(({ seq }) => seq), [1, 2, 3, 4, 5, 6, 7, 9, 10, 11]);
  assert.match(record.files.get("failures/008.md")!, /^turn: round-1\/summary\/m$/m);
  const again = await drain(debateOf(new Talker(), { record }).workflow);
  assert.equal(again.result?.status, "completed");
});

Deno.test("An advocate that fails: the other finishes, the run fails, and a resume asks for the missing turns alone", async () => {
  let down = true;
  const ada = new Talker(({ context }) => {
    if (down && context.key === "opening/a") {
      throw new AgentError("agent_auth", "Cannot log in", { status: 401 });
    }
    return undefined;
  });
  const other = new Talker();
  const first = debateOf(other, { agents: { a: ada } });
  const { error } = await drain(first.workflow);
  assert.match((error as Error).message, /Cannot log in \(turn "opening\/a" of Ada\)/);
  assert.ok([...first.record.files.keys()].some((path) => path.startsWith("messages/003_")));
  down = false;
  const { result } = await drain(
    debateOf(other, { agents: { a: ada }, record: first.record }).workflow,
  );
  assert.equal(result?.status, "completed");
  assert.equal(other.keys.filter((key) => key === "opening/b").length, 1);
});

Deno.test("A call that waits for its retry makes none after the run has failed", async () => {
  const failed = Promise.withResolvers<void>();
  const agent = new Talker(async ({ context: { key } }) => {
    if (key === "opening/a") {
      failed.resolve();
      throw new AgentError("agent_rate_limited", "Wait", { retryable: true, retryAfter: 60_000 });
    }
    await failed.promise;
    // The other call waits by then.
    await setImmediate();
    throw new AgentError("agent_auth", "A wrong key");
  });
  // The minute of the wait never passes: only the run's failure can end the wait.
  const { setTimeout: usual } = globalThis;
  globalThis.setTimeout =
    ((run: () => void, ms = 0) => ms < 30_000 ? usual(run, ms) : 0) as typeof setTimeout;
  try {
    const { error } = await drain(debateOf(agent).workflow);
    assert.match(String(error), /A wrong key \(turn "opening\/b" of /);
  } finally {
    globalThis.setTimeout = usual;
  }
  assert.deepEqual(agent.keys.toSorted(), ["opening/a", "opening/b"]);
});

Deno.test("A turn longer than turnMaxDuration is retried, then fails by name, though the agent does not heed its signal", async () => {
  const agent = new Talker(({ context }) =>
    context.key === "opening/a" ? new Promise(() => {}) : undefined
  );
  const { error } = await drain(
    debateOf(agent, { turnMaxDuration: 5, retry: { ...FAST, retries: 1 } }).workflow,
  );
  assert.equal((error as AgentError).code, "agent_timeout");
  assert.match((error as AgentError).message, /over 5 ms.*opening\/a/);
  assert.equal(agent.keys.filter((key) => key === "opening/a").length, 2);
});

Deno.test("An abort ends the run as cancelled and resumable, and no request follows", async () => {
  const stop = new AbortController();
  const agent = new Talker(({ context }) => {
    if (context.key === "round-1/rebuttal/b/a") stop.abort(new Error("enough"));
    return undefined;
  });
  const first = debateOf(agent, { signal: stop.signal });
  const { result } = await drain(first.workflow);
  assert.equal(result?.status, "stopped");
  assert.equal(result.endReason, "cancelled");
  assert.match(first.record.files.get("stops/1.md")!, /^last_seq: 4$/m);
  assert.equal(
    agent.keys.filter((key) => key.startsWith("round-1")).at(-1),
    "round-1/rebuttal/b/a",
  );
  const whole = debateOf(new Talker());
  await drain(whole.workflow);
  const again = await drain(debateOf(agent, { record: first.record }).workflow);
  assert.equal(again.result?.status, "completed");
  const truth = truthOf(first.record.files);
  truth.delete("stops/1.md");
  assert.deepEqual(truth, truthOf(whole.record.files));
});

Deno.test("A call that fails after the run has failed is not repeated", async () => {
  const agent = new Talker(async ({ context: { key }, ending }) => {
    if (key === "opening/b") throw new AgentError("agent_auth", "A wrong key");
    if (ending?.aborted === false) {
      await new Promise((resolve) => ending.addEventListener("abort", resolve));
    }
    throw new AgentError("agent_unreachable", "It is down", { retryable: true });
  });
  const { error } = await drain(debateOf(agent).workflow);
  assert.match(String(error), /A wrong key/);
  assert.deepEqual(agent.keys.toSorted(), ["opening/a", "opening/b"]);
});

Deno.test("A call that was retried leaves no listener on a signal of its run", async () => {
  const { addEventListener: add, removeEventListener: remove } = AbortSignal.prototype;
  const listened = new Map<unknown, AbortSignal>();
  AbortSignal.prototype.addEventListener = function (...args: unknown[]) {
    listened.set(args[1], this);
    return Reflect.apply(add, this, args);
  };
  AbortSignal.prototype.removeEventListener = function (...args: unknown[]) {
    listened.delete(args[1]);
    return Reflect.apply(remove, this, args);
  };
  const tried = new Set<string>();
  const agent = new Talker(({ context: { key } }) => {
    if (tried.size === tried.add(key).size) return undefined;
    throw new AgentError("agent_unreachable", "It is down", { retryable: true });
  });
  try {
    const { result } = await drain(debateOf(agent, { retry: FAST }).workflow);
    assert.equal(result?.status, "completed");
  } finally {
    Object.assign(AbortSignal.prototype, { addEventListener: add, removeEventListener: remove });
  }
  assert.ok(tried.size > 3);
  assert.equal(listened.size, 0);
});
