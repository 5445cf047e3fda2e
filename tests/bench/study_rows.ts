// Rows of studies: killed workers, rates and budget across processes, stopped runs, comparison of queues, exports.
import assert from "node:assert/strict";
import { walk } from "@std/fs";
import { join, relative } from "@std/path";
import { readParquet } from "parquet-wasm/node";
import { verify } from "../../mod.ts";
import { sha256 } from "../../src/core/message.ts";
import { seededRandom } from "../../src/core/statistics.ts";
import { openConvening } from "../../src/operations/convening.ts";
import { RedisBudget, RedisLimits } from "../../src/studies/redis_limits.ts";
import {
  exportStudy,
  planStudy,
  runStudy,
  type StudyConfig,
  studyReport,
  studyStatus,
} from "../../studies.ts";
import { HAS_REDIS, startRedis } from "../studies/support/redis_server.ts";
import { startWorker } from "../studies/support/workers.ts";
import { textOf, usageOf } from "../support/model_reply.ts";
import { startModelServer } from "../support/model_server.ts";
import { MODEL, spoken } from "../support/speaking_model.ts";
import type { Bench, Extent } from "./bench.ts";
import { type Figure, figure } from "./figure.ts";
import { secondsOf } from "./record_rows.ts";

/** Measures studies; without an installed redis-server only exports. */
export async function studies(bench: Bench, { quick }: Extent): Promise<Figure[]> {
  const exports = await exported(await bench.folder(), quick ? 4 : 100);
  if (!HAS_REDIS) return [exports];
  return [
    exports,
    ...await killed(await bench.folder(), quick ? 4 : 60),
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

/** Returns a study whose model is a server. */
function ofServer(out: string, baseUrl: string, more: Partial<StudyConfig>): StudyConfig {
  const base = { kind: "debate", roundCount: 1, scoringEnabled: false, out, baseUrl, model: MODEL };
  return offline(out, 2, { base, excludeOwn: false, ...more });
}

/** Milliseconds between two kills. */
const KILLS = 3000;

/** Runs two workers and repeatedly kills one of them; the model server counts the calls. */
async function killed(out: string, debates: number): Promise<Figure[]> {
  await using server = await startRedis();
  let asked = 0;
  await using model = await startModelServer({
    journal: false,
    respond: (request) => (asked++, { ...spoken(request), latency: 20 }),
  });
  const study = ofServer(out, model.url, { seeds: debates / 2 });
  const hosts = [`127.0.0.1:${server.port}`, new URL(model.url).host];
  const concurrency = 8;
  const start = () => startWorker({ queue: server.url, archive: out, hosts, concurrency });
  const run = runStudy(study, { queue: server.url });
  const kept = start();
  let other = start();
  let kills = 0;
  const timer = setInterval(() => {
    other.kill("SIGKILL");
    kills++;
    other = start();
  }, KILLS);
  let done = 0;
  const seconds = await secondsOf(async () => ({ done } = await run));
  clearInterval(timer);
  for (const worker of [kept, other]) await worker[Symbol.asyncDispose]();
  const paid = asked;
  await runStudy({ ...study, study: "alone", seeds: 1 });
  const twice = paid - (asked - paid) / 2 * debates;
  const { dir, cells } = await planStudy(study);
  const lengths: number[] = [];
  let [damaged, completed] = [0, 0];
  for (const { key } of cells) {
    const record = join(dir, "debates", key);
    if ((await verify(record)).findings.length > 0) damaged++;
    const { messages, result } = await openConvening(record);
    if (result.status === "completed") completed++;
    lengths.push(messages.length);
  }
  const of = `${debates} debates, two workers, ${kills} kills`;
  const longest = Math.max(...lengths) / Math.min(...lengths);
  const most = { atMost: kills * concurrency };
  return [
    figure(`debates done ÷ planned, ${of}`, { atLeast: 1 }, Math.min(done, completed) / debates),
    figure(`damaged records, ${of}`, { atMost: 0 }, damaged),
    figure(`longest ÷ shortest record in messages, ${of}`, { atMost: 1 }, longest),
    figure(`calls paid twice of ${paid}, ${of} of ${concurrency} debates`, most, twice),
    figure(`debates a second, ${of}`, { atLeast: 0 }, debates / seconds),
  ];
}

/** Requests and tokens per second that a provider allows. */
const RATE = { requests: 50, tokens: 20_000 } as const;
const RATE_SETTINGS = {
  requestsPerMinute: 60 * RATE.requests,
  tokensPerMinute: 60 * RATE.tokens,
};

/** Runs four workers against a provider that answers 429 above its rates and above a burst of the same size. */
async function limited(out: string, debates: number): Promise<Figure[]> {
  await using server = await startRedis();
  const calls: { readonly at: number; readonly tokens: number }[] = [];
  const refused: number[] = [];
  const within = (at: number) => calls.filter((call) => call.at > at - 1000 && call.at <= at);
  const tokensOf = (some: typeof calls) => some.reduce((sum, { tokens }) => sum + tokens, 0);
  const loadOf = (some: typeof calls) =>
    Math.max(some.length / RATE.requests, tokensOf(some) / RATE.tokens);
  await using model = await startModelServer({
    journal: false,
    respond: (request) => {
      const at = performance.now();
      const reply = spoken(request);
      const usage = usageOf(reply, { body: request.body, text: textOf(reply, request) });
      const call = { at, tokens: Number(usage?.["total_tokens"]) };
      if (loadOf([...within(at), call]) > 2) {
        refused.push(at);
        return { status: 429, headers: { "retry-after": "1" } };
      }
      calls.push(call);
      return { ...reply, latency: 20 };
    },
  });
  const { host } = new URL(model.url);
  const hosts = [`127.0.0.1:${server.port}`, host];
  const worker = { queue: server.url, archive: out, hosts, concurrency: 8 };
  const workers = Array.from({ length: 4 }, () => startWorker(worker));
  const study = ofServer(out, model.url, { seeds: debates / 2, rates: { [host]: RATE_SETTINGS } });
  const { done } = await runStudy(study, { queue: server.url });
  for (const each of workers) await each[Symbol.asyncDispose]();
  const from = calls[0]!.at;
  const seconds = (calls.at(-1)!.at - from) / 1000;
  const worst = Math.max(...calls.map(({ at }) => loadOf(within(at)) / 2));
  const late = refused.filter((at) => at > from + 1000).length;
  const of = `4 workers, ${done} debates, ${calls.length} calls in ${Math.round(seconds)} s`;
  return [
    figure(`answers 429 after the first second, ${of}`, { atMost: 0 }, late),
    figure(`worst second ÷ rate and burst, ${of}`, { atMost: 1 }, worst),
    figure(`rate used ÷ rate, ${of}`, { atLeast: 0.9 }, loadOf(calls) / seconds),
  ];
}

/** Measures a long plan: making it, queueing it, reading its state. */
async function planned(out: string, debates: number): Promise<Figure[]> {
  await using server = await startRedis();
  const topics = Array.from({ length: debates / 100 }, (_, at) => ({
    id: `cars-${at}`,
    topic: `City ${at} should ban cars`,
  }));
  const study = offline(out, 100, { topics });
  const made = await secondsOf(() => runStudy(study, { queue: server.url, detach: true }));
  const { dir } = await planStudy(study);
  const read = await secondsOf(() => studyStatus(dir));
  const of = `a plan of ${debates}`;
  return [
    figure(`${of} made and queued`, { atMost: 5 }, made, { unit: "s" }),
    figure(`status of ${of}`, { atMost: 2 }, read, { unit: "s" }),
  ];
}

/** Measures the rates of a provider under the callers of four processes. */
async function rates(seconds: number): Promise<Figure[]> {
  await using server = await startRedis();
  const sent: number[] = [];
  const end = performance.now() + seconds * 1000;
  await Promise.all(Array.from({ length: 4 }, async () => {
    const { client } = await server.connect();
    const limits = new RedisLimits(client, { openai: RATE_SETTINGS });
    await Promise.all(Array.from({ length: 8 }, async (_, at) => {
      const signal = AbortSignal.timeout(seconds * 1000);
      while (performance.now() < end) {
        await limits.take("openai", 50 + 10 * at, signal).catch(() => {});
        if (!signal.aborted) sent.push(performance.now());
      }
    }));
  }));
  const inSecond = (from: number) => sent.filter((at) => at >= from && at < from + 1000).length;
  // A timer may fire, and a reply arrive, some milliseconds after the level was read.
  const worst = Math.max(...sent.map(inSecond)) / (2 * RATE.requests + 2);
  const used = (sent.length - RATE.requests) / (seconds * RATE.requests);
  const what = "most requests in a second ÷ rate and burst, 32 callers of 4 connections";
  return [
    figure(what, { atMost: 1 }, worst),
    figure("requests sent ÷ those that the rate allows, without the burst", { atLeast: 0.9 }, used),
  ];
}

/** Measures twenty concurrent callers on a budget of a dollar. */
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
  const goal = { atLeast: spent > 1 ? Infinity : 0.97 };
  return figure("spent ÷ budget, 20 callers at once; more than 1 is a failure", goal, spent);
}

/** Compares a run that is repeatedly stopped at random moments with an uninterrupted one. */
async function stopped(out: string, times: number): Promise<Figure[]> {
  const debates = Math.max(8, 4 * times);
  const whole = offline(out, debates, { study: "run-unbroken" });
  await runStudy(whole);
  const broken = offline(out, debates, { study: "run-broken" });
  const random = seededRandom(7);
  let stops = 0;
  for (let time = 0; time < times; time++) {
    const signal = AbortSignal.timeout(20 + random() * 400);
    const { ended, done, dir } = await runStudy(broken, { signal, concurrency: 2 });
    assert.equal((await studyStatus(dir)).done, done);
    if (ended === "done") break;
    stops++;
  }
  await runStudy(broken);
  return await sameRecords(`of a run of ${debates} debates stopped ${stops} times`, whole, broken);
}

/** Compares the embedded queue with a Redis worker on the same study. */
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

/** Measures an export of every table: files are read back and their hashes recomputed. */
async function exported(out: string, debates: number): Promise<Figure> {
  const { dir } = await runStudy(offline(out, debates));
  const formats = ["jsonl", "parquet", "judgements", "preferences", "sft"] as const;
  const begun = performance.now();
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
  const what = "milliseconds of an export, a convening, every table";
  return figure(what, { atMost: 100 }, milliseconds, { unit: "ms" });
}

/** Counts files of two studies' convenings and reports that differ in more than times and the study's name. */
async function sameRecords(what: string, one: StudyConfig, other: StudyConfig): Promise<Figure[]> {
  const [before, after] = [await filesOf(one), await filesOf(other)];
  const paths = [...new Set([...before.keys(), ...after.keys()])];
  const differing = paths.filter((path) => before.get(path) !== after.get(path));
  const reports = differing.filter((path) => path.startsWith("report/")).length;
  const files = `files of ${paths.length} that differ, ${what}`;
  return [
    figure(files, { atMost: 0 }, differing.length - reports),
    figure(`reports that differ, ${what}`, { atMost: 0 }, reports),
  ];
}

/** Times in records and reports, and marks of resumes. */
const TIMES = /^ *(?:latency_ms|duration_ms|resumes): .*$|\d{4}-\d\d-\d\dT[\d:.]+Z|\d+ seconds?/gm;

/** Returns the texts of a study's convenings and report by path, without times and the study's name. */
async function filesOf(study: StudyConfig): Promise<Map<string, string>> {
  const { dir } = await studyReport((await planStudy(study)).dir);
  const folder = join(dir, "..");
  const files = new Map<string, string>();
  for await (const { path, isFile, name } of walk(folder)) {
    const at = relative(folder, path);
    // Concurrent events have no fixed order in the log.
    if (!isFile || /^(?:\.lock|log\.jsonl)$/.test(name)) continue;
    if (!/^(?:debates|report)\//.test(at)) continue;
    const text = await Deno.readTextFile(path);
    files.set(at, text.replace(TIMES, "").replaceAll(study.study, "STUDY"));
  }
  return files;
}
