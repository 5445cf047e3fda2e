import { z } from "zod";
import type { Message } from "../../core/message.ts";
import { MESSAGE_NAME } from "./message_file.ts";
import { optional } from "./renderer.ts";
import { commonShape, count, type FactReader, madeShape, ordinal, toMade } from "./shapes.ts";

const fileName = z.string().regex(MESSAGE_NAME, "not the name of a message file");

const schema = z.object({
  ...commonShape("message"),
  seq: ordinal,
  turn: z.string(),
  participant: z.string(),
  name: z.string(),
  role: z.string(),
  position: z.string().optional(),
  phase: z.string(),
  kind: z.string(),
  round: count,
  reply_to: ordinal.optional(),
  index: z.string(),
  previous: fileName.optional(),
  answers: fileName.optional(),
  gist: z.string(),
  attempts: ordinal,
  marks: z.array(z.string()),
  sha256: z.string().regex(/^[0-9a-f]{64}$/, "not a SHA-256 in hex"),
  edited: z.boolean().optional(),
  ...madeShape,
});

/** Reads what `messageFile` writes. */
export const messageReader: FactReader<Message> = {
  schema,
  fact(data, body) {
    const read = schema.parse(data);
    return {
      type: "message",
      seq: read.seq,
      turn: read.turn,
      participant: read.participant,
      name: read.name,
      role: read.role,
      ...optional("position", read.position),
      phase: read.phase,
      kind: read.kind,
      round: read.round,
      ...optional("replyTo", read.reply_to),
      ...optional(
        "previous",
        read.previous === undefined ? undefined : parseInt(read.previous, 10),
      ),
      body,
      attempts: read.attempts,
      marks: read.marks,
      ...toMade(read),
      sha256: read.sha256,
      ...optional("edited", read.edited),
    };
  },
};
