// The rules of one debate as data, and the turns made from them.
import { z } from "zod";
import { INTERRUPTION_ANSWER } from "../core/profile.ts";
import type { Choice, Fact, Stance, Verdict } from "../core/fact.ts";
import type { Message } from "../core/message.ts";
import type { PlaceholderValues } from "../core/prompt.ts";
import type { Question, Turn, TurnStructure } from "../core/turn.ts";
import type { DebateTemplates } from "./formats.ts";

/** One side of a debate: an advocate with a position. */
export interface Side {
  /** Id of the advocate. */
  readonly id: string;
  /** Name of the advocate in prompts. */
  readonly label: string;
  /** Position of the advocate. */
  readonly position: string;
}

/**
 * Form of a round. `rebuttals`: each argument is rebutted by every opponent. `clash`: the same, and a reply to the rebuttals.
 * `alternating`: one speech that answers the last. `statements`: a statement of each side.
 */
export type Exchange = "rebuttals" | "clash" | "alternating" | "statements";

/**
 * Returns true if the sides of a debate with this configuration write a kind of turn at the same time, without knowledge of
 * the messages of the others.
 */
export function isWrittenBlind(
  configuration: Readonly<Record<string, unknown>>,
  kind: string,
): boolean {
  const { blindOpenings, blindClosings, pacing } = configuration;
  if (kind === "opening_statement") return blindOpenings !== false;
  return pacing === "simultaneous" || (kind === "closing_statement" && blindClosings === true);
}

/** Result of a round's review; both `end` and `nothing new` end the rounds. */
export type NextStep = "continue" | "end" | "nothing new";

/** Rules of one debate. */
export interface DebateRules {
  /** Id of the moderator. @default no moderator */
  readonly moderator?: string | undefined;
  /** Sides in speaking order, at least two. */
  readonly advocates: readonly Side[];
  /** Number of rounds of argument; with 0 the closings follow the openings. */
  readonly rounds: number;
  /** Form of the rounds. @default "rebuttals" */
  readonly exchange?: Exchange | undefined;
  /** True if there are opening statements. @default true */
  readonly openings?: boolean | undefined;
  /** True if there are closing statements. @default true */
  readonly closings?: boolean | undefined;
  /** True if openings are written concurrently and no advocate sees another's. */
  readonly blindOpenings: boolean;
  /** True if closings are written concurrently and no advocate sees another's. @default false */
  readonly blindClosings?: boolean | undefined;
  /** True if all advocates argue concurrently, then all rebut, then all close. */
  readonly simultaneous: boolean;
  /** True if closings are in the reverse order of openings. */
  readonly reversedClosings: boolean;
  /** True if the moderator summarises each round while the debate continues. */
  readonly roundSummaries: boolean;
  /** True if the moderator summarises the debate. @default true */
  readonly summary?: boolean | undefined;
  /** True if introductions are filled templates; false if the moderator's agent writes them. */
  readonly templateIntroduction: boolean;
  /** Reasons for which the moderator interrupts speeches of the rounds. @default "none" */
  readonly interruptions?: "none" | "facts" | "rules" | "both" | undefined;
  /** True if the rounds end early when nothing new is said, and one round is added when the sides are close. @default false */
  readonly adaptive?: boolean | undefined;
  /** Fields of the advocates' replies in rounds and closings. @default plain speech */
  readonly structure?: TurnStructure | undefined;
  /** Maximum tokens of the spoken text, by kind of turn. */
  readonly caps: {
    readonly opening: number;
    readonly argument: number;
    readonly closing: number;
    readonly summary: number;
  };
  /** Tasks of the turns, and fixed texts. */
  readonly templates: DebateTemplates;
  /** Values of the placeholders in the introductions. */
  readonly values: PlaceholderValues;
  /** Questions begun before the first message and settled at the end: the audience's stances, the judges' baselines. */
  readonly before?: readonly Question<unknown, Stance | Choice>[] | undefined;
  /** True if the first message waits for the answers to `before`: a person could read the messages first. @default false */
  readonly waitsForBefore?: boolean | undefined;
  /** Minimum confidence of a false claim that causes an interruption. @default 0.7 */
  readonly rejectFrom?: number | undefined;
  /** True if a note-taker records the points of the sides' turns and speakers see the notes. @default false */
  readonly flow?: boolean | undefined;
  /** Name of the observer whose results the judges' questions wait for, such as the fact checker. @default no wait */
  readonly judgesAfter?: string | undefined;
  /** Returns the judges' questions after the closings; `found` has the facts of `judgesAfter`, `said` all messages. */
  readonly verdicts: (
    found: readonly Fact[],
    said: readonly Message[],
  ) => readonly Question<unknown, Verdict>[];
  /** Returns the questions to the tie-break judge, asked if the verdicts tie. @default a tie remains */
  readonly tiebreak?: DebateRules["verdicts"] | undefined;
  /**
   * Returns further questions at the end: the audience's stances, a judge's summary; `earlier` has the answers to `before`.
   * @default none
   */
  readonly after?:
    | ((
      said: readonly Message[],
      earlier: readonly Fact[],
    ) => readonly Question<unknown, Stance | Choice>[])
    | undefined;
}

/** Outcome of a debate. */
export interface DebateOutcome {
  /** The moderator's summary, if any. */
  readonly summary?: Message | undefined;
  /** The judges' verdicts, one per judge, pass and repeat; those of a tie-break last. */
  readonly verdicts: readonly Verdict[];
  /** Number of rounds held. */
  readonly rounds: number;
  /** True if the rounds ended early because nothing new was said. */
  readonly nothingNew: boolean;
}

/** Returns true for a side's message that is judged and scored, which an answer to an interruption is not. */
export function isSpeech({ advocates }: Pick<DebateRules, "advocates">, message: Message): boolean {
  return message.kind !== INTERRUPTION_ANSWER &&
    advocates.some(({ id }) => id === message.participant);
}

/** Kinds of turns to which the range of words applies. */
export const SPEECHES = [
  "opening_statement",
  "argument",
  "rebuttal",
  "reply",
  "statement",
  "closing_statement",
] as const;

/** Returns the sides as a list in a prompt, one line each. */
export function listOf(sides: readonly Side[]): string {
  return sides.map(({ label, position }) => `- ${label}: ${position.replace(/\s+/g, " ")}`)
    .join("\n");
}

/** Returns the fields that every turn of a side has. */
export function turnOf(
  { id }: Side,
  phase: string,
  kind: string,
  round: number,
): Pick<Turn, "key" | "speaker" | "phase" | "kind" | "round"> {
  return { key: `${phase}/${id}`, speaker: id, phase, kind, round };
}

/** Returns a turn with the reply structure of the rules, if any, and extra tokens for the private fields. */
export function withStructure(
  { structure, templates }: Pick<DebateRules, "structure" | "templates">,
  turn: Turn & { readonly maxTokens: number },
): Turn {
  if (structure === undefined) return turn;
  const tokens = Math.max(turn.maxTokens, PRIVATE_TOKENS);
  return { ...turn, structure: { ...structure, tokens }, task: `${turn.task}\n\n${templates.rcr}` };
}

/** Minimum tokens for a reply's private fields; they get as many as the speech if it has more. */
const PRIVATE_TOKENS = 600;

const Reply = z.object({ reflection: z.string(), critique: z.string(), speech: z.string() });

/**
 * Structure of a reflect-critique-refine turn: the message has `speech`; the other two fields are recorded as a draft
 * and never appear in prompts (context-network/rules/debate.md).
 */
export const RCR: TurnStructure = {
  schema: { name: "reflected_turn", type: Reply },
  speech: "speech",
  toFacts(fields, { seq, turn, participant, createdAt }) {
    const { reflection, critique } = Reply.parse(fields);
    return [{
      type: "draft",
      seq,
      turn,
      participant,
      fields: { reflection: reflection.trim(), critique: critique.trim() },
      createdAt,
    }];
  },
};
