// Index of a record's facts for replays, and a searcher that answers from the recorded look-ups.
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
import { jsonSchemaOf, searchHits } from "../../core/schema.ts";
import type { Searcher, SearchHit } from "../../core/search.ts";
import { fieldOf } from "../../core/turn.ts";
import { compareTexts, distinctBy, jsonIn } from "../../core/values.ts";

/** Messages and facts of an earlier convening's record. */
export interface ReplayAnswers {
  /** Default name of the model in records. */
  readonly model: string;
  /** Accepted messages by turn key. */
  readonly messages: ReadonlyMap<string, Message>;
  /** Other facts: scores, verdicts, choices, stances, drafts, evidence, fact checks, points, summaries, look-ups. */
  readonly facts: readonly Fact[];
}

export type AnswerFact = Score | Verdict | Choice | Stance | Context | Stop;

type FactOf<T extends Fact["type"]> = Extract<Fact, { readonly type: T }>;

/** Kinds of questions whose answer is a score. */
const SCORING: ReadonlySet<string> = new Set(["score", "topic_scores"]);
/** Kind of the question that compares an attempt with a persona. */
const PERSONA_CHECK = "persona_check";

/** Finds a record's facts by the keys of turns and questions. */
export class Recording {
  readonly #messages: ReadonlyMap<string, Message>;
  readonly #facts: readonly Fact[];
  /** Answers by question key, oldest first. */
  readonly #answers: ReadonlyMap<string | undefined, readonly AnswerFact[]>;

  /** Indexes a record's messages and facts. */
  constructor({ messages, facts }: ReplayAnswers) {
    this.#messages = messages;
    this.#facts = facts;
    const answers = facts.filter((fact): fact is AnswerFact => keyOf(fact) !== undefined)
      .sort((a, b) => compareTexts(a.createdAt, b.createdAt));
    this.#answers = Map.groupBy(answers, keyOf);
  }

  message(turn: string): Message | undefined {
    return this.#messages.get(turn);
  }

  /** Returns the last fact of a type that matches a predicate. */
  latest<T extends Fact["type"]>(
    type: T,
    fits: (fact: FactOf<T>) => boolean,
  ): FactOf<T> | undefined {
    return this.#facts.findLast((fact): fact is FactOf<T> =>
      fact.type === type && fits(fact as FactOf<T>)
    );
  }

  /** Returns the draft, the evidence and the facts of own kinds of a message. */
  ofTurn({ seq, turn }: Message): readonly Fact[] {
    return this.#facts.filter((fact) =>
      fact.type === "own"
        ? fact.message === seq
        : (fact.type === "draft" || fact.type === "evidence") && fact.turn === turn
    );
  }

  /** Returns the tool calls of a turn's speaker. */
  traces(turn: string): readonly ToolTrace[] {
    const seq = this.#messages.get(turn)?.seq ?? 0;
    return lookUpsIn(this.#facts)
      .filter((each) => each.seq === seq && each.turn === turn && each.number <= LAST_OWN_LOOK_UP)
      .map(({ tool, args, result, failed }) => ({ tool, args, result, failed }));
  }

  /** Returns the answer to a question. Of several with one key, returns the oldest; a score with the same rubric takes precedence. */
  answer(context: RequestContext): AnswerFact | undefined {
    const { key, kind } = context;
    if (kind === PERSONA_CHECK) return this.#personaCheck(context);
    if (!SCORING.has(kind)) return this.#answers.get(key)?.[0];
    const { rubric } = dataOf(context);
    const scores = this.#answers.get(this.#scoreKey(context)) ?? [];
    return scores.find((fact) => fact.type === "score" && fact.rubric === rubric?.id) ?? scores[0];
  }

  /** Returns `seq` if the message with that number matches or no message matches, else the number of the first match. */
  numberOf(seq: number, fits: (message: Message) => boolean): number {
    const messages = [...this.#messages.values()];
    const own = messages.findLast((message) => message.seq === seq);
    if (own !== undefined && fits(own)) return seq;
    return messages.find(fits)?.seq ?? seq;
  }

  /** Returns the fact check with a claim: that of the message `seq` if it has the claim, else the first that does. */
  checkWith(seq: number, claim: string): FactCheck | undefined {
    const own = this.latest("fact-check", ({ message }) => message === seq);
    if (own !== undefined && this.queriesFor(seq).includes(claim)) return own;
    const holds = ({ claims }: FactCheck) => claims.some(({ text }) => text === claim);
    if (own !== undefined && holds(own)) return own;
    return this.#facts.filter((fact) => fact.type === "fact-check").find(holds) ?? own;
  }

  /** Returns the distinct queries of a message's fact check. */
  queriesFor(message: number): readonly string[] {
    const asked = lookUpsIn(this.#facts)
      .filter(({ seq, number }) => seq === message && number > LAST_OWN_LOOK_UP);
    return [...new Set(asked.flatMap(({ args }) => queryIn(args) ?? []))];
  }

  /** Finds the scored message by its body, because a replay has no interjections and its message numbers differ after one. */
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

  /** Finds a persona check by the attempt's text, because a replayed turn has only one attempt. */
  #personaCheck(context: RequestContext): AnswerFact | undefined {
    // The key of a persona check is `persona/TURN/ATTEMPT`.
    const turnIn = (key: string) => key.replace(/^persona\/|\/\d+$/g, "");
    const turn = turnIn(context.key);
    const of = sha256(dataOf(context).body ?? "").slice(0, 16);
    return this.latest(
      "choice",
      ({ kind, key, value }) =>
        kind === PERSONA_CHECK && turnIn(key) === turn && fieldOf(value, "of") === of,
    );
  }
}

/** Returns the key of the question that a fact answers; undefined for other facts. */
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

/** Makes a field optional; an invalid value counts as absent. */
const ifValid = <T extends z.ZodType>(type: T) => type.optional().catch(undefined);

const Data = z.object({
  /** Text to check or to score. */
  body: ifValid(z.string()),
  participant: ifValid(z.string()),
  /** Claim to check. */
  claim: ifValid(z.string()),
  /** Search results for the claim. */
  hits: ifValid(z.array(z.object({ url: z.string(), snippet: z.string() }))),
  /** Names in the question by id of side or speaker. */
  labels: ifValid(z.record(z.string(), z.string())),
  rubric: ifValid(z.object({ id: z.string() })),
});

/** Parses the data of a question; invalid fields are absent. */
export function dataOf({ data }: Pick<RequestContext, "data">): z.infer<typeof Data> {
  return Data.safeParse(data).data ?? {};
}

/** Returns the topics of a requested argument, which its schema enumerates. */
export function topicsIn({ type }: ReplySchema): readonly string[] {
  const { properties } = jsonSchemaOf(type);
  return properties?.["perTopic"]?.items?.properties?.["topic"]?.enum?.map(String) ?? [];
}

function queryIn(args: unknown): string | undefined {
  const query = fieldOf(args, "query");
  return typeof query === "string" ? query : undefined;
}

/** Tool whose look-ups are replayed. */
const TOOL = "webSearch";

/** Results of a search, as fact checks record them or as the tool of paper debates returns them. */
const Found = z.union([searchHits(), z.object({ results: searchHits() })]);

/**
 * Creates a searcher that answers from a record's web look-ups without a network; undefined if the record has none.
 *
 * A query returns the distinct hits of all its recorded searches, at most `maxResults`. If all of them failed, rejects with the first
 * error. Rejects with a `SearchError` for a query that is not recorded.
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
  return distinctBy(found.flatMap(hitsOf), ({ url, snippet }) => JSON.stringify([url, snippet]));
}

function hitsOf({ seq, number, result }: LookUp): readonly SearchHit[] {
  const { data } = Found.safeParse(jsonIn(result));
  if (data !== undefined) return "results" in data ? data.results : data;
  throw new SearchError(
    `Cannot read look-up ${number} of message ${seq}: it does not hold a list of hits`,
  );
}
