// Every key of a configuration has a test of its effect.
import assert from "node:assert/strict";
import { ASKING_CASES, LIMIT_CASES } from "./cases/asking_cases.ts";
import { CAST_CASES } from "./cases/cast_cases.ts";
import { CHECK_CASES } from "./cases/check_cases.ts";
import { DEBATE_CASES } from "./cases/debate_cases.ts";
import { JUDGING_CASES } from "./cases/judging_cases.ts";
import { MATERIAL_CASES } from "./cases/material_cases.ts";
import { OWN_CASES } from "./cases/own_cases.ts";
import { PAPER_CASES } from "./cases/paper_cases.ts";
import { TURN_CASES } from "./cases/turn_cases.ts";
import { type Kind, KINDS } from "./support/holding.ts";
import type { KeyCase } from "./support/key_case.ts";
import { isKey, schemaKeys } from "./support/schema_keys.ts";

const CASES = [
  ...ASKING_CASES,
  ...LIMIT_CASES,
  ...CAST_CASES,
  ...MATERIAL_CASES,
  ...TURN_CASES,
  ...CHECK_CASES,
  ...OWN_CASES,
  ...DEBATE_CASES,
  ...JUDGING_CASES,
  ...PAPER_CASES,
];

/** Keys of profiles, which have tests in tests/agents, and of a judge's own rubric, which are those of `rubric`. */
const SHOWN_ELSEWHERE = /^(?:providers\/\*\/(?:profile|models\/\*)|judges\/#\/rubric)\//;

/** Keys of requests, which all kinds hand to the same agents: half of them are shown in each of two kinds. */
const OF_REQUESTS: readonly (readonly [RegExp, Kind])[] = [
  [/^(?:providers|prices|allowUnknownPrices)\b/, "debate"],
  [/^(?:retry|reasoningEffort|max(?:Output|Reply)\w+|idleTimeout|totalTimeout)\b/, "paper-debate"],
];

Deno.test("Every key of every kind's configuration has a case that shows its effect", () => {
  for (const kind of KINDS) {
    const shown = CASES.filter(({ kinds }) => kinds.includes(kind)).map(({ key }) => key);
    const missing = schemaKeys(kind).filter((path) =>
      !SHOWN_ELSEWHERE.test(path) && !shown.some((key) => isKey(path, key))
    );
    assert.deepEqual(missing, [], `of a ${kind}`);
  }
});

Deno.test("Every case has an existing key", () => {
  for (const { key, kinds } of CASES) {
    for (const kind of kinds) {
      assert.ok(schemaKeys(kind).some((path) => isKey(path, key)), `${key} of a ${kind}`);
    }
  }
});

/** Returns the kinds in which the effect of a case is shown. */
function shownIn({ key, kinds }: KeyCase): readonly Kind[] {
  const [, kind] = OF_REQUESTS.find(([keys]) => keys.test(key)) ?? [];
  return kind !== undefined && kinds.includes(kind) ? [kind] : kinds;
}

for (const each of CASES) {
  Deno.test(`Key ${each.key.replaceAll("/", ".")} changes ${each.changes}`, async (test) => {
    for (const kind of shownIn(each)) await test.step(kind, () => each.check(kind));
  });
}
