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
import type { Schema } from "../core/values.ts";

/**
 * Creates the agent of a person, whose words come from the terminal, from `workflow.say`, or from another process. A person answers
 * a structured question with JSON, with a line `key: value` for each key, or, if only one key is required, with its value.
 */
export function createHumanAgent(): Agent {
  return { model: HUMAN, reply };
}

/**
 * Creates the agent of a client program, which reads prompts with their reply schemas from `workflow.requests` and answers with
 * `workflow.say`.
 */
export function createClientAgent(): Agent {
  return {
    model: CLIENT,
    async reply({ hear, context }) {
      if (hear === undefined) {
        const problem = `Cannot ask the client for "${context.key}": the run is ending`;
        throw new AgentError("agent_unreachable", problem);
      }
      return { text: await hear(), finishReason: "stop", model: CLIENT, usage: NO_USAGE };
    },
  };
}

async function reply({ hear, schema, context }: AgentRequest): Promise<AgentReply> {
  if (hear === undefined) {
    throw new TurnOrderError(
      `Cannot ask ${context.label} for "${context.key}": this run cannot wait for a person`,
      { hint: "A person can take turns and answer questions; have a model judge and sum up." },
    );
  }
  const text = await hear();
  return {
    text: schema === undefined ? text : asJson(text, schema.type),
    finishReason: "stop",
    model: HUMAN,
    usage: NO_USAGE,
  };
}

/** Converts a person's text to a JSON object of the schema if possible; else returns the text unchanged. */
function asJson(text: string, type: Schema): string {
  if (text.includes("{") && readStructured(text, type).problem === undefined) return text;
  const { keys, required, within, names, choices, texts } = keysOf(type);
  const known = [...keys, ...Object.values(within).flat(), ...names];
  const values = nested(valuesOf(linesOf(text, { known, texts }), { type, choices }), within);
  const [only, ...more] = required.length === 0 ? keys : required;
  const hasKey = known.some((key) => key in values);
  // Some questions take other keys too, such as the id of each proposal. A question without a required key drops them.
  const fits = required.length > 0 && type.safeParse({ ...values }).success;
  if (only !== undefined && more.length === 0 && !hasKey && !fits) {
    return JSON.stringify(objectWith(text.trim(), only, type));
  }
  // A brace among words is no object: a line with a name of the question decides.
  const isLines = hasKey || Object.keys(values).length > 0 && !text.includes("{");
  return isLines ? JSON.stringify(values) : text;
}

interface KeysOf {
  readonly keys: readonly string[];
  readonly required: readonly string[];
  /** Keys of the objects under some of the keys, such as the criteria under `scores`. */
  readonly within: Readonly<Record<string, readonly string[]>>;
  /** Names in a list, such as those of sides, that have a line each. */
  readonly names: readonly string[];
  /** Keys of free texts. */
  readonly texts: readonly string[];
  /** Texts of which some keys take one. */
  readonly choices: Readonly<Record<string, readonly unknown[]>>;
}

function keysOf(type: Schema): KeysOf {
  const { properties = {}, required = [] } = jsonSchemaOf(type) as Node;
  const within = Object.entries(properties).flatMap(([key, shape]) =>
    shape.properties === undefined ? [] : [
      [key, Object.keys(shape.properties).filter((name) => !(name in properties))] as const,
    ]
  );
  return {
    keys: Object.keys(properties),
    required,
    within: Object.fromEntries(within),
    names: Object.values(properties).flatMap((shape) => namesOn(shape) ?? []),
    texts: Object.entries(properties).filter(([, shape]) =>
      shape.type === "string" && shape.enum === undefined
    ).map(([key]) => key),
    choices: Object.fromEntries(
      Object.entries(properties).map(([key, shape]) => [key, shape.enum ?? []]),
    ),
  };
}

/** Moves the values of inner keys, such as the numbers of criteria, into the objects that have these keys. */
function nested(values: Record<string, unknown>, within: KeysOf["within"]): typeof values {
  for (const [key, names] of Object.entries(within)) {
    const given = names.filter((name) => name in values);
    if (key in values || given.length === 0) continue;
    values[key] = Object.fromEntries(given.map((name) => [name, values[name]]));
    for (const name of given) delete values[name];
  }
  return values;
}

/** Returns an object with the whole text under its only key, as the first fitting type: number, boolean, string, list of lines. */
function objectWith(text: string, key: string, type: Schema): Readonly<Record<string, unknown>> {
  const lines = text.split("\n").map((line) => line.trim()).filter((line) => line !== "");
  const objects = [scalar(text), text, lines].map((value) => ({ [key]: value }));
  return objects.find((object) => type.safeParse(object).success) ?? objects[0]!;
}

/**
 * Parses lines `key: value`. A line without a key continues the value before; so does a line with a key that is not `known` (in any
 * case), such as `Gap:` within reasons, if the value before is a free text.
 */
function linesOf(
  text: string,
  { known, texts }: { readonly known: readonly string[] } & Pick<KeysOf, "texts">,
): Readonly<Record<string, string>> {
  const values: Record<string, string> = Object.create(null);
  let key: string | undefined;
  for (const line of text.split("\n")) {
    const begun = line.trim().replace(/^- /, "");
    const [, other] = texts.includes(key ?? "") ? [] : /^([a-z]\w*)\s*:/i.exec(begun) ?? [];
    const name = known.find((each) =>
      begun.toLowerCase().startsWith(each.toLowerCase()) && /^\s*:/.test(begun.slice(each.length))
    ) ?? other?.toLowerCase();
    if (name !== undefined) {
      key = name;
      values[key] = begun.slice(name.length).replace(/^\s*:/, "").trim();
    } else if (key !== undefined && line.trim() !== "") {
      values[key] += `\n${line}`;
    }
  }
  return values;
}

/** Converts texts to choices, numbers and booleans; keeps a text that only fits the schema as a text. */
function valuesOf(
  texts: Readonly<Record<string, string>>,
  { type, choices }: Pick<KeysOf, "choices"> & { readonly type: Schema },
): Record<string, unknown> {
  const values: Record<string, unknown> = Object.create(null);
  for (const [key, text] of Object.entries(texts)) {
    const bare = text.replace(/^["“”]|["“”]$/gu, "").toLowerCase();
    const choice = choices[key]?.find((each) => String(each).toLowerCase() === bare);
    values[key] = choice ?? scalar(text);
  }
  const isWrong = (key: string) => {
    const read = type.safeParse({ ...values });
    return !read.success && read.error.issues.some(({ path: [first] }) => first === key);
  };
  for (const [key, text] of Object.entries(texts)) {
    const value = values[key];
    if (value === text || !isWrong(key)) continue;
    values[key] = text;
    if (isWrong(key)) values[key] = value;
  }
  return values;
}

function scalar(text: string): unknown {
  const trimmed = text.trim();
  if (/^-?\d+(\.\d+)?$/.test(trimmed)) return Number(trimmed);
  if (/^(yes|true)$/i.test(trimmed)) return true;
  return /^(no|false)$/i.test(trimmed) ? false : trimmed;
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
