// Queue, limits and budget in Redis pass the contracts and survive restarts and loss of data.
import assert from "node:assert/strict";
import { join } from "@std/path";
import {
  checkArchive,
  claimArchive,
  connectRedis,
  hasLocalLocks,
} from "../../src/studies/redis.ts";
import { RedisBudget, RedisLimits } from "../../src/studies/redis_limits.ts";
import { queuedStudies, RedisQueue } from "../../src/studies/redis_queue.ts";
import type { Cell } from "../../src/studies/study.ts";
import {
  cellsOf,
  studyBudgetContract,
  studyLimitsContract,
  studyQueueContract,
} from "./support/queue_contract.ts";
import { HAS_REDIS, type RedisServer, redisTest, startRedis } from "./support/redis_server.ts";

const TIMES = { lock: 2000, later: 20, look: 20 };

const declare = (name: string, fn: () => Promise<void>) =>
  Deno.test({ name, ignore: !HAS_REDIS, fn });

studyQueueContract("RedisQueue", async () => {
  const server = await startRedis();
  return {
    open: (cells) => queueOn(server, cells),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}, declare);

studyLimitsContract("RedisLimits", async (rates) => {
  const server = await startRedis();
  const { client } = await server.connect();
  return {
    limits: new RedisLimits(client, rates),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}, declare);

studyBudgetContract("RedisBudget", async (limit, recorded) => {
  const server = await startRedis();
  const { client } = await server.connect();
  return {
    budget: new RedisBudget(client, {
      study: "s",
      limit,
      recorded: () => Promise.resolve(recorded),
    }),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}, declare);

const never = new AbortController().signal;

/** Opens a study's queue on a server with a separate connection, as each process has. */
async function queueOn(server: RedisServer, cells: readonly Cell[]): Promise<RedisQueue> {
  const byKey = new Map(cells.map((cell) => [cell.key, cell]));
  const cellOf = (key: string) => Promise.resolve(byKey.get(key));
  return new RedisQueue(await server.connect(), { study: "s", cellOf, times: TIMES });
}

redisTest(
  "Two workers share the cells, and a run that takes none waits for them",
  async (server) => {
    const cells = cellsOf(30);
    const producer = await queueOn(server, cells);
    await producer.enqueue(cells);
    const { client } = await server.connect();
    assert.deepEqual(await queuedStudies(client), ["s"]);
    const held: number[][] = [[], []];
    const workers = held.map(async (list) => {
      const queue = await queueOn(server, cells);
      await queue.run(async ({ seed }) => {
        list.push(seed);
        await new Promise((resolve) => setTimeout(resolve, 5));
        return "done";
      }, { concurrency: 2, signal: never });
      await queue.close();
    });
    const none = () => Promise.reject(new Error("a cell was taken"));
    await producer.run(none, { concurrency: 0, signal: never });
    assert.equal(new Set(held.flat()).size, 30);
    assert.equal(held.flat().length, 30);
    assert.ok(held.every((list) => list.length > 0));
    await Promise.all(workers);
    await producer.unlist();
    assert.deepEqual(await queuedStudies(client), []);
    await producer.close();
  },
);

redisTest(
  "A stop reaches the workers of every machine; new cells let them go on",
  async (server) => {
    const cells = cellsOf(4);
    const producer = await queueOn(server, cells);
    await producer.enqueue(cells);
    const begun = Promise.withResolvers<void>();
    const worker = await queueOn(server, cells);
    const run = worker.run(async (_, signal) => {
      begun.resolve();
      await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
      return "later";
    }, { concurrency: 2, signal: never });
    await begun.promise;
    await producer.stop();
    await run;
    assert.deepEqual(await producer.counts(), { waiting: 4, active: 0 });
    // A worker that joins a stopped study takes nothing.
    await worker.run(() => Promise.reject(new Error("a cell was taken")), {
      concurrency: 1,
      signal: never,
    });
    assert.deepEqual(await producer.counts(), { waiting: 4, active: 0 });
    for (const queue of [worker, producer]) await queue.close();
  },
);

redisTest(
  "A Redis that loses its data loses no cell: the run queues them again",
  async (server) => {
    const cells = cellsOf(8);
    const done = new Set<number>();
    const producer = await queueOn(server, cells);
    await producer.enqueue(cells);
    const worker = await queueOn(server, cells);
    const hold = ({ seed }: Cell) => Promise.resolve(done.add(seed) && "done" as const);
    await worker.run(async (cell, signal) => {
      if (done.size < 3) return await hold(cell);
      await server.restartEmpty();
      await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
      return "later";
    }, { concurrency: 1, signal: AbortSignal.timeout(1500) });
    assert.equal(done.size, 3);
    assert.deepEqual(await producer.counts(), { waiting: 0, active: 0 });
    await producer.enqueue(cells.filter(({ seed }) => !done.has(seed)));
    await worker.run(hold, { concurrency: 2, signal: never });
    assert.equal(done.size, 8);
    for (const queue of [worker, producer]) await queue.close();
  },
);

redisTest("A run whose signal has aborted ends although Redis does not answer", async (server) => {
  const worker = await queueOn(server, []);
  await server.kill();
  const none = () => Promise.reject(new Error("a cell was taken"));
  await worker.run(none, { concurrency: 1, signal: AbortSignal.abort() });
  await server.start();
  await worker.close();
});

redisTest("A budget whose sum is lost is restored from the records", async (server) => {
  const { client } = await server.connect();
  let recorded = 0;
  const budget = new RedisBudget(client, {
    study: "s",
    limit: 100,
    recorded: () => Promise.resolve(recorded),
  });
  assert.ok(await budget.reserve("a", 60));
  await budget.settle("a", 60);
  recorded = 60;
  await server.restartEmpty();
  assert.equal(await budget.spent(), 60);
  assert.ok(!await budget.reserve("b", 50));
  assert.ok(await budget.reserve("b", 40));
  await budget.settle("b", 40);
  // Attempts of killed workers are not in a record but stay counted.
  await budget.recount();
  assert.equal(await budget.spent(), 100);
});

redisTest(
  "A server that is away or refuses is an error at once, without the password",
  async (server) => {
    const secret = {
      message: /^Cannot use queue: Redis at redis:\/\/127\.0\.0\.1:\d+ .*$/,
      field: "queue",
    };
    const wrong = server.url.replace("change-password", "s3cret");
    await assert.rejects(connectRedis(wrong), secret);
    await server.kill();
    await assert.rejects(connectRedis(server.url), secret);
    await server.start();
    (await connectRedis(server.url)).close();
    for (const url of ["localhost:6379", "http://127.0.0.1/", "redis://", ""]) {
      await assert.rejects(connectRedis(url), { code: "config_invalid", field: "queue" }, url);
    }
  },
);

redisTest("The user of workers may do what they do, and nothing else", async (server) => {
  const cells = cellsOf(2);
  const queue = await queueOn(server, cells);
  await queue.enqueue(cells);
  await queue.run(() => Promise.resolve("done"), { concurrency: 1, signal: never });
  await queue.close();
  const { client } = await server.connect();
  await assert.rejects(client.get("strange"), /NOPERM/);
  await assert.rejects(client.eval("return redis.call('FLUSHALL')", 0), /can't run this command/);
});

redisTest("A Redis is of one archive, which every worker must have", async (server) => {
  const connection = await server.connect();
  const root: string = await Deno.makeTempDir();
  const [archive, other, empty] = ["archive", "other", "empty"].map((name) => join(root, name));
  await Deno.mkdir(empty!);
  assert.equal(await checkArchive(connection, empty!), false);
  await claimArchive(connection, archive!);
  await claimArchive(connection, archive!);
  assert.equal(await checkArchive(connection, archive!), true);
  const refused = { code: "config_invalid", field: "archive", message: /an archive other than/ };
  await assert.rejects(claimArchive(connection, other!), refused);
  await assert.rejects(checkArchive(connection, empty!), { ...refused, hint: /Mount the folder/ });
  await server.restartEmpty();
  await claimArchive(connection, archive!);
  assert.equal(await checkArchive(connection, archive!), true);
  await Deno.remove(root, { recursive: true });
});

Deno.test("hasLocalLocks() reads the mount of a path", () => {
  const mounts = [
    "/dev/vda1 / ext4 rw,relatime 0 0",
    "host:/a /mnt/my\\040archive nfs4 rw,vers=4.2,local_lock=none 0 0",
    "host:/b /mnt/local nfs rw,vers=3,local_lock=flock 0 0",
    "host:/c /mnt/local/inner nfs4 rw,local_lock=none,addr=10.0.0.1 0 0",
    "host:/d /mnt/old nfs rw,nolock 0 0",
  ].join("\n");
  const found = (path: string) => hasLocalLocks(mounts, path);
  assert.deepEqual(["/mnt/local", "/mnt/local/x", "/mnt/old/x"].map(found), [true, true, true]);
  const fine = ["/", "/home/x", "/mnt/my archive/x", "/mnt/local/inner/x", "/mnt/locals"];
  assert.deepEqual(fine.map(found), fine.map(() => false));
  assert.equal(hasLocalLocks("", "/x"), false);
});
