// Finds what was said about a question in one convening, by words.
import { resolve } from "@std/path";
import { ConfigurationError } from "../core/error.ts";
import { recordFiles } from "../record/disk_files.ts";
import type { RecordProblem } from "../record/read.ts";

/** Options of {@linkcode askConvening}. */
export interface AskOptions {
  /** The most answers, 1 or more. @default 5 */
  readonly limit?: number | undefined;
}

/** A message that has something to do with a question. */
export interface Answer {
  /** The message's number. */
  readonly seq: number;
  /** The speaker's name. */
  readonly name: string;
  /** Such as `rebuttal`. */
  readonly kind: string;
  /** From 1; 0 outside rounds. */
  readonly round: number;
  /** The score of its best passage, over 0 to 1, which is the question's best. */
  readonly score: number;
  /** That passage in short: one line of plain text, at most 200 code points. */
  readonly snippet: string;
  /** The message's file in the convening's directory, with `/`. */
  readonly file: string;
}

/** Answers found in a convening. */
export interface AskResult {
  /** The convening's directory, absolute. */
  readonly dir: string;
  /** As it was asked. */
  readonly question: string;
  /** The number of messages that were searched. */
  readonly messages: number;
  /** Best first; empty where nothing fits. */
  readonly answers: readonly Answer[];
  /** The messages that were left out because they are damaged. */
  readonly skipped: readonly RecordProblem[];
}

/**
 * The messages of a convening, finished or running, that have the words of a question, best first; no model is asked, and
 * any text is a question. Writes nothing and takes no lock. Fails with `not_found`, `record_corrupt`, and
 * `config_invalid` for an empty question.
 */
export async function askConvening(
  dir: string,
  question: string,
  { limit = 5 }: AskOptions = {},
): Promise<AskResult> {
  check(question, limit);
  const path = resolve(dir);
  const { readMetadata } = await import("../record/read.ts");
  const { readMessages } = await import("../record/fact_files.ts");
  const { searchPassages } = await import("../record/search.ts");
  await readMetadata(recordFiles(path), path);
  const { messages, problems } = await readMessages(recordFiles(path), path);
  const paths = new Map(messages.map(({ fact, path }) => [fact, path]));
  const hits = await searchPassages([...paths.keys()], question, { limit });
  return {
    dir: path,
    question,
    messages: messages.length,
    answers: hits.map(({ message, score, snippet }) => {
      const { seq, name, kind, round } = message;
      return { seq, name, kind, round, score, snippet, file: paths.get(message)! };
    }),
    skipped: problems,
  };
}

function check(question: string, limit: number): void {
  if (question.trim() === "") {
    throw new ConfigurationError("Cannot ask a convening: the question is empty", {
      field: "question",
      hint: "Give some words of what you look for.",
    });
  }
  if (Number.isInteger(limit) && limit >= 1) return;
  throw new ConfigurationError(`Cannot give ${limit} answers: limit must be 1 or more`, {
    field: "limit",
    hint: "Give a whole number.",
  });
}
