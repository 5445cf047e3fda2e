// Parts of a brief: a summary of a record for a reader who has to decide.

/** Maximum number of a brief in a record. */
export const MOST_BRIEFS = 9999;

/** All forms of a brief: memo for a decision, architecture decision record, list of open questions. */
export const BRIEF_FORMS: readonly BriefForm[] = ["memo", "adr", "questions"];

/** Form of a brief. */
export type BriefForm = "memo" | "adr" | "questions";

/** Quotation of a message. */
export interface BriefQuote {
  /** Number of the message. */
  readonly message: number;
  /** Exact words of the message. */
  readonly quote: string;
}

/** Strongest point of a participant. */
export interface BriefPoint extends BriefQuote {
  /** Id of the participant, who is the speaker of the message. */
  readonly participant: string;
  /** Point, in one sentence. */
  readonly point: string;
}

/** Condition of the outcome. */
export interface BriefCrux extends Partial<BriefQuote> {
  /** Condition that would change the outcome if it were different. */
  readonly crux: string;
  /** Outcome if the condition were different. */
  readonly otherwise: string;
}

/** Open question of a record. */
export interface BriefQuestion {
  /** Question, in one sentence. */
  readonly question: string;
  /** Reason that the answer matters. */
  readonly why: string;
}

/** Consequence of the recommendation. */
export interface BriefConsequence {
  /** Consequence, in one sentence. */
  readonly text: string;
  /** True for a benefit, false for a cost. */
  readonly gain: boolean;
}
