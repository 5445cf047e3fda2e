// Contract suites of study queues, limits and budgets, for one process or shared.
import assert from "node:assert/strict";
import type { CellEnd, StudyBudget, StudyLimits, StudyQueue } from "../../../src/studies/queue.ts";
import type { Cell, ProviderRate } from "../../../src/studies/study.ts";

/** Returns cells with keys of 16 digits, some of which look like numbers. */
export function cellsOf(count: number): Cell[] {
  return Array.from({ length: count }, (_, at) => ({
    key: String(10 ** 15 + at),
    topic: "cars",
    first: "a",
    second: "b",
    format: "base",
    repeat: at + 1,
    seed: at,
  }));
}

/** A queue under test. */
interface QueueUnderTest extends AsyncDisposable {
  /** Opens the queue over a plan of these cells; all queues of a test share the cells. */
  open(cells: readonly Cell[]): Promise<StudyQueue>;
}

/** Declares a test: `Deno.test`, or a function that skips the test without a server. */
type Declare = (name: string, test: () => Promise<void>) => void;

const never = new AbortController().signal;

/** Resolves when the signal aborts. */
function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

/** Returns the sorted seeds of the cells that the next run of a queue completes. */
async function heldNext(
  open: QueueUnderTest["open"],
  cells: readonly Cell[],
  queued: readonly Cell[] = cells,
): Promise<number[]> {
  const done: number[] = [];
  const queue = await open(cells);
  await queue.enqueue(queued);
  await queue.run(({ seed }) => {
    done.push(seed);
    return Promise.resolve("done");
  }, { concurrency: 3, signal: never });
  await queue.close();
  return done.toSorted();
}

/** Declares the tests that every queue must pass. */
export function studyQueueContract(
  name: string,
  setUp: () => Promise<QueueUnderTest>,
  declare: Declare = (title, test) => Deno.test(title, test),
): void {
  const it = (title: string, test: (tested: QueueUnderTest) => Promise<void>) =>
    declare(`${name} ${title}`, async () => {
      await using tested = await setUp();
      await test(tested);
    });

  it("takes each cell once, up to the concurrency limit, until none is left", async ({ open }) => {
    const cells = cellsOf(25);
    const queue = await open(cells);
    await queue.enqueue(cells);
    await queue.enqueue(cells);
    const held: Cell[] = [];
    let active = 0;
    let most = 0;
    await queue.run(async (cell) => {
      held.push(cell);
      most = Math.max(most, ++active);
      await new Promise((resolve) => setTimeout(resolve, 2));
      active--;
      return "done";
    }, { concurrency: 4, signal: never });
    assert.equal(active, 0);
    assert.equal(most, 4);
    assert.deepEqual(held.toSorted((a, b) => a.seed - b.seed), cells);
    await queue.close();
  });

  it("retries a cell whose record another process holds", async ({ open }) => {
    const cells = cellsOf(3);
    const queue = await open(cells);
    await queue.enqueue(cells);
    const asked = new Map<string, number>();
    await queue.run(({ key, seed }): Promise<CellEnd> => {
      const times = (asked.get(key) ?? 0) + 1;
      asked.set(key, times);
      return Promise.resolve(seed === 1 && times < 3 ? "later" : "done");
    }, { concurrency: 2, signal: never });
    assert.deepEqual(cells.map(({ key }) => asked.get(key)), [1, 3, 1]);
    await queue.close();
  });

  it("returns cells when its signal aborts, and takes them in the next run", async ({ open }) => {
    const cells = cellsOf(6);
    const queue = await open(cells);
    await queue.enqueue(cells);
    const ending = new AbortController();
    const done: number[] = [];
    let begun = 0;
    await queue.run(async ({ seed }, signal) => {
      if (++begun === 3) ending.abort();
      if (seed !== 0) await aborted(signal);
      else done.push(seed);
      return seed === 0 ? "done" : "later";
    }, { concurrency: 3, signal: ending.signal });
    assert.deepEqual(done, [0]);
    assert.deepEqual(await heldNext(open, cells, cells.slice(1)), [1, 2, 3, 4, 5]);
    await queue.close();
  });

  it("ends at the next message when stopped, and the next run continues", async ({ open }) => {
    const cells = cellsOf(5);
    const queue = await open(cells);
    await queue.enqueue(cells);
    let begun = 0;
    await queue.run(async (_, signal) => {
      if (++begun === 2) await queue.stop();
      await aborted(signal);
      throw signal.reason;
    }, { concurrency: 2, signal: never });
    assert.equal(begun, 2);
    await queue.close();
    assert.deepEqual(await heldNext(open, cells), [0, 1, 2, 3, 4]);
  });

  it("fails when a cell fails, and loses no cell", async ({ open }) => {
    const cells = cellsOf(4);
    const queue = await open(cells);
    await queue.enqueue(cells);
    const failure = new Error("the disk is full");
    const run = queue.run(async ({ seed }, signal) => {
      if (seed === 1) throw failure;
      await aborted(signal);
      return "later";
    }, { concurrency: 4, signal: never });
    await assert.rejects(run, failure);
    await queue.close();
    assert.deepEqual(await heldNext(open, cells), [0, 1, 2, 3]);
  });
}

/** Declares the tests that every rate limiter must pass; each setup has full levels. */
export function studyLimitsContract(
  name: string,
  setUp: (
    rates: Readonly<Record<string, ProviderRate>>,
  ) => Promise<{ readonly limits: StudyLimits } & AsyncDisposable>,
  declare: Declare = (title, test) => Deno.test(title, test),
): void {
  const it = (
    title: string,
    rates: Readonly<Record<string, ProviderRate>>,
    test: (limits: StudyLimits) => Promise<void>,
  ) =>
    declare(`${name} ${title}`, async () => {
      await using tested = await setUp(rates);
      await test(tested.limits);
    });
  const timed = async (work: () => Promise<void>) => {
    const start = performance.now();
    await work();
    return performance.now() - start;
  };
  const take = (limits: StudyLimits, times: number, tokens = 1) =>
    Promise.all(Array.from({ length: times }, () => limits.take("openai", tokens, never)));

  it("allows a burst of a second's worth, then the rate", {
    openai: { requestsPerMinute: 1200 },
  }, async (limits) => {
    // Ten more take half a second from the first one, because the level refills meanwhile; timers may be a millisecond early.
    const both = async () => {
      await take(limits, 20);
      await take(limits, 10);
    };
    assert.ok(await timed(both) >= 440);
  });

  it("counts tokens together with requests, and a request over a second's worth leaves a debt", {
    openai: { requestsPerMinute: 60_000, tokensPerMinute: 60_000 },
  }, async (limits) => {
    await limits.take("openai", 1300, never);
    assert.ok(await timed(() => limits.take("openai", 100, never)) >= 350);
  });

  it("returns tokens that were not used", {
    openai: { tokensPerMinute: 6000 },
  }, async (limits) => {
    await limits.take("openai", 100, never);
    await limits.giveBack("openai", 100);
    await limits.take("openai", 100, AbortSignal.timeout(500));
  });

  it("delays a blocked provider, with a rate or without, and no other", {
    openai: { requestsPerMinute: 60_000 },
  }, async (limits) => {
    for (const provider of ["openai", "anthropic"]) {
      await limits.block(provider, 300);
      await limits.block(provider, 10);
      await limits.take("ollama", 10, AbortSignal.timeout(250));
      assert.ok(await timed(() => limits.take(provider, 1, never)) >= 200, provider);
    }
  });

  it("ends a wait when the signal aborts, and takes nothing", {
    openai: { requestsPerMinute: 60 },
  }, async (limits) => {
    await limits.take("openai", 1, never);
    const reason = new Error("stopped");
    const stop = new AbortController();
    const wait = limits.take("openai", 1, stop.signal);
    stop.abort(reason);
    await assert.rejects(wait, reason);
    await limits.take("openai", 1, AbortSignal.timeout(1500));
  });

  it(
    "allows every request of a provider without a rate",
    {},
    (limits) => take(limits, 200, 100_000).then(),
  );
}

/** Declares the tests that every budget must pass; amounts are in millionths of a US dollar. */
export function studyBudgetContract(
  name: string,
  setUp: (
    limit: number | undefined,
    recorded: number,
  ) => Promise<{ readonly budget: StudyBudget } & AsyncDisposable>,
  declare: Declare = (title, test) => Deno.test(title, test),
): void {
  declare(`${name} is never exceeded by 20 callers at once, and is used up`, async () => {
    await using tested = await setUp(1_000_000, 0);
    const { budget } = tested;
    let calls = 0;
    await Promise.all(Array.from({ length: 20 }, async (_, caller) => {
      for (let call = 0; await budget.reserve(`${caller}/${call}`, 9000); call++) {
        calls++;
        assert.ok(await budget.spent() <= 1_000_000);
        await budget.settle(`${caller}/${call}`, 3000 + (calls * 7919) % 6000);
      }
    }));
    const spent = await budget.spent();
    assert.ok(spent <= 1_000_000 && spent >= 970_000, String(spent));
  });

  declare(`${name} counts a second reservation of an id in the place of the first`, async () => {
    await using tested = await setUp(100, 0);
    const { budget } = tested;
    assert.ok(await budget.reserve("cell/turn", 60));
    assert.ok(await budget.reserve("cell/turn", 90));
    assert.ok(!await budget.reserve("other", 20));
    await budget.settle("cell/turn", 10);
    assert.ok(await budget.reserve("other", 90));
    assert.equal(await budget.spent(), 10);
  });

  declare(`${name} cancels the reservations of one cell`, async () => {
    await using tested = await setUp(100, 0);
    const { budget } = tested;
    for (const id of ["cell/a", "cell/b", "cell2/a"]) assert.ok(await budget.reserve(id, 30));
    await budget.cancel("cell");
    assert.ok(await budget.reserve("other/a", 70));
    assert.ok(!await budget.reserve("other/b", 1));
  });

  declare(`${name} begins with what the records say, and has no end without a limit`, async () => {
    await using tested = await setUp(100, 80);
    assert.ok(!await tested.budget.reserve("a", 30));
    assert.ok(await tested.budget.reserve("b", 20));
    assert.equal(await tested.budget.spent(), 80);
    await using free = await setUp(undefined, 80);
    assert.ok(await free.budget.reserve("a", 1e12));
  });
}
