// Studies: many convenings by a plan, run, stopped and resumed.
import { join, resolve } from "@std/path";
import { defined } from "../core/defined.ts";
import { ConfigurationError } from "../core/error.ts";
import { FileError } from "../core/files.ts";
import { importPackage } from "../inputs/servers.ts";
import { EmbeddedQueue } from "../studies/embedded_queue.ts";
import { lockStudy, openStudy, settlePlan, STOP, type StudyOnDisk } from "../studies/folder.ts";
import { isShared } from "../studies/shared_archive.ts";
import type { SharedQueue } from "../studies/shared_queue.ts";
import { CellStates, statusOf, type StudyStatus } from "../studies/status.ts";
import type { StudyConfig } from "../studies/study.ts";
import { planStudy, tryStudy } from "./study_plan.ts";
import { isOpen, type StudyResult, StudyRun, type StudyRunOptions } from "./study_run.ts";

/** A planned study's folder, and its plan once it is on disk. */
async function prepared(
  given: string | StudyConfig,
  options: StudyRunOptions,
): Promise<{
  readonly on: StudyOnDisk;
  readonly known: CellStates;
  readonly release: () => Promise<void>;
}> {
  const planned = await planStudy(given, options);
  const known = await CellStates.of(planned);
  const states = await known.read(planned.cells);
  // Before the plan is written: a written plan is never altered.
  if (states.some((state) => isOpen(state, options.retry))) {
    const workersHaveKeys = options.queue !== undefined && (options.concurrency ?? 0) === 0;
    await tryStudy(planned, { ...options, workersHaveKeys });
  }
  const lock = await lockStudy(planned);
  try {
    const { extend } = options;
    const cells = await settlePlan(
      planned,
      planned.study,
      defined({ cells: planned.cells, extend }),
    );
    await planned.files.remove(join(planned.dir, STOP));
    return { on: { ...planned, cells }, known, release: () => lock.release() };
  } catch (error) {
    await lock.release();
    throw error;
  }
}

/**
 * Runs a study: holds every convening of its plan that has not ended, several at once, in `ARCHIVE/studies/ID`. Again, it
 * goes on. A failed convening does not stop the others. Fails with a `ConfigurationError` for a wrong or changed study,
 * and with `locked` where another process runs it.
 */
export async function runStudy(
  given: string | StudyConfig,
  options: StudyRunOptions = {},
): Promise<StudyResult> {
  const { queue: url, detach = false } = options;
  if (detach && url === undefined) {
    throw new ConfigurationError("Cannot use detach: the study has no queue", {
      field: "detach",
      hint: "Give the queue of workers, such as redis://127.0.0.1:6379.",
    });
  }
  const { on, known, release } = await prepared(given, options);
  try {
    const queue = url === undefined ? new EmbeddedQueue() : await sharedQueueOf(url, on);
    try {
      return await new StudyRun(on, { ...options, queue }, known).run();
    } finally {
      await queue.close();
    }
  } finally {
    await release();
  }
}

async function sharedQueueOf(url: string, on: StudyOnDisk): Promise<SharedQueue> {
  const { sharedQueue } = await import("../studies/shared_queue.ts");
  return await sharedQueue(url, on, { importPackage });
}

/** Holds the failed convenings of a study again, and those that have not ended. */
export async function retryStudy(dir: string, options: StudyRunOptions = {}): Promise<StudyResult> {
  return await runStudy(dir, { ...options, retry: true });
}

/** The standing of a study, from the directories of its convenings. Takes no lock, writes nothing. */
export async function studyStatus(dir: string): Promise<StudyStatus> {
  const on = await openStudy(resolve(dir));
  const states = await (await CellStates.of(on)).read(on.cells);
  const isRunning = await on.files.isLocked(join(on.dir, ".lock"));
  return statusOf(on, states, { isRunning });
}

/**
 * Asks the process that runs a study to stop, or the workers of an archive that is shared; true if there is a process, or
 * workers have convenings left. With the URL of a queue its Redis is asked. Each convening ends at its next message.
 */
export async function stopStudy(
  dir: string,
  { queue: url }: Pick<StudyRunOptions, "queue"> = {},
): Promise<boolean> {
  const on = await openStudy(resolve(dir));
  const { files, dir: path } = on;
  if (url !== undefined) {
    const queue = await sharedQueueOf(url, on);
    await queue.stop().finally(() => queue.close());
    return true;
  }
  const { isRunning, planned, done, failed } = await studyStatus(path);
  const hasLeft = done + failed < planned;
  if (!isRunning && !(hasLeft && await isShared(files, on.archive))) return false;
  try {
    await files.write(join(path, STOP), "");
  } catch (error) {
    if (!(error instanceof FileError) || error.problem !== "exists") throw error;
  }
  return true;
}
