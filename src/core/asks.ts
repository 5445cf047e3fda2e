// Table of requests: length, effort, priority and temperature for every kind of turn and question.
import type { Effort } from "./profile.ts";

/** Parameters of one kind of request. */
export interface Ask {
  /** Target length of the answer in tokens; a setting or a protocol may override it. @default no limit */
  readonly tokens?: number | undefined;
  /** Additional tokens per item of the answer, such as a proposal. @default 0 */
  readonly each?: number | undefined;
  /** Reasoning effort, if the user sets none. */
  readonly effort: Effort;
  /** Priority in the request queue of a busy server; the lowest number goes first. */
  readonly priority: number;
  /** Temperature, if the user sets none and the model accepts one. @default the provider's */
  readonly temperature?: number | undefined;
}

/**
 * Priorities. A turn blocks the whole convening, and a question of the protocol blocks the next step; fact checks and scores
 * run alongside; summaries of rounds and of older turns are made ahead.
 */
const PRIORITY = { turn: 0, question: 1, check: 5, score: 10, ahead: 20 } as const;

const TURN: Ask = { effort: "low", priority: PRIORITY.turn };
const QUESTION: Ask = { tokens: 800, effort: "low", priority: PRIORITY.question };
/** Judgment, which should be reproducible. */
const JUDGMENT: Ask = { ...QUESTION, temperature: 0 };
/** Choice among a few options, which needs little reasoning. */
const CHOICE: Ask = { tokens: 150, effort: "minimal", priority: PRIORITY.question };
const CHECK: Ask = { tokens: 300, effort: "low", priority: PRIORITY.check };

/** Kind of a side's answer to an interruption: not scored, since only the interrupted side has such a turn. */
export const INTERRUPTION_ANSWER = "interruption_answer";

/** Kinds of requests that differ from the default turn or question. Lengths that are settings are not listed. */
const ASKS = {
  // Turns.
  [INTERRUPTION_ANSWER]: { ...TURN, tokens: 120 },
  round_summary: { ...TURN, priority: PRIORITY.ahead },
  /** Summary of an early end, and of a consensus dialogue. */
  summary: { ...TURN, tokens: 400 },
  questions: { ...TURN, tokens: 4096 },
  postures: { ...TURN, tokens: 4096 },
  // Questions of protocols.
  bid: CHOICE,
  next_speaker: CHOICE,
  pick: { ...CHOICE, tokens: 200 },
  ruling: { ...QUESTION, tokens: 300 },
  round_review: { ...QUESTION, tokens: 300 },
  proposals: { ...QUESTION, tokens: 400 },
  proposals_merged: { ...QUESTION, tokens: 200, each: 120 },
  stance: { ...QUESTION, tokens: 300, each: 80 },
  /** Stances in a turn's reply, besides the speech. */
  stances_of_turn: { ...QUESTION, tokens: 100, each: 80 },
  topics: { ...QUESTION, tokens: 100, each: 80 },
  baseline: JUDGMENT,
  verdict: JUDGMENT,
  /** Comparison of two speeches in a judge check. */
  pair: JUDGMENT,
  // Questions about a record.
  brief: { ...QUESTION, tokens: 2000 },
  answer: { ...QUESTION, tokens: 1000 },
  // Questions of observers and guards.
  score: { ...JUDGMENT, priority: PRIORITY.score },
  round_scores: { ...JUDGMENT, tokens: 0, each: 600, priority: PRIORITY.score },
  topic_scores: { ...QUESTION, tokens: 3000, priority: PRIORITY.score },
  claims: { ...CHECK, tokens: 600 },
  claim_verdict: CHECK,
  notes: { ...CHECK, tokens: 800 },
  persona_check: { ...CHECK, priority: PRIORITY.question },
  /** Summary of older turns for prompts. */
  fold: { ...TURN, tokens: 400, priority: PRIORITY.ahead },
} as const satisfies Readonly<Record<string, Ask>>;

/** Kind of request with a row in the table. */
export type AskKind = keyof typeof ASKS;

/** Returns the row of a kind of request; the default turn or question for other kinds. */
export function askOf(kind: string, purpose: "turn" | "question" | "fold"): Ask {
  const rows: Readonly<Record<string, Ask>> = ASKS;
  const own = Object.hasOwn(rows, kind) ? rows[kind] : undefined;
  return own ?? (purpose === "question" ? QUESTION : TURN);
}

/** Returns the target length of an answer with so many items, in tokens. */
export function tokensFor(kind: AskKind, items = 0): number {
  const { tokens, each = 0 }: Ask & { readonly tokens: number } = ASKS[kind] as never;
  return tokens + each * items;
}

/** Assumed length of a reply without a target length, in tokens; for estimates and plans. */
export const UNBOUNDED_TOKENS = 1000;

/** Approximate number of English words per token. */
const WORDS_PER_TOKEN = 0.72;
/** Factor by which a turn may exceed its target length before it is cut. */
const SLACK = 1.5;

/** Converts tokens to words, rounded to tens. Prompts give lengths in words, because models count words better than tokens. */
export function wordsFor(tokens: number): number {
  return Math.max(10, Math.round(tokens * WORDS_PER_TOKEN / 10) * 10);
}

/** Returns the maximum number of words of a turn with a target length in tokens. */
export function mostWords(tokens: number): number {
  return Math.round(wordsFor(tokens) * SLACK);
}
