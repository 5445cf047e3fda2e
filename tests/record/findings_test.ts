// Records with findings of every type: pages, transcripts, verification.
import assert from "node:assert/strict";
import { loadTokenCounter } from "../../src/core/tokens.ts";
import type { Fact, Point } from "../../src/core/fact.ts";
import { assess } from "../../src/judging/assessment.ts";
import { readFrontMatter } from "../../src/record/read_pages.ts";
import { rebuildIndex } from "../../src/record/verify.ts";
import { renderTranscript } from "../../src/record/transcript.tsx";
import type { ModelContents } from "../../src/record/record_model.ts";
import {
  evidenceOf,
  factCheckOf,
  FACTS,
  MADE,
  messageOf,
  scoreOf,
  stanceOf,
  startOf,
} from "./support/fixtures.ts";
import { CONSENSUS, CONSENSUS_START, FOUND, FOUND_START } from "./support/found_record.ts";
import { Sample } from "./support/verify_record.ts";

Deno.test("summary.md and metadata.md state what is agreed, what is open, and who holds which stance", async () => {
  const ending = { ...assess(CONSENSUS_START, CONSENSUS), endReason: "consensus" } as const;
  const sample = await Sample.make({ start: CONSENSUS_START, facts: CONSENSUS, ending });
  const text = await sample.read("summary.md");
  const [, agreed = "", open = ""] =
    /## Agreed\n\n([\s\S]*)## Open\n\n([\s\S]*)## Summary/.exec(text) ?? [];
  assert.match(
    agreed,
    /^- \*\*p1\*\* \(66\.67 % agree, proposed by ADA, BO\): Close &lt;b>one&lt;\/b> street$/m,
  );
  assert.match(agreed, /^ {2}- BO agrees \(strength 0\.7\)$/m);
  assert.match(agreed, /^ {2}- CY disagrees \(strength 0\.5\)$/m);
  assert.match(open, /^ {2}- CY agrees \(strength 0\.6\), if: If \\\*buses\\\* are free$/m);
  const { data } = readFrontMatter(await sample.read("metadata.md"), "metadata.md");
  const { agreed: [first] } = data.consensus as { agreed: Record<string, unknown>[] };
  assert.deepEqual(first?.holds, {
    ada: { stance: "agree", strength: 0.9 },
    bo: { stance: "agree", strength: 0.7 },
    cy: { stance: "disagree", strength: 0.5 },
  });
  assert.match(
    await sample.read("index.md"),
    /^- Agreed by at least 60 % of the participants: 1 of 2 proposals\.$/m,
  );
  const configuration = { ...CONSENSUS_START.configuration, threshold: 1 };
  const whole = await Sample.make({
    ...{ start: { ...CONSENSUS_START, configuration }, facts: CONSENSUS, ending },
  });
  assert.match(
    await whole.read("index.md"),
    /^- Agreed by all participants: 0 of 2 proposals\.$/m,
  );
});

const RECORD: ModelContents = {
  start: FOUND_START,
  facts: FOUND,
  status: "completed",
  endReason: "completed",
};

Deno.test("no transcript shows private thoughts", async () => {
  for (const format of ["md", "txt", "html", "json"] as const) {
    const text = await renderTranscript(format, RECORD);
    assert.doesNotMatch(text, format === "json" ? /SECRET (?:thoughts|doubts)/ : /SECRET/, format);
  }
});

Deno.test("the html transcript shows passages of papers without marks of headings and tables", async () => {
  const text =
    "| Year | Cars |\n| --- | --- |\n| 2020 | 7 |\n\n### 3.1 All streets\n\nP(a | b) is 1.";
  const paper = [{ chunkId: "streets#1", text, score: 1, status: "verified" as const }];
  const perTopic = evidenceOf().perTopic.map((each) => ({ ...each, citations: { paper } }));
  const facts = [messageOf(1), messageOf(2), evidenceOf({ perTopic })];
  const html = await renderTranscript("html", { ...RECORD, facts });
  assert.match(html, />Year · Cars;\s+2020 · 7;\s+3\.1 All streets:\s+P\(a \| b\) is 1\.</);
});

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

Deno.test("rebuildIndex() removes further pages that no list has any more", async () => {
  const ending = assess(FOUND_START, FOUND);
  const { files, dir } = await Sample.make({ start: FOUND_START, facts: FOUND, ending });
  const folders = ["pages", "claims", "files", "score-table"].map((name) => `${dir}/${name}`);
  const stale = folders.map((folder) => `${folder}/999.md`);
  for (const folder of folders) await files.makeFolder(folder);
  for (const path of stale) await files.write(path, "of a longer list");
  await rebuildIndex(files, dir);
  for (const path of stale) assert.equal(await files.stat(path), undefined, path);
});

Deno.test("brief.md says that no point was dropped", async () => {
  const noted = FACTS.filter(({ type }) => type === "flow" || type === "brief");
  const sample = await Sample.make({ start: startOf(), facts: [messageOf(1), ...noted] });
  assert.match(
    await sample.read("brief.md"),
    /\n\n## Dropped arguments\n\nNo point was dropped\.\n\n0 points of one side were conceded/,
  );
});

Deno.test("brief.md of a consensus has a long condition in full", async () => {
  const condition = `${"if this holds ".repeat(70)}and that`;
  const stances = [{ on: "p1", stance: "agree", strength: 1, condition }] as const;
  const last = stanceOf({ key: "stance/4/cy", seq: 4, participant: "cy", stances });
  const brief = FACTS.filter(({ type }) => type === "brief");
  const facts = [...CONSENSUS, last, ...brief];
  const sample = await Sample.make({ start: CONSENSUS_START, facts });
  assert.match(await sample.read("brief.md"), /^- Agreed .*; CY: agree 1, if if .* and that\\]$/m);
});

Deno.test("a transcript, scores.md, claims.md and brief.md say what a misleading claim leaves out", async () => {
  const claim = { text: "It is warm", verdict: "misleading", omitted: "in summer" } as const;
  const check = factCheckOf(1, { claims: [{ ...claim, confidence: 1, sources: [] }] });
  const brief = FACTS.filter(({ type }) => type === "brief");
  const contents = { start: startOf(), facts: [messageOf(1), check, ...brief] };
  const sample = await Sample.make(contents);
  assert.match(await sample.read("brief.md"), /: “It is warm” leaves out: in summer \(/);
  assert.match(
    await sample.read("scores.md"),
    /: misleading: “It is warm” leaves out: in summer$/m,
  );
  assert.match(await sample.read("claims.md"), /\| It is warm \(leaves out: in summer\) \|$/m);
  for (const format of ["md", "txt", "html"] as const) {
    const text = await renderTranscript(format, { ...RECORD, ...contents });
    assert.match(text, /misleading.*It is warm.*leaves out: in summer/i);
  }
});

Deno.test("scores.md of a debate without judges has the fact checks, and no table of scores", async () => {
  const start = startOf({ judges: [] });
  const claim = { text: "It is so", verdict: "false", confidence: 1, sources: [] } as const;
  const check = factCheckOf(1, { claims: Array(60).fill(claim) });
  const sample = await Sample.make({ start, facts: [messageOf(1), messageOf(2), check] });
  const text = await sample.read("scores.md");
  assert.match(text, /\n\nNothing was scored\.\n\n## Fact checks\n/);
  assert.match(text, /(?:- .*: false: “It is so”\n){50}- 10 more: see fact-checks\/\n/);
  assert.doesNotMatch(text, /\| message \||## By message/);
});

Deno.test("scores.md says that the strength of agreement decided where no side moved more listeners", async () => {
  const heard = (when: string, strength: number) =>
    stanceOf({
      key: `stance/${when}/listener-1`,
      seq: when === "before" ? 0 : 2,
      participant: "listener-1",
      stances: [{ on: "advocate-a", stance: "agree", strength }],
    });
  const sample = await Sample.make({
    start: FOUND_START,
    facts: [heard("before", 0.5), messageOf(1), messageOf(2), heard("after", 0.9)],
  });
  assert.match(
    await sample.read("scores.md"),
    /0 not counted\. By the strength of agreement the audience moved most to .*\. The audience decides\./,
  );
});

Deno.test("scores.md tells a judge's rubrics apart, and names what was not argued and what not every side was scored by", async () => {
  const [first, second] = [scoreOf(1, "advocate-a", [7, 8]), scoreOf(2, "advocate-b", [6, 6])];
  const facts: Fact[] = [
    ...[messageOf(1), messageOf(2)],
    { ...first, criteria: { ...first.criteria, style: 3 } },
    {
      ...second,
      topics: [{ topic: "Shops", criteria: second.criteria, notes: "", argued: false }],
    },
    ...[first, second].map((score) => ({ ...score, rubric: "academic" })),
  ];
  const text = await (await Sample.make({ start: startOf(), facts })).read("scores.md");
  assert.match(
    text,
    /^\| message \| speaker \| Judge 1 \(academic, gpt-4o\) \| Judge 1 \(debate, gpt-4o\) \|$/m,
  );
  assert.match(text, /\n\n1 score, 0 missing\.\n\nNot argued, and counted as 0: Shops\.\n\n/);
  assert.match(text, /\n\nNot scored for every side, so left out of totals: style\.\n\n/);
});

Deno.test("arguments.md and its further pages are made and stay within 2,000 tokens, however dense the words of the points", async () => {
  for (const word of ["鬱龜鸞灣籲", "𓀀𓁹𓂀𓆣𓇳"]) await checkSheetOf(word.repeat(40));
  // Nobody answers anybody, so most cells are empty.
  const facts = Array.from({ length: 60 }, (_, i): Fact[] => {
    const message = messageOf(i + 1);
    const { seq, participant } = message;
    const text = "It is one of the things that hold.";
    const points = [{ id: `A${seq}`, kind: "new", answers: [], text, quote: "a thing" }] as const;
    return [message, { type: "flow", message: seq, participant, status: "read", points, ...MADE }];
  }).flat();
  await checkPages(await Sample.make({ start: startOf(), facts }));
});

async function checkPages(sample: Sample): Promise<void> {
  const count = await loadTokenCounter();
  const pages = [...sample.files.files(sample.dir)]
    .filter(([path]) => /^arguments.*\.md$/.test(path));
  assert.ok(pages.length > 2);
  for (const [path, text] of pages) {
    assert.ok(count(text) <= 2000, `${path}: ${count(text)} tokens`);
  }
}

async function checkSheetOf(text: string): Promise<void> {
  const points = (seq: number): Point[] =>
    Array.from({ length: 5 }, (_, i) => {
      const [own, other] = seq % 2 === 1 ? ["A", "B"] : ["B", "A"];
      const id = `${own}${Math.floor((seq - 1) / 2) * 5 + i + 1}`;
      if (seq === 1 || i < 2) return { id, kind: "new", answers: [], text, quote: "a thing" };
      const [kind, of] = i === 2 ? ["repeats", own] as const : ["concedes", other] as const;
      const answers = [kind === "repeats" ? `${of}${Number(id.slice(1)) - 1}` : `${of}${i - 1}`];
      return { id, kind, answers, text, quote: "a thing" };
    });
  const facts = Array.from({ length: 20 }, (_, i): Fact[] => {
    const message = messageOf(i + 1);
    const { seq, participant } = message;
    const flow = { message: seq, participant, status: "read", points: points(seq) } as const;
    return [message, { type: "flow", ...flow, ...MADE }];
  }).flat();
  const sample = await Sample.make({ start: startOf({ topic: text }), facts });
  const index = await sample.read("arguments.md");
  assert.ok(
    index.includes(`\n# Arguments: ${text}\n\n`) && index.includes("\n\n100 points of 20 turns"),
  );
  await checkPages(sample);
  for (const list of ["Dropped", "Conceded", "Repeated"]) {
    assert.match(index, new RegExp(`## ${list}\n\n(?:- \\*\\*.*\n)*- \\d+ more: see the flow`));
  }
}
