// Studies over HTTP, MCP and pages: run, follow, stop, resume, report, errors; the same state in each.
import assert from "node:assert/strict";
import { dirname, join } from "@std/path";
import { pause } from "../../src/core/clock.ts";
import { asPost } from "./support/as_post.ts";
import { type OpenApp, withApp } from "./support/open_app.ts";
import { jsonOf, namesIn } from "../support/cli.ts";
import { startModelServer } from "../support/model_server.ts";
import { ran, runMain } from "../support/run_main.ts";
import { called, connected, refusedBy } from "../mcp/support/mcp_client.ts";
import { STUDY } from "../studies/support/tea_study.ts";

// deno-lint-ignore no-explicit-any -- answers, as a client looks at them
async function json(answer: Response): Promise<any> {
  return await answer.json();
}

/** Runs the study to its end. */
async function held({ ask, pool }: OpenApp): Promise<void> {
  const begun = await ask("/api/studies", asPost(STUDY));
  assert.equal(begun.status, 201, await begun.clone().text());
  assert.equal(begun.headers.get("location"), "/api/studies/tea");
  await pool.studies.run("tea")?.ended;
}

withApp.test("HTTP runs a study, follows it by events, and lists its convenings", async (opened) => {
  const { ask } = opened;
  const begun = await json(await ask("/api/studies", asPost(STUDY)));
  assert.deepEqual([begun.id, begun.state, begun.planned], ["tea", "running", 2]);
  const text = await (await ask("/api/studies/tea/events")).text();
  const events = [...text.matchAll(/^event: (\w+)\ndata: (.*)$/gm)];
  assert.equal(events.at(-1)![1], "end");
  assert.equal(JSON.parse(events.at(-1)![2]!).done, 2);
  assert.ok(events.slice(0, -1).every(([, name]) => name === "progress"));
  const shown = await json(await ask("/api/studies/tea?within=5"));
  assert.deepEqual([shown.state, shown.done, shown.failed], ["completed", 2, 0]);
  const { studies, total } = await json(await ask("/api/studies"));
  assert.deepEqual([studies, total], [[shown], 1]);
  const { debates, next } = await json(await ask("/api/studies/tea/debates?limit=1"));
  assert.deepEqual([debates.length, next], [1, 1]);
  const [{ id, links, topic, status }] = debates;
  assert.match(id, /^tea\.[0-9a-f]{16}$/);
  assert.deepEqual([topic, status], [STUDY.topics[0].topic, "completed"]);
  assert.equal((await json(await ask(links.self))).id, id);
});

withApp.test("a study that is started again with its key gets the first response and runs within the server's limit", async ({ ask, pool }) => {
  const study = { ...STUDY, seeds: 5, concurrency: 100 };
  const start = (key: string) => ask("/api/studies", asPost(study, { "idempotency-key": key }));
  const [first, again] = [await start("key-1"), await start("key-1")];
  assert.deepEqual([first.status, again.status], [201, 201]);
  assert.deepEqual(await json(again), await json(first));
  const run = pool.studies.run("tea")!;
  let ended = false;
  run.ended.then(() => ended = true);
  let most = 0;
  while (!ended) {
    most = Math.max(most, run.progress.running);
    await Promise.race([pause(1), run.ended]);
  }
  assert.ok(most <= pool.maxRunning, `${most} at once`);
});

withApp.test("the state of a study is the same over HTTP, MCP and CLI", async (opened) => {
  await held(opened);
  const { links: _, ...http } = await json(await opened.ask("/api/studies/tea"));
  const client = await connected({ fetch: async (request) => await opened.app.fetch(request) });
  const asked = { name: "study_status", arguments: { id: "tea" } };
  const { structuredContent } = await client.callTool(asked);
  await client.close();
  assert.deepEqual(structuredContent, http);
  const args = ["study", "status", "tea", "--json", "--out", opened.out];
  const { dir: _dir, ...cli } = jsonOf(await runMain(args, { folder: opened.folder }));
  assert.deepEqual(cli, http);
});

withApp.test("a changed study is refused over HTTP and MCP, and extend adds its new convenings", async (opened) => {
  const { ask, app, pool } = opened;
  await held(opened);
  const refused = await ask("/api/studies", asPost({ ...STUDY, seeds: 2 }));
  assert.equal(refused.status, 400);
  const { message, hint } = (await json(refused)).error;
  assert.match(message, /seeds changed; 0 of 2 convenings would change, 2 would be new/);
  assert.match(hint, /elsewhere: extend/);
  const on = await json(await ask("/api/studies", asPost({ ...STUDY, seeds: 2, extend: true })));
  assert.equal(on.planned, 4);
  await pool.studies.run("tea")?.ended;
  const client = await connected({ fetch: async (request) => await app.fetch(request) });
  const study = { ...STUDY, seeds: 3, extend: true };
  assert.equal((await called(client, "run_study", { study })).data.planned, 6);
  await pool.studies.run("tea")?.ended;
  const odd = { study: { ...STUDY, extend: "yes" } };
  assert.equal((await refusedBy(client, "run_study", odd)).field, "extend");
  await client.close();
});

withApp.test("a study on a server is stopped and resumed, and its report is written and read", async (opened) => {
  const { ask, pool } = opened;
  await ask("/api/studies", asPost({ ...STUDY, seeds: 5, concurrency: 1 }));
  const stopped = await ask("/api/studies/tea/stop", asPost());
  const { state, done, why } = await json(stopped);
  assert.deepEqual([stopped.status, state], [202, "unfinished"]);
  assert.equal(why, `${10 - done} convenings left, and no process runs the study.`);
  assert.ok(done < 10);
  const again = await ask("/api/studies/tea/run", asPost());
  assert.equal(again.status, 202);
  const twice = await ask("/api/studies/tea/run", asPost());
  assert.deepEqual([twice.status, (await json(twice)).error.code], [409, "locked"]);
  await pool.studies.run("tea")?.ended;
  const retried = await json(await ask("/api/studies/tea/retry", asPost()));
  assert.equal(retried.planned, 10);
  await pool.studies.run("tea")?.ended;
  const { error } = await json(await ask("/api/studies", asPost({ ...STUDY, seeds: 4 })));
  assert.match(error.hint, /^Take the change back, or give the study another name:/);
  const report = await json(await ask("/api/studies/tea/report", asPost({ bootstrap: 0 })));
  assert.equal(report.completed, 10);
  assert.match(report.page, /^# Study tea/);
  for (const path of report.files) {
    const file = await ask(`/api/studies/tea/files?path=${path}`);
    assert.equal(file.status, 200, path);
    assert.ok((await file.text()).length > 50);
  }
  const exported = await json(await ask("/api/studies/tea/export", asPost()));
  const manifest = exported.files.find((path: string) => path.endsWith("/manifest.json"));
  const text = await (await ask(`/api/studies/tea/files?path=${manifest}`)).text();
  for (const path of exported.files.slice(0, -1)) assert.ok(text.includes(path.split("/")[2]));
  const rates = { offlien: { requestsPerMinute: 5 } };
  const plan = await json(await ask("/api/study-plans", asPost({ ...STUDY, rates })));
  assert.deepEqual([plan.id, plan.planned, plan.costUsd], ["tea", 2, 0]);
  assert.deepEqual(plan.unusedRates, ["offlien"]);
});

withApp.test("the page of studies links to a second page of more than fifty, in the order of numbers", async ({ ask, out }) => {
  for (let at = 2; at <= 52; at++) {
    await Deno.mkdir(join(out, `studies/s${at}`), { recursive: true });
    await Deno.writeTextFile(join(out, `studies/s${at}/study.yaml`), "");
  }
  const [first, second] = [await ask("/studies"), await ask("/studies?page=2")];
  assert.match(await first.text(), /"\/studies\/s51"(?!.*"\/studies\/s52").*"\/studies\?page=2"/s);
  assert.match(await second.text(), /"\/studies\/s52"/);
  assert.doesNotMatch(await (await ask("/studies?page=3")).text(), /no studies yet/);
});

withApp.test("clients cannot name files, folders and base URLs in a study", async ({ ask, out }) => {
  const { base } = STUDY;
  const cases: readonly (readonly [string, object])[] = [
    ["base.out", { base: { ...base, out: "/tmp/other" } }],
    ["base.baseUrl", { base: { ...base, baseUrl: "http://127.0.0.1:1" } }],
    ["base.sources", { base: { ...base, sources: ["/etc/hostname"] } }],
    ["formats.one.memory", { formats: { one: { memory: "/tmp" } } }],
    ["topics", { topics: { file: "/etc/hostname" } }],
    ["papers", { papers: ["/etc/hostname"] }],
    ["contestants.0.persona", { contestants: [{ id: "a", persona: "/tmp/x.yaml" }] }],
    ["contestants.0.model", { contestants: [{ id: "a", model: "replay:/tmp" }] }],
    ["topics", { topics: "Tea?" }],
    ["study", { study: 7 }],
    ["concurrency", { concurrency: "many" }],
    ["base", { base: [] }],
    ["base.participants", { base: { ...base, participants: 5 } }],
  ];
  for (const [field, more] of cases) {
    const answer = await ask("/api/studies", asPost({ ...STUDY, ...more }));
    const { error } = await json(answer);
    assert.deepEqual([answer.status, error.code, error.field], [400, "config_invalid", field]);
    if (field === "study") assert.equal(error.message, "Cannot use study: 7 is not allowed");
    if (field === "topics") assert.match(error.hint, /^Give (?:the|a list of) topics.*id.*topic/);
    if (field === "concurrency") assert.match(error.message, /^Cannot use concurrency: "many"/);
  }
  const guess = { id: "tea", topics: ["Tea?"], seeds: 0 };
  for (const path of ["/api/studies", "/api/study-plans"]) {
    const { error } = await json(await ask(path, asPost(guess)));
    const named = error.fields.map(({ field }: { field: string }) => field);
    assert.deepEqual(named.sort(), ["base", "id", "seeds", "study", "topics.0"], path);
    assert.match(
      error.hint,
      /^study: Give an id: .*\nbase: Give the kind and the settings of all/m,
    );
    const listed = await json(await ask(path, asPost([guess])));
    assert.equal(listed.error.message, "Cannot use study: it is not an object of keys");
  }
  assert.deepEqual(await Array.fromAsync(Deno.readDir(out)), []);
  for (const id of ["none", "..", "Tea", "a%2fb"]) {
    assert.equal((await ask(`/api/studies/${id}`)).status, 404, id);
  }
  for (const path of ["study.yaml", "../index.md", "report/../study.yaml", "debates/x"]) {
    const answer = await ask(`/api/studies/tea/files?path=${path}`);
    assert.equal(answer.status, 400, path);
  }
});

withApp.test("pages of studies show the list, a study with its convenings and report, and its controls", async (opened) => {
  const { ask } = opened;
  const html = async (path: string) =>
    await (await ask(path, { headers: { accept: "text/html" } })).text();
  assert.match(await html("/studies"), /There are no studies yet/);
  await held(opened);
  assert.match(await html("/studies"), /<a href="\/studies\/tea">tea<\/a>/);
  const page = await html("/studies/tea");
  assert.match(page, /2 of 2 done/);
  assert.equal([...page.matchAll(/href="\/convenings\/tea\.[0-9a-f]{16}"/g)].length, 2);
  const form = { method: "POST", body: new FormData() };
  const sent = await ask("/studies/tea/actions/report", { ...form, redirect: "manual" });
  assert.deepEqual([sent.status, sent.headers.get("location")], [303, "/studies/tea"]);
  assert.match(await html("/studies/tea"), /Contestants, the best first/);
  assert.equal((await ask("/studies/none")).status, 404);
  assert.equal((await ask("/studies/tea/actions/burn", form)).status, 404);
});

withApp.test("a server that shuts down leaves a resumable study", async ({ ask, pool, out, folder }) => {
  await ask("/api/studies", asPost({ ...STUDY, seeds: 5, concurrency: 1 }));
  await pool.close();
  const late = await ask("/api/studies/tea/run", asPost());
  assert.equal((await json(late)).error.code, "busy");
  const args = ["study", "run", join(out, "studies", "tea"), "--json"];
  assert.equal(jsonOf(await runMain(args, { folder }))["done"], 10);
});

withApp.test("a server rejects a study whose file has base URLs of models or files of the machine", async ({ ask, out, folder }) => {
  const secret = join(folder, "secret.md");
  await Deno.writeTextFile(secret, "A file of this machine.");
  const others: readonly (readonly [field: string, keys: object])[] = [
    ["base.baseUrl", { base: { ...STUDY.base, baseUrl: "http://127.0.0.1:1/v1" } }],
    ["base.sources", { base: { ...STUDY.base, sources: [secret] } }],
    ["formats.own.sources", { formats: { own: { sources: [secret] } } }],
  ];
  for (const [index, [field, keys]] of others.entries()) {
    const file = join(folder, "tea.yaml");
    const study = `tea-${index}`;
    await Deno.writeTextFile(file, JSON.stringify({ ...STUDY, ...keys, study }));
    const args = ["study", "run", file, "--limit", "0", "--out", out];
    await ran(args, { folder });
    for (const act of ["run", "retry"]) {
      const answer = await ask(`/api/studies/${study}/${act}`, asPost());
      const { error } = await json(answer);
      assert.deepEqual([answer.status, error.code, error.field], [403, "forbidden", field]);
    }
  }
});

Deno.test("a server sends its key to its own address when a study is resumed", async () => {
  await using server = await startModelServer();
  const env = (name: string) => name === "OPENAI_API_KEY" ? "sk-own" : undefined;
  await withApp(async ({ ask, pool, out }) => {
    const { study, topics } = STUDY;
    await ask("/api/studies", asPost({ study, topics, base: { kind: "debate", roundCount: 0 } }));
    await pool.studies.run("tea")?.ended;
    const before = server.requests.length;
    assert.ok(before > 0);
    for (const key of await namesIn(join(out, "studies", "tea", "debates"))) {
      await Deno.remove(join(out, "studies", "tea", "debates", key), { recursive: true });
    }
    const answer = await ask("/api/studies/tea/run", asPost());
    assert.equal(answer.status, 202, await answer.clone().text());
    await pool.studies.run("tea")?.ended;
    const keys = server.requests.slice(before).map(({ headers }) => headers["authorization"]);
    assert.deepEqual(new Set(keys), new Set(["Bearer sk-own"]));
  }, { models: { model: "m", baseUrl: server.url, env } });
});

withApp.test("a study that was tampered with is reported as unreadable by name and causes no internal error", async ({ ask, out, folder }) => {
  const file = join(folder, "tea.yaml");
  await Deno.writeTextFile(file, JSON.stringify(STUDY));
  const args = ["study", "run", file, "--limit", "0", "--out", out];
  await ran(args, { folder });
  const dir = join(out, "studies", "tea");
  const [yaml, plan] = ["study.yaml", "plan.jsonl"].map((name) => join(dir, name));
  const [study, cells] = [await Deno.readTextFile(yaml!), await Deno.readTextFile(plan!)];
  const [cell = ""] = cells.split("\n");
  const [a, b] = ["*a,".repeat(999), "*b,".repeat(999)];
  const aliases = `a: &a [${"x,".repeat(99)}]\nb: &b [${a}]\nc: [${b}]\n`;
  const changes: readonly (readonly [path: string, text: string])[] = [
    [yaml!, `${study}license: 5\n`],
    [yaml!, `${study}license: "MIT\\n# Forged"\n`],
    [yaml!, study.replace(/^contestants:\n(?: .*\n)+/m, "contestants: 5\n")],
    [yaml!, `${aliases}${study}`],
    [plan!, `${cell}\n${cell}\n`],
    [plan!, cells.replace('"topic":"', '"topic":"# ')],
  ];
  for (const [path, text] of changes) {
    assert.notEqual(text, path === yaml ? study : cells);
    await Deno.writeTextFile(path, text);
    for (const act of ["export", "report"]) {
      const { error } = await json(await ask(`/api/studies/tea/${act}`, asPost({})));
      assert.equal(error.code, "record_corrupt", text.slice(0, 200));
    }
    const { studies } = await json(await ask("/api/studies"));
    assert.equal(studies[0].state, "unreadable");
    await Deno.writeTextFile(yaml!, study);
    await Deno.writeTextFile(plan!, cells);
  }
});

const KEY = "0123456789abcdef";

withApp.test("HTTP, pages and the pool find a study's convening by STUDY.KEY", async ({ ask, hold, out }) => {
  const id = await hold();
  const dir = join(out, "studies", "tea", "debates", KEY);
  await Deno.mkdir(dirname(dir), { recursive: true });
  await Deno.rename(join(out, id.slice(0, 10), id), dir);
  const path = `/api/convenings/tea.${KEY}`;
  const shown = await (await ask(path)).json();
  assert.equal(shown.id, `tea.${KEY}`);
  assert.equal(shown.links.self, path);
  assert.match(await (await ask(`${path}/files/index.md`)).text(), /What makes a good teacher/);
  const events = await ask(`${path}/events?after=1`);
  assert.equal(events.status, 200);
  await events.body?.cancel();
  const verified = await (await ask(`${path}/verify`)).json();
  assert.deepEqual([verified.id, verified.sound], [`tea.${KEY}`, true]);
  const page = await ask(`/convenings/tea.${KEY}`, { headers: { accept: "text/html" } });
  assert.equal(page.status, 200);
  assert.ok((await page.text()).includes(`/api/convenings/tea.${KEY}`));
  const { convenings } = await (await ask("/api/convenings")).json();
  assert.deepEqual(convenings, []);
});

withApp.test("HTTP answers not_found for a missing convening of a study and for an unknown name", async ({ ask }) => {
  for (const id of [`tea.${KEY}`, `Tea.${KEY}`, `..${KEY}`, "tea.0123", `tea.${KEY}.${KEY}`]) {
    const answer = await ask(`/api/convenings/${id}`);
    assert.equal(answer.status, 404, id);
    assert.equal((await answer.json()).error.code, "not_found");
  }
});
