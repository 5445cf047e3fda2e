import type { Agent, AgentReply, AgentRequest } from "../../../src/core/agent.ts";
import { speakingAgent } from "../../support/speaking_model.ts";

/** Where turns wait until a test lets them on: a page can be looked at in the middle of a debate. */
export class Gate {
  #held: ((context: AgentRequest["context"]) => boolean) | undefined;
  readonly #waiting: (() => void)[] = [];
  readonly #reached = Promise.withResolvers<void>();

  /** Lets nothing past of which this holds: neither before it begins nor once half of its words have been said. */
  hold(isHeld: (context: AgentRequest["context"]) => boolean): void {
    this.#held = isHeld;
  }

  /** Waits until something has been held for the first time. */
  async reached(): Promise<void> {
    await this.#reached.promise;
  }

  /** Lets what waits now on, to where it next waits. */
  step(): void {
    for (const go of this.#waiting.splice(0)) go();
  }

  /** Lets everything on. */
  open(): void {
    this.#held = undefined;
    this.step();
  }

  /** Waits as long as it is held. */
  async pass({ context, signal }: AgentRequest): Promise<void> {
    if (this.#held?.(context) !== true) return;
    await new Promise<void>((resolve) => {
      this.#waiting.push(resolve);
      this.#reached.resolve();
      signal?.addEventListener("abort", () => resolve(), { once: true });
    });
  }
}

/** The speaking model, whose words stop halfway while the gate is held. */
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
