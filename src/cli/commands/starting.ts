// Commands that start a convening: `debate`, `dialogue`, `consensus`, `paper`; and `topics`, which proposes what to debate.
import { parseConfig } from "../../config/config.ts";
import type { ConveningConfig } from "../../config/convening_config.ts";
import type { CommandAction, Invocation, Reply } from "../command.ts";
import { type Flag, flag, nameFlag } from "../flag.ts";
import {
  CONSENSUS_FLAGS,
  DEBATE_FLAGS,
  DIALOGUE_FLAGS,
  DRY_RUN,
  PAPER_FLAGS,
  TOPIC_FLAGS,
  TOPIC_FROM,
} from "../flags.ts";
import { readWhole } from "../read_value.ts";
import { NO_MODEL } from "../report.ts";
import { tellHowToPick } from "../run_convening.ts";
import type { Session } from "../session.ts";
import { flagSettings, readSettings } from "../settings.ts";
import { start, startWith } from "../start.ts";

/** `dialogue [topic]`. */
export const DIALOGUE: CommandAction = starting("dialogue", DIALOGUE_FLAGS);
/** `consensus [topic]`. */
export const CONSENSUS: CommandAction = starting("consensus", CONSENSUS_FLAGS);

function starting(kind: ConveningConfig["kind"], flags: readonly Flag<unknown>[]): CommandAction {
  return { flags, run: (invocation, session) => start(kind, invocation, { flags, session }) };
}

/** `debate [topic]`. */
export const DEBATE: CommandAction = {
  flags: DEBATE_FLAGS,
  async run(invocation, session) {
    const subject = invocation.values.get(TOPIC_FROM);
    const options = { flags: DEBATE_FLAGS, session };
    if (subject === undefined) return await start("debate", invocation, options);
    const { settingsFromSubject } = await import("../topic_from.ts");
    const config = await settingsFromSubject(subject, invocation, options);
    return await startWith(config, invocation, options);
  },
};

/** `paper <file…>` and `paper questions <file…>`. */
export const PAPER: CommandAction = {
  flags: PAPER_FLAGS,
  async run(invocation, session) {
    const [first, ...papers] = invocation.args;
    if (first !== "questions" || papers.length === 0) {
      return await debatePapers(invocation, session);
    }
    const { questionsReply } = await import("../paper_questions.ts");
    return await questionsReply({ ...invocation, args: papers }, session);
  },
};

async function debatePapers(invocation: Invocation, session: Session): Promise<Reply> {
  const options = { flags: PAPER_FLAGS, session };
  const config = await readSettings("paper-debate", invocation, options);
  try {
    return await startWith(asked(config, invocation, session), invocation, options);
  } catch (error) {
    tellHowToPick(error, session);
    throw nameFlag(error, invocation.values.keys(PAPER_FLAGS));
  }
}

/** The configuration; a person at a terminal is asked which question is debated, unless the flags or the file say that. */
function asked(config: ConveningConfig, { values }: Invocation, { io }: Session): ConveningConfig {
  if (config.kind !== "paper-debate" || values.get(DRY_RUN) === true) return config;
  const { question, pick } = config;
  const isSaid = question !== undefined || pick !== undefined;
  return isSaid || !io.inIsTerminal || !io.live ? config : { ...config, pick: "ask" };
}

const COUNT = flag("--n <n>", "how many, 1 to 50 (default: 8)", readWhole);

/** `topics <subject>`. */
export const TOPICS: CommandAction = {
  flags: [COUNT, ...TOPIC_FLAGS],
  async run(invocation, session) {
    const [subject = ""] = invocation.args;
    const given = flagSettings(invocation, TOPIC_FLAGS);
    const config = parseConfig({ kind: "debate", topic: subject, ...given });
    const count = invocation.values.get(COUNT) ?? 8;
    const { topicsFor } = await import("../topic_from.ts");
    const proposed = await topicsFor(subject, count, { config, session });
    const isOffline = proposed.model === "offline";
    if (isOffline) session.note(NO_MODEL);
    return {
      code: 0,
      json: { subject, ...proposed, ...isOffline ? { noModelSpoke: true } : {} },
      text: proposed.topics.join("\n") + "\n",
    };
  },
};
