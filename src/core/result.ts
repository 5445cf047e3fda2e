// Result of a convening.
import type { Ending } from "./event.ts";
import type { Message } from "./message.ts";

/** Result of a convening. */
export interface ConveningResult<T = unknown> extends Ending {
  /** `debate`, `dialogue`, or what a workflow names itself. */
  readonly kind: string;
  /** The topic, trimmed. */
  readonly topic: string;
  /** The absolute path of its directory; undefined for a record that is none. */
  readonly dir?: string;
  /** ISO 8601, UTC, with milliseconds. */
  readonly startedAt: string;
  /** The transcript: what the protocol was given, oldest first. */
  readonly messages: readonly Message[];
  /** Value that the protocol returned; absent after an early end. */
  readonly value?: T;
}
