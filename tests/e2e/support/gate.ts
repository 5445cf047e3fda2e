// Pauses turns in the middle of a debate so that pages can be inspected.
import type { Agent, AgentReply, AgentRequest } from "../../../src/core/agent.ts";
import { speakingAgent } from "../../support/speaking_model.ts";

/** Stops selected turns until the test lets them continue. */
export class Gate {
  #held: ((context: AgentRequest["context"]) => boolean) | undefined;
  readonly #waiting: (() => void)[] = [];
  readonly #reached = Promise.withResolvers<void>();

  /** Stops turns for which `isHeld` is true, before they begin and again after half of their words. */
  hold(isHeld: (context: AgentRequest["context"]) => boolean): void {
    this.#held = isHeld;
  }

  /** Resolves when a turn has been stopped for the first time. */
  async reached(): Promise<void> {
    await this.#reached.promise;
  }

  /** Lets waiting turns continue to their next stop. */
  step(): void {
    for (const go of this.#waiting.splice(0)) go();
  }

  /** Lets all turns continue. */
  open(): void {
    this.#held = undefined;
    this.step();
  }

  /** Waits while the turn is stopped. */
  async pass({ context, signal }: AgentRequest): Promise<void> {
    if (this.#held?.(context) !== true) return;
    await new Promise<void>((resolve) => {
      this.#waiting.push(resolve);
      this.#reached.resolve();
      signal?.addEventListener("abort", () => resolve(), { once: true });
    });
  }
}

/** Returns the speaking model whose words stop halfway while the gate is closed. */
export function gatedAgent(gate: Gate): Agent {
  const speaker = speakingAgent();
  return {
    model: speaker.model,
    async reply(request: AgentRequest): Promise<AgentReply> {
      await gate.pass(request);
      const pieces: string[] = [];
      const { onDelta, ...rest } = request;
      const reply = await speaker.reply({
        ...rest,
        ...onDelta === undefined ? {} : { onDelta: (text: string) => pieces.push(text) },
      });
      const half = Math.ceil(pieces.length / 2);
      for (const piece of pieces.slice(0, half)) onDelta?.(piece);
      await gate.pass(request);
      request.signal?.throwIfAborted();
      for (const piece of pieces.slice(half)) onDelta?.(piece);
      return reply;
    },
  };
}
