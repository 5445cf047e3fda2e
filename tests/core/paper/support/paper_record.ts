// Facts of a paper debate for tests of reports.
import type { ConveningStart } from "../../../../src/core/event.ts";
import type {
  Choice,
  Evidence,
  Fact,
  Failure,
  LookUp,
  Score,
  Stop,
  Verdict,
} from "../../../../src/core/fact.ts";
import { type Made, type Message, NO_USAGE, sha256 } from "../../../../src/core/message.ts";
import type { Paper, TopicArgument } from "../../../../src/core/paper.ts";
import { posturesBody } from "../../../../src/papers/text/lists.ts";
import { WEB_SEARCH, webResult } from "../../../../src/papers/tools.ts";
import { weightedTotal } from "../../../../src/judging/scoring.ts";
import { round4 } from "../../../../src/core/statistics.ts";

const AT = "2026-11-21T20:33:12.114Z";
const MADE: Made = { model: "gpt-4o-mini", usage: NO_USAGE, latencyMs: 5, createdAt: AT };

export const QUESTION =
  "To what extent does retrieval practice improve retention outside the laboratory?";
export const POSTURES = [
  "Strong support: testing improves retention everywhere",
  "Cautious optimism: the effect holds, its size does not",
  "Critical scepticism: classrooms are no laboratories",
] as const;
export const TOPICS = ["Methodology", "Evidence", "Practice"] as const;
export const WEIGHTS = {
  value: 0.3,
  cohesiveness: 0.25,
  relevance: 0.2,
  clarity: 0.15,
  engagement: 0.1,
};
/** Scores whose weighted sum is 0.8845. */
export const VECTOR = [0.9, 0.85, 0.95, 0.88, 0.8] as const;

export const PAPER: Paper = {
  id: "paper-1",
  title: "Testing effects in real classrooms",
  text: `# Testing effects in real classrooms

Retrieval practice doubled retention after a week. The effect shrank to a tenth in noisy classrooms.

## References

[1] H. Roediger and J. Karpicke, "Test-enhanced learning: taking memory tests improves long-term retention," Psychological
Science, vol. 17, 2006. doi:10.1111/j.1467-9280.2006.01693.x
[2] A. Adams, "On gardens," Garden Letters, 1999.
`,
};

export function paperStart(overrides: Partial<ConveningStart> = {}): ConveningStart {
  const role = (id: string, name: string, role: string) => ({
    id,
    name,
    role,
    label: name,
    model: "gpt-4o-mini",
  });
  return {
    kind: "paper-debate",
    topic: PAPER.title,
    participants: [
      role("questioner", "Questioner", "questioner"),
      role("debater-a", "Debater A", "debater"),
      role("debater-b", "Debater B", "debater"),
      role("debater-c", "Debater C", "debater"),
      role("judges", "Judge", "judge"),
      role("reporter", "Reporter", "reporter"),
    ],
    judges: [{ id: "judge-1", name: "Judge 1", model: "gpt-4o", rubric: "conceptual" }],
    configuration: {
      kind: "paper-debate",
      paperCharacters: { questions: 50_000, postures: 40_000, debaters: 40_000 },
    },
    seed: 1,
    startedAt: "2026-11-21T20:33:05.000Z",
    sources: [],
    papers: [PAPER],
    ...overrides,
  };
}

export function messageOf(
  seq: number,
  kind: string,
  overrides: Partial<Message> = {},
): Message {
  const { body = `Message ${seq}`, participant = "questioner" } = overrides;
  return {
    type: "message",
    seq,
    turn: kind,
    participant,
    name: participant,
    role: participant,
    phase: kind,
    kind,
    round: 0,
    body,
    attempts: 1,
    marks: [],
    sha256: sha256(body),
    ...MADE,
    ...overrides,
  };
}

/** Returns the first messages: questions, the question, postures and topics. */
export function openingOf({ question = QUESTION, postures = POSTURES, topics = TOPICS }: {
  readonly question?: string;
  readonly postures?: readonly string[];
  readonly topics?: readonly string[];
} = {}): Fact[] {
  return [
    messageOf(1, "questions", { body: `1. ${question}\n2. What else?` }),
    messageOf(2, "question", { body: question }),
    messageOf(3, "postures", { body: posturesBody({ postures, topics }) }),
  ];
}

/** Returns a debater's argument: message and evidence. */
export function argumentOf(
  index: number,
  overrides: Partial<Evidence> = {},
): [Message, Evidence] {
  const id = `debater-${"abc"[index]}`;
  const posture = overrides.posture ?? POSTURES[index]!;
  const turn = `argument/${id}`;
  const seq = 4 + index;
  const message = messageOf(seq, "argument", {
    participant: id,
    name: `Debater ${"ABC"[index]}`,
    turn,
    position: posture,
    body: `The argument of ${id}.`,
  });
  const evidence: Evidence = {
    type: "evidence",
    seq,
    turn,
    participant: id,
    posture,
    perTopic: TOPICS.map((topic) => topicOf(topic)),
    overallPosition: "All in all.",
    citations: {},
    quotations: [],
    createdAt: AT,
    ...overrides,
  };
  return [message, evidence];
}

export function topicOf(topic: string, overrides: Partial<TopicArgument> = {}): TopicArgument {
  return {
    topic,
    claim: `A claim on ${topic}.`,
    reasoning: "Because.",
    counterpoints: ["But."],
    citations: {},
    ...overrides,
  };
}

/** Returns a judge's scores of a debater's argument: one vector per topic, the last one for further topics. */
export function scoreFor(
  index: number,
  vectors: readonly (readonly number[])[],
  overrides: Partial<Score> = {},
): Score {
  const ids = Object.keys(WEIGHTS);
  const topics = TOPICS.map((topic, at) => {
    const vector = vectors[Math.min(at, vectors.length - 1)]!;
    return {
      topic,
      criteria: Object.fromEntries(ids.map((id, place) => [id, vector[place]!])),
      notes: `Notes on ${topic}.`,
    };
  });
  const criteria = Object.fromEntries(ids.map((id) => [
    id,
    round4(topics.reduce((sum, each) => sum + each.criteria[id]!, 0) / topics.length),
  ]));
  return {
    type: "score",
    message: 4 + index,
    participant: `debater-${"abc"[index]}`,
    judge: "judge-1",
    rubric: "conceptual",
    scale: [0, 1],
    status: "scored",
    weights: WEIGHTS,
    criteria,
    total: weightedTotal(criteria, WEIGHTS),
    reasons: "Because.",
    topics,
    ...MADE,
    model: "gpt-4o",
    ...overrides,
  };
}

/** Returns a judge's two verdicts, one per order. */
export function verdictsFor(winner: string | null, overrides: Partial<Verdict> = {}): Verdict[] {
  return [1, 2].map((number) => ({
    type: "verdict",
    judge: "judge-1",
    rubric: "conceptual",
    number,
    order: number === 1 ? ["debater-a", "debater-b"] : ["debater-b", "debater-a"],
    status: "read",
    winner,
    reasons: "It was argued best.",
    ...MADE,
    model: "gpt-4o",
    ...overrides,
  }));
}

export function insightsOf(value: unknown, overrides: Partial<Choice> = {}): Choice {
  return {
    type: "choice",
    key: "insights/judge-1",
    seq: 7,
    number: 1,
    participant: "judge-1",
    kind: "insights",
    value,
    reasons: "",
    ...MADE,
    ...overrides,
  };
}

export function failureOf(turn: string, overrides: Partial<Failure> = {}): Failure {
  return {
    type: "failure",
    seq: 6,
    turn,
    participant: turn.split("/")[1]!,
    code: "agent_unreachable",
    attempts: 3,
    message: "Cannot reach the model: connection refused",
    createdAt: AT,
    ...overrides,
  };
}

/** Returns a web search with results or an error. */
export function searchOf(
  number: number,
  found:
    | string
    | readonly { readonly title: string; readonly url: string; readonly snippet: string }[],
): LookUp {
  return {
    type: "lookup",
    seq: 4,
    number,
    turn: "argument/debater-a",
    participant: "debater-a",
    tool: WEB_SEARCH,
    args: { query: "retention" },
    failed: typeof found === "string",
    result: typeof found === "string" ? found : webResult(found),
    createdAt: AT,
  };
}

export function stopOf(overrides: Partial<Stop> = {}): Stop {
  return {
    type: "stop",
    number: 1,
    reason: "max_turns",
    limit: 6,
    value: 6,
    lastSeq: 6,
    body: "It ended before its time.",
    ...MADE,
    ...overrides,
  };
}

export const INSIGHTS = {
  insights: ["Retention grows with effort.", "Noise matters more than age."],
  controversialPoints: ["Whether a week is long enough."],
};

/** Returns the facts of a debate of three with one judge; Debater A wins with 0.8845. */
export function paperFacts(): Fact[] {
  return [
    ...openingOf(),
    ...[0, 1, 2].flatMap((index) => argumentOf(index)),
    scoreFor(0, [VECTOR]),
    scoreFor(1, [[0.5, 0.6, 0.7, 0.8, 0.9], [0.55, 0.65, 0.7, 0.8, 0.85]]),
    scoreFor(2, [[0.4, 0.4, 0.4, 0.4, 0.4]]),
    ...verdictsFor("debater-a"),
    insightsOf(INSIGHTS),
    messageOf(7, "verdict", { participant: "judges", model: "template" }),
    messageOf(8, "report", {
      participant: "reporter",
      body: "The question was whether tests help.\n\nThey do, said most.",
    }),
  ];
}
