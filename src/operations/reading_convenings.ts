// Reads parts of a record without reading all of it: rows of a list, the index, files, and pages of messages and facts.
import { join, resolve } from "@std/path";
import type { TranscriptFormat } from "../config/convening_config.ts";
import { checkArguments } from "../core/check_fields.ts";
import { ConveningError, RecordError } from "../core/error.ts";
import type {
  Evidence,
  FactCheck,
  OwnFact,
  Rejection,
  Score,
  TurnDraft,
  Verdict,
} from "../core/fact.ts";
import { type FileInfo, type FileSystem, MAX_FILE_BYTES } from "../core/files.ts";
import { type Message, sha256 } from "../core/message.ts";
import { defined, RecentMap } from "../core/values.ts";
import { filesBelow, recordFiles } from "../record/disk_files.ts";
import type { FactOf, MessageFile, NumberedFile } from "../record/fact_files.ts";
import type { ConveningRow } from "../core/event.ts";
import type { RecordProblem } from "../record/read.ts";
import { settledStamp } from "../record/fact_cache.ts";
import { checkEntries, ifReadable, noConvening } from "../record/problems.ts";
import {
  knownIn,
  type KnownMessages,
  type MessageFilter,
  messageFilter,
} from "../record/search.ts";

/** Lists the convenings of an archive, newest first, damaged ones as `unreadable`; none if the folder is missing. */
export async function listConvenings(out: string): Promise<ConveningRow[]> {
  checkArguments("listConvenings", { out });
  const list = await import("../record/list.ts");
  return await list.listConvenings(filesBelow(resolve(out)), resolve(out));
}

/** Reads a convening's `index.md`. Throws `not_found` or `record_corrupt`. */
export async function showIndex(dir: string): Promise<string> {
  const files = recordFiles(dir);
  await checkEntries(files, resolve(dir), "show");
  const path = resolve(dir, "index.md");
  if (await files.stat(path) !== undefined) return await files.read(path);
  if (await files.stat(resolve(dir, "metadata.md")) === undefined) {
    throw noConvening(`show ${dir}`, dir);
  }
  throw new RecordError("not_found", `Cannot show ${dir}: it contains no index.md`, {
    field: "dir",
    hint: "Write it again: convenings index DIR.",
  });
}

/** Renders the transcript of a convening, ended or running; writes nothing and takes no lock. */
export async function renderConvening(dir: string, format: TranscriptFormat): Promise<string> {
  const { readRecord } = await import("../record/read.ts");
  const { renderTranscript } = await import("../record/transcript.tsx");
  return await renderTranscript(format, await readRecord(recordFiles(dir), resolve(dir)));
}

/** Reads a message by its number, with the path of its file. Throws `not_found` or `record_corrupt`. */
export async function showMessage(dir: string, seq: number): Promise<MessageFile> {
  checkArguments("showMessage", { dir, seq });
  const { readMessageFile } = await import("../record/fact_files.ts");
  return await readMessageFile(recordFiles(dir), resolve(dir), seq);
}

export interface MessageAttachments {
  /** The speaker's private fields; absent if the whole reply was said. */
  readonly draft?: TurnDraft | undefined;
  /** Rejected attempts, oldest first. */
  readonly rejected: readonly Rejection[];
  /** Absent if the message was not checked. */
  readonly factCheck?: FactCheck | undefined;
  /** Arguments and evidence of a paper debater's message; absent for other messages. */
  readonly evidence?: Evidence | undefined;
  readonly own: readonly OwnFact[];
  readonly scores: readonly Score[];
}

/** Reads the attachments of a message by its number, without reading other messages. */
export async function readAttachments(dir: string, seq: number): Promise<MessageAttachments> {
  const { readAbout } = await import("../record/fact_files.ts");
  const path = resolve(dir);
  const files = recordFiles(path);
  const [[draft], rejected, [factCheck], [evidence], own, scores] = await Promise.all([
    readAbout(files, path, "draft", seq),
    readAbout(files, path, "rejected", seq),
    readAbout(files, path, "fact-check", seq),
    readAbout(files, path, "evidence", seq),
    readAbout(files, path, "own", seq),
    readAbout(files, path, "score", seq),
  ]);
  return { draft, rejected, factCheck, evidence, own, scores };
}

interface PageOptions {
  /** Number of the message before the page. @default 0: the page begins with the first message */
  readonly after?: number | undefined;
  /** Maximum number of messages. @default 50 */
  readonly limit?: number | undefined;
}

interface Page {
  /** `after` of the next page; null on the last page. */
  readonly next: number | null;
  /** Number of files, in all pages together. */
  readonly total: number;
}

interface MessagePage extends Page {
  readonly messages: readonly (Message & { readonly file: string })[];
  /** Damaged messages that the page leaves out. */
  readonly skipped: readonly RecordProblem[];
  /** Present on the first page if the filter fits no message. */
  readonly known?: KnownMessages | undefined;
}

/**
 * Reads a page of a convening's messages without a lock; without a filter, reads no other messages. `file` is the path in
 * the directory. Throws `not_found`.
 */
export async function messagePage(
  dir: string,
  { after = 0, limit = 50, ...filter }: PageOptions & MessageFilter = {},
): Promise<MessagePage> {
  const path = resolve(dir);
  const all = await filesOf(path, "message");
  const isWanted = messageFilter(filter);
  const isFiltered = Object.values(filter).some((each) => each !== undefined);
  const messages: MessagePage["messages"][number][] = [];
  const others: Pick<Message, "name" | "kind">[] = [];
  const damaged = new Map<number, RecordProblem>();
  let next: number | null = after;
  let step = limit;
  do {
    const part: NumberedPart = partOf(all, { after: next, limit: step });
    // Each part is found in the whole list, so a rare speaker is looked for in ever larger parts.
    step = Math.max(step, Math.min(2 * step, 200));
    const read = await Promise.all(part.files.map((file) => messageIn(path, file)));
    for (const [at, each] of read.entries()) {
      if ("problem" in each) damaged.set(part.files[at]!.number, each);
      else if (isWanted(each)) messages.push(each);
      else others.push({ name: each.name, kind: each.kind });
    }
    next = part.next;
  } while (isFiltered && next !== null && messages.length <= limit);
  const page = isFiltered ? messages.slice(0, limit) : messages;
  if (page.length < messages.length) next = page.at(-1)!.seq;
  const last = next ?? Infinity;
  const skipped = [...damaged].flatMap(([number, each]) => number > last ? [] : [each]);
  const known = after === 0 && messages.length === 0 ? knownIn(others) : undefined;
  return { messages: page, next, total: all.length, skipped, ...defined({ known }) };
}

/** Reads the message of a file; returns a problem for a damaged file. */
async function messageIn(
  dir: string,
  { path, number }: NumberedFile,
): Promise<MessagePage["messages"][number] | RecordProblem> {
  const { readFactFile } = await import("../record/fact_files.ts");
  return await ifReadable(async () => {
    const { fact } = await readFactFile(recordFiles(dir), dir, { type: "message", path });
    return { ...fact, file: path };
  }, () => ({ path, problem: `message ${number} is damaged` }));
}

type PagedType = "message" | "score" | "verdict" | "fact-check";

/**
 * Reads the facts of a type about a page of messages, in the order of the messages; takes no lock and reads no other file.
 * Throws `record_corrupt` for a damaged file.
 */
export async function factPage<T extends PagedType>(
  dir: string,
  type: T,
  { after = 0, limit = 50 }: PageOptions = {},
): Promise<Page & { readonly facts: readonly FactOf<T>[] }> {
  const { readFactFile } = await import("../record/fact_files.ts");
  const on = resolve(dir);
  const all = await filesOf(on, type);
  const { files, next } = partOf(all, { after, limit });
  const read = files.map(({ path }) => readFactFile(recordFiles(on), on, { type, path }));
  return { facts: (await Promise.all(read)).map(({ fact }) => fact), next, total: all.length };
}

/** Reads all verdicts of a convening. Throws `record_corrupt` for a damaged file. */
export async function verdictsOf(dir: string): Promise<readonly Verdict[]> {
  const { facts } = await factPage(dir, "verdict", { limit: Infinity });
  return facts.toSorted((a, b) => a.number - b.number);
}

/** Lists the files of a type. Throws `not_found` if there is no convening. */
async function filesOf(dir: string, type: PagedType): Promise<readonly NumberedFile[]> {
  const { numberedFiles } = await import("../record/fact_files.ts");
  const all = await numberedFiles(recordFiles(dir), dir, type);
  // An empty folder may mean that there is no convening: reading the metadata throws then.
  if (all.length === 0) {
    await (await import("../record/read.ts")).readMetadata(recordFiles(dir), dir);
  }
  return all;
}

interface NumberedPart extends Pick<Page, "next"> {
  readonly files: readonly NumberedFile[];
}

/** Returns the files with numbers above `after`, for at most `limit` different numbers. */
function partOf(
  files: readonly NumberedFile[],
  { after, limit }: { readonly after: number; readonly limit: number },
): NumberedPart {
  const rest = files.filter(({ number }) => number > after);
  const numbers = [...new Set(rest.map(({ number }) => number))].slice(0, limit);
  const part = rest.filter(({ number }) => number <= (numbers.at(-1) ?? 0));
  return { files: part, next: part.length < rest.length ? numbers.at(-1) ?? null : null };
}

interface ArchivedFile {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** The SHA-256 of the bytes, in hex. */
  readonly sum: string;
}

/** Maximum bytes of a cached file; a larger file is hashed on another thread. */
const SMALL = 1 << 16;
/** Bytes per read of a streamed file. */
const CHUNK = 1 << 20;
/** Cache of read files, by path, at most 256 files of 64 KiB; a file with a changed stamp is read again. */
const fileCache = new RecentMap<ArchivedFile & { readonly stamp: string }>(256);

/**
 * Reads a file of an archive by its path segments, with a cache. Throws `not_found`
 * for a missing or hidden file and for a segment with a separator, and `record_corrupt` if the file, or a folder on the
 * way, is not a plain file or folder.
 */
export async function archivedFile(
  out: string,
  names: readonly string[],
): Promise<ArchivedFile> {
  const folder = resolve(out);
  const files = filesBelow(folder);
  const path = join(folder, ...names);
  const info = names.every(isName) ? await files.stat(path) : undefined;
  if (info?.isFolder === false) return await cachedFile(files, path, info);
  throw new ConveningError("not_found", `Cannot find a file "${names.join("/").slice(0, 200)}"`, {
    field: "path",
    hint: "The index of the convening, index.md, has links to its files.",
  });
}

/** Names of files that are served at any size. */
const STREAMED = /^(?:log\.jsonl|transcript\.[a-z]+)$/;

/** Streams a log or a transcript that is too large to be read whole; undefined for other and smaller files. */
export async function largeFile(
  out: string,
  names: readonly string[],
): Promise<{ readonly stream: ReadableStream<Uint8Array>; readonly size: number } | undefined> {
  if (!STREAMED.test(names.at(-1) ?? "") || !names.every(isName)) return undefined;
  const files = filesBelow(resolve(out));
  const path = join(resolve(out), ...names);
  const { size = 0 } = await files.stat(path) ?? {};
  if (size <= MAX_FILE_BYTES) return undefined;
  let offset = 0;
  const stream = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { bytes } = await files.readFrom(path, offset, Math.min(CHUNK, size - offset));
      offset += bytes.length;
      if (bytes.length > 0) controller.enqueue(bytes);
      else controller.close();
    },
  });
  return { stream, size };
}

async function cachedFile(files: FileSystem, path: string, info: FileInfo): Promise<ArchivedFile> {
  const stamp = settledStamp(info);
  const found = fileCache.take(path);
  const file = stamp !== undefined && found?.stamp === stamp
    ? found
    : await readFile(files, path, info);
  if (stamp === undefined || file.bytes.length > SMALL) return file;
  fileCache.set(path, { ...file, stamp });
  return file;
}

async function readFile(
  files: FileSystem,
  path: string,
  { size }: FileInfo,
): Promise<ArchivedFile> {
  // `read` throws for a file that is too large.
  if (size > MAX_FILE_BYTES) await files.read(path);
  const { bytes } = await files.readFrom(path, 0, size);
  return { bytes, sum: await sumOf(bytes) };
}

/** Returns the SHA-256 of bytes, in hex; hashes more than 64 KiB on another thread. */
export async function sumOf(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  if (bytes.length <= SMALL) return sha256(bytes);
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)).toHex();
}

/** Returns true for a path segment without separators, control characters or a leading dot. */
function isName(name: string): boolean {
  return /^[^.\p{Cc}/\\:][^\p{Cc}/\\:]{0,254}$/u.test(name);
}
