// The rules of a paper debate as data, and its protocols: the whole debate, and parts with given arguments.
import { ConfigurationError } from "../../core/error.ts";
import type { DebaterArgument } from "../../core/paper.ts";
import type { Choice, Evidence, Fact, Failure } from "../../core/fact.ts";
import type { Message } from "../../core/message.ts";
import { type PlaceholderValues, renderSource } from "../../core/prompt.ts";
import {
  ask,
  beginQuestions,
  beginTurns,
  type Protocol,
  results,
  say,
  settle,
  settleWhatCan,
} from "../../core/protocol.ts";
import { fieldOf, type Question, type Turn } from "../../core/turn.ts";
import { defined } from "../../core/values.ts";
import { argumentBody } from "../text/argument_body.ts";
import type { DebateSubject } from "../text/debate_report.ts";
import { LAST_QUESTION, posturesIn, questionsIn } from "../text/lists.ts";

/** Facts for the judges' questions. */
export interface Judged {
  /** Arguments and cross-examinations. */
  readonly speeches: readonly Message[];
  /** Evidence of the speeches. */
  readonly evidence: readonly Evidence[];
  /** All facts of observers and questions. */
  readonly found: readonly Fact[];
}

/** Functions that return the turns of a paper debate. */
export interface PaperTurns {
  /** Turn that asks for questions to the papers. */
  questions(): Turn;
  /** Turn that states the debated question. */
  question(question: string): Turn;
  /** Turn that asks for postures and topics, or states given ones. */
  postures(question: string): Turn;
  /** Argument of a debater, by index. */
  argument(subject: DebateSubject, index: number): Turn;
  /** Answer of the author of `speech` to the other debaters. */
  crossExamination(subject: DebateSubject, speech: Message): Turn;
  /** Turn that states the judges' computed result. */
  verdict(judged: readonly Fact[]): Turn;
  /** The reporter's summary. */
  report(): Turn;
}

/** Rules of one paper debate. */
export interface PaperRules {
  /** Turns of the debate. */
  readonly turns: PaperTurns;
  /** Ids of the debaters, at most one per posture. */
  readonly debaters: readonly string[];
  /** Question of the debate. @default one of the generated questions */
  readonly question?: string | undefined;
  /** Number of the debated question, counted from 1, or `ask` to ask a person. @default 1 */
  readonly pick?: number | "ask" | undefined;
  /** Returns the question that asks a person to pick; `attempt` counts from 1. */
  pickQuestion(questions: readonly string[], attempt: number): Question<unknown, Choice>;
  /** True if debaters answer each other. */
  readonly crossExamine: boolean;
  /** True if claims are checked; then the judges wait for the fact checks. */
  readonly factsChecked: boolean;
  /** Returns all questions to the judges. */
  judging(subject: DebateSubject, judged: Judged): readonly Question<unknown, Fact>[];
}

/** Returns a question by number, counted from 1. Throws a `ConfigurationError` with the list for an unknown number. */
function chosen(questions: readonly string[], pick: number): string {
  const question = questions[pick - 1];
  if (question !== undefined) return question;
  if (questions.length === 0) {
    throw new ConfigurationError("Cannot debate: the message of questions lacks a list", {
      field: "question",
      hint: "Give a question of your own, or fork again with the questions as a numbered list.",
    });
  }
  throw new ConfigurationError(
    `Cannot debate question ${pick}: there are ${questions.length} questions`,
    { field: "pick", hint: `Give 1 to ${questions.length}:\n${numbered(questions)}` },
  );
}

/** Returns question, topics and posture as quoted placeholders, because they may contain text of the papers. */
export function quotedSubject(
  { question, topics, position }: {
    readonly question?: string | undefined;
    readonly topics?: readonly string[] | undefined;
    readonly position?: string | undefined;
  },
): PlaceholderValues {
  const inTag = (name: string, text: string | undefined) =>
    text === undefined ? undefined : renderSource({ name, text });
  return defined({
    question: inTag("question", question),
    topics: inTag("topics", topics && numbered(topics)),
    position: inTag("posture", position),
  });
}

export function numbered(texts: readonly string[]): string {
  return texts.map((text, index) => `${index + 1}. ${text}`).join("\n");
}

/** Questions in a plan, whose messages have no text. */
const PLANNED: readonly string[] = Array.from({ length: LAST_QUESTION }, () => "");
/** Maximum attempts of a person to pick a question. */
const PICKS = 3;
/** Name of no observer: `results` then returns the facts without waiting. */
const NO_OBSERVER = "nobody";

/** Result of a paper debate's protocol; the report is computed from the record. */
export interface PaperDebateCourse extends DebateSubject {
  /** Messages with the arguments. */
  readonly speeches: readonly Message[];
  /** The reporter's summary. */
  readonly summary: Message;
}

/** Returns the protocol of a paper debate (context-network/rules/paper_debate.md). */
export function* paperDebate(rules: PaperRules): Protocol<PaperDebateCourse> {
  const question = yield* settleQuestion(rules);
  const subject = { question, ...(yield* settlePostures(rules, question)) };
  const speeches = yield* argue(rules, subject);
  const answers = rules.crossExamine ? yield* crossExamine(rules, subject, speeches) : [];
  yield* judge(rules, subject, [...speeches, ...answers]);
  const summary = yield* say(rules.turns.report());
  return { ...subject, speeches, summary };
}

/** Returns the given question, or picks one of the generated questions. */
function* settleQuestion(rules: PaperRules): Protocol<string> {
  const { question, pick = 1, turns } = rules;
  if (question !== undefined) return (yield* say(turns.question(question))).body;
  const questions = yield* askQuestions(rules);
  const picked = pick === "ask" ? yield* askWhich(rules, questions) : chosen(questions, pick);
  return (yield* say(turns.question(picked))).body;
}

export function* askQuestions({ turns }: PaperRules): Protocol<readonly string[]> {
  const { body } = yield* say(turns.questions());
  return body === "" ? PLANNED : questionsIn(body);
}

/** Asks a person to pick or write a question; repeats after an unusable answer, up to {@linkcode PICKS} times. */
function* askWhich({ pickQuestion }: PaperRules, questions: readonly string[]): Protocol<string> {
  for (let attempt = 1; attempt <= PICKS; attempt++) {
    const { value } = yield* ask(pickQuestion(questions, attempt));
    const picked = fieldOf(value, "question");
    if (typeof picked === "string") return picked;
    if (questions === PLANNED) return "";
  }
  return chosen(questions, 0);
}

/** Yields the turn with postures and topics; returns them, at most one posture per debater. */
export function* settlePostures(
  { turns, debaters }: PaperRules,
  question: string,
): Protocol<Omit<DebateSubject, "question">> {
  const { body } = yield* say(turns.postures(question));
  if (body === "") return { postures: debaters.map(() => ""), topics: [""] };
  const { postures, topics } = posturesIn(body);
  if (postures.length === 0 || topics.length === 0) {
    throw new ConfigurationError("Cannot debate: the message of postures and topics lacks a list", {
      hint: "Write each as a numbered list below its heading: ## Postures, ## Topics.",
    });
  }
  return { postures: postures.slice(0, debaters.length), topics };
}

/** Yields all arguments concurrently. If some debaters fail, the debate continues with the others; fails if all fail. */
export function* argue(rules: PaperRules, subject: DebateSubject): Protocol<readonly Message[]> {
  const begun = yield* beginTurns(
    subject.postures.map((_, index) => rules.turns.argument(subject, index)),
  );
  const speeches = (yield* settleWhatCan(begun)).filter(isMessage);
  return speeches.length > 0 ? speeches : yield* settle(begun);
}

/** Yields a cross-examination by each debater that argued, concurrently; failures are skipped. */
function* crossExamine(
  { turns }: PaperRules,
  subject: DebateSubject,
  speeches: readonly Message[],
): Protocol<readonly Message[]> {
  if (speeches.length < 2) return [];
  const answers = speeches.map((speech) => turns.crossExamination(subject, speech));
  return (yield* settleWhatCan(yield* beginTurns(answers))).filter(isMessage);
}

/** Asks the judges all questions concurrently, then yields the turn that states their result; returns the facts. */
function* judge(
  rules: PaperRules,
  subject: DebateSubject,
  speeches: readonly Message[],
): Protocol<readonly Fact[]> {
  const found = yield* results(rules.factsChecked ? "fact_checker" : NO_OBSERVER);
  const evidence = found.filter((fact): fact is Evidence => fact.type === "evidence");
  const questions = rules.judging(subject, { speeches, evidence, found });
  yield* settle(yield* beginQuestions(questions));
  const judged = [...speeches, ...yield* results(NO_OBSERVER)];
  yield* say(rules.turns.verdict(judged));
  return judged;
}

function isMessage(answer: Message | Failure): answer is Message {
  return answer.type === "message";
}

/** Yields given arguments as turns of the debaters with their postures; postures without an argument are skipped. */
function* stateGiven(
  { turns }: PaperRules,
  subject: DebateSubject,
  given: readonly DebaterArgument[],
): Protocol<readonly Message[]> {
  yield* say(turns.question(subject.question));
  yield* say(turns.postures(subject.question));
  const speeches: Message[] = [];
  const free = [...subject.postures.keys()];
  for (const argument of given) {
    const text = argumentBody({ ...argument, quotations: argument.quotations ?? [] });
    const own = free.findIndex((index) => subject.postures[index] === argument.posture);
    const [index] = free.splice(own, 1);
    speeches.push(yield* say({ ...turns.argument(subject, index!), text }));
  }
  return speeches;
}

export function* judgeGiven(
  rules: PaperRules,
  subject: DebateSubject,
  given: readonly DebaterArgument[],
): Protocol<readonly Fact[]> {
  return yield* judge(rules, subject, yield* stateGiven(rules, subject, given));
}

/** Returns the protocol that reports given, judged arguments; `judged` returns the judges' facts on the stated messages. */
export function* reportGiven(
  rules: PaperRules,
  subject: DebateSubject,
  { given, judged }: {
    readonly given: readonly DebaterArgument[];
    readonly judged: (speeches: readonly Message[]) => readonly Fact[];
  },
): Protocol<readonly Fact[]> {
  const speeches = yield* stateGiven(rules, subject, given);
  const facts = judged(speeches);
  const all = [...speeches, ...facts];
  yield* say(rules.turns.verdict(all));
  yield* say(rules.turns.report());
  return facts;
}
