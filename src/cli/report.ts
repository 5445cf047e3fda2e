import { join } from "@std/path";
import type { Ending } from "../core/event.ts";
import type { EndReason, Outcome, Status } from "../core/fact.ts";
import { NO_USAGE, type Usage } from "../core/message.ts";
import type { Standing } from "../core/scoring.ts";
import type { Reply } from "./command.ts";
import { money, number } from "./figures.ts";
import { plainLine } from "./plain_text.ts";

/** What is told of a convening that ended, or failed. */
export interface Told {
  /** The absolute path of its directory. */
  readonly dir?: string | undefined;
  readonly status: Status;
  readonly endReason: EndReason;
  readonly outcome: Outcome;
  readonly winner: string | null;
  readonly scores: Readonly<Record<string, Standing>>;
  readonly unscored: readonly string[];
  readonly usage: Usage;
}

/** What is told where no convening came about. */
export const NOTHING_TOLD: Told = {
  status: "failed",
  endReason: "failed",
  outcome: "unscored",
  winner: null,
  scores: {},
  unscored: [],
  usage: NO_USAGE,
};

/** The same as far as an ending tells it. */
export function toldOf(ending: Ending | undefined, dir?: string): Told {
  return { ...NOTHING_TOLD, ...ending, dir };
}

/** The keys that `--json` prints of every run. */
export function toldJson(told: Told): Record<string, unknown> {
  const { dir, status, endReason, outcome, winner, scores, unscored, usage } = told;
  return {
    dir: dir ?? null,
    status,
    end_reason: endReason,
    outcome,
    winner,
    scores: Object.fromEntries(
      Object.entries(scores).map((
        [id, { name, total, breakdown, scored, missing }],
      ) => [id, { name, total, breakdown, scored, missing }]),
    ),
    unscored,
    usage: {
      input_tokens: usage.inputTokens,
      cached_input_tokens: usage.cachedInputTokens,
      output_tokens: usage.outputTokens,
      cost_usd: usage.costUsd,
    },
  };
}

/** The exit code of a result: 0 done, 1 failed, 3 stopped by a limit, 4 waiting, 130 interrupted. */
export function codeOf({ status, endReason }: Told): number {
  if (endReason === "cancelled" && status !== "completed") return 130;
  switch (status) {
    case "completed":
      return 0;
    case "stopped":
      return 3;
    case "waiting":
    case "paused":
      return 4;
    default:
      return 1;
  }
}

/** A result, as printed: outcome, standings, what it cost, and where it is. */
export function reportResult(told: Told): Reply {
  const { dir, status, endReason, usage } = told;
  const lines = [
    ...(status === "completed" ? [] : [`${capital(status)}: ${endReason.replaceAll("_", " ")}`]),
    outcomeLine(told),
    ...standingLines(told),
    `Tokens: ${number(usage.inputTokens)} in (${number(usage.cachedInputTokens)} cached), ${
      number(usage.outputTokens)
    } out`,
    `Cost: ${usage.costUsd === "unknown" ? "unknown" : money(usage.costUsd)}`,
    ...(dir === undefined ? [] : [join(dir, "index.md")]),
  ];
  return {
    code: codeOf(told),
    json: toldJson(told),
    text: lines.join("\n") + "\n",
  };
}

function outcomeLine({ outcome, winner, scores, unscored }: Told): string {
  const scored = Object.keys(scores).length > 0 || unscored.length > 0;
  switch (outcome) {
    case "decided": {
      const name = winner === null ? undefined : scores[winner]?.name;
      return `Outcome: decided, ${plainLine(name ?? winner ?? "")} wins`;
    }
    case "undecided":
      return "Outcome: undecided";
    case "unscored":
      return `Outcome: unscored${scored ? ", no score could be read" : ""}`;
  }
}

function standingLines({ scores, unscored }: Told): string[] {
  const ranked = Object.entries(scores).sort(([, a], [, b]) => b.total - a.total);
  const lines = ranked.map(([, { name, total, missing }]) => {
    const lacking = missing === 0 ? "" : ` (${missing} not scored)`;
    return `  ${total.toFixed(2).padStart(5)}  ${plainLine(name)}${lacking}`;
  });
  return [...lines, ...unscored.map((id) => `      –  ${plainLine(id)}`)];
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
