import type { Message } from "../../../mod.ts";
import type { Fact, Protocol, Question, Turn } from "../../../protocol.ts";
import { debateRubric } from "../../../scoring.ts";
import { sha256 } from "../../../src/core/message.ts";
import { DEBATE_TEMPLATES } from "../../../src/debate/prompts.ts";
import type { DebateRules, Side } from "../../../src/debate/rules.ts";
import { verdictQuestions } from "../../../src/debate/verdict.ts";

const MADE = {
  model: "m",
  usage: { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0, costUsd: 0 },
  latencyMs: 0,
  createdAt: "2026-11-21T00:00:00.000Z",
} as const;

/** The message that answers a turn, as an engine would accept it. */
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

/** The fact that an answer to a question leaves; an unreadable one where none is given. */
export function answered(question: Question, value?: unknown): Fact {
  return value === undefined
    ? question.toFact({ problem: "not asked", text: "", ...MADE }, 1)
    : question.toFact({ value, text: JSON.stringify(value), ...MADE }, 1);
}

/** What those who play with a protocol answer. */
export interface PlayOptions {
  /** The value that answers a question; undefined where it cannot be read. */
  readonly answer?: ((question: Question) => unknown) | undefined;
  /** What observers found in the messages so far. */
  readonly found?: ((messages: readonly Message[]) => readonly Fact[]) | undefined;
}

/** One thing a protocol yielded: at which step, and at which step it was waited for. */
export interface Yielded {
  readonly step: number;
  readonly fact: Fact;
  readonly turn?: Turn;
  readonly question?: Question;
  /** Infinity for what was never waited for. */
  waited: number;
  readonly begun: boolean;
}

/** What playing a protocol by hand showed. */
export interface Played<T> {
  readonly yielded: readonly Yielded[];
  readonly turns: readonly Turn[];
  readonly messages: readonly Message[];
  readonly questions: readonly Question[];
  readonly settled: readonly { readonly keys: readonly string[]; readonly required: boolean }[];
  /** Every request in order, as `say opening/a`, `begin …`, `settle a b`. */
  readonly script: readonly string[];
  readonly value: T;
}

/** Plays all parts of a protocol by hand. */
export function playAll<T>(
  protocol: Protocol<T>,
  { answer: answerTo = () => undefined, found = () => [] }: PlayOptions = {},
): Played<T> {
  const yielded: Yielded[] = [];
  const settled: { keys: string[]; required: boolean }[] = [];
  const script: string[] = [];
  const by = new Map<string, Yielded>();
  let seq = 0;
  let step = protocol.next();
  for (let at = 0; !step.done; at++) {
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
    value: step.value,
  };
}

/** Sides named a, b, c … */
export function sides(count: number): Side[] {
  return ["a", "b", "c", "d"].slice(0, count).map((id) => ({
    id,
    label: `Side ${id.toUpperCase()}`,
    position: `Position ${id}`,
  }));
}

/** The rules of a debate of two sides, two rounds and one judge, but for what is given. */
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
