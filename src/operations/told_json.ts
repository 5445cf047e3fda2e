// Results as JSON at every door.
import type { Assessment, ProposalStanding } from "../core/outcome.ts";
import type { Judged } from "./judging.ts";
import type { PanelJson, ResultJson } from "./outputs.ts";
import type { Told } from "./told.ts";

type Part<K extends keyof Assessment> = NonNullable<Assessment[K]>;

/** The keys that `--json` prints of every run, null where there is nothing; `value` only of kinds that keep one. */
export function toldJson(told: Told): ResultJson {
  const { dir, status, endReason, outcome, winner, scores, unscored, value, usage } = told;
  const { waitingFor, agreement, consensus, paper } = told;
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
    agreement: agreement === undefined ? null : agreementJson(agreement),
    contradictions: told.contradictions ?? null,
    notes: told.notes ?? null,
    factChecks: told.factChecks ?? null,
    audience: told.audience ?? null,
    baseline: told.baseline?.map((each) => ({ ...each, after: each.after ?? null })) ?? null,
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

/** What a new panel came to, as `--json` prints it beside the convening. */
export function panelJson({ judges, panel, convening: { result } }: Judged): PanelJson {
  const told = toldJson({ ...panel, status: result.status, usage: result.usage });
  const { outcome, winner, scores, unscored, agreement, contradictions, notes } = told;
  return {
    rubric: judges[0]?.rubric ?? null,
    judges: judges.map(({ id, name, model }) => ({ id, name, model })),
    outcome,
    winner,
    scores,
    unscored,
    agreement,
    contradictions,
    notes,
  };
}

/** How far judges agree, as `--json` prints it. */
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
