// The parts of a brief, which a model or a template writes for whoever decides.

/** The highest number of a brief. */
export const MOST_BRIEFS = 9999;

/** Every form of a brief: for whoever decides, as an architecture decision record, and the open questions alone. */
export const BRIEF_FORMS: readonly BriefForm[] = ["memo", "adr", "questions"];

/** The form of a brief. */
export type BriefForm = "memo" | "adr" | "questions";

/** Words of a message, as the message has them. */
export interface BriefQuote {
  /** The number of the message. */
  readonly message: number;
  /** Its exact words. */
  readonly quote: string;
}

/** The strongest point of a participant. */
export interface BriefPoint extends BriefQuote {
  /** The participant's id: that of the message's speaker. */
  readonly participant: string;
  /** The point, in one sentence. */
  readonly point: string;
}

/** A condition of the outcome. */
export interface BriefCrux extends Partial<BriefQuote> {
  /** The condition that, if it were otherwise, would turn the outcome. */
  readonly crux: string;
  /** The outcome if it were otherwise. */
  readonly otherwise: string;
}

/** A question that the record leaves open. */
export interface BriefQuestion {
  /** The question, in one sentence. */
  readonly question: string;
  /** Reason that the answer matters. */
  readonly why: string;
}

/** A consequence of the recommendation. */
export interface BriefConsequence {
  /** The consequence, in one sentence. */
  readonly text: string;
  /** True for a gain, false for a price. */
  readonly gain: boolean;
}
