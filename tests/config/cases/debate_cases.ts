// Effects of keys about debates.
import { EARLIER_RULES } from "../../support/earlier_rules.ts";
import { promptOf } from "../../support/talkers.ts";
import { type Difference, differs, type KeyCase } from "../support/key_case.ts";
import { modelOf } from "./check_cases.ts";
import type { Seen } from "../support/holding.ts";

/** Returns a case of debates under the earlier rules, except for presets. */
export function debates<T>(difference: Omit<Difference<T>, "kinds">): KeyCase {
  const rules = difference.key === "preset" ? {} : EARLIER_RULES;
  return differs({ ...difference, base: { ...rules, ...difference.base }, kinds: ["debate"] });
}

/** Returns a case of debates and paper debates. */
export function judged<T>(difference: Omit<Difference<T>, "kinds">): KeyCase {
  return differs({ ...difference, kinds: JUDGED });
}

/** Kinds with scores by judges. */
export const JUDGED = ["debate", "paper-debate"] as const;

/** Returns the kinds of messages in order. */
export function kindsOf({ messages }: Seen): string[] {
  return messages.map(({ kind }) => kind);
}

/** Returns the common beginning of every prompt. */
export function preambleOf({ requests }: Seen): string {
  return requests[0]!.messages[0]!.content;
}

function count(kind: string): (seen: Seen) => number {
  return (seen) => kindsOf(seen).filter((each) => each === kind).length;
}

function choices(kind: string): (seen: Seen) => number {
  return ({ facts }) => facts.filter((fact) => fact.type === "choice" && fact.kind === kind).length;
}

/** Returns the most tokens of the first request for a turn of a kind. */
export function capOf(kind: string): (seen: Seen) => number | undefined {
  return ({ requests }) => requests.find(({ context }) => context.kind === kind)?.maxTokens;
}

function speakersOf(kind: string): (seen: Seen) => string {
  return ({ messages }) =>
    messages.filter((message) => message.kind === kind).map(({ participant }) => participant)
      .join(" ");
}

const NO_NAMES = { participants: undefined };

/** Keys of a debate's structure. */
const COURSE_CASES: readonly KeyCase[] = [
  debates({
    key: "positions",
    changes: "what the sides stand for, and how many there are",
    base: NO_NAMES,
    value: ["Trams", "Bicycles", "Feet"],
    of: (
      seen,
    ) => [count("opening_statement")(seen), preambleOf(seen).includes("Advocate B: Bicycles")],
    is: [[2, false], [3, true]],
  }),
  debates({
    key: "preset",
    changes: "what a debate is unless it is told otherwise",
    value: "alternating",
    of: (seen) => [...new Set(kindsOf(seen))],
    is: [
      [
        ...["introduction", "opening_statement", "argument", "rebuttal", "reply"],
        ...["round_summary", "closing_statement", "summary"],
      ],
      ["argument"],
    ],
  }),
  debates({
    key: "debateFormat",
    changes: "the rules that all are told",
    value: "casual",
    of: (seen) => /a (\w+) debate/.exec(preambleOf(seen))?.[1],
    is: ["formal", "casual"],
  }),
  debates({
    key: "exchange",
    changes: "what a round is",
    value: "statements",
    of: (seen) => [count("rebuttal")(seen), count("statement")(seen)],
    is: [[2, 0], [0, 2]],
  }),
  debates({
    key: "openings",
    changes: "whether there are opening statements",
    value: false,
    of: count("opening_statement"),
    is: [2, 0],
  }),
  debates({
    key: "closings",
    changes: "whether there are closing statements",
    value: false,
    of: count("closing_statement"),
    is: [2, 0],
  }),
  debates({
    key: "roundCount",
    changes: "how many rounds there are",
    value: 3,
    of: count("argument"),
    is: [2, 6],
  }),
  debates({
    key: "pacing",
    changes: "whether all argue before anyone rebuts",
    value: "simultaneous",
    of: (seen) => kindsOf(seen).slice(3, 7).join(" "),
    is: ["argument rebuttal argument rebuttal", "argument argument rebuttal rebuttal"],
  }),
  debates({
    key: "closingOrder",
    changes: "who closes first",
    value: "reversed",
    of: speakersOf("closing_statement"),
    is: ["ada ben", "ben ada"],
  }),
  debates({
    key: "blindClosings",
    changes: "whether a closing is written in the knowledge of the one before",
    value: true,
    of: ({ requests }) =>
      promptOf(requests.find(({ context }) => context.key === "closing/ben")!)
        .includes("Speech for closing/ada"),
    is: [true, false],
  }),
  debates({
    key: "speakingOrder",
    changes: "who opens, by the seed",
    base: { seed: 2 },
    value: "drawn",
    of: speakersOf("opening_statement"),
    is: ["ada ben", "ben ada"],
  }),
  debates({
    key: "blindOpenings",
    changes: "whether an opening is written in the knowledge of the one before",
    value: false,
    of: ({ requests }) =>
      promptOf(requests.find(({ context }) => context.key === "opening/ben")!)
        .includes("Speech for opening/ada"),
    is: [false, true],
  }),
  debates({
    key: "turnForm",
    changes: "whether a turn is reflected on before it is said",
    value: "rcr",
    of: ({ facts }) => facts.filter(({ type }) => type === "draft").length,
    is: [0, 6],
  }),
  debates({
    key: "adaptive",
    changes: "whether rounds end early when nothing new is said",
    base: { roundCount: 4 },
    value: true,
    held: {
      say: ({ context: { kind } }) =>
        kind === "round_review"
          ? { text: JSON.stringify({ reason: "The same again.", ["anything_new"]: false }) }
          : undefined,
    },
    of: (seen) => [count("argument")(seen), seen.result?.endReason],
    is: [[8, "completed"], [4, "nothing_new"]],
  }),
];

/** Keys of the moderator and of lengths. */
const MODERATION_CASES: readonly KeyCase[] = [
  debates({
    key: "moderation",
    changes: "whether the moderator's introduction is asked of a model",
    value: "model",
    of: ({ requests }) => requests.some(({ context }) => context.kind === "introduction"),
    is: [false, true],
  }),
  debates({
    key: "moderatorModel",
    changes: "the moderator's model",
    value: "chair",
    held: { server: {} },
    of: ({ messages }) => messages.find(({ kind }) => kind === "summary")?.model,
    is: ["one", "chair"],
  }),
  debates({
    key: "interruptions",
    changes: "whether the moderator interrupts",
    value: "rules",
    of: (seen) => count("interruption")(seen) > 0,
    is: [false, true],
  }),
  debates({
    key: "flow",
    changes: "whether points are noted",
    value: true,
    of: ({ facts }) => facts.some(({ type }) => type === "flow"),
    is: [false, true],
  }),
  debates({
    key: "noteModel",
    changes: "the model that notes points",
    base: { flow: true },
    value: "finder",
    held: { server: {} },
    of: (seen) => modelOf(seen, "notes"),
    is: ["one", "finder"],
  }),
  debates({
    key: "roundSummaries",
    changes: "whether rounds are summed up",
    value: false,
    of: count("round_summary"),
    is: [1, 0],
  }),
  debates({
    key: "summaryBy",
    changes: "who sums up the whole",
    value: "judge",
    of: (seen) => [count("summary")(seen), choices("summary")(seen)],
    is: [[1, 0], [0, 1]],
  }),
  debates({
    key: "summaryBy",
    changes: "whether anyone sums up",
    value: "none",
    of: (seen) => [count("summary")(seen), choices("summary")(seen)],
    is: [[1, 0], [0, 0]],
  }),
  ...([
    ["openingStatementMaxTokens", "opening_statement", 300],
    ["argumentMaxTokens", "argument", 250],
    ["closingStatementMaxTokens", "closing_statement", 350],
    ["summaryMaxTokens", "summary", 400],
  ] as const).map(([key, kind, usual]) =>
    debates({
      key,
      changes: `the most tokens of an ${kind.replace("_", " ")}`,
      value: 120,
      of: capOf(kind),
      is: [usual, 120],
    })
  ),
  debates({
    key: "generateFullTranscript",
    changes: "whether a whole transcript is written",
    value: true,
    of: ({ files }) => files.has("transcript.md"),
    is: [false, true],
  }),
  ...[["markdown", "md"], ["text", "txt"], ["json", "json"]].map(([value, suffix]) =>
    debates({
      key: "outputFormat",
      changes: `whether a transcript is written as ${value}`,
      value,
      of: ({ files }) => files.has(`transcript.${suffix}`),
      is: [false, true],
    })
  ),
];

/** Keys of debates alone, except those of judges. */
export const DEBATE_CASES: readonly KeyCase[] = [...COURSE_CASES, ...MODERATION_CASES];
