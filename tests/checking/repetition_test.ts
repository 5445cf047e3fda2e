// Repetition guard.
import assert from "node:assert/strict";
import fc from "fast-check";
import { likenessOf, repetitionGuard } from "../../src/checking/repetition.ts";
import { draftOf, NO_TOOLS, said, TURN } from "./support/drafts.ts";

const SPEECH =
  "Animals in a good zoo live longer than in the wild, they are fed and treated, and " +
  "the money of the visitors pays for the return of rare species to the places they came from.";

/** Returns a different speech for each number. */
function speech(seed: number): string {
  const words = Array.from({ length: 60 }, (_, at) => `w${(seed * 7919 + at * at) % 9973}`);
  return `${words.join(" ")}.`;
}

const check = (body: string, transcript: ReturnType<typeof said>[], guard = repetitionGuard()) =>
  guard.check(draftOf(body, { transcript }), NO_TOOLS);

Deno.test("repetitionGuard() names the repeated passage and its turn", async () => {
  const transcript = [said(3, SPEECH), said(4, "Cages make animals ill.", "advocate-b")];
  const objection = await check(`  ${SPEECH.toUpperCase().replaceAll(",", " –")} `, transcript);
  assert.match(objection!.reason, /turn 3 \(100 % the same\): "Animals in a good zoo live/);
  assert.equal(objection!.mark, "repeated");
  assert.equal(objection!.maxRetries, undefined);
  assert.equal(objection!.warn, undefined);
});

Deno.test("repetitionGuard() has the threshold 0.95", async () => {
  const words = Array.from({ length: 40 }, (_, at) => `word${at}`);
  const changed = (count: number) =>
    words.map((word, at) => at % 10 === 0 && at < count * 10 ? `other${at}` : word).join(" ");
  const transcript = [said(1, words.join(" "))];
  assert.match((await check(changed(2), transcript))!.reason, /95 %/);
  assert.equal(await check(changed(3), transcript), undefined);
  assert.ok(await check(changed(3), transcript, repetitionGuard({ threshold: 0.9 })));
});

Deno.test("repetitionGuard() finds another participant's speech, one with a new beginning, and one in another order", async () => {
  const sentences = [
    SPEECH,
    "Keepers know every animal by its name and its habits.",
    "Children who have seen an elephant will not forget it for the rest of their lives.",
    "Closing the gates would bring nobody closer to the savannah.",
  ];
  const old = sentences.join(" ");
  const theirs = [said(1, "Welcome.", "moderator"), said(2, old, "advocate-b")];
  for (const transcript of [theirs, [said(2, old)]]) {
    for (
      const body of [
        old,
        `Let me begin with something new this time. ${old}`,
        sentences.toReversed().join(" "),
        old.replace("Keepers know", "Keepers remember"),
      ]
    ) assert.match((await check(body, transcript))!.reason, /in turn 2 \(/, body);
    const half = `${sentences[1]} ${
      "This is quite another matter that nobody has spoken of. ".repeat(9)
    }`;
    assert.equal(await check(half, transcript), undefined);
  }
  assert.match((await check(old, theirs))!.reason, /repeats what was said in turn 2/);
  assert.equal(
    await check("I agree with that.", [said(2, "I agree with that.", "advocate-b")]),
    undefined,
  );
});

Deno.test("repetitionGuard() ignores marked quotations and answered words, but not whole copies of them", async () => {
  const point =
    "Trams carry more people than cars, and they take less of the room that a street has.";
  const mine =
    "The bill for the rails is paid by those who live along the line and by nobody else.";
  const transcript = [said(2, `${point} ${mine}`, "advocate-a"), said(3, point, "advocate-b")];
  const turn = { ...TURN, replyTo: 3 };
  const checked = (body: string) =>
    repetitionGuard().check(draftOf(body, { transcript, turn }), NO_TOOLS);
  assert.equal(
    await checked(`${point} Yet who would pay for the depots and for the drivers at night?`),
    undefined,
  );
  assert.equal(
    await checked(`> ${point} ${mine}\n\nThat was said, and “${point} ${mine}” is still unproven.`),
    undefined,
  );
  assert.match((await checked(point))!.reason, /turn 3 \(100 %/);
  assert.match((await checked(`${mine} ${point}`))!.reason, /turn 2 /);
});

Deno.test("repetitionGuard() accepts new words, and the moderator", async () => {
  const guard = repetitionGuard();
  assert.equal(await check("Something else.", [said(1, SPEECH)], guard), undefined);
  assert.equal(await check(SPEECH, [], guard), undefined);
  const transcript = [said(1, SPEECH)];
  for (const turn of [{ text: SPEECH }, { aside: true }, { kind: "round_summary" }]) {
    const draft = draftOf(SPEECH, { transcript, turn: { ...TURN, ...turn } });
    assert.equal(await guard.check(draft, NO_TOOLS), undefined, JSON.stringify(turn));
  }
});

Deno.test("repetitionGuard() in mode warn only marks", async () => {
  const objection = await check(SPEECH, [said(1, SPEECH)], repetitionGuard({ mode: "warn" }));
  assert.equal(objection!.warn, true);
  assert.equal(objection!.maxRetries, 0);
  assert.equal(objection!.mark, "repeated");
});

Deno.test("repetitionGuard() finds the repeated turn in a debate of any length", async () => {
  const habit = "As I have said before, and as everybody in this room knows very well, ";
  const transcript = Array.from({ length: 400 }, (_, at) => said(at + 1, habit + speech(at)));
  for (const seq of [1, 200, 399]) {
    const objection = await check(transcript[seq - 1]!.body, transcript);
    assert.match(objection!.reason, new RegExp(`turn ${seq} `));
  }
  assert.equal(await check(habit + speech(1000), transcript), undefined);
});

Deno.test("repetitionGuard() finds a short turn among long ones that have all of its words", async () => {
  const short = said(1, SPEECH);
  const words = SPEECH.split(" ").toReversed().join(" ");
  const long = [2, 3, 4, 5].map((seq) => said(seq, `${words} ${speech(seq)} ${speech(seq + 100)}`));
  const objection = await check(SPEECH, [short, ...long]);
  assert.match(objection!.reason, /turn 1 /);
});

Deno.test("repetitionGuard() separates runs and ignores later messages", async () => {
  const guard = repetitionGuard();
  const one = [said(1, "Welcome.", "moderator"), said(2, SPEECH)];
  const two = [said(1, "Welcome.", "moderator"), said(2, speech(2))];
  assert.ok(await check(SPEECH, one, guard));
  assert.equal(await check(SPEECH, two, guard), undefined);
  assert.ok(await check(SPEECH, one, guard));
  assert.equal(await check(SPEECH, one.slice(0, 1), guard), undefined);
  const forked = [one[0]!, said(2, speech(3)), said(3, speech(4))];
  assert.equal(await check(SPEECH, forked, guard), undefined);
  assert.ok(await check(speech(3), forked, guard));
});

Deno.test("repetitionGuard() recognizes any repeated text and no different one", async () => {
  const word = fc.string({
    unit: fc.constantFrom(..."abcdeяш動物مرحبا"),
    minLength: 1,
    maxLength: 6,
  });
  const text = fc.array(word, { minLength: 1, maxLength: 80 }).map((words) => words.join(" "));
  await fc.assert(fc.asyncProperty(text, fc.array(text, { maxLength: 5 }), async (body, others) => {
    const transcript = [said(1, body), ...others.map((each, at) => said(at + 2, each))];
    assert.ok(await check(body, transcript));
    assert.equal(await check(speech(7), transcript), undefined);
  }));
});

Deno.test("repetitionGuard() is fast for hostile texts", async () => {
  const texts = [
    "",
    " \n\t",
    "…!?—",
    "🙂🙃".repeat(500),
    "a".repeat(10_000),
    "no ".repeat(5_000),
    "動物園は禁止されるべきですか。".repeat(400),
    "هل يجب حظر حدائق الحيوان؟ ".repeat(300),
    "\u202e\u0000\ud800 broken",
  ];
  const transcript = texts.map((text, at) => said(at + 1, text));
  for (const text of texts) {
    const objection = await check(text, transcript);
    assert.equal(objection !== undefined, /[\p{L}\p{N}]/u.test(text), text.slice(0, 20));
  }
});

Deno.test("repetitionGuard() rejects an invalid threshold", () => {
  for (const threshold of [-0.1, 1.1, NaN]) {
    assert.throws(() => repetitionGuard({ threshold }), /Cannot use threshold/);
  }
});

Deno.test("likenessOf() is the share of common words, with the longest common passage", async () => {
  assert.deepEqual(await likenessOf(["a", "b", "c", "d"], ["b", "c", "d", "e"], 0), {
    ratio: 0.75,
    passage: { from: 1, to: 4 },
  });
  assert.equal(await likenessOf(["a", "b", "c", "d"], ["b", "c", "d", "e"], 0.8), undefined);
  assert.equal(await likenessOf([], [], 0), undefined);
});
