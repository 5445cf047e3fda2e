import { firstPosition } from "./first_position.ts";
import type { ModelReply, ModelRequest } from "./model_server.ts";

/** What a request of a paper debate asks for, read from its schema and its prompt, as a model would. */
export interface PaperAsk {
  /** The name of the schema: `paper_questions`, `debater_argument` …; `report` where there is none. */
  readonly kind: string;
  /** All that is said in the request, one message after another. */
  readonly prompt: string;
  /** Who is asked, such as `Debater A`; empty for all but debaters. */
  readonly debater: string;
  /** What a debater stands for. */
  readonly posture: string;
  /** The topics to be argued or scored. */
  readonly topics: readonly string[];
  /** What tools have returned so far, oldest first. */
  readonly results: readonly string[];
  /** The tools that can be called. */
  readonly tools: readonly string[];
  readonly request: ModelRequest;
}

/** Numbers whose sum by the conceptual rubric's weights is 0.8845, by criterion. */
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
 * A responder for a model server that holds paper debates: a debater looks one thing up and cites the first passage
 * it is given. `say` answers in its place where it gives something.
 */
export function paperModel(
  say: (ask: PaperAsk) => ModelReply | undefined = () => undefined,
): (request: ModelRequest) => ModelReply {
  return (request) => {
    const ask = askOf(request);
    return say(ask) ?? usualAnswer(ask);
  };
}

/** What a request asks for. */
export function askOf(request: ModelRequest): PaperAsk {
  const { messages, response_format: format, tools = [] } = request.body;
  const prompt = messages.map(({ content }) => content ?? "").join("\n");
  const { name = "report", schema = {} } = format?.json_schema ?? {};
  const [, debater = "", posture = ""] =
    /You are (Debater [A-H]); turns under this name are your own\. Your posture: <source name="posture">\n(.*?)\n<\/source>/s
      .exec(prompt) ?? [];
  const [, list = ""] =
    /The topics, in this order:\n<source name="topics">\n((?:\d+\. .*\n)+)/.exec(prompt) ?? [];
  const scored = at(schema, "properties.perTopic.items.properties.topic.enum");
  return {
    kind: name,
    prompt,
    debater,
    posture,
    topics: Array.isArray(scored)
      ? scored.map(String)
      : list.trim().split("\n").map((line) => line.replace(/^\d+\. /, "")),
    results: messages.filter(({ role }) => role === "tool").map(({ content }) => content ?? ""),
    tools: request.body.tool_choice === "none"
      ? []
      : tools.map(({ function: { name: tool } }) => tool),
    request,
  };
}

/** The ids of the chunks that look-ups returned. */
export function chunkIdsIn({ results }: Pick<PaperAsk, "results">): string[] {
  return results.flatMap((result) =>
    [...result.matchAll(/"chunkId":"([^"]+)"/g)].map(([, id]) => id!)
  );
}

/** A call of a tool. */
export function call(name: string, args: unknown): ModelReply {
  const text = typeof args === "string" ? args : JSON.stringify(args);
  return { toolCalls: [{ name, arguments: text }] };
}

/** What a debater replies, as JSON. */
export interface SaidArgument {
  readonly perTopic: readonly SaidOnTopic[];
  readonly overallPosition: string;
}

/** What a debater replies on one topic. */
export interface SaidOnTopic {
  readonly topic: string;
  readonly claim: string;
  readonly reasoning: string;
  readonly counterpoints: readonly string[];
  readonly citations: {
    readonly paper: readonly { readonly chunkId: string; readonly text: string }[];
    readonly web: readonly { readonly title: string; readonly url: string }[];
  };
}

/** An argument on every topic that cites the first passage looked up; `more` goes over each topic's. */
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

/** The value at a path of names. */
function at(value: unknown, path: string): object | undefined {
  let found = value;
  for (const name of path.split(".")) {
    if (found === null || typeof found !== "object") return undefined;
    found = Object.entries(found).find(([key]) => key === name)?.[1];
  }
  return found !== null && typeof found === "object" ? found : undefined;
}
