// The queue, rates and budget that the processes of a study share.
import type { StudyOnDisk } from "./folder.ts";
import { MICROS, type SharedLimits } from "./gate.ts";
import type { StudyQueue } from "./queue.ts";
import { connectRedis, type RedisConnection, type RedisOptions } from "./redis.ts";
import { RedisBudget, RedisLimits } from "./redis_limits.ts";
import { RedisQueue, type StopReason } from "./redis_queue.ts";
import { claimArchive } from "./shared_archive.ts";
import { CellStates } from "./status.ts";

/** A queue that workers of other processes share, with the rates and the budget of all of them. */
export interface SharedQueue extends StudyQueue {
  readonly shared: SharedLimits;
  stop(why?: StopReason): Promise<void>;
  /** Reason that the study was stopped for, by whichever process; undefined where it is not stopped. */
  stoppedFor(): Promise<StopReason | undefined>;
}

/**
 * The queue of a study that is run, with rates, budget and a connection of its own. Fails with `config_invalid` where Redis
 * does not answer or is of another archive, and where machines cannot share the archive.
 */
export async function sharedQueue(
  url: string,
  on: StudyOnDisk,
  options: RedisOptions = {},
): Promise<SharedQueue> {
  const { study: { study }, archive, cells } = on;
  const connection = await connectRedis(url, options);
  try {
    await claimArchive(connection, archive);
    const shared = sharedLimits(connection, on);
    await shared.budget.recount();
    const byKey = new Map(cells.map((cell) => [cell.key, cell]));
    const cellOf = (key: string) => Promise.resolve(byKey.get(key));
    const queue = new RedisQueue(connection, { study, cellOf, isAlone: true });
    return Object.assign(queue, { shared });
  } catch (error) {
    connection.close();
    throw error;
  }
}

/** Rates and budget of a study over all workers; the records restore what is spent where Redis lost the sum. */
export function sharedLimits(
  { client }: RedisConnection,
  on: StudyOnDisk,
): { readonly limits: RedisLimits; readonly budget: RedisBudget } {
  const { study, limits: { maxCost } = {}, rates = {} } = on.study;
  const recorded = async () => {
    const states = await (await CellStates.of(on)).read(on.cells);
    return states.reduce((sum, { costUsd }) => sum + costUsd, 0) * MICROS;
  };
  const limit = maxCost === undefined ? undefined : maxCost * MICROS;
  return {
    limits: new RedisLimits(client, rates),
    budget: new RedisBudget(client, { study, limit, recorded }),
  };
}
