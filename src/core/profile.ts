// Profiles of models: supported parameters of a server, and its spelling of reasoning, caps and limits in requests.
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
