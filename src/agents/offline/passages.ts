// Passages that a request's tools return, with a sentence of each to quote.
import type { AgentRequest } from "../../core/agent.ts";
import type { ToolTrace } from "../../core/tool.ts";
import { runToolCalls } from "../openai_tools.ts";
import { sentencesOf, type Writer } from "./writer.ts";

/** A passage, and a sentence of the passage as it stands there. */
export interface Passage {
  readonly chunkId: string;
  readonly sentence: string;
}

/** The most look-ups of a reply, and the most characters of a query. */
const MOST = { calls: 6, characters: 300 } as const;

/** Asks every tool that takes a query: the first tool once for each of `subjects`, the others once. */
export async function lookUps(
  { tools = [], signal, context }: AgentRequest,
  { subjects, question }: { readonly subjects: readonly string[]; readonly question: string },
): Promise<readonly ToolTrace[]> {
  const { topic, position = "" } = context;
  const queries = [`${topic} ${position}`, ...subjects.map((subject) => `${subject} ${question}`)]
    .slice(0, MOST.calls).map((query) => query.trim().slice(0, MOST.characters));
  const calls = tools.filter(takesQuery).flatMap(({ name }, at) =>
    (at === 0 ? queries : queries.slice(0, 1)).map((query, index) => ({
      id: `call_${at}_${index}`,
      name,
      arguments: JSON.stringify({ query: query.toWellFormed() }),
    }))
  );
  return calls.length === 0 ? [] : await runToolCalls(calls, { tools, signal });
}

function takesQuery({ parameters }: NonNullable<AgentRequest["tools"]>[number]): boolean {
  return JSON.stringify(parameters.toJSONSchema({ io: "input", unrepresentable: "any" }))
    .includes('"query"');
}

/** The best passages of look-ups, each sentence once, in an order that the seed and the participant decide. */
export function passagesIn(traces: readonly ToolTrace[], own: Writer): Passage[] {
  const best = traces.filter(({ failed }) => !failed).flatMap(({ result }) => hitsIn(result));
  const found = new Map<string, Passage>();
  for (const { chunkId, text } of best) {
    const sentences = sentencesOf(text);
    const sentence = sentences[own.draw(chunkId) % Math.max(1, sentences.length)];
    if (sentence !== undefined && !found.has(sentence)) found.set(sentence, { chunkId, sentence });
  }
  return [...found.values()];
}

/** The three best hits of one answer of a tool. */
function hitsIn(result: string): { readonly chunkId: string; readonly text: string }[] {
  try {
    const { hits } = JSON.parse(result) as { readonly hits?: unknown };
    return Array.isArray(hits)
      ? hits.slice(0, 3).filter((hit) =>
        typeof hit?.chunkId === "string" && typeof hit.text === "string"
      )
      : [];
  } catch {
    return [];
  }
}
