import { stopRemote } from "../../operations/remote_acts.ts";
import { emptyRequest } from "../../operations/remote_requests.ts";
import { ID } from "../tool_input.ts";
import { defineWriter } from "../writer.ts";
import { standing } from "./status.ts";

/** Stops a run of this process. */
export const STOP = defineWriter({
  name: "stop",
  title: "Stop a convening",
  about:
    "Breaks off a convening that this server runs, or takes it out of the line, and waits until its record is let go of; turns in flight are lost, resume goes on. Where no process runs it, `held` is false and nothing changes; one that another process runs can only be paused.",
  input: emptyRequest.extend({ id: ID }),
  async call({ id }, { context }, runs) {
    const { held, ended } = await stopRemote(runs, await context.dirOf(id));
    await ended;
    const { data, words } = await standing(context, id);
    return { data: { ...data, held }, words };
  },
});
