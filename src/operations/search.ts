// Finds messages by words in an archive or in one convening, where a model can also answer: functions and operations.
import { basename, relative, resolve, SEPARATOR } from "@std/path";
import { z } from "zod";
import type { Agent } from "../core/agent.ts";
import { checkArguments, checkFields, refuseUnknownOptions } from "../core/check_fields.ts";
import { ConveningError } from "../core/error.ts";
import type { ConveningStart } from "../core/event.ts";
import { AGENT_SETTINGS } from "../core/key_rules.ts";
import type { Message } from "../core/message.ts";
import type { ModelAnswer } from "../core/search.ts";
import { recordFiles } from "../record/disk_files.ts";
import {
  type ArchiveSearch,
  bodyOf,
  knownIn,
  type MessageFilter,
  messageFilter,
  searchArchive,
  searchPassages,
  type SearchRow,
} from "../record/search.ts";
import { refuseLocal } from "./client_configuration.ts";
import { dirOf, linksOf } from "./client_view.ts";
import {
  FILTER,
  ID,
  LISTING,
  OF_CONVENING,
  OF_MODEL,
  type Operation,
  operation,
  recordModelsOf,
  whole,
} from "./operation.ts";
import { type Given, known, NAME, named, questionOfPapers, skipped, usage } from "./outputs.ts";
import type { RecordModelOptions } from "./record_question.ts";

/** Output keys of a found message. */
const found = { seq: z.int(), name: z.string(), kind: z.string(), round: z.int() };

const results = named(
  "SearchResults",
  z.object({
    query: z.string(),
    convenings: z.int().describe("How many convenings were searched."),
    messages: z.int().describe("How many messages were searched."),
    found: z.int().describe("How many messages have words of the query."),
    results: z.array(z.object({
      id: z.string().describe("The convening's id."),
      topic: z.string(),
      question: questionOfPapers,
      ...found,
      score: z.number().describe(
        "How well the message fits, at most 1: near 1 where it has every word of the query.",
      ),
      snippet: z.string(),
      link: z.string().describe("The path of the message on this server."),
    })),
    skipped,
    known,
  }),
);

export type SearchResults = Given<z.output<typeof results>>;

const WORDS = "Give 1 to 1,000 characters to look for.";

export const SEARCH: Operation = operation({
  ...LISTING,
  name: "search",
  summary: "Searches the messages of the whole archive by words, best first; asks no model.",
  tags: ["archive"],
  path: "/api/search",
  tool: {
    title: "Search what was said",
    names: { q: "query" },
    about:
      "Messages of all convenings of the archive that have the words of a query, best first, each as a convening's id and the message's number; no model is asked. Snippets are in the untrusted part; read_message gives a whole message.",
  },
  input: z.strictObject({
    q: z.string(WORDS).max(1000, WORDS).regex(/\S/, WORDS).describe("Words to look for."),
    ...FILTER,
    limit: whole(1, 100, "The most results.").default(10),
  }),
  output: results,
  async run({ out }, { q: query, ...options }) {
    const { rows, skipped, ...counts } = await searchArchive(out, query, options);
    return {
      query,
      ...counts,
      results: rows.map(({ dir, question = null, ...row }) => {
        const id = basename(dir);
        return {
          id,
          ...row,
          question,
          link: `${linksOf(id)["messages"]}?after=${row.seq - 1}&limit=1`,
        };
      }),
      skipped: skipped.map(({ path, problem }) => ({
        path: relative(out, path).replaceAll(SEPARATOR, "/"),
        problem: problem.replaceAll(out + SEPARATOR, ""),
      })),
    };
  },
});

const fileLink = z.string().describe("The path of the message's file on this server.");

const answers = named(
  "Answers",
  z.object({
    id: z.string(),
    question: z.string(),
    messages: z.int().describe("How many messages were searched."),
    answers: z.array(z.object({
      ...found,
      score: z.number().describe(
        "How well the best passage fits, at most 1: near 1 where it has every word of the question.",
      ),
      snippet: z.string(),
      file: z.string(),
      link: fileLink,
    })),
    answer: z.object({
      text: z.string().describe(
        "In the model's words; an ellipsis stands for a quotation that is in no message.",
      ),
      passages: z.array(z.object({
        message: z.int().describe("The number of the message that has the words."),
        name: z.string(),
        quote: z.string().describe("Exact words of the message."),
        file: z.string(),
        link: fileLink,
      })),
      leftOut: z.int().describe("How many quotations were left out: no message has their words."),
      read: z.int().describe("How many messages the model was shown."),
      cut: z.array(z.int()).describe(
        "Messages that the model was shown in part, for lack of room.",
      ),
      model: z.string(),
      usage,
      latencyMs: z.number(),
      createdAt: z.string(),
    }).nullable().describe(
      "The answer of the model that was named; null without one, and for offline, which answers no question.",
    ),
    skipped,
    known,
  }),
);

/** Output of the operation `ask`. */
export type Answers = Given<z.output<typeof answers>>;

export const ASK: Operation = operation({
  name: "ask",
  summary:
    "Finds the messages that have the words of a question; with `model` a model answers too, from the messages.",
  tags: ["reading"],
  method: "post",
  path: "/api/convenings/{id}/ask",
  writes: false,
  errors: [...OF_MODEL, ...OF_CONVENING],
  tool: {
    title: "Ask a convening",
    about:
      "Messages of one convening, finished or running, that have the words of a question, best first. With `model` that model answers in words of its own, from the messages, with quotations that were looked up. Snippets and answers are in the untrusted part.",
  },
  input: z.strictObject({
    id: ID,
    question: z.string().max(2000).describe("A question, or words to look for."),
    limit: z.int().min(1).max(100).optional().describe("The most answers. Default: 5."),
    ...FILTER,
    model: NAME.optional().describe(
      "A model that answers from the messages; offline gives passages alone (default: none).",
    ),
  }),
  output: answers,
  async run(context, { id, question, ...asked }, call) {
    if (context.recordModels === undefined) refuseLocal({ model: asked.model });
    if (asked.model !== undefined && context.readOnly === true) {
      throw new ConveningError("forbidden", "Cannot ask a model: this server only reads", {
        field: "model",
        hint: "Ask without a model, for passages.",
      });
    }
    const dir = await dirOf(context, id);
    const { messages, answers, answer, skipped, known } = await askConvening(dir, question, {
      ...recordModelsOf(context, call),
      ...asked,
    });
    const { self } = linksOf(id);
    const linked = <T extends { readonly file: string }>(each: T) => ({
      ...each,
      link: `${self}/files/${each.file}`,
    });
    return {
      id,
      question,
      messages,
      answers: answers.map(linked),
      answer: answer === undefined ? null : { ...answer, passages: answer.passages.map(linked) },
      skipped,
      known,
    };
  },
});

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
