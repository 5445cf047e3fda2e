// Commands that read records: `search`, `show`, `judge`, short ids, `schema`.
import assert from "node:assert/strict";
import { basename, join } from "@std/path";
import { z } from "zod";
import { parseConfig } from "../../src/config/config.ts";
import { BUILT_IN } from "../../src/compose.ts";
import { publishedSchemas } from "../../src/operations/schemas.ts";
import { debateReport } from "../../src/papers/text/report.ts";
import { fileSchemas } from "../../src/record/read.ts";
import { reportFiles } from "../../src/record/paper_pages.ts";
import { paperFacts, paperStart } from "../papers/text/support/paper_record.ts";
import { jsonOf, namesIn, withFolder } from "../support/cli.ts";
import { startModelServer } from "../support/model_server.ts";
import { ran, runMain } from "../support/run_main.ts";
import { MODEL, startSpeaker } from "../support/speaking_model.ts";
import { TOPIC } from "../support/talkers.ts";

async function debate(args: readonly string[], folder: string): Promise<string> {
  const end = await ran(["debate", TOPIC, "--seed", "1", "--json", "--quiet", ...args], { folder });
  return String(jsonOf(end)["dir"]);
}

withFolder.test("search finds messages of an archive by words, best match first", async (folder) => {
  const dir = await debate(["--rounds", "0"], folder);
  const end = await ran(["search", "private cars", "--limit", "2", "--json"], { folder });
  const { results, convenings, messages, skipped } = jsonOf(end);
  const rows = results as { dir: string; seq: number; score: number; snippet: string }[];
  assert.equal(rows.length, 2);
  assert.ok(rows.every((row) => row.dir === dir && row.snippet !== ""));
  assert.ok(rows[0]!.score >= rows[1]!.score);
  assert.deepEqual([convenings, messages, skipped], [1, 6, []]);
  const told = await runMain(["search", "private cars", "--limit", "1"], { folder });
  assert.match(told.stdout, /^\S+_debate {2}\d+ {2}.*\n {4}.*\n$/);
  assert.ok(told.stdout.startsWith(dir));
  const shown = await runMain(["search", "cars", "--limit", "1"], { folder, columns: 200 });
  assert.ok(shown.stdout.startsWith(`${basename(dir)}  `), shown.stdout);
  const none = await runMain(["search", "zebra", "--out", "convenings"], { folder });
  assert.equal(none.stdout, "Nothing found in 6 messages of 1 convening\n");
  await Deno.writeTextFile(join(dir, "metadata.md"), "damaged");
  const damaged = await ran(["search", "cars"], { folder });
  assert.match(damaged.stderr, /^left out: .*_debate: /m);
});

withFolder.test("show --private, --rejected and --facts print the facts about a message", async (folder) => {
  await using server = await startModelServer({
    respond: ({ body }, index) =>
      JSON.stringify(body.response_format ?? {}).includes('"critique"') && index > 0
        ? {
          json: {
            reflection: `secret reflection ${index}`,
            critique: `secret critique ${index}`,
            speech: "Cities should ban private cars from their centres.",
          },
        }
        : {},
  });
  const dir = await debate([
    ...["--base-url", server.url, "--rounds", "1", "--rcr", "--fact-check", "standard"],
    ...["--guard", "coherence=off"],
  ], folder);
  const plain = await runMain(["show", dir, "4"], { folder });
  assert.doesNotMatch(plain.stdout, /secret/);
  const shown = await runMain(["show", dir, "6", "--private", "--rejected", "--facts"], {
    folder,
  });
  assert.match(shown.stdout, /## Private: reflection\n\nsecret reflection \d+\n/);
  assert.match(shown.stdout, /## Private: critique\n\nsecret critique \d+\n/);
  // Every speech is the same: all but a speaker's first are rejected.
  assert.match(shown.stdout, /## Rejected: attempt 1, by repetition\n\n.+\n\n> Cities should/);
  assert.match(shown.stdout, /## Fact check\n\n/);
  const json = jsonOf(await runMain(["show", dir, "6", "--json"], { folder }));
  const { private: fields, rejected, factCheck } = json;
  assert.match(JSON.stringify(fields), /secret reflection/);
  assert.deepEqual((rejected as { attempt: number }[]).map(({ attempt }) => attempt), [1, 2, 3]);
  assert.equal((factCheck as { mode: string }).mode, "standard");
  const check = join(dir, "fact-checks", "006.md");
  const claim =
    "claims: [{ text: It is warm, verdict: misleading, omitted: in summer, confidence: 0.5, sources: [] }]\n";
  const kept = await Deno.readTextFile(check);
  await Deno.writeTextFile(check, kept.replace(/^claims:.*\n(?: .*\n)*/m, claim));
  const facts = await runMain(["show", dir, "6", "--facts"], { folder });
  assert.match(facts.stdout, /^- misleading \(0\.5\): It is warm\n {2}- leaves out: in summer$/m);
  const intro = await runMain(["show", dir, "1", "--json"], { folder });
  assert.equal(jsonOf(intro)["private"], null);
  const unchecked = await runMain(["show", dir, "1", "--facts"], { folder });
  assert.match(unchecked.stdout, /\n## Facts\n\nNo facts are recorded about the message\.\n$/);
  await Deno.remove(join(dir, "index.md"));
  const missing = await ran(["show", dir], { folder }, 2);
  assert.match(
    missing.stderr,
    /it contains no index\.md\nWrite it again: convenings index DIR\./,
  );
});

withFolder.test("judge adds a panel's judgement", async (folder) => {
  await using speaker = await startSpeaker();
  const { env } = speaker;
  const dir = await debate(["--rounds", "0"], folder);
  const scores = join(dir, "scores");
  const before = await namesIn(scores);
  await Deno.writeTextFile(
    join(folder, "own.yaml"),
    "id: own\nscale: [0, 1]\ncriteria: [{ id: warmth, weight: 1, description: Is it warm? }]\n" +
      "anchors: [{ from: 0, means: none }]\n",
  );
  const end = await ran(
    ["judge", dir, "--rubric", "academic", "--model", MODEL, "--json"],
    { folder, env },
  );
  const { panel, status, winner } = jsonOf(end);
  const told = panel as Record<string, unknown>;
  assert.equal(told["rubric"], "academic");
  assert.deepEqual((told["judges"] as { model: string }[]).map(({ model }) => model), [MODEL]);
  for (const key of ["outcome", "scores", "unscored", "agreement", "contradictions"]) {
    assert.ok(key in told, key);
  }
  assert.equal(status, "completed");
  assert.equal(winner, jsonOf(await runMain(["resume", dir, "--json"], { folder }))["winner"]);
  assert.equal((await namesIn(scores)).length, 2 * before.length);
  const own = await ran(["judge", dir, "--rubric", "own.yaml"], { folder });
  assert.match(
    own.stdout,
    /^Judged by the rubric own: offline\n(?:Winner|Undecided|No winner): /,
  );
  const limited = ["judge", dir, "--rubric", "alternating", "--max-tokens", "1"];
  const stopped = await ran(limited, { folder }, 3);
  assert.match(
    stopped.stdout,
    /^Judged by the rubric alternating: offline\nStopped: limit of tokens\. /,
  );
  await ran(["verify", dir], { folder });
  const both = await ran(["judge", dir, "--model", "a", "--judge-model", "b"], { folder }, 2);
  assert.match(both.stderr, /Cannot use --model a: --judge-model names the judges/);
});

const RECORDS = join(import.meta.dirname!, "../../examples/records");

/** Copies the days of the shipped records into an archive, because links are not followed. */
async function archiveIn(folder: string): Promise<readonly string[]> {
  const ids: string[] = [];
  for (const day of ["2026-11-22", "2026-11-23"]) {
    for await (const { name, isDirectory } of Deno.readDir(join(RECORDS, day))) {
      if (!isDirectory || !/T/.test(name)) continue;
      const to = join(folder, "convenings", day, name);
      await Deno.mkdir(to, { recursive: true });
      for (const page of ["index.md", "metadata.md"]) {
        await Deno.copyFile(join(RECORDS, day, name, page), join(to, page));
      }
      ids.push(name);
    }
  }
  return ids.sort();
}

withFolder.test("judge says why the new judges named no winner, also in a debate that an audience decides", async (folder) => {
  const debate = ["debate", "Should cities ban private cars from their centres?", "--seed", "7"];
  const end = await runMain([...debate, "--decision", "audience", "--json"], { folder });
  const dir = String(jsonOf(end)["dir"]);
  const { stdout } = await ran(["judge", dir, "--rubric", "academic"], { folder });
  assert.match(
    stdout,
    /^Judged by the rubric academic: offline\nUndecided: the judge called a tie\.\n/,
  );
  assert.match(
    await Deno.readTextFile(join(dir, "index.md")),
    /^- Judged again, rubric academic, offline, without effect on the outcome: Undecided: the judge called a tie\. See \[scores\.md\]/m,
  );
});

withFolder.test("DIR is latest, an id or a unique prefix of an id, in the default archive or its parent", async (folder) => {
  const ids = await archiveIn(folder);
  const last = ids.at(-1)!;
  const day = last.slice(0, 10);
  const path = join(folder, "convenings", day, last);
  const page = await Deno.readTextFile(join(path, "index.md"));
  const words = [
    "latest",
    "convenings/latest",
    last,
    last.slice(0, 19),
    path,
    `${path}/index.md`,
  ];
  for (const word of words) {
    const end = await runMain(["show", word], { folder });
    assert.equal(end.stdout, page, word + end.stderr);
  }
  const json = await runMain(["verify", "latest", "--json"], { folder });
  assert.equal(JSON.parse(json.stdout).dir, path);
  for (const id of ids.filter((each) => each !== last && each.startsWith(day))) {
    await Deno.remove(join(folder, "convenings", day, id), { recursive: true });
  }
  for (const word of [day, `convenings/${day}`]) {
    assert.equal((await runMain(["show", word], { folder })).stdout, page, word);
  }
});

withFolder.test("--config DIR/metadata.md and replay:DIR take the names of DIR, and a replay answers for people too", async (folder) => {
  const cast = ["--participant", "Ines", "--participant", "Gil=human", "--max-turns", "2"];
  const end = await runMain(["dialogue", "Who pays for buses?", ...cast, "--json"], { folder });
  const dir = String(jsonOf(end)["dir"]);
  for (const word of ["latest", basename(dir), `${dir}/index.md`]) {
    const again = ["--config", `${word}/metadata.md`, "--model", `replay:${word}`, "--dry-run"];
    const { stdout } = await ran(["dialogue", ...again, "--json"], { folder });
    assert.deepEqual(Object.keys(JSON.parse(stdout).models), [`replay:${basename(dir)}`], word);
  }
});

withFolder.test("a replayed record is repeated and resumed by the directory that its model names", async (folder) => {
  const cast = ["--participant", "Ines", "--participant", "Gil", "--max-turns", "2"];
  await ran(["dialogue", "Who pays for buses?", ...cast], { folder });
  const replay = ["--model", "replay:latest", "--max-tokens", "1", "--out", "replays", "--json"];
  const stopped = await runMain(["dialogue", "Who pays for buses?", ...cast, ...replay], {
    folder,
  });
  const dir = String(jsonOf(stopped)["dir"]);
  const again = ["--config", `${dir}/metadata.md`, "--out", "again"];
  await ran(["dialogue", ...again, "--dry-run"], { folder });
  await ran(["resume", dir, "--max-tokens", "100000"], { folder });
});

withFolder.test("an ambiguous prefix is rejected with the matching ids, an unknown one with the searched folders", async (folder) => {
  const none = await ran(["verify", "latest"], { folder }, 2);
  assert.match(none.stderr, /^error: Cannot find the latest convening: \/.* has none/);
  const ids = await archiveIn(folder);
  for (const word of ["2026-11", "2026", "20"]) {
    const many = await ran(["show", word], { folder }, 2);
    assert.match(
      many.stderr,
      new RegExp(`which convening ${word} is: ${ids.length} ids begin with it\n`),
    );
    for (const id of ids.slice(-8)) assert.ok(many.stderr.includes(`\n  ${id}\n`), id);
  }
  for (const word of ["2025-01-01", "2025", "19"]) {
    const missing = await ran(["show", word], { folder }, 2);
    assert.match(
      missing.stderr,
      new RegExp(`Cannot find ${word}: .* no convening in /.*convenings has an id`),
    );
  }
});

const NAMES = ["report", "configuration", ...Object.keys(fileSchemas())];

/** Returns a checker made from a published JSON Schema alone. */
function checker(name: string): z.ZodType {
  const schema = publishedSchemas().find((each) => each.name === name)!.toJSON();
  return z.fromJSONSchema(JSON.parse(JSON.stringify(schema)));
}

Deno.test("publishedSchemas() has valid JSON Schemas of the report, of configurations and of every file type", () => {
  const schemas = publishedSchemas();
  assert.deepEqual(schemas.map(({ name }) => name), NAMES);
  for (const { name, about, toJSON } of schemas) {
    const schema = toJSON();
    assert.equal(schema.$schema, "https://json-schema.org/draft/2020-12/schema", name);
    assert.deepEqual([schema.title, schema.description], [name, about]);
    assert.ok(about !== "" && !about.includes("\n"));
  }
});

Deno.test("the published schema of a report accepts report.json and rejects a report with a missing key", () => {
  const [, file] = reportFiles(paperStart(), paperFacts(), (text) => text.length);
  const schema = checker("report");
  const written: unknown = JSON.parse(file!.text);
  assert.equal(schema.safeParse(written).success, true);
  const { verdict: _verdict, ...less } = debateReport(paperStart(), paperFacts())!;
  assert.equal(schema.safeParse(less).success, false);
  assert.equal(
    schema.safeParse({ ...less, verdict: { outcome: "won", winner: null } }).success,
    false,
  );
});

Deno.test("the published schema of configurations accepts what the program accepts", () => {
  const schema = checker("configuration");
  const config = { kind: "debate", topic: "Should cities ban private cars?", roundCount: 2 };
  assert.deepEqual(parseConfig(config), config);
  assert.equal(schema.safeParse(config).success, true);
  assert.equal(schema.safeParse({ ...config, roundCount: "two" }).success, false);
  assert.equal(schema.safeParse({ ...config, kind: "duel" }).success, false);
  const check = { kind: "judge-check", topic: config.topic, quick: true };
  assert.deepEqual(BUILT_IN.parse(check), check);
  assert.equal(schema.safeParse(check).success, true);
  assert.equal(schema.safeParse({ ...check, roundCount: 2 }).success, false);
});

withFolder.test("schema lists the schemas, prints one as JSON, and rejects an unknown name", async (folder) => {
  const list = await ran(["schema"], { folder });
  assert.deepEqual(list.stdout.trimEnd().split("\n").map((line) => line.split(/ {2,}/)[0]), NAMES);
  const { schemas } = jsonOf(await runMain(["schema", "--json"], { folder }));
  assert.deepEqual((schemas as { name: string }[]).map(({ name }) => name), NAMES);
  const report = publishedSchemas()[0]!.toJSON();
  for (const args of [["schema", "report"], ["schema", "report", "--json"]]) {
    const end = await runMain(args, { folder });
    assert.deepEqual([end.code, end.stderr], [0, ""]);
    assert.deepEqual(jsonOf(end), JSON.parse(JSON.stringify(report)));
  }
  const unknown = await runMain(["schema", "repotr"], { folder });
  assert.deepEqual([unknown.code, unknown.stdout], [2, ""]);
  assert.match(unknown.stderr, /Cannot print schema "repotr": there is no schema of that name/);
  assert.ok(unknown.stderr.includes(`Names: ${NAMES.join(", ")}.`), unknown.stderr);
});
