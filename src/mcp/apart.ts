import { withHandles } from "./handles.ts";
import type { McpReply } from "./mcp_reply.ts";
import { pieceOf } from "./text_piece.ts";
import type { Words } from "./untrusted.ts";

/** The keys under which results have words of participants, models or papers. */
const WORDS: ReadonlySet<string> = new Set([
  "condition",
  "contradictions",
  "message",
  "name",
  "notes",
  "posture",
  "postures",
  "problem",
  "question",
  "questions",
  "snippet",
  "summary",
  "text",
  "title",
  "topic",
  "topics",
  "winnerName",
]);

/** The most tokens of words that come with data. */
const MOST_TOKENS = 4000;

/**
 * A result as other programs are told it, its words apart from its data: each with the path of keys it stood under. Of more
 * words than fit the rest is left out, and counted in `wordsLeftOut`.
 */
export async function apart(
  json: Readonly<Record<string, unknown>>,
  maxTokens: number = MOST_TOKENS,
): Promise<McpReply> {
  const words: Words[] = [];
  const data = dataOf(withHandles(json), [], words);
  const kept: Words[] = [];
  let left = maxTokens;
  for (const { of, text } of words) {
    const piece = left < 20 ? undefined : await pieceOf(text, { offset: 0, maxTokens: left });
    if (piece === undefined || piece.next !== undefined) break;
    left -= piece.tokens;
    kept.push({ of, text });
  }
  const missing = words.length - kept.length;
  return {
    data: { ...data, ...missing === 0 ? {} : { wordsLeftOut: missing } },
    words: kept,
  };
}

function dataOf(
  json: object,
  path: readonly string[],
  words: Words[],
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(json).flatMap(([key, value]) => {
      const at = [...path, key];
      const isWords = WORDS.has(key) || Array.isArray(json) && WORDS.has(path.at(-1) ?? "");
      if (typeof value === "string" && isWords) {
        words.push({ of: at.join("."), text: value });
        return [];
      }
      if (value === null || typeof value !== "object") return [[key, value]];
      const inner = dataOf(value, at, words);
      if (!Array.isArray(value)) return [[key, inner]];
      const rest = Object.values(inner);
      // A list of words alone is in the words.
      return value.length > 0 && rest.length === 0 ? [] : [[key, rest]];
    }),
  );
}
