// Search and memory over an archive.
import assert from "node:assert/strict";
import { join } from "@std/path";
import { type ArchiveSearchOptions, memoryOf, searchArchive } from "../../src/record/search.ts";
import type { Ending } from "../../src/core/event.ts";
import type { Fact } from "../../src/core/fact.ts";
import type { Message } from "../../src/core/message.ts";
import { folderRecord } from "../../src/record/directory_record.ts";
import { withFolder } from "../support/cli.ts";
import { choiceOf, endingOf, Events, messageOf, startOf, stopOf } from "./support/fixtures.ts";

/** Writes a convening of November 2026; without an ending its process died. */
async function keep(
  out: string,
  { day, topic, facts }: {
    readonly day: number;
    readonly topic: string;
    readonly facts: readonly Fact[];
  },
  ending?: Partial<Ending>,
): Promise<string> {
  const startedAt = `2026-11-${String(day).padStart(2, "0")}T10:00:00.000Z`;
  const record = await folderRecord({ out }, { refreshDelay: 60_000 }).open(
    startOf({ topic, startedAt }),
  );
  const events = new Events(record);
  for (const fact of facts) await events.fact(fact);
  if (ending !== undefined) {
    await events.apply({ type: "convening-end", ending: endingOf(ending) });
  }
  await record.close();
  return record.dir!;
}

function summaryOf(seq: number, body: string): Message {
  return messageOf(seq, { phase: "summary", kind: "summary", role: "moderator", body });
}

withFolder.test("searchArchive() finds messages in all convenings of an archive, best first", async (out) => {
  const cars = await keep(out, {
    day: 1,
    topic: "Should cities ban private cars?",
    facts: [
      messageOf(1, { body: "A congestion charge pays for trams." }),
      messageOf(2, { body: "Trams are slow." }),
    ],
  }, {});
  const zoos = await keep(out, {
    day: 2,
    topic: "Is it fair to keep zoos?",
    facts: [messageOf(1, { body: "Zoos are reached by tram, no more than that." })],
  });
  const { rows, ...counts } = await searchArchive(out, "congestion charge and trams");
  assert.deepEqual(counts, { found: 3, convenings: 2, messages: 3, skipped: [] });
  assert.deepEqual(rows[0], {
    dir: cars,
    topic: "Should cities ban private cars?",
    seq: 1,
    name: "Ada",
    kind: "argument",
    round: 1,
    score: 1,
    snippet: "A congestion charge pays for trams.",
  });
  assert.deepEqual(rows.slice(1).map(({ dir, seq }) => [dir, seq]), [[cars, 2], [zoos, 1]]);
  const some = await searchArchive(out, "trams", { limit: 2 });
  assert.deepEqual([some.rows.length, some.found], [2, 3]);
  const weak = await searchArchive(out, "trams under the harbour of Rotterdam");
  assert.ok(weak.rows[0]!.score < 0.1, String(weak.rows[0]!.score));
  const chosen = async (filter: ArchiveSearchOptions) =>
    (await searchArchive(out, "trams", filter)).messages;
  assert.equal(await chosen({ speaker: "ada", kind: "argument", round: 1 }), 2);
  assert.equal(await chosen({ speaker: "Nobody" }), 0);
  assert.equal(await chosen({ round: 2 }), 0);
  const within = await searchArchive(out, "trams", { within: new Set([zoos]) });
  assert.deepEqual(within.rows.map(({ dir }) => dir), [zoos]);
  assert.deepEqual([within.found, within.convenings, within.messages], [1, 1, 1]);
  assert.deepEqual((await searchArchive(out, "(zeppelin|?")).rows, []);
});

const FILLER = "And so on it went, one sentence after another, without an end in sight. ".repeat(8);

/** Writes a convening with the given bodies and runs `work` on its archive. */
async function withBodies(
  bodies: readonly string[],
  work: (out: string, dir: string) => Promise<void>,
): Promise<void> {
  await withFolder(async (out) => {
    const facts = bodies.map((body, at) => messageOf(at + 1, { body }));
    await work(out, await keep(out, { day: 1, topic: "Cars in cities", facts }, {}));
  });
}

Deno.test("searchArchive() ranks by rare words, and by the shares of the query in a message", async () => {
  const bodies = [
    "Trams are quiet. Buses are not.",
    "A congestion charge pays for trams.",
    "Parks are for people.",
    "Congestions of trams, 東京, C++.",
  ];
  await withBodies(bodies, async (out) => {
    const scores = async (query: string) =>
      (await searchArchive(out, query)).rows.map(({ seq, score }) => [seq, score]);
    assert.deepEqual(await scores("congestion charge, trams"), [[2, 0.98], [4, 0.29], [1, 0.054]]);
    assert.deepEqual(await scores("congest"), [[2, 0.98], [4, 0.94]]);
    assert.deepEqual(await scores("東京"), [[4, 0.94]]);
    assert.deepEqual(await scores("C++ people"), [[4, 0.42], [3, 0.12]]);
  });
});

withFolder.test("searchArchive() returns at most ten messages and finds speakers by name", async (out) => {
  const facts = Array.from(
    { length: 25 },
    (_, i) => messageOf(i + 1, { body: `Trams, ${i}.`, name: i === 12 ? "Grace: Hopper" : "Ada" }),
  );
  await keep(out, { day: 1, topic: "Cars in cities", facts }, {});
  assert.equal((await searchArchive(out, "trams")).rows.length, 10);
  const { rows } = await searchArchive(out, "hopper");
  assert.deepEqual(rows.map(({ seq, name }) => [seq, name]), [[13, "Grace: Hopper"]]);
});

Deno.test("searchArchive() shows the passage with the most words of the query, as one plain line", async () => {
  const body = `# Trams\n\n${FILLER}\n\n- **Trams** beat a \`congestion\` charge. ${FILLER}`;
  await withBodies([body, `Buses first. ${FILLER}`], async (out) => {
    const { rows: [row] } = await searchArchive(out, "congestion charge trams");
    assert.match(row!.snippet, /^…[\s\S]*Trams beat a congestion charge[\s\S]*…$/);
    assert.ok([...row!.snippet].length <= 200);
    assert.ok(!/[\p{Cc}*`#]/u.test(row!.snippet));
    const { rows: [start] } = await searchArchive(out, "buses");
    assert.match(start!.snippet, /^Buses first\. And so/);
  });
});

Deno.test("searchArchive() reads front matter of any form, and reports every damaged key", async () => {
  const bodies = ["Trams run.", "Trams stop.", "Trams wait.", "Trams ring."];
  await withBodies(bodies, async (out, dir) => {
    const folder = join(dir, "messages");
    const edit = async (name: string, change: (text: string) => string) => {
      const path = join(folder, name);
      await Deno.writeTextFile(path, change(await Deno.readTextFile(path)));
    };
    const names = (await Array.fromAsync(Deno.readDir(folder), ({ name }) => name)).sort();
    await edit(names[0]!, (text) => text.replace("name: Ada", 'name: "\\x41da" # once Bea'));
    await edit(names[1]!, (text) => text.replaceAll("\n", "\r\n"));
    await edit(names[2]!, (text) => text.replace(/model: [^\n]*/, "model: ["));
    await edit(names[3]!, (text) => text.replace("name: Bo", "name: null"));
    const { rows, skipped } = await searchArchive(out, "trams");
    assert.deepEqual(rows.map(({ seq, name, snippet }) => [seq, name, snippet]).sort(), [
      [1, "Ada", "Trams run."],
      [2, "Bo", "Trams stop."],
    ]);
    const damaged = [names[2]!, names[3]!].map((name) => join(folder, name));
    assert.deepEqual(skipped.map(({ path }) => path), damaged);
  });
});

withFolder.test("searchArchive() reads each message's current file, however often it has searched", async (out) => {
  const topic = "Should cities ban private cars?";
  const facts = [messageOf(1, { body: "Trams run." }), messageOf(2, { body: "Trams stop." })];
  const dir = await keep(out, { day: 1, topic, facts }, {});
  const messages = join(dir, "messages");
  const paths = (await Array.fromAsync(Deno.readDir(messages), ({ name }) => join(messages, name)))
    .sort();
  // Files with old modification times are cached by earlier searches.
  for (const [at, path] of paths.entries()) await Deno.utime(path, 1000 + at, 1000 + at);
  const found = async (text: string) => (await searchArchive(out, text)).rows.map(({ seq }) => seq);
  assert.deepEqual([await found("run"), await found("trams")], [[1], [1, 2]]);
  const text = await Deno.readTextFile(paths[0]!);
  await Deno.writeTextFile(paths[0]!, text.replace("Trams run.", "Buses run"));
  await Deno.utime(paths[0]!, 2000, 2000);
  assert.deepEqual([await found("trams"), await found("buses")], [[2], [1]]);
  await Deno.writeTextFile(paths[1]!, "damaged");
  assert.deepEqual(await found("trams"), []);
  await Deno.remove(paths[0]!);
  assert.deepEqual(await found("buses"), []);
  await Deno.rename(dir, join(out, "elsewhere"));
  assert.deepEqual(await found("stop"), []);
});

withFolder.test("searchArchive() omits damaged files, reports them, and changes nothing", async (out) => {
  const topic = "Should cities ban private cars?";
  const facts = [messageOf(1, { body: "Trams run." }), messageOf(2, { body: "Trams stop." })];
  const dir = await keep(out, { day: 1, topic, facts }, {});
  const lost = await keep(out, { day: 2, topic, facts }, {});
  await Deno.writeTextFile(join(lost, "metadata.md"), "---\nkind: [\n---\n");
  const names = await Array.fromAsync(Deno.readDir(join(dir, "messages")), ({ name }) => name);
  const [name] = names.sort();
  await Deno.writeTextFile(join(dir, "messages", name!), "damaged");
  await Deno.writeTextFile(join(dir, "messages", "notes.md"), "Trams in my notes.");
  const { rows, skipped, ...counts } = await searchArchive(out, "trams");
  assert.deepEqual(rows.map(({ dir, seq }) => [dir, seq]), [[dir, 2]]);
  assert.deepEqual(counts, { found: 1, convenings: 1, messages: 1 });
  assert.deepEqual(skipped.map(({ path }) => path), [lost, `${dir}/messages/${name}`]);
  assert.match(skipped[0]!.problem, /Cannot read .*, line \d+: /);
  assert.match(skipped[1]!.problem, /^line \d+: /);
  assert.equal(await Deno.readTextFile(join(dir, "messages", name!)), "damaged");
});

Deno.test("searchArchive() returns nothing without an archive", async () => {
  const { rows, convenings } = await searchArchive("/nowhere/at/all", "trams");
  assert.deepEqual([rows, convenings], [[], 0]);
});

withFolder.test("memoryOf() quotes the summaries of completed convenings on a similar topic", async (out) => {
  const topic = "Should cities ban private cars?";
  const won = await keep(out, {
    day: 1,
    topic,
    facts: [
      messageOf(1),
      summaryOf(2, `Cars lost. ${"x".repeat(2000)}`),
      messageOf(3, { kind: "interjection", body: "Wait." }),
    ],
  }, {});
  const stopped = await keep(
    out,
    {
      day: 2,
      topic: "Is a ban of cars fair?",
      facts: [messageOf(1), stopOf({ lastSeq: 1, body: "So far: cars." })],
    },
    { status: "stopped", endReason: "max_tokens", outcome: "unscored", winner: null },
  );
  const judged = await keep(
    out,
    {
      day: 6,
      topic: "Are cities without private cars worth it?",
      facts: [
        messageOf(1),
        choiceOf({ seq: 2, kind: "summary", value: { summary: "A judge summed up: cars stay." } }),
      ],
    },
    {},
  );
  await keep(out, { day: 3, topic, facts: [messageOf(1), summaryOf(2, "Cars, but it died.")] });
  await keep(out, { day: 4, topic, facts: [messageOf(1)] }, {});
  await keep(
    out,
    { day: 5, topic: "Is nuclear power worth it?", facts: [summaryOf(1, "It is not.")] },
    {},
  );
  const asking = "Are private cars in cities worth a ban?";
  const [first, byJudge, second, ...rest] = await memoryOf(out, asking);
  assert.deepEqual(rest, []);
  assert.deepEqual([byJudge?.dir, byJudge?.summary], [judged, "A judge summed up: cars stay."]);
  assert.match(first!.summary, /^Cars lost\. x+…$/);
  assert.equal([...first!.summary].length, 1500);
  assert.deepEqual({ ...first, summary: "" }, {
    dir: won,
    topic,
    summary: "",
    startedAt: "2026-11-01T10:00:00.000Z",
    endReason: "completed",
    winner: "Ada",
  });
  assert.deepEqual(second, {
    dir: stopped,
    topic: "Is a ban of cars fair?",
    summary: "So far: cars.",
    startedAt: "2026-11-02T10:00:00.000Z",
    endReason: "max_tokens",
    winner: null,
  });
  const others = await memoryOf(out, asking, { exclude: won, limit: 2 });
  assert.deepEqual(others.map(({ dir }) => dir), [judged, stopped]);
  assert.deepEqual(await memoryOf(out, "How do bees find their way home?"), []);
  const oneWordInCommon = "How do bees, wasps, ants and hornets find private nests in old trees?";
  assert.deepEqual(await memoryOf(out, oneWordInCommon), []);
  assert.deepEqual(await memoryOf(join(out, "none"), asking), []);
});
