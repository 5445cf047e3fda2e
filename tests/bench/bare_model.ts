// How the bare loop asks a model.
import { OpenAI } from "openai";
import { type BareMade, WEIGHTS } from "./bare_files.ts";

/** The shape of a reply. */
export type Format = OpenAI.Chat.Completions.ChatCompletionCreateParamsStreaming["response_format"];

/** What a model said, and what it used. */
export interface Answer {
  readonly text: string;
  readonly made: BareMade;
}

const clients = new Map<string, OpenAI>();

function clientFor(baseURL: string): OpenAI {
  let client = clients.get(baseURL);
  if (client === undefined) {
    client = new OpenAI({
      baseURL,
      apiKey: "none",
      adminAPIKey: null,
      organization: null,
      project: null,
      webhookSecret: null,
      logLevel: "off",
      maxRetries: 0,
    });
    clients.set(baseURL, client);
  }
  return client;
}

/** Asks once, streaming, with usage. */
export async function ask(baseUrl: string, { model, head, content, cap, format }: {
  readonly model: string;
  readonly head: string;
  readonly content: string;
  /** The most tokens of the reply. */
  readonly cap: number;
  readonly format: Format;
}): Promise<Answer> {
  const started = Date.now();
  const stream = await clientFor(baseUrl).chat.completions.create({
    model,
    messages: [{ role: "system", content: head }, { role: "user", content }],
    max_tokens: cap,
    stream: true,
    stream_options: { include_usage: true },
    ...(format === undefined ? {} : { response_format: format }),
  });
  let text = "";
  let usage: OpenAI.CompletionUsage | null | undefined;
  for await (const chunk of stream) {
    text += chunk.choices[0]?.delta.content ?? "";
    usage = chunk.usage ?? usage;
  }
  const made = {
    model,
    input: usage?.prompt_tokens ?? 0,
    cached: usage?.prompt_tokens_details?.cached_tokens ?? 0,
    output: usage?.completion_tokens ?? 0,
    latency: Date.now() - started,
    at: new Date().toISOString(),
  };
  return { text, made };
}

const NUMBER = { type: "number", minimum: 0, maximum: 10 };

/** A score's shape. */
export const SCORE: Format = format("score", {
  reasons: { type: "string" },
  scores: object(Object.fromEntries(Object.keys(WEIGHTS).map((key) => [key, NUMBER]))),
});

/** A verdict's shape. */
export function verdictFormat(names: readonly string[]): Format {
  const winner = { type: "string", enum: [...names, "tie"] };
  return format("verdict", { reasons: { type: "string" }, winner });
}

function format(name: string, properties: Record<string, unknown>): Format {
  return { type: "json_schema", json_schema: { name, strict: true, schema: object(properties) } };
}

function object(properties: Record<string, unknown>): Record<string, unknown> {
  const required = Object.keys(properties);
  return { type: "object", properties, required, additionalProperties: false };
}
