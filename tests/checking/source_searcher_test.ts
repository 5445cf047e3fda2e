// Search in a convening's own sources.
import assert from "node:assert/strict";
import { CancelledError } from "../../src/core/error.ts";
import { sourceSearcher } from "../../src/checking/searchers.ts";

const FILLER = "Nothing of note happened on that day, and little on the next. ".repeat(20);
const FINDING = "Stockholm measured 22 percent less traffic after its congestion charge.";
const TRAMS = "# Trams\n\nTrams are older than buses.";

Deno.test("sourceSearcher() finds the matching chunk and its position", async () => {
  const report = `${FILLER}${FINDING} ${FILLER}`;
  const sources = [{ name: "trams.md", text: TRAMS }, { name: "report.txt", text: report }];
  const searcher = sourceSearcher(sources);
  assert.equal(searcher.name, "sources");
  const hits = await searcher.search("By how much did Stockholm’s congestion charge cut traffic?");
  assert.equal(hits.length > 0, true);
  for (const { title, url, snippet } of hits) {
    assert.equal(url, "sources/report.txt");
    assert.ok(snippet.includes(FINDING) && snippet.length <= 500);
    const start = Number(/^report\.txt, from character (\d+)$/.exec(title)?.[1]) - 1;
    assert.equal(report.slice(start, start + snippet.length), snippet);
  }
  assert.equal(hits[0]?.score, 1);
});

Deno.test("sourceSearcher() returns at most the requested number of hits, five by default", async () => {
  const searcher = sourceSearcher([{ name: "a", text: `${FINDING} ${FILLER}`.repeat(12) }]);
  assert.equal((await searcher.search("Stockholm")).length, 5);
  assert.equal((await searcher.search("Stockholm", { maxResults: 2 })).length, 2);
});

Deno.test("sourceSearcher() returns a short source whole, once, and names the matching part", async () => {
  const text = `# Report\n\n${FILLER.slice(0, 700)}${FINDING} ${FILLER.slice(0, 700)}`.trim();
  const searcher = sourceSearcher([{ name: "short.md", text }, { name: "trams.md", text: TRAMS }]);
  for (const query of ["Stockholm traffic on that day", "Report on Stockholm, nothing of note"]) {
    const hits = await searcher.search(query);
    const [whole] = hits.filter(({ url }) => url === "sources/short.md");
    assert.equal(hits.filter(({ url }) => url === "sources/short.md").length, 1);
    assert.deepEqual([whole!.title, whole!.snippet], ["short.md", text]);
    assert.ok(whole!.passage!.length <= 500 && text.includes(whole!.passage!));
  }
});

Deno.test("sourceSearcher() distinguishes two files with one name", async () => {
  const searcher = sourceSearcher([{ name: "a", text: "Trams." }, { name: "a", text: "Buses." }]);
  assert.deepEqual((await searcher.search("buses")).map(({ snippet }) => snippet), ["Buses."]);
});

Deno.test("sourceSearcher() returns nothing without a match, and stops when cancelled", async () => {
  for (const sources of [[], [{ name: "a", text: "" }], [{ name: "a", text: TRAMS }]]) {
    for (const query of ["", "?!", "zeppelin"]) {
      assert.deepEqual(await sourceSearcher(sources).search(query), []);
    }
  }
  const signal = AbortSignal.abort();
  await assert.rejects(sourceSearcher([]).search("trams", { signal }), CancelledError);
});

Deno.test("sourceSearcher() returns the whole section that a query names, by number or heading, the named file's first", async () => {
  const body = "The licensor grants rights. ".repeat(100).trim();
  const gpl =
    `Preamble\n\n  4. Conveying Verbatim Copies.\n\n  ${body}\n\n  7. Additional Terms.\n\n  ${body} Last word of seven.\n\n  8. Termination.\n\n  You may not propagate.`;
  const apache =
    `# Licence\n\n## 4. Redistribution\n\n${body}\n\n### 4.1 Notices\n\nKeep notices.\n\n## 5. Submission of Contributions\n\nContributions fall under it.`;
  const searcher = sourceSearcher([{ name: "gpl-3.txt", text: gpl }, {
    name: "apache-2.md",
    text: apache,
  }]);
  const [seven, ...others] = await searcher.search(
    "Section 7 of the GPL allows additional permissions.",
  );
  assert.equal(seven!.title, "gpl-3.txt, section 7");
  assert.ok(seven!.snippet.startsWith("7. Additional Terms."));
  assert.ok(seven!.snippet.endsWith("Last word of seven."), "to its end, and no further");
  assert.ok(others.every(({ snippet }) => !seven!.snippet.includes(snippet)));
  const [four, more] = await searcher.search("Apache, §4: notices have to be kept.");
  assert.equal(four!.title, "apache-2.md, section 4");
  assert.match(four!.snippet, /### 4\.1 Notices\n\nKeep notices\.$/);
  assert.equal(more!.title, "gpl-3.txt, section 4");
  const [named] = await searcher.search("The submission of contributions needs no signature.");
  assert.equal(named!.title, "apache-2.md, section 5");
  assert.equal((await searcher.search("Clauses 4 and 7 differ.", { maxResults: 2 })).length, 2);
});
