// Scores by rounds: one request per round and judge, the same files, one more request for an unreadable part.
import assert from "node:assert/strict";
import { createAgent, judge, verify } from "../../mod.ts";
import { withFolder } from "../support/cli.ts";
import { folderRecord } from "../../src/record/directory_record.ts";
import type { AgentRequest } from "../../protocol.ts";
import { createScoringAgent } from "../../scoring.ts";
import { debateOf, drain, promptOf, type Say, Talker } from "../support/talkers.ts";

/** Returns scores of the requested turns; `change` edits a turn's part. */
function roundScores(
  { schema }: AgentRequest,
  change: (turn: number, part: unknown) => unknown = (_, part) => part,
): { text: string } {
  const { properties } = schema!.type.toJSONSchema({ io: "input", unrepresentable: "any" }) as {
    readonly properties: Record<
      string,
      { readonly properties: { readonly scores: { readonly properties: object } } }
    >;
  };
  const parts = Object.entries(properties).map(([key, { properties: { scores } }]) => {
    const turn = Number(key.replace("turn_", ""));
    const criteria = Object.keys(scores.properties).map((id, index) => [id, (turn + index) % 11]);
    const part = { reasons: `Reasons for ${key}.`, scores: Object.fromEntries(criteria) };
    return [key, change(turn, part)];
  });
  return { text: JSON.stringify(Object.fromEntries(parts)) };
}

function scoring(change?: Parameters<typeof roundScores>[1]): Talker {
  const say: Say = (request) =>
    request.context.kind === "round_scores" ? roundScores(request, change) : undefined;
  return new Talker(say);
}

const byRound = { scoreBy: "round", roundCount: 2 } as const;
const scoreKeys = (agent: Talker) => agent.keys.filter((key) => key.startsWith("score"));
const scoreFiles = (files: ReadonlyMap<string, string>) =>
  [...files].filter(([path]) => path.startsWith("scores/"));

Deno.test("A judge scores all turns of a round in one request and writes the files of single scores", async () => {
  const agent = scoring();
  const { workflow, record } = debateOf(agent, byRound);
  const { result, error } = await drain(workflow);
  assert.equal(error, undefined);
  assert.deepEqual(scoreKeys(agent), [
    "score-round/opening-0/j",
    "score-round/argument-1/j",
    "score-round/argument-2/j",
    "score-round/closing-0/j",
  ]);
  const single = debateOf(new Talker(), { roundCount: 2 });
  await drain(single.workflow);
  const names = (files: ReadonlyMap<string, string>) => scoreFiles(files).map(([path]) => path);
  assert.deepEqual(names(record.files), names(single.record.files));
  assert.ok(names(record.files).length > 8);
  // A request's usage counts once: with the first score of its round.
  const paid = scoreFiles(record.files).filter(([, text]) => /input_tokens: 100\b/.test(text));
  assert.equal(paid.length, 4);
  assert.equal(result?.usage.inputTokens, agent.requests.length * 100);
  assert.match(record.files.get("metadata.md")!, /^ {2}scoreBy: round$/m);

  const openings = promptOf(agent.asked("score-round/opening-0/j"));
  // Blind openings do not see each other; their judge sees both.
  for (const key of ["opening/a", "opening/b"]) {
    assert.match(openings, new RegExp(`Speech for ${key}`));
  }
  assert.match(openings, /- Turn \d, by Ada\. Its speaker had seen .*Its task was: “Give your/);
  assert.match(openings, /it is not scored on responsiveness/i);
  const round = promptOf(agent.asked("score-round/argument-1/j"));
  assert.equal(
    round.split("<turn number=").length - 1,
    new Set(round.match(/<turn number="\d+"/g)).size,
  );
});

Deno.test("A turn with an unreadable part in a round's scores is scored by a request of its own", async () => {
  let bad = 0;
  const agent = scoring((turn, part) => {
    if (bad === 0) bad = turn;
    return turn === bad ? { reasons: "", scores: {} } : part;
  });
  const { workflow, record } = debateOf(agent, byRound);
  const { result, error } = await drain(workflow);
  assert.equal(error, undefined);
  assert.deepEqual(scoreKeys(agent).filter((key) => !key.startsWith("score-round")), [
    `score/${bad}/j`,
  ]);
  assert.ok(scoreFiles(record.files).every(([, text]) => /^status: scored$/m.test(text)));
  assert.equal(result?.usage.inputTokens, agent.requests.length * 100);
});

Deno.test("A reply without any scores leads to a request for every turn", async () => {
  const agent = new Talker(({ context }) =>
    context.kind === "round_scores" ? { text: "I would rather not." } : undefined
  );
  const { workflow, record } = debateOf(agent, { ...byRound, roundCount: 1 });
  const { result } = await drain(workflow);
  const alone = scoreKeys(agent).filter((key) => !key.startsWith("score-round"));
  assert.equal(alone.length, scoreFiles(record.files).length);
  assert.equal(result?.usage.inputTokens, agent.requests.length * 100);
});

Deno.test("A program scores turn by turn when other judges score by rounds", async () => {
  const scored = new Set<number>();
  const program = createScoringAgent("words", ({ seq }, { criteria }) => {
    scored.add(seq);
    return {
      scores: Object.fromEntries(criteria.map(({ id }) => [id, seq % 11])),
      reasons: "By number.",
    };
  });
  const agent = scoring();
  const { workflow, record } = debateOf(agent, { ...byRound, agents: { j: program } });
  const { result, error } = await drain(workflow);
  assert.equal(error, undefined);
  assert.deepEqual(scoreKeys(agent), []);
  const files = scoreFiles(record.files);
  // A verdict of the program scores the turns again.
  assert.deepEqual(
    files.map(([path]) => Number(path.slice(7, 10))),
    [...scored].sort((a, b) => a - b),
  );
  assert.ok(files.every(([, text]) => /^status: scored$/m.test(text)));
  assert.equal(result?.usage.inputTokens, agent.requests.length * 100);
});

Deno.test("A person judges turn by turn when other judges score by rounds", async () => {
  const { workflow, record } = debateOf(scoring(), {
    ...byRound,
    roundCount: 1,
    agents: { j: createAgent("human") },
  });
  const asked: string[] = [];
  for await (const event of workflow.stream()) {
    if (event.type !== "turn-wait") continue;
    const { turn: { turn }, task } = event;
    asked.push(turn);
    const criteria = [...task.matchAll(/^- (\w+): number 0 to 10/gm)].map(([, id]) => `${id}: 6`);
    if (!turn.startsWith("score/")) {
      assert.match(task, /^The criteria and their weights: (?:\w+ 0\.\d+, ){4}\w+ 0\.\d+\. /m);
      assert.match(task, /^- winner: one of Side 1, Side 2, tie\n- mainReason: text; may be/m);
    }
    workflow.say(
      "j",
      turn.startsWith("score/")
        ? [`reasons: For ${turn}.`, ...criteria].join("\n")
        : "reasons: More sense.\nwinner: a",
    );
  }
  const scores = scoreFiles(record.files);
  const turns = scores.map(([path]) => Number(/\d+/.exec(path)));
  assert.deepEqual(
    asked.filter((turn) => turn.startsWith("score")),
    turns.map((seq) => `score/${seq}/j`),
  );
  assert.ok(turns.length > 4);
  for (const [at, [, text]] of scores.entries()) {
    assert.match(text, /^status: scored$/m);
    assert.match(text, /^model: human$/m);
    assert.ok(text.includes(`For score/${turns[at]}/j.`));
  }
});

Deno.test("A resume repeats no request for a round's scores, wherever the run stopped", async () => {
  const whole = scoring();
  const { workflow, record } = debateOf(whole, { ...byRound, pacing: "simultaneous" });
  await drain(workflow);
  const asked = whole.keys.toSorted();
  for (let at = 1; at < asked.length; at += 3) {
    const stop = new AbortController();
    const keys: string[] = [];
    const counting = () =>
      new Talker((request) => {
        keys.push(request.context.key);
        if (keys.length === at) stop.abort();
        return request.context.kind === "round_scores" ? roundScores(request) : undefined;
      });
    const options = { ...byRound, pacing: "simultaneous" as const };
    const first = debateOf(counting(), { ...options, signal: stop.signal });
    await drain(first.workflow);
    const again = debateOf(counting(), { ...options, record: first.record });
    const { result } = await drain(again.workflow);
    assert.equal(result?.status, "completed");
    const names = (files: ReadonlyMap<string, string>) => scoreFiles(files).map(([path]) => path);
    assert.deepEqual(names(first.record.files).toSorted(), names(record.files).toSorted());
  }
});

withFolder.test("Judging again scores by rounds when the debate was scored by rounds", async (out) => {
  const { workflow } = debateOf(scoring(), { ...byRound, record: folderRecord({ out }) });
  const { result } = await drain(workflow);
  const agent = new Talker(
    (request) => request.context.kind === "round_scores" ? roundScores(request) : undefined,
    "ollama:another",
  );
  const { panel } = await judge(result!.dir!, { judges: [{ agent }] });
  assert.equal(scoreKeys(agent).length, 4);
  assert.equal(Object.keys(panel.scores).length, 2);
  assert.deepEqual((await verify(result!.dir!)).findings, []);
});
