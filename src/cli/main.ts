// Entry point of the command line: the table of commands, whose modules are loaded when they are used; parses the arguments,
// runs the command, and prints the reply.
import { fileURLToPath } from "node:url";
import project from "../../deno.json" with { type: "json" };
import { plainText } from "../core/text.ts";
import { CancelledError, ConveningError } from "../core/error.ts";
import { flagValue, type Io, processIo } from "./io.ts";
import { late, loadModule } from "./load_module.ts";
import type { Parsed } from "./parse_arguments.ts";
import { requirePermissions } from "./permissions.ts";
import { type Action, type CliCommand, errorJson, type Reply, Session } from "./session.ts";

/** A command, or a function that loads an operation and builds its command. */
type ExportedCommand = Action | (() => Promise<Action>);
type CommandsOf<M> = { [K in keyof M]: M[K] extends ExportedCommand ? K : never }[keyof M];

const continuing = of<typeof import("./commands/continuing.ts")>("./commands/continuing.ts");
const judge = of<typeof import("./commands/judge.ts")>("./commands/judge.ts");
const reading = of<typeof import("./commands/reading.ts")>("./commands/reading.ts");
const serve = of<typeof import("./commands/serve.ts")>("./commands/serve.ts");
const setup = of<typeof import("./commands/setup.ts")>("./commands/setup.ts");
const show = of<typeof import("./commands/show.ts")>("./commands/show.ts");
const starting = of<typeof import("./commands/starting.ts")>("./commands/starting.ts");
const study = of<typeof import("./commands/study.ts")>("./commands/study.ts");

/** Returns a function that loads a command by its exported name from the module of a path. */
function of<M>(path: string): (name: CommandsOf<M>) => CliCommand["load"] {
  return (name) => async () => {
    // The cast is safe by the type of the name.
    const command = (await loadModule<M>(import.meta.resolve(path)))[name] as ExportedCommand;
    return typeof command === "function" ? await command() : command;
  };
}

export const COMMANDS: readonly CliCommand[] = [
  ...commandsOf("Convening:", {
    "debate [topic]": [starting("DEBATE"), "run a debate on a topic", "runs"],
    "dialogue [topic]": [starting("DIALOGUE"), "run a plain dialogue on a topic", "runs"],
    "consensus [topic]": [
      starting("CONSENSUS"),
      "look for what all can agree on: proposals, stances, agreement or impasse",
      "runs",
    ],
    "paper [papers...]": [
      starting("PAPER"),
      "debate research papers (PDF, markdown, text); `paper questions FILE` only proposes questions for them",
      "runs",
    ],
    "resume <dir>": [
      continuing("RESUME"),
      "resume a convening that was interrupted, paused or stopped, that failed, or that waits",
      "runs",
    ],
    "say <dir> [text]": [
      continuing("SAY"),
      "say a person's turn that a convening waits for, and continue; or interject",
      "runs",
    ],
    "pause <dir>": [
      continuing("PAUSE"),
      "pause a running convening after the current turns",
    ],
    "watch <dir>": [
      continuing("WATCH"),
      "follow a convening that another process runs; --json prints one event per line",
      "flagless",
    ],
    "study <act> [study]": [
      study("STUDY"),
      "run many convenings by a plan: run, retry (failed ones too), stop, status, report or export; a study is given by a study.yaml, a folder or an id",
      "stays",
    ],
    "worker": [
      study("WORKER"),
      "run convenings of studies from a Redis queue, in an archive that machines share",
      "stays",
    ],
    "serve": [
      serve("SERVE"),
      "serve an archive over HTTP: pages for people, an interface for programs, MCP",
      "stays",
    ],
    "open [dir]": [
      serve("OPEN"),
      "print the address of a convening's page (default: the latest); serve the archive if no server does yet",
      "stays",
    ],
    "demo": [
      serve("DEMO"),
      "play a debate that ships with the program at reading pace, or show it in the viewer",
      "stays",
    ],
    "init": [
      setup("INIT"),
      "write a commented convenings.yaml, which is used in its folder and those below it",
      "flagless",
    ],
    "doctor": [
      setup("DOCTOR"),
      "print which keys are set, which model servers of this machine answer, and what is missing; --env-file of deno reads keys from a file",
    ],
    "mcp": [
      serve("MCP"),
      "serve an archive to a language model: an MCP server on standard input and output",
      "stays",
    ],
  }),
  ...commandsOf("Reading and keeping:", {
    "topics <subject>": [starting("TOPICS"), "propose debatable topics on a subject"],
    "show <dir> [seq]": [
      show("SHOW"),
      "print a convening's index, or one of its messages by number",
    ],
    "list": [reading("list"), "list an archive's convenings, newest first"],
    "search <text>": [
      reading("search"),
      "find messages of an archive's convenings by words, best first",
    ],
    "ask <dir> <question>": [
      reading("ask"),
      "find what was said about a question in a convening; --model has a model answer",
    ],
    "scores <dir>": [reading("scores"), "print a page of the scores, and every verdict, as JSON"],
    "claims <dir>": [reading("claims"), "print a page of the fact checks as JSON"],
    "judge <dir>": [
      judge("JUDGE"),
      "judge a finished convening again; `judge check --model NAME` measures the biases of a judge",
      "runs",
    ],
    "brief <dir>": [
      reading("brief"),
      "write one page on a finished convening for the person who decides: a memo, an ADR or open questions",
    ],
    "flow <dir>": [
      reading("flow"),
      "note the points of a finished debate: what was answered, dropped, conceded",
    ],
    "fork <dir>": [reading("fork"), "begin a new convening with the first messages of another"],
    "delete <dir>": [
      reading("remove"),
      "move a convening into the archive's trash; restore brings it back",
    ],
    "restore <dir>": [
      reading("restore"),
      "bring a deleted convening back, by its id or its directory in the trash",
    ],
    "export <dir>": [reading("EXPORT"), "write a convening's whole transcript into its directory"],
    "site [archive]": [
      reading("SITE"),
      "write an archive, a study or one convening as static pages with a search, to open from disk or to host",
    ],
    "index <dir>": [reading("INDEX"), "write a convening's derived files again", "flagless"],
    "verify <dir>": [
      reading("verify"),
      "check a convening's directory: exit 0 if it is sound, else 1 with one finding per line",
    ],
    "models [name]": [
      setup("MODELS"),
      "print the known model servers, those of this machine, and what was learned from them; or a model's profile",
    ],
    "schema [name]": [
      reading("SCHEMA"),
      "print the JSON schema of report.json, of configurations or of a record's files; without a name, list them",
      "flagless",
    ],
  }),
];

/** The loader of a command, its line in help, and the properties of {@linkcode CliCommand} that are true. */
type Row = readonly [
  load: CliCommand["load"],
  about: string,
  ...traits: ("runs" | "stays" | "flagless")[],
];

/** Builds the commands under one heading of the help; the keys are name and arguments as in help. */
function commandsOf(group: string, rows: Readonly<Record<string, Row>>): readonly CliCommand[] {
  return Object.entries(rows).map(([usage, [load, about, ...traits]]) => {
    const [name = "", ...args] = usage.split(" ");
    const own = Object.fromEntries(traits.map((trait) => [trait, true]));
    return { name, arguments: args, about, group, load, ...own };
  });
}

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
  const named = commandIn(words);
  const command = COMMANDS.find(({ name }) => name === named);
  // With --extend, an unknown command is one of the module's kinds, which runs a convening.
  const extension = extensionIn(words);
  const runs = command === undefined ? extension !== undefined : command.runs === true;
  let running: Running | undefined;
  const atOnce = () => {
    session.screen?.status("");
    print(failureReply(new CancelledError(), session, running), session);
    io.exit(130);
  };
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
    return print(await runCommand(session, extension), session);
  } catch (error) {
    session.showError(error);
    // Exit code 2 means that the command changed nothing, so there is nothing to resume.
    if (codeOfError(error) !== 2) running?.tellHowToResume(session);
    return print(failureReply(error, session, running), session);
  } finally {
    release();
  }
}

/** Returns the first word that is neither a flag nor the module of `--extend`. */
function commandIn(words: readonly string[]): string | undefined {
  return words.find((word, at) => !word.startsWith("-") && words[at - 1] !== "--extend");
}

/** Rewrites `--extend` of the command `study` to `--extend-plan`, unless a module follows. */
function withPlanFlag(args: readonly string[]): readonly string[] {
  return commandIn(args) !== "study" ? args : args.map((word, at) => {
    const isModule = /\.[cm]?[jt]sx?$/.test(args[at + 1] ?? "");
    return word === "--extend" && !isModule ? "--extend-plan" : word;
  });
}

/** Returns the value of `--extend`, which is needed before the arguments are parsed: the module adds commands. */
function extensionIn(words: readonly string[]): string | undefined {
  return flagValue(words, words.findIndex((word) => /^--extend(?:=|$)/.test(word)));
}

async function runCommand(session: Session, extension: string | undefined): Promise<Reply> {
  const { args } = session.io;
  if (args.includes("--version") && args.every((each) => VERSION_ONLY.includes(each))) {
    return textReply({ type: "version", text: `${project.version}\n` });
  }
  requireSources(session.io);
  const own = extension === undefined
    ? []
    : await (await late("./commands/starting.ts")).extend(extension, session);
  const { parseArguments } = await late("./parse_arguments.ts");
  const room = session.io.outIsTerminal ? Math.min(session.io.columns(), 80) : 80;
  const parsed = await parseArguments(args, [...COMMANDS, ...own], room);
  if (parsed.type !== "run") return textReply(parsed);
  const { command, invocation } = parsed;
  if (args.some((each) => /(?:^|=)local$/.test(each))) {
    await (await late("./cast_flags.ts")).useLocalModel(invocation, session);
  }
  session.named = invocation.values.given;
  try {
    return await command.run(invocation, session);
  } catch (error) {
    throw (await late("./flag.ts")).nameFlag(error, {
      given: session.named,
      known: command.flags,
    });
  }
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
  const json = session.json && running !== undefined
    ? running.endingJson(session)
    : { dir: session.dir };
  return { code: codeOfError(error), json: { ...json, error: errorJson(error) }, text: "" };
}

function print({ code, json, text }: Reply, session: Session): number {
  const { io } = session;
  if (session.json) {
    if (json !== undefined) io.out(JSON.stringify(json) + "\n");
  } else io.out(plainText(text));
  return code;
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
