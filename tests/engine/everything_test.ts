// A debate with all optional parts switched on.
import assert from "node:assert/strict";
import type { DebateWorkflowConfig } from "../../mod.ts";
import { readRecord } from "../../src/record/read.ts";
import { MemoryFileSystem } from "../../src/record/stores.ts";
import { Everyone, EVERYTHING, heldBy } from "../support/everyone.ts";
import { conveningIn } from "./support/killed_runs.ts";

async function whole(config: DebateWorkflowConfig) {
  const calm = new MemoryFileSystem();
  const agent = new Everyone();
  const { result, error } = await heldBy(calm, undefined, { agent, ...config });
  assert.equal(error, undefined);
  return { calm, result };
}

Deno.test("a debate with all options leaves files of every type, and its totals add up", async () => {
  const { calm, result } = await whole(EVERYTHING);
  const { facts } = await readRecord(calm, conveningIn(calm)!);
  const types = new Set(facts.map(({ type }) => type));
  for (
    const type of ["message", "score", "verdict", "choice", "draft", "stance", "fact-check", "flow"]
  ) {
    assert.ok(types.has(type as never), type);
  }
  const kinds = new Set(result!.messages.map(({ kind }) => kind));
  assert.ok(kinds.has("interruption") && kinds.has("interruption_answer"));
  assert.equal(result!.status, "completed");
  assert.ok(result!.audience !== undefined && result!.baseline !== undefined);
  assert.ok(result!.factChecks!.false > 0);
});

Deno.test("a debate with all options continues without a helper that fails", async () => {
  for (const kind of ["notes", "claim_verdict", "ruling", "persona_check"]) {
    const memory = new MemoryFileSystem();
    const down = new Everyone(({ context }) => context.kind === kind);
    const { result, error } = await heldBy(memory, undefined, { agent: down, ...EVERYTHING });
    assert.equal(error, undefined, kind);
    assert.equal(result!.status, "completed", kind);
  }
});
