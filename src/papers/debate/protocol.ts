// The rules of a paper debate as data, and its protocol: from the questions or from given arguments to the report.
import { ConfigurationError } from "../../core/error.ts";
import type { DebaterArgument } from "../../core/paper.ts";
import type { Choice, Evidence, Fact, Failure } from "../../core/fact.ts";
import type { Message } from "../../core/message.ts";
import { type PlaceholderValues, renderSource } from "../../core/prompt.ts";
import {
  ask,
  begin,
  beginAsk,
  type Begun,
  type Protocol,
  results,
  say,
  settle,
  settleWhatCan,
} from "../../core/protocol.ts";
import type { Question, Turn } from "../../core/turn.ts";
import { argumentBody } from "../text/argument_body.ts";
import type { DebateSubject } from "../text/debate_report.ts";
import { LAST_QUESTION, posturesIn, questionsIn } from "../text/lists.ts";
import { numbered, pickedIn } from "./paper_debate_options.ts";

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

/** The questions of a plan: its messages have no words. */
const PLANNED: readonly string[] = Array.from({ length: LAST_QUESTION }, () => "");
/** Number of times that a person is asked which question is debated. */
const PICKS = 3;

/** Outcome of a paper debate's protocol: the rest is computed from its record. */
export interface PaperDebateCourse extends DebateSubject {
  /** The arguments that were made. */
  readonly speeches: readonly Message[];
  /** The reporter's summary. */
  readonly summary: Message;
}

/** A paper debate (context-network/rules/paper_debate.md). */
export function* paperDebate(rules: PaperRules): Protocol<PaperDebateCourse> {
  const question = yield* settleQuestion(rules);
  const subject = { question, ...(yield* settlePostures(rules, question)) };
  const speeches = yield* argue(rules, subject);
  const answers = rules.crossExamine ? yield* crossExamine(rules, subject, speeches) : [];
  yield* judge(rules, subject, [...speeches, ...answers]);
  const summary = yield* say(rules.turns.report());
  return { ...subject, speeches, summary };
}

/** The question that was given, or one of those that are put to the papers. */
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

/** The question that a person picks or writes, who is asked again where the answer is none. */
function* askWhich({ pickQuestion }: PaperRules, questions: readonly string[]): Protocol<string> {
  for (let attempt = 1; attempt <= PICKS; attempt++) {
    const picked = pickedIn(yield* ask(pickQuestion(questions, attempt)));
    if (picked !== undefined || questions === PLANNED) return picked ?? "";
  }
  return chosen(questions, 0);
}

/** The postures, at most one a debater, and the topics. */
export function* settlePostures(
  { turns, debaters }: PaperRules,
  question: string,
): Protocol<Omit<DebateSubject, "question">> {
  const { body } = yield* say(turns.postures(question));
  if (body === "") return { postures: debaters.map(() => ""), topics: [""] };
  const { postures, topics } = posturesIn(body);
  return { postures: postures.slice(0, debaters.length), topics };
}

/** All debaters argue at once, each apart from the others; if one fails, the debate continues with the others. */
export function* argue(rules: PaperRules, subject: DebateSubject): Protocol<readonly Message[]> {
  const begun: Begun<Message>[] = [];
  for (const index of subject.postures.keys()) {
    begun.push(yield* begin(rules.turns.argument(subject, index)));
  }
  const speeches = (yield* settleWhatCan(begun)).filter(isMessage);
  return speeches.length > 0 ? speeches : yield* settle(begun);
}

/** Asks each debater that argued to answer the others, all at once. */
function* crossExamine(
  { turns }: PaperRules,
  subject: DebateSubject,
  speeches: readonly Message[],
): Protocol<readonly Message[]> {
  if (speeches.length < 2) return [];
  const begun: Begun<Message>[] = [];
  for (const speech of speeches) {
    begun.push(yield* begin(turns.crossExamination(subject, speech)));
  }
  return (yield* settleWhatCan(begun)).filter(isMessage);
}

/** Every judge's numbers, comparisons and insights, all at once; what they come to is said in their name. */
export function* judge(
  rules: PaperRules,
  subject: DebateSubject,
  speeches: readonly Message[],
): Protocol<readonly Fact[]> {
  const found = yield* results(rules.factsChecked ? "fact_checker" : "nobody");
  const evidence = found.filter((fact): fact is Evidence => fact.type === "evidence");
  const begun: Begun<Fact>[] = [];
  for (const question of rules.judging(subject, { speeches, evidence, found })) {
    begun.push(yield* beginAsk(question));
  }
  yield* settle(begun);
  const judged = [...speeches, ...yield* results("nobody")];
  yield* say(rules.turns.verdict(judged));
  return judged;
}

function isMessage(answer: Message | Failure): answer is Message {
  return answer.type === "message";
}

/** States earlier arguments turn by turn, each by the debater of its posture; a posture that nobody argued is left out. */
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

/** Arguments that were made before are judged. */
export function* judgeGiven(
  rules: PaperRules,
  subject: DebateSubject,
  given: readonly DebaterArgument[],
): Protocol<readonly Fact[]> {
  return yield* judge(rules, subject, yield* stateGiven(rules, subject, given));
}

/** Arguments that were made and judged before are reported; `judged` gives what the judges left on them. */
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
