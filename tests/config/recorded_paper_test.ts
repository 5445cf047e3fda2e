// Recorded configurations of paper debates.
import assert from "node:assert/strict";
import { join } from "@std/path";
import { openConvening, PaperError, parseConfig } from "../../mod.ts";
import { readPaper, readPapers } from "../../papers.ts";
import { readConfigFile } from "../../src/cli/config_file.ts";
import { jsonOf, withFolder } from "../support/cli.ts";
import { ROOT } from "../support/deno_process.ts";
import { ran } from "../support/run_main.ts";
import { hold, type Seen, settingsOf } from "./support/holding.ts";
import { OTHER_PAPER, PAPER } from "./support/paper_holding.ts";

const PDF = join(ROOT, "examples", "papers", "four_day_week.pdf");

/** Runs a paper debate that is recorded in a folder. */
async function kept(
  out: string,
  given: Readonly<Record<string, unknown>>,
): Promise<Seen & { readonly dir: string }> {
  const seen = await hold(settingsOf("paper-debate", { out, ...given }));
  assert.equal(seen.error, undefined);
  return { ...seen, dir: seen.result!.dir! };
}

/** Returns the recorded configuration with the record's papers. */
async function recordedIn(dir: string) {
  const path = join(dir, "metadata.md");
  const settings = await readConfigFile(await Deno.readTextFile(path), path);
  const config = parseConfig(settings);
  assert.ok(config.kind === "paper-debate");
  return { ...settings, papers: config.papers.map((name) => join(dir, name)) };
}

withFolder.test("A recorded paper debate is a configuration with the same papers, ids, titles and settings", async (out) => {
  for (
    const given of [
      { papers: [PDF], title: "What a shorter week does" },
      { papers: [PAPER, OTHER_PAPER], retrieval: "keyword", rubric: "academic" },
    ]
  ) {
    const first = await kept(out, given);
    const settings = await recordedIn(first.dir);
    const again = await hold({ ...settings, out });
    assert.equal(again.error, undefined);
    const [before, after] = await Promise.all(
      [first.dir, again.result!.dir!].map((dir) => openConvening(dir)),
    );
    assert.deepEqual(after!.start.papers, before!.start.papers);
    const { out: _where, ...recorded } = after!.start.configuration;
    assert.deepEqual(recorded, before!.start.configuration);
  }
});

withFolder.test("readPapers() reads a convening's paper.md as the original paper, with its pages and without its front matter", async (out) => {
  const { dir } = await kept(out, { papers: [PDF, PAPER] });
  const { start } = await openConvening(dir);
  const paths = ["paper.md", "paper-2.md"].map((name) => join(dir, name));
  const papers = await readPapers(paths);
  assert.deepEqual(papers, start.papers);
  assert.ok(papers[0]!.pages!.length > 1);
  const [first] = await readPapers([paths[0]!], { title: "Another title" });
  assert.deepEqual([first!.id, first!.title], [papers[0]!.id, "Another title"]);
});

withFolder.test("readPaper() reads the changed text of a convening's paper and reports damaged front matter by position", async (out) => {
  const { dir } = await kept(out, { papers: [PDF] });
  const path = join(dir, "paper.md");
  const text = await Deno.readTextFile(path);
  await Deno.writeTextFile(path, text.replace(/\n---\n/, "\n---\nA note of mine.\n\n"));
  const changed = await readPaper(path);
  assert.ok(changed.text.startsWith("A note of mine.\n\n"));
  assert.equal(changed.id, "four_day_week");
  assert.equal(changed.pages, undefined, "its pages begin elsewhere now");
  await Deno.writeTextFile(path, text.replace(/^id: /m, "name: "));
  await assert.rejects(readPaper(path), (error: unknown) => {
    assert.ok(error instanceof PaperError);
    assert.equal(error.field, "papers");
    assert.match(error.message, /paper\.md": its front matter is damaged: .*\bid\b/);
    assert.match(error.hint ?? "", /Remove its front matter/);
    return true;
  });
  // Any markdown file may have front matter of its own.
  await Deno.writeTextFile(path, "---\ntype: paper\n---\n# Trees\n\nThey cool streets.\n");
  const other = await readPaper(path);
  assert.equal(other.id, "paper");
  assert.ok(other.text.includes("type: paper"));
});

withFolder.test("paper --config DIR/metadata.md repeats a recorded debate, offline, with the record's papers", async (out) => {
  const held = async (...args: readonly string[]) => {
    const end = await ran(["paper", ...args, "--out", out, "--json"], { folder: ROOT });
    return await openConvening(String(jsonOf(end)["dir"]));
  };
  const options = ["--pick", "2", "--postures", "2", "--seed", "7", "--model", "offline"];
  const first = await held(PDF, ...options);
  const again = await held("--config", join(first.dir, "metadata.md"));
  assert.deepEqual(again.start.papers, first.start.papers);
  assert.deepEqual(
    again.messages.map(({ body }) => body),
    first.messages.map(({ body }) => body),
    "the same seed says the same",
  );
});
