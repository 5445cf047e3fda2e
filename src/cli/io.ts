// Input and output of the process: arguments, environment, terminal, files, signals, and quoting for a shell.
import { fileURLToPath } from "node:url";
import { dirname, isAbsolute } from "@std/path";
import { ConveningError, errorMessage } from "../core/error.ts";

/** Input and output of the program; tests replace it. */
export interface Io {
  readonly args: readonly string[];
  /** Absolute path of the user's working directory. */
  readonly folder: string;
  /** Path or URL of this program, for commands shown to the user. */
  readonly program: string;
  /** True if the program was started by `deno task`. */
  readonly task: boolean;
  readonly inIsTerminal: boolean;
  readonly outIsTerminal: boolean;
  /** True if standard error, which shows the progress, is a terminal that understands escape sequences. */
  readonly live: boolean;
  readonly colour: boolean;
  /** Returns the width of the terminal; 80 without a terminal. */
  columns(): number;
  /** Returns an environment variable; undefined also without permission to read it. */
  env(name: string): string | undefined;
  /** Reads the next chunk of standard input; undefined at the end, which a terminal can reach several times. */
  read(): Promise<string | undefined>;
  /** Writes to standard output; ignores a closed pipe. Throws `record_unwritable` once if the output cannot be written. */
  out(text: string): void;
  /** Writes to standard error; ignores errors. */
  err(text: string): void;
  permitted(permission: Deno.PermissionDescriptor): boolean;
  /** Returns true if variables without permission read as unset (`--ignore-env`), as libraries that read variables need. */
  ignoresEnv(): boolean;
  /** Calls `handler` at every Ctrl-C and termination signal; returns a function that removes the handler. */
  onInterrupt(handler: () => void): () => void;
  /** Returns a monotonic time in milliseconds. */
  now(): number;
  exit(code: number): never;
}

export function processIo(): Io {
  // A dumb terminal shows escape sequences as signs.
  const live = Deno.stderr.isTerminal() && env("TERM") !== "dumb";
  const { folder, task } = userFolder();
  return {
    args: Deno.args,
    folder,
    program: Deno.mainModule.startsWith("file:") ? fileURLToPath(Deno.mainModule) : Deno.mainModule,
    task,
    inIsTerminal: Deno.stdin.isTerminal(),
    outIsTerminal: Deno.stdout.isTerminal(),
    live,
    colour: live && (env("NO_COLOR") ?? "") === "",
    columns,
    env,
    read: reader(),
    out: writer(Deno.stdout, (cause) => {
      if (!isGone(cause)) throw unwritten(cause);
    }),
    err: writer(Deno.stderr, () => {}),
    permitted: (permission) => Deno.permissions.querySync(permission).state === "granted",
    ignoresEnv,
    onInterrupt,
    now: () => performance.now(),
    exit: (code) => Deno.exit(code),
  };
}

function env(name: string): string | undefined {
  try {
    return Deno.env.get(name);
  } catch (error) {
    if (error instanceof Deno.errors.NotCapable) return undefined;
    throw error;
  }
}

function columns(): number {
  try {
    return Deno.consoleSize().columns || 80;
  } catch {
    return 80;
  }
}

function ignoresEnv(): boolean {
  try {
    Deno.env.get("CONVENINGS_NO_SUCH_VARIABLE");
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.NotCapable) return false;
    throw error;
  }
}

/**
 * Returns the user's working directory. `deno task` changes to the project's folder and sets `INIT_CWD` to the user's; in
 * other folders the variable belongs to another program.
 */
function userFolder(): { folder: string; task: boolean } {
  const folder = Deno.cwd();
  const from = env("INIT_CWD");
  const project = import.meta.dirname === undefined
    ? undefined
    : dirname(dirname(import.meta.dirname));
  const isTask = from !== undefined && isAbsolute(from) && folder === project && isFolder(from);
  return { folder: isTask ? from : folder, task: isTask };
}

function isFolder(path: string): boolean {
  try {
    return Deno.statSync(path).isDirectory;
  } catch {
    return false;
  }
}

/** Returns a reader of standard input by chunks; a closed input counts as ended. */
function reader(): () => Promise<string | undefined> {
  const decoder = new TextDecoder();
  const bytes = new Uint8Array(16_384);
  return async () => {
    try {
      const count = await Deno.stdin.read(bytes);
      const text = decoder.decode(bytes.subarray(0, count ?? 0), { stream: count !== null });
      // At the end the decoder may hold the beginning of a character.
      return count === null && text === "" ? undefined : text;
    } catch (error) {
      if (isGone(error)) return undefined;
      throw error;
    }
  };
}

type Stream = typeof Deno.stdout | typeof Deno.stderr;

/** Returns a function that writes to a stream. After an error, which `fail` may throw, nothing more is written. */
function writer(stream: Stream, fail: (error: unknown) => void): (text: string) => void {
  const encoder = new TextEncoder();
  let open = true;
  return (text) => {
    let rest = encoder.encode(text);
    while (open && rest.length > 0) {
      try {
        rest = rest.subarray(stream.writeSync(rest));
      } catch (error) {
        if (error instanceof Deno.errors.WouldBlock) continue;
        open = false;
        fail(error);
      }
    }
  };
}

function unwritten(cause: unknown): ConveningError {
  const message = `Cannot write to standard output: ${errorMessage(cause)}`;
  const hint = "Free some space, or write to another place; what was recorded is intact.";
  return new ConveningError("record_unwritable", message, { hint, cause });
}

function isGone(error: unknown): boolean {
  return error instanceof Deno.errors.BrokenPipe ||
    error instanceof Deno.errors.ConnectionReset ||
    error instanceof Deno.errors.BadResource ||
    (error instanceof Error && "code" in error && error.code === "EIO");
}

const SIGNALS: readonly Deno.Signal[] = Deno.build.os === "windows"
  ? ["SIGINT", "SIGBREAK"]
  : ["SIGINT", "SIGTERM", "SIGHUP"];

function onInterrupt(handler: () => void): () => void {
  for (const signal of SIGNALS) Deno.addSignalListener(signal, handler);
  return () => {
    for (const signal of SIGNALS) Deno.removeSignalListener(signal, handler);
  };
}

/** Number of files that must be free, so that records can be written. */
const FREE_FILES = 8;

/** Returns false if the process, or the system, has too many open files to open some more. */
export function canOpenFiles(): boolean {
  const { filename } = import.meta;
  const files: Deno.FsFile[] = [];
  try {
    while (filename !== undefined && files.length < FREE_FILES) files.push(Deno.openSync(filename));
    return true;
  } catch (error) {
    return !(error instanceof Error && "code" in error && /^E[MN]FILE$/.test(String(error.code)));
  } finally {
    for (const file of files) file.close();
  }
}

/** Returns the value of the flag at an index of unparsed arguments, after `=` or as the next argument; undefined for the index -1. */
export function flagValue(args: readonly string[], at: number): string | undefined {
  return at === -1 ? undefined : /=(.*)/s.exec(args[at]!)?.[1] ?? args[at + 1];
}

/** Quotes an argument for a POSIX shell, or for cmd.exe and PowerShell, if needed. */
export function shellQuote(argument: string, os: string = Deno.build.os): string {
  if (os === "windows") {
    return /^[\w./:=+\\-]+$/.test(argument) ? argument : `"${argument.replaceAll('"', '\\"')}"`;
  }
  return /^[A-Za-z0-9_/.:=,@%+-]+$/.test(argument)
    ? argument
    : `'${argument.replaceAll("'", `'\\''`)}'`;
}
