import type { Message } from "../core/message.ts";
import { chunkText } from "../core/chunk.ts";
import { keywordIndex } from "../core/keyword_index.ts";
import { snippetOf } from "../core/snippet.ts";

/** What is searched of a message. */
export type SearchedMessage = Pick<Message, "seq" | "name" | "body">;

/** A message with a passage that has words of a query. */
export interface MessageHit<T extends SearchedMessage> {
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
