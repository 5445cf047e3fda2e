// The protocol of a paper debate, from the questions or from given arguments to the report.
import type { Evidence, Fact, Failure } from "../../core/fact.ts";
import type { Message } from "../../core/message.ts";
import { LAST_QUESTION, posturesIn, questionsIn } from "../text/lists.ts";
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
import { pickedIn } from "./pick.ts";
import { chosen, type Matter, type PaperRules } from "./rules.ts";
import { argumentBody } from "../text/argument_body.ts";
import type { DebaterArgument } from "../../core/evidence.ts";

/** The questions of a plan: its messages have no words. */
const PLANNED: readonly string[] = Array.from({ length: LAST_QUESTION }, () => "");
/** How often a person is asked which question is debated. */
const PICKS = 3;

/** What a paper debate's protocol brings: the rest is reckoned from its record. */
export interface PaperDebateCourse extends Matter {
  /** The arguments that were made. */
  readonly speeches: readonly Message[];
  /** The reporter's summary. */
  readonly summary: Message;
}

/** A paper debate (context-network/rules/paper_debate.md). */
export function* paperDebate(rules: PaperRules): Protocol<PaperDebateCourse> {
  const question = yield* settleQuestion(rules);
  const matter = { question, ...(yield* settlePostures(rules, question)) };
  const speeches = yield* argue(rules, matter);
  const answers = rules.crossExamine ? yield* crossExamine(rules, matter, speeches) : [];
  yield* judge(rules, matter, [...speeches, ...answers]);
  const summary = yield* say(rules.turns.report());
  return { ...matter, speeches, summary };
}

/** The question that was given, or one of those that are put to the papers. */
function* settleQuestion(rules: PaperRules): Protocol<string> {
  const { question, pick = 1, turns } = rules;
  if (question !== undefined) return (yield* say(turns.question(question))).body;
  const questions = yield* askQuestions(rules);
  const picked = pick === "ask" ? yield* askWhich(rules, questions) : chosen(questions, pick);
  return (yield* say(turns.question(picked))).body;
}

/** The questions that are put to the papers. */
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
): Protocol<Omit<Matter, "question">> {
  const { body } = yield* say(turns.postures(question));
  if (body === "") return { postures: debaters.map(() => ""), topics: [""] };
  const { postures, topics } = posturesIn(body);
  return { postures: postures.slice(0, debaters.length), topics };
}

/** All debaters argue at once, each apart from the others; one that fails is done without while another is left. */
export function* argue(rules: PaperRules, matter: Matter): Protocol<readonly Message[]> {
  const begun: Begun<Message>[] = [];
  for (const index of matter.postures.keys()) {
    begun.push(yield* begin(rules.turns.argument(matter, index)));
  }
  const speeches = (yield* settleWhatCan(begun)).filter(isMessage);
  return speeches.length > 0 ? speeches : yield* settle(begun);
}

/** Whoever argued answers the others, all at once. */
function* crossExamine(
  { turns }: PaperRules,
  matter: Matter,
  speeches: readonly Message[],
): Protocol<readonly Message[]> {
  if (speeches.length < 2) return [];
  const begun: Begun<Message>[] = [];
  for (const speech of speeches) {
    begun.push(yield* begin(turns.crossExamination(matter, speech)));
  }
  return (yield* settleWhatCan(begun)).filter(isMessage);
}

/** Every judge's numbers, comparisons and insights, all at once; what they come to is said in their name. */
export function* judge(
  rules: PaperRules,
  matter: Matter,
  speeches: readonly Message[],
): Protocol<readonly Fact[]> {
  const found = yield* results(rules.factsChecked ? "fact_checker" : "nobody");
  const evidence = found.filter((fact): fact is Evidence => fact.type === "evidence");
  const begun: Begun<Fact>[] = [];
  for (const question of rules.judging(matter, { speeches, evidence, found })) {
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

/** What was argued before, stated turn by turn: each argument by the debater of its posture, one that nobody argued is left out. */
function* stateGiven(
  { turns }: PaperRules,
  matter: Matter,
  given: readonly DebaterArgument[],
): Protocol<readonly Message[]> {
  yield* say(turns.question(matter.question));
  yield* say(turns.postures(matter.question));
  const speeches: Message[] = [];
  const free = [...matter.postures.keys()];
  for (const argument of given) {
    const text = argumentBody({ ...argument, quotations: argument.quotations ?? [] });
    const own = free.findIndex((index) => matter.postures[index] === argument.posture);
    const [index] = free.splice(own, 1);
    speeches.push(yield* say({ ...turns.argument(matter, index!), text }));
  }
  return speeches;
}

/** Arguments that were made before are judged. */
export function* judgeGiven(
  rules: PaperRules,
  matter: Matter,
  given: readonly DebaterArgument[],
): Protocol<readonly Fact[]> {
  return yield* judge(rules, matter, yield* stateGiven(rules, matter, given));
}

/** Arguments that were made and judged before are reported; `judged` gives what the judges left on them. */
export function* reportGiven(
  rules: PaperRules,
  matter: Matter,
  { given, judged }: {
    readonly given: readonly DebaterArgument[];
    readonly judged: (speeches: readonly Message[]) => readonly Fact[];
  },
): Protocol<readonly Fact[]> {
  const speeches = yield* stateGiven(rules, matter, given);
  const facts = judged(speeches);
  const all = [...speeches, ...facts];
  yield* say(rules.turns.verdict(all));
  yield* say(rules.turns.report());
  return facts;
}
