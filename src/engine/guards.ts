// Collects the guards of one run and checks attempts at turns with them.
import { z } from "zod";
import { checkFields } from "../core/check_fields.ts";
import { untilAborted } from "../core/clock.ts";
import { partOf } from "./run_stop.ts";
import { emptyGuard, type Guard, type GuardTools, type Objection } from "../core/guard.ts";
import type { Fact } from "../core/fact.ts";
import type { Mark } from "../core/message.ts";
import type { NumberedTurn } from "../core/play.ts";
import { replyUsage } from "../core/schema.ts";
import type { ToolTrace } from "../core/agent.ts";
import type { Fields, Turn } from "../core/turn.ts";
import { guardsFor } from "../checking/guards.ts";
import type { Answered } from "./caller.ts";
import type { CastMember } from "../core/participant.ts";
import type { RunContext } from "./asker.ts";
import type { WorkflowOptions } from "./workflow_options.ts";

/** Guard name in the rejection of a reply that does not fit its schema. */
export const UNREADABLE = "unreadable";

export interface SpokenTurn extends NumberedTurn {
  readonly member: CastMember;
}

export interface Attempt {
  readonly number: number;
  readonly body: string;
  readonly marks: readonly Mark[];
  readonly fields?: Fields | undefined;
  /** Facts of the same turn in a replayed record, instead of fields. */
  readonly recorded?: readonly Fact[] | undefined;
  /** All tool calls for the turn, those of rejected attempts included. */
  readonly toolCalls: readonly ToolTrace[];
  readonly answered: Answered;
  /** The speaker's own words, if the body is rendered from fields and holds more than these words. */
  readonly said?: string | undefined;
  /** Reason that a structured reply could not be read. */
  readonly unreadable?: string | undefined;
}

/** Returns the guards of a run in the order of their checks. */
export function guardsOf(options: WorkflowOptions): Guard[] {
  const { words, refusedTerms, guards = {}, moreGuards = [], design } = options;
  const wordedKinds = design?.wordedKinds;
  return [
    emptyGuard(),
    ...guardsFor(guards, { words, wordedKinds, refusedTerms }),
    ...design?.guards ?? [],
    ...moreGuards,
  ];
}

const OBJECTION = z.looseObject({
  reason: z.string("Give the reason, a text."),
  mark: z.string("Give a mark, such as repeated.").optional(),
  replacement: z.string("Give a text.").optional(),
  usage: replyUsage().optional(),
});

interface GuardResult {
  /** The objection that rejects the attempt, and the guard's name. */
  readonly found?: { readonly guard: string; readonly objection: Objection };
  readonly marks: readonly Mark[];
}

/** Checks an attempt with the guards, in order, up to the first objection that is not a warning. */
export async function guardAttempt(
  { prompter: { messages }, topic }: RunContext,
  { turn, member, count }: SpokenTurn,
  attempt: Attempt,
  { guards, tools }: { readonly guards: readonly Guard[]; readonly tools: GuardTools },
): Promise<GuardResult> {
  const before = replyObjection(attempt, turn);
  if (before !== undefined) return { found: before, marks: [] };
  const draft = {
    turn,
    body: attempt.body,
    said: attempt.said,
    attempt: attempt.number,
    transcript: messages.slice(0, count),
    topic,
    position: turn.position ?? member.position,
    persona: member.persona,
  };
  const marks: Mark[] = [];
  for (const guard of guards) {
    const check = async () => await guard.check(draft, tools);
    const raised = await partOf(
      `guard "${guard.name}"`,
      tools,
      () => untilAborted(check(), tools.signal),
    );
    if (raised === undefined) continue;
    checkFields(raised, OBJECTION, `objection of guard "${guard.name}"`);
    const objection = withoutReplacement(raised, attempt);
    if (objection.warn !== true) return { found: { guard: guard.name, objection }, marks };
    marks.push(objection.mark ?? guard.name);
  }
  return { marks };
}

/** Removes the replacement text of an objection to a body rendered from fields: the replacement could cut the body at any place. */
function withoutReplacement(objection: Objection, { said }: Attempt): Objection {
  if (said === undefined || objection.replacement === undefined) return objection;
  const { replacement: _cut, ...rest } = objection;
  return { ...rest, mark: "too_long" };
}

/** Returns an objection to a refused, unreadable or inconsistent reply, before the guards check the text. */
function replyObjection(
  { answered: { called }, unreadable, fields }: Attempt,
  { structure }: Turn,
): GuardResult["found"] {
  if (called.reply.finishReason === "refused") {
    const reason = "The provider refused to give this reply. Say it in other words.";
    return { guard: "refused", objection: { reason, fatal: true } };
  }
  if (unreadable !== undefined) {
    const fatal = structure?.required === true;
    return { guard: UNREADABLE, objection: { reason: unreadable, mark: "unstructured", fatal } };
  }
  const objection = fields === undefined ? undefined : structure?.check?.(fields);
  return objection && { guard: "structure", objection };
}
