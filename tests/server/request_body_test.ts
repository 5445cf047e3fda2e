import assert from "node:assert/strict";
import fc from "fast-check";
import { z } from "zod";
import { checkBody, jsonBody, mediaType } from "../../src/server/request_body.ts";

function posted(body: BodyInit, type = "application/json"): Request {
  return new Request("http://localhost/", {
    method: "POST",
    body,
    headers: { "content-type": type },
  });
}

Deno.test("jsonBody() gives back every value of JSON", async () => {
  await fc.assert(fc.asyncProperty(fc.json(), async (text) => {
    assert.deepEqual(await jsonBody(posted(text)), JSON.parse(text));
  }));
});

Deno.test("jsonBody() says where a body stops being JSON", async () => {
  await assert.rejects(jsonBody(posted('{\n  "a": 1,\n  b: 2\n}')), {
    code: "config_invalid",
    message: /line 3, column 3/,
  });
  await assert.rejects(jsonBody(posted("")), { code: "config_invalid", message: /it is empty/ });
  await assert.rejects(jsonBody(posted(new Uint8Array([0x22, 0xff, 0x22]))), {
    code: "config_invalid",
    message: /not in UTF-8/,
  });
});

Deno.test("jsonBody() reads JSON by its media type, whatever its parameters", async () => {
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

Deno.test("checkBody() names the field, its value and what is allowed", () => {
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
  for (const body of [null, [], "x", 3]) assert.match(refused(body).message, /no object/);
  assert.deepEqual(checkBody(schema, { count: 2 }), { count: 2 });
});
