// Tools and replies that read a record a part at a time: pages, messages and what is beside them, scores.
import { z } from "zod";
import { ConfigurationError, ConveningError, RecordError } from "../core/error.ts";
import { figuresOf } from "../core/evidence.ts";
import type { Fact } from "../core/fact.ts";
import type { Message } from "../core/message.ts";
import { loadTokenCounter } from "../core/tokens.ts";
import { archivedFile } from "../operations/archived_file.ts";
import { conveningDir } from "../operations/convening_dir.ts";
import { besideJson } from "../operations/fact_json.ts";
import { type NumberedFile, numberedFiles } from "../operations/numbered_files.ts";
import { winner } from "../operations/outputs.ts";
import { factIn } from "../operations/reading_convenings.ts";
import { type MessageBeside, showBeside } from "../operations/showing.ts";
import { readFrontMatter } from "../record/frontmatter_reader.ts";
import { handleOf, type McpReply, type Words } from "./reply.ts";
import { pieceOf, type PieceOptions, type TextPiece } from "./text_piece.ts";
import { ID, maxTokens, type McpContext, type McpTool, tool } from "./tool.ts";

type Json = Readonly<Record<string, unknown>>;

const MAX_TOKENS = maxTokens(4000);
const OFFSET = z.int().min(0).default(0).describe(
  "From which character of the text to read on: `next` of the result before.",
);
/** The parts of a message, as the command line names what is kept beside it. */
const PARTS = ["message", "private", "rejected", "facts"] as const;
type BesidePart = Exclude<typeof PARTS[number], "message">;

const count = z.int().min(0);
const next = count.nullable();

function limit(usual: number, most: number): z.ZodDefault<z.ZodInt> {
  return z.int().min(1).max(most).default(usual).describe(`The most rows, 1 to ${most}.`);
}

/** A page of a convening's directory. */
const READ_INDEX = tool({
  name: "read_index",
  title: "Read a convening's index",
  about:
    "A page of a convening's directory: index.md (the result, and every message or the pages that list them; under 2,000 tokens), and whatever it or another page links to: summary.md, scores.md, metadata.md, report.md, papers, sources, fact checks, choices, drafts, verdicts. Begin here.",
  input: z.strictObject({
    id: ID,
    page: z.string().min(1).max(300).default("index.md").describe(
      "index.md, or a path that a page links to, from the convening's directory: scores.md, fact-checks/029.md.",
    ),
    offset: OFFSET,
    maxTokens: MAX_TOKENS,
  }),
  output: z.object({ id: ID, page: z.string(), tokens: count, characters: count, next }),
  writes: false,
  call: async (input, { context }) => await pageReply(context, input),
});

/** A part of a page: names, gists and topics are participants' words, so all of the page is. */
export async function pageReply(
  { out }: McpContext,
  { id, page, ...piece }: PieceOptions & { readonly id: string; readonly page: string },
): Promise<McpReply> {
  const whole = await readPage(await conveningDir(out, id), page);
  const { text, tokens, next } = await pieceOf(whole, piece);
  return {
    data: { id, page, tokens, characters: whole.length, next: next ?? null },
    words: [{ of: `${page} of ${id}`, text }],
  };
}

/** The text of a file that the pages of a convening link to, but the log. Fails with `not_found`. */
export async function readPage(dir: string, page: string): Promise<string> {
  if (page !== "log.jsonl") {
    try {
      return new TextDecoder().decode((await archivedFile(dir, page.split("/"))).bytes);
    } catch (error) {
      if (!(error instanceof ConveningError) || error.code !== "not_found") throw error;
    }
  }
  throw new RecordError("not_found", `Cannot read page "${page.slice(0, 100)}": there is none`, {
    field: "page",
    hint: "Give a path as index.md, scores.md or a page that they link to has it.",
  });
}

/** One message in a list. */
const row = z.object({
  seq: count,
  participant: z.string(),
  kind: z.string(),
  round: count,
  replyTo: next,
  tokens: count,
  next,
});

/** One message, or something that is kept beside the message. */
const READ_MESSAGE = tool({
  name: "read_message",
  title: "Read a message",
  about:
    "One message of a convening by its number: who said it, when, in answer to what; its words, in the untrusted part. With `part`, what is kept beside it: what its speaker wrote for itself, the attempts that were turned down, or its fact check, what it cites and quotes, and facts of own kinds.",
  input: z.strictObject({
    id: ID,
    seq: z.int().min(0).max(999_999).describe("The message's number, from 1."),
    part: z.enum(PARTS).default("message").describe(
      "What of it is read: the message, or what is kept beside it, as JSON.",
    ),
    offset: OFFSET,
    maxTokens: MAX_TOKENS,
  }),
  output: row.partial().extend({
    id: ID,
    seq: count,
    tokens: count,
    next,
    file: z.string().optional(),
  }),
  writes: false,
  call: async ({ part, ...input }, { context }) =>
    part === "message"
      ? await messageReply(context, input)
      : await besideReply(context, { ...input, part }),
});

/** A message, or a part of a long one. */
export async function messageReply(
  { out }: McpContext,
  { id, seq, ...options }: PieceOptions & { readonly id: string; readonly seq: number },
): Promise<McpReply> {
  const dir = await conveningDir(out, id);
  const file = await messageFile(dir, seq);
  const message = await readMessage(dir, file);
  const piece = await pieceOf(message.body, options);
  const { turn, role, phase, model, attempts, marks, createdAt, sha256, body, name, position } =
    message;
  // Whoever speaks chose neither name nor position, but whoever set the convening up may have been a model.
  const speaker = position === undefined ? name : `${name}, for: ${position}`;
  return {
    data: {
      id,
      file: `messages/${file.name}`,
      turn,
      role,
      phase,
      attempts,
      model,
      marks,
      createdAt,
      sha256,
      characters: body.length,
      ...rowOf(message, piece),
    },
    words: [
      { of: `speaker of message ${seq}`, text: speaker },
      { of: `message ${seq}`, text: piece.text },
    ],
  };
}

async function messageFile(dir: string, seq: number): Promise<NumberedFile> {
  const all = await numberedFiles(dir, "messages");
  const found = all.find(({ number }) => number === seq);
  if (found !== undefined) return found;
  const [low, high] = [all[0]?.number, all.at(-1)?.number];
  const there = low === undefined ? "it has none yet" : `it has ${low} to ${high}`;
  throw new RecordError("not_found", `Cannot read message ${seq}: ${there}`, {
    field: "seq",
    hint: "Give the number of a message that is there.",
  });
}

async function readMessage(dir: string, { name }: NumberedFile): Promise<Message> {
  const fact = await factIn(dir, "messages", name);
  if (fact.type === "message") return fact;
  throw new RecordError("record_corrupt", `Cannot read messages/${name}: it is no message`);
}

function rowOf(message: Message, { tokens, next }: TextPiece): Json {
  const { seq, participant, kind, round, replyTo = null } = message;
  return { seq, participant, kind, round, replyTo, tokens, next: next ?? null };
}

/** Something beside a message: how much there is as data, all of it as quoted JSON, a part at a time. */
async function besideReply(
  { out }: McpContext,
  { id, seq, part, ...options }: PieceOptions & {
    readonly id: string;
    readonly seq: number;
    readonly part: BesidePart;
  },
): Promise<McpReply> {
  const dir = await conveningDir(out, id);
  await messageFile(dir, seq);
  const beside = await showBeside(dir, seq);
  const json = JSON.stringify(besideJson(beside)[part], null, 2);
  const { text, tokens, next } = await pieceOf(json, options);
  return {
    data: { id, seq, part, ...countsOf(beside)[part], tokens, next: next ?? null },
    words: [{ of: `${part} of message ${seq}`, text }],
  };
}

/** Counts of each part, without words of participants. */
function countsOf(
  { draft, rejected, factCheck, evidence, own }: MessageBeside,
): Readonly<Record<BesidePart, Json>> {
  const { mode, status, factuality, claims = [] } = factCheck ?? {};
  return {
    ["private"]: { private: draft !== undefined },
    rejected: { rejected: rejected.map(({ attempt, guard }) => ({ attempt, guard })) },
    facts: {
      factCheck: factCheck === undefined
        ? null
        : { mode, status, factuality, claims: claims.map(({ verdict }) => ({ verdict })) },
      evidence: evidence === undefined ? null : figuresJson(evidence),
      own: own.length,
    },
  };
}

function figuresJson(evidence: Parameters<typeof figuresOf>[0]): Json {
  const { verified, notFound } = figuresOf(evidence);
  return { verified, notFound };
}

/** Messages in order, as many as fit. */
const READ_MESSAGES = tool({
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
  output: z.object({ id: ID, total: count, tokens: count, messages: z.array(row), next }),
  writes: false,
  async call({ id, after, limit, beside, maxTokens }, { context }) {
    const dir = await conveningDir(context.out, id);
    const parts = await numberedFiles(dir, "messages");
    const waiting = parts.filter(({ number }) => number > after);
    const fit = await fitting(dir, waiting.slice(0, limit), { beside, maxTokens });
    const { rows: messages, words, tokens } = fit;
    const last = messages.length < waiting.length ? waiting[messages.length - 1] : undefined;
    return {
      data: { id, total: parts.length, tokens, messages, next: last?.number ?? null },
      words,
    };
  },
});

/** Tokens of the lines around a message's words, at most. */
const FRAME_TOKENS = 60;
/** Tokens kept free for all but the words of a message that is cut. */
const ROW_TOKENS = 150;

/** The first messages that take at most so many tokens, with what is told of them: one at least, which may be cut. */
async function fitting(
  dir: string,
  files: readonly NumberedFile[],
  { beside, maxTokens }: { readonly beside: boolean; readonly maxTokens: number },
): Promise<{ rows: Json[]; words: Words[]; tokens: number }> {
  const count = await loadTokenCounter();
  const besideOf = beside ? await besideRows(dir) : undefined;
  const rows: Json[] = [];
  const words: Words[] = [];
  let tokens = 0;
  for (const file of files) {
    const message = await readMessage(dir, file);
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

/** Data on messages by number: how much is kept beside each, and how its checks came out. */
async function besideRows(dir: string): Promise<(seq: number) => Promise<Json>> {
  const folders = ["drafts", "rejected", "fact-checks", "evidence"] as const;
  const lists = await Promise.all(folders.map((folder) => numberedFiles(dir, folder)));
  return async (seq) => {
    const [drafts = [], rejected = [], ...others] = lists.map((list) =>
      list.filter(({ number }) => number === seq)
    );
    const [check, evidence] = await Promise.all(
      others.map(async ([file], at) =>
        file === undefined ? undefined : await factIn(dir, folders[at + 2]!, file.name)
      ),
    );
    return {
      ["private"]: drafts.length > 0,
      rejected: rejected.length,
      factCheck: check?.type === "fact-check"
        ? { status: check.status, factuality: check.factuality }
        : null,
      evidence: evidence?.type === "evidence" ? figuresJson(evidence) : null,
    };
  };
}

/** Scores and verdicts. */
const READ_SCORES = tool({
  name: "read_scores",
  title: "Read scores and verdicts",
  about:
    "What judges made of a convening: outcome, winner and standings, then verdicts, then the scores of messages, as many as fit. With `reasons`, also the judges' reasons, in the untrusted part.",
  input: z.strictObject({
    id: ID,
    message: z.int().min(1).optional().describe("Only the scores of this message."),
    cursor: z.string().min(1).max(100).optional().describe("`next` of the result before."),
    limit: limit(50, 100),
    reasons: z.boolean().default(false).describe("Whether judges' reasons are given too."),
    maxTokens: MAX_TOKENS,
  }),
  output: z.object({
    id: ID,
    outcome: z.string().nullable().optional(),
    winner: winner.optional(),
    standings: z.record(z.string(), z.number()).optional(),
    unscored: z.array(z.string()).optional(),
    verdicts: z.array(z.looseObject({ judge: z.string(), winner })).optional(),
    total: count,
    scores: z.array(
      z.looseObject({ message: count, judge: z.string(), total: z.number().nullable() }),
    ),
    tokens: count,
    next: z.string().nullable(),
  }),
  writes: false,
  call: async (input, { context }) => await scoresReply(context, input),
});

/** A part of the scores. */
interface Wanted {
  readonly id: string;
  /** Only scores of this message, and nothing of the result. @default all */
  readonly message?: number | undefined;
  readonly cursor?: string | undefined;
  readonly limit: number;
  readonly reasons: boolean;
  readonly maxTokens: number;
}

/** A part of a convening's verdicts and scores, as many as fit; the result on the first page. */
export async function scoresReply({ out }: McpContext, wanted: Wanted): Promise<McpReply> {
  const { id, message, cursor, limit, maxTokens, reasons } = wanted;
  const dir = await conveningDir(out, id);
  const all = await numberedFiles(dir, "scores");
  const scored = message === undefined ? all : all.filter(({ number }) => number === message);
  const verdicts = message === undefined ? await numberedFiles(dir, "verdicts") : [];
  const parts = [...verdicts, ...scored];
  const isFirst = cursor === undefined && message === undefined;
  const head: McpReply = isFirst ? await resultOf(dir) : { data: {} };
  const words = [...head.words ?? []];
  const count = await loadTokenCounter();
  let tokens = count(JSON.stringify(head)) + FRAME_TOKENS * words.length;
  const rows = { verdicts: new Array<Json>(), scores: new Array<Json>() };
  const start = placeAfter(parts, cursor);
  let at = start;
  for (; at < parts.length && rows.scores.length < limit; at++) {
    const folder = at < verdicts.length ? "verdicts" : "scores";
    const { data, said } = judgedOf(await factIn(dir, folder, parts[at]!.name));
    const own = count(JSON.stringify(data)) + (reasons ? FRAME_TOKENS : 0);
    const left = maxTokens - tokens - own;
    const piece = reasons
      ? await pieceOf(said.text, { offset: 0, maxTokens: Math.max(20, left) })
      : undefined;
    // What does not fit begins the next page; the first row is always given.
    if (at > start && (left < 0 || piece?.next !== undefined)) break;
    tokens += own + (piece?.tokens ?? 0);
    rows[folder].push(data);
    if (piece !== undefined) words.push({ of: said.of, text: piece.text });
  }
  return {
    data: {
      id,
      ...head.data,
      ...isFirst || rows.verdicts.length > 0 ? { verdicts: rows.verdicts } : {},
      total: scored.length,
      scores: rows.scores,
      tokens,
      next: at < parts.length && at > 0 ? parts[at - 1]!.name : null,
    },
    words,
  };
}

function placeAfter(parts: readonly NumberedFile[], cursor: string | undefined): number {
  if (cursor === undefined) return 0;
  const at = parts.findIndex(({ name }) => name === cursor);
  if (at !== -1) return at + 1;
  throw new ConfigurationError("Cannot use cursor: it is of no score that is there", {
    field: "cursor",
    hint: "Give `next` of a result, or leave it out to begin anew.",
  });
}

const STANDINGS = z.record(z.string(), z.looseObject({ name: z.string(), total: z.number() }));

/** The result as `metadata.md` shows it; the names of those in the standings are words. */
async function resultOf(dir: string): Promise<McpReply> {
  const { data } = readFrontMatter(await readPage(dir, "metadata.md"), "metadata.md");
  const { outcome = null, winner = null, unscored = [] } = data;
  const standings = Object.entries(STANDINGS.safeParse(data.scores).data ?? {});
  return {
    data: {
      outcome,
      winner,
      standings: Object.fromEntries(standings.map(([id, { total }]) => [id, total])),
      unscored,
    },
    words: standings.map(([id, { name }]) => ({ of: `name of ${handleOf(id)}`, text: name })),
  };
}

/** A verdict or a score as data, and its reasons. */
function judgedOf(fact: Fact): { readonly data: Json; readonly said: Words } {
  if (fact.type === "verdict") {
    const { judge, rubric, number, order, status, winner, model, reason, reasons } = fact;
    return {
      data: { judge, rubric, number, order, status, winner, model },
      said: { of: `verdict ${number} of ${handleOf(judge)}`, text: reason ?? reasons },
    };
  }
  if (fact.type !== "score") {
    throw new RecordError("record_corrupt", "Cannot read scores: another fact is among them");
  }
  const { message, participant, judge, rubric, scale, status, criteria, total = null, model } =
    fact;
  const notes = (fact.topics ?? []).map(({ topic, notes }) => `${topic}: ${notes}`);
  return {
    data: { message, participant, judge, rubric, scale, status, criteria, total, model },
    said: {
      of: `score of message ${message} by ${handleOf(judge)}`,
      text: [fact.reason ?? fact.reasons, ...notes].join("\n"),
    },
  };
}

/** The tools that read a record a part at a time. */
export const READING: readonly McpTool[] = [
  READ_INDEX,
  READ_MESSAGE,
  READ_MESSAGES,
  READ_SCORES,
];
