// The entry of the command line: reads the arguments, runs the command they name, prints the reply.
import { fileURLToPath } from "node:url";
import project from "../../deno.json" with { type: "json" };
import { CancelledError } from "../core/error.ts";
import type { Reply } from "./command.ts";
import { COMMANDS } from "./commands/registry.ts";
import { codeOfError, errorJson, showError } from "./failure.ts";
import { watchInterrupts } from "./interrupt.ts";
import { type Io, processIo } from "./io.ts";
import { loadModule } from "./load_module.ts";
import type { Parsed } from "./parse_arguments.ts";
import { requirePermissions } from "./permissions.ts";
import { plainText } from "../core/text.ts";
import { Session } from "./session.ts";

/** The module that prints how a convening ended; loaded for the commands that run one. */
type Running = typeof import("./run_convening.ts");

/** Flags that may stand beside `--version` where nothing else is asked. */
const VERSION_ONLY: readonly string[] = ["--version", "--json", "--quiet", "--debug"];

/** Runs one command line and gives back its exit code; everything it says goes through `io`. */
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
  // A command that is not in the table is of a kind of --extend, and runs a convening.
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
      running = await loadModule<Running>(import.meta.resolve("./run_convening.ts"));
    }
    return print(await reply(session), session);
  } catch (error) {
    showError(error, session);
    // A rejected command changed nothing.
    if (codeOfError(error) !== 2) running?.tellHowToResume(session);
    return print(failed(error, session, running), session);
  } finally {
    release();
  }
}

/** The arguments; of `study`, where `--extend` stands before no module, it extends the plan. */
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

async function reply(session: Session): Promise<Reply> {
  const { args } = session.io;
  if (args.includes("--version") && args.every((each) => VERSION_ONLY.includes(each))) {
    return shown({ type: "version", text: `${project.version}\n` });
  }
  requireSources(session.io);
  const own = isExtended(args)
    ? await (await loadModule<typeof import("./extend.ts")>(import.meta.resolve("./extend.ts")))
      .extend(session)
    : [];
  const { parseArguments } = await loadModule<typeof import("./parse_arguments.ts")>(
    import.meta.resolve("./parse_arguments.ts"),
  );
  const parsed = await parseArguments(args, [...COMMANDS, ...own]);
  if (parsed.type !== "run") return shown(parsed);
  const { command, invocation } = parsed;
  if (args.some((each) => /(?:^|=)local$/.test(each))) {
    await (await import("./local_model.ts")).useLocalModel(invocation, session);
  }
  return await command.run(invocation, session);
}

/** Requires the permission to read the program's own modules, which are loaded when a command needs them. */
function requireSources(io: Io): void {
  const sources = new URL("..", import.meta.url);
  if (sources.protocol === "file:") requirePermissions(io, { reads: [fileURLToPath(sources)] });
}

function shown({ type, text }: Exclude<Parsed, { type: "run" }>): Reply {
  return { code: 0, json: { [type]: text.trim() }, text };
}

function failed(error: unknown, session: Session, running: Running | undefined): Reply {
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
  print(failed(new CancelledError(), session, running), session);
  session.io.exit(130);
}

if (import.meta.main) {
  const io = processIo();
  io.exit(await main(io));
}
