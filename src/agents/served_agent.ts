// The agent of a model server, independent of its protocol: tool rounds, larger caps, learning from errors, rate limiting.
import {
  type Agent,
  type AgentReply,
  type AgentRequest,
  MAX_TOOL_ITERATIONS,
  type ModelSource,
  type ReplyRounds,
} from "../core/agent.ts";
import { Deadline } from "../core/clock.ts";
import { AgentError, CancelledError } from "../core/error.ts";
import { addUsage, type Served } from "../core/message.ts";
import type { Profile } from "../core/profile.ts";
import { loadTokenCounter } from "../core/tokens.ts";
import { changeFor, windowIn } from "./learned.ts";
import { type Limiter, limiterOf, LONGEST_PAUSE } from "./limiter.ts";
import {
  asAgentError,
  clockTime,
  type Endpoint,
  failure,
  isFiltered,
  type OpenAIAgentOptions,
  shownText,
  type StatusError,
  TOTAL_TIMEOUT,
} from "./openai_client.ts";
import { ModelProfile } from "./model_profile.ts";
import { ANSWER_TOOL, type PromptEntry, type RequestPlan, wireRequest } from "./openai_request.ts";
import { callingReply, type Completion, type Counted, earlierReply, toolRound } from "./reply.ts";
import { oneLine, thousands, withoutSecrets } from "../core/text.ts";

/** Default timeout in milliseconds without data, except for servers of local models and for models that reason. */
const IDLE_TIMEOUT = 60_000;
/** The most doublings of a cap that hidden reasoning used up, and halvings of a cap that the server's window has no room for. */
const CAP_CHANGES = 2;
/** The most lessons within one request, for a server that names another limit each time. */
const MOST_LESSONS = 20;

/** Matches errors about a model or server that calls no tools. */
const TOOLLESS =
  /\b(?:tools?|function calling)\b.*(?:not (?:supported|enabled)|\brequires --)|\b(?:not|that) support\b.*\b(?:tools?|function calling)\b/is;

/** Options of {@linkcode ServedAgent}. */
interface ServedOptions extends
  Pick<
    OpenAIAgentOptions,
    "profile" | "apiKey" | "idleTimeout" | "totalTimeout" | "maxConcurrency" | "maxWait"
  > {
  readonly endpoint: Endpoint;
  readonly source: ModelSource;
  /** Provider's name for the profile. @default determined by the source's URL */
  readonly provider?: string | undefined;
}

/** One of the requests of a reply, before it is planned. */
interface Round {
  readonly request: AgentRequest;
  readonly prompt: readonly PromptEntry[];
  /** True if tools may be called; else they are listed only because the prompt holds their results. */
  readonly mayCall: boolean;
  readonly onText: (text: string) => void;
}

export interface Sending extends Round {
  readonly profile: Profile;
  readonly plan: RequestPlan;
  readonly signal: AbortSignal;
  /** Called with the headers of the response. */
  readonly onHeaders: (headers: Headers) => void;
  /** Called whenever data arrives. */
  readonly onData: () => void;
}

/** Implementation of a server's protocol. */
export interface Protocol {
  /** True if the next prompt must repeat the parts of earlier replies. */
  readonly needsParts: boolean;
  /** Loads the client or package. */
  load(): Promise<unknown>;
  /** Sends one request without retries. Rejects with the original error, which has a `status` if the server responded. */
  send(sending: Sending): Promise<Completion>;
}

/** A completion with its plan; the usage is that of all attempts. */
interface Sent {
  readonly reply: Counted;
  readonly plan: RequestPlan;
}

/**
 * An agent that builds requests from the model's profile and sends them in a server's protocol. If a server rejects a parameter by
 * name, the profile changes for the process and the request is repeated. It is repeated too with twice the cap if hidden reasoning
 * used the cap up, and with half the cap if the server counts more tokens than fit its window, each at most twice. Tools are called
 * until the model answers, at most ten rounds.
 */
export class ServedAgent implements Agent {
  readonly model: string;
  readonly source: ModelSource;
  readonly #protocol: Protocol;
  readonly #options: ServedOptions;
  readonly #profile: ModelProfile;
  /** Number of stored rounds whose usage an earlier error already reported: a retry must not count them again. */
  readonly #charged = new WeakMap<ReplyRounds, number>();
  #limiter: Promise<Limiter> | undefined;
  /** False after the server rejected tools: requests are sent without them from then on. */
  #takesTools = true;

  constructor(protocol: Protocol, options: ServedOptions) {
    this.model = options.endpoint.model;
    this.source = options.source;
    this.#protocol = protocol;
    this.#options = options;
    this.#profile = new ModelProfile(options);
  }

  async load(): Promise<void> {
    await this.#protocol.load();
  }

  check(): Promise<void> {
    return this.load();
  }

  async reply(asked: AgentRequest): Promise<AgentReply> {
    const request = this.#takesTools ? asked : { ...asked, tools: undefined };
    const usages: AgentReply["usage"][] = [];
    try {
      return await this.#reply(request, usages);
    } catch (error) {
      const { rounds, tools = [] } = request;
      if (error instanceof AgentError) {
        if (tools.length > 0 && usages.length === 0 && TOOLLESS.test(error.message)) {
          this.#takesTools = false;
          const names = tools.map(({ name }) => name);
          const note = { parameter: "tools", asked: names, because: error.message.slice(0, 200) };
          request.onNote?.({ type: "parameter_dropped", ...note });
          return await this.reply(asked);
        }
        error.usage = usageWith(usages, error);
        if (rounds !== undefined) {
          this.#charged.set(rounds, this.#chargedOf(rounds) + usages.length);
        }
      }
      throw error;
    }
  }

  async #reply(request: AgentRequest, usages: AgentReply["usage"][]): Promise<AgentReply> {
    const { tools = [], schema, signal, rounds, onDelta } = request;
    const prompt: PromptEntry[] = [...request.messages];
    const traces = () => prompt.flatMap((entry) => "traces" in entry ? entry.traces : []);
    const thoughts: string[] = [];
    const charged = this.#chargedOf(rounds);
    let said = "";
    for (let number = 0;; number++) {
      const mayCall = number < MAX_TOOL_ITERATIONS;
      // A blank line separates the texts of two requests.
      let gap = said === "" ? "" : "\n\n";
      const onText = (text: string) => {
        onDelta?.(gap + text);
        gap = "";
      };
      let calling = mayCall && tools.length > 0 ? earlierReply(rounds, number) : undefined;
      if (calling === undefined || this.#protocol.needsParts && calling.parts === undefined) {
        const sent = await this.#complete({ request, prompt, mayCall, onText });
        const { reply, plan } = sent;
        if (reply.reasoning !== "") thoughts.push(reply.reasoning);
        const answer = reply.toolCalls.find(({ name }) => name === ANSWER_TOOL)?.arguments;
        const isLast = reply.toolCalls.length === 0 || tools.length === 0 || !mayCall;
        if (isLast || answer !== undefined && plan.json === "tool") {
          if (answer !== undefined) onText(answer);
          const text = answer ?? (schema === undefined ? joined(said, reply.text) : reply.text);
          const toolCalls = traces();
          return {
            text: text === "" ? reply.refusal : text,
            finishReason: reply.refusal === "" ? reply.finishReason : "refused",
            model: this.model,
            served: this.#served(sent),
            usage: sumUsage([...usages, reply.usage]),
            ...(thoughts.length === 0 ? {} : { reasoning: thoughts.join("\n\n") }),
            ...(toolCalls.length === 0 ? {} : { toolCalls }),
          };
        }
        calling = callingReply(reply);
      } else if (calling.text !== "") onText(calling.text);
      said = joined(said, calling.text);
      if (number >= charged) usages.push(calling.usage);
      prompt.push(
        await toolRound(calling, {
          tools,
          signal,
          earlier: traces(),
          keep: (reply) => rounds?.keep(number, reply),
        }),
      );
    }
  }

  #chargedOf(rounds: AgentRequest["rounds"]): number {
    return rounds === undefined ? 0 : this.#charged.get(rounds) ?? 0;
  }

  async cap(request: Omit<AgentRequest, "context">): Promise<number | undefined> {
    const { plan } = await this.#profile.plan(request, request.messages);
    return plan.cap;
  }

  async window(): Promise<number | undefined> {
    return (await this.#profile.now()).window;
  }

  /** Sends one request; repeats it after a profile change, and with a larger cap after hidden reasoning used the cap. */
  async #complete(round: Round): Promise<Sent> {
    const { request, prompt, mayCall } = round;
    const spent: AgentReply["usage"][] = [];
    const refused = new Set<string>();
    this.#profile.noteLessons(request);
    let halvings = 0;
    for (let factor = 1;;) {
      const { profile, plan: planned } = await this.#profile.plan(request, prompt);
      const most = Math.min(profile.output ?? Infinity, request.maxOutputTokens ?? Infinity);
      const cap = planned.cap && Math.min(Math.ceil(planned.cap * factor), most);
      const plan = { ...planned, cap };
      for (const note of plan.notes) request.onNote?.(note);
      try {
        const reply = await this.#limited({ ...round, profile, plan });
        spent.push(reply.usage);
        await this.#profile.learnFromTruncation(reply.usage, round);
        const isNews = this.#profile.learnFromThought(reply, { request, profile, plan });
        if (isUsedUp(reply)) {
          if (isNews && cap !== most) continue;
          if (factor < 2 ** CAP_CHANGES && cap !== undefined && cap < most) {
            factor *= 2;
            continue;
          }
          throw this.#usedUp(plan);
        }
        this.#profile.learnFromForm(reply, { request, profile, plan });
        return { reply: { ...reply, usage: sumUsage(spent) }, plan };
      } catch (error) {
        const { schema, tools = [] } = request;
        const parts = { model: this.source.model, prompt: [], schema, tools, mayCall, plan };
        const body = wireRequest(parts, profile);
        const taught = changeFor(profile, body, error, this.#options.endpoint.secrets);
        const isFull = taught === undefined && windowIn(error) !== undefined;
        if (isFull && cap !== undefined && halvings < CAP_CHANGES) {
          halvings++;
          factor /= 2;
          continue;
        }
        const change = taught ?? await this.#profile.windowAfter(error, round);
        const step = JSON.stringify([change?.key, change?.to]);
        const isSpent = refused.has(step) || refused.size >= MOST_LESSONS;
        // Fail if the parameter is the user's own, or if the same change was tried before.
        if (change === undefined || isSpent || !this.#profile.learn(change, request)) {
          const failed = asAgentError(error, this.#options.endpoint);
          if (failed instanceof AgentError) failed.usage = usageWith(spent, failed);
          throw failed;
        }
        refused.add(step);
      }
    }
  }

  #usedUp({ cap, effort }: RequestPlan): Error {
    return failure("agent_bad_reply", {
      endpoint: this.#options.endpoint,
      state: `hidden reasoning used the whole ${
        cap === undefined ? "reply" : `cap of ${thousands(cap)} tokens`
      }`,
      retryable: false,
      hint: `Lower reasoningEffort${
        effort === undefined ? "" : `, which is ${effort}`
      }, or raise maxOutputTokens.`,
    });
  }

  #served({ reply: { model, fingerprint, requestId }, plan }: Sent): Served {
    // Words like keys stay, since some names of models look alike.
    const shown = (label: string) =>
      oneLine(withoutSecrets(label, this.#options.endpoint.secrets), 200);
    return {
      ...(model === undefined || model === this.source.model ? {} : { model: shown(model) }),
      ...(fingerprint === undefined ? {} : { fingerprint: shown(fingerprint) }),
      ...(requestId === undefined ? {} : { requestId: shown(requestId) }),
      ...(plan.cap === undefined ? {} : { cap: plan.cap }),
      ...(plan.sendsEffort ? { effort: plan.effort } : {}),
    };
  }

  /** Sends a request when the provider's limiter allows. Fails at once if the provider's pause exceeds `maxWait`. */
  async #limited(planned: Round & Pick<Sending, "profile" | "plan">): Promise<Counted> {
    const { request: { signal, ending, priority }, profile } = planned;
    if (signal?.aborted) throw new CancelledError(signal.reason);
    const { source, maxWait = LONGEST_PAUSE, endpoint, apiKey, maxConcurrency } = this.#options;
    const { provider } = endpoint;
    const bounds = { provider, apiKey, limits: profile.limits, maxConcurrency };
    const limiter = await (this.#limiter ??= limiterOf(source.url, bounds));
    const { pausedMs } = limiter.state;
    if (pausedMs > maxWait) {
      throw failure("agent_rate_limited", {
        endpoint,
        state: `it said that it takes no requests for ${Math.ceil(pausedMs / 1000)} s`,
        retryable: false,
        retryAfter: pausedMs,
        hint: `Resume after ${clockTime(pausedMs)}, or raise maxWait.`,
      });
    }
    try {
      return await limiter.run(
        { priority, signal, ending },
        () => this.#send(planned, limiter),
      );
    } catch (error) {
      if (!(error instanceof CancelledError) || signal?.aborted) throw error;
      const state = "the run ended while the provider took no requests";
      throw failure("agent_rate_limited", { endpoint, state, retryable: true });
    }
  }

  /** Sends a request with a deadline, and tells the limiter how it went. */
  async #send(
    planned: Round & Pick<Sending, "profile" | "plan">,
    limiter: Limiter,
  ): Promise<Counted> {
    const { request: { signal }, prompt, profile, plan, onText } = planned;
    const { totalTimeout: total = TOTAL_TIMEOUT, endpoint } = this.#options;
    // A server that loads models itself may read a long prompt for minutes before it says anything, and hidden reasoning is silent.
    const isSilent = profile.windowFrom !== undefined ||
      profile.reasoning.kind !== "none" && plan.effort !== "off";
    const { idleTimeout: idle = isSilent ? total : IDLE_TIMEOUT } = this.#options;
    // Load the client or package before the deadline starts.
    await this.#protocol.load();
    using deadline = new Deadline({ idle, total, signal });
    let said = "";
    const expired = (usage?: AgentReply["usage"]): Error => {
      if (deadline.expiry === "cancelled") return new CancelledError(signal?.reason);
      const [state, setting] = deadline.expiry === "idle"
        ? [`nothing came for ${thousands(idle)} ms`, "idleTimeout"]
        : [`the reply was not whole after ${thousands(total)} ms`, "totalTimeout"];
      const hint = `Raise ${setting} if the model is slow.`;
      return failure("agent_timeout", { endpoint, state, retryable: true, usage, hint });
    };
    try {
      const reply = await this.#protocol.send({
        ...planned,
        onText: (text) => {
          said += text;
          onText(text);
        },
        signal: deadline.signal,
        onHeaders: (headers) => limiter.readHeaders(headers),
        onData: () => deadline.touch(),
      }).catch((error) => refusedReply(error, endpoint));
      const usage = reply.usage ?? await countedUsage(reply, prompt);
      limiter.succeeded();
      if (deadline.expiry !== undefined) throw expired();
      return { ...reply, usage };
    } catch (error) {
      const failed = asAgentError(error, endpoint);
      const reported = failed instanceof AgentError ? failed.usage : undefined;
      // Providers bill a reply that broke off, but report its usage only at the end.
      const usage = reported ??
        (said === "" ? undefined : await countedUsage({ text: said }, prompt));
      // The client or package turns an abort into an error of its own.
      if (deadline.expiry !== undefined) throw expired(usage);
      if (!(failed instanceof AgentError)) throw error;
      failed.usage = usage;
      // Start the pause before the slot is released, so that queued requests wait.
      limiter.failed(failed, (error as StatusError).headers);
      // If nothing came, the server's own error may say how to change the request.
      throw said === "" ? error : failed;
    }
  }
}

/** Joins the texts of two requests of one answer. */
function joined(before: string, after: string): string {
  return [before, after].filter((text) => text !== "").join("\n\n");
}

/** Sums the usages of replies and of the error that followed them. */
function usageWith(
  replies: readonly AgentReply["usage"][],
  { usage }: AgentError,
): AgentError["usage"] {
  const all = usage === undefined ? replies : [...replies, usage];
  return all.length === 0 ? undefined : sumUsage(all);
}

/** True if hidden reasoning used up the cap before the answer began. */
function isUsedUp({ text, toolCalls, refusal, finishReason }: Completion): boolean {
  return finishReason === "length" && text.trim() === "" && refusal === "" &&
    toolCalls.length === 0;
}

/** Converts the error of a filter to the reply of a model that refuses; throws any other error. */
function refusedReply(error: unknown, { secrets }: Endpoint): Completion {
  if (!isFiltered(error)) throw error;
  const refusal = shownText(error.message.replace(`${error.status} `, ""), secrets);
  const none = { text: "", reasoning: "", toolCalls: [], usage: undefined };
  return { ...none, refusal, finishReason: "refused" };
}

async function countedUsage(
  { text, reasoning = "", toolCalls = [] }: Pick<Completion, "text"> & Partial<Completion>,
  prompt: readonly PromptEntry[],
): Promise<AgentReply["usage"]> {
  const count = await loadTokenCounter();
  const read = prompt.flatMap((entry) =>
    "role" in entry ? entry.content : [entry.text, ...entry.traces.map(({ result }) => result)]
  );
  const written = toolCalls.map((call) => call.name + call.arguments);
  return {
    inputTokens: count(read.join("\n")),
    cachedInputTokens: 0,
    outputTokens: count([text, reasoning, ...written].join("\n")),
    tokensEstimated: true,
  };
}

/** Sums the usages of one reply's requests; omits the cost, which the price table then adds, if one of them has none. */
function sumUsage(usages: readonly AgentReply["usage"][]): AgentReply["usage"] {
  const priced = usages.every(({ costUsd }) => costUsd !== undefined);
  const { costUsd, ...tokens } = usages
    .map((usage) => ({ ...usage, costUsd: usage.costUsd ?? 0 }))
    .reduce(addUsage);
  return priced ? { ...tokens, costUsd } : tokens;
}
