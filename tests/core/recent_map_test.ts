import assert from "node:assert/strict";
import { RecentMap } from "../../src/core/values.ts";

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
