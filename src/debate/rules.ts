// The rules of one debate, as data.
import type { Choice, Fact, Stance, Verdict } from "../core/fact.ts";
import type { Message } from "../core/message.ts";
import type { PlaceholderValues } from "../core/prompt.ts";
import type { Question, Turn, TurnStructure } from "../core/turn.ts";
import type { DebateTemplates } from "./formats.ts";
import { z } from "zod";

/** One side of a debate, as the protocol needs it. */
export interface Side {
  /** The advocate's id. */
  readonly id: string;
  /** Name of the advocate in prompts. */
  readonly label: string;
  /** Position of the advocate. */
  readonly position: string;
}

/**
 * A round: arguments and their rebuttals; with `clash` a reply to the rebuttals of each argument too; one turn in answer to
 * the last; or a statement of each side.
 */
export type Exchange = "rebuttals" | "clash" | "alternating" | "statements";

/** NextStep step after a round. */
export type NextStep = "continue" | "end" | "nothing new";

/** The rules of one debate, as data. */
export interface DebateRules {
  /** The moderator's id, where there is one. */
  readonly moderator?: string | undefined;
  /** Two or more, in speaking order. */
  readonly advocates: readonly Side[];
  /** Number of rounds of argument; 0 goes from the openings to the closings. */
  readonly rounds: number;
  /** Exchange of a round. @default "rebuttals" */
  readonly exchange?: Exchange | undefined;
  /** True if there are opening statements. @default true */
  readonly openings?: boolean | undefined;
  /** True if there are closing statements. @default true */
  readonly closings?: boolean | undefined;
  /** True if openings are written at once, without sight of each other. */
  readonly blindOpenings: boolean;
  /** True if closings are written at once, without sight of each other. @default false */
  readonly blindClosings?: boolean | undefined;
  /** True if all argue at once, then all rebut, and close, at once. */
  readonly simultaneous: boolean;
  /** True if closings are in the reverse order of openings. */
  readonly reversedClosings: boolean;
  /** True if the moderator sums up each round, alongside. */
  readonly roundSummaries: boolean;
  /** True if the moderator sums up the whole. @default true */
  readonly summary?: boolean | undefined;
  /** True if the introductions are a template's text. */
  readonly templateIntroduction: boolean;
  /** Reasons for the moderator to interrupt a speech of the rounds. @default "none" */
  readonly interruptions?: "none" | "facts" | "rules" | "both" | undefined;
  /**
   * True if rounds end early when nothing new is said, and a round is added when the sides are close. @default false
   */
  readonly adaptive?: boolean | undefined;
  /** The reply's fields in the rounds and closings, where a reply is not plain speech. @default plain speech */
  readonly structure?: TurnStructure | undefined;
  /** The most tokens of each kind of turn, as said. */
  readonly caps: {
    readonly opening: number;
    readonly argument: number;
    readonly closing: number;
    readonly summary: number;
  };
  /** Tasks of turns. */
  readonly templates: DebateTemplates;
  /** Values that fill the introduction's text. */
  readonly values: PlaceholderValues;
  /** Questions before the first message, settled at the end: the audience's stances, the baselines. */
  readonly before?: readonly Question<unknown, Stance | Choice>[] | undefined;
  /** The least confidence from which a false claim is interrupted for. @default 0.7 */
  readonly rejectFrom?: number | undefined;
  /** True if the points of the sides' turns are noted, and speakers are given notes. @default false */
  readonly flow?: boolean | undefined;
  /** The observer that the judges' questions wait for, such as the fact checker. @default they wait for none */
  readonly judgesAfter?: string | undefined;
  /** The judges' questions once the closings are in; `found` is what observers and questions left, `said` what was said. */
  readonly verdicts: (
    found: readonly Fact[],
    said: readonly Message[],
  ) => readonly Question<unknown, Verdict>[];
  /** The questions to the judge that decides where the judges tie. @default a tie stays */
  readonly tiebreak?: DebateRules["verdicts"] | undefined;
  /** Further questions at the end: the audience's stances, a judge's summary. */
  readonly after?:
    | ((said: readonly Message[]) => readonly Question<unknown, Stance | Choice>[])
    | undefined;
}

/** Outcome of a debate. */
export interface DebateOutcome {
  /** The moderator's summary, where it sums up. */
  readonly summary?: Message | undefined;
  /** The judges' answers to the closing questions. */
  readonly verdicts: readonly Verdict[];
  /** Number of rounds. */
  readonly rounds: number;
  /** True if the rounds ended early because nothing new was said. */
  readonly nothingNew: boolean;
}

/** True for a side's speech, which is judged and scored; an answer to an interruption is no speech. */
export function isSpeech({ advocates }: Pick<DebateRules, "advocates">, message: Message): boolean {
  return message.kind !== INTERRUPTION_ANSWER &&
    advocates.some(({ id }) => id === message.participant);
}

/** The kinds of a side's turns that are held to a range of words. */
export const SPEECHES = [
  "opening_statement",
  "argument",
  "rebuttal",
  "reply",
  "statement",
  "closing_statement",
] as const;

/** The kind of a side's answer to an interruption: only the side concerned has one, so it is not scored. */
export const INTERRUPTION_ANSWER = "interruption_answer";

/** The sides as a question sets them out, one line each. */
export function listOf(sides: readonly Side[]): string {
  return sides.map(({ label, position }) => `- ${label}: ${position.replace(/\s+/g, " ")}`)
    .join("\n");
}

export function turnOf(
  { id }: Side,
  phase: string,
  kind: string,
  round: number,
): Pick<Turn, "key" | "speaker" | "phase" | "kind" | "round"> {
  return { key: `${phase}/${id}`, speaker: id, phase, kind, round };
}

/** A side's turn, in the form that its replies have: private fields have room of their own beside what is said. */
export function withStructure(
  { structure, templates }: Pick<DebateRules, "structure" | "templates">,
  turn: Turn & { readonly maxTokens: number },
): Turn {
  if (structure === undefined) return turn;
  const tokens = Math.max(turn.maxTokens, PRIVATE_TOKENS);
  return { ...turn, structure: { ...structure, tokens }, task: `${turn.task}\n\n${templates.rcr}` };
}

/** The least room of a reply's private fields; a longer speech leaves them as much as itself. */
const PRIVATE_TOKENS = 600;

/** The fields of a turn of three phases: the first two are the speaker's own. */
const Reply = z.object({ reflection: z.string(), critique: z.string(), speech: z.string() });

/**
 * Reflect, critique, refine: one reply of three fields, of which only `speech` is said; the other two are kept in a
 * draft beside the message and reach no one's prompt (context-network/rules/debate.md).
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
