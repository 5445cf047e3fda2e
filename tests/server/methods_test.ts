import assert from "node:assert/strict";
import { listen } from "../../src/cli/listen.ts";
import { filled, routesOf, withApp } from "./support/open_app.ts";

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"];

Deno.test("a path says in Allow what it takes, and refuses every other method with 405", async () => {
  await withApp(async (opened) => {
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
});

Deno.test("HEAD answers as GET does, with its length and without its body, as it comes over the wire", async () => {
  await withApp(async (opened) => {
    const place = { hostname: "127.0.0.1", port: 0 };
    const listener = await listen(async (request) => await opened.app.fetch(request), place);
    const asked = (at: string, method: string) =>
      fetch(`http://127.0.0.1:${listener.port}${at}`, {
        method,
        headers: { "accept-encoding": "identity" },
      });
    const id = await opened.hold();
    await opened.ask("/api/papers", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ id: "trees", title: "Trees", text: "Cooler." }),
    });
    for (const { path } of routesOf(opened).filter(({ method }) => method === "GET")) {
      for (const known of [true, false]) {
        const file = path.startsWith("/api") ? "index.md" : "status";
        const own = path.includes("papers") ? "trees" : id;
        const at = filled(path, (name) => name === "id" ? (known ? own : "none") : file);
        const [get, head] = [await asked(at, "GET"), await asked(at, "HEAD")];
        const isStream = get.headers.get("content-type") === "text/event-stream";
        // The events of an archive do not end.
        if (isStream) await get.body?.cancel();
        const length = isStream ? null : String((await get.arrayBuffer()).byteLength);
        assert.equal(head.headers.get("content-length"), length, at);
        assert.equal(head.status, get.status, at);
        for (const name of get.headers.keys()) {
          if (["date", "content-length", "transfer-encoding"].includes(name)) continue;
          assert.equal(head.headers.get(name), get.headers.get(name), `${at} ${name}`);
        }
        assert.equal(await head.text(), "", at);
      }
    }
    await listener.close();
  });
});

Deno.test("what is not there is not there by any method", async () => {
  await withApp(async ({ ask }) => {
    for (
      const path of ["/nowhere", "/api/", "/api/convenings/a/b/c", "/api/mas-debate", "/login"]
    ) {
      for (const method of [...METHODS, "HEAD", "OPTIONS", "PROPFIND"]) {
        const answer = await ask(path, { method });
        await answer.body?.cancel();
        assert.equal(answer.status, 404, `${method} ${path}`);
        assert.equal(answer.headers.get("allow"), null);
      }
    }
  });
});
