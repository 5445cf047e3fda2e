// A worker of studies: takes cells from a Redis that machines share, and holds their convenings in the shared archive.
import { basename, join, resolve } from "@std/path";
import { pause } from "../core/clock.ts";
import { defined } from "../core/values.ts";
import { RecordError } from "../core/error.ts";
import { importPackage } from "../inputs/servers.ts";
import { openStudy, STOP, STUDIES, studyFolder } from "../studies/folder.ts";
import type { CellEnd, HoldCell } from "../studies/queue.ts";
import { checkArchive, connectRedis, type RedisConnection } from "../studies/redis.ts";
import {
  orAborted,
  queuedStudies,
  RedisQueue,
  type RedisQueueTimes,
  sharedLimits,
} from "../studies/redis_queue.ts";
import { type Cell, CONCURRENCY } from "../studies/study.ts";
import type { StudyPlanOptions } from "./study_plan.ts";
import { cellHolder } from "./study_run.ts";

/** A step of a worker. */
export type WorkerNote =
  | { readonly type: "begin"; readonly study: string; readonly cell: string }
  | { readonly type: "end"; readonly study: string; readonly cell: string; readonly end: CellEnd }
  /** A convening that failed, a study that cannot be read, or a Redis that does not answer. */
  | { readonly type: "problem"; readonly study?: string; readonly message: string };

/** Options of {@linkcode runWorker}. */
export interface WorkerOptions extends Pick<StudyPlanOptions, "catalogue" | "env"> {
  /** URL of the Redis, such as `redis://USER:PASSWORD@HOST:6379`. */
  readonly queue: string;
  /** Folder of the archive, which all workers of the Redis share. */
  readonly archive: string;
  /** Convenings at once. @default the study's, else 4 */
  readonly concurrency?: number | undefined;
  /** Ends the worker: each convening pauses after its next message and goes back to the queue. @default it does not end */
  readonly signal?: AbortSignal | undefined;
  /** Called with each step. @default nothing is called */
  readonly onNote?: ((note: WorkerNote) => void) | undefined;
  /** Times of the queue in milliseconds. @default 30 s for a lock, 5 s for a record that is held, 1 s between looks */
  readonly times?: RedisQueueTimes | undefined;
}

/**
 * Works on the studies that are queued at a Redis, the oldest first, and waits for more until `signal` aborts. Fails with
 * `config_invalid` where Redis does not answer or is of another archive, and as a study's queue does.
 */
export async function runWorker(options: WorkerOptions): Promise<void> {
  const { queue, signal = new AbortController().signal, onNote, times } = options;
  const archive = resolve(options.archive);
  const connection = await connectRedis(queue, {
    onLost: (message) => onNote?.({ type: "problem", message }),
    importPackage,
  });
  const listed = async () =>
    await checkArchive(connection, archive) ? await queuedStudies(connection.client) : [];
  try {
    while (!signal.aborted) {
      let held = 0;
      // While Redis does not answer, an abort still ends the worker.
      for (const id of await orAborted(listed(), signal) ?? []) {
        held += await workOn(connection, join(archive, STUDIES, id), { ...options, signal });
      }
      if (held === 0) await pause(times?.look ?? 1000, signal).catch(() => {});
    }
  } finally {
    connection.close();
  }
}

/** Holds cells of one study until none is left, the study is stopped or the worker ends; gives their number. */
async function workOn(
  connection: RedisConnection,
  dir: string,
  options: WorkerOptions & { readonly signal: AbortSignal },
): Promise<number> {
  const study = basename(dir);
  const { signal, times, onNote = () => {} } = options;
  let plan: Plan | undefined;
  // A plan that lacks the key may have been extended.
  const cellOf = async (key: string): Promise<Cell | undefined> =>
    plan?.cells.get(key) ?? (plan = await read()).cells.get(key);
  const { files } = studyFolder(dir);
  // The next run of the study removes the file.
  const isStopAsked = async () => await files.stat(join(dir, STOP)) !== undefined;
  const queue = new RedisQueue(connection, { study, cellOf, times, isStopAsked });
  const read = (): Promise<Plan> =>
    planIn(dir, connection, { ...options, onBudget: () => queue.stop("budget") });
  let held = 0;
  try {
    plan = await read();
    const { concurrency = plan.concurrency } = options;
    await queue.run(async (cell, over) => {
      held++;
      onNote({ type: "begin", study, cell: cell.key });
      const end = await plan!.hold(cell, over);
      onNote({ type: "end", study, cell: cell.key, end });
      return end;
    }, { concurrency, signal });
    await orAborted(queue.unlist(), signal);
  } catch (error) {
    // A study whose folder cannot be read is left until it is run again.
    if (!(error instanceof RecordError)) throw error;
    onNote({ type: "problem", study, message: error.message });
    await orAborted(queue.unlist({ always: true }), signal);
  } finally {
    await queue.close();
  }
  return held;
}

/** The plan of a study with what holds its cells. */
interface Plan {
  readonly cells: ReadonlyMap<string, Cell>;
  readonly hold: HoldCell;
  readonly concurrency: number;
}

async function planIn(
  dir: string,
  connection: RedisConnection,
  { catalogue, env, onNote, onBudget }: WorkerOptions & {
    readonly onBudget: () => Promise<void>;
  },
): Promise<Plan> {
  const on = await openStudy(dir);
  const study = basename(dir);
  const problem = (message: string) => onNote?.({ type: "problem", study, message });
  return {
    cells: new Map(on.cells.map((cell) => [cell.key, cell])),
    hold: cellHolder(on, {
      ...defined({ catalogue, env }),
      shared: sharedLimits(connection, on),
      exclusive: true,
      onFailure: ({ message }) => problem(message),
      // The rest of the budget is for a run with a higher limit.
      onBudget: () => void onBudget().catch((error) => problem(String(error))),
    }),
    concurrency: on.study.concurrency ?? CONCURRENCY,
  };
}
