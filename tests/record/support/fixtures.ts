// Facts of every type, events, and records in memory for tests of records.
import {
  type ConveningEvent,
  type ConveningStart,
  type Ending,
  type EventBody,
  eventOf,
  type ParticipantInfo,
} from "../../../src/core/event.ts";
import type {
  Choice,
  Evidence,
  Fact,
  FactCheck,
  Failure,
  LookUp,
  Rejection,
  Score,
  Stance,
  Stop,
  TurnDraft,
  Verdict,
} from "../../../src/core/fact.ts";
import { type Made, type Message, NO_USAGE, sha256 } from "../../../src/core/message.ts";
import type { OpenRecord } from "../../../src/core/record.ts";
import { weightedTotal } from "../../../src/judging/scoring.ts";

export const AT = "2026-11-21T20:33:12.114Z";

export const MADE: Made = {
  model: "gpt-4o-mini",
  usage: { inputTokens: 812, cachedInputTokens: 640, outputTokens: 214, costUsd: 0.00025 },
  latencyMs: 5123,
  createdAt: AT,
};

export const MODERATOR: ParticipantInfo = {
  id: "moderator",
  name: "Moderator",
  role: "moderator",
  label: "Moderator",
  model: "template",
};

export function advocateOf(
  id: string,
  name: string,
  overrides: Partial<ParticipantInfo> & { readonly label: string },
): ParticipantInfo {
  return { id, name, role: "position_advocate", model: "gpt-4o-mini", ...overrides };
}

export function startOf(overrides: Partial<ConveningStart> = {}): ConveningStart {
  return {
    kind: "debate",
    topic: "Should cities ban private cars from their centres?",
    participants: [
      MODERATOR,
      advocateOf("advocate-a", "Ada", { label: "Advocate A", position: "Yes, they should" }),
      advocateOf("advocate-b", "Bo", { label: "Advocate B", position: "No" }),
    ],
    judges: [{ id: "judge-1", name: "Judge 1", model: "gpt-4o", rubric: "debate" }],
    configuration: { kind: "debate", roundCount: 2, limits: { maxTokens: 200000, maxCost: 0.5 } },
    seed: 1,
    startedAt: "2026-11-21T20:33:05.000Z",
    sources: [],
    expectedMessages: 16,
    ...overrides,
  };
}

export function messageOf(seq: number, overrides: Partial<Message> = {}): Message {
  const body = overrides.body ?? `Message ${seq} says a thing. And another one, at some length.`;
  return {
    type: "message",
    seq,
    turn: `turn/${seq}`,
    participant: seq % 2 === 1 ? "advocate-a" : "advocate-b",
    name: seq % 2 === 1 ? "Ada" : "Bo",
    role: "position_advocate",
    phase: "argument",
    kind: "argument",
    round: Math.ceil(seq / 4),
    ...(seq > 1 ? { previous: seq - 1 } : {}),
    body,
    attempts: 1,
    marks: [],
    sha256: sha256(body),
    ...MADE,
    ...overrides,
  };
}

const WEIGHTS = { logic: 0.6, evidence: 0.4 };

export function scoreOf(
  message: number,
  participant: string,
  numbers: readonly [number, number],
): Score {
  const criteria = { logic: numbers[0], evidence: numbers[1] };
  return {
    type: "score",
    message,
    participant,
    judge: "judge-1",
    rubric: "debate",
    scale: [0, 10],
    status: "scored",
    weights: WEIGHTS,
    criteria,
    total: weightedTotal(criteria, WEIGHTS),
    reasons: "Because.",
    ...MADE,
    model: "gpt-4o",
  };
}

export function verdictOf(number: number, winner: string | null): Verdict {
  return {
    type: "verdict",
    judge: "judge-1",
    rubric: "debate",
    number,
    order: number === 1 ? ["advocate-a", "advocate-b"] : ["advocate-b", "advocate-a"],
    status: "read",
    winner,
    reasons: "It held.",
    ...MADE,
    model: "gpt-4o",
  };
}

/** Returns a fact check of a message with a claim of each verdict. */
export function factCheckOf(message: number, overrides: Partial<FactCheck> = {}): FactCheck {
  return {
    type: "fact-check",
    message,
    participant: message % 2 === 1 ? "advocate-a" : "advocate-b",
    mode: "standard",
    status: "checked",
    factuality: 0.5,
    claims: [
      {
        text: "Cars take half of the street",
        quote: "says a thing",
        verdict: "true",
        confidence: 0.9,
        sources: [{ title: "Streets", url: "https://example.org/a", snippet: "Half of it." }],
      },
      { text: "Nobody walks", quote: "a thing", verdict: "false", confidence: 0.8, sources: [] },
      {
        text: "Shops will close",
        quote: "at some length",
        verdict: "unverifiable",
        confidence: 0.2,
        sources: [{ title: "", url: "sources/a.md", snippet: "" }],
      },
    ],
    reasons: "One of each.",
    ...MADE,
    ...overrides,
  };
}

/** Returns a stance, by default after message 2. */
export function stanceOf(overrides: Partial<Stance> = {}): Stance {
  return {
    type: "stance",
    key: "stance/2/advocate-a",
    seq: 2,
    participant: "advocate-a",
    status: "read",
    stances: [{ on: "p1", stance: "agree", strength: 0.7, condition: "If it is cheap" }],
    reasons: "It would work.",
    ...MADE,
    ...overrides,
  };
}

/** Returns the private fields of a message's turn. */
export function draftOf(seq: number, fields: Readonly<Record<string, string>>): TurnDraft {
  return {
    type: "draft",
    seq,
    turn: `turn/${seq}`,
    participant: seq % 2 === 1 ? "advocate-a" : "advocate-b",
    fields,
    createdAt: AT,
  };
}

/** Returns the evidence of a debater's message, by default message 2. */
export function evidenceOf(overrides: Partial<Evidence> = {}): Evidence {
  return {
    type: "evidence",
    seq: 2,
    turn: "turn/2",
    participant: "advocate-b",
    posture: "No",
    perTopic: [{
      topic: "Streets",
      claim: "They: stay --- open.",
      reasoning: "“Half of it”, it says.\n\n---\nSo be it.",
      counterpoints: ["- None", "Some"],
      citations: {
        paper: [
          {
            chunkId: "streets#1",
            text: "Half of it\nis cars'.",
            score: 0.75,
            paper: "streets",
            page: 3,
            start: 10,
            end: 29,
            status: "verified",
          },
          { chunkId: "streets#9", text: "", score: 0, status: "not found" },
        ],
        web: [{
          title: "Cars",
          url: "https://example.org/c",
          snippet: "Many.",
          status: "verified",
        }],
      },
    }],
    overallPosition: "No.",
    citations: { web: [] },
    quotations: [
      {
        text: "Half of it",
        status: "verified",
        from: "paper",
        source: "streets",
        start: 10,
        end: 20,
        page: 3,
        topic: "Streets",
      },
      { text: "None of it at all", status: "not found" },
    ],
    createdAt: AT,
    ...overrides,
  };
}

/** Returns an answer to a structured question, by default before message 2. */
export function choiceOf(overrides: Partial<Choice> = {}): Choice {
  return {
    type: "choice",
    key: "bid/2",
    seq: 2,
    number: 1,
    participant: "advocate-a",
    kind: "bid",
    value: { bid: 0.4, why: ["a: b", null, true] },
    reasons: "",
    ...MADE,
    ...overrides,
  };
}

export function endingOf(overrides: Partial<Ending> = {}): Ending {
  return {
    status: "completed",
    endReason: "completed",
    outcome: "decided",
    winner: "advocate-a",
    scores: {},
    unscored: [],
    contradictions: [],
    notes: [],
    summary: "",
    usage: NO_USAGE,
    duration: 1,
    endedAt: "2026-11-21T20:40:00.000Z",
    ...overrides,
  };
}

/** Returns a rejected attempt, by default of message 2. */
export function rejectedOf(overrides: Partial<Rejection> = {}): Rejection {
  return {
    type: "rejected",
    seq: 2,
    turn: "turn/2",
    participant: "advocate-b",
    attempt: 1,
    guard: "length",
    reason: "Too long: 40 words",
    body: "Well…",
    ...MADE,
    ...overrides,
  };
}

/** Returns a failed turn, by default of message 4. */
export function failureOf(overrides: Partial<Failure> = {}): Failure {
  return {
    type: "failure",
    seq: 4,
    turn: "turn/4",
    participant: "advocate-b",
    code: "agent_timeout",
    attempts: 5,
    message: "Cannot reach it",
    createdAt: AT,
    ...overrides,
  };
}

/** Returns a fact check of a message that the search could not make. */
export function uncheckedOf(message: number): FactCheck {
  return factCheckOf(message, {
    mode: "strict",
    status: "unchecked",
    reason: "The search could not be reached",
    factuality: null,
    claims: [],
    reasons: "",
  });
}

/** Returns a stop at the limit of tokens, by default after message 3. */
export function stopOf(overrides: Partial<Stop> = {}): Stop {
  return {
    type: "stop",
    number: 1,
    reason: "max_tokens",
    limit: 1000,
    value: 1001,
    lastSeq: 3,
    body: "So far.",
    ...MADE,
    ...overrides,
  };
}

/** Returns a look-up, by default of message 2. */
export function lookUpOf(overrides: Partial<LookUp> = {}): LookUp {
  return {
    type: "lookup",
    seq: 2,
    number: 1,
    turn: "turn/2",
    participant: "advocate-b",
    tool: "search",
    args: { query: "No" },
    failed: false,
    result: "---\nnothing\n",
    createdAt: AT,
    ...overrides,
  };
}

/** Numbers events of a record, as an engine does. */
export class Events {
  #n: number;
  readonly #record: OpenRecord;

  constructor(record: OpenRecord) {
    this.#record = record;
    this.#n = record.lastEvent;
  }

  apply(body: EventBody): Promise<void> {
    return this.#record.apply({ ...body, n: ++this.#n, at: AT } as ConveningEvent);
  }

  fact(fact: Fact): Promise<void> {
    return this.apply(eventOf(fact));
  }
}

export const FACTS: readonly Fact[] = [
  messageOf(1),
  messageOf(2, {
    replyTo: 1,
    position: "No",
    marks: ["truncated"],
    usage: { ...MADE.usage, costUsd: "unknown" },
  }),
  messageOf(3, {
    phase: "summary",
    kind: "summary",
    role: "moderator",
    participant: "moderator",
    name: "Moderator",
    round: 0,
    body: "In short: *cars*.",
  }),
  scoreOf(1, "advocate-a", [7.5, 8]),
  {
    ...scoreOf(2, "advocate-b", [6, 7]),
    topics: [
      { topic: "Streets: *all*", criteria: { logic: 5, evidence: 7 }, notes: "A\n---\nnote." },
      { topic: "Shops", criteria: { logic: 7, evidence: 7 }, notes: "" },
    ],
  },
  verdictOf(1, "advocate-a"),
  verdictOf(2, "advocate-a"),
  rejectedOf(),
  failureOf(),
  choiceOf(),
  { type: "context", number: 1, through: 2, body: "Earlier.", ...MADE },
  lookUpOf({
    seq: 0,
    turn: "memory",
    participant: "audience",
    tool: "memory",
    args: { topic: "Cars", dir: "2026-11-20/2026-11-20T10-00-00_debate" },
    result: "An earlier debate.",
  }),
  lookUpOf(),
  stopOf(),
  factCheckOf(1),
  uncheckedOf(2),
  {
    type: "flow",
    message: 1,
    participant: "advocate-a",
    status: "read",
    points: [{
      id: "A1",
      kind: "new",
      answers: [],
      text: "A thing is said.",
      quote: "Message 1 says a thing",
    }],
    ...MADE,
  },
  draftOf(2, { reflection: "I see.\n\n## critique\n", critique: "", "odd | *field*": "\n\n" }),
  {
    type: "thought",
    key: "score/2/judge",
    message: 2,
    participant: "judge",
    body: "Is there any proof?",
    createdAt: AT,
  },
  stanceOf({ key: "stance/before/listener-1", seq: 0, participant: "listener-1", stances: [] }),
  stanceOf(),
  evidenceOf(),
  {
    type: "brief",
    number: 1,
    form: "questions",
    judges: ["judge"],
    through: 2,
    cruxes: [{ crux: "The thing holds.", otherwise: "The other side is right." }],
    questions: [{ question: "Does the thing hold?", why: "The outcome rests on it." }],
    recommendation: "Find out first.",
    ...MADE,
  },
  {
    type: "own",
    kind: "word_count",
    key: "2",
    message: 2,
    value: { words: 12, longest: "centres" },
    body: "Twelve words.",
    createdAt: AT,
  },
];

/** Returns a resume after a number of messages. */
export function resumeOf(replayed: number): EventBody {
  return { type: "convening-resume", replayed, usage: MADE.usage };
}
