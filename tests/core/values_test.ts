// Values that are made once, and those that are known for a while.
import assert from "node:assert/strict";
import { memoByObject, RecentMap } from "../../src/core/values.ts";

Deno.test("memoByObject() makes something once of each object, undefined too", () => {
  const asked: string[] = [];
  const nameOf = memoByObject(({ name }: { readonly name: string | undefined }) => {
    asked.push(String(name));
    return name;
  });
  const [ada, nobody] = [{ name: "Ada" }, { name: undefined }];
  assert.deepEqual([ada, nobody, ada, nobody].map(nameOf), ["Ada", undefined, "Ada", undefined]);
  assert.deepEqual(asked, ["Ada", "undefined"]);
  assert.equal(nameOf({ name: "Ada" }), "Ada");
  assert.equal(asked.length, 3);
});

Deno.test("RecentMap forgets what was set longest ago, and nothing that was set since", () => {
  const map = new RecentMap<number>(2);
  map.set("a", 1);
  map.set("b", 2);
  map.set("a", 3);
  map.set("c", 4);
  assert.deepEqual(["a", "b", "c"].map((key) => map.get(key)), [3, undefined, 4]);
});

Deno.test("RecentMap.take() gives a value and forgets it", () => {
  const map = new RecentMap<number>(2);
  map.set("a", 1);
  assert.deepEqual([map.take("a"), map.take("a"), map.get("a")], [1, undefined, undefined]);
});
