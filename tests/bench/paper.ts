// A paper debate in a process of its own, and the replies of the model server to its requests.
import type { ChatBody, ModelReply } from "../support/model_reply.ts";
import { say } from "./child.ts";

/** Calls of a paper debate that wait for one another: questions, postures, two look-ups, argument, judging, report. */
export const PAPER_CHAIN = 7;
/** Look-ups of a debater before the argument. */
const LOOK_UPS = 2;
const TOPICS = ["Methodology", "Evidence", "Practice"];

/** The reply to a request of a paper debate; undefined for other requests. */
export function paperReply(body: ChatBody): ModelReply | undefined {
  const prompt = body.messages.map(({ content }) => content ?? "").join("\n");
  if (prompt.includes("Report this debate to")) return { text: "It was debated." };
  const { name, schema } = body.response_format?.json_schema ?? { name: "", schema: {} };
  switch (name) {
    case "paper_questions":
      return { json: { questions: eight("Under what conditions does it hold") } };
    case "postures_and_topics": {
      const least = /"postures":\{[^}]*?"minItems":(\d+)/.exec(JSON.stringify(schema))?.[1] ?? 8;
      const postures = eight("It holds as far as is said here").slice(0, Number(least));
      return { json: { postures, topics: TOPICS } };
    }
    case "debater_argument":
      return argument(body);
    case "topic_scores":
      return { json: { perTopic: TOPICS.map(scored) } };
    case "insights":
      return { json: { insights: ["It was said."], controversialPoints: ["How far."] } };
    case "verdict":
      return prompt.includes("debate over research papers")
        ? { json: { reasons: "None was better.", winner: "tie", mainReason: "" } }
        : undefined;
    default:
      return undefined;
  }
}

function eight(text: string): string[] {
  return Array.from({ length: 8 }, (_, index) => `${text}, case ${index + 1}?`);
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
  return { topic, notes: "Fair.", scores: Object.fromEntries(ids.map((id) => [id, 0.7])) };
}

if (import.meta.main) {
  const { baseUrl, model, postures, out } = JSON.parse(Deno.args[0]!);
  const { createPaperDebateWorkflow } = await import("../../mod.ts");
  // Loading the package is no part of a debate.
  await import("openai");
  const text = "What was measured says so. ".repeat(2000);
  const debate = createPaperDebateWorkflow([{ title: "A measurement", text }], {
    baseUrl,
    env: () => undefined,
    model,
    postures,
    out,
    seed: 1,
  });
  const started = performance.now();
  const { status } = await debate.run();
  if (status !== "completed") throw new Error(`The debate is ${status}`);
  say({ wall: performance.now() - started });
}
