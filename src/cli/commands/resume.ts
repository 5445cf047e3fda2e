// Resumes a convening: `resume`.
import { openConvening, resume } from "../../operations/convening.ts";
import type { CommandAction } from "../command.ts";
import { nameFlag } from "../contradictions.ts";
import { directoryOf } from "../directory.ts";
import { RESUME_FLAGS } from "../flags.ts";
import { pastOf, settingsToGoOn, takeUp } from "../go_on.ts";
import { requirePermissions } from "../permissions.ts";
import { keyRules } from "../settings.ts";
import { finish, runConvening, tellHowToPick } from "../run_convening.ts";

/** `resume <dir>`. */
export const RESUME: CommandAction = {
  flags: RESUME_FLAGS,
  async run(invocation, session) {
    const { io, signal } = session;
    const dir = directoryOf(invocation, session);
    requirePermissions(io, { reads: [dir] });
    const convening = await openConvening(dir);
    const config = convening.result.status === "completed"
      ? {}
      : settingsToGoOn(convening, invocation, { flags: RESUME_FLAGS, session });
    try {
      const rules = keyRules(invocation, { ofRecord: true });
      const { catalogue } = session;
      const resumed = await resume(dir, { config, env: io.env, signal, catalogue, ...rules });
      takeUp(convening, session);
      if (resumed.mended !== undefined) {
        const repaired = resumed.mended.map((path) => ` ${path}`).join();
        session.note(
          `The convening was complete: ${
            repaired === "" ? "nothing to do" : `repaired${repaired}`
          }.`,
        );
        return finish(convening.result, session);
      }
      return await runConvening(resumed, session, pastOf(convening));
    } catch (error) {
      tellHowToPick(error, session);
      throw nameFlag(error, invocation.values.keys(RESUME_FLAGS));
    }
  },
};
