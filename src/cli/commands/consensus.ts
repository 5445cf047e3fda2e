import type { CommandAction } from "../command.ts";
import { CONSENSUS_FLAGS } from "../flags.ts";
import { start } from "../start.ts";

/** `consensus [topic]`. */
export const CONSENSUS: CommandAction = {
  flags: CONSENSUS_FLAGS,
  run: (invocation, session) => start("consensus", invocation, { flags: CONSENSUS_FLAGS, session }),
};
