import type { ConveningConfig } from "../config/convening_config.ts";
import type { Reply } from "./command.ts";
import { money, number } from "./figures.ts";
import { plainLine } from "../core/text.ts";

/** What a run will do at most. */
export interface ShownPlan {
  readonly turns: number;
  readonly calls: number;
  /** The longest chain of calls that wait for one another. */
  readonly chain: number;
  readonly maxTokens: number;
  readonly maxCost: number | "unknown";
  /** From model to the number of its calls. */
  readonly models: Readonly<Record<string, number>>;
}

/** A plan, as `--dry-run` prints it; `topic` is what the convening would be called. */
export function planReply(
  config: ConveningConfig,
  plan: ShownPlan,
  { topic }: { readonly topic: string },
): Reply {
  const { kind, out } = config;
  const { turns, calls, chain, maxTokens, maxCost, models } = plan;
  const cost = maxCost === "unknown" ? "unknown" : money(maxCost);
  const lines = [
    ...subjectLines(config, topic),
    ...Object.entries(models).map(([model, count]) => `Model: ${model}, ${number(count)} calls`),
    `Turns: ${number(turns)}`,
    `Calls: ${number(calls)}, of which ${number(chain)} wait for one another`,
    `Tokens: at most ${number(maxTokens)}`,
    `Cost: ${cost === "unknown" ? cost : `at most ${cost}`}`,
    ...uncounted(config),
    `Would be kept under: ${out}`,
  ];
  return {
    code: 0,
    json: {
      dryRun: true,
      dir: null,
      kind,
      topic,
      question: config.kind === "paper-debate" ? config.question ?? null : null,
      turns,
      calls,
      chain,
      maxTokens,
      costUsd: maxCost,
      models,
      out,
    },
    text: lines.join("\n") + "\n",
  };
}

/** What it is about: its topic, or its papers and its question. */
function subjectLines(config: ConveningConfig, topic: string): string[] {
  if (config.kind !== "paper-debate") return [`${config.kind} on: ${plainLine(topic)}`];
  const { question, pick, papers } = config;
  const which = pick === "ask" ? "the one that is picked" : `the one with the number ${pick ?? 1}`;
  return [
    `${config.kind} on: ${plainLine(topic)}`,
    ...papers.map((path) => `Paper: ${plainLine(path)}`),
    `Question: ${
      question === undefined ? `${which} of those put to the papers` : plainLine(question)
    }`,
  ];
}

/** What can come on top of the plan, since nobody can know it before: one line, or none. */
function uncounted(config: ConveningConfig): string[] {
  if (config.kind === "paper-debate") {
    return ["Not counted: what debaters look up, and the calls that answer them with it"];
  }
  if (config.kind !== "debate") return [];
  const { interruptions = "none", adaptive = false } = config;
  const extra = [
    ...interruptions === "none" ? [] : ["interruptions and their answers"],
    ...adaptive ? ["a round that is added"] : [],
  ];
  return extra.length === 0 ? [] : [`Not counted: ${extra.join(", ")}`];
}
