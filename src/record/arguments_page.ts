// Renders `arguments.md` and `arguments.json`: the flow sheet of a debate, with dropped, conceded, withdrawn and repeated points.
import {
  fatesOf,
  type FlowSheet,
  type NotedPoint,
  sheetIn,
  unnotedWords,
} from "../debate/flow_sheet.ts";
import { counted, tableText } from "../core/text.ts";
import {
  blocks,
  common,
  itemList,
  markdownText,
  type Measure,
  QUOTED_WORDS,
  section,
} from "./frontmatter.ts";
import { PAGE_FOLDERS, type PageText, tablePages } from "./page_tree.ts";
import type { RecordModel } from "./record_model.ts";
import { messageLink, noticesPart, shortName } from "./words.ts";

/** Path of the flow sheet. */
export const ARGUMENTS = "arguments.md";
/** Token limit of a page, with a margin for tokens that counting by line misses. */
const PAGE_TOKENS = 1900;
/** Maximum tokens of the rows on a further page; a longer row is cut. */
const CAPACITY = PAGE_TOKENS - 400;
/** Maximum points in each list above the sheet; the first number with which the lists leave room for links. */
const LISTED = [8, 4, 2, 1, 0] as const;
/** Maximum tokens above the sheet. */
const HEAD_TOKENS = 1700;
/** Maximum speeches of a row; further speeches are left out. */
const SPEECHES = 12;
/** Approximate tokens of a column's heading and separators. */
const COLUMN_TOKENS = 30;
/** Maximum code points of a point in a cell, and in a list. */
const LENGTH = { cell: 90, item: 140 } as const;

/** Returns the flow sheet of a record; undefined if the record has no flow facts. */
export function flowIn({ facts }: Pick<RecordModel, "facts">): FlowSheet | undefined {
  if (!facts.some(({ type }) => type === "flow")) return undefined;
  return sheetIn(facts);
}

interface Row {
  /** Id of the argument's first point. */
  readonly label: string;
  readonly group: string;
  readonly tokens: number;
  /** Cell text by message number. */
  readonly speeches: ReadonlyMap<number, string>;
}

/** Renders the flow sheet in pages of bounded size, a row per argument and a column per speech, and `arguments.json`. */
export function argumentPages(model: RecordModel, measure: Measure): readonly PageText[] {
  const sheet = sheetIn(model.facts);
  const json = { path: "arguments.json", text: `${JSON.stringify(sheetJson(sheet), null, 2)}\n` };
  const rows = rowsOf(sheet, measure);
  const [head = ""] = LISTED.values().map((listed) => headOf(model, sheet, listed))
    .filter((text) => measure(text) <= HEAD_TOKENS).take(1);
  const pages = tablePages({
    ...{ path: ARGUMENTS, prefix: `${PAGE_FOLDERS.arguments}/`, title: "Arguments", head, rows },
    note: `${QUOTED_WORDS} `,
    front: (up) => ({
      ...common("arguments"),
      index: `${up}index.md`,
      points: sheet.points.length,
      dropped: sheet.dropped.length,
      conceded: sheet.conceded.length,
    }),
    cost: ({ tokens }) => tokens,
    tableOf: (rows, up) => tableOf(model, rows, up),
    room: PAGE_TOKENS - measure(head),
    capacity: CAPACITY,
  }, measure);
  return [...pages, json];
}

function sheetJson({ points, dropped, conceded, withdrawn }: FlowSheet): object {
  return {
    points: points.map(({ id, seq, participant, kind, answers, text, quote }) => ({
      ...{ id, message: seq, participant, kind, answers, text, quote },
    })),
    dropped: dropped.map(({ id }) => id),
    conceded: conceded.map(({ id }) => id),
    withdrawn: withdrawn.map(({ id }) => id),
  };
}

function headOf(
  model: RecordModel,
  { points, dropped, conceded, withdrawn, unnoted }: FlowSheet,
  listed: number,
): string {
  const flows = model.facts.filter((fact) => fact.type === "flow");
  const unread = flows.filter(({ status }) => status === "unread").length;
  const leftOut = flows.reduce((sum, { dropped = 0 }) => sum + dropped, 0);
  const noted = [
    `${counted(points.length, "point")} of ${
      counted(flows.length, "turn")
    }, as a note-taker wrote them down`,
    unread === 0 ? "" : `${counted(unread, "turn")} could not be noted`,
    unnotedWords({ unnoted: unnoted - unread }),
    leftOut === 0 ? "" : `${counted(leftOut, "point")} left out, whose words are not in the turn`,
  ].filter((each) => each !== "");
  const list = (title: string, all: readonly NotedPoint[]) => {
    const items = all.slice(0, listed).map((point) =>
      `**${point.id}**${referenceOf(point)}, ${shortName(model, point.participant)}, ${
        messageLink(model, point.seq, `turn ${point.seq}`)
      }: ${markdownText(point.text, LENGTH.item)}`
    );
    const left = all.length - items.length;
    return section(
      `## ${title}`,
      itemList([...items, ...left > 0 ? [`${left} more: see the flow sheet`] : []]),
    );
  };
  const body = blocks(
    `# Arguments: ${markdownText(model.start.topic, 200)}`,
    noticesPart(model),
    `${
      noted.join("; ")
    }. A point is dropped if another side could have answered the point and nobody did. ${QUOTED_WORDS} All points: [arguments.json](arguments.json). Up: [index.md](index.md)`,
    list("Dropped", dropped),
    list("Conceded", conceded),
    list("Withdrawn", withdrawn),
    list("Repeated", points.filter(({ kind }) => kind === "repeats")),
    "## Flow sheet",
  );
  return `${body}\n\n`;
}

/** Returns the kind of a point and the points that it refers to; empty for a point that refers to none, except a concession. */
function referenceOf({ kind, answers }: NotedPoint): string {
  return answers.length === 0 && kind !== "concedes" ? "" : ` ${[kind, ...answers].join(" ")}`;
}

function rowsOf(sheet: FlowSheet, measure: Measure): Row[] {
  const { points, roots } = sheet;
  const fates = fatesOf(sheet);
  const below = new Map<string, NotedPoint[]>();
  for (const point of points) {
    for (const root of roots.get(point.id) ?? []) below.getOrInsert(root, []).push(point);
  }
  return [...below].map(([root, own]) => {
    const speeches = new Map<number, string>();
    let used = 0;
    for (const point of own) {
      const fate = fates.get(point.id);
      const text = `**${point.id}**${referenceOf(point)}${
        fate === undefined ? "" : ` (**${fate}**)`
      }: ${markdownText(point.text, LENGTH.cell)}`;
      const before = speeches.get(point.seq);
      if (before === undefined && speeches.size === SPEECHES) continue;
      used += measure(text) + COLUMN_TOKENS;
      if (used > CAPACITY) break;
      speeches.set(point.seq, before === undefined ? text : `${before}; ${text}`);
    }
    const tokens = [...speeches.values()].reduce(
      (sum, cell) => sum + measure(cell) + COLUMN_TOKENS,
      20,
    );
    return { label: root, group: root, speeches, tokens };
  });
}

/** Renders rows as a table, with a column for each speech that has points in the rows. */
function tableOf(model: RecordModel, rows: readonly Row[], up: string): string {
  if (rows.length === 0) return "No point was noted.\n";
  const seqs = [...new Set(rows.flatMap(({ speeches }) => [...speeches.keys()]))]
    .sort((a, b) => a - b);
  const speakers = new Map(model.rows.map(({ message }) => [message.seq, message.participant]));
  const heads = seqs.map((seq) =>
    messageLink(model, seq, `${seq} ${shortName(model, speakers.get(seq) ?? "")}`, up)
  );
  const lines = rows.map(({ label, speeches }) => [
    label,
    ...seqs.map((seq) => speeches.get(seq) ?? ""),
  ]);
  return `${tableText(["argument", ...heads], lines)}\n`;
}
