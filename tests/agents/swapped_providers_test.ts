// A debate with a different provider for each role, killed and then resumed with one provider replaced.
import assert from "node:assert/strict";
import { join } from "@std/path";
import { parse } from "@std/yaml";
import { listConvenings, verify } from "../../mod.ts";
import { type CliProcess, jsonOf, startCli } from "../support/cli.ts";
import { filesUnder } from "../support/golden_runs.ts";
import { PROVIDER_ROWS } from "../support/provider_rows.ts";
import { runMain } from "../support/run_main.ts";

/** Flags of a process that loads adapters as the tests do. */
const PROCESS = [
  "--no-check",
  "--no-prompt",
  "--allow-read",
  "--allow-write",
  "--allow-env",
  "--allow-net=127.0.0.1",
  "--frozen",
  `--config=${new URL("../../deno.test.json", import.meta.url).pathname}`,
];

/** Provider of each role, by the name of its local server. */
const ROLES = {
  ada: "OpenAI, a reasoning model",
  ben: "DeepSeek",
  moderator: "Mistral, content lists",
  judge: "Anthropic Messages",
  checker: "Ollama",
  /** Replaces Ben's provider, or the judge's. */
  swapped: "Gemini, chat completions",
} as const;
type Role = keyof typeof ROLES;

const rowOf = (role: Role) => PROVIDER_ROWS.find(({ name }) => name === ROLES[role])!;
const modelOf = (role: Role) => `${rowOf(role).prefix}:${rowOf(role).model}`;

/** Returns the settings of a debate with a role on each provider. */
function settingsOn(providers: object) {
  const checker = modelOf("checker");
  const claims = { extractionModel: checker, verificationModel: checker };
  return {
    topic: "Should cities ban private cars from their centres?",
    kind: "debate",
    roundCount: 1,
    participants: [
      { id: "ada", name: "Ada", position: "Ban them", model: modelOf("ada"), temperature: 0.4 },
      { id: "ben", name: "Ben", position: "Keep them", model: modelOf("ben") },
    ],
    moderatorModel: modelOf("moderator"),
    moderation: "model",
    judges: [{ name: "Jo", model: modelOf("judge") }],
    sources: ["source.md"],
    factCheck: { mode: "standard", maxClaims: 1, ...claims },
    providers,
    seed: 1,
    allowUnknownPrices: true,
  };
}

/**
 * Runs the debate and kills its process at a role's request with a number, or at the next one after a folder has a page;
 * then resumes with other models.
 */
async function heldTwice(
  { role, number, page = "messages", flags }: {
    readonly role: Role;
    readonly number: number;
    readonly page?: "messages" | "scores";
    readonly flags: readonly string[];
  },
) {
  const folder = await Deno.makeTempDir();
  await using servers = new AsyncDisposableStack();
  let child: CliProcess | undefined;
  let isKilled = false;
  try {
    const providers: Record<string, unknown> = {};
    for (const each of Object.keys(ROLES) as Role[]) {
      const row = rowOf(each);
      const kill = (at: number) => {
        if (each !== role || at < number || isKilled || !hasPage(folder, page)) return;
        isKilled = true;
        child?.kill("SIGKILL");
      };
      const server = servers.use(await row.start(kill));
      providers[row.prefix] = { baseUrl: server.url, ...row.provider };
    }
    const source = "Streets without cars had half as many accidents.";
    await Deno.writeTextFile(join(folder, "source.md"), source);
    const settings = JSON.stringify(settingsOn(providers));
    await Deno.writeTextFile(join(folder, "settings.yaml"), settings);
    child = startCli(["debate", "--config", "settings.yaml"], { folder, flags: PROCESS });
    assert.notEqual((await child.end).code, 0);
    const [found] = await listConvenings(join(folder, "convenings"));
    const { dir } = found!;
    const before = await filesUnder(dir);
    child = undefined;
    const end = await runMain(["resume", dir, ...flags, "--json"], { folder });
    assert.equal(end.code, 0, end.stderr + end.stdout);
    assert.deepEqual((await verify(dir)).findings, []);
    return { before, files: await filesUnder(dir), result: jsonOf(end) };
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** True if a folder with this name, at any depth, has a complete page. */
function hasPage(folder: string, name: string): boolean {
  return [...Deno.readDirSync(folder)].some((each) =>
    each.isDirectory
      ? hasPage(join(folder, each.name), name)
      : folder.endsWith(`/${name}`) && each.name.endsWith(".md")
  );
}

type Files = ReadonlyMap<string, string>;

/** Returns the front matter of a page. */
function dataOf(files: Files, path: string): Record<string, unknown> {
  return parse(files.get(path)!.split("---\n")[1]!, { schema: "core" }) as Record<string, unknown>;
}

/** Returns the models of a folder's facts by file; a message has its model under `made`. */
function modelsIn(files: Files, folder: string): string[] {
  // A page that was incomplete at a kill has another suffix.
  const pages = [...files.keys()].filter((path) =>
    path.startsWith(`${folder}/`) && path.endsWith(".md")
  );
  return pages.toSorted().map((path) => {
    const { model, made } = dataOf(files, path) as { model?: string; made?: { model: string } };
    return model ?? made!.model;
  });
}

/** Returns models with the parameters that were not sent as configured. */
function droppedIn(files: Files): Set<string> {
  const { dropped = [] } = dataOf(files, "metadata.md");
  const list = dropped as readonly Record<string, string>[];
  return new Set(list.map(({ model, parameter }) => `${model} ${parameter}`));
}

Deno.test("a debater whose provider is replaced after a kill: pages name each turn's speaker and model, and the dropped parameters", async () => {
  const models = [modelOf("ada"), modelOf("swapped")];
  const { before, files, result } = await heldTwice({
    role: "ben",
    number: 2,
    flags: models.flatMap((model) => ["--advocate-model", model]),
  });
  const [ada, ben, moderator, other] = (["ada", "ben", "moderator", "swapped"] as const).map(
    modelOf,
  );
  assert.deepEqual(modelsIn(before, "messages"), [moderator, ben, ada]);
  assert.deepEqual(droppedIn(before), new Set([`${ada} temperature`, `${ben} seed`]));

  const spoken = modelsIn(files, "messages");
  assert.deepEqual(spoken.slice(0, 3), [moderator, ben, ada]);
  assert.deepEqual(new Set(spoken.slice(3)), new Set([other, ada, moderator]));
  const note = `Ben spoke by ${ben} in turn 2; by ${other} in turns 4, 6, 8, 12.`;
  const metadata = dataOf(files, "metadata.md");
  const notes = ["Jo gave all 10 turns the same total, 5.", note];
  assert.deepEqual(metadata["notes"], notes);
  assert.deepEqual(result["notes"], notes);
  assert.match(
    files.get("index.md")!,
    /^- Ben spoke by deepseek.* in turn 2; by google.* in turns 4, 6, 8, 12\.$/m,
  );
  const judge = modelOf("judge");
  const expected = [`${ada} temperature`, `${ben} seed`, `${judge} seed`, `${judge} temperature`];
  assert.deepEqual(droppedIn(files), new Set(expected));
});

Deno.test("a judge whose provider is replaced after a kill: each score names its model, and the agreement has both", async () => {
  const { before, files } = await heldTwice({
    role: "judge",
    number: 5,
    page: "scores",
    flags: ["--judge-model", modelOf("swapped")],
  });
  const [judge, other] = (["judge", "swapped"] as const).map(modelOf);
  const early = modelsIn(before, "scores").length;
  assert.ok(early > 0 && early < 10);
  assert.deepEqual(new Set(modelsIn(before, "scores")), new Set([judge]));
  assert.equal(modelsIn(files, "scores").filter((model) => model === judge).length, early);
  assert.deepEqual(modelsIn(files, "verdicts"), [other, other]);
  const { judges } = dataOf(files, "metadata.md")["agreement"] as {
    judges: Record<string, unknown>[];
  };
  assert.deepEqual(
    judges.map(({ model, scored }) => [model, scored]),
    [[judge, early], [other, 10 - early]],
  );
});
