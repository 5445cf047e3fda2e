// People who type their turns in a terminal.
import assert from "node:assert/strict";
import { setImmediate } from "node:timers/promises";
import { describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import { ConfigurationError, TurnOrderError } from "../../mod.ts";
import { Screen } from "../../src/cli/screen.ts";
import { InputLines, readAll, TerminalPeople } from "../../src/cli/terminal_people.ts";
import type { ConveningEvent, ConveningStart, EventBody, TurnInfo } from "../../src/core/event.ts";
import { type Message, NO_USAGE } from "../../src/core/message.ts";
import { AT, endingOf, messageOf } from "../record/support/fixtures.ts";

const ADA: TurnInfo = {
  seq: 3,
  turn: "turn-3/ada",
  participant: "ada",
  name: "Ada",
  phase: "dialogue",
  kind: "statement",
  round: 2,
};

function message(seq: number, participant: string, body: string): Message {
  const turn = `turn-${seq}/${participant}`;
  return messageOf(seq, { ...ADA, seq, turn, participant, name: participant, body });
}

const EARLIER = [
  message(1, "ada", "My own first words."),
  message(2, "ben", "Ben's whole answer.\nOn two lines."),
];
const WAIT: EventBody = { type: "turn-wait", turn: ADA, task: "Answer Ben." };

type Typed = string | undefined | (() => string);

/** Returns a terminal in which these chunks are typed, one per read, and nothing afterwards. */
function terminal(...pieces: readonly Typed[]) {
  return terminalOf({ live: true }, pieces);
}

function terminalOf({ live }: { readonly live: boolean }, pieces: readonly Typed[]) {
  const left = [...pieces];
  const next = () => {
    const piece = left.shift();
    return typeof piece === "function" ? piece() : piece;
  };
  let shown = "";
  const said: string[] = [];
  const typed: string[] = [];
  let pauses = 0;
  let start: ConveningStart | undefined;
  const screen = new Screen((text) => shown += text);
  const people = new TerminalPeople({
    io: {
      live,
      columns: () => 80,
      read: () => left.length === 0 ? new Promise(() => {}) : Promise.resolve(next()),
    },
    screen,
    said: EARLIER,
    start: () => start,
    onTyped: (turn) => typed.push(turn),
  });
  const refusals: Error[] = [];
  const settled = Promise.withResolvers<void>();
  const listening = {
    say: (participant: string, text: string) => {
      const refusal = refusals.shift();
      if (refusal !== undefined) {
        if (refusal instanceof TurnOrderError) settled.resolve();
        throw refusal;
      }
      said.push(`${participant}: ${text}`);
      settled.resolve();
    },
    pause: () => {
      pauses++;
      settled.resolve();
    },
  };
  const take = (body: EventBody) => {
    if (body.type === "convening-start") start = body.start;
    people.take({ n: 1, at: AT, ...body } as ConveningEvent, listening);
  };
  return {
    take,
    people,
    screen,
    said,
    typed,
    refusals,
    answered: settled.promise,
    /** Ends the display once a turn was said, refused or left. */
    async end() {
      await settled.promise;
      await people.end();
    },
    shown: () => shown,
    pauses: () => pauses,
  };
}

describe("TerminalPeople", () => {
  it("take() prints whose turn it is, the whole message to answer and the task, and passes on the typed words without codes of keys", async () => {
    const keys = ["\x1b[D", "\x1b[1;5C", "\x1b[3~", "\x1bOH", "\x1b"];
    const at = terminal(`${keys.join("")}Streets are\nfor${keys.join("")} people.\n`, ".\n");
    at.take(WAIT);
    await at.end();
    assert.deepEqual(at.said, ["ada: Streets are\nfor people."]);
    assert.deepEqual(at.typed, ["turn-3/ada"]);
    assert.match(at.shown(), /── Ada, it is your turn: statement, round 2 ──/);
    assert.match(at.shown(), /2 · ben:\n {2}Ben's whole answer\.\n {2}On two lines\.\n/);
    assert.doesNotMatch(at.shown(), /My own first words/);
    assert.match(at.shown(), /Answer Ben\./);
  });

  it("take() prints the turn that a judge scores, whole, and no other", async () => {
    const at = terminal("persuasiveness: 7\n.\n");
    for (const seq of [3, 4, 5, 6]) {
      const said = message(seq, "ben", `Words ${seq}.\nMore.`);
      at.take({ type: "message", message: said, usage: NO_USAGE });
    }
    const turn = { ...ADA, seq: 0, kind: "score", turn: "score/3/ada" };
    at.take({ type: "turn-wait", turn, task: "Score turn 3." });
    await at.end();
    assert.match(at.shown(), /\n3 · ben:\n {2}Words 3\.\n {2}More\.\n\nScore turn 3\./);
    assert.doesNotMatch(at.shown(), /Words [4-6]|whole answer/);
  });

  it("take() does not repeat messages that were printed before", async () => {
    const at = terminal("Mine.\n.\n");
    for (const [seq, name] of [[3, "ada"], [4, "ben"]] as const) {
      at.take({ type: "message", message: message(seq, name, "Words."), usage: NO_USAGE });
    }
    at.take({ type: "turn-wait", turn: { ...ADA, seq: 5 }, task: `${"Speak up. ".repeat(12)}` });
    await at.end();
    assert.ok(!at.shown().includes("4 · ben"), at.shown());
    assert.ok(at.shown().split("\n").every((line) => line.length <= 80));
  });

  it("take() states the position, and does not show a concurrent speech before the person's own", async () => {
    const opening = { ...ADA, turn: "opening/ada", seq: 4, kind: "opening_statement", round: 0 };
    const said = (seq: number, kind: string, round: number) => ({
      ...message(seq, "ben", `Words ${seq}.`),
      ...{ kind, round },
    });
    const cases = [
      { turn: opening, message: said(3, "opening_statement", 0), configuration: {}, known: false },
      { turn: opening, message: said(5, "argument", 1), configuration: {}, known: false },
      {
        ...{ turn: opening, message: said(3, "opening_statement", 0), known: true },
        configuration: { blindOpenings: false },
      },
      {
        ...{ turn: { ...ADA, seq: 6 }, message: said(5, "statement", 2), known: false },
        configuration: { pacing: "simultaneous" },
      },
      {
        turn: { ...ADA, seq: 6, kind: "closing_statement", round: 0 },
        message: said(5, "closing_statement", 0),
        ...{ configuration: { blindClosings: true }, known: false },
      },
      {
        turn: { ...ADA, seq: 6 },
        message: said(5, "statement", 2),
        configuration: {},
        known: true,
      },
    ];
    for (const { turn, message, configuration, known } of cases) {
      const at = terminalOf({ live: false }, ["Mine.\n.\n"]);
      const participants = [{ id: "ada", position: "Yes,\nalways" }];
      const start = { configuration, participants } as unknown as ConveningStart;
      at.take({ type: "convening-start", start });
      at.take({ type: "message", message, usage: NO_USAGE });
      at.take({ type: "turn-wait", turn, task: "Speak." });
      await at.end();
      assert.equal(at.shown().includes(`${message.seq} · ben:\n  Words`), known);
      assert.match(at.shown(), /──\nYour position: Yes, always\n/);
    }
  });

  it("take() asks again after empty, invalid or cut words", async () => {
    const long = "é".repeat(2047);
    const cut = [`${long}�\n.\n`, `First.\n${long}a\n.\n`, "Half a sign: �\n.\n"];
    const at = terminal("\n.\n", "bell \x07\n.\n", "too much\n.\n", ...cut, "Good.\n.\n");
    at.refusals.push(new ConfigurationError("Cannot say that: it is long", { hint: "Be brief." }));
    at.take(WAIT);
    await at.answered;
    assert.deepEqual(at.said, ["ada: Good."]);
    assert.match(at.shown(), /Nothing was written/);
    assert.match(at.shown(), /control characters.*Write it again/);
    assert.match(at.shown(), /it is long\. Be brief\. Write it again/);
    assert.equal(at.shown().match(/cut a line after 4,095 bytes\. Break long/g)?.length, 2);
    assert.match(
      at.shown(),
      /not UTF-8\. Set a terminal to UTF-8 \(stty\niutf8\), convert the text, or/,
    );
    await at.people.end();
  });

  it("take() asks again with the reason of the rejection, without the turns that were shown", async () => {
    const at = terminal("The same.\n.\n", "Something else.\n.\n");
    at.take(WAIT);
    await at.answered;
    const task = "What you wrote was rejected: It was said before.\n\nAnswer Ben.";
    at.take({ ...WAIT, task });
    while (at.said.length < 2) await Promise.resolve();
    await at.people.end();
    const [, , again] = at.shown().split(/── Ada, it is your turn.*\n/);
    assert.ok(again!.startsWith(task));
    assert.ok(!again!.includes("Ben's whole answer."));
  });

  it("take() holds other output back until the person has written", async () => {
    const at = terminal(() => {
      at.screen.show("Meanwhile.\n");
      return "Done.\n.\n";
    });
    at.take(WAIT);
    await at.end();
    assert.match(at.shown(), /ends it\.\nMeanwhile\.\n$/);
  });

  it("take() stops asking when another process has answered or the run has ended", async () => {
    const events: EventBody[] = [
      { type: "turn-answer", turn: ADA },
      { type: "convening-end", ending: endingOf({ status: "waiting" }) },
    ];
    for (const event of events) {
      const at = terminal();
      at.take(WAIT);
      at.take(event);
      await at.people.end();
      assert.deepEqual(at.said, []);
    }
  });

  it("take() accepts that the words came too late", async () => {
    const at = terminal("Mine.\n.\n");
    at.refusals.push(new TurnOrderError("Cannot speak: it is not their turn"));
    at.take(WAIT);
    await at.end();
    assert.deepEqual([at.said, at.typed], [[], []]);
  });

  it("take() leaves the turn for later when input ends twice without words", async () => {
    const at = terminal(undefined, undefined);
    at.take(WAIT);
    at.take({ ...WAIT, turn: { ...ADA, turn: "turn-3/ben", name: "Ben" } });
    await at.answered;
    await setImmediate();
    await at.end();
    assert.equal(at.pauses(), 1);
    assert.doesNotMatch(at.shown(), /Ben, it is your turn/);
    assert.match(at.shown(), /Ctrl-D\s+once\s+more\s+leaves\s+it\s+for\s+later[^]*Left for later/);
  });

  it("take() asks for a question in one line, and again after a line that chooses none", async () => {
    const at = terminal("3\n", "0\n", "\n", "Why so?\n", "bell \x07 rings\n", " 2 \n");
    const listed = message(1, "questioner", "1. To what extent?\n2. By what means does it cool?");
    at.take({ type: "message", message: { ...listed, kind: "questions" }, usage: NO_USAGE });
    at.take({
      type: "turn-wait",
      turn: { ...ADA, seq: 0, turn: "pick", kind: "pick", round: 0 },
      task: `Which one?\n${listed.body}\x1b[2J`,
    });
    await at.end();
    assert.deepEqual(at.said, ["ada: 2"]);
    assert.match(
      at.shown(),
      /^\nWhich one\?\n1\. To what extent\?\n2\. By what means does it cool\?�\[2J\n\nA number from 1 to 2, or a question of your own, then Enter:\n/,
    );
    assert.match(at.shown(), /There is no question 3\. A number from 1 to 2/);
    assert.match(at.shown(), /There is no question 0\./);
    assert.match(at.shown(), /Nothing was given\./);
    assert.match(at.shown(), /A question has 10 to 1,000 characters, this has 7\./);
    assert.match(at.shown(), /control characters/);
    assert.doesNotMatch(at.shown(), /it is your turn/);
  });

  it("take() asks several people one after the other", async () => {
    const at = terminal("First.\n.\nSecond.\n.\n");
    at.take(WAIT);
    at.take({
      type: "turn-wait",
      turn: { ...ADA, turn: "x/eve", participant: "eve" },
      task: "Go.",
    });
    await at.answered;
    while (at.said.length < 2) await Promise.resolve();
    await at.people.end();
    assert.deepEqual(at.said, ["ada: First.", "eve: Second."]);
  });
});

/** Returns standard input with these chunks; undefined is an end of input, after which more can follow, as in a terminal. */
function input(...pieces: readonly (string | undefined)[]): () => Promise<string | undefined> {
  const left = [...pieces];
  return () => Promise.resolve(left.shift());
}

const { signal } = new AbortController();

describe("InputLines", () => {
  it("next() returns the lines up to one with a single full stop", async () => {
    const lines = new InputLines(input("One\ntwo\n.\nThree\n", ".\n"));
    assert.deepEqual(await lines.next(signal), { text: "One\ntwo", atEnd: false });
    assert.deepEqual(await lines.next(signal), { text: "Three", atEnd: false });
  });

  it("next() returns the rest at the end of input, an unfinished line included", async () => {
    const lines = new InputLines(input("One\r\ntw", "o", undefined, "more\n", undefined));
    assert.deepEqual(await lines.next(signal), { text: "One\ntwo", atEnd: true });
    assert.deepEqual(await lines.next(signal), { text: "more\n", atEnd: true });
  });

  it("nextLine() returns one line, whatever its content, or the rest at the end of input", async () => {
    const lines = new InputLines(input("2\r\n.\nno", "w", undefined, "again\n"));
    assert.deepEqual(await lines.nextLine(signal), { text: "2", atEnd: false });
    assert.deepEqual(await lines.nextLine(signal), { text: ".", atEnd: false });
    assert.deepEqual(await lines.nextLine(signal), { text: "now", atEnd: true });
    assert.deepEqual(await lines.nextLine(signal), { text: "again", atEnd: false });
  });

  it("next() returns the same however the input is chunked", async () => {
    const text = fc.string({ unit: fc.constantFrom("a", ".", "\n", "é", " ") });
    await fc.assert(fc.asyncProperty(text, fc.array(fc.nat(20)), async (whole, cuts) => {
      const places = [...new Set(cuts.filter((at) => at < whole.length))].sort((a, b) => a - b);
      const pieces = [...places, whole.length].map((at, i) => whole.slice(places[i - 1] ?? 0, at))
        .filter((piece) => piece !== "");
      const [cut, once] = [new InputLines(input(...pieces)), new InputLines(input(whole))];
      assert.deepEqual(await cut.next(signal), await once.next(signal));
    }));
  });

  it("next() stops at an abort, and later input goes to the next call", async () => {
    const { promise, resolve } = Promise.withResolvers<string | undefined>();
    let reads = 0;
    const lines = new InputLines(() => {
      reads++;
      return reads === 1 ? promise : Promise.resolve(".\n");
    });
    const over = new AbortController();
    const first = lines.next(over.signal);
    over.abort();
    await assert.rejects(first, { code: "cancelled" });
    resolve("Late.\n");
    assert.deepEqual(await lines.next(signal), { text: "Late.", atEnd: false });
    assert.equal(reads, 2, "the read that went on was not begun again");
    await assert.rejects(lines.next(AbortSignal.abort()), { name: "AbortError" });
  });
});

describe("readAll()", () => {
  it("readAll() returns everything up to the end", async () => {
    assert.equal(await readAll(input("One ", "two\n", undefined, "three")), "One two\n");
  });
});
