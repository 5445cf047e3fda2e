// Reads single truth files by type and message number, without the rest of the record and without a lock.
import { join } from "@std/path";
import { memoByObject } from "../core/values.ts";
import { RecordError } from "../core/error.ts";
import type { Fact } from "../core/fact.ts";
import { checkPlain, type FileSystem, inParallel } from "../core/files.ts";
import type { Message } from "../core/message.ts";
import { isSumming } from "../judging/assessment.ts";
import { compareFacts, rowOf } from "./codec.ts";
import { seqOfName } from "./fact_row.ts";
import { ifReadable } from "./problems.ts";
import { FactCache } from "./fact_cache.ts";
import { readMetadata, type RecordProblem } from "./read.ts";
import { parseFact } from "./read_pages.ts";

type FactOf<T extends Fact["type"]> = Extract<Fact, { readonly type: T }>;

/** A truth file: path in the convening's directory, with `/`, the whole text, and its fact. */
interface FactFile<F extends Fact> {
  readonly path: string;
  readonly text: string;
  readonly fact: F;
}

/** Lists the files of a type, sorted by the number at the start of the name: a message number for a fact about a message. */
async function numbered(
  files: FileSystem,
  dir: string,
  type: Fact["type"],
): Promise<{ readonly name: string; readonly number: number }[]> {
  const entries = await files.list(join(dir, rowOf({ type }).folder));
  return entries.flatMap(({ name, isFolder }) => {
    const [, digits] = /^(\d+)(?:_\w+)?\.md$/.exec(name) ?? [];
    if (isFolder || digits === undefined) return [];
    if (type === "message" && seqOfName(name) === undefined) return [];
    return [{ name, number: Number(digits) }];
  }).sort((a, b) => a.number - b.number);
}

async function readOne<T extends Fact["type"]>(
  files: FileSystem,
  dir: string,
  { type, name }: { readonly type: T; readonly name: string },
): Promise<FactFile<FactOf<T>>> {
  const { folder } = rowOf({ type });
  const path = join(dir, folder, name);
  const text = await files.read(path);
  // The folder determines the type; parsing fails for a file of another type.
  return { path: `${folder}/${name}`, text, fact: parseFact(text, path, folder) as FactOf<T> };
}

/** Reads the facts of a type about a message, in record order. Fails with `record_corrupt`. */
export async function readAbout<T extends Fact["type"]>(
  files: FileSystem,
  dir: string,
  type: T,
  seq: number,
): Promise<FactOf<T>[]> {
  const about = (await numbered(files, dir, type)).filter(({ number }) => number === seq);
  const read = await Promise.all(about.map(({ name }) => readOne(files, dir, { type, name })));
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
  await checkPlain(files, dir);
  const all = await numbered(files, dir, "message");
  const found = all.find(({ number }) => number === seq);
  if (found !== undefined) {
    const { fact, ...file } = await readOne(files, dir, { type: "message", name: found.name });
    return { ...file, message: fact };
  }
  if (all.length === 0) await readMetadata(files, dir);
  throw new RecordError(
    "not_found",
    `Cannot show message ${seq} of ${dir}: ${rangeOf(all.map(({ number }) => number))}`,
    { field: "seq", hint: "Give the number of an existing message." },
  );
}

function rangeOf(seqs: readonly number[]): string {
  const [low = 0, high = 0] = [seqs[0], seqs.at(-1)];
  return seqs.length === 0 ? "it has no messages yet" : `it has messages ${low} to ${high}` +
    (high - low + 1 === seqs.length ? "" : `, ${seqs.length} of them`);
}

/** Maximum bytes of message files whose facts are cached per file system, 64 MiB. */
const MOST_BYTES = 1 << 26;
/** Caches of the messages of convenings, by directory. */
const caches = memoByObject((_: FileSystem) => new Map<string, FactCache>());

/**
 * Reads only the messages of a convening, and reports damaged files instead of failing. Does not check the order of messages.
 * Files that have not changed since the last call are not read again.
 */
export async function readMessages(files: FileSystem, dir: string): Promise<{
  /** Sorted by number, with paths in the directory. */
  readonly messages: readonly { readonly path: string; readonly fact: Message }[];
  /** Problems, with paths in the directory. */
  readonly problems: readonly RecordProblem[];
}> {
  const { folder } = rowOf({ type: "message" });
  const archive = caches(files);
  const facts = new FactCache(archive.get(dir));
  const read = await inParallel(await numbered(files, dir, "message"), ({ name }) => {
    const path = `${folder}/${name}`;
    const readFact = async () => {
      const { fact } = await readOne(files, dir, { type: "message", name });
      return { fact, isSound: true };
    };
    return ifReadable(
      // The folder determines the type.
      async () => ({ path, fact: await facts.fact(files, join(dir, path), readFact) as Message }),
      ({ message: problem }) => ({ path, problem }),
    );
  });
  archive.delete(dir);
  const size = archive.values().reduce((sum, each) => sum + each.size, facts.size);
  if (size <= MOST_BYTES) archive.set(dir, facts);
  return {
    messages: read.filter((each) => "fact" in each),
    problems: read.filter((each) => "problem" in each),
  };
}

/** Removes the caches of convenings that are no longer in an archive. */
export function forgetMessages(files: FileSystem, dirs: ReadonlySet<string>): void {
  const archive = caches(files);
  for (const dir of archive.keys()) if (!dirs.has(dir)) archive.delete(dir);
}

/** Number of last messages to search for the summary: only a few messages, such as interjections, can follow it. */
const SUMMARY_WITHIN = 8;

/** Returns the summary of a convening, else the text of its last early stop; empty if there is neither. */
export async function readSummary(files: FileSystem, dir: string): Promise<string> {
  const messages = (await numbered(files, dir, "message")).slice(-SUMMARY_WITHIN);
  for (const { name } of messages.reverse()) {
    const message = await ifFactReadable(readOne(files, dir, { type: "message", name }));
    if (message !== undefined && isSumming(message.kind)) return message.body.trim();
  }
  for (const { name } of (await numbered(files, dir, "stop")).reverse()) {
    const stop = await ifFactReadable(readOne(files, dir, { type: "stop", name }));
    if (stop !== undefined) return stop.body.trim();
  }
  return "";
}

/** Returns the fact of a file; undefined for an unreadable file. */
function ifFactReadable<F extends Fact>(file: Promise<FactFile<F>>): Promise<F | undefined> {
  return ifReadable(async () => (await file).fact, () => undefined);
}
