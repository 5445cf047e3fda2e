// Outcomes of convenings: standings, agreement of judges, fact checks, audience, consensus, and all of them together.
import {
  type CheckedClaim,
  CLAIM_VERDICTS,
  type ClaimVerdict,
  type FactCheck,
  type Outcome,
  type StanceOn,
} from "./fact.ts";
import { round4 } from "./statistics.ts";

/** Number of claims by verdict. */
export interface ClaimCounts extends Readonly<Record<ClaimVerdict, number>> {
  /** All of them. */
  readonly claims: number;
}

/** One participant's claims. */
export interface ParticipantClaims extends ClaimCounts {
  /** (true + 0.5 × (misleading + disputed)) / settled claims, four decimals; null where no claim was settled. */
  readonly factuality: number | null;
}

/** Counts of a convening's fact checks. */
export interface FactCheckSummary extends ClaimCounts {
  /** `strict` where any turn could be turned down for a false claim. */
  readonly mode: FactCheck["mode"];
  /** Messages whose claims were looked up. */
  readonly checked: number;
  /** Messages with which the checker did not get through. */
  readonly unchecked: number;
  /** By participant id, in the order of their first messages. */
  readonly byParticipant: Readonly<Record<string, ParticipantClaims>>;
}

/** Counts of fact checks, the first message first; undefined without any. */
export function factChecksOf(checks: readonly FactCheck[]): FactCheckSummary | undefined {
  if (checks.length === 0) return undefined;
  const by = Map.groupBy(checks, ({ participant }) => participant);
  return {
    mode: checks.some(({ mode }) => mode === "strict") ? "strict" : "standard",
    checked: checks.filter(({ status }) => status === "checked").length,
    unchecked: checks.filter(({ status }) => status === "unchecked").length,
    ...countsOf(checks),
    byParticipant: Object.fromEntries(
      [...by].map(([id, own]) => [id, { ...countsOf(own), factuality: factualityOf(own) }]),
    ),
  };
}

/** The share of settled claims that are borne out, misleading and disputed ones counted half; null where none was settled. */
export function factualityOf(checks: readonly Pick<FactCheck, "claims">[]): number | null {
  const counts = countsOf(checks);
  const half = counts.misleading + counts.disputed;
  const settled = settledIn(counts);
  // If no claim has its words, a record of an earlier version is read: unverifiable claims counted half.
  const all = checks.flatMap(({ claims }) => claims);
  if (all.length > 0 && all.every(({ quote }) => quote === undefined)) {
    return round4((counts.true + 0.5 * counts.unverifiable) / all.length);
  }
  return settled === 0 ? null : round4((counts.true + 0.5 * half) / settled);
}

/** Number of claims that were settled. */
export function settledIn({ claims, unverifiable }: ClaimCounts): number {
  return claims - unverifiable;
}

/** The claims of some fact checks, counted by verdict. */
export function countsOf(checks: readonly Pick<FactCheck, "claims">[]): ClaimCounts {
  const claims = checks.flatMap((check) => check.claims);
  const count = (is: ClaimVerdict) => claims.filter(({ verdict }) => verdict === is).length;
  return {
    claims: claims.length,
    true: count("true"),
    misleading: count("misleading"),
    disputed: count("disputed"),
    false: count("false"),
    unverifiable: count("unverifiable"),
  };
}

/** The numbers of claims by verdict, in words; verdicts without a claim are left out, but for `true` and `false`. */
export function countWords(counts: Omit<ClaimCounts, "claims">): string {
  return CLAIM_VERDICTS.filter((each) => counts[each] > 0 || /true|false/.test(each))
    .map((each) => `${counts[each]} ${each}`).join(", ");
}

/** The reason for a claim's verdict, from the check's lines; empty where it is not there. */
export function reasonOf(claim: CheckedClaim, { claims, reasons }: FactCheck): string {
  const { verdict, confidence, text, sources } = claim;
  const line = reasons.split("\n")[claims.indexOf(claim)] ?? "";
  const start = `- ${verdict} (${confidence}): “${text}”. `;
  if (!line.startsWith(start)) return "";
  const rest = line.slice(start.length);
  const end = rest.lastIndexOf(sources.length === 1 ? " (source: “" : " (sources: “");
  return sources.length === 0 || end === -1 ? rest : rest.slice(0, end);
}

/** A participant's standing: the weighted total and the mean of each criterion. */
export interface Standing {
  /** The participant's name. */
  readonly name: string;
  /** On the rubric's scale, four decimals. */
  readonly total: number;
  /** From criterion id to mean, four decimals. */
  readonly breakdown: Readonly<Record<string, number>>;
  /** Number of scores in the total. */
  readonly scored: number;
  /** Number of scores that could not be read. */
  readonly missing: number;
  /**
   * Number of readable scores left out, since the judge has none for another side's turn of the same phase, round and
   * kind; absent where none is.
   */
  readonly unmatched?: number;
}

/** Agreement of one judge with the others, with the length of speeches, and with the order of the sides. */
export interface JudgeAgreement extends Pick<JudgeVote, "judge" | "model" | "rubric"> {
  /** Number of messages that the judge scored. */
  readonly scored: number;
  /** The mean of its totals, on its rubric's own scale; undefined where it scored nothing. */
  readonly mean: number | undefined;
  /** Alpha of the panel without the judge; undefined with fewer than three judges. */
  readonly alphaWithout: number | undefined;
  /** The correlation of its totals with the mean of the others', over what both scored; undefined where there is none. */
  readonly withOthers: number | undefined;
  /** The rank correlation of its totals with the words of the speeches: near 1, it prefers the longer one. */
  readonly byLength: number | undefined;
  /** Winner in each order; null for a tie or an answer that could not be read. */
  readonly votes: readonly (string | null)[];
  /** True if the judge was asked in two orders or more and gave the same readable answer, a tie included, in all. */
  readonly steady: boolean;
}

/** Agreement of a panel of judges; every number to four decimals. */
export interface Agreement {
  /** Krippendorff's alpha (interval) of all totals, each on its rubric's scale made 0 to 1; undefined: too few. */
  readonly alpha: number | undefined;
  /** In the order of their ids. */
  readonly judges: readonly JudgeAgreement[];
  /**
   * From criterion id to the mean, over the messages that two or more judges scored by the same rubric, of the standard
   * deviation among them. Where that holds of several rubrics, the keys are `RUBRIC/CRITERION`.
   */
  readonly spread: Readonly<Record<string, number>>;
}

/** Every reason for which verdicts of a judge make no vote. */
export const VOTE_SPLITS = [
  "order or label",
  "chance",
  "unread",
  "one pass",
] as const satisfies readonly VoteSplit[];

/** Reason for which verdicts of a judge make no vote. */
export type VoteSplit = "order or label" | "chance" | "unread" | "one pass";

/** Vote of one judge: all its verdicts as one. */
export interface JudgeVote {
  /** The judge's id. */
  readonly judge: string;
  /** The name of its model. */
  readonly model: string;
  /** The id of its rubric. */
  readonly rubric: string;
  /** The side named in every verdict, a participant's id; null for a tie. */
  readonly winner: string | null;
  /**
   * Reason that verdicts make a tie although they are no ties: passes disagree (`order or label`), askings of one pass
   * disagree (`chance`), a verdict could not be read, or the judge was asked in one pass alone. Absent where all are the same.
   */
  readonly split?: VoteSplit;
  /** Number of verdicts. */
  readonly askings: number;
  /** True for the judge that was asked since the panel tied. @default false */
  readonly tiebreak?: boolean;
}

/** Every kind of note on judges. */
export const JUDGE_NOTE_KINDS = [
  "one model",
  "model of a side",
  "same scores",
  "one criterion",
  "length",
  "order or label",
  "chance",
  "shortened",
  "profile",
] as const satisfies readonly JudgeNoteKind[];

/** Kind of a note on judges. */
export type JudgeNoteKind =
  | "one model"
  | "model of a side"
  | "same scores"
  | "one criterion"
  | "length"
  | "order or label"
  | "chance"
  | "shortened"
  | "profile";

/** Note on a judge, or on the panel, that bears on an outcome. */
export interface JudgeNote {
  /** Subject of the note. */
  readonly kind: JudgeNoteKind;
  /** The judge's id; absent for the whole panel. */
  readonly judge?: string;
  /** The note in one sentence; labels and ids in it are not escaped. */
  readonly sentence: string;
}

/** Every level of an outcome's strength, the strongest first. */
export const STRENGTH_LEVELS = [
  "clear",
  "narrow",
  "contested",
  "undecided",
] as const satisfies readonly StrengthLevel[];

/** Level of an outcome's strength. */
export type StrengthLevel = "clear" | "narrow" | "contested" | "undecided";

/** Strength of an outcome by the judges or the audience, from their votes and numbers alone. */
export interface Strength {
  /**
   * `clear`: every judge named the winner, steadiness was measured or three judges of two models agree, the margin is above
   * the spread, and no bias is named. `contested`: a judge named another side, the scores put another side first, a
   * tie-break decided, or every judge for the winner has a named bias. `narrow`: any other winner. `undecided`: no winner.
   * By an audience's decision, `clear`: the winner leads the next side in listeners moved by more than twice the square
   * root of their number; `contested`: by none, or the judges named another side.
   */
  readonly level: StrengthLevel;
  /** Level and numbers in one sentence; labels in it are not escaped. */
  readonly sentence: string;
  /** One vote a judge, by id. */
  readonly votes: readonly JudgeVote[];
  /** Notes on the judges, which `Assessment.notes` gives as sentences. */
  readonly judgeNotes: readonly JudgeNote[];
  /** True if every pass of every judge was asked more than once. */
  readonly steadinessMeasured: boolean;
  /** Total of the winner less the best other total, four decimals; of no winner, the best less the second. Absent without two totals. */
  readonly margin?: number;
  /** Spread of the judges' totals for one turn, four decimals; of one judge, the standard error of its mean. Absent without scores. */
  readonly spread?: number;
}

/** Vote of one judge with the judge's own reason. */
export interface JudgeReason extends Pick<JudgeVote, "judge" | "model" | "winner" | "split"> {
  /** Number of the verdict whose reason is quoted. */
  readonly verdict: number;
  /** Main reason of that verdict, else the beginning of its reasons, at most 240 characters; empty where the verdict could not be read; not escaped. */
  readonly quote: string;
}

/** Number of listeners for one side, before and after. */
export interface SideSupport {
  /** The share of the listeners counted, from 0 to 1, four decimals. */
  readonly before: number;
  /** The same, after. */
  readonly after: number;
  /** After less before. */
  readonly moved: number;
}

/** Change of the listeners' stances by a debate. */
export interface Audience {
  /** Number of listeners asked. */
  readonly members: number;
  /** Number of listeners left out: one of their two stances is missing or could not be read. */
  readonly missing: number;
  /** By participant id. */
  readonly sides: Readonly<Record<string, SideSupport>>;
  /** The side that most moved to; null where none did more than the others. */
  readonly winner: string | null;
}

/** Answer of one judge alone, before the debate, and after. */
export interface Baseline {
  /** The judge's id. */
  readonly judge: string;
  /** The name of its model. */
  readonly model: string;
  /** The side its answer alone came to, a participant's id; null for none. */
  readonly before: string | null;
  /** The side it named in every order; null where it named none or changed its mind; undefined without a verdict. */
  readonly after: string | null | undefined;
  /** True if the debate changed the answer; never without a verdict. */
  readonly changed: boolean;
}

/** One thing that could be agreed on, as it was put before all. */
export interface Proposal {
  /** Such as `p1`. */
  readonly id: string;
  /** Text of the proposal. */
  readonly text: string;
  /** The ids of those who proposed it. */
  readonly by: readonly string[];
}

/** Stance of one participant on one proposal. */
export type Hold = Omit<StanceOn, "on">;

/** Standing of a proposal. */
export interface ProposalStanding extends Proposal {
  /** Share of participants that agree, with a condition or without: 0 to 1, four decimals. */
  readonly share: number;
  /** By participant id, what each said last; who has stated nothing is absent. */
  readonly holds: Readonly<Record<string, Hold>>;
}

/** Proposals agreed and open, with each participant's stance. */
export interface Consensus {
  /** The share of all who take part that must agree, 0 to 1. */
  readonly threshold: number;
  /** The proposals that enough agree to, in the order they were put. */
  readonly agreed: readonly ProposalStanding[];
  /** The others. */
  readonly open: readonly ProposalStanding[];
}

/** Result of a convening's facts, by arithmetic alone; every number to four decimals. */
export interface Assessment {
  /** Outcome: `decided` if the judges, or the audience, named a winner. */
  readonly outcome: Outcome;
  /** A participant's id; null when no one won. */
  readonly winner: string | null;
  /** By participant id, those with at least one readable score; by the first judge's rubric. */
  readonly scores: Readonly<Record<string, Standing>>;
  /** Ids of scored participants without a total: none of their scores counts. */
  readonly unscored: readonly string[];
  /** Contradictions between winner, numbers and prose, one sentence each; labels and ids in them are not escaped. */
  readonly contradictions: readonly string[];
  /** Notes on the judges, one sentence each, such as that a judge is of a debater's model. */
  readonly notes: readonly string[];
  /** Vote and reason of each of the convening's own judges; absent without verdicts. */
  readonly reasons?: readonly JudgeReason[] | undefined;
  /** Strength of the outcome; absent where the judges do not decide, and of records of earlier versions. */
  readonly strength?: Strength | undefined;
  /** Agreement of the convening's own judges; absent without judges. */
  readonly agreement?: Agreement | undefined;
  /** Counts of the fact checks; absent where nothing was checked. */
  readonly factChecks?: FactCheckSummary | undefined;
  /** Change of the listeners' stances; absent where nobody listened. */
  readonly audience?: Audience | undefined;
  /** Answer of each judge alone, and its change by the debate; absent where no judge was asked. */
  readonly baseline?: readonly Baseline[] | undefined;
  /** Proposals agreed and open; absent where nothing was proposed. */
  readonly consensus?: Consensus | undefined;
}
