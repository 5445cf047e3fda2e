import { pauseForClient } from "../../operations/pause.ts";
import { z } from "zod";
import { ID } from "../tool_input.ts";
import { defineWriter } from "../writer.ts";
import { standing } from "./status.ts";

/** Pauses a convening. */
export const PAUSE = defineWriter({
  name: "pause",
  title: "Pause a convening",
  about:
    "Has whoever runs a convening finish the turns in flight and let go of it; resume goes on. Where no process runs it, `held` is false and nothing changes.",
  input: z.strictObject({ id: ID }),
  async call({ id }, { context }, runs) {
    const { held } = await pauseForClient(runs, await context.dirOf(id));
    const { data, words } = await standing(context, id);
    return { data: { ...data, held }, words };
  },
});
