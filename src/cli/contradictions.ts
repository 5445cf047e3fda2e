// Contradictions between flags: the table's in terms of flags, and those of flags that set no key.
import { type KeyWords, refuseContradictions as refuse } from "../config/contradictions.ts";
import { rowsOf } from "../config/setting.ts";
import { SETTINGS } from "../config/settings.ts";
import { looksUp } from "../inputs/servers.ts";
import { withPreset } from "../debate/preset.ts";
import type { DebateConfig } from "../config/convening_config.ts";
import { ConfigurationError } from "../core/error.ts";
import {
  ADVOCATE_MODEL,
  EMBEDDING_MODEL,
  FACT_CHECK,
  JUDGE_MODEL,
  PAPER_PICK,
  PICK,
  QUESTION,
  SEARCH_URL,
  TOPIC_FROM,
} from "./flags.ts";
import type { Flag, FlagValues } from "./flag.ts";
import type { Convening } from "../operations/convening.ts";
import { choiceProblem } from "../operations/picking.ts";
import { plainLine } from "../core/text.ts";

type Plain = Readonly<Record<string, unknown>>;

/** The flags by the keys that tables name. */
const NAMES: ReadonlyMap<string, string> = new Map([
  ...rowsOf(SETTINGS).flatMap(([key, { flag }]) =>
    flag === undefined ? [] : [[key, flag.is.split(" ")[0]!] as const]
  ),
  ["advocateModels", ADVOCATE_MODEL.name],
  ["judgeModels", JUDGE_MODEL.name],
]);
const FLAG_WORDS: KeyWords = {
  name: (key) => NAMES.get(key) ?? key,
  shown: (value) => ` ${String(value)}`,
};

/** Rejects flags that contradict each other or the configuration that they are laid over. */
export function refuseContradictions(merged: Plain, values: FlagValues): void {
  const { kind } = merged;
  const url = values.get(SEARCH_URL);
  // Paper debaters search the web themselves.
  if (url !== undefined && values.get(FACT_CHECK) === "off" && kind !== "paper-debate") {
    throw refused(SEARCH_URL, url, {
      state: "--fact-check off looks nothing up",
      hint: "Give --fact-check standard or strict, or leave --search-url out.",
    });
  }
  const pick = values.get(PICK);
  if (pick !== undefined && kind === "debate" && values.get(TOPIC_FROM) === undefined) {
    throw refused(PICK, pick, {
      state: "no topics are proposed",
      hint: "Give --topic-from SUBJECT with it.",
    });
  }
  refuse(
    {
      ...merged,
      // Records and files from before the two were refused together are still used.
      ...kind === "paper-debate" ? { embeddingModel: values.get(EMBEDDING_MODEL) } : {},
      // Positions of flags are those of the file's advocates.
      positions: undefined,
      moderation: kind === "debate" ? moderationOf(merged) : undefined,
      advocateModels: values.get(ADVOCATE_MODEL),
      judgeModels: values.get(JUDGE_MODEL),
    },
    undefined,
    FLAG_WORDS,
  );
}

/** Refuses to look claims up in a convening that checks none: that is decided when it starts. */
export function refuseNewChecks(recorded: Plain, values: FlagValues): void {
  const url = values.get(SEARCH_URL);
  if (url === undefined || looksUp(recorded)) return;
  throw refused(SEARCH_URL, url, {
    state: "this convening checks no claims",
    hint: "Leave it out; --fact-check is for a new convening.",
  });
}

/** Refuses to choose what is debated where that is settled, or was never to be chosen. */
export function refuseNewQuestion(
  convening: Pick<Convening, "dir" | "start" | "messages">,
  values: FlagValues,
): void {
  const problem = choiceProblem(convening);
  if (problem === undefined) return;
  for (const flag of [PAPER_PICK, QUESTION]) {
    const value = values.get<unknown>(flag);
    if (value === undefined) continue;
    const hint = problem.hint.replace(/resume it\.$/, `resume it with ${flag.name}.`);
    const { state, settled } = problem;
    const shown = settled === undefined ? state : `${state}: ${plainLine(settled)}`;
    throw refused(flag, value, { state: shown, hint });
  }
}

function moderationOf({ moderation, preset }: Plain): unknown {
  const debate = { kind: "debate", topic: "", preset } as DebateConfig;
  return moderation ?? withPreset(debate).moderation;
}

function refused(
  { name, value: takes }: Flag<unknown>,
  value: unknown,
  { state, hint }: { readonly state: string; readonly hint: string },
): ConfigurationError {
  const shown = takes === undefined ? name : `${name} ${String(value)}`;
  return new ConfigurationError(`Cannot use ${shown}: ${state}`, { field: name, hint });
}
