// One run of the command line, and the form of its commands: flags, action, reply.
import type { Catalogue } from "../compose.ts";
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
  /** The object that `--json` prints; undefined where events were printed as they came. */
  readonly json: Readonly<Record<string, unknown>> | undefined;
  /** The text that is printed without `--json`; ends with a line break unless empty. */
  readonly text: string;
}

/** A reply of lines. */
export function replyOf(json: Reply["json"], lines: readonly string[], code = 0): Reply {
  return { code, json, text: lines.map((line) => `${line}\n`).join("") };
}

/** The flags of a command, and what the command does. */
export interface CommandAction {
  readonly flags: readonly Flag<unknown>[];
  run(invocation: Invocation, session: Session): Promise<Reply>;
}

/** A row of the table of commands. */
export interface CliCommand {
  readonly name: string;
  /** In the notation of help: `<dir>` is needed, `[topic]` is not. */
  readonly arguments: readonly string[];
  readonly about: string;
  /** Under which heading help lists it. */
  readonly group: string;
  /** No flags of its own. @default false */
  readonly flagless?: boolean;
  /** True of a command that runs a convening: its JSON then always has the keys of a result. */
  readonly runs?: boolean;
  /** True of a command that runs until it is interrupted, and then ends in good order by itself. */
  readonly stays?: boolean;
  load(): Promise<CommandAction>;
}

interface SessionOptions {
  /** One JSON object on standard output. @default false */
  readonly json?: boolean;
  /** No progress. @default false */
  readonly quiet?: boolean;
  /** Stacks of errors. @default false */
  readonly debug?: boolean;
}

/** One run of the command line: how it shows things, whether it was interrupted, and the convening at hand. */
export class Session {
  readonly io: Io;
  readonly json: boolean;
  readonly quiet: boolean;
  readonly debug: boolean;
  /** The directory of the convening at hand, once there is one. */
  dir: string | undefined;
  /** The kinds and agents there are: those of `--extend`, too. @default the built-in ones */
  catalogue: Catalogue | undefined;
  /** The path of the configuration file that was found without --config. */
  foundConfig: string | undefined;
  ending: Ending | undefined;
  /** The terminal while a run is shown on it. */
  screen: Screen | undefined;
  /** The names of those whose turns were waited for, by id. */
  readonly names = new Map<string, string>();
  #start: ConveningStart | undefined;
  #facts: Fact[] = [];
  readonly #abort = new AbortController();

  constructor(io: Io, { json = false, quiet = false, debug = false }: SessionOptions = {}) {
    this.io = io;
    this.json = json;
    this.quiet = quiet;
    this.debug = debug;
  }

  /** Aborts at the first Ctrl-C. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** Ends in good order whatever waits for {@linkcode signal}. */
  interrupt(): void {
    this.#abort.abort(new DOMException("Interrupted", "AbortError"));
  }

  /** The start of the convening at hand, and of a paper debate the facts on record. */
  get record(): { readonly start: ConveningStart | undefined; readonly facts: readonly Fact[] } {
    return { start: this.#start, facts: this.#facts };
  }

  /** Keeps of a convening what is told at the end. */
  follow(start: ConveningStart, facts: readonly Fact[]): void {
    this.#start = start;
    this.#facts = start.kind === "paper-debate" ? [...facts] : [];
  }

  /** Keeps of an event what is told at the end. */
  take(event: ConveningEvent): void {
    if (event.type === "convening-start") this.follow(event.start, []);
    const fact = this.#start?.kind === "paper-debate" ? factOf(event) : undefined;
    if (fact !== undefined) this.#facts.push(fact);
    if (event.type === "convening-end") this.ending = event.ending;
    if (event.type === "turn-wait") this.names.set(event.turn.participant, event.turn.name);
  }

  /** A sentence on standard error, unless the user wants quiet. */
  note(sentence: string): void {
    const { live, columns } = this.io;
    if (!this.quiet) this.tell(live ? wrappedLine(sentence, columns()) : sentence);
  }

  /** A line on standard error as it is, above the status line where there is one. */
  tell(line: string): void {
    const text = plainText(line) + "\n";
    if (this.screen === undefined) this.io.err(text);
    else this.screen.note(text);
  }

  commandLine(...words: readonly string[]): string {
    const program = this.io.task ? "deno task convenings" : "convenings";
    return [program, ...words.map(shellQuote)].join(" ");
  }
}
