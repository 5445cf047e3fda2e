// Pages of messages and of facts about messages, read without the whole record.
import { join, resolve } from "@std/path";
import type { TranscriptFormat } from "../config/convening_config.ts";
import { RecordError } from "../core/error.ts";
import type { Fact, FactCheck, Score, Verdict } from "../core/fact.ts";
import { FileError } from "../core/files.ts";
import { type Message, sha256 } from "../core/message.ts";
import { recordFiles } from "../record/disk_files.ts";
import type { RecordProblem } from "../record/read.ts";
import { type MessageFilter, messageFilter } from "../record/search.ts";
import { settledStamp } from "../record/settled.ts";
import { type NumberedFile, numberedFiles, partOf } from "./numbered_files.ts";

/** Part of a long list. */
interface PageOptions {
  /** The number of the message that the page begins after. @default 0: from the first on */
  readonly after?: number | undefined;
  /** The most messages. @default 50 */
  readonly limit?: number | undefined;
}

/** A part of a convening's messages. */
export interface MessagePage {
  /** By number. */
  readonly messages: readonly (Message & { readonly file: string })[];
  /** The number that the next page begins after; null where nothing follows. */
  readonly next: number | null;
  /** The number of messages that the convening has now. */
  readonly total: number;
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
    const part: ReturnType<typeof partOf> = partOf(all, { after: next, limit });
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

/** The files of a convening's folder. Fails with `not_found` where there is no convening. */
async function filesOf(
  dir: string,
  folder: Parameters<typeof numberedFiles>[1],
): ReturnType<typeof numberedFiles> {
  const all = await numberedFiles(dir, folder);
  // A folder without a convening has no files of that folder, either.
  if (all.length === 0) {
    await (await import("../record/read.ts")).readMetadata(recordFiles(dir), dir);
  }
  return all;
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

/** The facts of folders that are read a page at a time, or whole. */
interface FactsOf {
  readonly scores: Score;
  readonly verdicts: Verdict;
  readonly "fact-checks": FactCheck;
}

/** A part of the facts of one folder. */
interface FactPage<F extends Fact> {
  /** By the messages they are about. */
  readonly facts: readonly F[];
  /** The message that the next page begins after; null where nothing follows. */
  readonly next: number | null;
  /** The number of such facts that the convening has now. */
  readonly total: number;
}

/**
 * The facts about so many messages after one, from one folder; no other file is read, and no lock is taken. Fails with
 * `record_corrupt` where one of them is damaged.
 */
export async function factPage<T extends keyof FactsOf>(
  dir: string,
  folder: T,
  { after = 0, limit = 50 }: PageOptions = {},
): Promise<FactPage<FactsOf[T]>> {
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
  const { parseFact } = await import("../record/fact_reader.ts");
  const path = join(dir, folder, name);
  return parseFact(await recordFiles(dir).read(path), path, folder);
}

/** The whole transcript as text, of a running convening too: nothing is written, and no lock is taken. */
export async function renderConvening(dir: string, format: TranscriptFormat): Promise<string> {
  const { readRecord } = await import("../record/read.ts");
  const { renderTranscript } = await import("../record/transcript.ts");
  return await renderTranscript(format, await readRecord(recordFiles(dir), resolve(dir)));
}
