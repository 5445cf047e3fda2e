// Views of a record that need no reading of the whole: its line in a list, its index, its files, and pages of messages and facts.
import { join, resolve } from "@std/path";
import type { TranscriptFormat } from "../config/convening_config.ts";
import { ConveningError, RecordError } from "../core/error.ts";
import type {
  Evidence,
  Fact,
  FactCheck,
  OwnFact,
  Rejection,
  Score,
  TurnDraft,
  Verdict,
} from "../core/fact.ts";
import {
  checkPlain,
  FileError,
  type FileInfo,
  type FileSystem,
  MAX_FILE_BYTES,
} from "../core/files.ts";
import { type Message, sha256 } from "../core/message.ts";
import { RecentMap } from "../core/values.ts";
import { filesBelow, recordFiles } from "../record/disk_files.ts";
import type { MessageFile } from "../record/fact_files.ts";
import type { ConveningRow } from "../record/list.ts";
import { settledStamp } from "../record/fact_cache.ts";
import type { RecordProblem } from "../record/read.ts";
import { type MessageFilter, messageFilter } from "../record/search.ts";

/** The convenings of an archive, newest first. */
export async function listConvenings(out: string): Promise<ConveningRow[]> {
  const list = await import("../record/list.ts");
  return await list.listConvenings(filesBelow(resolve(out)), resolve(out));
}

/** The text of a convening's `index.md`. Fails with `not_found` or `record_corrupt`. */
export async function showIndex(dir: string): Promise<string> {
  const files = recordFiles(dir);
  await checkPlain(files, resolve(dir));
  const path = resolve(dir, "index.md");
  if (await files.stat(path) !== undefined) return await files.read(path);
  throw new RecordError("not_found", `Cannot show ${dir}: there is no index.md in it`, {
    field: "dir",
    hint: "Give the directory of one convening; convenings index DIR writes its index again.",
  });
}

/** The whole transcript as text, of a running convening too: nothing is written, and no lock is taken. */
export async function renderConvening(dir: string, format: TranscriptFormat): Promise<string> {
  const { readRecord } = await import("../record/read.ts");
  const { renderTranscript } = await import("../record/transcript.ts");
  return await renderTranscript(format, await readRecord(recordFiles(dir), resolve(dir)));
}

/** One message by its number, with its file. */
export async function showMessage(dir: string, seq: number): Promise<MessageFile> {
  const { readMessageFile } = await import("../record/fact_files.ts");
  return await readMessageFile(recordFiles(dir), resolve(dir), seq);
}

/** The attachments of a message: the speaker's private fields, rejected attempts, fact check, evidence. */
export interface MessageBeside {
  /** Absent where all was said. */
  readonly draft?: TurnDraft | undefined;
  /** The first one first. */
  readonly rejected: readonly Rejection[];
  /** Absent where nothing was looked up. */
  readonly factCheck?: FactCheck | undefined;
  /** The arguments and evidence of a paper debater's message; absent of all others. */
  readonly evidence?: Evidence | undefined;
  /** Facts of a program's own kinds. */
  readonly own: readonly OwnFact[];
}

/** The attachments of a message, found by its number without reading the others. */
export async function showBeside(dir: string, seq: number): Promise<MessageBeside> {
  const { readAbout } = await import("../record/fact_files.ts");
  const path = resolve(dir);
  const files = recordFiles(path);
  const [[draft], rejected, [factCheck], [evidence], own] = await Promise.all([
    readAbout(files, path, "draft", seq),
    readAbout(files, path, "rejected", seq),
    readAbout(files, path, "fact-check", seq),
    readAbout(files, path, "evidence", seq),
    readAbout(files, path, "own", seq),
  ]);
  return { draft, rejected, factCheck, evidence, own };
}

interface PageOptions {
  /** The number of the message that the page begins after. @default 0: from the first on */
  readonly after?: number | undefined;
  /** The most messages. @default 50 */
  readonly limit?: number | undefined;
}

/** A part of what a convening has now. */
interface Page {
  /** The number of the message that the next page begins after; null where nothing follows. */
  readonly next: number | null;
  /** The number of messages, or facts, on all pages. */
  readonly total: number;
}

interface MessagePage extends Page {
  readonly messages: readonly (Message & { readonly file: string })[];
  /** Messages of this part that are left out because they are damaged. */
  readonly skipped: readonly RecordProblem[];
}

/**
 * A part of a convening's messages, of which no others are read unless a filter is given; takes no lock. `file` is the path
 * in the directory. Fails with `not_found`.
 */
export async function messagePage(
  dir: string,
  { after = 0, limit = 50, ...filter }: PageOptions & MessageFilter = {},
): Promise<MessagePage> {
  const path = resolve(dir);
  const all = await filesOf(path, "messages");
  const isWanted = messageFilter(filter);
  const isFiltered = Object.values(filter).some((each) => each !== undefined);
  const messages: MessagePage["messages"][number][] = [];
  const skipped: RecordProblem[] = [];
  let next: number | null = after;
  do {
    const part: NumberedPart = partOf(all, { after: next, limit });
    const read = await Promise.all(part.files.map((file) => messageIn(path, file)));
    for (const each of read) {
      if ("problem" in each) skipped.push(each);
      else if (isWanted(each)) messages.push(each);
    }
    next = part.next;
  } while (isFiltered && next !== null && messages.length <= limit);
  const page = isFiltered ? messages.slice(0, limit) : messages;
  if (page.length < messages.length) next = page.at(-1)!.seq;
  return { messages: page, next, total: all.length, skipped };
}

/** A message of a file, or the problem of a damaged file. */
async function messageIn(
  dir: string,
  { name, number }: NumberedFile,
): Promise<MessagePage["messages"][number] | RecordProblem> {
  const file = `messages/${name}`;
  try {
    const fact = await factIn(dir, "messages", name);
    if (fact.type === "message") return { ...fact, file };
  } catch (error) {
    if (!(error instanceof RecordError || error instanceof FileError)) throw error;
  }
  return { path: file, problem: `message ${number} is damaged` };
}

/** The facts of folders that are read a page at a time, or whole. */
interface FactsOf {
  readonly scores: Score;
  readonly verdicts: Verdict;
  readonly "fact-checks": FactCheck;
}

/**
 * The facts about so many messages after one, from one folder, by these messages; no other file is read, and no lock is
 * taken. Fails with `record_corrupt` where one of them is damaged.
 */
export async function factPage<T extends keyof FactsOf>(
  dir: string,
  folder: T,
  { after = 0, limit = 50 }: PageOptions = {},
): Promise<Page & { readonly facts: readonly FactsOf[T][] }> {
  const path = resolve(dir);
  const all = await filesOf(path, folder);
  const { files, next } = partOf(all, { after, limit });
  const facts = await Promise.all(files.map(({ name }) => factIn(path, folder, name)));
  // A folder holds facts of one type: others fail as they are read.
  return { facts: facts as unknown as FactsOf[T][], next, total: all.length };
}

/** Every verdict of a convening. Fails with `record_corrupt` where one of them is damaged. */
export async function verdictsOf(dir: string): Promise<readonly Verdict[]> {
  return (await factPage(dir, "verdicts", { limit: Infinity })).facts;
}

/** The fact in one file of a convening's folder. Fails with `record_corrupt`. */
export async function factIn(dir: string, folder: string, name: string): Promise<Fact> {
  const { parseFact } = await import("../record/read_pages.ts");
  const path = join(dir, folder, name);
  return parseFact(await recordFiles(dir).read(path), path, folder);
}

/**
 * A text that changes with any file of pages of folders, or with how many files a folder has, of which none is read;
 * undefined where one of them has just changed.
 */
export async function pageStamp(
  dir: string,
  folders: readonly (keyof FactsOf | "messages")[],
  { after = 0, limit = 50 }: PageOptions,
): Promise<string | undefined> {
  const stamps: string[] = [];
  for (const folder of folders) {
    const all = await numberedFiles(resolve(dir), folder);
    const { files } = folder === "verdicts" ? { files: all } : partOf(all, { after, limit });
    stamps.push(`${folder} ${all.length}`);
    for (const { name } of files) {
      const stamp = settledStamp(await recordFiles(dir).stat(join(resolve(dir), folder, name)));
      if (stamp === undefined) return undefined;
      stamps.push(`${name} ${stamp}`);
    }
  }
  return sha256(stamps.join("\n"));
}

/** A file of a convening that has a number in its name. */
export interface NumberedFile {
  readonly name: string;
  /** A message's, that of the message it is kept beside, or a judge's verdicts in their order. */
  readonly number: number;
}

/** The number in the name of an attachment: further attempts have a number of their own behind the message's. */
const BESIDE = /^(\d+)(?:_\d+)?\.md$/;

/** The folders of a convening whose files have numbers, and the number in a name. */
const NUMBERS = {
  messages: /^(\d+)_[a-z0-9_]+_[0-9a-f]{8}\.md$/,
  drafts: BESIDE,
  rejected: BESIDE,
  "fact-checks": BESIDE,
  evidence: BESIDE,
  scores: /^(\d+)_[0-9a-f]{8}\.md$/,
  verdicts: /^[0-9a-f]{8}_(\d+)\.md$/,
} as const;

/** The files of folders that were listed, each with what tells whether its folder has changed since. */
const knownFolders = new RecentMap<
  { readonly stamp: string; readonly files: readonly NumberedFile[] }
>(64);

/**
 * The files of a convening's folder by number, then by name, of which none is opened. A folder is listed again once it
 * has changed, whoever changed it. Fails with `record_corrupt` where the folder is no plain one.
 */
export async function numberedFiles(
  dir: string,
  folder: keyof typeof NUMBERS,
): Promise<readonly NumberedFile[]> {
  const path = join(dir, folder);
  const found = knownFolders.take(path);
  const info = await recordFiles(dir).stat(path);
  if (info === undefined) return [];
  const stamp = settledStamp(info);
  const isSame = stamp !== undefined && found?.stamp === stamp;
  const files = isSame ? found.files : await listed(dir, folder);
  if (stamp !== undefined) knownFolders.set(path, { stamp, files });
  return files;
}

async function listed(dir: string, folder: keyof typeof NUMBERS): Promise<NumberedFile[]> {
  const files: NumberedFile[] = [];
  for (const { name, isFolder } of await recordFiles(dir).list(join(dir, folder))) {
    const [, number] = isFolder ? [] : NUMBERS[folder].exec(name) ?? [];
    if (number !== undefined) files.push({ name, number: Number(number) });
  }
  return files.sort((a, b) => a.number - b.number || (a.name < b.name ? -1 : 1));
}

/** The files of a convening's folder. Fails with `not_found` where there is no convening. */
async function filesOf(
  dir: string,
  folder: keyof FactsOf | "messages",
): Promise<readonly NumberedFile[]> {
  const all = await numberedFiles(dir, folder);
  // A folder without a convening has no files of that folder, either.
  if (all.length === 0) {
    await (await import("../record/read.ts")).readMetadata(recordFiles(dir), dir);
  }
  return all;
}

interface NumberedPart extends Pick<Page, "next"> {
  readonly files: readonly NumberedFile[];
}

/** The files of the next numbers after one, so many numbers at most. */
function partOf(
  files: readonly NumberedFile[],
  { after, limit }: { readonly after: number; readonly limit: number },
): NumberedPart {
  let start = 0;
  // Found by halves: there may be many before it.
  for (let end = files.length; start < end;) {
    const middle = (start + end) >> 1;
    if (files[middle]!.number > after) end = middle;
    else start = middle + 1;
  }
  let end = start;
  for (let numbers = 0; end < files.length; end++) {
    const isNew = end === start || files[end]!.number !== files[end - 1]!.number;
    if (isNew && ++numbers > limit) break;
  }
  const part = files.slice(start, end);
  return { files: part, next: end < files.length ? part.at(-1)?.number ?? null : null };
}

/** A file as it lies in an archive. */
interface ArchivedFile {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** The SHA-256 of the bytes, in hex. */
  readonly sum: string;
}

/** The most bytes of a file that is known; of a larger one the sum is made on a thread of its own. */
const SMALL = 1 << 16;
/** Bytes of a large file that are read at once. */
const PIECE = 1 << 20;
/** Files that were read, 16 MiB at most, each with what tells whether it has changed since. */
const knownFiles = new RecentMap<ArchivedFile & { readonly stamp: string }>(256);

/**
 * A file under an archive's folder, by the names on the way to it; it is read again once it has changed. Fails with
 * `not_found` for what is none or has a dot in front, and with `record_corrupt` for what is, or is reached through, no
 * plain file or folder; a name is one step, whatever stands in it. `asked` is the path as errors quote the path.
 */
export async function archivedFile(
  out: string,
  names: readonly string[],
  asked: string = names.join("/"),
): Promise<ArchivedFile> {
  const folder = resolve(out);
  const files = filesBelow(folder);
  const path = join(folder, ...names);
  const info = names.every(isName) ? await files.stat(path) : undefined;
  if (info?.isFolder === false) return await knownFile(files, path, info);
  throw new ConveningError("not_found", `Cannot find a file "${asked.slice(0, 200)}"`, {
    field: "path",
    hint: "The index of the convening, index.md, has links to its files.",
  });
}

/** Files that are served at any size. */
const STREAMED = /^(?:log\.jsonl|transcript\.[a-z]+)$/;

/** A log or a transcript under an archive's folder that is too large to be read whole, piece by piece; else undefined. */
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
      const { bytes } = await files.readFrom(path, offset, Math.min(PIECE, size - offset));
      offset += bytes.length;
      if (bytes.length > 0) controller.enqueue(bytes);
      else controller.close();
    },
  });
  return { stream, size };
}

async function knownFile(files: FileSystem, path: string, info: FileInfo): Promise<ArchivedFile> {
  const stamp = settledStamp(info);
  const found = knownFiles.take(path);
  const file = stamp !== undefined && found?.stamp === stamp
    ? found
    : await readFile(files, path, info);
  if (stamp === undefined || file.bytes.length > SMALL) return file;
  knownFiles.set(path, { ...file, stamp });
  return file;
}

async function readFile(
  files: FileSystem,
  path: string,
  { size }: FileInfo,
): Promise<ArchivedFile> {
  // A file that is too large is rejected by name.
  if (size > MAX_FILE_BYTES) await files.read(path);
  const { bytes } = await files.readFrom(path, 0, size);
  return { bytes, sum: await sumOf(bytes) };
}

/** The SHA-256 of bytes, in hex; of many bytes on a thread of its own. */
export async function sumOf(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  if (bytes.length <= SMALL) return sha256(bytes);
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)).toHex();
}

/** True of a name that is one step down, to something that is not hidden. */
function isName(name: string): boolean {
  return /^[^.\p{Cc}/\\:][^\p{Cc}/\\:]{0,254}$/u.test(name);
}
