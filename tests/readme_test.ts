// README and guides: samples, lists, links, configurations, and every printed command.
import assert from "node:assert/strict";
import { dirname, join } from "@std/path";
import { ensureDir, exists } from "@std/fs";
import { parse } from "@std/yaml";
import project from "../deno.json" with { type: "json" };
import { parseConfig } from "../mod.ts";
import { PROVIDERS, serverOf } from "../src/agents/registry.ts";
import { COMMANDS as CLI_COMMANDS } from "../src/cli/main.ts";
import { TASK_HOSTS, TASK_VARIABLES } from "../src/cli/permissions.ts";
import { PRESET_NAMES } from "../src/config/setting_shapes.ts";
import { PERSONAS } from "../src/inputs/yaml_files.ts";
import { RUBRICS } from "../src/judging/scoring.ts";
import { TEST_FLAGS } from "./run.ts";
import { withFolder } from "./support/cli.ts";
import { type DenoEnd, ROOT, runDeno } from "./support/deno_process.ts";
import { startModelServer } from "./support/model_server.ts";
import { runMain } from "./support/run_main.ts";
import { startSearchServer } from "./support/search_server.ts";
import { copyProject } from "./support/project_copy.ts";
import {
  blocksOf,
  type Command,
  commandsOf,
  filesOf,
  readGuides,
} from "./support/readme_commands.ts";
import { sourceFiles } from "./support/source_files.ts";
import { runSample, sampleOf, shownSample } from "./support/readme_sample.ts";

const GUIDES = await readGuides();
const README = GUIDES.get("README.md")!;
const TEXT = [...GUIDES.values()].join("\n");
/** Texts of the examples, whose tests run the command in each first comment. */
const EXAMPLES = (await sourceFiles("examples")).map(({ text }) => text).join("");
/** Test file that `deno task test` runs in the copy of the project, as an example; it imports no other file of tests. */
const ONE_SUITE = "tests/core/statistics_test.ts";

withFolder.test("README and guides show samples of a fresh run", async (folder) => {
  assert.deepEqual(shownSample(GUIDES), await sampleOf(await runSample(folder)));
});

Deno.test("README has at most 200 lines, each guide at most 150, and README links every guide", () => {
  for (const [path, text] of GUIDES) {
    const lines = text.split("\n").length - 1;
    assert.ok(lines <= (path === "README.md" ? 200 : 150), `${path}: ${lines} lines`);
    assert.ok(path === "README.md" || README.includes(`](${path})`), path);
  }
});

Deno.test("guides name every provider's base URL and API key, and the tests' flags", () => {
  for (const provider of Object.values(PROVIDERS)) {
    assert.ok(TEXT.includes(provider.baseUrl), provider.baseUrl);
    if ("apiKeyEnv" in provider) assert.ok(TEXT.includes(provider.apiKeyEnv));
  }
  assert.ok(TEXT.includes(`--no-lock ${TEST_FLAGS.join(" ")}\n`));
});

Deno.test("README lists every command; guides list every preset, persona and rubric, and the permissions for an installation", () => {
  for (const { name } of CLI_COMMANDS) assert.match(README, new RegExp(`^\\| \`${name}[ \`]`, "m"));
  const named = [...PRESET_NAMES, ...PERSONAS, ...RUBRICS.filter((id) => !/^debate-/.test(id))];
  for (const name of named) assert.ok(TEXT.includes(`\`${name}\``), name);
  assert.match(
    TEXT,
    new RegExp(`^deno install .*=${TASK_HOSTS.join(",")} .*=${TASK_VARIABLES.join(",")} `, "m"),
  );
});

Deno.test("README and guides: every linked file exists", async () => {
  const inSample = Object.values(shownSample(GUIDES)).join("\n");
  for (const [path, text] of GUIDES) {
    for (const [, link = ""] of text.matchAll(/\]\((?!https?:)([^)#]+)(?:#[^)]*)?\)/g)) {
      if (inSample.includes(`](${link})`)) continue;
      assert.ok(await exists(join(ROOT, dirname(path), link)), `${path}: ${link}`);
    }
  }
});

Deno.test("Guides of providers have valid configurations with a server and an API key", () => {
  for (const provider of ["azure", "bedrock", "openrouter"]) {
    const text = GUIDES.get(`context-network/guides/${provider}.md`)!;
    const [, block = ""] = /```yaml\n([\s\S]*?)```/.exec(text) ?? [];
    const { model, providers } = parseConfig(parse(block, { schema: "core" }));
    const { baseUrl, apiKeyEnv } = providers![provider]!;
    const server = serverOf(model!, {
      providers,
      env: (name) => name === apiKeyEnv ? "a-key" : undefined,
    });
    assert.deepEqual(server, { url: baseUrl, apiKeyEnv });
  }
});

Deno.test("README and guides: few commands are not run by tests, and each states why", () => {
  const commands = commandsOf(TEXT);
  const shown = commands.filter(({ shownOnly }) => shownOnly);
  assert.ok(shown.length <= 21, String(shown.map(({ words }) => words.join(" "))));
  assert.ok(commands.length - shown.length >= 20);
});

Deno.test("the task check checks the types of README's and guides' programs, with options that only make checks stricter", () => {
  const { tasks, compilerOptions } = project;
  const [, , ...checked] = tasks.check.command.split(" && ")
    .find((each) => each.startsWith("deno check --doc "))!.split(" ");
  for (const [path, text] of GUIDES) {
    const programs = blocksOf(text, "ts").filter((block) => !block.includes('"npm:'));
    assert.ok(programs.length === 0 || checked.includes(path), path);
  }
  assert.deepEqual(Object.values(compilerOptions), [true, true, true, true]);
});

/** Arguments that tasks put before those of the command line. */
const MAIN_ARGS: Readonly<Record<string, readonly string[]>> = {
  convenings: [],
  debate: ["debate"],
  study: ["study"],
};

/** Returns the commands to run; programs that follow each other with the same permissions are one command. */
function joined(commands: readonly Command[]): Command[] {
  const all: Command[] = [];
  for (const command of commands) {
    if (command.shownOnly) continue;
    if (EXAMPLES.includes(` *     ${command.words.join(" ")}\n`)) continue;
    const [last, program] = [all.at(-1), command.words.at(-1)!];
    const flagsOf = ({ words }: Command) =>
      words.slice(0, -1).filter((word) => !word.startsWith("--preload=")).join(" ");
    const isNext = /^deno run /.test(flagsOf(command)) && last?.folder === command.folder &&
      flagsOf(last) === flagsOf(command);
    if (!isNext) all.push(command);
    else {
      const [before, first] = [last.words.slice(0, -1), last.words.at(-1)!];
      all[all.length - 1] = { ...last, words: [...before, `--preload=./${first}`, program] };
    }
  }
  return all;
}

/** A user's machine: a checkout, a neighbouring project, a model server, and installed programs. */
class Machine {
  readonly #parent: string;
  /** Local servers by the base URLs in the README. */
  readonly #servers: Readonly<Record<string, string>>;
  /** Directory of the previous convening. */
  #dir = "";
  #hasTested = false;

  constructor(parent: string, servers: Readonly<Record<string, string>>) {
    this.#parent = parent;
    this.#servers = servers;
  }

  /** Runs a printed command; command lines of a task run in this process. */
  async run({ words, folder: from }: Command): Promise<DenoEnd> {
    const given = words.map((word) =>
      this.#servers[word] ?? word.replace(/^(|replay:)DIR(?=\/|$)/, `$1${this.#dir}`)
    );
    const folder = join(this.#parent, "convenings", from);
    const [program, command, task = "", ...args] = given;
    const name = program === "deno" && command === "task" ? MAIN_ARGS[task] : undefined;
    const done = { code: 0, stdout: "", stderr: "" };
    // The task `check` checks the same programs.
    if (program === "deno" && command === "check") return done;
    const plain = words.slice(program === "npx" ? 3 : 1).join(" ");
    if (plain === "task test" && this.#hasTested) return done;
    const end = name !== undefined
      ? await runMain([...name, ...args], { folder })
      : await runDeno(await this.#args(given), {
        folder,
        env: {
          INIT_CWD: "",
          TAVILY_API_KEY: "",
          TAVILY_BASE_URL: "",
          TMPDIR: "/tmp",
          DENO_INSTALL_ROOT: join(this.#parent, "installed"),
        },
      });
    this.#hasTested ||= plain === "task test";
    const last = end.stdout.trim().split("\n").at(-1) ?? "";
    if (last.endsWith("/index.md")) this.#dir = dirname(last);
    return end;
  }

  /** Returns the arguments of `deno` for a command. */
  async #args(words: readonly string[]): Promise<string[]> {
    const [program, ...rest] = words;
    if (program === "deno") return rest;
    if (program === "npx") {
      assert.deepEqual(rest.slice(0, 2), ["-y", `deno@${Deno.version.deno}`]);
      return rest.slice(2);
    }
    assert.equal(program, "convenings");
    const script = await Deno.readTextFile(join(this.#parent, "installed/bin/convenings"));
    const call = /^exec deno (.*) "\$@"$/m.exec(script)?.[1] ?? "";
    return [...call.split(" ").map((word) => word.replaceAll("'", "")), ...rest];
  }
}

Deno.test("README and guides: every command succeeds as printed", async (test) => {
  await withFolder(async (parent) => {
    await copyProject(join(parent, "convenings"), [ONE_SUITE]);
    await ensureDir(join(parent, "mine"));
    for (const [path, text] of filesOf(TEXT)) {
      await Deno.writeTextFile(join(parent, "convenings", path), text);
    }
    await using server = await startModelServer({
      respond({ body }) {
        const isClaims = body.response_format?.json_schema?.name === "claims";
        const last = body.messages.at(-1)?.content ?? "";
        const quote = /<statement>\n([^]*)\n<\/statement>/.exec(last)?.[1];
        return isClaims ? { json: { claims: [{ quote, text: `It says: ${quote}` }] } } : {};
      },
    });
    await using search = await startSearchServer();
    const machine = new Machine(parent, {
      "http://127.0.0.1:8080/v1": server.url,
      "http://127.0.0.1:8081": search.url,
    });
    for (const [path, text] of GUIDES) {
      await test.step(path, async () => {
        for (const command of joined(commandsOf(text))) {
          const { code, stdout, stderr } = await machine.run(command);
          assert.equal(code, command.code, `${command.words.join(" ")}\n${stdout}\n${stderr}`);
        }
      });
    }
    assert.ok(server.requests.length > 30, "a debate went to the server of --base-url");
    assert.ok(search.requests.length > 5, "claims went to the server of --search-url");
  });
});
