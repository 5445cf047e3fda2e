// HTTP collection of convenings: starting, listing, filters, deletion, queue, archive events.
import assert from "node:assert/strict";
import { cpSync } from "node:fs";
import { join } from "@std/path";
import { heard, held, TALK, withGate, withTalkers } from "./support/talking_app.ts";
import { runMain } from "../support/run_main.ts";
import { MODEL } from "../support/speaking_model.ts";

const DEBATE = { kind: "debate", topic: TALK.topic, model: MODEL, roundCount: 1, seed: 1 };

withTalkers.test("POST /api/convenings returns the location of a convening, and GET /api/convenings/:id returns the command line's JSON without paths of the machine", async ({ post, get, fetch, pool }) => {
  const { status, body: { id, links }, headers } = await post("/api/convenings", TALK);
  const path = `/api/convenings/${id}`;
  assert.deepEqual([status, headers.get("location"), links.self], [201, path, path]);
  await pool.run(id)!.ended;
  const { body } = await get(path);
  assert.deepEqual([body.id, body.status, body.endReason], [id, "completed", "completed"]);
  assert.equal(body.messages, 3);
  assert.equal(body.queuePosition, null);
  assert.equal(body.waitingFor, null);
  assert.deepEqual(body.participants.map(({ id }: { id: string }) => id), ["ada", "ben"]);
  assert.equal(body.usage.outputTokens, 60);
  assert.equal("dir" in body, false);
  for (const link of Object.values(body.links)) {
    const response = await fetch(String(link));
    assert.equal(response.status, 200, String(link));
    await response.text();
  }
});

const REFUSED: readonly (readonly [field: string, body: object])[] = [
  ["baseUrl", { baseUrl: "http://127.0.0.1:1/v1" }],
  ["providers", { providers: { own: { baseUrl: "http://127.0.0.1:1/v1" } } }],
  ["out", { out: "/tmp" }],
  ["memory", { memory: "/tmp" }],
  ["personas", { personas: "/tmp" }],
  ["papers", { papers: ["/etc/hosts"] }],
  ["sources.0", { sources: ["/etc/hosts"] }],
  ["sources.0.name", { sources: [{ name: "../../x", text: "x" }] }],
  ["model", { model: "replay:/tmp" }],
  ["participants.0.model", { participants: [{ name: "Ada", model: "replay:/tmp" }] }],
  ["participants.0.persona", { participants: [{ name: "Ada", persona: "/tmp/x.yaml" }] }],
  ["factCheck.searchUrl", { factCheck: { searchUrl: "http://127.0.0.1:1" } }],
  ["frobnicate", { frobnicate: 1 }],
  ["topic", { topic: 7 }],
  ["maxTurns", { maxTurns: 0 }],
  ["kind", { kind: "quarrel" }],
];

withTalkers.test("POST /api/convenings rejects settings of the server's machine and invalid ones, by name", async ({ post, get }) => {
  for (const [field, keys] of REFUSED) {
    const { status, body: { error } } = await post("/api/convenings", { ...TALK, ...keys });
    assert.deepEqual([status, error.code, error.field], [400, "config_invalid", field]);
    assert.ok(error.hint.length > 0);
  }
  assert.equal((await get("/api/convenings")).body.counts.total, 0);
});

withTalkers.test("GET /api/convenings is paged by a cursor that new convenings do not shift", async ({ post, get, pool, out }) => {
  const ids: string[] = [];
  for (let i = 0; i < 5; i++) {
    ids.unshift(await held({ post, pool }, { ...TALK, maxTurns: 1 }));
  }
  const first = (await get("/api/convenings?limit=2")).body;
  await held({ post, pool }, { ...TALK, maxTurns: 1 });
  const listed = [...first.convenings];
  for (let next = first.next; next !== null;) {
    const { body } = await get(`/api/convenings?limit=2&cursor=${encodeURIComponent(next)}`);
    listed.push(...body.convenings);
    next = body.next;
    assert.equal(body.counts.total, 6);
  }
  assert.deepEqual(listed.map(({ id }) => id), ids);
  // A copied folder of a day has convenings of the same ids.
  const day = ids[0]!.slice(0, 10);
  for (const copy of ["2001-01-01", "2001-01-02"]) {
    cpSync(join(out, day), join(out, copy), { recursive: true });
  }
  // A renamed record keeps no page from following.
  await Deno.mkdir(join(out, day, `${ids[3]} copy`));
  const seen: string[] = [];
  for (let next = ""; next !== null && seen.length < 20;) {
    const { body } = await get(`/api/convenings?limit=1&cursor=${encodeURIComponent(next)}`);
    seen.push(...body.convenings.map(({ id }: { id: string }) => id));
    next = body.next;
  }
  assert.equal(seen.length, 7, "each id once");
  const other = (await get(`/api/convenings?limit=2&sort=cost&cursor=${first.next}`)).body;
  assert.match(other.error.message, /^Cannot use cursor: its list is sorted by newest/);
  for (const cursor of ["x", "%00", "bm90aGluZw", "y".repeat(5000)]) {
    const { status, body } = await get(`/api/convenings?cursor=${cursor}`);
    assert.equal(status, 400);
    assert.equal(body.error.field, "cursor");
  }
});

withTalkers.test("GET /api/convenings counts all convenings and lists those that match its filters", async ({ fetch, post, get, pool, out }) => {
  const runs = [{ ...TALK, topic: "Is remote work good for cities?" }, TALK, DEBATE];
  for (const each of runs) await held({ post, pool }, each);
  const broken = join(out, "2026-01-01", "2026-01-01T00-00-00_debate");
  await Deno.mkdir(broken, { recursive: true });
  await Deno.writeTextFile(join(broken, "metadata.md"), "---\nbroken");
  const { body: all } = await get("/api/convenings");
  assert.equal(all.convenings.length, 4);
  assert.deepEqual(all.counts.byKind, { debate: 1, dialogue: 2, unreadable: 1 });
  assert.deepEqual(all.counts.byStatus, { completed: 3, unreadable: 1 });
  const filters = "kind=dialogue&status=completed&q=REMOTE%20work";
  const { body: some } = await get(`/api/convenings?${filters}`);
  assert.equal(some.convenings.length, 1);
  assert.equal(some.convenings[0].topic, runs[0]!.topic);
  assert.equal(some.counts.matching, 1);
  assert.equal(some.counts.total, 4);
  const letters = "Braucht İstanbul's Straße ein neues Café?";
  await held({ post, pool }, { ...TALK, topic: letters });
  for (const words of ["STRASSE cafe", "istanbul’s", "ISTANBUL", '"neues Café"']) {
    const { body } = await get(`/api/convenings?q=${encodeURIComponent(words)}`);
    assert.deepEqual(body.convenings.map(({ topic }: { topic: string }) => topic), [letters]);
  }
  const damaged = all.convenings.find(({ status }: { status: string }) => status === "unreadable");
  assert.ok(damaged.problem.length > 0 && !damaged.problem.includes(out));
  const archive = await (await fetch("/")).text();
  assert.ok(archive.includes(damaged.problem.slice(0, 40)) && !archive.includes(out));
  for (const query of ["limit=0", "limit=201", "limit=x", "limit=1e2", "status=gone"]) {
    assert.equal((await get(`/api/convenings?${query}`)).status, 400);
  }
  // An unreadable convening is reported as such.
  assert.equal((await get(`/api/convenings/${damaged.id}`)).body.error.code, "record_corrupt");
});

withTalkers.test("a list is filtered by day, model, winner, cost and parent, sorted, and paged in its order by HTTP, CLI and MCP", async ({ fetch, post, get, pool, out }) => {
  const ids: string[] = [];
  for (const maxTurns of [3, 5, 4]) {
    ids.push(await held({ post, pool }, { ...TALK, maxTurns }));
  }
  const debate = await held({ post, pool }, { ...DEBATE, judges: [{ model: MODEL }] });
  const { body: fork } = await post(`/api/convenings/${ids[0]}/fork`, { at: 1 });
  const listed = async (query: string): Promise<string[]> =>
    (await get(`/api/convenings?${query}`)).body.convenings.map(({ id }: { id: string }) => id);
  const counts = await listed("sort=messages&kind=dialogue");
  assert.deepEqual(counts, [ids[1], ids[2], ids[0], fork.id]);
  assert.deepEqual(await listed("sort=oldest"), (await listed("")).toReversed());
  assert.deepEqual(await listed(`parent=${ids[0]}`), [fork.id]);
  const { body: { convenings: [row] } } = await get("/api/convenings?kind=debate");
  assert.deepEqual(row.models, [MODEL]);
  const { body: { strength } } = await get(`/api/convenings/${debate}`);
  assert.deepEqual(row.strengthLevel, strength.level);
  const won = `${row.winnerName} (${strength.level})`;
  const shown = await fetch("/?kind=debate", { headers: { accept: "text/html" } });
  assert.ok((await shown.text()).replace(/<\/?bdi>/g, "").includes(`Winner: ${won}`));
  for (const index of ["index.md", `${debate.slice(0, 10)}/index.md`]) {
    assert.ok((await Deno.readTextFile(join(out, index))).includes(`| ${won} |`), index);
  }
  const { stdout } = await runMain(["list", "--out", out], { folder: out });
  assert.ok(stdout.includes(`  ${row.winnerName} won (${strength.level})  `), stdout);
  assert.deepEqual(await listed(`winner=${row.winnerName.toUpperCase()}`), [debate]);
  assert.deepEqual(await listed("winner=nobody"), []);
  assert.deepEqual(await listed(`model=${MODEL}&minCost=0&maxCost=0.5`), [debate]);
  assert.deepEqual(await listed("model=none"), []);
  assert.deepEqual(await listed("minCost=0.0001"), []);
  // Midnight may pass meanwhile.
  const [first, last, third] = [ids[0]!, fork.id, ids[2]!].map((id) => id.slice(0, 10));
  assert.equal((await listed(`since=${first}&until=${last}`)).length, 5);
  assert.deepEqual(await listed("until=2020-01-01"), []);
  assert.equal((await get("/api/convenings?since=yesterday")).status, 400);
  // A page in any order continues after the last row, also if that row was deleted.
  const page = (await get("/api/convenings?sort=messages&kind=dialogue&limit=2")).body;
  await Deno.remove(join(out, third!, ids[2]!), { recursive: true });
  assert.deepEqual(
    await listed(`sort=messages&kind=dialogue&cursor=${page.next}`),
    [ids[0], fork.id],
  );
});

withGate.test("a deleted convening disappears from lists, indexes and search and is restored unchanged; a running one cannot be deleted", async ({ fetch, post, get, pool, out, gate }) => {
  const { body: { id } } = await post("/api/convenings", TALK);
  const asked = async (path: string, init: RequestInit) => {
    const answer = await fetch(`/api/convenings/${path}`, init);
    return { status: answer.status, body: await answer.json() };
  };
  const remove = (id: string) => asked(id, { method: "DELETE" });
  const refused = await remove(id);
  assert.deepEqual([refused.status, refused.body.error.code], [409, "locked"]);
  gate.open();
  await pool.run(id)!.ended;
  const day = id.slice(0, 10);
  const index = () => Deno.readTextFile(join(out, day, "index.md"));
  const message = (await get(`/api/convenings/${id}/messages/1`)).body;
  assert.ok((await index()).includes(id));
  // A request that comes during another finds the convening gone, or locked.
  const removals = await Promise.all([remove(id), remove(id)]);
  const [removed, late] = removals.toSorted((a, b) => a.status - b.status);
  assert.deepEqual(removed, { status: 200, body: { id } });
  assert.match(late!.body.error.code, /^(?:not_found|locked)$/);
  const listed = async (query = "") => (await get(`/api/convenings${query}`)).body.convenings;
  assert.deepEqual(await listed(), []);
  assert.equal((await get("/api/search?q=cars")).body.convenings, 0);
  assert.ok(!(await index()).includes(id));
  assert.equal((await get(`/api/convenings/${id}`)).status, 404);
  assert.equal((await remove(id)).status, 404);
  assert.equal((await listed("?folder=trash"))[0].id, id);
  // Some clients send the JSON content type with every request.
  const bare = { method: "POST", headers: { "content-type": "application/json" } };
  const restore = () => asked(`${id}/restore`, bare);
  const restored = await Promise.all([restore(), restore()]);
  const [back, again] = restored.toSorted((a, b) => a.status - b.status);
  assert.match(again!.body.error.code, /^(?:not_found|locked)$/);
  assert.equal(back!.status, 200);
  assert.equal(back!.body.links.self, `/api/convenings/${id}`);
  assert.deepEqual((await get(`/api/convenings/${id}/messages/1`)).body, message);
  assert.ok((await index()).includes(id));
  assert.deepEqual(await listed("?folder=trash"), []);
  assert.equal((await post(`/api/convenings/${id}/restore`, {})).status, 404);
  const cell = await remove("tea.0123456789abcdef");
  assert.deepEqual([cell.status, cell.body.error.code], [400, "config_invalid"]);
  const kept = await post("/api/convenings/tea.0123456789abcdef/restore", {});
  assert.match(kept.body.error.message, /^Cannot restore tea\./);
});

withTalkers.test("the archive's event stream sends its contents first and then each change", async ({ fetch, post, pool }) => {
  const events = heard(await fetch("/api/archive/events"));
  const next = async () => (await events.next()).value as unknown as Changed;
  assert.deepEqual((await next()).data.byStatus, {});
  await held({ post, pool });
  for (;;) {
    const { event, data } = await next();
    assert.equal(event, "change");
    assert.equal(data.total, 1);
    if (data.byStatus["completed"] === 1) break;
  }
  await events.return(undefined);
});

withTalkers.test("the archive's list is read once a second for all listeners", async ({ fetch, post, pool }) => {
  await held({ post, pool });
  let rows = 0;
  const run = pool.run.bind(pool);
  pool.run = (id) => {
    rows++;
    return run(id);
  };
  const listeners = await Promise.all(
    Array.from({ length: 50 }, async () => heard(await fetch("/api/archive/events"))),
  );
  for (const each of listeners) {
    assert.equal(((await each.next()).value as unknown as Changed).data.total, 1);
    await each.return(undefined);
  }
  // A listener within the same second gets the list that is already known.
  assert.ok(rows < listeners.length / 2, String(rows));
});

interface Changed {
  readonly event: string;
  readonly data: { readonly total: number; readonly byStatus: Readonly<Record<string, number>> };
}

withGate.test(
  "concurrent requests cannot start more convenings than may wait",
  async ({ post, gate }) => {
    const starts = Array.from({ length: 5 }, () => post("/api/convenings", TALK));
    const answers = await Promise.all(starts);
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 201, 201, 503, 503]);
    gate.open();
  },
  { maxRunning: 1, maxQueued: 2 },
);

withGate.test(
  "with room for one run further runs are queued, and a queued run can be stopped and resumed",
  async ({ post, get, pool, gate }) => {
    const [first, second, third] = [
      (await post("/api/convenings", TALK)).body,
      (await post("/api/convenings", TALK)).body,
      (await post("/api/convenings", TALK)).body,
    ];
    await gate.reached;
    assert.deepEqual([first.status, first.queuePosition], ["running", null]);
    assert.deepEqual([second.status, second.queuePosition], ["queued", 1]);
    assert.deepEqual([third.status, third.queuePosition], ["queued", 2]);
    const refused = await post("/api/convenings", TALK);
    assert.equal(refused.status, 503);
    assert.equal(refused.body.error.code, "busy");
    assert.equal((await get("/api/convenings?status=queued")).body.counts.matching, 2);

    assert.equal((await post(`/api/convenings/${second.id}/stop`)).status, 202);
    await pool.run(second.id)!.ended;
    const told = (await get(`/api/convenings/${second.id}`)).body;
    assert.deepEqual([told.status, told.endReason], ["stopped", "cancelled"]);
    assert.equal((await get(`/api/convenings/${third.id}`)).body.queuePosition, 1);

    const again = await post(`/api/convenings/${second.id}/resume`);
    assert.deepEqual([again.status, again.body.queuePosition], [202, 2]);
    gate.open();
    for (const { id } of [first, second, third]) {
      await pool.run(id)!.ended;
      assert.equal((await get(`/api/convenings/${id}`)).body.status, "completed");
    }
  },
  { maxRunning: 1, maxQueued: 2 },
);
