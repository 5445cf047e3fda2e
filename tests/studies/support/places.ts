// Places of a study's queue and values, for tests that run in each: memory, and a Redis.
import { MemoryValues, type SharedValues } from "../../../src/studies/limits.ts";
import { MemoryQueue, type StudyQueue } from "../../../src/studies/queue.ts";
import { RedisQueue, type RedisQueueTimes } from "../../../src/studies/redis.ts";
import { RedisValues } from "../../../src/studies/shared_archive.ts";
import { type RedisServer, redisTest } from "./redis_server.ts";

/** A place of the queue of the study `s`, and of values. */
export interface Place {
  /** Returns the queue, as another process sees it. `later` is the delay before a retry in milliseconds. */
  queue(later?: number): Promise<StudyQueue>;
  values(): Promise<SharedValues>;
}

/** Opens the queue of the study `s` with a connection of its own, as each process has. */
export async function redisQueue(
  server: Pick<RedisServer, "connect">,
  times: RedisQueueTimes = {},
): Promise<RedisQueue> {
  return new RedisQueue(await server.connect(), "s", {
    lock: 2000,
    later: 20,
    look: 20,
    ...times,
  });
}

/** Declares a test for each place; the one with a Redis is skipped without redis-server. */
export function inEachPlace(name: string, test: (place: Place) => Promise<void>): void {
  Deno.test(`in memory, ${name}`, async () => {
    let queue: MemoryQueue | undefined;
    const values = new MemoryValues();
    await test({
      queue: (later = 10) => Promise.resolve(queue ??= new MemoryQueue(later)),
      values: () => Promise.resolve(values),
    });
  });
  redisTest(`in Redis, ${name}`, async (server) => {
    await test({
      queue: (later = 20) => redisQueue(server, { later }),
      values: async () => new RedisValues(await server.connect()),
    });
  });
}
