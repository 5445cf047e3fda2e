// Plays the protocol of a paper debate by hand, without an engine.
import type { Message } from "../../../mod.ts";
import type { PaperDebateOptions, PaperRules } from "../../../papers.ts";
import type { Fact, Failure, Protocol, Question, Turn } from "../../../protocol.ts";
import { posturesBody, questionsBody } from "../../../src/papers/text/lists.ts";
import { planOf } from "../../../src/papers/debate/paper_debate_plan.ts";
import { rulesOf } from "../../../src/papers/debate/paper_debate_workflow.ts";
import { POSTURES, QUESTIONS, TOPICS, TREES } from "./paper_talkers.ts";
import { answered, said } from "./players.ts";

/** Returns the rules of a debate over a short paper with the usual questioner. */
export function paperRules(
  { questions = QUESTIONS, postures = POSTURES.slice(0, 3), ...options }:
    & Omit<PaperDebateOptions, "postures">
    & { readonly questions?: readonly string[]; readonly postures?: readonly string[] } = {},
): PaperRules {
  const rules = rulesOf(planOf([TREES], { postures: 3, searchers: [], ...options, seed: 1 }));
  const { turns } = rules;
  return {
    ...rules,
    turns: {
      ...turns,
      questions: () => ({ ...turns.questions(), text: questionsBody(questions) }),
      postures: (question) => ({
        ...turns.postures(question),
        text: posturesBody({ postures, topics: TOPICS }),
      }),
    },
  };
}

/** Outcome of a played protocol. */
interface PaperPlayed<T> {
  /** Requests in order, as `say question`, `begin …`, `settle … …`. */
  readonly script: readonly string[];
  readonly turns: readonly Turn[];
  readonly questions: readonly Question[];
  /** Undefined if the protocol failed. */
  readonly value?: T;
  readonly error?: unknown;
}

/** Plays a protocol: turns in `fails` fail, and `answer` returns the answers to questions. */
export function playPaper<T>(
  protocol: Protocol<T>,
  { fails = [], answer = () => undefined }: {
    readonly fails?: readonly string[];
    readonly answer?: (question: Question) => unknown;
  } = {},
): PaperPlayed<T> {
  const script: string[] = [];
  const turns: Turn[] = [];
  const questions: Question[] = [];
  const by = new Map<string, Fact>();
  const take = (turn: Turn): Message | Failure => {
    turns.push(turn);
    const message = said(turn, turns.length);
    const { position } = turn;
    const fact = fails.includes(turn.key)
      ? failureOf(message)
      : { ...message, ...position === undefined ? {} : { position } };
    by.set(turn.key, fact);
    return fact;
  };
  const put = (question: Question): Fact => {
    questions.push(question);
    const fact = answered(question, answer(question));
    by.set(question.key, fact);
    return fact;
  };
  try {
    let step = protocol.next();
    while (!step.done) {
      const request = step.value;
      let given: unknown;
      switch (request.type) {
        case "say":
        case "begin":
          script.push(`${request.type} ${request.turn.key}`);
          given = take(request.turn);
          if (request.type === "begin") given = { key: request.turn.key };
          break;
        case "ask":
        case "begin-ask":
          script.push(`${request.type} ${request.question.key}`);
          given = put(request.question);
          if (request.type === "begin-ask") given = { key: request.question.key };
          break;
        case "settle": {
          const keys = request.begun.map(({ key }) => key);
          script.push(`${request.required ? "settle" : "settle-what-can"} ${keys.join(" ")}`);
          if (request.required && keys.some((key) => fails.includes(key))) {
            throw new Error(`Nothing without ${keys.join(" ")}`);
          }
          given = keys.map((key) => by.get(key)!);
          break;
        }
        case "results":
          script.push(`results ${request.observer ?? "all"}`);
          given = [];
      }
      step = protocol.next(given);
    }
    return { script, turns, questions, value: step.value };
  } catch (error) {
    return { script, turns, questions, error };
  }
}

function failureOf({ seq, turn, participant, createdAt }: Message): Failure {
  return {
    type: "failure",
    seq,
    turn,
    participant,
    code: "agent_unreachable",
    attempts: 1,
    message: "Cannot reach it",
    createdAt,
  };
}
