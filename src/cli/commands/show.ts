import { join } from "@std/path";
import { showMessage } from "../../convening.ts";
import type { CliCommand, Reply } from "../command.ts";
import { directoryOf } from "../directory.ts";
import { requirePermissions } from "../permissions.ts";
import { readWhole } from "../read_value.ts";

/** `show <dir> [seq]`. */
export const SHOW: CliCommand = {
  name: "show",
  arguments: ["<dir>", "[seq]"],
  about: "print a convening's index, or one of its messages by number",
  flags: [],
  async run(invocation, session) {
    const dir = directoryOf(invocation, session);
    requirePermissions(session.io, { reads: [dir] });
    const [, number] = invocation.args;
    if (number !== undefined) return await messageReply(dir, readWhole(number, "seq"));
    const path = join(dir, "index.md");
    const text = await session.io.readText(path, "dir");
    return { code: 0, json: { dir, path, text }, text: ended(text) };
  },
};

async function messageReply(dir: string, seq: number): Promise<Reply> {
  const { path, text, message } = await showMessage(dir, seq);
  const { turn, participant, name, role, phase, kind, round, body, model, marks } = message;
  return {
    code: 0,
    json: {
      dir,
      path: join(dir, path),
      seq,
      turn,
      participant,
      name,
      role,
      position: message.position ?? null,
      phase,
      kind,
      round,
      reply_to: message.replyTo ?? null,
      model,
      marks,
      body,
    },
    text: ended(text),
  };
}

function ended(text: string): string {
  return text.endsWith("\n") ? text : `${text}\n`;
}
