// `files.md`: links to the files of a record beside messages and scores.
import type { Fact } from "../core/fact.ts";
import { counted } from "../core/text.ts";
import { aboutOf, factPath } from "./codec.ts";
import { byNumber } from "./archive.ts";
import { common } from "./frontmatter.ts";
import type { Measure } from "./markdown.ts";
import { type ListRow, type PageText, tablePages } from "./page_tree.ts";
import type { RecordModel } from "./record_model.ts";
import { shortName } from "./words.ts";

/** The page of further files. */
export const FILES = "files.md";
/** The folder of its further pages. */
export const FILE_PAGES = "files";
/** Types that other pages list whole. */
const LISTED: ReadonlySet<Fact["type"]> = new Set(["message", "score"]);
/** Tokens of the rows on a page. */
const ROOM = { first: 1500, further: 1500 } as const;

/** Tells whether a record has further files. */
export function hasFiles({ facts, given }: RecordModel): boolean {
  return given.sources.length > 0 || facts.some(({ type }) => !LISTED.has(type));
}

/** The pages of further files; none where there are no such files. */
export function filePages(model: RecordModel, measure: Measure): readonly PageText[] {
  const facts = model.facts.filter(({ type }) => !LISTED.has(type))
    .map((fact) => ({ path: factPath(fact, model), about: aboutWords(model, fact) }));
  const sources = model.given.sources.map(({ name }) => ({ path: `sources/${name}`, about: "" }));
  const files = [...facts, ...sources].sort((a, b) => byNumber(a.path, b.path));
  if (files.length === 0) return [];
  const rows = files.map(({ path, about }): ListRow => ({
    label: path,
    group: path.slice(0, path.indexOf("/")),
    line: (up) => `| [${path}](${up}${path}) | ${about} |\n`,
  }));
  return tablePages({
    path: FILES,
    folder: FILE_PAGES,
    front: (up) => ({ ...common("files"), index: `${up}index.md`, files: files.length }),
    title: "Files",
    head: `# Files beside messages and scores\n\n${
      counted(files.length, "file")
    }, by folder. A name begins with the number of the message. Up: [index.md](index.md)\n\n`,
    columns: ["file", "of"],
    rows,
    room: ROOM.first,
    capacity: ROOM.further,
  }, measure);
}

/** The name of the participant or judge that a fact is of, and the message that it is about. */
function aboutWords(model: RecordModel, fact: Fact): string {
  const seq = aboutOf(fact);
  const who = "judge" in fact ? fact.judge : "participant" in fact ? fact.participant : undefined;
  return [
    ...fact.type === "brief" ? [fact.form] : [],
    ...typeof who === "string" ? [shortName(model, who)] : [],
    ...seq === undefined || seq === 0 ? [] : [`message ${seq}`],
  ].join(", ");
}
