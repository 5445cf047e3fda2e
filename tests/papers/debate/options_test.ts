// Options of paper debates: papers, checks, cross-examination, limits, words, plans.
import assert from "node:assert/strict";
import { createParticipant, memoryRecord } from "../../../mod.ts";
import type { PaperDebateOutcome, PaperDraft } from "../../../papers.ts";
import type { FactCheckConfig } from "../../../protocol.ts";
import { FALSE, startSearchServer } from "../../support/search_server.ts";
import { checkerAgent, searchOf } from "../../checking/support/checking.ts";
import {
  argumentOf,
  fileOf,
  json,
  lookUp,
  paperCast,
  paperDebateOf,
  type PaperSettings,
  paperTalker,
  TOPICS,
  TREES,
  TREES_QUOTE,
  usualReply,
} from "./support/paper_talkers.ts";
import { drain, promptOf, type Say } from "../../support/talkers.ts";

const NIGHTS: PaperDraft = {
  title: "Nights without trees",
  text:
    "Open squares lost their heat within two hours of sunset. Avenues kept it until morning.\n\n" +
    "# References\n\n1. Berg, A. (2019). Heat after dark. Journal of Streets, 4, 1-9. https://example.org/berg",
};
const NIGHTS_QUOTE = "Avenues kept it until morning.";

function reportOf(result: { readonly value?: unknown } | undefined) {
  return (result!.value as PaperDebateOutcome).report!;
}

Deno.test("A search server is accepted without fact checks, because debaters use it", () => {
  const factCheck = { mode: "off", searchUrl: "http://127.0.0.1:9/" } as const;
  const { workflow } = paperDebateOf(paperTalker(() => undefined), { factCheck });
  assert.equal(workflow.participants.length, 5);
});

Deno.test("Two papers in one debate are both stored, shown and searched, and citations name their paper", async () => {
  const agent = paperTalker(async (request) => {
    if (request.context.kind !== "argument") return undefined;
    const looked = [
      await lookUp(request, "narrow streets difference"),
      await lookUp(request, "avenues heat morning"),
    ];
    const reasoning = `One says “${TREES_QUOTE}” and the other “${NIGHTS_QUOTE}”`;
    const made = argumentOf(request, [looked[1]!], { reasoning });
    return { ...json(made), toolCalls: looked };
  });
  const { workflow, record } = paperDebateOf(agent, { papers: [TREES, NIGHTS] });
  const { result } = await drain(workflow);
  const report = reportOf(result);
  assert.deepEqual(report.papers.map(({ id }) => id), ["trees", "Nights-without-trees"]);
  assert.ok(record.files.get("paper.md")!.includes(TREES_QUOTE));
  assert.ok(record.files.get("paper-2.md")!.includes(NIGHTS_QUOTE));
  const prompt = promptOf(agent.asked("questions"));
  assert.match(prompt, /<source name="paper trees: Trees and summer heat">/);
  assert.match(prompt, /<source name="paper Nights-without-trees: Nights without trees">/);
  const [a] = report.verification;
  assert.deepEqual(
    a!.quotations.slice(0, 2).map(({ status, source, page }) => [status, source, page]),
    [["verified", "trees", 2], ["verified", "Nights-without-trees", undefined]],
  );
  const [hit] = a!.perTopic[0]!.citations.paper!;
  assert.equal(hit!.paper, "Nights-without-trees");
  assert.match(hit!.chunkId, /^Nights-without-trees#/);
  const body = fileOf(record.files, "messages/004");
  assert.match(body, /\*\*verified\*\*, paper `Nights-without-trees`/);
  assert.match(report.markdown, /— \*\*verified\*\*, \*Nights without trees\*/);
  assert.ok(report.recommendedNextReads.some(({ url }) => url === "https://example.org/berg"));
});

/** Runs a debate whose first debater makes a claim in each attempt, with a fact checker. */
async function checked(mode: FactCheckConfig["mode"], answers: readonly object[]) {
  await using server = await startSearchServer({ answers: { "slow": answers as never } });
  const agent = paperTalker(async (request) => {
    const { key, attempt } = request.context;
    if (key !== "argument/debater-a") return undefined;
    const usual = await usualReply(request);
    const looked = usual.toolCalls!;
    const reasoning = `Fact: Buses are slow${
      attempt === 1 ? "" : ", says another"
    }. This is attempt ${attempt}. The paper says “${TREES_QUOTE}”`;
    return { ...json(argumentOf(request, looked, { reasoning })), toolCalls: looked };
  });
  const checker = checkerAgent();
  const { workflow, record } = paperDebateOf(agent, {
    factCheck: { mode },
    searchers: [searchOf(server)],
    participants: [
      ...paperCast(agent),
      createParticipant({ name: "Vera", role: "fact_checker" }, checker),
    ],
  });
  const drained = await drain(workflow);
  assert.equal(drained.error, undefined);
  return { ...drained, agent, checker, record };
}

Deno.test("A standard fact check is awaited and is in the judges' notes", async () => {
  const { agent, result, events, checker } = await checked("standard", [FALSE]);
  assert.ok(checker.keys.length > 0);
  assert.ok(!events.some(({ type }) => type === "turn-reject"));
  for (const key of ["score/4/judge", "verdict/judge/1"]) {
    assert.match(promptOf(agent.asked(key)), /fact check found[^]*“Buses are slow\.”/, key);
  }
  assert.match(promptOf(agent.asked("score/5/judge")), /fact check found no claim in turn 5/);
  assert.equal(result!.factChecks!.false, 1);
});

Deno.test("The paper itself is the source of fact checks when there is no other", async () => {
  const agent = paperTalker(async (request) => {
    if (request.context.key !== "argument/debater-a") return undefined;
    const { toolCalls } = await usualReply(request);
    return {
      ...json(argumentOf(request, toolCalls!, { reasoning: "Fact: Narrow streets gain less." })),
      toolCalls,
    };
  });
  const { workflow } = paperDebateOf(agent, {
    factCheck: { mode: "standard" },
    participants: [
      ...paperCast(agent),
      createParticipant({ name: "Vera", role: "fact_checker" }, checkerAgent()),
    ],
  });
  const { events } = await drain(workflow);
  const found = events.flatMap((event) =>
    event.type === "lookup" && event.lookup.tool === "papers" ? [event.lookup] : []
  );
  assert.ok(found.length > 0);
  assert.match(found[0]!.result, /paper\.md/);
  assert.match(found[0]!.result, /The difference was smaller/);
});

Deno.test("Cross-examination is in every judge's prompt, and its speakers saw all the arguments", async () => {
  const agent = paperTalker(({ context: { kind, participant } }) =>
    kind === "cross_examination"
      ? json({ speech: `Crossing words of ${participant}.`, citations: {} })
      : undefined
  );
  await drain(paperDebateOf(agent, { crossExamine: true }).workflow);
  for (const id of ["a", "b", "c"]) {
    const prompt = promptOf(agent.asked(`cross_examination/debater-${id}`));
    assert.equal(prompt.match(/kind="argument"/g)!.length, 3);
    assert.ok(!prompt.includes("Crossing words"), "none hears another's answer");
    for (const key of ["score/4/judge", "score/6/judge", "verdict/judge/2", "insights/judge"]) {
      assert.ok(promptOf(agent.asked(key)).includes(`Crossing words of debater-${id}.`), key);
    }
  }
});

/** Returns a text of a number of words. */
function wordsOf(count: number): string {
  return Array.from({ length: count }, (_, index) => `word${index}`).join(" ");
}

/** Returns an argument with a number of words of reasoning on each topic. */
async function argued(request: Parameters<Say>[0], words: number) {
  const { toolCalls } = await usualReply(request);
  const reasoning = wordsOf(words);
  return { ...json(argumentOf(request, toolCalls!, { reasoning })), toolCalls };
}

Deno.test("A word range applies to arguments and answers alone, and a shorter one is asked for again", async () => {
  const agent = paperTalker(async (request) => {
    const { key, kind, attempt } = request.context;
    if (kind === "argument") return await argued(request, 100);
    if (kind !== "cross_examination") return undefined;
    const short = key === "cross_examination/debater-a" && attempt === 1;
    return json({ speech: short ? "No." : wordsOf(210), citations: {} });
  });
  const { result } = await drain(
    paperDebateOf(agent, { words: { min: 200, max: 1000 }, crossExamine: true }).workflow,
  );
  const crossed = agent.requests.filter(({ context }) =>
    context.key === "cross_examination/debater-a"
  );
  assert.equal(crossed.length, 2);
  assert.equal(result!.messages[6]!.attempts, 2);
  for (const { context, messages } of agent.requests) {
    const asked = /(?:Use|Write) 200 to 1000 words\./.test(messages.at(-1)!.content);
    const wanted = /^(argument|cross_examination)$/.test(context.kind) && messages.length === 2;
    assert.equal(asked, wanted, context.key);
  }
});

Deno.test("Judges are told when they have a debater's model, and no prompt has names of models", async () => {
  const settings: PaperSettings = { crossExamine: true };
  const agent = paperTalker(() => undefined, "ollama:llama3");
  const { result } = await drain(paperDebateOf(agent, settings).workflow);
  assert.match(reportOf(result).notes.join("\n"), /same model/);
  for (const request of agent.requests) assert.doesNotMatch(promptOf(request), /llama/i);
});

Deno.test("The plan of a debate counts its calls, tokens and chain without a request", async () => {
  const agent = paperTalker();
  for (
    const [settings, calls, chain] of [[{}, 13, 5], [{ crossExamine: true }, 16, 6], [
      { question: "How far do trees cool?" },
      12,
      4,
    ]] as const
  ) {
    const { workflow } = paperDebateOf(agent, settings);
    const plan = await workflow.plan();
    assert.deepEqual([plan.calls, plan.chain], [calls, chain]);
    assert.ok(plan.maxTokens > 0);
    assert.equal(agent.requests.length, 0);
    const run = paperTalker();
    await drain(paperDebateOf(run, { ...settings, record: memoryRecord() }).workflow);
    assert.equal(run.requests.length, calls);
  }
});

Deno.test("A word range counts the debater's own words; a longer argument is asked for again and never cut", async () => {
  const said = (words: number) => async (request: Parameters<Say>[0]) =>
    request.context.key === "argument/debater-a" ? await argued(request, words) : undefined;
  const words = { min: 200, max: 1000 };
  const within = await drain(paperDebateOf(paperTalker(said(100)), { words }).workflow);
  const body = within.result!.messages[3]!.body;
  assert.ok(body.split(/\s+/).length > 400, "with the passages it cites it is longer");
  assert.deepEqual([within.result!.messages[3]!.attempts, within.result!.messages[3]!.marks], [
    1,
    [],
  ]);
  const over = await drain(paperDebateOf(paperTalker(said(400)), { words }).workflow);
  const long = over.result!.messages[3]!;
  assert.deepEqual([long.attempts, long.marks], [2, ["too_long"]]);
  for (const topic of TOPICS) {
    assert.ok(long.body.includes(`## ${topic}\n`), "every topic is there");
  }
  assert.match(long.body, /## Overall position/);
});
