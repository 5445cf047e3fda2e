import { stopForClient } from "../../operations/pause.ts";
import { z } from "zod";
import { ID } from "../tool_input.ts";
import { defineWriter } from "../writer.ts";
import { standing } from "./status.ts";

/** Stops a run of this process. */
export const STOP = defineWriter({
  name: "stop",
  title: "Stop a convening",
  about:
    "Breaks off a convening that this server runs, or takes it out of the line, and waits until its record is let go of; turns in flight are lost, resume goes on. Where no process runs it, `held` is false and nothing changes; one that another process runs can only be paused.",
  input: z.strictObject({ id: ID }),
  async call({ id }, { context }, runs) {
    const { held, ended } = await stopForClient(runs, await context.dirOf(id));
    await ended;
    const { data, words } = await standing(context, id);
    return { data: { ...data, held }, words };
  },
});
