// Passes of a verdict: order and labels of sides, and the record by side.
import assert from "node:assert/strict";
import type { Message } from "../../src/core/message.ts";
import { inPass, outOfPass, passesOf, placesIn, recordBySide } from "../../src/debate/verdict.ts";
import type { Side } from "../../src/debate/rules.ts";
import { said } from "../support/players.ts";

const SIDES: readonly Side[] = ["Ann", "Ben", "Cy"].map((label) => ({
  id: label.toLowerCase(),
  label,
  position: `Position of ${label}`,
}));
const TWO = SIDES.slice(0, 2);

function message(seq: number, speaker: string, kind: string, replyTo?: number): Message {
  const made = said({ key: `${seq}`, speaker, phase: "", kind, round: 1, task: "" }, seq);
  const body = `Speech ${seq}. Ann and Ben differ.`;
  return { ...made, body, ...replyTo === undefined ? {} : { replyTo } };
}

const CLASH = [
  message(1, "m", "introduction"),
  message(2, "ann", "opening_statement"),
  message(3, "ben", "opening_statement"),
  message(4, "ann", "argument"),
  message(5, "ben", "rebuttal", 4),
  message(6, "m", "interruption", 5),
  message(7, "ben", "interruption_answer", 6),
  message(8, "ann", "reply", 5),
  message(9, "audience", "interjection"),
  message(10, "ben", "argument"),
  message(11, "ann", "rebuttal", 10),
  message(12, "ben", "closing_statement"),
  message(13, "ann", "closing_statement"),
];

/** Returns labels and numbers of a text's turns, in order. */
function turnsOf(text: string): string[] {
  return [...text.matchAll(/<turn(?: number="([\d.]+)")? speaker="([^"]+)" kind="([^"]+)"/g)]
    .map(([, place = "", speaker, kind]) => `${place} ${speaker} ${kind}`);
}

Deno.test("passesOf() gives every side every place and label once, in an order drawn from the seed", () => {
  for (const seed of [1, 2, 3]) {
    const passes = passesOf(SIDES, seed);
    assert.deepEqual(passes.map(({ number }) => number), [1, 2, 3]);
    for (const side of SIDES) {
      const shown = passes.map(({ sides }) => sides.find(({ id }) => id === side.id)!.shownAs);
      assert.deepEqual(shown.toSorted(), ["Side 1", "Side 2", "Side 3"]);
    }
  }
  const first = (seed: number) => passesOf(TWO, seed)[0]!.sides[0]!.id;
  const drawn = Array.from({ length: 40 }, (_, seed) => first(seed));
  assert.ok(drawn.filter((id) => id === "ann").length > 10);
  assert.ok(drawn.filter((id) => id === "ben").length > 10);
});

Deno.test("recordBySide() shows each side's case without names, each speech with the answers to it", () => {
  const pass = passesOf(TWO, 1).find(({ sides }) => sides[0]!.id === "ann")!;
  const { text, shortened } = recordBySide(pass, CLASH);
  assert.deepEqual(turnsOf(text), [
    "1.1 Side 1 opening statement",
    "1.2 Side 1 argument",
    "1.3 Side 2 rebuttal",
    "1.4 Moderator interruption",
    "1.5 Side 2 interruption answer",
    "1.6 Side 1 reply",
    "1.7 Side 1 closing statement",
    "2.1 Side 2 opening statement",
    "2.2 Side 2 argument",
    "2.3 Side 1 rebuttal",
    "2.4 Side 2 closing statement",
    " Audience interjection",
  ]);
  assert.doesNotMatch(text, /Ann|Ben|Speech 1\./);
  assert.match(text, /Speech 4\. Side 1 and Side 2 differ\./);
  assert.equal(shortened, 0);
  assert.equal(placesIn(pass, CLASH).get(8), "1.6");
});

Deno.test("recordBySide() differs between two passes in labels and order alone", () => {
  const [first, second] = passesOf(TWO, 1).map((pass) => recordBySide(pass, CLASH).text);
  const cases = (text: string) => text.split(/(?=<case)/).slice(1).map((each) => each.trim());
  const exchanged = (text: string) =>
    text.replaceAll(
      /Side ([12])|"([12])\./g,
      (_, label, place) =>
        label === undefined ? `"${3 - Number(place)}.` : `Side ${3 - Number(label)}`,
    );
  const [one, two] = cases(first!.replace(/<turn speaker="Audience"[^]*/, ""));
  const [swapped, other] = cases(second!.replace(/<turn speaker="Audience"[^]*/, ""));
  assert.deepEqual([two, one].map((each) => exchanged(each!)), [swapped, other]);
});

Deno.test("recordBySide() shows a chain of replies as each side's own speeches, which do not reveal the first speaker", () => {
  const chain = [
    message(1, "ann", "argument"),
    message(2, "ben", "reply", 1),
    message(3, "ann", "reply", 2),
    message(4, "ben", "reply", 3),
  ];
  for (const pass of passesOf(TWO, 1)) {
    assert.deepEqual(turnsOf(recordBySide(pass, chain).text), [
      "1.1 Side 1 argument",
      "1.2 Side 1 argument",
      "2.1 Side 2 argument",
      "2.2 Side 2 argument",
    ]);
  }
});

Deno.test("recordBySide() shortens long turns and counts them", () => {
  const [pass] = passesOf(TWO, 1);
  const { text, shortened } = recordBySide(pass!, CLASH, 3);
  assert.equal(shortened, 12);
  assert.match(text, /Speech 4\. \[…\]/);
  assert.match(text, /Where a turn ends with \[…\], room was lacking/);
  assert.doesNotMatch(recordBySide(pass!, CLASH).text, /room was lacking/);
});

Deno.test("inPass() and outOfPass() replace whole words alone", () => {
  const [pass] = passesOf([{ ...TWO[0]!, label: "Advocate A" }, {
    ...TWO[1]!,
    label: "Advocate B",
  }], 1);
  const text = "Advocate A answers Advocate B; Advocate AB is nobody.";
  const shown = inPass(pass!, text);
  assert.match(shown, /^Side [12] answers Side [12]; Advocate AB is nobody\.$/);
  assert.equal(outOfPass(pass!, shown, new Map()), text);
  const places = placesIn(pass!, CLASH);
  const cited = `#${places.get(7)} and (#${places.get(8)}), after 1.6 days`;
  assert.equal(outOfPass(pass!, cited, places), "#7 and (#8), after 1.6 days");
});
