// The table of contradictions between settings, in terms of keys; every front door names its own fields for them.
import { ConfigurationError, type FieldProblem } from "../core/error.ts";
import type { Kind } from "./setting.ts";

/** Parts of a debate besides its settings, known once its participants are. */
export interface Present {
  readonly hasModerator: boolean;
  /** True if claims are checked. */
  readonly checksFacts: boolean;
  /** The rubric of the preset, which nobody asked for. */
  readonly presetRubric?: unknown;
}

type Given = Readonly<Record<string, unknown>>;

/** A key that contradicts others. `{key}` in a text stands for another key. */
interface Contradiction {
  readonly key: string;
  /** @default all kinds */
  readonly kinds?: readonly Kind[];
  /**
   * True if the key's value, which is set, contradicts the rest; without `present` the participants are not known
   * yet.
   */
  readonly when: (given: Given, value: unknown, present: Present | undefined) => boolean;
  readonly state: string;
  readonly hint: string;
}

const EVERY_ROLE = "Give {model}, which is every role's.";
const NO_JUDGE = "with {scoringEnabled} false: there is no judge";

/** A key that needs a judge. */
function needsJudge(
  key: string,
  instead: string,
  when: Contradiction["when"] = () => true,
): Contradiction {
  return {
    key,
    kinds: ["debate"],
    when: (given, value, present) =>
      present !== undefined && given["scoringEnabled"] === false && when(given, value, present),
    state: NO_JUDGE,
    hint: `Leave {scoringEnabled} out, or ${instead}.`,
  };
}

const CONTRADICTIONS: readonly Contradiction[] = [
  ...["retrieval", "embeddingModel"].map((key): Contradiction => ({
    key,
    kinds: ["dialogue", "consensus", "debate"],
    when: () => true,
    state: "this is no paper debate",
    hint: `Leave {${key}} out.`,
  })),
  {
    key: "embeddingModel",
    kinds: ["paper-debate"],
    when: ({ retrieval }) => retrieval === undefined || retrieval === "keyword",
    state: "passages are found by keyword, which needs no model",
    hint: "Give {retrieval} semantic or hybrid, or leave {embeddingModel} out.",
  },
  {
    key: "advocateModels",
    kinds: ["dialogue", "consensus", "paper-debate"],
    when: () => true,
    state: "this is no debate",
    hint: EVERY_ROLE,
  },
  {
    key: "judgeModels",
    kinds: ["dialogue", "consensus"],
    when: () => true,
    state: "this is no debate",
    hint: EVERY_ROLE,
  },
  {
    key: "moderatorModel",
    kinds: ["debate"],
    when: ({ moderation }) => moderation === "none",
    state: "there is no moderator",
    hint: "Use {moderation} template or model, or leave {moderatorModel} out.",
  },
  {
    key: "moderatorModel",
    kinds: ["dialogue"],
    when: ({ select }) => select !== "moderator",
    state: "nobody moderates this dialogue",
    hint: "Use it with {select} moderator, or leave {moderatorModel} out.",
  },
  {
    key: "pick",
    kinds: ["paper-debate"],
    when: ({ question }) => question !== undefined,
    state: "{question} says what is debated",
    hint: "Leave {question} out to have questions put to the papers, or leave {pick} out.",
  },
  {
    key: "positions",
    kinds: ["debate"],
    when: ({ participants }) => participants !== undefined,
    state: "beside {participants}: each advocate has a position of its own there",
    hint: "Give each advocate its position under {participants}, or leave {participants} out.",
  },
  {
    key: "moderation",
    kinds: ["debate"],
    when: (_given, value, present) => present?.hasModerator === true && value === "none",
    state: "there is a moderator",
    hint: "Leave the moderator out of the {participants}, or {moderation} out.",
  },
  {
    key: "interruptions",
    kinds: ["debate"],
    when: (_given, value, present) => present?.hasModerator === false && value !== "none",
    state: "there is no moderator to interrupt",
    hint: 'Have a moderator, or use {interruptions} "none".',
  },
  {
    key: "interruptions",
    kinds: ["debate"],
    when: (_given, value, present) =>
      present?.checksFacts === false && (value === "facts" || value === "both"),
    state: "claims are not checked",
    hint: 'Turn {factCheck} on, or use {interruptions} "rules" or "none".',
  },
  {
    key: "adaptive",
    kinds: ["debate"],
    when: (_given, value, present) => present?.hasModerator === false && value === true,
    state: "there is no moderator to review the rounds",
    hint: "Have a moderator, or leave {adaptive} out.",
  },
  {
    key: "noteModel",
    kinds: ["debate"],
    when: ({ flow }) => flow !== true,
    state: "no notes are taken",
    hint: "Turn {flow} on, or leave {noteModel} out.",
  },
  {
    key: "summaryBy",
    kinds: ["debate"],
    when: (_given, value, present) => present?.hasModerator === false && value === "moderator",
    state: "there is no moderator",
    hint: 'Use {summaryBy} "judge" or "none", or have a moderator.',
  },
  needsJudge(
    "summaryBy",
    'use {summaryBy} "moderator" or "none"',
    (_given, value) => value === "judge",
  ),
  needsJudge("baseline", "use {baseline} false", (_given, value) => value === true),
  needsJudge("scoreBy", "leave {scoreBy} out", (_given, value) => value === "round"),
  needsJudge("judges", "leave {judges} out"),
  needsJudge(
    "rubric",
    "leave {rubric} out",
    (_given, value, present) => value !== present?.presetRubric,
  ),
  needsJudge("judgeTemperature", "leave {judgeTemperature} out"),
  needsJudge("tiebreakModel", "leave {tiebreakModel} out"),
  {
    key: "tiebreakModel",
    kinds: ["debate"],
    when: ({ decision }) => decision === "audience",
    state: 'with {decision} "audience": no vote of a judge decides',
    hint: 'Leave {tiebreakModel} out, or use {decision} "judges".',
  },
  needsJudge("verdictRepeats", "use {verdictRepeats} 0", (_given, value) => value !== 0),
  {
    key: "pacing",
    kinds: ["debate"],
    when: ({ exchange }, value, present) =>
      present !== undefined && exchange === "alternating" && value === "simultaneous",
    state: 'with {exchange} "alternating": a round is one turn',
    hint: 'Use {pacing} "sequential", or {exchange} "rebuttals" or "statements".',
  },
  {
    key: "roundCount",
    kinds: ["debate"],
    when: ({ openings, closings }, value, present) =>
      present !== undefined && value === 0 && openings === false && closings === false,
    state: "without {openings} and {closings}: nothing is said",
    hint: "Have one round or more, or opening or closing statements.",
  },
];

/** The words of a front door: how a key and its value are called, and how another key is. */
export interface KeyWords {
  /** The name of a key. */
  readonly name: (key: string) => string;
  /** A key's value after its name; a value of several parts is not shown. */
  readonly shown?: (value: unknown, key: string) => string;
}

const KEYS: KeyWords = { name: (key) => key };

function contradictionsIn(
  given: Given,
  present?: Present,
  { name, shown = shownValue }: KeyWords = KEYS,
): FieldProblem[] {
  const worded = (text: string) => text.replace(/\{(\w+)\}/g, (_, key: string) => name(key));
  return CONTRADICTIONS.flatMap(({ key, kinds, when, state, hint }) => {
    const value = given[key];
    const isOf = kinds === undefined || kinds.some((kind) => kind === given["kind"]);
    if (!isOf || value === undefined || !when(given, value, present)) return [];
    const why = /^(?:with|without|beside) /.test(state)
      ? ` ${worded(state)}`
      : `: ${worded(state)}`;
    return [{
      field: name(key),
      message: `Cannot use ${name(key)}${shown(value, key)}${why}`,
      hint: worded(hint),
    }];
  });
}

/** Rejects a configuration that contradicts itself. */
export function refuseContradictions(given: Given, present?: Present, words?: KeyWords): void {
  const problems = contradictionsIn(given, present, words);
  if (problems.length > 0) throw ConfigurationError.of(problems);
}

function shownValue(value: unknown): string {
  if (typeof value !== "object" || value === null) return ` ${JSON.stringify(value)}`;
  return "id" in value ? ` ${JSON.stringify(value.id)}` : "";
}
