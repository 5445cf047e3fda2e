import { dirname, join } from "@std/path";
import type { Clock } from "../core/clock.ts";
import type { ConveningEvent } from "../core/event.ts";
import { FileError, type FileSystem, writeDurably } from "../core/files.ts";
import { loadTokenCounter } from "../core/tokens.ts";
import { allDone } from "./all_done.ts";
import { scoresPage } from "./files/scores_page.ts";
import { summaryPage } from "./files/summary_page.ts";
import { IndexPages } from "./index_pages.ts";
import { byteMeasure } from "./markdown.ts";
import type { RecordModel } from "./record_model.ts";

/** What keeping derived files takes. */
export interface DerivedOptions {
  readonly model: RecordModel;
  /** How long they may lag behind, in milliseconds. */
  readonly delay: number;
  /** How long a refresh took is read from it. */
  readonly clock: Clock;
  /** Whether some may be there already. */
  readonly resumed: boolean;
  writeMetadata(): Promise<void>;
  /** Tells the archive that the convening is there. */
  announce(): Promise<void>;
}

/** Which derived files no longer show what is so. */
interface Stale {
  index: boolean;
  results: boolean;
  metadata: boolean;
}

/** What can make derived files stale. */
export type Change =
  | ConveningEvent
  | { readonly type?: undefined; readonly all: true }
  | { readonly type?: undefined; readonly index: true; readonly all?: undefined };

/** How many times as long as a refresh took no other is begun: on a busy machine they are made less often. */
const PAUSE = 10;

const NOTHING: Stale = { index: false, results: false, metadata: false };
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
    const stale = staleBy(change);
    if (stale === undefined) return;
    this.#stale = union(this.#stale, stale);
    // What changes during a refresh waits for the next one, which keeps its distance.
    if (this.#running === undefined) this.#schedule();
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
      await allDone([
        ...stale.metadata ? [this.#options.writeMetadata()] : [],
        ...stale.results ? this.#writeResults() : [],
        ...stale.index ? [this.#writeIndex()] : [],
      ]);
      this.#mayBeThere = false;
      if (this.#announced) return;
      this.#announced = true;
      await this.#options.announce();
    } catch (error) {
      this.#stale = union(this.#stale, stale);
      throw error;
    }
  }

  #writeResults(): Promise<void>[] {
    const { model } = this.#options;
    return [
      this.#write("summary.md", summaryPage(model)),
      ...model.hasScores ? [this.#write("scores.md", scoresPage(model))] : [],
    ];
  }

  async #writeIndex(): Promise<void> {
    const { model } = this.#options;
    const measure = model.rows.length === 0 ? byteMeasure : await loadTokenCounter();
    const transcripts = await this.#transcripts();
    const { texts, pages } = this.#index.update(transcripts, measure);
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
    const before = this.#mayBeThere
      ? (await this.#files.list(join(this.#dir, "pages")))
        .map(({ name }) => `pages/${name}`)
      : this.#pages;
    for (const path of before) {
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
    if (path.startsWith("pages/") && this.#pages.length === 0) {
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
  };
}

function staleBy(change: Change): Stale | undefined {
  switch (change.type) {
    case undefined:
      return {
        index: true,
        results: change.all === true,
        metadata: false,
      };
    case "convening-end":
    case "convening-resume":
      return { index: true, results: true, metadata: false };
    case "round-end":
      return { ...NOTHING, metadata: true };
    case "score":
    case "verdict":
    case "fact-check":
    case "stance":
    case "choice":
    case "stop":
      return { index: true, results: true, metadata: false };
    case "message":
      return {
        index: true,
        results: change.message.kind === "summary",
        metadata: false,
      };
    case "turn-wait":
    case "turn-fail":
    case "turn-reject":
    case "context":
      return { ...NOTHING, index: true };
    default:
      return undefined;
  }
}
