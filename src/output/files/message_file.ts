import { z } from "zod";
import { gist, type Message, shortId } from "../../core/message.ts";
import {
  common,
  commonShape,
  count,
  type FactFile,
  fileWord,
  madeData,
  madeShape,
  optional,
  ordinal,
  padded,
  toMade,
} from "./renderer.ts";

const FILE_NAME = /^(\d+)_[a-z0-9_]+_[0-9a-f]{8}\.md$/;
const fileName = z.string().regex(FILE_NAME, "not the name of a message file");

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

/** An accepted message: what was said is the body, to the byte. */
export const messageFile: FactFile<Message> = {
  type: "message",
  folder: "messages",
  schema,
  name: (message, { width }) =>
    `${padded(message.seq, width)}_${fileWord(message.role)}_${shortId(message.participant)}.md`,
  page: (message, naming) => ({
    data: {
      ...common("message"),
      seq: message.seq,
      turn: message.turn,
      participant: message.participant,
      name: message.name,
      role: message.role,
      position: message.position,
      phase: message.phase,
      kind: message.kind,
      round: message.round,
      reply_to: message.replyTo,
      index: "../index.md",
      previous: message.previous === undefined ? undefined : naming.messageName(message.previous),
      answers: message.replyTo === undefined ? undefined : naming.messageName(message.replyTo),
      gist: gist(message.body),
      model: message.model,
      attempts: message.attempts,
      marks: message.marks,
      ...madeData(message),
      sha256: message.sha256,
      edited: message.edited,
    },
    body: message.body,
  }),
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
  order: ({ seq }) => [seq],
};

/** The number in a message file's name; undefined for any other name. */
export function seqOfName(name: string): number | undefined {
  const match = FILE_NAME.exec(name);
  return match === null ? undefined : Number(match[1]);
}
