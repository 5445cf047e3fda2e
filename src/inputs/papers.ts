// Reads papers and other texts from PDF, markdown and text files.
import { basename, dirname, extname } from "@std/path";
import { fileURLToPath } from "node:url";
import { checkArguments } from "../core/check_fields.ts";
import { pause } from "../core/clock.ts";
import { isWebAddress } from "../core/key_rules.ts";
import { MAX_PAPER_CHARACTERS, type Paper, paperFile } from "../core/paper.ts";
import { ConfigurationError, ConveningError, PaperError } from "../core/error.ts";
import { FileError, fileState } from "../core/files.ts";
import { sha256 } from "../core/message.ts";
import { counted, thousands } from "../core/text.ts";
import {
  checkPaper,
  checkPapers,
  checkTitle,
  distinctPapers,
  paperId,
  shortTitle,
  titleIn,
  tooLong,
  UnreadableError,
} from "../papers/text/check_paper.ts";
import type { PdfText } from "../papers/reading/pdf_text.ts";
import type { PdfReply } from "../papers/reading/pdf_worker.ts";
import { userFiles } from "../record/disk_files.ts";

/** Matches the beginning of a paper in a convening's directory (context-network/elements/paper_record.md). */
const RECORDED = /^---\r?\nformat: convenings\/\d+\r?\ntype: paper\r?\n/;

/** Options of {@linkcode readPapers}. */
export interface ReadPaperOptions {
  /** Title, for a single paper. @default the title in the file, else the file's name */
  readonly title?: string | undefined;
  /** The most bytes of a file. @default 50000000 */
  readonly maxBytes?: number | undefined;
}

/**
 * Reads papers from PDF, markdown and text files, in order. Ids are derived from the files' names and unique. A paper from a
 * convening's directory keeps its id, title and pages. Rejects with a `PaperError` that names an unreadable file and the reason, or
 * with a `ConfigurationError`.
 */
export async function readPapers(
  paths: readonly string[],
  options: ReadPaperOptions = {},
): Promise<Paper[]> {
  checkArguments("readPapers", { paths });
  if (paths.length === 0) {
    throw new ConfigurationError("Cannot read papers: no paper was given", {
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
  // Read sequentially, so that only one file is in memory.
  const papers = await Array.fromAsync(paths, (path) => readPaper(path, options));
  // A record of an earlier version may have two papers of one text.
  const isRecord = new Set(paths.map(dirname)).size === 1 &&
    paths.every((path, at) => basename(path) === paperFile(at));
  return isRecord ? checkPapers(papers) : distinctPapers(papers, paths);
}

/** Reads one paper, like {@linkcode readPapers}. */
export async function readPaper(path: string, options: ReadPaperOptions = {}): Promise<Paper> {
  checkArguments("readPaper", { path });
  const { title, maxBytes } = options;
  if (maxBytes !== undefined && !(maxBytes > 0)) {
    throw new ConfigurationError(`Cannot read at most ${thousands(maxBytes)} bytes of a paper`, {
      field: "maxBytes",
      hint: "Give a number over 0.",
    });
  }
  return await paperFrom(() => textOf(path, { maxBytes }), { name: path, title });
}

/** Reads one paper from the bytes of a file, like {@linkcode readPaper}. */
export async function paperIn(bytes: Uint8Array, named: NamedPaper): Promise<Paper> {
  return await paperFrom(() => textIn(bytes, named.name), named);
}

interface NamedPaper {
  /** Name of the file, with or without folders. */
  readonly name: string;
  /** Title. @default the title in the file, else the file's name */
  readonly title?: string | undefined;
}

async function paperFrom(
  read: () => Promise<FileText>,
  { name: path, title }: NamedPaper,
): Promise<Paper> {
  const given = checkTitle(title, path);
  const file = await withPaperErrors(read, path);
  const kept = await withPaperErrors(() => recordedPaper(file, path), path);
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

/** Parses a paper of a convening's directory; undefined for any other file. */
async function recordedPaper({ format, text }: FileText, path: string): Promise<Paper | undefined> {
  if (format !== "markdown" || !RECORDED.test(text)) return undefined;
  const { parsePaper } = await import("../record/read_pages.ts");
  try {
    const { paper: { pages, ...paper }, sha256: sum } = parsePaper(text, path);
    // In an edited text the offsets of pages are wrong.
    return pages === undefined || sha256(paper.text) !== sum ? paper : { ...paper, pages };
  } catch (error) {
    if (!(error instanceof ConveningError)) throw error;
    const hint = "Remove its front matter to have it read like any other text.";
    throw new UnreadableError(`its front matter is damaged: ${error.message}`, hint, error);
  }
}

async function withPaperErrors<T>(read: () => Promise<T>, path: string): Promise<T> {
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

interface FileText {
  /** The unchanged text, or the text extracted from a PDF. */
  readonly text: string;
  readonly format: "pdf" | "markdown" | "text";
  /** Offset in the text of each page of a PDF. */
  readonly pages?: readonly number[] | undefined;
  /** Title in a PDF's metadata. */
  readonly title?: string | undefined;
}

/** Default of the most bytes of a file: 50 MB. */
export const MAX_FILE_BYTES = 50_000_000;

const READABLE = "Give a PDF, markdown or plain text file (UTF-8 or UTF-16).";

const MARKDOWN = /^\.(?:md|markdown|mdown|mkdn?|mdx|qmd|rmd)$/i;
const TEXT = /^\.(?:md|markdown|mdown|mkdn?|mdx|qmd|rmd|txt|text|rst|tex|adoc|org)$/i;
/** Number of first bytes to search for the signature of a PDF. */
const SIGNATURE_WITHIN = 1024;
/** A file with more than one control character in 20 is binary. */
const CONTROL_EVERY = 20;

/**
 * Reads the text of a PDF, markdown or text file. The format is detected by content, then by name. Rejects with an
 * {@linkcode UnreadableError} that states the detected format or the reason.
 */
export async function textOf(
  path: string,
  { maxBytes = MAX_FILE_BYTES }: { readonly maxBytes?: number | undefined } = {},
): Promise<FileText> {
  return await textIn(await bytesOf(path, maxBytes), path);
}

/** Extracts the text from the bytes of a file, like {@linkcode textOf}. */
async function textIn(bytes: Uint8Array, name: string): Promise<FileText> {
  if (bytes.length === 0) throw new UnreadableError("it is empty", READABLE);
  const file = await readAs(name, bytes);
  if (file.text.trim() === "") throw new UnreadableError("its text is empty", READABLE);
  if (file.text.length > MAX_PAPER_CHARACTERS) throw tooLong();
  return file;
}

/** True if the file at a path is a PDF by its content. */
export async function isPdfAt(path: string): Promise<boolean> {
  try {
    return isPdf(latin1((await userFiles.readFrom(path, 0, SIGNATURE_WITHIN)).bytes));
  } catch (error) {
    // The later read reports the error.
    if (error instanceof FileError) return false;
    throw error;
  }
}

async function readAs(path: string, bytes: Uint8Array): Promise<FileText> {
  const extension = extname(path);
  const begin = latin1(bytes.subarray(0, SIGNATURE_WITHIN));
  if (isPdf(begin) || begin.includes("%PDF-") && !TEXT.test(extension)) {
    return { format: "pdf", ...await readPdfApart(bytes) };
  }
  if (/^\.pdf$/i.test(extension)) {
    const state = `it is ${formatOf(begin) ?? "not a PDF"}, though its name ends in ${extension}`;
    throw new UnreadableError(state, "Get the file again, or give it the extension of its format.");
  }
  const format = MARKDOWN.test(extension) ? "markdown" : "text";
  return { format, text: decode(bytes, begin) };
}

/** Maximum time in milliseconds, and maximum growth of the process in bytes, for one PDF: a few kilobytes can unpack to gigabytes. */
const MAX_PDF = { time: 120_000, memory: 1e9 } as const;
/** Interval of looks at the memory, in milliseconds. */
const LOOK_EVERY = 200;
/** Maximum workers at a time; each may take hundreds of megabytes. */
const MAX_PDF_WORKERS = 2;
let workers = 0;
/** PDFs that wait for a worker, first come first. */
const waiting: (() => void)[] = [];

type PdfBounds = Readonly<Record<keyof typeof MAX_PDF, number>>;

/**
 * Reads a PDF in a worker, two files at a time, so that a large or crafted file neither blocks the process nor takes over
 * {@linkcode MAX_PDF}, without the wait for a worker. Reads in the process itself without permission to read the worker's
 * module, and in a bundled program, which has no such module. Rejects with an {@linkcode UnreadableError}.
 */
export async function readPdfApart(bytes: Uint8Array, most: PdfBounds = MAX_PDF): Promise<PdfText> {
  const module = new URL("../papers/reading/pdf_worker.ts", import.meta.url);
  const { isPermitted, memoryInUse } = await import("./servers.ts");
  if (!isPermitted("read", module) || await userFiles.stat(fileURLToPath(module)) === undefined) {
    const { readPdf } = await import("../papers/reading/pdf_reader.ts");
    return await readPdf(bytes);
  }
  if (workers < MAX_PDF_WORKERS) workers++;
  else await new Promise<void>((resolve) => waiting.push(resolve));
  try {
    return await readInWorker(module, bytes, { ...most, memoryInUse });
  } finally {
    const next = waiting.shift();
    if (next === undefined) workers--;
    else next();
  }
}

async function readInWorker(
  module: URL,
  bytes: Uint8Array,
  most: PdfBounds & { readonly memoryInUse: () => number },
): Promise<PdfText> {
  const worker = new Worker(module, { type: "module" });
  const { promise, resolve, reject } = Promise.withResolvers<PdfReply>();
  const ended = new AbortController();
  const before = most.memoryInUse();
  const watch = async () => {
    const isSmall = () => most.memoryInUse() - before < most.memory;
    for (let left = most.time; left > 0 && isSmall(); left -= LOOK_EVERY) {
      await pause(Math.min(left, LOOK_EVERY), ended.signal);
    }
    const [time, memory] = [Math.ceil(most.time / 1000), most.memory / 1e6];
    const state = `reading it takes more than ${time} s or ${thousands(memory)} MB of memory`;
    reject(new UnreadableError(state, "Give a part of it, or its text."));
  };
  watch().catch(() => {});
  worker.onerror = (event) => {
    // Otherwise the error would end this process.
    event.preventDefault();
    reject(new Error(event.message));
  };
  worker.onmessage = ({ data }: MessageEvent<PdfReply>) => resolve(data);
  worker.postMessage(bytes);
  try {
    const reply = await promise;
    if ("text" in reply) return reply.text;
    throw new UnreadableError(reply.problem.state, reply.problem.hint);
  } finally {
    ended.abort();
    worker.terminate();
  }
}

async function bytesOf(path: string, maxBytes: number): Promise<Uint8Array> {
  if (isWebAddress(path)) {
    throw new UnreadableError("it is a web address", "Download the file, and give its path.");
  }
  try {
    const info = await userFiles.stat(path);
    if (info === undefined) throw new UnreadableError("there is no such file", READABLE);
    if (info.isFolder) throw new UnreadableError("it is a folder", READABLE);
    if (info.size > maxBytes) {
      const state = `it has ${counted(info.size, "byte")}, at most ${thousands(maxBytes)} are read`;
      throw new UnreadableError(state, "Give a smaller file, or its text alone.");
    }
    const { bytes } = await userFiles.readFrom(path, 0, maxBytes);
    return bytes;
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    throw new UnreadableError(fileState(error), READABLE, error);
  }
}

function isPdf(begin: string): boolean {
  return begin.trimStart().startsWith("%PDF-");
}

/** Decodes bytes in UTF-8, or in UTF-16 with a byte order mark. Throws an {@linkcode UnreadableError} for a binary file. */
function decode(bytes: Uint8Array, begin: string): string {
  const refused = (state: string, cause?: unknown) => new UnreadableError(state, READABLE, cause);
  const what = formatOf(begin);
  if (what !== undefined) throw refused(`it is ${what}`);
  const mark = `${bytes[0]} ${bytes[1]}`;
  const encoding = mark === "255 254" ? "utf-16le" : mark === "254 255" ? "utf-16be" : "utf-8";
  let text: string;
  try {
    text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch (error) {
    throw refused("it is not text, or not in UTF-8", error);
  }
  const control = text.match(/(?!\s)\p{Cc}/gu)?.length ?? 0;
  if (text.includes("\0") || control * CONTROL_EVERY > text.length) {
    throw refused("it is not text: it contains binary data");
  }
  return text;
}

/** Matches the beginning of a web page. A comment ends at its first `-->`: a choice of ends would take exponential time. */
const PAGE =
  /^(?:\xef\xbb\xbf)?(?:\s|<\?xml[^>]*>|<!--(?:(?!-->).)*-->)*<(?:!doctype\s+html|html)\b/is;

/** Returns the name of a format of text that is not read; undefined for any other file. */
function formatOf(begin: string): string | undefined {
  if (PAGE.test(begin)) return "a web page";
  return /^(?:\{\\rtf|%!PS)/.test(begin) ? "an RTF or PostScript document" : undefined;
}

function latin1(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
}
