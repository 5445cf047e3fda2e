// The report of a study: warnings, leaderboard, pairs and diagnostics, as data and as files.
import { join } from "@std/path";
import { minuteText } from "../core/clock.ts";
import { writeDurably } from "../core/files.ts";
import { money, sha256 } from "../core/message.ts";
import { wilsonInterval } from "../core/statistics.ts";
import { counted, fixed, listed, thousands } from "../core/text.ts";
import {
  comparisonsOf,
  type DebateComparison,
  decidedOf,
  hasContestant,
  hasResult,
  readLabels,
} from "./comparisons.ts";
import {
  debatesBy,
  decimal,
  type Diagnostic,
  type DiagnosticInput,
  excludes,
  firstWon,
  percent,
  points,
  shareOf,
} from "./debate_diagnostics.ts";
import { diagnose } from "./diagnostics.ts";
import type { StudyOnDisk } from "./folder.ts";
import { isOfPapers } from "./plan.ts";
import { NEEDED, rateStudy, type Rating, type StudyRatings } from "./ratings.ts";
import { type Block, type Cell, type Link, markdownOf, pageOf } from "./report_page.tsx";
import { studyDebates } from "./results.ts";
import type { StudyDebate } from "./study.ts";

/** A contestant's rating and counts; shares are from 0 to 1, null without units. */
export interface StudyStanding extends Rating {
  /** Number of debates won. */
  readonly won: number;
  /** Number of debates without a winner. */
  readonly tied: number;
  /** Number of debates lost. */
  readonly lost: number;
  /** Number of other contestants met. */
  readonly opponents: number;
  /** Number of topics. */
  readonly topics: number;
  /** Share of wins among decided debates with the contestant in the first seat. */
  readonly firstSeatWins: number | null;
  /** Number of decided debates with the contestant in the first seat. */
  readonly firstSeatDecided: number;
  /** Share of completed debates among planned debates. */
  readonly available: number;
  /** US dollars per decided debate, including failed debates; null if a cost is unknown or no debate is decided. */
  readonly costPerDecided: number | null;
  /** Mean words per turn; null without turns. */
  readonly wordsPerTurn: number | null;
}

/** Report of a study. */
export interface StudyReport {
  /** Id of the study. */
  readonly study: string;
  /** Absolute path of the report's folder. */
  readonly dir: string;
  /** Number of convenings of the plan. */
  readonly planned: number;
  /** Number of completed convenings. */
  readonly completed: number;
  /** Sentence on which contestant is better, and how sure that is; null if nothing can be said. */
  readonly finding: string | null;
  /** Sentences about limitations of the report. */
  readonly warnings: readonly string[];
  /** Standings, the best first; contestants without a rating last. */
  readonly leaderboard: readonly StudyStanding[];
  /** All measures; those that the data do not allow have `missing`. */
  readonly diagnostics: readonly Diagnostic[];
}

function standingOf(rating: Rating, debates: readonly StudyDebate[]): StudyStanding {
  const { contestant } = rating;
  const own = debates.filter((each) => hasContestant(each, contestant));
  const ended = own.filter(hasResult);
  const decided = decidedOf(ended);
  const won = decided.filter(({ winner }) => winner === contestant).length;
  const asFirst = decided.filter(({ sides }) => sides[0]!.contestant === contestant);
  const turns = ended.flatMap(({ sides }) => sides)
    .filter((side) => side.contestant === contestant);
  const sumOf = (key: "words" | "turns") => turns.reduce((sum, side) => sum + side[key], 0);
  const costs = own.map(({ usage: { costUsd } }) => costUsd);
  const isKnown = decided.length > 0 && !costs.includes("unknown");
  return {
    ...rating,
    won,
    tied: ended.length - decided.length,
    lost: decided.length - won,
    opponents: new Set(ended.flatMap(({ sides }) => sides.map((side) => side.contestant)))
      .difference(new Set([contestant])).size,
    topics: new Set(ended.map(({ cell }) => cell.topic)).size,
    firstSeatWins: asFirst.length === 0 ? null : shareOf(asFirst, firstWon).estimate,
    firstSeatDecided: asFirst.length,
    available: shareOf(own, ({ status }) => status === "completed").estimate,
    costPerDecided: isKnown
      ? costs.reduce<number>((sum, each) => sum + Number(each), 0) / decided.length
      : null,
    wordsPerTurn: sumOf("turns") === 0 ? null : sumOf("words") / sumOf("turns"),
  };
}

/** Thresholds of warnings: above this side effect, below this alpha of the judges. */
const WARN = { side: 0.2, alpha: 0.4 } as const;

/** Returns sentences about limitations of a report. */
function warningsOf(
  debates: readonly StudyDebate[],
  { notes, ratings, side, unmatched, fit }: StudyRatings,
  diagnostics: readonly Diagnostic[],
): string[] {
  const open = debates.filter(({ status }) => status !== "completed").length;
  const unrated = fit === undefined ? 0 : ratings.filter(({ rating }) => rating === null).length;
  const agreement = diagnostics.find(({ id }) => id === "agreement");
  const silent =
    debates.filter(({ status, winner, cell: { first } }) =>
      status === "completed" && winner === undefined && first !== undefined
    ).length;
  const verdicts = debates.flatMap(({ votes }) => votes.flatMap(({ verdicts }) => verdicts));
  const unread = verdicts.filter(({ winner }) => winner === undefined).length;
  const hasEdge = side !== undefined && Math.abs(side.estimate) > WARN.side &&
    excludes(side.interval, 0);
  return [
    open > 0 &&
    `The study is unfinished: ${thousands(open)} of ${
      counted(debates.length, "debate")
    } not completed.`,
    unmatched > 0 && "Not counted, because the debate with exchanged seats has no result: " +
      `${counted(unmatched, "debate")}.`,
    silent > 0 && `Not counted, because no judge gave a result: ${counted(silent, "debate")}.`,
    unread > 0 &&
    `Verdicts that could not be read: ${thousands(unread)} of ${thousands(verdicts.length)}. ` +
      "A judge with such a verdict counts as a tie.",
    ...notes,
    unrated > 0 && `${counted(unrated, "contestant")} without a rating: see the reasons.`,
    hasEdge &&
    `Seats matter: the ${side.estimate > 0 ? "first" : "second"} seat has an advantage ` +
      `of ${points({ estimate: Math.abs(side.estimate) })}.`,
    (agreement?.estimate ?? Infinity) < WARN.alpha &&
    `Judges agree little: alpha is ${decimal(agreement!)} over ${
      counted(agreement!.n!, "debate")
    }.`,
  ].filter((each) => each !== false);
}

/** Returns the mean scores of contestants against each other, a tie is half, as in `0.66 [0.57, 0.74] of 100`. */
function meanScores(comparisons: readonly DebateComparison[]) {
  const pairOf = (...names: string[]) => JSON.stringify(names.sort());
  const pairs = Map.groupBy(comparisons, ({ first, second }) => pairOf(first, second));
  return (name: string, other: string) => {
    const own = pairs.get(pairOf(name, other)) ?? [];
    const sum = own.reduce(
      (sum, { first, score }) => sum + (first === name ? score : 1 - score),
      0,
    );
    const share = { estimate: sum / own.length, interval: wilsonInterval(sum, own.length) };
    return { ...share, text: own.length === 0 ? "–" : `${decimal(share)} of ${own.length}` };
  };
}

const NAMED = 10;

/** Returns a sentence on which contestant is better, by the ranks, else by the score of the only two; else null. */
function findingOf(
  standings: readonly StudyStanding[],
  comparisons: readonly DebateComparison[],
): string | null {
  const ranked = standings.filter(({ ranks }) => ranks !== null);
  const best = ranked.filter(({ ranks }) => ranks![0] === 1);
  const isSole = best[0]?.ranks?.[1] === 1 + standings.length - ranked.length;
  if (standings.length > 2 && ranked.length > 1) {
    const of = ranked.length === standings.length ? "" : " with a rank";
    const names = best.map(({ contestant }) => contestant);
    const which = names.length > NAMED ? String(names.length) : listed(names);
    return isSole
      ? `${names[0]} is better than every other contestant${of}, at 5 % over all pairs.`
      : `The best contestant${of} is one of ${which}; which one is not clear, at 5 % over all pairs.`;
  }
  if (standings.length !== 2 || comparisons.length === 0) return null;
  const isRated = ranked.length === 2;
  const [one, two] = (isRated ? standings : standings.toSorted((a, b) => b.won - a.won))
    .map(({ contestant }) => contestant);
  const { interval, text } = meanScores(comparisons)(one!, two!);
  const result = !isRated && comparisons.length < NEEDED.decided
    ? `Too few debates to say whether ${one} or ${two} is better`
    : (isRated ? isSole : excludes(interval, 0.5))
    ? `${one} is better than ${two}`
    : `No clear difference between ${one} and ${two}`;
  return `${result}${isRated ? " by the ratings" : ""}: ` +
    `${one} has a mean score of ${text} debates, 95 % as if debates were independent; a tie is half.`;
}

/** Returns standings as CSV, with unrounded numbers and empty fields for missing values. */
function csvOf(leaderboard: readonly StudyStanding[]): string {
  const line = (cells: readonly unknown[]) =>
    cells.map((cell) => {
      const text = String(cell ?? "");
      return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
    }).join(",");
  const rows = leaderboard.map(({ ranks, interval, reason, ...rest }) => ({
    ...rest,
    bestRank: ranks?.[0],
    worstRank: ranks?.[1],
    low: interval?.[0],
    high: interval?.[1],
    reason,
  }));
  return [Object.keys(rows[0] ?? { contestant: "" }), ...rows.map((row) => Object.values(row))]
    .map(line).join("\n") + "\n";
}

/** Options of {@linkcode writeReport}. */
export interface ReportOptions extends Pick<DiagnosticInput, "labels"> {
  /** Number of bootstrap samples. @default the study's `ratings.bootstrap` */
  readonly bootstrap?: number | undefined;
  /** Returns the biases of a model found by judge checks. @default none */
  readonly biasesOf?: ((model: string) => Promise<readonly string[]>) | undefined;
}

/** Writes the report of a study, finished or not, from its records; the same records produce the same bytes. */
export async function writeReport(
  on: StudyOnDisk,
  { labels: file, ...options }: Omit<ReportOptions, "labels"> & {
    /** File of people's labels. @default none */
    readonly labels?: { readonly text: string; readonly path: string } | undefined;
  } = {},
): Promise<StudyReport> {
  const { files, study, dir } = on;
  const debates = await studyDebates(on);
  const plan = sha256(await files.read(join(dir, "plan.jsonl")));
  const labels = file && readLabels(file.text, file.path, debates);
  const { report, texts } = await reportOf({ study, dir, plan }, debates, { ...options, labels });
  await files.makeFolder(report.dir);
  for (const [name, text] of Object.entries(texts)) {
    await writeDurably(files, join(report.dir, name), text);
  }
  return report;
}

/** Computes the report of a study's debates, and the texts of its files by name. */
export async function reportOf(
  { study, dir, plan }: Pick<StudyOnDisk, "study" | "dir"> & {
    /** SHA-256 of the plan. */
    readonly plan: string;
  },
  debates: readonly StudyDebate[],
  { bootstrap, labels, biasesOf = () => Promise.resolve([]) }: ReportOptions = {},
): Promise<{ readonly report: StudyReport; readonly texts: Readonly<Record<string, string>> }> {
  const settings = { ...study.ratings, bootstrap: bootstrap ?? study.ratings?.bootstrap };
  const ratings = rateStudy({ study: study.study, plan, debates }, settings);
  const biases = new Map<string, readonly string[]>();
  for (const { model } of debates.flatMap(({ votes }) => votes)) {
    if (!biases.has(model)) biases.set(model, await biasesOf(model));
  }
  const diagnostics = diagnose({ debates, ratings, labels, biases });
  const leaderboard = ratings.ratings.map((rating) => standingOf(rating, debates));
  const { comparisons } = comparisonsOf(debates.filter(hasResult));
  const report: StudyReport = {
    study: study.study,
    dir: join(dir, "report"),
    planned: debates.length,
    completed: debates.filter(({ status }) => status === "completed").length,
    finding: findingOf(leaderboard, comparisons),
    warnings: warningsOf(debates, ratings, diagnostics),
    leaderboard,
    diagnostics,
  };
  const title = `Study ${study.study}`;
  const blocks = [
    ...summaryBlocks(report, debates, ratings),
    ...standingBlocks(report),
    ...pairBlocks(debates, comparisons),
    ...isOfPapers(study) ? paperBlocks(debates) : [],
  ];
  const diagnosticPart = diagnosticBlocks(diagnostics);
  const texts = {
    "ratings.json": `${JSON.stringify(ratings, null, 1)}\n`,
    "leaderboard.csv": csvOf(report.leaderboard),
    "diagnostics.md": markdownOf(`${title}: diagnostics`, diagnosticPart),
    "leaderboard.md": markdownOf(title, blocks),
    "leaderboard.html": await pageOf(title, [...blocks, ...diagnosticPart]),
  };
  return { report, texts };
}

const ERRORS: Readonly<Record<StudyRatings["model"]["errors"], string>> = {
  "information":
    "from the information of the fit, as if debates were independent: they hold for these topics alone",
  "cluster sandwich":
    "by cluster (both seatings and all repeats of a pair on a topic), as if clusters were independent",
  "bootstrap": "from samples of clusters",
};

function summaryBlocks(
  { planned, completed, finding, warnings, leaderboard }: StudyReport,
  debates: readonly StudyDebate[],
  { model, plan, comparisons, fit, groups }: StudyRatings,
): Block[] {
  const last = debates.map(({ endedAt = "" }) => endedAt).sort().at(-1) ?? "";
  const when = last === "" ? "" : ` The last one ended at ${minuteText(last)}.`;
  const of = `${thousands(completed)} of ${counted(planned, "debate")}`;
  const isGap = groups.length > 1 && groups[0]!.length > 1;
  const ties = model.ties === "davidson" ? "ties as a third outcome" : "ties as half a win";
  const hasTies = comparisons.some(({ score }) => score === 0.5);
  const parts = [
    ...hasTies ? [ties] : [],
    ...model.side ? ["the advantage of the first seat"] : [],
    ...model.covariates > 0 ? ["length"] : [],
    ...model.ridge > 0 ? [`a prior of precision ${model.ridge}`] : [],
  ];
  return [
    ...finding === null ? [] : [{ text: finding }],
    { text: `${of} are completed.${when} Plan ${plan.slice(0, 16)}.` },
    ...warnings.length === 0 ? [] : [{ cautions: warnings }],
    ...fit === undefined ? [] : [{
      text:
        `Ratings are Bradley–Terry strengths over ${counted(comparisons.length, "comparison")}` +
        `${hasTies ? "" : " without ties"} in ${counted(model.clusters, "cluster")}` +
        `${parts.length === 0 ? "" : `, with ${listed(parts)}`}: 1500 is the mean${
          isGap ? " of the largest connected group" : ""
        }, and 400 points are odds of 10 to 1. Intervals are of 95 %, ${ERRORS[model.errors]}. ` +
        `Ranks are ranges of what the differences allow${
          leaderboard.some(({ ranks }) => ranks === null)
            ? "; contestants without a rank may have any"
            : ""
        }. All numbers are in ratings.json.`,
    }],
  ];
}

function standingBlocks({ leaderboard }: StudyReport): Block[] {
  const ends = leaderboard.flatMap(({ interval }) => interval ?? []);
  const scale = [Math.min(...ends), Math.max(...ends)] as const;
  const rows = leaderboard.map((each): Cell[] => {
    const { contestant, ranks, rating, interval, withoutLength, reason = "" } = each;
    const isRated = rating !== null && interval !== null;
    return [
      contestant,
      ranks === null ? "–" : [...new Set(ranks)].join("–"),
      isRated ? `${Math.round(rating)} [${interval.map(Math.round).join(", ")}]` : reason,
      ...ends.length === 0 ? [] : [isRated ? { estimate: rating, interval, scale } : ""],
      withoutLength === null ? "" : Math.round(withoutLength),
      `${each.won} / ${each.tied} / ${each.lost}`,
      each.opponents,
      each.topics,
      each.firstSeatWins === null
        ? ""
        : `${percent({ estimate: each.firstSeatWins })} of ${each.firstSeatDecided}`,
      percent({ estimate: each.available }),
      each.won + each.lost === 0 ? "" : money({ costUsd: each.costPerDecided ?? "unknown" }),
      each.wordsPerTurn === null ? "" : Math.round(each.wordsPerTurn),
      ...isRated && reason !== "" ? [reason] : [],
    ];
  });
  return [{ heading: "Leaderboard" }, {
    table: "Contestants, the best first",
    head: [
      "contestant",
      "rank",
      "rating, 95 %",
      ...ends.length === 0 ? [] : ["interval"],
      "without length",
      "won / tied / lost",
      "opponents",
      "topics",
      "wins, first seat",
      "completed",
      "cost a decision",
      "words a turn",
      ...rows.some(({ length }) => length > 12) ? ["note"] : [],
    ],
    rows,
  }];
}

/** Returns the link of a debate; its text has all that differs between the debates of a pair. */
function linkTo(
  { cell: { key, topic, repeat, question, format, first } }: StudyDebate,
): Link {
  const text = [
    topic,
    ...repeat === 1 ? [] : [`repeat ${repeat}`],
    ...question === undefined ? [] : [`question ${question}`],
    ...format === "base" ? [] : [format],
    ...first === undefined ? [] : [`${first} first`],
  ].join(", ");
  return { text, href: `../debates/${encodeURIComponent(key)}/index.md` };
}

/** Returns tables of mean scores between contestants, and of the debates of each pair. */
function pairBlocks(
  debates: readonly StudyDebate[],
  comparisons: readonly DebateComparison[],
): Block[] {
  if (comparisons.length === 0) return [];
  const names = [...new Set(comparisons.flatMap(({ first, second }) => [first, second]))].sort();
  const scoreOf = meanScores(comparisons);
  const byKey = new Map(debates.map((each) => [each.cell.key, each]));
  const pairs = debatesBy(comparisons, ({ first, second }) => [first, second].sort().join(" – "));
  return [
    { heading: "Pairs" },
    {
      table:
        "Mean score of the row's contestant against the column's, 95 % as if debates were independent, and debates; a tie is half",
      head: ["", ...names],
      rows: names.map((a) => [a, ...names.map((b) => a === b ? "" : scoreOf(a, b).text)]),
    },
    {
      table: "Debates of each pair",
      head: ["pair", "debates", "ties", "records"],
      rows: pairs.map(([pair, own]) => [
        pair,
        own.length,
        percent(shareOf(own, ({ score }) => score === 0.5)),
        own.map(({ debate }) => linkTo(byKey.get(debate)!)),
      ]),
    },
  ];
}

function paperBlocks(debates: readonly StudyDebate[]): Block[] {
  const outcome = ({ status, code, winner }: StudyDebate) =>
    winner === undefined ? code ?? status : winner ?? "undecided";
  return [
    { heading: "Papers" },
    ...debatesBy(debates, ({ cell }) => cell.topic).map(([paper, own]): Block => ({
      table: `Questions of ${paper}`,
      head: ["question", "number", "outcome", "record"],
      rows: own.toSorted((a, b) => (a.cell.question ?? 0) - (b.cell.question ?? 0)).map((each) => [
        each.question ?? "not asked yet",
        each.cell.question ?? "given",
        outcome(each),
        each.status === "planned" ? "" : [linkTo(each)],
      ]),
    })),
  ];
}

/** Returns a table of all diagnostics, then the table of each. */
function diagnosticBlocks(diagnostics: readonly Diagnostic[]): Block[] {
  const measured = diagnostics.filter(({ missing }) => missing === undefined);
  const missing = diagnostics.filter((each) => each.missing !== undefined);
  const shown = (value: number) => fixed(value, 3);
  return [
    { heading: "Diagnostics" },
    { text: "Intervals of shares of debates ignore that repeats of a debate are correlated." },
    {
      table: "Measures of this study",
      head: ["measure", "finding", "estimate", "95 %", "number", "of"],
      rows: measured.map(({ name, n = 0, of = "", estimate, interval, sentence = "" }) => [
        name,
        sentence,
        estimate === undefined ? "" : shown(estimate),
        interval === undefined ? "" : `[${interval.map(shown).join(", ")}]`,
        n,
        of,
      ]),
    },
    ...measured.flatMap(({ name, table }): Block[] => table ? [{ table: name, ...table }] : []),
    ...missing.length === 0 ? [] : [{
      table: "Not measured",
      head: ["measure", "reason"],
      rows: missing.map(({ name, missing: reason }) => [name, reason ?? ""]),
    }],
  ];
}
