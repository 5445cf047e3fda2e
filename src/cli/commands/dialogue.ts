import type { CommandAction } from "../command.ts";
import { DIALOGUE_FLAGS } from "../flags.ts";
import { start } from "../start.ts";

/** `dialogue [topic]`. */
export const DIALOGUE: CommandAction = {
  flags: DIALOGUE_FLAGS,
  run: (invocation, session) => start("dialogue", invocation, { flags: DIALOGUE_FLAGS, session }),
};
