// Finds the messages of a convening that have the words of a question.
import { z } from "zod";
import { AGENT_ERROR_CODES, ConveningError } from "../core/error.ts";
import { askConvening } from "./asking.ts";
import { refusePlaces } from "./client_configuration.ts";
import { dirOf } from "./convening_dir.ts";
import {
  FILTER,
  type Given,
  ID,
  linksOf,
  named,
  OF_CONVENING,
  type Operation,
  operation,
} from "./operation.ts";
import { skipped, usage } from "./outputs.ts";
import { askingOf } from "./record_question.ts";

const output = named(
  "Answers",
  z.object({
    id: z.string(),
    question: z.string(),
    messages: z.int().describe("How many messages were searched."),
    answers: z.array(z.object({
      seq: z.int(),
      name: z.string(),
      kind: z.string(),
      round: z.int(),
      score: z.number().describe(
        "How well the best passage fits, at most 1: near 1 where it has every word of the question.",
      ),
      snippet: z.string(),
      file: z.string(),
      link: z.string().describe("The path of the message's file on this server."),
    })),
    answer: z.object({
      text: z.string().describe(
        "In the model's words; quotations that no message has are an ellipsis.",
      ),
      passages: z.array(z.object({
        message: z.int().describe("The number of the message that has the words."),
        name: z.string(),
        quote: z.string().describe("Exact words of the message."),
        file: z.string(),
        link: z.string().describe("The path of the message's file on this server."),
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
  }),
);

/** Messages that have words of a question. */
export type Answers = Given<z.output<typeof output>>;

/** `POST /api/convenings/{id}/ask`. */
export const ASK: Operation = operation({
  name: "ask",
  summary:
    "Finds the messages that have the words of a question; with `model` a model answers too, from the messages.",
  tags: ["reading"],
  method: "post",
  path: "/api/convenings/{id}/ask",
  writes: false,
  errors: [
    ...AGENT_ERROR_CODES.filter((code) => code !== "agent_refused"),
    ...OF_CONVENING,
  ],
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
    model: z.string().min(1).max(200).optional().describe(
      "A model that answers from the messages; offline gives passages alone (default: none).",
    ),
  }),
  output,
  async run(context, { id, question, ...asked }, call) {
    if (context.asking === undefined) refusePlaces({ model: asked["model"] });
    if (asked["model"] !== undefined && context.readOnly === true) {
      throw new ConveningError("forbidden", "Cannot ask a model: this server only reads", {
        field: "model",
        hint: "Ask without a model, for passages.",
      });
    }
    const found = await askConvening(await dirOf(context, id), question, {
      ...askingOf(context, call),
      ...asked,
    });
    const { self } = linksOf(id);
    const linked = <T extends { readonly file: string }>(each: T) => ({
      ...each,
      link: `${self}/files/${each.file}`,
    });
    const { messages, answers, answer, skipped } = found;
    return {
      id,
      question,
      messages,
      answers: answers.map(linked),
      answer: answer === undefined ? null : { ...answer, passages: answer.passages.map(linked) },
      skipped,
    };
  },
});
