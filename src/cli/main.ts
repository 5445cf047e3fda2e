// Entry point of the command line: parses the arguments, runs the command, and prints the reply.
import { fileURLToPath } from "node:url";
import project from "../../deno.json" with { type: "json" };
import { plainText, wrappedLine } from "../core/text.ts";
import { CancelledError, ConveningError } from "../core/error.ts";
import { COMMANDS } from "./commands/registry.ts";
import { type Io, processIo } from "./io.ts";
import { late } from "./load_module.ts";
import type { Parsed } from "./parse_arguments.ts";
import { requirePermissions } from "./permissions.ts";
import { type Reply, Session } from "./session.ts";

type Running = typeof import("./run_convening.ts");

/** Flags that are allowed with `--version` for the fast path. */
const VERSION_ONLY: readonly string[] = ["--version", "--json", "--quiet", "--debug"];

/** Runs one command line and returns its exit code; all input and output goes through `io`. */
export async function main(given: Io): Promise<number> {
  const io = { ...given, args: withPlanFlag(given.args) };
  const end = io.args.indexOf("--");
  const words = end === -1 ? io.args : io.args.slice(0, end);
  const session = new Session(io, {
    json: words.includes("--json"),
    quiet: words.includes("--quiet"),
    debug: words.includes("--debug"),
  });
  const command = COMMANDS.find(({ name }) => name === words.find((word) => !word.startsWith("-")));
  // With --extend, an unknown command is one of the module's kinds, which runs a convening.
  const runs = command === undefined ? isExtended(words) : command.runs === true;
  let running: Running | undefined;
  const atOnce = () => exitAtOnce(session, running);
  const release = watchInterrupts(io, {
    stop: () => {
      if (!runs && command?.stays !== true) return atOnce();
      session.interrupt();
      session.note("\nStopping. Ctrl-C once more stops at once.");
    },
    exit: atOnce,
  });
  try {
    if (runs) {
      requireSources(io);
      running = await late("./run_convening.ts");
    }
    return print(await runCommand(session), session);
  } catch (error) {
    showError(error, session);
    // Exit code 2 means that the command changed nothing, so there is nothing to resume.
    if (codeOfError(error) !== 2) running?.tellHowToResume(session);
    return print(failureReply(error, session, running), session);
  } finally {
    release();
  }
}

/** Rewrites `--extend` of the command `study` to `--extend-plan`, unless a module follows. */
function withPlanFlag(args: readonly string[]): readonly string[] {
  const command = args.find((word) => !word.startsWith("-"));
  return command !== "study" ? args : args.map((word, at) => {
    const isModule = /\.[cm]?[jt]sx?$/.test(args[at + 1] ?? "");
    return word === "--extend" && !isModule ? "--extend-plan" : word;
  });
}

function isExtended(words: readonly string[]): boolean {
  return words.some((word) => word === "--extend" || word.startsWith("--extend="));
}

async function runCommand(session: Session): Promise<Reply> {
  const { args } = session.io;
  if (args.includes("--version") && args.every((each) => VERSION_ONLY.includes(each))) {
    return textReply({ type: "version", text: `${project.version}\n` });
  }
  requireSources(session.io);
  const own = isExtended(args) ? await (await late("./commands/starting.ts")).extend(session) : [];
  const { parseArguments } = await late("./parse_arguments.ts");
  const parsed = await parseArguments(args, [...COMMANDS, ...own]);
  if (parsed.type !== "run") return textReply(parsed);
  const { command, invocation } = parsed;
  if (args.some((each) => /(?:^|=)local$/.test(each))) {
    await (await late("./cast_flags.ts")).useLocalModel(invocation, session);
  }
  return await command.run(invocation, session);
}

/** Throws without permission to read the program's own modules, which are loaded lazily. */
function requireSources(io: Io): void {
  const sources = new URL("..", import.meta.url);
  if (sources.protocol === "file:") requirePermissions(io, { reads: [fileURLToPath(sources)] });
}

function textReply({ type, text }: Exclude<Parsed, { type: "run" }>): Reply {
  return { code: 0, json: { [type]: text.trim() }, text };
}

function failureReply(error: unknown, session: Session, running: Running | undefined): Reply {
  const json = running?.endingJson(session) ?? { dir: session.dir };
  return { code: codeOfError(error), json: { ...json, error: errorJson(error) }, text: "" };
}

function print({ code, json, text }: Reply, session: Session): number {
  const { io } = session;
  if (session.json) {
    if (json !== undefined) io.out(JSON.stringify(json) + "\n");
  } else io.out(plainText(text));
  return code;
}

function exitAtOnce(session: Session, running: Running | undefined): never {
  session.screen?.status("");
  print(failureReply(new CancelledError(), session, running), session);
  session.io.exit(130);
}

const USAGE: readonly string[] = [
  "config_invalid",
  "topic_refused",
  "turn_order",
  "not_found",
  "paper_unreadable",
];

/** Returns the exit code of an error: 2 for invalid input, 130 for an interruption, else 1. */
function codeOfError(error: unknown): number {
  if (!(error instanceof ConveningError)) return 1;
  if (error.code === "cancelled") return 130;
  return USAGE.includes(error.code) ? 2 : 1;
}

/** Converts an error into JSON; an unexpected error has the code `unexpected`. */
function errorJson(error: unknown) {
  if (error instanceof ConveningError) return error.toJSON();
  const message = error instanceof Error ? error.message || error.name : String(error);
  return { code: "unexpected", message, hint: REPORT };
}

const REPORT = "This is a fault of the program; run it again with --debug to see where.";

/** Prints an error on standard error: one line, its hint, and its stack trace with `--debug`. */
function showError(error: unknown, session: Session): void {
  const { message, hint } = errorJson(error);
  const { live, columns } = session.io;
  const line = `error: ${message.replace(/\s*\n\s*/g, " ")}`;
  const lines = [live ? wrappedLine(line, columns()) : line];
  if (hint !== undefined) lines.push(hint);
  if (session.debug) lines.push(...stackOf(error));
  session.io.err(plainText(lines.join("\n")) + "\n");
}

function stackOf(error: unknown): string[] {
  const lines: string[] = [];
  let at: unknown = error;
  while (at instanceof Error && lines.length < 5) {
    lines.push(`${lines.length === 0 ? "" : "caused by "}${at.stack ?? at.message}`);
    at = at.cause;
  }
  return lines;
}

/** Time after a Ctrl-C in which further signals are ignored, in milliseconds: npx sends each signal twice. */
const DEBOUNCE = 1000;

/** Calls `stop` at the first Ctrl-C, and `exit` at a later one; returns a function that stops listening. */
export function watchInterrupts(
  io: Pick<Io, "onInterrupt" | "now">,
  { stop, exit }: { readonly stop: () => void; readonly exit: () => void },
): () => void {
  let first: number | undefined;
  return io.onInterrupt(() => {
    if (first === undefined) {
      first = io.now();
      stop();
    } else if (io.now() - first > DEBOUNCE) exit();
  });
}

if (import.meta.main) {
  const io = processIo();
  io.exit(await main(io));
}
