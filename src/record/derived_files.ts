// Keeps derived files up to date in the background.
import { dirname, join } from "@std/path";
import type { Clock } from "../core/clock.ts";
import type { ConveningEvent } from "../core/event.ts";
import { FileError, type FileSystem, writeDurably } from "../core/files.ts";
import { loadTokenCounter } from "../core/tokens.ts";
import { allDone } from "./parallel.ts";
import { paperFolder, paperIndexPath, REPORT_FOLDER } from "./files/paper_file.ts";
import { scoresPage } from "./files/scores_page.ts";
import { summaryPage } from "./files/summary_page.ts";
import type { EarlierReport } from "./files/report_files.ts";
import { IndexPages } from "./index_pages.ts";
import { byteMeasure } from "./markdown.ts";
import type { PaperFileText } from "./paper_pages.ts";
import type { RecordModel } from "./record_model.ts";
import { isSumming } from "../judging/assessment.ts";

/** What keeping derived files takes. */
interface DerivedOptions {
  readonly model: RecordModel;
  /** How long they may lag behind, in milliseconds. */
  readonly delay: number;
  /** How long a refresh took is read from it. */
  readonly clock: Clock;
  /** Whether some may be there already. */
  readonly resumed: boolean;
  writeMetadata(): Promise<void>;
  /** Updates the archive's indexes; `live` is whether more changes will come. */
  announce(live: boolean): Promise<void>;
}

/** Which derived files no longer show what is so. */
interface Stale {
  index: boolean;
  results: boolean;
  metadata: boolean;
  /** The convening has ended: transcripts are written again, and the archive's indexes. */
  ended: boolean;
}

/** What can make derived files stale. */
type Change =
  | ConveningEvent
  | { readonly type?: undefined; readonly all: true }
  | { readonly type?: undefined; readonly index: true; readonly all?: undefined };

/** How many times as long as a refresh took no other is begun: on a busy machine they are made less often. */
const PAUSE = 10;

/** What {@linkcode DerivedFiles} finds where no papers are debated. */
const NO_PAPERS: {
  readonly reports: readonly PaperFileText[];
  /** The paths of files that only some convenings have. */
  readonly there: readonly string[];
} = { reports: [], there: [] };

const NOTHING: Stale = { index: false, results: false, metadata: false, ended: false };
const TRANSCRIPT = /^transcript\.(?:md|json|txt|html)$/;

/**
 * The files that show what truth files say: brought up to date in the background, one refresh at a time, each for
 * everything that changed since the last.
 */
export class DerivedFiles {
  readonly #files: FileSystem;
  readonly #dir: string;
  readonly #options: DerivedOptions;
  readonly #index: IndexPages;
  /** What was written last, by path; only files that are written whole each time. */
  readonly #texts = new Map<string, string>();
  #pages: readonly string[] = [];
  /** The uppermost indexes of the papers' pages, once those are written. */
  #paperIndexes: readonly string[] | undefined;
  #stale: Stale = { ...NOTHING };
  #timer: ReturnType<typeof setTimeout> | undefined;
  #running: Promise<void> | undefined;
  /** How long the last refresh took, in milliseconds. */
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
    this.#index = new IndexPages(options.model);
    this.#mayBeThere = options.resumed;
  }

  /** Marks what an event makes stale and sees to it that it is written soon. */
  change(change: Change): void {
    this.#stale = union(this.#stale, staleBy(change, this.#hasPapers));
    // What changes during a refresh waits for the next one, which keeps its distance.
    if (this.#running === undefined && this.#isStale()) this.#schedule();
  }

  #schedule(): void {
    if (this.#stopped) return;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#refreshOnce()
        .catch((error) => this.#error ??= error)
        .then(() => this.#isStale() && this.#schedule());
    }, Math.max(this.#options.delay, this.#took * PAUSE));
  }

  #refreshOnce(): Promise<void> {
    const { clock } = this.#options;
    const started = clock.now();
    return this.#running ??= this.#refresh().finally(() => {
      this.#running = undefined;
      this.#took = clock.now() - started;
    });
  }

  /** What went wrong in the background since it was last asked. */
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
    if (this.#isStale()) await this.#refreshOnce();
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /** Writes nothing more by itself. */
  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #isStale(): boolean {
    return this.#stale.index || this.#stale.results || this.#stale.metadata;
  }

  async #refresh(): Promise<void> {
    const stale = this.#stale;
    this.#stale = { ...NOTHING };
    try {
      const { reports, there } = this.#hasPapers ? await this.#aboutPapers() : NO_PAPERS;
      await this.#writeTranscripts(stale.ended);
      await allDone([
        ...stale.results ? this.#writeResults(reports, there) : [],
        ...stale.index ? [this.#writeIndex(there)] : [],
      ]);
      if (stale.results && reports.length > 0) {
        await this.#removeOthers(REPORT_FOLDER, new Set(reports.map(({ path }) => path)));
      }
      this.#mayBeThere = false;
      if (!this.#announced || stale.ended) await this.#options.announce(!stale.ended);
      this.#announced = true;
      // Whatever it says is there by now.
      if (stale.metadata) await this.#options.writeMetadata();
    } catch (error) {
      this.#stale = union(this.#stale, stale);
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

  #writeResults(
    reports: readonly PaperFileText[],
    there: readonly string[],
  ): Promise<void>[] {
    const { model } = this.#options;
    return [
      this.#write("summary.md", summaryPage(model, there)),
      ...model.hasScores ? [this.#write("scores.md", scoresPage(model))] : [],
      ...reports.map(({ path, text }) => this.#write(path, text)),
    ];
  }

  async #writeIndex(there: readonly string[]): Promise<void> {
    const { model } = this.#options;
    const measure = model.rows.length === 0 && !this.#hasPapers
      ? byteMeasure
      : await loadTokenCounter();
    const transcripts = await this.#transcripts();
    const { texts, pages } = this.#index.update([...there, ...transcripts], measure);
    try {
      for (const [path, text] of texts) {
        if (!await this.#isThere(path, text)) await this.#put(path, text);
      }
    } catch (error) {
      this.#index.forget(texts.keys());
      throw error;
    }
    await this.#removePages(pages);
  }

  get #hasPapers(): boolean {
    return this.#options.model.given.papers !== undefined;
  }

  /** The report as far as there is one, and the files that debates over papers have beside others: written once each. */
  async #aboutPapers(): Promise<typeof NO_PAPERS> {
    const { reportFiles } = await import("./files/report_files.ts");
    const { start, facts } = this.#options.model;
    const earlier = this.#options.resumed ? await this.#reportThere() : undefined;
    const reports = reportFiles(start, facts, await loadTokenCounter(), earlier);
    this.#paperIndexes ??= await this.#writePapers();
    const first = reports.map(({ path }) => path).filter((path) => !path.includes("/"));
    return { reports, there: [...first, ...this.#paperIndexes] };
  }

  /** The report on disk: one that an earlier version wrote stays as it is. */
  async #reportThere(): Promise<EarlierReport> {
    const read = async (name: string) => {
      const path = join(this.#dir, name);
      return await this.#files.stat(path) === undefined ? undefined : await this.#files.read(path);
    };
    const { earlier: contradictions } = this.#options.model;
    return { page: await read("report.md"), json: await read("report.json"), contradictions };
  }

  /** Writes the pages of the papers; gives their uppermost indexes. */
  async #writePapers(): Promise<string[]> {
    const { paperPages } = await import("./paper_pages.ts");
    const measure = await loadTokenCounter();
    const indexes: string[] = [];
    for (const [index, paper] of (this.#options.model.given.papers ?? []).entries()) {
      const written = new Set<string>();
      for (const { path, text } of paperPages(paper, index, measure)) {
        if (written.size === 0) await this.#files.makeFolder(dirname(join(this.#dir, path)));
        if (!await this.#isThere(path, text)) await this.#put(path, text);
        written.add(path);
      }
      if (written.size > 0) indexes.push(paperIndexPath(index));
      if (this.#mayBeThere) await this.#removeOthers(paperFolder(index), written);
    }
    return indexes;
  }

  /** Removes pages of a folder that are none of the given paths. */
  async #removeOthers(folder: string, used: ReadonlySet<string>): Promise<void> {
    for (const { name } of await this.#files.list(join(this.#dir, folder))) {
      const path = `${folder}/${name}`;
      if (!used.has(path)) await this.#files.remove(join(this.#dir, path));
    }
  }

  /** The transcripts in the directory; none are looked for while it runs. */
  async #transcripts(): Promise<string[]> {
    const { status } = this.#options.model.progress;
    if (status === "running" || status === "waiting") return [];
    return (await this.#files.list(this.#dir))
      .map(({ name }) => name).filter((name) => TRANSCRIPT.test(name));
  }

  /** Removes pages of an earlier index that are no longer linked. */
  async #removePages(pages: readonly string[]): Promise<void> {
    const used = new Set(pages);
    if (this.#mayBeThere) await this.#removeOthers("pages", used);
    for (const path of this.#mayBeThere ? [] : this.#pages) {
      if (!used.has(path)) await this.#files.remove(join(this.#dir, path));
    }
    this.#pages = pages;
  }

  async #write(path: string, text: string): Promise<void> {
    if (this.#texts.get(path) === text) return;
    if (!await this.#isThere(path, text)) await this.#put(path, text);
    this.#texts.set(path, text);
  }

  async #isThere(path: string, text: string): Promise<boolean> {
    if (!this.#mayBeThere) return false;
    try {
      return await this.#files.read(join(this.#dir, path)) === text;
    } catch (error) {
      if (error instanceof FileError) return false;
      throw error;
    }
  }

  async #put(path: string, text: string): Promise<void> {
    const whole = join(this.#dir, path);
    const isReport = path.startsWith(`${REPORT_FOLDER}/`);
    if (isReport || (path.startsWith("pages/") && this.#pages.length === 0)) {
      await this.#files.makeFolder(dirname(whole));
    }
    await writeDurably(this.#files, whole, text);
  }
}

function union(a: Stale, b: Stale): Stale {
  return {
    index: a.index || b.index,
    results: a.results || b.results,
    metadata: a.metadata || b.metadata,
    ended: a.ended || b.ended,
  };
}

/** Events that change results. */
const RESULTS: ReadonlySet<string> = new Set([
  "convening-end",
  "convening-resume",
  "score",
  "verdict",
  "fact-check",
  "stance",
  "choice",
  "stop",
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

/** What a change makes stale; where papers are debated every turn adds to the result. */
function staleBy(change: Change, hasPapers: boolean): Stale {
  const { type } = change;
  if (type === undefined) return { ...NOTHING, index: true, results: change.all === true };
  const ends = type === "convening-end";
  const results = RESULTS.has(type) || hasPapers && type === "turn-fail" ||
    type === "message" && (hasPapers || isSumming(change.message.kind));
  return {
    index: results || INDEX.has(type),
    results,
    metadata: ends || type === "round-end",
    ended: ends,
  };
}
