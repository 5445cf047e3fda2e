// Reads single truth files by type and message number, without the rest of the record and without a lock.
import { join } from "@std/path";
import { compareTexts, memoByObject, memoByText, RecentMap } from "../core/values.ts";
import { RecordError } from "../core/error.ts";
import type { Fact } from "../core/fact.ts";
import { type FileSystem, inParallel } from "../core/files.ts";
import type { TermList } from "../core/keyword_index.ts";
import type { Message } from "../core/message.ts";
import { writtenSummary } from "../judging/assessment.ts";
import { compareFacts, rowOf } from "./codec.ts";
import { seqOfName } from "./fact_row.ts";
import { checkEntries, ifReadable } from "./problems.ts";
import { problemIn, readMetadata, type RecordProblem } from "./read.ts";
import { FileCache, settledStamp } from "./fact_cache.ts";
import { parseFact } from "./read_pages.ts";

export type FactOf<T extends Fact["type"]> = Extract<Fact, { readonly type: T }>;

/** A truth file: path in the convening's directory, with `/`, the whole text, and its fact. */
interface FactFile<F extends Fact> {
  readonly path: string;
  readonly text: string;
  readonly fact: F;
}

/** A truth file with a number in its name. */
export interface NumberedFile {
  /** Path in the convening's directory, with `/`. */
  readonly path: string;
  /** Number of the message, of the message that the fact is about, or of a judge's verdict. */
  readonly number: number;
}

/** Names of verdicts: the number of the pass, then of the asking; earlier versions have one number for both. */
const VERDICT = /^[0-9a-f]{8}_(\d+)(?:_\d+)?\.md$/;
/** Names of all other facts. */
const NUMBERED = /^(\d+)(?:_\w+)?\.md$/;

/** Caches of listed folders, by path. */
const lists = memoByObject((_: FileSystem) =>
  new RecentMap<{ readonly stamp: string; readonly files: readonly NumberedFile[] }>(64)
);

/**
 * Lists the files of a type by number, then by name, without opening them. A list is cached until the folder changes on disk.
 * Fails with `record_corrupt` if the folder is not a plain folder.
 */
export async function numberedFiles(
  files: FileSystem,
  dir: string,
  type: Fact["type"],
): Promise<readonly NumberedFile[]> {
  const { folder } = rowOf({ type });
  const path = join(dir, folder);
  const cache = lists(files);
  const known = cache.get(path);
  const info = await files.stat(path);
  if (info === undefined) return [];
  const stamp = settledStamp(info);
  if (stamp !== undefined && known?.stamp === stamp) {
    cache.set(path, known);
    return known.files;
  }
  const listed = (await files.list(path)).flatMap(({ name, isFolder }) => {
    const [, digits] = (type === "verdict" ? VERDICT : NUMBERED).exec(name) ?? [];
    if (isFolder || digits === undefined) return [];
    if (type === "message" && seqOfName(name) === undefined) return [];
    return [{ path: `${folder}/${name}`, number: Number(digits) }];
  }).sort((a, b) => a.number - b.number || compareTexts(a.path, b.path));
  if (stamp !== undefined) cache.set(path, { stamp, files: listed });
  return listed;
}

/** Reads a truth file of a type by its path in the directory. Fails with `record_corrupt`. */
export async function readFactFile<T extends Fact["type"]>(
  files: FileSystem,
  dir: string,
  { type, path }: { readonly type: T; readonly path: string },
): Promise<FactFile<FactOf<T>>> {
  const whole = join(dir, path);
  const text = await files.read(whole);
  // Parsing fails for a file of another type.
  return { path, text, fact: parseFact(text, whole, type) as FactOf<T> };
}

/** Reads the facts of a type, by default about any message, in record order. Fails with `record_corrupt`. */
export async function readAbout<T extends Fact["type"]>(
  files: FileSystem,
  dir: string,
  type: T,
  seq?: number,
): Promise<FactOf<T>[]> {
  const all = await numberedFiles(files, dir, type);
  const about = all.filter(({ number }) => seq === undefined || number === seq);
  const read = await Promise.all(about.map(({ path }) => readFactFile(files, dir, { type, path })));
  return read.map(({ fact }) => fact).sort(compareFacts);
}

/** A message with its file. */
export interface MessageFile {
  /** Path in the convening's directory, with `/`. */
  readonly path: string;
  /** Text of the whole file. */
  readonly text: string;
  /** Parsed message. */
  readonly message: Message;
}

/**
 * Reads a message by its number. Fails with `not_found`, naming the existing numbers, and with `record_corrupt` if the front
 * matter is damaged.
 */
export async function readMessageFile(
  files: FileSystem,
  dir: string,
  seq: number,
): Promise<MessageFile> {
  await checkEntries(files, dir, "show");
  const all = await numberedFiles(files, dir, "message");
  const found = all.find(({ number }) => number === seq);
  if (found !== undefined) {
    const { fact, ...file } = await readFactFile(files, dir, { type: "message", path: found.path });
    return { ...file, message: fact };
  }
  if (all.length === 0) await readMetadata(files, dir);
  throw new RecordError(
    "not_found",
    `Cannot show message ${seq} of ${dir}: it has ${
      all.length === 0 ? "no messages yet" : `messages ${all[0]!.number} to ${all.at(-1)!.number}`
    }`,
    { field: "seq", hint: "Give the number of an existing message." },
  );
}

/** The readable messages of a convening, by number, and the problems of the other files; with paths in the directory. */
export interface MessagesRead<M> {
  readonly messages: readonly { readonly path: string; readonly message: M }[];
  readonly problems: readonly RecordProblem[];
}

/** Reads only the messages of a convening, and reports damaged files. Does not check the order of messages. */
export async function readMessages(files: FileSystem, dir: string): Promise<MessagesRead<Message>> {
  const listed = await numberedFiles(files, dir, "message");
  return await readEach(listed, async ({ path }) => {
    const { fact } = await readFactFile(files, dir, { type: "message", path });
    return fact;
  });
}

async function readEach<M>(
  listed: readonly NumberedFile[],
  read: (file: NumberedFile) => Promise<M>,
): Promise<MessagesRead<M>> {
  const each = await inParallel(listed, (file) =>
    ifReadable(
      async () => ({ path: file.path, message: await read(file) }),
      (error) => ({ path: file.path, problem: problemIn(error) }),
    ));
  return {
    messages: each.filter((one) => "message" in one),
    problems: each.filter((one) => "problem" in one),
  };
}

/** Fields of a message that searches show or filter by, and the terms of the body. */
export type SearchedMessage =
  & Pick<Message, "seq" | "participant" | "name" | "kind" | "round">
  & { readonly terms: TermList };

/** Maximum bytes of message files whose terms are cached per file system, 64 MiB. */
const MOST_BYTES = 1 << 26;
/** Caches of convenings, by directory, and the sum of their sizes. */
const caches = memoByObject((_: FileSystem) => ({
  byDir: new Map<string, FileCache<SearchedMessage>>(),
  size: 0,
}));

/** Reads the messages of a convening as lists of terms. Files that have not changed since the last call are not read again. */
export async function searchedMessages(
  files: FileSystem,
  dir: string,
): Promise<MessagesRead<SearchedMessage>> {
  const { termList } = await import("../core/keyword_index.ts");
  const cached = caches(files);
  const now = new FileCache(cached.byDir.get(dir));
  const read = await readEach(
    await numberedFiles(files, dir, "message"),
    ({ path }) =>
      now.value(files, join(dir, path), async () => {
        const { fact } = await readFactFile(files, dir, { type: "message", path });
        const { body, participant, name, kind, seq, round } = fact;
        const texts = { participant: shared(participant), name: shared(name), kind: shared(kind) };
        return { value: { seq, round, ...texts, terms: termList(body) }, isSound: true };
      }),
  );
  forget(files, dir);
  if (cached.size + now.size <= MOST_BYTES) {
    cached.byDir.set(dir, now);
    cached.size += now.size;
  }
  return read;
}

/** Returns the same string for equal texts, so that a cached name does not keep the text of its file in memory. */
const shared = memoByText(1000, (text) => text);

/** Removes the caches of convenings that are no longer in an archive. */
export function forgetMessages(files: FileSystem, dirs: ReadonlySet<string>): void {
  for (const dir of caches(files).byDir.keys()) if (!dirs.has(dir)) forget(files, dir);
}

function forget(files: FileSystem, dir: string): void {
  const cached = caches(files);
  cached.size -= cached.byDir.get(dir)?.size ?? 0;
  cached.byDir.delete(dir);
}

/** Number of last messages and choices to search for the summary: only a few, such as interjections, can follow it. */
const SUMMARY_WITHIN = 8;

/** Returns the summary of a convening, a judge's too, else the text of its last early stop; empty if there is neither. */
export async function readSummary(files: FileSystem, dir: string): Promise<string> {
  for (const type of ["message", "choice"] as const) {
    const last = (await numberedFiles(files, dir, type)).slice(-SUMMARY_WITHIN);
    for (const { path } of last.toReversed()) {
      const fact = await ifFactReadable(readFactFile(files, dir, { type, path }));
      const summary = fact && writtenSummary([fact]);
      if (summary !== undefined) return summary.trim();
    }
  }
  for (const { path } of (await numberedFiles(files, dir, "stop")).toReversed()) {
    const stop = await ifFactReadable(readFactFile(files, dir, { type: "stop", path }));
    if (stop !== undefined) return stop.body.trim();
  }
  return "";
}

function ifFactReadable<F extends Fact>(file: Promise<FactFile<F>>): Promise<F | undefined> {
  return ifReadable(async () => (await file).fact, () => undefined);
}
