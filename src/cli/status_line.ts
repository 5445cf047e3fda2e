// The status line of a run at a terminal: round, turn, who speaks since when, what was used.
import type { ConveningEvent, ConveningStart, TurnInfo } from "../core/event.ts";
import { fieldOf } from "../core/turn.ts";
import { columns, pieces, plainLine } from "../core/text.ts";
import { money, NO_USAGE, type Usage } from "../core/message.ts";
import { number, tokensOf } from "./progress_lines.ts";

/** Signs that follow one another while something is under way. */
const MOVING = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏";

interface OpenTurn {
  readonly info: TurnInfo;
  /** The time of its beginning, in milliseconds; undefined until the line is made. */
  since?: number;
  /** True once words of it came. */
  speaks: boolean;
}

/** The work under way in a convening, in one line. */
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

  /** The status of a convening; `start` is that of one that is resumed. */
  constructor(start?: ConveningStart) {
    this.#rounds = fieldOf(start?.configuration, "roundCount");
  }

  /** Follows one event; `usage` is the highest so far. */
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
