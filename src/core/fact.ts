import type { Made, Message } from "./message.ts";
import type { Citations, Quotation, TopicArgument } from "./evidence.ts";

/** What facts about a turn say of the turn. */
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
  /** Whether there are numbers. */
  readonly status: "scored" | "unscored";
  /** Why there are no numbers, when `unscored`. */
  readonly reason?: string;
  /** From criterion id to weight: those of the criteria that apply, which sum to 1. */
  readonly weights: Readonly<Record<string, number>>;
  /** Ids of the criteria that cannot apply to the turn and are not scored; absent where all apply. */
  readonly notApplicable?: readonly string[];
  /** From criterion id to number; empty when `unscored`. */
  readonly criteria: Readonly<Record<string, number>>;
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
  /** Why, in one paragraph. */
  readonly notes: string;
  /** False where the topic was not argued: every number is the least of the scale. @default true */
  readonly argued?: boolean | undefined;
}

/** Who won in one judge's eyes, when shown the sides in one order. */
export interface Verdict extends Made {
  /** Tells facts apart. */
  readonly type: "verdict";
  /** The question's key; absent where it is the key of the program's own questions. */
  readonly key?: string;
  /** The judge's id. */
  readonly judge: string;
  /** The rubric's id. */
  readonly rubric: string;
  /** Which of the judge's verdicts, from 1: one per order. */
  readonly number: number;
  /** Participant ids in the order they were shown. */
  readonly order: readonly string[];
  /** Whether the judge's answer could be read. */
  readonly status: "read" | "unread";
  /** Why it could not be read, when `unread`. */
  readonly reason?: string;
  /** A participant's id; null for a tie. */
  readonly winner: string | null;
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
  /** What was wrong, as the retry was told. */
  readonly reason: string;
  /** What was said. */
  readonly body: string;
}

/** A turn that failed for good; with what its attempts used, where a model was called. */
export interface Failure extends OfTurn, Omit<Partial<Made>, "createdAt"> {
  /** Tells facts apart. */
  readonly type: "failure";
  /** The error's code. */
  readonly code: string;
  /** How many attempts there were. */
  readonly attempts: number;
  /** The error's message. */
  readonly message: string;
}

/** What a structured question that is no turn brought. */
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

/** What a tool was asked during a turn, and what it gave back. */
export interface LookUp extends OfTurn {
  /** Tells facts apart. */
  readonly type: "lookup";
  /** From 1 within the turn. */
  readonly number: number;
  /** The tool's name. */
  readonly tool: string;
  /** What it was asked: JSON. */
  readonly args: unknown;
  /** Whether it gave an error instead of an answer. */
  readonly failed: boolean;
  /** What it gave back, or the error. */
  readonly result: string;
}

/** An early end: which limit, and the summary made then. */
export interface Stop extends Made {
  /** Tells facts apart. */
  readonly type: "stop";
  /** From 1. */
  readonly number: number;
  /** Which limit, or `cancelled`. */
  readonly reason: EndReason;
  /** The limit, in its unit (turns, milliseconds, tokens, US dollars); absent for a cancellation. */
  readonly limit?: number;
  /** What had been used, in the same unit. */
  readonly value?: number;
  /** The number of the last accepted message. */
  readonly lastSeq: number;
  /** The summary, in markdown. */
  readonly body: string;
}

/** Where a claim's verdict comes from. */
export interface ClaimSource {
  /** The title of the page or file. */
  readonly title: string;
  /** `http`, `https`, or a path in the convening's directory; empty where there is none. */
  readonly url: string;
  /** What it says. */
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
  /** Whether false claims were only marked, or the turn turned down for them. */
  readonly mode: "standard" | "strict";
  /** Whether the checker got through. */
  readonly status: "checked" | "unchecked";
  /** Why it did not, when `unchecked`; why no claim could be verified, where there was no source. */
  readonly reason?: string;
  /** (true + 0.5 × (misleading + disputed)) / settled claims, 0 to 1; null where no claim was settled, or when `unchecked`. */
  readonly factuality: number | null;
  /** At most five. */
  readonly claims: readonly CheckedClaim[];
  /** How many claims were dropped, since their words are not in the message; absent where none was. */
  readonly dropped?: number;
  /** The checker's reasons, in markdown. */
  readonly reasons: string;
}

/** What a speaker wrote for itself in a turn and did not say, such as `reflection` and `critique`. */
export interface TurnDraft extends OfTurn {
  /** Tells facts apart. */
  readonly type: "draft";
  /** From a field's name to its text. */
  readonly fields: Readonly<Record<string, string>>;
}

/** What a participant holds of one proposal or side. */
export interface StanceOn {
  /** The id of the proposal, or of the side. */
  readonly on: string;
  /** What it holds. */
  readonly stance: "agree" | "disagree" | "abstain";
  /** How firmly, from 0 to 1. */
  readonly strength: number;
  /** What would have to be met for it, where that was said. */
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
  /** Whether the answer could be read. */
  readonly status: "read" | "unread";
  /** Why it could not be read, when `unread`. */
  readonly reason?: string;
  /** One for each proposal or side; empty when `unread`. */
  readonly stances: readonly StanceOn[];
  /** The reasons given, in markdown. */
  readonly reasons: string;
}

/** What a paper debater's message argues and rests on: every citation and quotation with its mark. */
export interface Evidence extends OfTurn {
  /** Tells facts apart. */
  readonly type: "evidence";
  /** What it stands for. */
  readonly posture: string;
  /** Its argument on each topic; empty for a cross-examination. */
  readonly perTopic: readonly TopicArgument[];
  /** What its argument comes to; empty for a cross-examination. */
  readonly overallPosition: string;
  /** What a cross-examination cites; empty for an argument, whose citations stand under its topics. */
  readonly citations: Citations;
  /** Every passage in quotation marks. */
  readonly quotations: readonly Quotation[];
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
  | TurnDraft
  | Stance
  | Evidence
  | OwnFact;

/** Where a convening stands. */
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
  "nothing_new",
  "cancelled",
  "failed",
] as const;

/** The reason for which a convening ended. */
export type EndReason = typeof END_REASONS[number];

/** Whether the judges named a winner. */
export type Outcome = "decided" | "undecided" | "unscored";
