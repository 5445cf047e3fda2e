// Papers of a convening: names of their files and folders, and how a paper is written.
import { ConfigurationError } from "../../core/error.ts";
import type { FileSystem } from "../../core/files.ts";
import { sha256 } from "../../core/message.ts";
import { type Paper, paperFile } from "../../core/paper.ts";
import { writtenKeys } from "../codec.ts";
import type { Keys } from "../fact_row.ts";
import { writeFrontMatter } from "../frontmatter.ts";
import { common } from "./renderer.ts";

/** The front matter of a paper's file. */
export const PAPER: Keys = {
  id: "text",
  title: "text",
  characters: "count",
  "pages?": { list: "count" },
  index: "text",
  sha256: "hash",
};

/** The names that papers' files can have. */
export const PAPER_NAME = /^paper(?:-[1-9]\d*)?\.md$/;
/** The names that the folders of papers' pages can have. */
const PAPER_FOLDER = /^paper(?:-[1-9]\d*)?$/;
/** The paths that a page with a part of a paper can have. */
export const PAPER_PAGE = /^paper(?:-[1-9]\d*)?\/\d+\.md$/;
/** The paths that the uppermost index of a paper's pages can have. */
export const PAPER_INDEX = /^paper(?:-[1-9]\d*)?\/index\.md$/;

/** The folder of the parts of a long report. */
export const REPORT_FOLDER = "report";

/** The folder of the pages of the paper with the given place, from 0: `paper`, `paper-2` and so on. */
export function paperFolder(index: number): string {
  return paperFile(index).slice(0, -".md".length);
}

/** The uppermost index of the pages of the paper with the given place, from 0. */
export function paperIndexPath(index: number): string {
  return `${paperFolder(index)}/index.md`;
}

/** Whether pages begin one after the other, within the text. */
export function pagesFit({ text, pages = [] }: Pick<Paper, "text" | "pages">): boolean {
  return pages.every((start, index) => start >= (pages[index - 1] ?? 0) && start <= text.length);
}

/**
 * A paper as its file: the text is the body, to the character; lengths and places are in UTF-16 units. Fails with
 * `config_invalid` for pages that could not be read back.
 */
export function renderPaper(paper: Paper): string {
  const { id, title, text, pages } = paper;
  if (!pagesFit(paper)) {
    throw new ConfigurationError(
      `Cannot keep the paper "${id}": its pages do not begin one after the other within its text`,
      { field: "papers", hint: "Give where each page begins, in order, or no pages." },
    );
  }
  const body = text.toWellFormed();
  const fields = {
    id,
    title,
    characters: body.length,
    pages,
    index: "index.md",
    sha256: sha256(body),
  };
  return writeFrontMatter({ ...common("paper"), ...writtenKeys(fields, PAPER) }, body);
}

/** The folders of papers' pages that are there. */
export async function paperFolders(files: FileSystem, dir: string): Promise<string[]> {
  return (await files.list(dir)).filter(({ name, isFolder }) => isFolder && PAPER_FOLDER.test(name))
    .map(({ name }) => name);
}
