import assert from "node:assert/strict";
import { AgentError } from "../../../mod.ts";
import type { AgentRequest } from "../../../protocol.ts";
import { loadTokenCounter } from "../../../src/core/tokens.ts";
import {
  debateOf,
  dialogueOf,
  drain,
  promptOf,
  type Say,
  Talker,
  truthOf,
} from "../support/talkers.ts";
import { VirtualTime } from "../support/virtual_time.ts";

const LONG = "An argument with a number of words that takes up some room in the prompt. ".repeat(6);
const BOUND = { maxPromptTokens: 2500 };

/** A talker with long speeches, each its own. */
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

Deno.test("A long dialogue folds its oldest turns into rolling summaries that are files of their own", async () => {
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
  assert.match(promptOf(last), /Turns 1 to \d+ were folded/);
  assert.ok(!promptOf(last).includes("turn-1/ada:"));
});

Deno.test("A fold enters at the same turn however late its summary comes, and is waited for there", async () => {
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

Deno.test("A summary begun near the end is on record when the run ends", async () => {
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

Deno.test("Folding is the same after a resume: no summary is made twice, every prompt is as it would have been", async () => {
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

Deno.test("A debate folds by the moderator's round summaries, whole rounds at a time, without a call of its own", async () => {
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

Deno.test("A fold that fails for good fails the turn that needs it, by name, resumable", async () => {
  let down = true;
  const agent = longTalker(({ context }) => {
    if (down && context.purpose === "fold") throw new AgentError("agent_auth", "Cannot fold");
    return undefined;
  });
  const first = dialogueOf(agent, { maxTurns: 40, ...BOUND });
  const { error } = await drain(first.workflow);
  assert.match((error as Error).message, /Cannot fold \(turn "fold\/1"/);
  down = false;
  const { result } = await drain(
    dialogueOf(agent, { maxTurns: 40, ...BOUND, record: first.record }).workflow,
  );
  assert.equal(result?.status, "completed");
});

Deno.test("The usage of a fold that fails stands in the failure of one turn, and is counted once after a resume", async () => {
  let down = true;
  const used = { inputTokens: 100, cachedInputTokens: 0, outputTokens: 7 };
  const agent = longTalker(({ context }) =>
    down && context.purpose === "fold" ? { text: "", usage: used } : undefined
  );
  const first = dialogueOf(agent, { maxTurns: 40, ...BOUND });
  const { error } = await drain(first.workflow);
  assert.match((error as Error).message, /the summary was empty twice/);
  const usages = (folder: string) =>
    [...first.record.files].filter(([path]) => path.startsWith(folder))
      .map(([, text]) => Number(/^ *usage: .*output_tokens: (\d+)/m.exec(text)?.[1]));
  assert.deepEqual(usages("failures/"), [14]);
  down = false;
  const again = dialogueOf(agent, { maxTurns: 40, ...BOUND, record: first.record });
  const { result } = await drain(again.workflow);
  const all = ["failures/", "messages/", "context/"]
    .flatMap(usages);
  assert.equal(result!.usage.outputTokens, all.reduce((sum, each) => sum + each, 0));
});
