import { z } from "zod";
import { ConfigurationError } from "../../core/error.ts";
import type { Score, Verdict } from "../../core/fact.ts";
import { readFrontMatter } from "../../record/frontmatter_reader.ts";
import { loadTokenCounter } from "../../core/tokens.ts";
import { handleOf } from "../handles.ts";
import type { McpContext } from "../mcp_context.ts";
import type { McpReply } from "../mcp_reply.ts";
import { defineTool, type McpTool } from "../mcp_tool.ts";
import { type NumberedFile, numberedFiles } from "../../operations/numbered_files.ts";
import { factIn } from "../../operations/reading_convenings.ts";
import { readPage } from "../record_parts.ts";
import { pieceOf } from "../text_piece.ts";
import { ID, limit, MAX_TOKENS } from "../tool_input.ts";
import type { Words } from "../untrusted.ts";

/** What of the scores is read. */
interface Wanted {
  readonly id: string;
  /** Only scores of this message, and nothing of the result. @default all */
  readonly message?: number | undefined;
  readonly cursor?: string | undefined;
  readonly limit: number;
  readonly reasons: boolean;
  readonly maxTokens: number;
}

/** Reads scores and verdicts. */
export const READ_SCORES: McpTool = defineTool({
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
  writes: false,
  call: async (input, { context }) => await scoresReply(context, input),
});

/** Tokens of the lines around a part of quoted words, at most. */
const FRAME_TOKENS = 50;

/** A part of a convening's verdicts and scores, as many as fit; the result on the first page. */
export async function scoresReply(context: McpContext, wanted: Wanted): Promise<McpReply> {
  const { id, message, cursor, limit, maxTokens, reasons } = wanted;
  const dir = await context.dirOf(id);
  const all = await numberedFiles(dir, "scores");
  const scored = message === undefined ? all : all.filter(({ number }) => number === message);
  const verdicts = message === undefined ? await numberedFiles(dir, "verdicts") : [];
  const parts = [...verdicts, ...scored];
  const isFirst = cursor === undefined && message === undefined;
  const head: McpReply = isFirst ? await resultOf(dir) : { data: {} };
  const words = [...head.words ?? []];
  const count = await loadTokenCounter();
  let tokens = count(JSON.stringify(head)) + FRAME_TOKENS * words.length;
  const rows = { verdicts: new Array<object>(), scores: new Array<object>() };
  const start = placeAfter(parts, cursor);
  let at = start;
  for (; at < parts.length && rows.scores.length < limit; at++) {
    const folder = at < verdicts.length ? "verdicts" : "scores";
    const fact = await factIn(dir, folder, parts[at]!.name);
    if (fact.type !== "verdict" && fact.type !== "score") continue;
    const row = fact.type === "verdict" ? verdictData(fact) : scoreData(fact);
    const said = fact.type === "verdict" ? reasonsOfVerdict(fact) : reasonsOfScore(fact);
    const own = count(JSON.stringify(row)) + (reasons ? FRAME_TOKENS : 0);
    const left = maxTokens - tokens - own;
    const piece = reasons
      ? await pieceOf(said.text, { offset: 0, maxTokens: Math.max(20, left) })
      : undefined;
    // What does not fit begins the next page; the first row is always given.
    if (at > start && (left < 0 || piece?.next !== undefined)) break;
    tokens += own + (piece?.tokens ?? 0);
    rows[folder].push(row);
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

function verdictData({ judge, rubric, number, order, status, winner, model }: Verdict): object {
  return { judge, rubric, number, order, status, winner, model };
}

function scoreData(score: Score): Record<string, unknown> {
  const { message, participant, judge, rubric, scale, status, criteria, total, model } = score;
  return {
    message,
    participant,
    judge,
    rubric,
    scale,
    status,
    criteria,
    total: total ?? null,
    model,
  };
}

function reasonsOfVerdict({ judge, number, reason, reasons }: Verdict): Words {
  return { of: `verdict ${number} of ${handleOf(judge)}`, text: reason ?? reasons };
}

function reasonsOfScore({ message, judge, reason, reasons, topics = [] }: Score): Words {
  const notes = topics.map(({ topic, notes }) => `${topic}: ${notes}`);
  return {
    of: `score of message ${message} by ${handleOf(judge)}`,
    text: [reason ?? reasons, ...notes].join("\n"),
  };
}
