import type { Usage } from "../core/message.ts";

/** The price of a model, in US dollars per million tokens. */
export interface Price {
  /** Of tokens read. */
  readonly input: number;
  /** Of tokens read from the provider's prompt cache. @default the input price */
  readonly cachedInput?: number | undefined;
  /** Of tokens written. */
  readonly output: number;
}

/** A dated price table. */
export interface Prices {
  /** The day the prices were read, such as `2026-11-01`. */
  readonly date: string;
  /** From a model's name, as records show it, to its price. */
  readonly models: Readonly<Record<string, Price>>;
}

/** Prices as their vendors listed them; a configuration's own table goes over it. */
export const BUILT_IN_PRICES: Prices = {
  date: "2025-10-01",
  models: {
    "gpt-4o-mini": { input: 0.15, cachedInput: 0.075, output: 0.6 },
    "gpt-4o": { input: 2.5, cachedInput: 1.25, output: 10 },
    "gpt-4.1": { input: 2, cachedInput: 0.5, output: 8 },
    "gpt-4.1-mini": { input: 0.4, cachedInput: 0.1, output: 1.6 },
    "gpt-4.1-nano": { input: 0.1, cachedInput: 0.025, output: 0.4 },
    "gpt-5": { input: 1.25, cachedInput: 0.125, output: 10 },
    "gpt-5-mini": { input: 0.25, cachedInput: 0.025, output: 2 },
  },
};

/** Models that cost nothing wherever they run. */
const FREE = /^(offline$|template$|human$|scripted$|ollama:|replay:)/;

/** The price of a model: the configuration's, else the built-in one; undefined when neither knows it. */
export function priceOf(model: string, prices?: Prices): Price | undefined {
  if (FREE.test(model)) return { input: 0, cachedInput: 0, output: 0 };
  for (const table of [prices?.models, BUILT_IN_PRICES.models]) {
    if (table !== undefined && Object.hasOwn(table, model)) return table[model];
  }
  return undefined;
}

/** What a usage costs in US dollars, to a millionth of a cent; `"unknown"` for a model without a price. */
export function costOf(
  usage: Omit<Usage, "costUsd">,
  price: Price | undefined,
): Usage["costUsd"] {
  if (price === undefined) return "unknown";
  const fresh = usage.inputTokens - usage.cachedInputTokens;
  const dollars = (fresh * price.input +
    usage.cachedInputTokens * (price.cachedInput ?? price.input) +
    usage.outputTokens * price.output) / 1e6;
  return Math.round(dollars * 1e8) / 1e8;
}
