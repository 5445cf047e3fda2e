// The state of one run of the command line, and the types of commands: flags, action, reply.
import type { Catalogue } from "../compose.ts";
import { ConveningError } from "../core/error.ts";
import { type ConveningEvent, type ConveningStart, type Ending, factOf } from "../core/event.ts";
import { plainText, wrappedLine } from "../core/text.ts";
import type { Fact } from "../core/fact.ts";
import type { Flag, FlagValues } from "./flag.ts";
import { type Io, shellQuote } from "./io.ts";
import type { Screen } from "./screen.ts";

export interface Invocation {
  readonly args: readonly string[];
  readonly values: FlagValues;
}

export interface Reply {
  readonly code: number;
  /** The object that `--json` prints; undefined if the command has printed events during its run. */
  readonly json: Readonly<Record<string, unknown>> | undefined;
  /** The text without `--json`; ends with a line break unless empty. */
  readonly text: string;
}

export function replyOf(json: Reply["json"], lines: readonly string[], code = 0): Reply {
  return { code, json, text: lines.map((line) => `${line}\n`).join("") };
}

/** Action of a command, with the flags of the command. */
export interface Action {
  readonly flags: readonly Flag<unknown>[];
  run(invocation: Invocation, session: Session): Promise<Reply>;
}

export interface CliCommand {
  readonly name: string;
  /** Arguments in the notation of help: `<dir>` is required, `[topic]` is optional. */
  readonly arguments: readonly string[];
  readonly about: string;
  readonly group: string;
  /** True if the command has no flags of its own. @default false */
  readonly flagless?: boolean;
  /** True if the command runs a convening; its JSON then always has the keys of a result. @default false */
  readonly runs?: boolean;
  /** True if the command runs until it is interrupted, and then shuts down by itself. @default false */
  readonly stays?: boolean;
  load(): Promise<Action>;
}

/** The state of one run of the command line: output options, interruption, and the convening of the command. */
export class Session {
  readonly io: Io;
  /** Prints one JSON object on standard output. */
  readonly json: boolean;
  /** Prints no progress. */
  readonly quiet: boolean;
  /** Prints the stack traces of errors. */
  readonly debug: boolean;
  /** Directory of the convening that the command runs or reads; undefined until known. */
  dir: string | undefined;
  /** Known kinds and agents, with those of `--extend`. @default the built-in kinds and agents */
  catalogue: Catalogue | undefined;
  /** Path of the module of `--extend`, which printed commands need too. @default no module */
  extension: string | undefined;
  /** Absolute path of the default archive; undefined until a command needs it. */
  archive: string | undefined;
  /** Path of the configuration file that was found without `--config`. */
  foundConfig: string | undefined;
  /** Flags that errors about configuration keys name. */
  named: readonly Flag<unknown>[] = [];
  ending: Ending | undefined;
  /** The terminal display while a run is shown; undefined otherwise. */
  screen: Screen | undefined;
  #start: ConveningStart | undefined;
  #facts: Fact[] = [];
  readonly #abort = new AbortController();

  constructor(
    io: Io,
    { json = false, quiet = false, debug = false }: Partial<
      Pick<Session, "json" | "quiet" | "debug">
    > = {},
  ) {
    this.io = io;
    this.json = json;
    this.quiet = quiet;
    this.debug = debug;
  }

  /** Aborts at the first Ctrl-C. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** Aborts {@linkcode signal}, so that the command shuts down. */
  interrupt(): void {
    this.#abort.abort(new DOMException("Interrupted", "AbortError"));
  }

  get record(): {
    readonly start: ConveningStart | undefined;
    readonly facts: readonly Fact[];
  } {
    return { start: this.#start, facts: this.#facts };
  }

  /** Sets the command's convening; keeps its start and facts for the final report. */
  follow(start: ConveningStart, facts: readonly Fact[]): void {
    this.#start = start;
    this.#facts = [...facts];
  }

  /** Keeps the data of an event that the final report needs. */
  take(event: ConveningEvent): void {
    if (event.type === "convening-start") this.follow(event.start, []);
    const fact = factOf(event);
    if (fact !== undefined) this.#facts.push(fact);
    if (event.type === "convening-end") this.ending = event.ending;
  }

  /** Prints a sentence on standard error, unless `--quiet` is given. */
  note(sentence: string): void {
    const { live, columns } = this.io;
    if (!this.quiet) this.tell(live ? wrappedLine(sentence, columns()) : sentence);
  }

  /** Prints a line on standard error, above the status line if there is one. */
  tell(line: string): void {
    const text = plainText(line) + "\n";
    if (this.screen === undefined) this.io.err(text);
    else this.screen.note(text);
  }

  /** Prints an error on standard error: one line, its hint, and its stack trace with `--debug`. */
  showError(error: unknown): void {
    this.screen?.status("");
    const { message, hint } = errorJson(error);
    const { live, columns } = this.io;
    // A command line stays whole, to be copied.
    const lines = [`error: ${message.replace(/\s*\n\s*/g, " ")}`, ...hint?.split("\n") ?? []]
      .map((line) => live && !line.startsWith("deno ") ? wrappedLine(line, columns()) : line);
    if (this.debug) lines.push(...stackOf(error));
    this.io.err(plainText(lines.join("\n")) + "\n");
  }

  /** Wraps lines of the reply at the width of the terminal; returns them unchanged without a terminal. */
  wrapped(lines: readonly string[]): readonly string[] {
    const { outIsTerminal, columns } = this.io;
    return outIsTerminal ? lines.map((line) => wrappedLine(line, columns())) : lines;
  }

  /** Returns a command line of this program for the user to copy, with quotes where needed. */
  commandLine(...words: readonly string[]): string {
    const program = this.io.task ? "deno task convenings" : "convenings";
    const own = this.extension === undefined ? [] : ["--extend", this.extension];
    return [program, ...[...words, ...own].map((word) => shellQuote(word))].join(" ");
  }
}

const REPORT = "This is a fault of the program; run it again with --debug to see where.";

/** Converts an error into JSON; an unexpected error has the code `unexpected`. */
export function errorJson(error: unknown): ReturnType<ConveningError["toJSON"]> {
  if (error instanceof ConveningError) return error.toJSON();
  const message = error instanceof Error ? error.message || error.name : String(error);
  return { code: "unexpected", message, hint: REPORT };
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
