// Judging a completed convening again.
import assert from "node:assert/strict";
import { join } from "@std/path";
import {
  AgentError,
  composeConvening,
  createParticipant,
  folderRecord,
  interject,
  judge,
  listConvenings,
  noteFlow,
  openConvening,
  resume,
  verify,
  writeBrief,
} from "../../mod.ts";
import { type AgentRequest, defaultHost } from "../../protocol.ts";
import { rubricNamed } from "../../scoring.ts";
import { paperDebateOf, paperTalker } from "../papers/debate/support/paper_talkers.ts";
import {
  called,
  dialogueOf,
  DROPPED,
  noting,
  promptOf,
  Talker,
  TOPIC,
} from "../support/talkers.ts";
import { withFolder } from "../support/cli.ts";
import { ROOT } from "../support/deno_process.ts";
import { filesUnder } from "../support/golden_runs.ts";
import { keepDebate } from "./support/kept_debate.ts";

/** Creates a judge with high scores whose winner is the side with an id, the first side in the list (`first`), or a tie. */
function judging(preferred: string, model = "ollama:judge"): Talker {
  return new Talker(({ context }) => {
    if (context.kind === "verdict") {
      const { labels } = context.data as { labels: Record<string, string> };
      const winner = preferred === "first" ? "Side 1" : labels[preferred] ?? "tie";
      return { text: JSON.stringify({ reasons: "So it is.", winner }) };
    }
    if (context.kind !== "score") return undefined;
    const { rubric } = context.data as {
      rubric: { scale: [number, number]; criteria: { id: string }[] };
    };
    const scores = Object.fromEntries(rubric.criteria.map(({ id }) => [id, rubric.scale[1] * 0.9]));
    return { text: JSON.stringify({ reasons: "Well argued.", scores }) };
  }, model);
}

/** Returns a record's files of messages, scores and verdicts. */
async function filesOf(dir: string): Promise<Map<string, string>> {
  const files = [...await filesUnder(dir)];
  return new Map(files.filter(([path]) => /^(?:messages|scores|verdicts)\//.test(path)));
}

withFolder.test("judge() adds a panel with another rubric and leaves the first scores unchanged, byte for byte", async (out) => {
  const { dir } = await keepDebate(out, new Talker());
  const before = await filesOf(dir);
  const first = (await openConvening(dir)).result;
  const agent = judging("b");
  const { panel, judges, convening } = await judge(dir, {
    judges: [{ agent, rubric: "academic" }],
  });
  assert.deepEqual(judges.map(({ rubric }) => rubric), ["academic"]);
  assert.equal(panel.outcome, "decided");
  assert.equal(panel.winner, "b");
  assert.deepEqual(Object.values(panel.scores).map(({ total }) => total), [0.9, 0.9]);
  const after = await filesOf(dir);
  for (const [path, text] of before) assert.equal(after.get(path), text, path);
  assert.equal(after.size, before.size + 8 + 2, "eight speeches and two orders were judged");
  for (const key of ["status", "endReason", "outcome", "winner", "scores", "endedAt"] as const) {
    assert.deepEqual(convening.result[key], first[key], key);
  }
  assert.deepEqual((await verify(dir)).findings, []);
  assert.match(await Deno.readTextFile(`${dir}/scores.md`), /academic/);

  const again = judging("nobody");
  await judge(dir, { judges: [{ agent: again, rubric: "academic" }] });
  assert.deepEqual(again.keys, [], "the same judge, model and rubric ask only for what is missing");
  const resumed = await resume(dir);
  assert.equal((await resumed.run()).winner, first.winner);
});

withFolder.test("judge() scores by each rubric, also if one request scores a round's turns and the judge has scored by another", async (out) => {
  const config = { kind: "debate", topic: TOPIC, roundCount: 1, scoreBy: "round" } as const;
  const run = await composeConvening({ ...config, model: "offline", seed: 1, out });
  const { dir = "" } = await run.run();
  const scored: (readonly number[])[] = [];
  const asked: number[] = [];
  for (const rubric of ["academic", "conceptual", "academic"]) {
    const before = await filesOf(dir);
    const { panel } = await judge(dir, { judges: [{ rubric }] });
    scored.push(Object.values(panel.scores).map(({ scored }) => scored));
    asked.push((await filesOf(dir)).size - before.size);
  }
  assert.deepEqual(scored, [[5, 5], [5, 5], [5, 5]]);
  assert.deepEqual(asked, [10 + 2, 10 + 2, 0]);
});

withFolder.test("judge() compares the whole debate again if the convening was resumed since the judge's verdict", async (out) => {
  const config = { kind: "debate", topic: TOPIC, model: "offline", seed: 1, out } as const;
  const { dir = "" } = await (await composeConvening({ ...config, limits: { maxTurns: 5 } })).run();
  const winnerBy = async (preferred: string) => {
    const agent = judging(preferred);
    const { panel } = await judge(dir, { judges: [{ agent }] });
    return [panel.winner, agent.keys.filter((key) => key.startsWith("verdict/")).length];
  };
  assert.deepEqual(await winnerBy("advocate-a"), ["advocate-a", 2]);
  await (await resume(dir, { config: { limits: { maxTurns: 100 } } })).run();
  assert.deepEqual(await winnerBy("advocate-b"), ["advocate-b", 2]);
  assert.deepEqual(await winnerBy("advocate-a"), ["advocate-b", 0], "judged already");
  assert.deepEqual((await verify(dir)).findings, []);
  const page = await Deno.readTextFile(join(dir, "index.md"));
  assert.match(page, /Judged again, .*: Winner: Advocate B/, "the verdict on the part has no vote");
});

withFolder.test("judge() takes no answer of one model for that of another whose long name differs only at the end", async (out) => {
  const { dir } = await keepDebate(out, new Talker());
  const [small, large] = ["8B", "70B"].map((size) =>
    `lmstudio:lmstudio-community/Meta-Llama-3.1-${size}-Instruct-GGUF`
  );
  const first = await judge(dir, { judges: [{ agent: judging("a", small) }] });
  const second = await judge(dir, { judges: [{ agent: judging("b", large) }] });
  assert.deepEqual([first, second].map(({ panel }) => panel.winner), ["a", "b"]);
  const agents = [judging("b", small), judging("a", large)];
  const both = await judge(dir, { judges: agents.map((agent) => ({ agent })) });
  assert.deepEqual(both.panel.strength?.votes.map(({ winner }) => winner), ["a", "b"]);
  assert.deepEqual(agents.flatMap(({ keys }) => keys), [], "both have judged already");
  assert.deepEqual((await verify(dir)).findings, []);
});

withFolder.test("judge() asks nothing again that an earlier version recorded under the cut name of the model", async (out) => {
  const model = "lmstudio:lmstudio-community/Meta-Llama-3.1-8B-Instruct-GGUF";
  const id = "again-lmstudio-lmstudio-community-meta-llama-3";
  const { dir } = await keepDebate(out, new Talker(), {
    judges: [{ id, agent: judging("a", model) }],
  });
  const agent = judging("b", model);
  const { judges, panel } = await judge(dir, { judges: [{ agent }] });
  assert.deepEqual([judges[0]!.id, panel.winner, agent.keys], [id, "a", []]);
});

withFolder.test("judge() asks with the prompt texts that the debate's configuration sets", async (out) => {
  const prompts = { score: "Rate turn {answered}.", verdict: "Choose one of\n{sides}" };
  const agent = judging("b");
  const { dir } = await keepDebate(out, new Talker(), { prompts });
  await judge(dir, { judges: [{ agent }] });
  const asked = agent.requests.map(({ messages }) => messages.at(-1)!.content);
  assert.ok(asked.some((text) => text.includes("Rate turn 2.")));
  assert.ok(asked.some((text) => text.includes("Choose one of\n- Side 1: ")));
});

withFolder.test("judge() scores blind openings blind, states task and format, and names no model", async (out) => {
  const { dir } = await keepDebate(out, new Talker());
  const agent = judging("first");
  const { panel } = await judge(dir, { judges: [{ agent, rubric: rubricNamed("debate") }] });
  const textOf = ({ messages }: AgentRequest) => messages.map(({ content }) => content).join("\n");
  const opening = agent.requests.find(({ context }) =>
    context.kind === "score" && context.key.startsWith("score/3/")
  )!;
  assert.ok(!textOf(opening).includes("Speech for opening/a"), "the other opening is not shown");
  assert.ok(textOf(opening).includes("Speech for opening/b"));
  assert.match(textOf(opening), /^This is a formal debate\. /m);
  assert.match(textOf(opening), /no figure is invented\.[^]*^Judges are impartial: /m);
  assert.match(textOf(opening), /Its task was: “Give your opening statement: [^{}”]* words\.”/);
  assert.ok(agent.requests.every((request) => !textOf(request).includes("ollama:judge")));
  assert.equal(panel.outcome, "undecided", "a judge that goes by the order is a tie");
  assert.ok(panel.agreement!.judges.every(({ steady }) => !steady));
});

withFolder.test("judge() scores no answer to an interruption, as the first judges did not", async (out) => {
  const breach = JSON.stringify({ reason: "It does.", breach: true, rule: "No remarks." });
  const agent = new Talker(({ context }) =>
    context.kind === "ruling" ? { text: breach } : undefined
  );
  for (const scoreBy of ["turn", "round"] as const) {
    const config = { interruptions: "rules", scoreBy } as const;
    const { dir, messages } = await keepDebate(out, agent, config);
    const answers = messages.filter(({ kind }) => kind === "interruption_answer");
    assert.ok(answers.length > 0);
    const { facts } = (await judge(dir, { judges: [{ agent: judging("b") }] })).convening;
    const scores = facts.filter((fact) => fact.type === "score");
    const scoredBy = (own: boolean) =>
      scores.filter(({ judge }) => (judge === "j") === own).map(({ message }) => message).sort();
    assert.deepEqual(scoredBy(false), scoredBy(true), scoreBy);
    assert.ok(answers.every(({ seq }) => !scoredBy(false).includes(seq)));
  }
});

withFolder.test("judge() scores and compares the debaters of a paper debate that spoke, and shows no earlier judgement", async (out) => {
  const weak = new Talker(({ context: { key } }) => {
    throw new AgentError("agent_auth", `Cannot use "${key}"`, { status: 401 });
  });
  const speaker = paperTalker(async ({ context }) => {
    if (context.key !== "report") return undefined;
    // A remark after the judgement hides the judgement no less.
    await interject((await listConvenings(out))[0]!.dir, "What about bikes?");
    return undefined;
  });
  const { dir = "" } = await paperDebateOf(speaker, {
    agents: { "debater-b": weak },
    record: folderRecord({ out }),
  }).workflow.run();
  assert.equal((await openConvening(dir)).messages.at(-1)!.body, "What about bikes?");
  const before = await filesOf(dir);
  const agent = paperTalker();
  const { panel } = await judge(dir, { judges: [{ agent, rubric: "academic" }] });
  assert.deepEqual(Object.keys(panel.scores), ["debater-a", "debater-c"]);
  assert.deepEqual([panel.outcome, panel.winner], ["decided", "debater-a"]);
  assert.equal((await filesOf(dir)).size, before.size + 2 + 2);
  const verdict = (await openConvening(dir)).messages.find(({ kind }) => kind === "verdict")!;
  assert.ok(agent.requests.every((request) => !promptOf(request).includes(verdict.body)));
  const compared = agent.requests.filter(({ context }) => context.kind === "verdict").map(promptOf);
  assert.equal(compared.length, 2);
  for (const prompt of compared) {
    assert.match(prompt, /- Side 2: /);
    assert.doesNotMatch(prompt, /Side 3|Debater B/);
  }
  assert.deepEqual((await verify(dir)).findings, []);
});

withFolder.test("judge() and noteFlow() check no claim again, though the record names a fact checker", async (out) => {
  const inputs = { searchers: [{ name: "none", search: () => Promise.resolve([]) }] };
  const common = { seed: 1, model: "offline", factCheck: {}, out } as const;
  const papers = [join(ROOT, "examples/papers/compressed_week.md")];
  const paper = await composeConvening({ ...common, kind: "paper-debate", papers }, inputs);
  const { dir = "" } = await paper.run();
  await judge(dir);
  assert.deepEqual((await verify(dir)).findings, []);

  const settings = { ...common, kind: "debate", topic: TOPIC, roundCount: 0 } as const;
  const debate = await composeConvening({ ...settings, moderation: "model" }, inputs);
  const { dir: debated = "" } = await debate.run();
  await judge(debated);
  await noteFlow(debated, { agent: new Talker(noting(DROPPED)) });
  assert.deepEqual((await verify(debated)).findings, []);
});

withFolder.test("judge() accepts a dialogue and rejects an unfinished or empty one", async (out) => {
  const agent = new Talker();
  const ben = createParticipant({ name: "Ben", agentConfig: { model: "human" } });
  const { workflow } = dialogueOf(agent, {
    participants: [...called(agent, "Ada"), ben],
    maxTurns: 3,
    record: folderRecord({ out }),
    personTimeout: 0,
    host: defaultHost,
  });
  const { dir = "" } = await workflow.run();
  const judges = [{ agent: judging("ada"), rubric: "conceptual" }];
  await assert.rejects(judge(dir, { judges }), /it has not ended \(waiting\)/);
  const resumed = await resume(dir, {
    agents: { ada: agent },
    say: { participant: "ben", text: "I am a person." },
  });
  assert.equal((await resumed.run()).status, "completed");
  const { panel } = await judge(dir, { judges });
  assert.equal(panel.winner, "ada");
  assert.equal(
    (await openConvening(dir)).result.outcome,
    "unscored",
    "it has no judges of its own",
  );
  assert.deepEqual((await verify(dir)).findings, []);
  await assert.rejects(judge(dir, { judges: [{ rubric: "no-such" }] }), /no-such/);
  await assert.rejects(judge(dir, { judges: [...judges, ...judges] }), /named twice/);
  // Nobody answers for a person or a client after the end.
  for (const model of ["human", "client"]) {
    const refusal = { code: "config_invalid", message: new RegExp(`"${model}".*nobody`) };
    await assert.rejects(judge(dir, { judges: [{ model }] }), { ...refusal, field: "judges" });
    await assert.rejects(writeBrief(dir, { model }), { ...refusal, field: "model" });
  }
  await assert.rejects(judge(`${out}/nowhere`, { judges }), /nowhere/);
});

withFolder.test("judge() at a limit returns the limit, and the convening keeps its own end and summary", async (out) => {
  const unscored = { limits: { maxTurns: 4 }, scoringEnabled: false, judges: undefined };
  const { dir, ...first } = await keepDebate(out, new Talker(), unscored);
  const judges = [{ agent: judging("b") }];
  const { endReason, convening } = await judge(dir, { judges, limits: { maxTokens: 1 } });
  assert.equal(endReason, "max_tokens");
  assert.equal(convening.result.endReason, "max_turns");
  assert.equal(convening.result.summary, first.summary);
  assert.deepEqual((await verify(dir)).findings, []);
  const whole = await judge(dir, { judges, limits: { maxCost: 1 } });
  assert.deepEqual([whole.endReason, whole.panel.winner], ["completed", "b"]);
});

withFolder.test("judge() leaves unscored files with the reason when replies are unreadable, never a number", async (out) => {
  const { dir } = await keepDebate(out, new Talker());
  const agent = new Talker(() => ({ text: "{ not JSON" }), "ollama:broken");
  const { panel } = await judge(dir, { judges: [{ agent }] });
  assert.equal(panel.outcome, "unscored");
  assert.deepEqual([Object.keys(panel.scores), [...panel.unscored].sort()], [[], ["a", "b"]]);
  const { facts } = await openConvening(dir);
  const scores = facts.filter((fact) => fact.type === "score" && fact.model === "ollama:broken");
  assert.equal(scores.length, 8);
  for (const score of scores) {
    assert.ok(score.type === "score" && score.status === "unscored" && score.reason !== undefined);
  }
  assert.deepEqual((await verify(dir)).findings, []);
});

withFolder.test("judge() reports its own judges' result when an audience decided the convening", async (out) => {
  const agent = new Talker();
  const { dir, ...first } = await keepDebate(out, agent, {
    roundCount: 0,
    decision: "audience",
    audience: [{ agent }],
  });
  const winner = first.winner === "a" ? "b" : "a";
  const { panel, convening } = await judge(dir, { judges: [{ agent: judging(winner) }] });
  assert.deepEqual([panel.outcome, panel.winner], ["decided", winner]);
  assert.equal(convening.result.winner, first.winner);
});
