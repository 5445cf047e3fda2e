// People at the terminal: their turns and picks.
import type { Message } from "../core/message.ts";
import { capitalized, gist, plainLine, plainText, wrappedLine } from "../core/text.ts";
import { checkSpeech } from "../core/topic.ts";
import { ConveningError, TurnOrderError } from "../core/error.ts";
import type { ConveningEvent, TurnInfo } from "../core/event.ts";
import { howToPick, pickProblem, questionsToPick } from "../operations/picking.ts";
import type { Io } from "./io.ts";
import type { Screen } from "./screen.ts";

interface Listening {
  /** Says the turn of the participant who is waited for. */
  say(participant: string, text: string): void;
  /** Leaves the turn for another time. */
  pause(): void;
}

interface Wait {
  readonly turn: TurnInfo;
  readonly task: string;
  readonly over: AbortController;
}

interface TerminalOptions {
  readonly io: Pick<Io, "read" | "live" | "columns">;
  readonly screen: Screen;
  /** The messages so far, oldest first. @default none */
  readonly said?: readonly Message[] | undefined;
  /** The configuration of a convening that is resumed. @default that of its start event */
  readonly configuration?: Readonly<Record<string, unknown>> | undefined;
  /** Called for a turn whose words were typed here: they are on the screen already. */
  readonly onTyped: (turn: string) => void;
}

/** The most messages shown before a turn. */
const SHOWN = 3;

/** The people at the terminal: asks for each of their turns, one after the other. */
export class TerminalPeople {
  readonly #options: TerminalOptions;
  readonly #lines: InputLines;
  readonly #waits = new Map<string, Wait>();
  /** The reasons why the last attempts at turns were rejected. */
  readonly #rejected = new Map<string, string>();
  readonly #asked = new Set<string>();
  readonly #said: Message[];
  /** The number of messages from before this run. */
  readonly #before: number;
  #configuration: Readonly<Record<string, unknown>>;
  #asking: Promise<void> = Promise.resolve();

  constructor(options: TerminalOptions) {
    this.#options = options;
    this.#lines = new InputLines(options.io.read);
    this.#said = [...options.said ?? []];
    this.#before = this.#said.length;
    this.#configuration = options.configuration ?? {};
  }

  /** Follows one event: asks whoever is waited for, and stops asking when somebody else has answered. */
  take(event: ConveningEvent, listening: Listening): void {
    switch (event.type) {
      case "convening-start":
        this.#configuration = event.start.configuration;
        return;
      case "turn-wait": {
        const { turn, task } = event;
        const wait = { turn, task, over: new AbortController() };
        this.#waits.set(turn.turn, wait);
        this.#asking = this.#asking.then(() => this.#ask(wait, listening));
        return;
      }
      case "turn-reject":
        this.#rejected.set(event.rejection.turn, event.rejection.reason);
        return;
      case "turn-answer":
        return this.#end(event.turn.turn);
      case "message":
        this.#said.push(event.message);
        return;
      case "convening-end":
        for (const key of [...this.#waits.keys()]) this.#end(key);
        return;
      default:
        return;
    }
  }

  /** Stops asking; settles once what was held is on the screen. */
  async end(): Promise<void> {
    for (const key of [...this.#waits.keys()]) this.#end(key);
    await this.#asking;
  }

  #end(key: string): void {
    this.#waits.get(key)?.over.abort();
    this.#waits.delete(key);
  }

  async #ask(wait: Wait, listening: Listening): Promise<void> {
    const { signal } = wait.over;
    if (signal.aborted) return;
    const { screen, onTyped } = this.#options;
    screen.hold();
    try {
      screen.prompt(this.#prompt(wait));
      let emptyEnds = 0;
      for (;;) {
        const lines = this.#lines;
        const written = await (isPick(wait.turn) ? lines.nextLine(signal) : lines.next(signal));
        if (written === undefined) return screen.prompt("\n(The turn is over.)\n");
        const { text, atEnd } = written;
        if (atEnd && text.trim() === "" && ++emptyEnds === 2) {
          screen.prompt("\nLeft for another time.\n");
          return listening.pause();
        }
        const problem = this.#submit(wait, text, listening);
        if (problem === "said") return onTyped(wait.turn.turn);
        if (problem === "too late") return;
        const left = atEnd && text.trim() === "" ? " Ctrl-D once more leaves it for later." : "";
        screen.prompt(`${atEnd ? "\n" : ""}${plainLine(problem)}${left}\n`);
      }
    } finally {
      screen.release();
    }
  }

  /** Says what was written; else gives why it must be written again. */
  #submit({ turn }: Wait, text: string, listening: Listening): string {
    const problem = isPick(turn)
      ? pickAgain(text, questionsToPick(this.#said).length)
      : text.trim() === ""
      ? "Nothing was written. Write something, then a line with a single ."
      : undefined;
    if (problem !== undefined) return problem;
    try {
      listening.say(turn.participant, checkSpeech(text));
      return "said";
    } catch (error) {
      // Somebody else was faster; the turn is over in a moment.
      if (error instanceof TurnOrderError) return "too late";
      if (error instanceof ConveningError) {
        return `${error.message}. ${error.hint ?? ""} Write it again.`;
      }
      throw error;
    }
  }

  #prompt({ turn, task }: Wait): string {
    if (isPick(turn)) return pickPrompt(task, questionsToPick(this.#said).length);
    const { name, kind, round } = turn;
    const where = kind.replaceAll("_", " ") + (round === 0 ? "" : `, round ${round}`);
    const again = this.#asked.has(turn.turn);
    const rejected = this.#rejected.get(turn.turn) ?? (again ? "It could not be read." : undefined);
    this.#asked.add(turn.turn);
    const isQuestion = turn.seq === 0;
    const lines = [
      "",
      `── ${plainLine(name)}, it is your turn: ${where} ──`,
      ...rejected === undefined
        ? this.#heard(turn)
        : [`That was turned down: ${plainText(rejected)}`, ""],
      plainText(task).trim(),
      "",
      isQuestion
        ? "Answer with a line `name: value` for each thing asked; a line with a single . ends it."
        : "Write below; a line with a single . (or Ctrl-D) ends it.",
      "",
    ].join("\n").split("\n");
    const { live, columns } = this.#options.io;
    return (live ? lines.map((each) => wrappedLine(each, columns())) : lines).join("\n");
  }

  /** The messages since the speaker's own last words: whole where they are not on the screen yet. */
  #heard(turn: TurnInfo): string[] {
    const own = this.#said.findLast((each) => each.participant === turn.participant);
    const shown = new Set(this.#options.io.live ? this.#said.slice(this.#before) : []);
    const heard = this.#said
      .filter((each) => each.seq > (own?.seq ?? 0) && this.#isKnown(each, turn))
      .slice(-SHOWN);
    // A single one stands just above.
    if (heard.length === 1 && shown.has(heard[0]!)) return [];
    return heard.flatMap((message) => {
      const head = `${message.seq} · ${plainLine(message.name)}`;
      return shown.has(message)
        ? [`${head}: ${plainLine(gist(plainText(message.body)))}`, ""]
        : [`${head}:`, ...plainText(message.body).split("\n").map((line) => `  ${line}`), ""];
    });
  }

  /** True of a message that a turn's speaker may know: of speeches made at once nobody knows another's. */
  #isKnown({ seq, kind, round }: Message, turn: TurnInfo): boolean {
    if (turn.seq === 0) return true;
    const { blindOpenings, pacing } = this.#configuration;
    const atOnce = turn.kind === "opening_statement"
      ? blindOpenings !== false
      : pacing === "simultaneous";
    return seq < turn.seq && !(atOnce && kind === turn.kind && round === turn.round);
  }
}

/** True of the question which of several questions is debated: one line answers that. */
function isPick({ kind, seq }: Pick<TurnInfo, "kind" | "seq">): boolean {
  return kind === "pick" && seq === 0;
}

/** The prompt for a person who picks a question. */
function pickPrompt(task: string, count: number): string {
  return ["", plainText(task).trim(), "", `${howToPick(count)}, then Enter:`, ""].join("\n");
}

/** The problem of an answer that picks no question, with what can be written instead; undefined of a good answer. */
function pickAgain(text: string, count: number): string | undefined {
  const problem = pickProblem(text, count);
  if (problem === undefined) return undefined;
  return `${capitalized(problem)}. ${howToPick(count)}, then Enter:`;
}

/** The words of a person: one line, or lines up to one with a single `.`, or up to the end of input. */
interface Written {
  readonly text: string;
  /** True where the end of input ended it. */
  readonly atEnd: boolean;
}

/** Standard input by lines. What was typed and not yet asked for stays for the next who asks. */
export class InputLines {
  readonly #read: Io["read"];
  #rest = "";
  /** A read that continues although nobody waits for it any more: a terminal cannot be asked twice. */
  #reading: Promise<string | undefined> | undefined;

  constructor(read: Io["read"]) {
    this.#read = read;
  }

  /** The next text, ended by a line with a single `.`; undefined when `signal` aborts first. */
  async next(signal: AbortSignal): Promise<Written | undefined> {
    const lines: string[] = [];
    for (;;) {
      const line = await this.nextLine(signal);
      if (line === undefined) return undefined;
      if (line.text === "." && !line.atEnd) return { text: lines.join("\n"), atEnd: false };
      lines.push(line.text);
      if (line.atEnd) return { text: lines.join("\n"), atEnd: true };
    }
  }

  /** The next line; undefined when `signal` aborts first. */
  async nextLine(signal: AbortSignal): Promise<Written | undefined> {
    for (;;) {
      const at = this.#rest.indexOf("\n");
      if (at !== -1) {
        const text = this.#rest.slice(0, at).replace(/\r$/, "");
        this.#rest = this.#rest.slice(at + 1);
        return { text, atEnd: false };
      }
      const piece = await this.#next(signal);
      if (piece === "aborted") return undefined;
      if (piece === undefined) {
        const text = this.#rest;
        this.#rest = "";
        return { text, atEnd: true };
      }
      this.#rest += piece.text;
    }
  }

  async #next(signal: AbortSignal): Promise<{ text: string } | "aborted" | undefined> {
    if (signal.aborted) return "aborted";
    const { promise, resolve } = Promise.withResolvers<"aborted">();
    const stop = () => resolve("aborted");
    signal.addEventListener("abort", stop, { once: true });
    this.#reading ??= this.#read();
    try {
      const piece = await Promise.race([this.#reading.then((text) => ({ text })), promise]);
      if (piece === "aborted") return piece;
      this.#reading = undefined;
      return piece.text === undefined ? undefined : { text: piece.text };
    } finally {
      signal.removeEventListener("abort", stop);
    }
  }
}

export async function readAll(read: Io["read"]): Promise<string> {
  let text = "";
  for (let piece = await read(); piece !== undefined; piece = await read()) text += piece;
  return text;
}
