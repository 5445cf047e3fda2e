// Worker of studies: takes cells from a shared Redis queue and runs their convenings in the shared archive.
import { basename, join, resolve } from "@std/path";
import { z } from "zod";
import { callable, checkFields } from "../core/check_fields.ts";
import { pause } from "../core/clock.ts";
import { RecordError } from "../core/error.ts";
import { ADDRESS_SETTINGS } from "../core/key_rules.ts";
import { defined } from "../core/values.ts";
import { importPackage } from "../inputs/servers.ts";
import { AGAIN, withRecordErrors } from "../record/problems.ts";
import { checkWritable, openStudy, QUEUED, STOP, STUDIES, studyFolder } from "../studies/folder.ts";
import { type CellEnd, orAborted, runQueue } from "../studies/queue.ts";
import {
  connectRedis,
  queuedStudies,
  type RedisConnection,
  RedisQueue,
  type RedisQueueTimes,
} from "../studies/redis.ts";
import { checkArchive, RedisValues } from "../studies/shared_archive.ts";
import { CONCURRENCY } from "../studies/study.ts";
import type { StudyPlanOptions } from "./study_plan.ts";
import { cellHolder, limitsOf } from "./study_cell.ts";

/** A progress note of a worker. */
export type WorkerNote =
  | { readonly type: "begin"; readonly study: string; readonly cell: string }
  | { readonly type: "end"; readonly study: string; readonly cell: string; readonly end: CellEnd }
  /** A convening failed, a study cannot be read, or Redis does not answer. */
  | {
    readonly type: "problem";
    readonly study?: string;
    readonly cell?: string;
    readonly message: string;
  };

/** Options of {@linkcode runWorker}. */
export interface WorkerOptions
  extends Pick<StudyPlanOptions, "catalogue" | "env" | "allowBaseUrls"> {
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
  allowBaseUrls: z.array(z.string()).optional(),
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
    onProblem: (message) => onNote?.({ type: "problem", message }),
    importPackage,
  });
  const listed = async () =>
    await checkArchive(connection, archive) ? await queuedStudies(connection) : [];
  const problems = new Map<string, string>();
  const work = async () => {
    let held = 0;
    // An abort ends the worker even while Redis does not answer.
    for (const study of await orAborted(listed(), signal) ?? []) {
      try {
        held += await workOn(connection, join(archive, STUDIES, study), { ...options, signal });
        problems.delete(study);
      } catch (error) {
        if (!(error instanceof RecordError)) throw error;
        // The folder may appear later: a file server shows a new one after some seconds.
        const { message, hint } = error;
        if (problems.get(study) !== message) {
          onNote?.({ type: "problem", study, message: `${message}. ${hint}` });
        }
        problems.set(study, message);
      }
    }
    return held;
  };
  try {
    while (!signal.aborted) {
      const held = await work().catch((error) => connection.wait(error).then(() => 0));
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
  { signal, catalogue, env, allowBaseUrls, onNote = () => {}, ...options }: WorkerOptions & {
    readonly signal: AbortSignal;
  },
): Promise<number> {
  const study = basename(dir);
  const { files } = studyFolder(dir);
  // The next run of the study removes the file.
  const isStopAsked = async () => await files.stat(join(dir, STOP)) !== undefined;
  await using queue = new RedisQueue(connection, study, options.times, isStopAsked);
  let held = 0;
  if (await orAborted(queue.stoppedFor(), signal) !== undefined) return held;
  const on = await openStudy(dir);
  await withRecordErrors(() => checkWritable(on), AGAIN);
  const unwritable = new AbortController();
  const hold = cellHolder(on, {
    ...defined({ catalogue, env, allowBaseUrls }),
    untrusted: ADDRESS_SETTINGS,
    limits: limitsOf(new RedisValues(connection, signal), on, {
      onWait: (message) => onNote({ type: "problem", study, message }),
    }),
    exclusive: true,
    onFailure({ key, code, message }) {
      onNote({ type: "problem", study, cell: key, message });
      // Other cells would fail too; the next look checks the folder.
      if (code === "record_unwritable") unwritable.abort();
    },
    // Stop the study at all workers: the remaining convenings need a run with a higher budget.
    // A stop that fails is asked for again by the next convening that the budget ends.
    onBudget: () =>
      void queue.stop("budget").catch((error) => connection.wait(error))
        .catch(() => {}),
  });
  const { concurrency = on.study.concurrency ?? CONCURRENCY } = options;
  await runQueue(queue, on, async (cell, over) => {
    held++;
    onNote({ type: "begin", study, cell: cell.key });
    const end = await hold(cell, over);
    onNote({ type: "end", study, cell: cell.key, end });
    return end;
  }, { concurrency, signal: AbortSignal.any([signal, unwritable.signal]) });
  if (await orAborted(queue.isOver(), signal) === true) {
    await withRecordErrors(() => files.remove(join(dir, QUEUED)), AGAIN);
  }
  await orAborted(queue.unlist(), signal);
  return held;
}
