// Plays a debate that ships with the program, at reading pace or in the viewer: `demo`.
import { setTimeout as wait } from "node:timers/promises";
import { basename, join } from "@std/path";
import { ConveningError } from "../../core/error.ts";
import { openConvening } from "../../operations/convening.ts";
import { loggedEvents } from "../../operations/watching.ts";
import type { CommandAction } from "../command.ts";
import { archiveOf } from "../directory.ts";
import { flag, toggle } from "../flag.ts";
import { OUT } from "../flags.ts";
import { takeUp } from "./continuing.ts";
import { requirePermissions } from "../permissions.ts";
import { type LiveView, liveView } from "../live_view.ts";
import { readWhole } from "../read_value.ts";
import { finish } from "../run_convening.ts";
import { HOST, PORT, READ_ONLY } from "../serve_flags.ts";
import type { Session } from "../session.ts";

/** The record, from the folder of the program. */
const RECORD = "examples/records/2026-11-23/2026-11-23T01-14-00_debate";

const OPEN = toggle("--open", "serve the record and print the address of its page");
const PACE = flag(
  "--pace <words>",
  "words a minute in a terminal; 0 shows all at once (default: 240)",
  readWhole,
);

/** `demo`. */
export const DEMO: CommandAction = {
  flags: [OPEN, PACE, HOST, PORT],
  async run({ values }, session) {
    const dir = recordDir();
    if (values.get(OPEN) === true) {
      const { serve } = await import("./serve.ts");
      values.add(OUT, archiveOf(dir));
      values.add(READ_ONLY, "");
      return await serve({ args: [], values }, session, `convenings/${basename(dir)}`);
    }
    const { io, json, quiet } = session;
    requirePermissions(io, { reads: [dir] });
    session.note(`A language model spoke this debate on 2026-11-23. Its record: ${dir}`);
    const pace = values.get(PACE) ?? (io.live && !json ? 240 : 0);
    if (!quiet) await play(dir, liveView(session), { pace, session });
    if (session.signal.aborted) return { code: 130, json: undefined, text: "" };
    const convening = await openConvening(dir);
    takeUp(convening, session);
    return finish(convening.result, session);
  },
};

function recordDir(): string {
  const { dirname } = import.meta;
  if (dirname !== undefined) return join(dirname, "../../..", RECORD);
  throw new ConveningError(
    "not_found",
    "Cannot play the debate: its record is not with the program",
    {
      hint: `Run the program from a checkout, which has ${RECORD}.`,
    },
  );
}

/** Shows the record's events; the words of a turn come one by one. */
async function play(
  dir: string,
  { progress, end }: LiveView,
  { pace, session: { signal } }: { readonly pace: number; readonly session: Session },
): Promise<void> {
  try {
    for await (const event of loggedEvents(dir, { signal })) {
      if (pace > 0 && event.type === "message") {
        const { message: turn, at } = event;
        for (const [text] of turn.body.matchAll(/\s*\S+/g)) {
          progress.take({ type: "message-delta", n: 0, at, turn, text });
          await wait(60_000 / pace, undefined, { signal });
        }
      }
      progress.take(event);
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    end();
  }
}
