// Worker processes of studies: killed, stopped, suspended, and with a Redis that loses its data.
import { walk } from "@std/fs";
import { join, relative } from "@std/path";
import { createAgent, createLibrary, verify } from "../../mod.ts";
import { openConvening } from "../../src/operations/convening.ts";
import { runStudy, stopStudy, type StudyRunOptions } from "../../src/operations/study_run.ts";
import { studyStatus } from "../../src/studies/status.ts";
import { planStudy } from "../../src/operations/study_plan.ts";
import { runWorker } from "../../src/operations/study_worker.ts";
import type { StudyConfig, StudyStatus } from "../../src/studies/study.ts";
import { MODEL, type Speaker, spoken, startSpeaker } from "../support/speaking_model.ts";
import { type RedisServer, redisTest } from "./support/redis_server.ts";
import { namesIn } from "../support/cli.ts";
import { startWorker, type Worker, type WorkerProcess, workHere } from "./support/workers.ts";
import assert from "node:assert/strict";

/** Milliseconds of the model's replies. */
const LATENCY = 80;

/** A study, the model of its convenings, and the function that starts workers. */
interface Site {
  readonly server: RedisServer;
  readonly speaker: Speaker;
  readonly archive: string;
  readonly study: StudyConfig;
  /** Starts a worker in this process. */
  worker(concurrency: number): Worker;
  /** Starts a worker in a process of its own. */
  process(concurrency: number): WorkerProcess;
  run(options?: StudyRunOptions): ReturnType<typeof runStudy>;
  /** Resolves when the model has received this number of requests. */
  untilAsked(times: number): Promise<void>;
  /** Delays all replies of the model until the returned function is called. */
  hold(): () => void;
}

function workersTest(name: string, debates: number, test: (site: Site) => Promise<void>): void {
  redisTest(name, async (server) => {
    const archive = await Deno.makeTempDir();
    const asked = new EventTarget();
    let held = Promise.resolve();
    const speaker = await startSpeaker(async (request) => {
      asked.dispatchEvent(new Event(String(request.index + 1)));
      await held;
      return { ...spoken(request), latency: LATENCY };
    });
    const hosts = [`127.0.0.1:${server.port}`, new URL(speaker.url).host];
    const study: StudyConfig = {
      study: "shared",
      base: { kind: "debate", roundCount: 0, out: archive, baseUrl: speaker.url, model: MODEL },
      topics: [{ id: "cars", topic: "Cities should ban cars" }],
      contestants: [{ id: "plain" }, { id: "scientist", persona: "scientist" }],
      excludeOwn: false,
      seeds: debates / 2,
    };
    const workers = new AsyncDisposableStack();
    try {
      await test({
        server,
        speaker,
        archive,
        study,
        worker: (concurrency) => workers.use(workHere(server.url, archive, concurrency)),
        process: (concurrency) =>
          workers.use(startWorker({ queue: server.url, archive, hosts, concurrency })),
        hold() {
          const { promise, resolve } = Promise.withResolvers<void>();
          held = promise;
          return resolve;
        },
        run: (options) => runStudy(study, { queue: server.url, ...options }),
        untilAsked: (times) =>
          new Promise((resolve) =>
            asked.addEventListener(String(times), () => resolve(), { once: true })
          ),
      });
    } finally {
      await workers.disposeAsync();
      await speaker[Symbol.asyncDispose]();
      await Deno.remove(archive, { recursive: true });
    }
  });
}

/** Number of requests of a debate, which all studies here have in common. */
let requestsOfDebate: number | undefined;

/** Checks that a run has completed its study in records of equal length, and that at most `lost` requests were repeated. */
async function checkRun(
  { archive, study, speaker }: Site,
  result: Awaited<ReturnType<typeof runStudy>>,
  lost: number,
): Promise<void> {
  const asked = speaker.requests.length;
  const { dir, cells } = await planStudy(study);
  assert.deepEqual([result.ended, result.done, result.failed], ["done", cells.length, 0]);
  const counts = new Set<number>();
  for (const { key } of cells) {
    const record = join(dir, "debates", key);
    assert.deepEqual((await verify(record)).findings, [], key);
    const { messages, result } = await openConvening(record);
    assert.equal(result.status, "completed");
    counts.add(messages.length);
  }
  assert.equal(counts.size, 1);
  if (requestsOfDebate === undefined) {
    await runStudy({ ...study, study: "alone", seeds: 1 }, { out: archive });
    requestsOfDebate = (speaker.requests.length - asked) / 2;
  }
  const each = requestsOfDebate;
  const more = asked - each * cells.length;
  assert.ok(more >= 0 && more <= lost, `${more} requests more than ${each} for each debate`);
}

/** Returns the highest number of requests in flight at one time. */
function mostAtOnce({ speaker }: Site): number {
  return Math.max(...speaker.requests.map(({ concurrent }) => concurrent));
}

workersTest(
  "A killed worker loses no debate, and at most its calls in flight are paid again",
  6,
  async (site) => {
    const run = site.run();
    site.worker(2);
    // Without the delay the first worker could finish before the second has started.
    const release = site.hold();
    const worker = site.process(3);
    await worker.until(({ type }) => type === "begin");
    release();
    await site.untilAsked(site.speaker.requests.length + 3);
    worker.kill("SIGKILL");
    await worker.ended;
    await checkRun(site, await run, mostAtOnce(site));
  },
);

workersTest(
  "SIGTERM ends a worker at the next message and puts its debates back; a second one ends it at once",
  6,
  async (site) => {
    assert.equal((await site.run({ detach: true })).ended, "detached");
    const first = site.process(3);
    await first.until(({ type }) => type === "begin");
    first.kill("SIGTERM");
    assert.deepEqual(await first.ended, { code: 0, stderr: "" });
    const begun = first.notes.filter(({ type }) => type === "begin").length;
    const later = first.notes.filter((note) => note.type === "end" && note.end === "later").length;
    assert.ok(begun > 0 && later === begun);
    const second = site.process(3);
    await second.until(({ type }) => type === "begin");
    second.kill("SIGTERM");
    second.kill("SIGTERM");
    assert.equal((await second.ended).code, 0);
    site.worker(3);
    await checkRun(site, await site.run(), mostAtOnce(site));
  },
);

workersTest(
  "SIGTERM ends a worker without its Redis, and no call in flight is lost",
  4,
  async (site) => {
    await site.run({ detach: true });
    const release = site.hold();
    const asked = site.untilAsked(2);
    const first = site.process(2);
    await asked;
    await site.server.kill();
    first.kill("SIGTERM");
    release();
    assert.equal((await first.ended).code, 0);
    await site.server.start();
    site.worker(2);
    await checkRun(site, await site.run(), 0);
  },
);

workersTest("A worker that stood still beyond its lock writes nothing twice", 4, async (site) => {
  const run = site.run();
  const still = site.process(2);
  await site.untilAsked(6);
  still.kill("SIGSTOP");
  const other = site.worker(4);
  // The suspended process holds the records' locks; the other worker retries until it continues.
  await other.until((note) => note.type === "end" && note.end === "later");
  still.kill("SIGCONT");
  await checkRun(site, await run, mostAtOnce(site));
});

workersTest(
  "A Redis that is killed and loses its data loses no debate: the run goes on, or another one",
  8,
  async (site) => {
    const { server, study } = site;
    const { dir } = await planStudy(study);
    await site.run({ detach: true });
    const worker = site.worker(2);
    await site.untilAsked(1);
    assert.equal((await studyStatus(dir)).isRunning, true);
    await worker.until(({ type }) => type === "end");
    await server.restartEmpty();
    const { done: before } = await studyStatus(dir);
    assert.ok(before < 8);
    const further = Promise.withResolvers<void>();
    const onProgress = ({ done }: StudyStatus) => done > before && further.resolve();
    const run = site.run({ onProgress });
    await further.promise;
    await server.restartEmpty();
    await checkRun(site, await run, mostAtOnce(site));
  },
);

workersTest(
  "stopStudy() ends the debates of every worker at their next message; the next run goes on",
  6,
  async (site) => {
    const { dir } = await planStudy(site.study);
    const run = site.run();
    const release = site.hold();
    const workers = [site.worker(2), site.worker(2)];
    await Promise.all(workers.map((worker) => worker.until(({ type }) => type === "begin")));
    const interrupted = workers.map((worker) =>
      worker.until((note) => note.type === "end" && note.end === "later")
    );
    assert.equal(await stopStudy(dir, { queue: site.server.url }), true);
    const result = await run;
    assert.equal(result.ended, "stopped");
    assert.ok(result.done < 6);
    release();
    await Promise.all(interrupted);
    await checkRun(site, await site.run(), 0);
  },
);

workersTest(
  "stopStudy() without a queue ends a detached study at the next messages, and a stopped study begins nothing",
  6,
  async (site) => {
    const { dir } = await planStudy(site.study);
    assert.equal((await site.run({ detach: true })).ended, "detached");
    const release = site.hold();
    const worker = site.worker(2);
    await worker.until(({ type }) => type === "begin");
    assert.deepEqual(await Promise.all([stopStudy(dir), stopStudy(dir)]), [true, true]);
    release();
    await worker.until(({ type }) => type === "end");
    await worker[Symbol.asyncDispose]();
    const begun = worker.notes.filter(({ type }) => type === "begin").length;
    assert.equal(begun, 2);
    assert.equal((await studyStatus(dir)).done, 0);
    site.worker(3);
    await checkRun(site, await site.run(), 0);
    assert.equal(await stopStudy(dir), false);
  },
);

workersTest(
  "A run without its Redis ends at its signal, and stops the workers",
  6,
  async (site) => {
    const stop = new AbortController();
    const run = site.run({ signal: stop.signal });
    const release = site.hold();
    const worker = site.worker(2);
    await worker.until(({ type }) => type === "begin");
    await site.server.kill();
    stop.abort();
    assert.equal((await run).ended, "stopped");
    const ended = worker.until((note) => note.type === "end" && note.end === "later");
    await site.server.start();
    release();
    await ended;
    await checkRun(site, await site.run(), 0);
  },
);

/** Times in records, and marks of resumes. */
const TIMES = /^ *(?:latency_ms|duration_ms|resumes): .*$|\d{4}-\d\d-\d\dT[\d:.]+Z|\d+ seconds?/gm;

/** Returns the texts of a study's records by path, without times and the study's name. */
async function recordsOf({ dir, study }: StudyStatus): Promise<ReadonlyMap<string, string>> {
  const files = new Map<string, string>();
  for await (const { path, isFile, name } of walk(join(dir, "debates"))) {
    // Concurrent events have no fixed order in the log.
    if (!isFile || /^(?:\.lock|log\.jsonl)$/.test(name)) continue;
    const text = (await Deno.readTextFile(path)).replace(TIMES, "").replaceAll(study, "STUDY");
    files.set(relative(dir, path), text);
  }
  return new Map([...files].sort());
}

workersTest("Workers write the records of a run without a queue", 4, async (site) => {
  const base = { kind: "debate", roundCount: 1, out: site.archive, model: "offline" };
  const study = { ...site.study, study: "redis-queue", base };
  const alone = await runStudy({ ...study, study: "no-queue" });
  await runStudy(study, { queue: site.server.url, detach: true });
  await site.worker(2).until(({ type }) => type === "begin");
  const shared = await runStudy(study, { queue: site.server.url });
  assert.deepEqual([alone.done, shared.done], [4, 4]);
  assert.deepEqual(await recordsOf(shared), await recordsOf(alone));
});

workersTest("A machine that only queues needs no keys of models", 2, async (site) => {
  const baseUrl = "http://127.0.0.1:9/v1";
  const headers = { "x-team": "${TEAM}" };
  const mine = { baseUrl, apiKeyEnv: "MINE_TOKEN", headers };
  const study = (contestant: object): StudyConfig => ({
    ...site.study,
    base: { kind: "debate", out: site.archive, model: "mine:one", providers: { mine } },
    contestants: [{ id: "plain" }, { id: "other", ...contestant }],
  });
  const env = () => undefined;
  const options = { queue: site.server.url, detach: true, env };
  const openai = { model: "gpt-4o-mini" };
  await assert.rejects(runStudy(study({ model: "openia:x" }), options), /no provider "openia"/);
  await assert.rejects(runStudy(study(openai), { env }), /MINE_TOKEN is not set/);
  const { ended, planned } = await runStudy(study(openai), options);
  assert.deepEqual([ended, planned], ["detached", 2]);
});

workersTest(
  "A worker sends keys to addresses of a study only if they are allowed",
  2,
  async (site) => {
    const { server: { url: queue }, archive, speaker } = site;
    const env = (name: string) => name === "OPENAI_API_KEY" ? "sk-SECRETKEY" : undefined;
    const work = async (allowBaseUrls: string[]) => {
      const ending = new AbortController();
      const problems: string[] = [];
      const signal = ending.signal;
      const working = runWorker({
        ...{ queue, archive, env, signal, allowBaseUrls },
        onNote: (note) => note.type === "problem" && problems.push(note.message),
      });
      await site.run();
      ending.abort();
      await working;
      return problems;
    };
    const { host } = new URL(speaker.url);
    const [problem = ""] = await work([]);
    assert.match(problem, /OPENAI_API_KEY would be sent to .* comes from a file or a record/);
    assert.ok(problem.includes(`--allow-base-url ${host}`), problem);
    assert.equal(speaker.requests.length, 0);
    assert.deepEqual(await work([host]), []);
    assert.ok(speaker.requests.length > 0);
  },
);

workersTest("A worker of another folder is refused, and takes nothing", 2, async (site) => {
  await site.run({ detach: true });
  const archive = await Deno.makeTempDir();
  await assert.rejects(
    runWorker({ queue: site.server.url, archive }),
    /holds the cells of an archive other than/,
  );
});

workersTest("A worker that cannot write takes nothing, and names the folder", 2, async (site) => {
  await site.run({ detach: true });
  const { archive, server } = site;
  const { dir } = await planStudy(site.study);
  const hosts = [`127.0.0.1:${server.port}`];
  await using reader = startWorker({ queue: server.url, archive, hosts, mayWrite: false });
  const isDenied = `Cannot write ${join(dir, "debates")}: writing there is not allowed. `;
  await reader.until((note) => note.type === "problem" && note.message.startsWith(isDenied));
  site.worker(2);
  const { ended, done } = await site.run();
  assert.deepEqual([ended, done, reader.notes.length], ["done", 2, 1]);
});

redisTest("Convenings that no worker can begin are failures of the run", async (server) => {
  const out: string = await Deno.makeTempDir();
  const check = () => Promise.reject(new Error("nobody answers"));
  const mine = (model: string) => ({ ...createAgent("offline"), model: `mine:${model}`, check });
  const { catalogue } = createLibrary({ agents: { mine } });
  const study: StudyConfig = {
    study: "two",
    base: { kind: "debate", roundCount: 1, out, model: "mine:away" },
    topics: [{ id: "cars", topic: "Cities should ban cars" }],
    seeds: 2,
  };
  const queue = server.url;
  const ending = new AbortController();
  const problems: (string | undefined)[] = [];
  const working = runWorker({
    queue,
    archive: out,
    catalogue,
    signal: ending.signal,
    onNote: (note) => note.type === "problem" && problems.push(note.cell),
  });
  const { ended, done, failed, failures } = await runStudy(study, { queue, catalogue });
  ending.abort();
  await working;
  const keys = (await planStudy(study, { catalogue })).cells.map(({ key }) => key);
  assert.deepEqual([ended, done, failed, failures.map(({ key }) => key)], ["failures", 0, 0, keys]);
  assert.match(failures[0]!.message, /output of the workers/);
  assert.deepEqual(new Set(problems), new Set(keys));
  const mild = { ...study, limits: { maxFailures: 1 } };
  const alone = await runStudy(mild, { queue, catalogue, concurrency: 1 });
  assert.deepEqual([alone.ended, alone.failures.map(({ key }) => key).sort()], [
    "done",
    keys.toSorted(),
  ]);
  assert.ok(alone.failures.every(({ message }) => message.includes("nobody answers")));
});

redisTest(
  "A worker replaces no file of a record that another process has written; a run without a queue does",
  async (server) => {
    const writer = createAgent("offline");
    const [first, alone, shared] = [
      await Deno.makeTempDir(),
      await Deno.makeTempDir(),
      await Deno.makeTempDir(),
    ];
    const studyIn = (out: string): StudyConfig => ({
      study: "one",
      base: { kind: "debate", roundCount: 1, out, model: "mine:x" },
      topics: [{ id: "cars", topic: "Cities should ban cars" }],
    });
    const { dir, cells: [cell] } = await planStudy(studyIn(first));
    const messages = (archive: string) =>
      join(archive, relative(first, dir), "debates", cell!.key, "messages");
    let names: readonly string[] = [];
    /** Returns a model during whose reply another process writes the messages of a record in the archive. */
    const disturbed = (archive: string) => {
      const reply: typeof writer.reply = async (request) => {
        await Deno.mkdir(messages(archive), { recursive: true });
        for (const name of names) {
          const options = { createNew: true };
          await Deno.writeTextFile(join(messages(archive), name), "other", options).catch(() => {});
        }
        return await writer.reply(request);
      };
      const mine = (model: string) => ({ ...writer, model: `mine:${model}`, reply });
      return createLibrary({ agents: { mine } }).catalogue;
    };
    const texts = (archive: string) =>
      Promise.all(names.map((name) => Deno.readTextFile(join(messages(archive), name))));
    await runStudy(studyIn(first), { catalogue: disturbed(first) });
    names = (await namesIn(messages(first))).filter((name) => !name.startsWith("index"));
    const { done } = await runStudy(studyIn(alone), { catalogue: disturbed(alone) });
    assert.equal(done, 1);
    assert.ok((await texts(alone)).every((text) => text !== "other"));
    const catalogue = disturbed(shared);
    await runStudy(studyIn(shared), { catalogue, queue: server.url, detach: true });
    const ending = new AbortController();
    const ends: string[] = [];
    await runWorker({
      queue: server.url,
      archive: shared,
      catalogue,
      signal: ending.signal,
      onNote(note) {
        if (note.type !== "end") return;
        ends.push(note.end);
        ending.abort();
      },
    });
    assert.deepEqual(ends, ["later"]);
    assert.ok((await texts(shared)).some((text) => text === "other"));
  },
);

workersTest(
  "The budget holds over all workers: the study stops below the limit, and a higher limit goes on",
  6,
  async (site) => {
    const maxCost = 0.03;
    site.worker(2);
    site.worker(2);
    const prices = { date: "2026-11-01", models: { [MODEL]: { input: 1, output: 4 } } };
    const study = { ...site.study, base: { ...site.study.base, prices } };
    const poor = { ...study, limits: { maxCost } };
    const result = await runStudy(poor, { queue: site.server.url });
    assert.equal(result.ended, "budget");
    assert.ok(result.costUsd > 0 && result.costUsd <= maxCost, String(result.costUsd));
    assert.ok(result.done < 6);
    const rich = { ...study, limits: { maxCost: 1 } };
    const again = await runStudy(rich, { queue: site.server.url });
    assert.deepEqual([again.ended, again.done, again.failed], ["done", 6, 0]);
    // A run raises what Redis has kept to the sum of the records.
    const [{ client }, key] = [await site.server.connect(), "convenings:{shared}:budget"];
    await client.set(key, JSON.stringify({ spent: 1, reserved: {}, held: 0 }));
    await runStudy(rich, { queue: site.server.url, detach: true });
    assert.equal(JSON.parse((await client.get(key))!).spent, Math.round(again.costUsd * 1e6));
  },
);
