// Request bodies: parsing, checks, timeouts.
import assert from "node:assert/strict";
import { Hono } from "hono";
import { z } from "zod";
import { ConveningError } from "../../src/core/error.ts";
import { problemOf, statusOf } from "../../src/operations/client_view.ts";
import { type BodyTimes, checkBody, jsonBody, limitBodies } from "../../src/server/request_body.ts";

function posted(body: BodyInit, type: string): Request {
  return new Request("http://localhost/", {
    method: "POST",
    body,
    headers: { "content-type": type },
  });
}

const UTF_16 = new Uint8Array([0x22, 0xff, 0x22]);

/** Bodies with their media type and the code and message of the error; undefined for a body that is read. */
const BODIES: readonly (readonly [body: BodyInit, type: string, code?: string, says?: RegExp])[] = [
  ["{}", "application/json; charset=utf-8"],
  ["{}", "Application/JSON"],
  ["{}", "application/x.y+json"],
  ["{}", "text/plain", "unsupported_type"],
  ["{}", "application/x-www-form-urlencoded", "unsupported_type"],
  ["{}", "", "unsupported_type"],
  ['{\n  "a": 1,\n  b: 2\n}', "application/json", "config_invalid", /line 3 column 3/],
  ["", "application/json", "config_invalid", /it is empty/],
  [UTF_16, "application/json", "config_invalid", /not in UTF-8/],
];

Deno.test("jsonBody() reads JSON by media type, and reports where a body stops being valid JSON", async () => {
  for (const [body, type, code, message = /./] of BODIES) {
    const read = jsonBody(posted(body, type));
    if (code === undefined) assert.deepEqual(await read, {}, type);
    else await assert.rejects(read, { code, message }, type);
  }
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
  for (const body of [null, [], "x", 3]) {
    const { field, message } = refused(body);
    assert.equal(field, "body");
    assert.match(message, /not an object/);
  }
  assert.deepEqual(checkBody(schema, { count: 2 }), { count: 2 });
});

/** Creates an app that answers with the length of the request's body. */
function measuring(times: BodyTimes): Hono {
  const app = new Hono();
  app.onError((error, context) =>
    context.json(problemOf(error, { out: "/archive" }), statusOf(error))
  );
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
    { out: String.raw`C:\archive` },
  );
  assert.equal(error.message, String.raw`Cannot read a_debate\metadata.md, in the archive`);
});
