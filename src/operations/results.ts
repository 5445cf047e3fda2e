// Results of convenings, as values and as the JSON of every door.
import type { Assessment, ProposalStanding } from "../core/outcome.ts";
import type { Ending } from "../core/event.ts";
import type { EndReason, Status } from "../core/fact.ts";
import { NO_USAGE, type Usage } from "../core/message.ts";
import type { PaperResult } from "./paper_results.ts";
import type { Judged } from "./judging.ts";
import type { PanelJson, ResultJson } from "./outputs.ts";

/** The result of a convening that ended, rests, or failed. */
export interface ShownResult
  extends Omit<Partial<Assessment>, RequiredKeys>, Pick<Assessment, RequiredKeys> {
  /** The absolute path of its directory. */
  readonly dir?: string | undefined;
  readonly status: Status;
  /** Absent of one that waits or is paused. */
  readonly endReason?: EndReason | undefined;
  /** The turns it waits for, while it waits for people. */
  readonly waitingFor?: Ending["waitingFor"];
  /** The protocol's return value, of kinds that keep it in the record. */
  readonly value?: unknown;
  readonly usage: Usage;
  /** Of a paper debate. */
  readonly paper?: PaperResult | undefined;
}

type RequiredKeys = "outcome" | "winner" | "scores" | "unscored";

/** The result where no convening came about. */
const NO_RESULT: ShownResult = {
  status: "failed",
  endReason: "failed",
  outcome: "unscored",
  winner: null,
  scores: {},
  unscored: [],
  usage: NO_USAGE,
};

/** The result of an ending; without one, that of no convening. */
export function resultOf(
  ending: Ending | undefined,
  more: Pick<ShownResult, "dir" | "paper">,
): ShownResult {
  const { dir, paper } = more;
  return { ...ending ?? NO_RESULT, dir, paper };
}

type Part<K extends keyof Assessment> = NonNullable<Assessment[K]>;

/** The keys that `--json` prints of every run, null where there is nothing; `value` only of kinds that keep one. */
export function resultJson(result: ShownResult): ResultJson {
  const { dir, status, endReason, outcome, winner, scores, unscored, value, usage } = result;
  const { waitingFor, reasons, strength, agreement, consensus, paper } = result;
  return {
    dir: dir ?? null,
    status,
    endReason: endReason ?? null,
    outcome,
    winner,
    scores,
    unscored,
    ...value === undefined ? {} : { value },
    usage,
    waitingFor: waitingFor ?? null,
    reasons: reasons?.map((each) => ({ ...each, split: each.split ?? null })) ?? null,
    strength: strength === undefined ? null : strengthJson(strength),
    agreement: agreement === undefined ? null : agreementJson(agreement),
    contradictions: result.contradictions ?? null,
    notes: result.notes ?? null,
    factChecks: result.factChecks ?? null,
    audience: result.audience ?? null,
    baseline: result.baseline?.map((each) => ({ ...each, after: each.after ?? null })) ?? null,
    consensus: consensus === undefined ? null : {
      ...consensus,
      agreed: consensus.agreed.map(proposalJson),
      open: consensus.open.map(proposalJson),
    },
    question: paper?.question ?? null,
    postures: paper?.postures ?? null,
    topics: paper?.topics ?? null,
    report: paper?.report?.data ?? null,
    verification: paper?.debaters.map(({ participant, posture, verified, notFound }) => ({
      participant,
      posture,
      verified,
      notFound,
    })) ?? null,
  };
}

/** The assessment of a new panel, as `--json` prints it with the convening. */
export function panelJson({ judges, panel, convening: { result } }: Judged): PanelJson {
  const json = resultJson({ ...panel, status: result.status, usage: result.usage });
  const { outcome, winner, scores, unscored, reasons, strength } = json;
  const { agreement, contradictions, notes } = json;
  return {
    rubric: judges[0]?.rubric ?? null,
    judges: judges.map(({ id, name, model }) => ({ id, name, model })),
    outcome,
    winner,
    scores,
    unscored,
    reasons,
    strength,
    agreement,
    contradictions,
    notes,
  };
}

/** The strength of an outcome, as `--json` prints it. */
function strengthJson(strength: Part<"strength">): NonNullable<ResultJson["strength"]> {
  return {
    ...strength,
    votes: strength.votes.map((each) => ({
      ...each,
      split: each.split ?? null,
      tiebreak: each.tiebreak ?? false,
    })),
    judgeNotes: strength.judgeNotes.map((each) => ({ ...each, judge: each.judge ?? null })),
    margin: strength.margin ?? null,
    spread: strength.spread ?? null,
  };
}

/** The agreement of judges, as `--json` prints it. */
function agreementJson(
  { alpha, judges, spread }: Part<"agreement">,
): NonNullable<ResultJson["agreement"]> {
  return {
    alpha: alpha ?? null,
    judges: judges.map((each) => ({
      ...each,
      mean: each.mean ?? null,
      alphaWithout: each.alphaWithout ?? null,
      withOthers: each.withOthers ?? null,
      byLength: each.byLength ?? null,
    })),
    spread,
  };
}

/** A proposal; keys of `holds` are ids. */
function proposalJson(
  { holds, ...proposal }: ProposalStanding,
): NonNullable<ResultJson["consensus"]>["open"][number] {
  return {
    ...proposal,
    holds: Object.fromEntries(
      Object.entries(holds).map(([id, hold]) => [id, { condition: null, ...hold }]),
    ),
  };
}
