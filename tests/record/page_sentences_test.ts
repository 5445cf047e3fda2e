// Sentences on the pages of a record.
import assert from "node:assert/strict";
import { join } from "@std/path";
import { describe, it } from "@std/testing/bdd";
import { assess } from "../../src/judging/assessment.ts";
import type { Ending } from "../../src/core/event.ts";
import type { Fact } from "../../src/core/fact.ts";
import { openRecord } from "../../src/record/directory_record.ts";
import { forkRecord } from "../../src/record/fork.ts";
import { readRecord } from "../../src/record/read.ts";
import { renderTranscript } from "../../src/record/transcript.tsx";
import { rebuildIndex } from "../../src/record/verify.ts";
import { assessmentSentences } from "../../src/record/words.ts";
import { choiceOf, messageOf, resumeOf, scoreOf, startOf, verdictOf } from "./support/fixtures.ts";
import { Sample } from "./support/verify_record.ts";

const [A, B] = ["advocate-a", "advocate-b"];
const JUDGE = { id: "judge-1", name: "Judge 1", model: "gpt-4o", rubric: "debate" };

describe("The status in index.md and summary.md", () => {
  const messages = [messageOf(1), messageOf(2)];
  const failed: Partial<Ending> = {
    status: "failed",
    endReason: "failed",
    outcome: "unscored",
    winner: null,
    error: {
      code: "agent_auth",
      message: `Cannot go on: <b>no key</b>\n# ${"and so on ".repeat(200)}`,
    },
  };

  it("has no reason that repeats the status", async () => {
    const sample = await Sample.make();
    assert.match(await sample.read("index.md"), /^- Status: \*\*completed\*\*, 7 messages$/m);
    assert.match(await sample.read("summary.md"), /^Status: completed\. /m);
    const stopped = await Sample.make({ ending: { status: "stopped", endReason: "max_turns" } });
    assert.match(
      await stopped.read("index.md"),
      /^- Status: \*\*stopped\*\* \(limit of turns\), 7 messages\n- To resume it: /m,
    );
  });

  it("is followed by the failure, cut and as plain text, and by the command that resumes", async () => {
    const sample = await Sample.make({ start: startOf(), facts: messages, ending: failed });
    const index = await sample.read("index.md");
    const [, reason = "", command] =
      /^- Status: \*\*failed\*\*, 2 messages\n- Failure: (.*)\n- (.*)$/m
        .exec(index) ?? [];
    assert.ok(reason.startsWith("Cannot go on: &lt;b>no key&lt;/b> # and so on and so on"), reason);
    assert.ok(reason.endsWith("…") && reason.length < 400, reason);
    assert.equal(command, "To resume it: `convenings resume DIR`, where DIR is this folder.");
    assert.match(await sample.read("summary.md"), /^- Failure: Cannot go on: /m);
    assert.deepEqual(await sample.findings(), []);
    await rebuildIndex(sample.files, sample.dir);
    assert.equal(await sample.read("index.md"), index);
  });

  it("has no failure after a resume, nor in a record without the message", async () => {
    const sample = await Sample.make({ start: startOf(), facts: messages, ending: failed });
    assert.match((await readRecord(sample.files, sample.dir)).failure!, /^Cannot go on: .{900,}…$/);
    const record = await openRecord(sample.files, { dir: sample.dir });
    await record.apply({ ...resumeOf(2), n: 9, at: messageOf(1).createdAt });
    await record.close();
    assert.doesNotMatch(await sample.read("index.md"), /Failure|resume DIR/);
    assert.doesNotMatch(await sample.read("metadata.md"), /^failure:/m);
    const { error: _, ...silent } = failed;
    const earlier = await Sample.make({ start: startOf(), facts: messages, ending: silent });
    assert.match(
      await earlier.read("index.md"),
      /^- Status: \*\*failed\*\*, 2 messages\n- To resume it: /m,
    );
  });

  it("says that a fork waits to be resumed, until it is", async () => {
    const sample = await Sample.make();
    const { files } = sample;
    const clock = { now: () => Date.parse("2026-11-22T08:00:00.000Z") };
    const dir = sample.dir = await forkRecord(files, sample.dir, { clock, at: 5 });
    assert.match(
      await sample.read("index.md"),
      /^- Status: \*\*new fork, not resumed yet\*\*, 5 messages\n- To resume it: `convenings resume DIR`/m,
    );
    const metadata = await sample.read("metadata.md");
    assert.match(metadata, /^status: running$/m);
    assert.match(metadata, /^A debate, new fork, not resumed yet: 5 messages/m);
    const day = join(dir, "..", "index.md");
    assert.match(await files.read(day), /\| debate \| new fork \|/);
    const record = await openRecord(files, { dir });
    await record.apply({ ...resumeOf(5), n: 20, at: "2026-11-22T08:01:00.000Z" });
    await record.close();
    const index = await sample.read("index.md");
    assert.match(index, /^- Status: \*\*running\*\*, 5 messages$/m);
    assert.doesNotMatch(index, /resume DIR/);
    assert.doesNotMatch(await files.read(day), /new fork/);
  });
});

describe("assessmentSentences()", () => {
  it("says which side a judge favored before the debate and after", () => {
    const start = startOf({ judges: [JUDGE] });
    const alone = choiceOf({
      kind: "baseline",
      participant: JUDGE.id,
      value: { winner: A, answer: "x" },
    });
    const sentenceOf = (...winners: readonly (string | null)[]) => {
      const verdicts = winners.map((winner, at) => ({
        ...verdictOf(at + 1, winner),
        judge: JUDGE.id,
        order: at === 0 ? [A, B] : [B, A],
      }));
      return assessmentSentences(start, assess(start, [alone, ...verdicts]))[0];
    };
    const name = start.participants.find(({ id }) => id === A)!.name;
    assert.equal(
      sentenceOf(A, B),
      `Before the debate, Judge 1 favored ${name}; after it, neither side.`,
    );
    assert.equal(sentenceOf(A, A), `Before and after the debate, Judge 1 favored ${name}.`);
    assert.equal(sentenceOf(), `Before the debate, Judge 1 favored ${name}; after it, no verdict.`);
  });
});

Deno.test("A score that false claims capped is shown with the judge's own number", async () => {
  const fact = scoreOf(2, B, [7, 0]);
  const [, second] = Object.keys(fact.criteria);
  const facts: Fact[] = [messageOf(1), messageOf(2), {
    ...fact,
    judge: JUDGE.id,
    judged: { [second!]: 4.5 },
  }];
  const record = { start: startOf({ judges: [JUDGE] }), facts, status: "completed" } as const;
  const own = new RegExp(`efore the cap for false claims: ${second!.replaceAll("_", " ")} 4\\.5`);
  for (const format of ["md", "txt", "html"] as const) {
    assert.match((await renderTranscript(format, record)).replace(/\s+/g, " "), own);
  }
  const sample = await Sample.make({ start: record.start, facts });
  assert.match(
    await sample.read("scores.md"),
    /^Capped for false claims: 1 score, with the judge's own number as `judged`\.$/m,
  );
});

Deno.test("A judge of a later panel has the name of its model in transcripts, and is not counted on a message's card", async () => {
  const later = { judge: "again-offline", model: "offline", rubric: "academic" };
  const facts: Fact[] = [
    ...[messageOf(1), messageOf(2)],
    { ...scoreOf(2, B, [7, 8]), judge: JUDGE.id },
    { ...scoreOf(2, B, [5, 6]), ...later },
    { ...verdictOf(1, B), ...later },
  ];
  const record = { start: startOf({ judges: [JUDGE] }), facts, status: "completed" } as const;
  const markdown = await renderTranscript("md", record);
  assert.match(markdown, /Scored by offline \(judged again\): /);
  assert.match(markdown, /^- offline \(judged again\), verdict 1: /m);
  const cards = async (facts: readonly Fact[]) => {
    const html = await renderTranscript("html", { ...record, facts });
    return [...html.matchAll(/<summary>(Scored [^]*?)<\/summary>/g)].map(([, text]) =>
      text!.replace(/<[^>]*>/g, "").replace(/[\d.]+ of/, "N of")
    );
  };
  assert.deepEqual(await cards(facts), ["Scored N of 10 by Judge 1"]);
  const alone = facts.filter((fact) => !("judge" in fact) || fact.judge === later.judge);
  assert.deepEqual(await cards(alone), ["Scored N of 10 by offline (judged again)"]);
});
