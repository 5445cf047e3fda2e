// Agents without a model: a person, a client of the program, and a scoring program.
import { z } from "zod";
import {
  type Agent,
  type AgentReply,
  type AgentRequest,
  CLIENT,
  HUMAN,
  type Scoring,
} from "../core/agent.ts";
import { callable, checkFields } from "../core/check_fields.ts";
import { AgentError, TurnOrderError } from "../core/error.ts";
import { NO_USAGE } from "../core/message.ts";
import { jsonSchemaOf, namesOn, type Node, readStructured } from "../core/schema.ts";
import { withoutListMarker } from "../core/text.ts";
import { jsonIn, type Schema } from "../core/values.ts";

/**
 * Creates the agent of a person, whose words come from the terminal, from `workflow.say`, or from another process. A person answers
 * a structured question with JSON, with a line `key: value` for each key, or, if only one key is required, with its value.
 */
export function createHumanAgent(): Agent {
  return {
    model: HUMAN,
    async reply(request) {
      const { schema } = request;
      const text = await wordsFor(request);
      return replyOf(HUMAN, schema === undefined ? text : asJson(text, schema.type));
    },
  };
}

/**
 * Creates the agent of a client program, which reads prompts with their reply schemas from `workflow.requests` and answers with
 * `workflow.say`.
 */
export function createClientAgent(): Agent {
  return { model: CLIENT, reply: async (request) => replyOf(CLIENT, await wordsFor(request)) };
}

function replyOf(model: string, text: string): AgentReply {
  return { text, finishReason: "stop", model, usage: NO_USAGE };
}

/** Returns the words of a person or client. Throws a `TurnOrderError` for a request that does not wait for words. */
async function wordsFor({ hear, context: { key, label } }: AgentRequest): Promise<string> {
  if (hear !== undefined) return await hear();
  throw new TurnOrderError(
    `Cannot ask ${label} for "${key}": nothing waits for a person or a client here`,
    { hint: "Name another model." },
  );
}

/** A key of a question that may begin a line, with the schema of the value and the key of the object that has the key. */
interface LineKey {
  readonly node: Node;
  readonly outer?: string;
}

/** Converts a person's text to a JSON object of the schema if possible; else returns the text unchanged. */
function asJson(text: string, type: Schema): string {
  if (text.includes("{") && readStructured(text, type).problem === undefined) return text;
  const { properties = {}, required = [] } = jsonSchemaOf(type);
  const keys = keysOf(properties);
  const lines = linesOf(text, keys);
  const values: Record<string, unknown> = Object.create(null);
  for (const [name, said] of lines) {
    const { node, outer } = keys.get(name) ?? { node: {} };
    const value = valueOf(said, node);
    if (outer === undefined) values[name] = value;
    else values[outer] = { ...Object(values[outer]), [name]: value };
  }
  const [only, ...more] = required.length === 0 ? Object.keys(properties) : required;
  const hasKey = lines.keys().some((name) => keys.has(name));
  // Some questions take other keys too, such as the id of each proposal. A question without a required key drops them.
  const fits = required.length > 0 && type.safeParse({ ...values }).success;
  if (only !== undefined && more.length === 0 && !hasKey && !fits) {
    return JSON.stringify({ [only]: valueOf(text, properties[only]!) });
  }
  // A brace among words is no object: a line with a name of the question decides.
  return hasKey || lines.size > 0 && !text.includes("{") ? JSON.stringify(values) : text;
}

/** Returns the keys of a question, of the objects under them, such as criteria, and the names in lists, such as sides. */
function keysOf(properties: NonNullable<Node["properties"]>): Map<string, LineKey> {
  const all = Object.entries(properties);
  return new Map([
    ...all.flatMap(([, node]) => namesOn(node) ?? []).map((name) => [name, { node: {} }] as const),
    ...all.flatMap(([outer, { properties: own = {} }]) =>
      Object.entries(own).map(([name, node]) => [name, { node, outer }] as const)
    ),
    ...all.map(([name, node]) => [name, { node }] as const),
  ]);
}

/**
 * Parses lines `key: value`. A line without a key continues the value before; so does a line with a key of no question, such as
 * `Gap:` within reasons, if the value before is a free text or a list of texts.
 */
function linesOf(text: string, keys: ReadonlyMap<string, LineKey>): Map<string, string> {
  const values = new Map<string, string>();
  let open: string | undefined;
  for (const line of text.split("\n")) {
    const begun = line.trim().replace(/^- /, "");
    const colon = begun.search(/[:：]/);
    const head = begun.slice(0, Math.max(colon, 0)).trim().toLowerCase();
    const { node = {} } = keys.get(open ?? "") ?? {};
    const { type, enum: choices } = node.items ?? node;
    const isOther = /^[a-z]\w*$/.test(head) && (type !== "string" || choices !== undefined);
    const name = keys.keys().find((key) => key.toLowerCase() === head) ??
      (isOther ? head : undefined);
    if (name !== undefined) values.set(open = name, begun.slice(colon + 1).trim());
    else if (open !== undefined && line.trim() !== "") {
      values.set(open, `${values.get(open)}\n${line}`);
    }
  }
  return values;
}

/** Converts a text to the first value that fits: a choice in any case, also numbered, a number, a boolean, a list of lines, else the text. */
function valueOf(text: string, node: Node): unknown {
  const said = text.trim();
  const bare = said.replace(/^["“”]|["“”]$/gu, "").toLowerCase();
  const fits = (choice: string) => choice === bare || choice === withoutListMarker(bare);
  const values = (node.anyOf ?? [node]).map(({ type, enum: choices, items = {} }) => {
    if (choices !== undefined) return choices.find((each) => fits(String(each).toLowerCase()));
    if (type === "array") {
      const lines = said.split("\n").map((line) => line.trim().replace(/^[-*•] /u, ""));
      return lines.filter(Boolean).map((line) => valueOf(line, items));
    }
    if (type === "boolean") {
      return new Map([["yes", true], ["no", false]]).get(bare) ?? jsonIn(bare);
    }
    return type === "number" || type === "integer" ? jsonIn(bare) : undefined;
  });
  return values.find((value) => value !== undefined) ?? said;
}

const ARGUMENTS = z.strictObject({ model: z.string().min(1), score: callable });

/**
 * Creates a judge that is a program: `score` returns the scores of each message, and the highest mean total wins. Records show
 * `model` as the judge's model. A resume needs the agent passed again.
 *
 * @example
 * ```ts
 * import { createScoringAgent } from "@convenings/convenings/scoring";
 *
 * const brevity = createScoringAgent("brevity", ({ body }, { criteria, scale: [least, most] }) => ({
 *   scores: Object.fromEntries(criteria.map(({ id }) => [id, body.length < 500 ? most : least])),
 *   reasons: `It has ${body.length} characters.`,
 * }));
 * console.assert(brevity.model === "brevity");
 * ```
 */
export function createScoringAgent(model: string, score: Scoring["score"]): Agent {
  checkFields({ model, score }, ARGUMENTS, "arguments of createScoringAgent");
  return {
    model,
    scoring: { score },
    reply: ({ context }) =>
      Promise.reject(
        new AgentError("agent_bad_reply", `Cannot ask "${model}" for "${context.key}": it scores`, {
          hint: "Give this role a model; a scoring agent is for judges.",
        }),
      ),
  };
}
