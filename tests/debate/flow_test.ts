// Notes of points in a debate: numbering, prompts, judges, failures and resumes.
import assert from "node:assert/strict";
import {
  AgentError,
  createDebateParticipant,
  type DebateWorkflowConfig,
  memoryRecord,
} from "../../mod.ts";
import type { Flow } from "../../src/core/fact.ts";
import {
  bodyOf,
  cast,
  debateOf,
  drain,
  DROPPED,
  noting,
  promptOf,
  type Say,
  Talker,
} from "../support/talkers.ts";
import { createHumanAgent } from "../../src/agents/human.ts";

async function held(config: DebateWorkflowConfig = {}, say: Say = noting(DROPPED)) {
  const agent = new Talker(say);
  const { workflow, record } = debateOf(agent, { flow: true, ...config });
  const { result, error, events } = await drain(workflow);
  assert.equal(error, undefined);
  const flows = events.flatMap((event) => event.type === "flow" ? [event.flow] : [])
    .toSorted((a, b) => a.message - b.message);
  return { agent, record, result: result!, flows };
}

Deno.test("The note-taker is told to judge nothing, and that a concession may be about no earlier point", async () => {
  const { agent, flows } = await held({}, noting({ "opening/a": [["concedes", [], "A limit"]] }));
  const prompt = promptOf(agent.asked("notes/2/1"));
  assert.doesNotMatch(prompt.replace("and judge nothing", ""), /judge/);
  assert.match(
    prompt,
    /concedes: it grants [^;]*, or names a limit of its own, without ids;[^]* ids of the earlier points [^.]*, if any\./,
  );
  assert.deepEqual(flows[0]!.points.map(({ kind, answers }) => [kind, answers]), [[
    "concedes",
    [],
  ]]);
});

const idsOf = (flows: readonly Flow[]) =>
  flows.map(({ points }) => points.map(({ id }) => id).join(" "));
const sectionOf = (prompt: string) => /<flow>\n([^]*)\n<\/flow>/.exec(prompt)?.[1]?.split("\n");

Deno.test("Points are numbered by side and rest on words of the turn", async () => {
  const { flows, record } = await held();
  assert.deepEqual(idsOf(flows), ["A1 A2", "B1", "A3", "B2", "B3 B4", "A4", "A5", ""]);
  assert.equal(flows[0]!.points[0]!.quote, "Speech for opening/a");
  assert.deepEqual([flows[4]!.points[1]!.answers, flows[4]!.unknown], [[], 1]);
  assert.ok(record.files.has("flow/002.md"));
});

Deno.test("A point whose words are not in the turn is removed and counted", async () => {
  const { flows, record } = await held({}, ({ context }) =>
    context.kind === "notes"
      ? {
        text: JSON.stringify({
          points: [{ quote: "Nobody said these words", text: "x", kind: "new", answers: [] }],
        }),
      }
      : undefined);
  assert.deepEqual(flows.map(({ points, dropped }) => [points.length, dropped])[0], [0, 1]);
  assert.match(
    record.files.get("arguments.md")!,
    /; 8 points left out, whose words are not in the turn\. A point/,
  );
});

Deno.test("A speaker receives the notes up to the turn before the last", async () => {
  const { agent } = await held();
  assert.deepEqual(sectionOf(promptOf(agent.asked("round-1/rebuttal/a/b"))), [
    "Points of yours that stand unanswered:",
    "- A2 (turn 2): Streets belong to people",
    "Points of others that you have not met:",
    "- B2 (Ben, turn 5, answers A1): Filters clean the air as well",
  ]);
  // The notes of turns 2 and 3 are not ready for turn 4.
  assert.equal(sectionOf(promptOf(agent.asked("round-1/argument/a"))), undefined);
});

Deno.test("A person sees the notes that a model would receive, without tags", async () => {
  const agent = new Talker(noting(DROPPED));
  const { workflow } = debateOf(agent, { flow: true, agents: { a: createHumanAgent() } });
  const tasks = new Map<string, string>();
  for await (const event of workflow.stream()) {
    if (event.type !== "turn-wait") continue;
    const { turn, participant } = event.turn;
    tasks.set(turn, event.task);
    workflow.say(participant, `Speech for ${turn}. It is said in good time.`);
  }
  const task = tasks.get("round-1/rebuttal/a/b")!;
  assert.ok(
    task.startsWith([
      "These are notes of the debate up to the turn before the last.",
      "Points of yours that stand unanswered:",
      "- A2 (turn 2): Streets belong to people",
      "Points of others that you have not met:",
      "- B2 (Ben, turn 5, answers A1): Filters clean the air as well\n\n",
    ].join("\n")),
    task,
  );
  assert.doesNotMatch(tasks.get("opening/a")!, /notes of the debate/);
});

Deno.test("Judges receive all points, with dropped and conceded ones marked", async () => {
  const { agent } = await held();
  const lines = sectionOf(promptOf(agent.asked("verdict/j/1")))!;
  const of = (id: string) => lines.find((line) => line.startsWith(`- ${id} `));
  assert.match(of("A2")!, /dropped: nobody answered it/);
  assert.match(of("B1")!, /conceded by the other side/);
  assert.match(of("A4")!, /repeats A1/);
  assert.doesNotMatch(of("A1")!, /dropped/);
});

Deno.test("A point that its own side withdrew is neither dropped nor left to be met", async () => {
  const points = {
    ...DROPPED,
    "round-1/argument/a": [["concedes", ["B1", "A2"], "Streets are for vans too"]] as const,
  };
  const { agent, flows, record } = await held({ transcript: ["argdown"] }, noting(points));
  assert.deepEqual([flows[2]!.points[0]!.answers, flows[2]!.unknown], [["B1", "A2"], undefined]);
  const lineOf = (key: string) =>
    sectionOf(promptOf(agent.asked(key)))?.find((line) => /Streets belong to people/.test(line));
  assert.match(lineOf("verdict/j/1")!, /\[withdrawn by its own side\]$/);
  for (const side of ["a", "b"]) assert.equal(lineOf(`closing/${side}`), undefined);
  assert.match(
    record.files.get("arguments.md")!,
    /\n## Withdrawn\n\n- \*\*A2\*\*, Ada[^\n]*\n\n## Repeated/,
  );
  assert.deepEqual(JSON.parse(record.files.get("arguments.json")!).withdrawn, ["A2"]);
  assert.match(record.files.get("transcript.argdown")!, /^<A2>: .* #withdrawn\n {2}- <A3>$/m);
});

Deno.test("Without the flow there are no notes, and no prompt names dropped points", async () => {
  const { agent, flows } = await held({ flow: false });
  assert.equal(flows.length, 0);
  assert.ok(agent.requests.every((request) => sectionOf(promptOf(request)) === undefined));
});

Deno.test("arguments.md lists dropped, conceded and repeated points", async () => {
  const { record } = await held({ transcript: ["argdown"] });
  const page = record.files.get("arguments.md")!;
  const part = (title: string) => page.split(`## ${title}\n`)[1]!.split("\n## ")[0]!;
  assert.match(part("Dropped"), /\*\*A2\*\*, Ada/);
  assert.match(part("Conceded"), /\*\*B1\*\*, Ben/);
  assert.match(part("Repeated"), /\*\*A4\*\* repeats A1/);
  assert.match(
    part("Flow sheet"),
    /\| A1 \| \*\*A1\*\*: Clean air saves lives .*\*\*B2\*\* answers A1/,
  );
  const { points, dropped } = JSON.parse(record.files.get("arguments.json")!);
  assert.deepEqual([points.length, dropped], [9, ["A2", "B2", "B4", "A5"]]);
  assert.match(record.files.get("transcript.argdown")!, /^<A1>: .* #\(Ada\)\n {2}- <B2>$/m);
});

Deno.test("One request reads a turn for notes and fact checks together", async () => {
  for (const mode of ["standard", "strict"] as const) {
    const { agent, record } = await held({ factCheck: { mode }, searchers: [] });
    assert.ok(!agent.keys.some((key) => key.startsWith("claims/")), mode);
    assert.equal(agent.keys.filter((key) => key.startsWith("notes/")).length, 8, mode);
    const check = record.files.get("fact-checks/002.md")!;
    assert.match(check, /quote: Speech for opening\/a/);
    assert.match(check, /input_tokens: 0/);
  }
});

Deno.test("An unreadable note-taker leaves a turn without notes, and no point counts as dropped because of it", async () => {
  const usual = noting(DROPPED);
  const { flows, record } = await held(
    {},
    (request) => request.context.key.startsWith("notes/5/") ? { text: "no JSON" } : usual(request),
  );
  const unread = flows.find(({ message }) => message === 5)!;
  assert.equal(unread.status, "unread");
  assert.match(unread.reason!, /no JSON/);
  const page = record.files.get("arguments.md")!;
  assert.match(page, /1 turn could not be noted/);
  assert.doesNotMatch(page, /without notes/);
});

Deno.test("An adaptive debate with notes ends when a round has neither a new point nor an answer", async () => {
  const { agent, result } = await held({ adaptive: true, roundCount: 4 });
  assert.equal(result.endReason, "nothing_new");
  assert.ok(!agent.keys.includes("round-2/review/m"));
  assert.ok(
    agent.keys.includes("round-2/argument/a") && !agent.keys.includes("round-3/argument/a"),
  );
});

Deno.test("The plan counts a request per turn for notes and one more call before the verdict", async () => {
  const planOf = (flow: boolean) => debateOf(new Talker(), { flow }).workflow.plan();
  const [without, noted] = await Promise.all([planOf(false), planOf(true)]);
  assert.equal(noted.calls - without.calls, 8);
  assert.equal(noted.chain - without.chain, 1);
});

Deno.test("A debate that was planned before it runs, as a terminal does, is noted", async () => {
  const { workflow } = debateOf(new Talker(noting(DROPPED)), { flow: true });
  await workflow.plan();
  const { events } = await drain(workflow);
  assert.equal(events.filter(({ type }) => type === "flow").length, 8);
});

for (const judged of [true, false]) {
  Deno.test(`A note-taker that may answer later ${judged ? "fails a judged run, and a resume notes the turn" : "leaves a turn without notes where nobody judges"}`, async () => {
    let isBusy = true;
    const usual = noting(DROPPED);
    const agent = new Talker((request) => {
      if (isBusy && request.context.key.startsWith("notes/3/")) {
        throw new AgentError("agent_rate_limited", "later", { retryable: true });
      }
      return usual(request);
    });
    const record = memoryRecord();
    const retry = { minWait: 0, maxWait: 0, retries: 1 };
    const options = { flow: true, record, retry, scoringEnabled: judged };
    const hold = () => drain(debateOf(agent, options).workflow);
    const first = await hold();
    const notes = () => record.files.get("flow/003.md");
    if (!judged) {
      assert.equal(first.result?.status, "completed");
      assert.match(notes()!, /^status: unread$/m);
      return;
    }
    assert.equal((first.error as AgentError).code, "agent_rate_limited");
    assert.equal(notes(), undefined);
    isBusy = false;
    assert.equal((await hold()).result?.status, "completed");
    assert.match(notes()!, /^status: read$/m);
  });
}

/** Waits of a speech, or of a speech's notes, by message number. */
const LATE = {
  "the first turn's notes are": (seq, isNoted) => isNoted ? 60 - seq : 0,
  "the first turn is": (seq, isNoted) => isNoted ? 0 : 60 - seq,
  // Turns 10 and 12 are one side's: the later is written first, and both wait for the notes of turn 8.
  "the notes before two turns are": (seq, isNoted) =>
    isNoted ? (seq === 8 ? 90 : 0) : ({ 8: 0, 12: 20, 10: 40 }[seq] ?? 60),
} satisfies Record<string, (seq: number, isNoted: boolean) => number>;

for (const [late, waits] of Object.entries(LATE)) {
  Deno.test(`Points of simultaneous turns are numbered without gaps and once, however late ${late}`, async () => {
    const agent = new Talker(async (request) => {
      const { context } = request;
      const isNoted = context.kind === "notes";
      const seq = isNoted ? Number(context.key.split("/")[1]) : context.seq;
      for (let wait = waits(seq, isNoted); wait > 0; wait--) {
        await new Promise((resolve) => setTimeout(resolve, 0));
      }
      if (!isNoted) return undefined;
      const quote = bodyOf(context).split(". ")[0]!;
      const point = { quote, text: quote, kind: "new", answers: [] };
      return { text: JSON.stringify({ points: [point, point] }) };
    });
    const cleo = { name: "Cleo", position: "Position c", agentConfig: { id: "c" } };
    const participants = [...cast(agent), createDebateParticipant(cleo, agent)];
    const options = { participants, flow: true, scoringEnabled: false };
    const { events, error } = await drain(
      debateOf(agent, { ...options, pacing: "simultaneous" }).workflow,
    );
    assert.equal(error, undefined);
    const flows = events.flatMap((event) => event.type === "flow" ? [event.flow] : [])
      .toSorted((a, b) => a.message - b.message);
    for (const side of ["a", "b", "c"]) {
      const ids = flows.filter(({ participant }) => participant === side)
        .flatMap(({ points }) => points.map(({ id }) => Number(id.slice(1))));
      const inOrder = late === "the first turn's notes are";
      const all = inOrder ? ids : ids.toSorted((a, b) => a - b);
      assert.deepEqual(all, ids.map((_, index) => index + 1));
      assert.equal(ids.length, 10);
    }
  });
}
