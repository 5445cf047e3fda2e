// Structure of the sources: import order, packages, lazy loading, I/O, file names.
import assert from "node:assert/strict";
import { basename } from "@std/path";
import project from "../deno.json" with { type: "json" };
import tested from "../deno.test.json" with { type: "json" };
import published from "../deno.jsr.json" with { type: "json" };
import { type SourceFile, sourceFiles } from "./support/source_files.ts";

/** Folders of `src` in order: each may import only from itself and from folders before it. */
const ORDER: readonly string[] = [
  "core",
  "config",
  "checking",
  "judging",
  "engine",
  "consensus",
  "debate",
  "judge_check",
  "papers",
  "record",
  "agents",
  "studies",
  "client",
  "compose.ts",
  "operations",
  "viewer",
  "mcp",
  "server",
  "cli",
];

/** Files outside `compose.ts` that count as part of it. */
const COMPOSING = /^src\/(?:compose\.ts|inputs\/)/;

/** Folders without rules of their own: replacements for the standard library, and data files. */
const GROUND: readonly string[] = ["compat", "data"];

/** The agent files that may import more than `core`: the replay of a paper debate's arguments. */
const PAPER_AGENTS = /^src\/agents\/replay\/answers\.ts/;

/** Highest number of files in a chain of imports. */
const LONGEST_CHAIN = 22;

/** Folders of `src` that may use each package. */
const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  "@hono/node-server": [
    "cli",
  ],
  "@modelcontextprotocol/server": [
    "mcp",
  ],
  "@modelcontextprotocol/server/stdio": [
    "mcp",
  ],
  "@pydantic/genai-prices": [
    "config",
  ],
  "@std/fs": [
    "record",
  ],
  "@std/path": [
    "cli",
    "compat",
    "compose.ts",
    "core",
    "mcp",
    "operations",
    "record",
    "server",
    "studies",
    "viewer",
  ],
  "@std/yaml": ["core", "judge_check", "papers", "record", "studies"],
  "commander": [
    "cli",
  ],
  "diff": [
    "checking",
  ],
  "gpt-tokenizer/data/o200k_base.tiktoken": [
    "core",
  ],
  "gpt-tokenizer/encodingParams/constants": [
    "core",
  ],
  "hono": [
    "server",
    "viewer",
  ],
  "hono/body-limit": [
    "server",
  ],
  "hono/compress": [
    "server",
  ],
  "hono/cookie": [
    "server",
  ],
  "hono/cors": [
    "server",
  ],
  "hono/html": [
    "record",
  ],
  "hono/jsx/jsx-runtime": [
    "record",
  ],
  "hono/utils/http-status": [
    "operations",
  ],
  "hono/utils/url": [
    "server",
  ],
  "js-yaml": [
    "compat",
  ],
  "markdown-it": [
    "record",
  ],
  "node:buffer": ["compose.ts", "mcp"],
  "node:crypto": [
    "cli",
    "core",
    "record",
    "server",
    "studies",
  ],
  "node:fs": [
    "record",
  ],
  "node:http": [
    "cli",
  ],
  "node:https": [
    "cli",
  ],
  "node:path": [
    "compat",
  ],
  "node:process": ["mcp"],
  "node:stream": ["mcp"],
  "node:test": [
    "compat",
  ],
  "node:timers/promises": [
    "cli",
    "engine",
    "record",
    "server",
  ],
  "node:url": [
    "cli",
    "compose.ts",
  ],
  "node:util": [
    "cli",
    "record",
  ],
  "openai": [
    "agents",
  ],
  "p-retry": [
    "core",
  ],
  "stemmer": [
    "core",
  ],
  "stopwords-iso": [
    "core",
  ],
  "unpdf": [
    "papers",
  ],
  "ws": [
    "cli",
  ],
  "zod": [
    "agents",
    "checking",
    "compose.ts",
    "config",
    "consensus",
    "core",
    "debate",
    "engine",
    "judge_check",
    "judging",
    "mcp",
    "operations",
    "papers",
    "record",
    "server",
    "studies",
  ],
};

/** Packages that are loaded only when needed. */
const LAZY: readonly string[] = [
  "@hono/node-server",
  "@pydantic/genai-prices",
  "diff",
  "gpt-tokenizer",
  "stemmer",
  "stopwords-iso",
  "unpdf",
  "ws",
];

/** Files that may use each kind of I/O. */
const WORLD: readonly (readonly [touch: RegExp, files: readonly string[]])[] = [
  [/\bDeno\.(?!errors\b)/, [
    "src/cli/io.ts",
    "src/compat/std_fs.ts",
    "src/engine/tracing.ts",
    "src/inputs/servers.ts",
    "src/record/disk_files.ts",
    "src/record/folder_lock.ts",
  ]],
  [/\bconsole\./, []],
  [/(?<![.\w])fetch\(/, [
    "src/agents/openai_client.ts",
    "src/checking/searchers.ts",
    "src/cli/commands/serve.ts",
    "src/client/client.ts",
  ]],
  [/\bDate\.now\(|\bnew Date\(\)|\bperformance\./, [
    "src/agents/learned.ts",
    "src/agents/openai_client.ts",
    "src/cli/io.ts",
    "src/core/clock.ts",
  ]],
  [/\bMath\.random\(/, ["src/agents/limiter.ts", "src/core/retry.ts"]],
  [/\bcrypto\.(?:randomUUID|getRandomValues)/, [
    "src/core/files.ts",
    "src/engine/start.ts",
    "src/record/shelves.ts",
    "src/server/access.ts",
    "src/studies/redis.ts",
    "src/studies/shared_archive.ts",
  ]],
  [/\bset(?:Timeout|Interval)\(/, [
    "src/agents/limiter.ts",
    "src/agents/openai_stream.ts",
    "src/cli/listen.ts",
    "src/client/client.ts",
    "src/core/clock.ts",
    "src/engine/people.ts",
    "src/mcp/tool.ts",
    "src/record/derived_files.ts",
    "src/record/directory_record.ts",
    "src/record/folder_lock.ts",
    "src/server/events.ts",
    "src/server/request_body.ts",
  ]],
];

const SOURCE = await sourceFiles("src");

/** Returns the folder of `src` of a path; for other paths the top folder, or the path. */
function partOf(path: string): string {
  if (COMPOSING.test(path)) return "compose.ts";
  const [top, part = ""] = path.split("/");
  if (top === "src") return part;
  return top === "tests" ? `${top}/${part}` : path;
}

function findings(files: readonly SourceFile[], find: (file: SourceFile) => string[]): string[] {
  return files.flatMap((file) => find(file).map((each) => `${file.path}: ${each}`));
}

function isPath(target: string): boolean {
  return /\.(?:tsx?|json|yaml|css|js)$/.test(target);
}

Deno.test("src: a folder imports only from itself and from folders before it", () => {
  const wrong = findings(SOURCE, ({ path, imports }) => {
    const part = partOf(path);
    if (part === "testing") return [];
    const at = ORDER.indexOf(part);
    if (at === -1 && !GROUND.includes(part)) return [`the part ${part} has no place in the order`];
    return imports.filter((each) => isPath(each) && each.startsWith("src/")).filter((each) => {
      const other = partOf(each);
      if (other === part || GROUND.includes(other)) return false;
      if (part === "agents" && !PAPER_AGENTS.test(path)) return other !== "core";
      return ORDER.indexOf(other) > at;
    });
  });
  assert.deepEqual(wrong, []);
});

Deno.test("src/client: imports from other folders are type-only, since a browser loads this folder alone", () => {
  const files = SOURCE.filter(({ path }) => partOf(path) === "client");
  assert.ok(files.length > 1);
  const wrong = findings(files, ({ imports, types }) => {
    const loaded = [...imports];
    for (const each of types) loaded.splice(loaded.indexOf(each), 1);
    return loaded.filter((each) => partOf(each) !== "client");
  });
  assert.deepEqual(wrong, []);
});

Deno.test("src/client: a program that uses the client checks the types of few files", () => {
  const needed = new Set(["src/client/mod.ts"]);
  for (const path of needed) {
    const { imports = [] } = SOURCE.find((file) => file.path === path) ?? {};
    for (const each of imports.filter(isPath)) needed.add(each);
  }
  assert.ok(needed.size > 20 && needed.size <= 40, [...needed].join("\n"));
});

Deno.test("src: rules and prompts of a workflow import from core, data, judging and their own folder alone", () => {
  const rules = SOURCE.filter(({ path }) =>
    /^src\/(?:consensus|debate|papers|engine)\/.*(?:protocol|prompts)\.ts$/.test(path)
  );
  assert.ok(rules.length >= 2);
  const wrong = findings(rules, ({ path, imports }) => {
    const own = path.slice(0, path.lastIndexOf("/") + 1);
    return imports.filter((each) =>
      !/^src\/(?:core|data|judging)\//.test(each) && partOf(each) !== partOf(own)
    );
  });
  assert.deepEqual(wrong, []);
});

Deno.test("src: a dynamic import loads the module of its type", () => {
  const loads = SOURCE.flatMap(({ path, code }) => {
    const each = /typeof import\("([^"]+)"\)>\(\s*import\.meta\.resolve\("([^"]+)"\)/g;
    const row = /^\s+"([^"]+)": typeof import\("([^"]+)"\);$/gm;
    return [...code.matchAll(each), ...code.matchAll(row)]
      .map(([, type, module]) => [path, type, module]);
  });
  assert.ok(loads.length > 10);
  assert.deepEqual(loads.filter(([, type, module]) => type !== module), []);
});

Deno.test("src: no import cycles, type-only imports included, and no longer chain than the limit", () => {
  const imports = new Map(SOURCE.map((file) => [file.path, file.imports.filter(isPath)]));
  const longest = new Map<string, readonly string[]>();
  const cycles: string[] = [];
  const visit = (path: string, way: readonly string[]): readonly string[] => {
    const known = longest.get(path);
    if (known !== undefined) return known;
    if (way.includes(path)) {
      cycles.push([...way.slice(way.indexOf(path)), path].join(" -> "));
      return [];
    }
    let rest: readonly string[] = [];
    for (const next of imports.get(path) ?? []) {
      const chain = visit(next, [...way, path]);
      if (chain.length > rest.length) rest = chain;
    }
    longest.set(path, [path, ...rest]);
    return [path, ...rest];
  };
  const chains = SOURCE.map(({ path }) => visit(path, []));
  assert.deepEqual(cycles, []);
  const chain = chains.reduce((a, b) => b.length > a.length ? b : a, []);
  assert.ok(chain.length <= LONGEST_CHAIN, `${chain.length} files: ${chain.join(" -> ")}`);
  console.log(`longest chain of imports: ${chain.length} files`);
});

Deno.test("src: its size, printed", () => {
  const sizes = new Map<string, { files: number; lines: number }>();
  const linesOf = ({ text }: SourceFile) => text.split("\n").length - 1;
  for (const file of SOURCE) {
    const size = sizes.get(partOf(file.path)) ?? { files: 0, lines: 0 };
    sizes.set(partOf(file.path), { files: size.files + 1, lines: size.lines + linesOf(file) });
  }
  for (const [part, { files, lines }] of sizes) {
    console.log(`${part}: ${files} files, ${lines} lines`);
  }
  const total = SOURCE.reduce((sum, file) => sum + linesOf(file), 0);
  console.log(`src: ${SOURCE.length} files of TypeScript, ${total} lines`);
  assert.ok(total > 0);
});

const COMMAND = ["src/cli/main.ts", "src/cli/parse_arguments.ts"];

/** Entry files of each command, with the lazily loaded ones. */
const ENTRIES: Readonly<Record<string, readonly string[]>> = {
  "--version": ["src/cli/main.ts"],
  "list": [
    ...COMMAND,
    "src/cli/commands/reading.ts",
    "src/operations/list.ts",
    "src/record/list.ts",
  ],
  "show DIR": [...COMMAND, "src/cli/commands/show.ts"],
  "show DIR N": [...COMMAND, "src/cli/commands/show.ts", "src/record/list.ts"],
  "debate": [...COMMAND, "src/cli/run_convening.ts", "src/cli/commands/starting.ts"],
};

Deno.test("src: the files that a command loads, printed", () => {
  for (const [command, entries] of Object.entries(ENTRIES)) {
    for (const path of entries) assert.ok(SOURCE.some((file) => file.path === path), path);
    console.log(`${command} loads ${loadedBy(...entries).size} files of src`);
  }
});

/** Returns the files that the entries load before they run, without lazy and type-only imports. */
function loadedBy(...entries: readonly string[]): Set<string> {
  const loaded = new Set(entries);
  for (const each of loaded) {
    const file = SOURCE.find(({ path }) => path === each);
    for (const next of file ? loadedWith(file).filter(isPath) : []) loaded.add(next);
  }
  return loaded;
}

/** Returns the imports that load with a file. */
function loadedWith({ imports, lazy, types }: SourceFile): readonly string[] {
  const loaded = [...imports];
  for (const each of [...lazy, ...types]) loaded.splice(loaded.indexOf(each), 1);
  return loaded;
}

Deno.test("src: no file imports late what loads with the file", () => {
  const wrong = findings(SOURCE, (file) => {
    const loaded = loadedWith(file);
    return file.lazy.filter((each) => loaded.includes(each));
  });
  assert.deepEqual(wrong, []);
});

Deno.test("src: a package is used in exactly the folders of its row", () => {
  const used = new Map<string, Set<string>>();
  for (const { path, imports } of SOURCE) {
    for (const name of imports.filter((each) => !isPath(each))) {
      used.set(name, (used.get(name) ?? new Set()).add(partOf(path)));
    }
  }
  const found = [...used].map(([name, parts]) => [name, [...parts].sort()] as const);
  assert.deepEqual(Object.fromEntries(found.sort(([a], [b]) => a < b ? -1 : 1)), PACKAGES);
});

Deno.test("src: heavy packages are loaded only when needed", () => {
  const wrong = findings(
    SOURCE,
    ({ imports, lazy }) => LAZY.filter((name) => imports.includes(name) && !lazy.includes(name)),
  );
  assert.deepEqual(wrong, []);
});

for (const [touch, files] of WORLD) {
  const places = files.length === 0 ? "nowhere" : files.map((path) => path.slice(4)).join(", ");
  Deno.test(`src: ${touch.source} is only in these files: ${places}`, () => {
    const found = SOURCE.filter(({ code }) => touch.test(code)).map(({ path }) => path);
    assert.deepEqual(found, files);
  });
}

/** Published entry points. */
const ENTRY_FILES = ["mod.ts", "protocol.ts", "papers.ts", "scoring.ts", "studies.ts"] as const;

Deno.test("mod.ts, protocol.ts, papers.ts, scoring.ts and studies.ts only re-export", async () => {
  for (const { code } of await sourceFiles(...ENTRY_FILES)) {
    const rest = code.replace(/^export (?:type )?\{[^}]*\} from "\.\/src\/[^"]+";$/gm, "");
    assert.equal(rest.trim(), "");
  }
});

Deno.test("files are named in snake_case", async () => {
  const files = await sourceFiles("src", "examples", "tests");
  const wrong = files.map(({ path }) => path).filter((path) =>
    path.replace(/\.tsx?$/, "").split("/").some((part) =>
      !/^[a-z0-9]+(?:_[a-z0-9]+)*$/.test(part)
    ) ||
    /^(?:index|utils?|helpers?|common|misc|types)\.tsx?$/.test(basename(path))
  );
  assert.deepEqual(wrong, []);
});

Deno.test("code has none of the words in the list of unused words", async () => {
  const words: readonly RegExp[] = [
    /\b(?:class|interface|type) (?:I[A-Z]\w*|\w*Manager)\b/,
    /^\s*(?:export )?(?:const )?enum\b/m,
    /(?::|\bas|<) ?any\b/,
    /^\s*private\b/m,
    /@ts-ignore|@ts-nocheck/,
    /\bTODO\b|\bFIXME\b/,
  ];
  const files = await sourceFiles(...ENTRY_FILES, "src", "examples");
  const wrong = findings(
    files,
    ({ text, code }) =>
      words.filter((word) => word.test(word.source.startsWith("@") ? text : code)).map(String),
  );
  assert.deepEqual(wrong, []);
});

Deno.test("deno.test.json is deno.json with the packages of tests, a lock of its own, and the default compiler options", async () => {
  const { imports, lock, ...rest } = tested;
  const { tasks: _tasks, publish: _publish, lint: _lint, fmt: _fmt, ...shared } = project;
  // With the types of tests, the task `check` checks every module as a project with default options does.
  const { compilerOptions: _stricter, imports: _own, ...same } = shared;
  assert.deepEqual(rest, same);
  const imported = new Set((await sourceFiles("tests")).flatMap(({ imports }) => imports));
  const doors = Object.values(project.exports).map((path) => path.slice(2));
  assert.deepEqual(doors.filter((path) => !imported.has(path)), []);
  assert.equal(lock, "./deno.test.lock");
  assert.deepEqual({ ...imports, ...project.imports }, imports);
});

Deno.test("deno.jsr.json equals deno.json except for the standard library", () => {
  const { imports, ...rest } = project;
  const { imports: publishedImports, ...publishedRest } = published;
  assert.deepEqual(publishedRest, rest);
  assert.deepEqual(publishedImports, {
    ...imports,
    "@std/fs": "jsr:@std/fs@1",
    "@std/path": "jsr:@std/path@1",
    "@std/testing/bdd": "jsr:@std/testing@1/bdd",
    "@std/yaml": "jsr:@std/yaml@1",
  });
});
