import assert from "node:assert/strict";
import type { Guard } from "../../../protocol.ts";
import type { GuardSettings } from "../../../src/config/convening_config.ts";
import { guardsFor } from "../../../src/checking/guards.ts";
import { draftOf, NO_TOOLS, said } from "./drafts.ts";

const WORDS = { min: 3, max: 5 };
const names = (guards: readonly Guard[]) => guards.map(({ name }) => name);
const SAID = "Zoos keep rare animals alive for all of us.";
const transcript = [said(1, SAID)];

async function marks(settings: GuardSettings, body: string): Promise<unknown[]> {
  const found = await Promise.all(
    guardsFor(settings, { words: WORDS }).map((guard) =>
      guard.check(draftOf(body, { transcript }), NO_TOOLS)
    ),
  );
  return found.filter((each) => each !== undefined)
    .map(({ mark, warn = false, replacement }) => [mark, warn, replacement !== undefined]);
}

Deno.test("guardsFor() has length, repetition, coherence where it is asked for, and refused terms, in this order", () => {
  assert.deepEqual(names(guardsFor({ coherence: "warn" }, { words: WORDS })), [
    "length",
    "repetition",
    "coherence",
    "refused_terms",
  ]);
  assert.deepEqual(names(guardsFor({ coherence: {} })), [
    "repetition",
    "coherence",
    "refused_terms",
  ]);
  assert.deepEqual(names(guardsFor()), ["repetition", "refused_terms"]);
});

Deno.test("guardsFor() leaves out what is off", () => {
  const off = { repetition: "off", coherence: { mode: "off" }, refusedTerms: "off" } as const;
  assert.deepEqual(names(guardsFor({ ...off, length: "off" }, { words: WORDS })), []);
});

Deno.test("guardsFor() rejects repetition, length and refused terms by default", async () => {
  assert.deepEqual(await marks({}, SAID), [["truncated", false, true], ["repeated", false, false]]);
  assert.deepEqual(await marks({}, "You should kill yourself."), [["refused_term", false, false]]);
});

Deno.test("guardsFor() in mode warn marks and changes nothing", async () => {
  const settings = { repetition: "warn", length: "warn", refusedTerms: "warn" } as const;
  assert.deepEqual(await marks(settings, SAID), [
    ["too_long", true, false],
    ["repeated", true, false],
  ]);
  assert.deepEqual(await marks(settings, "Heil Hitler."), [
    ["too_short", true, false],
    ["refused_term", true, false],
  ]);
});

Deno.test("guardsFor() takes thresholds and terms, the convening's terms where none are given", async () => {
  const settings = { repetition: { threshold: 0.5 }, refusedTerms: { terms: ["plants"] } };
  const body = "Zoos keep rare plants alive for all of them.";
  assert.deepEqual(await marks({ ...settings, length: "off" }, body), [
    ["repeated", false, false],
    ["refused_term", false, false],
  ]);
  const [, guard] = guardsFor({}, { refusedTerms: ["lions"] });
  assert.ok(await guard!.check(draftOf("Lions!"), NO_TOOLS));
  assert.throws(() => guardsFor({ coherence: { threshold: 2 } }), /Cannot use threshold: 2/);
});

Deno.test("guardsFor() takes the kinds of turns that have a range", async () => {
  const [length] = guardsFor({}, { words: WORDS, wordedKinds: ["closing"] });
  assert.equal(await length!.check(draftOf("One."), NO_TOOLS), undefined);
});
