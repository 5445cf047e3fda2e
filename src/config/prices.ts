// Cost of model calls: by the configuration's prices, zero for local servers, else by the table of a package.
import type { Agent } from "../core/agent.ts";
import { isLoopback } from "../core/key_rules.ts";
import type { Usage } from "../core/message.ts";

/** Price of a model, in US dollars per million tokens. */
export interface Price {
  /** Price of input tokens. */
  readonly input: number;
  /** Price of input tokens read from the provider's prompt cache. @default the input price */
  readonly cachedInput?: number | undefined;
  /** Price of input tokens written to the provider's prompt cache. @default the input price */
  readonly cacheWrite?: number | undefined;
  /** Price of output tokens. */
  readonly output: number;
}

/** Price table with its date. */
export interface Prices {
  /** Day of the prices, such as `2026-11-01`. */
  readonly date: string;
  /** Price by model name, as in records. */
  readonly models: Readonly<Record<string, Price>>;
}

type Tokens = Omit<Usage, "costUsd" | "pricedBy">;

/** Function that computes the cost of a call to one model. */
type Pricing = (tokens: Tokens) => Pick<Usage, "costUsd" | "pricedBy">;

/** Name and version of the price package in records; `deno.json` pins the version. */
export const PRICE_TABLE = "genai-prices 0.1.8";

/** Models without cost. */
const FREE = /^(offline$|template$|human$|client$|scripted$|replay:)/;

/**
 * Returns the pricing of an agent's model: the configuration's price, else 0 for free models and for servers on this machine,
 * else the price in the package, which is loaded only then. If the package knows only a related version, `pricedBy` names
 * that version and contains `estimated`. Without any price, the cost is `unknown`.
 */
export async function pricingOf(
  { model, source }: Pick<Agent, "model" | "source">,
  prices?: Prices,
): Promise<Pricing> {
  if (prices !== undefined && Object.hasOwn(prices.models, model)) {
    const price = prices.models[model]!;
    return (tokens) => ({ costUsd: rounded(ownCost(tokens, price)) });
  }
  if (FREE.test(model) || (source?.url !== undefined && isLoopback(source.url))) {
    return () => ({ costUsd: 0 });
  }
  return source === undefined ? () => ({ costUsd: "unknown" }) : await tablePricing(source);
}

async function tablePricing(
  { model, provider: providerId, url: providerApiUrl }: NonNullable<Agent["source"]>,
): Promise<Pricing> {
  const { calcPrice, findProvider } = await import("@pydantic/genai-prices");
  const provider = providerApiUrl !== undefined
    ? findProvider({ providerApiUrl })
    : providerId !== undefined
    ? findProvider({ providerId })
    : undefined;
  return (tokens) => {
    const found = provider === undefined ? null : calcPrice(
      {
        input_tokens: inputOf(tokens),
        cache_read_tokens: tokens.cachedInputTokens,
        cache_write_tokens: tokens.cacheWriteTokens ?? 0,
        output_tokens: tokens.outputTokens,
      },
      model,
      { provider },
    );
    if (found === null) return { costUsd: "unknown" };
    const exact = versionOf(model) === versionOf(found.model.id);
    return {
      costUsd: rounded(found.total_price),
      pricedBy: exact ? PRICE_TABLE : `${PRICE_TABLE} estimated by ${found.model.id}`,
    };
  };
}

/** Returns a model's name without vendor and date, for comparison. */
function versionOf(model: string): string {
  return model.split("/").at(-1)!.replace(/-(\d{4}|\d{8}|\d{4}-\d{2}-\d{2}|latest)$/, "")
    .replaceAll(".", "-");
}

/** Returns the input tokens, cached ones included: some servers leave these out, which would make a cost negative. */
function inputOf({ inputTokens, cachedInputTokens, cacheWriteTokens = 0 }: Tokens): number {
  const cached = cachedInputTokens + cacheWriteTokens;
  return cached > inputTokens ? inputTokens + cached : inputTokens;
}

function ownCost(
  tokens: Tokens,
  { input, cachedInput = input, cacheWrite = input, output }: Price,
): number {
  const { cachedInputTokens, cacheWriteTokens = 0, outputTokens } = tokens;
  const fresh = inputOf(tokens) - cachedInputTokens - cacheWriteTokens;
  return (fresh * input + cachedInputTokens * cachedInput + cacheWriteTokens * cacheWrite +
    outputTokens * output) / 1e6;
}

/** Rounds dollars to a millionth of a cent. */
export function rounded(dollars: number): number {
  return Math.round(dollars * 1e8) / 1e8;
}
