// Runs every test as a user would by hand, and ends with one line that sums them up.

/** The import map and lock of tests: packages that only tests use are not part of a user's first run. */
const TEST_CONFIG: readonly string[] = ["--config=deno.test.json", "--frozen"];

/** The flags of `deno test`; with them, `deno test --config FILE --no-lock FLAGS` does the same by hand. */
export const TEST_FLAGS: readonly string[] = [
  // The task `check` checks the types, of everything at once.
  "--no-check",
  "--no-prompt",
  "--parallel",
  "--ignore-env",
  "--allow-env=CONVENINGS_NO_SKIP",
  "--allow-read",
  // Whole, since a symbolic link needs it.
  "--allow-write",
  "--allow-net=127.0.0.1,localhost",
  "--allow-run=deno",
];

/** How many files of tests run at once: one more than the cores of a small machine, since many wait for processes. */
const JOBS = "3";

/** What tests in a browser need; they are left out where there is no browser. */
const BROWSER_TESTS: readonly string[] = [
  ...TEST_CONFIG,
  "-A",
  "--no-check",
  "--no-prompt",
  "--permit-no-files",
  "tests/e2e/*_e2e.ts",
];

/** How many tests passed, failed and were left out, as `deno test` said in its last line. */
interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly ignored: number;
}

// deno-lint-ignore no-control-regex
const COLOUR = /\x1b\[[0-9;]*m/g;

const SUMMARY =
  /^(?:ok|FAILED) \| (\d+) passed(?: \([^)]*\))? \| (\d+) failed(?: \([^)]*\))?(?: \| (\d+) ignored)?/;

/** The counts in what `deno test` printed; undefined when it never came to a summary. */
function countsOf(output: string): Counts | undefined {
  for (const line of output.replace(COLOUR, "").split("\n").reverse()) {
    const found = SUMMARY.exec(line);
    if (found === null) continue;
    const [passed = 0, failed = 0, ignored = 0] = found.slice(1).map((digits) =>
      Number(digits ?? 0)
    );
    return { passed, failed, ignored };
  }
  return undefined;
}

function show(bytes: Uint8Array): void {
  let rest = bytes;
  while (rest.length > 0) rest = rest.subarray(Deno.stdout.writeSync(rest));
}

/** Runs `deno test`, showing what it prints as it comes; gives back its exit code and the end of its output. */
async function runTests(
  args: readonly string[],
): Promise<{ code: number; output: string }> {
  const child = new Deno.Command("deno", {
    args: ["test", ...args],
    env: { DENO_JOBS: JOBS },
    stdin: "null",
    stdout: "piped",
  }).spawn();
  const decoder = new TextDecoder();
  let output = "";
  for await (const chunk of child.stdout) {
    show(chunk);
    output = (output + decoder.decode(chunk, { stream: true })).slice(-20_000);
  }
  return { code: (await child.status).code, output };
}

/** The counts of one run of `deno test`, in which whatever went wrong outside any test counts as a failure. */
async function countTests(args: readonly string[]): Promise<Counts> {
  const { code, output } = await runTests(args);
  const counts = countsOf(output);
  const { passed, failed, ignored } = counts ?? { passed: 0, failed: 0, ignored: 0 };
  const isFine = code === 0 && counts !== undefined;
  return { passed, failed: Math.max(failed, isFine ? 0 : 1), ignored };
}

if (import.meta.main) {
  const all = [await countTests([...TEST_CONFIG, ...TEST_FLAGS, ...Deno.args])];
  if (Deno.args.length === 0) all.push(await countTests(BROWSER_TESTS));
  const sum = (name: keyof Counts) => all.reduce((total, counts) => total + counts[name], 0);
  const strict = (Deno.env.get("CONVENINGS_NO_SKIP") ?? "") !== "";
  const ignored = sum("ignored");
  const failed = sum("failed") + (strict ? ignored : 0);
  const inBrowser = all[1]?.ignored ?? 0;
  const lines = [
    ...ignored === 0 ? [] : [`${ignored} tests were left out`],
    ...inBrowser === 0 ? [] : [`${inBrowser} of them for want of a browser: install chromium`],
    `${sum("passed")} passed, ${failed} failed`,
  ];
  show(new TextEncoder().encode(`${lines.join("\n")}\n`));
  Deno.exit(failed === 0 ? 0 : 1);
}
