// Papers of a convening, read from their files.
import { basename, extname } from "@std/path";
import { ConfigurationError, ConveningError, PaperError } from "../core/error.ts";
import { sha256 } from "../core/message.ts";
import {
  checkPaper,
  checkPapers,
  checkTitle,
  paperId,
  shortTitle,
  titleIn,
  UnreadableError,
} from "../papers/text/check_paper.ts";
import type { Paper } from "../core/paper.ts";
import { type FileText, textIn, textOf } from "./paper_file.ts";

/** Beginning of a paper that a convening keeps (context-network/elements/paper_record.md). */
const KEPT = /^---\r?\nformat: convenings\/\d+\r?\ntype: paper\r?\n/;

/** Options of reading papers. */
export interface ReadPaperOptions {
  /** The title of the one paper. @default the one it gives itself, else the file's name */
  readonly title?: string | undefined;
  /** The most bytes of a file. @default 50,000,000 */
  readonly maxBytes?: number | undefined;
}

/**
 * The papers in PDF, markdown and text files, in their order. Their ids are made from the files' names, and differ; a
 * paper of a convening's directory has the id, the title and the pages that it had there. Fails with a `PaperError` that
 * names the file and says why it cannot be read, or with a `ConfigurationError`.
 */
export async function readPapers(
  paths: readonly string[],
  options: ReadPaperOptions = {},
): Promise<Paper[]> {
  if (paths.length === 0) {
    throw new ConfigurationError("Cannot read papers: there is none", {
      field: "papers",
      hint: "Give the path of at least one PDF, markdown or text file.",
    });
  }
  if (paths.length > 1 && options.title !== undefined) {
    throw new ConfigurationError(
      `Cannot use one title for ${paths.length} papers: each has its own`,
      {
        field: "title",
        hint: "Leave the title out, or give one paper.",
      },
    );
  }
  const papers: Paper[] = [];
  // One after the other, so that the memory is that of the largest.
  for (const path of paths) papers.push(await readPaper(path, options));
  return checkPapers(papers);
}

/** The paper in one file; as {@linkcode readPapers}. */
export async function readPaper(path: string, options: ReadPaperOptions = {}): Promise<Paper> {
  const { title, maxBytes } = options;
  if (maxBytes !== undefined && !(maxBytes > 0)) {
    throw new ConfigurationError(`Cannot read at most ${maxBytes} bytes of a paper`, {
      field: "maxBytes",
      hint: "Give a number over 0.",
    });
  }
  return await paperFrom(() => textOf(path, { maxBytes }), { name: path, title });
}

/** The paper in the bytes of a file of that name, wherever they are from; as {@linkcode readPaper}. */
export async function paperIn(bytes: Uint8Array, named: NamedPaper): Promise<Paper> {
  return await paperFrom(() => textIn(bytes, named.name), named);
}

/** Names of a paper before it is read. */
interface NamedPaper {
  /** Of its file, with or without folders. */
  readonly name: string;
  /** @default the one it gives itself, else the file's name */
  readonly title?: string | undefined;
}

async function paperFrom(
  read: () => Promise<FileText>,
  { name: path, title }: NamedPaper,
): Promise<Paper> {
  const given = checkTitle(title, path);
  const file = await readable(read, path);
  const kept = await keptPaper(file, path);
  if (kept !== undefined) return checkPaper({ ...kept, title: given ?? kept.title });
  const name = basename(path, extname(path));
  const own = given ?? file.title ?? titleIn(file.text, { markdown: file.format === "markdown" });
  return checkPaper({
    id: paperId(name),
    title: shortTitle(own ?? name),
    text: file.text,
    pages: file.pages,
  });
}

/** The paper of a convening's directory, without its front matter; undefined where the file is another text. */
async function keptPaper({ format, text }: FileText, path: string): Promise<Paper | undefined> {
  if (format !== "markdown" || !KEPT.test(text)) return undefined;
  const { parsePaper } = await import("../record/fact_reader.ts");
  try {
    const { paper: { pages, ...paper }, sha256: sum } = parsePaper(text, path);
    // In a text that was changed since, pages begin elsewhere.
    return pages === undefined || sha256(paper.text) !== sum ? paper : { ...paper, pages };
  } catch (error) {
    if (!(error instanceof ConveningError)) throw error;
    throw new PaperError(
      `Cannot read paper "${path}": its front matter is damaged: ${error.message}`,
      {
        field: "papers",
        hint: "Take its front matter out, and it is read like every other text.",
        cause: error,
      },
    );
  }
}

async function readable(read: () => Promise<FileText>, path: string): Promise<FileText> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof UnreadableError)) throw error;
    const { message, hint } = error;
    throw new PaperError(`Cannot read paper "${path}": ${message}`, {
      field: "papers",
      hint,
      cause: error.cause,
    });
  }
}
