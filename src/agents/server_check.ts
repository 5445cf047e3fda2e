// Check of a server before a convening has a record.
import type { Agent, RequestContext } from "../core/agent.ts";
import { bodyText } from "../core/body_text.ts";
import { AgentError } from "../core/error.ts";

/** A server, and what is asked of it. */
interface CheckedServer {
  /** Its `/v1` included. */
  readonly baseUrl: string;
  readonly apiKey: string | undefined;
  /** The model, as the server knows it. */
  readonly model: string;
  /** A further path that answers 401 for a wrong key; for servers that list models to everybody. @default none */
  readonly keyPath?: string | undefined;
  /** The adapter that speaks the server's own protocol. @default none */
  readonly adapter?: string | undefined;
}

/** Milliseconds for the list of models; a server that takes longer is not checked. */
const LIST_TIME = 10_000;
/** The most bytes of the list that are read. */
const LIST_BYTES = 8_000_000;
/** The most tokens of the reply that settles a doubt. */
const TRIAL_TOKENS = 16;
/** Words of providers, with status 400, about a wrong key or model. */
const WRONG = /\bAPI key\b|\b(?:valid|invalid|unknown|no such) model\b/i;

/** A server's answer: the status, and the names of the models where it lists them. */
interface Listed {
  readonly status: number;
  readonly names?: ReadonlySet<unknown> | undefined;
}

/** The requests in flight, by URL and key: agents of one server that are checked at one time share them. */
const asking = new Map<string, Promise<Listed>>();

/**
 * The agent, with a check of its server: the list of models is asked for, which costs nothing. Only if there is no
 * connection, the key is refused, or the list lacks the model, a short reply is asked for: its failure is the check's, if
 * it names the connection, the key or the model. A server that has no list is not checked.
 */
export function withCheck(agent: Agent, server: CheckedServer): Agent {
  return {
    model: agent.model,
    source: agent.source,
    load: async (request) => await agent.load?.(request),
    reply: (request) => agent.reply(request),
    cap: async (request) => await agent.cap?.(request),
    window: async () => await agent.window?.(),
    check: async (signal) => {
      const paths = ["models", ...server.keyPath === undefined ? [] : [server.keyPath]];
      const [doubts] = await Promise.all([
        Promise.all(paths.map((path) => isDoubtful(path, server, signal))),
        agent.check?.(signal),
      ]);
      if (!doubts.includes(true) || signal?.aborted) return;
      try {
        await agent.reply({
          messages: [{ role: "user", content: "Answer: OK" }],
          maxTokens: TRIAL_TOKENS,
          signal,
          // Agents of servers read nothing of it.
          context: {} as RequestContext,
        });
      } catch (error) {
        if (isFinal(error)) throw error;
      }
    },
  };
}

/** True for a server that cannot be reached, refuses the key, or does not list the model. */
async function isDoubtful(
  path: string,
  { baseUrl, apiKey, model, adapter }: CheckedServer,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const url = new URL(baseUrl);
  url.pathname = `${url.pathname.replace(/\/+$/, "")}/${path}`;
  const late = AbortSignal.timeout(LIST_TIME);
  const key = `${url.href} ${apiKey ?? ""}`;
  const listed = asking.get(key) ?? list(url, {
    headers: headersOf(apiKey, adapter),
    signal: signal === undefined ? late : AbortSignal.any([late, signal]),
  }).finally(() => asking.delete(key));
  asking.set(key, listed);
  try {
    const { status, names } = await listed;
    const isMissing = names !== undefined &&
      ![model, `${model}:latest`, `models/${model}`].some((each) => names.has(each));
    return isMissing || [400, 401, 403].includes(status);
  } catch {
    return !late.aborted;
  }
}

function headersOf(apiKey: string | undefined, adapter: string | undefined): HeadersInit {
  if (apiKey === undefined) return {};
  return adapter === "anthropic"
    ? { "x-api-key": apiKey, "anthropic-version": "2023-06-01" }
    : { authorization: `Bearer ${apiKey}` };
}

async function list(url: URL, init: RequestInit): Promise<Listed> {
  const response = await globalThis.fetch(url, { ...init, redirect: "manual" });
  const text = await bodyText(response, LIST_BYTES);
  return { status: response.status, names: response.ok ? namesIn(text) : undefined };
}

/** The names of a list of models; undefined for what is none. */
function namesIn(text: string | undefined): ReadonlySet<unknown> | undefined {
  try {
    const { data } = JSON.parse(text ?? "");
    return Array.isArray(data) ? new Set(data.map((each) => each?.id)) : undefined;
  } catch {
    return undefined;
  }
}

/** True for a failure that every request would meet. */
function isFinal(error: unknown): boolean {
  if (!(error instanceof AgentError)) return true;
  const { code, status, message } = error;
  return code === "agent_auth" || status === 404 || status === 400 && WRONG.test(message) ||
    code === "agent_unreachable" && status === undefined;
}
