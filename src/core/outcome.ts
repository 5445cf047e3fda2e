// What a convening comes to: the shapes of standings, agreement, audience, consensus and of all of them together.
import type { Outcome, StanceOn } from "./fact.ts";
import type { FactCheckSummary } from "./fact_check_summary.ts";

/** A participant's standing: the weighted total and the mean of each criterion. */
export interface Standing {
  /** The participant's name. */
  readonly name: string;
  /** On the rubric's scale, four decimals. */
  readonly total: number;
  /** From criterion id to mean, four decimals. */
  readonly breakdown: Readonly<Record<string, number>>;
  /** How many scores the total rests on. */
  readonly scored: number;
  /** How many scores could not be read. */
  readonly missing: number;
  /**
   * How many readable scores are left out, since the judge has none for another side's turn of the same phase, round and
   * kind; absent where none is.
   */
  readonly unmatched?: number;
}

/** How one judge of a panel stands to the others, to the length of speeches, and to the order of the sides. */
export interface JudgeAgreement {
  /** The judge's id. */
  readonly judge: string;
  /** The name of its model. */
  readonly model: string;
  /** The id of its rubric. */
  readonly rubric: string;
  /** How many messages it scored. */
  readonly scored: number;
  /** The mean of its totals, on its rubric's own scale; undefined where it scored nothing. */
  readonly mean: number | undefined;
  /** What the panel's alpha would be without it; undefined of fewer than three judges. */
  readonly alphaWithout: number | undefined;
  /** The correlation of its totals with the mean of the others', over what both scored; undefined where there is none. */
  readonly withOthers: number | undefined;
  /** The rank correlation of its totals with the words of the speeches: near 1, it prefers the longer one. */
  readonly byLength: number | undefined;
  /** Whom it named in each order; null for a tie or an answer that could not be read. */
  readonly votes: readonly (string | null)[];
  /** Whether it was asked in two orders or more and gave the same readable answer, a tie included, in all. */
  readonly steady: boolean;
}

/** What a panel of judges agrees on; every number to four decimals. */
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

/** How many listeners side with one side, before and after. */
export interface SideSupport {
  /** The share of the listeners counted, from 0 to 1, four decimals. */
  readonly before: number;
  /** The same, after. */
  readonly after: number;
  /** After less before. */
  readonly moved: number;
}

/** What a debate did to the stances of those who listened. */
export interface Audience {
  /** How many listeners were asked. */
  readonly members: number;
  /** How many of them are left out: one of their two stances could not be read, or is not there. */
  readonly missing: number;
  /** By participant id. */
  readonly sides: Readonly<Record<string, SideSupport>>;
  /** The side that most moved to; null where none did more than the others. */
  readonly winner: string | null;
}

/** What one judge answered alone, before the debate, and what it came to after. */
export interface Baseline {
  /** The judge's id. */
  readonly judge: string;
  /** The name of its model. */
  readonly model: string;
  /** The side its answer alone came to, a participant's id; null for none. */
  readonly before: string | null;
  /** The side it named in every order; null where it named none or changed its mind; undefined without a verdict. */
  readonly after: string | null | undefined;
  /** Whether the debate changed its answer; never without a verdict. */
  readonly changed: boolean;
}

/** One thing that could be agreed on, as it was put before all. */
export interface Proposal {
  /** Such as `p1`. */
  readonly id: string;
  /** What is proposed. */
  readonly text: string;
  /** The ids of those who proposed it. */
  readonly by: readonly string[];
}

/** What one holds of one proposal. */
export type Hold = Omit<StanceOn, "on">;

/** Where a proposal stands. */
export interface ProposalStanding extends Proposal {
  /** Those who agree, with a condition or without, of all who take part: 0 to 1, four decimals. */
  readonly share: number;
  /** By participant id, what each said last; who has stated nothing is absent. */
  readonly holds: Readonly<Record<string, Hold>>;
}

/** What is agreed and what is open, with who holds what. */
export interface Consensus {
  /** The share of all who take part that must agree, 0 to 1. */
  readonly threshold: number;
  /** The proposals that enough agree to, in the order they were put. */
  readonly agreed: readonly ProposalStanding[];
  /** The others. */
  readonly open: readonly ProposalStanding[];
}

/** What a convening's facts come to, by arithmetic alone; every number to four decimals. */
export interface Assessment {
  /** Whether the judges, or the audience, named a winner. */
  readonly outcome: Outcome;
  /** A participant's id; null when no one won. */
  readonly winner: string | null;
  /** By participant id, those with at least one readable score; by the first judge's rubric. */
  readonly scores: Readonly<Record<string, Standing>>;
  /** Ids of scored participants without a total: none of their scores counts. */
  readonly unscored: readonly string[];
  /** Where winner, numbers and prose do not agree, one sentence each; labels and ids in them are not escaped. */
  readonly contradictions: readonly string[];
  /** What a reader should know of the judges, one sentence each, such as that one is of a debater's model. */
  readonly notes: readonly string[];
  /** How far the convening's own judges agree; absent where they left nothing. */
  readonly agreement?: Agreement | undefined;
  /** What the fact checks come to; absent where nothing was checked. */
  readonly factChecks?: FactCheckSummary | undefined;
  /** What the listeners' stances come to; absent where nobody listened. */
  readonly audience?: Audience | undefined;
  /** What each judge answered alone, and whether the debate changed it; absent where none was asked. */
  readonly baseline?: readonly Baseline[] | undefined;
  /** What is agreed and what is open; absent where nothing was proposed. */
  readonly consensus?: Consensus | undefined;
}
