// Proposes debatable topics on a subject.
import { z } from "zod";
import { tokensFor } from "../core/profile.ts";
import { BUILT_IN } from "../compose.ts";
import { counted, itemLine } from "../core/text.ts";
import { wordKey } from "../core/words.ts";
import { fenced, NO_ORDERS } from "../core/prompt.ts";
import { checkFields, refuseUnknownOptions } from "../core/check_fields.ts";
import type { Agent, ChatMessage } from "../core/agent.ts";
import type { Clock } from "../core/clock.ts";
import { AgentError, ConveningError } from "../core/error.ts";
import { readStructured } from "../core/schema.ts";
import {
  checkTopic,
  checkWords,
  type ProposedTopics,
  TOPIC_LENGTH,
  type TopicCheck,
  type TopicRules,
} from "../core/topic.ts";
import type { CommonConfig } from "../config/convening_config.ts";
import { AGENT_SETTINGS, type AgentSettings } from "../core/key_rules.ts";

/** Options of {@linkcode proposeTopics}. */
export interface TopicOptions
  extends AgentSettings, Pick<CommonConfig, "temperature" | "seed" | "prices"> {
  /** Terms that a topic may not contain. @default the built-in list of abuse in English */
  readonly refusedTerms?: readonly string[] | undefined;
  /** Check for abuse; `provider` means `off` here, since proposed topics are not sent to a provider. @default "words" */
  readonly topicCheck?: TopicCheck | undefined;
  /** Number of topics, 1 to 50. @default 8 */
  readonly count?: number | undefined;
  /** Name of the model. @default "gpt-4o-mini" with a key or base URL, else "offline" */
  readonly model?: string | undefined;
  /** Agent that proposes the topics, instead of `model`. */
  readonly agent?: Agent | undefined;
  /** Language of the topics. @default the subject's */
  readonly language?: string | undefined;
  /** Clock for the times of requests. @default the system clock */
  readonly clock?: Clock | undefined;
  /** Cancels the requests. */
  readonly signal?: AbortSignal | undefined;
}

const MAX_COUNT = 50;
const COUNT = z.object({
  count: z.int(`Give a whole number from 1 to ${MAX_COUNT}.`).min(1).max(MAX_COUNT),
});

/**
 * Asks a model for debatable topics on a subject. Invalid and repeated topics are dropped; the model is asked once more if
 * too few are left. Throws `agent_bad_reply` if no topic is left, `config_invalid` for an invalid subject or count, and the
 * errors of the agent.
 */
export async function proposeTopics(
  subject: string,
  options: TopicOptions = {},
): Promise<ProposedTopics> {
  const shape = { count: true, language: true, seed: true, temperature: true };
  const own = { agent: true, clock: true, model: true, prices: true };
  const checks = { refusedTerms: true, topicCheck: true };
  const known = { ...AGENT_SETTINGS, ...shape, ...own, ...checks };
  refuseUnknownOptions<TopicOptions>("proposeTopics", options, known);
  const { count = 8 } = options;
  const about = checkWords(subject, "subject");
  checkFields({ count }, COUNT, "options of proposeTopics");
  const topics: string[] = [];
  const { agent = BUILT_IN.agent(options.model, options) } = options;
  const { ModelAsker } = await import("./record_question.ts");
  const asker = new ModelAsker(agent, { ...options, topic: about, kind: "topics" });
  let messages = question(count, about, options.language);
  let problem = "";
  for (let attempt = 1; attempt <= 2 && topics.length < count; attempt++) {
    const maxTokens = tokensFor("topics", count - topics.length);
    const { reply: { text } } = await asker.call({ messages, schema: SCHEMA, maxTokens }, attempt);
    problem = addTopics(text, topics, { ...options, count });
    const wanted = topics.length === 0 ? counted(count, "topic") : `${count - topics.length} more`;
    messages = [
      ...messages,
      { role: "assistant", content: text || "(nothing)" },
      { role: "user", content: `${problem}\nPropose ${wanted}, as JSON.` },
    ];
  }
  if (topics.length > 0) {
    const spoke = agent.model === "offline" ? { noModelSpoke: true as const } : {};
    const missing = count - topics.length;
    const lacking = missing === 0 ? {} : { missing };
    return { topics, model: agent.model, ...spoke, ...lacking, usage: asker.usage };
  }
  throw new AgentError(
    "agent_bad_reply",
    `Cannot propose topics on ${
      JSON.stringify(about.slice(0, 80))
    }: "${agent.model}" gave none that can be used. ${problem}`,
    { hint: "Try another model, or word the subject differently." },
  );
}

/** Adds the valid topics of a reply to `topics`; returns the problems of the others, one per line. */
function addTopics(
  text: string,
  topics: string[],
  { count, ...rules }: TopicRules & { readonly count: number },
): string {
  const { value, problem } = readStructured(text, Reply);
  if (problem !== undefined) return problem;
  const wrong = value.topics.slice(0, 2 * MAX_COUNT).flatMap((proposed) => {
    if (topics.length === count) return [];
    const shown = JSON.stringify(proposed.slice(0, 80));
    const line = itemLine(proposed);
    if (topics.some((each) => wordKey(each) === wordKey(line))) {
      return `${shown} was proposed twice.`;
    }
    try {
      topics.push(checkTopic(line, rules));
      return [];
    } catch (error) {
      if (!(error instanceof ConveningError)) throw error;
      return `${shown} cannot be used: ${error.message}.`;
    }
  });
  const few = topics.length < count ? [`${topics.length} of ${count} can be used.`] : [];
  return [...wrong.slice(0, 10), ...few].join("\n");
}

const Reply = z.object({ topics: z.array(z.string()) });
const SCHEMA = { name: "topics", type: Reply };

function question(count: number, subject: string, language: string | undefined): ChatMessage[] {
  return [
    {
      role: "system",
      content:
        "You propose topics for debates. A good topic is one question or claim on which informed people really differ, " +
        "narrow enough to be argued in a few rounds, and fair to both sides. " +
        NO_ORDERS,
    },
    {
      role: "user",
      content: [
        "The subject:",
        fenced("subject", subject),
        `Propose ${counted(count, "topic")} on it that differ from one another, each on one ` +
        `line of ${TOPIC_LENGTH.min} to ${TOPIC_LENGTH.max} characters, ` +
        `in ${language ?? "the language of the subject"}.`,
        'Answer with one JSON object: {"topics": ["…"]}',
      ].join("\n"),
    },
  ];
}
