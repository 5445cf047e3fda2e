import { RecordError } from "../../core/error.ts";
import { figuresOf } from "../../core/evidence.ts";
import { besideJson } from "../../operations/fact_json.ts";
import { type MessageBeside, showBeside } from "../../operations/showing.ts";
import type { McpContext } from "../mcp_context.ts";
import type { McpReply } from "../mcp_reply.ts";
import { type NumberedFile, numberedFiles } from "../../operations/numbered_files.ts";
import { factIn } from "../../operations/reading_convenings.ts";
import { pieceOf, type PieceOptions } from "../text_piece.ts";

type Json = Readonly<Record<string, unknown>>;

/** What can be kept beside a message, as the command line names it. */
export const BESIDE_PARTS = ["private", "rejected", "facts"] as const;

/** One of those. */
export type BesidePart = typeof BESIDE_PARTS[number];

/** Something that is kept beside a message: how much there is as data, all of it as quoted JSON, a part at a time. */
export async function besideReply(
  context: McpContext,
  { id, seq, part, ...options }: PieceOptions & {
    readonly id: string;
    readonly seq: number;
    readonly part: BesidePart;
  },
): Promise<McpReply> {
  const dir = await context.dirOf(id);
  if (!(await numberedFiles(dir, "messages")).some(({ number }) => number === seq)) {
    throw new RecordError("not_found", `Cannot read beside message ${seq}: there is none`, {
      field: "seq",
      hint: "read_messages gives the numbers of those that are there.",
    });
  }
  const beside = await showBeside(dir, seq);
  const json = JSON.stringify(besideJson(beside)[part], null, 2);
  const { text, tokens, next } = await pieceOf(json, options);
  return {
    data: { id, seq, part, ...countsOf(beside)[part], tokens, next: next ?? null },
    words: [{ of: `${part} of message ${seq}`, text }],
  };
}

/** How much there is of each part, without a word of anybody. */
function countsOf(
  { draft, rejected, factCheck, evidence }: MessageBeside,
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
    },
  };
}

function figuresJson(evidence: Parameters<typeof figuresOf>[0]): Json {
  const { verified, notFound } = figuresOf(evidence);
  return { verified, notFound };
}

/** What is told of messages by number: how much is kept beside each, and how its checks came out. */
export async function besideRows(dir: string): Promise<(seq: number) => Promise<Json>> {
  const [drafts, rejected, checks, evidences] = await Promise.all([
    numberedFiles(dir, "drafts"),
    numberedFiles(dir, "rejected"),
    numberedFiles(dir, "fact-checks"),
    numberedFiles(dir, "evidence"),
  ]);
  const about = (list: readonly NumberedFile[], seq: number) =>
    list.filter(({ number }) => number === seq);
  const read = async (folder: string, list: readonly NumberedFile[], seq: number) => {
    const [part] = about(list, seq);
    return part === undefined ? undefined : await factIn(dir, folder, part.name);
  };
  return async (seq) => {
    const [check, evidence] = await Promise.all([
      read("fact-checks", checks, seq),
      read("evidence", evidences, seq),
    ]);
    return {
      ["private"]: about(drafts, seq).length > 0,
      rejected: about(rejected, seq).length,
      factCheck: check?.type === "fact-check"
        ? { status: check.status, factuality: check.factuality }
        : null,
      evidence: evidence?.type === "evidence" ? figuresJson(evidence) : null,
    };
  };
}
