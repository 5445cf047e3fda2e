// The turns of a paper debate: tasks, values and notes of each.
import { tokensFor } from "../../core/asks.ts";
import type { Fact } from "../../core/fact.ts";
import type { Message } from "../../core/message.ts";
import { excerptsOf, type PaperCharacters } from "../text/excerpt.ts";
import { posturesBody } from "../text/lists.ts";
import type { Paper } from "../../core/paper.ts";
import { fillTemplate, renderSource } from "../../core/prompt.ts";
import type { Turn } from "../../core/turn.ts";
import type { PaperTemplates } from "./prompts.ts";
import { type PaperTurns, quotedSubject } from "./rules.ts";
import type { DebateSubject } from "../text/debate_report.ts";
import {
  argumentStructure,
  crossStructure,
  posturesStructure,
  QUESTIONS_STRUCTURE,
  type Sources,
} from "./structures.ts";

interface TurnSettings {
  readonly papers: readonly Paper[];
  /** The same, as quotations are looked up in them. */
  readonly sources: Sources;
  readonly templates: PaperTemplates;
  /** True if debaters can search the web. */
  readonly searchesWeb: boolean;
  readonly questioner: string;
  readonly reporter: string;
  /** Id of the judge that speaks for all. */
  readonly judge: string;
  /** The debaters, with how prompts name them. */
  readonly debaters: readonly { readonly id: string; readonly label: string }[];
  /** Postures and topics, where they are not taken from the papers. */
  readonly given?: Pick<DebateSubject, "postures" | "topics"> | undefined;
  readonly characters: PaperCharacters;
  /** The most tokens of an argument, of an answer to the others, and of the report. */
  readonly caps: { readonly argument: number; readonly cross: number; readonly report: number };
  /** Result of the judges by the record, in markdown. */
  readonly verdictBody: (judged: readonly Fact[]) => string;
}

/** Turns of a paper debate. */
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
    verdict: (judged) => ({
      ...place("verdict", judge),
      task: "",
      text: verdictBody(judged),
    }),
    report: () => ({
      ...place("report", reporter),
      task: templates.report,
      maxTokens: caps.report,
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
    ending: fillTemplate(templates.posture, {
      name: label,
      ...quotedSubject({ position: posture }),
    }),
    values: quotedSubject({ question, topics, position: posture }),
    maxTokens: caps.argument,
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
    ending: fillTemplate(templates.posture, {
      name: label,
      ...quotedSubject({ position: posture }),
    }),
    values: {
      ...quotedSubject({ question, position: posture }),
      argumentLength: String(caps.cross),
    },
    maxTokens: caps.cross,
    excerpts: excerptTexts(papers, characters.debaters, characters),
    structure: crossStructure(sources, { posture, speaker: speech.participant }),
  };
}

function place(
  kind: string,
  speaker: string,
): Pick<Turn, "key" | "speaker" | "phase" | "kind" | "round"> {
  return { key: kind, speaker, phase: kind, kind, round: 0 };
}

/** The papers as prompts quote them, and how much is left out; empty where none goes in. */
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
