// The table of requests: length, effort and urgency of every kind of turn and question, in one place.
import type { Effort } from "./profile.ts";

/** Length, effort and urgency of one kind of request. */
export interface Ask {
  /** Tokens that the answer is asked to have at most; a setting or a protocol may say another number. @default no bound */
  readonly tokens?: number | undefined;
  /** Further tokens for each item that the answer has, such as a proposal. @default 0 */
  readonly each?: number | undefined;
  /** Hidden reasoning before the answer, where the user sets no effort. */
  readonly effort: Effort;
  /** Place in the queue of a server that is busy: the least number is asked first. */
  readonly priority: number;
  /** The temperature where the user sets none and the model takes one. @default the provider's */
  readonly temperature?: number | undefined;
}

/**
 * Urgency by the work that waits: a turn holds up the whole convening; a question of the protocol, what comes next; fact
 * checks and scores run alongside; summaries of rounds and of older turns are made ahead.
 */
const FIRST = { turn: 0, question: 1, check: 5, score: 10, ahead: 20 } as const;

const TURN: Ask = { effort: "low", priority: FIRST.turn };
const QUESTION: Ask = { tokens: 800, effort: "low", priority: FIRST.question };
/** A judgment, which is to come out the same each time. */
const JUDGMENT: Ask = { ...QUESTION, temperature: 0 };
/** A choice among a few, which needs little thought. */
const CHOICE: Ask = { tokens: 150, effort: "minimal", priority: FIRST.question };
const CHECK: Ask = { tokens: 300, effort: "low", priority: FIRST.check };

/** The kinds of requests that differ from the usual turn or question. Lengths that settings hold are not here. */
const ASKS = {
  // Turns.
  interruption_answer: { ...TURN, tokens: 120 },
  round_summary: { ...TURN, priority: FIRST.ahead },
  /** The summary of an early end, and of a consensus dialogue. */
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
  /** The stances that a turn's reply holds beside the speech. */
  stances_of_turn: { ...QUESTION, tokens: 100, each: 80 },
  topics: { ...QUESTION, tokens: 100, each: 80 },
  baseline: JUDGMENT,
  verdict: JUDGMENT,
  /** Two speeches of a judge check. */
  pair: JUDGMENT,
  // Questions about a record.
  brief: { ...QUESTION, tokens: 2000 },
  answer: { ...QUESTION, tokens: 1000 },
  // Questions of observers and guards.
  score: { ...JUDGMENT, priority: FIRST.score },
  round_scores: { ...JUDGMENT, tokens: 0, each: 600, priority: FIRST.score },
  topic_scores: { ...QUESTION, tokens: 3000, priority: FIRST.score },
  claims: { ...CHECK, tokens: 600 },
  claim_verdict: CHECK,
  notes: { ...CHECK, tokens: 800 },
  persona_check: { ...CHECK, priority: FIRST.question },
  /** A summary that stands for older turns in prompts. */
  fold: { ...TURN, tokens: 400, priority: FIRST.ahead },
} as const satisfies Readonly<Record<string, Ask>>;

/** A kind of request that the table knows. */
export type AskKind = keyof typeof ASKS;

/** The row of a kind of request; the usual turn or question for a kind that the table does not know. */
export function askOf(kind: string, purpose: "turn" | "question" | "fold"): Ask {
  const rows: Readonly<Record<string, Ask>> = ASKS;
  const own = Object.hasOwn(rows, kind) ? rows[kind] : undefined;
  return own ?? (purpose === "question" ? QUESTION : TURN);
}

/** The tokens that an answer of a kind is asked to have at most, with so many items in it. */
export function tokensFor(kind: AskKind, items = 0): number {
  const { tokens, each = 0 }: Ask & { readonly tokens: number } = ASKS[kind] as never;
  return tokens + each * items;
}

/** Tokens that a reply is taken to have where no number is asked: for estimates and plans. */
export const UNBOUNDED_TOKENS = 1000;

/** English words for a token, about. */
const WORDS_PER_TOKEN = 0.72;
/** Factor by which a turn may pass the length asked for before it is cut. */
const SLACK = 1.5;

/** A number of tokens in words, rounded to tens: models count words better than tokens. */
export function wordsFor(tokens: number): number {
  return Math.max(10, Math.round(tokens * WORDS_PER_TOKEN / 10) * 10);
}

/** The most words of a turn that was asked to have so many tokens. */
export function mostWords(tokens: number): number {
  return Math.round(wordsFor(tokens) * SLACK);
}
