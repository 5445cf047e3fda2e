// Replies of a model server to every request of a paper debate.
import { firstPosition } from "./first_position.ts";
import type { ModelReply, ModelRequest } from "./model_server.ts";

/** A request of a paper debate, parsed from its schema and prompt. */
export interface PaperAsk {
  /** Name of the schema, such as `paper_questions` or `debater_argument`; `report` without a schema. */
  readonly kind: string;
  /** Contents of all messages, one per line. */
  readonly prompt: string;
  /** Name of the debater, such as `Debater A`; empty for other requests. */
  readonly debater: string;
  /** Posture of the debater. */
  readonly posture: string;
  /** Topics to argue about or to score. */
  readonly topics: readonly string[];
  /** Results of tools so far, oldest first. */
  readonly results: readonly string[];
  /** Names of the tools that can be called. */
  readonly tools: readonly string[];
  readonly request: ModelRequest;
}

/** Scores by criterion; their weighted sum by the conceptual rubric is 0.8845. */
const SCORES: Readonly<Record<string, number>> = {
  value: 0.9,
  cohesiveness: 0.85,
  relevance: 0.95,
  clarity: 0.88,
  engagement: 0.8,
};
const POSTURES = ["It holds everywhere", "It depends", "It hardly holds", "Nobody can tell"];
const TOPICS = ["Methodology", "Evidence", "Practice"];

/**
 * Returns a responder for a model server that runs paper debates: a debater calls one look-up and cites the first
 * returned passage. A reply from `say` replaces the usual one.
 */
export function paperModel(
  say: (ask: PaperAsk) => ModelReply | undefined = () => undefined,
): (request: ModelRequest) => ModelReply {
  return (request) => {
    const ask = askOf(request);
    return say(ask) ?? usualAnswer(ask);
  };
}

/** Parses a request of a paper debate. */
export function askOf(request: ModelRequest): PaperAsk {
  const { messages, response_format: format, tools = [] } = request.body;
  const prompt = messages.map(({ content }) => content ?? "").join("\n");
  const { name = "report", schema = {} } = format?.json_schema ?? {};
  const [, debater = "", posture = ""] =
    /You are (Debater [A-H]); turns under this name are your own\. Your posture: <source name="posture">\n(.*?)\n<\/source>/s
      .exec(prompt) ?? [];
  const topics = at(schema, "properties.perTopic.items.properties.topic.enum");
  return {
    kind: name,
    prompt,
    debater,
    posture,
    topics: Array.isArray(topics) ? topics.map(String) : [],
    results: messages.filter(({ role }) => role === "tool").map(({ content }) => content ?? ""),
    tools: request.body.tool_choice === "none"
      ? []
      : tools.map(({ function: { name: tool } }) => tool),
    request,
  };
}

/** Returns the ids of the chunks in the results of look-ups. */
export function chunkIdsIn({ results }: Pick<PaperAsk, "results">): string[] {
  return results.flatMap((result) =>
    [...result.matchAll(/"chunkId":"([^"]+)"/g)].map(([, id]) => id!)
  );
}

/** Returns a reply that calls a tool. */
export function call(name: string, args: unknown): ModelReply {
  const text = typeof args === "string" ? args : JSON.stringify(args);
  return { toolCalls: [{ name, arguments: text }] };
}

/** JSON reply of a debater. */
export interface SaidArgument {
  readonly perTopic: readonly SaidOnTopic[];
  readonly overallPosition: string;
}

interface SaidOnTopic {
  readonly topic: string;
  readonly claim: string;
  readonly reasoning: string;
  readonly counterpoints: readonly string[];
  readonly citations: {
    readonly paper: readonly { readonly chunkId: string; readonly text: string }[];
    readonly web: readonly { readonly title: string; readonly url: string }[];
  };
}

/** Returns an argument on every topic that cites the first passage of the look-ups; `more` adds fields to each topic. */
export function argumentFor(
  ask: PaperAsk,
  more: Readonly<Record<string, unknown>> = {},
): SaidArgument {
  const paper = chunkIdsIn(ask).slice(0, 1).map((chunkId) => ({ chunkId, text: "" }));
  return {
    perTopic: ask.topics.map((topic) => ({
      topic,
      claim: `On ${topic}: ${ask.posture}.`,
      reasoning: `It follows from what was measured, as far as ${topic} goes.`,
      counterpoints: ["It was only two summers."],
      citations: { paper, web: [] },
      ...more,
    })),
    overallPosition: `So ${ask.posture}.`,
  };
}

function usualAnswer(ask: PaperAsk): ModelReply {
  const { kind, prompt, results, topics, tools, request } = ask;
  const schema = request.body.response_format?.json_schema?.schema ?? {};
  switch (kind) {
    case "paper_questions":
      return {
        json: {
          questions: Array.from(
            { length: 8 },
            (_, i) => `To what extent does finding ${i + 1} hold?`,
          ),
        },
      };
    case "postures_and_topics": {
      const count = Number(/Take (\d+) postures/.exec(prompt)?.[1]);
      return { json: { postures: POSTURES.slice(0, count), topics: TOPICS } };
    }
    case "debater_argument":
      return results.length === 0 && tools.includes("lookupPaper")
        ? call("lookupPaper", { query: "what was measured" })
        : { json: argumentFor(ask) };
    case "cross_examination":
      return {
        json: { speech: "The others leave the nights out.", citations: { paper: [], web: [] } },
      };
    case "topic_scores": {
      const given = at(schema, "properties.perTopic.items.properties.scores.properties") ?? {};
      const scores = Object.fromEntries(Object.keys(given).map((id) => [id, SCORES[id] ?? 0.5]));
      return { json: { perTopic: topics.map((topic) => ({ topic, notes: "Fair.", scores })) } };
    }
    case "verdict": {
      const winners = at(schema, "properties.winner.enum") as string[];
      return {
        json: {
          reasons: "It argued best.",
          winner: firstPosition(prompt, winners),
          mainReason: "",
        },
      };
    }
    case "insights":
      return { json: { insights: ["Noon matters."], controversialPoints: ["Nights."] } };
    default:
      return { text: "It was argued in three ways.\n\nThe first was judged best." };
  }
}

/** Returns the value at a dotted path. */
function at(value: unknown, path: string): object | undefined {
  let found = value;
  for (const name of path.split(".")) {
    if (found === null || typeof found !== "object") return undefined;
    found = Object.entries(found).find(([key]) => key === name)?.[1];
  }
  return found !== null && typeof found === "object" ? found : undefined;
}
