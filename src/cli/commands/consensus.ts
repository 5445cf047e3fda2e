import type { CliCommand } from "../command.ts";
import { CONSENSUS_FLAGS } from "../flag_lists.ts";
import { start } from "../start.ts";

/** `consensus [topic]`. */
export const CONSENSUS: CliCommand = {
  name: "consensus",
  arguments: ["[topic]"],
  about: "look for what all can agree on: proposals, stances, agreement or impasse",
  group: "Convening:",
  flags: CONSENSUS_FLAGS,
  runs: true,
  run: (invocation, session) => start("consensus", invocation, { flags: CONSENSUS_FLAGS, session }),
};
