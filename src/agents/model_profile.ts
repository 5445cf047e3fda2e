// The profile of one model at one server: the table of profiles, keys that the server taught, and the user's own keys.
import { z } from "zod";
import type { AgentReply, AgentRequest, ModelSource } from "../core/agent.ts";
import type { Profile, ProfileKeys } from "../core/profile.ts";
import { jsonSchemaOf } from "../core/schema.ts";
import { loadTokenCounter } from "../core/tokens.ts";
import { jsonIn, memo, type Schema } from "../core/values.ts";
import {
  type Change,
  countedIn,
  isRepeatedMisfit,
  learn,
  learnedKeys,
  lessonsOf,
  windowIn,
} from "./learned.ts";
import type { LocalProvider } from "./local_servers.ts";
import { CONTEXT, isRefusedRequest } from "./openai_client.ts";
import {
  capWithin,
  planOf,
  type PromptEntry,
  type RequestPlan,
  wireSchema,
} from "./openai_request.ts";
import type { Completion, Counted } from "./reply.ts";

/** Loads the table of profiles on the first request. */
const profiles = memo(() => import("./profiles.ts"));

/** Servers that are asked for the loaded window, because their errors may not state the window, by `windowFrom`. */
const ASKED = new Map<unknown, LocalProvider>([
  ["/api/ps", "ollama"],
  ["/api/v0/models", "lmstudio"],
]);
/** If a server counts less than this share of our own token count, it has truncated the prompt. */
const READ_SHARE = 0.8;

interface ProfileOptions {
  readonly source: ModelSource;
  /** Provider's name for the profile. @default determined by the source's URL */
  readonly provider?: string | undefined;
  /** Keys that the user set, which no lesson changes. */
  readonly profile?: Readonly<Record<string, unknown>> | undefined;
}

interface Planned {
  readonly request: AgentRequest;
  readonly profile: Profile;
  readonly plan: RequestPlan;
}

/** Plans the requests of one model by its profile, and learns from the server's replies and errors. */
export class ModelProfile {
  readonly #options: ProfileOptions;
  /** The server's origin; undefined for an SDK instance without a URL, for which no lessons are kept. */
  readonly #origin: string | undefined;

  constructor(options: ProfileOptions) {
    this.#options = options;
    this.#origin = URL.parse(options.source.url ?? "")?.origin;
  }

  /** Returns the profile with all that was learned so far. */
  async now(): Promise<Profile> {
    const { profileOf } = await profiles();
    const { source: { model, url: baseUrl = "" }, provider, profile } = this.#options;
    const learned = learnedKeys(this.#origin, model);
    return profileOf({ model, baseUrl, provider, learned, user: profile as ProfileKeys }).profile;
  }

  /** Plans a request by the profile, which the body of the request must use too; lowers the cap so that the prompt fits the window. */
  async plan(
    request: Omit<AgentRequest, "context">,
    prompt: readonly PromptEntry[],
  ): Promise<Omit<Planned, "request">> {
    const profile = await this.now();
    const plan = planOf(profile, request);
    const { window } = profile;
    if (plan.cap === undefined || window === undefined) return { profile, plan };
    const text = textOf(prompt);
    // A token has at least one character, so most prompts need no counting.
    if (text.length + plan.cap <= window) return { profile, plan };
    const count = await loadTokenCounter();
    return { profile, plan: { ...plan, cap: capWithin(window, plan.cap, count(text)) } };
  }

  /** Reports the lessons that apply to a request, including those of earlier convenings. */
  noteLessons({ onNote }: AgentRequest): void {
    const { source: { model }, profile = {} } = this.#options;
    for (const { at: learnedAt, ...lesson } of lessonsOf(this.#origin, model)) {
      if (Object.hasOwn(profile, lesson.key)) continue;
      onNote?.({ type: "profile_learned", ...lesson, learnedAt });
    }
  }

  /** Stores a lesson; returns false if the user set the profile's key, or the cap, or the server has no URL. */
  learn(change: Change, { onNote, maxOutputTokens }: AgentRequest): boolean {
    const { source: { model }, profile = {} } = this.#options;
    const origin = this.#origin;
    const isOwn = change.key === "output" && maxOutputTokens !== undefined;
    if (origin === undefined || isOwn || Object.hasOwn(profile, change.key)) return false;
    const lesson = { origin, model, ...change };
    const learnedAt = learn(lesson);
    onNote?.({ type: "profile_learned", ...lesson, learnedAt });
    return true;
  }

  /**
   * Learns from a truncated reply that an unknown model reasons, so that its caps need a reserve; returns false for any other reply.
   * Learns also that a prompt's template opens the tag of reasoning, so that later replies are held back until the closing tag.
   */
  learnFromThought(
    { finishReason, reasoning, isThoughtSaid = false, usage: { reasoningTokens = 0 } }: Counted,
    { request, profile, plan }: Planned,
  ): boolean {
    const { reasoning: from } = profile;
    const hasThought = reasoning !== "" || reasoningTokens > 0;
    const isCut = from.kind === "none" && finishReason === "length" && hasThought;
    const isTagNews = isThoughtSaid && from.text !== "think";
    if (!isCut && !isTagNews) return false;
    const because = isCut
      ? `hidden reasoning used a part of the cap of ${plan.cap} tokens`
      : "a reply began with thought text and a closing tag";
    const to = { ...from, ...isCut && { kind: "fixed" }, ...isTagNews && { text: "think" } };
    return this.learn({ key: "reasoning", from, to, because }, request) && isCut;
  }

  /** Learns that a server ignores schemas, from replies that do not fit them. */
  learnFromForm(
    { text, toolCalls, refusal, finishReason }: Completion,
    { request, profile, plan }: Planned,
  ): void {
    if (request.schema === undefined || (plan.json !== "schema" && plan.json !== "object")) return;
    if (toolCalls.length > 0 || refusal !== "" || finishReason !== "stop") return;
    if (text.trim() === "") return;
    if (isOfForm(jsonIn(text), request.schema.type, plan)) return;
    const origin = this.#origin;
    if (origin === undefined || !isRepeatedMisfit(origin, this.#options.source.model)) return;
    const because = `the reply is not of the shape of response_format ${plan.json}`;
    this.learn({ key: "json", from: profile.json, to: ["prompt"], because }, request);
  }

  /** Detects that Ollama truncated the prompt: reports the difference and learns the window that the server reports. */
  async learnFromTruncation(
    { inputTokens: sent }: AgentReply["usage"],
    { request, prompt }: Pick<Planned, "request"> & { readonly prompt: readonly PromptEntry[] },
  ): Promise<void> {
    const profile = await this.now();
    if (ASKED.get(profile.windowFrom) !== "ollama") return;
    const count = await loadTokenCounter();
    const asked = count(textOf(prompt));
    if (sent >= asked * READ_SHARE) return;
    const window = learnedKeys(this.#origin, this.#options.source.model).window ??
      await this.#loadedWindow(profile, request);
    // The prompt fits the window: the server's count omits cached tokens.
    if (window !== undefined && asked <= window * READ_SHARE) return;
    const because = "the server cut the prompt; set OLLAMA_CONTEXT_LENGTH";
    request.onNote?.({ type: "parameter_dropped", parameter: "prompt", asked, sent, because });
    if (window === undefined || window === profile.window) return;
    this.learn({ key: "window", from: profile.window, to: window, because }, request);
  }

  /**
   * Returns the window after an error about a known window: a smaller window, in tokens as counted here, if the server counts more
   * tokens than we do. If the error states no window, a local server is asked. Returns undefined for any other error.
   */
  async windowAfter(
    error: unknown,
    { request, prompt }: Pick<Planned, "request"> & { readonly prompt: readonly PromptEntry[] },
  ): Promise<Change | undefined> {
    if (!isRefusedRequest(error) || !CONTEXT.test(error.message)) return undefined;
    const profile = await this.now();
    const stated = windowIn(error);
    if (stated === undefined) {
      const to = await this.#loadedWindow(profile, request);
      if (to === undefined || to === profile.window) return undefined;
      return { key: "window", from: profile.window, to, because: "the prompt is too long" };
    }
    const [counted, own] = [countedIn(error), (await loadTokenCounter())(textOf(prompt))];
    const to = Math.floor(stated * own / counted);
    const because = `the server counts ${counted} tokens in a prompt of ${own}`;
    return to < profile.window! ? { key: "window", from: profile.window, to, because } : undefined;
  }

  async #loadedWindow(
    { windowFrom }: Profile,
    { signal }: AgentRequest,
  ): Promise<number | undefined> {
    const provider = ASKED.get(windowFrom);
    const origin = this.#origin;
    if (provider === undefined || origin === undefined) return undefined;
    const { loadedWindow } = await import("./local_servers.ts");
    return await loadedWindow(provider, { origin, model: this.#options.source.model, signal });
  }
}

/** Problems of values whose form a server does not keep; a strict schema sends no other rule. */
const FORM_PROBLEMS: ReadonlySet<string | undefined> = new Set([
  "invalid_type",
  "invalid_value",
  "invalid_union",
]);

/** True if a reply has the form that was asked for: that of a strict schema, without its transforms, else any object. */
function isOfForm(value: unknown, type: Schema, { json }: RequestPlan): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (json === "object" || !wireSchema(type).strict) return true;
  try {
    if (type.safeParse(value, { jitless: true }).success) return true;
    const form = z.fromJSONSchema(jsonSchemaOf(type) as z.core.JSONSchema.JSONSchema);
    const { error } = form.safeParse(value, { jitless: true });
    return error === undefined || !error.issues.some(({ code }) => FORM_PROBLEMS.has(code));
  } catch {
    // The schema package cannot read every schema of a program, and a transform may throw.
    return true;
  }
}

function textOf(prompt: readonly PromptEntry[]): string {
  return prompt.map((entry) =>
    "role" in entry ? entry.content : JSON.stringify([entry.toolCalls, entry.traces])
  ).join("\n");
}
