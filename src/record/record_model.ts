// The record model: the state of a convening in memory, from which derived files are rendered.
import { assess, withPositions } from "../judging/assessment.ts";
import type { Assessment, Outcome } from "../core/outcome.ts";
import { oneLine } from "../core/text.ts";
import { defined, listIn, tally } from "../core/values.ts";
import type { ConveningEvent, ConveningStart, Ending, WaitedFor } from "../core/event.ts";
import { type Fact, type FactCheck, hasEnded } from "../core/fact.ts";
import { type Panel, panelsOf } from "../judging/panels.ts";
import { type Message, totalUsage, type Usage } from "../core/message.ts";
import { type EvidenceFigures, figuresOf } from "../core/paper.ts";
import type { TranscriptFormat } from "../config/convening_config.ts";
import { TRANSCRIPT_FORMATS } from "../config/setting_shapes.ts";
import { type Metadata, type Progress, type Statistics, withLesson } from "./metadata_file.ts";
import { aboutOf, factPath, rowOf } from "./codec.ts";
import { type Layout, type Naming, seqWidth } from "./fact_row.ts";
import { type PaperFindings, paperFindings } from "./papers.ts";

/** Types of facts that `scores.md` shows. */
const SCORED: ReadonlySet<Fact["type"]> = new Set(["score", "verdict", "fact-check"]);

/** Maximum code points of a failure's message. */
const MAX_FAILURE = 1000;

export function transcriptFile(format: TranscriptFormat): string {
  return `transcript.${format}`;
}

/** Contents of a convening's directory. */
export interface RecordContents
  extends
    Progress,
    Pick<Metadata, "start" | "layout" | "outcome" | "winner" | "usage" | "statistics"> {
  readonly dir: string;
  readonly startedAt: string;
  readonly contradictions?: readonly string[];
  /** Sorted by type, then by number; messages come first. */
  readonly facts: readonly Fact[];
  /** Facts by path in the directory, such as `messages/001_moderator_1f0c9a3e.md`. */
  readonly files: ReadonlyMap<string, Fact>;
  /** Number of the last complete event in `log.jsonl`; 0 without a log. */
  readonly lastEvent: number;
  /** Time of that event. */
  readonly loggedAt?: string;
}

export type ModelContents =
  & Pick<RecordContents, "start" | "facts" | "status">
  & Partial<RecordContents>;

/** A message in an index; replaced when the message gets a fact check or figures. */
export interface MessageRow {
  readonly message: Message;
  /** File name in `messages/`. */
  readonly file: string;
  readonly check?: FactCheck | undefined;
  readonly figures?: EvidenceFigures | undefined;
}

type EventOf<T> = Extract<ConveningEvent, { readonly type: T }>;

/** Types that `metadata.md` counts, in the order of its keys. */
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

const COUNTED_IF_ANY: ReadonlySet<Fact["type"]> = new Set(["evidence", "brief", "flow"]);

/** State of a convening, from which derived files are rendered. */
export class RecordModel implements Naming {
  /** Recorded start, without positions that participants took during the convening. */
  readonly recordedStart: ConveningStart;
  readonly width: number;
  readonly layout: Layout;
  progress: Progress;
  outcome: Outcome | undefined;
  winner: string | null = null;
  /** Contradictions in `metadata.md` when the record was read. */
  recordedContradictions: readonly string[] = [];
  /** Counts in `metadata.md` when the record was read. */
  #recordedStatistics: Statistics = {};
  /** Sorted by message number. */
  readonly rows: MessageRow[] = [];
  readonly #names = new Map<number, string>();
  /** Facts by path. */
  readonly #facts = new Map<string, Fact>();
  readonly #notes = new Map<number, Pick<MessageRow, "check" | "figures">>();
  #hidden: ReadonlySet<Fact["type"]> = new Set();
  #assessment: Assessment | undefined;
  #panels: readonly Panel[] | undefined;
  #start: ConveningStart | undefined;

  constructor(start: ConveningStart, progress: Progress, layout: Layout = 2) {
    this.layout = layout;
    this.recordedStart = start;
    this.progress = progress;
    this.width = seqWidth(start.expectedMessages);
  }

  /** Creates the model of a record that was read. Facts of `hidden` types count in sums, and do not appear on pages. */
  static of(
    contents: ModelContents,
    hidden: ReadonlySet<Fact["type"]> = new Set(),
  ): RecordModel {
    const { start, layout, facts, outcome, winner = null, contradictions = [] } = contents;
    const { status, endReason, endedAt, failure, resumes = [], waitingFor, value } = contents;
    const { dropped, learned } = contents;
    const notes = { failure, waitingFor, value, dropped, learned };
    const progress = defined({ status, resumes, endReason, endedAt, ...notes });
    const model = new RecordModel(start, progress, layout);
    model.outcome = outcome;
    model.winner = winner;
    model.recordedContradictions = contradictions;
    model.#recordedStatistics = contents.statistics ?? {};
    model.#hidden = hidden;
    for (const fact of facts) model.add(fact);
    return model;
  }

  /** Start, with the positions that participants took during the convening. */
  get start(): ConveningStart {
    return this.#start ??= withPositions(this.recordedStart, this.facts);
  }

  messageName(seq: number): string | undefined {
    return this.#names.get(seq);
  }

  /** Adds a fact that is on disk, and replaces an earlier fact of the same file. */
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

  #note(seq: number, found: Pick<MessageRow, "check" | "figures">): void {
    this.#notes.set(seq, { ...this.#notes.get(seq), ...found });
    const at = this.rows.findLastIndex(({ message }) => message.seq === seq);
    if (at !== -1) this.rows[at] = { ...this.rows[at]!, ...found };
  }

  /** Returns true if a fact is about a missing message: a resume repeats the turn, and makes the fact again. */
  isOrphaned(fact: Fact): boolean {
    if (rowOf(fact).isRemade !== true) return false;
    const seq = aboutOf(fact) ?? 0;
    return seq > 0 && !this.#names.has(seq) && !this.#wasRejected(fact);
  }

  /** Returns true for a look-up of a rejected attempt: the retry received its result, so the look-up stays. */
  #wasRejected(fact: Fact): boolean {
    return fact.type === "lookup" &&
      this.facts.some((each) =>
        each.type === "rejected" && each.turn === fact.turn && each.createdAt >= fact.createdAt
      );
  }

  /** Removes facts about missing messages; returns their paths. */
  dropOrphans(): string[] {
    const dropped: string[] = [];
    for (const [path, fact] of this.#facts) {
      if (!this.isOrphaned(fact)) continue;
      this.#facts.delete(path);
      this.#notes.delete(aboutOf(fact) ?? 0);
      dropped.push(path);
    }
    this.#assessment = undefined;
    return dropped;
  }

  /** Applies an event, except the fact in it. Returns true if `metadata.md` must be written immediately. */
  applyEvent(event: ConveningEvent): boolean {
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
        return this.#addDropped(event);
      case "profile_learned":
        return this.#addLearned(event);
      case "turn-wait":
        return this.#waitFor(event.turn);
      case "turn-answer":
        return this.#endWait(event.turn.turn);
      default:
        return false;
    }
  }

  /** Notes about requests to models, which are kept after an end or a resume. */
  get #requestNotes(): Pick<Progress, "dropped" | "learned"> {
    const { dropped, learned } = this.progress;
    return defined({ dropped, learned });
  }

  #addDropped({ model, parameter, asked, sent, because }: EventOf<"parameter_dropped">): boolean {
    const note = defined({ model, parameter, asked, sent, because });
    const before = this.progress.dropped ?? [];
    const text = JSON.stringify(note);
    if (before.some((each) => JSON.stringify(each) === text)) return false;
    this.progress = { ...this.progress, dropped: [...before, note] };
    return true;
  }

  #addLearned(event: EventOf<"profile_learned">): boolean {
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

  #endWait(turn: string): boolean {
    const remaining = this.#waitingFor.filter((each) => each.turn !== turn);
    if (remaining.length === this.#waitingFor.length) return false;
    const { waitingFor: _before, ...rest } = this.progress;
    this.progress = remaining.length === 0
      ? { ...rest, status: "running" }
      : { ...rest, waitingFor: remaining };
    return true;
  }

  get #waitingFor(): readonly WaitedFor[] {
    return this.progress.waitingFor ?? [];
  }

  #end({ status, endReason, outcome, winner, value, ...ending }: Ending): void {
    // A waiting or paused convening has not ended, and has no outcome.
    const rests = status === "waiting" || status === "paused";
    const endedAt = rests ? undefined : ending.endedAt;
    const waitingFor = ending.waitingFor?.length === 0 ? undefined : ending.waitingFor;
    const { resumes } = this.progress;
    const failure = ending.error && oneLine(ending.error.message, MAX_FAILURE);
    this.progress = {
      ...defined({ status, resumes, endedAt, endReason, failure, waitingFor, value }),
      ...this.#requestNotes,
    };
    this.outcome = rests ? undefined : outcome;
    this.winner = rests ? null : winner;
  }

  /** Transcript formats that the configuration asks for; empty until the convening ends. */
  get transcripts(): readonly TranscriptFormat[] {
    if (!hasEnded(this.progress.status)) return [];
    const { transcript } = this.recordedStart.configuration;
    // A hand, or a later version, may have added other formats.
    return TRANSCRIPT_FORMATS.filter((each) => listIn(transcript).includes(each));
  }

  /** Latest time in the record, in ISO 8601. */
  get lastTime(): string {
    const { endedAt = "", resumes } = this.progress;
    const made = this.facts.map(({ createdAt }) => createdAt);
    return [endedAt, ...resumes, ...made].reduce(
      (a, b) => a < b ? b : a,
      this.recordedStart.startedAt,
    );
  }

  /** Sum over all truth files. */
  get usage(): Usage {
    return totalUsage(this.#facts.values());
  }

  get statistics(): Statistics {
    const counts = tally(this.#facts.values().map(({ type }) => type));
    const listed = COUNTED.flatMap((type) => {
      const count = counts.get(type) ?? 0;
      return count === 0 && COUNTED_IF_ANY.has(type) ? [] : [[rowOf({ type }).list, count]];
    });
    const rounds = this.rows.reduce((most, { message }) => Math.max(most, message.round), 0);
    return { ...Object.fromEntries(listed), rounds };
  }

  /** Names of lists of which `metadata.md` counts more facts than there are, with both counts. */
  get lost(): (readonly [name: string, counted: number, count: number])[] {
    const recorded = this.#recordedStatistics;
    return Object.entries(this.statistics)
      .map(([name, count]) => [name, recorded[name] ?? 0, count] as const)
      .filter(([, counted, count]) => counted > count);
  }

  /** Facts that are not hidden, in the order in which they were added. */
  get facts(): readonly Fact[] {
    const facts = [...this.#facts.values()];
    return this.#hidden.size === 0 ? facts : facts.filter(({ type }) => !this.#hidden.has(type));
  }

  /** Results of a debate over papers; undefined for other convenings. */
  get paperFindings(): PaperFindings | undefined {
    return paperFindings(this.recordedStart, this.facts);
  }

  /** Assessment of the facts. Judges are compared only when the convening is not running, because the comparison is slow. */
  get assessment(): Assessment {
    const { progress: { status }, recordedContradictions: recorded } = this;
    const compareJudges = status !== "running" && status !== "waiting";
    return this.#assessment ??= assess(this.start, this.facts, { compareJudges, recorded });
  }

  /** Panels that recorded at least one fact, the convening's own first. */
  get panels(): readonly Panel[] {
    return this.#panels ??= panelsOf(this.start, this.facts);
  }

  /** Recorded outcome, with the votes that led to it. */
  get decided(): Pick<Assessment, "winner" | "consensus" | "reasons"> & {
    readonly outcome: Outcome | undefined;
  } {
    const { outcome, winner, assessment: { consensus, reasons } } = this;
    return { outcome, winner, consensus, reasons };
  }

  /** True if `scores.md` has content. */
  get hasScores(): boolean {
    return this.#facts.values().some(({ type }) => SCORED.has(type)) ||
      this.assessment.audience !== undefined || this.assessment.baseline !== undefined;
  }
}
