// Keeps derived files up to date in the background.
import { dirname, join } from "@std/path";
import type { Clock } from "../core/clock.ts";
import type { ConveningEvent } from "../core/event.ts";
import { allDone, type FileSystem, writeDurably } from "../core/files.ts";
import { loadTokenCounter } from "../core/tokens.ts";
import { isSumming } from "../judging/assessment.ts";
import { DERIVED_PAGES, type PageChange, type PageRow, PageSources } from "./derived_pages.ts";
import { byteMeasure } from "./markdown.ts";
import { readText } from "./problems.ts";
import type { RecordModel } from "./record_model.ts";

interface DerivedOptions {
  readonly model: RecordModel;
  /** The longest delay before stale files are written, in milliseconds. */
  readonly delay: number;
  /** Measures how long a refresh takes. */
  readonly clock: Clock;
  /** True for a record that existed: files of an earlier run may be there. */
  readonly resumed: boolean;
  writeMetadata(): Promise<void>;
  /** Updates the archive's indexes; `live` is whether more changes will come. */
  announce(live: boolean): Promise<void>;
}

/** Files out of date: pages, `metadata.md`, or, of a convening that has ended, transcripts and the archive's indexes. */
type Stale = ReadonlySet<PageChange | "metadata" | "ended">;

/** A change that makes derived files stale. */
type Change = ConveningEvent | { readonly type?: undefined; readonly result: boolean };

/** The pause after a refresh, in multiples of its time and lateness: a busy process refreshes less often. */
const PAUSE = 20;

const TRANSCRIPT = /^transcript\.(?:md|json|txt|html|argdown)$/;

/**
 * The files that show what truth files say: brought up to date in the background, one refresh at a time, each for
 * everything that changed since the last.
 */
export class DerivedFiles {
  readonly #files: FileSystem;
  readonly #dir: string;
  readonly #options: DerivedOptions;
  /** Texts as they were last written, by path. */
  readonly #texts = new Map<string, string>();
  readonly #folders = new Set<string>();
  #stale: Stale = new Set(["start"]);
  #timer: ReturnType<typeof setTimeout> | undefined;
  #running: Promise<void> | undefined;
  /** Duration and lateness of the last refresh, in milliseconds. */
  #took = 0;
  #error: unknown;
  #announced = false;
  #stopped = false;
  #mayBeThere: boolean;

  /** The derived files of the convening in `dir`. */
  constructor(files: FileSystem, dir: string, options: DerivedOptions) {
    this.#files = files;
    this.#dir = dir;
    this.#options = options;
    this.#mayBeThere = options.resumed;
  }

  /** Marks what an event makes stale and sees to it that it is written soon. */
  change(change: Change): void {
    this.#stale = this.#stale.union(staleBy(change, this.#hasPapers));
    // A change during a refresh waits for the next refresh, which keeps its distance.
    if (this.#running === undefined && this.#stale.size > 0) this.#schedule();
  }

  #schedule(): void {
    if (this.#stopped || this.#timer !== undefined) return;
    const { clock, delay } = this.#options;
    const pause = Math.max(delay, this.#took * PAUSE);
    const due = clock.now() + pause;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      // A timer of a busy process is late.
      const late = Math.max(0, clock.now() - due);
      this.#refreshOnce()
        .catch((error) => this.#error ??= error)
        .then(() => {
          this.#took += late;
          if (this.#stale.size > 0) this.#schedule();
        });
    }, pause);
  }

  #refreshOnce(): Promise<void> {
    const { clock } = this.#options;
    const started = clock.now();
    return this.#running ??= this.#refresh().finally(() => {
      this.#running = undefined;
      this.#took = clock.now() - started;
    });
  }

  /** Returns the error of a refresh in the background and forgets it; undefined where there is none. */
  takeError(): unknown {
    const error = this.#error;
    this.#error = undefined;
    return error;
  }

  /** Waits for the refresh under way. What is stale then stays so until {@linkcode flush} or the next change. */
  async rest(): Promise<void> {
    await this.#running?.catch((error) => this.#error ??= error);
  }

  /** Writes what is stale now. */
  async flush(): Promise<void> {
    await this.#running;
    this.#error = undefined;
    if (this.#stale.size > 0) await this.#refreshOnce();
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /** Writes nothing more by itself. */
  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  async #refresh(): Promise<void> {
    const stale = this.#stale;
    const ended = stale.has("ended");
    this.#stale = new Set();
    try {
      await this.#writeTranscripts(ended);
      const { model } = this.#options;
      const isNew = model.rows.length === 0 && !this.#hasPapers;
      const sources = new PageSources(model, {
        measure: isNew ? byteMeasure : await loadTokenCounter(),
        transcripts: await this.#transcripts(),
      });
      const due = DERIVED_PAGES.filter(({ after }) => stale.has(after));
      // Papers' pages come first: the others link to them.
      for (const isStart of [true, false]) {
        const rows = due.filter(({ after }) => (after === "start") === isStart);
        await allDone(rows.map((row) => this.#writePages(row, sources)));
      }
      this.#mayBeThere = false;
      if (!this.#announced || ended) await this.#options.announce(!ended);
      this.#announced = true;
      // Whatever it says is there by now.
      if (stale.has("metadata")) await this.#options.writeMetadata();
    } catch (error) {
      this.#stale = this.#stale.union(stale);
      throw error;
    }
  }

  /** Writes the transcripts that belong to the record: all of them, or the missing ones. */
  async #writeTranscripts(all: boolean): Promise<void> {
    const { transcripts, progress, outcome, winner } = this.#options.model;
    if (transcripts.length === 0) return;
    const { renderTranscript, TRANSCRIPT_FORMATS } = await import("./transcript.ts");
    const there = all ? [] : await this.#transcripts();
    const missing = transcripts.filter((each) => !there.includes(TRANSCRIPT_FORMATS[each].file));
    if (missing.length === 0) return;
    const { readRecord } = await import("./read.ts");
    const record = { ...await readRecord(this.#files, this.#dir), ...progress, outcome, winner };
    for (const format of missing) {
      await this.#put(TRANSCRIPT_FORMATS[format].file, await renderTranscript(format, record));
    }
  }

  /** Writes the pages of a row that are not there as they should be; removes others of their folders. */
  async #writePages({ after, folders, pages }: PageRow, sources: PageSources): Promise<void> {
    const used = new Set<string>();
    for (const { path, text } of await pages(sources)) {
      used.add(path);
      if (this.#texts.get(path) === text) continue;
      const isThere = this.#mayBeThere &&
        await readText(this.#files, join(this.#dir, path)) === text;
      if (!isThere) await this.#put(path, text);
      if (after !== "start") this.#texts.set(path, text);
    }
    for (const folder of folders?.(sources.model) ?? []) {
      // Pages that may be there from before, or those that were written.
      const there = this.#mayBeThere
        ? (await this.#files.list(join(this.#dir, folder))).map(({ name }) => `${folder}/${name}`)
        : [...this.#texts.keys()].filter((path) => path.startsWith(`${folder}/`));
      for (const path of there) {
        if (used.has(path)) continue;
        await this.#files.remove(join(this.#dir, path));
        this.#texts.delete(path);
      }
    }
  }

  get #hasPapers(): boolean {
    return this.#options.model.given.papers !== undefined;
  }

  /** The transcripts in the directory; none are looked for while it runs. */
  async #transcripts(): Promise<string[]> {
    const { status } = this.#options.model.progress;
    if (status === "running" || status === "waiting") return [];
    return (await this.#files.list(this.#dir))
      .map(({ name }) => name).filter((name) => TRANSCRIPT.test(name));
  }

  async #put(path: string, text: string): Promise<void> {
    const whole = join(this.#dir, path);
    const folder = dirname(whole);
    if (path.includes("/") && !this.#folders.has(folder)) {
      await this.#files.makeFolder(folder);
      this.#folders.add(folder);
    }
    await writeDurably(this.#files, whole, text);
  }
}

/** Events that change results. */
const RESULTS: ReadonlySet<string> = new Set([
  "convening-end",
  "convening-resume",
  "score",
  "verdict",
  "fact-check",
  "flow",
  "stance",
  "choice",
  "stop",
  "brief",
]);
/** Events that change the index alone. */
const INDEX: ReadonlySet<string> = new Set([
  "message",
  "turn-fail",
  "turn-wait",
  "turn-answer",
  "turn-reject",
  "context",
]);

/** The parts that a change makes stale; in a paper debate every turn adds to the result. */
function staleBy(change: Change, hasPapers: boolean): Stale {
  const { type } = change;
  if (type === undefined) return new Set(change.result ? ["result", "index"] : ["index"]);
  const result = RESULTS.has(type) || hasPapers && type === "turn-fail" ||
    type === "message" && (hasPapers || isSumming(change.message.kind));
  return new Set([
    ...result ? ["result", "index"] as const : INDEX.has(type) ? ["index"] as const : [],
    ...type === "round-end" ? ["metadata"] as const : [],
    ...type === "convening-end" ? ["metadata", "ended"] as const : [],
  ]);
}
