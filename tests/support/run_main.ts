// Runs the command line in the test's own process, much faster than a process of its own.
import assert from "node:assert/strict";
import { main } from "../../src/cli/main.ts";
import { processIo } from "../../src/cli/io.ts";
import type { CliEnd, CliProcess } from "./cli.ts";
import { seen } from "./timers.ts";

/** Permission of a process that may reach no host. */
export const OFFLINE = ({ name }: Deno.PermissionDescriptor): boolean => name !== "net";

/** Options of {@linkcode runMain}. */
interface MainOptions {
  /** Working directory. */
  readonly folder: string;
  /** Environment variables. @default none */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** Text of standard input. @default no input */
  readonly stdin?: string | undefined;
  /** True if the input is typed at a terminal. @default false */
  readonly typed?: boolean | undefined;
  /** Width of the terminal for output and progress. @default no terminal */
  readonly columns?: number | undefined;
  /** Returns true for permissions of the process. @default every permission */
  readonly permitted?: ((permission: Deno.PermissionDescriptor) => boolean) | undefined;
  /** True if variables without permission read as unset. @default true */
  readonly ignoresEnv?: boolean | undefined;
  /** Receives standard error so far whenever more is written. @default none */
  readonly heard?: ((stderr: string) => void) | undefined;
}

/** Runs a command line; signals, terminals and the permissions of tasks are tested with processes in `tests/cli`. */
export async function runMain(
  args: readonly string[],
  {
    folder,
    env = {},
    stdin,
    typed = false,
    columns,
    permitted = () => true,
    ignoresEnv = true,
    heard,
  }: MainOptions,
): Promise<CliEnd> {
  const said = { out: "", err: "" };
  const input = stdin === undefined ? [] : [stdin];
  const code = await main({
    ...processIo(),
    args,
    folder,
    task: false,
    inIsTerminal: typed,
    outIsTerminal: columns !== undefined,
    live: columns !== undefined,
    colour: false,
    columns: () => columns ?? 80,
    env: (name) => env[name],
    read: () => Promise.resolve(input.shift()),
    out: (text) => void (said.out += text),
    err: (text) => {
      said.err += text;
      heard?.(said.err);
    },
    permitted,
    ignoresEnv: () => ignoresEnv,
    onInterrupt: () => () => {},
    exit: (code) => {
      throw new Error(`The program ends with ${code} where it should give that back`);
    },
  });
  return { code, stdout: said.out, stderr: said.err };
}

/** Starts a command line whose standard error is followed while the command runs. */
export function startMain(
  args: readonly string[],
  options: MainOptions,
): Pick<CliProcess, "saw" | "end"> {
  let stderr = "";
  const follow = new Set<() => void>();
  const heard = (text: string) => {
    stderr = text;
    for (const look of follow) look();
  };
  const end = runMain(args, { ...options, heard });
  return { saw: (text) => seen(text, { said: () => stderr, follow, end }), end };
}

/** Runs a command line and checks its exit code. */
export async function ran(
  args: readonly string[],
  options: MainOptions,
  code = 0,
): Promise<CliEnd> {
  const end = await runMain(args, options);
  assert.equal(end.code, code, end.stdout + end.stderr);
  return end;
}
