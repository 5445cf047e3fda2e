// Flags of `debate`, `dialogue` and `consensus`: recorded configuration and effects.
import assert from "node:assert/strict";
import { join } from "@std/path";
import { configurationOf, jsonOf, namesIn, withFolder } from "../support/cli.ts";
import { OFFLINE, ran, runMain } from "../support/run_main.ts";
import { startModelServer } from "../support/model_server.ts";
import { startSearchServer } from "../support/search_server.ts";
import { TOPIC } from "../support/talkers.ts";

const SMITH = `id: smith
name: The village smith
description: Someone who judges a plan by whether it can be forged in one winter.
reasoning_style: from the hand to the head
`;
const RUBRIC = `id: warmth-only
scale: [0, 5]
criteria:
  - { id: warmth, weight: 0.5, description: Is it warm? }
  - { id: light, weight: 0.5, description: Does it shed light? }
anchors: [{ from: 0, means: none }, { from: 4, means: much }]
`;

/** Flags that other flags require. */
const COMPANIONS: Readonly<Record<string, readonly string[]>> = {
  "--interrupt facts": ["--fact-check", "standard"],
  "--interrupt both": ["--fact-check", "standard"],
};

async function debate(args: readonly string[], folder: string): Promise<Record<string, unknown>> {
  const end = await ran(["debate", TOPIC, "--seed", "4", "--json", "--quiet", ...args], { folder });
  return jsonOf(end);
}

withFolder.test("debate's flags are recorded as configuration, and the record is accepted as a configuration", async (folder) => {
  await Deno.mkdir(join(folder, "people"));
  await Deno.writeTextFile(join(folder, "people", "smith.yaml"), SMITH);
  await Deno.writeTextFile(join(folder, "own.yaml"), RUBRIC);
  const { dir } = await debate([
    ...["--rounds", "1", "--format", "casual", "--moderation", "model", "--interrupt", "rules"],
    ...["--rcr", "--adaptive", "--baseline", "--decision", "audience", "--rubric", "own.yaml"],
    ...["--persona", "Advocate B=smith", "--persona", "economist", "--personas", "people"],
    ...["--words", "200-300", "--guard", "repetition=off", "--guard", "refused-terms=warn"],
    ...["--fact-check", "strict", "--search-url", "http://127.0.0.1:9/"],
    ...["--temperature", "0.3", "--judge-temperature", "0.1", "--simultaneous"],
    ...["--position", "Yes, they should", "--position", "No, not yet", "--transcript", "md,json"],
  ], folder);
  const configuration = await configurationOf(dir);
  const expected = {
    debateFormat: "casual",
    moderation: "model",
    interruptions: "rules",
    turnForm: "rcr",
    adaptive: true,
    baseline: true,
    decision: "audience",
    roundCount: 1,
    words: { min: 200, max: 300 },
    guards: { repetition: "off", refusedTerms: "warn" },
    factCheck: { mode: "strict", searchUrl: "http://127.0.0.1:9/" },
    temperature: 0.3,
    judgeTemperature: 0.1,
    pacing: "simultaneous",
    transcript: ["md", "json"],
  };
  for (const [key, value] of Object.entries(expected)) {
    assert.deepEqual(configuration[key], value, key);
  }
  assert.equal((configuration["rubric"] as { id: string }).id, "warmth-only");
  const speakers = configuration["participants"] as {
    name: string;
    persona?: string;
    position?: string;
  }[];
  assert.deepEqual(
    speakers.flatMap(({ position = [] }) => position),
    ["Yes, they should", "No, not yet"],
  );
  const personaOf = (name: string) => speakers.find((each) => each.name === name)?.persona ?? "";
  assert.match(personaOf("Advocate A"), /^Economist/);
  assert.match(personaOf("Advocate B"), /forged in one winter/);

  const again = await ran(
    ["debate", "--config", join(String(dir), "metadata.md"), "--json", "--quiet"],
    { folder },
  );
  const second = jsonOf(again)["dir"];
  assert.notEqual(second, dir);
  assert.deepEqual(await configurationOf(second), configuration);
  assert.deepEqual(
    await namesIn(join(String(second), "messages")),
    await namesIn(join(String(dir), "messages")),
  );
  const file = join(String(dir), "metadata.md");
  const positions = ["Only at night", "Never"].flatMap((each) => ["--position", each]);
  const start = ["debate", "--config", file, "--dry-run"];
  const planned = await ran([...start, "--prompts", ...positions], { folder });
  assert.match(planned.stdout, /You are Advocate A[^\n]* this position: Only at night\n/);
  assert.match(planned.stdout, /You are Advocate B[^\n]* this position: Never\n/);
  const three = await ran([...start, ...positions, "--position", "Always"], { folder }, 2);
  assert.match(three.stderr, /--position: 3 were given, the configuration has 2 advocates/);
  const other = await ran(["dialogue", "--config", file, "--json"], { folder }, 2);
  assert.equal((jsonOf(other)["error"] as Record<string, unknown>)["field"], "kind");
});

withFolder.test("debate --persona, --personas and --rubric are read relative to the working directory and reach the models", async (folder) => {
  await using server = await startModelServer();
  await Deno.writeTextFile(join(folder, "smith.yaml"), SMITH);
  await Deno.writeTextFile(join(folder, "own.yaml"), RUBRIC);
  await debate([
    ...["--base-url", server.url, "--rounds", "0", "--judge-model", "m-judge"],
    ...["--persona", "smith.yaml", "--persona", "blunt and brief", "--rubric", "own.yaml"],
  ], folder);
  const prompts = server.requests.map(({ body }) => JSON.stringify(body.messages));
  const last = (text: string) => prompts.filter((each) => each.includes(text)).length;
  assert.ok(last("forged in one winter") > 0, "the persona of a file");
  assert.ok(last("blunt and brief") > 0, "the persona in words");
  const judging = server.requests.filter(({ body }) => body.model === "m-judge");
  assert.ok(judging.some(({ body }) => JSON.stringify(body).includes("warmth")));
});

withFolder.test("debate reports an unreadable persona file in the folder and runs without it unless it is used", async (folder) => {
  await Deno.mkdir(join(folder, "people"));
  await Deno.writeTextFile(join(folder, "people", "smith.yaml"), SMITH);
  await Deno.writeTextFile(join(folder, "people", "broken.yaml"), "name: Broken\nshoe_size: 38\n");
  const debated = (persona: string) =>
    runMain([
      ...["debate", "Should cities ban private cars?", "--rounds", "0", "--max-turns", "1"],
      ...["--personas", "people", "--persona", persona],
    ], { folder });
  for (const persona of ["smith", "scientist"]) {
    const end = await debated(persona);
    assert.equal(end.code, 3, end.stderr);
    assert.match(end.stderr, /Skipped: Cannot use the persona ".*broken\.yaml": .*shoe_size/);
  }
  const used = await debated("broken");
  assert.equal(used.code, 2);
  assert.match(used.stderr, /^error: Cannot use the persona ".*broken\.yaml": .*shoe_size/m);
  const none = await debated("nobody");
  assert.match(none.stderr, /Cannot use persona "nobody": there is no persona of that name/);
});

withFolder.test("debate --preset oxford prints the audience's stances before and after", async (folder) => {
  const end = await ran(["debate", TOPIC, "--preset", "oxford", "--seed", "4", "--rounds", "1"], {
    folder,
  });
  assert.match(
    end.stdout,
    /^Audience of \d+, share that agrees: Advocate A \d+ % before, \d+ % after; Advocate B /m,
  );
});

withFolder.test("debate --fact-check looks claims up on the given server and prints the findings", async (folder) => {
  await using search = await startSearchServer({
    otherwise: {
      results: [{ title: "A page", url: "http://127.0.0.1/page", content: "It says so." }],
    },
  });
  await using server = await startModelServer({
    sample: (path) =>
      path === "claims"
        ? [{ quote: "It says what a model would say", text: "Buses carry forty people." }]
        : path === "sources"
        ? [1]
        : undefined,
  });
  const end = await ran([
    ...["debate", TOPIC, "--base-url", server.url, "--rounds", "0", "--fact-check", "standard"],
    ...["--search-url", search.url],
  ], { folder });
  assert.ok(search.requests.length > 0);
  assert.match(end.stderr, /^message \d+, fact check: \d+ claims?, /m);
  assert.match(end.stdout, /^Fact checks \(\w+\): \d+ claims? in \d+ messages, /m);
  assert.doesNotMatch(end.stderr, /No search is set up/);
});

withFolder.test("debate --fact-check without a search prints the sources of its checks", async (folder) => {
  await Deno.writeTextFile(join(folder, "notes.md"), "The harbour tunnel opened in 1987.\n");
  const args = ["debate", TOPIC, "--rounds", "0", "--fact-check", "standard"];
  const bare = await runMain(args, { folder });
  assert.match(bare.stderr, /^No search is set up and there are no sources, .*unverifiable.*$/m);
  await Deno.writeTextFile(join(folder, "long.md"), "The harbour is wide. ".repeat(2000));
  const sources = ["--source", "notes.md", "--source", "long.md"];
  const sourced = await runMain([...args, ...sources], { folder });
  assert.match(sourced.stderr, /^sources cut: \d+,\d+ characters of long\.md$/m);
  assert.match(sourced.stderr, /^No search is set up, .*own sources alone.*TAVILY_API_KEY/m);
  const key = await runMain(["debate", TOPIC, "--rounds", "0", "--fact-check", "off"], { folder });
  assert.doesNotMatch(key.stderr, /No search/);
});

withFolder.test("a search server outside the task's hosts is rejected with the command that allows it", async (folder) => {
  const search = ["--fact-check", "strict", "--search-url", "http://search.example:99"];
  const args = ["debate", TOPIC, ...search, "--json"];
  const end = await ran(args, { folder, permitted: OFFLINE }, 2);
  const { hint } = jsonOf(end)["error"] as Record<string, unknown>;
  assert.match(String(hint), /--allow-net=search\.example:99 /);
  assert.deepEqual(await namesIn(folder), []);
});

withFolder.test("debate --memory quotes an earlier convening to all participants", async (folder) => {
  await using server = await startModelServer();
  await debate(["--rounds", "0"], folder);
  const end = await ran([
    ...["debate", TOPIC, "--rounds", "0", "--base-url", server.url, "--out", "second"],
    ...["--memory", "convenings"],
  ], { folder });
  assert.match(end.stderr, /^an earlier convening is quoted: \S+_debate$/m);
  const [first] = server.requests;
  assert.ok(JSON.stringify(first?.body.messages).includes("An earlier convening on"));
});

withFolder.test("debate --baseline and a panel are reported in words and as JSON", async (folder) => {
  const json = await debate([
    ...["--rounds", "0", "--baseline", "--judge-model", "offline", "--judge-model", "offline"],
  ], folder);
  const baseline = json["baseline"] as { judge: string; changed: boolean }[];
  assert.deepEqual(baseline.map(({ judge }) => judge), ["judge-1", "judge-2"]);
  const { alpha, judges } = json["agreement"] as { alpha: number; judges: unknown[] };
  assert.equal(judges.length, 2);
  assert.equal(typeof alpha, "number");
  const told = await runMain(["resume", String(json["dir"])], { folder });
  assert.match(told.stdout, /^Agreement of 2 judges: Krippendorff's alpha is /m);
  assert.match(told.stdout, /^Before (and after )?the debate, Judge 1 favored /m);
});

withFolder.test("debate accepts every flag without a value, and every listed value of a flag", async (folder) => {
  const { stdout: help } = await runMain(["debate", "--help"], { folder });
  const flags = [...help.matchAll(/^ {2}(--[a-z-]+)(?: <([^>]+)>)?(?: {2}|$)/gm)]
    .filter(([, flag]) => flag !== "--help" && flag !== "--version")
    .flatMap(([, flag, values]) =>
      values === undefined
        ? [[flag!]]
        : values.includes("|") && !values.includes("file")
        ? values.split("|").map((value) => [flag!, value])
        : []
    );
  assert.ok(flags.length > 30, `${flags.length} flags`);
  for (const flag of flags) {
    await ran([
      "debate",
      TOPIC,
      ...flag,
      ...COMPANIONS[flag.join(" ")] ?? [],
      "--dry-run",
    ], { folder });
  }
});

withFolder.test("consensus prints what is agreed and what is open", async (folder) => {
  const args = [
    ...["consensus", TOPIC, "--participant", "Ada", "--participant", "Ben", "--seed", "2"],
    ...["--threshold", "0.6", "--stable-turns", "2"],
  ];
  const plan = await runMain([...args, "--dry-run"], { folder });
  assert.match(plan.stdout, /^consensus on: /);
  // The default participants.
  await ran(["consensus", TOPIC, "--persona", "Cleo=economist", "--dry-run"], { folder });
  const end = await ran([...args, "--json", "--quiet"], { folder });
  const { dir, consensus } = jsonOf(end);
  const { threshold, agreed, open } = consensus as Record<string, unknown[]>;
  assert.equal(threshold, 0.6);
  assert.ok((agreed?.length ?? 0) + (open?.length ?? 0) > 0);
  assert.equal((await configurationOf(dir))["stableTurns"], 2);
  const told = await runMain(["resume", String(dir)], { folder });
  assert.match(told.stdout, /^(Agreed|Open) \([\d.]+ % agree\), p\d: [^[]* \[Ada: (dis)?agree \d/m);
});
