import assert from "node:assert/strict";
import { withApp } from "./support/open_app.ts";

Deno.test("a client that has a JSON answer is told so, until the answer is another", async () => {
  await withApp(async ({ ask, hold }) => {
    const id = await hold();
    const paths = ["", `/${id}`, `/${id}/messages?limit=1`, `/${id}/scores`, `/${id}/verify`]
      .map((each) => `/api/convenings${each}`);
    for (const path of [...paths, "/api/openapi.json", "/api/papers", "/api/search?q=teacher"]) {
      const whole = await ask(path);
      const etag = whole.headers.get("etag")!;
      assert.match(etag, /^"[0-9a-f]{32}"$/, path);
      assert.equal(whole.headers.get("content-length"), `${(await whole.bytes()).length}`);
      assert.equal(whole.headers.get("cache-control"), "private, no-cache");
      for (const known of [etag, `W/${etag}`, `"another", ${etag}`, "*"]) {
        const again = await ask(path, { headers: { "if-none-match": known } });
        assert.deepEqual([again.status, await again.text()], [304, ""], `${path} ${known}`);
        assert.equal(again.headers.get("etag"), etag);
        assert.equal(again.headers.get("content-type"), null);
        assert.equal(again.headers.get("x-content-type-options"), "nosniff");
      }
      const other = await ask(path, { headers: { "if-none-match": '"another"' } });
      assert.equal(other.status, 200);
      await other.body?.cancel();
    }
    const [list = ""] = paths;
    const before = (await ask(list)).headers.get("etag")!;
    await hold();
    const after = await ask(list, { headers: { "if-none-match": before } });
    assert.equal(after.status, 200);
    assert.notEqual(after.headers.get("etag"), before);
    const refusal = await ask(`/api/convenings/none`);
    assert.deepEqual([refusal.status, refusal.headers.get("etag")], [404, null]);
  });
});

Deno.test("pages' scripts are known by a list of tags too", async () => {
  await withApp(async ({ ask }) => {
    const etag = (await ask("/static/style.css")).headers.get("etag")!;
    for (const known of [etag, `W/${etag}`, `"x", ${etag}`]) {
      const { status } = await ask("/static/style.css", { headers: { "if-none-match": known } });
      assert.equal(status, 304, known);
    }
  });
});

Deno.test("answers are compressed for a client that takes it, but no event and nothing small", async () => {
  await withApp(async ({ ask, hold }) => {
    const id = await hold();
    const headers = { "accept-encoding": "gzip, br" };
    for (const path of ["/api/openapi.json", `/convenings/${id}`, "/static/style.css"]) {
      const whole = await (await ask(path)).bytes();
      const packed = await ask(path, { headers });
      assert.equal(packed.headers.get("content-encoding"), "gzip", path);
      assert.match(packed.headers.get("vary") ?? "", /accept-encoding/i);
      assert.equal(packed.headers.get("content-length"), null);
      const etag = packed.headers.get("etag");
      const stream = packed.body!.pipeThrough(new DecompressionStream("gzip"));
      assert.deepEqual(await new Response(stream).bytes(), whole);
      if (etag === null) continue;
      assert.match(etag, /^W\//);
      const again = await ask(path, { headers: { ...headers, "if-none-match": etag } });
      assert.equal(again.status, 304);
    }
    for (const path of ["/healthz", `/api/convenings/${id}/events`]) {
      const plain = await ask(path, { headers });
      assert.equal(plain.headers.get("content-encoding"), null, path);
      await plain.body?.cancel();
    }
    for (const [path, length] of [["/api/openapi.json", null], ["/healthz", "15"]] as const) {
      const head = await ask(path, { method: "HEAD", headers });
      assert.equal(head.headers.get("content-length"), length, path);
    }
  });
});
