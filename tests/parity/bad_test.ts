// Invalid input and damaged records give the same errors in library, CLI, HTTP and MCP.
import assert from "node:assert/strict";
import { join } from "@std/path";
import { DEBATE, PAPERS, WITH_A_PERSON } from "./support/asked.ts";
import type { Asked, Json } from "./support/door.ts";
import { type Everywhere, type FourDoors, withDoors, withSpeaker } from "./support/four_doors.ts";
import { MODEL } from "../support/speaking_model.ts";

/** Invalid settings with the error's code and field. */
const REFUSED: readonly (readonly [more: Json, code: string, field: string | null])[] = [
  [{ rounds: 2 }, "config_invalid", "rounds"],
  [{ limits: { turns: 2 } }, "config_invalid", "limits.turns"],
  [{ roundCount: "two" }, "config_invalid", "roundCount"],
  [{ seed: 1.5 }, "config_invalid", "seed"],
  [{ kind: "quarrel" }, "config_invalid", "kind"],
  [{ preset: "nonesuch" }, "config_invalid", "preset"],
  [{ topic: "" }, "topic_refused", "topic"],
  [{ topic: "Hm" }, "topic_refused", "topic"],
  [{ topic: 7 }, "config_invalid", "topic"],
  [{ positions: ["Yes", "Yes"] }, "config_invalid", "positions"],
  [
    { participants: [{ name: "Ada" }, { name: "Ada", id: "ada" }] },
    "config_invalid",
    "participants",
  ],
  [{ scoringEnabled: false, judges: [{ name: "Jo" }] }, "config_invalid", "judges"],
  [{ moderation: "none", moderatorModel: MODEL }, "config_invalid", "moderatorModel"],
  [{ words: { min: 300, max: 200 } }, "config_invalid", "words"],
  [{ judges: [{ model: "nowhere:none" }] }, "config_invalid", "model"],
  [{ prompts: { opening: "{nobody}" } }, "config_invalid", "prompts.opening"],
];

/** Invalid papers with the error's code and field. */
const NO_PAPERS: readonly (readonly [asked: Asked, code: string, field: string])[] = [
  [{ config: { kind: "paper-debate" } }, "config_invalid", "papers"],
  [
    { config: { kind: "paper-debate" }, papers: [{ ...PAPERS.trees, text: " \n " }] },
    "paper_unreadable",
    "papers",
  ],
  [
    { config: { kind: "paper-debate" }, papers: [PAPERS.trees, PAPERS.trees] },
    "config_invalid",
    "papers",
  ],
  [
    { config: { kind: "paper-debate", question: "Why?" }, papers: [PAPERS.trees] },
    "config_invalid",
    "question",
  ],
  [
    { config: { kind: "paper-debate", postures: 9 }, papers: [PAPERS.trees] },
    "config_invalid",
    "postures",
  ],
  [{ config: { kind: "paper-debate", pick: 0 }, papers: [PAPERS.trees] }, "config_invalid", "pick"],
];

/** Runs a few items concurrently. */
async function inTurns<T>(items: readonly T[], run: (item: T) => Promise<void>): Promise<void> {
  const left = items.values();
  await Promise.all(Array.from({ length: 3 }, async () => {
    for (const item of left) await run(item);
  }));
}

Deno.test("library, CLI, HTTP and MCP reject invalid configurations with the same errors", () =>
  withDoors({ env: { OPENAI_API_KEY: "test-key" } }, async (doors) => {
    const wrong: unknown[] = [];
    await inTurns(REFUSED, async ([more, code, field]) => {
      const shown = JSON.stringify(more).slice(0, 80);
      try {
        const { given, dirs } = await doors.hold({ config: { ...DEBATE, ...more } });
        assert.deepEqual(given.error, { code, field });
        assert.equal(dirs.size, 0);
      } catch (error) {
        wrong.push([shown, error instanceof Error ? error.message : error]);
      }
    });
    assert.deepEqual(wrong, []);
    const { value } = await doors.each((door) => door.list());
    assert.deepEqual(value?.["convenings"], []);
  }));

withSpeaker.test("library, CLI, HTTP and MCP reject invalid papers with the same errors", async (doors) => {
  await inTurns(NO_PAPERS, async ([asked, code, field]) => {
    const { given, dirs } = await doors.hold({
      ...asked,
      config: { model: MODEL, ...asked.config },
    });
    assert.deepEqual([given.error, dirs.size], [{ code, field }, 0], JSON.stringify(asked));
  });
});

withSpeaker.test("library, CLI, HTTP and MCP report an unknown question id alike", async (doors) => {
  const config = { kind: "paper-debate", model: MODEL, pick: 40, postures: 2, seed: 5 };
  const { given, dirs } = await doors.hold({ config, papers: [PAPERS.trees] });
  assert.deepEqual([given.error?.code, dirs.size], ["config_invalid", 0]);
});

withSpeaker.test("library, CLI, HTTP and MCP report a missing convening alike", async (doors) => {
  const gone = await nowhere(doors);
  for (
    const act of [
      (door, dir) => door.verify(dir),
      (door, dir) => door.ask(dir, "Why?"),
      (door, dir) => door.message(dir, 1),
      (door, dir) => door.resume(dir),
      (door, dir) => door.say(dir, { text: "Here I am." }),
      (door, dir) => door.pause(dir),
      async (door, dir) => (await door.fork(dir, { at: 1 })).given,
      (door, dir) => door.judge(dir, {}),
    ] satisfies readonly Parameters<FourDoors["at"]>[1][]
  ) {
    const { error } = await doors.at(gone, act);
    assert.equal(error?.code, "not_found");
  }
  const none = await doors.each((door) => door.search(" "));
  assert.deepEqual(none.error, { code: "config_invalid", field: "query" });
});

withSpeaker.test("library, CLI, HTTP and MCP reject invalid acts with the same errors", async (doors) => {
  const held = await doors.hold({ config: { ...DEBATE, roundCount: 0 } });
  for (const at of [0, 99]) {
    const { error } = await doors.at(
      held,
      async (door, dir) => (await door.fork(dir, { at })).given,
    );
    assert.deepEqual(error, { code: "config_invalid", field: "at" });
  }
  const empty = await doors.at(
    held,
    async (door, dir) => (await door.fork(dir, { at: 2, edit: " " })).given,
  );
  assert.deepEqual(empty.error, { code: "config_invalid", field: "edit" });
  const none = await doors.at(held, (door, dir) => door.message(dir, 99));
  assert.equal(none.value, undefined);
  const late = await doors.at(held, (door, dir) => door.say(dir, { text: "I say." }));
  assert.deepEqual(late.error, { code: "turn_order", field: null });
  const aside = { text: "I say.", interject: true };
  const heard = await doors.at(held, (door, dir) => door.say(dir, aside));
  assert.deepEqual(heard.error, { code: "config_invalid", field: "id" });
  const ask = await doors.at(held, (door, dir) => door.ask(dir, " "));
  assert.deepEqual(ask.error, { code: "config_invalid", field: "question" });
  const judge = await doors.at(held, (door, dir) => door.judge(dir, { rubric: "nonesuch" }));
  assert.deepEqual(judge.error, { code: "config_invalid", field: "rubric" });
  const twice = { models: [MODEL, MODEL] };
  const judges = await doors.at(held, (door, dir) => door.judge(dir, twice));
  assert.deepEqual(judges.error, { code: "config_invalid", field: "judges" });
});

withSpeaker.test("library, CLI, HTTP and MCP reject invalid settings of a resume with the same errors", async (doors) => {
  const held = await doors.hold({ config: { ...DEBATE, limits: { maxTurns: 2 } } });
  const refused: readonly (readonly [settings: Json, field: string])[] = [
    [{ limits: { maxTurns: 0 } }, "limits.maxTurns"],
    [{ pick: 1 }, "pick"],
    [{ question: "Why do trees cool streets?" }, "question"],
    [{ model: "google:gemini" }, "model"],
  ];
  for (const [settings, field] of refused) {
    const { error } = await doors.at(held, (door, dir) => door.resume(dir, settings));
    assert.deepEqual([settings, error], [settings, { code: "config_invalid", field }]);
  }
  const unjudged = await doors.hold({ config: WITH_A_PERSON });
  const judge = await doors.at(unjudged, (door, dir) => door.judge(dir, {}));
  assert.deepEqual(judge.error, { code: "config_invalid", field: "id" });
  const other = { text: "I say.", participant: "Ada" };
  const wrong = await doors.at(unjudged, (door, dir) => door.say(dir, other));
  assert.deepEqual(wrong.error, { code: "turn_order", field: "participant" });
  for (const text of ["", "x".repeat(20_001), "a\u0000b"]) {
    const { error } = await doors.at(unjudged, (door, dir) => door.say(dir, { text }));
    assert.deepEqual(error, { code: "config_invalid", field: "text" });
  }
});

withSpeaker.test("library, CLI, HTTP and MCP report the same problems of damaged records", async (doors) => {
  const held = await doors.hold({ config: { ...DEBATE, limits: { maxTurns: 4 } } });
  await change(doors, held, ["messages", (text) => text.replace("seq: 2", "seq: nine")]);
  const found = await doors.at(held, (door, dir) => door.verify(dir));
  assert.equal(found.value?.["sound"], false);
  const message = await doors.at(held, (door, dir) => door.message(dir, 3));
  assert.equal(message.value?.["seq"], 3);
  const on = await doors.at(held, (door, dir) => door.resume(dir));
  assert.equal(on.error?.code, "record_corrupt");
  const asked = await doors.at(held, (door, dir) => door.ask(dir, "wheelchairs"));
  assert.equal(Object(asked.value?.["skipped"]).length, 1);

  const other = await doors.hold({ config: { ...DEBATE, limits: { maxTurns: 3 } } });
  await change(doors, other, ["log.jsonl", (text) => text.replace('"n":4,', '"n":4,,')]);
  await doors.at(other, (door, dir) => door.verify(dir));
  const limits = { limits: { maxTurns: 40 } };
  await doors.at(other, (door, dir) => door.resume(dir, limits));
  await doors.compare(other);
  await change(doors, other, ["metadata.md", () => "nothing of the kind"]);
  for (
    const act of [
      (door, dir) => door.verify(dir),
      (door, dir) => door.ask(dir, "Why?"),
      (door, dir) => door.resume(dir),
      (door, dir) => door.pause(dir),
    ] satisfies readonly Parameters<FourDoors["at"]>[1][]
  ) await doors.at(other, act);
  // Without metadata the time comes from the directory's name, in whole seconds: the order of two records is undefined.
  const { value } = await doors.each(async (door) => {
    const given = await door.list();
    const rows: Json[] = Object(given.value?.["convenings"]);
    const sorted = rows.toSorted((a, b) => Number(a["messages"]) - Number(b["messages"]));
    return { ...given, value: { ...given.value, convenings: sorted } };
  });
  const statuses = Object(value?.["convenings"]).map(({ status }: Json) => status);
  assert.ok(statuses.includes("unreadable"));
});

/** Returns ids and paths of convenings that do not exist. */
async function nowhere(doors: FourDoors): Promise<Everywhere> {
  const gone = await doors.hold({ config: { ...DEBATE, roundCount: 0 } });
  await doors.damage(gone, (dir) => Deno.remove(dir, { recursive: true }));
  return gone;
}

/** Changes one file of every record, or the only file of a folder. */
async function change(
  doors: FourDoors,
  held: Everywhere,
  [path, edit]: readonly [string, (text: string) => string],
): Promise<void> {
  await doors.damage(held, async (dir) => {
    const whole = join(dir, path);
    const { isDirectory } = await Deno.stat(whole);
    const files = isDirectory
      ? (await Array.fromAsync(Deno.readDir(whole))).map(({ name }) => join(whole, name))
      : [whole];
    for (const file of files) {
      await Deno.writeTextFile(file, edit(await Deno.readTextFile(file)));
    }
  });
}
