// Keyword search: messages of an archive, passages of a convening, and earlier convenings on a similar topic.
import { resolve } from "@std/path";
import { checkArguments, refuseUnknownOptions } from "../core/check_fields.ts";
import { ConfigurationError } from "../core/error.ts";
import { type EndReason, hasEnded } from "../core/fact.ts";
import type { FileSystem } from "../core/files.ts";
import type { Message } from "../core/message.ts";
import { shortened } from "../core/text.ts";
import { compareTexts, tally } from "../core/values.ts";
import { filesBelow } from "./disk_files.ts";
import { ifReadable } from "./problems.ts";
import type { MessagesRead, SearchedMessage } from "./fact_files.ts";
import type { RecordProblem } from "./read.ts";

/** Result of a search in an archive. */
export interface ArchiveSearch {
  /** Best matches first, at most `limit`. */
  readonly rows: readonly SearchRow[];
  /** Number of matching messages. */
  readonly found: number;
  /** Number of convenings searched. */
  readonly convenings: number;
  /** Number of messages searched. */
  readonly messages: number;
  /** Damaged convenings and files that were skipped, with absolute paths. */
  readonly skipped: readonly RecordProblem[];
  /** Present if the filter fits no message. */
  readonly known?: KnownMessages | undefined;
}

/** Speakers and kinds of messages, the most frequent first, at most 50 each. */
export interface KnownMessages {
  /** Names of speakers. */
  readonly speakers: readonly string[];
  /** Kinds of messages, such as `rebuttal`. */
  readonly kinds: readonly string[];
}

/** Returns the speakers and kinds of messages that a filter leaves out; undefined if the filter leaves out none. */
export function knownIn(
  messages: readonly Pick<Message, "name" | "kind">[],
): KnownMessages | undefined {
  if (messages.length === 0) return undefined;
  const frequent = (key: "name" | "kind") =>
    [...tally(messages.map((each) => each[key]))].sort(([, a], [, b]) => b - a)
      .slice(0, 50).map(([value]) => value);
  return { speakers: frequent("name"), kinds: frequent("kind") };
}

/** Filter of the messages to search. */
export interface MessageFilter {
  /** Name or id of the speaker. @default all speakers */
  readonly speaker?: string | undefined;
  /** Round; 0 for messages outside rounds. @default all rounds */
  readonly round?: number | undefined;
  /** Kind, such as `rebuttal`. @default all kinds */
  readonly kind?: string | undefined;
}

/** Returns the predicate of a filter. Names and kinds are compared case-insensitively. */
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
  /** Maximum rows. @default 10 */
  readonly limit?: number | undefined;
  /** Directories of the convenings to search. @default all */
  readonly within?: ReadonlySet<string> | undefined;
}

/**
 * Searches the messages in an archive's convenings by keyword. The query has no syntax. Reads the files without a stored
 * index, and writes nothing. Fails with `config_invalid` for an empty query.
 */
export async function searchArchive(
  out: string,
  text: string,
  options: ArchiveSearchOptions = {},
): Promise<ArchiveSearch> {
  checkArguments("searchArchive", { out, text, options });
  const own = { kind: true, limit: true, round: true, speaker: true, within: true };
  refuseUnknownOptions<ArchiveSearchOptions>("searchArchive", options, own);
  const { limit = 10, within, ...filter } = options;
  if (text.trim() === "") {
    throw new ConfigurationError("Cannot search: the query is empty", {
      field: "query",
      hint: "Give some words to look for.",
    });
  }
  const { listConvenings } = await import("./list.ts");
  const { forgetMessages, searchedMessages } = await import("./fact_files.ts");
  const { keyWords, KeywordRanking, snippetOf } = await import("../core/keyword_index.ts");
  const files = filesBelow(resolve(out));
  const skipped: RecordProblem[] = [];
  const isWanted = messageFilter(filter);
  const ranking = new KeywordRanking<Omit<SearchRow, "score" | "snippet"> & { path: string }>(
    text,
    await keyWords(),
  );
  const others: Pick<Message, "name" | "kind">[] = [];
  let convenings = 0;
  let messages = 0;
  const rows = await listConvenings(files, resolve(out));
  forgetMessages(files, new Set(rows.map(({ dir }) => dir)));
  for (const { dir, topic, question, problem } of rows) {
    if (within?.has(dir) === false) continue;
    if (topic === undefined) {
      skipped.push({ path: dir, problem: problem ?? "it cannot be read" });
      continue;
    }
    convenings++;
    const searched = await searchedMessages(files, dir);
    for (const { path, message } of searched.messages) {
      const { seq, name, kind, round, terms } = message;
      if (!isWanted(message)) {
        others.push({ name, kind });
        continue;
      }
      messages++;
      const asked = question === undefined ? {} : { question };
      ranking.add({ dir, topic, ...asked, seq, name, kind, round, path }, terms, name);
    }
    for (const each of searched.problems) skipped.push({ ...each, path: `${dir}/${each.path}` });
  }
  const hits = ranking.hits();
  const best = await Promise.all(
    hits.slice(0, limit).map(async ({ item: { path, ...row }, fit: score, terms }) => {
      const body = await bodyOf(files, row.dir, path);
      return { ...row, score, snippet: snippetOf(body, terms) };
    }),
  );
  const known = messages === 0 ? { known: knownIn(others) } : {};
  return { found: hits.length, rows: best, convenings, messages, skipped, ...known };
}

/** Returns the words of a found message; empty if its file was removed during the search. */
export async function bodyOf(files: FileSystem, dir: string, path: string): Promise<string> {
  const { readFactFile } = await import("./fact_files.ts");
  return await ifReadable(
    async () => (await readFactFile(files, dir, { type: "message", path })).fact.body,
    () => "",
  );
}

/** An earlier convening on a similar topic. */
export interface Memory {
  /** Directory of the convening. */
  readonly dir: string;
  /** Topic of the convening. */
  readonly topic: string;
  /** Summary, else the text of the early stop: participants' words, at most 1,500 code points. */
  readonly summary: string;
  /** ISO 8601, UTC. */
  readonly startedAt: string;
  /** Reason for the end. */
  readonly endReason: EndReason | undefined;
  /** Name of the winner; null without a winner. */
  readonly winner: string | null;
}

/** Options of {@linkcode memoryOf}. */
export interface MemoryOptions {
  /** Maximum convenings. @default 3 */
  readonly limit?: number | undefined;
  /** Directory of a convening to leave out, such as the current one. */
  readonly exclude?: string | undefined;
}

/** Maximum code points of a summary. */
const SUMMARY_LENGTH = 1500;

/**
 * Returns the ended convenings of an archive that are relevant to a topic, most relevant first
 * (context-network/rules/every_convening.md). Skips convenings without a summary, and unreadable ones.
 */
export async function memoryOf(
  out: string,
  topic: string,
  { limit = 3, exclude }: MemoryOptions = {},
): Promise<readonly Memory[]> {
  const { listConvenings } = await import("./list.ts");
  const { readSummary } = await import("./fact_files.ts");
  const { readMetadata } = await import("./read.ts");
  const excluded = exclude === undefined ? undefined : resolve(exclude);
  const files = filesBelow(resolve(out));
  const ended = [];
  for (const row of await listConvenings(files, resolve(out))) {
    const { dir, status, startedAt, topic } = row;
    if (dir === excluded || topic === undefined || !hasEnded(status)) continue;
    const summary = shortened(await readSummary(files, dir), SUMMARY_LENGTH);
    const winner = row.winnerName ?? row.winner;
    if (summary !== "") ended.push({ dir, topic, summary, startedAt, winner });
  }
  return await Promise.all(
    (await rankConvenings(ended, topic, limit)).map(async (each) => {
      const { progress } = await readMetadata(files, each.dir);
      return { ...each, endReason: progress.endReason };
    }),
  );
}

/** A message that matches a query. */
export interface SearchRow
  extends Pick<Message, "seq" | "name" | "kind" | "round">, Pick<Memory, "dir" | "topic"> {
  /** Question of a debate over papers, once it is known. */
  readonly question?: string | undefined;
  /** Relevance, above 0 and at most 1; near 1 if the message contains every word of the query. */
  readonly score: number;
  /** Matching words in context: a line of plain text, at most 200 code points. */
  readonly snippet: string;
}

/** Minimum share of a topic's key terms that a relevant convening contains. */
const MIN_SHARED_TERMS = 0.25;

/**
 * Returns the convenings that are relevant to a topic, most relevant first, and newest first among equals. A convening is
 * relevant if its topic and summary contain at least a quarter of the topic's key terms, and at least one.
 */
export async function rankConvenings<
  T extends Pick<Memory, "dir" | "topic" | "summary" | "startedAt">,
>(
  convenings: readonly T[],
  topic: string,
  limit = 3,
): Promise<T[]> {
  const { keywordIndex, keyWords } = await import("../core/keyword_index.ts");
  const key = (await keyWords())(topic);
  if (key.size === 0) return [];
  const newest = convenings.toSorted((a, b) => compareTexts(b.startedAt, a.startedAt));
  const ranked = await keywordIndex(
    newest.map((convening) => ({ convening, text: convening.summary, title: convening.topic })),
  );
  return ranked(topic)
    .filter(({ terms }) => key.intersection(terms).size >= key.size * MIN_SHARED_TERMS)
    .slice(0, Math.max(limit, 0)).map(({ item }) => item.convening);
}

/** Maximum messages that are split into passages, chosen by relevance as a whole: splitting is the slow part. */
const MAX_SPLIT_MESSAGES = 500;

interface MessageHit {
  readonly message: SearchedMessage;
  /** Path of the message's file in the convening's directory, with `/`. */
  readonly path: string;
  /** Relevance of the best passage, above 0 and at most 1; near 1 if the passage contains every word of the query. */
  readonly score: number;
  /** Matching words of that passage in context: a line of plain text, at most 200 code points. */
  readonly snippet: string;
}

/**
 * Returns the messages of a convening that match `query`, best first. Messages are searched by passage, so that a long
 * message is found by one relevant part; the speaker's name also matches.
 */
export async function searchPassages(
  messages: MessagesRead<SearchedMessage>["messages"],
  query: string,
  { limit, body }: {
    readonly limit: number;
    /** Reads the words of a message by the path of its file. */
    readonly body: (path: string) => Promise<string>;
  },
): Promise<MessageHit[]> {
  const { chunkText } = await import("../core/search.ts");
  const { keywordIndex, keyWords, KeywordRanking, snippetOf } = await import(
    "../core/keyword_index.ts"
  );
  const ranking = new KeywordRanking<(typeof messages)[number]>(query, await keyWords());
  for (const each of messages) ranking.add(each, each.message.terms, each.message.name);
  const fitting = messages.length <= MAX_SPLIT_MESSAGES
    ? messages
    : ranking.hits().slice(0, MAX_SPLIT_MESSAGES).map(({ item }) => item);
  const passages = await Promise.all(
    fitting.map(async (each) =>
      chunkText(await body(each.path))
        .map(({ text }) => ({ ...each, text, title: each.message.name }))
    ),
  );
  const best = new Map<SearchedMessage, MessageHit>();
  for (const { item, fit: score, terms } of (await keywordIndex(passages.flat()))(query)) {
    const { message, path, text } = item;
    if (best.size >= limit) break;
    if (best.has(message)) continue;
    best.set(message, { message, path, score, snippet: snippetOf(text, terms) });
  }
  return [...best.values()];
}
