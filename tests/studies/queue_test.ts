// The queue of a study's cells: each cell runs once, and none is lost by a stop, an end or an error.
import assert from "node:assert/strict";
import { type CellEnd, type HoldCell, runQueue, type StudyQueue } from "../../src/studies/queue.ts";
import { Budget } from "../../src/studies/limits.ts";
import {
  connectRedis,
  queuedStudies,
  type RedisConnection,
  type RedisQueue,
} from "../../src/studies/redis.ts";
import { RedisValues } from "../../src/studies/shared_archive.ts";
import type { Cell } from "../../src/studies/study.ts";
import { inEachPlace, type Place, redisQueue } from "./support/places.ts";
import { redisTest } from "./support/redis_server.ts";

const never = new AbortController().signal;

/** Returns cells with keys of 16 digits, which look like numbers. */
function cellsOf(count: number): Cell[] {
  return Array.from({ length: count }, (_, at) => ({
    key: String(10 ** 15 + at),
    topic: "cars",
    format: "base",
    repeat: at + 1,
    seed: at,
  }));
}

const CELLS = cellsOf(25);
const KEYS = CELLS.map(({ key }) => key);

/** Adds the first cells to a queue. */
async function filled({ queue }: Place, count: number): Promise<StudyQueue> {
  const opened = await queue();
  await opened.enqueue(KEYS.slice(0, count));
  return opened;
}

async function run(queue: StudyQueue, hold: HoldCell, concurrency: number, signal = never) {
  const on = { study: { study: "s", base: { kind: "debate" } }, cells: CELLS };
  await runQueue(queue, on, hold, { concurrency, signal });
}

/** Returns the seeds of the cells that a run completes, sorted. */
async function completed(queue: StudyQueue): Promise<number[]> {
  const done: number[] = [];
  await run(queue, ({ seed }) => {
    done.push(seed);
    return Promise.resolve("done");
  }, 3);
  return done.toSorted((a, b) => a - b);
}

/** Resolves when the signal aborts. */
function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

inEachPlace("each cell is taken once, up to the concurrency limit, in order", async (place) => {
  const queue = await filled(place, 25);
  await filled(place, 25);
  const held: Cell[] = [];
  let [active, most] = [0, 0];
  await run(await place.queue(), async (cell) => {
    held.push(cell);
    most = Math.max(most, ++active);
    await new Promise((resolve) => setTimeout(resolve, 2));
    active--;
    return "done";
  }, 4);
  assert.deepEqual([active, most], [0, 4]);
  assert.deepEqual(held, CELLS);
  assert.deepEqual(await completed(queue), []);
});

inEachPlace("a cell whose record another process holds is tried again", async (place) => {
  const asked = new Map<string, number>();
  await run(await filled(place, 3), ({ key, seed }): Promise<CellEnd> => {
    const times = (asked.get(key) ?? 0) + 1;
    asked.set(key, times);
    return Promise.resolve(seed === 1 && times < 3 ? "later" : "done");
  }, 2);
  assert.deepEqual(CELLS.slice(0, 3).map(({ key }) => asked.get(key)), [1, 3, 1]);
});

inEachPlace("a cell that is tried again waits, and the others do not", async (place) => {
  const queue = await place.queue(1e9);
  await filled(place, 2);
  const [first = "", second = ""] = KEYS;
  assert.deepEqual(await queue.take(1), [first]);
  await queue.release(first, "later");
  assert.deepEqual(await queue.take(9), [second]);
  assert.deepEqual(await (await place.queue()).take(9), []);
  await queue.release(second, undefined);
  assert.deepEqual(await queue.take(9), [second]);
});

inEachPlace(
  "a run replaces the cells of an earlier one, except those that are taken",
  async (place) => {
    const queue = await filled(place, 3);
    await queue.take(1);
    await queue.enqueue([KEYS[3]!]);
    assert.deepEqual(await queue.take(9), [KEYS[3]!]);
    await queue.release(KEYS[3]!, "done");
    assert.deepEqual(await queue.take(9), []);
    await queue.release(KEYS[0]!, "done");
    assert.equal(await queue.take(9), undefined);
  },
);

inEachPlace("cells that an abort interrupts are free at once", async (place) => {
  const queue = await filled(place, 6);
  const ending = new AbortController();
  let begun = 0;
  await run(
    queue,
    async ({ seed }, signal) => {
      if (++begun === 3) ending.abort();
      if (seed === 0) return "done";
      await aborted(signal);
      return "later";
    },
    3,
    ending.signal,
  );
  assert.equal(begun, 3);
  assert.deepEqual((await queue.take(9))?.toSorted(), KEYS.slice(1, 6));
});

inEachPlace("a stop ends every run at the next message, until cells are added", async (place) => {
  const queue = await filled(place, 5);
  let begun = 0;
  await run(queue, async (_, signal) => {
    if (++begun === 2) await queue.stop("budget");
    await aborted(signal);
    throw signal.reason;
  }, 2);
  assert.deepEqual([begun, await queue.stoppedFor()], [2, "budget"]);
  assert.deepEqual(await completed(await place.queue()), []);
  assert.deepEqual(await completed(await filled(place, 5)), [0, 1, 2, 3, 4]);
  assert.equal(await queue.stoppedFor(), undefined);
});

inEachPlace("an error ends the run, frees the other cells and loses none", async (place) => {
  const failure = new Error("the disk is full");
  const failing = run(await filled(place, 4), async ({ seed }, signal) => {
    if (seed === 1) throw failure;
    await aborted(signal);
    return "later";
  }, 4);
  await assert.rejects(failing, failure);
  assert.deepEqual(await completed(await filled(place, 4)), [0, 1, 2, 3]);
});

inEachPlace("a cell that the plan lacks is an error by name", async ({ queue }) => {
  const opened = await queue();
  await opened.enqueue(["f".repeat(16)]);
  await assert.rejects(completed(opened), {
    code: "not_found",
    message: `Cannot run cell ${"f".repeat(16)}: the plan of the study s does not contain it`,
  });
});

redisTest("Two workers share the cells; a run that takes none waits for them", async (server) => {
  const connection = await server.connect();
  const producer = await redisQueue(server);
  const workers = [await redisQueue(server), await redisQueue(server)];
  await producer.enqueue(KEYS);
  assert.deepEqual(await queuedStudies(connection), ["s"]);
  const held: number[] = [];
  const begun = workers.map(() => Promise.withResolvers<void>());
  const working = workers.map((queue, at) =>
    run(queue, async ({ seed }) => {
      held.push(seed);
      begun[at]!.resolve();
      // No worker is done before each has a cell.
      await Promise.all(begun.map(({ promise }) => promise));
      return "done";
    }, 2)
  );
  await run(producer, () => Promise.reject(new Error("a cell was taken")), 0);
  await Promise.all(working);
  assert.deepEqual(held.toSorted((a, b) => a - b), CELLS.map(({ seed }) => seed));
  await producer.unlist();
  assert.deepEqual(await queuedStudies(connection), []);
  await producer.enqueue([KEYS[0]!]);
  await producer.unlist();
  assert.deepEqual(await queuedStudies(connection), ["s"]);
});

/** Returns the cells that a queue takes as soon as any is free. */
async function freed(queue: StudyQueue): Promise<readonly string[] | undefined> {
  for (;;) {
    const taken = await queue.take(9);
    if (taken?.length !== 0) return taken;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

redisTest(
  "The lease of a held cell is renewed although nothing is taken; the cell of a lost worker goes to another",
  async (server) => {
    const connection = await server.connect();
    const connect = () => Promise.resolve(connection);
    const worker = await redisQueue({ connect }, { lock: 6000 });
    const other = await redisQueue(server, { lock: 6000 });
    await worker.enqueue([KEYS[0]!]);
    assert.deepEqual(await worker.take(1), [KEYS[0]!]);
    const key = `convenings:q:study-s:s.${KEYS[0]!}:lock`;
    const left = async () =>
      Number(await connection.client.eval("return redis.call('PTTL', KEYS[1])", 1, key));
    for (let [before, now] = [0, await left()]; now <= before || before === 0;) {
      await new Promise((resolve) => setTimeout(resolve, 50));
      [before, now] = [now, await left()];
      assert.ok(now > 0, "the lease ended");
    }
    assert.deepEqual(await other.take(1), []);
    connection.close();
    assert.deepEqual(await freed(other), [KEYS[0]!]);
  },
);

redisTest("A worker that ends frees what it holds: cells to be tried later too", async (server) => {
  const worker = await redisQueue(server, { later: 1e9 });
  await worker.enqueue([KEYS[0]!, KEYS[1]!]);
  await worker.take(2);
  await worker.release(KEYS[0]!, "later");
  await worker[Symbol.asyncDispose]();
  const taken = await (await redisQueue(server)).take(9);
  assert.deepEqual(taken?.toSorted(), [KEYS[0]!, KEYS[1]!]);
});

/** Opens a queue that calls `onTake` with the number of each fetched cell, before the cell is fetched. */
async function watchedQueue(
  connection: RedisConnection,
  onTake: (count: number) => Promise<void> | void,
): Promise<RedisQueue> {
  const { Queue, Worker: Real } = connection.bull;
  let count = 0;
  const Worker = class extends Real {
    override async getNextJob(...args: Parameters<InstanceType<typeof Real>["getNextJob"]>) {
      await onTake(++count);
      return await super.getNextJob(...args);
    }
  };
  const watched = { ...connection, bull: { Queue, Worker } };
  return await redisQueue({ connect: () => Promise.resolve(watched) });
}

redisTest("Cells of a worker that ends while it takes cells are free", async (server) => {
  let ended: Promise<void> | undefined;
  const worker = await watchedQueue(await server.connect(), (count) => {
    if (count === 3) ended = worker[Symbol.asyncDispose]();
  });
  await worker.enqueue(KEYS);
  assert.equal((await worker.take(CELLS.length))?.length, 3);
  await ended;
  assert.equal((await (await redisQueue(server)).take(99))?.length, CELLS.length);
});

redisTest("Cells taken before Redis rejects a command are run", async (server) => {
  const problems: string[] = [];
  const connection = await server.connect((message) => problems.push(message));
  const fails = (name: string, message: string) => {
    throw Object.assign(new Error(message), { name });
  };
  const worker = await watchedQueue(connection, (count) => {
    if (count === 3) fails("ReplyError", "OOM command not allowed");
    // Another server answers at the address of Redis for a moment, in another protocol.
    if (count === 9) fails("ParserError", 'Protocol error, got "H" as reply type byte.');
  });
  await worker.enqueue(KEYS);
  assert.deepEqual(await worker.take(4), KEYS.slice(0, 2));
  assert.match(problems.join(), /^Cannot use queue: Redis at .* rejects commands, OOM .*\. Give /);
  assert.deepEqual(await worker.take(4), KEYS.slice(2, 6));
  assert.deepEqual(await worker.take(4), [KEYS[6]]);
});

redisTest(
  "A Redis whose memory is full makes workers wait, and a run fail by name",
  async (server) => {
    const problem = Promise.withResolvers<string>();
    const connection = await server.connect(problem.resolve);
    const queue = await redisQueue({ connect: () => Promise.resolve(connection) });
    await queue.enqueue([KEYS[0]!]);
    const budget = new Budget(new RedisValues(connection), {
      study: "s",
      recorded: () => Promise.resolve(0),
    });
    await server.admin("CONFIG SET maxmemory 1");
    await assert.rejects(
      queue.enqueue([]).catch((error) => Promise.reject(connection.refusalOf(error))),
      { code: "config_invalid", message: /^Cannot use queue: Redis at .* rejects commands, OOM / },
    );
    const reserved = budget.reserve("a/1", 1);
    assert.match(await problem.promise, /rejects commands, OOM [^.]*\. Give Redis more memory/);
    assert.deepEqual(await queue.take(1), []);
    await server.admin("CONFIG SET maxmemory 256mb");
    assert.equal(await reserved, true);
    assert.deepEqual(await queue.take(1), [KEYS[0]!]);
  },
);

redisTest("A later run ends the runs of workers that know the earlier one", async (server) => {
  const [producer, worker] = [await redisQueue(server), await redisQueue(server)];
  await producer.enqueue(KEYS);
  await run(worker, async (_, signal) => {
    await new Promise((resolve) => setTimeout(resolve, 2));
    await (await redisQueue(server)).enqueue(KEYS);
    // The worker of the earlier run cannot stop the later one.
    await worker.stop("stopped");
    await aborted(signal);
    return "later";
  }, 1);
  assert.equal(await producer.stoppedFor(), undefined);
  assert.equal((await completed(await redisQueue(server))).length, CELLS.length);
});

redisTest(
  "A Redis that loses its data loses no cell: the run queues them again",
  async (server) => {
    const producer = await redisQueue(server);
    await producer.enqueue(KEYS);
    const done = new Set<number>();
    await run(await redisQueue(server), async ({ seed }, signal) => {
      if (done.size === 3) {
        await server.restartEmpty();
        await aborted(signal);
        return "later";
      }
      done.add(seed);
      return "done";
    }, 1);
    assert.equal(done.size, 3);
    const left = CELLS.filter(({ seed }) => !done.has(seed));
    await producer.enqueue(left.map(({ key }) => key));
    assert.equal((await completed(await redisQueue(server))).length, left.length);
  },
);

redisTest(
  "A Redis that is killed and started again has the queue and the budget",
  async (server) => {
    const connection = await server.connect();
    const producer = await redisQueue(server);
    await producer.enqueue(KEYS);
    const recorded = () => Promise.reject(new Error("the budget is lost"));
    const spending = { study: "s", recorded: () => Promise.resolve(7) };
    await new Budget(new RedisValues(connection), spending).settle("a/1", 5);
    const done = new Set<number>();
    await run(await redisQueue(server), async ({ seed }) => {
      if (done.size === 3) {
        await server.kill();
        await server.start();
      }
      done.add(seed);
      return "done";
    }, 1);
    assert.equal(done.size, CELLS.length);
    const budget = new Budget(new RedisValues(connection), { study: "s", recorded });
    assert.equal(await budget.spent(), 12);
    await assert.rejects(connectRedis(server.url.replace(/\/\/.*@/, "//")), /NOAUTH/);
  },
);

redisTest("A run whose signal has aborted ends although Redis does not answer", async (server) => {
  const worker = await redisQueue(server);
  await worker.enqueue([KEYS[0]!]);
  const none = () => Promise.reject(new Error("a cell was taken"));
  await server.kill();
  await run(worker, none, 1, AbortSignal.abort());
  await run(worker, none, 1, AbortSignal.timeout(100));
});
