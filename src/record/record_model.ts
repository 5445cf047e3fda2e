// Everything a convening has brought so far, as derived files need it.
import {
  assess,
  judgeSummary,
  lastStop,
  type StatedPositions,
  statedPositions,
  summaryMessage,
  withPositions,
} from "../judging/assessment.ts";
import type { Assessment } from "../core/outcome.ts";
import { defined } from "../core/values.ts";
import type { ConveningEvent, ConveningStart, Ending, WaitedFor } from "../core/event.ts";
import type { Fact, FactCheck, Outcome, Stop, Verdict } from "../core/fact.ts";
import { type Panel, panelsOf } from "../judging/panels.ts";
import { type Message, totalUsage, type Usage } from "../core/message.ts";
import { type EvidenceFigures, figuresOf } from "../core/paper.ts";
import type { TranscriptFormat } from "../config/convening_config.ts";
import { type Progress, type Results, type Statistics, withLesson } from "./metadata_file.ts";
import { aboutOf, factPath, rowOf } from "./codec.ts";
import { type Layout, type Naming, seqWidth } from "./fact_row.ts";
import { type PaperFindings, paperFindings } from "./papers.ts";
import type { RecordContents } from "./read.ts";

/** Types of facts that `scores.md` shows. */
const SCORED: ReadonlySet<Fact["type"]> = new Set(["score", "verdict", "fact-check"]);

/** A message as an index shows it; replaced when the message is fact-checked. */
export interface MessageRow {
  readonly message: Message;
  /** In `messages/`. */
  readonly file: string;
  /** The fact check of the message, if any. */
  readonly check?: FactCheck | undefined;
  /** The figures of the message's quotations and citations, if any. */
  readonly figures?: EvidenceFigures | undefined;
}

type EventOf<T> = Extract<ConveningEvent, { readonly type: T }>;

/** The types that `metadata.md` counts, in its order. */
const COUNTED = [
  "message",
  "score",
  "verdict",
  "rejected",
  "failure",
  "lookup",
  "fact-check",
  "stance",
  "evidence",
  "choice",
  "brief",
  "flow",
] as const;

/** Types that only some convenings have: counted where there are any. */
const COUNTED_IF_ANY: ReadonlySet<Fact["type"]> = new Set(["evidence", "brief", "flow"]);

/** Everything on record of a convening, as derived files need it. */
export class RecordModel implements Naming {
  /** As the convening began: without what it brought itself. */
  readonly given: ConveningStart;
  readonly width: number;
  readonly layout: Layout;
  progress: Progress;
  outcome: Outcome | undefined;
  winner: string | null = null;
  /** Contradictions as `metadata.md` showed them when the record was read. */
  recorded: readonly string[] = [];
  /** By message number. */
  readonly rows: MessageRow[] = [];
  readonly #names = new Map<number, string>();
  /** By path. */
  readonly #facts = new Map<string, Fact>();
  /** Fact checks and figures by message number. */
  readonly #notes = new Map<number, Pick<MessageRow, "check" | "figures">>();
  #hidden: ReadonlySet<Fact["type"]> = new Set();
  #assessment: Assessment | undefined;
  #panels: readonly Panel[] | undefined;
  #start: ConveningStart | undefined;

  /** A convening that began, with nothing said. */
  constructor(start: ConveningStart, progress: Progress, layout: Layout = 2) {
    this.layout = layout;
    this.given = start;
    this.progress = progress;
    this.width = seqWidth(start.expectedMessages);
  }

  /** The model of a record that was read; facts of types in `hidden` count in sums and stand on no page. */
  static of(
    contents: RecordContents,
    hidden: ReadonlySet<Fact["type"]> = new Set(),
  ): RecordModel {
    const { start, layout, facts, outcome, winner = null, contradictions = [] } = contents;
    const { status, endReason, endedAt, resumes, waitingFor, value, dropped, learned } = contents;
    const notes = { waitingFor, value, dropped, learned };
    const progress = defined({ status, resumes, endReason, endedAt, ...notes });
    const model = new RecordModel(start, progress, layout);
    model.outcome = outcome;
    model.winner = winner;
    model.recorded = contradictions;
    model.#hidden = hidden;
    for (const fact of facts) model.add(fact);
    return model;
  }

  /** As the convening began, with the positions that it brought itself. */
  get start(): ConveningStart {
    return this.#start ??= withPositions(this.given, this.facts);
  }

  /** The positions that it brought itself, and the messages that say them. */
  get stated(): StatedPositions {
    return statedPositions(this.given, this.facts);
  }

  messageName(seq: number): string | undefined {
    return this.#names.get(seq);
  }

  /** Takes in a fact that is on disk, in the place of one that its file held before. */
  add(fact: Fact): void {
    const path = factPath(fact, this);
    this.#facts.set(path, fact);
    this.#assessment = undefined;
    this.#panels = undefined;
    if (fact.type === "message") this.#addRow(fact, path);
    else if (fact.type === "fact-check") this.#note(fact.message, { check: fact });
    else if (fact.type === "evidence") this.#note(fact.seq, { figures: figuresOf(fact) });
  }

  #addRow(message: Message, path: string): void {
    const { seq, position } = message;
    const file = path.slice(path.indexOf("/") + 1);
    this.#names.set(seq, file);
    if (position !== undefined) this.#start = undefined;
    let at = this.rows.length;
    while (at > 0 && this.rows[at - 1]!.message.seq > seq) at--;
    this.rows.splice(at, 0, { message, file, ...this.#notes.get(seq) });
  }

  /** Says of a message what came after it. */
  #note(seq: number, found: Pick<MessageRow, "check" | "figures">): void {
    this.#notes.set(seq, { ...this.#notes.get(seq), ...found });
    const at = this.rows.findLastIndex(({ message }) => message.seq === seq);
    if (at !== -1) this.rows[at] = { ...this.rows[at]!, ...found };
  }

  /** Tells whether a fact is about a message that is missing: the turn is made again, and the fact with it. */
  isLeftOver(fact: Fact): boolean {
    if (rowOf(fact).isRemade !== true) return false;
    const seq = aboutOf(fact) ?? 0;
    return seq > 0 && !this.#names.has(seq) && !this.#wasRejected(fact);
  }

  /** Tells whether a look-up is of an attempt that was rejected: the retry was given its result. */
  #wasRejected(fact: Fact): boolean {
    return fact.type === "lookup" &&
      this.facts.some((each) =>
        each.type === "rejected" && each.turn === fact.turn && each.createdAt >= fact.createdAt
      );
  }

  /** Forgets facts about messages that are missing; gives their paths. */
  dropLeftOvers(): string[] {
    const dropped: string[] = [];
    for (const [path, fact] of this.#facts) {
      if (!this.isLeftOver(fact)) continue;
      this.#facts.delete(path);
      this.#notes.delete(aboutOf(fact) ?? 0);
      dropped.push(path);
    }
    this.#assessment = undefined;
    return dropped;
  }

  /** Takes in what an event says besides the fact it may carry; gives whether `metadata.md` must say so at once. */
  follow(event: ConveningEvent): boolean {
    switch (event.type) {
      case "convening-resume":
        this.#assessment = undefined;
        this.progress = {
          status: "running",
          resumes: [...this.progress.resumes, event.at],
          ...this.#requestNotes,
        };
        this.outcome = undefined;
        this.winner = null;
        return true;
      case "convening-end":
        this.#assessment = undefined;
        this.#end(event.ending);
        return false;
      case "parameter_dropped":
        return this.#noteDropped(event);
      case "profile_learned":
        return this.#noteLearned(event);
      case "turn-wait":
        return this.#waitFor(event.turn);
      case "turn-answer":
        return this.#waitNoMore(event.turn.turn);
      default:
        return false;
    }
  }

  /** Notes of requests, which outlast an end and a resume. */
  get #requestNotes(): Pick<Progress, "dropped" | "learned"> {
    const { dropped, learned } = this.progress;
    return defined({ dropped, learned });
  }

  #noteDropped({ model, parameter, asked, sent, because }: EventOf<"parameter_dropped">): boolean {
    const note = defined({ model, parameter, asked, sent, because });
    const before = this.progress.dropped ?? [];
    const text = JSON.stringify(note);
    if (before.some((each) => JSON.stringify(each) === text)) return false;
    this.progress = { ...this.progress, dropped: [...before, note] };
    return true;
  }

  #noteLearned(event: EventOf<"profile_learned">): boolean {
    const { origin, model, key, from, to, because, learnedAt: at } = event;
    const note = { ...defined({ from }), origin, model, key, to, because, at };
    const learned = withLesson(this.progress.learned ?? [], note);
    if (learned === undefined) return false;
    this.progress = { ...this.progress, learned };
    return true;
  }

  #waitFor({ participant, turn }: WaitedFor): true {
    const others = this.#waitingFor.filter((each) => each.turn !== turn);
    const waitingFor = [...others, { participant, turn }];
    this.progress = { ...this.progress, status: "waiting", waitingFor };
    return true;
  }

  #waitNoMore(turn: string): boolean {
    const left = this.#waitingFor.filter((each) => each.turn !== turn);
    if (left.length === this.#waitingFor.length) return false;
    const { waitingFor: _before, ...rest } = this.progress;
    this.progress = left.length === 0
      ? { ...rest, status: "running" }
      : { ...rest, waitingFor: left };
    return true;
  }

  get #waitingFor(): readonly WaitedFor[] {
    return this.progress.waitingFor ?? [];
  }

  #end({ status, endReason, outcome, winner, value, ...ending }: Ending): void {
    // A convening that rests has not ended, and nothing is decided.
    const rests = status === "waiting" || status === "paused";
    const endedAt = rests ? undefined : ending.endedAt;
    const waitingFor = ending.waitingFor?.length === 0 ? undefined : ending.waitingFor;
    const { resumes } = this.progress;
    this.progress = {
      ...defined({ status, resumes, endedAt, endReason, waitingFor, value }),
      ...this.#requestNotes,
    };
    this.outcome = rests ? undefined : outcome;
    this.winner = rests ? null : winner;
  }

  /** The forms of transcript that belong to the record: those that the configuration asks for, once it ended. */
  get transcripts(): readonly TranscriptFormat[] {
    const { status } = this.progress;
    if (status !== "completed" && status !== "stopped") return [];
    const { transcript = [] } = this.given.configuration as {
      readonly transcript?: readonly TranscriptFormat[];
    };
    return transcript;
  }

  /** The latest time on record, in ISO 8601. */
  get lastTime(): string {
    const { endedAt = "", resumes } = this.progress;
    const made = this.facts.map(({ createdAt }) => createdAt);
    return [endedAt, ...resumes, ...made].reduce((a, b) => a < b ? b : a, this.given.startedAt);
  }

  /** The names of participants by id. */
  get names(): ReadonlyMap<string, string> {
    return new Map(this.start.participants.map(({ id, name }) => [id, name]));
  }

  /** The sum over all truth files. */
  get usage(): Usage {
    return totalUsage(this.#facts.values());
  }

  get statistics(): Statistics {
    const counts = Object.fromEntries(
      COUNTED.flatMap((type) => COUNTED_IF_ANY.has(type) ? [] : [[type, 0]]),
    ) as Partial<Record<Fact["type"], number>>;
    for (const { type } of this.#facts.values()) counts[type] = (counts[type] ?? 0) + 1;
    const listed = COUNTED.flatMap((type) =>
      counts[type] === undefined ? [] : [[rowOf({ type }).list, counts[type]]]
    );
    const rounds = this.rows.reduce((most, { message }) => Math.max(most, message.round), 0);
    return { ...Object.fromEntries(listed), rounds };
  }

  /** Every fact that is not hidden, in the order in which they came. */
  get facts(): readonly Fact[] {
    const facts = [...this.#facts.values()];
    return this.#hidden.size === 0 ? facts : facts.filter(({ type }) => !this.#hidden.has(type));
  }

  /** The results of a debate over papers so far; undefined for any other convening. */
  get paperFindings(): PaperFindings | undefined {
    return paperFindings(this.given, this.facts);
  }

  /** The assessment of the facts so far; judges are compared once the convening rests, since that takes long. */
  get assessment(): Assessment {
    const { progress: { status }, recorded } = this;
    const compareJudges = status !== "running" && status !== "waiting";
    return this.#assessment ??= assess(this.start, this.facts, { compareJudges, recorded });
  }

  /** Every set of judges that left something, the convening's own first. */
  get panels(): readonly Panel[] {
    return this.#panels ??= panelsOf(this.start, this.facts);
  }

  /** The outcome as it is recorded, with the verdicts that it follows from. */
  get decided(): Pick<Assessment, "winner" | "consensus"> & {
    readonly outcome: Outcome | undefined;
    readonly verdicts: readonly Verdict[];
  } {
    const { outcome, winner, assessment: { consensus } } = this;
    const verdicts = this.panels.find(({ own }) => own)?.verdicts ?? [];
    return { outcome, winner, consensus, verdicts };
  }

  /** The results that `metadata.md` and the pages show. */
  get results(): Results {
    const { outcome: _outcome, ...assessment } = this.assessment;
    return {
      ...assessment,
      ...(this.outcome === undefined ? {} : { outcome: this.outcome }),
      layout: this.layout,
      winner: this.winner,
      usage: this.usage,
      statistics: this.statistics,
      stated: this.stated,
      ...(this.given.papers === undefined ? {} : { paper: this.paperFindings }),
    };
  }

  /** The moderator's or the reporter's summary, else a judge's. */
  get summary(): string | undefined {
    const { facts } = this;
    return summaryMessage(facts)?.body ?? judgeSummary(facts);
  }

  /** The last early end. */
  get lastStop(): Stop | undefined {
    return lastStop(this.facts);
  }

  /** True where `scores.md` has content. */
  get hasScores(): boolean {
    return this.#facts.values().some(({ type }) => SCORED.has(type)) ||
      this.assessment.audience !== undefined || this.assessment.baseline !== undefined;
  }
}
