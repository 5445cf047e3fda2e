// The paper debate workflow, made in code or from a configuration; and a workflow for one part of a debate.
import { checkArguments } from "../../core/check_fields.ts";
import type { PaperDebateConfig } from "../../config/convening_config.ts";
import type { ConveningResult, ConveningStart } from "../../core/event.ts";
import { ConfigurationError } from "../../core/error.ts";
import { createParticipant, type Participant, participantsFrom } from "../../core/participant.ts";
import type { Protocol } from "../../core/protocol.ts";
import type { HandedIn, WorkflowDesign } from "../../engine/workflow_options.ts";
import { checkOptions, isChecked, markChecked } from "../../engine/casting.ts";
import { DialogueWorkflow } from "../../engine/dialogue_workflow.ts";
import { tokensFor } from "../../core/profile.ts";
import { renderSource } from "../../core/prompt.ts";
import { oneLine } from "../../core/text.ts";
import { describePanel, rubricOf, rubricValue } from "../../debate/cast.ts";
import type { PaperDraft } from "../text/check_paper.ts";
import { type PaperDebateOutcome, paperStages } from "../text/report.ts";
import { judgingQuestions } from "./judging.ts";
import {
  checkNoPosition,
  checkPickNumber,
  type PaperDebateOptions,
  type PaperPlan,
  planOf,
  withDefaultParticipants,
} from "./paper_debate_plan.ts";
import { paperDebate, type PaperRules } from "./protocol.ts";
import { pickQuestion, turnsOf } from "./turns.ts";

/** Result of a paper debate. */
export type PaperDebateResult = ConveningResult<PaperDebateOutcome>;

/** A debate over research papers: questions, choice of one, postures and topics, concurrent arguments, judges, report. */
export class PaperDebateWorkflow extends DialogueWorkflow<PaperDebateOutcome> {
  readonly #rules: PaperRules;

  /** Creates a debate; throws a `ConfigurationError`, `PaperError` or `TopicError` for unusable inputs. */
  constructor(papers: readonly PaperDraft[], options: PaperDebateOptions = {}) {
    checkArguments(new.target.name, { papers });
    checkOptions("paper-debate", options);
    // Not for checked options: old records may have a larger number and must remain resumable.
    if (!isChecked(options)) checkPickNumber(options.pick);
    const plan = planOf(papers, options);
    super(topicOf(plan), plan.all, { ...plan.settings, design: designOf(plan) });
    this.#rules = rulesOf(plan);
  }

  /** Returns the protocol of the debate. */
  protected override protocol(): Protocol<PaperDebateOutcome> {
    return paperDebate(this.#rules);
  }
}

/** A part of a paper debate, such as its questions. */
export class PaperStep<T> extends DialogueWorkflow<T> {
  /** Provisional start of the convening, from which results are computed. */
  readonly start: ConveningStart;
  readonly #rules: PaperRules;
  readonly #play: (rules: PaperRules, start: ConveningStart) => Protocol<T>;

  /** Creates a step over papers (none if arguments are given); `play` returns the protocol of the step. */
  constructor(
    papers: readonly PaperDraft[],
    options: PaperDebateOptions,
    play: (rules: PaperRules, start: ConveningStart) => Protocol<T>,
  ) {
    checkOptions("paper-debate", options);
    const plan = planOf(papers, options);
    super(topicOf(plan), plan.all, {
      ...plan.settings,
      design: {
        ...designOf(plan),
        // The result of a step is the return value of its protocol.
        stages: (...given) => {
          const teller = paperStages(...given);
          return { after: (event) => teller.after(event) };
        },
      },
    });
    this.start = plan.start;
    this.#rules = rulesOf(plan);
    this.#play = play;
  }

  /** Returns the protocol of the step. */
  protected override protocol(): Protocol<T> {
    return this.#play(this.#rules, this.start);
  }
}

/** Creates the paper debate of a configuration; `handed` has its papers. Throws a `ConfigurationError` without papers. */
export function paperDebateFrom(config: PaperDebateConfig, handed: HandedIn): PaperDebateWorkflow {
  const { papers: _files, title: _title, participants: _given, sources: _read, ...settings } =
    config;
  const { agentOf, papers, ...options } = handed;
  if (papers === undefined) {
    throw new ConfigurationError("Cannot hold a paper debate: no paper was read", {
      field: "papers",
      hint: "Give the path of a PDF, markdown or text file.",
    });
  }
  const judges = (config.judges ?? [{}]).map((judge, index, { length }) => ({
    ...judge,
    agent: agentOf(judge.id ?? (length === 1 ? "judge" : `judge-${index + 1}`)),
  }));
  const participants = castOf(config).map((each) => ({ ...each, agent: agentOf(each.id) }));
  const made = markChecked({ ...settings, ...options, judges, participants });
  return new PaperDebateWorkflow(papers, made);
}

/** Returns the configured participants, with defaults for missing ones. */
function castOf({ participants = [], postures }: PaperDebateConfig): Participant[] {
  const given = participantsFrom(participants, {
    make: (options) => {
      const participant = createParticipant({ ...options, role: options.role ?? "debater" });
      checkNoPosition(participant);
      return participant;
    },
  });
  return withDefaultParticipants(given, postures);
}

/** Returns a topic of valid length: a long question or title is cut, a short one gets a prefix. */
function topicOf({ settings: { topic, question }, papers }: PaperPlan): string {
  if (topic !== undefined) return topic;
  const named = question ?? papers[0]?.title ?? "what was argued";
  const text = oneLine(named.replace(/\p{Cc}/gu, " "), 200);
  return [...text].length < 10 ? `The paper “${text}”` : text;
}

function rulesOf(plan: PaperPlan): PaperRules {
  const { settings, debaters, checking } = plan;
  return {
    turns: turnsOf(plan),
    debaters: debaters.map(({ id }) => id),
    question: settings.question,
    pick: settings.pick,
    pickQuestion: (questions, attempt) => pickQuestion(plan, questions, attempt),
    crossExamine: settings.crossExamine,
    factsChecked: checking !== undefined,
    judging: (subject, judged) => judgingQuestions(plan, subject, judged),
  };
}

function designOf(plan: PaperPlan): WorkflowDesign {
  const { papers, debaters, retriever, embedder, settings, templates } = plan;
  const { panel, checking, reader } = plan;
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
    labels: plan.labels,
    hidden: ["questions"],
    summariser: { id: plan.reporter.id, ...summary },
    // A question that is given is stated, but none are proposed.
    expectedMessages: (settings.question === undefined ? 5 : 4) +
      (settings.crossExamine ? 2 : 1) * debaters.length,
    wordedKinds: ["argument", "cross_examination"],
    papers,
    fit: (windowOf) => fitPapers(plan, windowOf),
    ready: () => retriever.ready?.() ?? Promise.resolve(),
    opened: ({ vectors }) => {
      if (embedder !== undefined) embedder.shelf = vectors;
    },
    embedder,
    stages: paperStages,
    configuration: configurationOf(plan),
  };
}

/**
 * Limits the papers in prompts to as many characters as the models' context windows have tokens: at three to four characters
 * per token, a quarter to a third of a window.
 */
async function fitPapers(
  { questioner, debaters, characters }: PaperPlan,
  windowOf: (id: string) => Promise<number | undefined>,
): Promise<void> {
  const readers = { questions: [questioner], postures: [questioner], debaters };
  for (const prompt of ["questions", "postures", "debaters"] as const) {
    const windows = await Promise.all(readers[prompt].map(({ id }) => windowOf(id)));
    const known = windows.filter((window) => window !== undefined);
    characters[prompt] = Math.min(characters[prompt], ...known);
  }
}

/** Settings that the record states as they are. */
const RECORDED = [
  "judgeTemperature",
  "verdictRepeats",
  "factCap",
  "argumentMaxTokens",
  "crossExaminationMaxTokens",
  "reportMaxTokens",
  "judgeMaxTokens",
] as const;

function configurationOf(
  { settings, characters, debaters }: PaperPlan,
): Readonly<Record<string, unknown>> {
  const { question, pick, crossExamine, retrieval, embeddingModel, rubric } = settings;
  return {
    question,
    pick,
    postures: debaters.length,
    crossExamine,
    retrieval: typeof retrieval === "string" ? retrieval : undefined,
    embeddingModel,
    paperCharacters: characters,
    rubric: rubric === undefined ? undefined : rubricValue(rubricOf(rubric)),
    ...Object.fromEntries(RECORDED.map((key) => [key, settings[key]])),
  };
}
