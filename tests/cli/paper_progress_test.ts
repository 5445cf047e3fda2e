// Progress lines of a paper debate.
import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { Progress } from "../../src/cli/progress.ts";
import type { ConveningEvent, ConveningStart, EventBody, TurnInfo } from "../../src/core/event.ts";
import { type Message, NO_USAGE, sha256 } from "../../src/core/message.ts";

const AT = "2026-01-01T00:00:00.000Z";

function startOf(): ConveningStart {
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
    configuration: {},
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
  it("take() shows stages and a line per argument in a terminal, without streamed text", () => {
    const text = shown([...BEGINNING, ...ENDING], { live: true }).replace(/\n {2}(?=\S+ so)/g, " ");
    for (
      const line of [
        "Running debate with 2 debaters...",
        "debater started: For�[2J it",
        "turn 4 failed: the provider is gone",
        "5 · argument · Debater B · argument · 0 tokens and $0 so far · Against, at",
        "Judging arguments...",
      ]
    ) assert.ok(text.includes(`\n  ${line}`), line);
    assert.doesNotMatch(text, /Mixed|up /);
  });

  it("take() writes a line per debater and the chosen question when piped", () => {
    const chosen = stage("question_selected", { question: "To what extent?" });
    const text = shown([chosen, ...BEGINNING, ...ENDING], { live: false });
    assert.match(
      text,
      /^5 · argument · Debater B · argument · 0 tokens and \$0 so far · Against, at length\.$/m,
    );
    assert.match(text, /^--pick N or --question TEXT chooses another question$/m);
    assert.doesNotMatch(text, /Mixed|── |complete|To what extent/);
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
