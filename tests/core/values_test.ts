// Memoized values and caches of recent values.
import assert from "node:assert/strict";
import { memoByObject, memoByText, RecentMap } from "../../src/core/values.ts";

Deno.test("memoByObject() computes once per object, undefined results too", () => {
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

Deno.test("memoByText() computes once per text and clears its cache when it is full", () => {
  const asked: string[] = [];
  const lengthOf = memoByText(2, (text) => asked.push(text) && text.length);
  assert.deepEqual(["a", "bb", "a", "ccc", "a"].map(lengthOf), [1, 2, 1, 3, 1]);
  assert.deepEqual(asked, ["a", "bb", "ccc", "a"]);
});

Deno.test("RecentMap drops the least recently set entry", () => {
  const map = new RecentMap<number>(2);
  map.set("a", 1);
  map.set("b", 2);
  map.set("a", 3);
  map.set("c", 4);
  assert.deepEqual(["a", "b", "c"].map((key) => map.get(key)), [3, undefined, 4]);
});

Deno.test("RecentMap.take() returns a value and removes it", () => {
  const map = new RecentMap<number>(2);
  map.set("a", 1);
  assert.deepEqual([map.take("a"), map.take("a"), map.get("a")], [1, undefined, undefined]);
});
