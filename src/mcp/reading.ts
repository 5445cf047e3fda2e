// Tools that read the pages, messages, scores and verdicts of a record in parts of a bounded number of tokens, and their replies.
import { basename } from "@std/path";
import { z } from "zod";
import { cannotUse, ConveningError, RecordError } from "../core/error.ts";
import type { Score, Verdict } from "../core/fact.ts";
import type { Message } from "../core/message.ts";
import { figuresOf } from "../core/paper.ts";
import { loadTokenCounter } from "../core/tokens.ts";
import { defined, type JsonObject } from "../core/values.ts";
import { conveningDir, isId } from "../operations/client_view.ts";
import { attachmentsJson } from "../operations/messages.ts";
import { FILTER, ID, type OperationContext } from "../operations/operation.ts";
import { count, known, winner } from "../operations/outputs.ts";
import { studyDir } from "../operations/study_json.ts";
import {
  archivedFile,
  type MessageAttachments,
  messagePage,
  readAttachments,
  showMessage,
} from "../operations/reading_convenings.ts";
import { recordFiles } from "../record/disk_files.ts";
import { type NumberedFile, numberedFiles, readAbout, readFactFile } from "../record/fact_files.ts";
import type { Metadata } from "../record/metadata_file.ts";
import {
  fitEntries,
  FRAME_TOKENS,
  handleOf,
  type McpReply,
  pieceOf,
  type PieceOptions,
  separateWords,
  type TextPiece,
  type Words,
} from "./reply.ts";
import { maxTokens, type McpTool, mostRows, tool, withParticipants } from "./tool.ts";

const OFFSET = z.int().min(0).default(0).describe(
  "The character of the text to continue from: `next` of the previous result.",
);
/** Attachments of a message, by the part of the message that has them. */
const BESIDE = {
  ["private"]: ["private"],
  rejected: ["rejected"],
  facts: ["factCheck", "evidence", "own"],
} as const;
type BesidePart = keyof typeof BESIDE;

const next = count.nullable();

const READ_PAGE = tool({
  name: "read_page",
  formerName: "read_index",
  title: "Read a page of a convening",
  about:
    "A page of a convening's directory: index.md (the result, and every message or the pages that list them; under 2,000 tokens), and the pages that it or another page links to: summary.md, scores.md, brief.md, metadata.md, report.md, papers, sources, fact checks, choices, drafts, verdicts. Begin here. With a study's id, a file of its report: report/leaderboard.md.",
  input: z.strictObject({
    id: ID,
    page: z.string().min(1).max(300).default("index.md").describe(
      "index.md, or a path that a page links to, from the convening's directory: scores.md, fact-checks/029.md.",
    ),
    offset: OFFSET,
    maxTokens: maxTokens(4000),
  }),
  output: z.object({ id: ID, page: z.string(), tokens: count, characters: count, next }),
  call: async (input, { context }) => await pageReply(context, input),
});

/** Returns a part of a page, as untrusted words: a page contains names, gists and topics that participants wrote. */
export async function pageReply(
  { out }: OperationContext,
  { id, page, ...piece }: PieceOptions & { readonly id: string; readonly page: string },
): Promise<McpReply> {
  // Long reports of paper debates have a folder of the same name.
  const isOfStudy = /^\.?\/?report\/[^/]+$/.test(page) && !isId(id);
  const dir = await (isOfStudy ? studyDir({ out }, id) : conveningDir(out, id));
  const whole = await readPage(dir, page);
  const part = await pieceOf(whole, piece);
  return {
    data: { id, page, characters: whole.length, ...sizeOf(part) },
    words: [{ of: `${page} of ${id}`, text: part.text }],
  };
}

/** Reads a file that the pages of a convening link to, except the log. Fails with `not_found`. */
export async function readPage(dir: string, page: string): Promise<string> {
  const path = page.replace(/^\.?\/|#.*$/g, "");
  if (path !== "log.jsonl") {
    try {
      return new TextDecoder().decode((await archivedFile(dir, path.split("/"))).bytes);
    } catch (error) {
      if (!(error instanceof ConveningError) || error.code !== "not_found") throw error;
    }
  }
  const hint = "Give index.md, scores.md, or a path that one of them links to.";
  const message = `Cannot read page "${page.slice(0, 100)}": there is no such page`;
  throw new RecordError("not_found", message, { field: "page", hint });
}

const row = z.object({
  seq: count,
  participant: z.string(),
  kind: z.string(),
  round: count,
  replyTo: next,
  tokens: count,
  next,
});

const READ_MESSAGE = tool({
  name: "read_message",
  title: "Read a message",
  about:
    "One message of a convening by its number: its speaker, time and the message it answers; its words, in the untrusted part. With `part`, its attachments: private fields of its speaker, rejected attempts, or facts (its fact check, citations and quotations, facts of custom kinds).",
  input: z.strictObject({
    id: ID,
    seq: z.int().min(0).max(999_999).describe("The message's number, from 1."),
    part: z.enum(["message", "private", "rejected", "facts"]).default("message").describe(
      "The message, or one kind of its attachments as JSON.",
    ),
    offset: OFFSET,
    maxTokens: maxTokens(4000),
  }),
  output: row.partial().extend({
    id: ID,
    seq: count,
    tokens: count,
    next,
    file: z.string().optional(),
  }),
  call: async ({ part, ...input }, { context }) =>
    part === "message"
      ? await messageReply(context, input)
      : await besideReply(context, { ...input, part }),
});

export async function messageReply(
  { out }: OperationContext,
  { id, seq, ...options }: PieceOptions & { readonly id: string; readonly seq: number },
): Promise<McpReply> {
  const { message, path: file } = await showMessage(await conveningDir(out, id), seq);
  const piece = await pieceOf(message.body, options);
  const { turn, role, phase, attempts, model, marks, createdAt, sha256 } = message;
  const about = { turn, role, phase, attempts, model, marks, createdAt, sha256 };
  const { body: { length: characters }, name, position } = message;
  // Name and position are untrusted too: a model may have set up the convening.
  const speaker = position === undefined ? name : `${name}, position: ${position}`;
  return {
    data: { id, file, ...about, characters, ...rowOf(message), ...sizeOf(piece) },
    words: [
      { of: `speaker of message ${seq}`, text: speaker },
      { of: `message ${seq}`, text: piece.text },
    ],
  };
}

function rowOf({ seq, participant, kind, round, replyTo }: Message): JsonObject {
  return { seq, participant, kind, round, replyTo: replyTo ?? null };
}

function sizeOf({ tokens, next }: TextPiece): JsonObject {
  return { tokens, next: next ?? null };
}

/** Returns an attachment of a message: counts as data, and a part of the JSON as untrusted words. */
async function besideReply(
  { out }: OperationContext,
  { id, seq, part, ...options }: PieceOptions & {
    readonly id: string;
    readonly seq: number;
    readonly part: BesidePart;
  },
): Promise<McpReply> {
  const dir = await conveningDir(out, id);
  await showMessage(dir, seq);
  const beside = await readAttachments(dir, seq);
  const [json, counts] = [attachmentsJson(beside), countsOf(beside)].map((all) =>
    Object.fromEntries(BESIDE[part].map((key) => [key, all[key]]))
  );
  const piece = await pieceOf(JSON.stringify(json, null, 2), options);
  return {
    data: { id, seq, part, ...counts, ...sizeOf(piece) },
    words: [{ of: `${part} of message ${seq}`, text: piece.text }],
  };
}

/** Returns the trusted data of each attachment: counts and states, without words of participants. */
function countsOf(
  { draft, rejected, factCheck, evidence, own }: MessageAttachments,
) {
  const { mode, status, factuality, claims = [] } = factCheck ?? {};
  return {
    ["private"]: draft !== undefined,
    rejected: rejected.map(({ attempt, guard }) => ({ attempt, guard })),
    factCheck: factCheck === undefined
      ? null
      : { mode, status, factuality, claims: claims.map(({ verdict }) => ({ verdict })) },
    evidence: evidence === undefined ? null : { ...figuresOf(evidence) },
    own: own.length,
  };
}

const READ_MESSAGES = tool({
  name: "read_messages",
  title: "Read messages in order",
  about:
    "Messages of a convening in order, as many as fit into maxTokens with their data, beginning after number `after`, of one speaker, round or kind if asked; call again with `after` set to `next` for more. A single message that does not fit is cut: its own `next` is the offset to continue from with read_message.",
  input: z.strictObject({
    id: ID,
    after: z.int().min(0).default(0).describe(
      "Only messages with a higher number: `next` of the previous result.",
    ),
    limit: mostRows(500),
    ...FILTER,
    beside: z.boolean().default(false).describe(
      "Adds the counts of each message's attachments, which read_message returns with `part`.",
    ),
    maxTokens: maxTokens(4000),
  }),
  output: z.object({
    id: ID,
    total: count,
    tokens: count,
    messages: z.array(row),
    next,
    damaged: z.array(z.string()).optional().describe(
      "Paths of damaged messages, which are not in the result.",
    ),
    known,
  }),
  async call({ id, beside, maxTokens, ...wanted }, { context }) {
    const dir = await conveningDir(context.out, id);
    const page = await messagePage(dir, await withParticipants(context, { id, ...wanted }));
    let round = 0;
    const { entries, tokens } = await fitEntries(page.messages, async (message) => {
      const { seq, body } = message;
      const data = { ...rowOf(message), ...beside ? await besideRow(dir, seq) : {} };
      const of = lineOf(message, round);
      round = message.round;
      return { data, of, text: body, message, seq };
    }, { maxTokens });
    const next = entries.length < page.messages.length ? entries.at(-1)!.seq : page.next;
    const messages = entries.map(({ data, piece }) => ({ ...data, ...sizeOf(piece) }));
    const damaged = page.skipped.map(({ path }) => path);
    const { data, words = [] } = await separateWords(defined({ known: page.known }));
    return {
      data: {
        ...data,
        id,
        total: page.total,
        tokens,
        messages,
        next,
        ...damaged.length === 0 ? {} : { damaged },
      },
      inLines: beside || entries.some(({ piece }) => piece.next !== undefined) ? [] : ["messages"],
      words: [
        ...words,
        ...entries.map(({ of, message, piece }) => ({
          of,
          text: `${nameLine(message)}${piece.text}`,
        })),
      ],
    };
  },
});

/**
 * Describes a message in a line: number, speaker, kind, the round if it differs from the round `before`, and the answered
 * message unless that is the preceding message.
 */
function lineOf(
  { seq, participant, kind, round, replyTo = seq - 1 }: Message,
  before: number,
): string {
  const words = [
    `${seq} ${handleOf(participant)} ${kind}`,
    ...round === before ? [] : [`round ${round}`],
    ...replyTo === seq - 1 ? [] : [`answers ${replyTo}`],
  ];
  return words.join(", ");
}

/** Returns the speaker's name, or an empty text if the speaker's handle shows the name. */
function nameLine({ participant, name }: Message): string {
  const isSaid = handleOf(participant) === name.toLowerCase().replaceAll(" ", "-");
  return isSaid ? "" : `${name}:\n\n`;
}

/** Returns the counts of a message's attachments, which are not read, and the results of its checks. */
async function besideRow(dir: string, seq: number): Promise<JsonObject> {
  const files = recordFiles(dir);
  const [[check], [evidence], ...listed] = await Promise.all([
    readAbout(files, dir, "fact-check", seq),
    readAbout(files, dir, "evidence", seq),
    numberedFiles(files, dir, "draft"),
    numberedFiles(files, dir, "rejected"),
  ]);
  const [drafts = 0, rejected = 0] = listed
    .map((list) => list.filter(({ number }) => number === seq).length);
  return {
    ["private"]: drafts > 0,
    rejected,
    factCheck: check === undefined ? null : { status: check.status, factuality: check.factuality },
    evidence: evidence === undefined ? null : { ...figuresOf(evidence) },
  };
}

const WANTED = z.strictObject({
  id: ID,
  message: z.int().min(1).optional().describe("Only the scores of this message."),
  cursor: z.string().min(1).max(100).optional().describe("`next` of the previous result."),
  limit: mostRows(100),
  reasons: z.boolean().default(false).describe("Whether to give the judges' reasons too."),
  maxTokens: maxTokens(4000),
});

const READ_SCORES = tool({
  name: "read_scores",
  title: "Read scores and verdicts",
  about:
    "The result of the judges of a convening: outcome, winner and standings, then verdicts, then the scores of messages, as many as fit. With `reasons`, also the judges' reasons, in the untrusted part. Rows with `later` are of judges that judged again: they do not count for the result.",
  input: WANTED,
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
  call: async (input, { context }) => await scoresReply(context, input),
});

/** Returns a page of verdicts and scores, as many as fit; the first page also has outcome and standings. */
export async function scoresReply(
  { out }: OperationContext,
  wanted: z.output<typeof WANTED>,
): Promise<McpReply> {
  const { id, message, cursor, limit, maxTokens, reasons } = wanted;
  const dir = await conveningDir(out, id);
  const files = recordFiles(dir);
  const all = await judgedFiles(dir, "score");
  const scored = message === undefined ? all : all.filter(({ number }) => number === message);
  const isSaid = message === undefined || scored.length > 0 ||
    (await numberedFiles(files, dir, "message")).some(({ number }) => number === message);
  if (!isSaid) {
    throw new RecordError("not_found", `Cannot read scores: there is no message ${message}`, {
      field: "message",
      hint: "Give the number of an existing message.",
    });
  }
  const verdicts = message === undefined ? await judgedFiles(dir, "verdict") : [];
  const parts = [...verdicts, ...scored];
  const isFirst = cursor === undefined && message === undefined;
  const { readMetadata } = await import("../record/read.ts");
  const metadata = await readMetadata(files, dir);
  const { start: { judges } } = metadata;
  const { data: result, words = [] }: McpReply = isFirst ? resultOf(metadata) : { data: {} };
  const countTokens = await loadTokenCounter();
  const start = placeAfter(parts, cursor);
  const { entries, tokens } = await fitEntries(
    parts.slice(start, Math.max(start, verdicts.length) + limit),
    async (file) => {
      const { fact } = await readFactFile(files, dir, file);
      const isOwn = judges.some(({ id, rubric }) => id === fact.judge && rubric === fact.rubric);
      const { data: row, said } = judgedOf(fact);
      const data = isOwn ? row : { ...row, later: true };
      return { type: file.type, data, of: said.of, text: reasons ? said.text : "" };
    },
    {
      maxTokens,
      used: countTokens(JSON.stringify({ result, words })) + FRAME_TOKENS * words.length,
    },
  );
  const rowsOf = (wanted: JudgedFile["type"]) =>
    entries.flatMap(({ type, data }) => type === wanted ? [data] : []);
  const given = rowsOf("verdict");
  const end = start + entries.length;
  return {
    data: {
      id,
      ...result,
      ...isFirst || given.length > 0 ? { verdicts: given } : {},
      total: scored.length,
      scores: rowsOf("score"),
      tokens,
      next: end < parts.length && end > 0 ? basename(parts[end - 1]!.path) : null,
    },
    words: [...words, ...reasons ? entries.map(({ of, piece: { text } }) => ({ of, text })) : []],
  };
}

interface JudgedFile extends NumberedFile {
  readonly type: "verdict" | "score";
}

async function judgedFiles(dir: string, type: JudgedFile["type"]): Promise<readonly JudgedFile[]> {
  return (await numberedFiles(recordFiles(dir), dir, type)).map((file) => ({ type, ...file }));
}

function placeAfter(parts: readonly JudgedFile[], cursor: string | undefined): number {
  if (cursor === undefined) return 0;
  const at = parts.findIndex(({ path }) => basename(path) === cursor);
  if (at !== -1) return at + 1;
  const hint = "Give `next` of a result, or leave it out to start from the beginning.";
  throw cannotUse("cursor", "no score of the convening has it", hint);
}

/** Returns the outcome, winner and standings of `metadata.md`; the names of participants are untrusted words. */
function resultOf({ outcome, winner, scores, unscored }: Metadata): McpReply {
  const standings = Object.entries(scores);
  return {
    data: {
      outcome: outcome ?? null,
      winner: winner ?? null,
      standings: Object.fromEntries(standings.map(([id, { total }]) => [id, total])),
      unscored,
    },
    words: standings.map(([id, { name }]) => ({ of: `name of ${handleOf(id)}`, text: name })),
  };
}

/** Separates a verdict or score into data and reasons. */
function judgedOf(fact: Score | Verdict): { readonly data: JsonObject; readonly said: Words } {
  if (fact.type === "verdict") {
    const { judge, rubric, number, order, status, winner, model, reason, reasons } = fact;
    return {
      data: { judge, rubric, number, order, status, winner, model },
      said: { of: `verdict ${number} of ${handleOf(judge)}`, text: reason ?? reasons },
    };
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

export const READING: readonly McpTool[] = [READ_PAGE, READ_MESSAGE, READ_MESSAGES, READ_SCORES];
