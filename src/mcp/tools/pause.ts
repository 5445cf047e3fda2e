import { z } from "zod";
import { pauseConvening } from "../../library/attending.ts";
import { ID } from "../tool_input.ts";
import { defineWriter } from "../writer.ts";
import { statusOf } from "./status.ts";

/** Where there is something to pause. */
const GOING_ON: readonly string[] = ["queued", "running", "waiting"];

/** Pauses a convening. */
export const PAUSE = defineWriter({
  name: "pause",
  title: "Pause a convening",
  about:
    "Has whoever runs a convening finish the turns in flight and let go of it; resume goes on. Where no process runs it, nothing changes.",
  input: z.strictObject({ id: ID }),
  async call({ id }, { context }, { pool }) {
    const dir = await context.dirOf(id);
    const before = await statusOf(context, id);
    if (!GOING_ON.includes(String(before.status))) return { data: { asked: false, ...before } };
    const run = pool.run(id);
    const isOwn = run !== undefined && !run.feed.ended;
    if (isOwn) run.pause();
    const asked = isOwn || (await pauseConvening(dir)).held;
    return { data: { asked, ...await statusOf(context, id) } };
  },
});
