// Updates the derived files of an open record in the background. The table of derived pages: the change that makes each kind
// of page outdated, and its rendering from the record model. Also renders `metadata.md`.
import { dirname, join } from "@std/path";
import { TRANSCRIPT_FORMATS } from "../config/setting_shapes.ts";
import { steadyClock } from "../core/clock.ts";
import { type ConveningEvent, factOf } from "../core/event.ts";
import { allDone, type FileSystem, writeDurably } from "../core/files.ts";
import { loadTokenCounter } from "../core/tokens.ts";
import { defined } from "../core/values.ts";
import { readText } from "./problems.ts";
import { type RecordModel, transcriptFile } from "./record_model.ts";
import type { Fact } from "../core/fact.ts";
import { paperFile } from "../core/paper.ts";
import { counted } from "../core/text.ts";
import { statedPositions } from "../judging/assessment.ts";
import { argumentPages, ARGUMENTS } from "./arguments_page.ts";
import { briefPage, newestBrief } from "./brief_page.ts";
import { writtenKeys } from "./fact_row.ts";
import { indexPages } from "./index_pages.ts";
import { claimPages, CLAIMS, filePages, FILES, hasFiles } from "./list_pages.ts";
import { common, markdownText, type Measure, writeFrontMatter } from "./frontmatter.ts";
import { ALL_METADATA, paperResults, recordedStatus, waitingSentences } from "./metadata_file.ts";
import { PAGE_FOLDERS, type PageText } from "./page_tree.ts";
import { paperFolder, paperIndexPath } from "./papers.ts";
import { indexHead, summaryPage } from "./result_pages.ts";
import { scoresPages } from "./scores_page.ts";

const BRIEF = "brief.md";

/** Changes of a record that make pages outdated. */
type PageChange = "start" | "result" | "index";

/** A kind of derived page that a convening has, or had. */
interface PageRow {
  /** Change after which the pages are rendered again; pages of `start` are rendered once. */
  readonly after: PageChange;
  /** Folders that contain only these pages. */
  readonly folders: readonly string[];
  pages(): Iterable<PageText> | Promise<Iterable<PageText>>;
}

interface PageSources {
  /** Counts tokens. */
  readonly measure: Measure;
  /** File names of transcripts to link to. */
  readonly transcripts: readonly string[];
}

interface DerivedPages {
  readonly rows: readonly PageRow[];
  /** Paths of optional pages to link to: brief, arguments, claims, further files, report, top indexes of papers. */
  readonly links: readonly string[];
}

/** Returns the kinds of derived pages of a record. A row renders its pages when they are asked for. */
export async function derivedPages(
  model: RecordModel,
  { measure, transcripts }: PageSources,
): Promise<DerivedPages> {
  const { start, facts, recordedStart: { papers } } = model;
  const paperPages = papers === undefined ? undefined : await import("./paper_pages.ts");
  const report = paperPages?.reportFiles(start, facts, measure) ?? [];
  const indexes = (papers ?? []).flatMap((paper, at) =>
    paperPages?.hasPages(paper, measure) === true ? [paperIndexPath(at)] : []
  );
  const brief = newestBrief(model);
  const has = (type: Fact["type"]) => facts.some((fact) => fact.type === type);
  const [isChecked, isNoted] = [has("fact-check"), has("flow")];
  const links = [
    ...brief === undefined ? [] : [BRIEF],
    ...isNoted ? [ARGUMENTS] : [],
    ...isChecked ? [CLAIMS] : [],
    ...hasFiles(model) ? [FILES] : [],
    ...report.map(({ path }) => path).filter((path) => !path.includes("/")),
    ...indexes,
  ];
  const row = (
    after: PageChange,
    pages: PageRow["pages"],
    folders: PageRow["folders"] = [],
  ): PageRow => ({ after, pages, folders });
  const head = () => indexHead(model, [...links, ...transcripts], measure);
  const rows = [
    row("index", () => indexPages(model, head(), measure), [PAGE_FOLDERS.index]),
    row("result", () => [{ path: "summary.md", text: summaryPage(model, links) }]),
    ...model.hasScores
      ? [row("result", () => scoresPages(model, measure), [PAGE_FOLDERS.scores])]
      : [],
    ...isChecked ? [row("index", () => claimPages(model, measure), [PAGE_FOLDERS.claims])] : [],
    row("index", () => filePages(model, measure), [PAGE_FOLDERS.files]),
    ...papers === undefined ? [] : [row("result", () => report, [PAGE_FOLDERS.report])],
    ...brief === undefined
      ? []
      : [row("result", () => [{ path: BRIEF, text: briefPage(model, brief) }])],
    ...isNoted
      ? [row("result", () => argumentPages(model, measure), [PAGE_FOLDERS.arguments])]
      : [],
    ...papers === undefined || paperPages === undefined ? [] : [row(
      "start",
      // Rendered lazily, a page at a time, because papers are long.
      () => papers.values().flatMap((paper, at) => paperPages.paperPages(paper, at, measure)),
      papers.map((_paper, at) => paperFolder(at)),
    )],
  ];
  return { rows, links };
}

/** Renders `metadata.md`. */
export function renderMetadata(model: RecordModel): string {
  const { recordedStart: start, progress, layout, outcome, winner, usage, statistics } = model;
  const { facts, paperFindings, assessment } = model;
  const stated = statedPositions(start, facts);
  const data = writtenKeys({
    ...start,
    ...progress,
    ...assessment,
    ...paperFindings === undefined ? {} : paperResults(paperFindings),
    ...{ outcome, winner, usage, statistics },
    layout: layout === 1 ? undefined : layout,
    participants: start.participants.map((each) => {
      const from = stated.get(each.id);
      return { ...each, ...from, positionFrom: from?.seq };
    }),
    sources: start.sources.map(({ name }) => name),
    papers: start.papers?.map(({ id, title }, index) => ({ file: paperFile(index), id, title })),
  }, ALL_METADATA);
  return writeFrontMatter({ ...common("metadata"), ...data }, metadataBody(model));
}

function metadataBody(model: RecordModel): string {
  const { start, progress, statistics } = model;
  const waiting = waitingSentences(start, progress, markdownText)
    .map((sentence) => `\n${sentence}\n`);
  return `# ${markdownText(start.topic, 200)}

A ${markdownText(start.kind, 80)}, ${recordedStatus(model)}: ${
    counted(statistics.messages ?? 0, "message")
  }, ${
    counted(start.participants.length, "participant")
  }. The configuration, the participants and the numbers are in the
front matter above; what was said is listed in [index.md](index.md).
${waiting.join("")}`;
}

interface DerivedOptions {
  readonly model: RecordModel;
  /** Minimum delay before outdated files are written, in milliseconds. */
  readonly delay: number;
  writeMetadata(): Promise<void>;
  /** Updates the archive's indexes; `live` is true if more changes will follow. */
  updateArchive(live: boolean): Promise<void>;
}

/** Outdated files: pages, `metadata.md`, or, after the end of a convening, transcripts and the archive's indexes. */
type Stale = ReadonlySet<PageChange | "metadata" | "ended">;

/** A change that makes derived files outdated. */
type Change = ConveningEvent | { readonly type?: undefined; readonly result: boolean };

/** Pause after a refresh, as a multiple of its duration and delay: a busy process refreshes less often. */
const PAUSE = 20;
/** Maximum of that pause, in milliseconds: a process that was suspended had a long refresh or delay. */
const MOST_PAUSE = 60_000;

/** Refreshes derived files one refresh at a time; each covers all changes since the previous refresh. */
export class DerivedFiles {
  readonly #files: FileSystem;
  readonly #dir: string;
  readonly #options: DerivedOptions;
  #stale: Stale = new Set(["start"]);
  #timer: ReturnType<typeof setTimeout> | undefined;
  #running: Promise<void> | undefined;
  /** Duration of the last refresh plus the delay of its timer, in milliseconds. */
  #refreshTime = 0;
  #error: unknown;
  #hasUpdatedArchive = false;
  #stopped = false;

  constructor(files: FileSystem, dir: string, options: DerivedOptions) {
    this.#files = files;
    this.#dir = dir;
    this.#options = options;
  }

  /** Marks the files that a change makes outdated, and schedules a refresh. */
  change(change: Change): void {
    this.#stale = this.#stale.union(staleBy(change));
    // A change during a refresh is covered by the next refresh, which is scheduled with the full pause.
    if (this.#running === undefined && this.#stale.size > 0) this.#schedule();
  }

  #schedule(): void {
    if (this.#stopped || this.#timer !== undefined) return;
    const { delay } = this.#options;
    const pause = Math.max(delay, Math.min(this.#refreshTime * PAUSE, MOST_PAUSE));
    const due = steadyClock.now() + pause;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      // In a busy process the timer fires late.
      const late = Math.max(0, steadyClock.now() - due);
      this.#refreshOnce()
        .catch((error) => this.#error ??= error)
        .then(() => {
          this.#refreshTime += late;
          if (this.#stale.size > 0) this.#schedule();
        });
    }, pause);
  }

  #refreshOnce(): Promise<void> {
    const started = steadyClock.now();
    return this.#running ??= this.#refresh().finally(() => {
      this.#running = undefined;
      this.#refreshTime = steadyClock.now() - started;
    });
  }

  /** Returns and clears the error of a background refresh; undefined if there is none. */
  takeError(): unknown {
    const error = this.#error;
    this.#error = undefined;
    return error;
  }

  /** Waits for the current refresh. Files that are still outdated wait for {@linkcode flush} or the next change. */
  async waitForRefresh(): Promise<void> {
    await this.#running?.catch((error) => this.#error ??= error);
  }

  /** Writes all outdated files now. */
  async flush(): Promise<void> {
    await this.#running;
    this.#error = undefined;
    if (this.#stale.size > 0) await this.#refreshOnce();
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /** Stops background refreshes. */
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
      await this.#writeTranscripts(stale.has("result"));
      const { model } = this.#options;
      const { rows } = await derivedPages(model, {
        measure: await loadTokenCounter(),
        transcripts: await this.#transcripts(),
      });
      const due = rows.filter(({ after }) => stale.has(after));
      // Pages of papers come first, because other pages link to them.
      for (const isStart of [true, false]) {
        const now = due.filter(({ after }) => (after === "start") === isStart);
        await allDone(now.map((row) => this.#writePages(row)));
      }
      if (!this.#hasUpdatedArchive || ended) await this.#options.updateArchive(!ended);
      this.#hasUpdatedArchive = true;
      // Written last, so that every file that `metadata.md` names exists.
      if (stale.has("metadata")) await this.#options.writeMetadata();
    } catch (error) {
      this.#stale = this.#stale.union(stale);
      throw error;
    }
  }

  /** Writes missing transcripts that the configuration asks for; with `all` also those that exist, such as exported ones. */
  async #writeTranscripts(all: boolean): Promise<void> {
    const { transcripts, progress, outcome, winner } = this.#options.model;
    const existing = await this.#transcripts();
    const due = TRANSCRIPT_FORMATS.filter((each) =>
      existing.includes(transcriptFile(each)) ? all : transcripts.includes(each)
    );
    if (due.length === 0) return;
    const { renderTranscript } = await import("./transcript.tsx");
    const { readRecord } = await import("./read.ts");
    const contents = await readRecord(this.#files, this.#dir);
    const record = defined({ ...contents, ...progress, outcome, winner });
    for (const format of due) {
      await this.#put(transcriptFile(format), await renderTranscript(format, record));
    }
  }

  /** Writes the outdated pages of a row, and removes other files from the row's folders. */
  async #writePages({ folders, pages }: PageRow): Promise<void> {
    const used = new Set<string>();
    for (const { path, text } of await pages()) {
      used.add(path);
      const isThere = await readText(this.#files, join(this.#dir, path)) === text;
      if (!isThere) await this.#put(path, text);
    }
    for (const folder of folders) {
      for (const { name } of await this.#files.list(join(this.#dir, folder))) {
        if (!used.has(`${folder}/${name}`)) await this.#files.remove(join(this.#dir, folder, name));
      }
    }
  }

  /** Returns the transcript files in the directory; an empty list while the convening runs. */
  async #transcripts(): Promise<string[]> {
    const { status } = this.#options.model.progress;
    if (status === "running" || status === "waiting") return [];
    const names = (await this.#files.list(this.#dir)).map(({ name }) => name);
    return names.filter((name) => TRANSCRIPT_FORMATS.some((each) => name === transcriptFile(each)));
  }

  async #put(path: string, text: string): Promise<void> {
    const whole = join(this.#dir, path);
    if (path.includes("/")) await this.#files.makeFolder(dirname(whole));
    await writeDurably(this.#files, whole, text);
  }
}

/** Events without a fact that pages show. */
const SHOWN: ReadonlySet<string> = new Set([
  "convening-end",
  "convening-resume",
  "turn-wait",
  "turn-answer",
]);

/** Returns the files that a change makes outdated. */
function staleBy(change: Change): Stale {
  if (change.type === undefined) return new Set(change.result ? ["result", "index"] : ["index"]);
  const isShown = SHOWN.has(change.type) || factOf(change) !== undefined;
  return new Set([
    ...isShown ? ["result", "index"] as const : [],
    ...change.type === "round-end" ? ["metadata"] as const : [],
    ...change.type === "convening-end" ? ["metadata", "ended"] as const : [],
  ]);
}
