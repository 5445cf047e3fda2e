// Records with findings of every type: pages, transcripts, verification.
import assert from "node:assert/strict";
import { assess } from "../../src/judging/assessment.ts";
import { loadTokenCounter } from "../../src/core/tokens.ts";
import { readFrontMatter } from "../../src/record/read_pages.ts";
import { rebuildIndex } from "../../src/record/verify.ts";
import { renderTranscript } from "../../src/record/transcript.ts";
import type { TranscriptRecord } from "../../src/record/transcript_outline.ts";
import { readAbout } from "../../src/record/fact_files.ts";
import { factCheckOf, scoreOf } from "./support/fixtures.ts";
import { CONSENSUS, CONSENSUS_START, FOUND, FOUND_START } from "./support/found_record.ts";
import { Sample } from "./verify_record.ts";

const count = await loadTokenCounter();

function found(): Promise<Sample> {
  const ending = assess(FOUND_START, FOUND);
  return Sample.make({ start: FOUND_START, facts: FOUND, ending });
}

function consensus(): Promise<Sample> {
  const ending = { ...assess(CONSENSUS_START, CONSENSUS), endReason: "consensus" } as const;
  return Sample.make({ start: CONSENSUS_START, facts: CONSENSUS, ending });
}

const page = (sample: Sample, name: string) => sample.files.read(`${sample.dir}/${name}`);

const metadataOf = async (sample: Sample) =>
  readFrontMatter(await page(sample, "metadata.md"), "metadata.md").data;

Deno.test("a record with every type of finding passes verification, also after its pages were written again", async () => {
  for (const sample of [await found(), await consensus()]) {
    assert.deepEqual(await sample.findings(), []);
    const before = sample.files.files(sample.dir);
    await rebuildIndex(sample.files, sample.dir);
    const after = sample.files.files(sample.dir);
    for (const [path, text] of before) {
      if (path !== ".lock") assert.equal(after.get(path), text, path);
    }
  }
});

Deno.test("metadata.md contains agreement, fact checks, audience, baseline and contradictions", async () => {
  const sample = await found();
  const data = await metadataOf(sample);
  const checks = data.fact_checks as Record<string, unknown>;
  assert.equal(data.outcome, "decided");
  assert.equal(data.winner, "advocate-b");
  assert.equal(checks.mode, "strict");
  assert.equal(checks.claims, 3);
  assert.equal(checks.unchecked, 1);
  assert.deepEqual((checks.by_participant as Record<string, unknown>)["advocate-a"], {
    claims: 3,
    true: 1,
    false: 1,
    unverifiable: 1,
    factuality: 0.5,
  });
  assert.deepEqual((data.audience as Record<string, unknown>).sides, {
    "advocate-a": { before: 0.3333, after: 0.3333, moved: 0 },
    "advocate-b": { before: 0.3333, after: 0.6667, moved: 0.3333 },
  });
  assert.deepEqual((data.baseline as Record<string, unknown>[])[0], {
    judge: "judge-1",
    model: "gpt-4o",
    before: "advocate-b",
    after: "advocate-a",
    changed: true,
  });
  assert.equal(typeof (data.agreement as Record<string, unknown>).alpha, "number");
  const plain = await metadataOf(await Sample.make());
  for (const key of ["fact_checks", "audience", "baseline", "consensus"]) {
    assert.equal(key in plain, false, key);
  }
});

Deno.test("scores.md shows the panel, its agreement, and other findings", async () => {
  const text = await page(await found(), "scores.md");
  assert.match(text, /^## The convening's own judges: rubric debate, gpt-4o, gpt-4o-mini$/m);
  assert.match(text, /Krippendorff's alpha is -?[\d.]+ /);
  assert.match(text, /^\| logic \| [\d.]+ \|$/m);
  assert.match(text, /^\| Judge 1 \| gpt-4o \| 2 \| .* \| Ada, Ada \(steady\) \|$/m);
  assert.match(text, /^\| Judge 2 \| .* \| Ada, Bo \(changed with the order\) \|$/m);
  assert.match(text, /^## Notes$/m);
  assert.match(text, /^\| Ada \| 3 \| 1 true, 1 false, 1 unverifiable \| 0\.5 \| 2 \|$/m);
  assert.match(text, /^- \[1\]\(fact-checks\/001\.md\) Ada: Nobody walks$/m);
  assert.match(
    text,
    /^- \[2\]\(fact-checks\/002\.md\) Bo: not checked, The search could not be reached$/m,
  );
  assert.match(text, /^\| Bo \| 0\.3333 \| 0\.6667 \| 0\.3333 \|$/m);
  assert.match(text, /The audience moved most to Bo\. The audience decides\./);
  assert.match(text, /^\| \[Judge 1\]\(choices\/001_1\.md\) \| gpt-4o \| Bo \| Ada .*\| yes \|$/m);
  assert.match(
    text,
    /^\| \[Judge 2\]\(choices\/001_2\.md\) \| gpt-4o-mini \| Ada \| neither side \| yes \|$/m,
  );
});

Deno.test("scores.md shows a later panel under a heading of its own, and the result does not change", async () => {
  const panel = { judge: "judge-9", rubric: "academic", model: "o9" };
  const facts = [...FOUND, { ...scoreOf(1, "advocate-a", [1, 1]), ...panel }];
  const ending = assess(FOUND_START, FOUND);
  const sample = await Sample.make({ start: FOUND_START, facts, ending });
  const text = await page(sample, "scores.md");
  assert.ok(text.indexOf("## Judged again: rubric academic, o9") > text.indexOf("## Baseline"));
  assert.match(text, /Agreement of 1 judge: too few scores,/);
  assert.deepEqual(await sample.findings(), []);
  const [own, data] = [await metadataOf(await found()), await metadataOf(sample)];
  assert.deepEqual(data.scores, own.scores);
  assert.deepEqual(data.agreement, own.agreement);
});

Deno.test("index.md shows marks and false claims in rows and findings above them, within its limit", async () => {
  const text = await page(await found(), "index.md");
  assert.ok(count(text) <= 2000, String(count(text)));
  assert.match(
    text,
    /\| argument \(accepted_with_false_claims; fact check: 3 claims, 1 true, 1 false, 1 unverifiable\) \|/,
  );
  assert.match(text, /\| argument \(fact check: not checked\) \|/);
  assert.match(text, /\| Audience \| interjection \|/);
  assert.match(text, /^- Winner: \*\*Bo\*\*/m);
  assert.match(text, /^- Audience of 3: Ada 0\.3333 before/m);
  assert.match(text, /^- Fact checks \\\(strict\\\): 3 claims in 1 message/m);
});

Deno.test("summary.md shows a judge's summary when no moderator made one", async () => {
  const sample = await found();
  assert.match(await page(sample, "summary.md"), /^> Cars were \*weighed\* against buses\.$/m);
});

Deno.test("summary.md and metadata.md state what is agreed, what is open, and who holds which stance", async () => {
  const sample = await consensus();
  const text = await page(sample, "summary.md");
  const [, agreed = "", open = ""] =
    /## Agreed\n\n([\s\S]*)## Open\n\n([\s\S]*)## Summary/.exec(text) ?? [];
  assert.match(
    agreed,
    /^- \*\*p1\*\* \(share 0\.6667, proposed by ADA, BO\): Close &lt;b\\>one&lt;\/b\\> street$/m,
  );
  assert.match(agreed, /^ {2}- BO agrees \(strength 0\.7\)$/m);
  assert.match(agreed, /^ {2}- CY disagrees \(strength 0\.5\)$/m);
  assert.match(open, /^ {2}- CY agrees \(strength 0\.6\), if: If \\\*buses\\\* are free$/m);
  const data = await metadataOf(sample);
  const { agreed: [first] } = data.consensus as { agreed: Record<string, unknown>[] };
  assert.deepEqual(first?.holds, {
    ada: { stance: "agree", strength: 0.9 },
    bo: { stance: "agree", strength: 0.7 },
    cy: { stance: "disagree", strength: 0.5 },
  });
  assert.match(
    await page(sample, "index.md"),
    /^- Points with a share of agreement of at least 0\.6: 1 of 2 points\.$/m,
  );
});

const RECORD: TranscriptRecord = {
  start: FOUND_START,
  facts: FOUND,
  status: "completed",
  endReason: "completed",
};

for (const format of ["md", "txt", "html", "json"] as const) {
  Deno.test(`the ${format} transcript shows the findings and nothing private`, async () => {
    const text = (await renderTranscript(format, RECORD)).replace(/\s+/g, " ");
    const expected = [
      ["What about buses?", "That claim is not borne out.", "accepted", "Nobody walks"],
      ["The search could not be reached", "weighed", ...format === "json" ? ["listener"] : []],
    ].flat();
    for (const words of expected) assert.ok(text.includes(words), `${format} lacks "${words}"`);
    assert.doesNotMatch(text, /SECRET (?:thoughts|doubts)/);
    if (format === "json") return;
    assert.doesNotMatch(text, /SECRET/);
    assert.match(text, /Winner: (?:<bdi>)?Bo/);
    assert.match(text, /Audience of 3/);
    assert.match(text, /3 claims, 1 true, 1 false, 1 unverifiable/);
  });
}

Deno.test("the html transcript links only web sources and escapes claims", async () => {
  const check = factCheckOf(1, {
    claims: [{
      text: '<img src=x onerror="1">',
      verdict: "false",
      confidence: 1,
      sources: [
        { title: "<b>Page</b>", url: 'https://example.org/?a="><script>', snippet: "" },
        { title: "Odd", url: "javascript:alert(1)", snippet: "" },
        { title: "File", url: "sources/a.md", snippet: "" },
      ],
    }],
    factuality: 0,
  });
  const facts = [...FOUND.filter(({ type }) => type !== "fact-check"), check];
  const html = await renderTranscript("html", { ...RECORD, facts });
  assert.doesNotMatch(html, /<img|<script|<b>|href="javascript/);
  assert.match(
    html,
    /href="https:\/\/example\.org\/\?a=&quot;&gt;&lt;script&gt;" rel="noopener nofollow"/,
  );
  assert.match(html, /<li><bdi>Odd<\/bdi>/);
});

Deno.test("readAbout() returns the facts about one message", async () => {
  const { files, dir } = await found();
  const [draft] = await readAbout(files, dir, "draft", 1);
  assert.deepEqual(draft?.fields, {
    reflection: "SECRET thoughts",
    critique: "SECRET doubts",
  });
  assert.deepEqual(await readAbout(files, dir, "draft", 2), []);
  const [rejected, ...more] = await readAbout(files, dir, "rejected", 5);
  assert.equal(rejected?.body, "SECRET attempt");
  assert.deepEqual(more, []);
  assert.deepEqual(await readAbout(files, dir, "rejected", 1), []);
});
