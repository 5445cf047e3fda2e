import { z } from "zod";
import { createOfflineAgent } from "../../../../src/agents/offline.ts";
import type { AgentReply, AgentRequest, RequestContext } from "../../../../src/core/agent.ts";
import { argumentBody } from "../../../../src/papers/text/argument_body.ts";
import type { Evidence } from "../../../../src/core/fact.ts";
import type { PaperHit } from "../../../../src/core/retriever.ts";
import {
  ARGUMENT_REPLY,
  type ArgumentFields,
  CROSS_REPLY,
  type CrossFields,
  POSTURES_REPLY,
  QUESTIONS_REPLY,
} from "../../../../src/papers/text/replies.ts";
import {
  LOOKUP_PAPER,
  paperResult,
  passagesIn,
  WEB_SEARCH,
  webResult,
} from "../../../../src/papers/text/look_ups.ts";
import type { ReplySchema } from "../../../../src/core/agent.ts";
import type { SearchHit } from "../../../../src/core/search.ts";
import type { Tool } from "../../../../src/core/tool.ts";

/** A paper as the questions of a debate carry it. */
export interface TestPaper {
  readonly id: string;
  readonly title: string;
  readonly text: string;
}

const agent = createOfflineAgent();

/** A request to the offline agent, with what a test leaves open filled in. */
export function request(
  context: Partial<RequestContext>,
  options: Partial<AgentRequest> = {},
): AgentRequest {
  return {
    messages: [{ role: "user", content: "…" }],
    context: {
      key: "turn",
      purpose: "turn",
      topic: "Street trees",
      participant: "questioner",
      label: "Questioner",
      role: "questioner",
      seq: 1,
      phase: "questions",
      kind: "questions",
      round: 0,
      attempt: 1,
      about: [],
      opponents: [],
      seed: 7,
      ...context,
    },
    ...options,
  };
}

/** The reply to a structured request, checked against its schema. */
export async function read<T>(
  schema: ReplySchema<T>,
  context: Partial<RequestContext>,
  options: Partial<AgentRequest> = {},
): Promise<{ readonly value: T; readonly reply: AgentReply }> {
  const reply = await agent.reply(request(context, { ...options, schema }));
  const parsed = schema.type.safeParse(JSON.parse(reply.text));
  if (!parsed.success) throw new Error(JSON.stringify(parsed.error.issues));
  return { value: parsed.data, reply };
}

/** Pieces of some 400 characters that begin at words, as a retriever's chunks may. */
export function chunksOf({ id, text }: TestPaper): PaperHit[] {
  const chunks: PaperHit[] = [];
  for (let start = 0; start < text.length; start += 400) {
    const from = start === 0 ? 0 : text.lastIndexOf(" ", start - 80) + 1;
    const end = text.length <= start + 400 ? text.length : text.lastIndexOf(" ", start + 400);
    const part = text.slice(from, Math.max(from, end));
    chunks.push({
      chunkId: `${id}-${chunks.length + 1}`,
      paper: id,
      text: part,
      start: from,
      end: from + part.length,
      score: 0,
    });
  }
  return chunks;
}

/** A tool that finds chunks by shared words, and remembers what it was asked. */
export function lookupTool(
  papers: readonly TestPaper[],
  asked: string[] = [],
): Tool {
  const chunks = papers.flatMap(chunksOf);
  return {
    name: LOOKUP_PAPER,
    description: "Finds passages",
    parameters: z.object({ query: z.string() }),
    run: (args) => {
      const { query } = z.object({ query: z.string() }).parse(args);
      asked.push(query);
      const words = new Set(query.toLowerCase().match(/\p{L}{3,}/gu) ?? []);
      const rated = chunks.map((chunk) => {
        const own = chunk.text.toLowerCase().match(/\p{L}{3,}/gu) ?? [];
        return { ...chunk, score: own.filter((word) => words.has(word)).length };
      }).filter(({ score }) => score > 0).sort((a, b) => b.score - a.score).slice(0, 5);
      return Promise.resolve(
        paperResult(rated.map((hit) => ({ ...hit, score: hit.score / (rated[0]?.score ?? 1) }))),
      );
    },
  };
}

/** A tool that finds these pages whatever it is asked. */
export function webTool(pages: readonly SearchHit[]): Tool {
  return {
    name: WEB_SEARCH,
    description: "Searches the web",
    parameters: z.object({ query: z.string() }),
    run: () => Promise.resolve(webResult(pages)),
  };
}

/** One debater of a debate that was run. */
export interface Argued {
  readonly posture: string;
  readonly fields: ArgumentFields;
  readonly reply: AgentReply;
  readonly context: Partial<RequestContext>;
}

/** What one debate over some papers came to. */
export interface Debated {
  readonly questions: readonly string[];
  readonly question: string;
  readonly postures: readonly string[];
  readonly topics: readonly string[];
  readonly argued: readonly Argued[];
}

/** How a debate is run. */
export interface DebateOptions {
  readonly seed?: number;
  readonly question?: string;
  readonly count?: number;
  readonly topics?: readonly string[];
  readonly tools?: readonly Tool[];
}

/** Questions, postures and one argument for each posture, as a paper debate asks for them. */
export async function debateOn(
  papers: readonly TestPaper[],
  { seed = 7, question, count = 3, topics, tools = [lookupTool(papers)] }: DebateOptions = {},
): Promise<Debated> {
  const asked = await read(QUESTIONS_REPLY, {
    seed,
    key: "questions",
    kind: "questions",
    data: { papers },
  });
  const chosen = question ?? asked.value.questions[0]!;
  const held = await read(POSTURES_REPLY, {
    ...{ seed, key: "postures", kind: "postures", seq: 3, topic: chosen },
    data: { papers, question: chosen, count },
  });
  const { postures } = held.value;
  const names = topics ?? held.value.topics;
  const argued: Argued[] = [];
  for (const [i, posture] of postures.entries()) {
    const letter = String.fromCharCode(97 + i);
    const context: Partial<RequestContext> = {
      ...{
        seed,
        kind: "argument",
        key: `argument/debater-${letter}`,
        seq: 4 + i,
        phase: "arguments",
      },
      ...{
        participant: `debater-${letter}`,
        label: `Debater ${letter.toUpperCase()}`,
        role: "debater",
      },
      ...{ topic: chosen, position: posture },
      data: {
        papers: papers.map(({ id, title }) => ({ id, title })),
        ...{ question: chosen, topics: names, postures, posture },
      },
    };
    const { value, reply } = await read(ARGUMENT_REPLY, context, { tools });
    argued.push({ posture, fields: value, reply, context });
  }
  return { questions: asked.value.questions, question: chosen, postures, topics: names, argued };
}

/** An argument as a message shows it. */
export function bodyOf({ perTopic, overallPosition }: ArgumentFields): string {
  return argumentBody({
    perTopic: perTopic.map((each) => ({ ...each, citations: {} })),
    ...{ overallPosition, quotations: [] },
  });
}

/** The quotations of a text, without their marks. */
export function quotedIn(text: string): string[] {
  return [...text.matchAll(/“([^”]*)”/gu)].map(([, words]) => words!);
}

/** An argument as the record's fact has it, each citation and quotation marked by what was returned. */
export function evidenceOf({ posture, fields, reply, context }: Argued): Evidence {
  const passages = passagesIn(reply.toolCalls ?? []);
  const flat = (text: string) => text.replace(/\s+/gu, " ");
  const found = (text: string) => passages.some((each) => flat(each.text).includes(flat(text)));
  return {
    type: "evidence",
    seq: context.seq ?? 0,
    turn: context.key ?? "",
    participant: context.participant ?? "",
    posture,
    perTopic: fields.perTopic.map((each) => ({
      ...each,
      citations: {
        paper: each.citations.paper.map(({ chunkId, text }) => ({
          ...{ chunkId, text, score: 1 },
          status: found(text) ? "verified" as const : "not found" as const,
        })),
        web: [],
      },
    })),
    overallPosition: fields.overallPosition,
    citations: {},
    quotations: fields.perTopic.flatMap(({ topic, reasoning, counterpoints }) =>
      quotedIn([reasoning, ...counterpoints].join(" ")).map((text) => ({
        ...{ text, topic },
        status: found(text) ? "verified" as const : "not found" as const,
      }))
    ),
    createdAt: "2026-01-01T00:00:00.000Z",
  };
}

/** One debater's answer to the others. */
export async function crossed(
  debate: Debated,
  i: number,
  papers: readonly TestPaper[],
  options: Pick<AgentRequest, "maxTokens"> = {},
): Promise<{ readonly value: CrossFields; readonly reply: AgentReply }> {
  const { argued, question, topics } = debate;
  const own = argued[i]!;
  return await read(CROSS_REPLY, {
    ...own.context,
    ...{ kind: "cross_examination", key: `cross/${own.context.participant}`, seq: 20 + i },
    about: argued.filter((each) => each !== own).map((each) => ({
      label: each.context.label!,
      participant: each.context.participant!,
      body: bodyOf(each.fields),
    })),
    data: { papers, question, topics, posture: own.posture },
  }, { tools: [lookupTool(papers)], ...options });
}
