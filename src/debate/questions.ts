// Other questions of a debate than scores and verdicts: stances of listeners, baselines and summaries of judges.
import { z } from "zod";
import type { Choice, Fact, Stance } from "../core/fact.ts";
import { type Helper, listenersNamed, type Participant } from "../core/participant.ts";
import type { Judge } from "../engine/workflow_options.ts";
import { audienceKey, holdText, stanceQuestion, withCondition } from "../judging/stances.ts";
import { fenced } from "../core/prompt.ts";
import type { Message } from "../core/message.ts";
import { choiceQuestion, type Question } from "../core/turn.ts";
import type { DebateListener, DebateSettings } from "./settings.ts";
import { PRESETS } from "./formats.ts";
import { listOf, type Side } from "./rules.ts";

interface AudienceOptions {
  readonly listeners: readonly string[];
  readonly sides: readonly Side[];
  readonly when: "before" | "after";
  /** Number of the last message that the listeners have seen; 0 before the first. */
  readonly seq: number;
  /** Answers to earlier questions; a listener is shown the own stances among them. */
  readonly earlier: readonly Fact[];
  readonly task: string;
}

/** Returns one question per listener about the listener's stance on each side, before or after the debate. */
export function audienceQuestions(
  { listeners, sides, when, seq, task, earlier }: AudienceOptions,
): Question<unknown, Stance>[] {
  const names = sides.map(({ label }) => label);
  const one = z.object({
    on: z.enum(names),
    stance: z.enum(["agree", "disagree", "abstain"]),
    strength: z.number().min(0).max(1),
    condition: z.string(),
  });
  // A reply that leaves out a side is read too.
  const type = z.object({ reasons: z.string(), stances: z.array(one).min(1).max(sides.length) });
  return listeners.map((listener) =>
    stanceQuestion({
      key: audienceKey(when, listener),
      asked: listener,
      phase: when === "before" ? "opening" : "verdict",
      round: 0,
      task,
      notes: heldBefore(listener, sides, earlier),
      values: { sides: listOf(sides) },
      data: { labels: Object.fromEntries(sides.map(({ id, label }) => [id, label])) },
      seq,
      names,
      type,
      // In the order of the sides; of two stances on the same side, the first counts.
      stancesOf: ({ stances }) =>
        sides.flatMap(({ id, label }) => {
          const held = stances.find(({ on }) => on === label);
          return held === undefined ? [] : [withCondition({ ...held, on: id })];
        }),
    })
  );
}

/** Returns the note that reminds a listener of the stances held before the debate; undefined without any. */
function heldBefore(
  listener: string,
  sides: readonly Side[],
  earlier: readonly Fact[],
): string | undefined {
  const found = earlier.find((fact) => fact.type === "stance" && fact.participant === listener);
  if (found?.type !== "stance" || found.stances.length === 0) return undefined;
  const lines = found.stances.map(({ on, ...hold }) =>
    `- ${sides.find(({ id }) => id === on)?.label ?? on}: ${holdText(hold)}`
  );
  return `This is what you said before the debate:\n${
    fenced("stances", [found.reasons, ...lines].join("\n"))
  }`;
}

/** Role of listeners. */
export const LISTENER = "listener";

/** Returns the configured listeners; the five of preset `oxford` if the audience decides and none are configured. */
export function listenersGiven(
  { audience, decision }: Pick<DebateSettings, "audience" | "decision">,
): readonly DebateListener[] {
  return audience ?? (decision === "audience" ? PRESETS.oxford.audience ?? [] : []);
}

/** Returns the listeners as helpers of the engine, with the first judge's model unless configured. */
export function listenersOf(
  given: readonly DebateListener[],
  { participants, judges }: {
    readonly participants: readonly Participant[];
    readonly judges: readonly Judge[];
  },
): Helper[] {
  const taken = new Set([...participants, ...judges].map(({ id }) => id));
  return listenersNamed(given, taken).map((named, index) => {
    const { model, agent, persona } = given[index]!;
    const isNamed = agent !== undefined || model !== undefined;
    return {
      ...named,
      role: LISTENER,
      persona,
      model: isNamed ? model : judges[0]?.model,
      agent: isNamed ? agent : judges[0]?.agent,
    };
  });
}

/**
 * Returns one question per judge, asked before the first message: the judge's own answer to the topic and the side it
 * supports. The comparison with the verdict shows the effect of the debate.
 */
export function baselineQuestions(
  judges: readonly string[],
  { sides, task, maxTokens }: {
    readonly sides: readonly Side[];
    readonly task: string;
    /** Maximum tokens of an answer: the total of all speeches of the debate. */
    readonly maxTokens: number;
  },
): Question<unknown, Choice>[] {
  const labels: [string, ...string[]] = ["tie", ...sides.map(({ label }) => label)];
  const type = z.object({ answer: z.string().min(1), winner: z.enum(labels) });
  return judges.map((judge) =>
    choiceQuestion({
      key: `baseline/${judge}`,
      asked: judge,
      phase: "opening",
      kind: "baseline",
      round: 0,
      task,
      values: { sides: listOf(sides) },
      schema: { name: "baseline", type },
      data: { labels: Object.fromEntries(sides.map(({ id, label }) => [id, label])) },
      maxTokens,
      seq: 1,
      valueOf: (reply) =>
        reply === undefined ? null : {
          winner: sides.find(({ label }) => label === reply.winner)?.id ?? null,
          answer: reply.answer,
        },
      reasonsOf: ({ answer }) => answer,
    })
  );
}

/** Returns the question that asks a judge for a summary of the debate, concurrent with the verdicts. */
export function summaryQuestion(
  judge: string,
  { said, task, maxTokens }: {
    readonly said: readonly Message[];
    readonly task: string;
    readonly maxTokens: number;
  },
): Question<unknown, Choice> {
  return choiceQuestion({
    key: `summary/${judge}`,
    asked: judge,
    phase: "verdict",
    kind: "summary",
    round: 0,
    task,
    schema: { name: "summary", type: z.object({ summary: z.string().min(1) }) },
    maxTokens,
    seq: (said.at(-1)?.seq ?? 0) + 1,
    valueOf: (reply) => reply === undefined ? null : { summary: reply.summary },
    reasonsOf: ({ summary }) => summary,
  });
}
