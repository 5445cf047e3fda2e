import { join } from "@std/path";
import { RecordError } from "../core/error.ts";
import { FileError, type FileSystem } from "../core/files.ts";
import type { Message } from "../core/message.ts";
import { seqOfName } from "./codec.ts";
import { parseFact } from "./fact_reader.ts";
import type { RecordProblem } from "./read.ts";
import { isSumming } from "../judging/assessment.ts";

/** The messages of one convening that could be read, and what is wrong with the others. */
export interface MessagesRead {
  /** By number. */
  readonly messages: readonly Message[];
  /** With paths in the directory. */
  readonly problems: readonly RecordProblem[];
}

/** How many files are read at once. */
const READERS = 16;
/** A summary is the last thing said; what stands behind it, such as an interjection, is little. */
const SUMMARY_WITHIN = 8;

/** Reads a convening's messages alone, leaving damaged ones out; takes no lock, and checks no order. */
export async function readMessages(files: FileSystem, dir: string): Promise<MessagesRead> {
  const names = await messageNames(files, dir);
  const messages: Message[] = [];
  const problems: RecordProblem[] = [];
  for (let at = 0; at < names.length; at += READERS) {
    const batch = names.slice(at, at + READERS);
    for (const read of await Promise.all(batch.map((name) => readOne(files, dir, name)))) {
      if ("problem" in read) problems.push(read);
      else messages.push(read);
    }
  }
  return { messages, problems };
}

/** What a convening came to in words: its summary, or that of its last early end; empty where there is none. */
export async function readSummary(files: FileSystem, dir: string): Promise<string> {
  for (const name of (await messageNames(files, dir)).slice(-SUMMARY_WITHIN).reverse()) {
    const read = await readOne(files, dir, name);
    if ("kind" in read && isSumming(read.kind)) return read.body.trim();
  }
  const stops = (await files.list(join(dir, "stops")))
    .filter(({ name }) => /^\d+\.md$/.test(name))
    .sort((a, b) => parseInt(b.name) - parseInt(a.name));
  for (const { name } of stops) {
    const path = join(dir, "stops", name);
    const fact = await orProblem(
      path,
      async () => parseFact(await files.read(path), path, "stops"),
    );
    if ("type" in fact && fact.type === "stop") return fact.body.trim();
  }
  return "";
}

async function messageNames(files: FileSystem, dir: string): Promise<string[]> {
  const found = (await files.list(join(dir, "messages"))).flatMap(({ name, isFolder }) => {
    const seq = isFolder ? undefined : seqOfName(name);
    return seq === undefined ? [] : [{ name, seq }];
  });
  return found.sort((a, b) => a.seq - b.seq).map(({ name }) => name);
}

async function readOne(
  files: FileSystem,
  dir: string,
  name: string,
): Promise<Message | RecordProblem> {
  const path = join(dir, "messages", name);
  const fact = await orProblem(
    `messages/${name}`,
    async () => parseFact(await files.read(path), path, "messages"),
  );
  if ("problem" in fact || fact.type === "message") return fact;
  return { path: `messages/${name}`, problem: `it is a ${fact.type}, no message` };
}

async function orProblem<T>(path: string, read: () => Promise<T>): Promise<T | RecordProblem> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof RecordError || error instanceof FileError) {
      return { path, problem: error.message };
    }
    throw error;
  }
}
