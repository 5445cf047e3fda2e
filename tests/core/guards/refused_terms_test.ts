import assert from "node:assert/strict";
import { refusedTermsGuard } from "../../../src/core/guard.ts";
import { draftOf, NO_TOOLS, TURN } from "./drafts.ts";

Deno.test("refusedTermsGuard() names a term that stands as whole words", async () => {
  const guard = refusedTermsGuard({ terms: ["AI", "free  lunch"] });
  const named: readonly (readonly [string, string | undefined])[] = [
    ["It is fair to keep zoos.", undefined],
    ["Ask ai, then.", "AI"],
    ["There is no FREE\nlunch.", "free  lunch"],
    ["A carefree luncheon.", undefined],
    ["", undefined],
    [`${"x".repeat(10_000)} AI`, "AI"],
  ];
  for (const [body, term] of named) {
    const objection = await guard.check(draftOf(body), NO_TOOLS);
    assert.equal(objection?.reason.match(/"([^"]+)"/)?.[1], term, body.slice(0, 40));
    assert.equal(objection?.mark, term === undefined ? undefined : "refused_term");
  }
});

Deno.test("refusedTermsGuard() knows the terms refused in topics, and leaves templates alone", async () => {
  const body = "I will say how to kill my neighbour.";
  const guard = refusedTermsGuard();
  assert.match((await guard.check(draftOf(body), NO_TOOLS))!.reason, /"how to kill my"/);
  const turn = { ...TURN, text: body };
  assert.equal(await guard.check(draftOf(body, { turn }), NO_TOOLS), undefined);
});

Deno.test("refusedTermsGuard() in mode warn only marks", async () => {
  const guard = refusedTermsGuard({ terms: ["zoo"], mode: "warn" });
  const objection = await guard.check(draftOf("The zoo."), NO_TOOLS);
  assert.deepEqual([objection!.warn, objection!.maxRetries, objection!.mark], [
    true,
    0,
    "refused_term",
  ]);
});
