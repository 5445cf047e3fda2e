import { parseConfig } from "../../config/config.ts";
import type { CommandAction } from "../command.ts";
import { flag } from "../flag.ts";
import { TOPIC_FLAGS } from "../flags.ts";
import { readWhole } from "../read_value.ts";
import { NO_MODEL } from "../report.ts";
import { flagSettings } from "../settings.ts";
import { topicsFor } from "../topic_from.ts";

const COUNT = flag("--n", {
  value: "<n>",
  about: "how many, 1 to 50 (default: 8)",
  read: readWhole,
});

/** `topics <subject>`. */
export const TOPICS: CommandAction = {
  flags: [COUNT, ...TOPIC_FLAGS],
  async run(invocation, session) {
    const [subject = ""] = invocation.args;
    const given = flagSettings(invocation, TOPIC_FLAGS);
    const config = parseConfig({ kind: "debate", topic: subject, ...given });
    const count = invocation.values.get(COUNT) ?? 8;
    const { topics, model } = await topicsFor(subject, count, { config, session });
    const isOffline = model === "offline";
    if (isOffline) session.note(NO_MODEL);
    return {
      code: 0,
      json: { subject, topics, ...isOffline ? { noModelSpoke: true } : {} },
      text: topics.join("\n") + "\n",
    };
  },
};
