import { AgentError } from "../core/error.ts";
import type { EventBody, TurnInfo } from "../core/event.ts";
import { type Fact, type Failure, LAST_OWN_LOOK_UP, type Rejection } from "../core/fact.ts";
import { MAX_RETRIES, type Objection } from "../core/guard.ts";
import { addUsage, type Made, type Mark, type Message, NO_USAGE, sha256 } from "../core/message.ts";
import type { ToolTrace } from "../core/tool.ts";
import { eventOf } from "../core/event_fact.ts";
import type { Desk } from "./desk.ts";
import type { Guarding } from "./guarding.ts";
import { type Attempt, type SeatedTurn, TurnAsker, turnInfo } from "./turn_asker.ts";

/** What was said in a turn, ready to be accepted. */
type Said = Pick<Message, "body" | "attempts" | "marks" | keyof Made> & {
  readonly fields?: Attempt["fields"];
  readonly toolCalls: Attempt["toolCalls"];
};

/** Runs turns: asks, guards, asks again, records. */
export class TurnRunner {
  readonly #desk: Desk;
  readonly #asker: TurnAsker;
  readonly #guarding: Guarding;
  readonly #onFact: (fact: Fact) => void;

  /** A runner that has every attempt pass the guards; `onFact` hears of what structured replies leave. */
  constructor(desk: Desk, guarding: Guarding, onFact: (fact: Fact) => void) {
    this.#desk = desk;
    this.#asker = new TurnAsker(desk);
    this.#guarding = guarding;
    this.#onFact = onFact;
  }

  /** One turn, from its start to its accepted message; a turn that fails for good is recorded and thrown. */
  async run(seated: SeatedTurn): Promise<Message> {
    const { turn } = seated;
    const info = turnInfo(seated);
    this.#desk.emitter.tell({ type: "turn-start", turn: info });
    if (turn.text !== undefined) {
      return await this.#accept(seated, {
        body: turn.text,
        attempts: 1,
        marks: [],
        toolCalls: [],
        model: "template",
        usage: NO_USAGE,
        latencyMs: 0,
        createdAt: this.#desk.now(),
      });
    }
    return await this.#attempts(seated, info);
  }

  async #attempts(seated: SeatedTurn, info: TurnInfo): Promise<Message> {
    const { past, emitter } = this.#desk;
    const { key } = seated.turn;
    const rejected = [...past.rejections(key)];
    let number = Math.max(rejected.at(-1)?.attempt ?? 0, past.failure(key)?.attempts ?? 0);
    let earlier = this.#lookedUp(key, rejected.at(-1));
    while (true) {
      number++;
      let attempt: Attempt;
      try {
        attempt = await this.#asker.attempt(seated, number, { last: rejected.at(-1), earlier });
      } catch (error) {
        if (error instanceof AgentError) {
          await this.#fail(seated, error, number);
        }
        throw error;
      }
      const { found, marks } = await this.#guarding.look(seated, attempt);
      await this.#recordLookUps(seated, attempt, earlier.length);
      earlier = attempt.toolCalls;
      if (found === undefined) {
        return await this.#accept(seated, accepted(attempt, marks));
      }
      const { guard, objection } = found;
      const over = retriesUsed(rejected, guard, objection);
      if (over && objection.fatal !== true) {
        const mark = objection.mark ?? guard;
        return await this.#accept(seated, accepted(attempt, marks, { ...objection, mark }));
      }
      const rejection = this.#rejection(seated, attempt, guard, objection);
      rejected.push(rejection);
      await emitter.emit({ type: "turn-reject", rejection });
      emitter.tell({
        type: "message-reset",
        turn: info,
        reason: objection.reason,
      });
      if (over) {
        const error = fatalError(seated, attempt, guard);
        await this.#fail(seated, error, number);
        throw error;
      }
    }
  }

  #rejection(
    { turn, seq, party }: SeatedTurn,
    { called, body, number }: Attempt,
    guard: string,
    { reason, usage: lookedAt = NO_USAGE }: Objection,
  ): Rejection {
    const { model, usage, latencyMs, createdAt } = called;
    return {
      type: "rejected",
      seq,
      turn: turn.key,
      participant: party.id,
      attempt: number,
      guard,
      reason,
      body,
      model,
      usage: addUsage(usage, lookedAt),
      latencyMs,
      createdAt,
    };
  }

  async #fail(
    { turn, seq, party }: SeatedTurn,
    error: AgentError,
    attempts: number,
  ): Promise<void> {
    const failure: Failure = {
      type: "failure",
      seq,
      turn: turn.key,
      participant: party.id,
      code: error.code,
      attempts,
      message: error.message,
      model: party.agent.model,
      usage: NO_USAGE,
      latencyMs: 0,
      createdAt: this.#desk.now(),
    };
    this.#desk.failures.set(turn.key, failure);
    await this.#desk.emitter.emit({ type: "turn-fail", failure });
  }

  async #accept(
    seated: SeatedTurn,
    said: Said,
  ): Promise<Message> {
    const { turn, party, seq, count } = seated;
    const { toolCalls, fields: _, ...rest } = said;
    const previous = this.#desk.prompter.messages[count - 1]?.seq;
    const position = turn.position ?? party.position;
    await this.#recordFields(seated, said);
    const before = this.#desk.lookedUp.get(party.id) ?? [];
    this.#desk.lookedUp.set(party.id, [...before, ...toolCalls]);
    const message: Message = {
      type: "message",
      seq,
      turn: turn.key,
      participant: party.id,
      name: party.name,
      role: party.role,
      ...(position === undefined ? {} : { position }),
      phase: turn.phase,
      kind: turn.kind,
      round: turn.round,
      ...(turn.replyTo === undefined ? {} : { replyTo: turn.replyTo }),
      ...(previous === undefined ? {} : { previous }),
      ...rest,
      sha256: sha256(rest.body),
    };
    const event: EventBody = {
      type: "message",
      message,
      usage: this.#desk.budget.usage,
    };
    await this.#desk.emitter.emit(event);
    if (turn.interrupts === true && turn.replyTo !== undefined) {
      const info = turnInfo({ turn, party, seq, count });
      this.#desk.emitter.tell({ type: "interruption", turn: info, about: turn.replyTo });
    }
    await this.#desk.taken(turn.key);
    return message;
  }

  /** What a structured reply holds besides its speech: on record before the message, so that no message lacks it. */
  async #recordFields(
    { turn: { key, structure }, party, seq, count }: SeatedTurn,
    { fields, toolCalls, model, usage, latencyMs, createdAt }: Said,
  ): Promise<void> {
    if (fields === undefined || structure === undefined) return;
    const place = { seq, turn: key, participant: party.id };
    const made = { model, usage, latencyMs, createdAt };
    const given = this.#desk.prompter.messages.slice(0, count);
    const before = this.#desk.lookedUp.get(party.id) ?? [];
    const sight = { toolCalls: [...before, ...toolCalls], given };
    for (const fact of structure.toFacts(fields, { ...place, ...made, ...sight })) {
      await this.#desk.emitter.emit(eventOf(fact, this.#desk.budget.usage));
      this.#desk.past.add(fact);
      this.#onFact(fact);
    }
  }

  /** The calls of tools in the attempts that were turned down before the run was interrupted. */
  #lookedUp(key: string, last: Rejection | undefined): readonly ToolTrace[] {
    if (last === undefined) return [];
    // What is younger is of an attempt that was interrupted itself, and is made again.
    return this.#desk.past.facts.flatMap((fact) =>
      fact.type === "lookup" && fact.turn === key && fact.number <= LAST_OWN_LOOK_UP &&
        fact.createdAt <= last.createdAt
        ? [fact]
        : []
    ).toSorted((a, b) => a.number - b.number);
  }

  /** What an attempt looked up after the `earlier` ones: on record before what becomes of it. */
  async #recordLookUps(
    { turn, party, seq }: SeatedTurn,
    { toolCalls, answered, called: { createdAt } }: Attempt,
    earlier: number,
  ): Promise<void> {
    // A file for each takes time, in which the attempt must not be lost.
    if (toolCalls.length > earlier) await this.#desk.answers.keep(turn.key, ...answered);
    for (const [index, trace] of toolCalls.entries()) {
      if (index < earlier) continue;
      const { tool, args, failed, result } = trace;
      await this.#desk.emitter.emit({
        type: "lookup",
        lookup: {
          type: "lookup",
          seq,
          number: index + 1,
          turn: turn.key,
          participant: party.id,
          tool,
          args,
          failed,
          result,
          createdAt,
        },
      });
    }
  }
}

/** Whether a turn was asked again as often as it may be: over all, and for what this guard objects to. */
function retriesUsed(
  rejected: readonly Rejection[],
  guard: string,
  { maxRetries = MAX_RETRIES }: Objection,
): boolean {
  return rejected.length >= MAX_RETRIES ||
    rejected.filter((each) => each.guard === guard).length >= maxRetries;
}

function accepted(
  { number, called, body, fields, marks, toolCalls }: Attempt,
  warned: readonly Mark[],
  objection?: Objection,
): Said {
  const { model, usage, latencyMs, createdAt } = called;
  return {
    body: objection?.replacement ?? body,
    attempts: number,
    marks: [...marks, ...warned, ...objection?.mark === undefined ? [] : [objection.mark]],
    fields,
    toolCalls,
    model,
    usage,
    latencyMs,
    createdAt,
  };
}

function fatalError(
  { turn, party }: SeatedTurn,
  { number }: Attempt,
  guard: string,
): AgentError {
  const state = guard === "refused" ? "the provider refused it" : `its reply was ${guard}`;
  return new AgentError(
    guard === "refused" ? "agent_refused" : "agent_bad_reply",
    `Cannot get turn "${turn.key}" from ${party.label} (model "${party.agent.model}"): ${state} in ${number} attempts`,
    { hint: "Resume to try the turn again, or use another model." },
  );
}
