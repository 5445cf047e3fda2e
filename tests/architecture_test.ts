import assert from "node:assert/strict";
import { basename } from "@std/path";
import project from "../deno.json" with { type: "json" };
import tested from "../deno.test.json" with { type: "json" };
import published from "../deno.jsr.json" with { type: "json" };
import { functionSizes, type SourceFile, sourceFiles } from "./support/source_files.ts";

/** What each part of `src` may import besides itself. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  core: [],
  compat: [],
  participants: ["core"],
  agents: ["core"],
  output: ["core"],
  retrieval: ["core"],
  tools: ["core", "retrieval"],
  rubrics: ["core"],
  personas: ["core"],
  presets: ["core"],
  workflows: ["core", "participants", "rubrics", "presets"],
  reading: ["core", "output", "retrieval", "rubrics", "personas"],
  "compose.ts": [
    "core",
    "participants",
    "agents",
    "retrieval",
    "tools",
    "output",
    "workflows",
    "rubrics",
    "reading",
  ],
  library: ["core", "participants", "output", "retrieval", "workflows", "rubrics", "compose.ts"],
  server: [
    "core",
    "library",
    "output",
    "personas",
    "reading",
    "rubrics",
    "workflows",
    "mcp",
    "compose.ts",
    "deno.json",
  ],
  mcp: ["core", "library", "output", "reading", "deno.json"],
  cli: ["core", "reading", "library", "compose.ts", "deno.json", "mcp", "server"],
  "testing.ts": ["agents", "tests/contracts"],
};

/** The parts of `src` each package is used in. */
const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  "@hono/node-server": ["cli"],
  "@modelcontextprotocol/server": ["mcp"],
  "@modelcontextprotocol/server/stdio": ["mcp"],
  "@std/fs": ["output"],
  "@std/path": [
    "cli",
    "compat",
    "compose.ts",
    "core",
    "library",
    "mcp",
    "output",
    "reading",
    "server",
  ],
  "@std/yaml": ["cli", "core", "output"],
  commander: ["cli"],
  diff: ["core"],
  "gpt-tokenizer": ["core"],
  hono: ["server"],
  "hono/body-limit": ["server"],
  "hono/cookie": ["server"],
  "hono/html": ["server"],
  "hono/utils/http-status": ["server"],
  "js-yaml": ["compat"],
  "markdown-it": ["output", "server"],
  minisearch: ["retrieval"],
  "node:crypto": ["core", "output", "server"],
  "node:fs": ["output"],
  "node:http": ["cli"],
  "node:path": ["compat"],
  "node:test": ["compat"],
  "node:timers/promises": ["output", "retrieval", "tools", "workflows"],
  "node:url": ["cli"],
  "node:util": ["output"],
  openai: ["agents"],
  "p-retry": ["tools", "workflows"],
  stemmer: ["core", "retrieval"],
  "stopwords-iso": ["core"],
  unpdf: ["reading"],
  zod: [
    "agents",
    "core",
    "library",
    "mcp",
    "output",
    "personas",
    "rubrics",
    "server",
    "tools",
    "workflows",
  ],
};

/** Packages that are loaded only where they are needed. */
const LAZY: readonly string[] = [
  "@hono/node-server",
  "diff",
  "gpt-tokenizer",
  "stemmer",
  "stopwords-iso",
  "unpdf",
];

/** Where the world outside may be touched, by what touches it. */
const WORLD: readonly (readonly [touch: RegExp, files: readonly string[]])[] = [
  [/\bDeno\.(?!errors\b)/, [
    "src/cli/io.ts",
    "src/compat/std_fs.ts",
    "src/compose.ts",
    "src/output/disk_files.ts",
    "src/output/fs_store.ts",
  ]],
  [/\bconsole\./, []],
  [/(?<![.\w])fetch\(/, ["src/agents/openai.ts", "src/tools/web_search.ts"]],
  [/\bDate\.now\(|\bnew Date\(\)|\bperformance\./, [
    "src/agents/deadline.ts",
    "src/agents/openai_errors.ts",
    "src/cli/io.ts",
    "src/core/clock.ts",
  ]],
  [/\bMath\.random\(/, []],
  [/\bcrypto\.(?:randomUUID|getRandomValues)/, [
    "src/core/files.ts",
    "src/output/inbox.ts",
    "src/server/access.ts",
    "src/workflows/start.ts",
  ]],
  [/\bset(?:Timeout|Interval)\(/, [
    "src/agents/deadline.ts",
    "src/cli/listen.ts",
    "src/library/watching.ts",
    "src/output/derived_files.ts",
    "src/output/directory_record.ts",
    "src/output/disk_files.ts",
    "src/server/body_limit.ts",
    "src/server/event_stream.ts",
    "src/workflows/engine/caller.ts",
    "src/workflows/engine/floor.ts",
  ]],
];

const MAX_FILE_LINES = 500;
const MAX_FUNCTION_LINES = 60;

const SOURCE = await sourceFiles("src");

/** The part of `src` a path is in: a folder or a file of it; elsewhere the folder, or the path. */
function partOf(path: string): string {
  const [top, part = ""] = path.split("/");
  if (top === "src") return part;
  return top === "tests" ? `${top}/${part}` : path;
}

function findings(files: readonly SourceFile[], find: (file: SourceFile) => string[]): string[] {
  return files.flatMap((file) => find(file).map((each) => `${file.path}: ${each}`));
}

function isPath(target: string): boolean {
  return /\.(?:ts|json|yaml|css|js)$/.test(target);
}

Deno.test("src: a part imports from itself and from what its row names, nothing else", () => {
  const wrong = findings(SOURCE, ({ path, imports }) => {
    const part = partOf(path);
    const allowed = MAY_IMPORT[part];
    if (allowed === undefined) return [`the part ${part} has no row`];
    return imports.filter(isPath)
      .filter((each) => partOf(each) !== part && !allowed.includes(partOf(each)));
  });
  assert.deepEqual(wrong, []);
});

Deno.test("src: rules and prompts of a workflow import from core and their own folder", () => {
  const rules = SOURCE.filter(({ path }) =>
    /^src\/workflows\/.*(?:protocol|prompts)\.ts$/.test(path)
  );
  assert.ok(rules.length >= 2);
  const wrong = findings(rules, ({ path, imports }) => {
    const own = path.slice(0, path.lastIndexOf("/") + 1);
    return imports.filter((each) => !each.startsWith("src/core/") && !each.startsWith(own));
  });
  assert.deepEqual(wrong, []);
});

Deno.test("src: no cycles, type-only imports included", () => {
  const imports = new Map(SOURCE.map((file) => [file.path, file.imports.filter(isPath)]));
  const done = new Set<string>();
  const visit = (path: string, way: readonly string[]): string[] => {
    if (way.includes(path)) return [[...way.slice(way.indexOf(path)), path].join(" -> ")];
    if (done.has(path)) return [];
    const found = (imports.get(path) ?? []).flatMap((next) => visit(next, [...way, path]));
    done.add(path);
    return found;
  };
  assert.deepEqual(SOURCE.flatMap(({ path }) => visit(path, [])), []);
});

Deno.test("src: a package is used in the parts its row names, all of them", () => {
  const used = new Map<string, Set<string>>();
  for (const { path, imports } of SOURCE) {
    for (const name of imports.filter((each) => !isPath(each))) {
      used.set(name, (used.get(name) ?? new Set()).add(partOf(path)));
    }
  }
  const found = [...used].map(([name, parts]) => [name, [...parts].sort()] as const);
  assert.deepEqual(Object.fromEntries(found.sort(([a], [b]) => a < b ? -1 : 1)), PACKAGES);
});

Deno.test("src: heavy packages are loaded where they are needed, not before", () => {
  const wrong = findings(
    SOURCE,
    ({ imports, lazy }) => LAZY.filter((name) => imports.includes(name) && !lazy.includes(name)),
  );
  assert.deepEqual(wrong, []);
});

for (const [touch, files] of WORLD) {
  const places = files.length === 0 ? "nowhere" : files.map((path) => path.slice(4)).join(", ");
  Deno.test(`src: ${touch.source} stands in these files alone: ${places}`, () => {
    const found = SOURCE.filter(({ code }) => touch.test(code)).map(({ path }) => path);
    assert.deepEqual(found, files);
  });
}

Deno.test("mod.ts only re-exports", async () => {
  const [file] = await sourceFiles("mod.ts");
  const rest = file!.code.replace(/^export (?:type )?\{[^}]*\} from "\.\/src\/[^"]+";$/gm, "");
  assert.equal(rest.trim(), "");
});

Deno.test(`files have at most ${MAX_FILE_LINES} lines, functions ${MAX_FUNCTION_LINES}`, async () => {
  const files = await sourceFiles("mod.ts", "src", "examples", "tests");
  const long = findings(files, ({ path, text, code }) => {
    const lines = text.split("\n").length - 1;
    const functions = path.startsWith("tests/") ? [] : functionSizes(code);
    return [
      ...(lines > MAX_FILE_LINES ? [`${lines} lines`] : []),
      ...functions.filter((each) => each.lines > MAX_FUNCTION_LINES)
        .map((each) => `${each.name}: ${each.lines} lines`),
    ];
  });
  assert.deepEqual(long, []);
});

Deno.test("functionSizes() finds functions and methods, and no calls or blocks", () => {
  const code = [
    "export function long(",
    "  first: string,",
    "): string {",
    "  if (first) {",
    "    call(",
    "      first,",
    "    );",
    "  }",
    "}",
    "class Some {",
    "  async #method<T>(value: T): Promise<T> {",
    "    return each.map((x) => {",
    "      return x;",
    "    });",
    "  }",
    "}",
  ].join("\n");
  assert.deepEqual(
    functionSizes(code),
    [
      { name: "export function long(", lines: 9 },
      { name: "async #method<T>(value: T): Promise<T> {", lines: 5 },
      { name: "return each.map((x) => {", lines: 3 },
    ].filter(({ name }) => !name.startsWith("return")),
  );
});

Deno.test("files are named in snake_case, after what they hold", async () => {
  const files = await sourceFiles("src", "examples", "tests");
  const wrong = files.map(({ path }) => path).filter((path) =>
    path.slice(0, -3).split("/").some((part) => !/^[a-z0-9]+(?:_[a-z0-9]+)*$/.test(part)) ||
    /^(?:index|utils?|helpers?|common|misc|types)\.ts$/.test(basename(path))
  );
  assert.deepEqual(wrong, []);
});

Deno.test("code holds none of the words that are not used here", async () => {
  const words: readonly RegExp[] = [
    /\b(?:class|interface|type) (?:I[A-Z]\w*|\w*Manager)\b/,
    /^\s*(?:export )?(?:const )?enum\b/m,
    /(?::|\bas|<) ?any\b/,
    /^\s*private\b/m,
    /@ts-ignore|@ts-nocheck/,
    /\bTODO\b|\bFIXME\b/,
  ];
  const files = await sourceFiles("mod.ts", "src", "examples");
  const wrong = findings(
    files,
    ({ text, code }) =>
      words.filter((word) => word.test(word.source.startsWith("@") ? text : code)).map(String),
  );
  assert.deepEqual(wrong, []);
});

Deno.test("deno.test.json is deno.json with the packages of tests and a lock of its own", () => {
  const { imports, lock, ...rest } = tested;
  const { tasks: _tasks, publish: _publish, lint: _lint, fmt: _fmt, imports: _own, ...same } =
    project;
  assert.deepEqual(rest, same);
  assert.equal(lock, "./deno.test.lock");
  assert.deepEqual({ ...imports, ...project.imports }, imports);
});

Deno.test("deno.jsr.json is deno.json but for the standard library", () => {
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
