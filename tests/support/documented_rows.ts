// Parameters that each provider's documents forbid, by row of the table of profiles; written by hand, not derived from the table.
import type { AdapterName } from "../../src/agents/registry.ts";
import type { Effort } from "../../src/core/profile.ts";

/** Parameters of a request, independent of the protocol. */
export interface Sent {
  readonly cap: number | undefined;
  readonly temperature: unknown;
  readonly seed: unknown;
  /** Effort or thinking level, as the protocol spells it. */
  readonly effort: string | undefined;
  /** Switch of thinking, such as `enabled`. */
  readonly thinking: string | undefined;
  readonly budget: number | undefined;
  /** Response format, as the protocol spells it. */
  readonly json: string | undefined;
  readonly tools: boolean;
  readonly promptTokens: number;
  /** Names of all fields of the request. */
  readonly fields: readonly string[];
}

/** Returns the provider's error message for a request, or undefined if the request is accepted. */
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

/** A row of the table of profiles with a model that matches the row and the provider's rules. */
export interface Documented {
  /** Pattern of the model's row, or name of the server's row. */
  readonly row: string;
  readonly model: string;
  /** Provider's name before the colon. */
  readonly prefix?: string;
  readonly adapter?: AdapterName;
  readonly rules: readonly Rule[];
  /** Efforts that the model accepts; other efforts are mapped, with a note. */
  readonly efforts: readonly Effort[];
  /** A model or provider name that does not match the row: its requests are rejected. Absent if the row avoids no rejection. */
  readonly without?: { readonly model?: string; readonly prefix?: undefined };
}

const LOW_TO_HIGH = ["low", "medium", "high"] as const;
const OFF_TO_HIGH = ["off", ...LOW_TO_HIGH] as const;
const OFF_TO_XHIGH = [...OFF_TO_HIGH, "xhigh"] as const;
const LOW_TO_MAX = [...LOW_TO_HIGH, "xhigh", "max"] as const;
const NONE_TO_XHIGH = takes("none", "low", "medium", "high", "xhigh");
/** Requests that do not match the row: another model, or no provider name. */
const ANY = { model: "some-model" } as const;
const NO_ROW = { prefix: undefined } as const;

/** Short form of {@linkcode Documented}; the provider's name or adapter is the key in `ROWS`. */
type Row = readonly [
  row: string,
  model: string,
  rules: readonly Rule[],
  efforts: readonly Effort[],
  without?: Documented["without"],
];

const LOW_TO_XHIGH = [...LOW_TO_HIGH, "xhigh"] as const;
const ALWAYS: readonly Rule[] = [NO_MAX_TOKENS, DEFAULT_TEMPERATURE, writes(128_000)];
const OFF: readonly Rule[] = [NO_MAX_TOKENS, TEMPERATURE_WITHOUT_EFFORT, writes(128_000)];
const MAPPED = ["off", "low", "high", "max"] as const;

/** Rows of the table of profiles, by the provider's name before the colon. */
const ROWS: Readonly<Record<string, readonly Row[]>> = {
  "": [["defaults", "some-model", [NO_EFFORT, unknown("thinking")], []]],
  openai: [
    ["openai", "some-model", [NO_MAX_TOKENS], [], NO_ROW],
    ["^gpt-4\\.1", "gpt-4.1", [NO_EFFORT, writes(32_768)], [], ANY],
    ["^gpt-(3\\.5|4)", "gpt-4o", [NO_EFFORT, writes(16_384)], [], ANY],
    [
      "^o\\d",
      "o3",
      [NO_MAX_TOKENS, DEFAULT_TEMPERATURE, takes(...LOW_TO_HIGH), writes(100_000)],
      LOW_TO_HIGH,
      ANY,
    ],
    ["^gpt-5.*-chat", "gpt-5-chat", [NO_EFFORT, writes(16_384)], [], ANY],
    ["^gpt-5(-(mini|nano))?$", "gpt-5-mini", [...ALWAYS, takes("minimal", ...LOW_TO_HIGH)], [
      "minimal",
      ...LOW_TO_HIGH,
    ], ANY],
    ["^gpt-5\\.1$", "gpt-5.1", [...OFF, takes("none", ...LOW_TO_HIGH)], OFF_TO_HIGH, ANY],
    ["^gpt-5\\.[45]$", "gpt-5.4", [...OFF, NONE_TO_XHIGH], OFF_TO_XHIGH, ANY],
    ["^gpt-5\\.[2-5]", "gpt-5.2", [...OFF, NONE_TO_XHIGH], OFF_TO_XHIGH, ANY],
    ["^gpt-5\\.6", "gpt-5.6-sol", [...OFF, NO_TOOLS_WITH_EFFORT, NONE_TO_XHIGH], OFF_TO_XHIGH, ANY],
    ["^gpt-(6-(sol|luna)|6\\.1-terra)", "gpt-6-sol", [...OFF, NONE_TO_XHIGH], OFF_TO_XHIGH, ANY],
    ["^gpt-6", "gpt-6", [...ALWAYS, takes(...LOW_TO_XHIGH)], LOW_TO_XHIGH, ANY],
    ["^gpt-\\d", "gpt-7", [...ALWAYS, takes(...LOW_TO_XHIGH)], LOW_TO_XHIGH, ANY],
  ],
  "anthropic-openai": [
    [
      "anthropic-openai",
      "claude-opus-4-8",
      [ignores("seed", "response_format", "reasoning_effort"), claudeWrites(128_000)],
      [],
      NO_ROW,
    ],
  ],
  google: [
    [
      "google",
      "deepseek-v4",
      [unknown("thinking", "reasoning", "chat_template_kwargs")],
      MAPPED,
      NO_ROW,
    ],
  ],
  openrouter: [
    [
      "openrouter",
      "deepseek/deepseek-v4",
      [unknown("thinking", "chat_template_kwargs")],
      MAPPED,
      NO_ROW,
    ],
  ],
  ollama: [
    ["ollama", "deepseek-v4", [ignores("max_completion_tokens"), takes("none", ...LOW_TO_HIGH)], [
      "off",
      "low",
      "high",
    ], NO_ROW],
    [
      "^gpt-oss",
      "gpt-oss:20b",
      [ignores("max_completion_tokens"), takes(...LOW_TO_HIGH), holds(131_072)],
      LOW_TO_HIGH,
      ANY,
    ],
  ],
  lmstudio: [["lmstudio", "some-model", [NO_JSON_OBJECT], []]],
  llamacpp: [["llamacpp", "qwen3:8b", [unknown("thinking", "reasoning")], OFF_TO_HIGH]],
  vllm: [
    ["vllm", "mistral-small", [takes(...LOW_TO_HIGH), holds(128_000)], ["off", "high"], NO_ROW],
    ["^(qwen3|qwq|glm-4|minimax-m2)", "Qwen/Qwen3-8B", [takes(...LOW_TO_HIGH)], OFF_TO_HIGH],
  ],
  mistral: [
    ["mistral", "some-model", [EXTRA], [], NO_ROW],
    [
      "^mistral-large-4",
      "mistral-large-4",
      [EXTRA, takes(...LOW_TO_HIGH), holds(262_144)],
      LOW_TO_HIGH,
      ANY,
    ],
    [
      "^(mistral-(small|medium)|magistral)",
      "magistral-medium-latest",
      [EXTRA, takes("none", "high"), holds(128_000)],
      ["off", "high"],
      ANY,
    ],
    ["^(mistral|ministral|codestral)", "ministral-8b", [EXTRA, NO_EFFORT, holds(128_000)], [], ANY],
  ],
  deepseek: [
    ["deepseek", "some-model", [NO_JSON_SCHEMA, ignores("seed")], [], NO_ROW],
    [
      "^deepseek-(v4|flash|pro|reasoner)",
      "deepseek-reasoner",
      [
        NO_JSON_SCHEMA,
        IDLE_WITH_THINKING,
        ignores("seed"),
        takes("low", "high", "max"),
        writes(384_000),
      ],
      MAPPED,
      ANY,
    ],
    [
      "^deepseek-",
      "deepseek-chat",
      [NO_JSON_SCHEMA, ignores("seed", "thinking", "reasoning_effort"), writes(8192)],
      [],
      ANY,
    ],
  ],
  xai: [
    ["xai", "deepseek-v4", [unknown("thinking")], MAPPED, NO_ROW],
    ["^grok-4\\.20.*reasoning", "grok-4.20-reasoning", [NO_EFFORT, writes(30_000)], [], {
      model: "grok-4.3",
    }],
    [
      "^grok-(4\\.3|latest)",
      "grok-4.3",
      [takes("none", ...LOW_TO_HIGH), writes(30_000)],
      OFF_TO_HIGH,
      ANY,
    ],
    ["^grok-", "grok-4", [takes("none", ...LOW_TO_HIGH), writes(30_000)], OFF_TO_HIGH, ANY],
  ],
};

/** Rows of models that are called through an adapter. */
const ADAPTED: Readonly<Record<AdapterName, readonly Row[]>> = {
  responses: [
    [
      "^gpt-5-pro",
      "gpt-5-pro",
      [DEFAULT_TEMPERATURE, unknown("seed"), takes("high"), writes(272_000)],
      ["high"],
      ANY,
    ],
    [
      "^gpt-5.*codex",
      "gpt-5.1-codex",
      [DEFAULT_TEMPERATURE, unknown("seed"), takes(...LOW_TO_HIGH), writes(128_000)],
      LOW_TO_HIGH,
      ANY,
    ],
  ],
  anthropic: [
    ["anthropic", "some-model", CLAUDE, []],
    [
      "^claude-(sonnet|opus)-5-5|^claude-fable-5-[12]",
      "claude-opus-5-5",
      [...CLAUDE_5, STAYS_ON],
      LOW_TO_MAX,
      ANY,
    ],
    ["^claude-fable-5", "claude-fable-5", [...CLAUDE_5, STAYS_ON], LOW_TO_MAX, ANY],
    ["^claude-", "claude-opus-6", [...CLAUDE_5, STAYS_ON], LOW_TO_MAX, ANY],
    ["^claude-(haiku-5-5|opus-5|sonnet-5|opus-4-[78])", "claude-opus-4-8", CLAUDE_5, [
      "off",
      ...LOW_TO_MAX,
    ], ANY],
    [
      "^claude-(sonnet|opus)-4-6",
      "claude-sonnet-4-6",
      [...CLAUDE, TEMPERATURE_OR_THINKING, takes(...LOW_TO_HIGH, "max"), claudeWrites(64_000)],
      [...OFF_TO_HIGH, "max"],
      ANY,
    ],
    [
      "^claude-(sonnet|opus|haiku)-4",
      "claude-haiku-4-5",
      [...CLAUDE, TEMPERATURE_OR_THINKING, BUDGET, claudeWrites(64_000)],
      OFF_TO_HIGH,
      ANY,
    ],
    [
      "^claude-(instant|[123])",
      "claude-3-haiku-20240307",
      [...CLAUDE, NO_THINKING, claudeWrites(4096)],
      [],
      ANY,
    ],
  ],
  gemini: [
    [
      "^gemini-(2\\.5-pro)",
      "gemini-2.5-pro",
      [NO_JSON_WITH_TOOLS, budgets(128, 32_768), geminiWrites(65_536)],
      LOW_TO_HIGH,
      ANY,
    ],
    [
      "^gemini-2\\.5-flash",
      "gemini-2.5-flash",
      [NO_JSON_WITH_TOOLS, budgets(0, 24_576), geminiWrites(65_536)],
      OFF_TO_HIGH,
      ANY,
    ],
    [
      "^gemini-2\\.0",
      "gemini-2.0-flash",
      [NO_JSON_WITH_TOOLS, NO_THOUGHTS, geminiWrites(8192)],
      [],
      ANY,
    ],
    [
      "^gemini-\\d+(\\.\\d+)?-pro|^gemini-3\\.[7-9]-flash$|^gemini-flash-latest",
      "gemini-3.1-pro",
      [levels(...LOW_TO_HIGH), geminiWrites(65_536)],
      LOW_TO_HIGH,
      ANY,
    ],
    ["^gemini-", "gemini-3-flash", [levels("minimal", ...LOW_TO_HIGH), geminiWrites(65_536)], [
      "minimal",
      ...LOW_TO_HIGH,
    ], ANY],
  ],
};

const documented = ([row, model, rules, efforts, without]: Row) => ({
  row,
  model,
  rules,
  efforts,
  ...(without === undefined ? {} : { without }),
});

/** Every row of the table of profiles. */
export const DOCUMENTED: readonly Documented[] = [
  ...Object.entries(ROWS).flatMap(([prefix, rows]) =>
    rows.map((row) => ({ ...documented(row), ...(prefix === "" ? {} : { prefix }) }))
  ),
  ...Object.entries(ADAPTED).flatMap(([adapter, rows]) =>
    rows.map((row) => ({ ...documented(row), adapter: adapter as AdapterName }))
  ),
];
