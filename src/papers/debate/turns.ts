// The turns of a paper debate and the choice of its question: tasks, values, excerpts, structures of replies with their facts.
import { z } from "zod";
import { HUMAN } from "../../core/agent.ts";
import { tokensFor } from "../../core/profile.ts";
import type { Choice, Evidence } from "../../core/fact.ts";
import type { Message } from "../../core/message.ts";
import type { Participant } from "../../core/participant.ts";
import { fillTemplate, renderSource } from "../../core/prompt.ts";
import {
  choiceQuestion,
  type Fields,
  type Question,
  type ReplyContext,
  type Turn,
  type TurnStructure,
} from "../../core/turn.ts";
import { argumentBody, crossBody } from "../text/argument_body.ts";
import type { DebateSubject } from "../text/debate_report.ts";
import { excerptsOf, type PaperCharacters } from "../text/excerpt.ts";
import {
  checkPostures,
  checkQuestions,
  posturesBody,
  QUESTION_LENGTH,
  questionsBody,
} from "../text/lists.ts";
import {
  type ArgumentFields,
  argumentReply,
  CROSS_REPLY,
  type CrossFields,
  posturesReply,
  QUESTIONS_REPLY,
} from "../text/replies.ts";
import {
  argumentEvidence,
  argumentProblem,
  crossEvidence,
  type Known,
  type KnownPaper,
} from "../text/verify_evidence.ts";
import { pagesIn, passagesIn } from "../tools.ts";
import { verdictBody } from "./judging.ts";
import type { PaperPlan } from "./paper_debate_plan.ts";
import { numbered, type PaperTurns, quotedSubject } from "./protocol.ts";
import { thousands } from "../../core/text.ts";

/** Returns the turns of a debate; the plan's limits of characters are read when a turn is made. */
export function turnsOf(plan: PaperPlan): PaperTurns {
  const { settings, templates, start, panel, debaters } = plan;
  const posturesTask = taskFor(plan, plan.questioner, templates.postures, ["questionText"]);
  const [questioner, reporter, judge] = [plan.questioner.id, plan.reporter.id, panel.judges[0]!.id];
  return {
    questions: () => ({
      ...turnOf("questions", questioner, templates.questions),
      maxTokens: tokensFor("questions"),
      structure: QUESTIONS_STRUCTURE,
      excerpts: () => excerptTexts(plan, "questions"),
    }),
    question: (text) => ({ ...turnOf("question", questioner), text }),
    postures: (question) =>
      settings.given === undefined
        ? {
          ...turnOf("postures", questioner, posturesTask),
          values: { ...quotedSubject({ question }), count: String(debaters.length) },
          maxTokens: tokensFor("postures"),
          structure: posturesStructure(debaters.length),
          excerpts: () => excerptTexts(plan, "postures"),
        }
        : { ...turnOf("postures", questioner), text: posturesBody(settings.given) },
    argument: (subject, index) => argumentTurn(plan, subject, index),
    crossExamination: (subject, speech) => crossTurn(plan, subject, speech),
    verdict: (judged) => ({ ...turnOf("verdict", judge), text: verdictBody(start, judged) }),
    report: () => ({
      ...turnOf("report", reporter, templates.report),
      maxTokens: settings.reportMaxTokens,
    }),
  };
}

function argumentTurn(
  plan: PaperPlan,
  { question, postures, topics }: DebateSubject,
  index: number,
): Turn {
  const { settings: { argumentMaxTokens: maxTokens }, templates, searchesWeb } = plan;
  const [position, debater] = [postures[index]!, plan.debaters[index]!];
  const whole = searchesWeb ? `${templates.argument} ${templates.searchWeb}` : templates.argument;
  const task = taskFor(plan, debater, whole, ["questionText", "topicsText"]);
  return {
    ...debaterTurn(plan, { kind: "argument", speaker: debater.id, task, position }),
    values: quotedSubject({ question, topics, position }),
    maxTokens,
    structure: argumentStructure(plan.sources, { posture: position, topics }),
  };
}

function crossTurn(plan: PaperPlan, { question }: DebateSubject, speech: Message): Turn {
  const { settings: { crossExaminationMaxTokens: maxTokens }, templates } = plan;
  const { participant: speaker, position = "" } = speech;
  const task = templates.crossExamination;
  return {
    ...debaterTurn(plan, { kind: "cross_examination", speaker, task, position }),
    values: { ...quotedSubject({ question, position }), argumentLength: String(maxTokens) },
    maxTokens,
    structure: crossStructure(plan.sources, { posture: position, speaker }),
  };
}

/** Returns a turn of a debater, whose prompt shows the papers first and the debater's own posture last. */
function debaterTurn(
  plan: PaperPlan,
  { kind, speaker, task, position }: Readonly<
    Record<"kind" | "speaker" | "task" | "position", string>
  >,
): Turn {
  const named = { name: plan.labels.get(speaker)!, ...quotedSubject({ position }) };
  return {
    ...turnOf(kind, speaker, task),
    key: `${kind}/${speaker}`,
    position,
    ending: fillTemplate(plan.templates.posture, named),
    excerpts: () => excerptTexts(plan, "debaters"),
  };
}

/** Returns a task; for a person, who sees the task alone, with the subject that models see above the task. */
function taskFor(
  { templates, settings }: PaperPlan,
  { agent, model = settings.model }: Participant,
  task: string,
  subject: readonly ("questionText" | "topicsText")[],
): string {
  const isPerson = (agent?.model ?? model) === HUMAN;
  return isPerson ? [...subject.map((each) => templates[each]), task].join("\n") : task;
}

function turnOf(kind: string, speaker: string, task = ""): Turn {
  return { key: kind, speaker, phase: kind, kind, round: 0, task };
}

/** Returns excerpts of the papers as quoted sources, with notes on omissions; empty without room. */
function excerptTexts(
  { papers, characters }: PaperPlan,
  prompt: Exclude<keyof PaperCharacters, "excerpt">,
): string {
  const excerpts = excerptsOf(papers, characters[prompt], characters.excerpt);
  return excerpts.flatMap(({ text, leftOut }, index) => {
    const { id, title, text: whole } = papers[index]!;
    if (text === "") return [];
    const source = renderSource({ name: `paper ${id}: ${title}`, text });
    return leftOut === 0 ? [source] : [`${source}\n${leftOutSentence(leftOut, whole.length)}`];
  }).join("\n\n");
}

function leftOutSentence(leftOut: number, characters: number): string {
  return `(This is an excerpt: ${leftOut} of the ${characters} characters of this paper are left out here. A part that is ` +
    "not shown may hold what you miss: say that the paper does or does not contain something only if you see that here, or " +
    "have looked it up.)";
}

const QUESTIONS_STRUCTURE: TurnStructure<Fields & { readonly questions: readonly string[] }> = {
  schema: QUESTIONS_REPLY,
  speech: ["questions"],
  required: true,
  render: ({ questions }) => questionsBody(checkQuestions(questions).usable),
  check: ({ questions }) => checkQuestions(questions).problem,
  toFacts: () => [],
};

function posturesStructure(count: number): TurnStructure<Fields & Omit<DebateSubject, "question">> {
  return {
    schema: posturesReply(count),
    speech: ["postures", "topics"],
    required: true,
    render: (fields) => posturesBody(checkPostures(fields, count).usable),
    check: (fields) => checkPostures(fields, count).problem,
    toFacts: () => [],
  };
}

/** Returns the structure of an argument: the message has citations and quotations with their status, recorded as evidence. */
function argumentStructure(
  papers: readonly KnownPaper[],
  { posture, topics }: { readonly posture: string; readonly topics: readonly string[] },
): TurnStructure<Fields & ArgumentFields> {
  const found = (fields: ArgumentFields, context: ReplyContext) =>
    argumentEvidence(fields, knownTo(context, papers), { topics });
  return {
    schema: argumentReply(topics),
    speech: ["claim", "reasoning", "overallPosition"],
    render: (fields, context) => argumentBody(found(fields, context)),
    check: (fields) => argumentProblem(fields, topics),
    toFacts: (fields, place) => [
      evidenceAt(place, { posture, citations: {}, ...found(fields, place) }),
    ],
  };
}

/** Returns the structure of a cross-examination, with evidence as for an argument. */
function crossStructure(
  papers: readonly KnownPaper[],
  { posture, speaker }: { readonly posture: string; readonly speaker: string },
): TurnStructure<Fields & CrossFields> {
  const found = (fields: CrossFields, context: ReplyContext) => {
    // The speaker's own earlier messages do not count as sources.
    const given = context.given.filter(({ participant }) => participant !== speaker);
    return crossEvidence(fields, knownTo({ ...context, given }, papers));
  };
  return {
    schema: CROSS_REPLY,
    speech: ["speech"],
    render: (fields, context) => crossBody(fields.speech, found(fields, context)),
    toFacts: (fields, place) => [
      evidenceAt(place, { posture, perTopic: [], overallPosition: "", ...found(fields, place) }),
    ],
  };
}

type Place = Pick<Evidence, "seq" | "turn" | "participant" | "createdAt">;

function evidenceAt(
  { seq, turn, participant, createdAt }: Place,
  found: Omit<Evidence, keyof Place | "type">,
): Evidence {
  return { type: "evidence", seq, turn, participant, ...found, createdAt };
}

/** Returns the texts that a debater may quote: papers, results of its own tools, and earlier messages. */
function knownTo({ toolCalls, given }: ReplyContext, papers: readonly KnownPaper[]): Known {
  return { papers, passages: passagesIn(toolCalls), pages: pagesIn(toolCalls), messages: given };
}

/** Returns the question that asks a person to pick a question; `attempt` counts from 1. */
export function pickQuestion(
  { reader, templates }: PaperPlan,
  questions: readonly string[],
  attempt: number,
): Question<unknown, Choice> {
  const { least, most } = QUESTION_LENGTH;
  const count = questions.length;
  const own = z.string().trim().refine(
    (text) => [...text].length >= least && [...text].length <= most && !/\p{Cc}/u.test(text),
    `give a number from 1 to ${count}, or a question of ${least} to ${thousands(most)} characters`,
  );
  const type = z.object({ question: z.union([z.int().min(1).max(count), own]) });
  return choiceQuestion<z.infer<typeof type>>({
    key: attempt === 1 ? "pick" : `pick/${attempt}`,
    seq: 2,
    asked: reader?.id ?? "reader",
    phase: "question",
    kind: "pick",
    round: 0,
    task: templates.pick,
    values: { questions: numbered(questions) },
    schema: { name: "pick", type },
    valueOf(reply) {
      if (reply === undefined) return null;
      const { question } = reply;
      return typeof question === "number"
        ? { pick: question, question: questions[question - 1] }
        : { pick: null, question: question.replace(/\s+/gu, " ").trim() };
    },
    reasonsOf: () => "",
  });
}
