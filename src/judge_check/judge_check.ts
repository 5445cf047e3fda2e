// Measures a judge's biases: asks about pairs of short speeches in both orders and with both labels, and computes a profile.
import { parse } from "@std/yaml";
import { z } from "zod";
import type { Choice } from "../core/fact.ts";
import type { Participant } from "../core/participant.ts";
import { textsOf } from "../core/prompt.ts";
import { beginQuestions, type Protocol, say, settle } from "../core/protocol.ts";
import {
  type Confidence,
  CONFIDENCE95,
  intervalOfEqual,
  mean,
  quantileOfT,
  round4,
  standardDeviation,
} from "../core/statistics.ts";
import { fixed } from "../core/text.ts";
import { choiceQuestion, type Question } from "../core/turn.ts";
import data from "../data/judge_check.yaml" with { type: "text" };
import texts from "../data/prompts/judge_check.json" with { type: "json" };
import { DialogueWorkflow } from "../engine/dialogue_workflow.ts";
import type { WorkflowOptions } from "../engine/workflow_options.ts";

const TEXTS = textsOf(texts);
const REPLY = z.object({ reasons: z.string().min(1), winner: z.enum(["A", "B", "tie"]) });
/** Token cap of a reply: 60 words of reasons, and the winner. */
const REPLY_TOKENS = 200;
/** A quick check uses every third item. */
const QUICK = 3;

type Item = Readonly<Record<"topic" | "speech" | Sort, string>>;

/** A pass before the judge has answered. */
interface PlannedPass extends Pick<Pass, "sort" | "pair" | "variantFirst" | "variantIsA"> {
  readonly item: Item;
}

/** The check of one judge: 84 pairs and 336 questions, or a third of them. */
export class JudgeCheck extends DialogueWorkflow<JudgeProfile> {
  readonly #passes: readonly PlannedPass[];

  /** Creates a check without starting it. `cast` holds the clerk and the judge, in this order. */
  constructor(
    topic: string,
    cast: readonly Participant[],
    options: WorkflowOptions & { readonly quick: boolean },
  ) {
    const texts = { rules: TEXTS.rules, roles: { participant: TEXTS.judge } };
    super(topic, cast, { ...options, design: { ...options.design, ...texts } });
    this.#passes = passesOf(items(), { quick: options.quick });
  }

  protected override *protocol(): Protocol<JudgeProfile> {
    const [clerk, judge] = this.participants;
    const questions = this.#passes.map((pass) => questionOf(pass, judge!.id));
    const answers = yield* settle(yield* beginQuestions(questions));
    const passes = this.#passes.map(({ item: _, ...pass }, index) => ({
      ...pass,
      choice: choiceOf(pass, answers[index]!),
    }));
    const profile = profileOf(passes);
    yield* say({
      key: "profile",
      speaker: clerk!.id,
      phase: "check",
      kind: "profile",
      round: 0,
      task: "",
      text: profileText(profile),
    });
    return profile;
  }
}

function items(): readonly Item[] {
  const given = parse(data, { schema: "core" }) as Omit<Item, "same">[];
  return given.map((item) => ({ ...item, same: item.speech }));
}

function passesOf(items: readonly Item[], { quick }: { readonly quick: boolean }): PlannedPass[] {
  const chosen = quick ? items.filter((_, index) => index % QUICK === 0) : items;
  const both = [true, false];
  return SORTS.flatMap((sort) =>
    chosen.flatMap((item, index) =>
      both.flatMap((variantFirst) =>
        both.map((variantIsA) => ({ sort, pair: index + 1, variantFirst, variantIsA, item }))
      )
    )
  );
}

function questionOf(
  { sort, pair, variantFirst, variantIsA, item }: PlannedPass,
  judge: string,
): Question<z.infer<typeof REPLY>, Choice> {
  const variant = speech(variantIsA ? "A" : "B", item[sort]);
  const original = speech(variantIsA ? "B" : "A", item.speech);
  const shown = variantFirst ? [variant, original] : [original, variant];
  return choiceQuestion({
    key: `${sort}/${pair}/${variantFirst ? "first" : "last"}/${variantIsA ? "a" : "b"}`,
    seq: 1,
    asked: judge,
    phase: "check",
    kind: "pair",
    round: 0,
    notes: [`The question: ${item.topic}`, ...shown].join("\n\n"),
    task: TEXTS.pair,
    maxTokens: REPLY_TOKENS,
    schema: { name: "verdict", type: REPLY },
    valueOf: (reply) => reply?.winner ?? null,
    reasonsOf: ({ reasons }) => reasons,
  });
}

function speech(label: string, text: string): string {
  return `<speech label="${label}">\n${text}\n</speech>`;
}

function choiceOf(
  { variantIsA }: Pick<Pass, "variantIsA">,
  { value }: Choice,
): Pass["choice"] {
  if (value !== "A" && value !== "B") return value === "tie" ? "tie" : null;
  return (value === "A") === variantIsA ? "variant" : "speech";
}

/** With fewer pairs of a sort, equal choices in all of them are no rare chance: 1 of 8 for four pairs. */
const FEW = 8;

/** Renders a profile as markdown: a sentence for each bias, then the table of measures. */
export function profileText(profile: JudgeProfile): string {
  const rows = [
    ["right choices", profile.right],
    ["same choice in every order and label", profile.steady],
    ...Object.entries(profile.preferences).map(([key, found]) =>
      [`prefers ${PREFERENCES[key as keyof typeof PREFERENCES][0]}`, found] as const
    ),
  ] as const;
  const isFew = Object.values(profile.preferences).some(({ pairs }) => pairs < FEW);
  return [
    profile.preferences.position.pairs === 0
      ? "Nothing was measured: no reply could be read."
      : profile.biases.length === 0
      ? "No bias was found: no preference has an interval that excludes 0, and most choices are steady."
      : profile.biases.map((bias) => `- ${bias}`).join("\n"),
    [
      "| measure | estimate | interval | pairs |",
      "| --- | ---: | --- | ---: |",
      ...rows.map(([label, { estimate, interval, pairs }]) =>
        `| ${label} | ${fixed(estimate)} | ${
          interval?.map((end) => fixed(end)).join(" to ") ?? "none"
        } | ${pairs} |`
      ),
    ].join("\n"),
    "Shares are 0 to 1, with intervals of 95 %; preferences are -1 to 1, and 0 is none. The intervals of the " +
    `${rows.length - 2} preferences hold together at 95 % (Bonferroni)${
      isFew
        ? "; with so few pairs, chance also names a judge that repeats each choice"
        : ", so that chance names a bias in 5 of 100 checks at most"
    }. Pairs are the units.`,
    ...(profile.unread === 0 ? [] : [`Replies that could not be read: ${profile.unread}.`]),
  ].join("\n\n");
}

/** Sorts of pairs: a speech with itself, or with a variant. */
const SORTS = [
  "same",
  "weaker",
  "padded",
  "authority",
  "confident",
  "wrong",
  "styled",
] as const;

type Sort = typeof SORTS[number];

/** One question about a pair of speeches, with the judge's choice. */
interface Pass {
  readonly sort: Sort;
  /** Number of the pair within its sort, from 1. */
  readonly pair: number;
  /** True if the variant came first. */
  readonly variantFirst: boolean;
  /** True if the variant had the label A. */
  readonly variantIsA: boolean;
  /** Choice of the judge; null for an unreadable reply. */
  readonly choice: "speech" | "variant" | "tie" | null;
}

/**
 * Mean over pairs with its confidence interval. Intervals of shares have a level of 95 %; those of preferences have 99.17 % each, so
 * that all six hold together at 95 % (Bonferroni).
 */
interface Measure {
  /** Estimate: 0 to 1 for shares; −1 to 1 for preferences, where 0 means no preference. */
  readonly estimate: number;
  /** Lower and upper bound, on the scale of the estimate; null for fewer than two pairs. */
  readonly interval: readonly [number, number] | null;
  readonly pairs: number;
  /** Number of pairs whose mean has the same sign as the estimate. */
  readonly leaning: number;
}

/** Preferences that a profile measures: what a positive and a negative value prefers. */
const PREFERENCES = {
  position: ["the speech set out first", "the speech set out last"],
  label: ["the label A", "the label B"],
  length: ["the longer of two equal speeches", "the shorter of two equal speeches"],
  authority: ["an invented source", "the speech without the invented source"],
  confidence: ["a confident tone", "a modest tone"],
  style: ["the better written of two equal speeches", "the plainer of two equal speeches"],
} as const;

type Preference = keyof typeof PREFERENCES;

/** Result of a check of a judge. */
export interface JudgeProfile {
  /** Share of right choices among pairs with a right answer. */
  readonly right: Measure;
  /** Share of pairs with the same choice in every order and label, of those with two readable choices or more. */
  readonly steady: Measure;
  /** Preferences: above 0 for the first text of {@linkcode PREFERENCES}, below 0 for the second. */
  readonly preferences: Readonly<Record<Preference, Measure>>;
  /** Number of unreadable replies. */
  readonly unread: number;
  /** A sentence for each preference whose interval excludes 0 or that all pairs share, for mostly inconsistent choices, and for a judge that names no speech. */
  readonly biases: readonly string[];
}

/** Right answers by sort; other sorts have none. */
const RIGHT: Readonly<Partial<Record<Sort, Pass["choice"]>>> = {
  same: "tie",
  weaker: "speech",
  wrong: "speech",
};
/** Sort of pairs that measures a preference; position and label are measured on all sorts. */
const VARIANTS: Readonly<Partial<Record<Preference, Sort>>> = {
  length: "padded",
  authority: "authority",
  confidence: "confident",
  style: "styled",
};

function profileOf(passes: readonly Pass[]): JudgeProfile {
  const read = passes.filter(({ choice }) => choice !== null);
  const preferences = Object.fromEntries(
    Object.keys(PREFERENCES).map((name) => [name, preferenceIn(read, name as Preference)]),
  ) as Record<Preference, Measure>;
  const steady = steadiness(read);
  const namesNone = read.length > 0 && read.every(({ choice }) => choice === "tie");
  const answered = read.filter(({ sort }) => sort in RIGHT);
  return {
    right: measure(answered, ({ sort, choice }) => choice === RIGHT[sort] ? 1 : 0, SHARE),
    steady,
    preferences,
    unread: passes.length - read.length,
    biases: [
      ...Object.entries(preferences).flatMap(([name, found]) => biasOf(name as Preference, found)),
      ...(steady.interval?.[1] ?? 1) < 0.5
        ? [
          "Most choices change with the order, the label or chance: " +
          `the same choice each time in ${steady.leaning} of ${steady.pairs} pairs.`,
        ]
        : [],
      ...namesNone ? [`Names no speech: a tie in all of ${preferences.position.pairs} pairs.`] : [],
    ],
  };
}

function preferenceIn(passes: readonly Pass[], name: Preference): Measure {
  const sort = VARIANTS[name];
  if (sort !== undefined) {
    return measure(
      passes.filter((pass) => pass.sort === sort),
      ({ choice }) => choice === "tie" ? 0 : choice === "variant" ? 1 : -1,
      PREFERENCE,
    );
  }
  return measure(passes, ({ choice, variantFirst, variantIsA }) => {
    if (choice === "tie") return 0;
    const higher = name === "position" ? variantFirst : variantIsA;
    return higher === (choice === "variant") ? 1 : -1;
  }, PREFERENCE);
}

function steadiness(passes: readonly Pass[]): Measure {
  const pairs = [...Map.groupBy(passes, pairKey).values()].filter(({ length }) => length > 1);
  const steady = new Set(
    pairs.filter((own) => own.every(({ choice }) => choice === own[0]!.choice)).flat(),
  );
  return measure(pairs.flat(), (pass) => steady.has(pass) ? 1 : 0, SHARE);
}

/** Scale of a measure. */
interface Scale {
  /** Lowest value; the highest is 1. */
  readonly lowest: 0 | -1;
  readonly confidence: Confidence;
}

const SHARE: Scale = { lowest: 0, confidence: CONFIDENCE95 };
/** Scale of preferences: 95 % for all six {@linkcode PREFERENCES}. */
const PREFERENCE: Scale = { lowest: -1, confidence: { share: 1 - 0.05 / 6, z: 2.638257 } };

/** Computes the mean of values over pairs; clamps the interval to the scale. */
function measure(
  passes: readonly Pass[],
  valueOf: (pass: Pass) => number,
  { lowest, confidence }: Scale,
): Measure {
  const pairs = [...Map.groupBy(passes, pairKey).values()].map((of) => of.map(valueOf));
  const means = pairs.map((values) => mean(values)!);
  const estimate = mean(means) ?? 0;
  const between = standardDeviation(means);
  // Few pairs may have equal means by chance, so use at least the standard error within pairs.
  const within = mean(pairs.map((each) => (standardDeviation(each) ?? 0) ** 2 / each.length)) ?? 0;
  const n = means.length;
  const error = Math.max(between ?? 0, Math.sqrt(within)) / Math.sqrt(n);
  const half = n < 2 ? undefined : quantileOfT(confidence, n - 1) * error;
  const [low, high] = half === 0
    ? intervalOfEqual(estimate, n, [lowest, 1], confidence.z)
    : [estimate - half!, estimate + half!];
  return {
    estimate: round4(estimate),
    interval: half === undefined
      ? null
      : [round4(Math.max(lowest, low)), round4(Math.min(1, high))],
    pairs: n,
    leaning: means.filter((value) => value * estimate > 0).length,
  };
}

function pairKey({ sort, pair }: Pass): string {
  return `${sort}/${pair}`;
}

function biasOf(name: Preference, { estimate, interval, pairs, leaning }: Measure): string[] {
  // A judge that repeats one preference in every pair is named even if the pairs are few.
  const isConstant = Math.abs(estimate) === 1;
  if (interval === null || !isConstant && interval[0] <= 0 && interval[1] >= 0) return [];
  const [higher, lower] = PREFERENCES[name];
  const [low, high] = interval.map((end) => fixed(end));
  return [
    `Prefers ${estimate > 0 ? higher : lower}: ${leaning} of ${pairs} pairs, ` +
    `preference ${fixed(estimate)} [${low}, ${high}] from -1 to 1.`,
  ];
}
