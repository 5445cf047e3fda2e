// Command `paper`: questions, output, flags, terminals.
import assert from "node:assert/strict";
import { cp } from "node:fs/promises";
import { join } from "@std/path";
import { main } from "../../src/cli/main.ts";
import type { Io } from "../../src/cli/io.ts";
import { type CliEnd, configurationOf, jsonOf, namesIn, withFolder } from "../support/cli.ts";
import { OFFLINE, ran, runMain } from "../support/run_main.ts";
import { PAPER } from "./support/paper.ts";
import { testsWith } from "../support/tests_with.ts";

/** Calls `use` with a folder that has a paper. */
async function withPaper(use: (folder: string) => Promise<void>): Promise<void> {
  await withFolder(async (folder) => {
    await Deno.writeTextFile(join(folder, "trees.md"), PAPER);
    await use(folder);
  });
}

withPaper.test = testsWith(withPaper);

function paper(folder: string, ...args: readonly string[]): Promise<CliEnd> {
  return runMain(["paper", "trees.md", "--seed", "3", ...args], { folder });
}

/** Returns a terminal in which these lines are typed, one per read. */
function terminal(folder: string, args: readonly string[], typed: readonly string[]) {
  const lines = [...typed];
  const shown = { out: "", err: "" };
  const io: Io = {
    args,
    folder,
    program: "main.ts",
    task: false,
    inIsTerminal: true,
    outIsTerminal: true,
    live: true,
    colour: false,
    columns: () => 80,
    env: () => undefined,
    read: () => Promise.resolve(lines.shift()),
    out: (text) => shown.out += text,
    err: (text) => shown.err += text,
    permitted: () => true,
    ignoresEnv: () => true,
    onInterrupt: () => () => {},
    now: () => 0,
    exit: (code) => {
      throw new Error(`exit ${code}`);
    },
  };
  return { io, shown };
}

withPaper.test("paper debates question 1 without a terminal and prints that choice, with a line per turn", async (folder) => {
  const end = await paper(folder);
  assert.equal(end.code, 0, end.stderr);
  assert.match(end.stderr, /^--pick N or --question TEXT chooses another question$/m);
  assert.match(end.stderr, /^1 · questions · Questioner · .+$/m);
  assert.match(end.stderr, /^3 · postures · .+$/m);
  assert.equal(end.stderr.match(/^debater started: .+$/gm)?.length, 3);
  assert.match(end.stderr, /^4 · argument · Debater A · .+$/m);
  const lines = end.stdout.trimEnd().split("\n");
  assert.match(lines[0] ?? "", /^Question: /);
  const totals = lines.slice(1, 4).map((line) => {
    const [, total] = /^ {2}[123]\. (0\.\d{4}) {2}Debater [ABC] · \d+ verified, /.exec(line) ??
      [];
    return Number(total);
  });
  assert.deepEqual(totals, totals.toSorted((a, b) => b - a));
  assert.match(lines[4] ?? "", /^(?:Winner: Debater [ABC]|Undecided: .+)\.$/);
  assert.match(lines.at(-2) ?? "", /report\.md$/);
  assert.match(lines.at(-1) ?? "", /index\.md$/);
  assert.match(await Deno.readTextFile(lines.at(-2) ?? ""), /Executive Summary/);
  const quiet = await paper(folder, "--quiet");
  assert.equal(quiet.stderr, "");
});

withPaper.test("paper --json prints question, postures, topics, report and every debater's figures", async (folder) => {
  const own = "To what extent does shade explain the cooling?";
  const json = jsonOf(await paper(folder, "--question", own, "--postures", "2", "--json"));
  assert.equal(json["question"], own);
  const postures = json["postures"] as string[];
  assert.equal(postures.length, 2);
  assert.ok((json["topics"] as string[]).length >= 3);
  assert.equal(json["report"], join(String(json["dir"]), "report.json"));
  const report = JSON.parse(await Deno.readTextFile(String(json["report"])));
  assert.equal(report.question, own);
  const verification = json["verification"] as Record<string, unknown>[];
  assert.deepEqual(verification.map(({ participant, posture }) => [participant, posture]), [
    ["debater-a", postures[0]],
    ["debater-b", postures[1]],
  ]);
  for (const { verified, notFound } of verification) {
    assert.ok(Number(verified) > 0);
    assert.equal(typeof notFound, "number");
  }
  const again = await runMain(["resume", String(json["dir"]), "--json"], { folder });
  assert.deepEqual(jsonOf(again), json);
  const rows = jsonOf(await runMain(["list", "--json"], { folder }))["convenings"];
  assert.deepEqual(
    (rows as { kind: string; topic: string }[]).map(({ kind, topic }) => [kind, topic]),
    [["paper-debate", own]],
  );
});

withPaper.test("paper's flags are recorded and override a file's settings; a record is accepted as a configuration", async (folder) => {
  await Deno.writeTextFile(
    join(folder, "debate.yaml"),
    "kind: paper-debate\npapers: [trees.md]\npick: 2\npostures: 4\ncrossExamine: true\n",
  );
  const args = ["paper", "--config", "debate.yaml", "--json", "--quiet", "--seed", "3"];
  const own = "To what extent does shade explain the cooling?";
  const end = await ran([
    ...args,
    ...["--question", own, "--postures", "2", "--rubric", "academic"],
    ...["--judge-temperature", "0.1", "--judge-model", "offline", "--judge-model", "offline"],
    ...[
      "--persona",
      "debater-b=economist",
      "--retrieval",
      "keyword",
      "--fact-check",
      "standard",
      "--words",
      "200-900",
    ],
  ], { folder });
  const recorded = await configurationOf(jsonOf(end)["dir"]);
  assert.equal(recorded["question"], own);
  assert.equal(recorded["pick"], undefined);
  assert.deepEqual(
    [recorded["postures"], recorded["crossExamine"], recorded["judgeTemperature"]],
    [2, true, 0.1],
  );
  assert.equal((recorded["judges"] as unknown[]).length, 2);
  const cast = recorded["participants"] as { id: string; persona?: string }[];
  assert.match(cast.find(({ id }) => id === "debater-b")?.persona ?? "", /^Economist/);
  const file = join(String(jsonOf(end)["dir"]), "metadata.md");
  const plan = await ran(["paper", "--config", file, "--dry-run", "--json"], { folder });
  assert.equal(jsonOf(plan)["question"], own);
  const more = ["--postures", "3", "--pick", "1", "--dry-run", "--json"];
  const other = await ran(["paper", "--config", file, ...more], { folder });
  assert.equal(jsonOf(other)["question"], null);
  assert.equal(jsonOf(other)["topic"], "Street trees and summer heat in two districts");
});

withPaper.test("paper --dry-run prints the plan and that look-ups are not counted", async (folder) => {
  const end = await paper(folder, "--pick", "2", "--dry-run");
  assert.equal(end.code, 0, end.stderr);
  assert.match(end.stdout, /^paper-debate on: Street trees and summer heat in two districts$/m);
  assert.match(
    end.stdout,
    /^Question: the one with the number 2 of those proposed for the papers$/m,
  );
  assert.match(end.stdout, /^Turns: 8$/m);
  assert.match(end.stdout, /^Not counted: what debaters look up/m);
  assert.deepEqual(await namesIn(folder), ["trees.md"]);
});

withPaper.test("paper with an unknown question number lists the questions, exits with 2, and can be resumed with another", async (folder) => {
  const end = await paper(folder, "--pick", "12", "--json");
  assert.equal(end.code, 2, end.stderr);
  const { dir, error, status } = jsonOf(end);
  const { field, hint } = error as Record<string, string>;
  assert.deepEqual([status, field], ["failed", "--pick"]);
  assert.match(hint ?? "", /^Give 1 to \d+:\n1\. .*\?\n2\. /);
  assert.match(end.stderr, new RegExp(`^To continue: convenings resume ${dir} --pick N$`, "m"));
  const { stdout: ended } = await ran(["watch", String(dir)], { folder }, 1);
  assert.match(ended, /^Failed: Cannot debate question 12: there are \d+ questions\n/);
  const wrong = await ran(["resume", String(dir), "--pick", "98"], { folder }, 2);
  assert.match(wrong.stderr, /Cannot debate "98": there is no question 98\n[\s\S]*^1\. /m);
  assert.doesNotMatch(wrong.stderr, /going on/);
  const second = /^2\. (.*)$/m.exec(hint ?? "")?.[1];
  const on = await ran(["resume", String(dir), "--pick", "2", "--json"], { folder });
  assert.equal(jsonOf(on)["question"], second);
  const listed = await runMain(["list"], { folder });
  assert.ok(listed.stdout.includes(`  ${second}  `), listed.stdout);
  const index = await Deno.readTextFile(join(folder, "convenings", "index.md"));
  assert.ok(index.includes(second!.slice(0, 30)), index);
  const html = await runMain(["site", "convenings"], { folder });
  const site = await Deno.readTextFile(join(html.stdout.trim().split("\n").at(-1)!));
  assert.ok(site.includes(second!.slice(0, 20)), site);
});

withPaper.test("paper rejects impossible question numbers, and a repeated --question or --pick, before anything is written", async (folder) => {
  const cases = [
    [["--pick", "13"], /Cannot debate question 13: at most 12 are proposed\nGive 1 to 12\./],
    [["--pick", "13", "--dry-run"], /Cannot debate question 13/],
    [["--question=How?", "--question=Why?"], /Cannot use --question twice: a convening has one/],
    [["--pick", "1", "--pick", "2"], /Cannot use --pick twice/],
  ] as const;
  for (const [args, says] of cases) {
    const end = await paper(folder, ...args);
    assert.equal(end.code, 2, end.stderr);
    assert.match(end.stderr, says);
    assert.deepEqual(await namesIn(folder), ["trees.md"]);
  }
});

withPaper.test("resume --question replaces the proposed questions by the user's, once", async (folder) => {
  const { dir } = jsonOf(await paper(folder, "--pick", "12", "--json"));
  const short = await ran(["resume", String(dir), "--question", "Why?"], { folder }, 2);
  assert.match(short.stderr, /10 to 1,000 characters/);
  const own = "Cost: how far does watering matter?";
  const args = ["resume", String(dir), "--question", own, "--max-turns", "3", "--json"];
  const on = await ran(args, { folder }, 3);
  assert.equal(jsonOf(on)["question"], own);
  const other = "Cost: what does a tree cost?";
  const late = await ran(["resume", String(dir), "--question", other], { folder }, 2);
  assert.match(late.stderr, /Cannot use --question: the question is settled/);
  const debate = await runMain(
    ["debate", "Should cities ban private cars?", "--max-tokens", "10", "--json"],
    { folder },
  );
  for (const flag of ["--pick", "--question", "--embedding-model"]) {
    const args = ["resume", String(jsonOf(debate)["dir"]), flag, "1"];
    const { stderr } = await ran(args, { folder }, 2);
    assert.match(stderr, new RegExp(`Cannot use ${flag}: this is a debate\\nLeave it out`));
  }
});

withPaper.test("paper with pick: ask waits without a terminal; say answers and rejects an invalid choice", async (folder) => {
  await Deno.writeTextFile(
    join(folder, "ask.yaml"),
    "kind: paper-debate\npapers: [trees.md]\npick: ask\npostures: 2\nseed: 3\n",
  );
  const end = await ran(["paper", "--config", "ask.yaml"], { folder }, 4);
  assert.match(
    end.stdout,
    /^Waiting for: [Rr]eader\n.* --as reader --file FILE\nQuestions:\n {3}1\. /,
  );
  assert.match(end.stderr, /^waiting for Reader\nWhich question .*\n1\. /m);
  const dir = /^(.*)\/index\.md$/m.exec(end.stdout)?.[1] ?? "";
  const wrong = await ran(["say", dir], { folder, stdin: "99\n" }, 2);
  assert.match(wrong.stderr, /there is no question 99\n.*\n1\. /);
  const on = await ran(["say", dir, "--json"], { folder, stdin: "2\n" });
  const second = /^ {3}2\. (.*)$/m.exec(end.stdout)?.[1];
  assert.equal(jsonOf(on)["question"], second);
});

withPaper.test("paper questions prints numbered questions and writes nothing", async (folder) => {
  const args = ["paper", "questions", "trees.md", "--seed", "3", "--title", "On trees"];
  const end = await ran(args, { folder });
  const lines = end.stdout.trimEnd().split("\n");
  assert.ok(lines.length >= 8 && lines.length <= 12);
  lines.forEach((line, at) => assert.ok(line.startsWith(`${at + 1}. `)));
  const json = jsonOf(await runMain([...args, "--json"], { folder }));
  assert.deepEqual(json, {
    papers: [{ id: "trees", title: "On trees" }],
    questions: lines.map((line) => line.replace(/^\d+\. /, "")),
    noModelSpoke: true,
  });
  assert.deepEqual(await namesIn(folder), ["trees.md"]);
  const host = [...args, "--base-url", "http://models.example/v1"];
  const refused = await ran(host, { folder, permitted: OFFLINE }, 2);
  assert.match(refused.stderr, /--allow-net=models\.example/);
});

withPaper.test("paper in a terminal lists the questions and asks; a user's own question may contain a colon", async (folder) => {
  const args = ["paper", "trees.md", "--seed", "3", "--postures", "2"];
  const own = "Cost: how far does watering matter?";
  const { io, shown } = terminal(folder, args, ["77\n", `${own}\n`]);
  assert.equal(await main(io), 0, shown.err);
  assert.match(
    shown.err,
    /\n1\. [^]*\n2\. [^]*\nA number from 1 to \d+, or a question of your own, then Enter:\n/,
  );
  assert.match(shown.err, /There is no question 77\. A number from 1 to \d/);
  assert.match(shown.err, /^paper debate · \d participants$/m);
  // The status line, if drawn, is erased before other text.
  for (const line of shown.err.split("\n").flatMap((each) => each.split("\x1b[K"))) {
    assert.ok([...line.replace("\r", "")].length <= 80, line);
  }
  const [, first = ""] = /^1\. (.*)$/m.exec(shown.err) ?? [];
  assert.equal(shown.err.split(first).length, 2, "the questions are listed once");
  assert.match(shown.err, /debater started: .+\n[^]*\d · argument · Debater A/);
  assert.doesNotMatch(shown.err, /--pick N/);
  assert.match(shown.out, new RegExp(`^Question: ${own.replace("?", "\\?")}$`, "m"));
});

withPaper.test("paper in a terminal does not ask when the question is given, with --dry-run or in a replay", async (folder) => {
  const two = ["--max-turns", "2"];
  for (
    const more of [["--pick", "1", ...two], ["--dry-run"], ["--model", "replay:latest", ...two]]
  ) {
    const { io, shown } = terminal(folder, ["paper", "trees.md", "--seed", "3", ...more], []);
    const code = await main(io);
    assert.ok(code === 0 || code === 3, shown.err);
    assert.doesNotMatch(shown.err, /then Enter/);
  }
});

withFolder.test("A printed paper debate names the topics that a debater did not argue on", async (folder) => {
  await cp("tests/golden/paper", join(folder, "debate"), { recursive: true });
  const end = await runMain(["resume", "debate"], { folder });
  assert.match(end.stdout, /^ {2}2\. 0\.4400 {2}Debater B \(not argued: Practice\) · 0 verified/m);
  assert.match(end.stdout, /^ {2}1\. 0\.7600 {2}Debater A · 3 verified/m);
});

withPaper.test("--search-url alone turns no fact check of a paper debate on; searchUrl in a file does, as in a program", async (folder) => {
  const callsOf = async (text: string, ...flags: readonly string[]) => {
    await Deno.writeTextFile(join(folder, "c.yaml"), `model: offline\n${text}`);
    const end = await paper(folder, "--config", "c.yaml", "--dry-run", "--json", ...flags);
    return Number(jsonOf(end)["calls"]);
  };
  const url = "http://127.0.0.1:9/";
  const [none, checked] = [await callsOf(""), await callsOf("factCheck: { mode: standard }")];
  assert.ok(checked > none);
  assert.equal(await callsOf("", "--search-url", url), none);
  assert.equal(await callsOf(`factCheck: { searchUrl: "${url}" }`), checked);
  assert.equal(await callsOf("factCheck: { maxClaims: 5 }", "--search-url", url), checked);
  assert.equal(await callsOf("", "--search-url", url, "--fact-check", "standard"), checked);
});
