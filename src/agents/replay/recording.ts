// Facts of a record, found by the keys of turns and questions, and a searcher that answers from its look-ups.
import { z } from "zod";
import type { ReplySchema, RequestContext, ToolTrace } from "../../core/agent.ts";
import { CancelledError, SearchError } from "../../core/error.ts";
import {
  type Choice,
  type Context,
  type Fact,
  type FactCheck,
  LAST_OWN_LOOK_UP,
  type LookUp,
  type Score,
  type Stance,
  type Stop,
  type Verdict,
} from "../../core/fact.ts";
import { type Message, sha256 } from "../../core/message.ts";
import { questionKey } from "../../core/record.ts";
import type { Searcher, SearchHit } from "../../core/search.ts";
import { jsonIn } from "../../core/values.ts";

/** Answers of an earlier convening's record. */
export interface ReplayAnswers {
  /** Model in records, unless the options give another. */
  readonly model: string;
  /** The accepted messages, by turn key. */
  readonly messages: ReadonlyMap<string, Message>;
  /** The record's other facts: scores, verdicts, choices, stances, drafts, evidence, fact checks, points, summaries, look-ups. */
  readonly facts: readonly Fact[];
}

export type AnswerFact = Score | Verdict | Choice | Stance | Context | Stop;

type FactOf<T extends Fact["type"]> = Extract<Fact, { readonly type: T }>;

/** The kinds of questions that leave a score. */
const SCORING: ReadonlySet<string> = new Set(["score", "topic_scores"]);
/** The kind of question that compares an attempt with a persona. */
const PERSONA_CHECK = "persona_check";

/** Facts of a record, found by the keys that turns and questions are asked with. */
export class Recording {
  readonly #messages: ReadonlyMap<string, Message>;
  readonly #facts: readonly Fact[];
  /** By the keys of their questions, each in the order in which they were made. */
  readonly #answers: ReadonlyMap<string | undefined, readonly AnswerFact[]>;

  /** An index over a record's messages and facts. */
  constructor({ messages, facts }: ReplayAnswers) {
    this.#messages = messages;
    this.#facts = facts;
    const answers = facts.filter((fact): fact is AnswerFact => keyOf(fact) !== undefined)
      .sort((a, b) => a.createdAt < b.createdAt ? -1 : a.createdAt > b.createdAt ? 1 : 0);
    this.#answers = Map.groupBy(answers, keyOf);
  }

  message(turn: string): Message | undefined {
    return this.#messages.get(turn);
  }

  /** The latest fact of a type that fits. */
  latest<T extends Fact["type"]>(
    type: T,
    fits: (fact: FactOf<T>) => boolean,
  ): FactOf<T> | undefined {
    return this.#facts.findLast((fact): fact is FactOf<T> =>
      fact.type === type && fits(fact as FactOf<T>)
    );
  }

  /** The stance that a turn's own reply stated, or that was asked for after it. */
  stanceAfter(turn: string): Stance | undefined {
    return this.#answers.get(`stance/${turn}`)?.find((fact) => fact.type === "stance");
  }

  /** Tool calls of a turn's speaker. */
  traces(turn: string): readonly ToolTrace[] {
    const seq = this.#messages.get(turn)?.seq ?? 0;
    return lookUpsIn(this.#facts)
      .filter((each) => each.seq === seq && each.turn === turn && each.number <= LAST_OWN_LOOK_UP)
      .map(({ tool, args, result, failed }) => ({ tool, args, result, failed }));
  }

  /** The fact that a question left; of several with one key the first that was made counts, a rubric's own before others. */
  answer(context: RequestContext): AnswerFact | undefined {
    const { key, kind } = context;
    if (kind === PERSONA_CHECK) return this.#personaCheck(context);
    if (!SCORING.has(kind)) return this.#answers.get(key)?.[0];
    const { rubric } = dataOf(context);
    const scores = this.#answers.get(this.#scoreKey(context)) ?? [];
    return scores.find((fact) => fact.type === "score" && fact.rubric === rubric?.id) ?? scores[0];
  }

  /** The number of the message that a question is about: the given number if that message fits or none does, else the first that fits. */
  numberOf(seq: number, fits: (message: Message) => boolean): number {
    const messages = [...this.#messages.values()];
    const own = messages.findLast((message) => message.seq === seq);
    if (own !== undefined && fits(own)) return seq;
    return messages.find(fits)?.seq ?? seq;
  }

  /** The fact check that a claim is in: of the message of the given number, else the first that has it. */
  checkWith(seq: number, claim: string): FactCheck | undefined {
    const own = this.latest("fact-check", ({ message }) => message === seq);
    if (own !== undefined && this.queriesFor(seq).includes(claim)) return own;
    const holds = ({ claims }: FactCheck) => claims.some(({ text }) => text === claim);
    if (own !== undefined && holds(own)) return own;
    return this.#facts.filter((fact) => fact.type === "fact-check").find(holds) ?? own;
  }

  /** Queries of the fact check of a message, by claim. */
  queriesFor(message: number): readonly string[] {
    const asked = lookUpsIn(this.#facts)
      .filter(({ seq, number }) => seq === message && number > LAST_OWN_LOOK_UP);
    return [...new Set(asked.flatMap(({ args }) => queryIn(args) ?? []))];
  }

  /** Interjections are not heard again, so that numbers after one differ: what was said tells which message is meant. */
  #scoreKey(context: RequestContext): string {
    const { key } = context;
    const [, seq = "", judge] = /^score\/(\d+)\/(.+)$/s.exec(key) ?? [];
    const said = dataOf(context);
    const number = this.numberOf(
      Number(seq),
      ({ participant, body }) => participant === said.participant && body === said.body,
    );
    return judge === undefined ? key : `score/${number}/${judge}`;
  }

  /** A replayed turn is said right the first time: what was said, and not the attempt's number, tells which check is meant. */
  #personaCheck(context: RequestContext): AnswerFact | undefined {
    // The key of a persona check is `persona/TURN/ATTEMPT`.
    const turnIn = (key: string) => key.replace(/^persona\/|\/\d+$/g, "");
    const turn = turnIn(context.key);
    const of = sha256(dataOf(context).body ?? "").slice(0, 16);
    const attempts = this.#messages.get(turn)?.attempts ?? 1;
    return this.latest(
      "choice",
      ({ kind, key, value }) =>
        kind === PERSONA_CHECK && turnIn(key) === turn && fieldOf(value, "of") === of,
    ) ??
      this.#answers.get(`persona/${turn}/${attempts}`)?.[0];
  }
}

/** The key of the question that a fact answers; undefined for other facts. */
function keyOf(fact: Fact): string | undefined {
  switch (fact.type) {
    case "score":
    case "verdict":
    case "choice":
    case "stance":
      return questionKey(fact);
    case "context":
      return `fold/${fact.number}`;
    case "stop":
      return `stop/${fact.number}`;
    default:
      return undefined;
  }
}

function lookUpsIn(facts: readonly Fact[]): LookUp[] {
  return facts.filter((fact) => fact.type === "lookup");
}

/** A field that is left out where it has another shape. */
const own = <T extends z.ZodType>(type: T) => type.optional().catch(undefined);

const Data = z.object({
  /** The text that is checked or scored. */
  body: own(z.string()),
  participant: own(z.string()),
  /** The claim that is checked, and what was found on it. */
  claim: own(z.string()),
  hits: own(z.array(z.object({ url: z.string(), snippet: z.string() }))),
  /** From a side's or a speaker's id to the name in the question. */
  labels: own(z.record(z.string(), z.string())),
  /** The proposals that are put together, with the numbers that they were shown with. */
  proposals: own(z.array(z.object({ number: z.int(), participant: z.string() }))),
  rubric: own(z.object({ id: z.string() })),
});

export function dataOf({ data }: Pick<RequestContext, "data">): z.infer<typeof Data> {
  return Data.safeParse(data).data ?? {};
}

const Enum = z.object({ enum: z.array(z.string()) });
const Argued = z.object({ items: z.object({ properties: z.object({ topic: Enum }) }) });
const Topics = z.object({ properties: z.object({ perTopic: Argued }) });

/** The topics that an argument is asked on: those that its schema names. */
export function topicsIn({ type }: ReplySchema): readonly string[] {
  const shape = type.toJSONSchema({ io: "input", unrepresentable: "any" });
  return Topics.safeParse(shape).data?.properties.perTopic.items.properties.topic.enum ?? [];
}

const Asked = z.object({ query: z.string(), claim: z.number().optional() });

/** Query of a search for a claim, from a look-up's arguments. */
function queryIn(args: unknown): string | undefined {
  return Asked.safeParse(args).data?.query;
}

/** A field of an object; undefined where there is none. */
export function fieldOf(value: unknown, name: string): unknown {
  return z.record(z.string(), z.unknown()).safeParse(value).data?.[name];
}

/** The tool whose look-ups are answered from: the search of the web. */
const TOOL = "webSearch";

const Hits = z.array(z.object({
  title: z.string(),
  url: z.string(),
  snippet: z.string(),
  score: z.number().exactOptional(),
}));

/** Results of a search as a fact check keeps them, and as a debater over papers was given them. */
const Found = z.union([Hits, z.object({ results: Hits })]);

/**
 * A searcher that answers from the web look-ups of a record and reaches no network; undefined where it holds none.
 *
 * A query is answered with all that was found on it, each thing once, and without `maxResults` with as many; where every
 * search for it failed, it fails as the first did. Fails with a `SearchError` for a query that was never made.
 */
export function replaySearcher(facts: readonly Fact[]): Searcher | undefined {
  const lookUps = lookUpsIn(facts)
    .filter(({ tool, args }) => tool === TOOL && queryIn(args) !== undefined);
  if (lookUps.length === 0) return undefined;
  const byQuery = Map.groupBy(lookUps, ({ args }) => queryIn(args));
  return {
    name: TOOL,
    // deno-lint-ignore require-await -- a throw has to become a rejection
    async search(query, { maxResults = Infinity, signal } = {}) {
      if (signal?.aborted) throw new CancelledError(signal.reason);
      return foundIn(byQuery.get(query) ?? [], query).slice(0, maxResults);
    },
  };
}

function foundIn(lookUps: readonly LookUp[], query: string): SearchHit[] {
  const found = lookUps.filter(({ failed }) => !failed);
  const [first] = lookUps;
  if (first === undefined) {
    throw new SearchError(`Cannot search for "${query}": no look-up of it is recorded`, {
      hint: "Replay the convening with the configuration it was held in.",
    });
  }
  if (found.length === 0) throw new SearchError(first.result);
  const hits = new Map<string, SearchHit>();
  for (const hit of found.flatMap(hitsOf)) {
    const same = JSON.stringify([hit.url, hit.snippet]);
    if (!hits.has(same)) hits.set(same, hit);
  }
  return [...hits.values()];
}

function hitsOf({ seq, number, result }: LookUp): readonly SearchHit[] {
  const { data } = Found.safeParse(jsonIn(result));
  if (data !== undefined) return "results" in data ? data.results : data;
  throw new SearchError(
    `Cannot read look-up ${number} of message ${seq}: it holds no list of hits`,
  );
}
