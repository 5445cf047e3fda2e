// The commands of the command line; a command's module is loaded when the command is named.
import type { CliCommand, CommandAction } from "../session.ts";
import { loadModule } from "../load_module.ts";

/** A command, or a function that makes the command of an operation, which is loaded with it. */
type Made = CommandAction | (() => Promise<CommandAction>);
/** The names of the commands of a module. */
type CommandsOf<M> = { [K in keyof M]: M[K] extends Made ? K : never }[keyof M];

const continuing = from<typeof import("./continuing.ts")>(import.meta.resolve("./continuing.ts"));
const judge = from<typeof import("./judge.ts")>(import.meta.resolve("./judge.ts"));
const reading = from<typeof import("./reading.ts")>(import.meta.resolve("./reading.ts"));
const serve = from<typeof import("./serve.ts")>(import.meta.resolve("./serve.ts"));
const setup = from<typeof import("./setup.ts")>(import.meta.resolve("./setup.ts"));
const show = from<typeof import("./show.ts")>(import.meta.resolve("./show.ts"));
const starting = from<typeof import("./starting.ts")>(import.meta.resolve("./starting.ts"));
const study = from<typeof import("./study.ts")>(import.meta.resolve("./study.ts"));
const worker = from<typeof import("./worker.ts")>(import.meta.resolve("./worker.ts"));

/** Loads commands of a module by their names there. */
function from<M>(url: string): (name: CommandsOf<M>) => CliCommand["load"] {
  return (name) => async () => {
    // The type of the name says so.
    const made = (await loadModule<M>(url))[name] as Made;
    return typeof made === "function" ? await made() : made;
  };
}

/** Every command, in the order of the help. */
export const COMMANDS: readonly CliCommand[] = [
  ...listed("Convening:", [
    {
      usage: "debate [topic]",
      about: "run a debate on a topic",
      runs: true,
      load: starting("DEBATE"),
    },
    {
      usage: "dialogue [topic]",
      about: "run a plain dialogue on a topic",
      runs: true,
      load: starting("DIALOGUE"),
    },
    {
      usage: "consensus [topic]",
      about: "look for what all can agree on: proposals, stances, agreement or impasse",
      runs: true,
      load: starting("CONSENSUS"),
    },
    {
      usage: "paper [papers...]",
      about:
        "debate research papers (PDF, markdown, text); `paper questions FILE` prints questions to put to them, and no more",
      runs: true,
      load: starting("PAPER"),
    },
    {
      usage: "resume <dir>",
      about: "go on with a convening that was interrupted, paused, stopped, failed or waits",
      runs: true,
      load: continuing("RESUME"),
    },
    {
      usage: "say <dir>",
      about: "say a person's turn in a convening that waits for it, and go on; or interject",
      runs: true,
      load: continuing("SAY"),
    },
    {
      usage: "pause <dir>",
      about: "have the process that runs a convening finish its turns and let go of it",
      load: continuing("PAUSE"),
    },
    {
      usage: "watch <dir>",
      about: "follow a convening that another process runs; --json prints an event a line",
      flagless: true,
      load: continuing("WATCH"),
    },
    {
      usage: "study <act> [study]",
      about:
        "hold many convenings by a plan: run, retry, stop, status, report, export, by a study.yaml, a folder or an id",
      stays: true,
      load: study("STUDY"),
    },
    {
      usage: "worker",
      about:
        "hold the convenings of studies that a Redis hands out, in an archive that machines share",
      stays: true,
      load: worker("WORKER"),
    },
    {
      usage: "serve",
      about: "serve an archive over HTTP: pages for people, an interface for programs, MCP",
      stays: true,
      load: serve("SERVE"),
    },
    {
      usage: "open [dir]",
      about:
        "print the address of a convening's page, of the latest without <dir>; serve the archive where no server does",
      stays: true,
      load: serve("OPEN"),
    },
    {
      usage: "demo",
      about: "play a debate that ships with the program at reading pace, or show it in the viewer",
      stays: true,
      load: continuing("DEMO"),
    },
    {
      usage: "init",
      about: "write a commented convenings.yaml, which is used in its folder and those below it",
      flagless: true,
      load: setup("INIT"),
    },
    {
      usage: "doctor",
      about:
        "print which keys are set, which model servers of this machine answer, and what is missing; --env-file of deno reads keys from a file",
      load: setup("DOCTOR"),
    },
    {
      usage: "mcp",
      about: "serve an archive to a language model: an MCP server on standard input and output",
      stays: true,
      load: serve("MCP"),
    },
  ]),
  ...listed("Reading and keeping:", [
    {
      usage: "topics <subject>",
      about: "propose debatable topics on a subject",
      load: starting("TOPICS"),
    },
    {
      usage: "show <dir> [seq]",
      about: "print a convening's index, or one of its messages by number",
      load: show("SHOW"),
    },
    { usage: "list", about: "list an archive's convenings, newest first", load: reading("list") },
    {
      usage: "search <text>",
      about: "find messages of an archive's convenings by words, best first",
      load: reading("search"),
    },
    {
      usage: "ask <dir> <question>",
      about: "find what was said about a question in a convening; --model has a model answer",
      load: reading("ask"),
    },
    {
      usage: "scores <dir>",
      about: "print a page of the scores, and every verdict, as JSON",
      load: reading("scores"),
    },
    {
      usage: "claims <dir>",
      about: "print a page of the fact checks as JSON",
      load: reading("claims"),
    },
    {
      usage: "judge <dir>",
      about:
        "judge a finished convening again; `judge check --model NAME` measures the biases of a judge",
      runs: true,
      load: judge("JUDGE"),
    },
    {
      usage: "brief <dir>",
      about: "write a page on a finished convening for whoever decides, as memo, ADR or questions",
      load: reading("brief"),
    },
    {
      usage: "flow <dir>",
      about: "note the points of a finished debate: what was answered, dropped, conceded",
      load: reading("flow"),
    },
    {
      usage: "fork <dir>",
      about: "make a new convening of the first messages of one",
      load: reading("fork"),
    },
    {
      usage: "delete <dir>",
      about: "move a convening into the archive's trash; restore brings it back",
      load: reading("remove"),
    },
    {
      usage: "restore <dir>",
      about: "bring a deleted convening back, by its directory in the trash",
      load: reading("restore"),
    },
    {
      usage: "export <dir>",
      about: "write a convening's whole transcript into its directory",
      load: reading("EXPORT"),
    },
    {
      usage: "site [archive]",
      about:
        "write an archive, a study or one convening as static pages with a search, to open from disk or to host",
      load: reading("SITE"),
    },
    {
      usage: "index <dir>",
      about: "write a convening's derived files again",
      flagless: true,
      load: reading("INDEX"),
    },
    {
      usage: "verify <dir>",
      about: "prove a convening's directory: exit 0 when it is sound, 1 with a finding a line",
      load: reading("verify"),
    },
    {
      usage: "models [name]",
      about:
        "print the servers of models, those of this machine, and what they taught; or a model's profile",
      load: setup("MODELS"),
    },
    {
      usage: "schema [name]",
      about:
        "print the JSON schema of report.json, of configurations or of a record's files; without a name, list them",
      flagless: true,
      load: reading("SCHEMA"),
    },
  ]),
];

/** A row: name and arguments as help writes them, such as `ask <dir> <question>`. */
type Row = Omit<CliCommand, "name" | "arguments" | "group"> & { readonly usage: string };

/** Commands under a heading of the help. */
function listed(group: string, rows: readonly Row[]): readonly CliCommand[] {
  return rows.map(({ usage, ...row }) => {
    const [name = "", ...args] = usage.split(" ");
    return { ...row, name, arguments: args, group };
  });
}
