import type { CommandAction } from "../command.ts";
import { DEBATE_FLAGS, TOPIC_FROM } from "../flags.ts";
import { start, startWith } from "../start.ts";
import { settingsFromSubject } from "../topic_from.ts";

/** `debate [topic]`. */
export const DEBATE: CommandAction = {
  flags: DEBATE_FLAGS,
  async run(invocation, session) {
    const subject = invocation.values.get(TOPIC_FROM);
    const options = { flags: DEBATE_FLAGS, session };
    if (subject === undefined) return await start("debate", invocation, options);
    const config = await settingsFromSubject(subject, invocation, options);
    return await startWith(config, invocation, options);
  },
};
