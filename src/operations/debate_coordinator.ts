// Runs paper debates for programs: whole debates, or each stage by a method of its own, with progress callbacks.
import { z } from "zod";
import { defaultHost } from "../compose.ts";
import { type ConveningStart, factOf } from "../core/event.ts";
import { checkArguments, checkFields } from "../core/check_fields.ts";
import {
  CancelledError,
  ConfigurationError,
  ConveningError,
  TurnOrderError,
} from "../core/error.ts";
import { isObject, memo } from "../core/values.ts";
import type { Choice, EndReason, Evidence, Fact } from "../core/fact.ts";
import {
  type DebateReport,
  debaterScores,
  type DebateSubject,
  type JudgeVerdict,
  type StageData,
} from "../papers/text/debate_report.ts";
import type { DebaterArgument } from "../core/paper.ts";
import type { PaperDraft } from "../papers/text/check_paper.ts";
import { debateReport } from "../papers/text/report.ts";
import type { Rubric } from "../core/outcome.ts";
import { memoryRecord } from "../record/stores.ts";
import { rubricNamed } from "../judging/scoring.ts";
import { checkOptions } from "../engine/casting.ts";
import type { DialogueWorkflow } from "../engine/dialogue_workflow.ts";
import {
  argue,
  askQuestions,
  judgeGiven,
  reportGiven,
  settlePostures,
} from "../papers/debate/protocol.ts";
import type { PaperDebateOptions } from "../papers/debate/paper_debate_plan.ts";
import { PaperDebateWorkflow, PaperStep } from "../papers/debate/paper_debate_workflow.ts";
import { givenArguments } from "../papers/text/replies.ts";
import { type Message, NO_USAGE } from "../core/message.ts";
import { scoreOf } from "../judging/scorer.ts";
import { mean, round4 } from "../core/statistics.ts";
import { asIndexError, pickOfIndex } from "./picking.ts";

/**
 * Callback for each stage, in order; a stage that only announces work has no data. An error of the callback ends the run
 * and is thrown by the method; a recorded whole debate can then be resumed.
 */
export type DebateProgress = (stage: string, data?: StageData) => void;

/** One paper, or several papers that are debated together. */
export type Papers = PaperDraft | readonly PaperDraft[];

/** Options of {@linkcode DebateCoordinator}: the options of a paper debate without those that its methods take. */
export type CoordinatorOptions = Omit<
  PaperDebateOptions,
  "question" | "pick" | "postures" | "given" | "participants"
>;

/**
 * Runs paper debates, whole or step by step. A whole debate is recorded like any other convening: in the archive `out`, or
 * in `record`, which holds one debate. A single step is not recorded. Limits apply to each call of a method; a call that a
 * limit ends without a result throws an error with the code `stopped`, a cancelled call a `CancelledError`.
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
  /** True while `record` of the options is in use, and after it holds a completed debate. */
  #taken = false;

  /** Creates a coordinator; asks no model. Throws a `ConfigurationError` for an invalid option. */
  constructor(options: CoordinatorOptions = {}) {
    this.#options = { host: defaultHost, ...checkOptions("paper-debate", options) };
  }

  /** Asks for 8 to 12 questions that the papers raise. */
  async generateQuestions(paper: Papers, onProgress?: DebateProgress): Promise<string[]> {
    const step = await this.#step(askQuestions, { paper, onProgress, only: STAGES.questions });
    return [...step.value ?? throwStopped("ask for questions", step)];
  }

  /** Asks for postures on a question, 2 to 8, and for the topics of the debate. */
  async generatePosturesAndTopics(
    paper: Papers,
    question: string,
    numPostures = 3,
    onProgress?: DebateProgress,
  ): Promise<{ postures: string[]; topics: string[] }> {
    checkArguments("generatePosturesAndTopics", { question });
    const step = await this.#step((rules) => settlePostures(rules, rules.question!), {
      paper,
      onProgress,
      only: STAGES.postures,
      settings: { question, postures: numPostures },
    });
    const { postures, topics } = step.value ?? throwStopped("take postures", step);
    return { postures: [...postures], topics: [...topics] };
  }

  /**
   * Runs a debater for each posture, all concurrently. Returns the arguments in the order of the postures, without the
   * debaters that failed or that a limit left out. Throws only if there is no argument.
   */
  async runDebate(
    paper: Papers,
    question: string,
    topics: readonly string[],
    postures: readonly string[],
    onProgress?: DebateProgress,
  ): Promise<DebaterArgument[]> {
    const subject = checkSubject({ question, topics, postures });
    const step = await this.#step(function* (rules) {
      return yield* argue(rules, { question, ...yield* settlePostures(rules, question) });
    }, { paper, onProgress, only: STAGES.debaters, settings: { question, given: subject } });
    const made = step.data.filter(({ argument }) => argument !== undefined)
      .toSorted((a, b) => (a.debaterIndex ?? 0) - (b.debaterIndex ?? 0))
      .flatMap(({ argument }) => argument === undefined ? [] : withQuotations(argument, step));
    return made.length > 0 ? made : throwStopped("debate", step);
  }

  /** Has arguments judged, topic by topic; returns the scores and the outcome. */
  async judgeDebate(
    question: string,
    topics: readonly string[],
    debaterArguments: readonly DebaterArgument[],
    onProgress?: DebateProgress,
  ): Promise<JudgeVerdict> {
    const made = givenArguments(debaterArguments);
    const postures = made.map(({ posture }) => posture);
    const subject = checkSubject({ question, topics, postures });
    const step = await this.#step((rules) => judgeGiven(rules, subject, made), {
      onProgress,
      only: STAGES.judging,
      settings: { question, given: subject },
    });
    return step.data.findLast(({ verdict }) => verdict !== undefined)?.verdict ??
      throwStopped("judge", step);
  }

  /** Builds the report of arguments and a verdict, with one call to a model for the summary. */
  async generateReport(
    question: string,
    topics: readonly string[],
    postures: readonly string[],
    debaterArguments: readonly DebaterArgument[],
    verdict: JudgeVerdict,
    onProgress?: DebateProgress,
  ): Promise<DebateReport> {
    checkFields({ question, topics, postures, verdict }, reported(), "arguments of generateReport");
    const rubric = this.#rubric();
    checkScores(verdict, rubric);
    const made = inOrderOf(postures, givenArguments(debaterArguments));
    const all = [...new Set([...postures, ...made.map(({ posture }) => posture)])];
    const subject = checkSubject({ question, topics, postures: all });
    const step = await this.#step((rules, start) =>
      reportGiven(rules, subject, {
        given: made,
        judged: (speeches) => factsOfVerdict(start, { verdict, made, rubric }, speeches),
      }), { onProgress, only: STAGES.report, settings: { question, given: subject } });
    const { start, facts, value = throwStopped("report", step) } = step;
    const report = debateReport(start!, [...facts, ...value])!;
    onProgress?.("report_complete", { report });
    return report;
  }

  /** Runs one part of a debate, with a record in memory. */
  async #step<T>(
    play: ConstructorParameters<typeof PaperStep<T>>[2],
    { paper = [], settings = {}, ...progress }: {
      readonly paper?: Papers;
      readonly settings?: Pick<PaperDebateOptions, "question" | "postures" | "given">;
    } & ProgressOptions,
  ): Promise<Followed<T>> {
    // Nothing can be said to a step.
    const options = { ...this.#options, personTimeout: 0, record: memoryRecord(), ...settings };
    return await follow(new PaperStep([paper].flat(), options, play), progress);
  }

  /** Runs a whole debate on a question: postures and topics, arguments, judging, report. */
  async runCompleteDebate(
    paper: Papers,
    question: string,
    numPostures = 3,
    onProgress?: DebateProgress,
  ): Promise<DebateReport> {
    return await this.#run(paper, { question, postures: numPostures }, onProgress);
  }

  /**
   * Runs a whole debate on one of the generated questions; `questionIndex` counts from 0. An index without a question throws
   * `config_invalid` with a list of the questions.
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
    const workflow = new PaperDebateWorkflow([paper].flat(), { ...this.#options, ...options });
    const followed = await this.#recording(() => follow(workflow, { onProgress }));
    const { start, facts, value } = followed;
    return value?.report ?? (start && debateReport(start, facts)) ??
      throwStopped("report", followed, " What was said is kept, and can be resumed.");
  }

  /** Runs a debate in `record` of the options, if present; throws if the record is in use or holds a completed debate. */
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

/** The stages that each step reports; a step skips the stages of its given inputs. */
const STAGES = {
  questions: new Set(["Generating questions from paper...", "questions_generated"]),
  postures: new Set(["Generating postures and topics...", "postures_generated"]),
  debaters: new Set(["debater_started", "debater_complete", "debater_error"]),
  judging: new Set(["Judging arguments...", "judging_complete"]),
  report: new Set(["Generating final report..."]),
} satisfies Readonly<Record<string, ReadonlySet<string>>>;

interface ProgressOptions {
  readonly onProgress: DebateProgress | undefined;
  /** Stages to report. @default all */
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

/** Runs a workflow, reports its stages and collects its facts. */
async function follow<T>(
  workflow: DialogueWorkflow<T>,
  { onProgress, only }: ProgressOptions,
): Promise<Followed<T>> {
  const data: StageData[] = [];
  const facts: Fact[] = [];
  let start: ConveningStart | undefined;
  // Closes the stream if a callback throws, so that the run ends and releases its record.
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
    const stageData: StageData | undefined = isObject(value.data) ? value.data : undefined;
    if (stageData !== undefined) data.push(stageData);
    if (only?.has(value.name) === false) continue;
    if (stageData === undefined) onProgress?.(value.name);
    else onProgress?.(value.name, stageData);
  }
}

/** Returns an argument with its checked quotations, for the judging and the report. */
function withQuotations(
  argument: DebaterArgument,
  { facts }: Pick<Followed<unknown>, "facts">,
): DebaterArgument {
  const found = facts.find((fact): fact is Evidence =>
    fact.type === "evidence" && fact.posture === argument.posture
  );
  return found === undefined ? argument : { ...argument, quotations: found.quotations };
}

/** Throws the error `stopped` for a run that a limit ended before it had a result. */
function throwStopped(
  what: string,
  { endReason }: Pick<Followed<unknown>, "endReason">,
  kept = "",
): never {
  if (endReason === "cancelled") throw new CancelledError();
  if (endReason === undefined) {
    throw new TurnOrderError(`Cannot ${what}: a person or a client is to answer`, {
      hint: `Name another model.${kept}`,
    });
  }
  throw new ConveningError("stopped", `Cannot ${what}: it was stopped (${endReason})`, {
    hint: `Raise the limit.${kept}`,
  });
}

const texts = memo(() => z.array(z.string(), "Give a list of texts."));
const subjectSchema = memo(() =>
  z.object({
    question: z.string("Give the question, a text."),
    topics: texts(),
    postures: texts(),
  })
);
const reported = memo(() =>
  subjectSchema().extend({
    verdict: z.object({
      perDebater: z.array(debaterScores.pick({ posture: true, perTopic: true })),
      insights: texts(),
      controversialPoints: texts(),
    }, "Give the verdict that judgeDebate returns."),
  })
);

/** Returns a subject; throws `config_invalid` if its topics or postures are no texts, empty, blank or repeated. */
function checkSubject(subject: DebateSubject): DebateSubject {
  checkFields(subject, subjectSchema(), "arguments");
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

/** Throws `config_invalid` if a topic of the verdict lacks a score of the rubric, or has one outside its scale. */
function checkScores({ perDebater }: JudgeVerdict, { id, scale, criteria }: Rubric): void {
  const [least, most] = scale;
  const scores = perDebater.flatMap(({ perTopic }) => perTopic.map((topic) => topic.scores));
  const bad = criteria.find((each) =>
    !scores.every(({ [each.id]: n = NaN }) => n >= least && n <= most)
  );
  if (bad === undefined) return;
  throw new ConfigurationError(
    `Cannot use the verdict: a topic has no score of "${bad.id}" from ${least} to ${most}`,
    {
      field: "verdict",
      hint: `Give the coordinator the rubric of the verdict as an option, instead of ${id}.`,
    },
  );
}

/** Sorts arguments by the order of the postures; arguments of other postures come last. */
function inOrderOf(
  postures: readonly string[],
  made: readonly DebaterArgument[],
): DebaterArgument[] {
  const place = ({ posture }: DebaterArgument) => {
    const at = postures.indexOf(posture);
    return at === -1 ? postures.length : at;
  };
  return made.toSorted((a, b) => place(a) - place(b));
}

/** Returns the facts of given arguments and a given verdict; totals are computed again from the scores. */
function factsOfVerdict(
  { judges }: Pick<ConveningStart, "judges">,
  { verdict, made, rubric }: {
    readonly verdict: JudgeVerdict;
    /** Arguments in the order of the speeches. */
    readonly made: readonly DebaterArgument[];
    readonly rubric: Rubric;
  },
  speeches: readonly Message[],
): Fact[] {
  const judge = judges[0]!.id;
  const evidence = speeches.map((speech, index) => evidenceOf(speech, made[index]!));
  const scores = speeches.flatMap((speech, index) => {
    const { posture } = made[index]!;
    const found = verdict.perDebater.find((each) => each.posture === posture);
    return found === undefined || found.perTopic.length === 0 ? [] : [scoreOf(speech, judge, {
      rubric,
      notApplicable: [],
      answer: { ...MADE, text: "", value: found.perTopic },
      read: (perTopic) => ({
        criteria: Object.fromEntries(
          rubric.criteria.map(({ id }) =>
            [id, round4(mean(perTopic.map(({ scores }) => scores[id]!)) ?? 0)] as const
          ),
        ),
        reasons: "",
        topics: perTopic.map(({ scores, ...rest }) => ({ ...rest, criteria: scores })),
      }),
    })];
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
