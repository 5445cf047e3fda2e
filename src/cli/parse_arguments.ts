// Parses the arguments by the tables of commands and flags.
import { Command, CommanderError, Help, Option } from "commander";
import project from "../../deno.json" with { type: "json" };
import { ConfigurationError, type FieldProblem, problemsIn } from "../core/error.ts";
import { nearWord, wrappedLine } from "../core/text.ts";
import type { Action, CliCommand, Invocation } from "./session.ts";
import { cannotUse, type Flag, FlagValues, OUTPUT_FLAGS } from "./flag.ts";

const DIR_HELP =
  "<dir> is a folder, or a convening of the archive convenings: latest, an id, or the beginning of an id, such as 2026-11-23.";

const HELP: readonly string[] = ["-h", "--help", "help"];

export type Parsed =
  | {
    readonly type: "run";
    readonly command: Action;
    readonly invocation: Invocation;
  }
  | { readonly type: "help" | "version"; readonly text: string };

/** Parses the arguments; help is wrapped at `room` columns. Throws a `ConfigurationError`, with a suggestion for a misspelt name. */
export async function parseArguments(
  args: readonly string[],
  commands: readonly CliCommand[],
  room: number,
): Promise<Parsed> {
  const values = new FlagValues();
  const given = commands.filter(({ name }) => args.includes(name));
  const loading = given.map(async (each) => [each.name, await each.load()] as const);
  const loaded: ReadonlyMap<string, Action> = new Map(await Promise.all(loading));
  const names = new Set(flagNames(flagsOf([...loaded.values()])));
  const end = args.indexOf("--");
  // After -- every argument is a text.
  const before = end < 0 ? args : args.slice(0, end);
  const problems = typesetFlags(before, names);
  let shown = "";
  let parsed: Parsed | undefined;
  const program = programFor(commands, room, (text) => shown += text);
  for (const flag of OUTPUT_FLAGS) addFlag(program, flag, { values, names, problems });
  for (const command of commands) {
    const sub = program.command([command.name, ...command.arguments].join(" "))
      .description(command.about)
      .helpGroup(command.group);
    const action = loaded.get(command.name);
    if (action === undefined) continue;
    for (const flag of action.flags) addFlag(sub, flag, { values, names, problems });
    sub.action(() => {
      parsed = { type: "run", command: action, invocation: { args: sub.args, values } };
    });
  }
  try {
    if (problems.length === 0) await program.parseAsync(args, { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    // `help help` is an error of the parser.
    if (args.every((each) => HELP.includes(each))) return { type: "help", text: shown };
    const [word = "-"] = program.args.filter((each) => each !== "help");
    const isUnknown = !word.startsWith("-") && !commands.some(({ name }) => name === word);
    if (error.code.startsWith("commander.help") && isUnknown) {
      const others = args.filter((each) => !HELP.includes(each));
      return await parseArguments(others, commands, room);
    }
    if (error.exitCode === 0) {
      return { type: error.code === "commander.version" ? "version" : "help", text: shown };
    }
    if (error.code !== "commander.help") {
      const isCommand = error.code === "commander.unknownCommand";
      const flags = flagsOf([loaded.get(word) ?? []].flat());
      const known = isCommand ? commands.map(({ name }) => name) : flagNames(flags);
      const isFlag = error.code === "commander.unknownOption";
      problems.push(...isFlag ? unknownFlags(error, before, flags) : [problemOf(error, known)]);
    }
  }
  if (problems.length > 0) throw ConfigurationError.of(problems, undefined, "arguments");
  if (parsed === undefined) {
    throw new ConfigurationError("Cannot start: no command was given", {
      hint: `Give one of ${commands.map(({ name }) => name).join(", ")}; --help says more.`,
    });
  }
  return parsed;
}

function flagsOf(actions: readonly Action[]): Flag<unknown>[] {
  return [...OUTPUT_FLAGS, ...actions.flatMap((each) => each.flags)];
}

function flagNames(flags: readonly Flag<unknown>[]): string[] {
  return ["--help", "--version", ...flags.map(({ name }) => name)];
}

/** Returns the problems of flags with dashes as word processors and web pages write them, or with a space before them. */
function typesetFlags(args: readonly string[], names: ReadonlySet<string>): FieldProblem[] {
  return args.flatMap((each) => {
    const name = each.split("=", 1)[0]!;
    const plain = name.replace(/^\s*[-\u2010-\u2015\u2212]+/, "--");
    if (plain === name || !names.has(plain)) return [];
    return problemOf(new CommanderError(2, "", `unknown option '${name}'`), [...names]);
  });
}

/** Returns the problem of each unknown flag; the parser's error names the first. The value of a known flag is none. */
function unknownFlags(error: CommanderError, args: readonly string[], flags: Flag<unknown>[]) {
  const known = flagNames(flags);
  const nameOf = (each: string) => each.split("=", 1)[0]!;
  const hasValue = (each?: string) => flags.some(({ name, value }) => value && name === each);
  const [, first = ""] = /'(.*)'/s.exec(error.message) ?? [];
  const unknown = args.filter((each, at) =>
    /^-+[a-z]/i.test(each) && !hasValue(args[at - 1]) && !known.includes(nameOf(each))
  );
  // A value can make a known flag unknown, such as `--json=1`.
  const names = [first, ...unknown].map((each) =>
    known.includes(nameOf(each)) ? each : nameOf(each)
  );
  return [...new Set(names)].map((name) =>
    problemOf({ ...error, message: `unknown option '${name}'` }, known)
  );
}

/** Makes a program with no flags and commands yet, which passes its help and errors to `write`. */
function programFor(
  commands: readonly CliCommand[],
  room: number,
  write: (text: string) => void,
): Command {
  return new Command("convenings")
    .description(
      "Structured conversations between language models, kept as directories of markdown.",
    )
    .version(project.version, "--version", "print the version")
    .helpOption("-h, --help", "show this help")
    .showSuggestionAfterError(false)
    .configureHelp({
      showGlobalOptions: true,
      helpWidth: room,
      minWidthToWrap: 8,
      optionTerm: ({ flags }) => flags.replace("-h, ", ""),
      // The options of a command are unknown until its module is loaded.
      subcommandTerm(sub) {
        const term = new Help().subcommandTerm(sub);
        const row = commands.find(({ name }) => name === sub.name());
        if (row === undefined || row.flagless === true || sub.options.length > 0) return term;
        return term.replace(row.name, `${row.name} [options]`);
      },
      // Less than half, so that descriptions fit beside.
      padWidth: (shown, helper) => Math.min(new Help().padWidth(shown, helper), (room >> 1) - 4),
      formatItem(term, width, description, helper) {
        const item = (words: string) =>
          Help.prototype.formatItem.call(helper, words, width, description, helper);
        // A longer flag has its description below.
        return helper.displayWidth(term) <= width ? item(term) : `  ${term}\n${item("")}`;
      },
    })
    .commandsGroup("Reading and keeping:")
    .addHelpText("after", `\n${wrappedLine(DIR_HELP, room)}`)
    .configureOutput({
      writeOut: write,
      writeErr: write,
      outputError: () => {},
    })
    .exitOverride();
}

/** Adds a flag to a command. A flag's name as a value is a problem: the value was forgotten. */
function addFlag(
  command: Command,
  flag: Flag<unknown>,
  { values, names, problems }: {
    readonly values: FlagValues;
    readonly names: ReadonlySet<string>;
    readonly problems: FieldProblem[];
  },
): void {
  const { name, value, about, group } = flag;
  const option = new Option(value === undefined ? name : `${name} ${value}`, about);
  command.addOption(group === undefined ? option : option.helpGroup(group));
  command.on(`option:${name.slice(2)}`, (text: string | null) => {
    problems.push(...problemsIn(() => {
      if (value !== undefined && text !== null && names.has(text)) {
        throw cannotUse(name, "it has no value", `Write ${name} ${value}.`);
      }
      values.add(flag, text ?? "");
    }));
  });
}

/** Returns the problem of an error of the parser, with the nearest of the `known` names. */
function problemOf({ message, code }: CommanderError, known: readonly string[]): FieldProblem {
  const reason = message.trim().replace(/^error: /, "");
  const [, given = ""] = /^unknown [a-z]+ '([^'=]*)/.exec(reason) ?? [];
  const near = nearWord(given, known.toSorted((a, b) => a.length - b.length));
  const many = code === "commander.excessArguments" &&
    /'(debate|dialogue|consensus|say|topics|search|ask)'/.test(reason);
  return {
    message: `Cannot use the arguments: ${reason.replace(/\.$/, "")}`,
    hint: near !== undefined
      ? `Did you mean ${near}?`
      : given === "--failed"
      ? "study retry runs failed convenings again, and needs no flag for it."
      : many
      ? "Put several words in straight quotes."
      : /^-.* /s.test(given)
      ? "Put -- before a text that begins with a dash, after all flags."
      : "--help lists the commands, COMMAND --help a command's flags.",
    field: /'(\W*[\w-]+)/.exec(reason)?.[1] ?? "",
  };
}
