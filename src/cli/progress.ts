// Shows the progress of a convening as text: streamed on a terminal, with markdown as styles; one line a turn in a pipe.
import type { ProviderPause } from "../agents/limiter.ts";
import type { ConveningEvent, ConveningStart, TurnInfo } from "../core/event.ts";
import type { Score } from "../core/fact.ts";
import { type Message, NO_USAGE, type Usage } from "../core/message.ts";
import {
  columns,
  counted,
  pieces,
  plainLine,
  plainText,
  withoutUnseen,
  wrappedLine,
} from "../core/text.ts";
import { namesIn } from "../record/words.ts";
import { PaperProgress } from "./paper_progress.ts";
import { linesOf, liveLine, pipedLine, tokensOf, waitLine, words } from "./progress_lines.ts";
import { StatusLine } from "./screen.ts";

interface ProgressOptions {
  /** True to stream the text of turns on a terminal; false for one line a turn. @default false */
  readonly live?: boolean;
  /** @default false */
  readonly colour?: boolean;
  /** Start of a resumed convening. @default the start event's */
  readonly start?: ConveningStart | undefined;
  /** Returns the width of the terminal. @default 80 */
  readonly columns?: (() => number) | undefined;
}

/** A turn in flight, or a turn that waits until an earlier one is shown completely. */
interface LiveTurn {
  readonly info: TurnInfo;
  text: string;
  headed: boolean;
  shown: number;
  words: LiveText;
  done?: { readonly line: string; readonly body: string };
}

type TurnWait = Extract<ConveningEvent, { readonly type: "turn-wait" }>;

const MARKS = ["●", "▲", "■", "◆", "★", "▼", "○", "△"] as const;
const COLOURS = ["36", "33", "35", "32", "34", "31", "96", "93"] as const;
const YELLOW = 33;

/** Writes the events of a convening as text; concurrent turns are shown one after the other. */
export class Progress {
  readonly #write: (text: string) => void;
  readonly #live: boolean;
  readonly #colour: boolean;
  readonly #turns = new Map<string, LiveTurn>();
  /** Keys of turns that a person typed at this terminal, so that their words are on the screen already. */
  readonly #typed = new Set<string>();
  readonly #paper: PaperProgress;
  #notes: string[] = [];
  /** Message numbers of the turns in flight. */
  readonly #open = new Set<number>();
  /** Events about messages, held until all earlier turns have ended. */
  readonly #held = new Set<ConveningEvent>();
  /** Turns that wait for people, by key, in the order in which a person's words answer them. */
  readonly #waits = new Map<string, TurnWait>();
  #usage = NO_USAGE;
  readonly #columns: () => number;
  readonly #looks = new Map<string, { readonly mark: string; readonly colour: string }>();
  /** Turns by the number of the message. */
  readonly #said = new Map<number, TurnInfo>();
  #judges: ConveningStart["judges"];
  /** Names of participants, judges and listeners by id. */
  #names: ReadonlyMap<string, string>;
  readonly status: StatusLine;

  constructor(write: (text: string) => void, options: ProgressOptions = {}) {
    this.#write = write;
    this.#live = options.live ?? false;
    this.#colour = options.colour ?? false;
    this.#columns = options.columns ?? (() => 80);
    this.#judges = options.start?.judges ?? [];
    this.#names = options.start === undefined ? new Map() : namesIn(options.start);
    this.#paper = new PaperProgress({ live: this.#live, start: options.start });
    this.status = new StatusLine(options.start);
  }

  /** Shows an event; messages, and events about messages, are shown in the order of the message numbers. */
  take(event: ConveningEvent): void {
    const usage = "usage" in event ? event.usage : NO_USAGE;
    if (tokensOf(usage) >= tokensOf(this.#usage)) this.#usage = usage;
    this.status.take(event, this.#usage);
    if (event.type === "turn-start") this.#open.add(event.turn.seq);
    // Forget open turns of the interrupted run: they never end.
    if (event.type === "convening-resume") {
      this.#open.clear();
      this.#waits.clear();
    }
    this.#held.add(event);
    this.#showHeld();
  }

  #showHeld(): void {
    for (;;) {
      const first = Math.min(...this.#open);
      const [event] = [...this.#held].filter((each) => numberOf(each) <= first)
        .sort((a, b) => numberOf(a) - numberOf(b));
      if (event === undefined) return;
      this.#held.delete(event);
      this.#showOne(event.type === "message" ? { ...event, usage: this.#usage } : event);
      if (event.type === "message") this.#open.delete(event.message.seq);
      if (event.type === "turn-fail") this.#open.delete(event.failure.seq);
    }
  }

  #showOne(event: ConveningEvent): void {
    const lines = this.#paper.take(event);
    if (lines === undefined) this.#show(event);
    else for (const line of lines) this.#note(line);
  }

  #show(event: ConveningEvent): void {
    switch (event.type) {
      case "convening-start":
        this.#judges = event.start.judges;
        this.#names = namesIn(event.start);
        return this.#begin(event.start.topic, [
          event.start.kind.replaceAll("-", " "),
          counted(event.start.participants.length, "participant"),
        ]);
      case "turn-start":
        return this.#start(event.turn);
      case "message-delta":
        return this.#delta(event.turn.turn, event.text);
      case "message-reset":
        return this.#reset(event.turn, event.reason);
      case "message":
        return this.#message(event.message, event.usage);
      case "score":
        return this.#score(event.score);
      case "turn-wait":
        return this.#wait(event);
      case "turn-answer":
        return this.#answered(event.turn);
      default: {
        if (event.type === "turn-fail") this.#fail(event.failure.turn);
        const { note, detail } = linesOf(event, (id) => this.#names.get(id) ?? id);
        if (note !== undefined) this.#note(note);
        if (detail !== undefined) this.#detail(detail);
      }
    }
  }

  /** Marks a turn as typed at this terminal, so that its words are not shown again. */
  typed(turn: string): void {
    this.#typed.add(turn);
  }

  /** Shows that requests wait for a provider's rate limit: at once, or after the turn that is being shown. */
  pause({ provider, until }: ProviderPause): void {
    const time = new Date(until).toISOString().slice(11, 19);
    const line = `waiting for ${provider} until ${time} UTC: rate limit`;
    const [turn] = this.#turns.values();
    if (turn === undefined || turn.shown > 0) return this.#note(line);
    this.#write(`${this.#wrap(2, `  ${plainLine(line)}`)}\n`);
  }

  /** Shows held events of turns that never ended, and ends an unfinished line. */
  end(): void {
    this.#open.clear();
    this.#showHeld();
    for (const [key, turn] of this.#turns) {
      if (turn.done !== undefined) continue;
      this.#fail(key);
    }
    this.#showTurns();
    this.#flushNotes();
  }

  #begin(topic: string, facts: readonly string[]): void {
    if (!this.#live) return;
    const heading = this.#wrap(1, plainLine(topic));
    this.#write(`${heading}\n${this.#wrap(2, facts.join(" · "))}\n`);
  }

  #start(info: TurnInfo): void {
    if (!this.#live) return;
    this.#turns.set(info.turn, this.#liveTurn(info));
    this.#showTurns();
  }

  #liveTurn(info: TurnInfo): LiveTurn {
    const paint = (style: string, text: string) => this.#paint(style, text);
    // One column less: on some terminals a full line moves the cursor to the next line.
    const words = new LiveText(() => this.#columns() - 1, paint);
    return { info, text: "", headed: false, shown: 0, words };
  }

  #delta(turn: string, text: string): void {
    const live = this.#turns.get(turn);
    if (live === undefined) return;
    // A chunk may begin inside an emoji: remove invisible characters instead of marking them, which would split the emoji.
    live.text += withoutUnseen(text);
    this.#showTurns();
  }

  #reset({ turn, seq }: TurnInfo, reason: string): void {
    if (!this.#live) return this.#note(`turn ${seq} again: ${reason}`);
    const live = this.#turns.get(turn);
    if (live === undefined) return;
    if (live.headed) {
      this.#endWords(live);
      this.#write(`${this.#wrap(YELLOW, `  ${plainLine(`again: ${reason}`)}`)}\n`);
    }
    this.#turns.set(turn, Object.assign(live, this.#liveTurn(live.info), { headed: live.headed }));
  }

  #fail(turn: string): void {
    const live = this.#turns.get(turn);
    if (live?.headed === true) this.#endWords(live);
    this.#turns.delete(turn);
  }

  #endWords({ words, shown }: LiveTurn): void {
    if (shown > 0) this.#write(`${words.end()}\n`);
  }

  #message(message: Message, usage: Usage): void {
    if (!this.#live) return this.#write(pipedLine(message, usage));
    this.#said.set(message.seq, message);
    const live = this.#turns.get(message.turn) ?? this.#liveTurn(message);
    live.done = { line: liveLine(message, usage), body: message.body };
    if (this.#typed.delete(message.turn)) {
      live.text = message.body;
      live.shown = message.body.length;
    }
    this.#turns.set(message.turn, live);
    this.#showTurns();
  }

  /** Writes the available text of the first turn, and of further turns once those before are done. */
  #showTurns(): void {
    for (const [key, turn] of this.#turns) {
      if (!turn.headed) this.#head(turn);
      const body = turn.done?.body;
      if (body !== undefined && turn.text.trim() === "") {
        turn.text = plainText(body);
      }
      this.#write(turn.words.push(turn.text.slice(turn.shown)));
      turn.shown = turn.text.length;
      if (turn.done === undefined) return;
      this.#write(`${turn.words.end()}\n${this.#wrap(2, turn.done.line)}\n`);
      this.#turns.delete(key);
      this.#flushNotes();
    }
  }

  #head(turn: LiveTurn): void {
    const { kind, round } = turn.info;
    const where = round === 0 ? words(kind) : `${words(kind)}, round ${round}`;
    this.#write(`\n${this.#speaker(turn.info)} ${this.#paint(2, where)}\n`);
    turn.headed = true;
  }

  #speaker({ participant, name }: Pick<TurnInfo, "participant" | "name">): string {
    const at = this.#looks.size;
    const look = this.#looks.get(participant) ??
      { mark: MARKS[at % MARKS.length]!, colour: COLOURS[at % COLOURS.length]! };
    this.#looks.set(participant, look);
    return this.#paint(`1;${look.colour}`, `${look.mark} ${plainLine(name)}`);
  }

  /** Writes a score; names the judge if the convening has several. */
  #score({ message, total, scale, judge }: Score): void {
    const turn = this.#said.get(message);
    const who = turn === undefined ? "" : `${this.#speaker(turn)}, `;
    const points = total === undefined ? "unscored" : `scored ${total.toFixed(2)} of ${scale[1]}`;
    const name = this.#judges.find(({ id }) => id === judge)?.name ?? judge;
    const by = this.#judges.length > 1 ? ` by ${plainLine(name)}` : "";
    this.#line(`  ${who}${this.#paint(2, `message ${message} ${points}${by}`)}`);
  }

  /** Writes a line between turns, only on a terminal. */
  #detail(line: string): void {
    this.#line(this.#wrap(2, `  ${plainLine(line)}`));
  }

  /** Formats a wrapped line in one style. */
  #wrap(style: number, line: string): string {
    return wrappedLine(line, this.#columns() - 1).split("\n").map((each) =>
      this.#paint(style, each)
    ).join("\n");
  }

  #line(line: string): void {
    if (!this.#live) return;
    this.#notes.push(line);
    if (this.#turns.size === 0) this.#flushNotes();
  }

  #note(line: string): void {
    if (this.#live) return this.#detail(line);
    this.#write(`${plainLine(line)}\n`);
  }

  /** Shows the question to a person: whole if it is the person's next, else its first sentence. */
  #wait(event: TurnWait): void {
    const { turn, participant, name } = event.turn;
    this.#waits.delete(turn);
    const next = this.#nextOf(participant);
    this.#waits.set(turn, event);
    this.#note(waitLine(name, event.task, next === undefined));
  }

  /** Shows a person's next question after an answer to the one before. */
  #answered({ turn, participant }: TurnInfo): void {
    const isNext = this.#nextOf(participant)?.turn.turn === turn;
    this.#waits.delete(turn);
    const next = isNext ? this.#nextOf(participant) : undefined;
    if (next !== undefined) this.#note(waitLine(next.turn.name, next.task, true));
  }

  #nextOf(participant: string): TurnWait | undefined {
    return [...this.#waits.values()].find(({ turn }) => turn.participant === participant);
  }

  #flushNotes(): void {
    for (const line of this.#notes) this.#write(`${line}\n`);
    this.#notes = [];
  }

  #paint(style: number | string, text: string): string {
    return this.#colour ? `\x1b[${style}m${text}\x1b[0m` : text;
  }
}

/** Returns the number of the message that an event is about; 0 for an event that is shown at once. */
function numberOf(event: ConveningEvent): number {
  if (event.type === "message") return event.message.seq;
  if (event.type === "score") return event.score.message;
  return event.type === "fact-check" ? event.factCheck.message : 0;
}

const STYLES: ReadonlyMap<string, string> = new Map([
  ["**", "1"],
  ["__", "1"],
  ["*", "3"],
  ["_", "3"],
  ["`", "36"],
]);
const MARK = /\*\*|__|[*_`]/;
const FENCE = /^(?:```|~~~)/;

/** Wraps a text in the escape codes of a terminal style, such as `1;36`. */
type Paint = (style: string, text: string) => string;

/** Formatter of one turn's text; returns each word once it is complete. */
export class LiveText {
  readonly #width: () => number;
  readonly #paint: Paint;
  #word = "";
  /** Used columns of the current line. */
  #column = 0;
  /** Space before the next word of the line. */
  #gap = "";
  /** True until the first word of a source line. */
  #isStart = true;
  /** Indentation of lines that continue a source line. */
  #indent = "";
  #isHeading = false;
  #isFenced = false;
  readonly #open = new Set<string>();

  constructor(width: () => number, paint: Paint) {
    this.#width = width;
    this.#paint = paint;
  }

  /** Adds a chunk of text; returns the text that can be shown now. */
  push(text: string): string {
    let shown = "";
    for (const char of text) {
      if (char === "\n") shown += `${this.#flush()}${this.#endLine()}`;
      else if (/\s/.test(char) && !this.#isFenced) {
        shown += this.#flush();
        if (this.#isStart) this.#indent += " ";
      } else this.#word += char;
    }
    return shown;
  }

  /** Returns the remaining text at the end of the turn. */
  end(): string {
    return this.#flush();
  }

  #endLine(): string {
    this.#column = 0;
    this.#gap = "";
    this.#isStart = true;
    this.#indent = "";
    this.#isHeading = false;
    this.#open.clear();
    return "\n";
  }

  #flush(): string {
    const word = this.#word;
    this.#word = "";
    if (word === "") return "";
    if (FENCE.test(word)) this.#isFenced = !this.#isFenced;
    if (this.#isFenced || FENCE.test(word)) {
      return pieces(word, this.#width()).map((each) => this.#paint("2", each)).join("\n");
    }
    if (!this.#isStart) return this.#put(word);
    this.#isStart = false;
    return this.#begin(word);
  }

  /** Formats the first word of a source line, which may mark a heading, a list or a quotation. */
  #begin(word: string): string {
    const lead = this.#indent.slice(0, this.#width() >> 2);
    if (/^#{1,6}$/.test(word)) {
      this.#isHeading = true;
      return "";
    }
    const mark = /^[-*+]$/.test(word) ? "•" : word === ">" ? "│" : word;
    const isMark = mark !== word || /^\d{1,3}[.)]$/.test(word);
    this.#indent = isMark ? `${lead}${mark === "│" ? "│" : " ".repeat(columns(mark))} ` : lead;
    this.#column = columns(lead);
    return lead + (isMark ? this.#append([["", mark]]) : this.#put(word));
  }

  #put(word: string): string {
    return this.#append(this.#parts(word));
  }

  /** Splits a word into parts with their styles, and removes the marks of markdown. */
  #parts(word: string): readonly (readonly [style: string, text: string])[] {
    const parts: [string, string][] = [];
    let rest = word;
    let before = "";
    while (rest !== "") {
      const found = MARK.exec(rest);
      const isCode = this.#open.has("`");
      const mark = found?.[0] ?? "";
      const at = found?.index ?? rest.length;
      const [text, after] = [rest.slice(0, at), rest.slice(at + mark.length)];
      before = text === "" ? before : text;
      const last = parts.at(-1);
      if (last?.[0] === this.#style()) last[1] += text;
      else if (text !== "") parts.push([this.#style(), text]);
      if (mark !== "" && !(isCode && mark !== "`") && this.#isMark(mark, { before, after })) {
        if (!this.#open.delete(mark)) this.#open.add(mark);
      } else if (mark !== "") {
        before = mark;
        const part = parts.at(-1);
        if (part?.[0] === this.#style()) part[1] += mark;
        else parts.push([this.#style(), mark]);
      }
      rest = after;
    }
    return parts;
  }

  /** Returns true for a mark that closes an open style, or opens a style before a word. */
  #isMark(mark: string, { before, after }: { before: string; after: string }): boolean {
    if (this.#open.has(mark)) return !/^_/.test(mark) || !/^\p{L}/u.test(after);
    return /^[^\s*_]/.test(after) && !/[\p{L}\p{N}]$/u.test(before);
  }

  #style(): string {
    const styles = [...this.#open].map((mark) => STYLES.get(mark) ?? "");
    return [...new Set([...this.#isHeading ? ["1"] : [], ...styles])].join(";");
  }

  /** Appends a word to the line, or to the next line if there is no room; splits a word that is longer than a line. */
  #append(parts: readonly (readonly [style: string, text: string])[]): string {
    const word = parts.map(([, text]) => text).join("");
    if (word === "") return "";
    const width = this.#width();
    const long = columns(word);
    const isNext = this.#gap !== "" && this.#column + 1 + long > width;
    const before = isNext ? `\n${this.#indent}` : this.#gap;
    this.#column = isNext ? columns(this.#indent) : this.#column + before.length;
    this.#gap = " ";
    const room = Math.max(1, width - this.#column);
    if (long <= room) {
      this.#column += long;
      return before + parts.map(([style, text]) => this.#paintPart(style, text)).join("");
    }
    const cut = pieces(word, room);
    this.#column = columns(this.#indent) + columns(cut.at(-1)!);
    return before + cut.join(`\n${this.#indent}`);
  }

  #paintPart(style: string, text: string): string {
    return style === "" ? text : this.#paint(style, text);
  }
}
