// The turns of a paper debate: tasks, values, excerpts, and the structures of replies with their facts.
import templates from "../../data/prompts/paper_debate.json" with { type: "json" };
import { tokensFor } from "../../core/asks.ts";
import type { Evidence, Fact } from "../../core/fact.ts";
import type { Message } from "../../core/message.ts";
import type { Paper } from "../../core/paper.ts";
import { fillTemplate, renderSource } from "../../core/prompt.ts";
import { memoByObject } from "../../core/values.ts";
import type { Fields, ReplyContext, Turn, TurnStructure } from "../../core/turn.ts";
import { argumentBody, crossBody } from "../text/argument_body.ts";
import type { DebateSubject } from "../text/debate_report.ts";
import { excerptsOf, type PaperCharacters } from "../text/excerpt.ts";
import {
  posturesBody,
  posturesProblem,
  questionsBody,
  questionsProblem,
  usablePostures,
  usableQuestions,
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
import { type PaperTurns, quotedSubject } from "./protocol.ts";

/** Texts of a paper debate's prompts: `questioner` to `reader` describe roles, the others are parts of tasks. */
export type PaperTemplates = Readonly<Record<keyof typeof templates, string>>;

/**
 * Default texts of a paper debate's prompts; `prompts` in the configuration overrides each. With `score` go `scoring`,
 * `passages`, and `writtenApart` or, after a cross-examination, `answeredLater`. `searchWeb` follows `argument` if a web
 * search is configured; `posture` ends the tasks of debaters.
 */
export const PAPER_TEMPLATES: PaperTemplates = templates;

interface TurnSettings {
  readonly papers: readonly Paper[];
  /** The papers with indexes to verify quotations. */
  readonly sources: readonly KnownPaper[];
  readonly templates: PaperTemplates;
  /** True if debaters can search the web. */
  readonly searchesWeb: boolean;
  readonly questioner: string;
  readonly reporter: string;
  /** Id of the judge that states the verdict. */
  readonly judge: string;
  /** Debaters; `label` is the name in prompts. */
  readonly debaters: readonly { readonly id: string; readonly label: string }[];
  /** Given postures and topics. @default a model derives them from the papers */
  readonly given?: Pick<DebateSubject, "postures" | "topics"> | undefined;
  readonly characters: PaperCharacters;
  readonly caps: Readonly<
    Record<"argumentMaxTokens" | "crossExaminationMaxTokens" | "reportMaxTokens", number>
  >;
  /** Returns the judges' result as markdown. */
  readonly verdictBody: (judged: readonly Fact[]) => string;
}

export function turnsOf(settings: TurnSettings): PaperTurns {
  const { papers, templates, questioner, characters, judge, reporter, caps, verdictBody } =
    settings;
  return {
    questions: () => ({
      ...place("questions", questioner),
      task: templates.questions,
      maxTokens: tokensFor("questions"),
      structure: QUESTIONS_STRUCTURE,
      excerpts: excerptTexts(papers, characters.questions, characters),
    }),
    question: (question) => ({ ...place("question", questioner), task: "", text: question }),
    postures: (question) => posturesTurn(settings, question),
    argument: (subject, index) => argumentTurn(settings, subject, index),
    crossExamination: (subject, speech) => crossTurn(settings, subject, speech),
    verdict: (judged) => ({ ...place("verdict", judge), task: "", text: verdictBody(judged) }),
    report: () => ({
      ...place("report", reporter),
      task: templates.report,
      maxTokens: caps.reportMaxTokens,
    }),
  };
}

function posturesTurn(settings: TurnSettings, question: string): Turn {
  const { papers, templates, questioner, debaters, characters, given } = settings;
  const count = debaters.length;
  if (given !== undefined) {
    return { ...place("postures", questioner), task: "", text: posturesBody(given) };
  }
  return {
    ...place("postures", questioner),
    task: templates.postures,
    values: { ...quotedSubject({ question }), count: String(count) },
    maxTokens: tokensFor("postures"),
    structure: posturesStructure(count),
    excerpts: excerptTexts(papers, characters.postures, characters),
  };
}

function argumentTurn(
  { papers, sources, templates, searchesWeb, debaters, characters, caps }: TurnSettings,
  { question, postures, topics }: DebateSubject,
  index: number,
): Turn {
  const { id, label } = debaters[index]!;
  const posture = postures[index]!;
  return {
    ...place("argument", id),
    key: `argument/${id}`,
    position: posture,
    task: searchesWeb ? `${templates.argument} ${templates.searchWeb}` : templates.argument,
    ending: endingOf(templates, label, posture),
    values: quotedSubject({ question, topics, position: posture }),
    maxTokens: caps.argumentMaxTokens,
    structure: argumentStructure(sources, { posture, topics }),
    excerpts: excerptTexts(papers, characters.debaters, characters),
  };
}

function crossTurn(
  { papers, sources, templates, debaters, characters, caps }: TurnSettings,
  { question }: DebateSubject,
  speech: Message,
): Turn {
  const posture = speech.position ?? "";
  const { label } = debaters.find(({ id }) => id === speech.participant)!;
  return {
    ...place("cross_examination", speech.participant),
    key: `cross_examination/${speech.participant}`,
    position: posture,
    task: templates.crossExamination,
    ending: endingOf(templates, label, posture),
    values: {
      ...quotedSubject({ question, position: posture }),
      argumentLength: String(caps.crossExaminationMaxTokens),
    },
    maxTokens: caps.crossExaminationMaxTokens,
    excerpts: excerptTexts(papers, characters.debaters, characters),
    structure: crossStructure(sources, { posture, speaker: speech.participant }),
  };
}

function endingOf({ posture }: PaperTemplates, name: string, position: string): string {
  return fillTemplate(posture, { name, ...quotedSubject({ position }) });
}

function place(
  kind: string,
  speaker: string,
): Pick<Turn, "key" | "speaker" | "phase" | "kind" | "round"> {
  return { key: kind, speaker, phase: kind, kind, round: 0 };
}

/** Returns excerpts of the papers as quoted sources, with notes on omissions; empty without room. */
function excerptTexts(
  papers: readonly Paper[],
  limit: number,
  { excerpt }: PaperCharacters,
): string {
  return excerptsOf(papers, limit, excerpt).flatMap(({ text, leftOut }, index) => {
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

type Questions = Fields & { readonly questions: readonly string[] };
type Postures = Fields & {
  readonly postures: readonly string[];
  readonly topics: readonly string[];
};

const QUESTIONS_STRUCTURE: TurnStructure<Questions> = {
  schema: QUESTIONS_REPLY,
  speech: ["questions"],
  required: true,
  render: ({ questions }) => questionsBody(usableQuestions(questions)),
  check: ({ questions }) => questionsProblem(questions),
  toFacts: () => [],
};

function posturesStructure(count: number): TurnStructure<Postures> {
  return {
    schema: posturesReply(count),
    speech: ["postures", "topics"],
    required: true,
    render: (fields) => posturesBody(usablePostures(fields, count)),
    check: (fields) => posturesProblem(fields, count),
    toFacts: () => [],
  };
}

/** Returns the structure of an argument: the message has citations and quotations with their status, recorded as evidence. */
function argumentStructure(
  sources: readonly KnownPaper[],
  { posture, topics }: { readonly posture: string; readonly topics: readonly string[] },
): TurnStructure<Fields & ArgumentFields> {
  const evidence = memoByObject((fields: ArgumentFields, context: ReplyContext) =>
    argumentEvidence(fields, knownTo(context, sources), { topics })
  );
  return {
    schema: argumentReply(topics),
    speech: ["claim", "reasoning", "overallPosition"],
    render: (fields, context) => argumentBody(evidence(fields, context)),
    check: (fields) => argumentProblem(fields, topics),
    toFacts: (fields, place) => [
      evidenceAt(place, { posture, citations: {}, ...evidence(fields, place) }),
    ],
  };
}

/** Returns the structure of a cross-examination, with evidence as for an argument. */
function crossStructure(
  sources: readonly KnownPaper[],
  { posture, speaker }: { readonly posture: string; readonly speaker: string },
): TurnStructure<Fields & CrossFields> {
  const evidence = memoByObject((fields: CrossFields, context: ReplyContext) => {
    // The speaker's own earlier messages do not count as sources.
    const given = context.given.filter(({ participant }) => participant !== speaker);
    return crossEvidence(fields, knownTo({ ...context, given }, sources));
  });
  return {
    schema: CROSS_REPLY,
    speech: ["speech"],
    render: (fields, context) => crossBody(fields.speech, evidence(fields, context)),
    toFacts: (fields, place) => {
      const found = evidence(fields, place);
      return [evidenceAt(place, { posture, perTopic: [], overallPosition: "", ...found })];
    },
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
