// Plausible model for tests that need any model: a server for other processes, an agent for this process.
import { firstPosition } from "./first_position.ts";
import type { Agent } from "../../mod.ts";
import type { AgentReply, AgentRequest, ToolTrace } from "../../protocol.ts";
import {
  type ModelReply,
  type ModelRequest,
  type ModelServer,
  startModelServer,
} from "./model_server.ts";
import { paperModel } from "./paper_model.ts";
import { sampleJson } from "./sample_json.ts";

/** Name of the model; a plain name, so that the base URL applies, and one with a price. */
export const MODEL = "gpt-4o-mini";

/** Server of the model with the environment variables that select the server. */
export interface Speaker extends ModelServer {
  readonly env: Readonly<Record<string, string>>;
}

/** Starts a server of the model; a reply from `say` replaces the usual one. */
export async function startSpeaker(
  say: (request: ModelRequest) => ModelReply | undefined | Promise<ModelReply> = () => undefined,
): Promise<Speaker> {
  const server = await startModelServer({ respond: (request) => say(request) ?? spoken(request) });
  return Object.assign(server, { env: { OPENAI_BASE_URL: server.url } });
}

/** Returns the model as an agent of this process, without a server; `change` edits the text of a reply. */
export function speakingAgent(
  change: (text: string, request: AgentRequest) => string = (text) => text,
): Agent {
  return {
    model: MODEL,
    async reply(request) {
      request.signal?.throwIfAborted();
      const { text, toolCalls } = await replyTo(request);
      const said = change(text, request);
      for (const [word] of said.matchAll(/\s*\S+(?:\s+$)?/g)) request.onDelta?.(word);
      return {
        text: said,
        finishReason: "stop",
        model: MODEL,
        usage: { inputTokens: 100, cachedInputTokens: 0, outputTokens: 20 },
        toolCalls,
      };
    },
  };
}

/** Runs the tools that the model calls and returns the final reply to an agent's request. */
async function replyTo(request: AgentRequest): Promise<Pick<AgentReply, "text" | "toolCalls">> {
  const { schema, tools = [], signal } = request;
  const format = schema === undefined ? {} : {
    response_format: {
      type: "json_schema",
      json_schema: {
        name: schema.name,
        schema: { ...schema.type.toJSONSchema({ io: "input", unrepresentable: "any" }) },
      },
    },
  };
  const toolCalls: ToolTrace[] = [];
  for (let index = 0;; index++) {
    const results = toolCalls.map(({ result }) => ({ role: "tool", content: result }));
    const { text, json, toolCalls: calls = [] } = spoken({
      index,
      body: {
        model: MODEL,
        messages: [...request.messages, ...results],
        tools: tools.map(({ name }) => ({ function: { name, parameters: {} } })),
        ...format,
      },
      headers: {},
      startedAt: 0,
      concurrent: 1,
    });
    if (calls.length === 0) return { text: text ?? JSON.stringify(json), toolCalls };
    for (const { name, arguments: given } of calls) {
      const args: unknown = JSON.parse(given);
      const result = await tools.find((tool) => tool.name === name)!.run(args, { signal });
      toolCalls.push({ tool: name, args, result, failed: false });
    }
  }
}

const papers = paperModel();

/** Returns a reply that depends only on the request's text, so that the order of requests cannot change a record. */
export function spoken(request: ModelRequest): ModelReply {
  const { messages, response_format: format } = request.body;
  const prompt = messages.map(({ content }) => content ?? "").join("\n");
  if (/paper_|debater_|postures|topic_scores/.test(format?.json_schema?.name ?? "")) {
    return papers(request);
  }
  const speech = speechFor(prompt);
  if (format === undefined) return { text: speech };
  const [, quote] = /<statement>\s*([^.\n]+)/.exec(prompt) ?? [];
  const sample = (path: string, schema: Readonly<Record<string, unknown>>): unknown => {
    if (path.endsWith("winner") && Array.isArray(schema["enum"])) {
      return firstPosition(prompt, schema["enum"]);
    }
    if (path.endsWith("speech")) return speech;
    if (path.endsWith("quote")) return quote;
    return undefined;
  };
  return { json: sampleJson(format.json_schema?.schema ?? {}, sample) };
}

const SUBJECTS = [
  "Narrow streets",
  "Delivery vans",
  "Old neighbourhoods",
  "Bus lanes",
  "Children",
  "Shopkeepers",
  "Cyclists",
];
const VERBS = ["change", "need", "carry", "lose", "invite", "answer for"];
const OBJECTS = [
  "what planners promised",
  "more room",
  "a slower pace",
  "costs nobody counted",
  "the noise of the night",
];

/** Returns a speech of the requested length, with different words for each turn. */
function speechFor(prompt: string): string {
  const turns = prompt.match(/<turn\b/g)?.length ?? 0;
  const [, least = 0] = /\b(\d+) to \d+ words/.exec(prompt) ?? [];
  let speech = `${sentence(turns)} ${sentence(turns + 5)}`;
  for (let n = turns + 16; speech.split(" ").length < Number(least); n += 11) {
    speech += ` ${sentence(n)}`;
  }
  return speech;
}

function sentence(n: number): string {
  const of = (list: readonly string[]) => list[n % list.length];
  return `${of(SUBJECTS)} ${of(VERBS)} ${of(OBJECTS)}, as point ${n} shows.`;
}
