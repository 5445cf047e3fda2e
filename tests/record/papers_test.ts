// Papers in a record: parsing, damage, forks, pages.
import assert from "node:assert/strict";
import fc from "fast-check";
import { RecordError } from "../../src/core/error.ts";
import type { Fact } from "../../src/core/fact.ts";
import type { Paper } from "../../src/core/paper.ts";
import { openRecord } from "../../src/record/directory_record.ts";
import { renderPaper } from "../../src/record/papers.ts";
import { parsePaper } from "../../src/record/read_pages.ts";
import { forkRecord } from "../../src/record/fork.ts";
import { MemoryFileSystem } from "../../src/record/stores.ts";
import { readRecord } from "../../src/record/read.ts";
import { rebuildIndex } from "../../src/record/verify.ts";
import {
  LONG_PAPER,
  PAPER_FACTS,
  PAPER_START,
  POSTURES,
  SHORT_PAPER,
} from "./support/paper_record.ts";
import { Events, resumeOf } from "./support/fixtures.ts";
import { Sample } from "./support/verify_record.ts";
import { anyCharacter } from "../support/any_character.ts";

const clock = { now: () => Date.UTC(2026, 0, 2, 3, 4, 5) };

function held(facts = PAPER_FACTS, ending: null | undefined = undefined): Promise<Sample> {
  return Sample.make({
    start: PAPER_START,
    facts,
    ...(ending === null ? { ending: null } : { ending: { winner: "debater-a" } }),
  });
}

/** Returns the facts by type and their place in a record. */
function byPlace(facts: readonly Fact[]): Fact[] {
  const place = (fact: Fact) => {
    const { message, seq, number, judge, participant } = fact as unknown as Record<string, unknown>;
    return [fact.type, message, seq, number, judge, participant].join("/");
  };
  return facts.toSorted((a, b) => place(a) < place(b) ? -1 : 1);
}

const texts = fc.oneof(
  fc.string({ unit: anyCharacter }).map((text) => text.toWellFormed()),
  fc.array(fc.constantFrom("---\n", "---", "\n", "a: b\n", "\r\n", "…", "</x>", "```\n", "😀", " "))
    .map((parts) => parts.join("")),
);
const papers: fc.Arbitrary<Paper> = fc.record({ id: texts, title: texts, text: texts })
  .chain((paper) =>
    fc.array(fc.nat({ max: paper.text.length }), { maxLength: 5 }).map((pages) =>
      pages.length === 0 ? { ...paper } : { ...paper, pages: pages.sort((a, b) => a - b) }
    )
  );

Deno.test("parsePaper() returns a paper to the character, whatever its text", () => {
  fc.assert(
    fc.property(papers, (paper) => {
      const { paper: read, characters } = parsePaper(renderPaper(paper), "paper.md");
      assert.deepEqual(read, paper);
      assert.equal(characters, paper.text.length);
    }),
    { numRuns: 500 },
  );
});

Deno.test("renderPaper() rejects pages that are not consecutive", () => {
  for (const pages of [[0, 9, 4], [0, SHORT_PAPER.text.length + 1]]) {
    assert.throws(() => renderPaper({ ...SHORT_PAPER, pages }), {
      code: "config_invalid",
      message: /"quiet"/,
    });
  }
});

Deno.test("a record contains its papers from its start and returns them in order", async () => {
  const files = new MemoryFileSystem();
  const record = await openRecord(files, { out: "/out" }, { start: PAPER_START });
  assert.deepEqual(record.start, PAPER_START);
  assert.deepEqual((await readRecord(files, record.dir)).start.papers, [SHORT_PAPER, LONG_PAPER]);
  await record.close();
  const again = await openRecord(files, { dir: record.dir });
  assert.deepEqual(again.start, PAPER_START);
  await again.close();
});

Deno.test("a record returns its initial configuration, without positions that messages brought", async () => {
  const sample = await held();
  assert.match(await sample.read("metadata.md"), /position_from: 4/);
  const again = await openRecord(sample.files, { dir: sample.dir });
  assert.deepEqual(again.start, PAPER_START);
  assert.deepEqual(byPlace(again.facts), byPlace(PAPER_FACTS));
  await again.close();
});

/** Edits of files, with the expected file and problem. */
const EDITS: readonly (readonly [
  lead: string,
  from: string | RegExp,
  to: string,
  problem: RegExp,
])[] = [
  ["paper.md", "Trade fell", "Trade rose", /body: it was edited/],
  ["paper.md", /\.$/, "", /sha256/],
  ["paper.md", "title:", "titel:", /title/],
  ["paper.md", "pages: [0, ", "pages: [0, 9", /pages do not match its body/],
  ["paper.md", /characters: \d+/, "characters: 5", /characters or pages do not match/],
  [
    "metadata.md",
    "file: paper.md",
    "file: ../paper.md",
    /"\.\.\/paper\.md" is not the name of a paper's file/,
  ],
];

/** Checks that verify reports the damage and that resume and fork reject the record. */
async function isFound(sample: Sample, path: string, problem: RegExp): Promise<void> {
  const { files, dir } = sample;
  const found = await sample.findings();
  assert.ok(found[0]?.startsWith(`${path}: `), found.join("\n"));
  assert.match(found[0]!, problem);
  const refuses = (error: unknown) =>
    error instanceof RecordError && error.code === "record_corrupt" &&
    problem.test(error.message) && !/--edit/.test(error.hint ?? "");
  await assert.rejects(openRecord(files, { dir }), refuses);
  await assert.rejects(forkRecord(files, dir, { at: 4, clock }), refuses);
}

for (const [path, from, to, problem] of EDITS) {
  Deno.test(`${to} instead of ${from} in ${path} is reported by verify, resume and fork`, async () => {
    const sample = await held();
    await sample.edit(path, from, to);
    await isFound(sample, path, problem);
  });
}

Deno.test("a missing paper is reported by verify, resume and fork", async () => {
  const sample = await held();
  await sample.remove("paper-2.md");
  await isFound(sample, "paper-2.md", /is missing/);
});

Deno.test("a fork has the papers and the evidence about its messages", async () => {
  const { files, dir } = await held();
  const evidenceIn = async (fork: string) => {
    const { facts, start } = await readRecord(files, fork);
    assert.deepEqual(start.papers, PAPER_START.papers);
    return facts.filter((fact) => fact.type === "evidence").map(({ seq }) => seq);
  };
  const fork = (at: number, edit?: string) => forkRecord(files, dir, { at, edit, clock });
  assert.deepEqual(await evidenceIn(await fork(5)), [4, 5]);
  assert.deepEqual(await evidenceIn(await fork(4)), [4]);
  assert.deepEqual(await evidenceIn(await fork(5, "Something else is said.")), [4]);
  const early = await fork(3);
  assert.deepEqual(await evidenceIn(early), []);
  const { start } = await readRecord(files, early);
  assert.ok(start.participants.every(({ position }) => position === undefined));
});

Deno.test("a fork ignores damaged evidence of an edited or omitted message", async () => {
  const sample = await held();
  const { files, dir } = sample;
  await sample.edit("evidence/005", "posture:", "postur:");
  await forkRecord(files, dir, { at: 4, clock });
  await forkRecord(files, dir, { at: 5, edit: "Something else.", clock });
  await assert.rejects(forkRecord(files, dir, { at: 5, clock }), { code: "record_corrupt" });
});

Deno.test("evidence without its message and incomplete pages of papers are removed by a resume after a crash", async () => {
  const until = PAPER_FACTS.findIndex((fact) => fact.type === "message" && fact.seq === 5);
  const { files, dir } = await held(PAPER_FACTS.slice(0, until), null);
  await files.write(`${dir}/paper-2/.002.md.tmp`, "half");
  await files.makeFolder(`${dir}/report`);
  await files.write(`${dir}/report/.002.md.tmp`, "half");
  await files.write(`${dir}/evidence/.005.md.tmp`, "half");
  const record = await openRecord(files, { dir });
  assert.deepEqual(
    record.facts.flatMap((fact) => fact.type === "evidence" ? [fact.posture] : []),
    [POSTURES[0]],
  );
  await new Events(record).apply(resumeOf(4));
  await record.close();
  const paths = [...files.files(dir).keys()];
  assert.deepEqual(paths.filter((path) => /\.tmp$|evidence\/005/.test(path)), []);
  assert.ok(paths.includes("evidence/004.md"));
});

Deno.test("convenings index writes papers' pages and the report again and removes unknown pages", async () => {
  const sample = await held();
  const { files, dir } = sample;
  assert.deepEqual(await sample.findings(), []);
  const before = files.files(dir);
  await files.remove(`${dir}/paper-2/001.md`);
  await files.write(`${dir}/paper-2/002.md`, "Something else.");
  await files.write(`${dir}/paper-2/003.md`, "One too many.");
  await files.remove(`${dir}/report.md`);
  await files.write(`${dir}/report.json`, "{}");
  const found = (await sample.findings()).join("\n");
  const problems = [
    "paper-2/index.md: its link 001.md leads nowhere",
    "paper-2/001.md: it is missing",
    "paper-2/002.md: ",
    "report.json: it does not say what the truth files say",
    "index.md: its link report.md leads nowhere",
  ];
  for (const problem of problems) assert.ok(found.includes(problem), `${problem}\n${found}`);
  await rebuildIndex(files, dir);
  for (const [path, text] of before) {
    if (path !== ".lock") assert.equal(files.files(dir).get(path), text, path);
  }
  assert.ok(!files.files(dir).has("paper-2/003.md"));
  assert.deepEqual(await sample.findings(), []);
});
