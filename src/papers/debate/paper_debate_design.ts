// The design of a paper debate: rules, cast, judges, tools and prompts, made from options and papers.
import { tokensFor } from "../../core/asks.ts";
import type { RetrievalMode } from "../../config/convening_config.ts";
import type { ConveningStart } from "../../core/event.ts";
import { ConfigurationError } from "../../core/error.ts";
import { defined } from "../../core/values.ts";
import { oneLine } from "../../core/text.ts";
import { checkPapers, type PaperDraft } from "../text/check_paper.ts";
import { lookUpPaperTool, WEB_SEARCH, webSearchTool } from "../tools.ts";
import type { Paper } from "../../core/paper.ts";
import { paperStages } from "../text/paper_stages.ts";
import type { Retriever } from "../../core/search.ts";
import { renderSource } from "../../core/prompt.ts";
import { freeId, type Helper, type Participant } from "../../core/participant.ts";
import { rubricNamed } from "../../judging/rubrics.ts";
import {
  describePanel,
  type JudgePanel,
  panelOf,
  rubricOf,
  rubricValue,
} from "../../debate/cast.ts";
import { checkerFrom, type FactCheckDesign, factCheckDesign } from "../../checking/fact_checker.ts";
import { createRetriever, KeptEmbedder, paperSearcher } from "../retrieval.ts";
import { drawSeed } from "../../engine/start.ts";
import { searchersFor, type WorkflowDesign } from "../../engine/workflow_options.ts";
import { knownPapers } from "../text/verify_evidence.ts";
import type { PaperCharacters } from "../text/excerpt.ts";
import { kindTemplates } from "../../checking/questions.ts";
import {
  castOf,
  checkQuestion,
  PAPER_DEBATE_DEFAULTS,
  type PaperCast,
  type PaperDebateOptions,
  pickQuestion,
} from "./paper_debate_options.ts";
import { judgingQuestions, verdictBody } from "./judging.ts";
import { PAPER_TEMPLATES, type PaperTemplates, turnsOf } from "./turns.ts";
import type { PaperRules } from "./protocol.ts";

interface Settings extends Omit<PaperDebateOptions, "paperCharacters"> {
  readonly seed: number;
  readonly retrieval: RetrievalMode | Retriever;
  readonly crossExamine: boolean;
  readonly paperCharacters: PaperCharacters;
  readonly argumentMaxTokens: number;
  readonly crossExaminationMaxTokens: number;
  readonly reportMaxTokens: number;
  readonly judgeMaxTokens: number;
  readonly verdictRepeats: number;
  readonly factCap: boolean;
}

/** Inputs of the parts of a paper debate. */
interface Plan {
  readonly papers: readonly Paper[];
  readonly passages: Retrieval;
  readonly settings: Settings;
  /** Limits of the settings, reduced by `fitPapers` to the context windows of the models. */
  readonly characters: { -readonly [K in keyof PaperCharacters]: PaperCharacters[K] };
  readonly templates: PaperTemplates;
  /** True if debaters can search the web. */
  readonly searchesWeb: boolean;
  readonly cast: PaperCast;
  readonly panel: JudgePanel;
  readonly checking: FactCheckDesign | undefined;
  /** Person who picks the question, if any. */
  readonly reader: Helper | undefined;
}

/** Inputs of the base class. */
interface PaperDebateDesign {
  /** Title of the convening. */
  readonly topic: string;
  readonly rules: PaperRules;
  readonly start: ConveningStart;
  readonly participants: readonly Participant[];
  readonly options: Omit<PaperDebateOptions, "participants"> & { readonly design: WorkflowDesign };
}

/** Returns the design of a debate over papers. Throws a `ConfigurationError` or `PaperError` for unusable inputs. */
export function designOf(
  papers: readonly PaperDraft[],
  options: PaperDebateOptions,
): PaperDebateDesign {
  const { seed = drawSeed(), seedGiven = options.seed !== undefined } = options;
  const plan = planOf(checkPapers(papers), settingsOf({ ...options, seed, seedGiven }));
  const { participants: _cast, ...settings } = plan.settings;
  return {
    topic: topicOf(plan),
    rules: rulesOf(plan),
    start: startFor(plan),
    participants: plan.cast.all,
    options: { ...settings, design: baseOf(plan) },
  };
}

function settingsOf({ paperCharacters, ...options }: PaperDebateOptions): Settings {
  const { paperCharacters: usual, pick: _first, postures: _count, ...defaults } =
    PAPER_DEBATE_DEFAULTS;
  return {
    ...defaults,
    ...defined(options),
    question: options.question === undefined ? undefined : checkQuestion(options.question),
    paperCharacters: { ...usual, ...defined(paperCharacters ?? {}) },
  } as Settings;
}

function planOf(papers: readonly Paper[], settings: Settings): Plan {
  const { question, pick, given } = settings;
  if (papers.length === 0 && given === undefined) {
    const hint = "Give one or more papers, each with a title and its text.";
    const message = "Cannot hold a paper debate: no paper was given";
    throw new ConfigurationError(message, { field: "papers", hint });
  }
  if (question !== undefined && pick !== undefined) {
    const hint = "Leave question out to have questions proposed for the papers, or leave pick out.";
    const message = `Cannot use pick ${pick}: the question was given`;
    throw new ConfigurationError(message, { field: "pick", hint });
  }
  const { speakers, checker } = checkerFrom(settings.participants ?? []);
  const passages = retrievalOf(papers, settings);
  const { retriever } = passages;
  const searchers = searchersFor(settings);
  const web = searchers.find(({ name }) => name === WEB_SEARCH);
  const tools = [lookUpPaperTool(retriever), ...web === undefined ? [] : [webSearchTool(web)]];
  const cast = castOf({ ...settings, participants: speakers }, tools);
  const panel = panelOf({
    config: settings,
    seed: settings.seed,
    usual: rubricNamed("conceptual"),
    participants: cast.all,
    moderator: undefined,
  });
  const reader = pick === "ask" && question === undefined ? readerFor(cast, panel) : undefined;
  const others = [cast.questioner, cast.reporter, ...panel.judges, ...reader ? [reader] : []];
  const checking = factCheckDesign(factCheckSettings(settings), {
    prompts: settings.prompts,
    speakers: cast.debaters,
    checker,
    isJudged: panel.judges.length > 0,
    taken: others.map(({ id }) => id),
    searchers: () => [...searchers, paperSearcher(retriever, papers)],
  });
  return {
    papers,
    passages,
    settings,
    characters: { ...settings.paperCharacters },
    templates: kindTemplates(PAPER_TEMPLATES, settings.prompts),
    searchesWeb: web !== undefined,
    cast,
    panel,
    checking,
    reader,
  };
}

/** Returns the settings of fact checks; without checks, only debaters use the search server. */
function factCheckSettings({ factCheck }: Settings): Settings["factCheck"] {
  return factCheck?.mode === "off" ? { ...factCheck, searchUrl: undefined } : factCheck;
}

interface Retrieval {
  readonly retriever: Retriever;
  readonly embedder?: KeptEmbedder | undefined;
}

function retrievalOf(papers: readonly Paper[], settings: Settings): Retrieval {
  const { retrieval, host, retry } = settings;
  if (typeof retrieval !== "string") return { retriever: retrieval };
  const embed = retrieval === "keyword" ? undefined : host?.embedder(settings);
  // A replay has no embedder: its look-ups are on record, and other searches use keywords.
  if (embed === undefined) return { retriever: createRetriever(papers) };
  const embedder = new KeptEmbedder(embed, retry);
  return { retriever: createRetriever(papers, { mode: retrieval, embed: embedder }), embedder };
}

function readerFor({ all }: PaperCast, { judges }: JudgePanel): Helper {
  const taken = new Set([...all, ...judges].map(({ id }) => id));
  return { id: freeId("reader", taken), name: "Reader", role: "reader", model: "human" };
}

/** Returns a topic of valid length: a long question or title is cut, a short one gets a prefix. */
function topicOf({ settings: { topic, question }, papers }: Plan): string {
  if (topic !== undefined) return topic;
  const named = question ?? papers[0]?.title ?? "what was argued";
  const text = oneLine(named.replace(/\p{Cc}/gu, " "), 200);
  return [...text].length < 10 ? `The paper “${text}”` : text;
}

function rulesOf(plan: Plan): PaperRules {
  const { papers, settings, templates, cast, panel, checking, reader } = plan;
  const start = startFor(plan);
  const { judgeMaxTokens: maxTokens, verdictRepeats: repeats, seed, factCap } = settings;
  const { labels } = cast;
  const judging = { panel, labels, papers, templates, maxTokens, seed, repeats, factCap };
  return {
    turns: turnsOf({
      papers,
      sources: knownPapers(papers),
      templates,
      searchesWeb: plan.searchesWeb,
      questioner: cast.questioner.id,
      reporter: cast.reporter.id,
      judge: panel.judges[0]!.id,
      debaters: cast.debaters.map(({ id }) => ({ id, label: cast.labels.get(id)! })),
      given: settings.given,
      characters: plan.characters,
      caps: settings,
      verdictBody: (judged) => verdictBody(start, judged),
    }),
    debaters: cast.debaters.map(({ id }) => id),
    question: settings.question,
    pick: settings.pick,
    pickQuestion: (questions, attempt) =>
      pickQuestion(questions, { asked: reader?.id ?? "reader", attempt, task: templates.pick }),
    crossExamine: settings.crossExamine,
    factsChecked: checking !== undefined,
    judging: (subject, judged) => judgingQuestions(judging, subject, judged),
  };
}

/** Returns a provisional start of the convening, from which results are computed. */
function startFor({ papers, settings, cast, panel }: Plan): ConveningStart {
  const { seed, topic = "" } = settings;
  return {
    kind: "paper-debate",
    topic,
    participants: cast.all.map(({ id, name, role }) => {
      return { id, name, role, label: cast.labels.get(id)!, model: "" };
    }),
    judges: panel.judges.map(({ id, name, rubric }) => ({ id, name, rubric, model: "" })),
    configuration: {},
    seed,
    startedAt: "",
    sources: [],
    papers,
  };
}

function baseOf(plan: Plan): WorkflowDesign {
  const { papers, passages, settings, templates, cast, panel, checking, reader } = plan;
  const { questioner, debater, judge, reporter } = templates;
  const titles = papers.map(({ id, title }) => `${id}: ${title}`).join("\n");
  const summary = { task: templates.earlySummary, maxTokens: tokensFor("summary") };
  return {
    kind: "paper-debate",
    rules: templates.rules,
    notes: [renderSource({ name: "the papers", text: titles }), ...describePanel(panel)],
    roles: { questioner, debater, judge, reporter, reader: templates.reader, ...checking?.roles },
    judges: panel.judges,
    helpers: [...reader === undefined ? [] : [reader], ...checking?.helpers ?? []],
    observers: checking?.observers,
    guards: checking?.guards,
    labels: cast.labels,
    hidden: ["questions"],
    summariser: { id: cast.reporter.id, ...summary },
    expectedMessages: 5 + (settings.crossExamine ? 2 : 1) * cast.debaters.length,
    wordedKinds: ["argument", "cross_examination"],
    papers,
    fit: (windowOf) => fitPapers(plan, windowOf),
    ready: () => passages.retriever.ready?.() ?? Promise.resolve(),
    opened: ({ vectors }) => {
      if (passages.embedder !== undefined) passages.embedder.shelf = vectors;
    },
    embedder: passages.embedder,
    stages: paperStages,
    configuration: configurationOf(plan),
  };
}

/**
 * Limits the papers in prompts to as many characters as the models' context windows have tokens: at three to four characters
 * per token, a quarter to a third of a window.
 */
async function fitPapers(
  { cast, characters }: Plan,
  windowOf: (id: string) => Promise<number | undefined>,
): Promise<void> {
  const readers = {
    questions: [cast.questioner],
    postures: [cast.questioner],
    debaters: cast.debaters,
  };
  for (const prompt of ["questions", "postures", "debaters"] as const) {
    const windows = await Promise.all(readers[prompt].map(({ id }) => windowOf(id)));
    const known = windows.filter((window) => window !== undefined);
    characters[prompt] = Math.min(characters[prompt], ...known);
  }
}

function configurationOf({ settings, characters, cast }: Plan): Readonly<Record<string, unknown>> {
  const { question, pick, retrieval, rubric } = settings;
  return {
    question,
    pick,
    postures: cast.debaters.length,
    crossExamine: settings.crossExamine,
    retrieval: typeof retrieval === "string" ? retrieval : undefined,
    embeddingModel: settings.embeddingModel,
    paperCharacters: characters,
    rubric: rubric === undefined ? undefined : rubricValue(rubricOf(rubric)),
    judgeTemperature: settings.judgeTemperature,
    verdictRepeats: settings.verdictRepeats,
    factCap: settings.factCap,
    argumentMaxTokens: settings.argumentMaxTokens,
    crossExaminationMaxTokens: settings.crossExaminationMaxTokens,
    reportMaxTokens: settings.reportMaxTokens,
    judgeMaxTokens: settings.judgeMaxTokens,
  };
}
