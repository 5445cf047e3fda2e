// The tool and the resources that read scores and verdicts.
import { z } from "zod";
import { ConfigurationError, RecordError } from "../core/error.ts";
import type { Fact } from "../core/fact.ts";
import { loadTokenCounter } from "../core/tokens.ts";
import type { JsonObject } from "../core/values.ts";
import { conveningDir } from "../operations/convening_dir.ts";
import { factIn, type NumberedFile, numberedFiles } from "../operations/reading_convenings.ts";
import { count, winner } from "../operations/outputs.ts";
import { readFrontMatter } from "../record/read_pages.ts";
import { readPage } from "./reading.ts";
import { fitEntries, FRAME_TOKENS, handleOf, type McpReply, type Words } from "./reply.ts";
import { ID, maxTokens, type McpContext, type McpTool, mostRows, tool } from "./tool.ts";

const WANTED = z.strictObject({
  id: ID,
  message: z.int().min(1).optional().describe("Only the scores of this message."),
  cursor: z.string().min(1).max(100).optional().describe("`next` of the previous result."),
  limit: mostRows(50, 100),
  reasons: z.boolean().default(false).describe("Whether to give the judges' reasons too."),
  maxTokens: maxTokens(4000),
});

export const READ_SCORES: McpTool = tool({
  name: "read_scores",
  title: "Read scores and verdicts",
  about:
    "The result of the judges of a convening: outcome, winner and standings, then verdicts, then the scores of messages, as many as fit. With `reasons`, also the judges' reasons, in the untrusted part.",
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
  { out }: McpContext,
  wanted: z.output<typeof WANTED>,
): Promise<McpReply> {
  const { id, message, cursor, limit, maxTokens, reasons } = wanted;
  const dir = await conveningDir(out, id);
  const all = await numberedFiles(dir, "scores");
  const scored = message === undefined ? all : all.filter(({ number }) => number === message);
  const verdicts = message === undefined ? await numberedFiles(dir, "verdicts") : [];
  const parts = [...verdicts, ...scored];
  const isFirst = cursor === undefined && message === undefined;
  const { data: result, words = [] }: McpReply = isFirst ? await resultOf(dir) : { data: {} };
  const countTokens = await loadTokenCounter();
  const start = placeAfter(parts, cursor);
  const { entries, tokens } = await fitEntries(
    parts.slice(start, Math.max(start, verdicts.length) + limit),
    async (file) => {
      const folder = verdicts.includes(file) ? "verdicts" : "scores";
      const { data, said } = judgedOf(await factIn(dir, folder, file.name));
      return { folder, data, of: said.of, text: reasons ? said.text : "" };
    },
    {
      maxTokens,
      used: countTokens(JSON.stringify({ result, words })) + FRAME_TOKENS * words.length,
    },
  );
  const rowsOf = (name: string) =>
    entries.flatMap(({ folder, data }) => folder === name ? [data] : []);
  const given = rowsOf("verdicts");
  const end = start + entries.length;
  return {
    data: {
      id,
      ...result,
      ...isFirst || given.length > 0 ? { verdicts: given } : {},
      total: scored.length,
      scores: rowsOf("scores"),
      tokens,
      next: end < parts.length && end > 0 ? parts[end - 1]!.name : null,
    },
    words: [...words, ...reasons ? entries.map(({ of, piece: { text } }) => ({ of, text })) : []],
  };
}

function placeAfter(parts: readonly NumberedFile[], cursor: string | undefined): number {
  if (cursor === undefined) return 0;
  const at = parts.findIndex(({ name }) => name === cursor);
  if (at !== -1) return at + 1;
  throw new ConfigurationError("Cannot use cursor: no score of the convening has it", {
    field: "cursor",
    hint: "Give `next` of a result, or leave it out to start from the beginning.",
  });
}

const STANDINGS = z.record(z.string(), z.looseObject({ name: z.string(), total: z.number() }));

/** Reads the outcome, winner and standings from `metadata.md`; the names of participants are untrusted words. */
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

/** Separates a verdict or score into data and reasons. */
function judgedOf(fact: Fact): { readonly data: JsonObject; readonly said: Words } {
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
