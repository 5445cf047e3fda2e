// Message, the accepted answer to a turn; token usage, cost and provenance; hashes that name files.
import { createHash } from "node:crypto";

/** Token counts and cost of one or more model calls. */
export interface Usage {
  /** Input tokens, including cached tokens and those of embedding models. */
  readonly inputTokens: number;
  /** Input tokens read from the provider's prompt cache. */
  readonly cachedInputTokens: number;
  /** Output tokens, hidden reasoning included. */
  readonly outputTokens: number;
  /** Output tokens spent on hidden reasoning. @default none, or not reported by the provider */
  readonly reasoningTokens?: number | undefined;
  /** Cost in US dollars; `"unknown"` for a model without a price. */
  readonly costUsd: number | "unknown";
  /** Input tokens written to the provider's prompt cache. @default 0 */
  readonly cacheWriteTokens?: number | undefined;
  /** Input tokens of an embedding model. @default 0 */
  readonly embeddingTokens?: number | undefined;
  /** Price table behind `costUsd`, such as `genai-prices 0.1.8`; `estimated by MODEL` if only a related version has a price. */
  readonly pricedBy?: string | undefined;
  /** True if a provider reported no token counts, and this program counted. @default all counts are the provider's */
  readonly tokensEstimated?: boolean | undefined;
}

/** Zero usage, as of a template, a person or a replay. */
export const NO_USAGE: Usage = {
  inputTokens: 0,
  cachedInputTokens: 0,
  outputTokens: 0,
  costUsd: 0,
};

/** Adds two usages. The cost is rounded to ten decimals; an unknown cost makes the sum unknown. */
export function addUsage(a: Usage, b: Usage): Usage {
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    cachedInputTokens: a.cachedInputTokens + b.cachedInputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    ...sumOf("reasoningTokens", a, b),
    ...sumOf("cacheWriteTokens", a, b),
    ...sumOf("embeddingTokens", a, b),
    costUsd: a.costUsd === "unknown" || b.costUsd === "unknown"
      ? "unknown"
      : Math.round((a.costUsd + b.costUsd) * 1e10) / 1e10,
    ...sourcesOfCost(a, b),
    ...a.tokensEstimated || b.tokensEstimated ? { tokensEstimated: true } : {},
  };
}

/** Adds an optional count; omits the key if the sum is 0. */
function sumOf(
  key: "reasoningTokens" | "cacheWriteTokens" | "embeddingTokens",
  a: Usage,
  b: Usage,
): Partial<Usage> {
  const sum = (a[key] ?? 0) + (b[key] ?? 0);
  return sum === 0 ? {} : { [key]: sum };
}

function sourcesOfCost(a: Usage, b: Usage): Pick<Usage, "pricedBy"> {
  const names = [a, b].flatMap(({ pricedBy }) => pricedBy?.split("; ") ?? []);
  return names.length === 0 ? {} : { pricedBy: [...new Set(names)].toSorted().join("; ") };
}

/** Formats a cost in US dollars with two, four or eight decimals, the smaller the more: `$1.50`, `$0.0120 (estimated)` or `unknown`. */
export function money(
  { costUsd: cost, pricedBy = "", tokensEstimated = false }: Pick<
    Usage,
    "costUsd" | "pricedBy" | "tokensEstimated"
  >,
): string {
  if (cost === "unknown") return "unknown";
  if (cost === 0) return "$0";
  const dollars = `$${cost.toFixed(decimalsOf(cost))}`;
  return tokensEstimated || pricedBy.includes("estimated") ? `${dollars} (estimated)` : dollars;
}

/** Formats an upper bound of a cost as {@linkcode money} does, but rounded up. */
export function atMost(cost: number): string {
  const unit = 10 ** decimalsOf(cost);
  // Without the noise of the product.
  return `at most ${money({ costUsd: Math.ceil(cost * unit - 1e-6) / unit })}`;
}

function decimalsOf(cost: number): number {
  return cost >= 1 ? 2 : cost >= 0.0001 ? 4 : 8;
}

/** Sums the usages of facts; facts without usage are skipped. */
export function totalUsage(
  facts: Iterable<{ readonly type: string; readonly usage?: Usage | undefined }>,
): Usage {
  let sum = NO_USAGE;
  for (const { usage } of facts) if (usage !== undefined) sum = addUsage(sum, usage);
  return sum;
}

/** Flag of an accepted message: a rule that the message breaks, or a change made to the text. */
export type Mark =
  | "truncated"
  | "too_short"
  | "repeated"
  | "off_topic"
  | "accepted_with_false_claims"
  | "concluded"
  | (string & Record<never, never>);

/** Provenance of a fact that a model call produced. */
export interface Made {
  /** Model name; `template` or `human` if no model produced the text. */
  readonly model: string;
  /** Usage of all calls made for the fact. */
  readonly usage: Usage;
  /** Milliseconds from the request to the complete answer. */
  readonly latencyMs: number;
  /** ISO 8601, UTC, with milliseconds. */
  readonly createdAt: string;
}

/** Provenance reported by the provider, and the token cap and reasoning effort that were sent. */
export interface Served {
  /** Model named by the provider, if it differs from the requested model. */
  readonly model?: string | undefined;
  /** Fingerprint of the provider's system. */
  readonly fingerprint?: string | undefined;
  /** Request id assigned by the provider. */
  readonly requestId?: string | undefined;
  /** Output token cap of the request. */
  readonly cap?: number | undefined;
  /** Reasoning effort of the request. */
  readonly effort?: string | undefined;
}

/** Accepted answer to a turn. */
export interface Message extends Made {
  /** Discriminant of the union. */
  readonly type: "message";
  /** Message number, from 1. */
  readonly seq: number;
  /** Key of the turn: stable across runs, unique in the convening. */
  readonly turn: string;
  /** Id of the speaker. */
  readonly participant: string;
  /** Display name of the participant. */
  readonly name: string;
  /** Role in snake_case, such as `position_advocate`. */
  readonly role: string;
  /** Position that the participant argues for. */
  readonly position?: string;
  /** Phase, such as `opening`. */
  readonly phase: string;
  /** Kind of turn, such as `rebuttal`. */
  readonly kind: string;
  /** Round, from 1; 0 outside the argument rounds. */
  readonly round: number;
  /** Number of the message that this message answers. */
  readonly replyTo?: number;
  /** Number of the newest message that the speaker had seen. */
  readonly previous?: number;
  /** Number of the last message that the prompt showed only in a summary. @default every message was shown whole */
  readonly folded?: number;
  /** Text in markdown. */
  readonly body: string;
  /** Number of attempts, including the accepted one. */
  readonly attempts: number;
  /** Rules that the message breaks, and changes made to it. */
  readonly marks: readonly Mark[];
  /** Provenance reported by the provider. */
  readonly served?: Served;
  /** SHA-256 of `body`, in hex. */
  readonly sha256: string;
  /** True if a fork replaced the body. */
  readonly edited?: boolean;
}

/** Returns the SHA-256 of bytes, or of a text in UTF-8, in hex. */
export function sha256(of: string | Uint8Array): string {
  return createHash("sha256").update(of).digest("hex");
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Returns an id of eight characters for file names: the first eight of a UUID, else of the id's SHA-256 in hex. */
export function shortId(id: string): string {
  return UUID.test(id) ? id.slice(0, 8).toLowerCase() : shortHash(id);
}

/** Returns the id in the names of a judge's files: the first eight hex digits of the SHA-256 of `JUDGE|MODEL|RUBRIC`. */
export function judgeShortId(
  judge: string,
  model: string,
  rubric: string,
): string {
  return shortHash(`${judge}|${model}|${rubric}`);
}

function shortHash(text: string): string {
  return sha256(text).slice(0, 8);
}
