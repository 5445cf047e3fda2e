// Facts of a debate and of a consensus search with findings of every type.
import type { Choice, Fact, Stance } from "../../../src/core/fact.ts";
import { type Message, NO_USAGE, sha256 } from "../../../src/core/message.ts";
import type { ConveningStart } from "../../../src/core/event.ts";
import {
  choiceOf,
  draftOf,
  factCheckOf,
  lookUpOf,
  messageOf,
  rejectedOf,
  scoreOf,
  stanceOf,
  startOf,
  uncheckedOf,
  verdictOf,
} from "./fixtures.ts";

/** Start of a debate with two judges, audience and baseline; the audience decides. */
export const FOUND_START: ConveningStart = startOf({
  judges: [
    { id: "judge-1", name: "Judge 1", model: "gpt-4o", rubric: "debate" },
    { id: "judge-2", name: "Judge 2", model: "gpt-4o-mini", rubric: "debate" },
  ],
  configuration: {
    kind: "debate",
    roundCount: 1,
    decision: "audience",
    factCheck: { mode: "strict" },
    baseline: true,
  },
});

function heard(
  when: "before" | "after",
  listener: string,
  [a, b]: readonly [number, number],
): Stance {
  const hold = (on: string, strength: number) => ({
    on,
    stance: strength > 0 ? "agree" : strength < 0 ? "disagree" : "abstain",
    strength: Math.abs(strength),
  } as const);
  return stanceOf({
    key: `stance/${when}/${listener}`,
    seq: when === "before" ? 0 : 5,
    participant: listener,
    stances: [hold("advocate-a", a), hold("advocate-b", b)],
    reasons: `What ${listener} holds ${when}.`,
  });
}

/** Returns an interjection before message `seq + 1`. */
function interjectionOf(seq: number, body: string): Message {
  return messageOf(seq, {
    turn: `interjection/${seq}`,
    participant: "audience",
    name: "Audience",
    role: "audience",
    kind: "interjection",
    body,
    model: "human",
    usage: NO_USAGE,
    latencyMs: 0,
  });
}

function baseline(number: number, winner: string | null): Choice {
  return choiceOf({
    key: `baseline/judge-${number}`,
    seq: 1,
    number,
    participant: `judge-${number}`,
    kind: "baseline",
    value: { winner, answer: "It depends on the city." },
    model: number === 1 ? "gpt-4o" : "gpt-4o-mini",
  });
}

const SECOND = { judge: "judge-2", model: "gpt-4o-mini" } as const;

/** Findings in that debate, false claims and differing judges included. */
export const FOUND: readonly Fact[] = [
  lookUpOf({
    seq: 0,
    turn: "memory",
    participant: "audience",
    tool: "memory",
    args: { topic: "Cars", dir: "2026-11-20T10-00-00_debate" },
    result: "An earlier debate found for bicycles.",
  }),
  baseline(1, "advocate-b"),
  baseline(2, "advocate-a"),
  heard("before", "listener-1", [0.8, -0.2]),
  heard("before", "listener-2", [-0.4, 0.6]),
  heard("before", "listener-3", [0, 0]),
  messageOf(1, { marks: ["accepted_with_false_claims"], attempts: 4 }),
  draftOf(1, { reflection: "SECRET thoughts", critique: "SECRET doubts" }),
  factCheckOf(1, { mode: "strict" }),
  messageOf(2, { replyTo: 1 }),
  uncheckedOf(2),
  interjectionOf(3, "What about buses?"),
  messageOf(4, {
    turn: "interruption/2",
    participant: "moderator",
    name: "Moderator",
    role: "moderator",
    kind: "interruption",
    body: "That claim is not borne out.",
    replyTo: 2,
  }),
  messageOf(5, { replyTo: 4 }),
  rejectedOf({
    seq: 5,
    turn: "turn/5",
    participant: "advocate-a",
    guard: "strict_facts",
    reason: "SECRET reason",
    body: "SECRET attempt",
  }),
  scoreOf(1, "advocate-a", [7, 8]),
  { ...scoreOf(1, "advocate-a", [5, 6]), ...SECOND },
  scoreOf(2, "advocate-b", [6, 6]),
  { ...scoreOf(2, "advocate-b", [7, 9]), ...SECOND },
  verdictOf(1, "advocate-a"),
  verdictOf(2, "advocate-a"),
  { ...verdictOf(1, "advocate-a"), ...SECOND },
  { ...verdictOf(2, "advocate-b"), ...SECOND },
  heard("after", "listener-1", [0.8, -0.2]),
  heard("after", "listener-2", [0.3, 0.9]),
  heard("after", "listener-3", [-0.5, 0.5]),
  choiceOf({
    key: "summary/judge-1",
    seq: 6,
    number: 1,
    participant: "judge-1",
    kind: "summary",
    value: { summary: "Cars were *weighed* against buses." },
    model: "gpt-4o",
  }),
];

/** Start of a consensus search of three participants on two proposals. */
export const CONSENSUS_START: ConveningStart = startOf({
  kind: "consensus",
  participants: ["ada", "bo", "cy"].map((id) => ({
    id,
    name: id.toUpperCase(),
    role: "participant",
    label: `Participant ${id}`,
    model: "gpt-4o-mini",
  })),
  judges: [],
  configuration: { kind: "consensus", threshold: 0.6 },
});

function held(participant: string, seq: number, first: number, second: number): Stance {
  return stanceOf({
    key: `stance/${seq}/${participant}`,
    seq,
    participant,
    stances: [
      { on: "p1", stance: first > 0 ? "agree" : "disagree", strength: Math.abs(first) },
      {
        on: "p2",
        stance: second > 0 ? "agree" : "disagree",
        strength: Math.abs(second),
        ...(second > 0 ? { condition: "If *buses* are free" } : {}),
      },
    ],
  });
}

/** Facts of that search: agreement on the first proposal, not on the second. */
export const CONSENSUS: readonly Fact[] = [
  ...["ada", "bo", "cy"].map((participant, at) => {
    const body = `I propose thing ${at + 1}.`;
    return messageOf(at + 1, {
      participant,
      name: participant.toUpperCase(),
      body,
      sha256: sha256(body),
    });
  }),
  choiceOf({
    key: "proposals",
    seq: 4,
    number: 1,
    participant: "ada",
    kind: "proposals_merged",
    value: {
      proposals: [
        { id: "p1", text: "Close <b>one</b> street", by: ["ada", "bo"] },
        { id: "p2", text: "Close all streets", by: ["cy"] },
      ],
    },
  }),
  held("ada", 3, 0.9, -0.4),
  held("bo", 3, -0.5, -0.9),
  held("cy", 3, -0.5, 0.6),
  messageOf(4, { participant: "bo", name: "BO" }),
  held("bo", 4, 0.7, -0.9),
];
