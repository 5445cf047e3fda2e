// The table of scores, message by judge, at the end of `scores.md`, and the messages on which the judges differ most.
import type { Score } from "../core/fact.ts";
import { round4 } from "../core/statistics.ts";
import { factPath } from "./codec.ts";
import { common } from "./frontmatter.ts";
import { markdownText, type Measure } from "./markdown.ts";
import { type ListRow, type PageText, tablePages } from "./page_tree.ts";
import type { RecordModel } from "./record_model.ts";
import { messageLink, shortJudgeName, shortName } from "./words.ts";

/** Folder of the table's further pages. */
export const SCORE_PAGES = "score-table";
/** Maximum tokens of the table in `scores.md`, and on a further page. */
const ROOM = { first: 700, further: 1500 } as const;
/** Maximum messages listed as those on which the judges differ most. */
const NAMED = 5;

/** Appends the table of scores to `scores.md`, with further pages if the table is long. */
export function withScoreTable(
  model: RecordModel,
  { head, panels }: { readonly head: string; readonly panels: number },
  measure: Measure,
): readonly PageText[] {
  const scores = scoresByMessage(model);
  const judges = columnsOf(scores.flatMap(([, given]) => given));
  const front = (up: string) => ({ ...common("scores"), index: `${up}index.md`, panels });
  const rows = scores.map(([seq, given]): ListRow => ({
    label: `${seq}`,
    line: (up) => {
      const cells = judges.map(({ key }) => {
        const score = given.find((each) => keyOf(each) === key);
        return score === undefined ? "" : scoreLink(model, score, up);
      });
      const speaker = shortName(model, given[0]!.participant);
      return `| ${messageLink(model, seq, `${seq}`, up)} | ${speaker} | ${cells.join(" | ")} |\n`;
    },
  }));
  return tablePages({
    path: "scores.md",
    folder: SCORE_PAGES,
    front,
    title: "Scores by message",
    head: rows.length === 0 ? head : `${head}\n## By message\n\nA cell is a judge's total.\n\n`,
    columns: [
      "message",
      "speaker",
      ...judges.map(({ score }) => columnName(model, score, judges.map(({ score }) => score))),
    ],
    rows,
    room: ROOM.first,
    capacity: ROOM.further,
  }, measure);
}

/** Groups scores by message number, ascending. */
function scoresByMessage(model: RecordModel): [number, Score[]][] {
  const scores = model.facts.filter((fact) => fact.type === "score");
  return [...Map.groupBy(scores, ({ message }) => message)].sort(([a], [b]) => a - b);
}

function keyOf({ judge, model, rubric }: Score): string {
  return `${judge}|${model}|${rubric}`;
}

/** Returns the distinct combinations of judge, model and rubric, sorted, with a score of each. */
function columnsOf(scores: readonly Score[]): { key: string; score: Score }[] {
  const first = new Map(scores.map((score) => [keyOf(score), score]));
  return [...first].map(([key, score]) => ({ key, score }))
    .sort((a, b) => a.key < b.key ? -1 : 1);
}

/** Returns a judge's name; with rubric and model if the judge has several columns, and with the scale if scales differ. */
function columnName(model: RecordModel, score: Score, all: readonly Score[]): string {
  const name = shortJudgeName(model, score);
  const isAlone = all.filter(({ judge }) => judge === score.judge).length === 1;
  const areAlike = all.every(({ scale }) => `${scale}` === `${score.scale}`);
  const notes = [
    ...isAlone ? [] : [score.rubric, score.model],
    ...areAlike ? [] : [score.scale.join("–")],
  ];
  return notes.length === 0 ? name : `${name} (${markdownText(notes.join(", "), 80)})`;
}

function scoreLink(model: RecordModel, score: Score, up: string): string {
  const { status, total } = score;
  return `[${status === "scored" ? total : "unread"}](${up}${factPath(score, model)})`;
}

/** Lists the messages with the largest difference between judges' totals by the same rubric. */
export function differenceLines(model: RecordModel): string[] {
  const found = scoresByMessage(model).flatMap(([seq, given]) =>
    [...Map.groupBy(given.filter(({ status }) => status === "scored"), ({ rubric }) => rubric)]
      .map(([, scores]) => {
        const totals = scores.map(({ total = 0 }) => total);
        return { seq, scores, apart: round4(Math.max(...totals) - Math.min(...totals)) };
      })
  ).filter(({ apart }) => apart > 0);
  const most = found.toSorted((a, b) => b.apart - a.apart || a.seq - b.seq).slice(0, NAMED);
  return most.length === 0 ? [] : [
    "## Messages on which the judges differed most",
    "",
    ...most.map(({ seq, scores, apart }) => {
      const given = scores.toSorted((a, b) => keyOf(a) < keyOf(b) ? -1 : 1)
        .map((score) => `${shortJudgeName(model, score)} ${scoreLink(model, score, "")}`);
      const speaker = shortName(model, scores[0]!.participant);
      return `- ${messageLink(model, seq, `${seq}`)} ${speaker}, ${apart} apart: ${
        given.join(", ")
      }`;
    }),
    "",
  ];
}
