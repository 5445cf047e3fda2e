// API keys and the base URLs that may receive them.
import assert from "node:assert/strict";
import { join } from "@std/path";
import { composeConvening, createAgent, memoryRecord, resume } from "../../mod.ts";
import { jsonOf, withFolder } from "../support/cli.ts";
import { type ModelServer, startModelServer } from "../support/model_server.ts";
import { runStudy } from "../../studies.ts";
import { ran, runMain } from "../support/run_main.ts";
import { startSearchServer } from "../support/search_server.ts";

const TOPIC = "Should cities ban private cars?";
const SHORT = ["--rounds", "0", "--quiet"];

/** Returns the API keys that a server received. */
function keysAt({ requests }: ModelServer): (string | undefined)[] {
  return [...new Set(requests.map(({ headers }) => headers["authorization"]))];
}

const hostOf = ({ url }: ModelServer) => new URL(url).host;

/** Creates a record with a base URL that the user never named. */
async function recordFor(server: ModelServer, folder: string): Promise<string> {
  const words = ["debate", TOPIC, ...SHORT, "--max-turns", "1", "--json", "--base-url", server.url];
  const { dir } = jsonOf(await runMain(words, { folder }));
  return String(dir);
}

withFolder.test("resume sends no API key to a base URL of the record, prints where the key would go, and sends it if that is allowed", async (folder) => {
  await using server = await startModelServer();
  const dir = await recordFor(server, folder);
  const before = server.requests.length;
  const env = { OPENAI_API_KEY: "sk-SECRETKEY" };

  const refused = await ran(["resume", dir], { folder, env }, 2);
  assert.match(
    refused.stderr,
    /Cannot use (?:--base-url|baseUrl): OPENAI_API_KEY would be sent to/,
  );
  assert.ok(refused.stderr.includes(`--allow-base-url ${hostOf(server)}`), refused.stderr);
  assert.equal(server.requests.length, before, "nothing is sent");
  await assert.rejects(resume(dir, { env: (name) => env[name as "OPENAI_API_KEY"] }), {
    code: "config_invalid",
    field: "baseUrl",
  });

  const noKey = await ran(["resume", dir, "--max-turns", "2"], { folder }, 3);
  assert.ok(noKey.stderr.includes(`Addresses: ${server.url}\n`), noKey.stderr);
  assert.deepEqual(keysAt(server), [undefined]);

  const given = { folder, env: { ...env, OPENAI_BASE_URL: server.url } };
  await ran(["resume", dir, "--max-turns", "3"], given, 3);
  const words = ["resume", dir, "--max-turns", "4", "--base-url", server.url];
  await ran(words, { folder, env }, 3);
  const more = ["--max-turns", "5", "--allow-base-url", hostOf(server)];
  const allowed = await ran(["resume", dir, ...more], { folder, env }, 3);
  assert.ok(allowed.stderr.includes(`${server.url} (with OPENAI_API_KEY)`), allowed.stderr);
  assert.deepEqual(keysAt(server), [undefined, "Bearer sk-SECRETKEY"]);
});

withFolder.test("judge sends no API key to a base URL of the record", async (folder) => {
  await using server = await startModelServer();
  const dir = await recordFor(server, folder);
  const env = { OPENAI_API_KEY: "sk-SECRETKEY" };
  const refused = await ran(["judge", dir], { folder, env }, 2);
  assert.match(refused.stderr, /OPENAI_API_KEY would be sent to/);
  assert.deepEqual(keysAt(server), []);
});

withFolder.test("study run sends API keys to addresses of a given file, and to those of a study's folder only if they are allowed", async (folder) => {
  await using server = await startModelServer();
  const file = join(folder, "s.yaml");
  const base = { kind: "debate", roundCount: 0, model: "m", baseUrl: server.url };
  const topics = [{ id: "cars", topic: TOPIC }];
  await Deno.writeTextFile(file, JSON.stringify({ study: "s", base, topics, seeds: 4 }));
  const env = { OPENAI_API_KEY: "sk-SECRETKEY" };
  const one = ["--limit", "1", "--quiet"];
  await ran(["study", "run", file, ...one], { folder });
  assert.deepEqual(keysAt(server), [undefined]);
  const before = server.requests.length;
  for (const words of [["run", "s"], ["run", "s", "--dry-run"], ["retry", "s"]]) {
    const refused = await ran(["study", ...words], { folder, env }, 2);
    assert.match(refused.stderr, /Cannot use baseUrl: OPENAI_API_KEY would be sent to/);
    assert.ok(refused.stderr.includes(`--allow-base-url ${hostOf(server)}`), refused.stderr);
  }
  const dir = join(folder, "convenings", "studies", "s");
  const options = { env: (name: string) => env[name as "OPENAI_API_KEY"] };
  await assert.rejects(runStudy(dir, options), { code: "config_invalid", field: "baseUrl" });
  await ran(["study", "report", "s"], { folder, env });
  await ran(["study", "export", "s"], { folder, env });
  assert.equal(server.requests.length, before, "nothing is sent");
  await ran(["study", "run", "s", ...one], { folder });
  assert.deepEqual(keysAt(server), [undefined]);

  const allowed = ["study", "run", "s", "--allow-base-url", hostOf(server), ...one];
  const again = await ran(allowed.slice(0, -1), { folder, env });
  assert.ok(again.stderr.includes(`${dir} --allow-base-url ${hostOf(server)}\n`), again.stderr);
  const given = await ran(["study", "run", file], { folder, env });
  assert.match(given.stdout, /4 of 4 done/);
  assert.deepEqual(keysAt(server), [undefined, "Bearer sk-SECRETKEY"]);
});

withFolder.test("study run sends files that a study's folder names to no server elsewhere that the folder names", async (folder) => {
  const file = join(folder, "s.yaml");
  await Deno.writeTextFile(join(folder, "secret.md"), "A file of this machine.");
  const topics = [{ id: "cars", topic: TOPIC }];
  const providers = { x: { baseUrl: "https://elsewhere.invalid/v1" } };
  for (const named of [{ sources: ["secret.md"] }, { moderatorModel: "replay:other" }]) {
    const base = { kind: "debate", roundCount: 0, model: "x:m", providers, ...named };
    const study = Object.keys(named)[0]!.toLowerCase();
    await Deno.writeTextFile(file, JSON.stringify({ study, base, topics }));
    await ran(["study", "run", file, "--limit", "0"], { folder });
    for (const flags of [[], ["--dry-run"]]) {
      const refused = await ran(["study", "run", study, ...flags], { folder }, 2);
      assert.match(refused.stderr, /": it would be sent to elsewhere\.invalid, and both come from/);
    }
  }
});

withFolder.test("files that a found convenings.yaml names are sent to no server elsewhere that it names", async (folder) => {
  const path = join(folder, "convenings.yaml");
  const provider = "https://elsewhere.invalid/v1";
  const text = `sources: [secret.md]\nproviders: { x: { baseUrl: "${provider}" } }\n`;
  await Deno.writeTextFile(join(folder, "secret.md"), "A file of this machine.");
  await Deno.writeTextFile(path, `${text}model: "x:m"\n`);
  const words = ["debate", TOPIC, ...SHORT, "--dry-run"];
  const refused = await ran(words, { folder }, 2);
  assert.match(refused.stderr, /secret\.md": it would be sent to elsewhere\.invalid, and both/);
  await ran([...words, "--allow-base-url", "elsewhere.invalid"], { folder });
  await ran([...words, "--config", path], { folder });
  await Deno.writeTextFile(path, `${text}model: offline\n`);
  await ran(words, { folder });
  const addresses = "baseUrl: https://a.invalid/v1\nfactCheck: { searchUrl: https://b.invalid }\n";
  await Deno.writeTextFile(path, `sources: [secret.md]\nmodel: m\n${addresses}`);
  // No server is asked, unless a flag names a model of the file's server.
  const offline = [...words, "--model", "offline", "--fact-check", "off"];
  await ran(offline, { folder });
  const judged = await ran([...offline, "--judge-model", "m"], { folder }, 2);
  assert.match(judged.stderr, /secret\.md": it would be sent to a\.invalid/);
  const search = ["--search-url", "https://d.invalid"];
  const base = await ran([...words, "--base-url", "https://c.invalid/v1"], { folder }, 2);
  assert.match(base.stderr, /it would be sent to b\.invalid/);
  await ran([...words, "--base-url", "https://c.invalid/v1", ...search], { folder });
  for (const wrong of ["model: 7", "sources: 4", "participants: 3", "memory:"]) {
    await Deno.writeTextFile(path, wrong);
    const { stderr } = await ran(words, { folder }, 2);
    assert.ok(
      stderr.includes(`error: Cannot use ${wrong.split(":")[0]}`) && !stderr.includes("blank"),
      stderr,
    );
  }
});

Deno.test("a --config file's baseUrl gets OPENAI_API_KEY and a provider's own key, but no other built-in provider's key", async () => {
  await using server = await startModelServer();
  const env = { OPENAI_API_KEY: "sk-openai", OPENROUTER_API_KEY: "sk-router", MINE: "sk-mine" };
  const cases: [text: string, field: RegExp | undefined][] = [
    [`baseUrl: ${server.url}`, undefined],
    [
      `model: x:m\nproviders: { x: { baseUrl: "${server.url}", apiKeyEnv: OPENROUTER_API_KEY } }`,
      /providers\.x\.baseUrl: OPENROUTER_API_KEY would be sent to .* belongs to openrouter\.ai/,
    ],
    [`model: x:m\nproviders: { x: { baseUrl: "${server.url}", apiKeyEnv: MINE } }`, undefined],
  ];
  for (const [text, field] of cases) {
    await withFolder(async (folder) => {
      const path = join(folder, "c.yaml");
      await Deno.writeTextFile(path, `${text}\n`);
      const words = ["debate", TOPIC, "--config", path, ...SHORT];
      const end = await runMain(words, { folder, env });
      if (field === undefined) return assert.equal(end.code, 0, end.stderr);
      assert.equal(end.code, 2, end.stderr);
      assert.match(end.stderr, field);
      assert.ok(!keysAt(server).includes("Bearer sk-router"));
    });
  }
  assert.deepEqual(keysAt(server), ["Bearer sk-openai", "Bearer sk-mine"]);
});

Deno.test("in a program a base URL in the call gets OPENAI_API_KEY, and a provider's entry gets no built-in key", async () => {
  await using server = await startModelServer();
  const env = (name: string) => `sk-${name}`;
  const providers = { x: { baseUrl: server.url, apiKeyEnv: "GOOGLE_API_KEY" } };
  const config = { kind: "debate" as const, topic: TOPIC, roundCount: 0 };
  const workflow = await composeConvening({ ...config, baseUrl: server.url }, {
    env,
    record: memoryRecord(),
  });
  await workflow.run();
  assert.deepEqual(keysAt(server), ["Bearer sk-OPENAI_API_KEY"]);
  assert.throws(() => createAgent("x:m", { env, providers }), {
    code: "config_invalid",
    field: "providers.x.baseUrl",
  });
  const allowBaseUrls = [hostOf(server)];
  assert.equal(createAgent("x:m", { env, providers, allowBaseUrls }).model, "x:m");
  const untrusted = ["baseUrl"] as const;
  assert.throws(() => createAgent("m", { env, baseUrl: server.url, untrusted }), {
    field: "baseUrl",
  });
});

withFolder.test("verify sends nothing and accepts any base URL of the record", async (folder) => {
  await using server = await startModelServer();
  await using search = await startSearchServer();
  const env = { OPENAI_API_KEY: "sk-SECRETKEY", TAVILY_API_KEY: "tvly-SECRETKEY" };
  const checked = ["--fact-check", "standard", "--search-url", search.url];
  const words = ["debate", TOPIC, ...SHORT, ...checked, "--base-url", server.url];
  const held = await ran([...words, "--model", "gpt-4o-mini", "--json"], { folder, env });
  const before = server.requests.length;
  const end = await ran(["verify", String(jsonOf(held)["dir"])], { folder, env });
  assert.match(end.stdout, /^Sound/);
  assert.equal(server.requests.length, before);
});
