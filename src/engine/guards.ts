// The guards of one run: which they are, and what they say of an attempt at a turn.
import { emptyGuard, type Guard, type GuardTools, type Objection } from "../core/guard.ts";
import type { Mark } from "../core/message.ts";
import type { Numbered } from "../core/play.ts";
import type { ToolTrace } from "../core/agent.ts";
import type { Fields, Turn } from "../core/turn.ts";
import type { Answered } from "./caller.ts";
import type { CastMember } from "./casting.ts";
import type { Questions } from "./questions.ts";
import type { RunContext } from "./asker.ts";
import type { WorkflowOptions } from "./workflow_options.ts";
import { guardsFor } from "../checking/guards.ts";

/** The name under which replies that cannot be read are rejected. */
export const UNREADABLE = "unreadable";

/** A turn with its number, and the speaker. */
export interface SpokenTurn extends Numbered {
  readonly member: CastMember;
}

export interface Attempt {
  readonly number: number;
  readonly body: string;
  readonly marks: readonly Mark[];
  readonly fields?: Fields | undefined;
  /** Every call of a tool, those of attempts that were turned down included. */
  readonly toolCalls: readonly ToolTrace[];
  readonly answered: Answered;
  /** The speaker's own words, where the body shows more than they: what was found of them. */
  readonly said?: string | undefined;
  /** Reason that a structured reply could not be read. */
  readonly unreadable?: string | undefined;
}

/** The guards of a run, in the order in which they look. */
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

/** Findings of the guards on one attempt. */
interface Looked {
  /** The objection that rejects the attempt, and the guard's name. */
  readonly found?: { readonly guard: string; readonly objection: Objection };
  readonly marks: readonly Mark[];
}

/** Has an attempt pass the guards, in their order; the first objection that is no warning counts. */
export async function guardAttempt(
  run: RunContext,
  { guards, questions }: { readonly guards: readonly Guard[]; readonly questions: Questions },
  spoken: SpokenTurn,
  attempt: Attempt,
): Promise<Looked> {
  const { turn, member, count } = spoken;
  const before = repliedBadly(attempt, turn);
  if (before !== undefined) return { found: before, marks: [] };
  const { messages } = run.prompter;
  const draft = {
    turn,
    body: attempt.body,
    said: attempt.said,
    attempt: attempt.number,
    transcript: count === messages.length ? messages : messages.slice(0, count),
    topic: run.topic,
    position: turn.position ?? member.position,
    persona: member.persona,
  };
  const tools = toolsFor(run, questions, spoken, attempt);
  const marks: Mark[] = [];
  for (const guard of guards) {
    const found = await guard.check(draft, tools);
    if (found === undefined) continue;
    const objection = uncut(found, attempt);
    if (objection.warn !== true) return { found: { guard: guard.name, objection }, marks };
    marks.push(objection.mark ?? guard.name);
  }
  return { marks };
}

function toolsFor(
  { answers, signal }: RunContext,
  questions: Questions,
  { turn: { key: turn }, count, seq }: SpokenTurn,
  { answered }: Attempt,
): GuardTools {
  // A question takes time, in which the attempt must not be lost.
  const keep = () => answers.keep(turn, answered);
  return {
    ask: (question) => keep().then(() => questions.ask(question, { count })),
    consult: (question) => keep().then(() => questions.consult(question, { count }, turn)),
    once: (key, options) => keep().then(() => answers.once(turn, key, options)),
    seq,
    signal,
  };
}

/** An objection, without the text that would stand in for a body that is made of fields: it would be cut anywhere. */
function uncut(objection: Objection, { said }: Attempt): Objection {
  if (said === undefined || objection.replacement === undefined) return objection;
  const { replacement: _cut, ...rest } = objection;
  return { ...rest, mark: "too_long" };
}

/** Finds faults of a reply that show before its words are looked at. */
function repliedBadly(
  { answered: { called }, unreadable, fields }: Attempt,
  { structure }: Turn,
): Looked["found"] {
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
