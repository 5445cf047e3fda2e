// The review after a round of an adaptive debate.
import { z } from "zod";
import type { Fact, Score } from "../core/fact.ts";
import type { Message } from "../core/message.ts";
import { ask, type Protocol, results } from "../core/protocol.ts";
import { disagreementOf } from "../judging/panel.ts";
import { standings } from "../judging/scoring.ts";
import { round4 } from "../core/statistics.ts";
import { choiceQuestion } from "../core/turn.ts";
import { isAnythingNew } from "./flow/flow_design.ts";
import { NOTE_TAKER } from "./flow/note_taker.ts";
import { type DebateRules, isSpeech, type Next } from "./rules.ts";

/** Distance of the two best sides, and of the judges; on the rubric's scale, four decimals. */
interface Closeness {
  /** The best total less the second best. */
  readonly gap: number;
  /**
   * The mean, over the scored speeches, of the standard deviation among the judges; with one judge, the standard error of
   * the mean of its totals.
   */
  readonly disagreement: number;
}

/**
 * Next step after a round. An adaptive debate asks the moderator after each round from the second on: nothing new
 * ends the rounds; after the last planned round, a round is added, once, where the sides are no further apart than
 * the judges.
 */
export function* reviewRound(
  rules: DebateRules,
  round: number,
  said: readonly Message[],
): Protocol<Next> {
  const { moderator, rounds, adaptive = false } = rules;
  const last = round === rounds;
  if (moderator === undefined || !adaptive || round > rounds || (round === 1 && !last)) {
    return round < rounds ? "goes on" : "ends";
  }
  const closeness = last ? closenessOf(rules, said, yield* results("scorer")) : undefined;
  const seq = said.at(-1)!.seq + 1;
  const options = { moderator, round, seq, closeness };
  const noted = rules.flow === true
    ? isAnythingNew(yield* results(NOTE_TAKER, seq), speechesOf(rules, round, said))
    : undefined;
  const { value } = yield* ask(reviewQuestion(rules, { ...options, noted }));
  // The recorded value counts: after a resume, there may be more scores.
  const { anythingNew, gap, disagreement } = ReviewRead.safeParse(value).data ?? {};
  if (!last) return anythingNew === false ? "nothing new" : "goes on";
  const close = gap !== undefined && disagreement !== undefined && gap <= disagreement;
  return close && anythingNew !== false ? "goes on" : "ends";
}

function speechesOf(
  { advocates }: Pick<DebateRules, "advocates">,
  round: number,
  said: readonly Message[],
): Message[] {
  return said.filter((message) => message.round === round && isSpeech({ advocates }, message));
}

/** Closeness of the sides by the scores so far; undefined where fewer than two sides have any. */
export function closenessOf(
  { advocates }: Pick<DebateRules, "advocates">,
  said: readonly Message[],
  found: readonly Fact[],
): Closeness | undefined {
  const seqs = new Set(said.map(({ seq }) => seq));
  const scores = found.filter((fact): fact is Score => fact.type === "score")
    .filter(({ message }) => seqs.has(message));
  const names = new Map(advocates.map(({ id, label }) => [id, label]));
  const [best, second] = Object.values(standings(scores, names, said).scores)
    .map(({ total }) => total).sort((a, b) => b - a);
  if (best === undefined || second === undefined) return undefined;
  return { gap: round4(best - second), disagreement: round4(disagreementOf(scores)) };
}

const Review = z.object({ reason: z.string(), ["anything_new"]: z.boolean() });

/** Value of a review: `anythingNew` is null where the reply could not be read. */
const ReviewRead = z.object({
  anythingNew: z.boolean().nullable(),
  gap: z.number().optional(),
  disagreement: z.number().optional(),
});

function reviewQuestion(
  { templates }: DebateRules,
  { moderator, round, seq, closeness, noted }: {
    readonly moderator: string;
    readonly round: number;
    readonly seq: number;
    readonly closeness: Closeness | undefined;
    /** True if the notes of the round hold anything new; undefined where the moderator is asked. */
    readonly noted: boolean | undefined;
  },
) {
  return choiceQuestion({
    key: `round-${round}/review/${moderator}`,
    asked: moderator,
    phase: "argument",
    kind: "round_review",
    round,
    task: templates.roundReview,
    schema: { name: "round_review", type: Review },
    compute: () =>
      noted === undefined
        ? undefined
        : { reason: "By the notes of the round.", ["anything_new"]: noted },
    seq,
    valueOf: (reply) => ({ anythingNew: reply?.anything_new ?? null, ...closeness }),
    reasonsOf: ({ reason }) => reason,
  });
}
