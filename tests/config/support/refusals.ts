// Test cases of invalid configurations.
import assert from "node:assert/strict";
import { hold, type HoldOptions, type Kind, type Settings, settingsOf } from "./holding.ts";

/** An invalid configuration and the expected error. */
export interface Refusal {
  /** Description of the problem. */
  readonly what: string;
  readonly kind: Kind;
  /** Settings over those of a small convening of Ada and Ben. */
  readonly given: Settings;
  /** Key or file in the error. */
  readonly field: string | RegExp;
  /** Pattern of the value in the message. */
  readonly says: RegExp;
  /** Pattern of the allowed values or the remedy. */
  readonly allows: RegExp;
  /** @default "config_invalid" */
  readonly code?: string;
  readonly held?: HoldOptions;
}

/** Declares a test per case: the error names the key, and nothing is written. */
export function testRefusals(refusals: readonly Refusal[]): void {
  for (
    const { what, kind, given, field, says, allows, code = "config_invalid", held } of refusals
  ) {
    Deno.test(`composeConvening() rejects ${what} of a ${kind}: key, value, what is allowed`, async () => {
      const out = await Deno.makeTempDir();
      try {
        const { error, events } = await hold(settingsOf(kind, { out, ...given }), held);
        assert.ok(error !== undefined, "It was held");
        assert.equal(error.code, code);
        if (typeof field === "string") assert.equal(error.field, field);
        else assert.match(error.field ?? "", field);
        assert.match(error.message, says);
        assert.match(error.hint ?? "", allows);
        assert.deepEqual(events, []);
        assert.deepEqual(await Array.fromAsync(Deno.readDir(out)), []);
      } finally {
        await Deno.remove(out, { recursive: true });
      }
    });
  }
}

/** Returns a function that makes a case of an invalid convening of a kind. */
export function refusalOf(
  kind: Kind,
): (what: string, given: Settings, rest: Omit<Refusal, "what" | "kind" | "given">) => Refusal {
  return (what, given, rest) => ({ what, kind, given, ...rest });
}
