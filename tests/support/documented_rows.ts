// Parameters that providers' documents say are refused, by row of the table of profiles; nothing is read from the table.
import type { AdapterName } from "../../src/agents/registry.ts";
import type { Effort } from "../../src/core/profile.ts";

/** The parameters of a request, whatever its protocol. */
export interface Sent {
  readonly cap: number | undefined;
  readonly temperature: unknown;
  readonly seed: unknown;
  /** The effort or level, as it is spelled there. */
  readonly effort: string | undefined;
  /** The switch of thinking, such as `enabled`. */
  readonly thinking: string | undefined;
  readonly budget: number | undefined;
  /** The form of JSON, as it is spelled there. */
  readonly json: string | undefined;
  readonly tools: boolean;
  readonly promptTokens: number;
  /** The names of all fields. */
  readonly fields: readonly string[];
}

/** The provider's words on a request that it refuses. */
type Rule = (sent: Sent) => string | undefined;

const isOn = ({ thinking, budget }: Sent) =>
  thinking === "enabled" || thinking === "adaptive" || (budget ?? 0) > 0;

// OpenAI
const NO_MAX_TOKENS: Rule = ({ fields }) =>
  fields.includes("max_tokens")
    ? "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."
    : undefined;
const DEFAULT_TEMPERATURE: Rule = ({ temperature }) =>
  temperature === undefined
    ? undefined
    : `Unsupported value: 'temperature' does not support ${temperature} with this model. Only the default (1) value is supported.`;
const TEMPERATURE_WITHOUT_EFFORT: Rule = (sent) =>
  sent.effort === "none" ? undefined : DEFAULT_TEMPERATURE(sent);
const takes = (...names: readonly string[]): Rule => ({ effort }) =>
  effort === undefined || names.includes(effort)
    ? undefined
    : `Unsupported value: 'reasoning_effort' does not support '${effort}' with this model. Supported values are: ${
      names.map((name) => `'${name}'`).join(", ")
    }.`;
const NO_EFFORT: Rule = ({ effort, fields }) =>
  effort === undefined && !fields.includes("reasoning_effort")
    ? undefined
    : "Unrecognized request argument supplied: reasoning_effort";
const writes = (most: number): Rule => ({ cap = 0 }) =>
  cap > most
    ? `max_tokens is too large: ${cap}. This model supports at most ${most} completion tokens, whereas you provided ${cap}.`
    : undefined;
const holds = (window: number): Rule => ({ cap = 0, promptTokens }) =>
  cap + promptTokens > window
    ? `This model's maximum context length is ${window} tokens. However, you requested ${
      cap + promptTokens
    } tokens. Please reduce the length of the messages or completion.`
    : undefined;
const NO_TOOLS_WITH_EFFORT: Rule = ({ tools, effort }) =>
  tools && effort !== "none"
    ? "Function tools with reasoning_effort are not supported in /v1/chat/completions. Set reasoning_effort to 'none' or use /v1/responses."
    : undefined;
const unknown = (...names: readonly string[]): Rule => ({ fields }) => {
  const name = names.find((each) => fields.includes(each));
  return name && `Unknown parameter: '${name}'.`;
};

// Anthropic
const CAP_REQUIRED: Rule = ({ cap }) =>
  cap === undefined ? "max_tokens: Field required" : undefined;
const NO_SEED: Rule = ({ fields }) =>
  fields.includes("seed") ? "seed: Extra inputs are not permitted" : undefined;
const NO_TEMPERATURE: Rule = ({ temperature }) =>
  temperature === undefined ? undefined : "`temperature` is deprecated for this model.";
const TEMPERATURE_OR_THINKING: Rule = (sent) =>
  isOn(sent) && sent.temperature !== undefined
    ? "`temperature` may only be set to 1 when thinking is enabled."
    : undefined;
const STAYS_ON: Rule = ({ thinking }) =>
  thinking === "disabled" ? '"thinking.type.disabled" is not supported for this model.' : undefined;
const ADAPTIVE: Rule = ({ thinking }) =>
  thinking === "enabled"
    ? '"thinking.type.enabled" is not supported for this model. Use "thinking.type.adaptive".'
    : undefined;
const BUDGET: Rule = ({ thinking, effort, budget = 1024, cap = 0 }) =>
  thinking === "adaptive"
    ? "adaptive thinking is not supported on this model"
    : effort !== undefined
    ? "This model does not support the effort parameter."
    : budget < 1024
    ? "thinking.enabled.budget_tokens: Input should be greater than or equal to 1024"
    : thinking === "enabled" && cap <= budget
    ? "`max_tokens` must be greater than `thinking.budget_tokens`."
    : undefined;
const NO_THINKING: Rule = ({ thinking, effort }) =>
  thinking === undefined && effort === undefined
    ? undefined
    : "thinking: this model does not support thinking";
const claudeWrites = (most: number): Rule => ({ cap = 0 }) =>
  cap > most
    ? `max_tokens: ${cap} > ${most}, which is the maximum allowed number of output tokens for this model`
    : undefined;
const CLAUDE: readonly Rule[] = [CAP_REQUIRED, NO_SEED];
const CLAUDE_5: readonly Rule[] = [...CLAUDE, NO_TEMPERATURE, ADAPTIVE, claudeWrites(128_000)];

// Gemini
const NO_JSON_WITH_TOOLS: Rule = ({ json, tools }) =>
  json !== undefined && tools
    ? "Function calling with a response mime type: 'application/json' is unsupported"
    : undefined;
const budgets = (least: number, most: number): Rule => ({ effort, budget }) =>
  effort !== undefined
    ? "Thinking level is not supported for this model."
    : budget === undefined || budget >= least && budget <= most
    ? undefined
    : least > 0 && budget === 0
    ? "Budget 0 is invalid. This model only works in thinking mode."
    : `The thinking budget ${budget} is invalid. Please choose a value between ${least} and ${most}.`;
const levels = (...names: readonly string[]): Rule => ({ effort, budget }) =>
  budget !== undefined
    ? "Thinking budget is not supported for this model."
    : effort === undefined || names.includes(effort)
    ? undefined
    : `Thinking level ${effort.toUpperCase()} is not supported for this model.`;
const NO_THOUGHTS: Rule = ({ effort, budget }) =>
  effort === undefined && budget === undefined
    ? undefined
    : "Unable to submit request because thinking is not supported by this model.";
const geminiWrites = (most: number): Rule => ({ cap = 0 }) =>
  cap > most
    ? `Unable to submit request because it has a maxOutputTokens value of ${cap} but the supported range is from 1 (inclusive) to ${
      most + 1
    } (exclusive).`
    : undefined;

// Others
const EXTRA: Rule = ({ fields }) => {
  const name = ["seed", "max_completion_tokens"].find((each) => fields.includes(each));
  return name && `${name}: Extra inputs are not permitted`;
};
const NO_JSON_SCHEMA: Rule = ({ json }) =>
  json === "json_schema" ? "This response_format type is unavailable now" : undefined;
const NO_JSON_OBJECT: Rule = ({ json }) =>
  json === "json_object" ? "'response_format.type' must be 'json_schema' or 'text'" : undefined;
const IDLE_WITH_THINKING: Rule = (sent) =>
  isOn(sent) && sent.temperature !== undefined
    ? "temperature has no effect in thinking mode"
    : undefined;
const ignores = (...names: readonly string[]): Rule => ({ fields }) => {
  const name = names.find((each) => fields.includes(each));
  return name && `${name} is ignored`;
};

/** A row, a model that it is of, and the provider's rules. */
export interface Documented {
  /** The pattern of the model's row, or the name of the server's. */
  readonly row: string;
  readonly model: string;
  /** The provider's name before the colon. */
  readonly prefix?: string;
  readonly adapter?: AdapterName;
  readonly rules: readonly Rule[];
  /** The efforts that the model takes; others are mapped, with a note. */
  readonly efforts: readonly Effort[];
  /** The model, or the provider, whose requests the same stand-in refuses, for want of the row; none: the row has no refusal. */
  readonly without?: { readonly model?: string; readonly prefix?: undefined };
}

const LOW_TO_HIGH = ["low", "medium", "high"] as const;
const OFF_TO_HIGH = ["off", ...LOW_TO_HIGH] as const;
const LOW_TO_MAX = [...LOW_TO_HIGH, "xhigh", "max"] as const;
const NONE_TO_XHIGH = takes("none", "low", "medium", "high", "xhigh");
const ANY = { model: "some-model" } as const;
const NO_ROW = { prefix: undefined } as const;

/** A pattern, a model, the provider's rules and the efforts. */
type Row = readonly [string, string, readonly Rule[], readonly Effort[]];

/** Rows of OpenAI's chat models. */
const OPENAI: readonly Row[] = [
  ["^gpt-4\\.1", "gpt-4.1", [NO_EFFORT, writes(32_768)], []],
  ["^gpt-(3\\.5|4)", "gpt-4o", [NO_EFFORT, writes(16_384)], []],
  [
    "^o\\d",
    "o3",
    [NO_MAX_TOKENS, DEFAULT_TEMPERATURE, takes(...LOW_TO_HIGH), writes(100_000)],
    LOW_TO_HIGH,
  ],
  ["^gpt-5.*-chat", "gpt-5-chat", [NO_EFFORT, writes(16_384)], []],
  ["^gpt-5(-(mini|nano))?$", "gpt-5-mini", [
    NO_MAX_TOKENS,
    DEFAULT_TEMPERATURE,
    takes("minimal", ...LOW_TO_HIGH),
    writes(128_000),
  ], ["minimal", ...LOW_TO_HIGH]],
  ["^gpt-5\\.1$", "gpt-5.1", [
    NO_MAX_TOKENS,
    TEMPERATURE_WITHOUT_EFFORT,
    takes("none", ...LOW_TO_HIGH),
    writes(128_000),
  ], OFF_TO_HIGH],
  ...[["^gpt-5\\.[45]$", "gpt-5.4"], ["^gpt-5\\.[2-5]", "gpt-5.2"], [
    "^gpt-(6-(sol|luna)|6\\.1-terra)",
    "gpt-6-sol",
  ]].map(([row, model]): Row => [
    row!,
    model!,
    [NO_MAX_TOKENS, TEMPERATURE_WITHOUT_EFFORT, NONE_TO_XHIGH, writes(128_000)],
    [...OFF_TO_HIGH, "xhigh"],
  ]),
  ["^gpt-5\\.6", "gpt-5.6-sol", [
    NO_MAX_TOKENS,
    TEMPERATURE_WITHOUT_EFFORT,
    NO_TOOLS_WITH_EFFORT,
    NONE_TO_XHIGH,
    writes(128_000),
  ], [...OFF_TO_HIGH, "xhigh"]],
  ...[["^gpt-6", "gpt-6"], ["^gpt-\\d", "gpt-7"]].map(([row, model]): Row => [
    row!,
    model!,
    [NO_MAX_TOKENS, DEFAULT_TEMPERATURE, takes(...LOW_TO_HIGH, "xhigh"), writes(128_000)],
    [...LOW_TO_HIGH, "xhigh"],
  ]),
];

/** Rows of Gemini. */
const GEMINI: readonly Row[] = [
  ["^gemini-(2\\.5-pro)", "gemini-2.5-pro", [
    NO_JSON_WITH_TOOLS,
    budgets(128, 32_768),
    geminiWrites(65_536),
  ], LOW_TO_HIGH],
  ["^gemini-2\\.5-flash", "gemini-2.5-flash", [
    NO_JSON_WITH_TOOLS,
    budgets(0, 24_576),
    geminiWrites(65_536),
  ], OFF_TO_HIGH],
  ["^gemini-2\\.0", "gemini-2.0-flash", [NO_JSON_WITH_TOOLS, NO_THOUGHTS, geminiWrites(8192)], []],
  ["^gemini-\\d+(\\.\\d+)?-pro|^gemini-3\\.[7-9]-flash$|^gemini-flash-latest", "gemini-3.1-pro", [
    levels(...LOW_TO_HIGH),
    geminiWrites(65_536),
  ], LOW_TO_HIGH],
  ["^gemini-", "gemini-3-flash", [levels("minimal", ...LOW_TO_HIGH), geminiWrites(65_536)], [
    "minimal",
    ...LOW_TO_HIGH,
  ]],
];

/** Every row of the table of profiles. */
export const DOCUMENTED: readonly Documented[] = [
  { row: "defaults", model: "some-model", rules: [NO_EFFORT, unknown("thinking")], efforts: [] },
  // Servers
  {
    row: "openai",
    model: "some-model",
    prefix: "openai",
    rules: [NO_MAX_TOKENS],
    efforts: [],
    without: NO_ROW,
  },
  { row: "anthropic", model: "some-model", adapter: "anthropic", rules: CLAUDE, efforts: [] },
  {
    row: "anthropic-openai",
    model: "claude-opus-4-8",
    prefix: "anthropic-openai",
    rules: [ignores("seed", "response_format", "reasoning_effort"), claudeWrites(128_000)],
    efforts: [],
    without: NO_ROW,
  },
  {
    row: "google",
    model: "deepseek-v4",
    prefix: "google",
    rules: [unknown("thinking", "reasoning", "chat_template_kwargs")],
    efforts: ["off", "low", "high", "max"],
    without: NO_ROW,
  },
  {
    row: "openrouter",
    model: "deepseek/deepseek-v4",
    prefix: "openrouter",
    rules: [unknown("thinking", "chat_template_kwargs")],
    efforts: ["off", "low", "high", "max"],
    without: NO_ROW,
  },
  {
    row: "ollama",
    model: "deepseek-v4",
    prefix: "ollama",
    rules: [ignores("max_completion_tokens"), takes("none", ...LOW_TO_HIGH)],
    efforts: ["off", "low", "high"],
    without: NO_ROW,
  },
  {
    row: "lmstudio",
    model: "some-model",
    prefix: "lmstudio",
    rules: [NO_JSON_OBJECT],
    efforts: [],
  },
  {
    row: "llamacpp",
    model: "qwen3:8b",
    prefix: "llamacpp",
    rules: [unknown("thinking", "reasoning")],
    efforts: OFF_TO_HIGH,
  },
  {
    row: "vllm",
    model: "mistral-small",
    prefix: "vllm",
    rules: [takes(...LOW_TO_HIGH), holds(128_000)],
    efforts: ["off", "high"],
    without: NO_ROW,
  },
  {
    row: "mistral",
    model: "some-model",
    prefix: "mistral",
    rules: [EXTRA],
    efforts: [],
    without: NO_ROW,
  },
  {
    row: "deepseek",
    model: "some-model",
    prefix: "deepseek",
    rules: [NO_JSON_SCHEMA, ignores("seed")],
    efforts: [],
    without: NO_ROW,
  },
  {
    row: "xai",
    model: "deepseek-v4",
    prefix: "xai",
    rules: [unknown("thinking")],
    efforts: ["off", "low", "high", "max"],
    without: NO_ROW,
  },
  // Models
  ...OPENAI.map(([row, model, rules, efforts]): Documented => ({
    row,
    model,
    prefix: "openai",
    rules,
    efforts,
    without: ANY,
  })),
  {
    row: "^gpt-5-pro",
    model: "gpt-5-pro",
    adapter: "responses",
    rules: [DEFAULT_TEMPERATURE, unknown("seed"), takes("high"), writes(272_000)],
    efforts: ["high"],
    without: ANY,
  },
  {
    row: "^gpt-5.*codex",
    model: "gpt-5.1-codex",
    adapter: "responses",
    rules: [DEFAULT_TEMPERATURE, unknown("seed"), takes(...LOW_TO_HIGH), writes(128_000)],
    efforts: LOW_TO_HIGH,
    without: ANY,
  },
  {
    row: "^gpt-oss",
    model: "gpt-oss:20b",
    prefix: "ollama",
    rules: [ignores("max_completion_tokens"), takes(...LOW_TO_HIGH), holds(131_072)],
    efforts: LOW_TO_HIGH,
    without: ANY,
  },
  ...[
    ["^claude-(sonnet|opus)-5-5|^claude-fable-5-[12]", "claude-opus-5-5"],
    ["^claude-fable-5", "claude-fable-5"],
    ["^claude-", "claude-opus-6"],
  ].map(([row, model]): Documented => ({
    row: row!,
    model: model!,
    adapter: "anthropic",
    rules: [...CLAUDE_5, STAYS_ON],
    efforts: LOW_TO_MAX,
    without: ANY,
  })),
  {
    row: "^claude-(haiku-5-5|opus-5|sonnet-5|opus-4-[78])",
    model: "claude-opus-4-8",
    adapter: "anthropic",
    rules: CLAUDE_5,
    efforts: ["off", ...LOW_TO_MAX],
    without: ANY,
  },
  {
    row: "^claude-(sonnet|opus)-4-6",
    model: "claude-sonnet-4-6",
    adapter: "anthropic",
    rules: [...CLAUDE, TEMPERATURE_OR_THINKING, takes(...LOW_TO_HIGH, "max"), claudeWrites(64_000)],
    efforts: [...OFF_TO_HIGH, "max"],
    without: ANY,
  },
  {
    row: "^claude-(sonnet|opus|haiku)-4",
    model: "claude-haiku-4-5",
    adapter: "anthropic",
    rules: [...CLAUDE, TEMPERATURE_OR_THINKING, BUDGET, claudeWrites(64_000)],
    efforts: OFF_TO_HIGH,
    without: ANY,
  },
  {
    row: "^claude-(instant|[123])",
    model: "claude-3-haiku-20240307",
    adapter: "anthropic",
    rules: [...CLAUDE, NO_THINKING, claudeWrites(4096)],
    efforts: [],
    without: ANY,
  },
  ...GEMINI.map(([row, model, rules, efforts]): Documented => ({
    row,
    model,
    adapter: "gemini",
    rules,
    efforts,
    without: ANY,
  })),
  {
    row: "^grok-4\\.20.*reasoning",
    model: "grok-4.20-reasoning",
    prefix: "xai",
    rules: [NO_EFFORT, writes(30_000)],
    efforts: [],
    without: { model: "grok-4.3" },
  },
  ...[["^grok-(4\\.3|latest)", "grok-4.3"], ["^grok-", "grok-4"]].map((
    [row, model],
  ): Documented => ({
    row: row!,
    model: model!,
    prefix: "xai",
    rules: [takes("none", ...LOW_TO_HIGH), writes(30_000)],
    efforts: OFF_TO_HIGH,
    without: ANY,
  })),
  {
    row: "^deepseek-(v4|flash|pro|reasoner)",
    model: "deepseek-reasoner",
    prefix: "deepseek",
    rules: [
      NO_JSON_SCHEMA,
      IDLE_WITH_THINKING,
      ignores("seed"),
      takes("low", "high", "max"),
      writes(384_000),
    ],
    efforts: ["off", "low", "high", "max"],
    without: ANY,
  },
  {
    row: "^deepseek-",
    model: "deepseek-chat",
    prefix: "deepseek",
    rules: [NO_JSON_SCHEMA, ignores("seed", "thinking", "reasoning_effort"), writes(8192)],
    efforts: [],
    without: ANY,
  },
  {
    row: "^mistral-large-4",
    model: "mistral-large-4",
    prefix: "mistral",
    rules: [EXTRA, takes(...LOW_TO_HIGH), holds(262_144)],
    efforts: LOW_TO_HIGH,
    without: ANY,
  },
  {
    row: "^(mistral-(small|medium)|magistral)",
    model: "magistral-medium-latest",
    prefix: "mistral",
    rules: [EXTRA, takes("none", "high"), holds(128_000)],
    efforts: ["off", "high"],
    without: ANY,
  },
  {
    row: "^(mistral|ministral|codestral)",
    model: "ministral-8b",
    prefix: "mistral",
    rules: [EXTRA, NO_EFFORT, holds(128_000)],
    efforts: [],
    without: ANY,
  },
  {
    row: "^(qwen3|qwq|glm-4|minimax-m2)",
    model: "Qwen/Qwen3-8B",
    prefix: "vllm",
    rules: [takes(...LOW_TO_HIGH)],
    efforts: OFF_TO_HIGH,
  },
];
