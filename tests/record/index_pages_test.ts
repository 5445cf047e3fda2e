// Index pages of a record: size, few changes per message, rounds.
import type { ConveningStart } from "../../src/core/event.ts";
import assert from "node:assert/strict";
import fc from "fast-check";
import { posix } from "node:path";
import { loadTokenCounter } from "../../src/core/tokens.ts";
import type { Fact } from "../../src/core/fact.ts";
import type { Message } from "../../src/core/message.ts";
import { indexHead } from "../../src/record/result_pages.ts";
import { indexPages, ownGist } from "../../src/record/index_pages.ts";
import { partition } from "../../src/record/page_tree.ts";
import { RecordModel } from "../../src/record/record_model.ts";
import {
  choiceOf,
  evidenceOf,
  factCheckOf,
  failureOf,
  messageOf,
  scoreOf,
  stanceOf,
  startOf,
  verdictOf,
} from "./support/fixtures.ts";

const exact = await loadTokenCounter();
const counts = new Map<string, number>();
/** Counts tokens; texts that differ only in digits have equally many. */
function count(text: string): number {
  const alike = text.replace(/\d/g, "0");
  const tokens = counts.get(alike) ?? exact(alike);
  counts.set(alike, tokens);
  return tokens;
}
const LIMIT = 2000;

interface Built {
  readonly files: Map<string, string>;
  readonly pages: readonly string[];
  /** Highest number of files that one message changed. */
  readonly most: number;
}

interface Extra {
  readonly start?: Partial<ConveningStart>;
  readonly facts?: readonly Fact[];
  /** Files that only some convenings have. */
  readonly there?: readonly string[];
}

async function build(
  messages: Iterable<Message>,
  step: number,
  { start = {}, facts = [], there = [] }: Extra = {},
): Promise<Built> {
  const participants = ["advocate-a", "advocate-b"].map((id) => ({
    id,
    name: NAME,
    role: "position_advocate",
    label: "Advocate",
    position: POSITION,
    model: "offline",
  }));
  const model = new RecordModel(
    startOf({
      participants,
      topic: "😀 ".repeat(100).trim(),
      expectedMessages: 10_000,
      parent: { dir: NAME, seq: 9_999 },
      ...start,
    }),
    {
      status: "waiting",
      resumes: [],
      waitingFor: Array.from({ length: 9 }, (_, i) => ({
        participant: i === 0 ? "advocate-a" : NAME,
        turn: `${i}${NAME}`,
      })),
    },
  );
  const files = new Map<string, string>();
  let pages: readonly string[] = [];
  let most = 0;
  let i = 0;
  const update = async () => {
    const made = await indexPages(model, indexHead(model, there, count), count);
    pages = made.map(({ path }) => path).filter((path) => path !== "index.md");
    const changed = made.filter(({ path, text }) => files.get(path) !== text);
    most = Math.max(most, changed.length);
    for (const { path, text } of changed) files.set(path, text);
    for (const path of files.keys()) {
      if (!made.some((page) => page.path === path)) files.delete(path);
    }
  };
  for (const message of messages) {
    model.add(message);
    if (i === 0) {
      model.add(scoreOf(1, "advocate-a", [7, 8]));
      model.add(scoreOf(2, "advocate-b", [7, 8]));
      for (const fact of [...worstFindings(), ...facts]) model.add(fact);
    }
    if (++i % step === 0) await update();
  }
  if (i % step !== 0) await update();
  return { files, pages, most };
}

const NAME = "[Ω|*_`<b>✗]] ".repeat(100).trim();
const POSITION = "[x](http://evil.example/) & ".repeat(40).trim();
const WORST = "ꙮ|{𒀀}[✗]<b>*_`\\ ".repeat(20);

/** Returns every type of finding except standings, with the longest names. */
function worstFindings(): Fact[] {
  const stances = ["before", "after"].flatMap((when) =>
    ["x", "y"].map((listener) =>
      stanceOf({
        key: `stance/${when}/${listener}`,
        seq: when === "before" ? 0 : 2,
        participant: listener,
        stances: [
          { on: "advocate-a", stance: "agree", strength: 0.123 },
          { on: "advocate-b", stance: "disagree", strength: 0.987 },
        ],
      })
    )
  );
  const choices = [1, 2, 3].map((number) =>
    choiceOf({
      key: `baseline/${number}`,
      number,
      participant: NAME + number,
      kind: "baseline",
      value: { winner: "advocate-b", answer: NAME },
    })
  );
  const later = Array.from({ length: 9 }, (_, i) => ({
    ...scoreOf(1, "advocate-a", [7, 8]),
    ...{ judge: `later-${i}`, rubric: i === 0 ? "later" : NAME + i, model: NAME },
  }));
  const verdicts = [1, 2].map((n) => verdictOf(n, "advocate-b"));
  return [factCheckOf(1), ...stances, ...choices, ...verdicts, ...later];
}

function* worst(total: number): Generator<Message> {
  for (let seq = 1; seq <= total; seq++) {
    yield messageOf(seq, {
      body: `${seq} ${WORST}`,
      name: NAME,
      kind: "k_".repeat(20),
      marks: Array.from({ length: 9 }, (_, i) => `${i}_mark`.repeat(20)),
      round: seq,
    });
  }
}

/** Findings on papers and debaters with the longest titles and errors. */
const PAPERS: Extra = {
  start: {
    kind: "paper-debate",
    papers: Array.from({ length: 12 }, (_, i) => ({
      id: `${i}`,
      title: NAME,
      text: "Words. ".repeat(5_000),
    })),
    configuration: { paperCharacters: { questions: 9, postures: 9, debaters: 9 } },
  },
  facts: [
    messageOf(10_001, { kind: "question", body: WORST, turn: "question" }),
    ...["advocate-a", "advocate-b"].flatMap((participant, i): Fact[] => [
      evidenceOf({ seq: i + 1, turn: `turn/${i + 1}`, participant }),
      failureOf({ seq: 10_002 + i, turn: `argument/${i}`, participant, message: WORST }),
    ]),
  ],
  there: [
    "report.md",
    "report.json",
    ...Array.from({ length: 12 }, (_, i) => `paper${i === 0 ? "" : `-${i + 1}`}/index.md`),
    ...["md", "json", "txt", "html"].map((form) => `transcript.${form}`),
  ],
};

Deno.test("ownGist() begins with a whole sentence of the speaker, without marks of bold words and lists", () => {
  const cases: readonly (readonly [body: string, gist: string])[] = [
    [
      "**The core claim is weak.** It rests on one trial. More.",
      "The core claim is weak. It rests on one trial.",
    ],
    ["- **Names** no speech: a tie.", "Names no speech: a tie."],
    [
      "# Case\n\n**Claim:** The **five** trials of the park are few. More.",
      "The five trials of the park are few.",
    ],
    ["Here 2**3 is **eight**, which nobody denies.", "Here 2**3 is eight, which nobody denies."],
    [
      "She said: “That is far too little for this.” I disagree with that view.",
      "I disagree with that view.",
    ],
    [
      "“Should cities ban cars?” should be settled. Next.",
      "“Should cities ban cars?” should be settled.",
    ],
    ["我不同意。票价太高了。还有。", "我不同意。票价太高了。"],
  ];
  for (const [body, gist] of cases) assert.equal(ownGist(body), gist);
});

Deno.test("indexPages() stays within 2,000 tokens with the longest papers, debaters and errors", async () => {
  for (const total of [8, 600]) {
    const { files, pages } = await build(worst(total), 1_000, PAPERS);
    for (const path of ["index.md", ...pages]) {
      assert.ok(count(files.get(path)!) <= LIMIT, `${path} has ${count(files.get(path)!)} tokens`);
    }
    const index = files.get("index.md")!;
    assert.match(index, /^- Question: /m);
    assert.match(index, /\[paper\.md\]\(paper\.md\), in parts: \[paper\/index\.md\]/);
    assert.match(index, /^- \d+ more papers: see summary\.md$/m);
    assert.match(index, /^- \d+ more lines? on debaters: see summary\.md$/m);
    assert.match(index, /\[report\.md\]\(report\.md\)/);
  }
});

Deno.test("indexPages() lists 10,000 messages with the longest names and gists in pages of 2,000 tokens on three levels", async () => {
  const { files, pages } = await build(worst(10_000), 10_000);
  const depths = new Map<string, number>();
  const visit = (path: string, depth: number) => {
    const text = files.get(path);
    assert.ok(text !== undefined, `${path} is linked and missing`);
    assert.ok(count(text) <= LIMIT, `${path} has ${count(text)} tokens`);
    assert.ok(depth <= 3, `${path} is an index page ${depth} deep`);
    for (const [, link] of text.matchAll(/\]\(([^()\s]+)\)/g)) {
      const target = posix.join(posix.dirname(path), link!);
      if (target.startsWith("messages/")) depths.set(target, depth);
      else if (target.startsWith("pages/")) visit(target, depth + 1);
    }
  };
  visit("index.md", 1);
  assert.equal(depths.size, 10_000);
  assert.equal(pages.length, files.size - 1);
  assert.match(files.get("index.md")!, /^- Waiting for 7 more: see metadata\.md\.$/m);
  assert.match(files.get("index.md")!, /\(\.\.\/index\.md\)/);
});

function headBy(models: readonly string[]): string {
  const model = new RecordModel(startOf({}), { status: "running", resumes: [] });
  models.forEach((name, index) => model.add(messageOf(index + 1, { model: name })));
  return indexHead(model, [], count);
}

Deno.test("indexHead() names the models that spoke, the first five by name", () => {
  const list = (...models: readonly string[]) => /^- Models: (.*)$/m.exec(headBy(models))?.[1];
  assert.equal(list("template", "human", "offline", "replay:old"), undefined);
  assert.equal(list("small", "human", "large", "small"), "large, small");
  assert.equal(
    list(..."gfedcba"),
    "a, b, c, d, e, 2 more: see metadata.md",
  );
  assert.equal(list("a*b"), "a\\*b");
});

Deno.test("indexHead() names the writers if no model spoke, and no writers once a model did", () => {
  const head = (...models: readonly string[]) =>
    /^\*\*(No model spoke.*)\*\*$/m.exec(headBy(models))?.[1];
  const program = "the offline agent, which is a program";
  assert.equal(head("template", "offline"), `No model spoke: every text is by ${program}.`);
  assert.equal(
    head("offline", "human"),
    `No model spoke: every text is by people or by ${program}.`,
  );
  assert.equal(
    head("template", "human"),
    "No model spoke: every text is by people or by templates.",
  );
  for (const models of [[], ["template"], ["offline", "human", "gpt"]]) {
    assert.equal(head(...models), undefined);
  }
});

Deno.test("indexPages() changes few files for a message, however many messages there are", async () => {
  const messages = Array.from({ length: 120 }, (_, i) => messageOf(i + 1));
  assert.ok((await build(messages, 1)).most <= 6);
});

Deno.test("indexPages() gives the same files for any order and grouping of messages", async () => {
  const messages = Array.from(
    { length: 120 },
    (_, i) => messageOf(i + 1, { round: Math.ceil((i + 1) / 9) }),
  );
  const expected = used(await build(messages, 1000));
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: -12, max: 12 }), { minLength: 120, maxLength: 120 }),
      fc.integer({ min: 1, max: 30 }),
      async (shifts, step) => {
        const shuffled = messages
          .map((message, i) => ({ message, at: i + shifts[i]! }))
          .sort((a, b) => a.at - b.at).map(({ message }) => message);
        assert.deepEqual(used(await build(shuffled, step)), expected);
      },
    ),
    { numRuns: 6 },
  );
});

function used({ files, pages }: Built): Map<string, string> {
  const paths = ["index.md", ...pages];
  return new Map(paths.map((path) => [path, files.get(path)!]));
}

Deno.test("indexPages() does not split rounds of a debate that fit a page", async () => {
  const messages = Array.from(
    { length: 400 },
    (_, i) => messageOf(i + 1, { round: Math.ceil((i + 1) / 5) }),
  );
  const { files, pages } = await build(messages, 1000);
  for (const path of pages.filter((each) => !each.startsWith("pages/2_"))) {
    const rows = files.get(path)!.match(/^\| \[\d+\]/gm) ?? [];
    assert.equal(rows.length % 5, 0, path);
  }
});

Deno.test("indexPages() gives round N page N and reports when pages list the pages", async () => {
  const debate = [0, ...Array.from({ length: 500 }, (_, i) => 1 + Math.floor(i / 5)), 0, 0];
  const { files } = await build(debate.map((round, i) => messageOf(i + 1, { round })), 1000);
  assert.match(
    files.get("index.md")!,
    /^Page N lists round N: \[round 1\]\(pages\/001\.md\) to \[round 100\]\(pages\/100\.md\)\.$/m,
  );
  for (const round of [1, 2, 57, 100]) {
    const page = files.get(`pages/${`${round}`.padStart(3, "0")}.md`)!;
    const rows = [...page.matchAll(/^\| \[\d+\]\S+ \| (\d+) \|/gm)].map(([, each]) => each);
    assert.deepEqual(rows.filter((each) => each !== "0"), Array(5).fill(`${round}`));
  }
  const missing = debate.filter((round) => round !== 3);
  const other = await build(missing.map((round, i) => messageOf(i + 1, { round })), 1000);
  assert.doesNotMatch(other.files.get("index.md")!, /round N/);
});

Deno.test("indexPages() sets a page apart by words of its own, not by stop words, years or endless words", async () => {
  const plain = "We have counted the buses.";
  const body = `They count trams themselves for 1984 ${"z".repeat(40)}.`;
  const messages = Array.from(
    { length: 100 },
    (_, i) => messageOf(i + 1, { round: 1 + Math.floor(i / 5), body: i < 95 ? plain : body }),
  );
  const { files } = await build(messages, 1000);
  assert.match(files.get("index.md")!, /^\| \[96–100\].* \| count, trams \|$/m);
});

Deno.test("indexPages() names the rounds of a page whose first and last messages may be outside rounds", async () => {
  const last = 60;
  const messages = Array.from(
    { length: last },
    (_, i) =>
      messageOf(i + 1, {
        round: i === 0 || i === last - 1 ? 0 : 1 + Math.floor(i / 20),
        body: WORST,
      }),
  );
  const { files } = await build(messages, 1000);
  const rows = [...files.get("index.md")!.matchAll(/^\| \[(\d+)–\d+\]\([^)]*\) \| (\S+) \|/gm)];
  assert.ok(rows.length > 1);
  for (const [, , rounds] of rows) assert.match(rounds!, /^[1-3](?:–[2-3])?$/);
  assert.equal(rows.at(-1)![2]!.at(-1), "3");
});

Deno.test("partition() returns pages that rows fit", () => {
  const rows = fc.array(
    fc.record({ cost: fc.integer({ min: 1, max: 40 }), group: fc.constantFrom("a", "b", "c") }),
    { maxLength: 200 },
  );
  fc.assert(
    fc.property(rows, (all) => {
      const whole = partition(all, 100);
      for (const [i, start] of whole.entries()) {
        const page = all.slice(start, whole[i + 1]);
        assert.ok(page.reduce((sum, { cost }) => sum + cost, 0) <= 100);
      }
    }),
    { numRuns: 500 },
  );
});
