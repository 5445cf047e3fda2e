// The row of studies: workers that are killed, rates and budget over processes, runs that are stopped, both queues compared, exports.
import assert from "node:assert/strict";
import { walk } from "@std/fs";
import { join, relative } from "@std/path";
import { readParquet } from "parquet-wasm/node";
import { verify } from "../../mod.ts";
import { sha256 } from "../../src/core/message.ts";
import { seededRandom } from "../../src/core/statistics.ts";
import { openConvening } from "../../src/operations/convening.ts";
import { runStudy, studyStatus } from "../../src/operations/study_run.ts";
import { exportStudy, studyReport } from "../../src/operations/study_results.ts";
import { planStudy } from "../../src/operations/study_plan.ts";
import { RedisBudget, RedisLimits } from "../../src/studies/redis_limits.ts";
import type { StudyConfig } from "../../src/studies/study.ts";
import { textOf, usageOf } from "../support/model_reply.ts";
import { startModelServer } from "../support/model_server.ts";
import { MODEL, spoken } from "../support/speaking_model.ts";
import { HAS_REDIS, startRedis } from "../studies/support/redis_server.ts";
import { startWorker, type WorkerProcess } from "../studies/support/workers.ts";
import type { Bench, Extent } from "./bench.ts";
import { type Figure, figure } from "./figure.ts";

/** Figures of studies; where no redis-server is installed, those of exports alone. */
export async function studies(bench: Bench, { quick }: Extent): Promise<Figure[]> {
  const exports = await exported(await bench.folder(), quick ? 4 : 100);
  if (!HAS_REDIS) return [exports];
  return [
    exports,
    ...await killed(await bench.folder(), { debates: quick ? 4 : 60, every: 3000 }),
    ...await rates(quick ? 1 : 4),
    await budget(),
    ...await limited(await bench.folder(), quick ? 4 : 40),
    ...await planned(await bench.folder(), quick ? 100 : 10_000),
    ...await stopped(await bench.folder(), quick ? 2 : 20),
    ...await compared(await bench.folder(), quick ? 4 : 40),
  ];
}

function offline(out: string, debates: number, more: Partial<StudyConfig> = {}): StudyConfig {
  return {
    study: "bench",
    base: { kind: "debate", roundCount: 1, model: "offline", out },
    topics: [{ id: "cars", topic: "Cities should ban cars" }],
    contestants: [{ id: "plain" }, { id: "scientist", persona: "scientist" }],
    seeds: debates / 2,
    ...more,
  };
}

/** A study whose model is a server. */
function ofServer(out: string, baseUrl: string, more: Partial<StudyConfig>): StudyConfig {
  const base = { kind: "debate", roundCount: 1, scoringEnabled: false, out, baseUrl, model: MODEL };
  return offline(out, 2, { base, excludeOwn: false, ...more });
}

/** Messages of each convening of a study by its key, and the number of damaged records. */
async function recordsOf(
  study: StudyConfig,
): Promise<{ texts: Map<string, string[]>; damaged: number; completed: number }> {
  const { dir, cells } = await planStudy(study);
  const texts = new Map<string, string[]>();
  let [damaged, completed] = [0, 0];
  for (const { key } of cells) {
    const record = join(dir, "debates", key);
    if ((await verify(record)).findings.length > 0) damaged++;
    const { messages, result } = await openConvening(record);
    if (result.status === "completed") completed++;
    texts.set(key, messages.map(({ body }) => body));
  }
  return { texts, damaged, completed };
}

/** Two workers, one of which is killed every so many milliseconds; the model server counts the calls. */
export async function killed(
  out: string,
  { debates, every, lock }: {
    readonly debates: number;
    readonly every: number;
    readonly lock?: number;
  },
): Promise<Figure[]> {
  await using server = await startRedis();
  let asked = 0;
  await using model = await startModelServer({
    journal: false,
    respond: (request) => (asked++, { ...spoken(request), latency: 20 }),
  });
  const study = ofServer(out, model.url, { seeds: debates / 2 });
  const hosts = [`127.0.0.1:${server.port}`, new URL(model.url).host];
  const concurrency = 8;
  const start = (): WorkerProcess =>
    startWorker({ queue: server.url, archive: out, hosts, concurrency, lock });
  const begun = performance.now();
  const run = runStudy(study, { queue: server.url });
  const kept = start();
  let other = start();
  let kills = 0;
  const timer = setInterval(() => {
    other.kill("SIGKILL");
    kills++;
    other = start();
  }, every);
  const { done } = await run;
  clearInterval(timer);
  const seconds = (performance.now() - begun) / 1000;
  for (const worker of [kept, other]) await worker[Symbol.asyncDispose]();
  const paid = asked;
  await runStudy({ ...study, study: "alone", seeds: 1 });
  const twice = paid - (asked - paid) / 2 * debates;
  const { texts, damaged, completed } = await recordsOf(study);
  const lengths = [...texts.values()].map(({ length }) => length);
  const of = `${debates} debates, two workers, ${kills} kills`;
  const row = "studies";
  return [
    figure(`debates done ÷ planned, ${of}`, {
      row,
      goal: { atLeast: 1 },
      value: [Math.min(done, completed) / debates],
    }),
    figure(`damaged records, ${of}`, { row, goal: { atMost: 0 }, value: [damaged] }),
    figure(`longest ÷ shortest record in messages, ${of}`, {
      row,
      goal: { atMost: 1 },
      value: [Math.max(...lengths) / Math.min(...lengths)],
    }),
    figure(`calls paid twice of ${paid}, ${of} of ${concurrency} debates`, {
      row,
      goal: { atMost: kills * concurrency },
      value: [twice],
    }),
    figure(`debates a second, ${of}`, { row, goal: { atLeast: 0 }, value: [debates / seconds] }),
  ];
}

/**
 * Four workers of a study with the rates of a provider that answers 429 beyond 50 requests and 20,000 tokens in a second and
 * as much of a burst.
 */
export async function limited(out: string, debates: number): Promise<Figure[]> {
  await using server = await startRedis();
  const rate = { requests: 50, tokens: 20_000 };
  const calls: { readonly at: number; readonly tokens: number }[] = [];
  const refused: number[] = [];
  const within = (at: number) => calls.filter((call) => call.at > at - 1000 && call.at <= at);
  const tokensOf = (some: typeof calls) => some.reduce((sum, { tokens }) => sum + tokens, 0);
  await using model = await startModelServer({
    journal: false,
    respond: (request) => {
      const at = performance.now();
      const reply = spoken(request);
      const usage = usageOf(reply, { body: request.body, text: textOf(reply, request) });
      const last = within(at);
      const tokens = Number(usage?.["total_tokens"]);
      if (last.length + 1 > 2 * rate.requests || tokensOf(last) + tokens > 2 * rate.tokens) {
        refused.push(at);
        return { status: 429, headers: { "retry-after": "1" } };
      }
      calls.push({ at, tokens });
      return { ...reply, latency: 20 };
    },
  });
  const { host } = new URL(model.url);
  const rates = {
    [host]: { requestsPerMinute: 60 * rate.requests, tokensPerMinute: 60 * rate.tokens },
  };
  const hosts = [`127.0.0.1:${server.port}`, host];
  const workers = Array.from(
    { length: 4 },
    () => startWorker({ queue: server.url, archive: out, hosts, concurrency: 8 }),
  );
  const study = ofServer(out, model.url, { seeds: debates / 2, rates });
  const { done } = await runStudy(study, { queue: server.url });
  for (const worker of workers) await worker[Symbol.asyncDispose]();
  const [from, to] = [calls[0]!.at, calls.at(-1)!.at];
  const seconds = (to - from) / 1000;
  const used = Math.max(calls.length / rate.requests, tokensOf(calls) / rate.tokens) / seconds;
  const worst = Math.max(
    ...calls.map(({ at }) =>
      Math.max(within(at).length / rate.requests, tokensOf(within(at)) / rate.tokens) / 2
    ),
  );
  const of = `4 workers, ${done} debates, ${calls.length} calls in ${Math.round(seconds)} s`;
  const row = "studies";
  return [
    figure(`answers 429 after the first second, ${of}`, {
      row,
      goal: { atMost: 0 },
      value: [refused.filter((at) => at > from + 1000).length],
    }),
    figure(`worst second ÷ rate and burst, ${of}`, { row, goal: { atMost: 1 }, value: [worst] }),
    figure(`rate used ÷ rate, ${of}`, { row, goal: { atLeast: 0.9 }, value: [used] }),
  ];
}

/** A long plan: it is made and queued, and its state is read. */
export async function planned(out: string, debates: number): Promise<Figure[]> {
  await using server = await startRedis();
  const topics = Array.from({ length: debates / 100 }, (_, at) => ({
    id: `cars-${at}`,
    topic: `City ${at} should ban cars`,
  }));
  const study = offline(out, 100, { topics });
  const seconds = async (work: () => Promise<unknown>) => {
    const begun = performance.now();
    await work();
    return (performance.now() - begun) / 1000;
  };
  const run = { queue: server.url, detach: true };
  const made = await seconds(() => runStudy(study, run));
  const { dir } = await planStudy(study);
  const read = await seconds(() => studyStatus(dir));
  const row = "studies";
  const of = `a plan of ${debates}`;
  return [
    figure(`${of} made and queued`, { row, goal: { atMost: 5 }, value: [made], unit: "s" }),
    figure(`status of ${of}`, { row, goal: { atMost: 2 }, value: [read], unit: "s" }),
  ];
}

/** Four processes' worth of callers on one provider of 50 requests and 20,000 tokens a second. */
async function rates(seconds: number): Promise<Figure[]> {
  await using server = await startRedis();
  const rate = { requestsPerMinute: 3000, tokensPerMinute: 1_200_000 };
  const sent: number[] = [];
  const end = performance.now() + seconds * 1000;
  await Promise.all(Array.from({ length: 4 }, async () => {
    const { client } = await server.connect();
    const limits = new RedisLimits(client, { openai: rate });
    await Promise.all(Array.from({ length: 8 }, async (_, at) => {
      const signal = AbortSignal.timeout(seconds * 1000);
      while (performance.now() < end) {
        await limits.take("openai", 50 + 10 * at, signal).catch(() => {});
        if (!signal.aborted) sent.push(performance.now());
      }
    }));
  }));
  const worst = Math.max(
    ...sent.map((from) => sent.filter((at) => at >= from && at < from + 1000).length),
  );
  const row = "studies";
  return [
    figure("most requests in a second ÷ rate and burst, 32 callers of 4 connections", {
      row,
      goal: { atMost: 1 },
      // A timer may fire, and a reply come, some milliseconds after the level was read.
      value: [worst / (2 * 50 + 2)],
    }),
    figure("requests sent ÷ those that the rate allows, without the burst", {
      row,
      goal: { atLeast: 0.9 },
      value: [(sent.length - 50) / (seconds * 50)],
    }),
  ];
}

/** Twenty callers at once on a budget of a dollar. */
async function budget(): Promise<Figure> {
  await using server = await startRedis();
  const { client } = await server.connect();
  const recorded = () => Promise.resolve(0);
  const shared = new RedisBudget(client, { study: "bench", limit: 1e6, recorded });
  const random = seededRandom(1);
  await Promise.all(Array.from({ length: 20 }, async (_, caller) => {
    for (let call = 0; await shared.reserve(`${caller}/${call}`, 9000); call++) {
      await shared.settle(`${caller}/${call}`, 3000 + random() * 6000);
    }
  }));
  const spent = await shared.spent() / 1e6;
  return figure("spent ÷ budget, 20 callers at once; more than 1 is a failure", {
    row: "studies",
    goal: { atLeast: spent > 1 ? Infinity : 0.97 },
    value: [spent],
  });
}

/** A run that is stopped at random moments and run again, beside a run that is not. */
async function stopped(out: string, times: number): Promise<Figure[]> {
  const debates = Math.max(8, 4 * times);
  const whole = offline(out, debates, { study: "run-unbroken" });
  await runStudy(whole);
  const broken = offline(out, debates, { study: "run-broken" });
  const random = seededRandom(7);
  let stops = 0;
  for (let time = 0; time < times; time++) {
    const stop = AbortSignal.timeout(20 + random() * 400);
    const { ended, done, dir } = await runStudy(broken, { signal: stop, concurrency: 2 });
    assert.equal((await studyStatus(dir)).done, done);
    if (ended === "done") break;
    stops++;
  }
  await runStudy(broken);
  return await sameRecords(`of a run of ${debates} debates stopped ${stops} times`, whole, broken);
}

/** The same study by the embedded queue and by a worker of a Redis. */
async function compared(out: string, debates: number): Promise<Figure[]> {
  await using server = await startRedis();
  const embedded = offline(out, debates, { study: "run-embedded" });
  const shared = offline(out, debates, { study: "run-shared" });
  await runStudy(embedded);
  const hosts = [`127.0.0.1:${server.port}`];
  await using worker = startWorker({ queue: server.url, archive: out, hosts });
  await runStudy(shared, { queue: server.url });
  if (worker.notes.length === 0) throw new Error("The worker held nothing");
  return await sameRecords(`of ${debates} debates by the other queue`, embedded, shared);
}

/** An export of every table: files are read back, and their hashes computed again. */
async function exported(out: string, debates: number): Promise<Figure> {
  const { dir } = await runStudy(offline(out, debates));
  const begun = performance.now();
  const formats = ["jsonl", "parquet", "judgements", "preferences", "sft"] as const;
  const { files, ...made } = await exportStudy(dir, { formats });
  const milliseconds = (performance.now() - begun) / debates;
  for (const { path, sha256: hash, rows } of files) {
    const bytes = await Deno.readFile(join(made.dir, path));
    assert.equal(sha256(bytes), hash, path);
    if (path.endsWith(".parquet")) {
      const batches = readParquet(bytes).recordBatches();
      assert.equal(batches.reduce((sum, { numRows }) => sum + numRows, 0), rows);
    }
    if (path.startsWith("debates")) assert.equal(rows, debates, path);
  }
  return figure("milliseconds of an export, a convening, every table", {
    row: "studies",
    goal: { atMost: 100 },
    value: [milliseconds],
    unit: "ms",
  });
}

/** Files of convenings and reports of two studies that differ in more than times and the study's name. */
async function sameRecords(
  what: string,
  ours: StudyConfig,
  others: StudyConfig,
): Promise<Figure[]> {
  const [before, after] = [await filesOf(ours), await filesOf(others)];
  const paths = [...new Set([...before.keys(), ...after.keys()])];
  const differing = paths.filter((path) => before.get(path) !== after.get(path));
  const reports = differing.filter((path) => path.startsWith("report/")).length;
  const row = "studies";
  const goal = { atMost: 0 };
  return [
    figure(`files of ${paths.length} that differ, ${what}`, {
      row,
      goal,
      value: [differing.length - reports],
    }),
    figure(`reports that differ, ${what}`, { row, goal, value: [reports] }),
  ];
}

/** Times of records and reports; a run that was stopped has others. */
const TIMES = /^ *(?:latency_ms|duration_ms|resumes): .*$|\d{4}-\d\d-\d\dT[\d:.]+Z|\d+ seconds/gm;

/** Texts of a study's convenings and report by path, without times and the study's name. */
async function filesOf(study: StudyConfig): Promise<Map<string, string>> {
  const { dir } = await studyReport((await planStudy(study)).dir);
  const files = new Map<string, string>();
  for await (const { path, isFile, name } of walk(join(dir, ".."))) {
    const at = relative(join(dir, ".."), path);
    // The log has the order of events, which are concurrent.
    if (!isFile || !/^(?:debates|report)\//.test(at) || /^(?:\.lock|log\.jsonl)$/.test(name)) {
      continue;
    }
    const text = await Deno.readTextFile(path);
    files.set(at, text.replace(TIMES, "").replaceAll(study.study, "STUDY"));
  }
  return files;
}

if (import.meta.main) {
  const [name = "killed", debates = "1000", every = "20000"] = Deno.args;
  const out: string = await Deno.makeTempDir();
  const count = Number(debates);
  const figures: readonly Figure[] = name === "killed"
    ? await killed(out, { debates: count, every: Number(every), lock: 30_000 })
    : name === "limited"
    ? await limited(out, count)
    : name === "stopped"
    ? await stopped(out, count)
    : name === "planned"
    ? await planned(out, count)
    : await compared(out, count);
  for (const each of figures) console.log(each.what, each.value.median, each.met);
  await Deno.remove(out, { recursive: true });
}
