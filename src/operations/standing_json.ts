// The state of a convening, as JSON.
import type { Status } from "../core/fact.ts";
import { recordFiles } from "../record/disk_files.ts";
import { heldStatus } from "../record/list.ts";
import { readMetadata } from "../record/read.ts";
import type { PooledRun } from "./active_run.ts";
import { linksOf } from "./operation.ts";
import type { StateJson } from "./outputs.ts";
import type { RunPool } from "./run_pool.ts";
import { idOf } from "./convening_dir.ts";

/** The state of a convening as programs see it: the recorded status, or `queued` or `interrupted`. */
export type ShownStatus = Status | "queued" | "interrupted" | "unreadable";

/** The JSON of a run of this process that has just been started or asked for something. */
export function runJson(run: PooledRun): StateJson & { readonly id: string } {
  const { id, state } = run;
  return state.state === "queued"
    ? { id, status: "queued", queuePosition: state.position }
    : { id, status: statusOfRun(run), queuePosition: null };
}

function statusOfRun({ state }: PooledRun): StateJson["status"] {
  if (state.state === "ended") return state.result.status;
  return state.state;
}

/** The state of a convening, by its record and by the runs of this process; without a pool there are none. */
export async function standingJson(
  { pool }: { readonly pool?: RunPool | undefined },
  dir: string,
  recorded: ShownStatus,
): Promise<StateJson> {
  const { state } = pool?.run(idOf(dir)) ?? {};
  if (state?.state === "queued") return { status: "queued", queuePosition: state.position };
  const here = recorded === "waiting" ? recorded : "running";
  const status = state?.state === "running"
    ? here
    : await heldStatus(recordFiles(dir), dir, recorded);
  // Another process may have resumed a run that failed here.
  const isDown = status === "failed" || status === "interrupted";
  const error = isDown && state?.state === "failed" ? state.error.toJSON() : undefined;
  return {
    status,
    queuePosition: null,
    ...error === undefined ? {} : { error: { code: error.code, message: error.message } },
  };
}

/** The state of a convening after an act, with links. */
export async function standingOf(
  context: { readonly pool: RunPool },
  dir: string,
): Promise<StateJson & { readonly id: string; readonly links: Readonly<Record<string, string>> }> {
  const { progress } = await readMetadata(recordFiles(dir), dir);
  const id = idOf(dir);
  return { id, ...await standingJson(context, dir, progress.status), links: linksOf(id) };
}
