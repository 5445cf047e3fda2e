import type { Ending } from "./event.ts";
import type { Message } from "./message.ts";

/** What a convening came to. */
export interface ConveningResult<T = unknown> extends Ending {
  readonly kind: string;
  readonly topic: string;
  /** The absolute path of its directory; undefined for a record that is none. */
  readonly dir?: string;
  readonly startedAt: string;
  /** The transcript: what the protocol was given, oldest first. */
  readonly messages: readonly Message[];
  /** What the protocol returned; absent after an early end. */
  readonly value?: T;
}
