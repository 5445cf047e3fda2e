// Context windows: each role's prompts are folded by its model's window, learned windows included, and judges report what they did not see.
import assert from "node:assert/strict";
import {
  type Agent,
  AgentError,
  composeConvening,
  createDebateModerator,
  createDebateParticipant,
  memoryRecord,
} from "../../mod.ts";
import type { AgentRequest } from "../../protocol.ts";
import { loadTokenCounter } from "../../src/core/tokens.ts";
import {
  called,
  debateOf,
  dialogueOf,
  drain,
  promptOf,
  type Say,
  Talker,
  TOPIC,
  truthOf,
  VirtualTime,
} from "../support/talkers.ts";
import { forgetLessons } from "../../src/agents/learned.ts";
import { startModelServer } from "../support/model_server.ts";

const LONG = "An argument with a number of words that takes up some room in the prompt. ".repeat(6);
const BOUND = { maxPromptTokens: 2500 };

/** Creates a talker with long, distinct speeches. */
function longTalker(say: Say = () => undefined): Talker {
  return new Talker(async (request) =>
    await say(request) ??
      (request.schema === undefined && request.context.purpose === "turn"
        ? { text: `${request.context.key}: ${LONG}` }
        : undefined)
  );
}

function foldOf(request: AgentRequest): string | undefined {
  return /<summary turns="1-(\d+)">/.exec(promptOf(request))?.[1];
}

async function tokensOf(agent: Talker): Promise<number[]> {
  const count = await loadTokenCounter();
  return agent.requests.filter(({ context }) => context.purpose === "turn").map((request) =>
    count(promptOf(request))
  );
}

Deno.test("A long dialogue folds its oldest turns into rolling summaries with files of their own", async () => {
  const agent = longTalker();
  const { workflow, record } = dialogueOf(agent, { maxTurns: 60, ...BOUND });
  const { result, events } = await drain(workflow);
  assert.equal(result?.messages.length, 60);
  const contexts = [...record.files].filter(([path]) => path.startsWith("context/"));
  assert.ok(contexts.length >= 2);
  assert.equal(events.filter(({ type }) => type === "context").length, contexts.length);
  assert.ok(Math.max(...await tokensOf(agent)) < BOUND.maxPromptTokens * 1.3);
  const last = agent.asked("turn-60/ben");
  assert.match(promptOf(last), /Speech for fold\/\d+/);
  assert.match(promptOf(last), /stands for turns 1 to \d+, which are not shown/);
  assert.ok(!promptOf(last).includes("turn-1/ada:"));
});

Deno.test("A fold enters at the same turn however late its summary arrives, and that turn waits for it", async () => {
  const entry = async (latency: number) => {
    const time = new VirtualTime(({ context }) => context.purpose === "fold" ? latency : 1);
    const { workflow } = dialogueOf(time.agent, {
      maxTurns: 60,
      maxPromptTokens: 1500,
      maxTokensPerTurn: 50,
    });
    await time.run(workflow.run());
    return {
      folds: time.agent.requests.map((request) => [request.context.key, foldOf(request)]),
      time,
    };
  };
  const [quick, slow] = [await entry(0.5), await entry(20)];
  const sorted = (folds: (string | undefined)[][]) => folds.map(String).toSorted();
  assert.ok(quick.folds.some(([, fold]) => fold !== undefined));
  assert.deepEqual(sorted(slow.folds), sorted(quick.folds));
  assert.equal(quick.time.now, 60, "a summary that is in time holds nothing up");
  assert.ok(slow.time.now > 60);
});

Deno.test("A summary that was started near the end is recorded when the run ends", async () => {
  const time = new VirtualTime(({ context }) => context.purpose === "fold" ? 20 : 1);
  const { workflow, record } = dialogueOf(time.agent, { maxTurns: 60, maxPromptTokens: 1500 });
  await time.run(workflow.run());
  const begun = time.spans.filter(({ key }) => key.startsWith("fold/")).length;
  assert.ok(begun > 0);
  assert.equal(
    [...record.files.keys()].filter((path) => path.startsWith("context/")).length,
    begun,
  );
});

Deno.test("Folding is the same after a resume: no summary is made twice, and every prompt is equal", async () => {
  const whole = longTalker();
  const { workflow, record } = dialogueOf(whole, { maxTurns: 50, ...BOUND });
  await drain(workflow);
  for (const at of [15, 27, 33]) {
    const stop = new AbortController();
    const agent = longTalker(({ context }) => {
      if (context.seq === at) stop.abort();
      return undefined;
    });
    const first = dialogueOf(agent, { maxTurns: 50, ...BOUND, signal: stop.signal });
    await drain(first.workflow);
    const again = longTalker();
    const { result } = await drain(
      dialogueOf(again, { maxTurns: 50, ...BOUND, record: first.record }).workflow,
    );
    assert.equal(result?.status, "completed");
    for (const request of again.requests) {
      assert.equal(
        promptOf(request),
        promptOf(whole.asked(request.context.key)),
        request.context.key,
      );
    }
    const truth = truthOf(first.record.files);
    truth.delete("stops/1.md");
    assert.deepEqual(truth, truthOf(record.files));
  }
});

Deno.test("A debate folds by the moderator's round summaries, whole rounds at a time, without additional calls", async () => {
  const agent = longTalker();
  const { workflow, record } = debateOf(agent, { roundCount: 12, ...BOUND, scoringEnabled: false });
  await drain(workflow);
  assert.ok(agent.requests.every(({ context }) => context.purpose !== "fold"));
  assert.ok(![...record.files.keys()].some((path) => path.startsWith("context/")));
  const last = agent.asked("closing/b");
  assert.match(promptOf(last), /Round (\d+): round-\1\/summary\/m:/);
  assert.match(promptOf(last), /\(What came before is left out\.\)/);
  assert.ok(foldOf(last) !== undefined);
  assert.ok(Math.max(...(await tokensOf(agent)).slice(0, -1)) < BOUND.maxPromptTokens * 1.5);
});

Deno.test("A round of many sides is folded within the round, and its summary has the latest turns", async () => {
  const agent = longTalker();
  const participants = [..."abcdefghi"].map((id) =>
    createDebateParticipant({ name: id, position: `Position ${id}`, agentConfig: { id } }, agent)
  );
  const maxPromptTokens = 4000;
  const { workflow } = debateOf(agent, {
    participants: [createDebateModerator({ agentConfig: { id: "m" } }, agent), ...participants],
    maxPromptTokens,
    scoringEnabled: false,
  });
  await drain(workflow);
  const rebuttals = agent.requests.filter(({ context }) => /\/rebuttal\//.test(context.key));
  assert.match(
    promptOf(rebuttals.at(-1)!),
    /Round 1: \(Earlier turns are left out\.\)\n[^<]*round-1\/rebuttal\//,
  );
  assert.ok(Math.max(...await tokensOf(agent)) < maxPromptTokens * 1.15);
});

const usagesIn = (files: ReadonlyMap<string, string>, folder: string) =>
  [...files].filter(([path]) => path.startsWith(folder))
    .map(([, text]) => Number(/^ *usage: .*output_tokens: (\d+)/m.exec(text)?.[1]));

Deno.test("The usage of a failed fold is in one turn's failure and is counted once after a resume", async () => {
  let down = true;
  const usage = { inputTokens: 100, cachedInputTokens: 0, outputTokens: 7 };
  const agent = longTalker(({ context }) => {
    if (!down || context.purpose !== "fold") return undefined;
    if (context.attempt === 1) return { text: "", usage };
    throw new AgentError("agent_auth", "Cannot fold", { usage });
  });
  const first = dialogueOf(agent, { maxTurns: 40, ...BOUND });
  const { error } = await drain(first.workflow);
  assert.match((error as Error).message, /Cannot fold \(turn "fold\/1"/);
  assert.deepEqual(usagesIn(first.record.files, "failures/"), [14]);
  down = false;
  const again = dialogueOf(agent, { maxTurns: 40, ...BOUND, record: first.record });
  const { result } = await drain(again.workflow);
  assert.equal(result?.status, "completed");
  const all = ["failures/", "messages/", "context/"]
    .flatMap((folder) => usagesIn(first.record.files, folder));
  assert.equal(result!.usage.outputTokens, all.reduce((sum, each) => sum + each, 0));
});

for (const reply of [{ text: "" }, { text: "I cannot help.", finishReason: "refused" }] as const) {
  Deno.test(`If each summary of older turns is ${JSON.stringify(reply)}, prompts show the beginnings of the turns, but of no hidden ones`, async () => {
    const usage = { inputTokens: 100, cachedInputTokens: 0, outputTokens: 7 };
    const agent = longTalker(({ context }) =>
      context.purpose === "fold" ? { ...reply, usage } : undefined
    );
    const options = { maxTurns: 40, ...BOUND };
    const { workflow, record } = dialogueOf(agent, options);
    const { result } = await drain(workflow);
    assert.equal(result?.messages.length, 40);
    const last = promptOf(agent.asked("turn-40/ben"));
    assert.match(last, /<summary[^>]*>\n\(Earlier turns are left out\.\)\nAda: turn-\d+\/ada: An/);
    assert.ok(!last.includes("I cannot help."));
    const contexts = usagesIn(record.files, "context/");
    assert.deepEqual(new Set(contexts), new Set([14]));
    assert.match(record.files.get("context/001.md")!, /^model: template$/m);
    const asked = agent.requests.filter(({ context }) => context.purpose === "fold");
    assert.equal(asked.length, contexts.length * 2, "each is asked for twice");
    const hiding = dialogueOf(agent, { ...options, design: { hidden: ["statement"] } });
    const { error } = await drain(hiding.workflow);
    assert.equal(error, undefined);
    assert.ok(!promptOf(agent.requests.at(-1)!).includes("An argument"));
  });
}

/** A talker with long speeches and a context window. */
class Windowed extends Talker {
  constructor(public tokens: number) {
    super(async ({ context, schema }) => {
      // A summary takes longer than the work that does not wait for it.
      if (context.purpose === "fold") await new Promise((resolve) => setTimeout(resolve, 0));
      return schema === undefined && context.purpose === "turn"
        ? { text: `${context.key}: ${LONG}` }
        : undefined;
    });
  }

  window(): Promise<number> {
    return Promise.resolve(this.tokens);
  }
}

/** Runs a debate of 12 rounds whose agents have wide windows but for some; returns the requests by role, and the record. */
async function held(narrow: Readonly<Record<string, number>>, most?: number) {
  const agents = Object.fromEntries(
    ["m", "a", "b", "j"].map((id) => [id, new Windowed(narrow[id] ?? 200_000)]),
  );
  const { workflow, record } = debateOf(agents["m"] as Agent, {
    agents,
    roundCount: 12,
    ...most === undefined ? {} : { maxPromptTokens: most },
  });
  const { result } = await drain(workflow);
  assert.equal(result?.status, "completed");
  const count = await loadTokenCounter();
  const prompts = (id: string) => agents[id]!.requests.map(promptOf);
  const longest = (id: string) => Math.max(...prompts(id).map(count));
  const folds = (id: string) => prompts(id).some((text) => text.includes('<summary turns="1-'));
  const sizes = (id: string, words: string) =>
    prompts(id).filter((text) => text.includes(words)).map(count);
  return { longest, folds, sizes, record, result };
}

Deno.test("Each role's prompts are folded by the window of the role's model", async () => {
  const { longest, folds, record, result } = await held({ a: 4000 });
  assert.deepEqual(["m", "a", "b", "j"].map(folds), [false, true, false, false]);
  assert.ok(longest("a") < 4000, String(longest("a")));
  assert.ok(longest("b") > 6000 && longest("j") > 6000);
  assert.ok([...record.files.values()].every((text) => !/^folded:/m.test(text)));
  assert.doesNotMatch(result!.notes.join("\n"), /only in a summary/);
});

Deno.test("Prompts with nearly the same bound share each rolling summary", async () => {
  const [ada, ben] = [new Windowed(4000), new Windowed(4010)];
  const participants = [...called(ada, "Ada"), ...called(ben, "Ben")];
  const { workflow } = dialogueOf(ada, { participants, maxTurns: 60 });
  const { calls } = await workflow.plan();
  const { events } = await drain(workflow);
  const through = events.flatMap((event) => event.type === "context" ? event.context.through : []);
  assert.ok(through.length >= 2);
  assert.deepEqual(through, [...new Set(through)]);
  assert.ok(calls >= ada.requests.length + ben.requests.length);
});

Deno.test("After a smaller window is learned, no summary is made for the prompts of the larger", async () => {
  const foldsFrom = async (before: number) => {
    let window = before;
    const agent = longTalker(({ context, onNote }) => {
      if (context.key !== "turn-3/ada" || window === 3000) return undefined;
      const lesson = { model: agent.model, origin: "http://localhost", key: "window" };
      const learned = { from: window, to: 3000, because: "it is too long", learnedAt: "" };
      onNote?.({ type: "profile_learned", ...lesson, ...learned });
      window = 3000;
      return undefined;
    });
    const asked = Object.assign(agent, { window: () => Promise.resolve(window) });
    await drain(dialogueOf(asked, { maxTurns: 100 }).workflow);
    return agent.keys.filter((key) => key.startsWith("fold/"));
  };
  assert.deepEqual(await foldsFrom(5000), await foldsFrom(3000));
});

Deno.test("A judge's window that is too small is reported on its scores and verdicts, and in the notes", async () => {
  const { folds, longest, sizes, record, result } = await held({ j: 5000 });
  assert.deepEqual(["a", "j"].map(folds), [false, true]);
  assert.ok(longest("j") < 5000, String(longest("j")));
  const verdicts = sizes("j", "The debate is over.");
  assert.ok(verdicts.length === 2 && Math.min(...verdicts) > 3000, verdicts.join(" "));
  // Requests for scores fold the transcript; requests for verdicts shorten the turns of the record by side.
  for (
    const [folder, line] of [["scores/", /^folded: \d+$/m], [
      "verdicts/",
      /^shortened: \d+$/m,
    ]] as const
  ) {
    const said = [...record.files].filter(([path, text]) =>
      path.startsWith(folder) && line.test(text)
    );
    assert.ok(said.length > 0, folder);
  }
  const note = /Judge saw turns 1 to \d+ only in a summary: the known window of its model/;
  assert.match(result!.notes.join("\n"), note);
  assert.match(record.files.get("scores.md")!, note);
});

Deno.test("maxPromptTokens limits every role's prompts within its window", async () => {
  const { longest, folds, result } = await held({ a: 4000 }, 5000);
  assert.deepEqual(["a", "b", "j"].map(folds), [true, true, true]);
  assert.ok(longest("a") < 4000 && longest("b") > 4000 && longest("b") < 5500);
  assert.match(
    result!.notes.join("\n"),
    /only in a summary: maxPromptTokens left no room for them/,
  );
});

/** Starts a server that rejects prompts over `window` tokens, adds their sizes to `refused`, and says `speech` otherwise; `per` are its tokens for one of ours. */
async function startNarrow(window: number, refused: number[], speech: string, per = 1) {
  const count = await loadTokenCounter();
  return await startModelServer({
    respond: ({ body }) => {
      const prompt = per * count(body.messages.map(({ content }) => String(content)).join("\n"));
      if (prompt <= window) {
        return body.response_format === undefined ? { text: `${speech} ${prompt}` } : {};
      }
      refused.push(prompt);
      const message = per === 1
        ? `This model's maximum context length is ${window} tokens. However, your messages resulted in ${prompt} tokens.`
        : `request (${prompt} tokens) exceeds the available context size (${window} tokens), try increasing it`;
      return {
        status: 400,
        body: JSON.stringify({ error: { message, code: "context_length_exceeded" } }),
      };
    },
  });
}

for (const [window, roundSummaries, per] of [[3000, true, 1], [12_000, false, 3]] as const) {
  const by = roundSummaries ? "round" : "rolling";
  Deno.test(`a debate of long turns with ${by} summaries stays in a window of ${window} tokens, each ${per} of the server's for one of ours, from the first error on`, async () => {
    forgetLessons();
    const refused: number[] = [];
    await using server = await startNarrow(window, refused, LONG.repeat(3), per);
    const hold = async () => {
      const record = memoryRecord();
      const workflow = await composeConvening({
        kind: "debate",
        topic: TOPIC,
        model: "some-model",
        baseUrl: server.url,
        seed: 1,
        roundCount: 3,
        roundSummaries,
        guards: { repetition: "off" },
      }, { record });
      const { status } = await workflow.run();
      assert.equal(status, "completed");
      return record;
    };
    const record = await hold();
    assert.match(record.files.get("metadata.md")!, /key: window/);
    const before = refused.length;
    await hold();
    assert.equal(refused.length, before, "a window that is known is never passed");
  });
}

Deno.test("sources leave room for the turns in a small window", async () => {
  forgetLessons();
  const refused: number[] = [];
  await using server = await startNarrow(4096, refused, LONG);
  const record = memoryRecord();
  const workflow = await composeConvening({
    kind: "debate",
    topic: TOPIC,
    model: "mine:some-model",
    providers: { mine: { baseUrl: server.url, profile: { window: 4096 } } },
    roundCount: 1,
  }, { record, sources: [{ name: "notes.md", text: LONG.repeat(60) }] });
  const { status } = await workflow.run();
  assert.deepEqual([status, refused], ["completed", []]);
  assert.match(server.requests[0]!.body.messages[0]!.content!, /[\d,]+ characters of notes\.md/);
});

Deno.test("a resumed convening cuts its sources as before, whatever the window is now", async () => {
  const resumedIn = async (...windows: readonly number[]) => {
    await using server = await startModelServer({ respond: () => ({ text: LONG }) });
    const record = memoryRecord();
    for (const [index, window] of windows.entries()) {
      const workflow = await composeConvening({
        kind: "dialogue",
        topic: TOPIC,
        participants: [{ name: "Ada" }, { name: "Ben" }],
        model: "mine:some-model",
        providers: { mine: { baseUrl: server.url, profile: { window } } },
        limits: { maxTurns: index + 1 },
      }, { record, sources: [{ name: "notes.md", text: LONG.repeat(60) }] });
      await workflow.run();
    }
    const [before, after] = [server.requests[0]!, server.requests.at(-1)!]
      .map(({ body }) => body.messages[0]!.content!);
    assert.ok(server.requests.length > 1);
    assert.equal(after, before);
    return before!.length;
  };
  const [wide, narrow] = [await resumedIn(200_000, 12_000), await resumedIn(12_000, 200_000)];
  assert.ok(narrow < wide, `${narrow} ${wide}`);
});

Deno.test("A window that a server names in an error folds the prompt, which is sent again", async () => {
  forgetLessons();
  const refused: number[] = [];
  await using server = await startNarrow(3000, refused, LONG);
  const hold = async () => {
    const record = memoryRecord();
    const workflow = await composeConvening({
      kind: "dialogue",
      topic: TOPIC,
      participants: [{ name: "Ada" }, { name: "Ben" }],
      model: "some-model",
      baseUrl: server.url,
      maxTurns: 40,
      seed: 1,
      guards: { repetition: "off", coherence: { mode: "off" } },
    }, { record });
    const result = await workflow.run();
    assert.equal(result.messages.length, 40);
    return record;
  };
  const record = await hold();
  assert.ok(refused.length > 0 && refused.length <= 4, refused.join(" "));
  assert.match(record.files.get("metadata.md")!, /key: window/);
  assert.ok(record.files.has("context/001.md"), [...record.files.keys()].join(" "));
  const before = refused.length;
  await hold();
  assert.equal(refused.length, before, "a window that is known is never passed");
});

Deno.test("The usage of a request that taught a smaller window is in the message, or in the failure, of the turn", async () => {
  for (const [then, folder] of [["said", "messages/"], ["agent_auth", "failures/"]] as const) {
    const agent = new Windowed(5000);
    let asked = 0;
    agent.reply = async (request) => {
      if (request.context.key !== "turn-3/ada" || then === "said" && asked > 0) {
        return await Talker.prototype.reply.call(agent, request);
      }
      const usage = { inputTokens: 700, cachedInputTokens: 0, outputTokens: 7 };
      const code = asked++ === 0 ? "agent_bad_reply" : "agent_auth";
      agent.tokens = 3000;
      throw new AgentError(code, "Cannot read it", { usage: asked === 1 ? usage : undefined });
    };
    const { workflow, record } = dialogueOf(agent, { maxTurns: 3 });
    await drain(workflow);
    const [, text] = [...record.files].findLast(([path]) => path.startsWith(folder))!;
    assert.match(text, then === "said" ? /input_tokens: 800/ : /input_tokens: 700/);
  }
});
