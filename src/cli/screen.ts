// The terminal, for progress and prompts in turn, with a status line below what was shown.
import type { ConveningEvent, ConveningStart, TurnInfo } from "../core/event.ts";
import { columns, pieces, plainLine } from "../core/text.ts";
import { fieldOf } from "../core/turn.ts";
import { money, NO_USAGE, type Usage } from "../core/message.ts";
import { number, tokensOf } from "./progress_lines.ts";

/** The terminal: what comes while a person writes is shown afterwards; the status line stays last, and is drawn anew. */
export class Screen {
  readonly #write: (text: string) => void;
  #held: string[] | undefined;
  /** The line that was begun. */
  #tail = "";
  /** The status line that is drawn; empty for none. */
  #status = "";

  constructor(write: (text: string) => void) {
    this.#write = write;
  }

  /** Writes, or keeps it until the person has written. */
  show(text: string): void {
    if (this.#held === undefined) this.#put(text);
    else this.#held.push(text);
  }

  /** Writes to the person who is asked, at once. */
  prompt(text: string): void {
    this.#put(text);
  }

  /** Writes lines of their own, at once. */
  note(text: string): void {
    this.#put(this.#tail === "" ? text : `\n${text}`);
  }

  /** Draws the status line, or with an empty text takes it away; a person who writes has none. */
  status(line: string): void {
    const next = this.#held === undefined ? line : "";
    if (next !== this.#status) this.#draw("", next);
  }

  /** Keeps what is shown from here on. */
  hold(): void {
    this.status("");
    this.#held ??= [];
    if (this.#tail !== "") this.#put("\n");
  }

  /** Shows what was kept. */
  release(): void {
    const held = this.#held ?? [];
    this.#held = undefined;
    for (const text of held) this.#put(text);
  }

  #put(text: string): void {
    if (text !== "") this.#draw(text, this.#status);
  }

  /** Writes a text after what was shown, and a status below it, in one piece: nothing flickers. */
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

/** Signs that follow one another while something is under way. */
const MOVING = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏";

interface OpenTurn {
  readonly info: TurnInfo;
  /** The time of its beginning, in milliseconds; undefined until the line is made. */
  since?: number;
  /** True once words of it came. */
  speaks: boolean;
}

export class StatusLine {
  /** The number of turns by the plan, where it is known. */
  turns: number | undefined;
  readonly #open = new Map<string, OpenTurn>();
  #rounds: unknown;
  #round = 0;
  #seq = 0;
  #usage: Usage = NO_USAGE;
  #isEnded = false;
  /** The time since which no turn has been under way. */
  #idleSince: number | undefined;

  constructor(start?: ConveningStart) {
    this.#rounds = fieldOf(start?.configuration, "roundCount");
  }

  take(event: ConveningEvent, usage: Usage): void {
    this.#usage = usage;
    switch (event.type) {
      case "convening-start":
        this.#rounds = fieldOf(event.start.configuration, "roundCount");
        return;
      case "turn-start":
        this.#round = event.turn.round;
        this.#seq = Math.max(this.#seq, event.turn.seq);
        this.#idleSince = undefined;
        this.#open.set(event.turn.turn, { info: event.turn, speaks: false });
        return;
      case "message-delta":
        return this.#mark(event.turn.turn, true);
      case "message-reset":
        return this.#mark(event.turn.turn, false);
      case "message":
        this.#open.delete(event.message.turn);
        return;
      case "turn-fail":
        this.#open.delete(event.failure.turn);
        return;
      case "convening-end":
        this.#isEnded = true;
        return;
      default:
        return;
    }
  }

  #mark(turn: string, speaks: boolean): void {
    const open = this.#open.get(turn);
    if (open !== undefined) open.speaks = speaks;
  }

  /** The line at a time in milliseconds, for so many columns; empty where nothing is under way. */
  at(now: number, width: number): string {
    if (this.#isEnded || this.#seq === 0) return "";
    const { costUsd } = this.#usage;
    const parts = [
      ...this.#round > 0 && typeof this.#rounds === "number"
        ? [`round ${this.#round} of ${Math.max(this.#round, this.#rounds)}`]
        : [],
      this.turns === undefined || this.turns < this.#seq
        ? `turn ${this.#seq}`
        : `turn ${this.#seq} of ${this.turns}`,
      this.#who(now),
      `${number(tokensOf(this.#usage))} tokens`,
      ...costUsd === "unknown" || costUsd === 0 ? [] : [money(this.#usage)],
    ];
    const line = `${MOVING.charAt(Math.floor(now / 100) % MOVING.length)} ${parts.join(" · ")}`;
    return columns(line) < width ? line : `${pieces(line, Math.max(2, width - 2))[0]}…`;
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
    if (turns.length > 1) return `${turns.length} speakers think ${time}`;
    return `${plainLine(first.info.name, 30)} ${first.speaks ? "speaks" : "thinks"} ${time}`;
  }
}

function seconds(ms: number): string {
  const whole = Math.floor(ms / 1000);
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`;
}
