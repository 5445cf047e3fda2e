// The terminal: shows progress and prompts one at a time, with a status line below.
import type { ConveningEvent, ConveningStart, TurnInfo } from "../core/event.ts";
import { columns, pieces, plainLine, thousands } from "../core/text.ts";
import { fieldOf } from "../core/turn.ts";
import { money, NO_USAGE, type Usage } from "../core/message.ts";
import { tokensOf } from "./progress_lines.ts";

/** Writes to a terminal. Buffers progress while a person types, and keeps the status line below all other text. */
export class Screen {
  readonly #write: (text: string) => void;
  /** Buffered texts while a person types; undefined otherwise. */
  #held: string[] | undefined;
  /** The last line, without a line break yet. */
  #tail = "";
  /** The status line on the screen; empty for none. */
  #status = "";

  constructor(write: (text: string) => void) {
    this.#write = write;
  }

  /** Writes a text, or buffers it while a person types. */
  show(text: string): void {
    if (this.#held === undefined) this.prompt(text);
    else this.#held.push(text);
  }

  /** Writes a prompt at once, even while a person types. */
  prompt(text: string): void {
    if (text !== "") this.#draw(text, this.#status);
  }

  note(text: string): void {
    this.prompt(this.#tail === "" ? text : `\n${text}`);
  }

  /** Draws the status line; removes it for an empty text and while a person types. */
  status(line: string): void {
    const next = this.#held === undefined ? line : "";
    if (next !== this.#status) this.#draw("", next);
  }

  /** Starts buffering, while a person types. */
  hold(): void {
    this.status("");
    this.#held ??= [];
    if (this.#tail !== "") this.prompt("\n");
  }

  release(): void {
    const held = this.#held ?? [];
    this.#held = undefined;
    for (const text of held) this.prompt(text);
  }

  /** Writes a text and the status line below it in a single write, to avoid flicker. */
  #draw(text: string, status: string): void {
    const up = this.#tail === "" ? "" : `\x1b[1A\r${this.#tail}`;
    const back = this.#status === "" ? "" : `\r\x1b[K${up}`;
    const whole = this.#tail + text;
    this.#tail = whole.slice(whole.lastIndexOf("\n") + 1);
    const below = status === "" ? "" : `${this.#tail === "" ? "" : "\n"}${status}`;
    this.#status = status;
    this.#write(back + text + below);
  }
}

const SPINNER = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏";

interface OpenTurn {
  readonly info: TurnInfo;
  /** Time of the first status line with the turn, in milliseconds. */
  since?: number;
  /** True once text of the turn has arrived. */
  speaks: boolean;
}

/** The status line of a run: round, turn, speaker, time, tokens and cost. */
export class StatusLine {
  turns: number | undefined;
  readonly #open = new Map<string, OpenTurn>();
  #start: ConveningStart | undefined;
  #round = 0;
  #seq = 0;
  #usage: Usage = NO_USAGE;
  #isEnded = false;
  /** Start of the time without a turn in flight, in milliseconds. */
  #idleSince: number | undefined;

  take(event: ConveningEvent, usage: Usage, start: ConveningStart | undefined): void {
    this.#usage = usage;
    this.#start = start;
    switch (event.type) {
      case "turn-start":
        this.#round = event.turn.round;
        this.#seq = Math.max(this.#seq, event.turn.seq);
        this.#idleSince = undefined;
        this.#open.set(event.turn.turn, { info: event.turn, speaks: false });
        return;
      case "message-delta":
      case "message-reset": {
        const open = this.#open.get(event.turn.turn);
        if (open !== undefined) open.speaks = event.type === "message-delta";
        return;
      }
      case "message":
        this.#open.delete(event.message.turn);
        return;
      case "turn-fail":
        this.#open.delete(event.failure.turn);
        return;
      case "interjection":
        if (this.turns !== undefined) this.turns++;
        return;
      case "convening-end":
        this.#isEnded = true;
    }
  }

  /** Returns the status line at the time `now`, cut to `width` columns; empty before the first turn and after the end. */
  at(now: number, width: number): string {
    if (this.#isEnded || this.#seq === 0) return "";
    const { costUsd } = this.#usage;
    const rounds = fieldOf(this.#start?.configuration, "roundCount");
    const parts = [
      ...this.#round > 0 && typeof rounds === "number"
        ? [`round ${this.#round} of ${Math.max(this.#round, rounds)}`]
        : [],
      this.turns === undefined || this.turns < this.#seq
        ? `turn ${this.#seq}`
        : `turn ${this.#seq} of ${this.turns}`,
      this.#who(now),
      `${thousands(tokensOf(this.#usage))} tokens`,
      ...costUsd === "unknown" || costUsd === 0 ? [] : [money(this.#usage)],
    ];
    const line = `${SPINNER.charAt(Math.floor(now / 100) % SPINNER.length)} ${parts.join(" · ")}`;
    return inOneRow(line, width);
  }

  #who(now: number): string {
    const turns = [...this.#open.values()];
    for (const turn of turns) turn.since ??= now;
    const [first] = turns;
    if (first === undefined) {
      this.#idleSince ??= now;
      return `judges and record ${seconds(now - this.#idleSince)}`;
    }
    const time = seconds(now - first.since!);
    if (turns.length > 1 && !first.speaks) return `${turns.length} speakers think ${time}`;
    return `${plainLine(first.info.name, 30)} ${first.speaks ? "speaks" : "thinks"} ${time}`;
  }
}

/** Returns a line, cut with an ellipsis so that the row of a terminal of `width` columns is not full. */
export function inOneRow(line: string, width: number): string {
  return columns(line) < width ? line : `${pieces(line, Math.max(2, width - 2))[0]}…`;
}

function seconds(ms: number): string {
  const whole = Math.floor(ms / 1000);
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`;
}
