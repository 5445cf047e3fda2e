import { looksUp, withPreset } from "../compose.ts";
import type { DebateConfig } from "../config/config.ts";
import { ConfigurationError, ConveningError } from "../core/error.ts";
import {
  ADVOCATE_MODEL,
  FACT_CHECK,
  JUDGE_MODEL,
  MODERATOR_MODEL,
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

/** A flag that has nothing to act on, or two that exclude each other. */
interface Contradiction {
  readonly flag: Flag<unknown>;
  /** Whether the flag contradicts the configuration with the other flags in it. */
  readonly when: (merged: Plain, values: FlagValues) => boolean;
  /** Why it cannot be used. */
  readonly state: string;
  /** What is allowed. */
  readonly hint: string;
}

/** What no workflow can see, since it is not in the configuration, or does no harm there. */
const CONTRADICTIONS: readonly Contradiction[] = [
  {
    flag: SEARCH_URL,
    // Paper debaters search the web themselves.
    when: (merged, values) => values.get(FACT_CHECK) === "off" && !isPaperDebate(merged),
    state: "--fact-check off looks nothing up",
    hint: "Give --fact-check standard or strict, or leave --search-url out.",
  },
  {
    flag: MODERATOR_MODEL,
    when: (merged) => merged["kind"] === "debate" && moderationOf(merged) === "none",
    state: "there is no moderator",
    hint: "Give --moderation template or model, or leave --moderator-model out.",
  },
  {
    flag: PICK,
    when: ({ kind }, values) => kind === "debate" && values.get(TOPIC_FROM) === undefined,
    state: "no topics are proposed",
    hint: "Give --topic-from SUBJECT with it.",
  },
  {
    flag: PAPER_PICK,
    when: (merged, values) => isPaperDebate(merged) && values.get(QUESTION) !== undefined,
    state: "--question says what is debated",
    hint: "Leave --question out to have questions put to the papers, or leave --pick out.",
  },
  {
    flag: ADVOCATE_MODEL,
    when: (merged) => merged["kind"] !== "debate",
    state: "this is no debate",
    hint: "Give --model, which is every role's.",
  },
  {
    flag: JUDGE_MODEL,
    when: (merged) => merged["kind"] !== "debate" && !isPaperDebate(merged),
    state: "this is no debate",
    hint: "Give --model, which is every role's.",
  },
];

function isPaperDebate({ kind }: { readonly kind?: unknown }): boolean {
  return kind === "paper-debate";
}

/** Refuses flags that contradict each other or what they go over, naming flag, value and what is allowed. */
export function refuseContradictions(merged: Plain, values: FlagValues): void {
  for (const { flag, when, state, hint } of CONTRADICTIONS) {
    const value = values.get(flag);
    if (value === undefined || !when(merged, values)) continue;
    throw refused(flag, value, { state, hint });
  }
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

/** Errors about a configuration key that a flag set name the flag. */
export function nameFlag(error: unknown, keys: ReadonlyMap<string, Flag<unknown>>): unknown {
  if (!(error instanceof ConveningError) || error.code !== "config_invalid") return error;
  const { field = "" } = error;
  const parts = field.split(".");
  const flag = parts.map((_, at) => keys.get(parts.slice(0, parts.length - at).join(".")))
    .find((each) => each !== undefined);
  if (flag === undefined) return error;
  const { name, value } = flag;
  const [before = "", ...after] = error.message.split(field);
  // A flag without a value stands for one.
  const rest = value === undefined
    ? after.join(field).replace(/^ (?:"[^"]*"|true)/, "")
    : after.join(field);
  return new ConfigurationError(after.length === 0 ? before : `${before}${name}${rest}`, {
    field: name,
    hint: error.hint,
    cause: error,
  });
}

function moderationOf({ moderation, preset }: Plain): unknown {
  const debate = { kind: "debate", topic: "", preset } as DebateConfig;
  return moderation ?? withPreset(debate).moderation;
}

function refused(
  { name, value: takes }: Flag<unknown>,
  value: unknown,
  { state, hint }: Pick<Contradiction, "state" | "hint">,
): ConfigurationError {
  const shown = takes === undefined ? name : `${name} ${String(value)}`;
  return new ConfigurationError(`Cannot use ${shown}: ${state}`, { field: name, hint });
}
