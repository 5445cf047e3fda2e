import type { LimitName } from "./limit.ts";
import type { Assessment } from "./outcome.ts";
import type { ConveningStart } from "./convening_start.ts";
import type { ErrorCode } from "./error.ts";
import type {
  Choice,
  Context,
  EndReason,
  Evidence,
  FactCheck,
  Failure,
  LookUp,
  OwnFact,
  Rejection,
  Score,
  Stance,
  Status,
  Stop,
  TurnDraft,
  Verdict,
} from "./fact.ts";
import type { Message, Usage } from "./message.ts";

/** Where a turn stands in the convening. */
export interface TurnInfo {
  /** The message's number. */
  readonly seq: number;
  /** The turn's key. */
  readonly turn: string;
  /** The speaker's id. */
  readonly participant: string;
  /** The speaker's name. */
  readonly name: string;
  /** Such as `opening`. */
  readonly phase: string;
  /** Such as `rebuttal`. */
  readonly kind: string;
  /** From 1; 0 outside the rounds. */
  readonly round: number;
}

/** A person's turn that is waited for. */
export interface WaitedFor {
  /** The participant's id. */
  readonly participant: string;
  /** The turn's key. */
  readonly turn: string;
}

/** How a convening ended, or stands after a failure. */
export interface Ending extends Assessment {
  /** Where it stands. */
  readonly status: Status;
  /** Why it ended; `completed` is not said of one that waits or is paused: it has none. */
  readonly endReason?: EndReason;
  /** The turns it waits for, while it waits for people. */
  readonly waitingFor?: readonly WaitedFor[];
  /** The moderator's summary, or the one of an early end; empty where there is none. */
  readonly summary: string;
  /** What the protocol returned, as JSON; absent after an early end, and of kinds that keep none. */
  readonly value?: unknown;
  /** Summed over the whole record. */
  readonly usage: Usage;
  /** Milliseconds of the present run. */
  readonly duration: number;
  /** ISO 8601, UTC, with milliseconds. */
  readonly endedAt: string;
  /** After a failure: what went wrong. */
  readonly error?: {
    readonly code: ErrorCode;
    readonly message: string;
    readonly hint?: string;
  };
}

/** What happens in a convening, in the order it happened. All but `message-delta` are numbered and logged. */
export type EventBody =
  | { readonly type: "convening-start"; readonly start: ConveningStart }
  | {
    readonly type: "convening-resume";
    /** How many messages were answered from the record. */
    readonly replayed: number;
    /** The usage already on record. */
    readonly usage: Usage;
  }
  | { readonly type: "convening-end"; readonly ending: Ending }
  | { readonly type: "phase-start" | "phase-end"; readonly phase: string }
  | { readonly type: "round-start" | "round-end"; readonly round: number }
  | { readonly type: "turn-start"; readonly turn: TurnInfo }
  /** A person's turn is waited for; `task` is what is asked of it. */
  | { readonly type: "turn-wait"; readonly turn: TurnInfo; readonly task: string }
  /** The person that a `turn-wait` event named has spoken; no message need follow, as where a question is picked. */
  | { readonly type: "turn-answer"; readonly turn: TurnInfo }
  | {
    readonly type: "message-delta";
    readonly turn: TurnInfo;
    readonly text: string;
    /** Whether `text` is all of the attempt so far, in the place of what came before: told to one who missed a part. @default false */
    readonly whole?: boolean;
  }
  | {
    readonly type: "message-reset";
    readonly turn: TurnInfo;
    readonly reason: string;
  }
  | { readonly type: "turn-reject"; readonly rejection: Rejection }
  | { readonly type: "turn-fail"; readonly failure: Failure }
  | {
    readonly type: "message";
    readonly message: Message;
    readonly usage: Usage;
  }
  | { readonly type: "score"; readonly score: Score; readonly usage: Usage }
  | {
    readonly type: "verdict";
    readonly verdict: Verdict;
    readonly usage: Usage;
  }
  | { readonly type: "choice"; readonly choice: Choice }
  | { readonly type: "context"; readonly context: Context }
  | { readonly type: "lookup"; readonly lookup: LookUp }
  | {
    readonly type: "fact-check";
    readonly factCheck: FactCheck;
    readonly usage: Usage;
  }
  | { readonly type: "draft"; readonly draft: TurnDraft }
  | { readonly type: "stance"; readonly stance: Stance; readonly usage: Usage }
  | { readonly type: "evidence"; readonly evidence: Evidence }
  /** A fact of a program's own kind. */
  | { readonly type: "fact"; readonly fact: OwnFact }
  /** Somebody who takes no turns was heard: the message before it. */
  | { readonly type: "interjection"; readonly turn: TurnInfo }
  /** The moderator interrupted: the message before it, about the message `about`. */
  | { readonly type: "interruption"; readonly turn: TurnInfo; readonly about: number }
  | { readonly type: "stop"; readonly stop: Stop }
  | {
    readonly type: "limit-warning";
    readonly limit: LimitName;
    readonly value: number;
    readonly max: number;
  }
  | { readonly type: "stage"; readonly name: string; readonly data: unknown };

/** An event with its number (deltas: 0) and its time. */
export type ConveningEvent = EventBody & {
  /** From 1, going on after a resume; 0 for a `message-delta`, which is live only. */
  readonly n: number;
  /** ISO 8601, UTC, with milliseconds. */
  readonly at: string;
};
