// Finds the messages of a convening that have the words of a question.
import { z } from "zod";
import { askConvening } from "./asking.ts";
import { dirOf } from "./convening_dir.ts";
import {
  type Given,
  ID,
  linksOf,
  named,
  OF_CONVENING,
  type Operation,
  operation,
} from "./operation.ts";
import { skipped } from "./outputs.ts";

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
        "How well the best passage fits, over 0 to 1, the question's best.",
      ),
      snippet: z.string(),
      file: z.string(),
      link: z.string().describe("The path of the message's file on this server."),
    })),
    skipped,
  }),
);

/** Messages that have words of a question. */
export type Answers = Given<z.output<typeof output>>;

/** `POST /api/convenings/{id}/ask`. */
export const ASK: Operation = operation({
  name: "ask",
  summary: "Finds the messages that have the words of a question; asks no model.",
  tags: ["reading"],
  method: "post",
  path: "/api/convenings/{id}/ask",
  writes: false,
  errors: OF_CONVENING,
  tool: {
    title: "Ask a convening",
    about:
      "Messages of one convening, finished or running, that answer a question, best first; found by words, no model is asked. Snippets are in the untrusted part.",
  },
  input: z.strictObject({
    id: ID,
    question: z.string().max(2000).describe("A question, or words to look for."),
    limit: z.int().min(1).max(100).optional().describe("The most answers. Default: 5."),
  }),
  output,
  async run(context, { id, question, limit }) {
    const { messages, answers, skipped } = await askConvening(
      await dirOf(context, id),
      question,
      { limit },
    );
    const { self } = linksOf(id);
    return {
      id,
      question,
      messages,
      answers: answers.map((each) => ({ ...each, link: `${self}/files/${each.file}` })),
      skipped,
    };
  },
});
