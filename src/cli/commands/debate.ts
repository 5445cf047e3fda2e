import type { CliCommand } from "../command.ts";
import { DEBATE_FLAGS } from "../flags.ts";
import { start } from "../start.ts";

/** `debate [topic]`. */
export const DEBATE: CliCommand = {
  name: "debate",
  arguments: ["[topic]"],
  about: "run a debate on a topic",
  flags: DEBATE_FLAGS,
  runs: true,
  run: (invocation, session) => start("debate", invocation, { flags: DEBATE_FLAGS, session }),
};
