// Flow sheet as properties: dropped points, independence of order, cost and size.
import assert from "node:assert/strict";
import fc from "fast-check";
import type { Flow, Point } from "../../src/core/fact.ts";
import { sheetIn } from "../../src/debate/flow_sheet.ts";
import { loadTokenCounter } from "../../src/core/tokens.ts";
import { bodyOf, debateOf, drain, Talker } from "../support/talkers.ts";

interface Turn {
  readonly seq: number;
  readonly participant: string;
  readonly role: "position_advocate";
  readonly kind: string;
  readonly previous: number;
}

const KINDS = ["new", "answers", "extends", "concedes", "repeats"] as const;

/** Debates of two or three sides whose points refer to earlier points as their kinds allow. */
const debates = fc.record({
  sides: fc.constantFrom(["a", "b"], ["a", "b", "c"]),
  turns: fc.array(
    fc.record({
      side: fc.nat(2),
      apart: fc.boolean(),
      read: fc.boolean(),
      points: fc.array(
        fc.record({ kind: fc.constantFrom(...KINDS), to: fc.array(fc.nat(), { maxLength: 2 }) }),
        { maxLength: 3 },
      ),
    }),
    { maxLength: 12 },
  ),
}).map(({ sides, turns: given }) => {
  const turns: Turn[] = [];
  const notes: Flow[] = [];
  const counts = new Map<string, number>();
  for (const [index, { side, apart, read, points }] of given.entries()) {
    const participant = sides[side % sides.length]!;
    const seq = index + 1;
    // Concurrent turns see the same earlier turns.
    const previous = apart ? turns.at(-1)?.previous ?? 0 : index;
    turns.push({ seq, participant, role: "position_advocate", kind: "argument", previous });
    const earlier = notes.flatMap((flow) =>
      flow.message <= previous ? flow.points.map((point) => ({ point, by: flow.participant })) : []
    );
    const made = points.map(({ kind, to }): Point => {
      const allowed = earlier.filter(({ by }) =>
        kind === "concedes" || kind !== "new" && (by === participant) === (kind !== "answers")
      );
      const answers = allowed.length === 0
        ? []
        : to.map((each) => allowed[each % allowed.length]!.point.id);
      const number = (counts.get(participant) ?? 0) + 1;
      counts.set(participant, number);
      const id = `${participant.toUpperCase()}${number}`;
      return { id, kind, answers: [...new Set(answers)], text: id, quote: id };
    });
    notes.push(flowOf(seq, participant, read ? made : undefined));
  }
  return { turns, notes };
});

function flowOf(message: number, participant: string, points?: readonly Point[]): Flow {
  return {
    type: "flow",
    message,
    participant,
    status: points === undefined ? "unread" : "read",
    points: points ?? [],
    model: "m",
    usage: { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0, costUsd: 0 },
    latencyMs: 0,
    createdAt: "",
  };
}

Deno.test("A point is dropped if and only if another side could have answered it, none did, none may have unread, and its own did not withdraw it", () => {
  fc.assert(fc.property(debates, ({ turns, notes }) => {
    const sheet = sheetIn(notes, turns);
    const byId = new Map(sheet.points.map((point) => [point.id, point]));
    const upward = (id: string): string[] => {
      const point = byId.get(id);
      const above = point?.kind === "extends" || point?.kind === "repeats" ? point.answers : [];
      return [id, ...above.flatMap(upward)];
    };
    const met = new Set(
      sheet.points.filter(({ kind }) => kind === "answers" || kind === "concedes")
        .flatMap(({ participant, answers }) =>
          answers.flatMap((id) => byId.get(id)?.participant === participant ? [id] : upward(id))
        ),
    );
    for (const point of sheet.points) {
      const needsAnswer = ["new", "answers", "extends"].includes(point.kind);
      const chances = turns.filter(({ participant, previous }) =>
        participant !== point.participant && previous >= point.seq
      ).map(({ seq }) => notes.find(({ message }) => message === seq)!.status);
      const isUnanswered = chances.length > 0 && !chances.includes("unread") && !met.has(point.id);
      assert.equal(sheet.dropped.includes(point), needsAnswer && isUnanswered);
    }
  }));
});

Deno.test("The sheet does not depend on the order of the notes, and an answered point is not dropped", () => {
  fc.assert(fc.property(debates, ({ turns, notes }) => {
    const sheet = sheetIn(notes, turns);
    assert.deepEqual(sheetIn(notes.toReversed(), turns), sheet);
    const [first] = sheet.dropped;
    if (first === undefined) return;
    const seq = turns.length + 1;
    const other = first.participant === "a" ? "b" : "a";
    const answer: Point = { id: "X1", kind: "answers", answers: [first.id], text: "", quote: "" };
    const after = sheetIn(
      [...notes, flowOf(seq, other, [answer])],
      [...turns, { ...turns[0]!, seq, participant: other, previous: seq - 1 }],
    );
    assert.ok(!after.dropped.some(({ id }) => id === first.id));
  }));
});

/** Counts reads of references in a debate in which each turn extends the previous turn's point. */
function readsOfChain(length: number): number {
  let reads = 0;
  const notes = Array.from({ length }, (_, index) => {
    const isAnswer = index % 2 === 1;
    const before = index === 0 ? [] : [`A${isAnswer ? index : index - 1}`];
    const id = `${isAnswer ? "B" : "A"}${index + 1}`;
    const answers = new Proxy(before, {
      get: (target, key) => {
        reads++;
        return Reflect.get(target, key);
      },
    });
    const kind = isAnswer ? "answers" : "extends";
    return flowOf(index + 1, isAnswer ? "b" : "a", [{ id, kind, answers, text: id, quote: id }]);
  });
  const turns = notes.map(({ message: seq, participant }) => ({
    ...{ seq, participant, role: "position_advocate", kind: "argument", previous: seq - 1 },
  }));
  const { metBy, dropped } = sheetIn(notes, turns);
  assert.deepEqual([metBy.size, dropped.length], [length / 2, length / 2 - 1]);
  return reads;
}

Deno.test("The cost of a sheet grows linearly with its points, also in a chain of extensions", () => {
  const [once, twice] = [readsOfChain(500), readsOfChain(1000)];
  assert.ok(twice <= 2.5 * once, `${once} reads, then ${twice}`);
});

Deno.test("Pages of arguments stay under 2,000 tokens and contain every argument", async () => {
  const agent = new Talker(({ context }) => {
    if (context.kind !== "notes") return undefined;
    const [quote = ""] = bodyOf(context).split(". ");
    const points = Array.from({ length: 6 }, (_, index) => ({
      quote,
      text:
        `Point ${index} of ${context.key}: what is carried by hand through narrow streets at night`,
      kind: "new",
      answers: [],
    }));
    return { text: JSON.stringify({ points }) };
  });
  const { workflow, record } = debateOf(agent, {
    flow: true,
    roundCount: 12,
    scoringEnabled: false,
  });
  await drain(workflow);
  const count = await loadTokenCounter();
  const pages = [...record.files].filter(([path]) => /^arguments(?:\.md|\/)/.test(path));
  assert.ok(pages.length > 5);
  for (const [path, text] of pages) assert.ok(count(text) <= 2000, `${path}: ${count(text)}`);
  const text = pages.map(([, each]) => each).join("\n");
  for (const { id } of JSON.parse(record.files.get("arguments.json")!).points) {
    assert.match(text, new RegExp(`\\| ${id} \\|`), id);
  }
});
