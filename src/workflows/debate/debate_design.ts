import { ConfigurationError } from "../../core/error.ts";
import type { Verdict } from "../../core/fact.ts";
import type { Message } from "../../core/message.ts";
import { capFor } from "../../core/guard.ts";
import { labelsOf, mergeTemplates, type PlaceholderValues } from "../../core/prompt.ts";
import { mixSeed, seededRandom, shuffled } from "../../core/random.ts";
import type { Rubric } from "../../core/scoring.ts";
import type { Question } from "../../core/turn.ts";
import type { Participant } from "../../participants/participant.ts";
import { scorer } from "../observers/scorer.ts";
import type { Judge, WorkflowDesign } from "../workflow_options.ts";
import { DEBATE_DEFAULTS, type DebateWorkflowConfig } from "./debate_options.ts";
import { debateRubric, describeRubric, FORMATS } from "./formats.ts";
import { DEBATE_TEMPLATES, type DebateTemplates } from "./prompts.ts";
import type { DebateRules, Side } from "./protocol.ts";
import { verdictQuestions } from "./verdict.ts";

/** A debate's settings with the defaults filled in. */
type Settings =
  & Omit<DebateWorkflowConfig, keyof typeof DEBATE_DEFAULTS>
  & {
    readonly [K in keyof typeof DEBATE_DEFAULTS]: NonNullable<DebateWorkflowConfig[K]>;
  };

/** Everything the parts of a debate are made from. */
interface Plan {
  readonly topic: string;
  readonly settings: Settings;
  readonly templates: DebateTemplates;
  readonly moderator: Participant | undefined;
  /** How prompts name each participant, by id. */
  readonly labels: ReadonlyMap<string, string>;
  readonly sides: readonly Side[];
  readonly judges: readonly Judge[];
  readonly rubric: Rubric;
  /** The criterion ids in the order they are shown, drawn from the seed. */
  readonly order: readonly string[];
}

/** The rules of a debate, and what the base class needs to know of it. */
export function designOf(
  topic: string,
  participants: readonly Participant[],
  config: DebateWorkflowConfig & { readonly seed: number },
): { rules: DebateRules; design: WorkflowDesign } {
  const settings = withWords({ ...DEBATE_DEFAULTS, ...defined(config) } as Settings);
  const { moderator, labels, sides } = castOf(participants, config.model);
  if (moderator !== undefined && settings.moderation === "none") {
    throw new ConfigurationError('Cannot use moderation "none": there is a moderator', {
      field: "moderation",
      hint: "Leave the moderator out of the participants, or moderation out of the configuration.",
    });
  }
  const rubric = debateRubric(settings.debateFormat);
  const random = seededRandom(mixSeed(config.seed, "rubric"));
  const plan: Plan = {
    topic,
    settings,
    templates: mergeTemplates(DEBATE_TEMPLATES, config.prompts),
    moderator,
    labels,
    sides,
    judges: settings.scoringEnabled ? judgesOf(participants, { moderator, config, rubric }) : [],
    rubric,
    order: shuffled(rubric.criteria.map(({ id }) => id), random),
  };
  return { rules: rulesOf(plan), design: baseOf(plan) };
}

function rulesOf(plan: Plan): DebateRules {
  const { settings, templates, moderator, sides } = plan;
  return {
    moderator: moderator?.id,
    advocates: sides,
    rounds: settings.roundCount,
    blindOpenings: settings.blindOpenings,
    simultaneous: settings.pacing === "simultaneous",
    reversedClosings: settings.closingOrder === "reversed",
    roundSummaries: settings.roundSummaries,
    templateIntroduction: settings.moderation === "template",
    caps: {
      opening: settings.openingStatementMaxTokens,
      argument: settings.argumentMaxTokens,
      closing: settings.closingStatementMaxTokens,
      summary: settings.summaryMaxTokens,
    },
    templates,
    values: valuesOf(plan),
    verdicts: (speeches) => verdictsOf(plan, speeches),
  };
}

/** A range of words raises the token caps of the advocates' turns to twice its words. */
function withWords(settings: Settings): Settings {
  const { words, openingStatementMaxTokens, argumentMaxTokens, closingStatementMaxTokens } =
    settings;
  return {
    ...settings,
    openingStatementMaxTokens: capFor(words, openingStatementMaxTokens),
    argumentMaxTokens: capFor(words, argumentMaxTokens),
    closingStatementMaxTokens: capFor(words, closingStatementMaxTokens),
  };
}

function verdictsOf(
  { judges, sides, rubric, order, templates }: Plan,
  speeches: readonly Message[],
): Question<unknown, Verdict>[] {
  const ids = judges.map(({ id }) => id);
  return verdictQuestions({ judges: ids, sides, rubric, order, task: templates.verdict }, speeches);
}

function baseOf(plan: Plan): WorkflowDesign {
  const { settings, templates, moderator, labels, sides, judges, rubric, order } = plan;
  const { rules, tone, moderation } = FORMATS[settings.debateFormat];
  const speakers = new Map(sides.map(({ id, label }) => [id, label]));
  return {
    kind: "debate",
    rules: `This is a debate. ${rules} ${tone} ${moderation}`,
    notes: settings.scoringEnabled ? [describeRubric(rubric, order)] : [],
    roles: {
      ["position_advocate"]: templates.advocate,
      moderator: templates.moderator,
      judge: templates.judge,
    },
    judges,
    observers: settings.scoringEnabled
      ? [scorer({
        judges: judges.map(({ id }) => id),
        rubric,
        order,
        task: templates.score,
        labels: speakers,
      })]
      : [],
    labels,
    values: valuesOf(plan),
    foldByRounds: moderator !== undefined && settings.roundSummaries,
    summariser: moderator &&
      { id: moderator.id, task: templates.earlySummary, maxTokens: settings.summaryMaxTokens },
    expectedMessages: expectedMessages(plan),
    wordsApply: ({ speaker }) => speakers.has(speaker),
    configuration: {
      ...Object.fromEntries(
        Object.keys(DEBATE_DEFAULTS).map((key) => [key, settings[key as keyof Settings]]),
      ),
      ...(moderator === undefined ? { moderation: "none" } : {}),
      judgeTemperature: settings.judgeTemperature,
    },
  };
}

/** The moderator and the sides; refused unless there are two sides that differ, and one moderator at most. */
function castOf(
  participants: readonly Participant[],
  model: string | undefined,
): Pick<Plan, "moderator" | "labels" | "sides"> {
  const moderators = participants.filter(({ role }) => role === "moderator");
  const advocates = participants.filter(({ role }) => role === "position_advocate");
  const odd = participants.find(({ role }) => role !== "moderator" && role !== "position_advocate");
  if (odd !== undefined || moderators.length > 1 || advocates.length < 2) {
    throw new ConfigurationError(
      odd === undefined
        ? `Cannot hold a debate with ${moderators.length} moderators and ${advocates.length} advocates`
        : `Cannot give "${odd.name}" a part in a debate: its role is ${odd.role}`,
      {
        field: "participants",
        hint: "A debate has at most one moderator and two or more of the role position_advocate.",
      },
    );
  }
  const labels = labelsOf(
    participants.map((each) => ({ ...each, model: each.agent?.model ?? each.model ?? model })),
  );
  const sides = advocates.map(({ id, position = "" }) => ({
    id,
    position,
    label: labels.get(id)!,
  }));
  const positions = new Set(sides.map(({ position }) => position.trim().toLowerCase()));
  if (positions.size < sides.length || positions.has("")) {
    throw new ConfigurationError(
      "Cannot hold a debate: two advocates have the same position, or one has none",
      {
        field: "positions",
        hint: "Give every advocate a position of its own.",
      },
    );
  }
  return { moderator: moderators[0], labels, sides };
}

function judgesOf(
  participants: readonly Participant[],
  { moderator, config, rubric }: {
    moderator: Participant | undefined;
    config: DebateWorkflowConfig;
    rubric: Rubric;
  },
): Judge[] {
  const given = config.judges ?? [{}];
  const taken = new Set(participants.map(({ id }) => id));
  return given.map((judge, index) => {
    const number = given.length === 1 ? "" : `-${index + 1}`;
    const id = judge.id ?? (taken.has(`judge${number}`) ? `the-judge${number}` : `judge${number}`);
    if (taken.has(id)) {
      throw new ConfigurationError(`Cannot use judge id "${id}": it is taken`, { field: "judges" });
    }
    taken.add(id);
    const named = judge.agent !== undefined || judge.model !== undefined;
    return {
      id,
      name: judge.name ?? (given.length === 1 ? "Judge" : `Judge ${index + 1}`),
      model: named ? judge.model : moderator?.model,
      agent: named ? judge.agent : moderator?.agent,
      temperature: judge.temperature ?? config.judgeTemperature,
      rubric: rubric.id,
    };
  });
}

function valuesOf({ topic, settings, sides }: Plan): PlaceholderValues {
  return {
    topic,
    openingLength: String(settings.openingStatementMaxTokens),
    argumentLength: String(settings.argumentMaxTokens),
    closingLength: String(settings.closingStatementMaxTokens),
    roundCount: String(settings.roundCount),
    rounds: settings.roundCount === 1 ? "one round" : `${settings.roundCount} rounds`,
    sides: sides.map(({ label, position }) => `- ${label}: ${position.replace(/\s+/g, " ")}`).join(
      "\n",
    ),
    nextSpeaker: sides[0]!.label,
  };
}

/** Introduction, openings, per round an argument and its rebuttals for each side and a summary, closings, summary. */
function expectedMessages({ settings, sides, moderator }: Plan): number {
  const { length } = sides;
  const perRound = length * length + (moderator !== undefined && settings.roundSummaries ? 1 : 0);
  return 2 * length + settings.roundCount * perRound + (moderator === undefined ? 0 : 2);
}

function defined<T extends object>(options: T): T {
  return Object.fromEntries(
    Object.entries(options).filter(([, value]) => value !== undefined),
  ) as T;
}
