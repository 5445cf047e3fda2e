import { openConvening } from "../../operations/convening.ts";
import { watchConvening } from "../../operations/watching.ts";
import type { CommandAction, Reply } from "../command.ts";
import { directoryOf } from "../directory.ts";
import { takeUp } from "../go_on.ts";
import { requirePermissions } from "../permissions.ts";
import { Progress } from "../progress.ts";
import { finish, tellHowToResume } from "../run_convening.ts";
import type { Session } from "../session.ts";

/** `watch <dir>`. */
export const WATCH: CommandAction = {
  flags: [],
  async run(invocation, session) {
    const { io } = session;
    const dir = directoryOf(invocation, session);
    requirePermissions(io, { reads: [dir] });
    const { live, colour } = io;
    const progress = session.quiet ? undefined : new Progress(io.err, { live, colour });
    const isInterrupted = await follow(dir, session, progress);
    const convening = await openConvening(dir);
    takeUp(convening, session);
    // Whoever judged it again after its end left events too.
    return isInterrupted && convening.result.status === "running"
      ? interrupted(session)
      : lastOf(finish(convening.result, session));
  },
};

async function follow(
  dir: string,
  session: Session,
  progress: Progress | undefined,
): Promise<boolean> {
  try {
    const events = watchConvening(dir, { signal: session.signal });
    for (;;) {
      const step = await events.next();
      if (step.done === true) return step.value.isInterrupted;
      if (session.json) session.io.out(`${JSON.stringify(step.value)}\n`);
      progress?.take(step.value);
    }
  } finally {
    progress?.end();
  }
}

/** Its events were printed as they came: they are all there is of it as JSON. */
function lastOf(reply: Reply): Reply {
  return { ...reply, json: undefined };
}

function interrupted(session: Session): Reply {
  tellHowToResume(session);
  return { code: 1, json: undefined, text: "Interrupted: no process runs it\n" };
}
