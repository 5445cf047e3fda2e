import assert from "node:assert/strict";
import { Hono } from "hono";
import { type BodyTimes, bounded } from "../../src/server/request_body.ts";
import { problemOf, statusOf } from "../../src/operations/operation.ts";

/** An app that says how long the body of a request is. */
function measuring(times: BodyTimes): Hono {
  const app = new Hono();
  app.onError((error, context) => context.json(problemOf(error), statusOf(error)));
  app.use(bounded(times));
  app.post("/", async ({ req, json }) => json({ length: (await req.text()).length }));
  return app;
}

async function asked(app: Hono, body: BodyInit) {
  const response = await app.request("/", { method: "POST", body });
  return { status: response.status, text: await response.text() };
}

/** A body of which a piece comes whenever `next` resolves; it has no end. */
function endless(next: () => Promise<void>, onCancel = () => {}): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async pull(controller) {
      await next();
      controller.enqueue(new Uint8Array(10));
    },
    cancel: onCancel,
  }, { highWaterMark: 0 });
}

Deno.test("a body that stops coming is waited for so long, then let go of", async () => {
  const { promise: cancelled, resolve } = Promise.withResolvers<void>();
  const never = endless(() => new Promise(() => {}), resolve);
  const { status, text } = await asked(measuring({ silence: 20 }), never);
  assert.equal(status, 408);
  assert.equal(JSON.parse(text).error.code, "too_slow");
  await cancelled;
});

Deno.test("a body that trickles for ever is refused, however steadily it comes", async () => {
  const dripping = endless(() => new Promise((resolve) => setTimeout(resolve, 1)));
  const { status } = await asked(measuring({ whole: 50, silence: 600_000 }), dripping);
  assert.equal(status, 408);
});

Deno.test("a body that comes in time is read whole, in one piece or in many", async () => {
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
