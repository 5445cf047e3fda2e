// Truth files by type and number: read without the others, and without a lock.
import { join } from "@std/path";
import { onceEach } from "../core/values.ts";
import { RecordError } from "../core/error.ts";
import type { Fact } from "../core/fact.ts";
import { checkPlain, type FileSystem, inParallel } from "../core/files.ts";
import type { Message } from "../core/message.ts";
import { isSumming } from "../judging/assessment.ts";
import { compareFacts, parseFact, rowOf } from "./codec.ts";
import { seqOfName } from "./fact_row.ts";
import { ifReadable } from "./problems.ts";
import { FactCache, readMetadata, type RecordProblem } from "./read.ts";

type FactOf<T extends Fact["type"]> = Extract<Fact, { readonly type: T }>;

/** A truth file: its path in the convening's directory, with `/`, the whole file, and the fact that it holds. */
interface FactFile<F extends Fact> {
  readonly path: string;
  readonly text: string;
  readonly fact: F;
}

/** The names of a type's files by the number that they begin with, which is a message's for what is about one. */
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
  // The folder says the type: a file of another is damaged.
  return { path: `${folder}/${name}`, text, fact: parseFact(text, path, folder) as FactOf<T> };
}

/** The facts of one type about a message, in their order. Fails with `record_corrupt`. */
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

/** A message with the file it was read from. */
export interface MessageFile {
  /** In the convening's directory, with `/`. */
  readonly path: string;
  /** The whole file. */
  readonly text: string;
  /** The file, read. */
  readonly message: Message;
}

/**
 * One message, found by its number without reading the others. Fails with `not_found`, naming the numbers there are, and
 * with `record_corrupt` when its front matter is damaged.
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
    { field: "seq", hint: "Give the number of a message that is there." },
  );
}

function rangeOf(seqs: readonly number[]): string {
  const [low = 0, high = 0] = [seqs[0], seqs.at(-1)];
  return seqs.length === 0 ? "it has no messages yet" : `it has messages ${low} to ${high}` +
    (high - low + 1 === seqs.length ? "" : `, ${seqs.length} of them`);
}

/** The most bytes of message files of an archive that are kept in mind, 64 MiB. */
const MOST_BYTES = 1 << 26;
/** The messages of convenings as they were last read, by directory. */
const known = onceEach((_: FileSystem) => new Map<string, FactCache>());

/**
 * Reads a convening's messages alone, leaving damaged ones out; checks no order. Every file is looked at, and of those that
 * were read before only those that have changed since are read again.
 */
export async function readMessages(files: FileSystem, dir: string): Promise<{
  /** By number, with paths in the directory. */
  readonly messages: readonly { readonly path: string; readonly fact: Message }[];
  /** With paths in the directory. */
  readonly problems: readonly RecordProblem[];
}> {
  const { folder } = rowOf({ type: "message" });
  const archive = known(files);
  const facts = new FactCache(archive.get(dir));
  const read = await inParallel(await numbered(files, dir, "message"), ({ name }) => {
    const path = `${folder}/${name}`;
    const anew = async () => {
      const { fact } = await readOne(files, dir, { type: "message", name });
      return { fact, isSound: true };
    };
    return ifReadable(
      // The folder says the type.
      async () => ({ path, fact: await facts.fact(files, join(dir, path), anew) as Message }),
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

/** Forgets the messages of convenings that an archive no longer has. */
export function forgetMessages(files: FileSystem, dirs: ReadonlySet<string>): void {
  const archive = known(files);
  for (const dir of archive.keys()) if (!dirs.has(dir)) archive.delete(dir);
}

/** A summary is the last thing said; few messages stand behind it, such as interjections. */
const SUMMARY_WITHIN = 8;

/** The summary of a convening, else that of its last early end; empty where there is none. */
export async function readSummary(files: FileSystem, dir: string): Promise<string> {
  const messages = (await numbered(files, dir, "message")).slice(-SUMMARY_WITHIN);
  for (const { name } of messages.reverse()) {
    const message = await orNone(readOne(files, dir, { type: "message", name }));
    if (message !== undefined && isSumming(message.kind)) return message.body.trim();
  }
  for (const { name } of (await numbered(files, dir, "stop")).reverse()) {
    const stop = await orNone(readOne(files, dir, { type: "stop", name }));
    if (stop !== undefined) return stop.body.trim();
  }
  return "";
}

/** The fact of a file; undefined where the file cannot be read. */
function orNone<F extends Fact>(file: Promise<FactFile<F>>): Promise<F | undefined> {
  return ifReadable(async () => (await file).fact, () => undefined);
}
