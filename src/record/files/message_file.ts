import { gist, type Message, shortId } from "../../core/message.ts";
import { common, type FactFile, fileWord, madeData, padded } from "./renderer.ts";

/** The name of a message file. */
export const MESSAGE_NAME = /^(\d+)_[a-z0-9_]+_[0-9a-f]{8}\.md$/;

/** An accepted message: what was said is the body, to the byte. */
export const messageFile: FactFile<Message> = {
  type: "message",
  folder: "messages",
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
  order: ({ seq }) => [seq],
};

/** The number in a message file's name; undefined for any other name. */
export function seqOfName(name: string): number | undefined {
  const match = MESSAGE_NAME.exec(name);
  return match === null ? undefined : Number(match[1]);
}
