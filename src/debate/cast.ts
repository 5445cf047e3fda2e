// The participants and the judges of a debate.
import { ConfigurationError } from "../core/error.ts";
import { labelsOf } from "../core/prompt.ts";
import { freeId, type Participant } from "../core/participant.ts";
import { mixSeed, seededRandom, shuffled } from "../core/statistics.ts";
import { checkRubric, rubricNamed, RUBRICS } from "../judging/scoring.ts";
import type { Rubric } from "../core/outcome.ts";
import type { Judge } from "../engine/workflow_options.ts";
import type { DebateWorkflowConfig } from "./settings.ts";
import { checkSides, describeRubric, hasOneModel } from "./formats.ts";
import type { Side } from "./rules.ts";
import { counted } from "../core/text.ts";

export interface Cast {
  readonly moderator: Participant | undefined;
  /** Names in prompts by participant id. */
  readonly labels: ReadonlyMap<string, string>;
  readonly sides: readonly Side[];
}

/** Returns the speakers. Throws a `ConfigurationError` for wrong roles or numbers, and for missing or equal positions. */
export function castOf(
  participants: readonly Participant[],
  { model, preset }: Pick<DebateWorkflowConfig, "model" | "preset">,
): Cast {
  const moderators = participants.filter(({ role }) => role === "moderator");
  const advocates = participants.filter(({ role }) => role === "position_advocate");
  const odd = participants.find(({ role }) => role !== "moderator" && role !== "position_advocate");
  if (odd !== undefined || moderators.length > 1 || advocates.length < 2) {
    const [chairs, sides] = [counted(moderators.length, "moderator"), advocates.length];
    const message = odd === undefined
      ? `Cannot hold a debate with ${chairs} and ${counted(sides, "advocate")}`
      : `Cannot give "${odd.name}" a part in a debate: its role is ${odd.role}`;
    throw new ConfigurationError(message, {
      field: "participants",
      hint:
        "A debate has at most one moderator and one fact_checker, and two or more of position_advocate; judges are listed under judges.",
    });
  }
  checkSides(preset, advocates.length);
  if (hasOneModel(preset)) checkOneModel(advocates, model);
  const labels = labelsOf(
    participants.map((each) => ({ ...each, model: each.agent?.model ?? each.model ?? model })),
  );
  const sides = advocates.map(({ id, position = "" }) => ({
    id,
    position,
    label: labels.get(id)!,
  }));
  checkPositions(sides);
  return { moderator: moderators[0], labels, sides };
}

function checkPositions(sides: readonly Side[]): void {
  const positions = new Set(sides.map(({ position }) => position.trim().toLowerCase()));
  if (positions.size === sides.length && !positions.has("")) return;
  throw new ConfigurationError(
    "Cannot hold a debate: two advocates have the same position, or one has none",
    { field: "positions", hint: "Give every advocate a position of its own." },
  );
}

function checkOneModel(advocates: readonly Participant[], model: string | undefined): void {
  const models = advocates.map((each) => each.agent?.model ?? each.model ?? model);
  if (new Set(models).size === 1) return;
  const named = advocates.map(({ name }, index) =>
    `"${name}" has ${models[index] === undefined ? "the usual model" : `model "${models[index]}"`}`
  );
  throw new ConfigurationError(
    `Cannot use preset "self-play": one model speaks for all sides, but ${named.join(", ")}`,
    { field: "participants", hint: "Give all advocates one model, or none; or leave preset out." },
  );
}

export interface ShownRubric {
  readonly rubric: Rubric;
  /** Criterion ids in the order shown, drawn from the seed. */
  readonly order: readonly string[];
  /** Ids of the judges that use the rubric. */
  readonly judges: readonly string[];
}

export interface JudgePanel {
  readonly judges: readonly Judge[];
  /** Judge asked only if the others tie; uses the first rubric. @default none */
  readonly tiebreak?: Judge | undefined;
  /** Rubrics in use, the first judge's first. */
  readonly rubrics: readonly ShownRubric[];
}

interface PanelOptions {
  readonly config: Pick<DebateWorkflowConfig, "judges" | "judgeTemperature" | "rubric"> & {
    readonly tiebreakModel?: string | undefined;
  };
  readonly seed: number;
  /** Rubric of judges without a configured one. */
  readonly defaultRubric: Rubric;
  readonly participants: readonly Participant[];
  readonly moderator: Participant | undefined;
}

/** Returns the judges and their rubrics. Throws a `ConfigurationError` if an id is taken or two rubrics share an id. */
export function panelOf(options: PanelOptions): JudgePanel {
  const { config, seed, defaultRubric } = options;
  const rubric = config.rubric === undefined ? defaultRubric : rubricOf(config.rubric);
  const seated = seatsOf(options).map(({ given, ...seat }) => {
    const own = given.rubric === undefined ? rubric : rubricOf(given.rubric);
    const ownRubric = isSameRubric(own, rubric) ? undefined : rubricValue(own);
    return { rubric: own, judge: { ...seat, rubric: own.id, ownRubric } };
  });
  const rubrics = new Map<string, { rubric: Rubric; judges: string[] }>();
  for (const { rubric: own, judge } of seated) {
    const known = rubrics.getOrInsert(own.id, { rubric: own, judges: [] });
    if (!isSameRubric(known.rubric, own)) {
      throw rubricConflict(own.id, "two judges have different rubrics with this id");
    }
    known.judges.push(judge.id);
  }
  const taken = new Set(
    [...options.participants, ...seated.map(({ judge }) => judge)].map(({ id }) => id),
  );
  return {
    judges: seated.map(({ judge }) => judge),
    tiebreak: config.tiebreakModel === undefined ? undefined : {
      id: freeId("tiebreak", taken),
      name: "Tie-break judge",
      model: config.tiebreakModel,
      temperature: config.judgeTemperature,
      rubric: seated[0]!.rubric.id,
      tiebreak: true,
    },
    rubrics: [...rubrics.values()].map((each) => ({
      ...each,
      order: shuffled(
        each.rubric.criteria.map(({ id }) => id),
        seededRandom(mixSeed(seed, "rubric")),
      ),
    })),
  };
}

/** Returns a description of each rubric in use, with the names of its judges if there are several rubrics. */
export function describePanel({ judges, rubrics }: JudgePanel): string[] {
  if (rubrics.length === 1) {
    return rubrics.map(({ rubric, order }) => describeRubric(rubric, order));
  }
  const names = new Map(judges.map(({ id, name }) => [id, name]));
  return rubrics.map(({ rubric, order, judges: ids }) =>
    `Rubric "${rubric.id}", of the judge${ids.length === 1 ? "" : "s"} ${
      ids.map((id) => names.get(id)).join(", ")
    }. ${describeRubric(rubric, order)}`
  );
}

/** Returns a judge's task, with the name of the rubric if there are several rubrics. */
export function taskBy({ rubrics }: JudgePanel, { rubric }: ShownRubric, task: string): string {
  return rubrics.length === 1 ? task : `Your rubric is "${rubric.id}". ${task}`;
}

/** Returns the rubric as a configuration states it: the id of a built-in rubric, else the whole rubric. */
export function rubricValue(rubric: Rubric): string | Rubric {
  return RUBRICS.includes(rubric.id) ? rubric.id : rubric;
}

/** Returns the named or given rubric. Throws a `ConfigurationError` if a given rubric has the id of a different built-in one. */
export function rubricOf(value: string | Rubric): Rubric {
  if (typeof value === "string") return rubricNamed(value);
  const rubric = checkRubric(value);
  if (RUBRICS.includes(rubric.id) && !isSameRubric(rubric, rubricNamed(rubric.id))) {
    throw rubricConflict(
      rubric.id,
      "a built-in rubric has this id, and this is a different rubric",
    );
  }
  return rubric;
}

function rubricConflict(id: string, state: string): ConfigurationError {
  return new ConfigurationError(`Cannot use rubric "${id}": ${state}`, {
    field: "rubric",
    hint: "Give every rubric an id of its own.",
  });
}

function isSameRubric(a: Rubric, b: Rubric): boolean {
  const plain = ({ id, scale, criteria, anchors }: Rubric) =>
    JSON.stringify([
      id,
      scale,
      criteria.map((
        { id, weight, description, answers = false, evidence = false, anchors },
      ) => [id, weight, description, answers, evidence, anchors]),
      anchors.map(({ from, means }) => [from, means]),
    ]);
  return a === b || plain(a) === plain(b);
}

type Seat = Omit<Judge, "rubric"> & {
  readonly given: NonNullable<DebateWorkflowConfig["judges"]>[number];
};

function seatsOf({ config, participants, moderator }: PanelOptions): Seat[] {
  const all = config.judges ?? [{}];
  const taken = new Set(participants.map(({ id }) => id));
  return all.map((given, index) => {
    const number = all.length === 1 ? "" : `-${index + 1}`;
    const id = given.id ?? (taken.has(`judge${number}`) ? `the-judge${number}` : `judge${number}`);
    if (taken.has(id)) {
      throw new ConfigurationError(`Cannot use judge id "${id}": it is taken`, {
        field: "judges",
        hint: "Give each judge an id of its own.",
      });
    }
    taken.add(id);
    const named = given.agent !== undefined || given.model !== undefined;
    return {
      given,
      id,
      name: given.name ?? (all.length === 1 ? "Judge" : `Judge ${index + 1}`),
      model: named ? given.model : moderator?.model,
      agent: named ? given.agent : moderator?.agent,
      temperature: given.temperature ?? config.judgeTemperature,
      reasoningEffort: given.reasoningEffort,
    };
  });
}
