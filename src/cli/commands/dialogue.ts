import type { CliCommand } from "../command.ts";
import { DIALOGUE_FLAGS } from "../flags.ts";
import { start } from "../start.ts";

/** `dialogue [topic]`. */
export const DIALOGUE: CliCommand = {
  name: "dialogue",
  arguments: ["[topic]"],
  about: "run a plain dialogue on a topic, everyone in turn",
  flags: DIALOGUE_FLAGS,
  runs: true,
  run: (invocation, session) => start("dialogue", invocation, { flags: DIALOGUE_FLAGS, session }),
};
