import { z } from "zod";
import type { TurnStructure } from "../core/turn.ts";

/** The fields of a turn of three phases: the first two are the speaker's own. */
const Reply = z.object({ reflection: z.string(), critique: z.string(), speech: z.string() });

/**
 * Reflect, critique, refine: one reply of three fields, of which only `speech` is said; the other two are kept in a
 * draft beside the message and reach no one's prompt (context-network/rules/debate.md).
 */
export const RCR: TurnStructure = {
  schema: { name: "reflected_turn", type: Reply },
  speech: "speech",
  toFacts(fields, { seq, turn, participant, createdAt }) {
    const { reflection, critique } = Reply.parse(fields);
    return [{
      type: "draft",
      seq,
      turn,
      participant,
      fields: { reflection: reflection.trim(), critique: critique.trim() },
      createdAt,
    }];
  },
};
