// Diagnostics of a study's debates: seats, length, ties, topics, formats, cycles, availability, cost.
import {
  bootstrapInterval,
  mean,
  mixSeed,
  seededRandom,
  wilsonInterval,
} from "../core/statistics.ts";
import { money } from "../core/message.ts";
import { counted, fixed, listed } from "../core/text.ts";
import { sortedByKey } from "../core/values.ts";
import { decidedOf, hasContestant, mirroredPairs, type PeopleLabel } from "./comparisons.ts";
import { contestantsOf, type Interval, POINTS, type StudyRatings } from "./ratings.ts";
import type { StudyDebate } from "./study.ts";

/** Result of a measure: either `missing`, or a number of units and a sentence. */
export interface Diagnostic {
  /** Id of the measure, such as `side-advantage`. */
  readonly id: string;
  /** Name of the measure for readers. */
  readonly name: string;
  /** Reason why the data do not allow the measure. */
  readonly missing?: string | undefined;
  /** Number of units. */
  readonly n?: number | undefined;
  /** Name of the units, such as `decided debates`. */
  readonly of?: string | undefined;
  /** Estimated value; absent if the table has several values. */
  readonly estimate?: number | undefined;
  /** Interval of the estimate; absent without an estimate or with too few units. */
  readonly interval?: Interval | undefined;
  /** Finding as a sentence; ids and topics in it are not escaped. */
  readonly sentence?: string | undefined;
  /** Numbers that the finding is based on. */
  readonly table?: DiagnosticTable | undefined;
}

/** Finding of a measure, or the reason why the data do not allow the measure. */
export type Finding =
  | string
  | { readonly [K in "n" | "of" | "sentence"]: NonNullable<Diagnostic[K]> }
    & Pick<Diagnostic, "estimate" | "interval" | "table">;

/** Table of a finding. */
export interface DiagnosticTable {
  /** Names of the columns. */
  readonly head: readonly string[];
  /** The cells of each row. */
  readonly rows: readonly (readonly (string | number)[])[];
}

export interface DiagnosticInput {
  readonly debates: readonly StudyDebate[];
  /** Debates of two sides with a winner or a tie, without votes of unread verdicts. */
  readonly ended: readonly StudyDebate[];
  readonly ratings: StudyRatings;
  /** Labels of people. @default none */
  readonly labels?: readonly PeopleLabel[] | undefined;
  /** Biases found by the archive's judge checks, by model. @default none */
  readonly biases?: ReadonlyMap<string, readonly string[]> | undefined;
}

const isTie = ({ winner }: StudyDebate) => winner === null;

/** Returns the share of items that pass the test, with Wilson's interval. */
export function shareOf<T>(
  all: readonly T[],
  test: (each: T) => boolean,
): { readonly n: number; readonly estimate: number; readonly interval: Interval | undefined } {
  const count = all.filter(test).length;
  return {
    n: all.length,
    estimate: count / all.length,
    interval: wilsonInterval(count, all.length),
  };
}

/** Returns a statistic, between -1 and 1 unless a range is given, with its bootstrap interval; deterministic. */
export function sampled<T>(
  items: readonly T[],
  statistic: (items: readonly T[]) => number | undefined,
  range: readonly [number, number] = [-1, 1],
): { readonly n: number; readonly estimate?: number; readonly interval: Interval | undefined } {
  const estimate = statistic(items);
  return {
    n: items.length,
    ...estimate === undefined ? {} : { estimate },
    interval: bootstrapInterval(items, statistic, seededRandom(mixSeed(1, items.length)), range),
  };
}

type Estimated = Pick<Diagnostic, "estimate" | "interval">;

/** Returns a share and its interval, such as `58 % [56, 60]`. */
export function percent({ estimate, interval }: Estimated & { readonly estimate: number }): string {
  const whole = (share: number) => (share * 100).toFixed(0);
  return `${whole(estimate)} %${rangeOf(interval, whole)}`;
}

/** Returns a known number and its interval with two decimals, such as `0.49 [0.41, 0.57]`. */
export function decimal({ estimate, interval }: Estimated): string {
  return `${fixed(estimate!)}${rangeOf(interval, fixed)}`;
}

/** Returns an effect on strengths in points of ratings, and its interval, such as `-54 points [-303, 196]`. */
export function points({ estimate, interval }: Estimated): string {
  const whole = (strength: number) => fixed(strength * POINTS, 0);
  return `${whole(estimate!)} points${rangeOf(interval, whole)}`;
}

/** Returns a space and the interval in brackets; an empty string without an interval. */
function rangeOf(interval: Interval | undefined, shown: (end: number) => string): string {
  return interval === undefined ? "" : ` [${interval.map((end) => shown(end)).join(", ")}]`;
}

/** Returns true if there is an interval and the value lies outside. */
export function excludes(interval: Interval | undefined, value: number): boolean {
  return interval !== undefined && (value < interval[0] || value > interval[1]);
}

/** Groups items by a text and sorts the groups by the text. */
export function debatesBy<T>(
  items: readonly T[],
  textOf: (item: T) => string,
): [text: string, items: T[]][] {
  return sortedByKey(Map.groupBy(items, textOf));
}

/** Returns true if the first seat won. */
export function firstWon({ winner, sides: [first] }: StudyDebate): boolean {
  return winner === first!.contestant;
}

/** Measures the advantage of the first seat. */
export function sideAdvantage({ ended, ratings: { side, tie = 0 } }: DiagnosticInput): Finding {
  const decided = decidedOf(ended);
  if (decided.length === 0) return "no debate of two sides has a winner";
  const share = shareOf(decided, firstWon);
  const [wins = 1, loses = 1] = [1, -1].map((sign) => Math.exp(sign * (side?.estimate ?? 0) / 2));
  const fair = (odds: number) => percent({ estimate: odds / (wins + loses + tie) });
  const effect = side === undefined
    ? ""
    : ` Between equal contestants the first seat wins ${fair(wins)} ` +
      `and the second ${fair(loses)}; the effect is ${points(side)}.`;
  const found = `${percent(share)} of ${counted(decided.length, "decided debate")}`;
  const isSure = excludes(share.interval, 0.5) || excludes(side?.interval, 0);
  const sentence = isSure
    ? `The first speaker wins ${found}: compare contestants only over exchanged seats.`
    : `The first speaker has no clear advantage and wins ${found}.`;
  return { ...share, of: "decided debates", sentence: sentence + effect };
}

/** Measures the share of mirrored pairs of debates with the same winner. */
export function swapConsistency({ ended }: DiagnosticInput): Finding {
  const pairs = mirroredPairs(ended).filter((pair) => decidedOf(pair).length === 2);
  if (pairs.length === 0) return "no pair is decided in both seatings";
  const share = shareOf(pairs, ([a, b]) => a.winner === b.winner);
  const sentence = `The same contestant wins from both seats in ${percent(share)} of ` +
    `${counted(pairs.length, "pair")} of debates that have a winner in both seatings; ` +
    "chance gives equal contestants at most 50 %.";
  return { ...share, of: "pairs of seatings", sentence };
}

/** Measures the effect of length and the share of debates won by the longer side. */
export function lengthBias({ ended, ratings: { length, model } }: DiagnosticInput): Finding {
  const decided = decidedOf(ended).filter(({ sides: [a, b] }) => a!.words !== b!.words);
  if (decided.length === 0) return "no decided debate has sides of different length";
  const wordsOf = ({ winner, sides }: StudyDebate, isWinner: boolean) =>
    sides.find(({ contestant }) => (contestant === winner) === isWinner)?.words ?? 0;
  const share = shareOf(decided, (each) => wordsOf(each, true) > wordsOf(each, false));
  const [winners, losers] = [true, false].map((isWinner) =>
    Math.round(mean(decided.map((each) => wordsOf(each, isWinner))) ?? 0)
  );
  const sentence = `The longer side wins ${percent(share)} of ` +
    `${counted(decided.length, "decided debate")}; winners use ${winners} words, losers ${losers}.`;
  if (length === undefined) return { ...share, of: "decided debates", sentence };
  const longer = percent({ estimate: 2 * model.lengthScale / (1 - model.lengthScale) });
  const found = excludes(length.interval, 0)
    ? "length has an effect"
    : "the effect of length is not certain";
  const effect = ` With strengths and seats accounted for, ${found}: ` +
    `${points(length)} for a side that is ${longer} longer.`;
  return { ...share, of: "decided debates", sentence: sentence + effect };
}

/** Measures the share of debates without a winner, by topic. */
export function ties({ ended }: DiagnosticInput): Finding {
  if (ended.length === 0) return "no debate of two sides has ended";
  const share = shareOf(ended, isTie);
  const topics = debatesBy(ended, ({ cell }) => cell.topic);
  return {
    ...share,
    of: "debates",
    sentence: `${percent(share)} of ${counted(ended.length, "debate")} end without a winner.`,
    table: {
      head: ["topic", "debates", "without a winner"],
      rows: topics.map(([topic, own]) => [topic, own.length, percent(shareOf(own, isTie))]),
    },
  };
}

/** Measures the first seat's share of wins by topic; lists topics that the same seat always won. */
export function topicEffect({ ended }: DiagnosticInput): Finding {
  const decided = decidedOf(ended);
  const topics = debatesBy(decided, ({ cell }) => cell.topic);
  if (topics.length < 2) return "fewer than two topics have a decided debate";
  const many = topics.filter(([, own]) => own.length > 1);
  const oneSided = many.filter(([, own]) => new Set(own.map(firstWon)).size === 1)
    .map(([topic]) => topic);
  const { estimate } = shareOf(decided, firstWon);
  const chance = many.reduce(
    (sum, [, { length }]) => sum + estimate ** length + (1 - estimate) ** length,
    0,
  );
  return {
    n: topics.length,
    of: "topics",
    sentence: `Of ${counted(many.length, "topic")} with two or more decided debates, ` +
      `${listed(oneSided) || "none"} ${oneSided.length > 1 ? "were" : "was"} won from one seat ` +
      `alone; chance gives ${fixed(chance, 1)}.`,
    table: {
      head: ["topic", "decided", "first speaker wins"],
      rows: topics.map(([topic, own]) => [topic, own.length, percent(shareOf(own, firstWon))]),
    },
  };
}

/** Compares formats by ties, wins of the first seat and length. */
export function formats({ ended }: DiagnosticInput): Finding {
  const groups = debatesBy(ended, ({ cell }) => cell.format);
  if (groups.length < 2) return "the debates are of one format";
  const rows = groups.map(([format, own]) => {
    const decided = decidedOf(own);
    const tied = shareOf(own, isTie);
    const first = decided.length === 0 ? "none decided" : percent(shareOf(decided, firstWon));
    const words = mean(own.flatMap(({ sides }) => sides.map((side) => side.words))) ?? 0;
    return { format, tied, row: [format, own.length, percent(tied), first, Math.round(words)] };
  });
  const sorted = rows.toSorted((a, b) => a.tied.estimate - b.tied.estimate);
  const [least, most] = [sorted[0]!, sorted.at(-1)!];
  return {
    n: ended.length,
    of: "debates",
    sentence: `The share of debates without a winner ${
      least.tied.estimate === most.tied.estimate
        ? `is ${percent(shareOf(ended, isTie))} in every format`
        : `goes from ${percent(least.tied)} in ${least.format} to ${
          percent(most.tied)
        } in ${most.format}`
    }.`,
    table: {
      head: ["format", "debates", "without a winner", "first speaker wins", "words a side"],
      rows: rows.map(({ row }) => row),
    },
  };
}

/** Measures the share of triads of contestants with circular results: a beats b, b beats c, c beats a. */
export function transitivity({ ended }: DiagnosticInput): Finding {
  const won = Map.groupBy(decidedOf(ended), ({ winner, sides }) => {
    const loser = sides.find(({ contestant }) => contestant !== winner)!;
    return JSON.stringify([winner, loser.contestant]);
  });
  const wins = (a: string, b: string) => won.get(JSON.stringify([a, b]))?.length ?? 0;
  const names = contestantsOf(ended);
  const triads = names.flatMap((a, i) =>
    names.slice(i + 1).flatMap((b, j) =>
      names.slice(i + j + 2).map((c) => [[a, b], [b, c], [c, a]] as const)
    )
  ).filter((edges) => edges.every(([a, b]) => wins(a, b) !== wins(b, a)));
  if (triads.length === 0) return "no three contestants are decided against each other";
  const ahead = (least: (a: string, b: string) => boolean) => (triad: typeof triads[number]) =>
    triad.every(([a, b]) => least(a, b)) || triad.every(([a, b]) => least(b, a));
  // Triads share pairs: an interval of independent trials would be too narrow.
  const { n, estimate } = shareOf(triads, ahead((a, b) => wins(a, b) > wins(b, a)));
  const sure = triads.filter(
    ahead((a, b) => (wilsonInterval(wins(a, b), wins(a, b) + wins(b, a))?.[0] ?? 0) > 0.5),
  );
  return {
    ...{ n, estimate },
    of: "triads",
    sentence: `In ${percent({ estimate })} of ${counted(n, "triad")} a beats b, b beats c and c ` +
      `beats a; chance gives 25 %. In ${sure.length} of them every side's interval excludes one half.`,
  };
}

/** Measures the share of consensus dialogues that agreed on a proposal, and counts proposals by topic. */
export function agreements({ debates }: DiagnosticInput): Finding {
  const held = debates.flatMap(({ cell: { topic }, proposals }) =>
    proposals === undefined ? [] : [{ topic, ...proposals }]
  );
  if (held.length === 0) return "no dialogue was about agreeing on proposals";
  const hasAgreed = ({ agreed }: typeof held[number]) => agreed > 0;
  const ofProposals = (own: typeof held) => {
    const sumOf = (key: "agreed" | "open") => own.reduce((sum, each) => sum + each[key], 0);
    return `${sumOf("agreed")} of ${sumOf("agreed") + sumOf("open")}`;
  };
  const share = shareOf(held, hasAgreed);
  return {
    ...share,
    of: "consensus dialogues",
    sentence: `${percent(share)} of ${counted(held.length, "dialogue")} agree on a proposal; ` +
      `${ofProposals(held)} proposals are agreed.`,
    table: {
      head: ["topic", "dialogues", "with an agreement", "proposals agreed"],
      rows: debatesBy(held, ({ topic }) => topic).map(([topic, own]) => {
        return [topic, own.length, percent(shareOf(own, hasAgreed)), ofProposals(own)];
      }),
    },
  };
}

/** Counts planned and completed debates by contestant, with the codes of failures. */
export function availability({ debates }: DiagnosticInput): Finding {
  if (debates.length === 0) return "the plan has no debates";
  const isOver = ({ status }: StudyDebate) => status === "completed";
  // The share of an unfinished study is no sample: it grows.
  const isFinal = debates.every(({ status }) =>
    ["completed", "failed", "stopped"].includes(status)
  );
  const completed = (own: readonly StudyDebate[]) => {
    const share = shareOf(own, isOver);
    return isFinal ? share : { ...share, interval: undefined };
  };
  const share = completed(debates);
  const rowOf = (name: string, own: readonly StudyDebate[]) => {
    const failed = own.filter(({ code }) => code !== undefined);
    const codes = debatesBy(failed, ({ code }) => code!)
      .map(([code, { length }]) => `${code} ${length}`);
    const stopped = own.filter(({ status }) => status === "stopped").length;
    if (stopped > 0) codes.push(`stopped ${stopped}`);
    return [name, own.length, percent(completed(own)), codes.join(", ")];
  };
  const contestants = contestantsOf(debates)
    .map((name) => rowOf(name, debates.filter((each) => hasContestant(each, name))));
  return {
    ...share,
    of: "planned debates",
    sentence: `${percent(share)} of ${counted(debates.length, "planned debate")} are completed; ` +
      `failed and unfinished debates do not count in ratings.`,
    table: {
      head: ["contestant", "planned", "completed", "not completed"],
      rows: [rowOf("all", debates), ...contestants],
    },
  };
}

/** Measures cost, tokens and time per decided debate, including failed debates and judges. */
export function cost({ debates }: DiagnosticInput): Finding {
  if (decidedOf(debates).length === 0) return "no debate has a winner";
  const begun = debates.filter(({ status }) => status !== "planned");
  const perDecided = (sumOf: (debate: StudyDebate) => number) => (of: readonly StudyDebate[]) => {
    const winners = decidedOf(of).length;
    return winners === 0 ? undefined : of.reduce((sum, each) => sum + sumOf(each), 0) / winners;
  };
  const tokens = perDecided(({ usage }) => usage.inputTokens + usage.outputTokens)(begun)!;
  const seconds = perDecided(({ startedAt = "", endedAt = startedAt }) =>
    (Date.parse(endedAt) - Date.parse(startedAt)) / 1000 || 0
  )(begun)!;
  const rest = `${counted(Math.round(tokens), "token")} and ${
    counted(Math.round(seconds), "second")
  }`;
  const unknown = begun.filter(({ usage: { costUsd } }) => costUsd === "unknown").length;
  if (unknown > 0) {
    const sentence = `A decided debate takes ${rest}; the cost of ${
      counted(unknown, "debate")
    } is unknown.`;
    return { n: begun.length, of: "debates", sentence };
  }
  const { n, estimate, interval } = sampled(
    begun,
    perDecided(({ usage: { costUsd } }) => costUsd === "unknown" ? 0 : costUsd),
    [0, Infinity],
  );
  const [costs, low, high] = [estimate!, ...interval ?? []].map((costUsd) => money({ costUsd }));
  const range = low === undefined ? "" : ` [${low}, ${high}]`;
  const sentence = `A decided debate costs ${costs}${range}, ${rest}, with ` +
    "judges, retries and failed debates.";
  return { n, of: "debates", estimate, interval, sentence };
}
