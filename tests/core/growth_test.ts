// Parsers of external text take linear time.
import assert from "node:assert/strict";
import { runDeno } from "../support/deno_process.ts";

Deno.test("parsers of external text take at most 2.5 times as long for a text of twice the length", async () => {
  const args = ["run", "--no-check", "--allow-read", "tests/core/support/growth.ts"];
  const { code, stdout, stderr } = await runDeno(args);
  assert.equal(code, 0, stderr);
  assert.equal(stdout, "");
});
