// HTTP methods, HEAD, unknown paths and parameters.
import assert from "node:assert/strict";
import { listen } from "../../src/cli/listen.ts";
import { asPost } from "./support/as_post.ts";
import { filled, routesOf, withApp } from "./support/open_app.ts";

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"];

withApp.test("a path lists its methods in Allow and rejects others with 405", async (opened) => {
  const id = await opened.hold();
  const paths = Map.groupBy(routesOf(opened), ({ path }) => path);
  for (const [path, routes] of paths) {
    const at = filled(path, (name) => name === "id" ? id : "index.md");
    const own = METHODS.filter((each) => routes.some(({ method }) => method === each));
    const allowed = ["GET", "HEAD", ...METHODS.slice(1), "OPTIONS"].filter((each) =>
      own.includes(each === "HEAD" ? "GET" : each) || each === "OPTIONS"
    );
    const options = await opened.ask(at, { method: "OPTIONS" });
    assert.deepEqual([options.status, await options.text()], [204, ""], path);
    assert.equal(options.headers.get("allow"), allowed.join(", "), path);
    assert.deepEqual([...options.headers.keys()].filter((each) => /^access-/.test(each)), []);
    for (const method of [...METHODS, "HEAD", "PROPFIND"]) {
      if (allowed.includes(method)) continue;
      const answer = await opened.ask(at, { method });
      assert.equal(answer.status, 405, `${method} ${path}`);
      assert.equal(answer.headers.get("allow"), allowed.join(", "), path);
      const text = await answer.text();
      if (method === "HEAD") assert.equal(text, "");
      else assert.equal(JSON.parse(text).error.code, "method_not_allowed");
    }
  }
});

withApp.test("HEAD answers like GET, with the length and without a body", async (opened) => {
  const place = { hostname: "127.0.0.1", port: 0 };
  const listener = await listen(async (request) => await opened.app.fetch(request), place);
  const headers = { "accept-encoding": "identity" };
  const asked = (at: string, method: string) =>
    fetch(`http://127.0.0.1:${listener.port}${at}`, { method, headers });
  const id = await opened.hold();
  await opened.ask("/api/papers", asPost({ id: "trees", title: "Trees", text: "Cooler." }));
  const log = `/api/convenings/${id}/files/log.jsonl`;
  const routes = routesOf(opened).filter(({ method }) => method === "GET");
  for (const path of [...routes.map(({ path }) => path), log, "/api/none"]) {
    for (const known of [true, false]) {
      const file = path.startsWith("/api") ? "index.md" : "status";
      const own = path.includes("papers") ? "trees" : id;
      const at = filled(path, (name) => name === "id" ? (known ? own : "none") : file);
      const get = await asked(at, "GET");
      const head = await asked(at, "HEAD");
      const isStream = get.headers.get("content-type") === "text/event-stream";
      // The archive's event stream does not end.
      if (isStream) await get.body?.cancel();
      const length = isStream ? null : String((await get.arrayBuffer()).byteLength);
      assert.equal(head.headers.get("content-length"), length, at);
      assert.equal(head.status, get.status, at);
      for (const name of get.headers.keys()) {
        if (["date", "content-length", "transfer-encoding"].includes(name)) continue;
        // The body of /healthz counts down the pauses of this process.
        if (at === "/healthz" && name === "etag") continue;
        assert.equal(head.headers.get(name), get.headers.get(name), `${at} ${name}`);
      }
      assert.equal(await head.text(), "", at);
    }
  }
  await listener.close();
});

withApp.test("an unknown path answers 404 to every method", async ({ ask }) => {
  const paths = ["/nowhere", "/api/", "/api/convenings/a/b/c", "/api/mas-debate", "/login"];
  for (const path of paths) {
    for (const method of [...METHODS, "HEAD", "OPTIONS", "PROPFIND"]) {
      const answer = await ask(path, { method });
      await answer.body?.cancel();
      assert.equal(answer.status, 404, `${method} ${path}`);
      assert.equal(answer.headers.get("allow"), null);
    }
  }
});

/** A request with the expected field and hint of the error. */
const UNKNOWN: readonly (readonly [string, RequestInit, string, RegExp])[] = [
  ["/api/convenings?limt=3", {}, "limt", /Did you mean "limit"\? Allowed here: limit, cursor/],
  ["/api/convenings/ID?private=1", {}, "private", /^Leave it out\.$/],
  ["/api/convenings/ID/messages?limit=3&afer=2", {}, "afer", /Did you mean "after"/],
  ["/api/convenings/ID/events?from=2", {}, "from", /Allowed here: after/],
  ["/api/convenings/ID/files?file=index.md", {}, "file", /Allowed here: path/],
  ["/api/convenings/ID/export?fmt=json", {}, "fmt", /Allowed here: format/],
  ["/api/openapi.json?format=yaml", {}, "format", /^Leave it out\.$/],
  ["/api/convenings?dryRun=true", { method: "POST", body: "{}" }, "dryRun", /^Leave it out\.$/],
  ["/api/convenings/ID/pause?force=1", { method: "POST" }, "force", /^Leave it out\.$/],
];

withApp.test("a parameter that a query has twice is rejected", async (opened) => {
  const answer = await opened.ask("/api/convenings?status=failed&status=paused");
  const { error } = await answer.json();
  assert.deepEqual([answer.status, error.code, error.field], [400, "config_invalid", "status"]);
  assert.equal(error.hint, "Give it once.");
});

withApp.test("an unknown parameter is rejected with the likely parameter", async ({ ask, hold }) => {
  const id = await hold();
  for (const [path, init, field, hint] of UNKNOWN) {
    const headers: HeadersInit = init.body === undefined
      ? {}
      : { "content-type": "application/json" };
    const answer = await ask(path.replace("ID", id), { ...init, headers });
    const { error } = await answer.json();
    assert.deepEqual([answer.status, error.code, error.field], [400, "config_invalid", field]);
    assert.match(error.message, /^Cannot use the query: unknown parameter /);
    assert.match(error.hint, hint, path);
  }
});

withApp.test("health checks may have unknown parameters", async ({ ask }) => {
  const answer = await ask("/healthz?probe=1");
  const { status } = await answer.json();
  assert.deepEqual([answer.status, status], [200, "ok"]);
});
