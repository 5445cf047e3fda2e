import assert from "node:assert/strict";
import { onceEach } from "../../src/core/values.ts";

Deno.test("onceEach() makes something once of each object, undefined too", () => {
  const asked: string[] = [];
  const nameOf = onceEach(({ name }: { readonly name: string | undefined }) => {
    asked.push(String(name));
    return name;
  });
  const [ada, nobody] = [{ name: "Ada" }, { name: undefined }];
  assert.deepEqual([ada, nobody, ada, nobody].map(nameOf), ["Ada", undefined, "Ada", undefined]);
  assert.deepEqual(asked, ["Ada", "undefined"]);
  assert.equal(nameOf({ name: "Ada" }), "Ada");
  assert.equal(asked.length, 3);
});
