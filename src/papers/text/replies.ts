// Schemas of structured replies in a paper debate.
import { z } from "zod";
import type { ReplySchema } from "../../core/agent.ts";
import { checkFields } from "../../core/check_fields.ts";
import type { DebaterArgument } from "../../core/paper.ts";
import { itemLine } from "../../core/text.ts";
import type { Rubric } from "../../core/outcome.ts";
import type { Fields } from "../../core/turn.ts";
import { isObject, type JsonObject, listIn, objectIn, type Schema } from "../../core/values.ts";

type PosturesFields = Fields & z.infer<typeof PosturesReply>;

/** Returns a schema that parses with `lenient` but shows `asked` to models; later checks report what is missing. */
function schemaAsking<T>(lenient: Pick<Schema<T>, "safeParse">, asked: z.ZodType): Schema<T> {
  return {
    safeParse: (value, options) => lenient.safeParse(value, options),
    toJSONSchema: (options) => asked.toJSONSchema(options),
  };
}

/** Reply with questions to a paper, 8 to 12. */
export const QUESTIONS_REPLY: ReplySchema<Fields & { readonly questions: readonly string[] }> = {
  name: "paper_questions",
  type: schemaAsking(
    z.object({ questions: z.array(z.string()) }),
    z.object({ questions: z.array(z.string()).min(8).max(12) }),
  ),
};

const PosturesReply = z.object({ postures: z.array(z.string()), topics: z.array(z.string()) });

/** Reply with postures on the question, and topics to argue. */
export const POSTURES_REPLY: ReplySchema<PosturesFields> = {
  name: "postures_and_topics",
  type: PosturesReply,
};

/** Returns the schema for `count` postures and 3 to 8 topics. */
export function posturesReply(count: number): ReplySchema<PosturesFields> {
  const asked = z.object({
    postures: z.array(z.string()).length(count),
    topics: z.array(z.string()).min(3).max(8),
  });
  return { name: POSTURES_REPLY.name, type: schemaAsking(POSTURES_REPLY.type, asked) };
}

/** Cited passage: chunk id, and the cited words of the passage. */
const PaperCitation = z.object({ chunkId: z.string(), text: z.string() });
const WebCitation = z.object({ title: z.string(), url: z.string() });
const CitationsReply = z.object({
  paper: z.array(PaperCitation),
  web: z.array(WebCitation),
});

const TopicReply = z.object({
  topic: z.string(),
  claim: z.string(),
  reasoning: z.string(),
  counterpoints: z.array(z.string()),
  citations: CitationsReply,
});
const ArgumentReply = z.object({ perTopic: z.array(TopicReply), overallPosition: z.string() });

export type ArgumentFields = z.infer<typeof ArgumentReply>;
export type CitationFields = z.infer<typeof CitationsReply>;

export const ARGUMENT_REPLY = "debater_argument";

/**
 * Returns the schema of a debater's argument for exactly the given topics, with one or two counterpoints each; accepts
 * `cites` for `citations`, and missing citations.
 */
export function argumentReply(topics: readonly string[]): ReplySchema<Fields & ArgumentFields> {
  const [first = "", ...others] = topics;
  const one = TopicReply.extend({
    topic: z.enum([first, ...others]),
    counterpoints: z.array(z.string()).min(1).max(2),
  });
  const asked = ArgumentReply.extend({ perTopic: z.array(one).length(topics.length) });
  const lenient: Pick<Schema<ArgumentFields>, "safeParse"> = {
    safeParse: (value, options) => ArgumentReply.safeParse(withCitationsIn(value), options),
  };
  return { name: ARGUMENT_REPLY, type: schemaAsking(lenient, asked) };
}

const CrossReply = z.object({ speech: z.string(), citations: CitationsReply });

export type CrossFields = z.infer<typeof CrossReply>;

/** Reply with a debater's answer to the other arguments. */
export const CROSS_REPLY: ReplySchema<Fields & CrossFields> = {
  name: "cross_examination",
  type: schemaAsking(
    { safeParse: (value, options) => CrossReply.safeParse(withCitations(value), options) },
    CrossReply,
  ),
};

/** A judge's reply about one debater: for every topic notes and a number per criterion. */
export interface TopicScoresReply {
  readonly perTopic: readonly {
    readonly topic: string;
    readonly notes: string;
    readonly scores: Readonly<Record<string, number>>;
  }[];
}

/** Returns the schema of a judge's reply for the argued topics, each once; criteria have the given order. */
export function topicScoresSchema(
  { scale }: Pick<Rubric, "scale">,
  order: readonly string[],
  topics: readonly string[],
): ReplySchema<TopicScoresReply> {
  const number = z.number().min(scale[0]).max(scale[1]);
  const one = z.object({
    topic: z.enum(topics as [string, ...string[]]),
    notes: z.string().min(1),
    scores: z.object(Object.fromEntries(order.map((id) => [id, number]))),
  });
  const type = z.object({
    perTopic: z.array(one).length(topics.length).refine(
      (all) => new Set(all.map(({ topic }) => topic)).size === topics.length,
      `every topic is scored once: ${topics.join("; ")}`,
    ),
  });
  return { name: "topic_scores", type };
}

const items = z.array(z.string().transform((item) => itemLine(item)));

/** A judge's reply about the whole debate. */
export const INSIGHTS_REPLY: ReplySchema<
  { readonly insights: readonly string[]; readonly controversialPoints: readonly string[] }
> = {
  name: "insights",
  type: schemaAsking(
    z.object({ insights: items, controversialPoints: items }),
    z.object({
      insights: z.array(z.string()).min(3).max(6),
      controversialPoints: z.array(z.string()).min(2).max(5),
    }),
  ),
};

const GivenArguments = z.object({
  debaterArguments: z.array(ArgumentReply.extend({ posture: z.string() })),
});

/** Reads arguments that a program gives as replies are read. Throws a `ConfigurationError` with the place of a wrong value. */
export function givenArguments(given: readonly DebaterArgument[]): DebaterArgument[] {
  const debaterArguments = listIn(given).map(withCitationsIn);
  checkFields({ debaterArguments }, GivenArguments, "arguments");
  return debaterArguments as DebaterArgument[];
}

function withCitationsIn(value: unknown): unknown {
  if (!isObject(value) || !Array.isArray(value.perTopic)) return value;
  return { ...withoutHeadings(value), perTopic: value.perTopic.map(withCitations) };
}

/** Normalizes citations to objects, because models return plain ids and URLs or omit lists. */
function withCitations(value: unknown): unknown {
  if (!isObject(value)) return value;
  const { cites, ...rest } = value;
  const { paper, web } = objectIn(value.citations ?? cites);
  const citations = {
    paper: listIn(paper).map((each) => ({ text: "", ...named(each, "chunkId") })),
    web: listIn(web).map((each) => ({ title: "", ...named(each, "url") })),
  };
  const counterpoints = "counterpoints" in value ? value.counterpoints : [];
  return { ...withoutHeadings(rest), counterpoints, citations };
}

/** Removes the marks of headings from texts: a message has the topics as its headings. */
function withoutHeadings(fields: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(fields).map(([key, value]) => {
      const isSaid = typeof value === "string" && key !== "topic" && key !== "posture";
      return [key, isSaid ? value.replace(/^[^\S\n]{0,3}#{1,6}[^\S\n]+/gm, "") : value];
    }),
  );
}

function named(each: unknown, key: string): object {
  return isObject(each) ? each : { [key]: String(each) };
}
