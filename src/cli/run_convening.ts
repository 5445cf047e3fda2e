import { ConveningError } from "../core/error.ts";
import type { ConveningEvent } from "../core/event.ts";
import type { ConveningResult } from "../core/result.ts";
import type { Reply } from "./command.ts";
import { Progress } from "./progress.ts";
import { reportResult } from "./report.ts";
import type { Session } from "./session.ts";

/** What can be run: a workflow of any kind. */
export interface Runnable {
  stream(): AsyncGenerator<ConveningEvent, ConveningResult>;
}

/** Runs a convening to its end, with progress on standard error; a failure leaves its directory in the session. */
export async function runConvening(
  workflow: Runnable,
  session: Session,
): Promise<Reply> {
  try {
    return finish(await watch(workflow, session), session);
  } catch (error) {
    if (error instanceof ConveningError) session.dir = error.dir ?? session.dir;
    throw error;
  }
}

async function watch(
  workflow: Runnable,
  session: Session,
): Promise<ConveningResult> {
  const { live, colour, err } = session.io;
  const progress = session.quiet ? undefined : new Progress(err, { live, colour });
  try {
    const events = workflow.stream();
    for (;;) {
      const step = await events.next();
      if (step.done === true) return step.value;
      if (step.value.type === "convening-end") {
        session.ending = step.value.ending;
      }
      progress?.take(step.value);
    }
  } finally {
    progress?.end();
  }
}

/** A result, however it came about, as the reply of a command. */
export function finish(result: ConveningResult, session: Session): Reply {
  session.dir = result.dir;
  const reply = reportResult(result);
  if (reply.code !== 0) tellHowToResume(session);
  return reply;
}

/** Says how to go on with the convening at hand, if there is one. */
export function tellHowToResume(session: Session): void {
  if (session.dir === undefined) return;
  session.tell(`To go on: ${session.commandLine("resume", session.dir)}`);
}
