import { pauseConvening } from "../../operations/attending.ts";
import { openConvening } from "../../operations/convening.ts";
import { untilReleased } from "../../operations/watching.ts";
import type { CommandAction } from "../command.ts";
import { archiveOf, directoryOf } from "../directory.ts";
import { flag } from "../flag.ts";
import { requirePermissions } from "../permissions.ts";
import { readDuration } from "../read_value.ts";

const WAIT = flag(
  "--wait <time>",
  "how long turns in flight may take to finish (default: 120s)",
  readDuration,
);

const USUAL_WAIT = 120_000;

/** Where a convening can rest with nothing left to do about it. */
const IN_ORDER: readonly string[] = ["paused", "waiting", "completed", "stopped"];

/** `pause <dir>`. */
export const PAUSE: CommandAction = {
  flags: [WAIT],
  async run(invocation, session) {
    const dir = directoryOf(invocation, session);
    requirePermissions(session.io, { reads: [dir], writes: archiveOf(dir) });
    const before = await pauseConvening(dir);
    const within = invocation.values.get(WAIT) ?? USUAL_WAIT;
    const held = before.held && await untilReleased(dir, { within, signal: session.signal });
    const { status } = (await openConvening(dir)).result;
    const isInterrupted = !held && status === "running";
    const shown = isInterrupted ? "interrupted" : status;
    const what = held
      ? "Asked; turns in flight are still being finished"
      : before.held
      ? capital(shown)
      : `No process runs it: ${shown}`;
    if (!held && status !== "completed") {
      session.note(`To go on: ${session.commandLine("resume", dir)}`);
    }
    return {
      code: !held && IN_ORDER.includes(status) ? 0 : 1,
      json: { dir, status: shown, held },
      text: `${what}\n`,
    };
  },
};

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
