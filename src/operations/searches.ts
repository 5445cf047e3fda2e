// Operations that find messages: in an archive, and in one convening.
import { basename, relative, SEPARATOR } from "@std/path";
import { z } from "zod";
import { ConveningError } from "../core/error.ts";
import { searchArchive } from "../record/search.ts";
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
import { askConvening } from "./search.ts";

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
