// Runs of studies in one process: plan, resume, stop, retry, extend.
import { dirname, join } from "@std/path";
import {
  type Agent,
  AgentError,
  createAgent,
  createLibrary,
  listConvenings,
  openConvening,
  speak,
  verify,
} from "../../mod.ts";
import type { AgentRequest } from "../../protocol.ts";
import { forecastStudy, planStudy } from "../../src/operations/study_plan.ts";
import { openStudy } from "../../src/studies/folder.ts";
import { MemoryValues } from "../../src/studies/limits.ts";
import { retryStudy, runStudy, stopStudy } from "../../src/operations/study_run.ts";
import { studyStatus } from "../../src/studies/status.ts";
import { exportStudy, studyReport } from "../../src/operations/study_results.ts";
import { shownStudy } from "../../src/operations/study_json.ts";
import { runWorker } from "../../src/operations/study_worker.ts";
import { limitsOf } from "../../src/operations/study_cell.ts";
import type { StudyConfig, StudyStatus } from "../../src/studies/study.ts";
import { namesIn, withFolder } from "../support/cli.ts";
import assert from "node:assert/strict";

/** Offline agent that writes all texts. */
const WRITER = createAgent("offline");

/** Returns a provider `mine` whose models are the offline agent with changed parts. */
function mine(of: (model: string) => Partial<Agent>) {
  const agents = { mine: (model: string) => ({ ...WRITER, model: `mine:${model}`, ...of(model) }) };
  return createLibrary({ agents }).catalogue;
}

/** Returns a provider `mine` whose models write after `before`. */
function writingAfter(before: (request: AgentRequest) => unknown) {
  return mine(() => ({
    reply: async (request) => {
      await before(request);
      return await WRITER.reply(request);
    },
  }));
}

const CARS = { id: "cars", topic: "Cities should ban cars" };
const TEA = { id: "tea", topic: "Tea or coffee in the morning" };

/** Two contestants with models of their own. */
const MINE = [{ id: "a", model: "mine:one" }, { id: "b", model: "mine:two" }];

const outOfOrder = () => Promise.reject(new Error("out of order"));

/** Returns a study of two offline contestants in an archive. */
function study(out: string, more: Partial<StudyConfig> = {}): StudyConfig {
  return {
    study: "two",
    base: { kind: "debate", roundCount: 0, out },
    topics: [CARS],
    contestants: [
      { id: "plain", model: "offline" },
      { id: "scientist", model: "offline", persona: "scientist" },
    ],
    judges: [{ model: "offline" }],
    ...more,
  };
}

withFolder.test("study: every convening of the plan runs once, under its key, with exchanged seats", async (out) => {
  const progress: StudyStatus[] = [];
  const result = await runStudy(study(out, { seeds: 2 }), {
    onProgress: (at) => {
      assert.ok(Deno.statSync(join(at.dir, "debates", "index.md")), "records link to the page");
      progress.push(at);
    },
  });
  assert.deepEqual([progress[0]!.isRunning, progress[0]!.done], [true, 0]);
  assert.deepEqual([progress.at(-1)!.isRunning, progress.at(-1)!.done], [false, 4]);
  assert.deepEqual([result.ended, result.planned, result.done, result.failed], ["done", 4, 4, 0]);
  const { cells } = await planStudy(result.dir);
  assert.deepEqual(
    await namesIn(join(result.dir, "debates")),
    [...cells.map(({ key }) => key).sort(), "index.md"],
  );
  for (const { key } of cells) {
    assert.equal((await verify(join(result.dir, "debates", key))).findings.length, 0);
  }
  assert.match(await Deno.readTextFile(join(result.dir, "index.md")), /`report\/leaderboard\.md`/);
  const [first, second] = cells;
  assert.deepEqual([first!.first, first!.second], [second!.second, second!.first]);
  assert.equal(first!.seed, second!.seed);
  // A study's folder is not a day of its archive.
  assert.deepEqual(await listConvenings(out), []);
  assert.deepEqual(await namesIn(out), ["studies"]);
  const again = await runStudy(result.dir);
  assert.deepEqual([again.ended, again.done], ["done", 4]);
  assert.equal((await studyStatus(result.dir)).done, 4);
});

withFolder.test("study: keys are a hash of the convening's configuration, whatever the order of keys and topics", async (out) => {
  const topics = [CARS, TEA];
  const keys = async (more: Partial<StudyConfig>) =>
    (await planStudy(study(out, more))).cells.map(({ key, topic }) => `${topic} ${key}`).sort();
  const usual = await keys({ topics });
  assert.deepEqual(await keys({ topics: topics.toReversed() }), usual);
  // Neither an explicit default nor a limit of the study changes a key.
  const base = { out, roundCount: 0, kind: "debate", openings: true } as const;
  assert.deepEqual(await keys({ topics, base, limits: { maxCost: 1 }, concurrency: 9 }), usual);
  const other = await keys({ topics, base: { ...base, roundCount: 2 } });
  assert.equal(other.filter((key) => usual.includes(key)).length, 0);
  // Plans made when presets had English templates in every language still match.
  const german = { ...base, preset: "oxford", language: "German", openings: undefined } as const;
  const earlier = await keys({ base: { ...german, moderation: "template" } });
  assert.deepEqual(await keys({ base: german }), earlier);
});

withFolder.test("study: a changed study is rejected, or extended when configured", async (out) => {
  await runStudy(study(out));
  const more = study(out, { seeds: 2 });
  await assert.rejects(
    runStudy(more),
    /seeds changed; 0 of 2 convenings would change, 2 would be new/,
  );
  const altered = study(out, { base: { kind: "debate", roundCount: 2, out } });
  await assert.rejects(
    runStudy(altered, { extend: true }),
    /base\.roundCount changed; 2 of 2 convenings would change/,
  );
  const extended = await runStudy(more, { extend: true });
  assert.deepEqual([extended.planned, extended.done], [4, 4]);
  // Settings that change no convening may change.
  const cheaper = await runStudy(study(out, { seeds: 2, limits: { maxCost: 1 } }));
  assert.deepEqual([cheaper.done, cheaper.maxCost], [4, 1]);
  await Deno.writeTextFile(
    join(cheaper.dir, "plan.jsonl"),
    (await Deno.readTextFile(join(cheaper.dir, "plan.jsonl"))).replace('"repeat":1', '"repeat":7'),
  );
  await assert.rejects(runStudy(cheaper.dir), /plan\.jsonl does not match study\.yaml/);
});

withFolder.test("study: a plan of an earlier version, with a judge of a side's model under another name, is continued by excludeOwn: false", async (out) => {
  const given = study(out, {
    base: { kind: "debate", out, model: "three", baseUrl: "http://127.0.0.1:1/v1" },
    contestants: [{ id: "a", model: "ollama:one" }, { id: "b", model: "two" }],
    judges: [{ model: "one" }, { model: "three" }],
  });
  // The earlier plan had both judges.
  const { dir } = await runStudy({ ...given, excludeOwn: false }, { limit: 0 });
  await Deno.writeTextFile(join(dir, "study.yaml"), JSON.stringify(given));
  await assert.rejects(runStudy(dir), {
    message: /plan\.jsonl does not match study\.yaml; 2 of 2 convenings would change/,
    hint: /under another name.* give excludeOwn: false/,
  });
  const on = await runStudy({ ...given, excludeOwn: false }, { limit: 0 });
  assert.deepEqual([on.planned, on.ended], [2, "done"]);
});

withFolder.test("study: all invalid fields are named", async (out) => {
  const wrong = {
    ...study(out),
    base: { kind: "debate", roundCounts: 1 },
    judges: [{ modell: "offline" }],
    contestants: [{ id: "a", persona: 3 }, { id: "b" }],
  };
  await assert.rejects(runStudy(wrong as unknown as StudyConfig), (error: Error) => {
    for (const field of ["base.roundCounts", "judges.0.modell", "contestants.0.persona"]) {
      assert.ok(error.message.includes(field), error.message);
    }
    return true;
  });
  await assert.rejects(
    runStudy({ ...study(out), pair: "all" } as unknown as StudyConfig),
    (error: { hint?: string }) => /Did you mean "pairs"\?/.test(error.hint ?? ""),
  );
  const formats = [{}, JSON.parse('{"__proto__": {}}')];
  for (const each of formats) {
    await assert.rejects(runStudy(study(out, { formats: each })), /Cannot use formats/);
  }
  for (const secret of ["secret", "secret ${MY_KEY}.", "sk-1 ${MY_KEY}"]) {
    const headers = { "x-key": secret, "x-other": "Bearer ${MY_KEY}" };
    const providers = { mine: { baseUrl: "http://127.0.0.1:9/v1", headers } };
    await assert.rejects(
      runStudy(study(out, { base: { kind: "debate", providers } })),
      /Cannot use base\.providers\.mine\.headers\.x-key: study\.yaml would keep its value$/,
    );
  }
  const baseUrl = "http://127.0.0.1:9/v1";
  const kept: readonly [string, Readonly<Record<string, unknown>>][] = [
    ["providers.mine.extraBody.api_key", {
      providers: { mine: { baseUrl, extraBody: { ["api_key"]: "s" } } },
    }],
    ["providers.mine.models.m.extraBody.auth.token", {
      providers: { mine: { baseUrl, models: { m: { extraBody: { auth: { token: "s" } } } } } },
    }],
    ["baseUrl", { baseUrl: `${baseUrl}?key=s` }],
    ["factCheck.searchUrl", { factCheck: { searchUrl: "http://127.0.0.1:9/search?token=s" } }],
  ];
  for (const [field, settings] of kept) {
    await assert.rejects(
      runStudy(study(out, { base: { kind: "debate", ...settings } })),
      { message: `Cannot use base.${field}: study.yaml would keep its value` },
    );
  }
  const fine = { mine: { baseUrl, extraBody: { ["max_tokens"]: 3, ["prompt_cache_key"]: "a" } } };
  await planStudy(study(out, { base: { kind: "debate", model: "offline", providers: fine } }));
  const hidden = JSON.parse('{"kind": "debate", "__proto__": {"roundCount": 3}}');
  const judge = JSON.parse('{"model": "offline", "__proto__": {}}');
  for (const [field, wrong] of [["base", { base: hidden }], ["judges.0", { judges: [judge] }]]) {
    await assert.rejects(runStudy(study(out, wrong as Partial<StudyConfig>)), {
      message: `Cannot use the study: unknown key "${field}.__proto__"`,
    });
  }
  const moderator = [{ id: "x", role: "position_advocate" }, { id: "m", role: "moderator" }];
  const many = Array.from({ length: 51 }, (_, at) => ({ ...TEA, id: `tea-${at}` }));
  const papers = { kind: "paper-debate", out };
  const ofPapers = { base: papers, topics: undefined, papers: ["a/tea.md", "b/tea.md"] };
  const unread: readonly [object, string][] = [
    [{ base: { kind: "debate", out: [1] } }, "base.out: [1] is not allowed"],
    [{ base: { kind: "debate", judges: 5 } }, "base.judges: 5 is not allowed"],
    [{ base: { kind: "debate", participants: "m" } }, 'base.participants: "m" is not allowed'],
    [{ base: { kind: "debate", participants: moderator } }, "base.participants.1.name is missing"],
    [{ base: { kind: "debate", participants: moderator } }, "base.participants.0: the contestants"],
    [
      {
        formats: { short: { participants: [{ name: "Ada" }, { name: "Mo", role: "moderator" }] } },
      },
      "formats.short.participants.0: the contestants take the seats",
    ],
    [{ base: { kind: "debate", refusedTerms: [5] } }, "base.refusedTerms.0: 5 is not allowed"],
    [{ formats: { short: { papers: 5 } } }, "formats.short.papers: 5 is not allowed"],
    [{ formats: { short: { seed: 5 } } }, "formats.short.seed: the study gives each convening"],
    [{ formats: { short: { out: "a" } } }, "formats.short.out: the study gives each convening"],
    [{ formats: { short: { judges: [] } } }, "formats.short.judges: the study gives each"],
    [{ contestants: [{ id: "a" }, { id: "b", position: "No" }] }, "contestants.1.position: cont"],
    [{ contestants: [{ id: "tie" }, { id: "b" }] }, 'contestants.0.id: "tie" has another meaning'],
    [{ topics: [TEA, { id: "blank", topic: " " }] }, "topics.1.topic: it is blank"],
    [{ base: { kind: "consensus" } }, "contestants: a consensus has no sides"],
    [{ study: "con" }, 'Cannot use study: Windows keeps the name "con" for a device'],
    [
      { base: { kind: "debate", speakingOrder: "drawn" } },
      "base.speakingOrder: the contestants take the seats",
    ],
    [{ limits: { maxCost: Infinity } }, "limits.maxCost: Infinity is not allowed"],
    [{ limits: { maxDebates: 1 } }, "it has 2 convenings, at most 1 are allowed"],
    [{ seeds: 1000, topics: many }, "it has over 100,000 convenings, at most 100,000 are allowed"],
    [{ topics: [TEA, TEA] }, 'topics.1.id: "tea" is taken'],
    [{ topics: undefined }, "topics is missing"],
    [{ questions: 2 }, "questions: this is not a study of paper debates"],
    [{ base: papers }, "topics: papers give the topics; papers is missing"],
    [{ ...ofPapers, base: { ...papers, postures: 3 } }, "base.postures: the contestants take"],
    [{ ...ofPapers, formats: ["casual"] }, "formats: a paper-debate has none"],
    [{ ...ofPapers, formats: { a: { papers: [] } } }, "formats.a.papers: the study gives each"],
    [{ formats: ["casual", "usual"] }, 'formats.1: "usual" is not allowed'],
    [{ contestants: undefined, pairs: "all" }, "pairs: the study has no contestants"],
    [{ pairs: { against: "me" } }, 'pairs.against: there is no contestant "me"'],
    [{ pairs: [["plain", "plain"]] }, 'pairs.0: both sides are "plain"'],
    [{ base: { kind: "debat" } }, 'base.kind: "debat" is not allowed'],
  ];
  for (const [wrong, words] of unread) {
    const given = study(out, { judges: [{ model: "offline" }], ...wrong } as Partial<StudyConfig>);
    await assert.rejects(planStudy(given), (error: Error) => error.message.includes(words));
  }
  // More contestants than a paper debate has postures: each debate has two.
  const nine = Array.from({ length: 9 }, (_, at) => ({ id: `c${at}`, model: "offline" }));
  const { cells } = await planStudy(study(out, { ...ofPapers, contestants: nine }));
  assert.deepEqual([...new Set(cells.map(({ topic }) => topic))], ["tea", "tea-2"]);
  const twice = study(out, { topics: [TEA, { ...TEA, id: "again" }], seeds: [1] });
  await assert.rejects(planStudy(twice), { field: "topics" });
  const own = study(out, { contestants: [{ id: "a", model: "m" }, { id: "b", model: "n" }] });
  for (const model of ["m", "vllm:m"]) {
    await assert.rejects(
      runStudy({ ...own, judges: [{ model }] }),
      /Cannot judge a against b: every judge has the model of a side/,
    );
  }
});

withFolder.test("study: a failed convening does not stop the others and runs again with retry", async (out) => {
  let broken = true;
  const catalogue = mine((model) => ({
    reply: (request) => broken && model === "weak" ? outOfOrder() : WRITER.reply(request),
  }));
  const contestants = ["strong", "other", "weak"].map((id) => ({ id, model: `mine:${id}` }));
  const given = study(out, { contestants, limits: { maxFailures: 1 } });
  const result = await runStudy(given, { catalogue });
  assert.deepEqual([result.ended, result.done, result.failed], ["done", 2, 4]);
  assert.deepEqual(result.codes, { agent_bad_reply: 4 });
  assert.match(result.failures[0]!.message, /out of order/);
  // Failed convenings stay failed until a retry.
  const strict = { ...given, limits: { maxFailures: 0 } };
  assert.equal((await runStudy(strict, { catalogue })).failed, 4);
  broken = false;
  const weak = (await planStudy(given)).cells.filter(({ second }) => second === "weak");
  const dirs = weak.slice(0, 2).map(({ key }) => join(result.dir, "debates", key)) as [
    string,
    string,
  ];
  const exchange = async () => {
    const [a, b] = dirs;
    for (const [from, to] of [[a, `${a}x`], [b, a], [`${a}x`, b]] as const) {
      await Deno.rename(from, to);
    }
  };
  await exchange();
  const { codes } = await retryStudy(result.dir, { catalogue });
  assert.deepEqual(codes, { record_corrupt: 2 }, "each is the record of another convening");
  await exchange();
  // The failures that are run again do not stop the study.
  const mended = await retryStudy(result.dir, { catalogue, concurrency: 1 });
  assert.deepEqual([mended.done, mended.failed], [6, 0]);
});

withFolder.test("study: too many failures stop the study", async (out) => {
  const catalogue = mine(() => ({ reply: outOfOrder }));
  const base = { kind: "debate", roundCount: 1, out, model: "mine:weak" } as const;
  const result = await runStudy(
    study(out, { base, seeds: 20, concurrency: 1, contestants: undefined }),
    { catalogue },
  );
  assert.equal(result.ended, "failures");
  assert.ok(result.failed < 4, String(result.failed));
  const { why } = shownStudy(await studyStatus(result.dir));
  assert.match(why ?? "", /^\d convenings failed; \d+ convenings left, and too many failed\.$/);
});

withFolder.test("study: the temporary file of a killed run is removed once its writer must be gone", async (out) => {
  const { dir } = await runStudy(study(out), { limit: 0 });
  const names = [".status.json.old.tmp", ".status.json.new.tmp"];
  for (const name of names) await Deno.writeTextFile(join(dir, name), "half");
  const earlier = new Date(Date.now() - 7_200_000);
  await Deno.utime(join(dir, names[0]!), earlier, earlier);
  await runStudy(dir, { limit: 0 });
  const left = (await namesIn(dir)).filter((name) => name.endsWith(".tmp"));
  assert.deepEqual(left, [names[1]]);
});

withFolder.test("study: a folder planned by an earlier version with participants in the contestants' seats is run on", async (out) => {
  const { dir } = await runStudy(study(out), { limit: 0 });
  const path = join(dir, "study.yaml");
  const seated = "base:\n  participants:\n    - name: Ada\n    - name: Bo\n";
  await Deno.writeTextFile(path, (await Deno.readTextFile(path)).replace("base:\n", seated));
  assert.equal((await runStudy(dir)).done, 2);
});

Deno.test("study: convenings that start close together are all reported as running before one ends", async () => {
  const told = Promise.withResolvers<void>();
  const catalogue = writingAfter(() => told.promise);
  const { done } = await runStudy(study(await Deno.makeTempDir(), { contestants: MINE }), {
    catalogue,
    onProgress: ({ running }) => running === 2 && told.resolve(),
  });
  assert.equal(done, 2);
});

Deno.test("study: the end of a convening is reported while another runs, and status.json is kept also if the clock is set back", async () => {
  const told = Promise.withResolvers<void>();
  const catalogue = writingAfter(({ context: { topic } }) =>
    topic === TEA.topic ? told.promise : undefined
  );
  const out = await Deno.makeTempDir();
  const topics = [CARS, TEA];
  const base = { kind: "debate", roundCount: 1, out, model: "mine:one" } as const;
  const [wall, steady] = [Date.now, performance.now.bind(performance)];
  const kept: boolean[] = [];
  const onProgress = ({ done, isRunning, dir }: StudyStatus) => {
    const names = Array.from(Deno.readDirSync(dir), ({ name }) => name);
    if (isRunning) kept.push(names.includes("status.json"));
    // The next report is a minute later.
    Date.now = () => wall() - kept.length * 60_000;
    performance.now = () => steady() + kept.length * 60_000;
    if (done === 1) told.resolve();
  };
  try {
    const given = study(out, { base, topics, contestants: undefined });
    assert.equal((await runStudy(given, { catalogue, onProgress })).done, 2);
  } finally {
    Date.now = wall;
    performance.now = steady;
  }
  const [first, ...others] = kept;
  assert.equal(first, false);
  assert.ok(others.length > 0 && others.every(Boolean), String(kept));
});

Deno.test("study: an error of the callback stops the run, which rejects with it", async () => {
  const told = Promise.withResolvers<void>();
  const catalogue = writingAfter(() => told.promise);
  const given = study(await Deno.makeTempDir(), { contestants: MINE, concurrency: 1 });
  const onProgress = ({ running }: StudyStatus) => {
    if (running === 0) return;
    told.resolve();
    throw new RangeError("mine");
  };
  await assert.rejects(runStudy(given, { catalogue, onProgress }), { message: "mine" });
  const { done } = await runStudy(given, { catalogue });
  assert.equal(done, 2);
});

Deno.test("study: a stop ends every convening at its next message, and the next run has the result of an uninterrupted one", async () => {
  const [broken, whole] = [await Deno.makeTempDir(), await Deno.makeTempDir()];
  let calls = 0;
  let atCall: (call: number) => Promise<void> | void = () => {};
  const catalogue = writingAfter(() => atCall(++calls));
  const contestants = [{ id: "a", model: "mine:one" }, { id: "b", model: "offline" }];
  const given = (out: string) => study(out, { seeds: 4, concurrency: 3, contestants });
  const unbroken = await runStudy(given(whole), { catalogue });
  calls = 0;
  const { dir } = await planStudy(given(broken), { catalogue });
  const stop = new AbortController();
  atCall = async (call) => {
    if (call === 14) stop.abort();
    if (call !== 5) return;
    assert.ok(await stopStudy(dir));
    // The run removes the file after it has stopped.
    while ((await namesIn(dir)).includes(".stop")) await new Promise((done) => setTimeout(done, 5));
  };
  const first = await runStudy(given(broken), { catalogue });
  assert.deepEqual([first.ended, first.done < 8], ["stopped", true]);
  let last = await runStudy(given(broken), { catalogue, signal: stop.signal });
  assert.equal(last.ended, "stopped");
  last = await runStudy(given(broken), { catalogue });
  assert.deepEqual([last.ended, last.done], ["done", 8]);
  for (const { key } of (await planStudy(last.dir)).cells) {
    const [a, b] = await Promise.all([last, unbroken].map(async ({ dir }) => {
      const messages = join(dir, "debates", key, "messages");
      const texts = (await namesIn(messages)).map(async (name) =>
        (await Deno.readTextFile(join(messages, name))).split("\n---\n").slice(1).join("\n---\n")
      );
      return await Promise.all(texts);
    }));
    assert.deepEqual(a, b);
  }
  const [left, right] = await Promise.all(
    [last, unbroken].map(({ dir }) => reportWithoutTimes(dir)),
  );
  assert.deepEqual(left, right);
});

/** Returns the report of a study without times and durations. */
async function reportWithoutTimes(dir: string): Promise<readonly (readonly [string, string])[]> {
  const { dir: folder } = await studyReport(dir);
  return await Promise.all((await namesIn(folder)).map(async (name) => {
    const text = await Deno.readTextFile(join(folder, name));
    return [
      name,
      text.replace(/\d{4}-\d\d-\d\d[T ][\d:.]+(?:Z| UTC)|\d+ seconds?/g, "TIME"),
    ] as const;
  }));
}

withFolder.test("study: a resumed convening uses the addresses of the study, not those in its record", async (out) => {
  const stop = new AbortController();
  const addresses = new Set<string | undefined>();
  const { catalogue } = createLibrary({
    agents: {
      mine: (model, { baseUrl }) => {
        addresses.add(baseUrl);
        const reply: Agent["reply"] = (request) => {
          stop.abort();
          return WRITER.reply(request);
        };
        return { ...WRITER, model: `mine:${model}`, reply };
      },
    },
  });
  const given = study(out, { contestants: MINE });
  const { dir } = await runStudy(given, { catalogue, signal: stop.signal });
  const keys = (await namesIn(join(dir, "debates"))).filter((name) => !name.endsWith(".md"));
  for (const key of keys) {
    const path = join(dir, "debates", key, "metadata.md");
    const text = await Deno.readTextFile(path);
    await Deno.writeTextFile(
      path,
      text.replace("configuration:\n", "configuration:\n  baseUrl: http://127.0.0.1:9/v1\n"),
    );
  }
  const { done, planned } = await runStudy(given, { catalogue });
  assert.equal(done, planned);
  assert.deepEqual([...addresses], [undefined]);
});

withFolder.test("study: a problem that would keep convenings from starting is reported before the plan is written", async (out) => {
  const persona = join(out, "persona.yaml");
  const contestants = ["a", "b", "c"].map((id) => ({ id, model: "offline" }));
  const given = study(out, {
    contestants: [...contestants, { id: "d", model: "offline", persona }],
  });
  await assert.rejects(runStudy(given), /Cannot read persona ".*persona\.yaml"/);
  const rubric = study(out, { judges: [{ model: "offline", rubric: join(out, "no.yaml") }] });
  await assert.rejects(runStudy(rubric), /no\.yaml/);
  assert.deepEqual(await namesIn(out), []);
});

withFolder.test("study: invalid options are named, and nothing is written", async (out) => {
  const cases: readonly (readonly [object, string])[] = [
    [{ limit: -1 }, "limit"],
    [{ limit: NaN }, "limit"],
    [{ concurrency: 0 }, "concurrency"],
    [{ concurrency: 1.5 }, "concurrency"],
    [{ concurency: 2 }, "concurency"],
    [{ out: 5 }, "out"],
    [{ detach: true }, "detach"],
  ];
  for (const [options, field] of cases) {
    await assert.rejects(runStudy(study(out), options), { code: "config_invalid", field });
  }
  for (const bootstrap of [-1, 0.5, NaN, 1e9]) {
    await assert.rejects(studyReport(out, { bootstrap }), { field: "bootstrap" });
  }
  const queue = "redis://127.0.0.1:1";
  await assert.rejects(runWorker({ queue, archive: out, concurrency: 0 }), {
    field: "concurrency",
  });
  assert.deepEqual(await namesIn(out), []);
});

withFolder.test("study: only one process runs a study", async (out) => {
  let second: Promise<unknown> | undefined;
  // The first run lasts until the second one has been rejected.
  const catalogue = mine(() => ({ reply: () => second!.then(outOfOrder) }));
  const base = { kind: "debate", roundCount: 0, out, model: "mine:late" } as const;
  const given = study(out, { base, contestants: undefined });
  const onProgress = () => second ??= assert.rejects(runStudy(given, { catalogue }), /has it open/);
  await runStudy(given, { catalogue, onProgress });
  await second;
});

withFolder.test("study: a file that cannot be written is named", async (out) => {
  const { dir } = await runStudy(study(out));
  const unwritable = (path: string) => ({
    code: "record_unwritable",
    message: `Cannot write ${path}: a part of the path is a file, not a folder`,
    hint: "Choose another folder.",
  });
  for (const name of ["report", "exports"]) await Deno.writeTextFile(join(dir, name), "");
  await assert.rejects(studyReport(dir), unwritable(join(dir, "report")));
  await assert.rejects(exportStudy(dir), { code: "record_unwritable" });
  await Deno.writeTextFile(join(out, "file"), "");
  await assert.rejects(runStudy(study(join(out, "file"))), unwritable(join(out, "file")));
});

Deno.test("study: a link in the place of a convening is rejected", async () => {
  const out = await Deno.makeTempDir();
  const { cells, dir } = await planStudy(study(out));
  await Deno.mkdir(join(dir, "debates"), { recursive: true });
  const elsewhere = await Deno.makeTempDir();
  await Deno.symlink(elsewhere, join(dir, "debates", cells[0]!.key));
  const result = await runStudy(study(out, { limits: { maxFailures: 1 } }));
  assert.deepEqual([result.done, result.failed], [1, 1]);
  assert.deepEqual(result.codes, { record_corrupt: 1 });
  assert.deepEqual(await namesIn(elsewhere), []);
});

/** Two contestants and a judge with the base's model. */
const OF_ONE_MODEL = { contestants: [{ id: "a" }, { id: "b" }], judges: [{}], excludeOwn: false };

/** Returns models that report their usage. */
function priced() {
  return mine(() => ({
    reply: async (request) => {
      const reply = await WRITER.reply(request);
      const tokens = Math.ceil(reply.text.length / 4);
      const outputTokens = Math.min(request.maxTokens ?? 500, tokens);
      return { ...reply, usage: { inputTokens: 0, cachedInputTokens: 0, outputTokens } };
    },
  }));
}

withFolder.test("study: a budget ends the run and is never exceeded, and a higher budget continues it", async (out) => {
  const catalogue = priced();
  const prices = { date: "2026-11-01", models: { "mine:one": { input: 0, output: 30 } } };
  const base = { kind: "debate", roundCount: 1, out, model: "mine:one", prices } as const;
  const limited = (maxCost: number) =>
    study(out, {
      base,
      ...OF_ONE_MODEL,
      seeds: 10,
      concurrency: 5,
      limits: { maxCost },
    });
  const result = await runStudy(limited(0.5), { catalogue });
  assert.equal(result.ended, "budget");
  // Calls in flight when one call does not fit may end their convenings below the limit.
  assert.ok(result.costUsd <= 0.5 && result.costUsd >= 0.25, String(result.costUsd));
  const { cells } = await planStudy(limited(0.5), { catalogue });
  const reasons = await Promise.all(cells.map(async ({ key }) => {
    const text = await Deno.readTextFile(join(result.dir, "debates", key, "metadata.md")).catch(
      () => "",
    );
    return /^end_reason: (\w+)$/m.exec(text)?.[1];
  }));
  // After the first one ended by the budget, none of the other fifteen was begun.
  const spent = reasons.filter((each) => each === "study_budget").length;
  assert.ok(spent >= 1 && spent <= 5, reasons.join());
  const more = await runStudy(limited(0.75), { catalogue });
  assert.ok(more.costUsd <= 0.75 && more.costUsd >= 0.5, String(more.costUsd));
  assert.ok(more.done > result.done);
  const index = await Deno.readTextFile(join(more.dir, "index.md"));
  assert.match(index, /; \$0\.\d+ as far as prices are known/);
  const unpriced = study(out, {
    ...limited(0.5),
    study: "unpriced",
    base: { ...base, prices: undefined },
  });
  await assert.rejects(runStudy(unpriced, { catalogue }), /model "mine:one" has no price/);
});

withFolder.test("study: a budget whose sum is lost counts what running convenings have paid", async (out) => {
  let calls = 0;
  let spent = 0;
  const catalogue = mine(() => ({
    reply: async (request) => {
      if (++calls === 4) {
        const on = await openStudy(join(out, "studies", "two"));
        spent = await limitsOf(new MemoryValues(), on).budget.spent();
      }
      const usage = { inputTokens: 0, cachedInputTokens: 0, outputTokens: 500 };
      return { ...await WRITER.reply(request), usage };
    },
  }));
  const prices = { date: "2026-11-01", models: { "mine:one": { input: 0, output: 2 } } };
  const base = { kind: "debate", roundCount: 0, out, model: "mine:one", prices } as const;
  await runStudy(study(out, { base, ...OF_ONE_MODEL }), { catalogue, limit: 1 });
  // Both openings are on disk; `metadata.md` is written later.
  assert.ok(spent >= 2000, String(spent));
});

withFolder.test("study: a provider's rates apply to all convenings together", async (out) => {
  const catalogue = priced();
  const base = { kind: "debate", roundCount: 1, out, model: "mine:one" } as const;
  const given = study(out, {
    base,
    ...OF_ONE_MODEL,
    concurrency: 2,
    rates: { mine: { requestsPerMinute: 600 } },
  });
  const start = performance.now();
  const { dir } = await runStudy(given, { catalogue });
  const seconds = (performance.now() - start) / 1000;
  let calls = 0;
  for (const { key } of (await planStudy(dir, { catalogue })).cells) {
    const { facts } = await openConvening(join(dir, "debates", key));
    calls += facts.filter((fact) => "model" in fact && fact.model === "mine:one").length;
  }
  assert.ok(calls > 15 && calls <= 10 + 10 * seconds + 1, `${calls} calls in ${seconds} s`);
});

withFolder.test("study: a provider's demand to wait for long is reported once, and a stop ends the wait", async (out) => {
  const stop = new AbortController();
  const problems: string[] = [];
  const catalogue = mine(() => ({
    reply: () =>
      Promise.reject(
        new AgentError("agent_rate_limited", "Too many requests", {
          retryable: true,
          retryAfter: 3_600_000,
        }),
      ),
  }));
  const given = study(out, { contestants: MINE, concurrency: 1, rates: { mine: {} } });
  const { ended } = await runStudy(given, {
    catalogue,
    signal: stop.signal,
    onProblem(message) {
      problems.push(message);
      stop.abort();
    },
  });
  assert.equal(ended, "stopped");
  assert.equal(problems.length, 1);
  assert.match(
    problems[0]!,
    /^Calls to mine wait until \d{4}-\d\d-\d\d \d\d:\d\d UTC, as its server/,
  );
});

withFolder.test("study: a forecast counts all convenings' calls, maximal cost and interval, and writes nothing", async (out) => {
  const catalogue = priced();
  const prices = { date: "2026-11-01", models: { "mine:one": { input: 1, output: 15 } } };
  const base = { kind: "debate", roundCount: 1, out, model: "mine:one", prices } as const;
  const contestants = [...OF_ONE_MODEL.contestants, { id: "c", model: "offline" }];
  const given = study(out, { base, ...OF_ONE_MODEL, contestants, seeds: 3 });
  const forecast = await forecastStudy(given, { catalogue });
  assert.deepEqual([forecast.planned, forecast.interval], [18, 147]);
  // A contestant that meets c alone has a wider interval than one of two opponents.
  const star = await forecastStudy({ ...given, pairs: { against: "c" }, seeds: 6 }, { catalogue });
  assert.deepEqual([star.planned, star.interval], [24, 164]);
  // With 30 clusters and 6 parameters, of which 5 are free, it is wider by the root of 30/25: 88 points instead of 81. In 300
  // simulated studies of equal contestants, with ties in a fifth of the debates, the mean is 91 points.
  const topics = Array.from(
    { length: 10 },
    (_, at) => ({ id: `t${at}`, topic: `Is topic ${at} true?` }),
  );
  const many = await forecastStudy({ ...given, topics, seeds: 1 }, { catalogue });
  assert.deepEqual([many.planned, many.interval], [60, 88]);
  assert.equal(Object.values(forecast.models).reduce((a, b) => a + b), forecast.calls);
  assert.ok(forecast.models["offline"]! < forecast.models["mine:one"]!);
  assert.ok(typeof forecast.maxCost === "number" && forecast.maxCost > 0);
  const limited = await forecastStudy({ ...given, limits: { maxCost: 0.5 } }, { catalogue });
  assert.equal(limited.maxCost, 0.5);
  const alone = await forecastStudy(study(out, { base, contestants: undefined }), { catalogue });
  assert.equal(alone.interval, undefined);
  const four = { ...given, contestants: [...contestants, { id: "d" }] };
  const apart = await forecastStudy({ ...four, pairs: [["a", "b"], ["c", "d"]] }, { catalogue });
  assert.equal(apart.interval, undefined);
  // A rating needs 10 debates with a winner: 9 of 11 are expected, 10 of 12.
  const few = await forecastStudy({ ...given, seeds: 11, sides: "as-given", pairs: [["a", "c"]] }, {
    catalogue,
  });
  assert.deepEqual([few.planned, few.interval], [11, undefined]);
  const unscored = { ...given, base: { ...base, scoringEnabled: false }, judges: undefined };
  assert.equal((await forecastStudy(unscored, { catalogue })).interval, undefined);
  // Only the first seat speaks, each contestant in half of its debates; the moderator speaks in each debate.
  const once = { ...base, openings: false, closings: false, exchange: "alternating" };
  const uneven = { ...given, base: { ...once, scoringEnabled: false }, judges: undefined };
  const { models } = await forecastStudy(uneven, { catalogue });
  assert.deepEqual(models, { "mine:one": 12 + 18, offline: 6 });
  assert.deepEqual(await namesIn(out), []);
});

withFolder.test("study: convenings without sides vary by topics, formats and seeds", async (out) => {
  const given: StudyConfig = {
    study: "talks",
    base: {
      kind: "dialogue",
      out,
      model: "offline",
      participants: [{ name: "Ada" }, { name: "Ben" }],
    },
    topics: [TEA, CARS],
    formats: { short: { maxTurns: 2 }, long: { maxTurns: 4 } },
    seeds: [7, 8],
  };
  const result = await runStudy(given);
  assert.deepEqual([result.ended, result.done], ["done", 8]);
  const { cells } = await planStudy(given);
  assert.deepEqual(cells.slice(0, 2), [
    { key: cells[0]!.key, topic: "tea", format: "short", repeat: 1, seed: 7 },
    { key: cells[1]!.key, topic: "tea", format: "long", repeat: 1, seed: 7 },
  ]);
});

withFolder.test("study: the report of consensus dialogues counts those that agree, and the agreed proposals", async (out) => {
  const participants = [{ name: "Ada" }, { name: "Ben" }, { name: "Cy" }];
  const { dir } = await runStudy({
    study: "agreeing",
    base: { kind: "consensus", out, model: "offline", participants },
    topics: [TEA, CARS],
    seeds: 2,
  });
  const { diagnostics, warnings } = await studyReport(dir);
  assert.deepEqual(warnings, [
    "No debate of two contestants has ended with a result: there are no ratings.",
  ]);
  const { cells } = await planStudy(dir);
  const ends = await Promise.all(cells.map(async ({ key }) => {
    const metadata = await Deno.readTextFile(join(dir, "debates", key, "metadata.md"));
    const [, agreed = "", open = ""] = /^ {2}agreed:(.*?)^ {2}open:(.*?)^\S/ms.exec(metadata)!;
    return [agreed, open].map((list) => list.match(/- id:|- \{ id:/g)?.length ?? 0);
  }));
  const [agreed = 0, open = 0] = [0, 1].map((at) => ends.reduce((sum, each) => sum + each[at]!, 0));
  const { n, estimate, sentence, table } = diagnostics.find(({ id }) => id === "consensus")!;
  const withAgreement = ends.filter(([each]) => each! > 0).length;
  assert.ok(withAgreement > 0 && open > 0);
  assert.deepEqual([n, estimate], [4, withAgreement / 4]);
  assert.match(sentence!, new RegExp(`of 4 dialogues .*; ${agreed} of ${agreed + open} proposals`));
  assert.deepEqual(table!.rows.map(([topic, dialogues]) => [topic, dialogues]), [
    ["cars", 2],
    ["tea", 2],
  ]);
});

withFolder.test("study: the best questions of paper debates are debated by exchanged debaters, and a missing question fails", async (out) => {
  const questions = ["Under what conditions do people work fewer hours at the same pay?"];
  const catalogue = mine(() => ({
    reply: async (request) => {
      const reply = await WRITER.reply(request);
      return request.schema?.name === "paper_questions"
        ? { ...reply, text: JSON.stringify({ questions }) }
        : reply;
    },
  }));
  const given: StudyConfig = {
    study: "papers",
    base: { kind: "paper-debate", out, model: "mine:one", retrieval: "keyword" },
    papers: ["examples/papers/four_day_week.md"],
    questions: 2,
    contestants: [{ id: "a", temperature: 0 }, { id: "b" }],
    judges: [{ model: "offline" }],
    limits: { maxFailures: 1 },
  };
  const { cells } = await planStudy(given, { catalogue });
  assert.deepEqual(cells.map(({ topic, question, first }) => [topic, question, first]), [
    ["four-day-week", 1, "a"],
    ["four-day-week", 1, "b"],
    ["four-day-week", 2, "a"],
    ["four-day-week", 2, "b"],
  ]);
  const result = await runStudy(given, { catalogue });
  assert.deepEqual([result.done, result.failed, result.codes], [2, 2, { ["config_invalid"]: 2 }]);
  assert.match(result.failures[0]!.message, /question/);
});

withFolder.test("study: formats with a question of their own debate it, beside formats that have questions proposed", async (out) => {
  const given: StudyConfig = {
    study: "papers",
    base: { kind: "paper-debate", out, model: "offline", retrieval: "keyword" },
    papers: ["examples/papers/four_day_week.md"],
    questions: 2,
    formats: { output: { question: "Did output hold?" }, proposed: {} },
  };
  const { cells } = await planStudy(given);
  assert.deepEqual(cells.map(({ format, question }) => [format, question]), [
    ["output", undefined],
    ["proposed", 1],
    ["proposed", 2],
  ]);
  const { done, dir } = await runStudy(given);
  assert.equal(done, 3);
  const { dir: folder } = await studyReport(dir);
  const page = await Deno.readTextFile(join(folder, "leaderboard.md"));
  assert.match(page, /^\| Did output hold\? \| given \| .* \| \[four-day-week, output\]/m);
});

withFolder.test("study: convenings that cannot start count as failures and stay planned", async (out) => {
  const catalogue = mine(() => ({ check: () => Promise.reject(new Error("nobody answers")) }));
  const base = { kind: "debate", roundCount: 1, out, model: "mine:away" } as const;
  const given = study(out, { base, contestants: undefined, seeds: 30, concurrency: 1 });
  const result = await runStudy(given, { catalogue });
  assert.equal(result.ended, "failures");
  assert.deepEqual([result.done, result.failed, result.failures.length], [0, 0, 2]);
  assert.match(result.failures[0]!.message, /nobody answers/);
});

Deno.test("study: a convening whose metadata.md is lost fails, and the run ends", async () => {
  const given = study(await Deno.makeTempDir());
  const { dir } = await runStudy(given);
  const [, key = ""] = await namesIn(join(dir, "debates"));
  await Deno.remove(join(dir, "debates", key, "metadata.md"));
  const stop = new AbortController();
  let reports = 0;
  const result = await runStudy(given, {
    signal: stop.signal,
    // A run that never ends reports each try.
    onProgress: () => ++reports > 20 && stop.abort(),
  });
  assert.equal(result.ended, "failures");
  assert.deepEqual(result.failures.map((each) => [each.key, each.code]), [[key, "not_found"]]);
});

withFolder.test("study: a convening with a person waits on disk for the words", async (out) => {
  const given: StudyConfig = {
    study: "person",
    base: {
      kind: "dialogue",
      out,
      model: "offline",
      maxTurns: 2,
      participants: [{ name: "Ada" }, { name: "Ben", model: "human" }],
    },
    topics: [TEA],
  };
  const first = await runStudy(given);
  assert.deepEqual([first.ended, first.done, first.planned], ["done", 0, 1]);
  const { cells: [cell] } = await planStudy(given);
  const dir = join(first.dir, "debates", cell!.key);
  const said = await speak(dir, "Tea, of course, and at once.");
  assert.ok(!said.left);
  await said.convening.run();
  assert.equal((await runStudy(given)).done, 1);
});

withFolder.test("study: pairs are all, given, against one contestant, or a sample, and a repeated pair is rejected", async (out) => {
  const contestants = ["a", "b", "c", "d"].map((id) => ({ id, model: "offline" }));
  const held = async (pairs: StudyConfig["pairs"], sides: StudyConfig["sides"] = "as-given") =>
    (await planStudy(study(out, { contestants, pairs, sides }))).cells
      .map(({ first, second }) => `${first}${second}`);
  assert.deepEqual(await held("all"), ["ab", "ac", "ad", "bc", "bd", "cd"]);
  assert.deepEqual(await held([["b", "a"]], "both"), ["ba", "ab"]);
  assert.deepEqual(await held({ against: "b" }), ["ab", "bc", "bd"]);
  const sample = await held({ sample: 3 });
  assert.deepEqual([sample.length, await held({ sample: 3 })], [3, sample]);
  await assert.rejects(held([["a", "b"], ["b", "a"]], "both"), /is in the plan already/);
});

Deno.test("study: a link in the place of the study's folder, plan or configuration is rejected", async () => {
  const elsewhere = await Deno.makeTempDir();
  for (const name of ["", "plan.jsonl", "study.yaml", "debates"]) {
    const out = await Deno.makeTempDir();
    const given = study(out);
    const { dir } = await planStudy(given);
    await Deno.mkdir(name === "" ? dirname(dir) : dir, { recursive: true });
    await Deno.writeTextFile(join(elsewhere, "kept"), "");
    const target = name.includes(".") ? join(elsewhere, "kept") : elsewhere;
    await Deno.symlink(target, join(dir, name));
    await assert.rejects(runStudy(given), /it is a symbolic link/, name);
    assert.deepEqual(await namesIn(elsewhere), ["kept"]);
    assert.equal(await Deno.readTextFile(join(elsewhere, "kept")), "");
  }
});

withFolder.test("study: a YAML file may have its topics in another file, and paths are relative to the study's file", async (folder) => {
  const write = (name: string, ...lines: string[]) =>
    Deno.writeTextFile(join(folder, name), [...lines, ""].join("\n"));
  await write(
    "topics.jsonl",
    '\uFEFF{"id": "cars", "topic": "Cities should ban cars"}',
    '{"id": "tea", "topic": "Tea or coffee in the morning"}',
  );
  await write(
    "study.yaml",
    "study: file",
    "base: { kind: debate, roundCount: 1, out: archive, model: offline }",
    "topics: { file: topics.jsonl }",
  );
  const { dir, cells } = await planStudy(join(folder, "study.yaml"));
  assert.equal(dir, join(folder, "archive", "studies", "file"));
  assert.deepEqual(cells.map(({ topic }) => topic), ["cars", "tea"]);
  await write("topics.jsonl", "");
  await assert.rejects(planStudy(join(folder, "study.yaml")), { field: "topics.file" });
  await write("topics.jsonl", '{"id": "cars"}', "no JSON");
  await assert.rejects(
    planStudy(join(folder, "study.yaml")),
    { message: /topics\.jsonl:1.*topics\.jsonl:2/ },
  );
  // Each alias repeats the previous one ten times: a billion values.
  const lists = Array.from(
    { length: 10 },
    (_, at) => `a${at}: &a${at} [${at === 0 ? "x" : Array(10).fill(`*a${at - 1}`).join(", ")}]`,
  );
  for (const text of [lists.join("\n"), "study: a\nbase: &b { kind: debate, more: *b }"]) {
    await write("study.yaml", text);
    await assert.rejects(planStudy(join(folder, "study.yaml")), /its YAML aliases expand/);
  }
});
