import { hostsOf } from "../../compose.ts";
import { openConvening, resume } from "../../convening.ts";
import type { CliCommand } from "../command.ts";
import { archiveOf, directoryOf } from "../directory.ts";
import { RESUME_FLAGS } from "../flags.ts";
import { requirePermissions } from "../permissions.ts";
import { finish, runConvening } from "../run_convening.ts";
import { resumeSettings } from "../settings.ts";
import { keyVariables } from "../start.ts";

/** `resume <dir>`. */
export const RESUME: CliCommand = {
  name: "resume",
  arguments: ["<dir>"],
  about: "go on with a convening that was interrupted, stopped or failed",
  flags: RESUME_FLAGS,
  runs: true,
  async run(invocation, session) {
    const { io, signal } = session;
    const dir = directoryOf(invocation, session);
    requirePermissions(io, { reads: [dir] });
    const { result, start } = await openConvening(dir);
    if (result.status === "completed") return finish(result, session);
    const config = resumeSettings(start.configuration, invocation, {
      flags: RESUME_FLAGS,
      session,
    });
    requirePermissions(io, {
      hosts: hostsOf(config, { env: io.env }),
      variables: keyVariables(config),
      writes: archiveOf(dir),
    });
    const resumed = await resume(dir, { config, env: io.env, signal });
    session.dir = dir;
    return await runConvening(resumed, session);
  },
};
