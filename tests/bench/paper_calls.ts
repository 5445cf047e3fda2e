import type { ChatBody, ModelReply } from "../support/model_reply.ts";

/** How often a debater looks something up before it argues. */
const LOOK_UPS = 2;

/** The calls of a paper debate that wait for one another, however many debaters there are. */
export const PAPER_CHAIN =
  ["questions", "postures", "look-up", "look-up", "argument", "judging", "report"]
    .length;

/** What the model server answers in a paper debate; undefined where a request is none of one. */
export function paperReply(body: ChatBody): ModelReply | undefined {
  const prompt = body.messages.map(({ content }) => content ?? "").join("\n");
  if (prompt.includes("Report this debate to somebody")) return { text: "It was debated." };
  const { name, schema } = body.response_format?.json_schema ?? { name: "", schema: {} };
  switch (name) {
    case "paper_questions":
      return { json: { questions: eight("Under what conditions does it hold") } };
    case "postures_and_topics":
      return {
        json: {
          postures: eight("It holds as far as is said here").slice(0, countIn(schema)),
          topics: TOPICS,
        },
      };
    case "debater_argument":
      return argument(body);
    case "topic_scores":
      return { json: { perTopic: TOPICS.map(scored) } };
    case "insights":
      return { json: { insights: ["It was said."], controversialPoints: ["How far."] } };
    case "verdict":
      return prompt.includes("debate over research papers")
        ? { json: { reasons: "None was better.", winner: "tie" } }
        : undefined;
    default:
      return undefined;
  }
}

const TOPICS = ["Methodology", "Evidence", "Practice"];

function eight(text: string): string[] {
  return Array.from({ length: 8 }, (_, index) => `${text}, case ${index + 1}?`);
}

/** How many postures a schema asks for. */
function countIn(schema: unknown): number {
  const text = JSON.stringify(schema);
  return Number(/"postures":\{[^}]*?"minItems":(\d+)/.exec(text)?.[1] ?? 8);
}

function argument({ messages }: ChatBody): ModelReply {
  const asked = messages.filter(({ role }) => role === "tool").length;
  if (asked < LOOK_UPS) {
    return { toolCalls: [{ name: "lookupPaper", arguments: `{"query":"measured ${asked}"}` }] };
  }
  const perTopic = TOPICS.map((topic) => ({
    topic,
    claim: "It holds.",
    reasoning: "What was measured says so, and nothing that was measured says otherwise.",
    counterpoints: ["It was measured once."],
    citations: { paper: [], web: [] },
  }));
  return { json: { perTopic, overallPosition: "It holds." } };
}

function scored(topic: string): unknown {
  const ids = ["value", "cohesiveness", "relevance", "clarity", "engagement"];
  const scores = Object.fromEntries(ids.map((id) => [id, 0.7]));
  return { topic, notes: "Fair.", scores };
}
