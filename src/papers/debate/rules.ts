// The rules of a paper debate as data: turns, debaters, question, judging.
import { ConfigurationError } from "../../core/error.ts";
import type { Choice, Evidence, Fact } from "../../core/fact.ts";
import type { Message } from "../../core/message.ts";
import { type PlaceholderValues, renderSource } from "../../core/prompt.ts";
import type { Question, Turn } from "../../core/turn.ts";
import type { DebateSubject } from "../text/debate_report.ts";

/** Facts that the judges are asked about. */
export interface Judged {
  /** The arguments, and the answers of a cross-examination. */
  readonly speeches: readonly Message[];
  /** Claims and evidence of the speeches. */
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
  argument(subject: DebateSubject, index: number): Turn;
  /** The one who made `speech` answers the others. */
  crossExamination(subject: DebateSubject, speech: Message): Turn;
  /** Result of the judges, by arithmetic. */
  verdict(judged: readonly Fact[]): Turn;
  /** The reporter's summary. */
  report(): Turn;
}

/** The rules of one paper debate, as data. */
export interface PaperRules {
  /** Turns. */
  readonly turns: PaperTurns;
  /** The ids of the debaters, at most one a posture. */
  readonly debaters: readonly string[];
  /** Question of the debate. @default one of the questions that are put to the papers */
  readonly question?: string | undefined;
  /** The number of the question that is debated, from 1, or `ask` for a person to say. @default 1 */
  readonly pick?: number | "ask" | undefined;
  /** Question to a person who picks. */
  pickQuestion(questions: readonly string[], attempt: number): Question<unknown, Choice>;
  /** True where debaters answer each other. */
  readonly crossExamine: boolean;
  /** True where claims are checked: the judges wait for that. */
  readonly factsChecked: boolean;
  /** Everything the judges are asked. */
  judging(subject: DebateSubject, judged: Judged): readonly Question<unknown, Fact>[];
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

/** Question, topics and posture as tasks of prompts quote them: models made them of the papers, whose words they may hold. */
export function quotedSubject(
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
