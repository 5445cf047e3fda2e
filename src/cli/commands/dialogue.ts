import type { CliCommand } from "../command.ts";
import { DIALOGUE_FLAGS } from "../flag_lists.ts";
import { start } from "../start.ts";

/** `dialogue [topic]`. */
export const DIALOGUE: CliCommand = {
  name: "dialogue",
  arguments: ["[topic]"],
  about: "run a plain dialogue on a topic",
  group: "Convening:",
  flags: DIALOGUE_FLAGS,
  runs: true,
  run: (invocation, session) => start("dialogue", invocation, { flags: DIALOGUE_FLAGS, session }),
};
