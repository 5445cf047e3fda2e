// Cost of a call: by the configuration's prices, nothing on this machine, else by the table of a package.
import type { Agent } from "../core/agent.ts";
import { isLoopback } from "../core/key_rules.ts";
import type { Usage } from "../core/message.ts";

/** The price of a model, in US dollars per million tokens. */
export interface Price {
  /** Of tokens read. */
  readonly input: number;
  /** Of tokens read from the provider's prompt cache. @default the input price */
  readonly cachedInput?: number | undefined;
  /** Of tokens written to the provider's prompt cache. @default the input price */
  readonly cacheWrite?: number | undefined;
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

type Tokens = Omit<Usage, "costUsd" | "pricedBy">;

/** Computes the cost of a call of one model. */
export type Pricing = (tokens: Tokens) => Pick<Usage, "costUsd" | "pricedBy">;

/** Package of prices and its version, as records name them; `deno.json` pins the version. */
export const PRICE_TABLE = "genai-prices 0.1.8";

/** Models that cost nothing wherever they run. */
const FREE = /^(offline$|template$|human$|client$|scripted$|replay:)/;

/**
 * The pricing of an agent's model: the configuration's price, 0 for a server of this machine, else the price that the
 * package lists for the provider's model. The package is loaded only for the last. Where the package has only a related
 * version of the model, `pricedBy` names that version and says `estimated`. The cost is `unknown` without a price.
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
        input_tokens: tokens.inputTokens,
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

/** The model's version without vendor and date, for the comparison of names. */
function versionOf(model: string): string {
  return model.split("/").at(-1)!.replace(/-(\d{4}|\d{8}|\d{4}-\d{2}-\d{2}|latest)$/, "")
    .replaceAll(".", "-");
}

function ownCost(
  { inputTokens, cachedInputTokens, cacheWriteTokens = 0, outputTokens }: Tokens,
  { input, cachedInput = input, cacheWrite = input, output }: Price,
): number {
  const fresh = inputTokens - cachedInputTokens - cacheWriteTokens;
  return (fresh * input + cachedInputTokens * cachedInput + cacheWriteTokens * cacheWrite +
    outputTokens * output) / 1e6;
}

/** Dollars to a millionth of a cent. */
function rounded(dollars: number): number {
  return Math.round(dollars * 1e8) / 1e8;
}
