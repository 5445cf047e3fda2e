import { z } from "zod";
import { RecordError } from "../../core/error.ts";
import type { Message } from "../../core/message.ts";
import { loadTokenCounter } from "../../core/tokens.ts";
import type { McpContext } from "../mcp_context.ts";
import type { McpReply } from "../mcp_reply.ts";
import { defineTool, type McpTool } from "../mcp_tool.ts";
import { type NumberedFile, numberedFiles } from "../../operations/numbered_files.ts";
import { readMessage } from "../record_parts.ts";
import { BESIDE_PARTS, besideReply, besideRows } from "./read_beside.ts";
import { pieceOf, type PieceOptions, type TextPiece } from "../text_piece.ts";
import { ID, limit, MAX_TOKENS, OFFSET } from "../tool_input.ts";
import type { Words } from "../untrusted.ts";

/** Reads one message. */
export const READ_MESSAGE: McpTool = defineTool({
  name: "read_message",
  title: "Read a message",
  about:
    "One message of a convening by its number: who said it, when, in answer to what; its words, in the untrusted part. With `part`, what is kept beside it: what its speaker wrote for itself, the attempts that were turned down, or its fact check and what it cites and quotes.",
  input: z.strictObject({
    id: ID,
    seq: z.int().min(0).describe("The message's number, from 1."),
    part: z.enum(["message", ...BESIDE_PARTS]).default("message").describe(
      "What of it is read: the message, or what is kept beside it, as JSON.",
    ),
    offset: OFFSET,
    maxTokens: MAX_TOKENS,
  }),
  writes: false,
  call: async ({ part, ...input }, { context }) =>
    part === "message"
      ? await messageReply(context, input)
      : await besideReply(context, { ...input, part }),
});

/** Reads several messages. */
export const READ_MESSAGES: McpTool = defineTool({
  name: "read_messages",
  title: "Read messages in order",
  about:
    "Messages of a convening in order, as many as fit into maxTokens with what is told of them, from the one after number `after` on; call again with `after` set to `next` for more. A single message that does not fit is cut: its own `next` is the offset to read on from with read_message.",
  input: z.strictObject({
    id: ID,
    after: z.int().min(0).default(0).describe(
      "Only messages with a higher number: `next` of the result before.",
    ),
    limit: limit(20, 500),
    beside: z.boolean().default(false).describe(
      "Whether it is told what is kept beside each message, to read with read_message and `part`.",
    ),
    maxTokens: MAX_TOKENS,
  }),
  writes: false,
  async call({ id, after, limit, beside, maxTokens }, { context }) {
    const dir = await context.dirOf(id);
    const parts = await numberedFiles(dir, "messages");
    const waiting = parts.filter(({ number }) => number > after);
    const wanted = waiting.slice(0, limit);
    const { rows, words, tokens } = await fitting(dir, wanted, { beside, maxTokens });
    const last = waiting[rows.length - 1];
    return {
      data: {
        id,
        total: parts.length,
        tokens,
        messages: rows,
        next: rows.length < waiting.length && last !== undefined ? last.number : null,
      },
      words,
    };
  },
});

/** A message, or a part of a long one. */
export async function messageReply(
  context: McpContext,
  { id, seq, ...options }: PieceOptions & { readonly id: string; readonly seq: number },
): Promise<McpReply> {
  const dir = await context.dirOf(id);
  const parts = await numberedFiles(dir, "messages");
  const part = parts.find(({ number }) => number === seq);
  if (part === undefined) throw noMessage(seq, parts);
  const message = await readMessage(dir, part);
  const piece = await pieceOf(message.body, options);
  return {
    data: { id, file: `messages/${part.name}`, ...dataOf(message, piece) },
    words: wordsOf(message, piece),
  };
}

function noMessage(seq: number, parts: readonly NumberedFile[]): RecordError {
  const [low, high] = [parts[0]?.number, parts.at(-1)?.number];
  const there = low === undefined ? "it has none yet" : `it has ${low} to ${high}`;
  return new RecordError("not_found", `Cannot read message ${seq}: ${there}`, {
    field: "seq",
    hint: "Give the number of a message that is there.",
  });
}

/** What the lines around a message's words take at most. */
const FRAME_TOKENS = 60;
/** What is kept free for all but the words of a message that is cut. */
const ROW_TOKENS = 150;

/** The first messages that take at most so many tokens, with what is told of them: one at least, which may be cut. */
async function fitting(
  dir: string,
  parts: readonly NumberedFile[],
  { beside, maxTokens }: { readonly beside: boolean; readonly maxTokens: number },
): Promise<{ rows: Record<string, unknown>[]; words: Words[]; tokens: number }> {
  const count = await loadTokenCounter();
  const besideOf = beside ? await besideRows(dir) : undefined;
  const rows: Record<string, unknown>[] = [];
  const words: Words[] = [];
  let tokens = 0;
  for (const part of parts) {
    const message = await readMessage(dir, part);
    const piece = await pieceOf(message.body, { offset: 0, maxTokens: maxTokens - ROW_TOKENS });
    const row = { ...rowOf(message, piece), ...await besideOf?.(message.seq) };
    const all = piece.tokens + count(JSON.stringify(row)) + FRAME_TOKENS;
    const isOver = piece.next !== undefined || tokens + all > maxTokens;
    if (isOver && rows.length > 0) break;
    tokens += all;
    rows.push(row);
    words.push({ of: `message ${message.seq}`, text: `${message.name}:\n\n${piece.text}` });
  }
  return { rows, words, tokens };
}

/** What is told of one of many messages; the rest is read with the message itself. */
function rowOf(
  { seq, participant, kind, round, replyTo }: Message,
  { tokens, next }: TextPiece,
): Record<string, unknown> {
  return {
    seq,
    participant,
    kind,
    round,
    replyTo: replyTo ?? null,
    tokens,
    next: next ?? null,
  };
}

function dataOf(message: Message, { tokens, next }: TextPiece): Record<string, unknown> {
  const { seq, turn, participant, role, phase, kind, round, replyTo, model } = message;
  return {
    seq,
    turn,
    participant,
    role,
    phase,
    kind,
    round,
    replyTo: replyTo ?? null,
    attempts: message.attempts,
    model,
    marks: message.marks,
    createdAt: message.createdAt,
    sha256: message.sha256,
    characters: message.body.length,
    tokens,
    next: next ?? null,
  };
}

/** Whoever speaks chose neither name nor position, but whoever set the convening up may have been a model. */
function wordsOf({ seq, name, position }: Message, { text }: TextPiece): Words[] {
  const speaker = position === undefined ? name : `${name}, for: ${position}`;
  return [{ of: `speaker of message ${seq}`, text: speaker }, { of: `message ${seq}`, text }];
}
