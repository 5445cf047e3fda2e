// Options of a paper debate, and the plan made from them: settings, papers, retrieval, cast, judges, fact checks.
import type {
  CommonConfig,
  PaperDebateConfig,
  RetrievalMode,
} from "../../config/convening_config.ts";
import { defaultsOf } from "../../config/setting.ts";
import { SETTINGS } from "../../config/settings.ts";
import { checkerFrom, type FactCheckDesign, factCheckDesign } from "../../checking/fact_checker.ts";
import { templatesWith } from "../../checking/questions.ts";
import { HUMAN, type Tool } from "../../core/agent.ts";
import { cannotUse, ConfigurationError } from "../../core/error.ts";
import type { ConveningStart } from "../../core/event.ts";
import type { Paper } from "../../core/paper.ts";
import {
  createParticipant,
  freeId,
  type Helper,
  type Participant,
} from "../../core/participant.ts";
import { labelsOf, letters } from "../../core/prompt.ts";
import type { Retriever } from "../../core/search.ts";
import { counted, thousands } from "../../core/text.ts";
import { checkWords } from "../../core/topic.ts";
import { defined } from "../../core/values.ts";
import templates from "../../data/prompts/paper_debate.json" with { type: "json" };
import { type JudgePanel, panelOf } from "../../debate/cast.ts";
import type { DebateJudge } from "../../debate/settings.ts";
import { drawSeed } from "../../engine/start.ts";
import { searchersFor, type WorkflowOptions } from "../../engine/workflow_options.ts";
import { rubricNamed } from "../../judging/scoring.ts";
import { createRetriever, KeptEmbedder, paperSearcher } from "../retrieval.ts";
import { checkPapers, type PaperDraft } from "../text/check_paper.ts";
import type { PaperCharacters } from "../text/excerpt.ts";
import { LAST_QUESTION, QUESTION_LENGTH } from "../text/lists.ts";
import { type KnownPaper, knownPapers } from "../text/verify_evidence.ts";
import { lookUpPaperTool, WEB_SEARCH, webSearchTool } from "../tools.ts";

/** Configuration keys for the rules of a paper debate. */
export type PaperDebateKeys =
  | "topic"
  | Exclude<
    keyof PaperDebateConfig,
    keyof CommonConfig | "kind" | "papers" | "title" | "judges" | "rubric" | "retrieval"
  >;

/** Options of a paper debate. Defaults: see `PAPER_DEBATE_DEFAULTS`. */
export interface PaperDebateOptions
  extends WorkflowOptions, Readonly<Pick<PaperDebateConfig, PaperDebateKeys | "rubric">> {
  /** Debaters, questioner and reporter; missing ones are created. @default as many debaters as postures */
  readonly participants?: readonly Participant[] | undefined;
  /** Judges. @default one judge with the convening's model */
  readonly judges?: readonly DebateJudge[] | undefined;
  /** Search for passages: by keywords, embeddings, both, or a custom retriever. @default "keyword" */
  readonly retrieval?: PaperDebateConfig["retrieval"] | Retriever;
  /** Given postures and topics. @default a model derives them from the papers */
  readonly given?:
    | { readonly postures: readonly string[]; readonly topics: readonly string[] }
    | undefined;
}

/** Defaults of a paper debate (context-network/rules/paper_debate.md). */
export const PAPER_DEBATE_DEFAULTS:
  & {
    readonly [
      K in
        | Exclude<PaperDebateKeys, "topic" | "question" | "paperCharacters" | "embeddingModel">
        | "retrieval"
        | "temperature"
        | "maxPromptTokens"
    ]: NonNullable<PaperDebateConfig[K]>;
  }
  & { readonly paperCharacters: PaperCharacters } = defaultsOf(SETTINGS, "paper-debate") as never;

/** Texts of a paper debate's prompts: `questioner` to `reader` describe roles, the others are parts of tasks. */
export type PaperTemplates = Readonly<Record<keyof typeof templates, string>>;

/**
 * Default texts of a paper debate's prompts; `prompts` in the configuration overrides each. With `score` go `scoring`,
 * `passages`, and `writtenApart` or, after a cross-examination, `answeredLater`. `searchWeb` follows `argument` if a web
 * search is configured; `posture` ends the tasks of debaters. `questionText` and `topicsText` begin the tasks of people, who see no
 * prompt.
 */
export const PAPER_TEMPLATES: PaperTemplates = templates;

/** Options with their defaults; without a number of postures or a picked question, these stay undefined. */
type Settings =
  & PaperDebateOptions
  & Omit<typeof PAPER_DEBATE_DEFAULTS, "pick" | "postures" | "retrieval">
  & { readonly seed: number; readonly retrieval: RetrievalMode | Retriever };

/** Inputs of the turns and questions of a paper debate. */
export interface PaperPlan extends PaperCast {
  readonly settings: Settings;
  readonly papers: readonly Paper[];
  /** The papers with indexes to verify quotations. */
  readonly sources: readonly KnownPaper[];
  /** Limits of the settings, reduced to the context windows of the models before the debate. */
  readonly characters: { -readonly [K in keyof PaperCharacters]: PaperCharacters[K] };
  readonly templates: PaperTemplates;
  readonly retriever: Retriever;
  /** Embedder of the retriever, if it needs one. */
  readonly embedder: KeptEmbedder | undefined;
  /** True if debaters can search the web. */
  readonly searchesWeb: boolean;
  readonly panel: JudgePanel;
  readonly checking: FactCheckDesign | undefined;
  /** Person who picks the question, if any. */
  readonly reader: Helper | undefined;
  /** Provisional start of the convening, from which results are computed. */
  readonly start: ConveningStart;
}

/** Returns the plan of a debate over papers. Throws a `ConfigurationError` or `PaperError` for unusable inputs. */
export function planOf(drafts: readonly PaperDraft[], options: PaperDebateOptions): PaperPlan {
  const papers = checkPapers(drafts);
  const settings = settingsOf(options);
  checkInputs(papers, settings);
  const { seed, pick, topic = "" } = settings;
  const { speakers, checker } = checkerFrom(settings.participants ?? []);
  const { retriever, embedder } = retrievalOf(papers, settings);
  const searchers = searchersFor(settings);
  const web = searchers.find(({ name }) => name === WEB_SEARCH);
  const tools = [lookUpPaperTool(retriever), ...web === undefined ? [] : [webSearchTool(web)]];
  const cast = castOf({ ...settings, participants: speakers }, tools);
  const panel = panelOf({
    config: settings,
    seed,
    defaultRubric: rubricNamed("conceptual"),
    participants: cast.all,
    moderator: undefined,
  });
  const reader = pick === "ask" ? readerFor(cast, panel, settings.model) : undefined;
  const others = [cast.questioner, cast.reporter, ...panel.judges, ...reader ? [reader] : []];
  const { factCheck, prompts } = settings;
  // Without fact checks, only debaters use the search server.
  const checks = factCheck?.mode === "off" ? { ...factCheck, searchUrl: undefined } : factCheck;
  const checking = factCheckDesign(checks, {
    prompts,
    speakers: cast.debaters,
    checker,
    isJudged: panel.judges.length > 0,
    taken: others.map(({ id }) => id),
    searchers: () => [...searchers, paperSearcher(retriever, papers)],
  });
  return {
    ...cast,
    settings,
    papers,
    sources: knownPapers(papers),
    characters: { ...settings.paperCharacters },
    templates: templatesWith(PAPER_TEMPLATES, prompts),
    retriever,
    embedder,
    searchesWeb: web !== undefined,
    panel,
    checking,
    reader,
    start: {
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
    },
  };
}

function settingsOf({ paperCharacters, question, ...options }: PaperDebateOptions): Settings {
  const { pick: _pick, postures: _postures, ...defaults } = PAPER_DEBATE_DEFAULTS;
  return {
    ...defaults,
    seed: drawSeed(),
    seedGiven: options.seed !== undefined,
    ...defined(options),
    question: question === undefined ? undefined : checkQuestion(question),
    paperCharacters: { ...defaults.paperCharacters, ...defined(paperCharacters ?? {}) },
  } as Settings;
}

function checkInputs(papers: readonly Paper[], { question, pick, given }: Settings): void {
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
}

function retrievalOf(
  papers: readonly Paper[],
  settings: Settings,
): { readonly retriever: Retriever; readonly embedder?: KeptEmbedder } {
  const { retrieval: mode, host, retry } = settings;
  if (typeof mode !== "string") return { retriever: mode };
  const embed = mode === "keyword" ? undefined : host?.embedder(settings);
  // A replay has no embedder: its look-ups are on record, and other searches use keywords.
  if (embed === undefined) return { retriever: createRetriever(papers) };
  const embedder = new KeptEmbedder(embed, retry);
  return { retriever: createRetriever(papers, { mode, embed: embedder }), embedder };
}

/** Returns the person who picks the question; in a replay the record answers. */
function readerFor({ all }: PaperCast, { judges }: JudgePanel, model = ""): Helper {
  const taken = new Set([...all, ...judges].map(({ id }) => id));
  const picking = model.startsWith("replay:") ? model : HUMAN;
  return { id: freeId("reader", taken), name: "Reader", role: "reader", model: picking };
}

/** Minimum and maximum number of postures. */
const POSTURE_COUNT = { min: 2, max: 8 } as const;

const ROLES: readonly string[] = ["questioner", "debater", "reporter"];

interface PaperCast {
  readonly questioner: Participant;
  /** Debaters, one per posture. */
  readonly debaters: readonly Participant[];
  readonly reporter: Participant;
  /** All participants: questioner, debaters, reporter. */
  readonly all: readonly Participant[];
  /** Names of participants in prompts, by id. */
  readonly labels: ReadonlyMap<string, string>;
}

/** Returns the cast of a paper debate; adds tools to debaters that lack them. Throws a `ConfigurationError`. */
function castOf(options: PaperDebateOptions, tools: readonly Tool[]): PaperCast {
  const { participants = [], postures, model } = options;
  checkRoles(participants);
  participants.forEach(checkNoPosition);
  const count = participants.filter(({ role }) => role === "debater").length;
  const cast = withDefaultParticipants(participants, options.given?.postures.length ?? postures);
  if (count > 0) checkCount(count, postures);
  const one = (role: string) => cast.find((each) => each.role === role)!;
  const [questioner, reporter] = [one("questioner"), one("reporter")];
  const debaters = cast.filter(({ role }) => role === "debater").map((each) => {
    const { tools: own = [] } = each;
    const names = own.map(({ name }) => name);
    return { ...each, tools: [...own, ...tools.filter(({ name }) => !names.includes(name))] };
  });
  const all = [questioner, ...debaters, reporter];
  const labels = labelsOf(
    all.map((each) => ({ ...each, model: each.agent?.model ?? each.model ?? model })),
  );
  return { questioner, debaters, reporter, all, labels };
}

/**
 * Returns the participants with defaults for a missing questioner, missing debaters (Debater A, Debater B and so on, one per
 * posture) and a missing reporter.
 */
export function withDefaultParticipants(
  given: readonly Participant[],
  postures: number = PAPER_DEBATE_DEFAULTS.postures,
): Participant[] {
  const ifMissing = (role: string, ...names: readonly string[]) =>
    given.some((each) => each.role === role) ? [] : names.map((name) =>
      createParticipant({
        name,
        role,
        agentConfig: { id: name.toLowerCase().replace(" ", "-") },
      })
    );
  const names = Array.from({ length: postures }, (_, index) => `Debater ${letters(index)}`);
  return [
    ...ifMissing("questioner", "Questioner"),
    ...given,
    ...ifMissing("debater", ...names),
    ...ifMissing("reporter", "Reporter"),
  ];
}

/** Throws a `ConfigurationError` for a participant with a position, because postures assign the positions. */
export function checkNoPosition({ name, position }: Participant): void {
  if (position === undefined) return;
  const message = `Cannot use position of "${name}": positions of debaters come from the papers`;
  throw new ConfigurationError(message, {
    field: "position",
    hint: "Leave position out; persona and systemPrompt say how a debater argues.",
  });
}

function checkRoles(participants: readonly Participant[]): void {
  const odd = participants.find(({ role }) => !ROLES.includes(role));
  const twice = ["questioner", "reporter"].find((role) =>
    participants.filter((each) => each.role === role).length > 1
  );
  if (odd === undefined && twice === undefined) return;
  const message = odd === undefined
    ? `Cannot hold a paper debate with two of the role ${twice}`
    : `Cannot give "${odd.name}" a part in a paper debate: its role is ${odd.role}`;
  throw new ConfigurationError(message, {
    field: "participants",
    hint:
      "The roles are debater, and at most one questioner, reporter and fact_checker; judges are listed under judges.",
  });
}

function checkCount(debaters: number, postures: number | undefined): void {
  const { min, max } = POSTURE_COUNT;
  if (debaters < min || debaters > max) {
    throw new ConfigurationError(`Cannot hold a paper debate of ${debaters} debaters`, {
      field: "participants",
      hint: `Give ${min} to ${max}, or none: then there are as many as postures.`,
    });
  }
  if (postures === undefined || postures === debaters) return;
  throw new ConfigurationError(
    `Cannot take ${postures} postures: ${debaters} debaters take part`,
    { field: "postures", hint: "Leave postures out, or give as many as debaters." },
  );
}

/** Returns the trimmed question. Throws a `ConfigurationError` unless it has 10 to 1,000 code points and no control characters. */
function checkQuestion(question: string): string {
  const { least, most } = QUESTION_LENGTH;
  const text = question.trim().replace(/\s+/gu, " ");
  const length = [...text].length;
  if (length >= least && length <= most) return checkWords(text, "question");
  const allowed = `${least} to ${thousands(most)}`;
  const state = `it has ${counted(length, "character")}, ${allowed} are allowed`;
  throw cannotUse("question", state, `Ask in ${allowed} characters.`);
}

/** Throws a `ConfigurationError` for a number above {@linkcode LAST_QUESTION}, before questions are generated. */
export function checkPickNumber(pick: number | "ask" | undefined): void {
  if (typeof pick !== "number" || pick <= LAST_QUESTION) return;
  throw new ConfigurationError(
    `Cannot debate question ${pick}: at most ${LAST_QUESTION} are proposed`,
    { field: "pick", hint: `Give 1 to ${LAST_QUESTION}.` },
  );
}
