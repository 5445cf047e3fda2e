// Finds what was said about a question in one convening, by words, and has a model answer the question.
import { resolve } from "@std/path";
import { ConfigurationError } from "../core/error.ts";
import { recordFiles } from "../record/disk_files.ts";
import type { RecordProblem } from "../record/read.ts";
import {
  type MessageFilter,
  messageFilter,
  searchPassages,
  type SearchRow,
} from "../record/search.ts";
import type { Agent } from "../core/agent.ts";
import type { BriefQuote } from "../core/brief.ts";
import type { Made, Message } from "../core/message.ts";
import type { ConveningStart } from "../core/record.ts";
import type { RecordModelOptions } from "./operation.ts";

/** Options of {@linkcode askConvening}. */
export interface AskOptions extends RecordModelOptions, MessageFilter {
  /** The most answers, 1 or more. @default 5 */
  readonly limit?: number | undefined;
  /** The name of a model that answers in its own words. @default none: passages alone */
  readonly model?: string | undefined;
  /** An instance, in the place of a model's name. */
  readonly agent?: Agent | undefined;
}

/** Exact words of a message that an answer rests on. */
export interface AnswerPassage extends BriefQuote {
  /** The speaker's name. */
  readonly name: string;
  /** The message's file in the convening's directory, with `/`. */
  readonly file: string;
}

/** The answer of a model to a question about a record. */
export interface ModelAnswer extends Made {
  /** One line; words in quotation marks that no message has are an ellipsis. */
  readonly text: string;
  /** The passages that it rests on, the most telling first. */
  readonly passages: readonly AnswerPassage[];
  /** Number of quotations that were left out, as no message has their words. */
  readonly leftOut: number;
  /** Number of messages that the model was shown: all that were searched, or those that fit the question best. */
  readonly read: number;
  /** Numbers of the messages that it was shown in part alone, for lack of room. */
  readonly cut: readonly number[];
}

/** A message that has something to do with a question. */
export interface Answer extends Pick<SearchRow, "seq" | "name" | "kind" | "round" | "snippet"> {
  /** The score of its best passage, at most 1: near 1 where the passage has every word of the question. */
  readonly score: number;
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
  /** The answer of the model that was asked. @default no model was asked, or the offline agent */
  readonly answer?: ModelAnswer | undefined;
  /** The messages that were left out because they are damaged. */
  readonly skipped: readonly RecordProblem[];
}

/**
 * The messages of a convening, finished or running, that have words that tell a question from others, best first, and with `model` the
 * answer of a model, whose quotations are looked up in the messages; any text is a question. Writes nothing and takes no
 * lock. Fails with `not_found`, `record_corrupt`, `config_invalid` for an empty question, and the errors of agents.
 */
export async function askConvening(
  dir: string,
  question: string,
  { limit = 5, speaker, round, kind, ...options }: AskOptions = {},
): Promise<AskResult> {
  check(question, limit);
  const path = resolve(dir);
  const { readMetadata } = await import("../record/read.ts");
  const { readMessages } = await import("../record/fact_files.ts");
  const { start } = await readMetadata(recordFiles(path), path);
  const { messages: all, problems } = await readMessages(recordFiles(path), path);
  const isWanted = messageFilter({ speaker, round, kind });
  const paths = new Map(
    all.filter(({ fact }) => isWanted(fact)).map(({ fact, path }) => [fact, path]),
  );
  const messages = [...paths.keys()];
  const isAnswered = options.model !== undefined || options.agent !== undefined;
  const hits = await searchPassages(messages, question, {
    limit: isAnswered ? Math.max(limit, BEST) : limit,
  });
  const best = hits.slice(0, BEST).map(({ message }) => message);
  const answer = isAnswered
    ? await answered(question, { start, messages, best, paths, options })
    : undefined;
  return {
    dir: path,
    question,
    messages: messages.length,
    answers: hits.filter(({ score }) => score >= LEAST).slice(0, limit).map((hit) => {
      const { message, score, snippet } = hit;
      const { seq, name, kind, round } = message;
      return { seq, name, kind, round, score, snippet, file: paths.get(message)! };
    }),
    ...answer === undefined ? {} : { answer },
    skipped: problems,
  };
}

/** The least score of an answer: below it a passage has the common words of a question alone. */
const LEAST = 0.05;
/** The most messages that a model is shown where not all of them fit. */
const BEST = 20;

/** The answer of a model; undefined of the offline agent, which answers no question. */
async function answered(
  question: string,
  { start, messages, best, paths, options }: {
    readonly start: ConveningStart;
    readonly messages: readonly Message[];
    /** The messages that fit the question best. */
    readonly best: readonly Message[];
    readonly paths: ReadonlyMap<Message, string>;
    readonly options: Omit<AskOptions, "limit">;
  },
): Promise<ModelAnswer | undefined> {
  const { answerTask, QuotationCheck, readerOf, recordPrompt } = await import(
    "./record_question.ts"
  );
  const agent = readerOf(start, options);
  if (agent.model === "offline" || messages.length === 0) return undefined;
  const { ModelAsker } = await import("./model_question.ts");
  const { schema, task, maxTokens } = answerTask(question);
  const prompt = await recordPrompt(start, messages, {
    agent,
    best,
    task,
    shape: schema.type,
  });
  const asker = new ModelAsker(agent, { ...options, topic: start.topic, kind: "answer" });
  const { value, ...made } = await asker.ask({ messages: prompt.messages, schema, maxTokens });
  const quotations = new QuotationCheck(messages, `${start.topic}\n\n${question}`);
  const passages = value.passages.flatMap((each) => {
    const found = quotations.found(each);
    const message = messages.find(({ seq }) => seq === found?.message);
    return found === undefined || message === undefined
      ? []
      : [{ ...found, name: message.name, file: paths.get(message)! }];
  });
  const text = quotations.prose(value.answer);
  const { cut, read } = prompt;
  return { text, passages, leftOut: quotations.leftOut, read, cut, ...made };
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
