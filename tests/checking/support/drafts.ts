// Attempts and messages for tests of guards.
import type { Draft, GuardTools } from "../../../src/core/guard.ts";
import type { Message } from "../../../src/core/message.ts";
import type { Turn } from "../../../src/core/turn.ts";
import { messageOf } from "../../record/support/fixtures.ts";

/** Turn of an argument by `advocate-a`. */
export const TURN: Turn = {
  key: "round-9/argument/advocate-a",
  speaker: "advocate-a",
  phase: "rounds",
  kind: "argument",
  round: 9,
  task: "",
};

/** Tools that throw when used, for guards that need none. */
export const NO_TOOLS: GuardTools = {
  ask: () => Promise.reject(new Error("asked")),
  consult: () => Promise.reject(new Error("consulted")),
  once: (_key, { make }) => make(),
  seq: 1,
  signal: new AbortController().signal,
};

/** Returns an attempt of `advocate-a` after some messages. */
export function draftOf(body: string, rest: Partial<Draft> = {}): Draft {
  return {
    turn: TURN,
    body,
    attempt: 1,
    transcript: [],
    topic: "Should zoos be banned?",
    ...rest,
  };
}

/** Returns an earlier message. */
export function said(seq: number, body: string, participant = "advocate-a"): Message {
  return messageOf(seq, { body, participant, name: participant });
}
