// Search by words: an archive's messages, the passages of a convening, and earlier convenings on a like topic.
import { resolve } from "@std/path";
import { ConfigurationError } from "../core/error.ts";
import type { EndReason } from "../core/fact.ts";
import type { Message } from "../core/message.ts";
import { compareTexts } from "./archive.ts";
import { filesBelow } from "./disk_files.ts";
import type { RecordProblem } from "./read.ts";

/** The result of a search of an archive. */
export interface ArchiveSearch {
  /** Best first, as many as were asked for. */
  readonly rows: readonly SearchRow[];
  /** Number of messages that have words of the query. */
  readonly found: number;
  /** Number of convenings searched. */
  readonly convenings: number;
  /** Number of messages searched. */
  readonly messages: number;
  /** Damaged convenings and files that were left out, with their whole paths. */
  readonly skipped: readonly RecordProblem[];
}

/** The messages that are looked at. */
export interface MessageFilter {
  /** Only messages of the participant with this name or id. @default all */
  readonly speaker?: string | undefined;
  /** Only messages of the round; 0 for those outside rounds. @default all */
  readonly round?: number | undefined;
  /** Only messages of the kind, such as `rebuttal`. @default all */
  readonly kind?: string | undefined;
}

/** A test of messages by a filter; names and kinds are compared without case. */
export function messageFilter(
  { speaker, round, kind }: MessageFilter,
): (message: Pick<Message, "name" | "participant" | "round" | "kind">) => boolean {
  return (message) =>
    (speaker === undefined ||
      [message.name, message.participant].some((each) => isSame(each, speaker))) &&
    (round === undefined || message.round === round) &&
    (kind === undefined || isSame(message.kind, kind.replaceAll(" ", "_")));
}

function isSame(a: string, b: string): boolean {
  return a.toLowerCase() === b.trim().toLowerCase();
}

/** Options of {@linkcode searchArchive}. */
export interface ArchiveSearchOptions extends MessageFilter {
  /** The most rows. @default 10 */
  readonly limit?: number | undefined;
  /** The directories of the convenings that are searched. @default all */
  readonly within?: ReadonlySet<string> | undefined;
}

/**
 * Searches what was said in an archive's convenings, by words; any text is a query. Writes nothing, loads no index. Fails
 * with `config_invalid` for an empty query.
 */
export async function searchArchive(
  out: string,
  text: string,
  { limit = 10, within, ...filter }: ArchiveSearchOptions = {},
): Promise<ArchiveSearch> {
  if (text.trim() === "") {
    throw new ConfigurationError("Cannot search: the query is empty", {
      field: "query",
      hint: "Give some words of what you look for.",
    });
  }
  const { listConvenings } = await import("./list.ts");
  const { forgetMessages, readMessages } = await import("./fact_files.ts");
  const files = filesBelow(resolve(out));
  const skipped: RecordProblem[] = [];
  const found: ArchivedMessage[] = [];
  const isWanted = messageFilter(filter);
  let convenings = 0;
  const rows = await listConvenings(files, resolve(out));
  forgetMessages(files, new Set(rows.map(({ dir }) => dir)));
  for (const { dir, topic, problem } of rows) {
    if (within?.has(dir) === false) continue;
    if (topic === undefined) {
      skipped.push({ path: dir, problem: problem ?? "it cannot be read" });
      continue;
    }
    convenings++;
    const { messages, problems } = await readMessages(files, dir);
    for (const { fact: message } of messages) {
      if (isWanted(message)) found.push({ dir, topic, message });
    }
    for (const each of problems) skipped.push({ ...each, path: `${dir}/${each.path}` });
  }
  return {
    ...await searchMessages(found, text, { limit }),
    convenings,
    messages: found.length,
    skipped,
  };
}

/** An earlier convening, for one on a like topic. */
export interface Memory {
  /** Its directory. */
  readonly dir: string;
  /** The convening's topic. */
  readonly topic: string;
  /** Its summary, or that of its early end: words of participants, at most 1,500 code points. */
  readonly summary: string;
  /** ISO 8601, UTC. */
  readonly startedAt: string;
  /** Reason for the end. */
  readonly endReason: EndReason | undefined;
  /** The winner's name; null when no one won. */
  readonly winner: string | null;
}

/** Options of {@linkcode memoryOf}. */
export interface MemoryOptions {
  /** The most convenings. @default 3 */
  readonly limit?: number | undefined;
  /** A convening that is not remembered: the one that asks. */
  readonly exclude?: string | undefined;
}

/** The most code points of a remembered summary. */
const SUMMARY_LENGTH = 1500;

/**
 * The ended convenings of an archive that have to do with a topic, the most relevant first (context-network/rules/every_convening.md). One
 * that has no summary, or cannot be read, is not remembered.
 */
export async function memoryOf(
  out: string,
  topic: string,
  { limit = 3, exclude }: MemoryOptions = {},
): Promise<readonly Memory[]> {
  const { listConvenings } = await import("./list.ts");
  const { readSummary } = await import("./fact_files.ts");
  const { readMetadata } = await import("./read.ts");
  const left = exclude === undefined ? undefined : resolve(exclude);
  const files = filesBelow(resolve(out));
  const ended = [];
  for (const row of await listConvenings(files, resolve(out))) {
    const { dir, status, startedAt, topic } = row;
    if (dir === left || topic === undefined) continue;
    if (status !== "completed" && status !== "stopped") continue;
    const summary = cut(await readSummary(files, dir));
    const winner = row.winnerName ?? row.winner;
    if (summary !== "") ended.push({ dir, topic, summary, startedAt, winner });
  }
  return await Promise.all(
    (await rankConvenings(ended, topic, { limit })).map(async (each) => {
      const { progress } = await readMetadata(files, each.dir);
      return { ...each, endReason: progress.endReason };
    }),
  );
}

function cut(text: string): string {
  const points = [...text];
  if (points.length <= SUMMARY_LENGTH) return text;
  return `${points.slice(0, SUMMARY_LENGTH - 1).join("").trimEnd()}…`;
}

type ArchivedMessage = Pick<SearchRow, "dir" | "topic"> & {
  readonly message: Pick<Message, "seq" | "name" | "kind" | "round" | "body">;
};

/** A message that has words of a query. */
export interface SearchRow extends Pick<Message, "seq" | "name" | "kind" | "round"> {
  /** The convening's directory. */
  readonly dir: string;
  /** The convening's topic. */
  readonly topic: string;
  /** Relevance, above 0 and at most 1: near 1 where the message has every word of the query. */
  readonly score: number;
  /** The words that fit with those around them: one line of plain text, at most 200 code points. */
  readonly snippet: string;
}

/**
 * The messages that have words of `query`, in what was said or in the speaker's name, best first: the number of all, and
 * the rows of the first `limit`.
 */
export async function searchMessages(
  messages: readonly ArchivedMessage[],
  query: string,
  { limit = 10 }: { readonly limit?: number | undefined } = {},
): Promise<{ readonly found: number; readonly rows: SearchRow[] }> {
  const { snippetOf } = await import("../core/keyword_index.ts");
  const hits = await rankedMessages(messages, query, ({ message }) => message);
  const rows = hits.slice(0, limit).map(({ item, fit: score, terms }) => {
    const { dir, topic, message: { body, seq, name, kind, round } } = item;
    return { dir, topic, seq, name, kind, round, score, snippet: snippetOf(body, terms) };
  });
  return { found: hits.length, rows };
}

/** An item that has words of a query, its relevance, and the words it has. */
interface Hit<T> {
  readonly item: T;
  readonly fit: number;
  readonly terms: ReadonlySet<string>;
}

/** A text to be searched; its title is searched too. */
interface Searched {
  readonly text: string;
  readonly title: string;
  readonly terms?: () => readonly string[];
}

/** The items that have words of a query, best first. */
async function ranked<T>(
  items: readonly T[],
  query: string,
  textOf: (item: T) => Searched,
): Promise<Hit<T>[]> {
  const { keywordIndex } = await import("../core/keyword_index.ts");
  const documents = items.map((item, at) => ({ id: String(at), ...textOf(item) }));
  const index = await keywordIndex(documents, { query });
  return index.search(query)
    .map(({ id, fit, terms }) => ({ item: items[Number(id)]!, fit, terms: new Set(terms) }));
}

/** The fields of a message that are searched. */
type SearchedMessage = Pick<Message, "seq" | "name" | "body">;

/** The items whose messages have words of a query, best first. */
async function rankedMessages<T>(
  items: readonly T[],
  query: string,
  messageOf: (item: T) => Pick<SearchedMessage, "name" | "body">,
): Promise<Hit<T>[]> {
  const { termsIn } = await import("../core/keyword_index.ts");
  return await ranked(items, query, (item) => {
    const message = messageOf(item);
    return { text: message.body, title: message.name, terms: () => termsIn(message) };
  });
}

/** A topic has no more to do with a convening that shares less than this part of its key terms. */
const SHARED = 0.25;

/**
 * The convenings that have to do with a topic, the most relevant first, the newest first among equals: those whose topic
 * and summary have a quarter of its key terms or more, and one at least.
 */
export async function rankConvenings<
  T extends Pick<Memory, "dir" | "topic" | "summary" | "startedAt">,
>(
  convenings: readonly T[],
  topic: string,
  { limit = 3 }: { readonly limit?: number | undefined } = {},
): Promise<T[]> {
  const { keyWords } = await import("../core/keyword_index.ts");
  const key = (await keyWords())(topic);
  if (key.size === 0) return [];
  const newest = convenings.toSorted((a, b) => compareTexts(b.startedAt, a.startedAt));
  const hits = await ranked(newest, topic, ({ summary: text, topic: title }) => ({ text, title }));
  return hits.filter(({ terms }) => key.intersection(terms).size >= key.size * SHARED)
    .slice(0, Math.max(limit, 0)).map(({ item }) => item);
}

/** The most messages that are searched passage by passage, those that fit best as wholes: cutting takes most of the time. */
const MOST_CUT = 500;

/** A message with a passage that has words of a query. */
interface MessageHit<T extends SearchedMessage> {
  /** As it was given. */
  readonly message: T;
  /** Relevance of the best passage, above 0 and at most 1: near 1 where the passage has every word of the query. */
  readonly score: number;
  /** The words of that passage that fit with those around them: one line of plain text, at most 200 code points. */
  readonly snippet: string;
}

/**
 * The messages of a convening that have words of `query`, best first. Each is searched passage by passage, so that a long
 * one is found by what it says in one place; its speaker's name counts too.
 */
export async function searchPassages<T extends SearchedMessage>(
  messages: readonly T[],
  query: string,
  { limit = 5 }: { readonly limit?: number | undefined } = {},
): Promise<MessageHit<T>[]> {
  const { chunkText } = await import("../core/search.ts");
  const { snippetOf } = await import("../core/keyword_index.ts");
  const fitting = messages.length <= MOST_CUT ? messages : (
    await rankedMessages(messages, query, (message) => message)
  ).slice(0, MOST_CUT).map(({ item }) => item);
  const passages = fitting.flatMap((message) =>
    chunkText(message.body, String(message.seq)).map(({ text }) => ({ message, text }))
  );
  const best = new Map<T, MessageHit<T>>();
  const hits = await ranked(
    passages,
    query,
    ({ message: { name: title }, text }) => ({ text, title }),
  );
  for (const { item: { message, text }, fit: score, terms } of hits) {
    if (best.size >= limit) break;
    if (best.has(message)) continue;
    best.set(message, { message, score, snippet: snippetOf(text, terms) });
  }
  return [...best.values()];
}
