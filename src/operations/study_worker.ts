// Worker of studies: takes cells from a shared Redis queue and runs their convenings in the shared archive.
import { basename, join, resolve } from "@std/path";
import { z } from "zod";
import { callable, checkFields } from "../core/check_fields.ts";
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

/** A progress note of a worker. */
export type WorkerNote =
  | { readonly type: "begin"; readonly study: string; readonly cell: string }
  | { readonly type: "end"; readonly study: string; readonly cell: string; readonly end: CellEnd }
  /** A convening failed, a study cannot be read, or Redis does not answer. */
  | { readonly type: "problem"; readonly study?: string; readonly message: string };

/** Options of {@linkcode runWorker}. */
export interface WorkerOptions extends Pick<StudyPlanOptions, "catalogue" | "env"> {
  /** URL of the Redis, such as `redis://USER:PASSWORD@HOST:6379`. */
  readonly queue: string;
  /** Folder of the archive that all workers of the Redis share. */
  readonly archive: string;
  /** Maximum number of concurrent convenings. @default the study's, else 4 */
  readonly concurrency?: number | undefined;
  /** Ends the worker: each convening pauses after its next message and returns to the queue. @default no end */
  readonly signal?: AbortSignal | undefined;
  /** Called for each note. @default none */
  readonly onNote?: ((note: WorkerNote) => void) | undefined;
  /** Times of the queue in milliseconds. @default lock 30 s, retry of a locked record 5 s, poll 1 s */
  readonly times?: RedisQueueTimes | undefined;
}

const WORKER_OPTIONS = z.strictObject({
  queue: z.string(),
  archive: z.string(),
  concurrency: z.int().min(1).max(1000).optional(),
  signal: z.instanceof(AbortSignal).optional(),
  onNote: callable.optional(),
  times: z.looseObject({}).optional(),
  catalogue: z.unknown().optional(),
  env: callable.optional(),
});

/**
 * Runs the cells of the studies in a Redis queue, oldest study first, and waits for more until `signal` aborts. Throws
 * `config_invalid` if Redis does not answer or belongs to another archive, and the errors of a study's queue.
 */
export async function runWorker(options: WorkerOptions): Promise<void> {
  const { queue, signal = new AbortController().signal, onNote, times } = checkFields(
    options,
    WORKER_OPTIONS,
    "options of runWorker",
  );
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
      // An abort ends the worker even while Redis does not answer.
      for (const id of await orAborted(listed(), signal) ?? []) {
        held += await workOn(connection, join(archive, STUDIES, id), { ...options, signal });
      }
      if (held === 0) await pause(times?.look ?? 1000, signal).catch(() => {});
    }
  } finally {
    connection.close();
  }
}

/** Runs cells of one study until none is left, the study is stopped or the worker ends; returns their number. */
async function workOn(
  connection: RedisConnection,
  dir: string,
  options: WorkerOptions & { readonly signal: AbortSignal },
): Promise<number> {
  const study = basename(dir);
  const { signal, times, onNote = () => {} } = options;
  let plan: Plan | undefined;
  // Read the plan again for an unknown key: the study may have been extended.
  const cellOf = async (key: string): Promise<Cell | undefined> =>
    plan?.cells.get(key) ?? (plan = await read()).cells.get(key);
  const { files } = studyFolder(dir);
  // Do not remove the file: the next run of the study does.
  const isStopAsked = async () => await files.stat(join(dir, STOP)) !== undefined;
  const queue = new RedisQueue(connection, { study, cellOf, times, isStopAsked });
  const read = (): Promise<Plan> =>
    readPlan(dir, connection, { ...options, onBudget: () => queue.stop("budget") });
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
    // Remove a study with an unreadable folder from the queue; the next run of the study adds it again.
    if (!(error instanceof RecordError)) throw error;
    onNote({ type: "problem", study, message: error.message });
    await orAborted(queue.unlist({ always: true }), signal);
  } finally {
    await queue.close();
  }
  return held;
}

/** The cells of a study, and the function that runs them. */
interface Plan {
  readonly cells: ReadonlyMap<string, Cell>;
  readonly hold: HoldCell;
  readonly concurrency: number;
}

async function readPlan(
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
      // Stop the study at all workers: the remaining convenings need a run with a higher budget.
      onBudget: () => void onBudget().catch((error) => problem(String(error))),
    }),
    concurrency: on.study.concurrency ?? CONCURRENCY,
  };
}
