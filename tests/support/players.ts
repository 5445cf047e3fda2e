// Plays a protocol by hand, without an engine.
import type { Message } from "../../mod.ts";
import type { Fact, Protocol, Question, Turn } from "../../protocol.ts";
import { debateRubric, type Score } from "../../scoring.ts";
import { sha256 } from "../../src/core/message.ts";
import { DEBATE_TEMPLATES } from "../../src/debate/formats.ts";
import type { DebateRules, Side } from "../../src/debate/rules.ts";
import { verdictQuestions } from "../../src/debate/verdict.ts";
import type { FactCheck } from "../../src/core/fact.ts";
import { MADE, scoreBy } from "../judging/support/judging.ts";
import { factCheckOf } from "../record/support/fixtures.ts";

/** Returns the message of a turn, as an engine would accept it. */
export function said(turn: Turn, seq: number): Message {
  const body = turn.text ?? `Said in ${turn.key}.`;
  return {
    type: "message",
    seq,
    turn: turn.key,
    participant: turn.speaker,
    name: turn.speaker,
    role: "participant",
    phase: turn.phase,
    kind: turn.kind,
    round: turn.round,
    ...(turn.replyTo === undefined ? {} : { replyTo: turn.replyTo }),
    body,
    attempts: 1,
    marks: [],
    sha256: sha256(body),
    ...MADE,
  };
}

/** Returns the fact of an answered question; an unreadable one without a value. */
export function answered(question: Question, value?: unknown): Fact {
  return value === undefined
    ? question.toFact({ problem: "not asked", text: "", ...MADE }, 1)
    : question.toFact({ value, text: JSON.stringify(value), ...MADE }, 1);
}

/** Answers and limits of a played protocol. */
interface PlayOptions {
  /** Returns the answer to a question; undefined for an unreadable answer. */
  readonly answer?: ((question: Question) => unknown) | undefined;
  /** Number of messages after which the protocol is closed. @default unbounded */
  readonly most?: number;
  /** Returns the observers' facts about the messages so far. */
  readonly found?: ((messages: readonly Message[]) => readonly Fact[]) | undefined;
}

/** A yielded request, with the steps at which it was yielded and awaited. */
export interface Yielded {
  readonly step: number;
  readonly fact: Fact;
  readonly turn?: Turn;
  readonly question?: Question;
  /** Infinity if the request was never awaited. */
  waited: number;
  readonly begun: boolean;
}

/** Outcome of a played protocol. */
interface Played<T> {
  readonly yielded: readonly Yielded[];
  readonly turns: readonly Turn[];
  readonly messages: readonly Message[];
  readonly questions: readonly Question[];
  readonly settled: readonly { readonly keys: readonly string[]; readonly required: boolean }[];
  /** Requests in order, as `say opening/a`, `begin …`, `settle a b`. */
  readonly script: readonly string[];
  readonly value: T;
}

/** Plays all roles of a protocol. */
export function playAll<T>(
  protocol: Protocol<T>,
  { answer: answerTo = () => undefined, found = () => [], most = Infinity }: PlayOptions = {},
): Played<T> {
  const yielded: Yielded[] = [];
  const settled: { keys: string[]; required: boolean }[] = [];
  const script: string[] = [];
  const by = new Map<string, Yielded>();
  let seq = 0;
  let step = protocol.next();
  for (let at = 0; !step.done && seq < most; at++) {
    const request = step.value;
    let answer: unknown;
    switch (request.type) {
      case "say":
      case "begin": {
        const { turn } = request;
        const begun = request.type === "begin";
        const fact = said(turn, ++seq);
        const one = { step: at, fact, turn, begun, waited: begun ? Infinity : at };
        yielded.push(one);
        by.set(turn.key, one);
        script.push(`${request.type} ${turn.key}`);
        answer = begun ? { key: turn.key } : fact;
        break;
      }
      case "ask":
      case "begin-ask": {
        const { question } = request;
        const begun = request.type === "begin-ask";
        const fact = answered(question, answerTo(question));
        const one = { step: at, fact, question, begun, waited: begun ? Infinity : at };
        yielded.push(one);
        by.set(question.key, one);
        script.push(`${request.type} ${question.key}`);
        answer = begun ? { key: question.key } : fact;
        break;
      }
      case "settle": {
        const keys = request.begun.map(({ key }) => key);
        for (const key of keys) by.get(key)!.waited = at;
        settled.push({ keys, required: request.required });
        script.push(`settle ${keys.join(" ")}`.trimEnd());
        answer = keys.map((key) => by.get(key)!.fact);
        break;
      }
      case "results":
        script.push(["results", request.observer ?? ""].join(" ").trimEnd());
        answer = found(yielded.flatMap(({ fact }) => fact.type === "message" ? [fact] : []));
    }
    step = protocol.next(answer);
  }
  return {
    yielded,
    turns: yielded.flatMap(({ turn }) => turn ?? []),
    messages: yielded.flatMap(({ fact }) => fact.type === "message" ? [fact] : []),
    questions: yielded.flatMap(({ question }) => question ?? []),
    settled,
    script,
    value: (step.done === true ? step.value : undefined) as T,
  };
}

/** Returns sides named a, b, c … */
export function sides(count: number): Side[] {
  return ["a", "b", "c", "d"].slice(0, count).map((id) => ({
    id,
    label: `Side ${id.toUpperCase()}`,
    position: `Position ${id}`,
  }));
}

/** Returns rules of a debate with two sides, two rounds and one judge, changed as given. */
export function rules(
  given: Partial<Omit<DebateRules, "advocates" | "verdicts">> & {
    readonly sides?: number;
    readonly judges?: readonly string[];
  } = {},
): DebateRules {
  const { sides: count = 2, judges = ["judge"], ...rest } = given;
  const advocates = sides(count);
  const rubric = debateRubric("formal");
  return {
    moderator: "m",
    advocates,
    rounds: 2,
    blindOpenings: true,
    simultaneous: false,
    reversedClosings: false,
    roundSummaries: true,
    templateIntroduction: true,
    caps: { opening: 300, argument: 250, closing: 350, summary: 400 },
    templates: DEBATE_TEMPLATES,
    values: { topic: "A topic", nextSpeaker: "Side A", sides: "", rounds: "two rounds" },
    verdicts: () =>
      verdictQuestions({
        judges,
        sides: advocates,
        rubric,
        order: rubric.criteria.map(({ id }) => id),
        task: DEBATE_TEMPLATES.verdict,
        seed: 1,
        said: [],
      }),
    ...rest,
  };
}

/** Returns a fact check of a message with one claim of the given verdict. */
export function checkOf(
  { seq, participant }: Message,
  verdict: "true" | "false" | "unverifiable",
): FactCheck {
  const sources = [{ title: "The almanac", url: "https://example.org/a", snippet: "No." }];
  const small = { text: "A small\nclaim.", quote: "It is\nsmall.", confidence: 0.6, sources: [] };
  const own = { text: `Claim of ${seq}.`, quote: `Said in ${seq}.`, confidence: 0.9, sources };
  return factCheckOf(seq, {
    participant,
    factuality: verdict === "false" ? 0 : 1,
    claims: [...verdict === "false" ? [{ ...small, verdict }] : [], { ...own, verdict }],
    reasons: "",
  });
}

/** Returns one judge's score of a message by a rubric of one criterion, from 0 to 10. */
export function scoreOf({ seq, participant }: Message, total: number, judge = "j"): Score {
  const [weights, criteria] = [{ quality: 1 }, { quality: total }];
  return scoreBy(judge, { message: seq, participant, rubric: "r", weights, criteria });
}
