// The table of scores, message by judge, and the messages on which judges differed most.
import type { Score } from "../core/fact.ts";
import { round4 } from "../core/statistics.ts";
import { factPath } from "./codec.ts";
import { common } from "./frontmatter.ts";
import { markdownText, type Measure } from "./markdown.ts";
import { type ListRow, type PageText, tablePages } from "./page_tree.ts";
import type { RecordModel } from "./record_model.ts";
import { messageLink, shortName } from "./words.ts";

/** The folder of the further pages of the table. */
export const SCORE_PAGES = "score-table";
/** Tokens of the table in `scores.md`, and on a further page. */
const ROOM = { first: 700, further: 1500 } as const;
/** The most messages named as those on which judges differed. */
const NAMED = 5;

/** `scores.md` with the table of scores under its sections, and the further pages of the table. */
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

/** Scores by the number of the message. */
function scoresByMessage(model: RecordModel): [number, Score[]][] {
  const scores = model.facts.filter((fact) => fact.type === "score");
  return [...Map.groupBy(scores, ({ message }) => message)].sort(([a], [b]) => a - b);
}

function keyOf({ judge, model, rubric }: Score): string {
  return `${judge}|${model}|${rubric}`;
}

/** The sets of judge, model and rubric, each with one score, in the order of their names. */
function columnsOf(scores: readonly Score[]): { key: string; score: Score }[] {
  const first = new Map(scores.map((score) => [keyOf(score), score]));
  return [...first].map(([key, score]) => ({ key, score }))
    .sort((a, b) => a.key < b.key ? -1 : 1);
}

/** A judge's name; with rubric and model where two columns would have the same, and the scale where scales differ. */
function columnName(model: RecordModel, score: Score, all: readonly Score[]): string {
  const name = shortName(model, score.judge);
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

/** The messages whose totals by judges of one rubric lie furthest apart, as a section of `scores.md`. */
export function differenceLines(model: RecordModel): string[] {
  const found = scoresByMessage(model).flatMap(([seq, given]) =>
    [...Map.groupBy(given.filter(({ status }) => status === "scored"), ({ rubric }) => rubric)]
      .map(([, scores]) => {
        const totals = scores.map(({ total = 0 }) => total ?? 0);
        return { seq, scores, apart: round4(Math.max(...totals) - Math.min(...totals)) };
      })
  ).filter(({ apart }) => apart > 0);
  const most = found.toSorted((a, b) => b.apart - a.apart || a.seq - b.seq).slice(0, NAMED);
  return most.length === 0 ? [] : [
    "## Messages on which the judges differed most",
    "",
    ...most.map(({ seq, scores, apart }) => {
      const given = scores.toSorted((a, b) => keyOf(a) < keyOf(b) ? -1 : 1)
        .map((score) => `${shortName(model, score.judge)} ${scoreLink(model, score, "")}`);
      const speaker = shortName(model, scores[0]!.participant);
      return `- ${messageLink(model, seq, `${seq}`)} ${speaker}, ${apart} apart: ${
        given.join(", ")
      }`;
    }),
    "",
  ];
}
