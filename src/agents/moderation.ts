// Check of a topic by the moderation endpoint of a provider.
import { bodyText } from "../core/body_text.ts";
import { AgentError, ConfigurationError, TopicError } from "../core/error.ts";
import { oneLine } from "../core/message.ts";
import { type AgentSettings, serverOf } from "./registry.ts";

/** Milliseconds that the answer is waited for. */
const TIME = 30_000;
const REPLY_BYTES = 1_000_000;

/**
 * Asks the provider of a model, at `POST /moderations`, whether a topic is abusive. Throws a `TopicError` with the
 * categories for one that is, a `ConfigurationError` where the model's provider has no such endpoint, and an `AgentError`
 * where the provider cannot be asked.
 */
export async function moderateTopic(
  topic: string,
  { model, settings, signal }: {
    readonly model: string;
    readonly settings: AgentSettings;
    readonly signal?: AbortSignal | undefined;
  },
): Promise<void> {
  const server = serverOf(model, settings);
  if (server === undefined) throw noEndpoint(`model "${model}" is on no server`);
  const url = new URL(server.url);
  url.pathname = `${url.pathname.replace(/\/+$/, "")}/moderations`;
  const key = settings.env[server.apiKeyEnv ?? ""]?.trim();
  const late = AbortSignal.timeout(TIME);
  const failed = (state: string, cause?: unknown) =>
    new AgentError("agent_unreachable", `Cannot check the topic at ${url.host}: ${state}`, {
      hint: "Check the server and its key, or set topicCheck to words.",
      cause,
    });
  const response = await globalThis.fetch(url, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      ...key === undefined ? {} : { authorization: `Bearer ${key}` },
    },
    body: JSON.stringify({ input: topic }),
    redirect: "manual",
    signal: signal === undefined ? late : AbortSignal.any([late, signal]),
  }).catch((error) => {
    throw failed("no answer", error);
  });
  const text = await bodyText(response, REPLY_BYTES) ?? "";
  const { status } = response;
  if ([404, 405, 501].includes(status)) throw noEndpoint(`${url.host} answers ${status}`);
  if (!response.ok) throw failed(`status ${status}, ${oneLine(text, 200)}`);
  const found = resultIn(text);
  if (found === undefined) throw failed("the answer has no result");
  if (!found.flagged) return;
  throw new TopicError(
    `Cannot use the topic: ${url.host} finds it abusive${
      found.categories.length === 0 ? "" : ` (${found.categories.join(", ")})`
    }`,
    { hint: "Choose another topic, or set topicCheck to words or off." },
  );
}

function noEndpoint(state: string): ConfigurationError {
  return new ConfigurationError(`Cannot use topicCheck "provider": ${state}`, {
    field: "topicCheck",
    hint: "Use words or off, or a model of a provider with POST /moderations, such as OpenAI.",
  });
}

function resultIn(text: string): { flagged: boolean; categories: string[] } | undefined {
  try {
    const [{ flagged, categories = {} }] = JSON.parse(text).results;
    if (typeof flagged !== "boolean") return undefined;
    const named = Object.entries(categories).filter(([, found]) => found === true);
    return { flagged, categories: named.map(([name]) => oneLine(name, 60)) };
  } catch {
    return undefined;
  }
}
