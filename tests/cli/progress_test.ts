// Progress of a run, piped and in a terminal.
import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import { Progress } from "../../src/cli/progress.ts";
import { columns } from "../../src/core/text.ts";
import type { ConveningEvent, EventBody, TurnInfo } from "../../src/core/event.ts";
import { NO_USAGE, type Usage } from "../../src/core/message.ts";
import {
  AT,
  choiceOf,
  draftOf,
  factCheckOf,
  failureOf,
  messageOf,
  scoreOf,
  stanceOf,
  startOf,
} from "../record/support/fixtures.ts";

const USAGE: Usage = { ...NO_USAGE, inputTokens: 900, outputTokens: 334, costUsd: 0.5 };

function turn(seq: number, name: string, kind = "opening_statement"): TurnInfo {
  const phase = kind === "argument" ? kind : "opening";
  return { seq, turn: `${phase}/${name}`, participant: name, name, phase, kind, round: 0 };
}

function said(info: TurnInfo, body: string, usage: Usage = USAGE): EventBody {
  const message = messageOf(info.seq, { ...info, body, usage: { ...NO_USAGE, outputTokens: 12 } });
  return { type: "message", message, usage };
}

function begun(start: Parameters<typeof startOf>[0] = {}): EventBody {
  const one = { participants: [], judges: [], configuration: {} };
  return { type: "convening-start", start: startOf({ ...one, ...start }) };
}

function shown(live: boolean, events: readonly EventBody[], width = 80): string {
  let text = "";
  const start = startOf({
    participants: [{ id: "bob", name: "Bobby", role: "participant", label: "Bobby", model: "m" }],
    judges: [],
    configuration: { audience: [{ name: "Zoe" }] },
  });
  const progress = new Progress((more) => text += more, { live, columns: () => width, start });
  for (const body of events) progress.take({ n: 1, at: AT, ...body } as ConveningEvent);
  progress.end();
  return text;
}

/** Returns a display in a terminal, and what it has shown so far. */
function terminal() {
  let text = "";
  const progress = new Progress((more) => text += more, { live: true });
  const take = (body: EventBody) => progress.take({ n: 1, at: "", ...body } as ConveningEvent);
  return { progress, take, text: () => text };
}

/** Facts besides messages. */
const FOUND: readonly EventBody[] = [
  {
    type: "fact-check",
    factCheck: factCheckOf(4, {
      claims: [
        { text: "One.", verdict: "true", confidence: 1, sources: [] },
        { text: "Two.", verdict: "false", confidence: 1, sources: [] },
      ],
    }),
    usage: NO_USAGE,
  },
  {
    type: "stance",
    stance: stanceOf({
      participant: "listener-1",
      stances: [{ on: "p1", stance: "agree", strength: 1 }, {
        ...{ on: "p2", stance: "abstain", strength: 0 },
      }],
    }),
    usage: NO_USAGE,
  },
  { type: "interruption", turn: turn(5, "Mo"), about: 4 },
  { type: "choice", choice: choiceOf({ kind: "next_speaker", value: { speaker: "bob" } }) },
  { type: "choice", choice: choiceOf() },
  { type: "draft", draft: draftOf(2, { reflection: "secret thoughts" }) },
];

const A = turn(2, "Ada");
const B = turn(3, "Bob");
const [ADAM, EVE] = [turn(4, "Adam", "argument"), turn(5, "Eve", "argument")];

describe("Progress, piped", () => {
  it("take() writes one line per turn with the usage so far", () => {
    const text = shown(false, [
      { type: "phase-start", phase: "opening" },
      { type: "turn-start", turn: A },
      { type: "message-delta", turn: A, text: "First. " },
      said(A, "First. Second."),
    ]);
    assert.equal(
      text,
      "2 · opening · Ada · opening statement · 1,234 tokens and $0.5000 so far · First. Second.\n",
    );
  });

  it("take() reports fact checks and few other facts", () => {
    assert.equal(shown(false, FOUND), "message 4, fact check: 2 claims, 1 true, 1 false\n");
  });

  it("take() writes once why web searches failed", () => {
    const failed = (seq: number, number: number, tool = "webSearch"): EventBody => ({
      type: "lookup",
      lookup: {
        ...{ type: "lookup", seq, turn: "argument/a", participant: "a", createdAt: AT, number },
        ...{ tool, args: {}, failed: true, result: `${tool}: it asks for a key` },
      },
    });
    const events = [
      failed(4, 1),
      failed(4, 2),
      failed(5, 1),
      failed(6, 1, "lookupPaper"),
      failed(7, 101),
    ];
    assert.equal(shown(false, events), "webSearch: it asks for a key\n");
  });

  it("take() writes no terminal control sequences", () => {
    const text = shown(false, [said(turn(2, "A\x1b[2J\nB"), "x\x1b]0;t\x07\ny")]);
    assert.match(text, /^[^\p{Cc}]*\n$/u);
  });
});

const PAUSE = {
  provider: "api.example",
  until: Date.parse("2026-01-01T14:03:07.500Z"),
  reason: "rate limit",
};
const WAITING = "waiting for api.example until 14:03:07 UTC: rate limit\n";

describe("Progress.pause()", () => {
  it("writes a line of its own when piped", () => {
    let text = "";
    new Progress((more) => text += more).pause(PAUSE);
    assert.equal(text, WAITING);
  });

  it("is shown at once below a turn without text, and after a turn with text", () => {
    const at = terminal();
    at.take({ type: "turn-start", turn: A });
    at.progress.pause(PAUSE);
    assert.ok(at.text().endsWith(`Ada opening statement\n  ${WAITING}`));
    at.take({ type: "message-delta", turn: A, text: "Some " });
    at.progress.pause(PAUSE);
    assert.ok(at.text().endsWith(`${WAITING}Some`));
    at.progress.end();
    assert.ok(at.text().endsWith(`Some\n  ${WAITING}`));
  });
});

describe("Progress, live", () => {
  it("take() writes text as it streams, in whole words", () => {
    const at = terminal();
    at.take({ type: "turn-start", turn: A });
    at.take({ type: "message-delta", turn: A, text: "Some words" });
    assert.match(at.text(), /Ada opening statement\nSome$/);
    at.take({ type: "message-delta", turn: A, text: ", and more" });
    assert.match(at.text(), /Some words, and$/);
  });

  it("take() shows concurrent turns one after the other, each whole", () => {
    const text = shown(true, [
      { type: "turn-start", turn: A },
      { type: "turn-start", turn: B },
      { type: "message-delta", turn: B, text: "Bob's " },
      { type: "message-delta", turn: A, text: "Ada's " },
      { type: "message-delta", turn: B, text: "words" },
      said(B, "Bob's words"),
      { type: "message-delta", turn: A, text: "words" },
      said(A, "Ada's words"),
    ]);
    assert.match(text, /Ada opening statement\nAda's words\n/);
    assert.match(text, /Bob opening statement\nBob's words\n/);
    assert.ok(text.indexOf("Ada's") < text.indexOf("Bob's"));
  });

  it("take() shows stances, interruptions and the next speaker, but no bids and no private text", () => {
    assert.equal(
      shown(true, FOUND),
      [
        "  message 4, fact check: 2 claims, 1 true, 1 false",
        "  Zoe: agree on p1; abstain on p2",
        "  an interruption about message 4",
        "  next: Bobby",
        "",
      ].join("\n"),
    );
  });

  it("typed() keeps a person's words from being shown twice", () => {
    const at = terminal();
    at.take({ type: "turn-start", turn: A });
    at.progress.typed(A.turn);
    at.take(said(A, "What was typed."));
    assert.doesNotMatch(at.text(), /What was typed/);
    assert.match(at.text(), /\n {2}2 · 12 tokens in this turn · /);
  });

  it("take() starts again after a reset", () => {
    const text = shown(true, [
      { type: "turn-start", turn: A },
      { type: "message-delta", turn: A, text: "Half" },
      { type: "message-reset", turn: A, reason: "the connection was cut" },
      { type: "message-delta", turn: A, text: "Whole." },
      said(A, "Whole."),
    ]);
    assert.match(text, /Half\n {2}again: the connection was cut\nWhole\.\n/);
  });

  it("take() begins a new line for a retry or a failure only after text", () => {
    const reset: EventBody = { type: "message-reset", turn: A, reason: "status 500" };
    const start: EventBody = { type: "turn-start", turn: A };
    assert.equal(shown(false, [start, reset]), `turn ${A.seq} again: status 500\n`);
    assert.match(shown(true, [start, reset]), /statement\n {2}again: status 500\n/);
    const later: EventBody[] = [{ type: "turn-start", turn: B }, { ...reset, turn: B }];
    const concurrent = shown(true, [start, ...later, said(A, "All."), said(B, "Well.")]);
    assert.match(concurrent, /All\.\n.*\n {2}turn 3 again: status 500\n\n.*Bob/);
    const text = shown(true, [
      ...[start, { type: "message-delta", turn: A, text: "Half" } as const],
      { type: "turn-fail", failure: { ...A, type: "failure", message: "no connection" } } as never,
    ]);
    assert.match(text, /Half\n {2}turn \d+ failed: no connection\n/);
  });

  it("take() removes terminal control sequences", () => {
    const text = shown(true, [
      { type: "turn-start", turn: A },
      { type: "message-delta", turn: A, text: "a\x1b" },
      { type: "message-delta", turn: A, text: "[2Jb\r" },
      said(A, "a\x1b[2Jb\r"),
    ]);
    assert.match(text, /\na\[2Jb\n/);
  });
});

/** Turns that start in order, some of them concurrently, and end in any order, fail, or never end. */
const COURSE = fc.array(
  fc.record({
    rank: fc.nat(20),
    ends: fc.constantFrom("said", "said", "said", "failed", "cut off"),
  }),
  { minLength: 1, maxLength: 12 },
).map((turns) => {
  const moments = turns.flatMap(({ rank, ends }, index) => [
    { at: index, seq: index + 1, what: "begins" },
    { at: index + rank + 0.5, seq: index + 1, what: ends },
  ]).sort((a, b) => a.at - b.at || a.seq - b.seq);
  let tokens = 0;
  return moments.flatMap(({ seq, what }): EventBody[] => {
    const info = turn(seq, `Speaker ${seq}`);
    const usage = { ...USAGE, inputTokens: tokens += 1000 + seq };
    switch (what) {
      case "begins":
        return [{ type: "turn-start", turn: info }];
      case "said":
        return [
          { ...said(info, `Words of ${seq}.`), usage } as EventBody,
          {
            ...FOUND[0],
            factCheck: { ...FOUND[0]!["factCheck" as never] as object, message: seq },
            usage: { ...usage, inputTokens: tokens += 10 },
          } as EventBody,
        ];
      case "failed":
        return [{
          type: "turn-fail",
          failure: { seq, turn: info.turn, message: "gone" },
        } as EventBody];
      default:
        return [];
    }
  });
});

for (const live of [false, true]) {
  Deno.test(`Progress, ${live ? "live" : "piped"}, shows messages in the order of their numbers with counts that never decrease`, () => {
    fc.assert(fc.property(COURSE, (events) => {
      const text = shown(live, events);
      const lines = [...text.matchAll(/^ *(\d+) · .*?([\d,]+) tokens and /gm)];
      const numbers = lines.map(([, seq]) => Number(seq));
      const totals = lines.map(([, , total]) => Number(total!.replaceAll(",", "")));
      const ascending = (all: readonly number[]) => all.toSorted((a, b) => a - b);
      assert.equal(numbers.length, events.filter(({ type }) => type === "message").length);
      assert.deepEqual(numbers, ascending(numbers));
      assert.deepEqual(totals, ascending(totals));
      if (live) return;
      for (const seq of numbers) {
        const check = text.indexOf(`message ${seq}, fact check`);
        assert.ok(check > text.search(new RegExp(`^${seq} · `, "m")), `${seq}`);
      }
    }));
  });
}

it("Progress names the judge of a score if there are several judges", () => {
  const judge = (id: string, name: string) => ({ id, name, model: "m", rubric: "debate" });
  const panel = [judge("j1", "Ann"), judge("j2", "Bo")];
  const score = { ...scoreOf(1, "Ada", [7, 7]), judge: "j2" };
  const linesFor = (judges: typeof panel, width = 80) =>
    shown(true, [
      begun({ judges }),
      { type: "turn-start", turn: turn(1, "Ada") },
      said(turn(1, "Ada"), "Trams are quiet."),
      { type: "score", score, usage: NO_USAGE },
    ], width);
  assert.match(
    linesFor(panel, 30),
    /\n {2}message 1 scored 7\.00 of 10\n by Bo\n|\n {2}message 1 scored 7\.00 of 10\n.*by Bo\n/,
  );
  assert.match(linesFor(panel), /message 1 scored 7\.00 of 10 by Bo/);
  assert.match(linesFor(panel.slice(1)), /message 1 scored 7\.00 of 10\n/);
});

it("Progress wraps the topic and its own lines at the terminal's width, and names limits in words", () => {
  const topic = "Should a city of a million people ban private cars from its centre?";
  const limit = (name: string, max: number) => ({
    type: "limit-warning",
    limit: name,
    value: 0,
    max,
  });
  const events = [
    begun({ topic }),
    { type: "turn-start", turn: turn(1, "Ada") },
    said(turn(1, "Ada"), "Trams are quiet."),
    limit("maxTurns", 20),
    limit("maxTokens", 90000),
    limit("maxCost", 0.5),
    limit("maxDuration", 90000),
  ] as unknown as EventBody[];
  const text = shown(true, events, 40);
  for (const line of text.split("\n")) assert.ok(columns(line) < 40, line);
  assert.ok(text.replaceAll(/\s+/g, " ").startsWith(`${topic} debate · 0 participants `), text);
  assert.deepEqual(
    [
      ...text.replaceAll(/\s+/g, " ").matchAll(
        /80 % of the limit of (\S+(?: \w+)?) is used or reserved/g,
      ),
    ]
      .map(([, words]) => words),
    ["20 turns", "90,000 tokens", "$0.5", "90 s"],
  );
});

function stage(name: string, data: unknown = null): EventBody {
  return { type: "stage", name, data };
}

/** Events of a paper debate of two debaters, of whom one fails. */
const PAPER: readonly EventBody[] = [
  begun({ kind: "paper-debate" }),
  { type: "phase-start", phase: "argument" },
  stage("Running debate with 2 debaters..."),
  stage("debater_started", { debaterIndex: 0, posture: "For\x1b[2J it", total: 2 }),
  stage("debater_started", { debaterIndex: 1, posture: "Against it", total: 2 }),
  { type: "turn-start", turn: ADAM },
  { type: "turn-start", turn: EVE },
  { type: "message-delta", turn: ADAM, text: "Mixed " },
  { type: "message-delta", turn: EVE, text: "up " },
  said(EVE, "Against, at length.", NO_USAGE),
  stage("debater_complete", { debaterIndex: 1 }),
  { type: "turn-fail", failure: failureOf({ ...ADAM, message: "the provider\nis gone" }) },
  stage("debater_error", { debaterIndex: 0, error: "gone" }),
  stage("Judging arguments..."),
];

describe("Progress of a paper debate", () => {
  it("take() shows stages and a line per argument in a terminal, without streamed text", () => {
    const text = shown(true, PAPER).replace(/\n {2}(?=\S+ so)/g, " ");
    for (
      const line of [
        "Running debate with 2 debaters...",
        "debater started: For�[2J it",
        "turn 4 failed: the provider is gone",
        "5 · argument · Eve · argument · 0 tokens and $0 so far · Against, at",
        "Judging arguments...",
      ]
    ) assert.ok(text.includes(`\n  ${line}`), line);
    assert.doesNotMatch(text, /Mixed|up /);
  });

  it("take() writes a line per debater and the chosen question when piped", () => {
    const chosen = stage("question_selected", { question: "To what extent?" });
    const text = shown(false, [chosen, ...PAPER]);
    assert.match(
      text,
      /^5 · argument · Eve · argument · 0 tokens and \$0 so far · Against, at length\.$/m,
    );
    assert.match(text, /^--pick N or --question TEXT chooses another question$/m);
    const picked = begun({ configuration: { pick: 2 } });
    assert.doesNotMatch(shown(false, [picked, chosen]), /another question/);
    assert.doesNotMatch(text, /Mixed|── |complete|To what extent/);
  });
});
