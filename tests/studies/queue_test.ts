// The queue of a study's cells: each cell runs once, and none is lost by a stop, an end or an error.
import assert from "node:assert/strict";
import { type CellEnd, type HoldCell, runQueue, type StudyQueue } from "../../src/studies/queue.ts";
import { queuedStudies } from "../../src/studies/redis.ts";
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

/** Adds the first cells to a queue. */
async function filled({ queue }: Place, count: number): Promise<StudyQueue> {
  const opened = await queue();
  await opened.enqueue(CELLS.slice(0, count).map(({ key }) => key));
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
  await run(await filled(place, 0), async (cell) => {
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
  assert.deepEqual((await queue.take(9))?.toSorted(), CELLS.slice(1, 6).map(({ key }) => key));
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
  const [producer, ...workers] = [
    await redisQueue(server),
    await redisQueue(server),
    await redisQueue(server),
  ];
  await producer.enqueue(CELLS.map(({ key }) => key));
  assert.deepEqual(await queuedStudies(connection), ["s"]);
  const held = workers.map((): number[] => []);
  const working = workers.map((queue, at) =>
    run(queue, async ({ seed }) => {
      held[at]!.push(seed);
      await new Promise((resolve) => setTimeout(resolve, 5));
      return "done";
    }, 2)
  );
  await run(producer, () => Promise.reject(new Error("a cell was taken")), 0);
  await Promise.all(working);
  assert.deepEqual(held.flat().toSorted((a, b) => a - b), CELLS.map(({ seed }) => seed));
  assert.ok(held.every((list) => list.length > 0));
  await producer.unlist();
  assert.deepEqual(await queuedStudies(connection), []);
  await producer.enqueue([CELLS[0]!.key]);
  await producer.unlist();
  assert.deepEqual(await queuedStudies(connection), ["s"]);
});

redisTest(
  "A held cell stays with its worker beyond the lease; a lost one does not",
  async (server) => {
    const [worker, other] = [await redisQueue(server), await redisQueue(server)];
    await worker.enqueue([CELLS[0]!.key]);
    assert.deepEqual(await worker.take(1), [CELLS[0]!.key]);
    const from = performance.now();
    while (performance.now() - from < 2500) {
      await worker.take(0);
      assert.deepEqual(await other.take(1), []);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    let taken: readonly string[] | undefined = [];
    while (taken?.length === 0) {
      await new Promise((resolve) => setTimeout(resolve, 50));
      taken = await other.take(1);
    }
    assert.deepEqual(taken, [CELLS[0]!.key]);
  },
);

redisTest("A later run ends the runs of workers that know the earlier one", async (server) => {
  const [producer, worker] = [await redisQueue(server), await redisQueue(server)];
  await producer.enqueue(CELLS.map(({ key }) => key));
  await run(worker, async (_, signal) => {
    await new Promise((resolve) => setTimeout(resolve, 2));
    await (await redisQueue(server)).enqueue([]);
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
    await producer.enqueue(CELLS.map(({ key }) => key));
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

redisTest("A run whose signal has aborted ends although Redis does not answer", async (server) => {
  const worker = await redisQueue(server);
  await worker.enqueue([CELLS[0]!.key]);
  const none = () => Promise.reject(new Error("a cell was taken"));
  await server.kill();
  await run(worker, none, 1, AbortSignal.abort());
  await run(worker, none, 1, AbortSignal.timeout(100));
});
