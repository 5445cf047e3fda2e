// Following a log that another process writes.
import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import { eventOf } from "../../src/core/event.ts";
import { LogFollower, logLine } from "../../src/record/log.ts";
import { FACTS, START } from "./support/transcript_record.ts";

const at = START.startedAt;
const LINES = [
  logLine({ type: "convening-start", start: START, n: 1, at }),
  ...FACTS.map((fact, index) => logLine({ ...eventOf(fact), n: index + 2, at })),
];
const encoder = new TextEncoder();

/** A log that grows, shrinks or is rewritten by the test. */
class Log {
  bytes = new Uint8Array();

  /** Follower from the log's start. */
  readonly follower = new LogFollower({
    readFrom: (_path, offset, most) =>
      Promise.resolve({ bytes: this.bytes.slice(offset, offset + most), size: this.bytes.length }),
  }, "/log.jsonl");

  write(text: string): void {
    this.bytes = encoder.encode(text);
  }

  /** Returns the numbers of all available events. */
  async numbers(): Promise<number[]> {
    const numbers: number[] = [];
    for (;;) {
      const events = await this.follower.next();
      if (events.length === 0) return numbers;
      numbers.push(...events.map(({ n }) => n));
    }
  }
}

describe("LogFollower", () => {
  it("next() returns every event once, wherever the log was cut at a read", async () => {
    const whole = encoder.encode(LINES.join(""));
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(whole.length), { maxLength: 12 }), async (cuts) => {
        const log = new Log();
        const seen: number[] = [];
        for (const cut of [...cuts.toSorted((a, b) => a - b), whole.length]) {
          log.bytes = whole.slice(0, cut);
          seen.push(...await log.numbers());
        }
        assert.deepEqual(seen, LINES.map((_, index) => index + 1));
      }),
      { numRuns: 50 },
    );
  });

  it("next() skips lines that are not events and continues after them", async () => {
    const log = new Log();
    const [first = "", second = ""] = LINES;
    const damage = ["not JSON", "[]", "null", '{"type":"message","n":2,"at":"x"}', '{"n":3}', ""];
    log.write(`${first}${damage.join("\n")}\n${second}`);
    assert.deepEqual(await log.numbers(), [1, 2]);
    log.write(`${damage.join("\n")}\n`);
    assert.deepEqual(await new Log().numbers(), []);
  });

  it("next() reads a line that is longer than one read", async () => {
    const log = new Log();
    const long = JSON.stringify({
      type: "stage",
      name: "x".repeat(3_000_000),
      data: null,
      n: 1,
      at,
    });
    log.write(`${long}\n${LINES[0]}`);
    assert.deepEqual(await log.numbers(), [1, 1]);
  });

  it("next() returns only new messages after the log was rewritten", async () => {
    const log = new Log();
    const messages = FACTS.filter(({ type }) => type === "message");
    const lines = messages.map((fact, index) => logLine({ ...eventOf(fact), n: index + 100, at }));
    log.write(LINES.slice(0, 1).concat(lines.slice(0, 2), lines.slice(0, 2)).join(""));
    assert.equal((await log.numbers()).length, 5);
    log.write(lines.slice(0, 3).join(""));
    assert.deepEqual(await log.numbers(), [102]);
    log.write(lines.slice(0, 4).join(""));
    assert.deepEqual(await log.numbers(), [103]);
  });
});
