// Outcome of a convening: standings, judges' votes and agreement, fact checks, audience, baseline and consensus.

/** Criterion of a rubric. */
export interface Criterion {
  /** Id in snake_case. */
  readonly id: string;
  /** Weight in the total; the weights of a rubric sum to 1. */
  readonly weight: number;
  /** Question of the criterion, in one sentence. */
  readonly description: string;
  /** True if only turns after another side's turn are scored. @default false */
  readonly answers?: boolean | undefined;
  /** True if the share of claims not refuted caps the numbers, when facts are checked (`factCap`). @default false */
  readonly evidence?: boolean | undefined;
  /** Meaning of numbers for this criterion, such as 2, 5 and 8 of 10. @default the rubric's anchors alone */
  readonly anchors?: readonly Anchor[] | undefined;
}

/** Meaning of a number of a scale, and of the numbers above it up to the next anchor. */
export interface Anchor {
  /** Lowest number with this meaning. */
  readonly from: number;
  /** Meaning, in a few words. */
  readonly means: string;
}

/** Rubric for judges. */
export interface Rubric {
  /** Id in records: small letters, digits, `-` and `_`. */
  readonly id: string;
  /** Lowest and highest number of a criterion. */
  readonly scale: readonly [number, number];
  /** Criteria; their weights sum to 1. */
  readonly criteria: readonly Criterion[];
  /** Meaning of numbers, highest first. */
  readonly anchors: readonly Anchor[];
}

/** All verdicts on claims. */
export const CLAIM_VERDICTS = ["true", "misleading", "disputed", "false", "unverifiable"] as const;

/** Verdict of the sources on a claim. */
export type ClaimVerdict = typeof CLAIM_VERDICTS[number];

/** Numbers of claims by verdict. */
export interface ClaimCounts extends Readonly<Record<ClaimVerdict, number>> {
  /** Total. */
  readonly claims: number;
}

/** Numbers of one participant's claims. */
export interface ParticipantClaims extends ClaimCounts {
  /** (true + 0.5 × (misleading + disputed)) / settled claims, four decimals; null if no claim was settled. */
  readonly factuality: number | null;
}

/** Numbers of a convening's fact checks. */
export interface FactCheckSummary extends ClaimCounts {
  /** `strict` if at least one check could reject its turn. */
  readonly mode: "standard" | "strict";
  /** Number of messages that were checked. */
  readonly checked: number;
  /** Number of messages whose check failed. */
  readonly unchecked: number;
  /** Numbers by participant id, in the order of the participants' first messages. */
  readonly byParticipant: Readonly<Record<string, ParticipantClaims>>;
}

/** Standing of a participant: the weighted total and the mean of each criterion. */
export interface Standing {
  /** Display name of the participant. */
  readonly name: string;
  /** Total on the scale of the rubric, four decimals. */
  readonly total: number;
  /** Mean by criterion id, four decimals. */
  readonly breakdown: Readonly<Record<string, number>>;
  /** Number of scores in the total. */
  readonly scored: number;
  /** Number of scores that could not be parsed. */
  readonly missing: number;
  /**
   * Number of readable scores excluded because the same judge has no score for another side's turn of the same phase,
   * round and kind; absent if none is.
   */
  readonly unmatched?: number;
}

/** Consistency of one judge: with the other judges, with the length of speeches, and across orders of the sides. */
export interface JudgeAgreement extends Pick<JudgeVote, "judge" | "model" | "rubric"> {
  /** Number of messages that the judge scored. */
  readonly scored: number;
  /** Mean of the judge's totals, on the scale of the judge's rubric; undefined without scores. */
  readonly mean: number | undefined;
  /** Alpha of the panel without this judge; undefined with fewer than three judges. */
  readonly alphaWithout: number | undefined;
  /** Correlation of the judge's totals with the other judges' means, over the messages that both scored; undefined without one. */
  readonly withOthers: number | undefined;
  /** Rank correlation of the judge's totals, before any cap, with the number of words; near 1, the judge prefers longer speeches. */
  readonly byLength: number | undefined;
  /** Winner in each order; null for a tie or an answer that could not be parsed. */
  readonly votes: readonly (string | null)[];
  /** True if the judge gave the same readable answer, possibly a tie, in two or more orders. */
  readonly steady: boolean;
}

/** Agreement of a panel of judges; all numbers have four decimals. */
export interface Agreement {
  /** Krippendorff's alpha (interval) of all totals, each mapped from its scale to 0…1; undefined with too few scores. */
  readonly alpha: number | undefined;
  /** Consistency per judge, in the order of ids. */
  readonly judges: readonly JudgeAgreement[];
  /**
   * Mean standard deviation among judges by criterion id, over messages that at least two judges scored by the same rubric.
   * With several such rubrics, the keys are `RUBRIC/CRITERION`.
   */
  readonly spread: Readonly<Record<string, number>>;
}

/** All reasons that a judge's verdicts differ. */
export const VOTE_SPLITS = [
  "order or label",
  "order",
  "chance",
  "unread",
  "one pass",
] as const satisfies readonly VoteSplit[];

/** Reason that a judge's verdicts do not add up to a vote for a side. */
export type VoteSplit = "order or label" | "order" | "chance" | "unread" | "one pass";

/** Vote of one judge, combined from all verdicts of the judge. */
export interface JudgeVote {
  /** Id of the judge. */
  readonly judge: string;
  /** Model of the judge. A resume may replace it: a vote has that of the first verdict, a reason that of the quoted verdict. */
  readonly model: string;
  /** Id of the judge's rubric. */
  readonly rubric: string;
  /** Id of the participant named in every verdict; null for a tie. */
  readonly winner: string | null;
  /**
   * Reason that differing verdicts count as a tie: passes disagree (`order or label`; `order` in records of earlier versions,
   * without passes), askings of one pass disagree (`chance`), a verdict could not be parsed (`unread`), or there was only one
   * pass (`one pass`). Absent if all agree.
   */
  readonly split?: VoteSplit;
  /** Number of verdicts. */
  readonly askings: number;
  /** True for a judge that was asked because the panel tied. @default false */
  readonly tiebreak?: boolean;
}

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

/** Kind of a note on a judge or the panel. */
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

/** Note on a judge or the panel that weakens an outcome. */
export interface JudgeNote {
  /** Subject of the note. */
  readonly kind: JudgeNoteKind;
  /** Id of the judge; absent for the whole panel. */
  readonly judge?: string;
  /** Note in one sentence; labels and ids are not escaped. */
  readonly sentence: string;
}

/** All levels of an outcome's strength, strongest first. */
export const STRENGTH_LEVELS = [
  "clear",
  "narrow",
  "contested",
  "undecided",
] as const satisfies readonly StrengthLevel[];

/** Level of an outcome's strength. */
export type StrengthLevel = "clear" | "narrow" | "contested" | "undecided";

/** Returns the level of an outcome's strength in brackets, such as ` (narrow)`, to follow the winner's name; empty without a level. */
export function levelWords(level: StrengthLevel | null | undefined): string {
  return level == null ? "" : ` (${level})`;
}

/** Strength of an outcome by judges or audience, computed from votes and numbers. */
export interface Strength {
  /**
   * Level by judges. `clear`: every judge named the winner, steadiness was measured or three judges of two models agree, the
   * margin (if turns were scored) exceeds its margin of error, and no bias is noted. `contested`: a judge named another side, another side leads in scores, a
   * tie-break decided, or a bias is noted of every judge for the winner. `narrow`: any other winner. `undecided`: no winner.
   * Level by audience. `clear`: the winner leads the next side by more than twice the square root of the number of counted
   * listeners; `contested`: the winner leads by none, or the judges named another side.
   */
  readonly level: StrengthLevel;
  /** Level and numbers in one sentence; labels are not escaped. */
  readonly sentence: string;
  /** Vote per judge, by id. */
  readonly votes: readonly JudgeVote[];
  /** Notes on the judges; `Assessment.notes` has their sentences. */
  readonly judgeNotes: readonly JudgeNote[];
  /** True if every judge was asked more than once in every pass. */
  readonly steadinessMeasured: boolean;
  /**
   * Total of the winner minus the best other total (without a winner: best minus second), four decimals. Absent with fewer
   * than two totals.
   */
  readonly margin?: number;
  /**
   * Margin of error of `margin`, four decimals: half the 95 % interval of the mean lead over the places of the order at which every
   * side was scored. Absent with fewer than two places.
   */
  readonly spread?: number;
}

/** Vote of one judge, with a reason quoted from a verdict. */
export interface JudgeReason extends Pick<JudgeVote, "judge" | "model" | "winner" | "split"> {
  /** Number of the quoted verdict. */
  readonly verdict: number;
  /** Id of the side that the quoted verdict named, if the judge's verdicts differ and the judge has no vote. */
  readonly named?: string;
  /**
   * Main reason, else the beginning of the reasons, at most 240 characters; empty if the verdict could not be parsed. Not
   * escaped.
   */
  readonly quote: string;
}

/** Support of the audience for one side, before and after the debate. */
export interface SideSupport {
  /** Share of the counted listeners before the debate, 0 to 1, four decimals. */
  readonly before: number;
  /** Share of the counted listeners after the debate, 0 to 1, four decimals. */
  readonly after: number;
  /** `after` minus `before`. */
  readonly moved: number;
}

/** Change of the audience's stances during a debate. */
export interface Audience {
  /** Number of listeners asked. */
  readonly members: number;
  /** Number of listeners not counted because one of their two stances is missing or could not be parsed. */
  readonly missing: number;
  /** Support by participant id. */
  readonly sides: Readonly<Record<string, SideSupport>>;
  /** Id of the side that gained the most listeners; null if sides tie. */
  readonly winner: string | null;
}

/** Answer of one judge before and after the debate. */
export interface Baseline extends Pick<JudgeVote, "judge" | "model"> {
  /** Id of the side of the judge's own answer before the debate; null for none. */
  readonly before: string | null;
  /** Id of the side that the judge named in every order; null without one; undefined without a verdict. */
  readonly after: string | null | undefined;
  /** True if the debate changed the answer; false without a verdict. */
  readonly changed: boolean;
}

/** Proposal that the participants may agree on. */
export interface Proposal {
  /** Id, such as `p1`. */
  readonly id: string;
  /** Text of the proposal. */
  readonly text: string;
  /** Ids of the participants that proposed it. */
  readonly by: readonly string[];
}

/** Stance of a participant on one proposal or side. */
export interface StanceOn {
  /** Id of the proposal or side. */
  readonly on: string;
  /** Direction of the stance. */
  readonly stance: "agree" | "disagree" | "abstain";
  /** Strength of the stance, 0 to 1. */
  readonly strength: number;
  /** Condition that the participant attached to the stance. */
  readonly condition?: string;
}

/** Stance of one participant on one proposal. */
export type Hold = Omit<StanceOn, "on">;

/** Returns the words before a condition: whoever does not agree would agree if the condition were met. */
export function conditionLead({ stance }: Pick<Hold, "stance">): string {
  return stance === "agree" ? "if" : "would agree if";
}

/** Proposal with the participants' stances. */
export interface ProposalStanding extends Proposal {
  /** Share of participants that agree, conditionally or not: 0 to 1, four decimals. */
  readonly share: number;
  /** Latest stance by participant id; participants without a stance are absent. */
  readonly holds: Readonly<Record<string, Hold>>;
}

/** Agreed and open proposals. */
export interface Consensus {
  /** Share of participants that must agree, 0 to 1. */
  readonly threshold: number;
  /** Proposals that reach the threshold, in the order in which they were put. */
  readonly agreed: readonly ProposalStanding[];
  /** Proposals below the threshold. */
  readonly open: readonly ProposalStanding[];
}

/** Outcome by the judges' votes: `decided` if they named a winner. */
export type Outcome = "decided" | "undecided" | "unscored";

/** Result computed from a convening's facts; all numbers have four decimals. */
export interface Assessment {
  /** Outcome: `decided` if the judges, or the audience, named a winner. */
  readonly outcome: Outcome;
  /** Id of the winning participant; null without a winner. */
  readonly winner: string | null;
  /** Standing by participant id, by the first judge's rubric; only of participants with a readable score. */
  readonly scores: Readonly<Record<string, Standing>>;
  /** Ids of participants with scores but without a total, because none of the scores counts. */
  readonly unscored: readonly string[];
  /** Contradictions between winner, verdicts and scores, one sentence each; labels and ids are not escaped. */
  readonly contradictions: readonly string[];
  /** Notes on the judges, one sentence each, for example that a judge has a debater's model. */
  readonly notes: readonly string[];
  /** Vote and reason of each of the convening's own judges; absent without verdicts. */
  readonly reasons?: readonly JudgeReason[] | undefined;
  /** Strength of the outcome; absent if judges do not decide, and in records of earlier versions. */
  readonly strength?: Strength | undefined;
  /** Agreement of the convening's own judges; absent without judges. */
  readonly agreement?: Agreement | undefined;
  /** Numbers of the fact checks; absent without any. */
  readonly factChecks?: FactCheckSummary | undefined;
  /** Change of the audience's stances; absent without an audience. */
  readonly audience?: Audience | undefined;
  /** Answer of each judge before and after the debate; absent if the judges were not asked before. */
  readonly baseline?: readonly Baseline[] | undefined;
  /** Proposals agreed and open; absent without proposals. */
  readonly consensus?: Consensus | undefined;
}

/**
 * Positions of participants without a configured position, by participant id: the number of the first message that states the
 * position, and the position.
 */
export type StatedPositions = ReadonlyMap<
  string,
  { readonly seq: number; readonly position: string }
>;
