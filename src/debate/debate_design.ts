// The design of a debate: rules, prompts, judges, helpers and observers, made from settings and participants.
import { HUMAN } from "../core/agent.ts";
import type { Fact } from "../core/fact.ts";
import type { Message } from "../core/message.ts";
import type { Observer } from "../core/guard.ts";
import { mixSeed, seededRandom, shuffled } from "../core/statistics.ts";
import { fillTemplate, mergeTemplates, type PlaceholderValues } from "../core/prompt.ts";
import { fieldOf, type Question } from "../core/turn.ts";
import { type Helper, MODERATOR, type Participant } from "../core/participant.ts";
import {
  checkerFrom,
  claimsAsked,
  type FactCheckDesign,
  factCheckDesign,
} from "../checking/fact_checker.ts";
import { scorer } from "../judging/scorer.ts";
import { type Judge, searchersFor, type WorkflowDesign } from "../engine/workflow_options.ts";
import { lengthInWords } from "../engine/asker.ts";
import { templatesWith } from "../checking/questions.ts";
import {
  audienceQuestions,
  baselineQuestions,
  LISTENER,
  listenersGiven,
  listenersOf,
  summaryQuestion,
} from "./questions.ts";
import {
  type Cast,
  castOf,
  describePanel,
  type JudgePanel,
  panelOf,
  rubricOf,
  rubricValue,
  taskBy,
} from "./cast.ts";
import { roundsOf } from "./moderating.ts";
import { NOTE_TAKER, notingOf } from "./note_taker.ts";
import {
  DEBATE_DEFAULTS,
  type DebateSettings,
  type DebateWorkflowConfig,
  interruptionsOf,
  settingsOf,
} from "./settings.ts";
import {
  DEBATE_TEMPLATES,
  debateRubric,
  type DebateTemplates,
  describeFormat,
  FORMATS,
  hasOneModel,
} from "./formats.ts";
import { type DebateRules, listOf, RCR, type Side, SPEECHES } from "./rules.ts";
import { checksIn, notesOn, verdictQuestions } from "./verdict.ts";

interface Plan extends Cast {
  readonly topic: string;
  readonly seed: number;
  /** Model of roles without a model. */
  readonly model: string | undefined;
  readonly settings: DebateSettings;
  readonly templates: DebateTemplates;
  readonly panel: JudgePanel;
  readonly listeners: readonly Helper[];
  readonly checking: FactCheckDesign | undefined;
  readonly noting: ReturnType<typeof notingOf> | undefined;
}

/** Returns the rules of a debate, the design for the base class, and the participants that speak. */
export function designOf(
  topic: string,
  participants: readonly Participant[],
  config: DebateWorkflowConfig & { readonly seed: number },
): { rules: DebateRules; design: WorkflowDesign; speakers: readonly Participant[] } {
  const { speakers, checker } = checkerFrom(participants);
  const cast = castOf(speakers, config);
  const hasModerator = cast.moderator !== undefined;
  const { seed, factCheck } = config;
  const checksFacts = checker !== undefined || factCheck !== undefined && factCheck.mode !== "off";
  const settings = settingsOf(config, { hasModerator, checksFacts });
  const panel = settings.scoringEnabled
    ? panelOf({
      config: settings,
      seed,
      defaultRubric: debateRubric(settings.debateFormat),
      participants,
      moderator: cast.moderator,
    })
    : { judges: [], rubrics: [] };
  const listeners = listenersOf(listenersGiven(settings), { participants, judges: panel.judges });
  const templates = templatesOf(settings);
  const taken = [...panel.judges, ...listeners].map(({ id }) => id);
  const noting = settings.flow
    ? notingOf({
      sides: cast.sides,
      model: settings.noteModel,
      moderator: cast.moderator,
      task: templates.notes,
      claims: checksFacts ? claimsAsked(settings.factCheck, config.prompts) : undefined,
      isJudged: panel.judges.length > 0,
      taken: [...participants.map(({ id }) => id), ...taken],
    })
    : undefined;
  const checking = factCheckDesign(settings.factCheck, {
    speakers,
    checker,
    notes: noting?.taker,
    isJudged: panel.judges.length > 0,
    taken,
    searchers: () => searchersFor(settings),
    chair: MODERATOR,
    prompts: config.prompts,
  });
  const judging = { settings, templates, panel, listeners, checking, noting };
  const plan: Plan = { ...cast, topic, seed, model: config.model, ...judging };
  return { rules: rulesOf(plan), design: baseOf(plan), speakers };
}

/** Returns the prompt texts: the common ones, overridden by the format's, then by the configuration's. */
export function templatesOf({ debateFormat, prompts }: DebateSettings): DebateTemplates {
  return templatesWith(mergeTemplates(DEBATE_TEMPLATES, FORMATS[debateFormat].templates), prompts);
}

function rulesOf(plan: Plan): DebateRules {
  const { settings, templates, moderator, checking, noting, panel: { tiebreak } } = plan;
  const checksFacts = checking !== undefined;
  return {
    moderator: moderator?.id,
    advocates: inSpeakingOrder(plan),
    rounds: settings.roundCount,
    exchange: settings.exchange,
    openings: settings.openings,
    closings: settings.closings,
    blindOpenings: settings.blindOpenings,
    simultaneous: settings.pacing === "simultaneous",
    reversedClosings: settings.closingOrder === "reversed",
    blindClosings: settings.blindClosings,
    roundSummaries: settings.roundSummaries,
    summary: settings.summaryBy === "moderator",
    templateIntroduction: settings.moderation === "template",
    interruptions: interruptionsOf(settings, { checksFacts }),
    adaptive: settings.adaptive,
    structure: settings.turnForm === "rcr" ? RCR : undefined,
    caps: capsOf(settings),
    templates,
    values: valuesOf(plan),
    before: questionsBefore(plan),
    waitsForBefore: asksPersonBefore(plan),
    flow: noting !== undefined,
    judgesAfter: checksFacts ? "fact_checker" : noting && NOTE_TAKER,
    rejectFrom: settings.factCheck?.rejectFrom,
    verdicts: (facts, said) => verdictsOf(plan, facts, said),
    tiebreak: tiebreak && ((facts, said) => verdictsOf(plan, facts, said, tiebreak)),
    after: (said, earlier) => questionsAfter(plan, said, earlier),
  };
}

/** Returns the questions before the first message: the audience's stances and the judges' baselines. */
function questionsBefore(plan: Plan): NonNullable<DebateRules["before"]> {
  const { settings, templates, sides, panel } = plan;
  const stances = stancesOf(plan, "before", { seq: 0, earlier: [] });
  if (!settings.baseline) return stances;
  const judges = panel.judges.map(({ id }) => id);
  const maxTokens = spokenTokens(plan);
  return [...stances, ...baselineQuestions(judges, { sides, task: templates.baseline, maxTokens })];
}

/** Returns true if a person is among the participants asked before the first message. */
function asksPersonBefore({ settings, panel, listeners, model }: Plan): boolean {
  return [...listeners, ...settings.baseline ? panel.judges : []]
    .some((asked) => (asked.agent?.model ?? asked.model ?? model) === HUMAN);
}

/** Returns the questions after the closings: the audience's stances, and a judge's summary if `summaryBy` is `judge`. */
function questionsAfter(
  plan: Plan,
  said: readonly Message[],
  earlier: readonly Fact[],
): Question<unknown, Fact & { readonly type: "stance" | "choice" }>[] {
  const { settings, templates, panel } = plan;
  const stances = stancesOf(plan, "after", { seq: said.at(-1)?.seq ?? 0, earlier });
  const [judge] = settings.summaryBy === "judge" ? panel.judges : [];
  if (judge === undefined) return stances;
  const options = { said, task: templates.judgeSummary, maxTokens: settings.summaryMaxTokens };
  return [...stances, summaryQuestion(judge.id, options)];
}

function stancesOf(
  { templates, sides, listeners }: Plan,
  when: "before" | "after",
  asked: Pick<Parameters<typeof audienceQuestions>[0], "seq" | "earlier">,
): ReturnType<typeof audienceQuestions> {
  const task = when === "before" ? templates.stanceBefore : templates.stanceAfter;
  return audienceQuestions({
    listeners: listeners.map(({ id }) => id),
    sides,
    when,
    task,
    ...asked,
  });
}

/** Returns the questions to the judges, or to `tiebreak`, the judge that is asked if the panel ties. */
function verdictsOf(
  { panel, sides, templates, seed, settings }: Plan,
  facts: readonly Fact[],
  said: readonly Message[],
  tiebreak?: Judge,
): ReturnType<DebateRules["verdicts"]> {
  const { verdictRepeats: repeats, factCap } = settings;
  const notes = notesOn(facts, said);
  const checks = factCap === true ? checksIn(facts) : [];
  const decider = tiebreak ? { judges: [tiebreak.id], tiebreak: true } : {};
  const shared = { sides, seed, repeats, said, notes, checks, ...decider };
  return panel.rubrics.slice(0, tiebreak ? 1 : undefined).flatMap((shown) =>
    verdictQuestions({ ...shown, ...shared, task: taskBy(panel, shown, templates.verdict) })
  );
}

function baseOf(plan: Plan): WorkflowDesign {
  const { settings, templates, moderator, labels, panel, listeners, checking, noting } = plan;
  return {
    kind: "debate",
    chair: MODERATOR,
    rules: describeFormat(settings.debateFormat, moderator !== undefined),
    notes: [
      ...hasOneModel(settings.preset) ? ["One and the same model speaks for all sides."] : [],
      templates.speaking,
      ...describePanel(panel),
      ...panel.judges.length === 0 ? [] : [templates.scoring],
    ],
    roles: {
      ["position_advocate"]: templates.advocate,
      moderator: templates.moderator,
      judge: templates.judge,
      [LISTENER]: templates.listener,
      [NOTE_TAKER]: templates.noteTaker,
      ...checking?.roles,
    },
    judges: [...panel.judges, ...panel.tiebreak ? [panel.tiebreak] : []],
    helpers: [
      ...listeners,
      ...noting === undefined ? [] : [noting.helper],
      ...checking?.helpers ?? [],
    ],
    observers: [
      ...noting === undefined ? [] : [noting.taker.observer],
      ...checking?.observers ?? [],
      ...scorersOf(plan),
    ],
    guards: checking?.guards,
    labels,
    values: valuesOf(plan),
    foldByRounds: moderator !== undefined && settings.roundSummaries,
    summariser: moderator &&
      { id: moderator.id, task: templates.earlySummary, maxTokens: settings.summaryMaxTokens },
    expectedMessages: expectedMessages(plan),
    endReason: (value) => fieldOf(value, "nothingNew") === true ? "nothing_new" : undefined,
    wordedKinds: SPEECHES,
    configuration: configurationOf(plan),
  };
}

function scorersOf(plan: Plan): Observer[] {
  const { settings, panel, sides, templates, checking } = plan;
  return panel.rubrics.map((shown) => {
    const { judges, rubric, order } = shown;
    return scorer({
      judges,
      rubric,
      order,
      task: taskBy(panel, shown, templates.score),
      taskOf: (message, said) => taskOf(plan, message, said),
      byRound: settings.scoreBy !== "round" ? undefined : {
        task: taskBy(panel, shown, templates.scoreRound),
        turnsIn: ({ phase }) => phase === "argument" ? turnsInRound(plan) : sides.length,
      },
      labels: new Map(sides.map(({ id, label }) => [id, label])),
      checkOf: checking?.checkOf,
      factCap: settings.factCap,
    });
  });
}

/** Returns the task of a speech as its judges see it; undefined for other messages. */
export function taskOf(
  { settings, templates, sides }: Pick<Plan, "settings" | "templates" | "sides">,
  { kind, round, replyTo }: Message,
  said: readonly Message[],
): string | undefined {
  const caps = capsOf(settings);
  const isClash = settings.exchange === "clash";
  const tasks = new Map<string, readonly [task: keyof DebateTemplates, cap: keyof typeof caps]>([
    ["opening_statement", [settings.blindOpenings ? "opening" : "openingInTurn", "opening"]],
    ["argument", ["argument", "argument"]],
    ["rebuttal", [isClash ? "rebuttalInClash" : "rebuttal", "argument"]],
    ["reply", [isClash ? "replyInClash" : "reply", "argument"]],
    ["statement", [replyTo === undefined ? "argument" : "statementInAnswer", "argument"]],
    ["closing_statement", ["closing", "closing"]],
  ]);
  const [name, cap] = tasks.get(kind) ?? [];
  if (name === undefined || cap === undefined) return undefined;
  const answered = said.find(({ seq }) => seq === replyTo);
  return fillTemplate(templates[name], {
    round: String(round),
    place: `Round ${round}`,
    opponent: sides.find(({ id }) => id === answered?.participant)?.label ?? "another side",
    answered: String(replyTo ?? ""),
    length: lengthInWords(caps[cap], settings.words),
  });
}

/** Returns the recorded configuration with defaults and preset applied; applying the preset again changes nothing. */
function configurationOf({ settings, moderator }: Plan): Readonly<Record<string, unknown>> {
  const { preset, summaryBy, scoreBy, judgeTemperature, noteModel, tiebreakModel, rubric } =
    settings;
  const audience = listenersGiven(settings).map(({ name, model, agent, persona }) => ({
    name,
    model: agent?.model ?? model,
    persona,
  }));
  return {
    preset,
    ...Object.fromEntries(
      Object.keys(DEBATE_DEFAULTS).map((key) => [key, settings[key as keyof DebateSettings]]),
    ),
    summaryBy,
    ...(moderator === undefined ? { moderation: "none" } : {}),
    rubric: rubric === undefined ? undefined : rubricValue(rubricOf(rubric)),
    scoreBy,
    judgeTemperature,
    noteModel,
    tiebreakModel,
    audience: audience.length === 0 ? undefined : audience,
  };
}

function valuesOf(plan: Plan): PlaceholderValues {
  const { topic, settings, sides } = plan;
  return {
    topic,
    openingLength: String(settings.openingStatementMaxTokens),
    argumentLength: String(settings.argumentMaxTokens),
    closingLength: String(settings.closingStatementMaxTokens),
    roundCount: String(settings.roundCount),
    rounds: roundsOf(settings.roundCount),
    sides: listOf(sides),
    nextSpeaker: inSpeakingOrder(plan)[0]!.label,
  };
}

/** Returns the maximum tokens by kind of turn. */
function capsOf(settings: DebateSettings): DebateRules["caps"] {
  return {
    opening: settings.openingStatementMaxTokens,
    argument: settings.argumentMaxTokens,
    closing: settings.closingStatementMaxTokens,
    summary: settings.summaryMaxTokens,
  };
}

function inSpeakingOrder({ settings, sides, seed }: Plan): readonly Side[] {
  if (settings.speakingOrder === "given") return sides;
  return shuffled(sides, seededRandom(mixSeed(seed, "speaking order")));
}

function turnsInRound({ settings, sides }: Plan): number {
  if (settings.exchange === "alternating") return 1;
  if (settings.exchange === "statements") return sides.length;
  return sides.length ** 2 + (settings.exchange === "clash" ? sides.length : 0);
}

/** Returns the total tokens the sides may use in the planned openings, rounds and closings. */
function spokenTokens(plan: Plan): number {
  const { settings, sides } = plan;
  return settings.roundCount * turnsInRound(plan) * settings.argumentMaxTokens +
    (settings.openings ? sides.length * settings.openingStatementMaxTokens : 0) +
    (settings.closings ? sides.length * settings.closingStatementMaxTokens : 0);
}

/**
 * Returns the maximum number of messages: introduction, openings, rounds, closings and summary. A round has its introduction,
 * its turns, an interruption with an answer for each turn, and its summary.
 */
function expectedMessages(plan: Plan): number {
  const { settings, sides, moderator } = plan;
  const { openings, closings, roundSummaries } = settings;
  const rounds = settings.roundCount + (settings.adaptive ? 1 : 0);
  const turns = rounds * turnsInRound(plan) * (settings.interruptions === "none" ? 1 : 3);
  const spoken = turns + (openings ? sides.length : 0) + (closings ? sides.length : 0);
  if (moderator === undefined) return spoken;
  const isSummed = settings.summaryBy === "moderator";
  // A round of statements begins with its introduction, or follows the summary of the round before.
  const isStated = settings.exchange === "statements" && rounds > 0;
  const introductions = (isStated ? (roundSummaries ? 1 : rounds) : 0) +
    (isStated && !openings ? 0 : 1);
  // The summary of the debate replaces that of a last round that it follows at once.
  const summaries = (isSummed ? 1 : 0) +
    (roundSummaries ? rounds - (rounds > 0 && isSummed && !closings ? 1 : 0) : 0);
  return spoken + introductions + summaries;
}
