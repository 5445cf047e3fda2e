// Searches messages by words: the whole archive, or one convening, where a model can also answer a question.
import { resolve } from "@std/path";
import { z } from "zod";
import type { Agent } from "../core/agent.ts";
import { checkArguments, checkFields, refuseUnknownOptions } from "../core/check_fields.ts";
import { AGENT_SETTINGS } from "../core/key_rules.ts";
import type { Message } from "../core/message.ts";
import type { ConveningStart } from "../core/event.ts";
import type { ModelAnswer } from "../core/search.ts";
import { recordFiles } from "../record/disk_files.ts";
import {
  type ArchiveSearch,
  bodyOf,
  knownIn,
  type MessageFilter,
  messageFilter,
  searchPassages,
  type SearchRow,
} from "../record/search.ts";
import type { RecordModelOptions } from "./record_question.ts";

/** Options of {@linkcode askConvening}. */
export interface AskOptions extends RecordModelOptions, MessageFilter {
  /** Maximum number of found messages, 1 or more. @default 5 */
  readonly limit?: number | undefined;
  /** Name of a model that answers in its own words. @default none: only found messages */
  readonly model?: string | undefined;
  /** Agent that answers, instead of `model`. */
  readonly agent?: Agent | undefined;
}

/** A message that matches a question. */
export interface Answer extends Pick<SearchRow, "seq" | "name" | "kind" | "round" | "snippet"> {
  /** Score of the message's best passage, at most 1; near 1 if the passage has every word of the question. */
  readonly score: number;
  /** Path of the message's file in the convening's directory, with `/`. */
  readonly file: string;
}

/** The result of {@linkcode askConvening}. */
export interface AskResult extends Pick<ArchiveSearch, "skipped" | "known"> {
  /** Absolute path of the convening's directory. */
  readonly dir: string;
  /** The question, unchanged. */
  readonly question: string;
  /** Number of searched messages. */
  readonly messages: number;
  /** Matching messages, best first. */
  readonly answers: readonly Answer[];
  /** The model's answer; absent without a model, and for the offline agent. */
  readonly answer?: ModelAnswer | undefined;
}

const ASKED = z.object({
  question: z.string().regex(/\S/, "Give some words to look for."),
  limit: z.int("Give a whole number.").min(1),
});

/**
 * Finds the messages of a convening, ended or running, that have the distinctive words of a question, best first. With
 * `model` or `agent` a model answers too, and its quotations are looked up in the messages. Writes nothing and takes no
 * lock. Throws `not_found`, `record_corrupt`, `config_invalid` for an empty question, and the errors of agents.
 */
export async function askConvening(
  dir: string,
  question: string,
  given: AskOptions = {},
): Promise<AskResult> {
  checkArguments("askConvening", { dir, question, options: given });
  const filter = { kind: true, limit: true, round: true, speaker: true };
  const own = { ...filter, agent: true, catalogue: true, model: true };
  refuseUnknownOptions<AskOptions>("askConvening", given, { ...AGENT_SETTINGS, ...own });
  const { limit = 5, speaker, round, kind, ...options } = given;
  checkFields({ question, limit }, ASKED, "arguments of askConvening");
  const path = resolve(dir);
  const { readMetadata } = await import("../record/read.ts");
  const { readMessages, searchedMessages } = await import("../record/fact_files.ts");
  const files = recordFiles(path);
  const { start } = await readMetadata(files, path);
  const { messages: all, problems } = await searchedMessages(files, path);
  const isWanted = messageFilter({ speaker, round, kind });
  const wanted = all.filter(({ message }) => isWanted(message));
  const asksModel = options.model !== undefined || options.agent !== undefined;
  const hits = await searchPassages(wanted, question, {
    limit: asksModel ? Math.max(limit, BEST) : limit,
    body: (file) => bodyOf(files, path, file),
  });
  const answer = asksModel
    ? await answerOf(question, {
      ...{ start, options },
      files: (await readMessages(files, path)).messages.filter(({ message }) => isWanted(message)),
      best: new Set(hits.slice(0, BEST).map(({ path }) => path)),
    })
    : undefined;
  return {
    dir: path,
    question,
    messages: wanted.length,
    answers: hits.filter(({ score }) => score >= LEAST).slice(0, limit).map((hit) => {
      const { message: { seq, name, kind, round }, path: file, score, snippet } = hit;
      return { seq, name, kind, round, score, snippet, file };
    }),
    ...answer === undefined ? {} : { answer },
    skipped: problems,
    ...wanted.length === 0 ? { known: knownIn(all.map(({ message }) => message)) } : {},
  };
}

/** Minimum score of a match; a passage below has only common words of the question. */
const LEAST = 0.05;
/** Maximum number of messages in a prompt that cannot hold all messages. */
const BEST = 20;

/** Asks the model; returns undefined for the offline agent, which answers no question, and for a record without messages. */
async function answerOf(
  question: string,
  { start, files, best, options }: {
    readonly start: ConveningStart;
    readonly files: readonly { readonly path: string; readonly message: Message }[];
    /** Paths of the best matches of the question. */
    readonly best: ReadonlySet<string>;
    readonly options: Omit<AskOptions, "limit">;
  },
): Promise<ModelAnswer | undefined> {
  const { answerTask, ModelAsker, QuotationCheck, readerOf, recordPrompt } = await import(
    "./record_question.ts"
  );
  const { agent, settings } = readerOf(start, options);
  if (agent.model === "offline" || files.length === 0) return undefined;
  const messages = files.map(({ message }) => message);
  const { schema, task, maxTokens } = answerTask(question);
  const prompt = await recordPrompt(start, messages, {
    agent,
    best: files.filter(({ path }) => best.has(path)).map(({ message }) => message),
    task,
    shape: schema.type,
  });
  const asker = new ModelAsker(agent, { ...settings, topic: start.topic, kind: "answer" });
  const { value, ...made } = await asker.ask({ messages: prompt.messages, schema, maxTokens });
  const quotations = new QuotationCheck(messages, `${start.topic}\n\n${question}`);
  const passages = value.passages.flatMap((each) => {
    const found = quotations.find(each);
    const file = files.find(({ message }) => message.seq === found?.message);
    if (found === undefined || file === undefined) return [];
    return [{ ...found, name: file.message.name, file: file.path }];
  });
  const text = quotations.prose(value.answer);
  const { leftOut } = quotations;
  return { text, passages, leftOut, read: prompt.read, cut: prompt.cut, ...made };
}
