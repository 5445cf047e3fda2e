// The check of a judge: pairs of short speeches, each asked in both orders and with both labels, and the profile.
import { parse } from "@std/yaml";
import { z } from "zod";
import type { Choice } from "../core/fact.ts";
import type { Participant } from "../core/participant.ts";
import { textsOf } from "../core/prompt.ts";
import { beginAsk, type Protocol, say, settle } from "../core/protocol.ts";
import { mean, round4, standardDeviation } from "../core/statistics.ts";
import { choiceQuestion, type Question } from "../core/turn.ts";
import data from "../data/judge_check.yaml" with { type: "text" };
import texts from "../data/prompts/judge_check.json" with { type: "json" };
import { DialogueWorkflow } from "../engine/dialogue_workflow.ts";
import type { WorkflowOptions } from "../engine/workflow_options.ts";

const TEXTS = textsOf(texts);
const REPLY = z.object({ reasons: z.string().min(1), winner: z.enum(["A", "B", "tie"]) });
/** Tokens of a choice: 60 words of reasons and the winner. */
const REPLY_TOKENS = 200;
/** One in so many items is asked about in a quick check. */
const QUICK = 3;

/** One speech on a topic, and its variants by sort. */
type Item = Readonly<Record<"topic" | "speech" | typeof SORTS[number], string>>;

/** A choice between two speeches that is to be asked for. */
interface PlannedPass extends Pick<Pass, "sort" | "pair" | "variantFirst" | "variantIsA"> {
  readonly item: Item;
}

/** The check of one judge: 84 pairs and 336 questions, or a third of them. */
export class JudgeCheck extends DialogueWorkflow<JudgeProfile> {
  readonly #passes: readonly PlannedPass[];

  /** A check that has not started. `cast` holds the clerk and the judge, in this order. */
  constructor(
    topic: string,
    cast: readonly Participant[],
    options: WorkflowOptions & { readonly quick: boolean },
  ) {
    super(topic, cast, { ...options, design: { ...options.design, rules: TEXTS.rules } });
    this.#passes = passesOf(items(), { quick: options.quick });
  }

  protected override *protocol(): Protocol<JudgeProfile> {
    const [clerk, judge] = this.participants;
    const asked = [];
    for (const pass of this.#passes) asked.push(yield* beginAsk(questionOf(pass, judge!.id)));
    const answers = yield* settle(asked);
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
  return (parse(data, { schema: "core" }) as Omit<Item, "same">[]).map((
    item,
  ) => ({ ...item, same: item.speech } as Item));
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

/** The profile in markdown: a sentence for each bias, then the table of measures. */
export function profileText(profile: JudgeProfile): string {
  const rows = [
    ["right choices", profile.right],
    ["same choice in every order and label", profile.steady],
    ...Object.entries(profile.preferences).map(([key, found]) =>
      [`prefers ${PREFERENCES[key as keyof typeof PREFERENCES][0]}`, found] as const
    ),
  ] as const;
  return [
    profile.biases.length === 0
      ? "No bias was found: no preference has an interval that excludes 0, and most choices are steady."
      : profile.biases.map((bias) => `- ${bias}`).join("\n"),
    [
      "| measure | estimate | interval | pairs |",
      "| --- | ---: | --- | ---: |",
      ...rows.map(([label, { estimate, interval, pairs }]) =>
        `| ${label} | ${estimate.toFixed(2)} | ${
          interval?.map((end) => end.toFixed(2)).join(" to ") ?? "none"
        } | ${pairs} |`
      ),
    ].join("\n"),
    "Shares are 0 to 1, with intervals of 95 %; preferences are -1 to 1, and 0 is none. The intervals of the " +
    `${
      rows.length - 2
    } preferences hold together at 95 % (Bonferroni), so that chance names a bias in 5 of 100 checks ` +
    "at most. Pairs are the units.",
    ...(profile.unread === 0 ? [] : [`Replies that could not be read: ${profile.unread}.`]),
  ].join("\n\n");
}

/** Sorts of pairs: a speech beside itself, or beside a variant. */
export const SORTS = [
  "same",
  "weaker",
  "padded",
  "authority",
  "confident",
  "wrong",
  "styled",
] as const;

/** A sort of pairs. */
export type Sort = typeof SORTS[number];

/** One asking about a pair of speeches, and the judge's choice. */
export interface Pass {
  /** Sort of the pair. */
  readonly sort: Sort;
  /** Number of the pair within its sort, from 1. */
  readonly pair: number;
  /** True if the variant was set out first. */
  readonly variantFirst: boolean;
  /** True if the variant had the label A. */
  readonly variantIsA: boolean;
  /** The choice; null for a reply that could not be read. */
  readonly choice: "speech" | "variant" | "tie" | null;
}

/**
 * Mean over pairs with its interval; pairs are the units. Intervals of shares are of 95 %; those of preferences
 * are wider, of 99.17 % each, so that all six hold together at 95 % (Bonferroni).
 */
export interface Measure {
  /** Shares are 0 to 1; preferences −1 to 1, 0 for none. */
  readonly estimate: number;
  /** Lower and upper end, on the scale of the estimate; null for fewer than two pairs. */
  readonly interval: readonly [number, number] | null;
  /** Number of pairs. */
  readonly pairs: number;
  /** Number of pairs in which the judge leaned to the side of 0 on which the estimate is. */
  readonly leaning: number;
}

/** Names of the preferences that a profile measures. */
export const PREFERENCES = {
  position: ["the speech set out first", "the speech set out last"],
  label: ["the label A", "the label B"],
  length: ["the longer of two equal speeches", "the shorter of two equal speeches"],
  authority: ["an invented source", "the speech without the invented source"],
  confidence: ["a confident tone", "a modest tone"],
  style: ["the better written of two equal speeches", "the plainer of two equal speeches"],
} as const;

/** A preference of a judge. */
export type Preference = keyof typeof PREFERENCES;

/** Result of a check of a judge. */
export interface JudgeProfile {
  /** Share of right choices, over pairs with a right answer. */
  readonly right: Measure;
  /** Share of pairs with the same choice in every order and label. */
  readonly steady: Measure;
  /** Preferences: above 0 for the first of {@linkcode PREFERENCES}, below 0 for the second. */
  readonly preferences: Readonly<Record<Preference, Measure>>;
  /** Number of replies that could not be read. */
  readonly unread: number;
  /**
   * A sentence for each preference with an interval that excludes 0, for choices of which most change with order, label or
   * chance, and for a judge that never names a speech.
   */
  readonly biases: readonly string[];
}

const RIGHT: Readonly<Partial<Record<Sort, Pass["choice"]>>> = {
  same: "tie",
  weaker: "speech",
  wrong: "speech",
};
const VARIANTS: Readonly<Partial<Record<Preference, Sort>>> = {
  length: "padded",
  authority: "authority",
  confidence: "confident",
  style: "styled",
};

/** The profile of all passes of one judge. */
export function profileOf(passes: readonly Pass[]): JudgeProfile {
  const read = passes.filter(({ choice }) => choice !== null);
  const preferences = Object.fromEntries(
    Object.keys(PREFERENCES).map((name) => [name, preferenceIn(read, name as Preference)]),
  ) as Record<Preference, Measure>;
  const steady = steadiness(read);
  const namesNone = read.length > 0 && read.every(({ choice }) => choice === "tie");
  return {
    right: measure(read.filter(({ sort }) => sort in RIGHT), isRight, SHARE),
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
      ...namesNone ? [`Names no speech: a tie in all of ${steady.pairs} pairs.`] : [],
    ],
  };
}

function isRight({ sort, choice }: Pass): number {
  return choice === RIGHT[sort] ? 1 : 0;
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
  const choices = Map.groupBy(passes, pairKey);
  const steady = new Map(
    [...choices].map(([key, found]) =>
      [key, new Set(found.map(({ choice }) => choice)).size === 1 ? 1 : 0] as const
    ),
  );
  return measure(passes, (pass) => steady.get(pairKey(pass))!, SHARE);
}

/** Scale of a measure, and the normal quantile of its interval. */
interface Scale {
  /** The highest is 1. */
  readonly lowest: 0 | -1;
  readonly quantile: number;
}

/** Shares: the quantile 0.975. */
const SHARE: Scale = { lowest: 0, quantile: 1.959964 };
/** Preferences: the quantile 1 - 0.025 / 6, for as many preferences as {@linkcode PREFERENCES} names. */
const PREFERENCE: Scale = { lowest: -1, quantile: 2.638257 };

/** Mean over pairs of values on a scale; the interval stays on that scale. */
function measure(
  passes: readonly Pass[],
  valueOf: (pass: Pass) => number,
  { lowest, quantile }: Scale,
): Measure {
  const pairs = [...Map.groupBy(passes, pairKey).values()].map((of) => of.map(valueOf));
  const means = pairs.map((values) => mean(values)!);
  const estimate = mean(means) ?? 0;
  const between = standardDeviation(means);
  // Few pairs can have the same mean by chance: their spread is at least that of means of such askings.
  const within = mean(pairs.map((each) => (standardDeviation(each) ?? 0) ** 2 / each.length)) ?? 0;
  const half = between === undefined
    ? undefined
    : quantileOfT(quantile, means.length - 1) * Math.max(between, Math.sqrt(within)) /
      Math.sqrt(means.length);
  return {
    estimate: round4(estimate),
    interval: half === undefined ? null : [
      round4(Math.max(lowest, estimate - half)),
      round4(Math.min(1, estimate + half)),
    ],
    pairs: means.length,
    leaning: means.filter((value) => value * estimate > 0).length,
  };
}

function pairKey({ sort, pair }: Pass): string {
  return `${sort}/${pair}`;
}

function biasOf(name: Preference, { estimate, interval, pairs, leaning }: Measure): string[] {
  if (interval === null || interval[0] <= 0 && interval[1] >= 0) return [];
  const [higher, lower] = PREFERENCES[name];
  const [low, high] = interval.map((end) => end.toFixed(2));
  return [
    `Prefers ${estimate > 0 ? higher : lower}: ${leaning} of ${pairs} pairs, ` +
    `preference ${estimate.toFixed(2)} [${low}, ${high}] from -1 to 1.`,
  ];
}

/** The quantile of Student's t with `n` degrees of freedom from that of the normal, by Hill's expansion; off by 1 % at most from n = 3. */
function quantileOfT(z: number, n: number): number {
  const terms = [
    z,
    (z ** 3 + z) / 4,
    (5 * z ** 5 + 16 * z ** 3 + 3 * z) / 96,
    (3 * z ** 7 + 19 * z ** 5 + 17 * z ** 3 - 15 * z) / 384,
    (79 * z ** 9 + 776 * z ** 7 + 1482 * z ** 5 - 1920 * z ** 3 - 945 * z) / 92160,
  ];
  return terms.reduce((sum, term, power) => sum + term / n ** power, 0);
}
