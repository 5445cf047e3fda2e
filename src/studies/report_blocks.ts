// The leaderboard and the diagnostics of a study as blocks.
import { counted } from "../core/text.ts";
import type { Block, Cell, Link } from "./blocks.ts";
import { comparisonsOf, hasResult } from "./comparisons.ts";
import { debatesBy, type Diagnostic, percent } from "./diagnostic.ts";
import type { StudyRatings } from "./ratings.ts";
import type { StudyReport } from "./standings.ts";
import type { StudyDebate } from "./study_debate.ts";

/** The leaderboard: summary, contestants, pairs, questions of papers. */
export function leaderboardBlocks(
  report: StudyReport,
  debates: readonly StudyDebate[],
  ratings: StudyRatings,
): Block[] {
  return [
    ...summaryBlocks(report, debates, ratings),
    ...standingBlocks(report),
    ...pairBlocks(debates),
    ...paperBlocks(debates),
  ];
}

const ERRORS: Readonly<Record<StudyRatings["model"]["errors"], string>> = {
  "information": "from the information of the fit",
  "cluster sandwich": "by cluster, both seatings and all repeats of a pair on a topic",
  "bootstrap": "from samples of clusters",
};

function summaryBlocks(
  { planned, completed, warnings }: StudyReport,
  debates: readonly StudyDebate[],
  { model, plan, comparisons, fit }: StudyRatings,
): Block[] {
  const last = debates.map(({ endedAt = "" }) => endedAt).sort().at(-1) ?? "";
  const when = last === "" ? "" : ` The last one ended at ${last}.`;
  const parts = [
    ...!comparisons.some(({ score }) => score === 0.5)
      ? ["no ties"]
      : model.ties === "davidson"
      ? ["ties as a third outcome"]
      : ["ties as half a win"],
    ...model.side ? ["the advantage of the first seat"] : [],
    ...model.covariates > 0 ? ["length"] : [],
    ...model.ridge > 0 ? [`a prior of precision ${model.ridge}`] : [],
  ];
  return [
    {
      text: `${completed} of ${counted(planned, "debate")} are completed.${when} Plan ${
        plan.slice(0, 16)
      }.`,
    },
    ...warnings.length === 0 ? [] : [{ cautions: warnings }],
    ...fit === undefined ? [] : [{
      text:
        `Ratings are Bradley–Terry strengths over ${counted(comparisons.length, "comparison")} ` +
        `in ${counted(model.clusters, "cluster")}, with ${
          parts.join(", ")
        }: 1500 is the mean, and ` +
        `400 points are odds of 10 to 1. Intervals are of 95 %, ${
          ERRORS[model.errors]
        }. Ranks are ` +
        `ranges of what the differences allow. All numbers are in ratings.json.`,
    }],
  ];
}

const percentOf = (share: number | null) => share === null ? "" : percent({ estimate: share });

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
      percentOf(each.firstSeatWins),
      percentOf(each.available),
      each.costPerDecided === null ? "unknown" : each.costPerDecided.toFixed(4),
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
      "USD a decision",
      "words a turn",
      ...rows.some(({ length }) => length > 12) ? ["note"] : [],
    ],
    rows,
  }];
}

function linkTo({ cell: { key, topic, repeat } }: StudyDebate): Link {
  const text = repeat === 1 ? topic : `${topic} ${repeat}`;
  return { text, href: `../debates/${encodeURIComponent(key)}/index.md` };
}

/** The mean score of each contestant against each other, and every pair's debates. */
function pairBlocks(debates: readonly StudyDebate[]): Block[] {
  const { comparisons } = comparisonsOf(debates.filter(hasResult));
  if (comparisons.length === 0) return [];
  const scores = new Map<string, number[]>();
  const add = (a: string, b: string, score: number) => {
    const key = JSON.stringify([a, b]);
    scores.set(key, [...scores.get(key) ?? [], score]);
  };
  for (const { first, second, score } of comparisons) {
    add(first, second, score);
    add(second, first, 1 - score);
  }
  const names = [...new Set(comparisons.flatMap(({ first, second }) => [first, second]))].sort();
  const meanOf = (a: string, b: string) => {
    const own = scores.get(JSON.stringify([a, b]));
    if (own === undefined) return "–";
    return `${(own.reduce((sum, each) => sum + each) / own.length).toFixed(2)} of ${own.length}`;
  };
  const byKey = new Map(debates.map((each) => [each.cell.key, each]));
  const pairs = debatesBy(comparisons, ({ first, second }) => [first, second].sort().join(" – "));
  return [
    { heading: "Pairs" },
    {
      table: "Mean score of the row's contestant against the column's, and debates; a tie is half",
      head: ["", ...names],
      rows: names.map((a) => [a, ...names.map((b) => a === b ? "" : meanOf(a, b))]),
    },
    {
      table: "Debates of each pair",
      head: ["pair", "debates", "records"],
      rows: pairs.map(([pair, own]) => {
        const links = own.map(({ debate }) => linkTo(byKey.get(debate)!));
        return [pair, own.length, links];
      }),
    },
  ];
}

/** The questions of a study of papers, paper by paper. */
function paperBlocks(debates: readonly StudyDebate[]): Block[] {
  const asked = debates.filter(({ cell }) => cell.question !== undefined);
  if (asked.length === 0) return [];
  const outcome = ({ status, code, winner }: StudyDebate) =>
    winner === undefined ? code ?? status : winner ?? "undecided";
  return [
    { heading: "Papers" },
    ...debatesBy(asked, ({ cell }) => cell.topic).flatMap(([paper, own]): Block[] => [
      {
        table: `Questions of ${paper}`,
        head: ["question", "number", "outcome", "record"],
        rows: own.toSorted((a, b) => a.cell.question! - b.cell.question!).map((each) => [
          each.question ?? "not asked yet",
          each.cell.question!,
          outcome(each),
          each.status === "planned" ? "" : [linkTo(each)],
        ]),
      },
    ]),
  ];
}

/** Every diagnostic: a table of all, and the numbers of each. */
export function diagnosticBlocks(diagnostics: readonly Diagnostic[]): Block[] {
  const found = diagnostics.filter(({ missing }) => missing === undefined);
  const missing = diagnostics.filter((each) => each.missing !== undefined);
  const shown = (value: number) => value.toFixed(3);
  return [
    { heading: "Diagnostics" },
    {
      table: "Measures of this study",
      head: ["measure", "finding", "estimate", "95 %", "number", "of"],
      rows: found.map(({ name, n = 0, of = "", estimate, interval, sentence = "" }) => [
        name,
        sentence,
        estimate === undefined ? "" : shown(estimate),
        interval === undefined ? "" : `[${interval.map(shown).join(", ")}]`,
        n,
        of,
      ]),
    },
    ...found.flatMap(({ name, table }): Block[] =>
      table === undefined ? [] : [
        { table: name, ...table },
      ]
    ),
    ...missing.length === 0 ? [] : [
      {
        table: "Not measured",
        head: ["measure", "reason"],
        rows: missing.map(({ name, missing: reason }) => [name, reason ?? ""]),
      },
    ],
  ];
}
