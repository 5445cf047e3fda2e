// HTTP reads of a convening: events, messages, scores, files, exports, search.
import assert from "node:assert/strict";
import { join } from "@std/path";
import {
  heard,
  type HeardEvent,
  held,
  started,
  TALK,
  withGate,
  withTalkers,
} from "./support/talking_app.ts";

/** Returns every event of a stream. */
function all(response: Response): Promise<HeardEvent[]> {
  return Array.fromAsync(heard(response));
}

/** Returns the events with an id and checks that the id is the event's number. */
function numbered(events: readonly HeardEvent[]): number[] {
  return events.flatMap(({ id, event, data }) => {
    assert.equal(event, data.type);
    assert.equal(id, event === "message-delta" ? undefined : data.n);
    return id === undefined ? [] : [id];
  });
}

withGate.test("GET …/events sends every event once, deltas without an id, and ends with the run", async (app) => {
  const id = await started(app);
  const response = await app.fetch(`/api/convenings/${id}/events`);
  assert.equal(response.headers.get("content-type"), "text/event-stream");
  app.gate.open();
  const events = await all(response);
  const numbers = numbered(events);
  assert.deepEqual(numbers, numbers.map((_, at) => at + 1));
  assert.equal(events[0]?.event, "convening-start");
  assert.equal(events.at(-1)?.event, "convening-end");
  assert.equal(events.filter(({ event }) => event === "message-delta").length, 3);
  // After the run the stream is the log's, without deltas.
  const later = await all(await app.fetch(`/api/convenings/${id}/events`));
  assert.deepEqual(later, events.filter(({ event }) => event !== "message-delta"));
});

withGate.test("a client that reconnects after every event receives each exactly once", async (app) => {
  const id = await started(app, { ...TALK, maxTurns: 8 });
  const seen: number[] = [];
  for (let last = ""; last !== "over";) {
    const response = await app.fetch(`/api/convenings/${id}/events`, {
      headers: last === "" ? {} : { "last-event-id": last },
    });
    let next: HeardEvent | undefined;
    if (response.status === 200) {
      for await (const event of heard(response)) {
        if (event.id === undefined) continue;
        next = event;
        break;
      }
    }
    if (next?.event === "turn-start") app.gate.open();
    if (next !== undefined) seen.push(next.id!);
    last = next === undefined ? "over" : String(next.id);
  }
  await app.pool.run(id)!.ended;
  const events = await all(await app.fetch(`/api/convenings/${id}/events`));
  assert.deepEqual(seen, numbered(events));
  const { n } = events.at(-1)!.data;
  const again = await app.fetch(`/api/convenings/${id}/events`, {
    headers: { "last-event-id": String(n) },
  });
  assert.equal(again.status, 204);
  for (const past of [n, n + 5]) {
    const over = await app.fetch(`/api/convenings/${id}/events?after=${past}`);
    assert.equal(over.status, 204);
  }
  const after = await all(await app.fetch(`/api/convenings/${id}/events?after=${n - 2}`));
  assert.deepEqual(numbered(after), [n - 1, n]);
});

withGate.test("a client that disconnects ends its stream and not the run", async (app) => {
  const id = await started(app);
  for await (const _event of heard(await app.fetch(`/api/convenings/${id}/events`))) break;
  // A running convening has more events, whatever number is given.
  const open = await app.fetch(`/api/convenings/${id}/events?after=1000`);
  assert.equal(open.status, 200);
  await open.body?.cancel();
  app.gate.open();
  assert.equal((await app.pool.run(id)!.ended).state, "ended");
});

withTalkers.test("GET …/events rejects an invalid number and sends sources without their texts", async (app) => {
  const id = await held(app, { ...TALK, sources: [{ name: "a.md", text: "A secret text." }] });
  for (const last of ["x", "-1", "1.5", "9".repeat(30)]) {
    const response = await app.fetch(`/api/convenings/${id}/events`, {
      headers: { "last-event-id": last },
    });
    assert.equal(response.status, 400);
    assert.equal((await response.json()).error.field, "Last-Event-ID");
  }
  assert.equal((await app.get(`/api/convenings/${id}/events?after=x`)).body.error.field, "after");
  const head = await app.fetch(`/api/convenings/${id}/events`, { method: "HEAD" });
  assert.equal(head.status, 200);
  const [start] = await all(await app.fetch(`/api/convenings/${id}/events`));
  assert.deepEqual(start!.data.type === "convening-start" && start!.data.start.sources, [
    { name: "a.md" },
  ]);
});

withTalkers.test("GET …/messages returns consecutive pages without repetition", async (app) => {
  const id = await held(app, { ...TALK, maxTurns: 5 });
  const base = `/api/convenings/${id}/messages`;
  const { body: whole } = await app.get(base);
  assert.equal(whole.total, 5);
  assert.equal(whole.next, null);
  assert.deepEqual(whole.messages.map(({ seq }: { seq: number }) => seq), [1, 2, 3, 4, 5]);
  const [first] = whole.messages;
  assert.match(first.body, /^Speech for turn-1\/ada/);
  assert.equal(first.participant, "ada");
  assert.equal(first.usage.outputTokens, 20);
  assert.equal((await app.fetch(`/api/convenings/${id}/files/${first.file}`)).status, 200);
  const parts = [];
  for (let after: number | null = 0; after !== null;) {
    const { body } = await app.get(`${base}?after=${after}&limit=2`);
    assert.ok(body.messages.length <= 2);
    parts.push(...body.messages);
    after = body.next;
  }
  assert.deepEqual(parts, whole.messages);
  assert.deepEqual((await app.get(`${base}?after=99`)).body.messages, []);
  for (const query of ["after=-1", "after=x", "limit=0", "limit=1000"]) {
    const { status, body } = await app.get(`${base}?${query}`);
    assert.equal(status, 400);
    assert.equal(body.error.field, query.split("=")[0]);
  }
  // A damaged file is named and omitted; the other messages are returned.
  const file = join(app.pool.run(id)!.dir, whole.messages[1].file);
  await Deno.writeTextFile(file, "nothing");
  const { body: damaged } = await app.get(base);
  assert.equal(damaged.messages.length, 4);
  assert.equal(damaged.skipped[0].path, whole.messages[1].file);
  const { body: verified } = await app.get(`/api/convenings/${id}/verify`);
  assert.equal(verified.sound, false);
  assert.ok(
    verified.findings.some(({ path }: { path: string }) => path === whole.messages[1].file),
  );
  const { body: asked } = await app.post(`/api/convenings/${id}/ask`, { question: "good" });
  assert.equal(asked.skipped[0].path, whole.messages[1].file);
  assert.ok(![verified, asked].some((each) => JSON.stringify(each).includes(app.out)));
});

withTalkers.test("GET …/files returns markdown with an ETag, and 304 to a matching request", async (app) => {
  const id = await held(app);
  const url = `/api/convenings/${id}/files/index.md`;
  const response = await app.fetch(url);
  assert.equal(response.status, 200);
  assert.equal(response.headers.get("content-type"), "text/markdown; charset=utf-8");
  const dir = app.pool.run(id)!.dir;
  assert.equal(await response.text(), await Deno.readTextFile(join(dir, "index.md")));
  const etag = response.headers.get("etag")!;
  for (const header of [etag, `W/${etag}`, `"x", ${etag}`, "*"]) {
    const again = await app.fetch(url, { headers: { "if-none-match": header } });
    assert.equal(again.status, 304);
    assert.equal(again.headers.get("etag"), etag);
  }
  const other = await app.fetch(url, { headers: { "if-none-match": '"x"' } });
  assert.equal(other.status, 200);
  await other.text();
  const head = await app.fetch(url, { method: "HEAD" });
  assert.equal(head.headers.get("etag"), etag);
});

withTalkers.test("GET …/files returns neither hidden files nor files outside", async (app) => {
  const id = await held(app);
  const dir = app.pool.run(id)!.dir;
  await Deno.writeTextFile(join(app.out, "..", "outside.md"), "outside");
  await Deno.writeTextFile(join(dir, ".index.md.tmp"), "half");
  const names = [
    ".lock",
    ".inbox/x.json",
    ".index.md.tmp",
    "..%2f..%2f..%2foutside.md",
    "..%5c..%5coutside.md",
    "%2e%2e/%2e%2e/%2e%2e/outside.md",
    "%252e%252e/index.md",
    "messages%2f..%2findex.md",
    "%2fetc%2fhosts",
    "index.md%00.txt",
    "messages",
    "x".repeat(4000),
  ];
  for (const name of names) {
    const response = await app.fetch(`/api/convenings/${id}/files/${name}`);
    assert.equal(response.status, 404, name.slice(0, 60));
    const text = await response.text();
    assert.ok(!text.includes("outside\n") && !text.includes(app.out), name.slice(0, 60));
    const asked = await app.fetch(`/api/convenings/${id}/files?path=${name}`);
    assert.equal(asked.status, 404, name.slice(0, 60));
    const said = await asked.text();
    assert.ok(!said.includes("outside\n") && !said.includes(app.out), name.slice(0, 60));
  }
  const { status, body } = await app.get(`/api/convenings/${id}/files/`);
  assert.deepEqual([status, body.error.field], [400, "path"]);
});

withTalkers.test("GET …/files with a malformed or unknown id returns nothing of the archive", async (app) => {
  const id = await held(app);
  await Deno.mkdir(join(app.out, "papers"));
  await Deno.writeTextFile(join(app.out, "papers", "p.md"), "kept apart");
  const day = id.slice(0, 10);
  const none = `${day}T00-00-00_none`;
  for (
    const path of [
      `x/files/papers/p.md`,
      `papers/files/p.md`,
      `${day}/files/${id}/index.md`,
      `${none}/files/index.md`,
    ]
  ) {
    const { status, body } = await app.get(`/api/convenings/${path}`);
    assert.equal(status, 404, path);
    assert.match(body.error.message, /^Cannot find convening/, path);
  }
  const { body } = await app.get(`/api/convenings/${id}/files/none.md`);
  assert.equal(body.error.message, `Cannot find a file "${day}/${id}/none.md"`);
});

withGate.test("GET …/export returns each format, also during a run, and its web page has no active content", async (app) => {
  const id = await started(app);
  await app.gate.reached;
  const forms = {
    md: "text/markdown; charset=utf-8",
    json: "application/json; charset=utf-8",
    txt: "text/plain; charset=utf-8",
    html: "text/html; charset=utf-8",
  };
  for (const [format, type] of Object.entries(forms)) {
    const response = await app.fetch(`/api/convenings/${id}/export?format=${format}`);
    assert.equal(response.status, 200);
    assert.equal(response.headers.get("content-type"), type);
    assert.equal(response.headers.get("x-content-type-options"), "nosniff");
    assert.ok((await response.text()).includes(TALK.topic));
    const policy = response.headers.get("content-security-policy")!;
    assert.equal(policy.startsWith("sandbox;"), format === "html");
    assert.equal(policy.includes("script-src 'unsafe"), false);
    const disposition = response.headers.get("content-disposition");
    assert.equal(disposition, `inline; filename="${id}.${format}"`);
    const path = `/api/convenings/${id}/export?format=${format}`;
    const headers = { "if-none-match": response.headers.get("etag")! };
    assert.equal((await app.fetch(path, { headers })).status, 304, format);
  }
  const { status, body } = await app.get(`/api/convenings/${id}/export?format=pdf`);
  assert.equal(status, 400);
  assert.equal(body.error.field, "format");
  app.gate.open();
  await app.pool.run(id)!.ended;
});

withTalkers.test("a source with the name of a script or a page is sent as plain text or as a download", async (app) => {
  const sources = ["x.js", "x.svg", "x.html"].map((name) => ({ name, text: "<script>1</script>" }));
  const id = await held(app, { ...TALK, sources });
  for (const { name } of sources) {
    const response = await app.fetch(`/api/convenings/${id}/files/sources/${name}`);
    assert.equal(response.headers.get("x-content-type-options"), "nosniff");
    const isPage = name === "x.html";
    assert.equal(response.headers.get("content-type")?.startsWith("text/plain"), !isPage);
    assert.equal(
      response.headers.get("content-disposition")?.startsWith("attachment") ?? false,
      isPage,
    );
    await response.text();
  }
});

withTalkers.test("GET /api/search finds messages of all convenings", async (app) => {
  const ids = [await held(app), await held(app)];
  const { status, body } = await app.get("/api/search?q=second%20sentence&limit=4");
  assert.equal(status, 200);
  assert.deepEqual([body.convenings, body.messages, body.results.length], [2, 6, 4]);
  for (const { id, seq, link } of body.results) {
    assert.ok(ids.includes(id));
    assert.equal((await app.get(link)).body.messages[0].seq, seq);
  }
  assert.ok(!JSON.stringify(body).includes(app.out));
  assert.deepEqual((await app.get("/api/search?q=xylophone")).body.results, []);
  const bad = ["", "?q=", "?q=%20", "?q=x&limit=0", "?q=x&limit=101", `?q=${"x".repeat(1001)}`];
  for (const query of bad) {
    const refused = await app.get(`/api/search${query}`);
    assert.equal(refused.status, 400, query.slice(0, 40));
    assert.equal(refused.body.error.code, "config_invalid");
  }
  assert.equal((await app.get("/api/search?q=%00%ff'%22)%20OR%201=1")).status, 200);
});

withTalkers.test("GET /api/kinds reads keysOnly from the query", async ({ fetch }) => {
  const lengths = [];
  for (const keysOnly of [true, false, "maybe"]) {
    const response = await fetch(`/api/kinds?keysOnly=${keysOnly}`);
    lengths.push(response.ok ? (await response.text()).length : (await response.json()).error);
  }
  const [short, whole, { field }] = lengths;
  assert.ok(short * 3 < whole, `${short}, ${whole}`);
  assert.equal(field, "keysOnly");
});

withTalkers.test("a message is read with its own scores alone: a damaged score of another is no obstacle", async (app) => {
  const id = await held(app);
  const folder = join(app.pool.run(id)!.dir, "scores");
  await Deno.mkdir(folder, { recursive: true });
  await Deno.writeTextFile(join(folder, "002_0123abcd.md"), "no record");
  const read = async (seq: number) => await app.get(`/api/convenings/${id}/messages/${seq}`);
  const { status, body } = await read(1);
  assert.deepEqual([status, body.scores], [200, []]);
  assert.equal((await read(2)).body.error.code, "record_corrupt");
});
