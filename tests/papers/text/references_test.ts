// References in papers.
import assert from "node:assert/strict";
import fc from "fast-check";
import { referencesIn } from "../../../src/papers/text/references.ts";

const TEXT = "# A paper\n\nIt says in 2019 what (Smith, 2018) said.\n\n";

function titlesIn(list: string, heading = "## References"): string[] {
  return referencesIn({ text: `${TEXT}${heading}\n\n${list}` }).map(({ title }) => title);
}

function urlOf(entry: string): string | undefined {
  return referencesIn({ text: `${TEXT}## References\n\n- ${entry}\n` })[0]?.url;
}

Deno.test("referencesIn() reads numbered entries in brackets, wrapped as in a PDF's text", () => {
  const text = `The end of the conclusion.
7 References
[1] A. Vaswani, N. Shazeer, and N. Parmar. Attention is all you need. In Advances in Neural Infor-
mation Processing Systems, 2017. https://proceedings.example.org/paper/2017/
hash/3f5ee.html
[2] J. Devlin, M.-W. Chang, and K. Lee. BERT: Pre-training of deep bidirectional transformers. In
NAACL, 2019. arXiv:1810.04805.
12
[3] D. Kahneman, "Maps of bounded rationality," American Economic Review, vol. 93, no. 5,
pp. 1449–1475, 2003. doi: 10.1257/000282803322655392.

A Appendix: proofs
[4] is no reference here, 2020.
`;
  assert.deepEqual(referencesIn({ text }), [
    {
      title:
        "A. Vaswani, N. Shazeer, and N. Parmar. Attention is all you need. In Advances in Neural " +
        "Information Processing Systems, 2017.",
      url: "https://proceedings.example.org/paper/2017/hash/3f5ee.html",
      snippet: "",
    },
    {
      title: "J. Devlin, M.-W. Chang, and K. Lee. BERT: Pre-training of deep bidirectional " +
        "transformers. In NAACL, 2019. arXiv:1810.04805.",
      url: "https://arxiv.org/abs/1810.04805",
      snippet: "",
    },
    {
      title:
        'D. Kahneman, "Maps of bounded rationality," American Economic Review, vol. 93, no. 5, pp. 1449–1475, ' +
        "2003. doi: 10.1257/000282803322655392.",
      url: "https://doi.org/10.1257/000282803322655392",
      snippet: "",
    },
  ]);
});

Deno.test("referencesIn() reads entries by author and year, with or without empty lines between", () => {
  const entries = [
    "Roediger, H. L., & Karpicke, J. D. (2006). Test-enhanced learning: Taking memory tests. *Psychological Science*, 17(3).",
    "van der Maaten, L. and Hinton, G. 2008. Visualizing data using t-SNE. Journal of Machine Learning Research, 9.",
    "World Health Organization (2020). Guidelines on physical activity. Geneva.",
    "Kuhn, T. S. (1962). *The structure of scientific revolutions*. University of Chicago Press.",
    "A. Lee. The shape of memory. *Journal of Minds*, 3, 2015.",
    "Smith, J. (2021a). Does it help? A review. Learning 4, 1-9.",
  ];
  const titles = entries.map((entry) => entry.replaceAll("*", ""));
  assert.deepEqual(titlesIn(entries.join("\n\n")), titles);
  assert.deepEqual(titlesIn(entries.join("\n"), "BIBLIOGRAPHY"), titles);
  const wrapped = entries.map((entry) => entry.replace(/(.{40}\S*) /g, "$1\n"));
  assert.deepEqual(titlesIn(wrapped.join("\n"), "References:"), titles);
  for (const heading of ["**Works cited**", "Select bibliography", "Notes & References"]) {
    assert.deepEqual(titlesIn(wrapped.join("\n\n"), heading), titles);
  }
});

Deno.test("referencesIn() reads numbered and bulleted lists under headings of several kinds", () => {
  const lists = [
    '1. Ada Lovelace, "Notes on the engine," 1843.\n2. Smith AB, Jones C. Sleep and memory in the old. Sleep. 2011;4:1-9.\n',
    '1. Ada Lovelace, "Notes on the engine," 1843.\n\n1. Smith AB, Jones C. Sleep and memory in the old. Sleep. 2011;4:1-9.\n',
    "- Ada Lovelace, “Notes on the engine,” 1843.\n- Smith AB, Jones C. Sleep and memory in the old. Sleep. 2011;4:1-9.\n",
    '[Lov43] Ada Lovelace, "Notes on the engine," 1843.\n[SJ11] Smith AB, Jones C. Sleep and memory in the\nold. Sleep. 2011;4:1-9.\n',
    '[^1]: Ada Lovelace, "Notes on the engine," 1843.\n[^2]: Smith AB, Jones C. Sleep and memory in the old. Sleep. 2011;4:1-9.\n',
    '\\[1\\] Ada Lovelace, "Notes on the engine," 1843. \\[2\\] Smith AB, Jones C. Sleep and memory in the old. Sleep. 2011;4:1-9.',
  ];
  const headings = [
    "# 7. Literature",
    "### **References**",
    "Bibliography",
    "VI. REFERENCES",
    "Literaturverzeichnis",
  ];
  for (const list of lists) {
    for (const heading of headings) {
      assert.deepEqual(titlesIn(list, heading), [
        `Ada Lovelace, ${
          list.includes("“") ? "“Notes on the engine,”" : '"Notes on the engine,"'
        } 1843.`,
        "Smith AB, Jones C. Sleep and memory in the old. Sleep. 2011;4:1-9.",
      ], `${heading}\n${list}`);
    }
  }
});

Deno.test("referencesIn() reads the last list, up to the next heading, and nothing else", () => {
  const text =
    `References 14\n\n## References\n\n- Old, A. (1990). A part of a chapter. Press.\n\n## Results\n\nIn 2020 it grew.\n
## References

### Primary sources

- New, B. (2020). The list at the end. Press.

## Appendix

- Not, C. (2021). No reference at all. Press.
`;
  assert.deepEqual(referencesIn({ text }).map(({ title }) => title), [
    "New, B. (2020). The list at the end. Press.",
  ]);
  assert.deepEqual(referencesIn({ text: `${TEXT}References are listed elsewhere, see 2019.` }), []);
  assert.deepEqual(referencesIn({ text: "" }), []);
  assert.deepEqual(titlesIn("None of these lines is one.\n\nNor is this."), []);
});

Deno.test("referencesIn() stops where prose begins", () => {
  const prose = "We now prove the first theorem in full. ".repeat(12);
  const entries = [
    "Ash, A. (2001). On ash trees. Press.",
    "Birch, B. (2002). On birch trees. Press.",
  ];
  for (const end of [prose, "A Proofs of the theorems"]) {
    const list = [...entries, end, "As Ash (2001) said, it holds."].join("\n\n");
    assert.deepEqual(titlesIn(list), entries);
  }
});

Deno.test("referencesIn() joins an entry that an empty line divides, before its year or after it", () => {
  const entries = [
    "Ann Ash and Bo Birch.\n\n2003. Trees in the wind. Forest Press.",
    "Cleo Cedar. 2004. The height of trees.\n\nWood and Wind, 30(4):479–511.",
    "Dora Dogwood. 2005. The age of trees. Forest Press.",
    "2006. Trees of the year. Forest Press.",
    "2007. Trees of the town. Forest Press.",
  ];
  assert.deepEqual(
    titlesIn(entries.join("\n\n")),
    entries.map((each) => each.replace("\n\n", " ")),
  );
});

Deno.test("referencesIn() joins a numbered entry that a page divides, and reads a list without a heading", () => {
  const [entry, last] = ["Ash, A. (2001). On ash trees.", "Birch, B. (2002). On birch trees."];
  const list =
    `[1] ${entry}\n\nForest Press. https://a.example/1\n[2] ${last}\n\nThe end of the paper.`;
  for (const text of [`${TEXT}References\n\n${list}`, `${TEXT}${list}`]) {
    assert.deepEqual(referencesIn({ text }).map(({ title, url }) => [title, url]), [
      [`${entry} Forest Press.`, "https://a.example/1"],
      [last, ""],
    ]);
  }
  const figure = list.replace("Forest Press.", "Figure 1: The trees.");
  assert.equal(titlesIn(figure)[0], entry);
  const press = list.replace("Forest Press.", "Tabor Press.");
  assert.equal(titlesIn(press)[0], `${entry} Tabor Press.`);
  const output = "The mean:\n[1] 2004.5 2005.5\n[13] 2006.5\n";
  assert.deepEqual(referencesIn({ text: `${TEXT}${output}` }), []);
  const cited = `${TEXT}${list}\n\nSee Ash\n[1] for the trees of 2001.`;
  assert.equal(referencesIn({ text: cited })[0]?.title, `${entry} Forest Press.`);
});

Deno.test("referencesIn() returns an address only if the entry has one", () => {
  const cases: readonly (readonly [string, string])[] = [
    ["Ash, A. (2001). On ash trees. Press.", ""],
    [
      "Ash, A. (2001). On ash trees. https://doi.org/10.1000/ab.c(2)1.",
      "https://doi.org/10.1000/ab.c(2)1",
    ],
    ["Ash, A. (2001). On ash trees. http://dx.doi.org/10.1000/182", "https://doi.org/10.1000/182"],
    ["Ash, A. (2001). On ash trees (DOI 10.1000/182).", "https://doi.org/10.1000/182"],
    [
      "Ash, A. (2001). On ash trees. <https://trees.example/ash?a=1>.",
      "https://trees.example/ash?a=1",
    ],
    [
      "Ash, A. (2001). [On ash trees](https://trees.example/ash_(tree)).",
      "https://trees.example/ash_(tree)",
    ],
    [
      "Ash, A. (2001). On ash trees. https://pub.example/doi/10.1000/182/full",
      "https://pub.example/doi/10.1000/182/full",
    ],
    [
      "Ash, A. (2001). On ash trees. arXiv preprint arXiv:hep-th/9901001v2.",
      "https://arxiv.org/abs/hep-th/9901001v2",
    ],
    ["Ash, A. (2001). On ash trees. javascript:alert(1)", ""],
    ["Ash, A. (2001). On ash trees. https://trees.example@evil.example/", ""],
    ["Ash, A. (2001). On ash trees, 10.5/7 of them.", ""],
  ];
  for (const [entry, url] of cases) assert.equal(urlOf(entry), url, entry);
});

Deno.test("referencesIn() leaves the announcement of an address out of a title", () => {
  const text =
    "# References\n\nAsh, A. (2001). On ash trees. Version 2, URL https://trees.example/ash.";
  assert.deepEqual(referencesIn({ text }).map(({ title, url }) => [title, url]), [
    ["Ash, A. (2001). On ash trees. Version 2", "https://trees.example/ash"],
  ]);
});

Deno.test("referencesIn() joins an address across two lines without emphasis or bullets", () => {
  const read = (next: string) =>
    referencesIn({
      text: `References\n\nAsh, A. (2001). Trees. https://a.example/2001\n${next}\n`,
    })[0]!;
  assert.equal(read("-of-life").url, "https://a.example/2001-of-life");
  for (const next of ["_Ash, A._", "- Ash, A.", "/Ash"]) {
    assert.equal(read(next).url, "https://a.example/2001", next);
    assert.ok(read(next).title.includes("Ash"), next);
  }
});

Deno.test("referencesIn() shortens long entries", () => {
  const long = `${"words and more of them, ".repeat(40)}2001`;
  const [entry] = referencesIn({ text: `## References\n\n- ${long}\n` });
  assert.equal([...entry!.title].length, 300);
  assert.ok(entry!.title.endsWith("…") && long.startsWith(entry!.title.slice(0, -1)));
});

Deno.test("referencesIn() reads a megabyte of any shape and at most 200 entries", () => {
  const many = Array.from(
    { length: 5000 },
    (_, i) => `[${i + 1}] Ash, A. (2001). On tree ${i}. Press.`,
  );
  assert.equal(referencesIn({ text: `## References\n${many.join("\n")}` }).length, 200);
  const size = 1_000_000;
  const shapes = [
    "references ",
    "References\n",
    "[1] ",
    "1. ",
    "(2001",
    "Ash, A., ",
    " ",
    "\n",
    "*",
    "- a\n",
    "10.1000/",
    "“",
  ];
  for (const shape of shapes) {
    const found = referencesIn({ text: `# References\n\n${shape.repeat(size / shape.length)}` });
    assert.ok(found.length <= 200, shape);
  }
});

Deno.test("referencesIn() invents nothing: every title and address is from its entry", () => {
  const part = fc.constantFrom(
    ..."[1] |[2] |1. |2. |- |\n|\n\n|Ash, A. |(2001). |On trees. |“Quoted title,” |*|_|doi:10.1000/x|https://a.example/b|arXiv:2001.01234|## |References|[|](|)|é"
      .split("|"),
  );
  fc.assert(fc.property(fc.array(part, { maxLength: 40 }), (parts) => {
    const list = parts.join("");
    for (const { title, url } of referencesIn({ text: `References\n${list}` })) {
      assert.ok(title !== "");
      assert.ok(url === "" || /^https?:\/\//.test(url));
      let at = -1;
      for (const letter of title.replace(/…$/, "").split(" ").join("")) {
        at = list.indexOf(letter, at + 1);
        assert.ok(at >= 0, `${letter} in ${title} of ${list}`);
      }
    }
  }));
});
