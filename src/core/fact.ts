// The vocabulary of facts.
import type { BriefConsequence, BriefCrux, BriefForm, BriefPoint, BriefQuestion } from "./brief.ts";
import type { Made, Message } from "./message.ts";
import type { Citations, Quotation, TopicArgument } from "./paper.ts";

/** Place of the turn that a fact is about. */
export interface OfTurn {
  /** The number of the turn's message. */
  readonly seq: number;
  /** The turn's key. */
  readonly turn: string;
  /** The speaker's id. */
  readonly participant: string;
  /** ISO 8601, UTC, with milliseconds. */
  readonly createdAt: string;
}

/** One judge's score of one message. */
export interface Score extends Made {
  /** Tells facts apart. */
  readonly type: "score";
  /** The question's key; absent where it is the key of the program's own questions. */
  readonly key?: string;
  /** The number of the message it scores. */
  readonly message: number;
  /** The id of the message's participant. */
  readonly participant: string;
  /** The judge's id. */
  readonly judge: string;
  /** The rubric's id. */
  readonly rubric: string;
  /** The least and the most a criterion can get. */
  readonly scale: readonly [number, number];
  /** Status: `scored` if there are numbers. */
  readonly status: "scored" | "unscored";
  /** Reason for the lack of numbers, when `unscored`. */
  readonly reason?: string;
  /** Last message that the judge saw in a summary alone. @default the judge saw every message whole */
  readonly folded?: number;
  /** From criterion id to weight: those of the criteria that apply, which sum to 1. */
  readonly weights: Readonly<Record<string, number>>;
  /** Ids of the criteria that cannot apply to the turn and are not scored; absent where all apply. */
  readonly notApplicable?: readonly string[];
  /** From criterion id to number; empty when `unscored`. */
  readonly criteria: Readonly<Record<string, number>>;
  /** From criterion id to the judge's own number, of criteria whose number refuted claims capped; absent where none is. */
  readonly judged?: Readonly<Record<string, number>>;
  /** The weighted sum, on the same scale; absent when `unscored`. */
  readonly total?: number;
  /** The judge's reasons, in markdown. */
  readonly reasons: string;
  /** Of an argument on several topics: each topic's numbers, of which `criteria` holds the means. */
  readonly topics?: readonly TopicScore[];
}

/** A judge's numbers for what a message says on one topic. */
export interface TopicScore {
  /** The topic. */
  readonly topic: string;
  /** From criterion id to number. */
  readonly criteria: Readonly<Record<string, number>>;
  /** Reasons in one paragraph. */
  readonly notes: string;
  /** False where the topic was not argued: every number is the least of the scale. @default true */
  readonly argued?: boolean | undefined;
}

/** Winner by one judge who saw the sides in one order. */
export interface Verdict extends Made {
  /** Tells facts apart. */
  readonly type: "verdict";
  /** The question's key; absent where it is the key of the program's own questions. */
  readonly key?: string;
  /** The judge's id. */
  readonly judge: string;
  /** The rubric's id. */
  readonly rubric: string;
  /** Number of the judge's verdict, from 1. */
  readonly number: number;
  /** Pass, from 1: order and labels of the sides; further askings of a pass share it. Absent from records of earlier versions. */
  readonly pass?: number;
  /** True where the panel had tied and the judge was asked to decide. @default false */
  readonly tiebreak?: boolean;
  /** Participant ids in the order they were shown. */
  readonly order: readonly string[];
  /** Status: `read` if the judge's answer could be read. */
  readonly status: "read" | "unread";
  /** Reason that the answer could not be read, when `unread`. */
  readonly reason?: string;
  /** Last message that the judge saw in a summary alone. @default the judge saw every message whole */
  readonly folded?: number;
  /** Number of turns whose beginning alone the judge saw, for want of room. @default the judge saw every turn whole */
  readonly shortened?: number;
  /** Biases of the judge's model that a judge check had found by then, a sentence each. @default none is known */
  readonly profile?: readonly string[];
  /** A participant's id; null for a tie. */
  readonly winner: string | null;
  /** Reason that decided, in the judge's own sentence. @default none was given; absent from records of earlier versions */
  readonly mainReason?: string;
  /** The judge's reasons, in markdown. */
  readonly reasons: string;
}

/** An attempt that a guard turned down. */
export interface Rejection extends OfTurn, Made {
  /** Tells facts apart. */
  readonly type: "rejected";
  /** From 1. */
  readonly attempt: number;
  /** The name of the guard. */
  readonly guard: string;
  /** Problem of the attempt, as the speaker was told. */
  readonly reason: string;
  /** Text of the attempt. */
  readonly body: string;
}

/** A turn that failed for good; with what its attempts used, where a model was called. */
export interface Failure extends OfTurn, Omit<Partial<Made>, "createdAt"> {
  /** Tells facts apart. */
  readonly type: "failure";
  /** The error's code. */
  readonly code: string;
  /** Number of attempts. */
  readonly attempts: number;
  /** The error's message. */
  readonly message: string;
}

/** Answer to a structured question that is no turn. */
export interface Choice extends Made {
  /** Tells facts apart. */
  readonly type: "choice";
  /** The question's key, unique in the convening. */
  readonly key: string;
  /** The message number it was asked before. */
  readonly seq: number;
  /** Counts the choices asked at this number, from 1. */
  readonly number: number;
  /** The id of the one asked. */
  readonly participant: string;
  /** Such as `bid`. */
  readonly kind: string;
  /** JSON. */
  readonly value: unknown;
  /** The reasons given, in markdown. */
  readonly reasons: string;
}

/** The rolling summary that takes the place of older turns in prompts. */
export interface Context extends Made {
  /** Tells facts apart. */
  readonly type: "context";
  /** From 1. */
  readonly number: number;
  /** It stands for every transcript message up to this one. */
  readonly through: number;
  /** The summary. */
  readonly body: string;
}

/**
 * The number of the last look-up that a turn can have of its own; those of its message's fact check are numbered from the
 * next one on.
 */
export const LAST_OWN_LOOK_UP = 100;

/** Call of a tool during a turn, with its result. */
export interface LookUp extends OfTurn {
  /** Tells facts apart. */
  readonly type: "lookup";
  /** From 1 within the turn. */
  readonly number: number;
  /** The tool's name. */
  readonly tool: string;
  /** Arguments as JSON. */
  readonly args: unknown;
  /** True if the tool gave an error instead of a result. */
  readonly failed: boolean;
  /** Result, or the error. */
  readonly result: string;
}

/** An early end: which limit, and the summary made then. */
export interface Stop extends Made {
  /** Tells facts apart. */
  readonly type: "stop";
  /** From 1. */
  readonly number: number;
  /** Limit that was reached, or `cancelled`. */
  readonly reason: EndReason;
  /** The limit, in its unit (turns, milliseconds, tokens, US dollars); absent for a cancellation. */
  readonly limit?: number;
  /** Amount used, in the limit's unit. */
  readonly value?: number;
  /** The number of the last accepted message. */
  readonly lastSeq: number;
  /** The summary, in markdown. */
  readonly body: string;
}

/** Source of a claim's verdict. */
export interface ClaimSource {
  /** The title of the page or file. */
  readonly title: string;
  /** `http`, `https`, or a path in the convening's directory; empty where there is none. */
  readonly url: string;
  /** Text of the source. */
  readonly snippet: string;
}

/** Every verdict on a claim. */
export const CLAIM_VERDICTS = [
  "true",
  "misleading",
  "disputed",
  "false",
  "unverifiable",
] as const;

/** The sources' answer to a claim that was looked up. */
export type ClaimVerdict = typeof CLAIM_VERDICTS[number];

/** One claim of a message, and what came of looking it up. */
export interface CheckedClaim {
  /** The claim, in one sentence. */
  readonly text: string;
  /** The exact words of the message that the claim rests on; absent from records of earlier versions. */
  readonly quote?: string;
  /**
   * `misleading`: borne out, but a condition that changes it is left out; `disputed`: the sources conflict;
   * `unverifiable`: not settled.
   */
  readonly verdict: ClaimVerdict;
  /** The condition that a misleading claim leaves out. */
  readonly omitted?: string;
  /** From 0 to 1. */
  readonly confidence: number;
  /** The sources that decided it. */
  readonly sources: readonly ClaimSource[];
}

/** The claims of one message, looked up. */
export interface FactCheck extends Made {
  /** Tells facts apart. */
  readonly type: "fact-check";
  /** The number of the message it checks. */
  readonly message: number;
  /** The id of the message's participant. */
  readonly participant: string;
  /** Mode: false claims were marked, or the turn was rejected for them. */
  readonly mode: "standard" | "strict";
  /** Status: `checked` if the check succeeded. */
  readonly status: "checked" | "unchecked";
  /** Reason for the failure, when `unchecked`; reason that no claim could be verified, where there was no source. */
  readonly reason?: string;
  /** (true + 0.5 × (misleading + disputed)) / settled claims, 0 to 1; null where no claim was settled, or when `unchecked`. */
  readonly factuality: number | null;
  /** At most five. */
  readonly claims: readonly CheckedClaim[];
  /** Number of claims that were dropped, as their words are not in the message; absent where none was. */
  readonly dropped?: number;
  /** The checker's reasons, in markdown. */
  readonly reasons: string;
}

/** Every kind of a point. */
export const POINT_KINDS = [
  "new",
  "answers",
  "extends",
  "concedes",
  "repeats",
] as const satisfies readonly Point["kind"][];

/** One point of a speech. */
export interface Point {
  /** The side's letter and a number, such as `A3`. */
  readonly id: string;
  /**
   * `new`: a new argument; `answers` and `concedes`: points of others; `extends` and `repeats`: points of the speaker's own
   * side.
   */
  readonly kind: "new" | "answers" | "extends" | "concedes" | "repeats";
  /** The ids of the points of earlier turns that it answers, extends, concedes or repeats. */
  readonly answers: readonly string[];
  /** The point in one line. */
  readonly text: string;
  /** The exact words of the message that the point rests on. */
  readonly quote: string;
}

/** A claim, and the exact words of the message that the claim rests on. */
export interface StatedClaim {
  /** The claim, in one sentence. */
  readonly text: string;
  /** The words. */
  readonly quote: string;
}

/** The points of one message, as the note-taker found them. */
export interface Flow extends Made {
  /** Tells facts apart. */
  readonly type: "flow";
  /** The number of the message. */
  readonly message: number;
  /** The id of the message's participant. */
  readonly participant: string;
  /** Status: `read` if the note-taker's reply could be read. */
  readonly status: "read" | "unread";
  /** Reason that the reply could not be read, when `unread`. */
  readonly reason?: string;
  /** Number of points that were dropped, as their words are not in the message; absent where none was. */
  readonly dropped?: number;
  /** Number of ids that were dropped, as no such point of an earlier turn is known; absent where none was. */
  readonly unknown?: number;
  /** Empty when `unread`. */
  readonly points: readonly Point[];
  /** The claims of fact in the message; absent where facts are not checked. */
  readonly claims?: readonly StatedClaim[];
  /** Number of claims that were dropped, as their words are not in the message; absent where none was. */
  readonly droppedClaims?: number;
}

/** The field of a draft that holds the hidden reasoning of the model. */
export const THOUGHT_FIELD = "reasoning";

/** Private text of a speaker in a turn, such as `reflection` and `critique`, or the model's hidden `reasoning`. */
export interface TurnDraft extends OfTurn {
  /** Tells facts apart. */
  readonly type: "draft";
  /** From a field's name to its text. */
  readonly fields: Readonly<Record<string, string>>;
}

/** Hidden reasoning of a model behind its answer to a structured question. */
export interface Thought {
  /** Tells facts apart. */
  readonly type: "thought";
  /** The question's key, unique in the convening. */
  readonly key: string;
  /** The number of the last message that the question shows; 0 for none. */
  readonly message: number;
  /** The id of the participant or judge asked. */
  readonly participant: string;
  /** Thought text, of the answer and of a repaired answer before. */
  readonly body: string;
  /** ISO 8601, UTC, with milliseconds. */
  readonly createdAt: string;
}

/** Stance of a participant on one proposal or side. */
export interface StanceOn {
  /** The id of the proposal, or of the side. */
  readonly on: string;
  /** Stance on the proposal. */
  readonly stance: "agree" | "disagree" | "abstain";
  /** Strength of the stance, from 0 to 1. */
  readonly strength: number;
  /** Condition of the stance, where the participant named one. */
  readonly condition?: string;
}

/** A participant's structured stance. */
export interface Stance extends Made {
  /** Tells facts apart. */
  readonly type: "stance";
  /** The question's key, unique in the convening. */
  readonly key: string;
  /** The number of the last message it was taken after; 0 before any. */
  readonly seq: number;
  /** The id of the one asked. */
  readonly participant: string;
  /** Status: `read` if the answer could be read. */
  readonly status: "read" | "unread";
  /** Reason that the answer could not be read, when `unread`. */
  readonly reason?: string;
  /** One for each proposal or side; empty when `unread`. */
  readonly stances: readonly StanceOn[];
  /** The reasons given, in markdown. */
  readonly reasons: string;
}

/** Argument of a paper debater's message with every citation and quotation and its mark. */
export interface Evidence extends OfTurn {
  /** Tells facts apart. */
  readonly type: "evidence";
  /** Posture of the debater. */
  readonly posture: string;
  /** Its argument on each topic; empty for a cross-examination. */
  readonly perTopic: readonly TopicArgument[];
  /** Conclusion of the argument; empty for a cross-examination. */
  readonly overallPosition: string;
  /** Citations of a cross-examination; empty for an argument, whose citations stand under its topics. */
  readonly citations: Citations;
  /** Every passage in quotation marks. */
  readonly quotations: readonly Quotation[];
}

/** A brief of a record that has ended: the fields that a model or a template wrote. Numbers are computed from the record. */
export interface Brief extends Made {
  /** Tells facts apart. */
  readonly type: "brief";
  /** From 1. */
  readonly number: number;
  /** The form, by which it has some fields or others. */
  readonly form: BriefForm;
  /** Ids of the judges whose verdicts it read; empty where there were none. */
  readonly judges: readonly string[];
  /** The number of the last message it read. */
  readonly through: number;
  /** Numbers of the messages that its model was shown in part alone, for lack of room; absent where all were whole. */
  readonly cut?: readonly number[] | undefined;
  /** Number of quotations that were left out, as no message has their words; absent where none was. */
  readonly leftOut?: number | undefined;
  /** The situation that asks for a decision; of an ADR. */
  readonly context?: string | undefined;
  /** Absent of the open questions alone. */
  readonly strongest?: readonly BriefPoint[] | undefined;
  /** Conditions of the outcome, the most decisive first. */
  readonly cruxes: readonly BriefCrux[];
  /** Consequences of the recommendation; of an ADR. */
  readonly consequences?: readonly BriefConsequence[] | undefined;
  /** Questions to find out next. */
  readonly questions: readonly BriefQuestion[];
  /** The recommendation, in plain text. */
  readonly recommendation: string;
}

/** A fact of a program's own kind, as `defineFact` makes them. */
export interface OwnFact extends Partial<Made> {
  /** Tells facts apart. */
  readonly type: "own";
  /** The name of the program's kind of fact, such as `word_count`. */
  readonly kind: string;
  /** Unique among the facts of the kind. */
  readonly key: string;
  /** The number of the message that the fact is about; 0 for none. */
  readonly message: number;
  /** JSON. */
  readonly value: unknown;
  /** Text for readers, in markdown. */
  readonly body: string;
  /** ISO 8601, UTC, with milliseconds. */
  readonly createdAt: string;
}

/** Whatever a later step depends on and a model, a tool or a person supplied: one truth file each. */
export type Fact =
  | Message
  | Score
  | Verdict
  | Rejection
  | Failure
  | Choice
  | Context
  | LookUp
  | Stop
  | FactCheck
  | Flow
  | TurnDraft
  | Thought
  | Stance
  | Evidence
  | Brief
  | OwnFact;

/** Status of a convening. */
export type Status =
  | "running"
  | "waiting"
  | "paused"
  | "completed"
  | "stopped"
  | "failed";

/** Every reason for which a convening ends. */
export const END_REASONS = [
  "completed",
  "exit_condition",
  "consensus",
  "impasse",
  "max_turns",
  "max_duration",
  "max_tokens",
  "max_cost",
  "study_budget",
  "nothing_new",
  "cancelled",
  "failed",
] as const;

/** The reason for which a convening ended. */
export type EndReason = typeof END_REASONS[number];

/** The reason of an end in words, such as `limit of turns`. */
export function endWords(reason: EndReason): string {
  return reason.replace(/^max_/, "limit of ").replaceAll("_", " ");
}

/** Outcome: `decided` if the judges named a winner. */
export type Outcome = "decided" | "undecided" | "unscored";
