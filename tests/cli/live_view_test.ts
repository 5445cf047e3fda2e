// Live view of a run in a terminal: wrapped words, markdown styles, status line.
import assert from "node:assert/strict";
import fc from "fast-check";
import { LiveText } from "../../src/cli/progress.ts";
import { Screen, StatusLine } from "../../src/cli/screen.ts";
import { columns } from "../../src/core/text.ts";
import type { ConveningEvent, ConveningStart, TurnInfo } from "../../src/core/event.ts";
import { NO_USAGE } from "../../src/core/message.ts";

/** Returns the output for text in these chunks, with styles in angle brackets. */
function shown(pieces: readonly string[], width: number, isColoured = false): string {
  const paint = (style: string, text: string) => isColoured ? `<${style}:${text}>` : text;
  const words = new LiveText(() => width, paint);
  return pieces.map((each) => words.push(each)).join("") + words.end();
}

/** Returns the lines of a terminal after this output. */
function screenOf(output: string): string[] {
  const lines = [""];
  let row = 0;
  // deno-lint-ignore no-control-regex
  for (const [part] of output.matchAll(/\x1b\[1A|\x1b\[K|\r|\n|[^\x1b\r\n]+/g)) {
    if (part === "\x1b[1A") row--;
    else if (part === "\x1b[K") lines[row] = "";
    else if (part === "\n") lines[++row] ??= "";
    // Text after a carriage return overwrites the beginning of the line.
    else if (part !== "\r") lines[row] = part.startsWith(lines[row]!) ? part : lines[row] + part;
  }
  return lines;
}

Deno.test("LiveText wraps words at the width, however the text is chunked, and loses none", () => {
  const word = fc.stringMatching(/^[a-zäß東京.,]{1,14}$/);
  const text = fc.array(word, { minLength: 1, maxLength: 40 });
  fc.assert(fc.property(text, fc.integer({ min: 8, max: 50 }), fc.nat(9), (words, width, cut) => {
    const whole = words.join(" ");
    const once = shown([whole], width);
    assert.equal(shown(whole.match(new RegExp(`.{1,${cut + 1}}`, "gsu"))!, width), once);
    for (const line of once.split("\n")) assert.ok(columns(line) <= width, line);
    assert.equal(once.replace(/\s/g, ""), words.join(""));
  }));
});

Deno.test("LiveText shows joined signs, wide signs and code alike however the text is cut", () => {
  const text = "می\u200cخواهم 👨\u200d👩\u200d👧 ❤\ufe0f\r\n" + "𠮷".repeat(12) +
    "\r\n1. In code:\r\n" +
    "   ```\r\n\tx\x1b = 1;\r\n   ```\r\nand words that wrap after it";
  const lines = [
    "می\u200cخواهم 👨\u200d👩\u200d👧 ❤\ufe0f",
    "𠮷".repeat(10),
    "𠮷𠮷",
    "1. In code:",
    "```",
    " x = 1;",
    "   ```",
    "and words that wrap",
    "after it",
  ];
  assert.equal(shown([text], 20), lines.join("\n"));
  assert.equal(shown(text.split(""), 20), lines.join("\n"));
});

Deno.test("LiveText styles headings, lists, quotations, emphasis and code, and leaves other signs unchanged", () => {
  const text = "# A title\n- one **bold word** and more text\n12. snake_case 2 * 3 *em*, `x_y`\n" +
    "> said by others before\n```\nlet a  = 1;\n```";
  assert.equal(
    shown([text], 20, true),
    [
      "<1:A> <1:title>",
      "• one <1:bold> <1:word> and",
      "  more text",
      "12. snake_case 2 * 3",
      "    <3:em>, <36:x_y>",
      "│ said by others",
      "│ before",
      "<2:```>",
      "<2:let a  = 1;>",
      "<2:```>",
    ].join("\n"),
  );
});

Deno.test("Screen keeps the status line last and removes it completely", () => {
  let output = "";
  const screen = new Screen((text) => output += text);
  screen.show("Some");
  screen.status("turn 1");
  assert.deepEqual(screenOf(output), ["Some", "turn 1"]);
  screen.show(" words");
  assert.deepEqual(screenOf(output), ["Some words", "turn 1"]);
  screen.show(".\nNext");
  screen.status("turn 2");
  assert.deepEqual(screenOf(output), ["Some words.", "Next", "turn 2"]);
  screen.note("A note.\n");
  assert.deepEqual(screenOf(output), ["Some words.", "Next", "A note.", "turn 2"]);
  screen.hold();
  screen.prompt("Your turn: ");
  screen.status("turn 3");
  screen.show("Held.\n");
  assert.deepEqual(screenOf(output).slice(3), ["Your turn: "]);
  screen.prompt("\n");
  screen.release();
  screen.status("");
  assert.deepEqual(screenOf(output).slice(3), ["Your turn: ", "Held.", ""]);
});

Deno.test("StatusLine shows round, turn, speaker, seconds, tokens and cost within the terminal's width", () => {
  const status = new StatusLine();
  status.turns = 21;
  assert.equal(status.at(0, 80), "");
  const turn = { seq: 9, turn: "t", name: "Advocate B", round: 2 } as TurnInfo;
  const usage = { ...NO_USAGE, inputTokens: 12_000, outputTokens: 340, costUsd: 0.02 };
  const start = { configuration: { roundCount: 3 } } as unknown as ConveningStart;
  const take = (event: object) => status.take(event as ConveningEvent, usage, start);
  take({ type: "turn-start", turn });
  assert.match(status.at(1000, 80), /thinks 0 s/);
  const line = "round 2 of 3 · turn 9 of 21 · Advocate B thinks 4 s · 12,340 tokens · $0.0200";
  assert.equal(status.at(5000, 90).slice(2), line);
  take({ type: "message-delta", turn, text: "x" });
  assert.match(status.at(66_000, 90), /Advocate B speaks 1 min 5 s/);
  take({ type: "turn-start", turn: { ...turn, turn: "u", name: "Advocate A" } });
  assert.match(status.at(66_000, 90), /Advocate B speaks 1 min 5 s/);
  take({ type: "message-reset", turn });
  assert.match(status.at(66_000, 90), /2 speakers think 1 min 5 s/);
  take({ type: "turn-fail", failure: { turn: "u" } });
  for (const width of [20, 40, 80]) assert.ok(columns(status.at(5000, width)) < width);
  take({ type: "message", message: turn });
  assert.match(status.at(7000, 90), /judges and record 0 s/);
  take({ type: "interjection", turn });
  assert.match(status.at(7000, 90), /turn 9 of 22/);
  take({ type: "convening-end" });
  assert.equal(status.at(8000, 90), "");
});
