// The state of a pro/con debate, reduced from the events of a convening.
import type { ConveningEvent, Ending, TurnInfo } from "../core/event.ts";
import type {
  CheckedClaim,
  EndReason,
  FactCheck,
  Outcome,
  Rejection,
  Status,
  TurnDraft,
} from "../core/fact.ts";
import { countsOf, factualityOf } from "../core/outcome.ts";
import { countWords } from "../core/words.ts";
import type { Mark, Message, Usage } from "../core/message.ts";

/** A side of a pro/con debate; its advocate's id too. */
export type DebateSide = "pro" | "con";

/** The two sides, in speaking order. */
const SIDES: readonly DebateSide[] = ["pro", "con"];

/** A turn in the making: what has come so far. */
export interface DebateTurnDraft {
  /** Side of the turn. */
  readonly side: DebateSide;
  /** From 1. */
  readonly round: number;
  /** The speaker's reflection on the debate; empty until the reply is whole. */
  readonly reflection: string;
  /** The speaker's critique of the other side; empty until the reply is whole. */
  readonly critique: string;
  /** The speech, as far as it has come. */
  readonly speech: string;
}

/** A completed turn. Only the speech was said: the other side never sees the two phases before it. */
export interface DebateTurn extends DebateTurnDraft {
  /** The number of its message in the record. */
  readonly message: number;
  /** The model's name. */
  readonly model: string;
  /** Of the speech. */
  readonly wordCount: number;
  /** The number of repetitions of the turn before it was accepted, 0 to 3. */
  readonly retryCount: number;
  /** The marks of an accepted turn, such as `accepted_with_false_claims`. */
  readonly marks: readonly Mark[];
  /** The usage of its calls. */
  readonly usage: Usage;
  /** Milliseconds from the request to the whole reply. */
  readonly latencyMs: number;
  /** The check of its claims, once there is one. */
  readonly factCheck?: FactCheck | undefined;
}

/** One side in numbers. */
export interface DebateSideStatistics {
  /** Completed turns. */
  readonly turns: number;
  /** Of all speeches. */
  readonly words: number;
  /** The number of repetitions of its turns. */
  readonly retries: number;
  /** Claims that were looked up. */
  readonly claims: number;
  /** The number of claims that were found to be false. */
  readonly falseClaims: number;
  /** (true + 0.5 × (misleading + disputed)) / settled claims, four decimals; null where no claim was settled. */
  readonly factuality: number | null;
}

/** Data of a debate besides its turns. */
export interface DebateMetadata {
  /** The id the configuration gave the topic, beside the motion's text. */
  readonly topicId?: string | undefined;
  /** The state of the debate. */
  readonly status: Status;
  /** Reason for the end; absent before. */
  readonly endReason?: EndReason | undefined;
  /** The winner; null before the end, and where there is none. */
  readonly winner: DebateSide | null;
  /** True where the judges named a winner; absent before the end. */
  readonly outcome?: Outcome | undefined;
  /** The judge's summary; empty before the end. */
  readonly summary: string;
  /** By side. */
  readonly statistics: Readonly<Record<DebateSide, DebateSideStatistics>>;
  /** Rejected attempts, each with the reason. */
  readonly rejectedTurns: readonly Rejection[];
  /** Reasons that turns could not be checked; a checker that fails rejects nothing. */
  readonly factCheckErrors: readonly string[];
  /** Of every call so far; of the whole record at the end. */
  readonly usage: Usage;
  /** After a failure: what went wrong. */
  readonly error?: Ending["error"] | undefined;
  /** The path of the convening's directory; absent before the end, and where the record is none. */
  readonly directory?: string | undefined;
}

/** A pro/con debate at one moment: a value, of which every event makes another. */
export interface DebateState {
  /** The caller's own id. */
  readonly debateId: string;
  /** The motion. */
  readonly topicMotion: string;
  /** The name of the model that speaks for the motion. */
  readonly proModelId: string;
  /** The name of the model that speaks against it. */
  readonly conModelId: string;
  /** A persona's id or file, or its text. */
  readonly proPersonaId: string | undefined;
  /** A persona's id or file, or its text. */
  readonly conPersonaId: string | undefined;
  /** From 1. */
  readonly currentRound: number;
  /** The number of planned rounds. */
  readonly totalRounds: number;
  /** The side that speaks, or spoke last. */
  readonly currentSpeaker: DebateSide;
  /** The most words of a turn, 200 to 1000. */
  readonly wordLimitPerTurn: number;
  /** The treatment of false claims. */
  readonly factCheckMode: "off" | "standard" | "strict";
  /** Completed turns, oldest first; grows only. */
  readonly transcript: readonly DebateTurn[];
  /** One for each turn that was checked, in the order they came in; grows only. */
  readonly factCheckLogs: readonly FactCheck[];
  /** The turn in the making; undefined between turns. */
  readonly currentTurnDraft: DebateTurnDraft | undefined;
  /** The claims of the latest fact check; empty again when a round begins. */
  readonly currentFactCheckResults: readonly CheckedClaim[];
  /** True where the draft has just been rejected, so that it is made again. */
  readonly shouldRejectTurn: boolean;
  /** The number of repetitions of the current, or the last, turn: 3 at most, then it is accepted and marked. */
  readonly retryCount: number;
  /** True once all rounds were held and judged. */
  readonly isDebateComplete: boolean;
  /** Everything else. */
  readonly metadata: DebateMetadata;
}

/**
 * The state after an event of the debate's convening: the same object where the event changes nothing, else a new one.
 * A pure function, so that a recorded log (`log.jsonl`) gives the same states as the run did.
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
        ? drafted(state, ({ speech }) => ({ speech: speech + event.text }))
        : state;
    case "message-reset":
      // The next attempt begins, or the same reply comes once more.
      return isStatement(event.turn)
        ? drafted(state, () => NOTHING_SAID, { shouldRejectTurn: false })
        : state;
    case "draft":
      return addPhases(state, event.draft);
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

const NOTHING_SAID = { reflection: "", critique: "", speech: "" } as const;

/** No turn yet: what {@linkcode DebateSideStatistics} begin with. */
export const NO_STATISTICS: DebateMetadata["statistics"] = statisticsOf([]);

function startTurn(state: DebateState, turn: TurnInfo): DebateState {
  const side = sideOf(turn.participant);
  if (side === undefined || !isStatement(turn)) return state;
  return {
    ...state,
    currentRound: turn.round,
    currentSpeaker: side,
    currentTurnDraft: { side, round: turn.round, ...NOTHING_SAID },
    shouldRejectTurn: false,
    retryCount: 0,
  };
}

/** The state with other fields of the draft; the same state where there is none. */
function drafted(
  state: DebateState,
  change: (draft: DebateTurnDraft) => Partial<DebateTurnDraft>,
  more: Partial<DebateState> = {},
): DebateState {
  const { currentTurnDraft: draft } = state;
  if (draft === undefined) return state;
  return { ...state, currentTurnDraft: { ...draft, ...change(draft) }, ...more };
}

function addPhases(state: DebateState, { participant, fields }: TurnDraft): DebateState {
  if (state.currentTurnDraft?.side !== participant) return state;
  const { reflection = "", critique = "" } = fields;
  return drafted(state, () => ({ reflection, critique }));
}

function reject(state: DebateState, rejection: Rejection): DebateState {
  const { metadata, retryCount } = state;
  if (state.currentTurnDraft?.side !== rejection.participant) return state;
  return drafted(state, () => ({ speech: rejection.body }), {
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

/** A side's own turn of a round: neither its answer to an interruption nor what the moderator says. */
function isStatement({ kind }: Pick<TurnInfo, "kind">): boolean {
  return kind === "statement";
}

function sideOf(participant: string): DebateSide | undefined {
  return SIDES.find((side) => side === participant);
}
