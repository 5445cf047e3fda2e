// The world outside: arguments, environment, terminal, files, signals; words as a shell takes them.
import { fileURLToPath } from "node:url";
import { dirname, isAbsolute } from "@std/path";
import { ConfigurationError } from "../core/error.ts";

export interface Io {
  readonly args: readonly string[];
  /** The absolute path of the folder the user stands in. */
  readonly folder: string;
  /** The name of this program in a command for the user: a path or an address. */
  readonly program: string;
  /** True where the program was started as a task of the project. */
  readonly task: boolean;
  /** True where a person can type the input. */
  readonly inIsTerminal: boolean;
  readonly outIsTerminal: boolean;
  /** True where a person watches the progress. */
  readonly live: boolean;
  readonly colour: boolean;
  /** The width of the terminal; 80 where there is none. */
  columns(): number;
  /** Undefined also where the variable may not be read. */
  env(name: string): string | undefined;
  /** The next piece of standard input; undefined at its end, which a terminal can have more than once. */
  read(): Promise<string | undefined>;
  /** Writes to standard output; a reader that went away is no error. */
  out(text: string): void;
  /** Writes to standard error; a reader that went away is no error. */
  err(text: string): void;
  /** A file's text; a `ConfigurationError` names the path and `field` when it cannot be read. */
  readText(path: string, field: string): Promise<string>;
  permitted(permission: Deno.PermissionDescriptor): boolean;
  /** True where variables that may not be read count as unset, as `--ignore-env` has it; libraries read some of their own. */
  ignoresEnv(): boolean;
  /** Calls `handler` at every Ctrl-C and request to end; gives back what stops that. */
  onInterrupt(handler: () => void): () => void;
  /** Milliseconds, for telling two signals apart. */
  now(): number;
  exit(code: number): never;
}

export function processIo(): Io {
  const stderrIsTerminal = Deno.stderr.isTerminal();
  const { folder, task } = userFolder();
  return {
    args: Deno.args,
    folder,
    program: Deno.mainModule.startsWith("file:") ? fileURLToPath(Deno.mainModule) : Deno.mainModule,
    task,
    inIsTerminal: Deno.stdin.isTerminal(),
    outIsTerminal: Deno.stdout.isTerminal(),
    live: stderrIsTerminal,
    colour: stderrIsTerminal && (env("NO_COLOR") ?? "") === "",
    columns,
    env,
    read: reader(),
    out: writer(Deno.stdout),
    err: writer(Deno.stderr),
    readText,
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

/** `deno task` moves to the project and leaves the user's folder in `INIT_CWD`; elsewhere that variable is another program's. */
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

/** Reads standard input piece by piece; one that was closed has ended. */
function reader(): () => Promise<string | undefined> {
  const decoder = new TextDecoder();
  const bytes = new Uint8Array(16_384);
  return async () => {
    try {
      const count = await Deno.stdin.read(bytes);
      return count === null
        ? undefined
        : decoder.decode(bytes.subarray(0, count), { stream: true });
    } catch (error) {
      if (isGone(error)) return undefined;
      throw error;
    }
  };
}

type Stream = typeof Deno.stdout | typeof Deno.stderr;

function writer(stream: Stream): (text: string) => void {
  const encoder = new TextEncoder();
  let open = true;
  return (text) => {
    let rest = encoder.encode(text);
    while (open && rest.length > 0) {
      try {
        rest = rest.subarray(stream.writeSync(rest));
      } catch (error) {
        if (error instanceof Deno.errors.WouldBlock) continue;
        if (!isGone(error)) throw error;
        open = false;
      }
    }
  };
}

/** True where the other end is gone. */
function isGone(error: unknown): boolean {
  return error instanceof Deno.errors.BrokenPipe ||
    error instanceof Deno.errors.ConnectionReset ||
    error instanceof Deno.errors.BadResource ||
    (error instanceof Error && "code" in error && error.code === "EIO");
}

async function readText(path: string, field: string): Promise<string> {
  const refused = (state: string, cause?: unknown) =>
    new ConfigurationError(`Cannot read ${field} "${path}": ${state}`, {
      field,
      hint: "Give the path of a text file that can be read.",
      cause,
    });
  const found = await Deno.stat(path).catch((cause: unknown) => {
    throw refused(unreadable(cause));
  });
  if (found.isDirectory) throw refused("it is a folder");
  // A device or a pipe may never end.
  if (!found.isFile) throw refused("it is no regular file");
  return await Deno.readTextFile(path).catch((cause: unknown) => {
    throw refused(unreadable(cause), cause);
  });
}

function unreadable(cause: unknown): string {
  const isMissing = cause instanceof Deno.errors.NotFound ||
    cause instanceof Deno.errors.NotADirectory;
  if (isMissing) return "there is no such file";
  if (cause instanceof Deno.errors.NotCapable) {
    return "this program was not given the permission to read it";
  }
  if (cause instanceof Deno.errors.PermissionDenied) return "reading it is not allowed";
  return cause instanceof Error ? cause.message : String(cause);
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

/** An argument as a shell takes it back unchanged. */
export function shellQuote(argument: string): string {
  return /^[A-Za-z0-9_/.:=,@%+-]+$/.test(argument)
    ? argument
    : `'${argument.replaceAll("'", `'\\''`)}'`;
}
