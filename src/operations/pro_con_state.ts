// State of a pro/con debate, and the reducer that computes it from the events of a convening.
import type { ConveningEvent, Ending, TurnInfo } from "../core/event.ts";
import type { CheckedClaim, EndReason, FactCheck, Rejection } from "../core/fact.ts";
import { countWords } from "../core/words.ts";
import type { Message, Usage } from "../core/message.ts";
import type { Outcome } from "../core/outcome.ts";
import { countsOf, factualityOf } from "../core/claims.ts";

/** A side of a pro/con debate; also the id of its advocate. */
export type DebateSide = "pro" | "con";

/** The two sides, in speaking order. */
const SIDES: readonly DebateSide[] = ["pro", "con"];

/** A turn in flight. */
export interface DebateTurnDraft {
  /** Side of the speaker. */
  readonly side: DebateSide;
  /** Number of the round, from 1. */
  readonly round: number;
  /** The speaker's private reflection on the debate; empty until the reply is complete. */
  readonly reflection: string;
  /** The speaker's private critique of the other side; empty until the reply is complete. */
  readonly critique: string;
  /** The text of the speech so far. */
  readonly speech: string;
}

/** A completed turn. The other side sees only the speech, not `reflection` and `critique`. */
export interface DebateTurn
  extends DebateTurnDraft, Pick<Message, "model" | "marks" | "usage" | "latencyMs"> {
  /** Number of the message in the record. */
  readonly message: number;
  /** Words of the speech. */
  readonly wordCount: number;
  /** Number of rejected attempts before the accepted one, 0 to 3. */
  readonly retryCount: number;
  /** Check of the speech's claims; absent until checked. */
  readonly factCheck?: FactCheck | undefined;
}

/** Statistics of one side. */
export interface DebateSideStatistics {
  /** Number of completed turns. */
  readonly turns: number;
  /** Words of all speeches. */
  readonly words: number;
  /** Number of rejected attempts. */
  readonly retries: number;
  /** Number of checked claims. */
  readonly claims: number;
  /** Number of claims with the verdict false. */
  readonly falseClaims: number;
  /** (true + 0.5 × (misleading + disputed)) / settled claims, rounded to four decimals; null without a settled claim. */
  readonly factuality: number | null;
}

/** Data of a debate besides its turns. */
export interface DebateMetadata extends Pick<Ending, "status" | "summary" | "usage"> {
  /** Topic id of the configuration; absent if the id is the motion. */
  readonly topicId?: string | undefined;
  /** Reason for the end; absent before the end. */
  readonly endReason?: EndReason | undefined;
  /** The winner; null before the end and without a winner. */
  readonly winner: DebateSide | null;
  /** Outcome of the judging; absent before the end. */
  readonly outcome?: Outcome | undefined;
  /** Statistics by side. */
  readonly statistics: Readonly<Record<DebateSide, DebateSideStatistics>>;
  /** Rejected attempts, each with the reason. */
  readonly rejectedTurns: readonly Rejection[];
  /** Reasons of failed fact checks; a failed check rejects no turn. */
  readonly factCheckErrors: readonly string[];
  /** Error of a failed debate. */
  readonly error?: Ending["error"] | undefined;
  /** Path of the convening's directory; absent before the end, and for a record in memory. */
  readonly directory?: string | undefined;
}

/** An immutable snapshot of a pro/con debate; events produce new snapshots. */
export interface DebateState {
  /** Id that the caller chose. */
  readonly debateId: string;
  /** The motion. */
  readonly topicMotion: string;
  /** Name of the model that argues for the motion. */
  readonly proModelId: string;
  /** Name of the model that argues against the motion. */
  readonly conModelId: string;
  /** Persona of the pro side: an id, a file, or the text of a persona. */
  readonly proPersonaId: string | undefined;
  /** Persona of the con side: an id, a file, or the text of a persona. */
  readonly conPersonaId: string | undefined;
  /** Number of the current round, from 1. */
  readonly currentRound: number;
  /** Number of planned rounds. */
  readonly totalRounds: number;
  /** The side that speaks now or spoke last. */
  readonly currentSpeaker: DebateSide;
  /** Maximum words of a turn, 200 to 1,000. */
  readonly wordLimitPerTurn: number;
  /** Treatment of false claims; see `DebateConfig`. */
  readonly factCheckMode: "off" | "standard" | "strict";
  /** Completed turns, oldest first. */
  readonly transcript: readonly DebateTurn[];
  /** Fact checks in the order of their arrival. */
  readonly factCheckLogs: readonly FactCheck[];
  /** The turn in flight; undefined between turns. */
  readonly currentTurnDraft: DebateTurnDraft | undefined;
  /** Claims of the latest fact check; empty at the start of a round. */
  readonly currentFactCheckResults: readonly CheckedClaim[];
  /** True from the rejection of an attempt to the start of the next one. */
  readonly shouldRejectTurn: boolean;
  /** Number of rejected attempts of the current or last turn; after 3 the next attempt is accepted and marked. */
  readonly retryCount: number;
  /** True once all rounds were held and judged. */
  readonly isDebateComplete: boolean;
  /** Data besides the turns. */
  readonly metadata: DebateMetadata;
}

/**
 * Returns the state after an event of the debate's convening; the same object if the event changes nothing. A pure
 * function: the events of a recorded log (`log.jsonl`) give the same states as the run.
 */
export function reduceDebateState(state: DebateState, event: ConveningEvent): DebateState {
  switch (event.type) {
    case "round-start":
      return {
        ...state,
        currentRound: event.round,
        currentSpeaker: "pro",
        currentTurnDraft: undefined,
        currentFactCheckResults: [],
      };
    case "turn-start":
      return startTurn(state, event.turn);
    case "message-delta":
      return isStatement(event.turn)
        ? withDraft(state, ({ speech }) => ({ speech: speech + event.text }))
        : state;
    case "message-reset":
      // The next attempt begins, or the same reply is streamed again.
      return isStatement(event.turn)
        ? withDraft(state, () => EMPTY_DRAFT, { shouldRejectTurn: false })
        : state;
    case "draft":
      if (state.currentTurnDraft?.side !== event.draft.participant) return state;
      return withDraft(state, () => {
        const { reflection = "", critique = "" } = event.draft.fields;
        return { reflection, critique };
      });
    case "turn-reject":
      return reject(state, event.rejection);
    case "message":
      return accept(state, event.message, event.usage);
    case "fact-check":
      return addFactCheck(state, event.factCheck, event.usage);
    case "convening-end":
      return end(state, event.ending);
    default:
      return state;
  }
}

const EMPTY_DRAFT = { reflection: "", critique: "", speech: "" } as const;

/** The initial statistics, without turns. */
export const NO_STATISTICS: DebateMetadata["statistics"] = statisticsOf([]);

function startTurn(state: DebateState, turn: TurnInfo): DebateState {
  const side = sideOf(turn.participant);
  if (side === undefined || !isStatement(turn)) return state;
  return {
    ...state,
    currentRound: turn.round,
    currentSpeaker: side,
    currentTurnDraft: { side, round: turn.round, ...EMPTY_DRAFT },
    shouldRejectTurn: false,
    retryCount: 0,
  };
}

/** Returns the state with changed fields of the draft; the same state without a draft. */
function withDraft(
  state: DebateState,
  change: (draft: DebateTurnDraft) => Partial<DebateTurnDraft>,
  more: Partial<DebateState> = {},
): DebateState {
  const { currentTurnDraft: draft } = state;
  if (draft === undefined) return state;
  return { ...state, currentTurnDraft: { ...draft, ...change(draft) }, ...more };
}

function reject(state: DebateState, rejection: Rejection): DebateState {
  const { metadata, retryCount } = state;
  if (state.currentTurnDraft?.side !== rejection.participant) return state;
  return withDraft(state, () => ({ speech: rejection.body }), {
    shouldRejectTurn: true,
    retryCount: retryCount + 1,
    metadata: { ...metadata, rejectedTurns: [...metadata.rejectedTurns, rejection] },
  });
}

function accept(state: DebateState, message: Message, usage: Usage): DebateState {
  const metadata = { ...state.metadata, usage };
  const side = sideOf(message.participant);
  if (side === undefined || !isStatement(message)) return { ...state, metadata };
  const { round, seq, body, model, attempts, marks, latencyMs } = message;
  const { reflection = "", critique = "" } = state.currentTurnDraft ?? {};
  const turn: DebateTurn = {
    side,
    round,
    reflection,
    critique,
    speech: body,
    message: seq,
    model,
    wordCount: countWords(body),
    retryCount: attempts - 1,
    marks,
    usage: message.usage,
    latencyMs,
  };
  const transcript = [...state.transcript, turn];
  return {
    ...state,
    transcript,
    currentTurnDraft: undefined,
    shouldRejectTurn: false,
    metadata: { ...metadata, statistics: statisticsOf(transcript) },
  };
}

function addFactCheck(state: DebateState, factCheck: FactCheck, usage: Usage): DebateState {
  const { metadata } = state;
  const { message, status, reason, claims } = factCheck;
  const transcript = state.transcript.map((turn) =>
    turn.message === message ? { ...turn, factCheck } : turn
  );
  const errors = status === "unchecked" && reason !== undefined ? [reason] : [];
  return {
    ...state,
    transcript,
    factCheckLogs: [...state.factCheckLogs, factCheck],
    currentFactCheckResults: claims,
    metadata: {
      ...metadata,
      usage,
      statistics: statisticsOf(transcript),
      factCheckErrors: [...metadata.factCheckErrors, ...errors],
    },
  };
}

function end(state: DebateState, ending: Ending): DebateState {
  const { status, endReason, outcome, winner, summary, usage, error } = ending;
  return {
    ...state,
    currentTurnDraft: undefined,
    shouldRejectTurn: false,
    isDebateComplete: status === "completed",
    metadata: {
      ...state.metadata,
      status,
      endReason,
      outcome,
      winner: winner === null ? null : sideOf(winner) ?? null,
      summary,
      usage,
      error,
    },
  };
}

function statisticsOf(transcript: readonly DebateTurn[]): DebateMetadata["statistics"] {
  const of = (side: DebateSide): DebateSideStatistics => {
    const turns = transcript.filter((turn) => turn.side === side);
    const checks = turns.flatMap(({ factCheck }) => factCheck ?? []);
    const counts = countsOf(checks);
    return {
      turns: turns.length,
      words: turns.reduce((sum, { wordCount }) => sum + wordCount, 0),
      retries: turns.reduce((sum, { retryCount }) => sum + retryCount, 0),
      claims: counts.claims,
      falseClaims: counts.false,
      factuality: factualityOf(checks),
    };
  };
  return { pro: of("pro"), con: of("con") };
}

/** Returns true for a side's regular turn, in contrast to an answer to an interruption or a turn of the moderator. */
function isStatement({ kind }: Pick<TurnInfo, "kind">): boolean {
  return kind === "statement";
}

function sideOf(participant: string): DebateSide | undefined {
  return SIDES.find((side) => side === participant);
}
