import { z } from "zod";
import { RecordError } from "../../core/error.ts";
import { isHeld } from "../convening_standing.ts";
import { stateData } from "../running.ts";
import { ID } from "../tool_input.ts";
import { defineWriter } from "../writer.ts";
import { statusOf } from "./status.ts";

/** Stops a run of this process. */
export const STOP = defineWriter({
  name: "stop",
  title: "Stop a convening",
  about:
    "Breaks off a convening that this server runs, or takes it out of the line, and waits until its record is let go of; turns in flight are lost, resume goes on. Where no process runs it, nothing changes; one that another process runs can only be paused.",
  input: z.strictObject({ id: ID }),
  async call({ id }, { context }, { pool }) {
    const dir = await context.dirOf(id);
    const run = pool.run(id);
    if (run !== undefined && !run.feed.ended) {
      run.stop();
      return { data: { asked: true, id, ...stateData(await run.ended) } };
    }
    if (await isHeld(dir)) {
      throw new RecordError("locked", `Cannot stop "${id}": another process runs it`, {
        field: "id",
        hint: "Pause it, or stop it where it runs.",
      });
    }
    return { data: { asked: false, ...await statusOf(context, id) } };
  },
});
