// The schemas of replies in a paper debate.
import { z } from "zod";
import type { ReplySchema } from "../../core/agent.ts";
import type { Schema } from "../../core/schema.ts";
import type { Rubric } from "../../config/convening_config.ts";
import type { Fields } from "../../core/turn.ts";

type PosturesFields = Fields & z.infer<typeof PosturesReply>;

/** A type that reads what `lenient` reads and asks for what `asked` says: what is short of it is rejected by name. */
function asking<T>(lenient: Schema<T>, asked: z.ZodType): Schema<T> {
  return {
    safeParse: (value) => lenient.safeParse(value),
    toJSONSchema: (options) => asked.toJSONSchema(options),
  };
}

/** The reply to "what can be asked of this paper": 8 to 12 questions are asked for. */
export const QUESTIONS_REPLY: ReplySchema<Fields & { readonly questions: readonly string[] }> = {
  name: "paper_questions",
  type: asking(
    z.object({ questions: z.array(z.string()) }),
    z.object({ questions: z.array(z.string()).min(8).max(12) }),
  ),
};

const PosturesReply = z.object({ postures: z.array(z.string()), topics: z.array(z.string()) });

/** The reply to "what can be held on this question, and what has to be argued". */
export const POSTURES_REPLY: ReplySchema<PosturesFields> = {
  name: "postures_and_topics",
  type: PosturesReply,
};

/** The same, which asks for a number of postures, and for 3 to 8 topics. */
export function posturesReply(count: number): ReplySchema<PosturesFields> {
  const asked = z.object({
    postures: z.array(z.string()).length(count),
    topics: z.array(z.string()).min(3).max(8),
  });
  return { name: POSTURES_REPLY.name, type: asking(POSTURES_REPLY.type, asked) };
}

/** A passage a debater cites: the chunk's id, and the words of it that it relies on. */
const PaperCitation = z.object({ chunkId: z.string(), text: z.string() });
/** A page of the web a debater cites. */
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
/** Citations as a debater gives them. */
export type CitationFields = z.infer<typeof CitationsReply>;

/** A debater's argument; `cites` is taken for `citations`, and what cites nothing may leave it out. */
export const ARGUMENT_REPLY: ReplySchema<Fields & ArgumentFields> = {
  name: "debater_argument",
  type: {
    safeParse: (value) => ArgumentReply.safeParse(withCitationsIn(value)),
    toJSONSchema: (options) => ArgumentReply.toJSONSchema(options),
  },
};

/** The same, which asks for exactly the given topics, and one or two counterpoints to each. */
export function argumentReply(topics: readonly string[]): ReplySchema<Fields & ArgumentFields> {
  const [first = "", ...others] = topics;
  const one = TopicReply.extend({
    topic: z.enum([first, ...others]),
    counterpoints: z.array(z.string()).min(1).max(2),
  });
  const asked = ArgumentReply.extend({ perTopic: z.array(one).length(topics.length) });
  return { name: ARGUMENT_REPLY.name, type: asking(ARGUMENT_REPLY.type, asked) };
}

const CrossReply = z.object({ speech: z.string(), citations: CitationsReply });

export type CrossFields = z.infer<typeof CrossReply>;

/** A debater's answer to the others' arguments. */
export const CROSS_REPLY: ReplySchema<Fields & CrossFields> = {
  name: "cross_examination",
  type: {
    safeParse: (value) => CrossReply.safeParse(withCitations(value)),
    toJSONSchema: (options) => CrossReply.toJSONSchema(options),
  },
};

/** A judge's reply on one debater: for every topic the notes first, then a number for each criterion. */
export interface TopicScoresReply {
  readonly perTopic: readonly {
    readonly topic: string;
    readonly notes: string;
    readonly scores: Readonly<Record<string, number>>;
  }[];
}

/** The shape of a judge's reply for one rubric and the topics that were argued; every topic once. */
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

/** A judge's reply on the whole debate. */
export const INSIGHTS_REPLY: ReplySchema<
  { readonly insights: readonly string[]; readonly controversialPoints: readonly string[] }
> = {
  name: "insights",
  type: asking(
    z.object({ insights: z.array(z.string()), controversialPoints: z.array(z.string()) }),
    z.object({
      insights: z.array(z.string()).min(3).max(6),
      controversialPoints: z.array(z.string()).min(2).max(5),
    }),
  ),
};

function withCitationsIn(value: unknown): unknown {
  if (!isFields(value) || !Array.isArray(value.perTopic)) return value;
  return { ...value, perTopic: value.perTopic.map(withCitations) };
}

/** An argument with its citations as objects: models give ids and addresses alone, or leave lists out. */
function withCitations(value: unknown): unknown {
  if (!isFields(value)) return value;
  const given = value.citations ?? value.cites;
  const { paper, web } = isFields(given) ? given : {};
  const citations = {
    paper: listOf(paper).map((each) => ({ text: "", ...named(each, "chunkId") })),
    web: listOf(web).map((each) => ({ title: "", ...named(each, "url") })),
  };
  const counterpoints = "counterpoints" in value ? value.counterpoints : [];
  return { ...value, counterpoints, citations };
}

function named(each: unknown, key: string): object {
  return isFields(each) ? each : { [key]: String(each) };
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function isFields(value: unknown): value is Readonly<Record<string, unknown>> {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}
