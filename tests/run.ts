// Runs the tests, many files in one isolate, and prints a summary as the last line.
import { exists, walk } from "@std/fs";
import { join } from "@std/path";

/** Import map and lock of tests: packages for tests alone are not part of a user's first run. */
const TEST_CONFIG: readonly string[] = ["--config=deno.test.json", "--frozen"];

/** Flags of `deno test`; `deno test --config FILE --no-lock FLAGS` does the same by hand. */
export const TEST_FLAGS: readonly string[] = [
  // Types are checked by the task `check`, for all files together.
  "--no-check",
  "--no-prompt",
  "--parallel",
  "--ignore-env",
  "--allow-env=CONVENINGS_NO_SKIP",
  "--allow-read",
  // Without a path, since creating a symbolic link needs that.
  "--allow-write",
  "--allow-net=127.0.0.1,localhost",
  "--allow-run=deno,redis-server",
];

/**
 * Number of modules of tests that run concurrently: one more than the cores of a small machine, since many tests wait for
 * processes; the browser tests, which share one browser, are one more module.
 */
const JOBS = "3";

/**
 * Highest number of modules that import test files, a multiple of the concurrent ones, and the number of files in a module
 * if there are few: files in one module share loaded and compiled code, which takes two seconds of processor time.
 */
const PARTS = { most: 9, files: 12 } as const;

/** Line of a module that makes synchronizing files with the disk do nothing: no test needs records to survive a loss of power. */
const WITHOUT_SYNC =
  'for (const name of ["sync", "syncData"]) Deno.FsFile.prototype[name] = async () => {};\n';

/** Flags of tests that need a browser, whose driver needs every permission; skipped without a browser. */
const BROWSER_FLAGS: readonly string[] = ["-A", "--no-check", "--no-prompt"];

/** Numbers of passed, failed and skipped tests from the last line of `deno test`, and its list of failures. */
interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly ignored: number;
  readonly failures: string;
}

// deno-lint-ignore no-control-regex
const COLOUR = /\x1b\[[0-9;]*m/g;

const SUMMARY =
  /^(?:ok|FAILED) \| (\d+) passed(?: \([^)]*\))? \| (\d+) failed(?: \([^)]*\))?(?: \| (\d+) ignored)?/;

/** Parses the output of `deno test`; undefined without a summary. */
function countsOf(output: string): Counts | undefined {
  const plain = output.replace(COLOUR, "");
  for (const line of plain.split("\n").reverse()) {
    const found = SUMMARY.exec(line);
    if (found === null) continue;
    const [passed = 0, failed = 0, ignored = 0] = found.slice(1).map((digits) =>
      Number(digits ?? 0)
    );
    const errors = plain.lastIndexOf("\n ERRORS \n");
    return { passed, failed, ignored, failures: errors < 0 ? "" : plain.slice(errors) };
  }
  return undefined;
}

function show(bytes: Uint8Array): void {
  let rest = bytes;
  while (rest.length > 0) rest = rest.subarray(Deno.stdout.writeSync(rest));
}

/**
 * Runs `deno test`, whose temporary folders are made in `folder`, and returns its counts; an error outside any test counts as
 * a failure. Output is shown as it comes, or at the end because other tests run concurrently.
 */
async function countTests(
  folder: string,
  args: readonly string[],
  isShownLate = false,
): Promise<Counts> {
  const child = new Deno.Command("deno", {
    args: ["test", ...TEST_CONFIG, ...args],
    env: { DENO_JOBS: JOBS, TMPDIR: folder },
    stdin: "null",
    stdout: "piped",
  }).spawn();
  const decoder = new TextDecoder();
  const later: Uint8Array[] = [];
  let output = "";
  for await (const chunk of child.stdout) {
    if (isShownLate) later.push(chunk);
    else show(chunk);
    output = (output + decoder.decode(chunk, { stream: true })).slice(-20_000);
  }
  for (const chunk of later) show(chunk);
  const { code } = await child.status;
  const counts = countsOf(output);
  const isFine = code === 0 && counts !== undefined;
  const { passed, failed, ignored, failures } = counts ??
    { passed: 0, failed: 0, ignored: 0, failures: "" };
  return { passed, failed: Math.max(failed, isFine ? 0 : 1), ignored, failures };
}

/** Writes at most `most` modules that import the test files at the paths, evenly distributed; returns the modules' paths. */
async function writeParts(
  folder: string,
  paths: readonly string[],
  { ending = "_test.ts", most = PARTS.most }: { ending?: string; most?: number } = {},
): Promise<string[]> {
  const files: string[] = [];
  for (const path of paths) {
    if (path.endsWith(".ts")) files.push(path);
    else for await (const file of walk(path, { includeDirs: false })) files.push(file.path);
  }
  const urls = files.filter((path) => path.endsWith(ending)).sort()
    .map((path) => new URL(`../${path}`, import.meta.url).href);
  if (urls.length === 0) throw new Error(`Cannot find files of tests at: ${paths.join(", ")}`);
  const length = Math.min(most, Math.ceil(urls.length / PARTS.files));
  return await Promise.all(Array.from({ length }, async (_, part) => {
    const path = join(folder, `part_${part + 1}.ts`);
    const imports = urls.filter((_, at) => at % length === part).map((url) => `import "${url}";\n`);
    await Deno.writeTextFile(path, imports.join("") + WITHOUT_SYNC);
    return path;
  }));
}

/** Calls `use` with a temporary folder for modules and for what tests leave. */
async function withFolder(use: (folder: string) => Promise<Counts>): Promise<Counts> {
  const folder = await Deno.makeTempDir({ prefix: "convenings-tests-" });
  try {
    return await use(folder);
  } finally {
    // A process of a test may still be writing there.
    await Deno.remove(folder, { recursive: true }).catch(() => {});
  }
}

/** Runs the test files at some paths, folders included, and returns their counts. */
function countParts(paths: readonly string[]): Promise<Counts> {
  return withFolder(async (folder) =>
    await countTests(folder, [...TEST_FLAGS, ...await writeParts(folder, paths)])
  );
}

/** Runs the browser tests, which a copy of the project may lack, and returns their counts. */
function countBrowserTests(): Promise<Counts> {
  return withFolder(async (folder) => {
    if (!await exists("tests/e2e")) return { passed: 0, failed: 0, ignored: 0, failures: "" };
    const part = await writeParts(folder, ["tests/e2e"], { ending: "_e2e.ts", most: 1 });
    return await countTests(folder, [...BROWSER_FLAGS, ...part], true);
  });
}

if (import.meta.main) {
  for (const path of Deno.args) {
    if (await exists(path)) continue;
    show(new TextEncoder().encode(`Cannot find files of tests at: ${path}\n`));
    Deno.exit(1);
  }
  const whole = Deno.args.length === 0;
  const all = whole
    ? await Promise.all([countParts(["tests"]), countBrowserTests()])
    : [await countParts(Deno.args)];
  const sum = (name: "passed" | "failed" | "ignored") =>
    all.reduce((total, counts) => total + counts[name], 0);
  const strict = (Deno.env.get("CONVENINGS_NO_SKIP") ?? "") !== "";
  const ignored = sum("ignored");
  const failed = sum("failed") + (strict ? ignored : 0);
  const [inProcess = 0, inBrowser = 0] = all.map((counts) => counts.ignored);
  const lines = [
    // Repeated here because failures may be far above, among the output of concurrent tests.
    ...all.map(({ failures }) => failures).filter((each) => each !== ""),
    ...ignored === 0 ? [] : [`${ignored} tests were left out`],
    ...inProcess === 0 ? [] : [`${inProcess} of them for want of Redis: install redis-server`],
    ...inBrowser === 0 ? [] : [`${inBrowser} of them for want of a browser: install chromium`],
    `${sum("passed")} passed, ${failed} failed`,
  ];
  show(new TextEncoder().encode(`${lines.join("\n")}\n`));
  Deno.exit(failed === 0 ? 0 : 1);
}
