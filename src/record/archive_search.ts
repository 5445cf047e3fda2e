// Search by words: messages of an archive, passages of a convening, convenings on a like topic.
import { chunkText } from "../core/chunk.ts";
import { keyWords } from "../core/index_words.ts";
import { keywordIndex } from "../core/keyword_index.ts";
import type { Message } from "../core/message.ts";
import { snippetOf } from "../core/snippet.ts";

/** A message and the convening it was said in. */
interface ArchivedMessage {
  /** The convening's directory. */
  readonly dir: string;
  /** The convening's topic. */
  readonly topic: string;
  /** What was said, and by whom. */
  readonly message: Pick<Message, "seq" | "name" | "kind" | "body">;
}

/** A message that has words of a query. */
export interface SearchRow {
  /** The convening's directory. */
  readonly dir: string;
  /** The convening's topic. */
  readonly topic: string;
  /** The message's number. */
  readonly seq: number;
  /** Who said it. */
  readonly name: string;
  /** Such as `rebuttal`. */
  readonly kind: string;
  /** How well it fits, over 0 to 1, which is the query's best. */
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
  const documents = messages.map(({ message }, number) => ({
    id: String(number),
    text: message.body,
    title: message.name,
  }));
  const index = await keywordIndex(documents, { query });
  const hits = index.search(query);
  const rows = hits.slice(0, limit).map(({ id, score, terms }) => {
    const { dir, topic, message } = messages[Number(id)]!;
    const { seq, name, kind, body } = message;
    return { dir, topic, seq, name, kind, score, snippet: snippetOf(body, new Set(terms)) };
  });
  return { found: hits.length, rows };
}

/** A convening of an archive, for {@linkcode rankConvenings}. */
interface ArchivedConvening {
  /** Its directory. */
  readonly dir: string;
  /** What it was about. */
  readonly topic: string;
  /** What it came to. */
  readonly summary: string;
  /** ISO 8601, UTC. */
  readonly startedAt: string;
}

/** A topic has no more to do with a convening that shares less than this part of its key terms. */
const SHARED = 0.25;

/**
 * The convenings that have to do with a topic, the most relevant first, the newest first among equals: those whose topic
 * and summary have a quarter of its key terms or more, and one at least.
 */
export async function rankConvenings<T extends ArchivedConvening>(
  convenings: readonly T[],
  topic: string,
  { limit = 3 }: { readonly limit?: number | undefined } = {},
): Promise<T[]> {
  const key = (await keyWords())(topic);
  if (key.size === 0) return [];
  const newest = convenings.toSorted((a, b) => compareWords(b.startedAt, a.startedAt));
  const documents = newest.map(({ summary, topic }, number) => ({
    id: String(number),
    text: summary,
    title: topic,
  }));
  const index = await keywordIndex(documents);
  return index.search(topic)
    .filter(({ terms }) => terms.filter((each) => key.has(each)).length >= key.size * SHARED)
    .slice(0, Math.max(limit, 0)).map(({ id }) => newest[Number(id)]!);
}

function compareWords(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** What is searched of a message. */
type SearchedMessage = Pick<Message, "seq" | "name" | "body">;

/** A message with a passage that has words of a query. */
interface MessageHit<T extends SearchedMessage> {
  /** As it was given. */
  readonly message: T;
  /** How well its best passage fits, over 0 to 1, which is the query's best. */
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
  const passages = messages.flatMap((message) =>
    chunkText(message.body, String(message.seq)).map(({ text }) => ({ message, text }))
  );
  const index = await keywordIndex(
    passages.map(({ message, text }, number) => ({
      id: String(number),
      text,
      title: message.name,
    })),
  );
  const best = new Map<T, MessageHit<T>>();
  for (const { id, score, terms } of index.search(query)) {
    if (best.size >= limit) break;
    const { message, text } = passages[Number(id)]!;
    if (best.has(message)) continue;
    best.set(message, { message, score, snippet: snippetOf(text, new Set(terms)) });
  }
  return [...best.values()];
}
