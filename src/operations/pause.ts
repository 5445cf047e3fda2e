// Pauses and stops a convening for a client of a server.
import { z } from "zod";
import { RecordError } from "../core/error.ts";
import { pauseConvening } from "./attending.ts";
import { dirOf, idOf } from "./convening_dir.ts";
import {
  type ClientRuns,
  ID,
  OF_CONVENING,
  type Operation,
  operation,
  type OperationContext,
} from "./operation.ts";
import { heldOutput } from "./outputs.ts";
import { standingOf } from "./standing_json.ts";
import { untilReleased } from "./watching.ts";

const shared = {
  tags: ["convenings"],
  method: "post",
  writes: true,
  input: z.strictObject({ id: ID }),
  output: heldOutput,
  status: ({ held }: { readonly held: boolean }) => held ? 202 : 200,
} as const;

/** `POST /api/convenings/{id}/pause`. */
export const PAUSE: Operation = operation({
  ...shared,
  name: "pause",
  summary: "Pauses a running convening after the current turns; resume continues it.",
  path: "/api/convenings/{id}/pause",
  tool: {
    title: "Pause a convening",
    about:
      "Has whoever runs a convening finish the turns in flight and let go of it; resume goes on. Where no process runs it, `held` is false and nothing changes.",
  },
  errors: OF_CONVENING,
  answers: { 200: "No process runs the convening.", 202: "The current turns end first." },
  async run(context: OperationContext, { id }) {
    const dir = await dirOf(context, id);
    const { held } = await pauseForClient(context, dir);
    return { ...await standingOf(context, dir), held };
  },
});

/** `POST /api/convenings/{id}/stop`. */
export const STOP: Operation = operation({
  ...shared,
  name: "stop",
  summary:
    "Stops a convening of this server early, or takes it out of the queue; resume continues it.",
  path: "/api/convenings/{id}/stop",
  tool: {
    title: "Stop a convening",
    about:
      "Breaks off a convening that this server runs, or takes it out of the line, and waits until its record is let go of; turns in flight are lost, resume goes on. Where no process runs it, `held` is false and nothing changes; one that another process runs can only be paused.",
    waits: "always",
  },
  errors: [...OF_CONVENING, "locked"],
  answers: { 200: "No process runs the convening.", 202: "The convening stops." },
  async run(context: OperationContext, { id }) {
    const dir = await dirOf(context, id);
    const run = context.pool.liveRun(idOf(dir));
    run?.stop();
    if (run === undefined && await untilReleased(dir, { within: 0 })) {
      throw new RecordError("locked", `Cannot stop ${dir}: another process runs it`, {
        field: "id",
        hint: "Pause it, or stop it where it runs.",
      });
    }
    return { ...await standingOf(context, dir), held: run !== undefined };
  },
});

/** Asks the process that runs a convening to pause it after the current turns; gives whether a process runs it. */
export async function pauseForClient(
  { pool }: Pick<ClientRuns, "pool">,
  dir: string,
): Promise<{ readonly held: boolean }> {
  const run = pool.liveRun(idOf(dir));
  run?.pause();
  return { held: run !== undefined || (await pauseConvening(dir)).held };
}
