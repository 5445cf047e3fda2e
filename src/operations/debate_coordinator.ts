// The coordinator of paper debates: each stage as a method, whole debates with progress.
import { defaultHost } from "../compose.ts";
import { type ConveningStart, factOf } from "../core/event.ts";
import { ConfigurationError, ConveningError } from "../core/error.ts";
import type { Choice, EndReason, Evidence, Fact, Score } from "../core/fact.ts";
import type { DebateReport, DebateSubject, JudgeVerdict } from "../papers/text/debate_report.ts";
import type { DebaterArgument } from "../core/paper.ts";
import type { PaperDraft } from "../papers/text/check_paper.ts";
import { debateReport } from "../papers/text/report.ts";
import type { Rubric } from "../config/convening_config.ts";
import { memoryRecord } from "../record/stores.ts";
import { rubricNamed } from "../judging/rubrics.ts";
import { checkOptions } from "../engine/workflow_options.ts";
import type { DialogueWorkflow } from "../engine/dialogue_workflow.ts";
import {
  argue,
  askQuestions,
  judgeGiven,
  reportGiven,
  settlePostures,
} from "../papers/debate/protocol.ts";
import type { PaperDebateOptions } from "../papers/debate/paper_debate_options.ts";
import { PaperDebateWorkflow, PaperStep } from "../papers/debate/paper_debate_workflow.ts";
import { LAST_QUESTION } from "../papers/text/lists.ts";
import { type Message, NO_USAGE } from "../core/message.ts";
import { weightedTotal, weightsOf } from "../judging/scoring.ts";
import { mean, round4 } from "../core/statistics.ts";

/** Data of a stage; its keys depend on the stage (context-network/rules/paper_debate.md). */
export interface StageData {
  /** Of `questions_generated`. */
  readonly questions?: readonly string[];
  /** Of `question_selected`. */
  readonly question?: string;
  /** Of `postures_generated`. */
  readonly postures?: readonly string[];
  /** Of `postures_generated`. */
  readonly topics?: readonly string[];
  /** Of `debater_started`, `debater_complete` and `debater_error`: from 0. */
  readonly debaterIndex?: number;
  /** The posture of that debater. */
  readonly posture?: string;
  /** The number of debaters. */
  readonly total?: number;
  /** Of `debater_complete`. */
  readonly argument?: DebaterArgument;
  /** Of `debater_error`: what went wrong. */
  readonly error?: string;
  /** Of `debate_complete`. */
  readonly arguments?: readonly DebaterArgument[];
  /** Of `judging_complete`. */
  readonly verdict?: JudgeVerdict;
  /** Of `report_complete`. */
  readonly report?: DebateReport;
}

/**
 * Hears of every stage in order; one that only says what is being done comes without data. What it throws is thrown by the
 * method that it was given to; the run is ended, and a whole debate that was kept can be resumed.
 */
export type DebateProgress = (stage: string, data?: StageData) => void;

/** One paper, or several that are debated together. */
export type Papers = PaperDraft | readonly PaperDraft[];

/** Options of {@linkcode DebateCoordinator}: those of a paper debate but for what its methods are given. */
export type CoordinatorOptions = Omit<
  PaperDebateOptions,
  "question" | "pick" | "postures" | "given" | "participants"
>;

/**
 * Debates over papers, whole or step by step. A whole one is kept like any other convening: in the archive `out`, or in
 * `record`, which holds one debate and no more; a step by itself leaves nothing. Limits are those of one
 * method's run: a run that a limit stops without a result fails with the code `stopped`.
 *
 * @example
 * ```ts
 * import { DebateCoordinator, memoryRecord } from "@convenings/convenings";
 *
 * const coordinator = new DebateCoordinator({ model: "offline", seed: 1, record: memoryRecord() });
 * const paper = {
 *   id: "paper-1",
 *   title: "Trees and summer heat",
 *   text: "Streets with trees were 2.1 degrees cooler at noon than streets without any.",
 * };
 * const questions = await coordinator.generateQuestions(paper);
 * const report = await coordinator.runCompleteDebate(paper, questions[0]!, 2);
 * console.assert(report.rankedPostures.length === 2);
 * ```
 */
export class DebateCoordinator {
  readonly #options: CoordinatorOptions;
  /** True once the record of the options is taken. */
  #taken = false;

  /** A coordinator; nothing is asked before a method is called. Throws a `ConfigurationError` for an unusable option. */
  constructor(options: CoordinatorOptions = {}) {
    this.#options = { host: defaultHost, ...checkOptions("paper-debate", options) };
  }

  /** 8 to 12 questions that the papers raise. */
  async generateQuestions(paper: Papers, onProgress?: DebateProgress): Promise<string[]> {
    const step = await this.#step(askQuestions, { paper, onProgress, only: STAGES.questions });
    return [...step.value ?? stopped("ask for questions", step)];
  }

  /** Postures on a question, 2 to 8, and the topics to be argued on. */
  async generatePosturesAndTopics(
    paper: Papers,
    question: string,
    numPostures = 3,
    onProgress?: DebateProgress,
  ): Promise<{ postures: string[]; topics: string[] }> {
    const step = await this.#step((rules) => settlePostures(rules, rules.question!), {
      paper,
      onProgress,
      only: STAGES.postures,
      settings: { question, postures: numPostures },
    });
    const { postures, topics } = step.value ?? stopped("take postures", step);
    return { postures: [...postures], topics: [...topics] };
  }

  /**
   * One debater for each posture, all at once; gives the arguments that were made, in the postures' order: without those
   * that failed, or that a limit left out. It fails only where there is none.
   */
  async runDebate(
    paper: Papers,
    question: string,
    topics: readonly string[],
    postures: readonly string[],
    onProgress?: DebateProgress,
  ): Promise<DebaterArgument[]> {
    const given = checkSubject({ question, topics, postures });
    const step = await this.#step(function* (rules) {
      return yield* argue(rules, { question, ...yield* settlePostures(rules, question) });
    }, { paper, onProgress, only: STAGES.debaters, settings: { question, given } });
    const made = step.data.filter(({ argument }) => argument !== undefined)
      .toSorted((a, b) => (a.debaterIndex ?? 0) - (b.debaterIndex ?? 0))
      .flatMap(({ argument }) => argument === undefined ? [] : withQuotations(argument, step));
    return made.length > 0 ? made : stopped("debate", step);
  }

  /** The judges' numbers on arguments, topic by topic, and their outcome. */
  async judgeDebate(
    question: string,
    topics: readonly string[],
    debaterArguments: readonly DebaterArgument[],
    onProgress?: DebateProgress,
  ): Promise<JudgeVerdict> {
    const postures = debaterArguments.map(({ posture }) => posture);
    const given = checkSubject({ question, topics, postures });
    const step = await this.#step((rules) => judgeGiven(rules, given, debaterArguments), {
      onProgress,
      only: STAGES.judging,
      settings: { question, given },
    });
    return step.data.findLast(({ verdict }) => verdict !== undefined)?.verdict ??
      stopped("judge", step);
  }

  /** A report of arguments and a verdict; the reporter's summary is its one call to a model. */
  async generateReport(
    question: string,
    topics: readonly string[],
    postures: readonly string[],
    debaterArguments: readonly DebaterArgument[],
    verdict: JudgeVerdict,
    onProgress?: DebateProgress,
  ): Promise<DebateReport> {
    const given = inOrderOf(postures, debaterArguments);
    const all = [...new Set([...postures, ...given.map(({ posture }) => posture)])];
    const subject = checkSubject({ question, topics, postures: all });
    const rubric = this.#rubric();
    const step = await this.#step((rules, start) =>
      reportGiven(rules, subject, {
        given,
        judged: (speeches) => factsOfVerdict(start, { verdict, given, rubric }, speeches),
      }), { onProgress, only: STAGES.report, settings: { question, given: subject } });
    const { start, facts, value = stopped("report", step) } = step;
    const report = debateReport(start!, [...facts, ...value])!;
    onProgress?.("report_complete", { report });
    return report;
  }

  /** Plays a part of a debate by itself, which leaves no record. */
  async #step<T>(
    play: ConstructorParameters<typeof PaperStep<T>>[2],
    { paper = [], settings = {}, ...told }: {
      readonly paper?: Papers;
      readonly settings?: Pick<PaperDebateOptions, "question" | "postures" | "given">;
    } & Told,
  ): Promise<Followed<T>> {
    const options = { ...this.#options, record: memoryRecord(), ...settings };
    return await follow(new PaperStep(listOf(paper), options, play), told);
  }

  /** A whole debate on a question: postures and topics, arguments, judges, report. */
  async runCompleteDebate(
    paper: Papers,
    question: string,
    numPostures = 3,
    onProgress?: DebateProgress,
  ): Promise<DebateReport> {
    return await this.#run(paper, { question, postures: numPostures }, onProgress);
  }

  /**
   * A whole debate on one of the questions that are put to the papers; `questionIndex` counts from 0. One that no question
   * has is refused with the list of them.
   */
  async runCompleteDebateWithQuestionGeneration(
    paper: Papers,
    questionIndex = 0,
    numPostures = 3,
    onProgress?: DebateProgress,
  ): Promise<DebateReport> {
    const pick = pickOfIndex(questionIndex);
    return await this.#run(paper, { pick, postures: numPostures }, onProgress).catch(
      (error: unknown) => {
        throw asIndexError(error, questionIndex);
      },
    );
  }

  async #run(
    paper: Papers,
    options: Pick<PaperDebateOptions, "question" | "pick" | "postures">,
    onProgress: DebateProgress | undefined,
  ): Promise<DebateReport> {
    const workflow = new PaperDebateWorkflow(listOf(paper), { ...this.#options, ...options });
    const followed = await this.#recording(() => follow(workflow, { onProgress }));
    const { start, facts, value } = followed;
    return value?.report ?? (start && debateReport(start, facts)) ??
      stopped("report", followed, " What was said is kept, and can be resumed.");
  }

  /** Refuses a second debate in a record that holds one; one that was not finished can be resumed. */
  async #recording<T>(run: () => Promise<Followed<T>>): Promise<Followed<T>> {
    if (this.#options.record === undefined) return await run();
    if (this.#taken) {
      throw new ConfigurationError("Cannot keep a second debate in the record of another", {
        field: "record",
        hint: "Give out, an archive, in its place; or take another coordinator.",
      });
    }
    this.#taken = true;
    let completed = false;
    try {
      const followed = await run();
      completed = followed.endReason === "completed";
      return followed;
    } finally {
      this.#taken = completed;
    }
  }

  #rubric(): Rubric {
    const { rubric = "conceptual" } = this.#options;
    return typeof rubric === "string" ? rubricNamed(rubric) : rubric;
  }
}

/** The stages that are a step's own; others come of stating what it was given. */
const STAGES = {
  questions: new Set(["Generating questions from paper...", "questions_generated"]),
  postures: new Set(["Generating postures and topics...", "postures_generated"]),
  debaters: new Set(["debater_started", "debater_complete", "debater_error"]),
  judging: new Set(["Judging arguments...", "judging_complete"]),
  report: new Set(["Generating final report..."]),
} satisfies Readonly<Record<string, ReadonlySet<string>>>;

/** Stages that are told, and the listener. */
interface Told {
  readonly onProgress: DebateProgress | undefined;
  /** @default all */
  readonly only?: ReadonlySet<string>;
}

interface Followed<T> {
  /** The protocol's return value; absent after an early end. */
  readonly value: T | undefined;
  readonly endReason: EndReason | undefined;
  /** Data of the stages, in order. */
  readonly data: readonly StageData[];
  readonly facts: readonly Fact[];
  readonly start: ConveningStart | undefined;
}

async function follow<T>(
  workflow: DialogueWorkflow<T>,
  { onProgress, only }: Told,
): Promise<Followed<T>> {
  const data: StageData[] = [];
  const facts: Fact[] = [];
  let start: ConveningStart | undefined;
  // Closed where a callback throws: the run ends, and its record is let go.
  await using events = workflow.stream();
  for (;;) {
    const { done, value } = await events.next();
    if (done === true) {
      return { value: value.value, endReason: value.endReason, data, facts, start };
    }
    if (value.type === "convening-start") start = value.start;
    const fact = factOf(value);
    if (fact !== undefined) facts.push(fact);
    if (value.type !== "stage") continue;
    const brought = isData(value.data) ? value.data : undefined;
    if (brought !== undefined) data.push(brought);
    if (only?.has(value.name) === false) continue;
    if (brought === undefined) onProgress?.(value.name);
    else onProgress?.(value.name, brought);
  }
}

/** An argument with its quotations and their marks, so that those who judge and report it have them. */
function withQuotations(
  argument: DebaterArgument,
  { facts }: Pick<Followed<unknown>, "facts">,
): DebaterArgument {
  const found = facts.find((fact): fact is Evidence =>
    fact.type === "evidence" && fact.posture === argument.posture
  );
  return found === undefined ? argument : { ...argument, quotations: found.quotations };
}

/** Fails for a run that a limit ended before it brought what was asked of it. */
function stopped(
  what: string,
  { endReason }: Pick<Followed<unknown>, "endReason">,
  kept = "",
): never {
  throw new ConveningError("stopped", `Cannot ${what}: it was stopped (${endReason})`, {
    hint: `Raise the limit.${kept}`,
  });
}

function isData(data: unknown): data is StageData {
  return data !== null && typeof data === "object";
}

function listOf(paper: Papers): readonly PaperDraft[] {
  return isList(paper) ? paper : [paper];
}

function isList(paper: Papers): paper is readonly PaperDraft[] {
  return Array.isArray(paper);
}

function checkSubject(subject: DebateSubject): DebateSubject {
  const { topics, postures } = subject;
  const hint = "generatePosturesAndTopics gives some that can be used.";
  for (const [field, texts] of Object.entries({ topics, postures })) {
    const words = texts.map((text) => text.trim().toLowerCase());
    const state = texts.length === 0
      ? `without ${field}`
      : words.includes("")
      ? `with blank ${field}`
      : new Set(words).size < words.length
      ? `with two of the same ${field}`
      : undefined;
    if (state === undefined) continue;
    throw new ConfigurationError(`Cannot hold a paper debate ${state}`, { field, hint });
  }
  return subject;
}

/** The arguments in the order of the postures; those of no posture after them. */
function inOrderOf(
  postures: readonly string[],
  given: readonly DebaterArgument[],
): DebaterArgument[] {
  const place = ({ posture }: DebaterArgument) => {
    const at = postures.indexOf(posture);
    return at === -1 ? postures.length : at;
  };
  return given.toSorted((a, b) => place(a) - place(b));
}

/** The number, from 1, of the question with an index, from 0. Fails with `config_invalid` for what is no index. */
export function pickOfIndex(questionIndex: number): number {
  const isIndex = Number.isInteger(questionIndex) && questionIndex >= 0;
  if (isIndex && questionIndex < LAST_QUESTION) return questionIndex + 1;
  throw new ConfigurationError(`Cannot debate question index ${questionIndex}`, {
    field: "questionIndex",
    hint: `Questions count from 0, to ${LAST_QUESTION - 1} at most.`,
  });
}

/** The refusal of a pick that no question has, as one of an index: it lists the questions from 0. Other errors stay. */
export function asIndexError(error: unknown, questionIndex: number): unknown {
  if (!(error instanceof ConfigurationError) || error.field !== "pick") return error;
  return new ConfigurationError(`Cannot debate question index ${questionIndex}`, {
    field: "questionIndex",
    hint: fromZero(error.hint ?? ""),
    cause: error,
  });
}

/** A hint that lists questions from 1, with their indexes. */
function fromZero(hint: string): string {
  return hint.replace(/^Give 1 to (\d+)/, (_, last: string) => `Give 0 to ${Number(last) - 1}`)
    .replace(/^(\d+)\. /gm, (_, number: string) => `${Number(number) - 1}. `);
}

/** The facts of arguments and a verdict that were made before; totals are computed from the numbers again. */
function factsOfVerdict(
  { judges }: Pick<ConveningStart, "judges">,
  { verdict, given, rubric }: {
    readonly verdict: JudgeVerdict;
    /** In the order of the speeches. */
    readonly given: readonly DebaterArgument[];
    readonly rubric: Rubric;
  },
  speeches: readonly Message[],
): Fact[] {
  const judge = judges[0]!.id;
  const evidence = speeches.map((speech, index) => evidenceOf(speech, given[index]!));
  const scores = speeches.flatMap((speech, index) => {
    const { posture } = given[index]!;
    const found = verdict.perDebater.find((each) => each.posture === posture);
    return found === undefined || found.perTopic.length === 0
      ? []
      : [scoreOf(speech, found, { judge, rubric })];
  });
  return [...evidence, ...scores, insightsOf(verdict, judge, speeches)];
}

const MADE = { model: "given", usage: NO_USAGE, latencyMs: 0, createdAt: "" } as const;

function evidenceOf({ seq, turn, participant }: Message, argument: DebaterArgument): Evidence {
  return {
    type: "evidence",
    seq,
    turn,
    participant,
    ...argument,
    citations: {},
    quotations: argument.quotations ?? [],
    createdAt: "",
  };
}

function scoreOf(
  { seq, participant }: Message,
  { perTopic }: JudgeVerdict["perDebater"][number],
  { judge, rubric }: { readonly judge: string; readonly rubric: Rubric },
): Score {
  const weights = weightsOf(rubric);
  const criteria = Object.fromEntries(
    Object.keys(weights).map((id) => [
      id,
      round4(mean(perTopic.map(({ scores }) => scores[id] ?? rubric.scale[0])) ?? 0),
    ]),
  );
  return {
    type: "score",
    message: seq,
    participant,
    judge,
    rubric: rubric.id,
    scale: rubric.scale,
    status: "scored",
    weights,
    criteria,
    total: weightedTotal(criteria, weights),
    reasons: "",
    topics: perTopic.map(({ scores, ...rest }) => ({ ...rest, criteria: scores })),
    ...MADE,
  };
}

function insightsOf(
  { insights, controversialPoints }: JudgeVerdict,
  judge: string,
  speeches: readonly Message[],
): Choice {
  return {
    type: "choice",
    key: `insights/${judge}`,
    seq: (speeches.at(-1)?.seq ?? 0) + 1,
    number: 1,
    participant: judge,
    kind: "insights",
    value: { insights, controversialPoints },
    reasons: "",
    ...MADE,
  };
}
