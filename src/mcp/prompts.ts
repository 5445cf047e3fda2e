// Prompts: tasks that a person picks in a client, in words for the client's model.
import type { McpServer } from "@modelcontextprotocol/server";
import { z } from "zod";
import type { McpContext, McpTool } from "./tool.ts";

/** A prompt, whose arguments are text. */
interface McpPrompt extends Pick<McpTool, "name" | "title" | "about"> {
  /** Sentences on the arguments, by name. */
  readonly args: Readonly<Record<string, string>>;
  /** True where the task needs tools that write. @default false */
  readonly writes?: boolean;
  /** The task; arguments are quoted as JSON. */
  text(args: Readonly<Record<string, string>>): string;
}

const NUMBERS = "Name the number of the message behind each statement.";

const PROMPTS: readonly McpPrompt[] = [
  {
    name: "debate",
    title: "Hold a debate on …",
    about: "Holds a debate with judges, and says who won and why.",
    args: { topic: "A question with two sides, 10 to 200 characters." },
    writes: true,
    text: ({ topic }) =>
      `Hold a debate with the tool run, with wait: {"config": {"kind": "debate", "topic": ${topic}, "roundCount": 2}, "wait": true}. ` +
      'If the server has no model, add "model": "client", and answer the requests of next_turn by say until the status is completed: argue each side as its prompt asks, and judge without regard to the side. ' +
      `Then say who won and by how much, the strongest argument of each side, and what stayed open. ${NUMBERS}`,
  },
  {
    name: "brief",
    title: "Brief me on …",
    about: "Reads what the archive's convenings said on a subject, for a decision.",
    args: { subject: "A subject, or the id of a convening." },
    text: ({ subject }) =>
      `Brief me on ${subject}. Find convenings with list and search, read index.md of those that fit by read_page, and messages where index.md does not suffice. ` +
      `Give the question, the outcome with its strength, the best arguments of each side, claims that were refuted, and what is not known. ${NUMBERS} Say so if the archive has nothing on the subject.`,
  },
  {
    name: "compare",
    title: "Compare two convenings",
    about: "Compares two convenings: outcomes, arguments, and where their judges disagree.",
    args: {
      first: "The id of a convening, or words of the topic.",
      second: "The id of another, or words of the topic.",
    },
    text: ({ first, second }) =>
      `Compare the convenings ${first} and ${second}. Find their ids with list where these are words of topics, then read index.md of both by read_page and their scores by read_scores. ` +
      `Say in which conditions they differ (models, rules, judges), which arguments stand in both, which in one alone, and whether the outcomes agree. ${NUMBERS}`,
  },
];

/** Adds the prompts to a server; those that write only where the server writes. */
export function addPrompts(server: McpServer, { readOnly }: McpContext): void {
  for (const { name, title, about, args, writes = false, text } of PROMPTS) {
    if (writes && readOnly) continue;
    const shape = Object.entries(args).map((
      [key, about],
    ) => [key, z.string().max(1000).describe(about)]);
    const argsSchema = z.object(Object.fromEntries(shape) as Record<string, z.ZodString>);
    server.registerPrompt(name, { title, description: about, argsSchema }, (given) => {
      const quoted = Object.entries(given).map(([key, value]) => [key, JSON.stringify(value)]);
      const content = { type: "text", text: text(Object.fromEntries(quoted)) } as const;
      return { messages: [{ role: "user", content }] };
    });
  }
}
