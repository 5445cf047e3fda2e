import { type Message, NO_USAGE, sha256 } from "../core/message.ts";
import { HUMAN } from "../core/agent.ts";
import { INTERJECTION } from "../core/past.ts";
import type { Submission } from "../core/record.ts";
import type { Turn } from "../core/turn.ts";
import type { Desk } from "./desk.ts";

/** The participant that interjections come from; no turn is ever its. */
const AUDIENCE = { participant: "audience", name: "Audience", role: "audience" } as const;

/** Hears those who take no turns, before the next one: what they say has a number and is quoted to all. */
export class Interjections {
  readonly #desk: Desk;

  /** The interjections of one run. */
  constructor(desk: Desk) {
    this.#desk = desk;
  }

  /** What is on record with the given number. */
  recorded(seq: number): Message | undefined {
    return this.#desk.past.interjection(seq);
  }

  /** Records the next that was left to be heard before a turn that is not on record; throws where a pause was asked for. */
  async take(seq: number, next: Turn): Promise<Message | undefined> {
    // Whatever is on record already has its number.
    if (seq <= this.#desk.past.lastSeq) return undefined;
    for (const left of await this.#desk.floor.heard()) {
      const message = await this.#record(left, seq, next);
      if (message !== undefined) return message;
    }
    return undefined;
  }

  /** Records one; undefined where it was on record before the run was interrupted. */
  async #record(left: Submission, seq: number, next: Turn): Promise<Message | undefined> {
    if (left.type !== "interjection") return undefined;
    const { past, prompter, emitter, budget, floor } = this.#desk;
    const own = left.id.startsWith("own-");
    const turn = `${INTERJECTION}/${own ? seq : left.id}`;
    if (past.messages.has(turn)) {
      await floor.done(left.id);
      return undefined;
    }
    const previous = prompter.messages.at(-1)?.seq;
    const message: Message = {
      type: "message",
      ...AUDIENCE,
      seq,
      turn,
      phase: next.phase,
      kind: INTERJECTION,
      round: next.round,
      ...(previous === undefined ? {} : { previous }),
      body: left.text,
      attempts: 1,
      marks: [],
      sha256: sha256(left.text),
      model: HUMAN,
      usage: NO_USAGE,
      latencyMs: 0,
      createdAt: this.#desk.now(),
    };
    await emitter.emit({ type: "message", message, usage: budget.usage });
    const { participant, name, phase, kind, round } = message;
    await emitter.emit({
      type: "interjection",
      turn: { seq, turn, participant, name, phase, kind, round },
    });
    await floor.done(left.id);
    return message;
  }
}
