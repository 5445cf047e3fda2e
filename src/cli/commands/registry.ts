// Table of the commands. The module of a command is loaded only when the command is used.
import type { CliCommand, CommandAction } from "../session.ts";
import { loadModule } from "../load_module.ts";

/** A command, or a function that loads an operation and builds its command. */
type ExportedCommand = CommandAction | (() => Promise<CommandAction>);
type CommandsOf<M> = { [K in keyof M]: M[K] extends ExportedCommand ? K : never }[keyof M];

const continuing = loaderOf<typeof import("./continuing.ts")>(
  import.meta.resolve("./continuing.ts"),
);
const judge = loaderOf<typeof import("./judge.ts")>(import.meta.resolve("./judge.ts"));
const reading = loaderOf<typeof import("./reading.ts")>(import.meta.resolve("./reading.ts"));
const serve = loaderOf<typeof import("./serve.ts")>(import.meta.resolve("./serve.ts"));
const setup = loaderOf<typeof import("./setup.ts")>(import.meta.resolve("./setup.ts"));
const show = loaderOf<typeof import("./show.ts")>(import.meta.resolve("./show.ts"));
const starting = loaderOf<typeof import("./starting.ts")>(import.meta.resolve("./starting.ts"));
const study = loaderOf<typeof import("./study.ts")>(import.meta.resolve("./study.ts"));

/** Returns a function that loads a module's command by its exported name. */
function loaderOf<M>(url: string): (name: CommandsOf<M>) => CliCommand["load"] {
  return (name) => async () => {
    // The cast is safe by the type of the name.
    const command = (await loadModule<M>(url))[name] as ExportedCommand;
    return typeof command === "function" ? await command() : command;
  };
}

/** All commands, in the order of the help. */
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
      "run many convenings by a plan: run, retry, stop, status, report or export; a study is given by a study.yaml, a folder or an id",
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
