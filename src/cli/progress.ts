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
  totalText,
  withoutUnseen,
  wrappedLine,
} from "../core/text.ts";
import { nameOf } from "../record/words.ts";
import { lineOf, liveLine, pipedLine, tokensOf, waitLine, words } from "./progress_lines.ts";
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
  headed: boolean;
  /** Text that is not shown yet. */
  rest: string;
  /** True once words of the turn were shown or typed. */
  spoke: boolean;
  words: LiveText;
  done?: { readonly line: string; readonly body: string };
}

type TurnWait = Extract<ConveningEvent, { readonly type: "turn-wait" }>;

const MARKS = ["●", "▲", "■", "◆", "★", "▼", "○", "△"] as const;
const COLOURS = ["36", "33", "35", "32", "34", "31", "96", "93"] as const;
const YELLOW = 33;
const LISTS: readonly string[] = ["questions", "postures", "argument", "cross_examination"];

/** Writes the events of a convening as text; concurrent turns are shown one after the other. */
export class Progress {
  readonly #write: (text: string) => void;
  readonly #live: boolean;
  readonly #colour: boolean;
  readonly #turns = new Map<string, LiveTurn>();
  /** Keys of turns that a person typed at this terminal, so that their words are on the screen already. */
  readonly #typed = new Set<string>();
  #notes: string[] = [];
  /** Lines about look-ups, each shown once. */
  readonly #lookUps = new Set<string>();
  /** Message numbers of the turns in flight. */
  readonly #open = new Set<number>();
  /** Events about messages, held until all earlier turns have ended. */
  readonly #held = new Set<ConveningEvent>();
  /** Turns that wait for people, by key, in the order in which a person's words answer them. */
  readonly #waits = new Map<string, TurnWait>();
  #usage = NO_USAGE;
  readonly #columns: () => number;
  readonly #looks = new Map<string, { readonly mark: string; readonly colour: string }>();
  #start: ConveningStart | undefined;
  readonly status = new StatusLine();

  constructor(write: (text: string) => void, options: ProgressOptions = {}) {
    this.#write = write;
    this.#live = options.live ?? false;
    this.#colour = options.colour ?? false;
    this.#columns = options.columns ?? (() => 80);
    this.#start = options.start;
  }

  /** Shows an event; messages, and events about messages, are shown in the order of the message numbers. */
  take(event: ConveningEvent): void {
    if (event.type === "convening-start") this.#start = event.start;
    const usage = "usage" in event ? event.usage : NO_USAGE;
    if (tokensOf(usage) >= tokensOf(this.#usage)) this.#usage = usage;
    this.status.take(event, this.#usage, this.#start);
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
      this.#show(event.type === "message" ? { ...event, usage: this.#usage } : event);
      if (event.type === "message") this.#open.delete(event.message.seq);
      if (event.type === "turn-fail") this.#open.delete(event.failure.seq);
    }
  }

  #show(event: ConveningEvent): void {
    switch (event.type) {
      case "convening-start":
        return this.#introduce(event.start);
      case "turn-start":
        return this.#begin(event.turn);
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
        if (event.type === "stage" && this.#isKnown(event.name)) return;
        const line = lineOf(event, this.#live, (id) => this.#nameOf(id));
        // All debaters may have the same problem with a search.
        if (line === undefined || this.#lookUps.has(line)) return;
        if (event.type === "lookup") this.#lookUps.add(line);
        this.#note(line);
      }
    }
  }

  /** Returns true for a stage that the heading of its turn shows, and for a choice of question that was asked for. */
  #isKnown(stage: string): boolean {
    return stage === "Generating final report..." && this.#live ||
      stage === "question_selected" && this.#start?.configuration["pick"] !== undefined;
  }

  /** Heads the other turns in flight again: a question to a person at this terminal stands between their words. */
  asked(turn: string): void {
    for (const [key, live] of this.#turns) if (key !== turn) live.headed = false;
  }

  /** Marks a turn as typed at this terminal, so that its words are not shown again. */
  typed(turn: string): void {
    this.#typed.add(turn);
  }

  /** Shows why requests to a provider wait: at once, or after the turn that is being shown. */
  pause({ provider, until, reason }: ProviderPause): void {
    const time = new Date(until).toISOString().slice(11, 19);
    const line = `waiting for ${provider} until ${time} UTC: ${reason}`;
    const [turn] = this.#turns.values();
    if (turn === undefined || turn.spoke) return this.#note(line);
    this.#write(`${this.#wrap(2, `  ${plainLine(line)}`)}\n`);
  }

  /** Shows held events of turns that never ended, and ends an unfinished line. */
  end(): void {
    this.#open.clear();
    this.#showHeld();
    for (const [key, { done }] of this.#turns) if (done === undefined) this.#fail(key);
    this.#showTurns();
    this.#flushNotes();
  }

  #introduce({ topic, kind, participants }: ConveningStart): void {
    if (!this.#live) return;
    const facts = `${kind.replaceAll("-", " ")} · ${counted(participants.length, "participant")}`;
    this.#write(`${this.#wrap(1, plainLine(topic))}\n${this.#wrap(2, facts)}\n`);
  }

  #begin(info: TurnInfo): void {
    if (!this.#live || this.#isList(info)) return;
    this.#turns.set(info.turn, this.#liveTurn(info));
    this.#showTurns();
  }

  /** Returns true for a turn of a paper debate whose reply is a list or made with others: a line shows the whole message. */
  #isList({ kind }: TurnInfo): boolean {
    return this.#start?.kind === "paper-debate" && LISTS.includes(kind);
  }

  #liveTurn(info: TurnInfo): LiveTurn {
    const paint = (style: string, text: string) => this.#paint(style, text);
    // One column less: on some terminals a full line moves the cursor to the next line.
    const words = new LiveText(() => this.#columns() - 1, paint);
    return { info, headed: false, rest: "", spoke: false, words };
  }

  #delta(turn: string, text: string): void {
    const live = this.#turns.get(turn);
    if (live === undefined) return;
    live.rest += text;
    this.#showTurns();
  }

  #reset({ turn, seq }: TurnInfo, reason: string): void {
    const live = this.#turns.get(turn);
    if (live?.headed === true) {
      this.#endWords(live);
      this.#write(`${this.#wrap(YELLOW, `  ${plainLine(`again: ${reason}`)}`)}\n`);
    } else this.#note(`turn ${seq} again: ${reason}`);
    if (live !== undefined) Object.assign(live, this.#liveTurn(live.info), { headed: live.headed });
  }

  #fail(turn: string): void {
    const live = this.#turns.get(turn);
    if (live?.headed === true) this.#endWords(live);
    this.#turns.delete(turn);
  }

  #endWords({ words, spoke }: LiveTurn): void {
    if (spoke) this.#write(`${words.end()}\n`);
  }

  #message(message: Message, usage: Usage): void {
    if (!this.#live) return this.#write(pipedLine(message, usage));
    if (this.#isList(message)) return this.#note(pipedLine(message, usage));
    const live = this.#turns.get(message.turn) ?? this.#liveTurn(message);
    live.done = { line: liveLine(message, usage), body: message.body };
    if (this.#typed.delete(message.turn)) Object.assign(live, { rest: "", spoke: true });
    this.#turns.set(message.turn, live);
    this.#showTurns();
  }

  /** Writes the available text of the first turn, and of further turns once those before are done. */
  #showTurns(): void {
    for (const [key, turn] of this.#turns) {
      if (!turn.headed) this.#head(turn);
      turn.spoke ||= turn.rest.trim() !== "";
      const text = turn.spoke ? turn.rest : turn.done?.body ?? "";
      this.#write(turn.words.push(text));
      turn.rest = "";
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
    turn.words.restart();
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
    if (!this.#live) return;
    const points = total === undefined ? "unscored" : `scored ${totalText(total)} of ${scale[1]}`;
    const { judges = [] } = this.#start ?? {};
    const by = judges.length > 1 ? ` by ${this.#nameOf(judge)}` : "";
    this.#note(`message ${message} ${points}${by}`);
  }

  /** Returns the name of a participant, a judge or a listener; any other id as it is. */
  #nameOf(id: string): string {
    return this.#start === undefined ? id : nameOf(this.#start, id);
  }

  #wrap(style: number, line: string): string {
    return wrappedLine(line, this.#columns() - 1).split("\n").map((each) =>
      this.#paint(style, each)
    ).join("\n");
  }

  #note(line: string): void {
    if (!this.#live) return this.#write(`${plainLine(line)}\n`);
    this.#notes.push(this.#wrap(2, `  ${plainLine(line)}`));
    if (this.#turns.size === 0) this.#flushNotes();
  }

  /** Shows the question to a person: whole if it is the person's next, else its first sentence. */
  #wait(event: TurnWait): void {
    const { turn, participant, name } = event.turn;
    this.#waits.delete(turn);
    const next = this.#nextOf(participant);
    this.#waits.set(turn, event);
    // A person picks the question from a list.
    if (event.turn.kind !== "pick") this.#note(waitLine(name, event.task, next === undefined));
    else for (const line of [`waiting for ${name}`, ...event.task.split("\n")]) this.#note(line);
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

const STYLES: Readonly<Record<string, string>> = {
  "**": "1",
  __: "1",
  "*": "3",
  _: "3",
  "`": "36",
};
const EMPHASIS = /\*\*|__|[*_`]/g;
/** Signs and marks at the beginning of a word, and at its end. */
const BEGIN = /^["“‘([]{0,3}((?:\*\*|__|[*_`]){0,4})/u;
const END = /((?:\*\*|__|[*_`]){0,4})[^\p{L}\p{N}*_`]{0,3}$/u;
const FENCE = /^\s*(?:```|~~~)/;

/** Wraps a text in the escape codes of a terminal style, such as `1;36`. */
type Paint = (style: string, text: string) => string;

/** A part of a word with its style, which is empty for plain text. */
type Part = readonly [style: string, text: string];

/** A line of the source, which may fill several lines of the terminal. */
class SourceLine {
  /** Used columns of the terminal's line. */
  column = 0;
  /** Space before the next word. */
  gap = "";
  /** Indentation of the lines that follow. */
  indent = "";
  isBegun = false;
  isHeading = false;
  /** Marks of the open styles. */
  readonly open = new Set<string>();

  get style(): string {
    const styles = [...this.open].map((mark) => STYLES[mark]!);
    return [...new Set([...this.isHeading ? ["1"] : [], ...styles])].join(";");
  }
}

/** Formatter of one turn's text; returns each word once it is complete. */
export class LiveText {
  readonly #width: () => number;
  readonly #paint: Paint;
  #word = "";
  #line = new SourceLine();
  #isFenced = false;

  constructor(width: () => number, paint: Paint) {
    this.#width = width;
    this.#paint = paint;
  }

  /** Continues the text on a new line of the terminal. */
  restart(): void {
    Object.assign(this.#line, { column: 0, gap: "" });
  }

  /** Adds a chunk of text; returns the text that can be shown now. */
  push(text: string): string {
    let shown = "";
    for (const char of text) {
      if (char === "\n") {
        shown += `${this.end()}\n`;
        this.#line = new SourceLine();
      } else if (/\s/.test(char) && !this.#isFenced) {
        shown += this.end();
        if (!this.#line.isBegun) this.#line.indent += " ";
      } else this.#word += char;
    }
    return shown;
  }

  /** Ends the word so far and returns its text, such as the rest at the end of the turn. */
  end(): string {
    // Whole words are cleaned: a chunk may begin inside an emoji.
    const word = withoutUnseen(this.#word.trimEnd()).replaceAll("\t", " ");
    this.#word = "";
    if (word === "") return "";
    const isFence = FENCE.test(word);
    if (isFence) this.#isFenced = !this.#isFenced;
    if (isFence || this.#isFenced) {
      return pieces(word, this.#width()).map((each) => this.#paint("2", each)).join("\n");
    }
    if (this.#line.isBegun) return this.#append(this.#parts(word));
    this.#line.isBegun = true;
    return this.#begin(word);
  }

  /** Formats the first word of a source line, which may mark a heading, a list or a quotation. */
  #begin(word: string): string {
    const line = this.#line;
    line.isHeading = /^#{1,6}$/.test(word);
    if (line.isHeading) return "";
    const lead = line.indent.slice(0, this.#width() >> 2);
    const mark = /^[-*+]$/.test(word) ? "•" : word === ">" ? "│" : word;
    const isMark = mark !== word || /^\d{1,3}[.)]$/.test(word);
    line.indent = isMark ? `${lead}${mark === "│" ? "│" : " ".repeat(columns(mark))} ` : lead;
    line.column = columns(lead);
    return lead + this.#append(isMark ? [["", mark]] : this.#parts(word));
  }

  /** Splits a word into parts with their styles, without the marks of markdown at its edges. */
  #parts(word: string): readonly Part[] {
    const line = this.#line;
    const { open, style: before } = line;
    // In code only the end of the code is a mark.
    const [begin, opening = ""] = open.has("`") ? [""] : BEGIN.exec(word)!;
    const text = word.slice(begin.length);
    if (text === "") return [[before, word]];
    for (const mark of opening.match(EMPHASIS) ?? []) open.add(mark);
    const { style } = line;
    const [end, closing = ""] = END.exec(text)!;
    const unopened = (closing.match(EMPHASIS) ?? []).filter((mark) => !open.delete(mark)).join("");
    return [
      [before, begin.slice(0, begin.length - opening.length)],
      [style, text.slice(0, text.length - end.length) + unopened],
      [line.style, end.slice(closing.length)],
    ];
  }

  /** Appends a word to the line, or to the next line if there is no room; splits a word that is longer than a line. */
  #append(parts: readonly Part[]): string {
    const word = parts.map(([, text]) => text).join("");
    if (word === "") return "";
    const line = this.#line;
    const width = this.#width();
    const long = columns(word);
    const isNext = line.gap !== "" && line.column + 1 + long > width;
    const before = isNext ? `\n${line.indent}` : line.gap;
    line.column = isNext ? columns(line.indent) : line.column + before.length;
    line.gap = " ";
    const cut = pieces(word, Math.max(1, width - line.column));
    if (cut.length === 1) {
      line.column += long;
      return before +
        parts.map(([style, text]) => style && text ? this.#paint(style, text) : text).join("");
    }
    line.column = columns(line.indent) + columns(cut.at(-1)!);
    return before + cut.join(`\n${line.indent}`);
  }
}
