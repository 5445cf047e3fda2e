import { CancelledError } from "../core/error.ts";
import type { CliCommand, Reply } from "./command.ts";
import { COMMANDS } from "./commands/registry.ts";
import { codeOfError, errorJson, showError } from "./failure.ts";
import { watchInterrupts } from "./interrupt.ts";
import { type Io, processIo } from "./io.ts";
import { parseArguments, type Parsed } from "./parse_arguments.ts";
import { plainText } from "../core/text.ts";
import { toldOf } from "../operations/told.ts";
import { tellHowToResume } from "./run_convening.ts";
import { Session } from "./session.ts";
import { toldJson } from "../operations/told_json.ts";

/** Runs one command line and gives back its exit code; everything it says goes through `io`. */
export async function main(io: Io): Promise<number> {
  const end = io.args.indexOf("--");
  const words = end === -1 ? io.args : io.args.slice(0, end);
  const session = new Session(io, {
    json: words.includes("--json"),
    quiet: words.includes("--quiet"),
    debug: words.includes("--debug"),
  });
  const command = COMMANDS.find(({ name }) => name === words.find((word) => !word.startsWith("-")));
  const release = watchInterrupts(io, {
    stop: () => stop(session, command),
    exit: () => exitAtOnce(session, command),
  });
  try {
    return print(await reply(session), session);
  } catch (error) {
    showError(error, session);
    // What was refused changed nothing.
    if (command?.runs === true && codeOfError(error) !== 2) tellHowToResume(session);
    return print(failed(error, session, command), session);
  } finally {
    release();
  }
}

async function reply(session: Session): Promise<Reply> {
  const parsed = await parseArguments(session.io.args, COMMANDS);
  if (parsed.type !== "run") return shown(parsed);
  const { command, invocation } = parsed;
  return await command.run(invocation, session);
}

function shown({ type, text }: Exclude<Parsed, { type: "run" }>): Reply {
  return { code: 0, json: { [type]: text.trim() }, text };
}

function failed(
  error: unknown,
  session: Session,
  command: CliCommand | undefined,
): Reply {
  const dir = session.dir;
  const told = command?.runs === true ? toldJson(toldOf(session.ending, session)) : { dir };
  return {
    code: codeOfError(error),
    json: { ...told, error: errorJson(error) },
    text: "",
  };
}

function print({ code, json, text }: Reply, session: Session): number {
  const { io } = session;
  if (session.json) {
    if (json !== undefined) io.out(JSON.stringify(json) + "\n");
  } else io.out(plainText(text));
  return code;
}

function stop(session: Session, command: CliCommand | undefined): void {
  if (command?.runs !== true && command?.stays !== true) return exitAtOnce(session, command);
  session.interrupt();
  session.note("\nStopping. Ctrl-C once more stops at once.");
}

function exitAtOnce(session: Session, command: CliCommand | undefined): never {
  print(failed(new CancelledError(), session, command), session);
  session.io.exit(130);
}

if (import.meta.main) {
  const io = processIo();
  io.exit(await main(io));
}
