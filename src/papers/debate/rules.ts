// The rules of a paper debate as data: turns, debaters, question, judging.
import { ConfigurationError } from "../../core/error.ts";
import type { Choice, Evidence, Fact } from "../../core/fact.ts";
import type { Message } from "../../core/message.ts";
import { type PlaceholderValues, renderSource } from "../../core/prompt.ts";
import type { Question, Turn } from "../../core/turn.ts";

/** What a paper debate is about, once that is settled. */
export interface Matter {
  /** What is debated. */
  readonly question: string;
  /** What the debaters stand for, in their order. */
  readonly postures: readonly string[];
  /** What each of them argues on. */
  readonly topics: readonly string[];
}

/** What the judges are asked about. */
export interface Judged {
  /** The arguments, and the answers of a cross-examination. */
  readonly speeches: readonly Message[];
  /** What they argue and rest on. */
  readonly evidence: readonly Evidence[];
  /** Everything that observers and questions left. */
  readonly found: readonly Fact[];
}

/** The turns of a paper debate, as they are asked for. */
export interface PaperTurns {
  /** The questions are put to the papers. */
  questions(): Turn;
  /** The question that is debated, as it stands. */
  question(question: string): Turn;
  /** Postures and topics are taken, or stated where they were given. */
  postures(question: string): Turn;
  /** The debater of the given number, from 0, argues. */
  argument(matter: Matter, index: number): Turn;
  /** The one who made `speech` answers the others. */
  crossExamination(matter: Matter, speech: Message): Turn;
  /** What the judges came to, by arithmetic. */
  verdict(judged: readonly Fact[]): Turn;
  /** The reporter's summary. */
  report(): Turn;
}

/** The rules of one paper debate, as data. */
export interface PaperRules {
  /** How each turn is asked for. */
  readonly turns: PaperTurns;
  /** The ids of the debaters, at most one a posture. */
  readonly debaters: readonly string[];
  /** What is debated. @default one of the questions that are put to the papers */
  readonly question?: string | undefined;
  /** The number of the question that is debated, from 1, or `ask` for a person to say. @default 1 */
  readonly pick?: number | "ask" | undefined;
  /** Which question a person picks. */
  pickQuestion(questions: readonly string[], attempt: number): Question<unknown, Choice>;
  /** Whether the debaters answer each other. */
  readonly crossExamine: boolean;
  /** Whether claims are checked: the judges wait for that. */
  readonly factsChecked: boolean;
  /** Everything the judges are asked. */
  judging(matter: Matter, judged: Judged): readonly Question<unknown, Fact>[];
}

/** The question of the given number, from 1; a number that none has is refused with the list. */
export function chosen(questions: readonly string[], pick: number): string {
  const question = questions[pick - 1];
  if (question !== undefined) return question;
  throw new ConfigurationError(
    `Cannot debate question ${pick}: there are ${questions.length} questions`,
    { field: "pick", hint: `Give 1 to ${questions.length}:\n${numbered(questions)}` },
  );
}

/** Texts as a numbered list. */
export function numbered(texts: readonly string[]): string {
  return texts.map((text, index) => `${index + 1}. ${text}`).join("\n");
}

/** What is debated, as the tasks of prompts quote it: models made it of the papers, so that it may hold their words. */
export function quotedMatter(
  { question, topics, position }: {
    readonly question?: string | undefined;
    readonly topics?: readonly string[] | undefined;
    readonly position?: string | undefined;
  },
): PlaceholderValues {
  const inTag = (name: string, text: string) => renderSource({ name, text });
  return {
    ...question === undefined ? {} : { question: inTag("question", question) },
    ...topics === undefined ? {} : { topics: inTag("topics", numbered(topics)) },
    ...position === undefined ? {} : { position: inTag("posture", position) },
  };
}
