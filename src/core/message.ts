// Messages, usage and provenance.
import { createHash } from "node:crypto";

/** Usage of a call to a model. */
export interface Usage {
  /** Tokens read, the cached ones included. */
  readonly inputTokens: number;
  /** Tokens read from the provider's prompt cache. */
  readonly cachedInputTokens: number;
  /** Tokens written. */
  readonly outputTokens: number;
  /** Tokens of hidden reasoning, part of those written. @default none, or the provider does not say */
  readonly reasoningTokens?: number | undefined;
  /** US dollars, or `"unknown"` for a model without a price. */
  readonly costUsd: number | "unknown";
  /** Tokens written to the provider's prompt cache, as part of those read. @default 0 */
  readonly cacheWriteTokens?: number | undefined;
  /** Tokens that a model of embeddings read, as part of those read. @default 0 */
  readonly embeddingTokens?: number | undefined;
  /** Price table of the cost, such as `genai-prices 0.1.8`; `estimated by MODEL` where it has only a related version. */
  readonly pricedBy?: string | undefined;
}

/** No usage: a template, a person, a replay. */
export const NO_USAGE: Usage = {
  inputTokens: 0,
  cachedInputTokens: 0,
  outputTokens: 0,
  costUsd: 0,
};

/** The sum of two usages; a cost is unknown when either is, and rounded to ten decimals. */
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
  };
}

/** The sum of a count that usages may lack. */
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

/** The cost for readers, in US dollars to four places: `unknown`, `$0.0120` or `$0.0120 (estimated)`. */
export function costText({ costUsd, pricedBy = "" }: Usage): string {
  if (costUsd === "unknown") return "unknown";
  return `$${costUsd.toFixed(4)}${pricedBy.includes("estimated") ? " (estimated)" : ""}`;
}

/** A cost in US dollars, as precise as it is small. */
export function money(
  { costUsd: cost, pricedBy = "" }: Pick<Usage, "costUsd" | "pricedBy">,
): string {
  if (cost === "unknown") return "unknown cost";
  if (cost === 0) return "$0";
  const dollars = `$${cost.toFixed(cost >= 1 ? 2 : cost >= 0.0001 ? 4 : 8)}`;
  return pricedBy.includes("estimated") ? `${dollars} (estimated)` : dollars;
}

/** The sum of the usages of facts, where they have any. */
export function totalUsage(
  facts: Iterable<{ readonly type: string; readonly usage?: Usage | undefined }>,
): Usage {
  let sum = NO_USAGE;
  for (const { usage } of facts) if (usage !== undefined) sum = addUsage(sum, usage);
  return sum;
}

/** Flag of an accepted message: a rule that it breaks, or a change that was made to it. */
export type Mark =
  | "truncated"
  | "too_short"
  | "repeated"
  | "off_topic"
  | "accepted_with_false_claims"
  | "concluded"
  | (string & Record<never, never>);

/** Provenance that every fact made by a call carries. */
export interface Made {
  /** The model's name; `template` or `human` where no model spoke. */
  readonly model: string;
  /** Usage of the calls for the fact. */
  readonly usage: Usage;
  /** Milliseconds from request to whole answer. */
  readonly latencyMs: number;
  /** ISO 8601, UTC, with milliseconds. */
  readonly createdAt: string;
}

/** Provenance that a provider gives with an answer, and the cap and effort that were sent. */
export interface Served {
  /** The model that the provider names, where that is not the model that was asked. */
  readonly model?: string | undefined;
  /** The fingerprint of the provider's system. */
  readonly fingerprint?: string | undefined;
  /** The provider's id of the request. */
  readonly requestId?: string | undefined;
  /** The cap that was sent, in tokens. */
  readonly cap?: number | undefined;
  /** The effort that was sent. */
  readonly effort?: string | undefined;
}

/** One accepted turn: what was said, by whom, in answer to what. */
export interface Message extends Made {
  /** Tells facts apart. */
  readonly type: "message";
  /** Its number, from 1. */
  readonly seq: number;
  /** The turn's key: stable across runs, unique in the convening. */
  readonly turn: string;
  /** The participant's id. */
  readonly participant: string;
  /** The participant's name. */
  readonly name: string;
  /** snake_case, such as `position_advocate`. */
  readonly role: string;
  /** Position of the participant. */
  readonly position?: string;
  /** Such as `opening`. */
  readonly phase: string;
  /** Such as `rebuttal`. */
  readonly kind: string;
  /** 0 outside the argument rounds. */
  readonly round: number;
  /** The number of the message it answers. */
  readonly replyTo?: number;
  /** The number of the last message this turn had been given. */
  readonly previous?: number;
  /** Number of the last message that the prompt showed in a summary alone. @default every message was whole */
  readonly folded?: number;
  /** Text in markdown. */
  readonly body: string;
  /** Number of attempts, the accepted attempt included. */
  readonly attempts: number;
  /** Flags: rules that the message breaks, or changes that were made to it. */
  readonly marks: readonly Mark[];
  /** The provider's model, fingerprint and request, and the cap and effort that were sent. */
  readonly served?: Served;
  /** Of the body, in hex. */
  readonly sha256: string;
  /** Set in a fork, where the body was replaced. */
  readonly edited?: boolean;
}

/** The SHA-256 of bytes, or of a text in UTF-8, in hex. */
export function sha256(of: string | Uint8Array): string {
  return createHash("sha256").update(of).digest("hex");
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Eight characters that identify an id in a file name: the first eight of a UUID, else of the id's SHA-256. */
export function shortId(id: string): string {
  return UUID.test(id) ? id.slice(0, 8).toLowerCase() : shortHash(id);
}

/** The name of a judge's files: the first eight hex digits of the SHA-256 of `JUDGE|MODEL|RUBRIC`. */
export function judgeShortId(
  judge: string,
  model: string,
  rubric: string,
): string {
  return shortHash(`${judge}|${model}|${rubric}`);
}

/** Every file of a participant or judge asks for the same few. */
const shortHashes = new Map<string, string>();

function shortHash(text: string): string {
  let short = shortHashes.get(text);
  if (short === undefined) {
    if (shortHashes.size >= 256) shortHashes.clear();
    shortHashes.set(text, short = sha256(text).slice(0, 8));
  }
  return short;
}
