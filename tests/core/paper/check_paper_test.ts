import assert from "node:assert/strict";
import fc from "fast-check";
import { ConfigurationError, PaperError } from "../../../src/core/error.ts";
import {
  checkPaper,
  checkPapers,
  type PaperDraft,
  paperId,
} from "../../../src/papers/text/check_paper.ts";

const TEXT = "Rest helps. Everyone says so.";

Deno.test("checkPaper() leaves a good paper as it is", () => {
  const paper = { id: "paper-123", title: "My Research Paper", text: TEXT, pages: [0, 12] };
  assert.deepEqual(checkPaper(paper), paper);
});

Deno.test("checkPaper() takes a text with nothing in it to quote, and refuses an empty one", () => {
  assert.equal(checkPaper({ id: "p", title: "T", text: "..." }).text, "...");
  for (const text of ["", " \n\t ", "\u0000\u0001", "\ufeff"]) {
    assert.throws(
      () => checkPaper({ id: "p", title: "Rest", text }),
      (error: unknown) =>
        error instanceof PaperError && error.code === "paper_unreadable" &&
        /"Rest": its text is empty/.test(error.message),
    );
  }
});

Deno.test("checkPaper() finds a title and an id where none is given", () => {
  assert.deepEqual(checkPaper({ text: `# Rest & care\n\n${TEXT}` }), {
    id: "Rest-care",
    title: "Rest & care",
    text: `# Rest & care\n\n${TEXT}`,
  });
  assert.deepEqual(checkPaper({ title: " ", text: TEXT }), {
    id: "paper",
    title: "paper",
    text: TEXT,
  });
  assert.equal(checkPaper({ title: "A\ntitle\u0007", text: TEXT }).title, "A title");
});

Deno.test("checkPaper() refuses what is no paper, and says what to do", () => {
  const cases: readonly (readonly [draft: object, says: RegExp])[] = [
    [{ id: "p", title: "T" }, /"T": it has no text/],
    [{ id: 5, title: "T", text: TEXT }, /"T": its id is no text/],
    [{ id: "p", title: 5, text: TEXT }, /"p": its title is no text/],
    [{ id: "p", title: "t".repeat(501), text: TEXT }, /its title has 501 characters, at most 500/],
    [{ id: "p", title: "T", text: TEXT, pages: [0, 9, 8] }, /its pages are no rising offsets/],
    [{ id: "p", title: "T", text: TEXT, pages: [0, 1.5] }, /its pages are no rising offsets/],
    [{ id: "p", title: "T", text: TEXT, pages: [0, 99] }, /its pages are no rising offsets/],
    [{ id: "p", title: "T", text: TEXT, pages: "12" }, /its pages are no rising offsets/],
  ];
  for (const [draft, says] of cases) {
    assert.throws(
      () => checkPaper(draft as PaperDraft),
      (error: unknown) =>
        error instanceof ConfigurationError && says.test(error.message) &&
        error.field === "papers" && error.hint !== undefined,
    );
  }
});

Deno.test("checkPaper() refuses more than five million characters", () => {
  assert.equal(checkPaper({ id: "p", text: "a".repeat(5_000_000) }).text.length, 5_000_000);
  assert.throws(
    () => checkPaper({ id: "p", text: "a".repeat(5_000_001) }),
    /^PaperError: Cannot use paper "p": it has more than 5,000,000 characters$/,
  );
});

Deno.test("checkPapers() tells papers of one id apart, whatever its case", () => {
  const papers = ["rest", "Rest", "rest", "rest-2", "x".repeat(64), "x".repeat(64)]
    .map((id) => ({ id, title: "T", text: TEXT }));
  assert.deepEqual(checkPapers(papers).map(({ id }) => id), [
    "rest",
    "Rest-2",
    "rest-3",
    "rest-2-2",
    "x".repeat(64),
    `${"x".repeat(62)}-2`,
  ]);
});

const NAMES: readonly (readonly [name: string, id: string])[] = [
  ["paper-123", "paper-123"],
  ["A.b_c-9", "A.b_c-9"],
  ["../../etc/passwd", "etc-passwd"],
  ["..", "paper"],
  ["", "paper"],
  ["Überstunden & Schlaf (2019)", "Uberstunden-Schlaf-2019"],
  ["論文", "paper"],
  ["a\u0000b\nc\u202ed", "a-b-c-d"],
  ["<script>alert(1)</script>", "script-alert-1-script"],
];

for (const [name, id] of NAMES) {
  Deno.test(`paperId() makes ${JSON.stringify(name)} ${id}`, () => assert.equal(paperId(name), id));
}

Deno.test("paperId() makes a legal id of any name, and the same of that", () => {
  fc.assert(fc.property(fc.string({ unit: "binary", maxLength: 100 }), (name) => {
    const id = paperId(name);
    assert.match(id, /^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/);
    assert.equal(paperId(id), id);
  }));
});
