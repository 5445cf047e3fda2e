// Parameters of requests that no operation has.
import assert from "node:assert/strict";
import { withApp } from "./support/open_app.ts";

/** A request, and what the error's field and hint are. */
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

Deno.test("an unknown parameter is rejected with the parameter that may be meant", async () => {
  await withApp(async ({ ask, hold }) => {
    const id = await hold();
    for (const [path, init, field, hint] of UNKNOWN) {
      const headers = init.body === undefined ? {} : { "content-type": "application/json" };
      const answer = await ask(path.replace("ID", id), { ...init, headers });
      const { error } = await answer.json();
      assert.deepEqual([answer.status, error.code, error.field], [400, "config_invalid", field]);
      assert.match(error.message, /^Cannot use the query: unknown parameter /);
      assert.match(error.hint, hint, path);
    }
  });
});

Deno.test("probes may add parameters of their own", async () => {
  await withApp(async ({ ask }) => {
    const answer = await ask("/healthz?probe=1");
    const { status } = await answer.json();
    assert.deepEqual([answer.status, status], [200, "ok"]);
  });
});
