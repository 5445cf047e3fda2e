// Command `site`: pages of every kind, valid links, no private content, hostile records, repeated runs, rejected folders.
import assert from "node:assert/strict";
import { dirname, join, relative } from "@std/path";
import { jsonOf, namesIn, runCli, taskFlags, withFolder } from "../support/cli.ts";
import { filesUnder } from "../support/golden_runs.ts";
import { startModelServer } from "../support/model_server.ts";
import { ran, runMain } from "../support/run_main.ts";
import { PAPER } from "../cli/support/paper.ts";
import { longRecord } from "../mcp/support/long_record.ts";
import { STUDY } from "../studies/support/tea_study.ts";

/** Runs a command in a folder and checks that it succeeds. */
async function done(folder: string, ...args: readonly string[]): Promise<string> {
  const end = await ran(args, { folder });
  return end.stdout.trim();
}

/** Runs a convening offline, to its end or a limit; returns its directory. */
async function held(folder: string, ...args: readonly string[]): Promise<string> {
  const end = await runMain([...args, "--model", "offline", "--seed", "1", "--quiet"], { folder });
  assert.ok(end.code === 0 || end.code === 3, end.stderr);
  return dirname(end.stdout.trim().split("\n").at(-1)!);
}

/** Folders with participants' texts: links in them are not checked. */
const SAID =
  /\/(?:messages|scores|verdicts|fact-checks|evidence|stances|choices|flow|briefs)\/\w+\.md$/;

/** Returns the broken links of all pages. */
function brokenLinks(texts: ReadonlyMap<string, string>): string[] {
  const anchors = new Map<string, ReadonlySet<string>>();
  const anchorsOf = (path: string) => {
    const found = anchors.get(path) ??
      new Set([...texts.get(path)!.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id!));
    anchors.set(path, found);
    return found;
  };
  let count = 0;
  const broken: string[] = [];
  for (const [path, text] of texts) {
    const links = path.endsWith(".html")
      ? [...text.matchAll(/ (?:href|src|action|data-search)="([^"]*)"/g)]
      : /\.(?:md|txt)$/.test(path) && !SAID.test(path)
      ? [...text.replace(/^---\n[^]*?\n---\n|^>.*$/gm, "").matchAll(/(?<!\\)\]\(([^)\s]+)\)/g)]
      : [];
    for (const [, href] of links) {
      if (/^(?:https?:|mailto:|data:,$)/.test(href!)) continue;
      count++;
      const [to, anchor] = href!.split("#");
      const target = to === "" ? path : join(dirname(path), decodeURIComponent(to!));
      const isThere = texts.has(target) &&
        (anchor === undefined || !target.endsWith(".html") || anchorsOf(target).has(anchor));
      if (!isThere || /^[/\\]|^\w+:/.test(href!)) broken.push(`${path}: ${href}`);
    }
  }
  assert.ok(count > 20, `only ${count} links were found`);
  return broken;
}

withFolder.test("site writes an archive with every kind: links lead to files of the site, and private content is omitted", async (folder) => {
  const write = (name: string, text: string) => Deno.writeTextFile(join(folder, name), text);
  await write("notes.md", "Cars cost money. ".repeat(200) + "The unquoted ending.");
  await write("trees.md", PAPER);
  await write("tea.yaml", JSON.stringify(STUDY));
  const judged = ["--rounds", "2", "--fact-check", "standard", "--source", "notes.md"];
  await held(folder, "debate", "Should cities ban cars?", ...judged);
  const drafted = await held(folder, "debate", "Is tea better?", "--preset", "pro-con", "--rcr");
  assert.ok((await filesUnder(drafted)).keys().some((path) => path.startsWith("drafts/")));
  const forked = await held(folder, "dialogue", "What makes a good library?");
  const again = ["--config", join(forked, "metadata.md"), "--model", `replay:${forked}`];
  await done(folder, "dialogue", ...again, "--quiet");
  await held(folder, "consensus", "How should a team share its duties?");
  await held(folder, "paper", "trees.md");
  await held(folder, "debate", "Should this end early?", "--max-turns", "3");
  await done(folder, "study", "run", "tea.yaml");
  await done(folder, "study", "report", "tea");

  const written = jsonOf(await runMain(["site", "--json"], { folder }));
  assert.deepEqual([written["convenings"], written["studies"], written["skipped"]], [9, [
    "tea",
  ], []]);
  const texts = await filesUnder(join(folder, "site"));
  assert.deepEqual(brokenLinks(texts), []);
  const all = [...texts.keys()].join("\n");
  assert.doesNotMatch(all, /drafts|thoughts|rejected|sources|lookups|\.lock|log\.jsonl|\.answers/);
  for (const [path, text] of texts) {
    assert.ok(!text.includes(folder), `${path} names the machine's folder`);
    assert.ok(!text.includes("The unquoted ending"), `${path} holds the source`);
    if (!path.endsWith(".html")) continue;
    assert.match(text, /http-equiv="Content-Security-Policy" content="default-src &#39;none&#39;/);
    // Scripts are the program's own; pages of convenings have none.
    assert.equal(
      /<script(?! id="data")/.test(text),
      /^(?:studies\/tea\/)?(?:index|search)\.html$/.test(path),
      path,
    );
  }
  const paper = [...texts].find(([path]) => path.endsWith("/paper.md"))!;
  assert.match(paper[1], /The text of the paper is not part of this site/);
  assert.match(texts.get("index.html")!, /Stopped early/);
  const stopped = [...texts].find(([path, text]) =>
    path.endsWith("/index.html") && text.includes('<h1 dir="auto">Should this end early?')
  );
  assert.match(stopped![1], /Stopped early \(limit of turns\)/i);
  assert.match(texts.get("llms.txt")!, /- \[Should cities ban cars\?\]\(2\S+\/index\.md\): Debate/);
  assert.match(
    texts.get("studies/tea/report/leaderboard.html")!,
    /href="\.\.\/debates\/\w+\/index\.html"/,
  );

  // The two convenings of the study have one topic.
  const seats = ["a – b · ", "b – a · "].map((each) => `<small>${each}`);
  const list = texts.get("studies/tea/index.html")!;
  assert.deepEqual(seats.filter((each) => !list.includes(each)), []);

  // A fork before its first resume is not shown as interrupted, and has no outcome.
  const fork = await done(folder, "fork", forked, "--at", "2", "--out", "forks");
  await done(folder, "site", "forks", "--out", "fork");
  const forkPage = await Deno.readTextFile(
    join(folder, "fork", relative(join(folder, "forks"), fork), "index.html"),
  );
  assert.match(forkPage, /id="result">Not judged\.</);
  assert.match(forkPage, /<span class="badge">New fork<[^]*Forked from \S+ after message 2/);
  assert.doesNotMatch(forkPage.replace(/<style>[^]*<\/style>/, ""), /interrupted|is running/i);
  const entry = await Deno.readTextFile(join(folder, "fork", "llms.txt"));
  assert.match(entry, /\): Dialogue, new fork, 2 messages/);

  // In a site that has the parent, the fork's page links to the parent.
  await done(folder, "fork", forked, "--at", "2");
  await done(folder, "site");
  const both = await filesUnder(join(folder, "site"));
  assert.deepEqual(brokenLinks(both), []);
  const linked = /Forked from <a href="[^"]+\/index\.html#message-2">/;
  assert.ok([...both.values()].some((text) => linked.test(text)));

  // Sites of a single convening and of a study.
  await done(folder, "site", drafted, "--out", "one");
  const one = await filesUnder(join(folder, "one"));
  assert.deepEqual(brokenLinks(one), []);
  assert.ok(one.has(join(relative(join(folder, "convenings"), drafted), "index.html")));
  await done(folder, "site", "convenings/studies/tea", "--out", "study");
  const study = await filesUnder(join(folder, "study"));
  assert.deepEqual(brokenLinks(study), []);
  assert.ok(study.has("studies/tea/index.html"));
});

withFolder.test("site splits a long convening into pages, and links lead to the page of a message", async (folder) => {
  const other = (seq: number) => seq > 1 ? { replyTo: seq - 1 } : undefined;
  await longRecord(join(folder, "convenings"), { messages: 250, other });
  await done(folder, "site");
  const texts = await filesUnder(join(folder, "site"));
  assert.deepEqual(brokenLinks(texts), []);
  const [path, second] = [...texts].find(([path]) => path.endsWith("/page-2.html"))!;
  assert.match(second, / id="message-201"/);
  assert.match(second, / href="index\.html#message-200"/);
  assert.doesNotMatch(texts.get(join(dirname(path), "index.html"))!, / id="message-201"/);
});

withFolder.test("site omits servers' error texts about turns, judges, note-takers and fact checks", async (folder) => {
  const message = "quota of org-secret at https://billing.internal exceeded";
  await using server = await startModelServer({
    reply: { status: 400, body: JSON.stringify({ error: { message } }) },
  });
  const more = ["--rounds", "1", "--base-url", server.url];
  const noted = ["--flow", "--note-model", "local", "--fact-check", "standard"];
  await held(folder, "debate", "Who judges?", "--judge-model", "local", ...more);
  await held(folder, "debate", "Who takes notes?", ...noted, ...more);
  const speechless = ["debate", "Who speaks?", "--model", "local", ...more];
  await ran(speechless, { folder }, 1);
  await done(folder, "site");
  const texts = await filesUnder(join(folder, "site"));
  for (const [path, text] of texts) {
    assert.doesNotMatch(text, /org-secret|billing\.internal|127\.0\.0\.1/, path);
  }
  const all = [...texts].filter(([path]) => path.endsWith("/index.html")).map(([, text]) => text);
  for (
    const words of [
      /gave no score: Cannot get a reply</,
      /claims could not be found: Cannot get a reply</,
      /is missing: Cannot get a reply</,
    ]
  ) assert.ok(all.some((text) => words.test(text)), `${words}`);
});

withFolder.test("site writes a record with one very large message number in as many pages as the messages need", async (folder) => {
  const dir = await held(folder, "dialogue", "What makes a good library?", "--max-turns", "4");
  const messages = join(dir, "messages");
  const last = (await namesIn(messages)).at(-1)!;
  const text = await Deno.readTextFile(join(messages, last));
  await Deno.remove(join(messages, last));
  await Deno.writeTextFile(
    join(messages, last.replace(/^0*4/, "900000000")),
    text.replace("\nseq: 4\n", "\nseq: 900000000\n"),
  );
  await done(folder, "site");
  const texts = await filesUnder(join(folder, "site"));
  assert.deepEqual(brokenLinks(texts), []);
  const pages = [...texts.keys()].filter((path) => /\/page-\d+\.html$/.test(path));
  assert.equal(pages.length, 1);
  assert.match(texts.get(pages[0]!)!, /Page 2 of 2/);
});

withFolder.test("site written by concurrent runs equals the site of one run", async (folder) => {
  await held(folder, "debate", "Is tea better?", "--rounds", "1");
  await Promise.all([1, 2, 3].map(() => done(folder, "site")));
  await done(folder, "site", "--out", "alone");
  assert.deepEqual(await filesUnder(join(folder, "site")), await filesUnder(join(folder, "alone")));
});

withFolder.test("site: markup in records is escaped, and a hostile archive cannot write outside the site", async (folder) => {
  const hostile =
    "</script><script>alert(1)</script><img src=x onerror=alert(2)> [x](javascript:alert(3))";
  const dir = await held(folder, "debate", hostile, "--rounds", "1");
  const day = dirname(dir);
  const beside = join(folder, "beside");
  await Deno.mkdir(beside);
  await Deno.symlink(dir, join(day, "2026-01-01T10-00-00_linked"));
  await Deno.mkdir(join(day, "2026-01-01T11-00-00_<b>bold"));
  await Deno.mkdir(join(day, "2026-01-01T12-00-00_empty"));
  await Deno.mkdir(join(folder, "convenings/studies/evil/report"), { recursive: true });
  await Deno.writeTextFile(
    join(folder, "convenings/studies/evil/report/leaderboard.html"),
    "<script>alert(4)</script>",
  );
  const end = await runMain(["site", "--json"], { folder });
  const written = jsonOf(end);
  const skipped = (written["skipped"] as { id: string; problem: string }[]).map(({ id }) => id);
  assert.deepEqual(skipped.sort(), [
    "2026-01-01T10-00-00_linked",
    "2026-01-01T11-00-00_<b>bold",
    "2026-01-01T12-00-00_empty",
  ]);
  const texts = await filesUnder(join(folder, "site"));
  assert.deepEqual(brokenLinks(texts), []);
  for (const [path, text] of texts) {
    if (!path.endsWith(".html")) continue;
    assert.doesNotMatch(text, /<script>alert|<img|href="javascript|<b>/i, path);
  }
  assert.match(texts.get("index.html")!, /2026-01-01T11-00-00_&lt;b&gt;bold/);

  // A link that replaces a folder of the site is not followed.
  await Deno.remove(join(folder, "site", dir.split("/").at(-2)!), { recursive: true });
  await Deno.symlink(beside, join(folder, "site", dir.split("/").at(-2)!));
  const refused = await runMain(["site"], { folder });
  assert.notEqual(refused.code, 0);
  assert.match(refused.stderr, /symbolic link/);
  assert.deepEqual(await Array.fromAsync(Deno.readDir(beside)), []);
});

withFolder.test("site updates an earlier site and rejects any other folder", async (folder) => {
  const kept = await held(folder, "dialogue", "What makes a good library?");
  const gone = await held(folder, "debate", "Is tea better?", "--rounds", "1");
  await done(folder, "site");
  const site = join(folder, "site");
  const before = await filesUnder(site);
  const pathOf = (dir: string) => join(relative(join(folder, "convenings"), dir), "index.html");
  const page = join(site, pathOf(kept));
  const longAgo = new Date("2026-01-01T00:00:00Z");
  await Deno.utime(page, longAgo, longAgo);
  await Deno.writeTextFile(join(site, "CNAME"), "debates.example\n");
  await Deno.mkdir(join(site, "studies/old"), { recursive: true });
  const strays = [
    "page-9.html",
    "studies/old/page-2.html",
    join(dirname(pathOf(kept)), "stray.md"),
  ];
  for (const path of strays) await Deno.writeTextFile(join(site, path), "of an earlier site\n");
  await done(folder, "delete", gone);
  await done(folder, "site");
  const after = await filesUnder(site);
  assert.equal((await Deno.stat(page)).mtime?.getTime(), longAgo.getTime());
  assert.equal(after.get("CNAME"), "debates.example\n");
  assert.ok(before.has(pathOf(gone)) && !after.has(pathOf(gone)));
  assert.deepEqual(strays.filter((path) => after.has(path)), []);
  assert.deepEqual(brokenLinks(after), []);
  assert.doesNotMatch(after.get("index.html")! + after.get("search.html")!, /Is tea better/);
  // The site of an archive without further convenings keeps its files.
  await done(
    folder,
    "restore",
    join(folder, "convenings/trash", relative(join(folder, "convenings"), gone)),
  );
  await Deno.remove(join(site, "CNAME"));
  await done(folder, "site");
  assert.deepEqual(await filesUnder(site), before);

  const archived = await namesIn(join(folder, "convenings"));
  await Deno.symlink("convenings", join(folder, "outer"));
  const foreign = join(folder, "foreign");
  await Deno.mkdir(foreign);
  await Deno.writeTextFile(join(foreign, "mine.txt"), "mine");
  const named = join(folder, "named");
  await Deno.mkdir(named);
  await Deno.writeTextFile(join(named, "convenings-site.json"), "{}");
  for (
    const [out, problem] of [
      ["foreign", /is not empty and does not hold an earlier site/],
      ["named", /is not empty and does not hold an earlier site/],
      ["convenings/site", /is part of/],
      ["convenings", /is part of/],
      ["outer/site", /site to \S+outer\/site: it is part of/],
    ] as const
  ) {
    const refused = await ran(["site", "--out", out], { folder }, 2);
    assert.match(refused.stderr, problem);
    assert.match(refused.stderr, /--out/);
  }
  // The site of a convening cannot be written into the convening's archive.
  const inside = await runMain(["site", kept, "--out", "convenings/site"], { folder });
  assert.match(inside.stderr, /is part of/);
  assert.deepEqual(await namesIn(join(folder, "convenings")), archived);
  assert.deepEqual(await filesUnder(foreign), new Map([["mine.txt", "mine"]]));
  const nothing = await ran(["site", "foreign", "--out", "other"], { folder }, 2);
  assert.match(nothing.stderr, /no convening is there/);
});

withFolder.test("site needs read permission for the archive and write permission for the site's folder alone", async (folder) => {
  await held(folder, "dialogue", "What makes a good library?", "--max-turns", "2");
  const flags = taskFlags("convenings").filter((flag) => !/^--allow-(?:net|write)/.test(flag));
  const allowed = await runCli(["site"], { folder, flags: [...flags, "--allow-write=site"] });
  assert.equal(allowed.code, 0, allowed.stderr);
  const refused = await runCli(["site", "--out", "other"], { folder, flags });
  assert.equal(refused.code, 2);
  assert.match(refused.stderr, /may not write under .*other/);
});
