import assert from "node:assert/strict";
import { main } from "../../src/cli/main.ts";
import { processIo } from "../../src/cli/io.ts";
import type { CliEnd } from "./cli.ts";

/** Where a command line runs, and what it finds there. */
export interface MainOptions {
  /** The folder the user stands in. */
  readonly folder: string;
  /** @default none of the variables the program reads */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** What is on standard input. @default nothing */
  readonly stdin?: string | undefined;
  /** The width of the terminal that shows output and progress. @default no terminal */
  readonly columns?: number | undefined;
}

/**
 * Runs a command line to its end in this process: all but what `tests/cli` shows of processes, in a fraction of the time
 * that starting one takes.
 */
export async function runMain(
  args: readonly string[],
  { folder, env = {}, stdin, columns }: MainOptions,
): Promise<CliEnd> {
  const said = { out: "", err: "" };
  const input = stdin === undefined ? [] : [stdin];
  const code = await main({
    ...processIo(),
    args,
    folder,
    task: false,
    inIsTerminal: false,
    outIsTerminal: columns !== undefined,
    live: columns !== undefined,
    colour: false,
    columns: () => columns ?? 80,
    env: (name) => env[name],
    read: () => Promise.resolve(input.shift()),
    out: (text) => void (said.out += text),
    err: (text) => void (said.err += text),
    permitted: () => true,
    ignoresEnv: () => true,
    onInterrupt: () => () => {},
    exit: (code) => {
      throw new Error(`The program ends with ${code} where it should give that back`);
    },
  });
  return { code, stdout: said.out, stderr: said.err };
}

/** Runs a command line that ends with an exit code; gives its end. */
export async function ran(
  args: readonly string[],
  options: MainOptions,
  code = 0,
): Promise<CliEnd> {
  const end = await runMain(args, options);
  assert.equal(end.code, code, end.stdout + end.stderr);
  return end;
}
