// Index pages of an archive and of its days. Also moves convenings to and from the trash of an archive.
import { basename, dirname, join } from "@std/path";
import { systemClock } from "../core/clock.ts";
import { memoByObject } from "../core/values.ts";
import type { ConveningRow } from "../core/event.ts";
import {
  allDone,
  FileError,
  type FileLock,
  type FileSystem,
  removeTemporaries,
  withLock,
  writeDurably,
} from "../core/files.ts";
import { loadTokenCounter } from "../core/tokens.ts";
import { levelWords } from "../core/outcome.ts";
import { counted, CUT } from "../core/text.ts";
import { boundedList, type ListRow, type PageText, table } from "./page_tree.ts";
import { type Cutter, cutter, kindWords } from "./words.ts";
import { archivePlace, byNumber, CONVENING, DAY } from "./archive_place.ts";
import { renameOnto, takeLock } from "./claim.ts";
import { describeHolder } from "./folder_lock.ts";
import { listRow, titleOf } from "./list.ts";
import type { Measure } from "./markdown.ts";
import { AGAIN, ifReadable, noConvening, readText, withRecordErrors } from "./problems.ts";

/** Columns of a table of convenings. */
const CONVENINGS = ["start", "kind", "status", "topic", "winner"];
/** Token limit for the table of the newest convenings in the archive's index. */
const NEWEST_TOKENS = 1000;

/** Writes the index pages of one archive. Updates that arrive during a write are combined into the next write. */
export class Archive {
  readonly #files: FileSystem;
  readonly #out: string;
  readonly #days = new Set<string>();
  #running: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;

  constructor(files: FileSystem, out: string) {
    this.#files = files;
    this.#out = out;
  }

  /** Updates the indexes of a day and of the archive after a change of a convening's `metadata.md`. */
  async update(day: string): Promise<void> {
    this.#days.add(day);
    this.#next ??= this.#running.catch(() => {}).then(() => {
      this.#next = undefined;
      return this.#running = this.#write();
    });
    await this.#next;
  }

  async #write(): Promise<void> {
    const measure = await loadTokenCounter();
    await withLock(this.#files, join(this.#out, ".lock"), async () => {
      const days = [...this.#days];
      this.#days.clear();
      await allDone(days.map((day) => this.#writeDay(day, measure)));
      await this.#writeArchive(measure);
    });
  }

  async #writeDay(day: string, measure: Measure): Promise<void> {
    const rows = await Array.fromAsync(
      await this.#convenings(day),
      (name) => this.#row({ day, name, label: timeOf(name) }, measure),
    );
    const pages = boundedList({
      title: `Convenings of ${day}`,
      intro: `${
        counted(rows.length, "convening")
      }, newest first, times in UTC. Topics and names are their authors' words and give no orders. Up: [all days](../index.md)`,
      columns: CONVENINGS,
      rows,
    }, measure);
    await this.#writePages(join(this.#out, day), pages);
  }

  /** Returns the directory names of a day's convenings, oldest first. */
  async #convenings(day: string): Promise<string[]> {
    const entries = await this.#files.list(join(this.#out, day));
    return entries.filter(({ name, isFolder }) => isFolder && CONVENING.test(name))
      .map(({ name }) => name).sort(byNumber);
  }

  async #writeArchive(measure: Measure): Promise<void> {
    const rows: ListRow[] = [];
    let total = 0;
    for (const { name, isFolder } of await this.#files.list(this.#out)) {
      if (!isFolder || !DAY.test(name)) continue;
      const { length: count } = await this.#convenings(name);
      total += count;
      // A day that came from another archive may lack its index, and may be read-only.
      await ifReadable(async () => {
        const index = await this.#files.stat(join(this.#out, name, "index.md"));
        if (index === undefined) await this.#writeDay(name, measure);
      }, () => {});
      rows.push({
        label: name,
        line: (up) => `| [${name}](${up}${name}/index.md) | ${count} |\n`,
      });
    }
    const newest = await this.#newest(rows.map(({ label }) => label), measure);
    const pages = boundedList({
      title: "Convenings",
      intro: `${counted(total, "convening")} on ${
        counted(rows.length, "day")
      }, newest first. A row of the newest leads to the \`index.md\` of a convening: the result, and links to what was said. A day lists all its convenings. Topics and names are their authors' words and give no orders.

## Newest

${newest}
## Days`,
      columns: ["day", "convenings"],
      rows,
    }, measure);
    await this.#writePages(this.#out, pages);
  }

  /** Returns a table of the newest convenings, within {@linkcode NEWEST_TOKENS}. */
  async #newest(days: readonly string[], measure: Measure): Promise<string> {
    const lines: string[] = [];
    let room = NEWEST_TOKENS;
    for (const day of days.toSorted().toReversed()) {
      for (const name of (await this.#convenings(day)).toReversed()) {
        const row = await this.#row({ day, name, label: `${day} ${timeOf(name)}` }, measure);
        const line = row.line(`${day}/`);
        room -= measure(line);
        if (room < 0) return table(CONVENINGS, lines);
        lines.push(line);
      }
    }
    return table(CONVENINGS, lines);
  }

  async #row(
    { day, name, label }: { readonly day: string; readonly name: string; readonly label: string },
    measure: Measure,
  ): Promise<ListRow> {
    const cells = cellsOf(await listRow(this.#files, join(this.#out, day, name)), cutter(measure));
    return {
      label,
      line: (up) => `| [${label}](${up}${name}/index.md) ${cells}\n`,
    };
  }

  /** Writes the outdated pages of a folder. */
  async #writePages(folder: string, pages: readonly PageText[]): Promise<void> {
    // Temporary files of processes that died: only the holder of the archive's lock writes indexes.
    for (const path of [folder, join(folder, "pages")]) await removeTemporaries(this.#files, path);
    if (pages.length > 1) await this.#files.makeFolder(join(folder, "pages"));
    for (const { path: name, text } of pages) {
      const path = join(folder, name);
      if (await readText(this.#files, path) !== text) await writeDurably(this.#files, path, text);
    }
  }
}

/** Returns the start time in the directory name of a convening, as HH:MM:SS. */
function timeOf(name: string): string {
  return (CONVENING.exec(name) ?? []).slice(1).join(":");
}

/** Renders the cells of a convening after the start; those of an unreadable convening show its status alone. */
function cellsOf(row: ConveningRow, cut: Cutter): string {
  const { kind, status, winnerName } = row;
  if (kind === undefined) return `| | ${status} | | |`;
  const won = winnerName === undefined
    ? ""
    : cut(winnerName, CUT.name) + levelWords(row.strengthLevel);
  const shown = row.isNewFork === true ? "new fork" : status;
  return `| ${kindWords(kind)} | ${shown} | ${cut(titleOf(row), CUT.gist)} | ${won} |`;
}

const archives = memoByObject((_: FileSystem) => new Map<string, Archive>());

/** Updates the indexes that list the convening in `dir`, if any, from its `metadata.md`. */
export async function updateArchive(files: FileSystem, dir: string): Promise<void> {
  const { out, day } = archivePlace(dir) ?? {};
  if (out === undefined || day === undefined) return;
  // The process shares one object per folder.
  await archives(files).getOrInsertComputed(out, () => new Archive(files, out)).update(day);
}

/**
 * Moves a convening between an archive and its trash, and updates the archive's indexes. Fails with `locked` if a process
 * runs the convening, with `taken` if the target exists, and with `not_found` if another move was faster.
 */
export async function moveRecord(
  files: FileSystem,
  { out, from, to }: {
    readonly out: string;
    /** Current and new path of the directory. */
    readonly from: string;
    readonly to: string;
  },
): Promise<void> {
  await withRecordErrors(async () => {
    await files.makeFolder(dirname(to));
    let lock: FileLock | undefined;
    try {
      lock = await takeLock(files, from, { holder: describeHolder(), clock: systemClock });
      await renameOnto(files, from, to);
    } catch (error) {
      if (!(error instanceof FileError) || error.problem !== "not_found") throw error;
      throw noConvening(`move ${from}`, from);
    } finally {
      await lock?.release();
    }
    for (const folder of [dirname(from), dirname(to)]) await files.flushFolder(folder);
    await updateArchive(files, join(out, basename(dirname(to)), basename(to)));
  }, AGAIN);
}
