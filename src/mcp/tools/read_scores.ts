import { z } from "zod";
import { ConfigurationError } from "../../core/error.ts";
import type { Score, Verdict } from "../../core/fact.ts";
import { readFrontMatter } from "../../output/frontmatter_reader.ts";
import type { McpContext } from "../mcp_context.ts";
import type { McpReply } from "../mcp_reply.ts";
import { defineTool, type McpTool } from "../mcp_tool.ts";
import { type NumberedFile, numberedFiles } from "../../library/numbered_files.ts";
import { factIn } from "../../library/reading_convenings.ts";
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
    "What judges made of a convening: outcome, winner, standings and verdicts first, then the scores of messages a page at a time. With `reasons`, also the judges' reasons, in the untrusted part, as far as they fit.",
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

/** Scores of a convening, the result and the verdicts first. */
export async function scoresReply(context: McpContext, wanted: Wanted): Promise<McpReply> {
  const { id, message, cursor } = wanted;
  const dir = await context.dirOf(id);
  const all = await numberedFiles(dir, "scores");
  const parts = message === undefined ? all : all.filter(({ number }) => number === message);
  const start = placeAfter(parts, cursor);
  const isFirst = cursor === undefined && message === undefined;
  const verdicts = isFirst ? await verdictsOf(dir) : [];
  const words = await room(verdicts.map(reasonsOfVerdict), wanted);
  const scores: Record<string, unknown>[] = [];
  let at = start;
  for (; at < parts.length && scores.length < wanted.limit; at++) {
    const fact = await factIn(dir, "scores", parts[at]!.name);
    if (fact.type !== "score") continue;
    const reasons = await words.take(reasonsOfScore(fact));
    // What does not fit begins the next page.
    if (!reasons && scores.length > 0) break;
    scores.push(scoreData(fact));
  }
  return {
    data: {
      id,
      ...isFirst ? { ...await resultOf(dir), verdicts: verdicts.map(verdictData) } : {},
      total: parts.length,
      scores,
      tokens: words.tokens,
      next: at < parts.length && at > 0 ? parts[at - 1]!.name : null,
    },
    words: words.taken,
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

/** What `metadata.md` shows of the result: ids and numbers alone. */
async function resultOf(dir: string): Promise<Record<string, unknown>> {
  const { data } = readFrontMatter(await readPage(dir, "metadata.md"), "metadata.md");
  const { outcome = null, winner = null, unscored = [] } = data;
  return { outcome, winner, standings: totalsIn(data.scores), unscored };
}

const STANDINGS = z.record(z.string(), z.looseObject({ total: z.number() }));

function totalsIn(scores: unknown): Record<string, number> {
  const read = STANDINGS.safeParse(scores);
  if (!read.success) return {};
  return Object.fromEntries(Object.entries(read.data).map(([id, { total }]) => [id, total]));
}

async function verdictsOf(dir: string): Promise<Verdict[]> {
  const facts = [];
  for (const { name } of await numberedFiles(dir, "verdicts")) {
    facts.push(await factIn(dir, "verdicts", name));
  }
  return facts.filter((fact) => fact.type === "verdict");
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
  return { of: `verdict ${number} of ${judge}`, text: reason ?? reasons };
}

function reasonsOfScore({ message, judge, reason, reasons, topics = [] }: Score): Words {
  const notes = topics.map(({ topic, notes }) => `${topic}: ${notes}`);
  return {
    of: `score of message ${message} by ${judge}`,
    text: [reason ?? reasons, ...notes].join("\n"),
  };
}

/** Room for reasons: so many tokens; none where they are not wanted. */
async function room(first: readonly Words[], { reasons, maxTokens }: Wanted) {
  const room = {
    taken: new Array<Words>(),
    tokens: 0,
    /** Takes words in whole, the first ones cut; gives whether there was room. */
    async take({ of, text }: Words): Promise<boolean> {
      if (!reasons) return true;
      const left = maxTokens - room.tokens;
      if (left <= 0) return false;
      const piece = await pieceOf(text, { offset: 0, maxTokens: left });
      if (piece.next !== undefined && room.taken.length > 0) return false;
      room.tokens += piece.tokens;
      room.taken.push({ of, text: piece.text });
      return true;
    },
  };
  for (const words of first) await room.take(words);
  return room;
}
