// One run of the command line.
import type { Catalogue } from "../compose.ts";
import { type ConveningEvent, type ConveningStart, type Ending, factOf } from "../core/event.ts";
import type { Fact } from "../core/fact.ts";
import { type Io, shellQuote } from "./io.ts";
import type { Screen } from "./screen.ts";
import { plainText, wrappedLine } from "../core/text.ts";

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
  /** The world outside. */
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
  /** The end of the convening at hand, once there is one. */
  ending: Ending | undefined;
  /** The terminal while a run is shown on it. */
  screen: Screen | undefined;
  /** The names of those whose turns were waited for, by id. */
  readonly names = new Map<string, string>();
  #start: ConveningStart | undefined;
  /** Of a paper debate, what is on record. */
  readonly #facts: Fact[] = [];
  readonly #abort = new AbortController();

  /** A session over the given world. */
  constructor(io: Io, options: SessionOptions = {}) {
    this.io = io;
    this.json = options.json ?? false;
    this.quiet = options.quiet ?? false;
    this.debug = options.debug ?? false;
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
    this.#facts.length = 0;
    if (start.kind === "paper-debate") this.#facts.push(...facts);
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

  /** A command of this program as the user writes it. */
  commandLine(...words: readonly string[]): string {
    const program = this.io.task ? "deno task convenings" : "convenings";
    return [program, ...words.map(shellQuote)].join(" ");
  }
}
