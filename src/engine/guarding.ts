import type { Guard, GuardTools, Objection } from "../core/guard.ts";
import type { Mark } from "../core/message.ts";
import type { Turn } from "../core/turn.ts";
import type { Asker } from "./asker.ts";
import type { Desk } from "./desk.ts";
import type { Attempt, SeatedTurn } from "./turn_asker.ts";

/** What the guards say of one attempt. */
export interface Looked {
  /** Why it is turned down, and by whom. */
  readonly found?: { readonly guard: string; readonly objection: Objection };
  /** What it is marked with, accepted or not. */
  readonly marks: readonly Mark[];
}

/** Has attempts pass the guards, in their order. */
export class Guarding {
  readonly #desk: Desk;
  readonly #asker: Asker;
  readonly #guards: readonly Guard[];
  readonly #signal: AbortSignal;

  /** The guards of one run. */
  constructor(
    desk: Desk,
    { asker, guards, signal }: {
      readonly asker: Asker;
      readonly guards: readonly Guard[];
      readonly signal: AbortSignal;
    },
  ) {
    this.#desk = desk;
    this.#asker = asker;
    this.#guards = guards;
    this.#signal = signal;
  }

  /** Looks at one attempt; the first objection that is no warning counts. */
  async look(seated: SeatedTurn, attempt: Attempt): Promise<Looked> {
    const before = repliedBadly(attempt, seated.turn);
    if (before !== undefined) return { found: before, marks: [] };
    const { turn, party, count } = seated;
    const transcript = this.#desk.prompter.messages;
    const draft = {
      turn,
      body: attempt.body,
      said: attempt.said,
      attempt: attempt.number,
      transcript: count === transcript.length ? transcript : transcript.slice(0, count),
      topic: this.#desk.topic,
      position: turn.position ?? party.position,
      persona: party.persona,
    };
    const marks: Mark[] = [];
    for (const guard of this.#guards) {
      const found = await guard.check(
        draft,
        this.#tools(seated, attempt),
      );
      if (found === undefined) continue;
      const objection = uncut(found, attempt);
      if (objection.warn !== true) return { found: { guard: guard.name, objection }, marks };
      marks.push(objection.mark ?? guard.name);
    }
    return { marks };
  }

  #tools({ turn, count, seq }: SeatedTurn, { answered }: Attempt): GuardTools {
    // What is asked takes time, in which the attempt must not be lost.
    const keep = () => this.#desk.answers.keep(turn.key, ...answered);
    return {
      ask: async (question) => {
        await keep();
        return await this.#asker.ask(question, { count });
      },
      consult: async (question) => {
        await keep();
        return await this.#asker.consult(question, { count }, turn.key);
      },
      once: async (key, options) => {
        await keep();
        return await this.#desk.answers.once(turn.key, key, options);
      },
      seq,
      signal: this.#signal,
    };
  }
}

/** An objection, without the text that would stand in for a body that is made of fields: it would be cut anywhere. */
function uncut(objection: Objection, { said }: Attempt): Objection {
  if (said === undefined || objection.replacement === undefined) return objection;
  const { replacement: _cut, ...rest } = objection;
  return { ...rest, mark: "too_long" };
}

/** What is wrong with a reply before what it says is looked at. */
function repliedBadly(
  { called, unreadable, fields }: Attempt,
  { structure }: Turn,
): Looked["found"] {
  if (called.reply.finishReason === "refused") {
    const reason = "The provider refused to give this reply. Say it in other words.";
    return { guard: "refused", objection: { reason, fatal: true } };
  }
  if (unreadable !== undefined) {
    const fatal = structure?.required === true;
    return { guard: "structure", objection: { reason: unreadable, mark: "unstructured", fatal } };
  }
  const objection = fields === undefined ? undefined : structure?.check?.(fields);
  return objection && { guard: "structure", objection };
}
