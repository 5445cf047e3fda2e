// Rows of studies: killed workers, rates and budget across processes, long plans, exports.
import { join } from "@std/path";
import { verify } from "../../mod.ts";
import { seededRandom } from "../../src/core/statistics.ts";
import { openConvening } from "../../src/operations/convening.ts";
import { Budget } from "../../src/studies/limits.ts";
import { RedisValues } from "../../src/studies/shared_archive.ts";
import { exportStudy, planStudy, runStudy, type StudyConfig, studyStatus } from "../../studies.ts";
import { HAS_REDIS, startRedis } from "../studies/support/redis_server.ts";
import { startWorker } from "../studies/support/workers.ts";
import { textOf, usageOf } from "../support/model_reply.ts";
import { startModelServer } from "../support/model_server.ts";
import { MODEL, spoken } from "../support/speaking_model.ts";
import type { Bench, Extent } from "./bench.ts";
import { type Figure, figure } from "./figure.ts";

/** Measures studies; without an installed redis-server only exports. */
export async function studies(bench: Bench, { quick }: Extent): Promise<Figure[]> {
  const exports = await exported(await bench.folder(), quick ? 4 : 100);
  if (!HAS_REDIS) return [exports];
  return [
    exports,
    ...await killed(await bench.folder(), quick ? 4 : 60),
    await budget(),
    ...await limited(await bench.folder(), quick ? 4 : 40),
    ...await planned(await bench.folder(), quick ? 100 : 10_000),
  ];
}

/** Returns the duration of `work` in seconds. */
async function secondsOf(work: () => unknown): Promise<number> {
  const start = performance.now();
  await work();
  return (performance.now() - start) / 1000;
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
  const { done } = await run;
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
      const tokens = Number(usage?.["prompt_tokens"]) + Number(usage?.["completion_tokens"]);
      const call = { at, tokens };
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

/** Measures twenty concurrent callers on a budget of a dollar. */
async function budget(): Promise<Figure> {
  await using server = await startRedis();
  const recorded = () => Promise.resolve(0);
  const values = new RedisValues(await server.connect());
  const shared = new Budget(values, { study: "bench", limit: 1e6, recorded });
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

/** Measures an export of every table. */
async function exported(out: string, debates: number): Promise<Figure> {
  const { dir } = await runStudy(offline(out, debates));
  const formats = ["jsonl", "parquet", "judgements", "preferences", "sft"] as const;
  const seconds = await secondsOf(() => exportStudy(dir, { formats }));
  const what = "milliseconds of an export, a convening, every table";
  return figure(what, { atMost: 100 }, seconds * 1000 / debates, { unit: "ms" });
}
