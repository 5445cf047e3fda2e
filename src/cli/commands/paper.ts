import type { ConveningConfig } from "../../config/convening_config.ts";
import type { CommandAction, Invocation, Reply } from "../command.ts";
import { nameFlag } from "../contradictions.ts";
import { DRY_RUN, PAPER_FLAGS } from "../flags.ts";
import { questionsReply } from "../paper_questions.ts";
import { tellHowToPick } from "../picked_question.ts";
import type { Session } from "../session.ts";
import { readSettings } from "../settings.ts";
import { startWith } from "../start.ts";

/** `paper <file…>` and `paper questions <file…>`. */
export const PAPER: CommandAction = {
  flags: PAPER_FLAGS,
  async run(invocation, session) {
    const [first, ...papers] = invocation.args;
    return first === "questions" && papers.length > 0
      ? await questionsReply({ ...invocation, args: papers }, session)
      : await debateReply(invocation, session);
  },
};

async function debateReply(invocation: Invocation, session: Session): Promise<Reply> {
  const options = { flags: PAPER_FLAGS, session };
  const config = await readSettings("paper-debate", invocation, options);
  try {
    return await startWith(asked(config, invocation, session), invocation, options);
  } catch (error) {
    tellHowToPick(error, session);
    throw nameFlag(error, invocation.values.keys(PAPER_FLAGS));
  }
}

/** Whoever sits at a terminal is asked which question is debated, unless that was said. */
function asked(config: ConveningConfig, { values }: Invocation, { io }: Session): ConveningConfig {
  if (config.kind !== "paper-debate" || values.get(DRY_RUN) === true) return config;
  const { question, pick } = config;
  const isSaid = question !== undefined || pick !== undefined;
  return isSaid || !io.inIsTerminal || !io.live ? config : { ...config, pick: "ask" };
}
