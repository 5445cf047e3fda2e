// Creates agents and embedders from the names of models, and checks a server before the record of a convening exists.
import type { Agent, ModelSource, RequestContext } from "../core/agent.ts";
import { AgentError, ConfigurationError } from "../core/error.ts";
import { type Embedder, EMBEDDING_MODEL } from "../core/search.ts";
import type { ProfileKeys } from "../core/profile.ts";
import { bodyText, didYouMean } from "../core/text.ts";
import { jsonIn, loadedOnce, objectIn } from "../core/values.ts";
import { createClientAgent, createHumanAgent } from "./human.ts";
import { createOfflineAgent } from "./offline.ts";
import { programs } from "./learned.ts";
import { createOpenAIAgent } from "./openai.ts";
import { CHECK_ADDRESS, endpointOf, type OpenAIAgentOptions, otherName } from "./openai_client.ts";
import {
  type BuiltIn,
  headersOf,
  keyFor,
  profileRow,
  type RegistrySettings,
  type ServerTarget,
  targetOf,
  userKeys,
} from "./registry.ts";

/** Factories of the built-in agents; `rest` is the text after the colon. */
const CREATE: Readonly<Record<BuiltIn, (rest: string, settings: RegistrySettings) => Agent>> = {
  offline: () => createOfflineAgent(),
  human: createHumanAgent,
  client: createClientAgent,
  replay: replayAgent,
};

/**
 * Creates the agent for a model's name: `gpt-4o-mini` and every other name without a known prefix (OpenAI, or the base URL),
 * `anthropic:model`, `openrouter:vendor/model`, `google:model`, `ollama:model`, a configured provider's `name:model`, `offline`, `replay:DIR`.
 *
 * If `OPENAI_API_KEY` is set, every request to a base URL sends it, as in other OpenAI-compatible tools. If that server must not see
 * the key, unset the variable or set it to the server's own key. Every other key goes only to its provider's own URL; see
 * {@linkcode KeyRules} for URLs from records and files.
 *
 * Throws a `ConfigurationError` for an empty name, an unknown prefix, a hosted model without its key, an invalid base URL, and a URL
 * that may not get the key.
 */
export function resolveAgent(name: string, settings: RegistrySettings): Agent {
  const target = targetOf(name, settings);
  if (target.type === "built-in") {
    return CREATE[target.name](target.rest, settings);
  }
  const { apiKeyEnv } = target;
  const withoutKey = () =>
    new ConfigurationError(`Cannot use model "${name}": ${apiKeyEnv} is not set`, {
      field: "model",
      hint: `${
        didYouMean(name, Object.keys(CREATE)) || otherName(name)
      }Set ${apiKeyEnv}, or name a local model, such as ollama:llama3.2, or offline.`,
    });
  const options = optionsOf(name, target, { settings, withoutKey });
  return withCheck(serverAgent(target, settings, options), { ...target, ...options });
}

/** Returns the options of an agent or embedder of a server; throws `withoutKey` for a hosted model without its key. */
function optionsOf(
  name: string,
  target: ServerTarget,
  { settings, withoutKey }: {
    readonly settings: RegistrySettings;
    readonly withoutKey: () => Error;
  },
): OpenAIAgentOptions & Pick<ServerTarget, "baseUrl"> & { readonly name: string } {
  const { model, label: provider, baseUrl, apiKeyEnv, prefix, maxConcurrency } = target;
  const { idleTimeout, totalTimeout, maxReplyBytes, retry } = settings;
  const apiKey = keyFor(target, settings);
  if (prefix !== undefined && apiKeyEnv !== undefined && apiKey === undefined) throw withoutKey();
  return {
    ...{ model, provider, baseUrl, name, apiKey, apiKeyEnv },
    ...{ idleTimeout, totalTimeout, maxReplyBytes, maxConcurrency },
    maxWait: target.maxWait ?? retry?.maxRetryAfter,
    headers: headersOf(target, settings),
    profile: userKeys(target),
    prefix: profileRow(target),
  };
}

/** Creates the agent of a server. The protocol is that of the configured adapter, else of the model's profile. */
function serverAgent(
  { adapter, baseUrl, prefix }: ServerTarget,
  { importPackage }: RegistrySettings,
  options: OpenAIAgentOptions & { readonly name: string },
): Agent {
  const { model, name } = options;
  // Throws now if the key or a header is invalid.
  endpointOf(options);
  return lazyAgent(name, { model, url: baseUrl }, async () => {
    const { profileOf } = await import("./profiles.ts");
    const user = options.profile as ProfileKeys | undefined;
    const { api } = profileOf({ model, baseUrl, provider: prefix, user }).profile;
    if (adapter === "chat" || (adapter === undefined && api === "chat")) {
      return createOpenAIAgent(options);
    }
    const { adapterAgent, adapterFor } = await import("./ai_sdk.ts");
    const used = adapter ?? adapterFor(api)!;
    return adapterAgent(used, { ...options, baseUrl, importPackage });
  });
}

/**
 * Creates the embedder for a model's name, in the syntax of {@linkcode resolveAgent}. Name, URL and key are checked on first use or
 * by `ready`, which reject with a `ConfigurationError`.
 */
export function resolveEmbedder(name: string | undefined, settings: RegistrySettings): Embedder {
  const model = name ?? EMBEDDING_MODEL;
  let loaded: Embedder | undefined;
  let server: CheckedServer | undefined;
  const embedder = loadedOnce(async () => {
    const target = targetOf(model, settings);
    const refused = (state: string, hint: string) =>
      new ConfigurationError(`Cannot use embedding model "${model}": ${state}`, {
        field: "embeddingModel",
        hint: `${hint}, or find passages by keyword, which needs no model.`,
      });
    if (target.type === "built-in") {
      throw refused("it makes no embeddings", "Name a model of a server");
    }
    const { apiKeyEnv } = target;
    const withoutKey = () =>
      refused(
        `${apiKeyEnv} is not set`,
        `Set ${apiKeyEnv}, name a local model such as ollama:nomic-embed-text`,
      );
    const options = optionsOf(model, target, { settings, withoutKey });
    const { createOpenAIEmbedder } = await import("./openai_endpoints.ts");
    server = { ...target, ...options };
    return loaded = createOpenAIEmbedder(options);
  });
  return {
    model,
    get source() {
      return loaded?.source;
    },
    ready: async () => void await embedder(),
    check: async (signal) => {
      const { embed } = await embedder();
      if (await isDoubtful("models", server!, signal)) await tried(embed(["OK"], { signal }));
    },
    embed: async (texts, options) => await (await embedder()).embed(texts, options),
  };
}

function replayAgent(dir: string, { replay }: RegistrySettings): Agent {
  if (dir.trim() === "") {
    throw new ConfigurationError(
      'Cannot use model "replay": no directory is named',
      { field: "model", hint: "Name one as replay:DIR." },
    );
  }
  const folder = dir.split(/[/\\]/).filter((part) => part !== "").at(-1) ?? dir;
  const model = `replay:${folder}`;
  const answers = loadedOnce(() => replay!(dir));
  const agent = lazyAgent(model, undefined, async () => {
    const { createReplayAgent } = await import("./replay/replay_agent.ts");
    return createReplayAgent(await answers(), { model });
  });
  return { ...agent, check: async () => void await answers() };
}

/**
 * Creates an agent whose implementation is loaded on first use; a failed load is retried on the next use. Only the agent of a server,
 * which has a `source`, has `check` and `window`.
 */
function lazyAgent(
  model: string,
  source: ModelSource | undefined,
  load: () => Promise<Agent>,
): Agent {
  const loaded = loadedOnce(load);
  return {
    model,
    source,
    load: async (request) => await (await loaded()).load?.(request),
    cap: async (request) => await (await loaded()).cap?.(request),
    reply: async (request) => await (await loaded()).reply(request),
    ...(source === undefined ? {} : {
      check: async (signal) => await (await loaded()).check?.(signal),
      // If the load fails, `reply` reports the error.
      window: () => loaded().then((agent) => agent.window?.(), () => undefined),
    }),
  };
}

type CheckedServer = ServerTarget & Pick<OpenAIAgentOptions, "apiKey">;

/** Timeout in milliseconds for the list of models; a slower server is not checked. */
const LIST_TIME = 10_000;
const LIST_BYTES = 8_000_000;
const TRIAL_TOKENS = 16;
/** Matches messages of providers with status 400 about a wrong key or model. */
const WRONG =
  /\bAPI key\b|\b(?:valid|invalid|unknown|no such) model\b|\bmodel\b.{0,100}\bnot (?:exist|found)\b/i;

/**
 * Adds a check of the server to an agent. The check requests the list of models, which is free. If there is no connection, the key is
 * rejected, the list lacks the model, or a page, an error or a redirect comes instead, the check also requests a short reply, and
 * rejects if the reply fails because of the connection, the address, the key or the model. A server without a list is not checked.
 */
function withCheck(agent: Agent, server: CheckedServer): Agent {
  return {
    ...agent,
    check: async (signal) => {
      const paths = ["models", ...server.keyPath === undefined ? [] : [server.keyPath]];
      const [doubts] = await Promise.all([
        Promise.all(paths.map((path) => isDoubtful(path, server, signal))),
        agent.check?.(signal),
      ]);
      if (!doubts.includes(true) || signal?.aborted) return;
      await tried(agent.reply({
        messages: [{ role: "user", content: "Answer: OK" }],
        maxTokens: TRIAL_TOKENS,
        signal,
        // Agents of servers do not read the context.
        context: {} as RequestContext,
      }));
    },
  };
}

/** Waits for a trial request; rejects if every request would fail. */
async function tried(request: Promise<unknown>): Promise<void> {
  await request.catch((error: unknown) => {
    if (isFinal(error)) throw error;
  });
}

/** True for a server that is unreachable, rejects the key, does not list the model, redirects, or answers with a page or an error. */
async function isDoubtful(
  path: string,
  { baseUrl, apiKey, model, adapter, headers }: CheckedServer,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const url = new URL(baseUrl);
  url.pathname = `${url.pathname.replace(/\/+$/, "")}/${path}`;
  const late = AbortSignal.timeout(LIST_TIME);
  try {
    const response = await globalThis.fetch(url, {
      headers: { ...authorization(apiKey, adapter), ...headers },
      redirect: "manual",
      signal: signal === undefined ? late : AbortSignal.any([late, signal]),
    });
    const text = await bodyText(response, LIST_BYTES) ?? "";
    const { data, error } = objectIn(jsonIn(text));
    const names = [model, `${model}:latest`, `models/${model}`];
    const isMissing = Array.isArray(data) && !data.some((each) => names.includes(each?.id));
    if (Array.isArray(data) && data[0]?.owned_by === "llamacpp") {
      programs.set(url.origin, "llamacpp");
    }
    // A wrong base URL may give a page or, at LM Studio, an error, with status 200, or a redirect.
    const isOther = response.ok && (/^\s*</.test(text) || Boolean(error));
    // Ollama and vLLM have neither a list nor an answer outside of /v1.
    const isBare = response.status === 404 && url.pathname === "/models";
    return isMissing || isOther || isBare || response.status >= 300 && response.status <= 403;
  } catch {
    return !late.aborted;
  }
}

function authorization(
  apiKey: string | undefined,
  adapter: ServerTarget["adapter"],
): Record<string, string> {
  if (apiKey === undefined) return {};
  return adapter === "anthropic"
    ? { "x-api-key": apiKey, "anthropic-version": "2023-06-01" }
    : { authorization: `Bearer ${apiKey}` };
}

/** True for an error that every request would get. */
function isFinal(error: unknown): boolean {
  if (!(error instanceof AgentError)) return true;
  const { code, status, message, hint } = error;
  return code === "agent_auth" || status === 400 && WRONG.test(message) ||
    hint?.endsWith(CHECK_ADDRESS) === true || status !== undefined && status < 400 ||
    code === "agent_unreachable" && status === undefined;
}
