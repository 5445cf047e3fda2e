// Asks people at the terminal for their turns and for the choice of a question.
import { untilAborted } from "../core/clock.ts";
import type { Message } from "../core/message.ts";
import { capitalized, counted, plainLine, plainText, wrappedLine } from "../core/text.ts";
import { checkSpeech } from "../core/topic.ts";
import { ConfigurationError, ConveningError, TurnOrderError } from "../core/error.ts";
import type { ConveningEvent, ConveningStart, TurnInfo } from "../core/event.ts";
import { isWrittenBlind } from "../debate/rules.ts";
import type { Resumed } from "../operations/active_run.ts";
import { howToPick, isPickKey, pickProblem, questionsToPick } from "../operations/picking.ts";
import type { Io } from "./io.ts";
import type { Screen } from "./screen.ts";

type TurnActions = Pick<Resumed, "say" | "pause">;

interface Wait {
  readonly turn: TurnInfo;
  readonly task: string;
  readonly over: AbortController;
}

interface TerminalOptions {
  readonly io: Pick<Io, "read" | "live" | "columns">;
  readonly screen: Screen;
  /** Messages before this run, oldest first. @default none */
  readonly said?: readonly Message[] | undefined;
  /** Returns the start of the convening; undefined before the start event. */
  readonly start: () => ConveningStart | undefined;
  /** Called with the key of a turn that was typed here, since its words are already on the screen. */
  readonly onTyped: (turn: string) => void;
}

/** Maximum number of messages shown before a turn. */
const SHOWN = 3;

/** Asks the people at the terminal for their turns, one after the other. */
export class TerminalPeople {
  readonly #options: TerminalOptions;
  readonly #lines: InputLines;
  readonly #waits = new Map<string, Wait>();
  readonly #asked = new Set<string>();
  readonly #said: Message[];
  /** Number of messages before this run. */
  readonly #before: number;
  #asking: Promise<void> = Promise.resolve();

  constructor(options: TerminalOptions) {
    this.#options = options;
    this.#lines = new InputLines(options.io.read);
    this.#said = [...options.said ?? []];
    this.#before = this.#said.length;
  }

  /** Handles an event: asks for a turn that the run waits for, and stops asking if the turn was said elsewhere. */
  take(event: ConveningEvent, actions: TurnActions): void {
    switch (event.type) {
      case "turn-wait": {
        const { turn, task } = event;
        const wait = { turn, task, over: new AbortController() };
        this.#waits.set(turn.turn, wait);
        this.#asking = this.#asking.then(() => this.#ask(wait, actions));
        return;
      }
      case "turn-answer":
        return this.#end([event.turn.turn]);
      case "message":
        this.#said.push(event.message);
        return;
      case "convening-end":
        return this.#end(this.#waits.keys());
    }
  }

  /** Stops asking; resolves once the buffered progress is on the screen. */
  async end(): Promise<void> {
    this.#end(this.#waits.keys());
    await this.#asking;
  }

  #end(turns: Iterable<string>): void {
    for (const key of turns) this.#waits.get(key)?.over.abort();
  }

  async #ask(wait: Wait, actions: TurnActions): Promise<void> {
    const { signal } = wait.over;
    if (signal.aborted) return;
    const { screen, onTyped } = this.#options;
    screen.hold();
    try {
      screen.prompt(this.#wrapped(this.#prompt(wait)));
      let emptyEnds = 0;
      for (;;) {
        const read = isPickKey(wait.turn.turn)
          ? this.#lines.nextLine(signal)
          : this.#lines.next(signal);
        const written = await read.catch((error: unknown) => {
          if (!signal.aborted) throw error;
        });
        if (written === undefined) return screen.prompt("\n(The turn is over.)\n");
        const { text, atEnd } = written;
        if (atEnd && text.trim() === "" && ++emptyEnds === 2) {
          screen.prompt("\nLeft for later.\n");
          this.#end(this.#waits.keys());
          return actions.pause?.();
        }
        const problem = this.#submit(wait, text, actions);
        if (problem === "said") return onTyped(wait.turn.turn);
        if (problem === "too late") return;
        const left = atEnd && text.trim() === "" ? " Ctrl-D once more leaves it for later." : "";
        screen.prompt(`${atEnd ? "\n" : ""}${this.#wrapped(plainLine(problem) + left)}\n`);
      }
    } finally {
      screen.release();
    }
  }

  /** Says a written turn; returns "said", "too late", or the problem for a new attempt. */
  #submit({ turn }: Wait, typed: string, actions: TurnActions): string {
    try {
      const text = inputText(typed, true);
      if (isPickKey(turn.turn)) {
        const count = questionsToPick(this.#said).length;
        const problem = pickProblem(text, count);
        if (problem !== undefined) {
          return `${capitalized(problem)}. ${howToPick(count)}, then Enter:`;
        }
      } else if (text.trim() === "") {
        return "Nothing was written. Write something, then a line with a single .";
      }
      actions.say?.(turn.participant, checkSpeech(text), turn.turn);
      return "said";
    } catch (error) {
      // The turn was said elsewhere meanwhile; its event will follow.
      if (error instanceof TurnOrderError) return "too late";
      if (error instanceof ConveningError) {
        return `${error.message}. ${error.hint ?? ""} Write it again.`;
      }
      throw error;
    }
  }

  #wrapped(text: string): string {
    const { live, columns } = this.#options.io;
    if (!live) return text;
    return text.split("\n").map((each) => wrappedLine(each, columns())).join("\n");
  }

  #prompt({ turn, task }: Wait): string {
    if (isPickKey(turn.turn)) {
      const how = howToPick(questionsToPick(this.#said).length);
      return ["", plainText(task).trim(), "", `${how}, then Enter:`, ""].join("\n");
    }
    const { name, kind, participant, round } = turn;
    const position = this.#options.start()?.participants.find(({ id }) => id === participant)
      ?.position;
    const where = kind.replaceAll("_", " ") + (round === 0 ? "" : `, round ${round}`);
    const again = this.#asked.has(turn.turn);
    this.#asked.add(turn.turn);
    const isQuestion = turn.seq === 0;
    return [
      "",
      `── ${plainLine(name)}, it is your turn: ${where} ──`,
      ...position === undefined ? [] : [`Your position: ${plainLine(position)}`],
      // The task of another attempt begins with the reason.
      ...again ? [] : this.#heard(turn),
      plainText(task).trim(),
      "",
      isQuestion
        ? "Answer with a line `name: value` for each thing asked; a line with a single . ends it."
        : "Write below; a line with a single . (or Ctrl-D) ends it.",
      "",
    ].join("\n");
  }

  /**
   * Returns lines with the turn that a judge scores; else with the messages since the speaker's last one that are not on the
   * screen already.
   */
  #heard(turn: TurnInfo): string[] {
    const judged = /^score\/(\d+)\//.exec(turn.turn)?.[1];
    if (judged !== undefined) {
      return this.#said.filter(({ seq }) => seq === Number(judged)).flatMap(wholeLines);
    }
    const own = this.#said.findLast((each) => each.participant === turn.participant);
    return (this.#options.io.live ? this.#said.slice(0, this.#before) : this.#said)
      .filter((each) => each.seq > (own?.seq ?? 0) && this.#isKnown(each, turn))
      .slice(-SHOWN).flatMap(wholeLines);
  }

  /** Returns true if the speaker of a turn may see a message; speakers of concurrent turns do not see each other's. */
  #isKnown({ seq, kind, round }: Message, turn: TurnInfo): boolean {
    if (turn.seq === 0) return true;
    const isBlind = isWrittenBlind(this.#options.start()?.configuration ?? {}, turn.kind);
    return seq < turn.seq && !(isBlind && kind === turn.kind && round === turn.round);
  }
}

function wholeLines({ seq, name, body }: Message): string[] {
  const lines = plainText(body).split("\n").map((line) => `  ${line}`);
  return [`${seq} · ${plainLine(name)}:`, ...lines, ""];
}

/** Bytes of a line that a terminal of Linux passes on; a longer line is cut there. */
const LINE_BYTES = 4095;

/**
 * Returns text of standard input without the codes of keys, such as arrows. Throws a `ConfigurationError` for a line that the
 * terminal cut, and for bytes that are not UTF-8, such as the rest of a character of which a terminal erased one byte.
 */
export function inputText(text: string, isTerminal: boolean): string {
  const over = text.split("\n").map((line) => new TextEncoder().encode(line).length - LINE_BYTES);
  // A character that is cut is read as one of three bytes. Other systems pass longer lines on.
  const [problem, remedy] = isTerminal && over.some((bytes) => bytes >= 0 && bytes <= 2)
    ? [`the terminal cut a line after ${counted(LINE_BYTES, "byte")}`, "Break long lines"]
    : text.includes("\ufffd")
    ? ["it has bytes that are not UTF-8", "Set a terminal to UTF-8 (stty iutf8), convert the text"]
    : [];
  // deno-lint-ignore no-control-regex
  if (problem === undefined) return text.replace(/\x1b(?:\[[0-?]*[ -/]*[@-~]|O[A-DFHP-S])?/g, "");
  throw new ConfigurationError(`Cannot say that: ${problem}`, {
    field: "text",
    hint: `${remedy}, or give the text to say with --file.`,
  });
}

interface Written {
  readonly text: string;
  /** True if the end of input ended the text. */
  readonly atEnd: boolean;
}

/** Reads standard input by lines; buffers input that was typed before it is read. A reading rejects if its signal aborts. */
export class InputLines {
  readonly #read: Io["read"];
  #rest = "";
  /** A pending read that outlives an aborted wait; the next wait shares it, as a terminal cannot be read twice at once. */
  #reading: ReturnType<Io["read"]> | undefined;

  constructor(read: Io["read"]) {
    this.#read = read;
  }

  /** Reads lines up to a line with a single `.` or the end of input. */
  async next(signal: AbortSignal): Promise<Written> {
    const lines: string[] = [];
    for (;;) {
      const { text, atEnd } = await this.nextLine(signal);
      const isLast = text === "." && !atEnd;
      if (!isLast) lines.push(text);
      if (isLast || atEnd) return { text: lines.join("\n"), atEnd };
    }
  }

  async nextLine(signal: AbortSignal): Promise<Written> {
    for (;;) {
      const at = this.#rest.indexOf("\n");
      if (at !== -1) {
        const text = this.#rest.slice(0, at).replace(/\r$/, "");
        this.#rest = this.#rest.slice(at + 1);
        return { text, atEnd: false };
      }
      signal.throwIfAborted();
      this.#reading ??= this.#read();
      const piece = await untilAborted(this.#reading, signal);
      this.#reading = undefined;
      if (piece === undefined) {
        const text = this.#rest;
        this.#rest = "";
        return { text, atEnd: true };
      }
      this.#rest += piece;
    }
  }
}

export async function readAll(read: Io["read"]): Promise<string> {
  let text = "";
  for (let piece = await read(); piece !== undefined; piece = await read()) text += piece;
  return text;
}
