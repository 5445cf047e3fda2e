// Progress lines of a paper debate.
import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { Progress } from "../../src/cli/progress.ts";
import type { ConveningEvent, ConveningStart, EventBody, TurnInfo } from "../../src/core/event.ts";
import type { Evidence } from "../../src/core/fact.ts";
import { type Message, NO_USAGE, sha256 } from "../../src/core/message.ts";

const AT = "2026-01-01T00:00:00.000Z";

function startOf(configuration: ConveningStart["configuration"] = {}): ConveningStart {
  const debater = (letter: string) => ({
    id: `debater-${letter.toLowerCase()}`,
    name: `Debater ${letter}`,
    role: "debater",
    label: `Debater ${letter}`,
    model: "m",
  });
  return {
    kind: "paper-debate",
    topic: "Street trees and heat",
    participants: [debater("A"), debater("B")],
    judges: [],
    configuration,
    seed: 1,
    startedAt: AT,
    sources: [],
  };
}

function turn(seq: number, kind: string, letter: string): TurnInfo {
  const participant = `debater-${letter.toLowerCase()}`;
  return {
    seq,
    turn: `${kind}/${participant}`,
    participant,
    name: `Debater ${letter}`,
    phase: kind,
    kind,
    round: 0,
  };
}

function said(info: TurnInfo, body: string, position?: string): EventBody {
  const message: Message = {
    ...info,
    type: "message",
    role: "debater",
    ...position === undefined ? {} : { position },
    body,
    attempts: 1,
    marks: [],
    sha256: sha256(body),
    model: "m",
    usage: { ...NO_USAGE, outputTokens: 12 },
    latencyMs: 1,
    createdAt: AT,
  };
  return { type: "message", message, usage: NO_USAGE };
}

/** Returns evidence with quotations of these marks. */
function evidence({ seq, turn, participant }: TurnInfo, marks: readonly boolean[]): EventBody {
  const found: Evidence = {
    type: "evidence",
    seq,
    turn,
    participant,
    posture: "For",
    perTopic: [],
    overallPosition: "",
    citations: {},
    quotations: marks.map((isFound, at) => ({
      text: `Passage ${at}`,
      status: isFound ? "verified" : "not found",
    })),
    createdAt: AT,
  };
  return { type: "evidence", evidence: found };
}

function stage(name: string, data: unknown = null): EventBody {
  return { type: "stage", name, data };
}

function shown(
  events: readonly EventBody[],
  options: { readonly live: boolean; readonly start?: ConveningStart },
): string {
  let text = "";
  const progress = new Progress((more) => text += more, options);
  for (const body of events) progress.take({ n: 1, at: AT, ...body } as ConveningEvent);
  progress.end();
  return text;
}

const [A, B] = [turn(4, "argument", "A"), turn(5, "argument", "B")];
const BEGINNING: readonly EventBody[] = [
  { type: "convening-start", start: startOf() },
  { type: "phase-start", phase: "argument" },
  stage("Running debate with 2 debaters..."),
  stage("debater_started", { debaterIndex: 0, posture: "For\x1b[2J it", total: 2 }),
  stage("debater_started", { debaterIndex: 1, posture: "Against it", total: 2 }),
  { type: "turn-start", turn: A },
  { type: "turn-start", turn: B },
  { type: "message-delta", turn: A, text: "Mixed " },
  { type: "message-delta", turn: B, text: "up " },
];
const ENDING: readonly EventBody[] = [
  evidence(B, [true, true, false]),
  said(B, "Against, at length.", "Against it"),
  stage("debater_complete", { debaterIndex: 1 }),
  {
    type: "turn-fail",
    failure: {
      ...{ type: "failure", turn: A.turn, seq: 4, participant: A.participant, createdAt: AT },
      ...{ code: "agent_timeout", message: "the provider\nis gone", attempts: 4 },
    } as Extract<EventBody, { type: "turn-fail" }>["failure"],
  },
  stage("debater_error", { debaterIndex: 0, error: "gone" }),
  stage("Judging arguments..."),
];

describe("Progress of a paper debate", () => {
  it("take() shows a line at the start and the end of a debater in a terminal, without streamed text", () => {
    assert.equal(
      shown([...BEGINNING, ...ENDING], { live: true }),
      [
        "Street trees and heat",
        "paper debate · 2 participants",
        "  Running debate with 2 debaters...",
        "  Debater A begins: For�[2J it",
        "  Debater B begins: Against it",
        "  Debater A failed: the provider is gone",
        "  Debater B has argued: 2 verified, 1 not found (5 · 12 tokens in this turn · 0",
        "  tokens and $0 so far)",
        "  Judging arguments...",
        "",
      ].join("\n"),
    );
  });

  it("take() writes a line per debater with the verified quotations when piped", () => {
    const text = shown([...BEGINNING, ...ENDING], { live: false });
    assert.match(
      text,
      /^5 · argument · Debater B · argument · 0 tokens and \$0 so far · 2 verified, 1 not found · Against it$/m,
    );
    assert.match(text, /^Debater A failed: the provider is gone$/m);
    assert.doesNotMatch(text, /Mixed|at length|debater_|── /);
  });

  it("take() names the debaters that still argue when a debate is resumed", () => {
    const again: EventBody = { type: "message-reset", turn: A, reason: "it was cut off" };
    const cross = turn(6, "cross_examination", "B");
    const text = shown([
      { type: "convening-resume", replayed: 4, usage: NO_USAGE },
      { type: "turn-start", turn: A },
      again,
      { type: "turn-start", turn: cross },
      evidence(cross, []),
      said(cross, "An answer."),
    ], { live: true, start: startOf() });
    assert.match(text, /^ {2}Debater A argues\n {2}Debater A begins again: it was cut off$/m);
    assert.match(text, /^ {2}Debater B answers the others$/m);
    assert.match(text, /^ {2}Debater B has answered the others: 0 verified, 0 not found \(6/m);
  });

  it("take() prints the debated question and, if none was chosen, how to choose another", () => {
    const questions = ["To what extent?", "By what means?"];
    const told = (configuration: ConveningStart["configuration"], question: string) =>
      shown([
        { type: "convening-start", start: startOf(configuration) },
        stage("Generating questions from paper..."),
        stage("questions_generated", { questions }),
        stage("question_selected", { question }),
      ], { live: false });
    assert.match(
      told({}, questions[0]!),
      /^Question 1 of 2 is debated; --pick N or --question TEXT chooses another$/m,
    );
    assert.match(told({ pick: 2 }, questions[1]!), /^Question 2 of 2 is debated$/m);
    assert.equal(told({ pick: "ask" }, "Of one's own?"), "Generating questions from paper...\n");
  });

  it("take() streams an argument of another kind of debate", () => {
    const start = { ...startOf(), kind: "debate" };
    const text = shown([
      { type: "convening-start", start },
      { type: "turn-start", turn: A },
      { type: "message-delta", turn: A, text: "As it comes" },
    ], { live: true });
    assert.match(text, /Debater A argument\nAs it comes/);
  });
});
