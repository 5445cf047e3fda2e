// Facts of a paper debate for tests of reports.
import type { ConveningStart, ParticipantInfo } from "../../../../src/core/event.ts";
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
import type { Message } from "../../../../src/core/message.ts";
import type { Paper, TopicArgument } from "../../../../src/core/paper.ts";
import { posturesBody } from "../../../../src/papers/text/lists.ts";
import { WEB_SEARCH, webResult } from "../../../../src/papers/tools.ts";
import { weightedTotal } from "../../../../src/judging/scoring.ts";
import { round4 } from "../../../../src/core/statistics.ts";
import * as fixtures from "../../../record/support/fixtures.ts";

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

export function roleOf(id: string, name: string, role: string): ParticipantInfo {
  return { id, name, role, label: name, model: "gpt-4o-mini" };
}

export function paperStart(overrides: Partial<ConveningStart> = {}): ConveningStart {
  return fixtures.startOf({
    kind: "paper-debate",
    topic: PAPER.title,
    participants: [
      roleOf("questioner", "Questioner", "questioner"),
      roleOf("debater-a", "Debater A", "debater"),
      roleOf("debater-b", "Debater B", "debater"),
      roleOf("debater-c", "Debater C", "debater"),
      roleOf("judges", "Judge", "judge"),
      roleOf("reporter", "Reporter", "reporter"),
    ],
    judges: [{ id: "judge-1", name: "Judge 1", model: "gpt-4o", rubric: "conceptual" }],
    configuration: {
      kind: "paper-debate",
      paperCharacters: { questions: 50_000, postures: 40_000, debaters: 40_000 },
    },
    papers: [PAPER],
    ...overrides,
  });
}

export function messageOf(seq: number, kind: string, overrides: Partial<Message> = {}): Message {
  const { body = `Message ${seq}`, participant = "questioner" } = overrides;
  const speaker = { participant, name: participant, role: participant };
  const { previous: _previous, ...message } = fixtures.messageOf(seq, {
    turn: kind,
    ...speaker,
    phase: kind,
    kind,
    round: 0,
    ...overrides,
    body,
  });
  return message;
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
export function argumentOf(index: number, overrides: Partial<Evidence> = {}): [Message, Evidence] {
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
  const evidence = fixtures.evidenceOf({
    seq,
    turn,
    participant: id,
    posture,
    perTopic: TOPICS.map((topic) => topicOf(topic)),
    overallPosition: "All in all.",
    citations: {},
    quotations: [],
    ...overrides,
  });
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
  const topics = TOPICS.map((topic, at) => {
    const vector = vectors[Math.min(at, vectors.length - 1)]!;
    const criteria = Object.fromEntries(
      Object.keys(WEIGHTS).map((id, place) => [id, vector[place]!]),
    );
    return { topic, criteria, notes: `Notes on ${topic}.` };
  });
  return topicScoreOf(index, WEIGHTS, topics, overrides);
}

/** Returns a judge's scores of a debater's argument with the means of its topics. */
export function topicScoreOf(
  index: number,
  weights: Readonly<Record<string, number>>,
  topics: NonNullable<Score["topics"]>,
  overrides: Partial<Score> = {},
): Score {
  const criteria = Object.fromEntries(
    Object.keys(weights).map((id) => [
      id,
      round4(topics.reduce((sum, each) => sum + each.criteria[id]!, 0) / topics.length),
    ]),
  );
  return {
    ...fixtures.scoreOf(4 + index, `debater-${"abc"[index]}`, [0, 0]),
    rubric: "conceptual",
    scale: [0, 1],
    weights,
    criteria,
    total: weightedTotal(criteria, weights),
    topics,
    ...overrides,
  };
}

/** Returns a judge's two verdicts, one per order. */
export function verdictsFor(winner: string | null, overrides: Partial<Verdict> = {}): Verdict[] {
  const order = ["debater-a", "debater-b"];
  return [order, order.toReversed()].map((order, at) => ({
    ...fixtures.verdictOf(at + 1, winner),
    rubric: "conceptual",
    order,
    ...overrides,
  }));
}

export function insightsOf(value: unknown, overrides: Partial<Choice> = {}): Choice {
  return fixtures.choiceOf({
    key: "insights/judge-1",
    seq: 7,
    participant: "judge-1",
    kind: "insights",
    value,
    ...overrides,
  });
}

export function failureOf(turn: string, overrides: Partial<Failure> = {}): Failure {
  return fixtures.failureOf({
    seq: 6,
    turn,
    participant: turn.split("/")[1]!,
    code: "agent_unreachable",
    attempts: 3,
    message: "Cannot reach the model: connection refused",
    ...overrides,
  });
}

/** Returns a web search with results or an error. */
export function searchOf(
  number: number,
  found:
    | string
    | readonly { readonly title: string; readonly url: string; readonly snippet: string }[],
): LookUp {
  return fixtures.lookUpOf({
    seq: 4,
    number,
    turn: "argument/debater-a",
    participant: "debater-a",
    tool: WEB_SEARCH,
    args: { query: "retention" },
    failed: typeof found === "string",
    result: typeof found === "string" ? found : webResult(found),
  });
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
    ...fixtures.MADE,
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
