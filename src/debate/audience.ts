import { z } from "zod";
import { audienceKey } from "../judging/audience.ts";
import type { Stance } from "../core/fact.ts";
import type { Answer, Question } from "../core/turn.ts";
import { listOf, type Side } from "./rules.ts";

/** A listener's reply: the reasons first, then what it holds of each side. */
interface StanceReply {
  readonly reasons: string;
  readonly stances: readonly {
    readonly on: string;
    readonly stance: "agree" | "disagree" | "abstain";
    readonly strength: number;
    readonly condition: string;
  }[];
}

/** What the questions to the audience need. */
export interface AudienceOptions {
  /** The listeners' ids. */
  readonly listeners: readonly string[];
  readonly sides: readonly Side[];
  readonly when: "before" | "after";
  /** The number of the last message they have heard; 0 before any. */
  readonly seq: number;
  /** The numbers of the speeches they have heard. @default none */
  readonly about?: readonly number[] | undefined;
  readonly task: string;
}

/** One question a listener: what it holds of each side, before anything is said, or after everything. */
export function audienceQuestions(options: AudienceOptions): Question<unknown, Stance>[] {
  return options.listeners.map((listener) => stanceQuestion(listener, options));
}

function stanceQuestion(
  listener: string,
  { sides, when, seq, about, task }: AudienceOptions,
): Question<StanceReply, Stance> {
  const key = audienceKey(when, listener);
  return {
    key,
    asked: listener,
    phase: when === "before" ? "opening" : "verdict",
    kind: "stance",
    round: 0,
    task,
    values: { sides: listOf(sides) },
    schema: { name: "stance", type: schemaOf(sides) },
    about,
    data: {
      on: sides.map(({ id, label, position }) => ({ id, label, text: position })),
      when,
      listener: true,
    },
    toFact: (answer) => stanceOf(answer, { key, seq, listener, sides }),
    matches: (fact): fact is Stance => fact.type === "stance" && fact.key === key,
  };
}

function schemaOf(sides: readonly Side[]): z.ZodType<StanceReply> {
  const labels = sides.map(({ label }) => label);
  const one = z.object({
    on: z.enum(labels),
    stance: z.enum(["agree", "disagree", "abstain"]),
    strength: z.number().min(0).max(1),
    condition: z.string(),
  });
  return z.object({ reasons: z.string(), stances: z.array(one).min(1).max(sides.length) });
}

function stanceOf(
  { value, problem, text, ...made }: Answer<StanceReply>,
  { key, seq, listener, sides }: {
    readonly key: string;
    readonly seq: number;
    readonly listener: string;
    readonly sides: readonly Side[];
  },
): Stance {
  const common = { type: "stance", key, seq, participant: listener, ...made } as const;
  if (value === undefined) {
    const reason = problem ?? "The reply could not be read.";
    return { ...common, status: "unread", reason, stances: [], reasons: text };
  }
  // In the order of the sides, whatever the reply's; of two on one side the first counts.
  const stances = sides.flatMap(({ id, label }) => {
    const held = value.stances.find(({ on }) => on === label);
    if (held === undefined) return [];
    const { stance, strength, condition } = held;
    return [{ on: id, stance, strength, ...(condition.trim() === "" ? {} : { condition }) }];
  });
  return { ...common, status: "read", stances, reasons: value.reasons };
}
