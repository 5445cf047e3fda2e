// Coherence guard.
import assert from "node:assert/strict";
import fc from "fast-check";
import { COHERENCE_THRESHOLD, coherenceGuard, coherenceOf } from "../../src/checking/guards.ts";
import { draftOf, NO_TOOLS, said, TURN } from "./support/drafts.ts";
import { anyCharacter } from "../support/any_character.ts";

const EXCHANGE = [
  said(1, "Zoos keep wild animals in cages far too small for them, and the animals fall ill."),
  said(
    2,
    "Modern zoos have given up cages: their enclosures follow the habitat of each species, and " +
      "breeding programmes have brought back animals that were lost in the wild.",
    "advocate-b",
  ),
];
const ANSWER =
  "Enclosures that follow a habitat are still small: an elephant walks further in one wild night " +
  "than in a week at the zoo. Breeding programmes serve few species, and most of these animals " +
  "never return to the wild.";
const STRAY =
  "Whisk the eggs with sugar until the mixture turns pale, fold in the flour, and bake the sponge " +
  "in a hot oven for twenty minutes. Let the cake cool before you spread butter cream and jam.";
const CONTEXT = {
  topic: "Should zoos be banned?",
  position: "Yes: wild animals do not belong behind fences",
  transcript: EXCHANGE,
};

Deno.test("coherenceOf() distinguishes an answer from unrelated text", async () => {
  const answer = await coherenceOf(ANSWER, CONTEXT);
  const stray = await coherenceOf(STRAY, CONTEXT);
  assert.ok(answer! > 0.4, `${answer}`);
  assert.ok(stray! < COHERENCE_THRESHOLD, `${stray}`);
});

Deno.test("coherenceOf() considers topic, position and exchange", async () => {
  const nothing = { topic: "The price of bread in a large city", transcript: [] };
  const alone = await coherenceOf(ANSWER, nothing);
  for (
    const more of [{ topic: CONTEXT.topic }, { position: CONTEXT.position }, {
      transcript: EXCHANGE,
    }]
  ) {
    const score = await coherenceOf(ANSWER, { ...nothing, ...more });
    assert.ok(score! > alone!, Object.keys(more)[0]);
  }
  const later = [...EXCHANGE, said(3, STRAY), said(4, STRAY, "advocate-b")];
  assert.equal(await coherenceOf(ANSWER, { ...nothing, transcript: later }), alone);
});

Deno.test("coherenceOf() rates other languages, but not across languages", async () => {
  const german = "Der Elefant im Zoo läuft in einer Woche weniger als in einer wilden Nacht, und " +
    "die Tiere in den Gehegen der Zoos werden krank, weil ihnen der Platz fehlt.";
  const topic = "Sollten Zoos verboten werden, weil die Tiere darin leiden?";
  const cake = "Die Eier mit dem Zucker schlagen, das Mehl unterheben und den Teig in einer Form " +
    "backen; der Kuchen muss auskühlen, bevor er mit Marmelade bestrichen wird.";
  assert.ok((await coherenceOf(german, { topic, transcript: [] }))! >= COHERENCE_THRESHOLD);
  assert.ok((await coherenceOf(cake, { topic, transcript: [] }))! < COHERENCE_THRESHOLD);
  assert.equal(await coherenceOf(german, { topic: CONTEXT.topic, transcript: [] }), undefined);
  const japanese = "動物園の動物は狭い檻の中で病気になり、野生の象は一晩で遠くまで歩きます。";
  const about = "動物園は動物のために禁止されるべきですか。";
  assert.ok((await coherenceOf(japanese, { topic: about, transcript: [] }))! > 0.2);
});

Deno.test("coherenceOf() does not rate a text with few key terms", async () => {
  for (const body of ["", "Yes.", "!?…", "I do not think so, and neither do you.", "7 8 9 10 11"]) {
    assert.equal(await coherenceOf(body, CONTEXT), undefined, body);
  }
});

Deno.test("coherenceOf() is from 0 to 1 for any text", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.string({ unit: anyCharacter, maxLength: 300 }),
      fc.string({ unit: "grapheme", maxLength: 60 }),
      async (body, topic) => {
        const score = await coherenceOf(body, { topic, transcript: EXCHANGE });
        assert.ok(score === undefined || score >= 0 && score <= 1);
      },
    ),
  );
  const long = "هل يجب حظر حدائق الحيوان؟ ".repeat(300) + "zoo ".repeat(3_000);
  assert.ok(((await coherenceOf(long, CONTEXT)) ?? 0) <= 1);
});

Deno.test("coherenceGuard() ignores templates, asides and the moderator", async () => {
  const guard = coherenceGuard();
  for (const turn of [{ text: STRAY }, { aside: true }, { kind: "summary" }]) {
    const draft = draftOf(STRAY, { ...CONTEXT, turn: { ...TURN, ...turn } });
    assert.equal(await guard.check(draft, NO_TOOLS), undefined, JSON.stringify(turn));
  }
});
