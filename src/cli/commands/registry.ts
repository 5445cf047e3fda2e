// The commands of the command line; a command's module is loaded when the command is named.
import type { CliCommand } from "../command.ts";
import { loadModule } from "../load_module.ts";

const continuing = () =>
  loadModule<typeof import("./continuing.ts")>(import.meta.resolve("./continuing.ts"));
const demo = () => loadModule<typeof import("./demo.ts")>(import.meta.resolve("./demo.ts"));
const judge = () => loadModule<typeof import("./judge.ts")>(import.meta.resolve("./judge.ts"));
const mcp = () => loadModule<typeof import("./mcp.ts")>(import.meta.resolve("./mcp.ts"));
const openPage = () => loadModule<typeof import("./open.ts")>(import.meta.resolve("./open.ts"));
const reading = () =>
  loadModule<typeof import("./reading.ts")>(import.meta.resolve("./reading.ts"));
const models = () => loadModule<typeof import("./models.ts")>(import.meta.resolve("./models.ts"));
const serve = () => loadModule<typeof import("./serve.ts")>(import.meta.resolve("./serve.ts"));
const study = () => loadModule<typeof import("./study.ts")>(import.meta.resolve("./study.ts"));
const worker = () => loadModule<typeof import("./worker.ts")>(import.meta.resolve("./worker.ts"));
const setup = () => loadModule<typeof import("./setup.ts")>(import.meta.resolve("./setup.ts"));
const show = () => loadModule<typeof import("./show.ts")>(import.meta.resolve("./show.ts"));
const site = () => loadModule<typeof import("./site.ts")>(import.meta.resolve("./site.ts"));
const starting = () =>
  loadModule<typeof import("./starting.ts")>(import.meta.resolve("./starting.ts"));

/** Every command, in the order of the help. */
export const COMMANDS: readonly CliCommand[] = [
  ...listed("Convening:", [
    {
      usage: "debate [topic]",
      about: "run a debate on a topic",
      runs: true,
      load: async () => (await starting()).DEBATE,
    },
    {
      usage: "dialogue [topic]",
      about: "run a plain dialogue on a topic",
      runs: true,
      load: async () => (await starting()).DIALOGUE,
    },
    {
      usage: "consensus [topic]",
      about: "look for what all can agree on: proposals, stances, agreement or impasse",
      runs: true,
      load: async () => (await starting()).CONSENSUS,
    },
    {
      usage: "paper [papers...]",
      about:
        "debate research papers (PDF, markdown, text); `paper questions FILE` prints questions to put to them, and no more",
      runs: true,
      load: async () => (await starting()).PAPER,
    },
    {
      usage: "resume <dir>",
      about: "go on with a convening that was interrupted, paused, stopped, failed or waits",
      runs: true,
      load: async () => (await continuing()).RESUME,
    },
    {
      usage: "say <dir>",
      about: "say a person's turn in a convening that waits for it, and go on; or interject",
      runs: true,
      load: async () => (await continuing()).SAY,
    },
    {
      usage: "pause <dir>",
      about: "have the process that runs a convening finish its turns and let go of it",
      load: async () => (await continuing()).PAUSE,
    },
    {
      usage: "watch <dir>",
      about: "follow a convening that another process runs; --json prints an event a line",
      flagless: true,
      load: async () => (await continuing()).WATCH,
    },
    {
      usage: "study <act> [study]",
      about:
        "hold many convenings by a plan: run, retry, stop, status, report, export, by a study.yaml, a folder or an id",
      stays: true,
      load: async () => (await study()).STUDY,
    },
    {
      usage: "worker",
      about:
        "hold the convenings of studies that a Redis hands out, in an archive that machines share",
      stays: true,
      load: async () => (await worker()).WORKER,
    },
    {
      usage: "serve",
      about: "serve an archive over HTTP: pages for people, an interface for programs, MCP",
      stays: true,
      load: async () => (await serve()).SERVE,
    },
    {
      usage: "open [dir]",
      about:
        "print the address of a convening's page, of the latest without <dir>; serve the archive where no server does",
      stays: true,
      load: async () => (await openPage()).OPEN,
    },
    {
      usage: "demo",
      about: "play a debate that ships with the program at reading pace, or show it in the viewer",
      stays: true,
      load: async () => (await demo()).DEMO,
    },
    {
      usage: "init",
      about: "write a commented convenings.yaml, which is used in its folder and those below it",
      flagless: true,
      load: async () => (await setup()).INIT,
    },
    {
      usage: "doctor",
      about:
        "print which keys are set, which model servers of this machine answer, and what is missing; --env-file of deno reads keys from a file",
      load: async () => (await setup()).DOCTOR,
    },
    {
      usage: "mcp",
      about: "serve an archive to a language model: an MCP server on standard input and output",
      stays: true,
      load: async () => (await mcp()).MCP,
    },
  ]),
  ...listed("Reading and keeping:", [
    {
      usage: "topics <subject>",
      about: "propose debatable topics on a subject",
      load: async () => (await starting()).TOPICS,
    },
    {
      usage: "show <dir> [seq]",
      about: "print a convening's index, or one of its messages by number",
      load: async () => (await show()).SHOW,
    },
    {
      usage: "list",
      about: "list an archive's convenings, newest first",
      load: async () => await (await reading()).list(),
    },
    {
      usage: "search <text>",
      about: "find messages of an archive's convenings by words, best first",
      load: async () => await (await reading()).search(),
    },
    {
      usage: "ask <dir> <question>",
      about: "find what was said about a question in a convening; --model has a model answer",
      load: async () => await (await reading()).ask(),
    },
    {
      usage: "scores <dir>",
      about: "print a page of the scores, and every verdict, as JSON",
      load: async () => await (await reading()).scores(),
    },
    {
      usage: "claims <dir>",
      about: "print a page of the fact checks as JSON",
      load: async () => await (await reading()).claims(),
    },
    {
      usage: "judge <dir>",
      about:
        "judge a finished convening again; `judge check --model NAME` measures the biases of a judge",
      runs: true,
      load: async () => (await judge()).JUDGE,
    },
    {
      usage: "brief <dir>",
      about: "write a page on a finished convening for whoever decides, as memo, ADR or questions",
      load: async () => await (await reading()).brief(),
    },
    {
      usage: "flow <dir>",
      about: "note the points of a finished debate: what was answered, dropped, conceded",
      load: async () => await (await reading()).flow(),
    },
    {
      usage: "fork <dir>",
      about: "make a new convening of the first messages of one",
      load: async () => await (await reading()).fork(),
    },
    {
      usage: "delete <dir>",
      about: "move a convening into the archive's trash; restore brings it back",
      load: async () => await (await reading()).remove(),
    },
    {
      usage: "restore <dir>",
      about: "bring a deleted convening back, by its directory in the trash",
      load: async () => await (await reading()).restore(),
    },
    {
      usage: "export <dir>",
      about: "write a convening's whole transcript into its directory",
      load: async () => (await reading()).EXPORT,
    },
    {
      usage: "site [archive]",
      about:
        "write an archive, a study or one convening as static pages with a search, to open from disk or to host",
      load: async () => (await site()).SITE,
    },
    {
      usage: "index <dir>",
      about: "write a convening's derived files again",
      flagless: true,
      load: async () => (await reading()).INDEX,
    },
    {
      usage: "verify <dir>",
      about: "prove a convening's directory: exit 0 when it is sound, 1 with a finding a line",
      load: async () => await (await reading()).verify(),
    },
    {
      usage: "models [name]",
      about:
        "print the servers of models, those of this machine, and what they taught; or a model's profile",
      load: async () => (await models()).MODELS,
    },
    {
      usage: "schema [name]",
      about:
        "print the JSON schema of report.json, of configurations or of a record's files; without a name, list them",
      flagless: true,
      load: async () => (await reading()).SCHEMA,
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
