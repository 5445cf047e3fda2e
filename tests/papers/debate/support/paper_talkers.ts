// Scripted agents for all roles of a paper debate.
import {
  type Agent,
  createPaperDebateWorkflow,
  createParticipant,
  memoryRecord,
  type Participant,
} from "../../../../mod.ts";
import type {
  Paper,
  PaperDebateOptions,
  PaperDebateWorkflow,
  PaperDraft,
} from "../../../../papers.ts";
import type { AgentReply, AgentRequest, MemoryRecord, ToolTrace } from "../../../../protocol.ts";
import type { Rubric } from "../../../../scoring.ts";
import type { SaidArgument } from "../../../support/paper_model.ts";
import { type Say, Talker } from "../../../support/talkers.ts";

const FIRST_PAGE = "Streets with trees were 2.1 degrees cooler at noon than streets without any. " +
  "We measured twelve streets over two summers. ";
const SECOND_PAGE = "The difference was smaller where streets were narrow. " +
  "We did not measure nights.";

export const TREES: Paper = {
  id: "trees",
  title: "Trees and summer heat",
  text: FIRST_PAGE + SECOND_PAGE,
  pages: [0, FIRST_PAGE.length],
};
/** A rubric that is not built in. */
export const OWN_RUBRIC: Rubric = {
  id: "own",
  scale: [0, 5],
  criteria: [
    { id: "rigour", weight: 0.75, description: "Is it rigorous?" },
    { id: "wit", weight: 0.25, description: "Is it witty?" },
  ],
  anchors: [],
};

/** Quotation from the second page. */
export const TREES_QUOTE = "The difference was smaller where streets were narrow.";

export const QUESTIONS: readonly string[] = Array.from(
  { length: 8 },
  (_, index) => `Under what conditions do trees cool streets, case ${index + 1}?`,
);
export const POSTURES: readonly string[] = [
  "Trees cool every street",
  "It depends on the street",
  "Trees hardly matter",
  "Nobody can tell",
];
export const TOPICS: readonly string[] = ["Methodology", "Evidence", "Practice"];
/** A judge's scores; their weighted sum by the conceptual rubric is 0.8845. */
export const VECTOR: readonly number[] = [.9, .85, .95, .88, .8];

/** Creates a talker with fixed replies to all requests of a paper debate; a reply from `say` replaces the usual one. */
export function paperTalker(say: Say = () => undefined, model?: string): Talker {
  return new Talker(async (request) => await say(request) ?? await usualReply(request), model);
}

/** Returns the usual reply to a request of a paper debate; a debater first looks something up. */
export async function usualReply(request: AgentRequest): Promise<Partial<AgentReply>> {
  const { key, kind, data = {}, position = "" } = request.context;
  switch (kind) {
    case "questions":
      return json({ questions: QUESTIONS });
    case "postures": {
      const { minItems } = shapeOf(request, "postures");
      return json({ postures: POSTURES.slice(0, Number(minItems)), topics: TOPICS });
    }
    case "argument": {
      const looked = await lookUp(request, "narrow streets difference");
      return { ...json(argumentOf(request, [looked])), toolCalls: [looked] };
    }
    case "cross_examination":
      return json({ speech: `To the others: ${position}, all the same.`, citations: {} });
    case "topic_scores":
      return json(scoresOf(request));
    case "verdict": {
      const { labels } = data as { labels: Readonly<Record<string, string>> };
      const [[, winner] = []] = Object.entries(labels).toSorted();
      return json({ reasons: `Reasons for ${key}.`, winner });
    }
    case "insights":
      return json({ insights: ["Noon matters."], controversialPoints: ["Nights were left out."] });
    case "claims":
      return json({ claims: [] });
    default:
      return { text: `First words for ${key}.\n\nSecond words, to end with.` };
  }
}

/** Returns the JSON schema of a field of the requested reply; `items` steps into a list. */
function shapeOf({ schema }: AgentRequest, ...path: readonly string[]): Record<string, unknown> {
  const root = schema!.type.toJSONSchema({ io: "input", unrepresentable: "any" });
  return path.reduce<Record<string, unknown>>((at, name) => {
    const fields = name === "items" ? at : at["properties"] as Record<string, unknown>;
    return fields[name] as Record<string, unknown>;
  }, { ...root });
}

/** Returns the topics of the requested argument. */
export function topicsOf(request: AgentRequest): readonly string[] {
  return shapeOf(request, "perTopic", "items", "topic").enum as readonly string[];
}

/** Returns a reply with a value as JSON. */
export function json(value: unknown): { text: string } {
  return { text: JSON.stringify(value) };
}

/** Calls the request's look-up tool. */
export async function lookUp(
  { tools = [], signal }: AgentRequest,
  query: string,
  tool = "lookupPaper",
): Promise<ToolTrace> {
  const args = { query };
  const result = await tools.find(({ name }) => name === tool)!.run(args, { signal });
  return { tool, args, result, failed: false };
}

/** Returns the ids of the chunks in the results of look-ups. */
export function chunksIn(traces: readonly ToolTrace[]): string[] {
  return traces.flatMap(({ result }) => {
    const { hits = [] } = JSON.parse(result) as { hits?: { chunkId: string }[] };
    return hits.map(({ chunkId }) => chunkId);
  });
}

/** Returns an argument on every topic that quotes the paper and cites the first passage of the look-ups. */
export function argumentOf(
  request: AgentRequest,
  looked: readonly ToolTrace[],
  more: Readonly<Record<string, unknown>> = {},
): SaidArgument {
  const { context } = request;
  const topics = topicsOf(request);
  const paper = chunksIn(looked).slice(0, 1).map((chunkId) => ({ chunkId, text: "" }));
  return {
    perTopic: topics.map((topic) => ({
      topic,
      claim: `On ${topic}: ${context.position}.`,
      reasoning: `The paper says “${TREES_QUOTE}” and that bears on ${topic}.`,
      counterpoints: ["It was only two summers."],
      citations: { paper, web: [] },
      ...more,
    })),
    overallPosition: `So ${context.position}.`,
  };
}

/** Returns the scores of `VECTOR` for the first debater, a tenth less for each later debater. */
export function scoresOf({ context }: AgentRequest): {
  perTopic: { topic: string; notes: string; scores: Record<string, number> }[];
} {
  const { rubric, topics, participant } = context.data as {
    rubric: Rubric;
    topics: readonly string[];
    participant: string;
  };
  const less = 0.1 * Math.max(0, "abcdefgh".indexOf(participant.at(-1)!));
  const [least, most] = rubric.scale;
  const scores = Object.fromEntries(
    rubric.criteria.map(({ id }, index) => [
      id,
      least + (most - least) * Math.round((VECTOR[index % 5]! - less) * 1e4) / 1e4,
    ]),
  );
  return { perTopic: topics.map((topic) => ({ topic, notes: `Notes on ${topic}.`, scores })) };
}

/** Creates questioner, debaters and reporter; `agents` has ids as keys: `debater-a`, `questioner`, `reporter`. */
export function paperCast(
  agent: Agent,
  { agents = {}, count = 3 }: {
    readonly agents?: Readonly<Record<string, Agent>> | undefined;
    readonly count?: number | undefined;
  } = {},
): Participant[] {
  const one = (id: string, name: string, role: string) =>
    createParticipant({ name, role, agentConfig: { id } }, agents[id] ?? agent);
  return [
    one("questioner", "Questioner", "questioner"),
    ...Array.from({ length: count }, (_, index) => {
      const letter = "abcdefgh"[index]!;
      return one(`debater-${letter}`, `Debater ${letter.toUpperCase()}`, "debater");
    }),
    one("reporter", "Reporter", "reporter"),
  ];
}

/** Settings of {@linkcode paperDebateOf} besides the workflow's options. */
export interface PaperSettings extends PaperDebateOptions {
  readonly papers?: readonly PaperDraft[];
  /** Agents by id that replace the common one; `judge` is the judge's. */
  readonly agents?: Readonly<Record<string, Agent>>;
  /** Number of debaters. @default 3 */
  readonly count?: number;
}

/** Creates a paper debate in memory. */
export function paperDebateOf(
  agent: Agent,
  { papers = [TREES], agents = {}, count, ...options }: PaperSettings = {},
): { workflow: PaperDebateWorkflow; record: MemoryRecord } {
  const record = memoryRecord();
  const workflow = createPaperDebateWorkflow(papers, {
    participants: paperCast(agent, { agents, count }),
    judges: [{ id: "judge", agent: agents["judge"] ?? agent }],
    seed: 1,
    retry: { minWait: 0, maxWait: 0 },
    // Talkers repeat themselves.
    guards: { repetition: "off" },
    searchers: [],
    record,
    ...options,
  });
  return { workflow, record };
}

/** Returns the text of the only file of a record whose path begins with `start`. */
export function fileOf(files: ReadonlyMap<string, string>, start: string): string {
  const found = [...files].filter(([path]) => path.startsWith(start));
  if (found.length !== 1) throw new Error(`"${start}" begins ${found.length} paths`);
  return found[0]![1];
}
