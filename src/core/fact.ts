// Facts: the entries of a record that are written once, such as scores, verdicts, choices and fact checks.
import type { BriefConsequence, BriefCrux, BriefForm, BriefPoint, BriefQuestion } from "./brief.ts";
import type { Made, Message } from "./message.ts";
import type { ClaimVerdict, StanceOn } from "./outcome.ts";
import type { Citations, Quotation, TopicArgument } from "./paper.ts";

/** Turn that a fact belongs to. */
export interface OfTurn {
  /** Number of the turn's message. */
  readonly seq: number;
  /** Key of the turn. */
  readonly turn: string;
  /** Id of the speaker. */
  readonly participant: string;
  /** ISO 8601, UTC, with milliseconds. */
  readonly createdAt: string;
}

/** Score of one message by one judge. */
export interface Score extends Made {
  /** Discriminant of the union. */
  readonly type: "score";
  /** Key of the question; absent if it is the default, `score/MESSAGE/JUDGE`. */
  readonly key?: string;
  /** Number of the scored message. */
  readonly message: number;
  /** Id of the message's speaker. */
  readonly participant: string;
  /** Id of the judge. */
  readonly judge: string;
  /** Id of the rubric. */
  readonly rubric: string;
  /** Lowest and highest number of a criterion. */
  readonly scale: readonly [number, number];
  /** `scored` if the judge gave readable numbers. */
  readonly status: "scored" | "unscored";
  /** Reason for `unscored`. */
  readonly reason?: string;
  /** Number of the last message that the judge saw only in a summary. @default the judge saw every message whole */
  readonly folded?: number;
  /** Weight by criterion id, of the criteria that apply to the turn; the weights sum to 1. */
  readonly weights: Readonly<Record<string, number>>;
  /** Ids of the criteria that do not apply to the turn and are not scored; absent if all apply. */
  readonly notApplicable?: readonly string[];
  /** Number by criterion id; empty if `unscored`. */
  readonly criteria: Readonly<Record<string, number>>;
  /** The judge's own number by criterion id, for criteria capped because of refuted claims; absent if none was capped. */
  readonly judged?: Readonly<Record<string, number>>;
  /** Weighted sum, on `scale`; absent if `unscored`. */
  readonly total?: number;
  /** Reasons of the judge, in markdown. */
  readonly reasons: string;
  /** Numbers per topic, if the message argues on several topics; `criteria` then holds their means. */
  readonly topics?: readonly TopicScore[];
}

/** Numbers of a judge for the part of a message about one topic. */
export interface TopicScore {
  /** Topic that the numbers are about. */
  readonly topic: string;
  /** Number by criterion id. */
  readonly criteria: Readonly<Record<string, number>>;
  /** Reasons, in one paragraph. */
  readonly notes: string;
  /** False if the message does not argue on the topic; every number is then the lowest of the scale. @default true */
  readonly argued?: boolean | undefined;
}

/** Comparison of the sides by one judge, in one order of the sides. */
export interface Verdict extends Made {
  /** Discriminant of the union. */
  readonly type: "verdict";
  /** Key of the question; absent if it is the default, `verdict/JUDGE/NUMBER`. */
  readonly key?: string;
  /** Id of the judge. */
  readonly judge: string;
  /** Id of the rubric. */
  readonly rubric: string;
  /** Number among the judge's verdicts, from 1. */
  readonly number: number;
  /** Pass, from 1: one order and labelling of the sides, shared by repeated askings. Absent in records of earlier versions. */
  readonly pass?: number;
  /** Number of times that the judge was asked this pass, this time included. Absent in records of earlier versions. */
  readonly asking?: number;
  /** True if the judge decided a tie of the panel. @default false */
  readonly tiebreak?: boolean;
  /** Participant ids, in the order in which the judge saw the sides. */
  readonly order: readonly string[];
  /** `read` if the judge's answer could be parsed. */
  readonly status: "read" | "unread";
  /** Reason for `unread`. */
  readonly reason?: string;
  /** Number of the last message that the judge saw only in a summary. @default the judge saw every message whole */
  readonly folded?: number;
  /** Number of turns cut to their beginning to fit the prompt. @default the judge saw every turn whole */
  readonly shortened?: number;
  /** Biases of the judge's model that a judge check had found before the verdict, one sentence each. @default none known */
  readonly profile?: readonly string[];
  /** Id of the winning participant; null for a tie. */
  readonly winner: string | null;
  /** Decisive reason, one sentence of the judge. @default none given; absent in records of earlier versions */
  readonly mainReason?: string;
  /** Reasons of the judge, in markdown. */
  readonly reasons: string;
}

/** Attempt that a guard rejected. */
export interface Rejection extends OfTurn, Made {
  /** Discriminant of the union. */
  readonly type: "rejected";
  /** Number of the attempt, from 1. */
  readonly attempt: number;
  /** Name of the guard. */
  readonly guard: string;
  /** Reason, as sent to the speaker. */
  readonly reason: string;
  /** Text of the attempt. */
  readonly body: string;
}

/** Turn that failed after all attempts; has model and usage if a model was called. */
export interface Failure extends OfTurn, Omit<Partial<Made>, "createdAt"> {
  /** Discriminant of the union. */
  readonly type: "failure";
  /** Code of the error. */
  readonly code: string;
  /** Number of attempts. */
  readonly attempts: number;
  /** Message of the error. */
  readonly message: string;
}

/** Answer to a structured question that is not a turn, such as a bid to speak. */
export interface Choice extends Made {
  /** Discriminant of the union. */
  readonly type: "choice";
  /** Key of the question, unique in the convening. */
  readonly key: string;
  /** Number of the next message at the time of the question. */
  readonly seq: number;
  /** Number among the choices with the same `seq`, from 1. */
  readonly number: number;
  /** Id of the participant asked. */
  readonly participant: string;
  /** Kind of choice, such as `bid`. */
  readonly kind: string;
  /** Answer, as JSON. */
  readonly value: unknown;
  /** Reasons, in markdown. */
  readonly reasons: string;
}

/** Running summary that replaces older turns in prompts. */
export interface Context extends Made {
  /** Discriminant of the union. */
  readonly type: "context";
  /** Number of the summary, from 1. */
  readonly number: number;
  /** Number of the last message that the summary covers. */
  readonly through: number;
  /** Text of the summary. */
  readonly body: string;
}

/** Highest number of a look-up made during a turn; look-ups of the message's fact check have higher numbers. */
export const LAST_OWN_LOOK_UP = 100;

/** Tool call of a turn, with its result. */
export interface LookUp extends OfTurn {
  /** Discriminant of the union. */
  readonly type: "lookup";
  /** Number within the turn, from 1. */
  readonly number: number;
  /** Name of the tool. */
  readonly tool: string;
  /** Arguments, as JSON. */
  readonly args: unknown;
  /** True if the tool returned an error. */
  readonly failed: boolean;
  /** Result, or the error. */
  readonly result: string;
}

/** Early end of a convening, with the summary written then. */
export interface Stop extends Made {
  /** Discriminant of the union. */
  readonly type: "stop";
  /** Number of the stop, from 1. */
  readonly number: number;
  /** Limit that was reached, or `cancelled`. */
  readonly reason: EndReason;
  /** Value of the limit, in its unit (turns, milliseconds, tokens, US dollars); absent for a cancellation. */
  readonly limit?: number;
  /** Amount used, in the unit of the limit. */
  readonly value?: number;
  /** Number of the last accepted message. */
  readonly lastSeq: number;
  /** Summary, in markdown. */
  readonly body: string;
}

/** Source that supports a claim's verdict. */
export interface ClaimSource {
  /** Title of the page or file. */
  readonly title: string;
  /** URL (`http` or `https`), or path in the convening's directory; empty if there is neither. */
  readonly url: string;
  /** Excerpt of the source. */
  readonly snippet: string;
}

/** Claim of a message, with its verdict. */
export interface CheckedClaim {
  /** Claim, in one sentence. */
  readonly text: string;
  /** Exact words of the message that state the claim; absent in records of earlier versions. */
  readonly quote?: string;
  /** `misleading`: true, but omits a condition that changes it; `disputed`: sources conflict; `unverifiable`: not settled. */
  readonly verdict: ClaimVerdict;
  /** Condition that a misleading claim omits. */
  readonly omitted?: string;
  /** Confidence in the verdict, 0 to 1. */
  readonly confidence: number;
  /** Sources that decided the verdict. */
  readonly sources: readonly ClaimSource[];
}

/** Fact check of one message. */
export interface FactCheck extends Made {
  /** Discriminant of the union. */
  readonly type: "fact-check";
  /** Number of the checked message. */
  readonly message: number;
  /** Id of the message's speaker. */
  readonly participant: string;
  /** `standard` marks false claims; `strict` rejects the turn for them. */
  readonly mode: "standard" | "strict";
  /** `checked` if the check succeeded. */
  readonly status: "checked" | "unchecked";
  /** Reason for `unchecked`; if `checked`, the reason that no claim could be verified. */
  readonly reason?: string;
  /** (true + 0.5 × (misleading + disputed)) / settled claims, 0 to 1; null if no claim was settled, or if `unchecked`. */
  readonly factuality: number | null;
  /** Checked claims, at most five. */
  readonly claims: readonly CheckedClaim[];
  /** Number of claims dropped because their quote is not in the message; absent if none was. */
  readonly dropped?: number;
  /** Reasons of the checker, in markdown. */
  readonly reasons: string;
}

export const POINT_KINDS = [
  "new",
  "answers",
  "extends",
  "concedes",
  "repeats",
] as const satisfies readonly Point["kind"][];

/** Point that a message makes: an argument, answer or concession. */
export interface Point {
  /** Letter of the side and a number, such as `A3`. */
  readonly id: string;
  /** `new`: a new argument; `answers`: others' points; `extends`, `repeats`: own points; `concedes`: grants, withdraws, limits. */
  readonly kind: "new" | "answers" | "extends" | "concedes" | "repeats";
  /** Ids of the earlier points that this point answers, extends, concedes or repeats. */
  readonly answers: readonly string[];
  /** Point, in one line. */
  readonly text: string;
  /** Exact words of the message that make the point. */
  readonly quote: string;
}

/** Claim as extracted from a message, before any check. */
export interface StatedClaim {
  /** Claim, in one sentence. */
  readonly text: string;
  /** Exact words of the message that state the claim. */
  readonly quote: string;
}

/** Points of one message, as listed by the note-taker. */
export interface Flow extends Made {
  /** Discriminant of the union. */
  readonly type: "flow";
  /** Number of the message. */
  readonly message: number;
  /** Id of the message's speaker. */
  readonly participant: string;
  /** `read` if the note-taker's reply could be parsed. */
  readonly status: "read" | "unread";
  /** Reason for `unread`. */
  readonly reason?: string;
  /** Number of points dropped because their quote is not in the message; absent if none was. */
  readonly dropped?: number;
  /** Number of references dropped because no earlier point has the id; absent if none was. */
  readonly unknown?: number;
  /** Points of the message; empty if `unread`. */
  readonly points: readonly Point[];
  /** Factual claims of the message; absent without fact checking. */
  readonly claims?: readonly StatedClaim[];
  /** Number of claims dropped because their quote is not in the message; absent if none was. */
  readonly droppedClaims?: number;
}

/** Field of a draft that holds the model's hidden reasoning. */
export const THOUGHT_FIELD = "reasoning";

/** Private text of a speaker in a turn, such as `reflection` and `critique`, or the model's hidden `reasoning`. */
export interface TurnDraft extends OfTurn {
  /** Discriminant of the union. */
  readonly type: "draft";
  /** Text by field name. */
  readonly fields: Readonly<Record<string, string>>;
}

/** Hidden reasoning of a model behind its answer to a structured question. */
export interface Thought {
  /** Discriminant of the union. */
  readonly type: "thought";
  /** Key of the question, unique in the convening. */
  readonly key: string;
  /** Number of the last message shown in the question; 0 for none. */
  readonly message: number;
  /** Id of the participant or judge asked. */
  readonly participant: string;
  /** Reasoning text, including the reasoning of an answer that had to be repaired. */
  readonly body: string;
  /** ISO 8601, UTC, with milliseconds. */
  readonly createdAt: string;
}

/** Stances of a participant at one point of the convening. */
export interface Stance extends Made {
  /** Discriminant of the union. */
  readonly type: "stance";
  /** Key of the question, unique in the convening. */
  readonly key: string;
  /** Number of the last message before the question; 0 before the first message. */
  readonly seq: number;
  /** Id of the participant asked. */
  readonly participant: string;
  /** `read` if the answer could be parsed. */
  readonly status: "read" | "unread";
  /** Reason for `unread`. */
  readonly reason?: string;
  /** Stance per proposal or side; empty if `unread`. */
  readonly stances: readonly StanceOn[];
  /** Reasons, in markdown. */
  readonly reasons: string;
}

/** Argument of a paper debater's message, with the verification of every citation and quotation. */
export interface Evidence extends OfTurn {
  /** Discriminant of the union. */
  readonly type: "evidence";
  /** Posture that the debater argues for. */
  readonly posture: string;
  /** Argument per topic; empty for a cross-examination. */
  readonly perTopic: readonly TopicArgument[];
  /** Conclusion; empty for a cross-examination. */
  readonly overallPosition: string;
  /** Citations of a cross-examination; empty for an argument, which keeps its citations per topic. */
  readonly citations: Citations;
  /** Passages in quotation marks. */
  readonly quotations: readonly Quotation[];
}

/** Brief of a record that has ended: the fields written by a model or template. Figures are computed from the record. */
export interface Brief extends Made {
  /** Discriminant of the union. */
  readonly type: "brief";
  /** Number of the brief, from 1. */
  readonly number: number;
  /** Form, which determines the fields that are present. */
  readonly form: BriefForm;
  /** Ids of the judges whose verdicts the brief used; empty without verdicts. */
  readonly judges: readonly string[];
  /** Number of the last message that the brief covers. */
  readonly through: number;
  /** Numbers of the messages that the model saw only in part, for lack of room; absent if all were whole. */
  readonly cut?: readonly number[] | undefined;
  /** Number of quotations dropped because no message has their words; absent if none was. */
  readonly leftOut?: number | undefined;
  /** Situation that calls for a decision; only in an ADR. */
  readonly context?: string | undefined;
  /** Strongest points; absent only in the form `questions`. */
  readonly strongest?: readonly BriefPoint[] | undefined;
  /** Conditions of the outcome, most decisive first. */
  readonly cruxes: readonly BriefCrux[];
  /** Consequences of the recommendation; only in an ADR. */
  readonly consequences?: readonly BriefConsequence[] | undefined;
  /** Open questions to investigate next. */
  readonly questions: readonly BriefQuestion[];
  /** Recommendation, in plain text. */
  readonly recommendation: string;
}

/** Fact of a kind that a program defines with `defineFact`. */
export interface OwnFact extends Partial<Made> {
  /** Discriminant of the union. */
  readonly type: "own";
  /** Name of the kind, such as `word_count`. */
  readonly kind: string;
  /** Key, unique among the facts of the kind. */
  readonly key: string;
  /** Number of the message that the fact is about; 0 for none. */
  readonly message: number;
  /** Value, as JSON. */
  readonly value: unknown;
  /** Text for readers, in markdown. */
  readonly body: string;
  /** ISO 8601, UTC, with milliseconds. */
  readonly createdAt: string;
}

/** Any fact. Each fact has a file of its own, which is never rewritten. */
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

/** Returns true for the status of a convening that has ended: completed, or stopped by a limit or a cancellation. */
export function hasEnded(status: string): boolean {
  return status === "completed" || status === "stopped";
}

/** All reasons for the end of a convening. */
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

/** Reason for the end of a convening. */
export type EndReason = typeof END_REASONS[number];

/** Returns an end reason in words, such as `limit of turns`. */
export function endWords(reason: EndReason): string {
  return reason.replace(/^max_/, "limit of ").replaceAll("_", " ");
}

/** Returns the reason for an end in brackets, such as ` (limit of turns)`, unless the reason repeats the status. */
export function whyEnded(
  { status, endReason }: { readonly status: string; readonly endReason?: EndReason | undefined },
): string {
  return endReason === undefined || endReason === status ? "" : ` (${endWords(endReason)})`;
}

/** Returns the messages of a record, or those of one kind, by their numbers. */
export function messagesOf(facts: readonly Fact[], kind?: string): Message[] {
  return facts.filter((fact) => fact.type === "message")
    .filter((message) => kind === undefined || message.kind === kind)
    .sort((a, b) => a.seq - b.seq);
}
