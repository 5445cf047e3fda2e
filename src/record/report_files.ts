// The files of a paper debate's report: one page where it is short, else a first page with links to parts.
import { join } from "@std/path";
import type { ConveningStart } from "../core/event.ts";
import type { Fact } from "../core/fact.ts";
import type { FileSystem } from "../core/files.ts";
import { jsonIn } from "../core/values.ts";
import type { DebateReport } from "../papers/text/debate_report.ts";
import { debateReport } from "../papers/text/report.ts";
import { common, type FrontMatter, writeFrontMatter } from "./frontmatter.ts";
import type { Measure } from "./markdown.ts";
import type { PageText } from "./page_tree.ts";
import { readText } from "./problems.ts";
import type { RecordContents } from "./read.ts";
import { REPORT_FOLDER } from "./papers.ts";
import { padded } from "./fact_row.ts";

/** The whole of a long report on one page. */
const WHOLE = `${REPORT_FOLDER}/whole.md`;
/** The most tokens of a page, of the words on it, and of those on the first page, which lists the parts. */
const TOKENS = { page: 2000, part: 1700, first: 1100 } as const;
/** The most parts that the first page lists: each part names the next. */
const LISTED = 12;
/** The most headings that a part is listed with, and the most characters of each. */
const SHOWN = { headings: 4, length: 80 } as const;

/**
 * `report.md` and `report.json`, by the record alone; none for other kinds, nor while there is no report. A report of more
 * than 2,000 tokens continues in `report/002.md` and so on, each page of at most 2,000, and is whole in `report/whole.md`.
 */
export function reportFiles(
  start: ConveningStart,
  facts: readonly Fact[],
  measure: Measure,
): readonly PageText[] {
  const report = debateReport(start, facts);
  if (report === undefined) return [];
  const [single, json] = onOnePage(report);
  if (measure(single.text) <= TOKENS.page) return [single, json];
  const markdown = report.markdown.toWellFormed();
  const parts = partsOf(markdown, measure);
  const up = { ...dataOf(report), index: "../index.md", data: "../report.json" };
  return [
    { path: "report.md", text: writeFrontMatter(dataOf(report), firstPage(parts)) },
    json,
    ...parts.slice(1).map((part, at) => ({
      path: partPath(at + 2),
      text: writeFrontMatter({ ...up, part: at + 2 }, partPage(part, at + 2, parts.length)),
    })),
    { path: WHOLE, text: writeFrontMatter(up, markdown) },
  ];
}

/** The report of a paper debate: of a finished one as `report.json` has it, else as the facts make it, where they do. */
export async function recordedReport(
  files: FileSystem,
  { dir, start, facts, status }: RecordContents,
): Promise<DebateReport | undefined> {
  if (start.kind !== "paper-debate") return undefined;
  if (status === "completed" || status === "stopped") {
    const { reportSchema } = await import("../papers/text/debate_report.ts");
    const text = await readText(files, join(dir, "report.json"));
    const read = reportSchema.safeParse(jsonIn(text ?? ""));
    if (read.success) return read.data;
  }
  return debateReport(start, facts);
}

function onOnePage(report: DebateReport): readonly [page: PageText, json: PageText] {
  const page = writeFrontMatter(dataOf(report), report.markdown.toWellFormed());
  return [
    { path: "report.md", text: page },
    { path: "report.json", text: `${JSON.stringify(report, null, 2)}\n` },
  ];
}

function dataOf({ question, papers }: DebateReport): FrontMatter {
  return {
    ...common("report"),
    index: "index.md",
    question: question.toWellFormed(),
    papers: papers.map(({ id }) => id.toWellFormed()),
    data: "report.json",
  };
}

function partPath(number: number): string {
  return `${REPORT_FOLDER}/${padded(number, 3)}.md`;
}

/** Blocks of markdown that fit a page. */
type Part = readonly string[];

/** The blocks of a report in parts; a heading stands with what follows it. */
function partsOf(markdown: string, measure: Measure): Part[] {
  const blocks = markdown.trimEnd().split("\n\n")
    .flatMap((block) => piecesOf(block, TOKENS.part / 2, measure));
  const parts: string[][] = [[]];
  let room: number = TOKENS.first;
  for (const [at, block] of blocks.entries()) {
    const next = HEADING.test(block) ? measure(blocks[at + 1] ?? "") : 0;
    const cost = measure(block) + 2;
    if (cost + next > room && parts.at(-1)!.length > 0) {
      parts.push([]);
      room = TOKENS.part;
    }
    parts.at(-1)!.push(block);
    room -= cost;
  }
  return parts;
}

const HEADING = /^#{1,6} /;

/** A block, or its lines or words in pieces that fit. */
function piecesOf(block: string, most: number, measure: Measure): string[] {
  if (measure(block) <= most) return [block];
  const lines = block.split("\n");
  const mark = lines.length > 1 ? "\n" : " ";
  const words = block.split(mark);
  if (words.length < 2) return [block];
  const half = Math.ceil(words.length / 2);
  return [words.slice(0, half), words.slice(half)]
    .flatMap((some) => piecesOf(some.join(mark), most, measure));
}

function firstPage(parts: readonly Part[]): string {
  const listed = parts.slice(1, 1 + LISTED).map((part, at) => {
    const sections = part.filter((block) => /^#{2,3} /.test(block));
    const names = (sections.length > 0 ? sections : part.filter((block) => HEADING.test(block)))
      .slice(0, SHOWN.headings).map((block) => shortened(block.replace(/^#+ /, "")));
    return `- [Part ${at + 2}](${partPath(at + 2)})${
      names.length === 0 ? "" : `: ${names.join("; ")}`
    }`;
  });
  const more = parts.length - 1 - listed.length;
  return [
    ...parts[0]!,
    `## Parts of this report\n\nThis page is part 1 of ${parts.length}. The whole on one page: [whole.md](${WHOLE}) · as data: [report.json](report.json)`,
    [...listed, ...(more > 0 ? [`- and ${more} more, each linked from the one before`] : [])].join(
      "\n",
    ),
  ].join("\n\n") + "\n";
}

function partPage(part: Part, number: number, count: number): string {
  const before = number === 2 ? "../report.md" : `${padded(number - 1, 3)}.md`;
  const links = [
    "up: [report.md](../report.md)",
    `before: [${number - 1}](${before})`,
    ...(number === count ? [] : [`after: [${number + 1}](${padded(number + 1, 3)}.md)`]),
    "whole: [whole.md](whole.md)",
  ];
  return `Part ${number} of ${count} of a report. ${links.join(" · ")}\n\n${part.join("\n\n")}\n`;
}

/** A heading's words; a cut leaves no half of an escape. */
function shortened(words: string): string {
  const points = [...words];
  if (points.length <= SHOWN.length) return words;
  return `${points.slice(0, SHOWN.length).join("").replace(/[\\&][^\s;]*$/, "").trimEnd()}…`;
}
