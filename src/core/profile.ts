// Rules for asking models: profiles of their parameters and of the spelling in requests, and the table of the length, effort,
// priority and temperature of every kind of turn and question.
import { z } from "zod";

/** Reasoning efforts, from none to the most. */
export const EFFORTS = ["off", "minimal", "low", "medium", "high", "xhigh", "max"] as const;

/** Reasoning effort: amount of hidden reasoning before an answer. */
export type Effort = "off" | "minimal" | "low" | "medium" | "high" | "xhigh" | "max";

/** Ways to request JSON of a given shape, strictest first. */
const JSON_FORMS = ["schema", "object", "prompt"] as const;

/** Way to request JSON of a given shape. */
export type JsonForm = (typeof JSON_FORMS)[number];

/** Milliseconds after which a profile change learned from a server expires, because servers change. */
export const LESSON_LIFE: number = 7 * 24 * 60 * 60 * 1000;

/** Reasoning efforts as spelled in requests. */
export const WIRE_EFFORTS = ["none", "minimal", "low", "medium", "high", "xhigh", "max"] as const;
const wireEfforts = () => z.array(z.enum(WIRE_EFFORTS)).min(1).max(7);
const count = () => z.int().min(1).max(100_000_000);
const data = () => z.record(z.string().max(200), z.unknown());

const reasoning = z.lazy(() =>
  z.strictObject({
    kind: z.enum(["none", "effort", "adaptive", "budget", "level", "thinking", "template", "fixed"])
      .describe("The control: none; an effort; a budget of tokens; a template's switch; fixed."),
    efforts: wireEfforts().optional().describe("The efforts that the model takes."),
    off: z.boolean().optional().describe("Whether reasoning can be off."),
    min: z.int().min(0).optional().describe("The least budget in tokens."),
    max: z.int().min(0).optional().describe("The largest budget in tokens."),
    kwargs: data().optional().describe("Arguments of the chat template that turn reasoning off."),
    text: z.enum(["reasoning_content", "chunks", "think"]).optional().describe(
      "The place of the thought text in a reply.",
    ),
  }).describe("Hidden reasoning.")
);

/** Request limits of one provider, shared by the whole process. */
const requestLimits = z.lazy(() =>
  z.strictObject({
    start: count().optional().describe("Requests in flight at first."),
    max: z.union([count(), z.literal("total_slots")]).optional().describe(
      "Requests in flight at most.",
    ),
  }).describe("Requests in flight.")
);

/** Schema of some keys of a profile; built on first use. */
export const profileKeys = z.lazy(() =>
  z.strictObject({
    api: z.enum(["chat", "messages", "responses", "gemini"]).describe("The wire format."),
    cap: z.enum(["max_tokens", "max_completion_tokens"]).describe("The field of the cap."),
    temperature: z.union([z.boolean(), z.literal("off_only")]).describe(
      "Whether a temperature is taken; off_only: without reasoning.",
    ),
    seed: z.boolean().describe("Whether a seed is taken."),
    seedField: z.string().regex(/^[a-z][A-Za-z_]{0,39}$/).describe("The field of the seed."),
    json: z.array(z.enum(JSON_FORMS)).min(1).max(3).describe(
      "The forms in which JSON of a shape is asked for, in order of trial.",
    ),
    jsonWithTools: z.boolean().describe("Whether tools and a form of JSON go in one request."),
    toolsWithReasoning: z.boolean().describe("Whether tools and reasoning go in one request."),
    forcedTool: z.boolean().describe("Whether a call of a tool can be demanded."),
    system: z.enum(["system", "developer", "first_user"]).describe(
      "The role of instructions; first_user: they begin the first message of the user.",
    ),
    streamOptions: z.boolean().describe("Whether stream_options is taken."),
    reasoning,
    reasoningSend: z.enum([
      "reasoning_effort",
      "reasoning",
      "thinking",
      "chat_template_kwargs",
      "none",
    ]).describe("The field of the effort; none: no field."),
    efforts: wireEfforts().describe("The efforts that the server takes, of any model."),
    cache: z.strictObject({
      kind: z.enum(["auto", "breakpoints", "none"]).describe("The kind of prompt cache."),
    }).describe("The prompt cache."),
    thinkTags: z.boolean().describe(
      "Whether leading tags such as <think>…</think> hold thought text.",
    ),
    window: count().describe("Tokens of prompt and reply together."),
    output: count().describe("Tokens of a reply, at most."),
    windowFrom: z.string().max(200).describe("The path that answers with the window."),
    limits: requestLimits,
    extraBody: data().describe("Further fields of every request."),
  }).partial()
);

/** Subset of a profile's keys. */
export type ProfileKeys = z.infer<typeof profileKeys>;

/** Keys that only some servers and models have. */
type RareKey =
  | "efforts"
  | "reasoningSend"
  | "window"
  | "output"
  | "windowFrom"
  | "limits"
  | "extraBody";

/** Complete profile, from which requests are built; the defaults set the keys that every profile has. */
export type Profile =
  & ProfileKeys
  & { readonly [K in Exclude<keyof ProfileKeys, RareKey>]: NonNullable<ProfileKeys[K]> };

/** Contents of the profiles' data file: defaults, servers by name, named sets of keys, models. The first matching model applies. */
export interface ProfileTable {
  readonly defaults: Profile;
  readonly servers: Readonly<Record<string, ProfileKeys & { readonly origin: string }>>;
  readonly shapes: Readonly<Record<string, ProfileKeys>>;
  readonly models: readonly (ProfileKeys & { readonly match: string; readonly like?: string })[];
}

/** Parameters of one kind of request. */
export interface Ask {
  /** Target length of the answer in tokens; a setting or a protocol may override it. @default no limit */
  readonly tokens?: number | undefined;
  /** Additional tokens per item of the answer, such as a proposal. @default 0 */
  readonly each?: number | undefined;
  /** Reasoning effort, if the user sets none. */
  readonly effort: Effort;
  /** Priority in the request queue of a busy server; the lowest number goes first. */
  readonly priority: number;
  /** Temperature, if the user sets none and the model accepts one. @default the provider's */
  readonly temperature?: number | undefined;
}

/**
 * Priorities. A turn blocks the whole convening, and a question of the protocol blocks the next step; fact checks and scores
 * run alongside; summaries of rounds and of older turns are made ahead.
 */
const PRIORITY = { turn: 0, question: 1, check: 5, score: 10, ahead: 20 } as const;

const TURN: Ask = { effort: "low", priority: PRIORITY.turn };
const QUESTION: Ask = { tokens: 800, effort: "low", priority: PRIORITY.question };
/** Judgment, which should be reproducible. */
const JUDGMENT: Ask = { ...QUESTION, temperature: 0 };
/** Choice among a few options, which needs little reasoning. */
const CHOICE: Ask = { tokens: 150, effort: "minimal", priority: PRIORITY.question };
const CHECK: Ask = { tokens: 300, effort: "low", priority: PRIORITY.check };

/** Kind of a side's answer to an interruption: not scored, since only the interrupted side has such a turn. */
export const INTERRUPTION_ANSWER = "interruption_answer";

/** Kinds of requests that differ from the default turn or question. Lengths that are settings are not listed. */
const ASKS = {
  // Turns.
  [INTERRUPTION_ANSWER]: { ...TURN, tokens: 120 },
  round_summary: { ...TURN, priority: PRIORITY.ahead },
  /** Summary of an early end, and of a consensus dialogue. */
  summary: { ...TURN, tokens: 400 },
  questions: { ...TURN, tokens: 4096 },
  postures: { ...TURN, tokens: 4096 },
  // Questions of protocols.
  bid: CHOICE,
  next_speaker: CHOICE,
  pick: { ...CHOICE, tokens: 200 },
  ruling: { ...QUESTION, tokens: 300 },
  round_review: { ...QUESTION, tokens: 300 },
  proposals: { ...QUESTION, tokens: 400 },
  proposals_merged: { ...QUESTION, tokens: 200, each: 120 },
  stance: { ...QUESTION, tokens: 300, each: 80 },
  /** Stances in a turn's reply, besides the speech. */
  stances_of_turn: { ...QUESTION, tokens: 100, each: 80 },
  topics: { ...QUESTION, tokens: 100, each: 80 },
  baseline: JUDGMENT,
  verdict: JUDGMENT,
  /** Comparison of two speeches in a judge check. */
  pair: JUDGMENT,
  // Questions about a record.
  brief: { ...QUESTION, tokens: 2000 },
  answer: { ...QUESTION, tokens: 1000 },
  // Questions of observers and guards.
  score: { ...JUDGMENT, priority: PRIORITY.score },
  round_scores: { ...JUDGMENT, tokens: 0, each: 600, priority: PRIORITY.score },
  topic_scores: { ...QUESTION, tokens: 3000, priority: PRIORITY.score },
  claims: { ...CHECK, tokens: 600 },
  claim_verdict: CHECK,
  notes: { ...CHECK, tokens: 800 },
  persona_check: { ...CHECK, priority: PRIORITY.question },
  /** Summary of older turns for prompts. */
  fold: { ...TURN, tokens: 400, priority: PRIORITY.ahead },
} as const satisfies Readonly<Record<string, Ask>>;

/** Kind of request with a row in the table. */
export type AskKind = keyof typeof ASKS;

/** Returns the row of a kind of request; the default turn or question for other kinds. */
export function askOf(kind: string, purpose: "turn" | "question" | "fold"): Ask {
  const rows: Readonly<Record<string, Ask>> = ASKS;
  const own = Object.hasOwn(rows, kind) ? rows[kind] : undefined;
  return own ?? (purpose === "question" ? QUESTION : TURN);
}

/** Returns the target length of an answer with so many items, in tokens. */
export function tokensFor(kind: AskKind, items = 0): number {
  const { tokens, each = 0 }: Ask & { readonly tokens: number } = ASKS[kind] as never;
  return tokens + each * items;
}

/** Assumed length of a reply without a target length, in tokens; for estimates and plans. */
export const UNBOUNDED_TOKENS = 1000;

/** Approximate number of English words per token. */
const WORDS_PER_TOKEN = 0.72;
/** Factor by which a turn may exceed its target length before it is cut. */
const SLACK = 1.5;

/** Converts tokens to words, rounded to tens. Prompts give lengths in words, because models count words better than tokens. */
export function wordsFor(tokens: number): number {
  return Math.max(10, Math.round(tokens * WORDS_PER_TOKEN / 10) * 10);
}

/** Returns the maximum number of words of a turn with a target length in tokens. */
export function mostWords(tokens: number): number {
  return Math.round(wordsFor(tokens) * SLACK);
}
