import assert from "node:assert/strict";
import { hold, type HoldOptions, type Kind, type Settings, settingsOf } from "./holding.ts";

/** Something that cannot be held, and what is said of it. */
export interface Refusal {
  /** What is wrong, in words. */
  readonly what: string;
  readonly kind: Kind;
  /** What is set, over a small convening of Ada and Ben. */
  readonly given: Settings;
  /** The key or file that the error names. */
  readonly field: string | RegExp;
  /** What the message says of the value. */
  readonly says: RegExp;
  /** What is said to be allowed, or to be done. */
  readonly allows: RegExp;
  /** @default "config_invalid" */
  readonly code?: string;
  readonly held?: HoldOptions;
}

/** Tests that each is refused by name, and that nothing is written. */
export function testRefusals(refusals: readonly Refusal[]): void {
  for (
    const { what, kind, given, field, says, allows, code = "config_invalid", held } of refusals
  ) {
    Deno.test(`composeConvening() refuses ${what} of a ${kind}: key, value, what is allowed`, async () => {
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

/** A debate that cannot be held. */
export function debate(
  what: string,
  given: Settings,
  rest: Pick<Refusal, "field" | "says" | "allows"> & Partial<Refusal>,
): Refusal {
  return { what, kind: "debate", given, ...rest };
}
