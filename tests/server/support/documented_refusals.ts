// Rejected requests for the test of the OpenAPI document.
import assert from "node:assert/strict";
import { join } from "@std/path";
import { sha256 } from "../../../src/core/message.ts";
import { createApp } from "../../../src/server/server.ts";
import type { DocumentedClient } from "./documented_client.ts";
import { withApp } from "./open_app.ts";
import { MODEL } from "../../support/speaking_model.ts";

const TOKEN = "a-token-of-one's-own";
const NOWHERE = { id: "2026-01-01T00-00-00_dialogue", path: "index.md" };

/** Returns the operations with a documented error code. */
function refusedWith({ operations }: DocumentedClient, code: string): readonly string[] {
  return operations.filter(([, { responses }]) =>
    Object.values(responses).some(({ description }) => description.split(", ").includes(code))
  ).map(([at]) => at);
}

/** Returns a body for an operation that needs one. */
function bodyOf(at: string): { readonly body?: unknown } {
  return at.startsWith("post ") ? { body: "{}" } : {};
}

/** Calls every operation without the token, with a foreign host name, and after too many wrong tokens. */
export async function askStrangely(client: DocumentedClient): Promise<void> {
  await withApp(async ({ ask }) => {
    for (const at of refusedWith(client, "unauthorized")) {
      await client.ask(ask, at, { path: NOWHERE, ...bodyOf(at) });
    }
    const headers = { host: "evil.example" };
    for (const at of refusedWith(client, "forbidden")) {
      await client.ask(ask, at, { path: NOWHERE, headers, ...bodyOf(at) });
    }
    const wrong = { authorization: "Bearer wrong" };
    for (let tries = 0; tries < 10; tries++) await ask("/", { headers: wrong });
    for (const at of refusedWith(client, "too_many_tries")) {
      await client.ask(ask, at, { path: NOWHERE, headers: wrong, ...bodyOf(at) });
    }
  }, { token: TOKEN });
}

/** Calls every operation with unknown ids and with invalid input. */
export async function askWrongly(client: DocumentedClient): Promise<void> {
  await withApp(async ({ ask, hold }) => {
    const path = { id: await hold(), path: "index.md" };
    const headers = { "content-length": "60000000" };
    for (const at of refusedWith(client, "too_large")) {
      await client.ask(ask, at, { path, headers, body: "{}" });
    }
    for (const at of refusedWith(client, "unsupported_type")) {
      await client.ask(ask, at, { path, type: "image/png", body: "{}" });
    }
    for (const at of refusedWith(client, "config_invalid")) {
      const sent = at.startsWith("post ") ? { body: { nothing: 1 } } : {};
      await client.ask(ask, at, { path, query: "after=x&limit=x&format=x", ...sent });
    }
    for (const [at] of client.operations.filter(([each]) => each !== "post /mcp")) {
      const bodies = at.startsWith("post ") ? ["{}", "[", '{"nothing": 1}'] : [undefined];
      for (const id of [path.id, "nothing", NOWHERE.id]) {
        for (const body of bodies) {
          const query = "after=x&limit=x&format=x&cursor=x";
          const { status } = await client.ask(ask, at, {
            path: { id, path: "none.md" },
            query,
            body,
          });
          assert.ok(status < 500, `${at} ${id} ${body}`);
        }
      }
    }
    for (const at of refusedWith(client, "not_found").filter((each) => each.includes("{"))) {
      await client.ask(ask, at, { path: NOWHERE, ...bodyOf(at) });
    }
  });
}

/** Calls every operation with another request's idempotency key, and with a key that another server is handling. */
export async function askKeyed(client: DocumentedClient): Promise<void> {
  await withApp(async ({ ask, out }) => {
    const topics = { body: { subject: "towns", count: 2 } };
    const headers = { "idempotency-key": "first" };
    const first = await client.ask(ask, "post /api/topics", { ...topics, headers });
    assert.equal(first.status, 200);
    const again = await client.ask(ask, "post /api/topics", { ...topics, headers });
    assert.deepEqual(again.json, first.json);
    for (const at of refusedWith(client, "key_reused")) {
      const { status } = await client.ask(ask, at, { path: NOWHERE, headers, body: "{}" });
      assert.equal(status, 422, at);
      const key = at.replace(" ", "-");
      const file = join(out, ".requests", `${sha256(key).slice(0, 32)}.json`);
      using lock = await Deno.open(`${file}.lock`, { read: true, write: true, create: true });
      await lock.lock(true);
      // A lock without an owner is waited for.
      await Deno.writeTextFile(`${file}.lock`, "another server");
      const taken = await client.ask(ask, at, {
        path: NOWHERE,
        headers: { "idempotency-key": key },
        body: "{}",
      });
      assert.equal(taken.json.error.code, "taken", at);
    }
  });
}

/** Calls every operation on a convening with a damaged record. */
export async function askDamaged(client: DocumentedClient): Promise<void> {
  await withApp(async ({ ask, hold, out, folder }) => {
    const path = { id: await hold(), path: "log.jsonl" };
    const log = join(out, path.id.slice(0, 10), path.id, "log.jsonl");
    await Deno.rename(log, join(folder, "log.jsonl"));
    await Deno.symlink(join(folder, "log.jsonl"), log);
    for (const at of refusedWith(client, "record_corrupt")) {
      await client.ask(ask, at, { path, ...bodyOf(at) });
    }
  });
}

/** Calls a server with an unexpected internal error. */
export async function askBroken(client: DocumentedClient): Promise<void> {
  await withApp(async ({ pool, out }) => {
    const broken = () => Promise.reject(new TypeError("/home/somebody/secret"));
    const papers = { list: broken, get: broken, put: broken, remove: broken };
    const { signal } = new AbortController();
    const app = createApp({ out, pool, models: { model: MODEL }, papers, signal, readOnly: false });
    const ask = async (path: string, init?: RequestInit) =>
      await app.fetch(new Request(`http://127.0.0.1${path}`, init));
    const { status, text } = await client.ask(ask, "get /api/papers");
    assert.equal(status, 500);
    assert.doesNotMatch(text, /secret/);
  });
}
