// Commands on a finished record: `verify`, `show`, `fork`, `export`, `index`, `list`, `resume`, `delete`.
import assert from "node:assert/strict";
import { basename, dirname, join } from "@std/path";
import { judgeShortId } from "../../src/core/message.ts";
import { jsonOf, namesIn, withFolder } from "../support/cli.ts";
import { ran, runMain } from "../support/run_main.ts";
import { TOPIC } from "../support/talkers.ts";
import { withDebate } from "./support/debates.ts";

withDebate.test("verify distinguishes a valid record from a damaged one", async ({ dir, folder }) => {
  const sound = await ran(["verify", dir], { folder });
  assert.match(sound.stdout, /^Sound: 6 messages, completed\n$/);
  for await (const { name } of Deno.readDir(join(dir, "messages"))) {
    if (!name.startsWith("002")) continue;
    await Deno.writeTextFile(join(dir, "messages", name), "More.\n", { append: true });
  }
  const damaged = await ran(["verify", dir], { folder }, 1);
  assert.match(damaged.stdout, /^messages\/002_/m);
  const json = await ran(["verify", dir, "--json"], { folder }, 1);
  const { sound: isSound, findings } = jsonOf(json);
  assert.equal(isSound, false);
  assert.equal((findings as unknown[]).length, damaged.stdout.trimEnd().split("\n").length);
});

withDebate.test("show prints the index, or a message by number", async ({ dir, folder }) => {
  const index = await runMain(["show", dir], { folder });
  assert.equal(index.stdout, await Deno.readTextFile(join(dir, "index.md")));
  const message = await runMain(["show", dir, "2"], { folder });
  assert.match(message.stdout, /\nseq: 2\n/);
  const json = jsonOf(await runMain(["show", dir, "2", "--json"], { folder }));
  const { participant, body } = json["message"] as Record<string, unknown>;
  assert.equal(participant, "advocate-a");
  assert.ok(message.stdout.includes(String(body)));
  const convening = jsonOf(await runMain(["show", dir, "--json"], { folder }));
  assert.deepEqual([convening["dir"], convening["messages"]], [dir, 6]);
  await ran(["show", dir, "99"], { folder }, 2);
  for (const command of ["verify", "resume", "export"]) {
    const file = join(dir, "scores.md");
    const more = command === "export" ? ["--format", "md"] : [];
    const end = await ran([command, file, ...more], { folder }, 2);
    assert.match(end.stderr, /no convening is there/);
  }
});

withDebate.test("fork copies and edits messages, and resume continues", async ({ dir, folder }) => {
  await Deno.writeTextFile(join(folder, "new.md"), "Quite another opening.\n");
  const end = await ran(
    ["fork", dir, "--at", "3", "--edit", "new.md", "--out", "forks", "--json"],
    { folder },
  );
  const { dir: fork, parent, at, edited } = jsonOf(end);
  assert.ok(String(fork).startsWith(join(folder, "forks")));
  assert.deepEqual([parent, at, edited], [basename(dir), 3, true]);
  assert.ok(end.stderr.includes(`convenings resume ${fork}`));
  const again = await runMain(["fork", join(dir, "index.md"), "--at", "2"], { folder });
  assert.match(again.stdout, /_debate(-\d+)?\n$/);
  assert.ok((await Deno.stat(join(again.stdout.trim(), "metadata.md"))).isFile);
  const states = async () => {
    const { stdout } = await ran(["list", "--out", "forks"], { folder });
    const { convenings } = jsonOf(await runMain(["list", "--out", "forks", "--json"], { folder }));
    const [row] = convenings as Record<string, unknown>[];
    return [stdout.split("  ")[1], row?.["status"], row?.["isNewFork"]];
  };
  assert.deepEqual(await states(), ["new fork", "interrupted", true]);
  const refused = { flow: [], judge: [], brief: [], say: ["Words."], pause: [], watch: [] };
  for (const [command, words] of Object.entries(refused)) {
    const { code, stdout, stderr } = await runMain([command, String(fork), ...words], { folder });
    assert.notEqual(code, 0);
    assert.match(stdout + stderr, /\(new fork\)|[Nn]o process runs the convening/, command);
    assert.match(stdout + stderr, /[Nn]ew fork/, command);
  }
  await ran(["resume", String(fork), "--json"], { folder });
  assert.deepEqual(await states(), ["completed", "completed", undefined]);
  const shown = await runMain(["show", String(fork), "3", "--json"], { folder });
  const { body } = jsonOf(shown)["message"] as Record<string, unknown>;
  assert.match(String(body), /^Quite another opening\./);
  const { stdout: page } = await ran(["flow", String(fork)], { folder });
  assert.match(page, /^# Arguments: .*\n\n\*\*No model spoke: /);
  await ran(["verify", String(fork)], { folder });
});

withDebate.test("judge, flow and brief refuse a record that lacks a counted file; no failure of judge advises to resume", async ({ dir, folder }) => {
  const [entry] = await Array.fromAsync(Deno.readDir(join(dir, "scores")));
  const lost = entry!.name;
  const text = await Deno.readTextFile(join(dir, "scores", lost));
  await Deno.remove(join(dir, "scores", lost));
  for (const act of ["judge", "flow", "brief"]) {
    const end = await ran([act, dir, "--model", "offline"], { folder }, 1);
    assert.match(end.stderr, /metadata\.md: it counts 4 scores, but the truth files have 3/);
  }
  await Deno.writeTextFile(join(dir, "scores", lost), text);
  const name = `${lost.slice(0, 3)}_${judgeShortId("again-offline", "offline", "academic")}.md`;
  await Deno.mkdir(join(dir, "scores", name));
  const { stderr } = await ran(["judge", dir, "--rubric", "academic"], { folder }, 1);
  assert.match(stderr, /Cannot use .*scores/);
  assert.doesNotMatch(stderr, /To continue/);
});

withDebate.test("export writes each format, and index writes lost files again", async ({ dir, folder }) => {
  for (const format of ["md", "json", "txt", "html"]) {
    const end = await ran(["export", dir, "--format", format, "--json"], { folder });
    assert.equal(jsonOf(end)["path"], join(dir, `transcript.${format}`));
    await Deno.stat(join(dir, `transcript.${format}`));
  }
  const before = await Deno.readTextFile(join(dir, "index.md"));
  await Deno.remove(join(dir, "index.md"));
  await ran(["index", dir], { folder });
  assert.equal(await Deno.readTextFile(join(dir, "index.md")), before);
  await ran(["verify", dir], { folder });
});

withDebate.test("list prints the convenings of an archive, newest first", async ({ dir, folder }) => {
  const listed = await ran(["list"], { folder });
  assert.ok(listed.stdout.includes(TOPIC) && listed.stdout.trimEnd().endsWith(dir));
  const { convenings } = jsonOf(await runMain(["list", "--json"], { folder }));
  assert.deepEqual((convenings as { dir: string }[]).map((each) => each.dir), [dir]);
  await Deno.mkdir(join(folder, "empty"));
  const none = await ran(["list", "--out", "empty", "--json"], { folder });
  assert.deepEqual(jsonOf(none)["convenings"], []);
  const talk = ["dialogue", TOPIC, "--max-turns", "1", "--out", "talks", "--quiet"];
  await ran(talk, { folder });
  const piped = await ran(["list", "--out", "talks"], { folder });
  const { stdout } = await ran(["list", "--out", "talks"], { folder, columns: 80 });
  assert.doesNotMatch(piped.stdout, /unscored/);
  assert.match(stdout, / {2}completed {2}/);
});

withFolder.test("list and show reject missing records and messages by name", async (folder) => {
  const listed = await ran(["list", "--out", "nope"], { folder }, 2);
  assert.match(listed.stderr, /Cannot read --out .*nope": there is no such folder\n/);
  await ran(["list"], { folder });
  for (const command of ["scores", "claims", "show"]) {
    const read = await ran([command, "nope"], { folder }, 2);
    assert.match(read.stderr, /nope: no convening is there[^]*in a study's debates/);
  }
});

withFolder.test("resume reports that a completed convening needed nothing, or which files were repaired", async (folder) => {
  const more = ["--transcript", "md", "--seed", "1", "--json", "--quiet"];
  const end = await runMain(["debate", TOPIC, "--rounds", "0", ...more], { folder });
  const dir = String(jsonOf(end)["dir"]);
  const calm = await ran(["resume", dir], { folder });
  assert.match(calm.stderr, /was complete: nothing to do/);
  for (const name of ["index.md", "transcript.md"]) await Deno.remove(join(dir, name));
  await Deno.writeTextFile(join(dir, "scores.md"), "half");
  assert.match(
    (await runMain(["verify", dir], { folder })).stdout,
    /^transcript\.md: it is missing$/m,
  );
  const mended = await ran(["resume", dir], { folder });
  assert.match(mended.stderr, /was complete: repaired index\.md, scores\.md, transcript\.md\./);
  await ran(["verify", dir], { folder });
});

withDebate.test("list names the archive around a folder that is none", async ({ dir, folder }) => {
  const archive = join(folder, "convenings");
  for (const [within, what] of [[dirname(dir), "day"], [dir, "convening"]] as const) {
    const { stderr } = await ran(["list", "--out", within], { folder }, 2);
    assert.ok(stderr.endsWith(`: it is a ${what} of the archive ${archive}\nGive ${archive}.\n`));
  }
});

withDebate.test("delete moves a convening to the trash, and restore moves it back", async ({ dir, folder }) => {
  await ran(["delete", dir, "--json"], { folder });
  assert.match((await runMain(["list"], { folder })).stdout, /^No convenings/);
  const trash = join(folder, "convenings", "trash");
  const { stdout: row } = await runMain(["list", "--folder", "trash"], { folder });
  const other = ["list", "--folder", "trash", "--kind", "paper-debate"];
  assert.match((await runMain(other, { folder })).stdout, /^No match in 1 convening of /);
  const deleted = join(trash, dir.slice(join(folder, "convenings").length));
  assert.equal(row.trim().split("  ").at(-1), deleted);
  await ran(["restore", basename(dir)], { folder });
  await ran(["restore", dir], { folder }, 2);
  const { stdout: left } = await ran(["list", "--folder", "trash"], { folder });
  assert.equal(left, `No convenings in ${trash}\n`);
  await ran(["delete", dir], { folder });
  const back = await runMain(["restore", join(trash, "latest"), "--json"], { folder });
  assert.equal(jsonOf(back)["dir"], dir);
  await ran(["delete", dir], { folder });
  assert.equal(jsonOf(await ran(["restore", dir, "--json"], { folder }))["dir"], dir);
  await ran(["verify", dir], { folder });
});

withFolder.test("resume --max-turns limits a dialogue below its length, and lengthens it beyond", async (folder) => {
  const config = { topic: TOPIC, model: "offline", maxTurns: 4, limits: { maxTurns: 1 } };
  await Deno.writeTextFile(join(folder, "talk.yaml"), JSON.stringify(config));
  const talk = ["dialogue", "--config", "talk.yaml", "--json", "--quiet"];
  const dir = String(jsonOf(await ran(talk, { folder }, 3))["dir"]);
  for (const [turns, code] of [["2", 3], ["5", 0]] as const) {
    await ran(["resume", dir, "--max-turns", turns, "--quiet"], { folder }, code);
    assert.equal((await namesIn(join(dir, "messages"))).length, Number(turns));
  }
});
