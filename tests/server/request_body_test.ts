// Request bodies: parsing, checks, timeouts.
import assert from "node:assert/strict";
import fc from "fast-check";
import { Hono } from "hono";
import { z } from "zod";
import { ConveningError } from "../../src/core/error.ts";
import { problemOf, statusOf } from "../../src/operations/problems.ts";
import {
  type BodyTimes,
  checkBody,
  jsonBody,
  limitBodies,
  mediaType,
} from "../../src/server/request_body.ts";

function posted(body: BodyInit, type = "application/json"): Request {
  return new Request("http://localhost/", {
    method: "POST",
    body,
    headers: { "content-type": type },
  });
}

Deno.test("jsonBody() returns every JSON value", async () => {
  await fc.assert(fc.asyncProperty(fc.json(), async (text) => {
    assert.deepEqual(await jsonBody(posted(text)), JSON.parse(text));
  }));
});

Deno.test("jsonBody() reports where a body stops being valid JSON", async () => {
  await assert.rejects(jsonBody(posted('{\n  "a": 1,\n  b: 2\n}')), {
    code: "config_invalid",
    message: /line 3 column 3/,
  });
  await assert.rejects(jsonBody(posted("")), { code: "config_invalid", message: /it is empty/ });
  await assert.rejects(jsonBody(posted(new Uint8Array([0x22, 0xff, 0x22]))), {
    code: "config_invalid",
    message: /not in UTF-8/,
  });
});

Deno.test("jsonBody() recognizes JSON by media type, whatever its parameters", async () => {
  for (
    const type of ["application/json; charset=utf-8", "Application/JSON", "application/x.y+json"]
  ) {
    assert.deepEqual(await jsonBody(posted("{}", type)), {});
  }
  for (const type of ["text/plain", "application/x-www-form-urlencoded", ""]) {
    await assert.rejects(jsonBody(posted("{}", type)), { code: "unsupported_type" });
  }
  assert.equal(mediaType(new Request("http://localhost/")), "");
});

Deno.test("checkBody() names the field, its value and the allowed values", () => {
  const schema = z.strictObject({
    count: z.int("Give a whole number."),
    more: z.array(z.strictObject({ id: z.string() })).optional(),
  });
  const refused = (body: unknown) => {
    try {
      checkBody(schema, body);
    } catch (error) {
      return JSON.parse(JSON.stringify(error));
    }
  };
  assert.deepEqual(refused({ count: "x" }), {
    code: "config_invalid",
    message: 'Cannot use count: "x" is not allowed',
    hint: "Give a whole number.",
    field: "count",
  });
  assert.match(refused({}).message, /count is missing/);
  assert.equal(refused({ Count: 1 }).field, "Count");
  assert.match(refused({ Count: 1 }).hint, /count, more/);
  assert.equal(refused({ count: 1, more: [{ id: "a" }, { id: 2 }] }).field, "more.1.id");
  assert.equal(refused({ count: 1, more: [{ id: "a", x: 1 }] }).field, "more.0.x");
  const several = refused({ Count: 1, more: [{ id: 2 }] });
  assert.equal(
    several.message,
    'Cannot use the body: unknown field "Count"; count is missing; more.0.id: 2 is not allowed',
  );
  assert.match(several.hint, /Did you mean "count"/);
  assert.deepEqual(
    several.fields.map(({ field }: { field: string }) => field),
    ["Count", "count", "more.0.id"],
  );
  assert.equal(refused({ count: 1, more: Array(100).fill({}) }).fields.length, 20);
  for (const body of [null, [], "x", 3]) assert.match(refused(body).message, /not an object/);
  assert.deepEqual(checkBody(schema, { count: 2 }), { count: 2 });
});

/** Creates an app that answers with the length of the request's body. */
function measuring(times: BodyTimes): Hono {
  const app = new Hono();
  app.onError((error, context) => context.json(problemOf(error, "/archive"), statusOf(error)));
  app.use(limitBodies(times));
  app.post("/", async ({ req, json }) => json({ length: (await req.text()).length }));
  return app;
}

async function asked(app: Hono, body: BodyInit) {
  const response = await app.request("/", { method: "POST", body });
  return { status: response.status, text: await response.text() };
}

/** Creates an endless body with a chunk whenever `next` resolves. */
function endless(next: () => Promise<void>, onCancel = () => {}): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async pull(controller) {
      await next();
      controller.enqueue(new Uint8Array(10));
    },
    cancel: onCancel,
  }, { highWaterMark: 0 });
}

Deno.test("a body that stalls is cancelled after the timeout", async () => {
  const { promise: cancelled, resolve } = Promise.withResolvers<void>();
  const never = endless(() => new Promise(() => {}), resolve);
  const { status, text } = await asked(measuring({ silence: 20 }), never);
  assert.equal(status, 408);
  assert.equal(JSON.parse(text).error.code, "too_slow");
  await cancelled;
});

Deno.test("a body that arrives slowly but steadily is rejected at the total timeout", async () => {
  const dripping = endless(() => new Promise((resolve) => setTimeout(resolve, 1)));
  const { status } = await asked(measuring({ whole: 50, silence: 600_000 }), dripping);
  assert.equal(status, 408);
});

Deno.test("a body that arrives in time is read whole, in one chunk or in many", async () => {
  const app = measuring({ whole: 10_000, silence: 10_000 });
  assert.equal((await asked(app, "x".repeat(300_000))).text, '{"length":300000}');
  let left = 3;
  const pieces = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (left-- > 0) controller.enqueue(new Uint8Array(7));
      else controller.close();
    },
  });
  assert.equal((await asked(app, pieces)).text, '{"length":21}');
});

Deno.test("problemOf() removes the path of an archive, with the separators of Windows too", () => {
  const message = String.raw`Cannot read C:\archive\2026-11-21\a_debate\metadata.md, in C:\archive`;
  const { error } = problemOf(
    new ConveningError("record_corrupt", message),
    String.raw`C:\archive`,
  );
  assert.equal(error.message, String.raw`Cannot read a_debate\metadata.md, in the archive`);
});
