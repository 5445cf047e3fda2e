// An archive: writes the index pages of its days and of the whole archive, keeps the lessons about models in `.models.json`,
// and sorts names.
import { join } from "@std/path";
import { compareTexts, jsonIn, listIn, memo, memoByObject, objectIn } from "../core/values.ts";
import { systemClock } from "../core/clock.ts";
import { LESSON_LIFE } from "../core/profile.ts";
import {
  allDone,
  type FileSystem,
  removeTemporaries,
  withLock,
  writeDurably,
} from "../core/files.ts";
import { loadTokenCounter } from "../core/tokens.ts";
import { levelWords, type Outcome, type StrengthLevel } from "../core/outcome.ts";
import { counted, CUT } from "../core/text.ts";
import { boundedList, type ListRow, type PageText, table } from "./page_tree.ts";
import { cutter, kindWords } from "./words.ts";
import { schemaOf } from "./fact_row.ts";
import { isNewFork, LEARNED, type LearnedKey, type Metadata, withLesson } from "./metadata_file.ts";
import { CONVENING, DAY } from "./archive_place.ts";
import type { Measure } from "./frontmatter.ts";
import { ifReadable } from "./problems.ts";
import type { RecordContents } from "./record_model.ts";

/** Columns of a table of convenings. */
const CONVENINGS = ["start", "kind", "status", "topic", "winner"];
/** Token limit for the table of the newest convenings in the archive's index. */
const NEWEST_TOKENS = 1000;

/** A convening as shown in the index of its day. */
interface ArchiveEntry {
  readonly kind: string;
  /** Topic, or the question of a debate over papers, once it is known. */
  readonly topic: string;
  readonly status: string;
  readonly outcome?: Outcome | undefined;
  readonly winner?: string | undefined;
  readonly strengthLevel?: StrengthLevel | undefined;
}

/** Returns the index entry of a convening from its metadata. */
export function entryOf(
  { start, progress, outcome, winner, strengthLevel, question }: Pick<
    Metadata,
    "start" | "progress" | "outcome" | "winner" | "strengthLevel" | "question"
  >,
): ArchiveEntry {
  const status = isNewFork(start, progress) ? "new fork" : progress.status;
  const name = start.participants.find(({ id }) => id === winner)?.name;
  const topic = question ?? start.topic;
  return { kind: start.kind, topic, status, outcome, winner: name, strengthLevel };
}

interface CachedEntry {
  entry: ArchiveEntry | undefined;
  /** Modification time and size of the file; undefined while the process that holds the convening supplies the entry. */
  stamp: string | undefined;
}

/** Writes the index pages of one archive. Updates that arrive during a write are combined into the next write. */
export class Archive {
  readonly #files: FileSystem;
  readonly #out: string;
  readonly #entries = new Map<string, CachedEntry>();
  readonly #dayCounts = new Map<string, { stamp: string; count: number }>();
  readonly #written = new Map<string, string>();
  readonly #days = new Set<string>();
  /** Folders without temporary files of processes that died. */
  readonly #cleared = new Set<string>();
  #running: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;

  constructor(files: FileSystem, out: string) {
    this.#files = files;
    this.#out = out;
  }

  /** Updates the indexes of the convening's day and of the archive. */
  async update({ day, name, entry, live }: {
    readonly day: string;
    /** Name of the convening's directory. */
    readonly name: string;
    /** Entry that the caller has written to disk; the file is not read again while the caller holds the convening. */
    readonly entry: ArchiveEntry;
    /** True while the caller holds the lock of the convening. */
    readonly live: boolean;
  }): Promise<void> {
    const dir = join(this.#out, day, name);
    const stamp = live ? undefined : await this.#stamp(join(dir, "metadata.md"));
    this.#entries.set(dir, { entry, stamp });
    await this.#update(day);
  }

  /** Updates the indexes after a convening's directory was added or removed. */
  async refresh(day: string, name: string): Promise<void> {
    this.#entries.delete(join(this.#out, day, name));
    await this.#update(day);
  }

  async #update(day: string): Promise<void> {
    this.#days.add(day);
    this.#next ??= this.#running.catch(() => {}).then(() => {
      this.#next = undefined;
      return this.#running = this.#write();
    });
    await this.#next;
  }

  async #stamp(path: string): Promise<string> {
    const info = await this.#files.stat(path);
    return info === undefined ? "" : `${info.modified} ${info.size}`;
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
      await conveningsOf(this.#files, this.#out, day),
      async (name) => {
        const entry = await this.#entry(join(this.#out, day, name));
        return conveningRow({ name, label: timeOf(name) }, entry, measure);
      },
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

  async #entry(dir: string): Promise<ArchiveEntry | undefined> {
    const cached = this.#entries.get(dir);
    if (cached !== undefined && cached.stamp === undefined) return cached.entry;
    const stamp = await ifReadable(() => this.#stamp(join(dir, "metadata.md")), () => "");
    const entry = cached?.stamp === stamp ? cached.entry : await this.#readEntry(dir);
    this.#entries.set(dir, { entry, stamp });
    return entry && { ...entry, status: await heldStatus(this.#files, dir, entry.status) };
  }

  #readEntry(dir: string): Promise<ArchiveEntry | undefined> {
    return ifReadable(async () => {
      const { readMetadata } = await import("./read.ts");
      return entryOf(await readMetadata(this.#files, dir));
    }, () => undefined);
  }

  async #writeArchive(measure: Measure): Promise<void> {
    const rows: ListRow[] = [];
    let total = 0;
    for (const { name, isFolder } of await this.#files.list(this.#out)) {
      if (!isFolder || !DAY.test(name)) continue;
      const count = await this.#count(name, measure);
      total += count;
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
      for (const name of (await conveningsOf(this.#files, this.#out, day)).toReversed()) {
        const entry = await this.#entry(join(this.#out, day, name));
        const label = `${day} ${timeOf(name)}`;
        const line = conveningRow({ name, label }, entry, measure).line(`${day}/`);
        room -= measure(line);
        if (room < 0) return table(CONVENINGS, lines);
        lines.push(line);
      }
    }
    return table(CONVENINGS, lines);
  }

  async #count(day: string, measure: Measure): Promise<number> {
    const info = await this.#files.stat(join(this.#out, day));
    const stamp = `${info?.modified}`;
    const cached = this.#dayCounts.get(day);
    if (cached?.stamp === stamp && stamp !== "0") return cached.count;
    const count = (await conveningsOf(this.#files, this.#out, day)).length;
    // A day that came from another archive may lack its index, to which the archive's leads, and may be read-only.
    await ifReadable(async () => {
      const stamp = await this.#stamp(join(this.#out, day, "index.md"));
      if (stamp === "") await this.#writeDay(day, measure);
    }, () => {});
    this.#dayCounts.set(day, { stamp, count });
    return count;
  }

  /** Writes the pages that this object has not already written; always an `index.md`, which other processes write too. */
  async #writePages(folder: string, pages: readonly PageText[]): Promise<void> {
    // Temporary files of processes that died: only the holder of the archive's lock writes indexes.
    if (!this.#cleared.has(folder)) {
      for (const path of [folder, join(folder, "pages")]) {
        await removeTemporaries(this.#files, path);
      }
    }
    this.#cleared.add(folder);
    if (pages.length > 1) await this.#files.makeFolder(join(folder, "pages"));
    for (const { path: name, text } of pages) {
      const path = join(folder, name);
      const isIndex = name === "index.md";
      if (!isIndex && this.#written.get(path) === text) continue;
      await writeDurably(this.#files, path, text);
      if (!isIndex) this.#written.set(path, text);
    }
  }
}

/** Returns true if a process holds the lock of a convening, or if the lock cannot be checked. */
export function isHeld(files: FileSystem, dir: string): Promise<boolean> {
  return ifReadable(() => files.isLocked(join(dir, ".lock")), () => true);
}

/** Returns a status as it is shown: `interrupted` instead of `running` if no process holds the lock of the convening. */
export async function heldStatus<S extends string>(
  files: FileSystem,
  dir: string,
  status: S,
): Promise<S | "interrupted"> {
  return status === "running" && !await isHeld(files, dir) ? "interrupted" : status;
}

/** Returns the words for the current status of a convening; those of a fork that was never resumed are its own. */
export async function statusWords(
  files: FileSystem,
  { dir, start, ...progress }: Pick<RecordContents, "dir" | "start" | "status" | "resumes">,
): Promise<string> {
  const status = await heldStatus(files, dir, progress.status);
  return status === "interrupted" && isNewFork(start, progress) ? "new fork" : status;
}

/** Returns the start time in the directory name of a convening, as HH:MM:SS. */
function timeOf(name: string): string {
  return (CONVENING.exec(name) ?? []).slice(1).join(":");
}

function conveningRow(
  { name, label }: { readonly name: string; readonly label: string },
  entry: ArchiveEntry | undefined,
  measure: Measure,
): ListRow {
  const cells = entry === undefined ? "| | unreadable | | |" : entryCells(entry, measure);
  return { label, line: (up) => `| [${label}](${up}${name}/index.md) ${cells}\n` };
}

function entryCells(
  { kind, topic, status, outcome, winner, strengthLevel }: ArchiveEntry,
  measure: Measure,
): string {
  const cut = cutter(measure);
  const open = outcome === "undecided" ? outcome : "";
  const won = winner === undefined ? open : cut(winner, CUT.name) + levelWords(strengthLevel);
  return `| ${kindWords(kind)} | ${status} | ${cut(topic, CUT.gist)} | ${won} |`;
}

const archives = memoByObject((_: FileSystem) => new Map<string, Archive>());

/** Returns the archive in a folder; the process shares one object per folder. */
export function archiveAt(files: FileSystem, out: string): Archive {
  return archives(files).getOrInsertComputed(out, () => new Archive(files, out));
}

/** Maximum lessons in the file; the oldest are dropped. */
const MOST_LESSONS = 1000;
const MOST_BYTES = 4_000_000;

/** Maximum characters of a lesson; a longer one is dropped. */
const MOST_CHARACTERS = 10_000;

const lessonShape = memo(() => schemaOf(LEARNED, "field"));

/** Reads the lessons of the archive `out`, except those with a future time; none if the file is missing, a link, or malformed. */
export async function readLessons(files: FileSystem, out: string): Promise<LearnedKey[]> {
  const path = join(out, ".models.json");
  try {
    const { bytes } = await files.readFrom(path, 0, MOST_BYTES);
    const { version, lessons } = objectIn(jsonIn(new TextDecoder().decode(bytes)));
    return listIn(version === 1 && lessons).flatMap((each) => {
      if (JSON.stringify(each).length > MOST_CHARACTERS) return [];
      const lesson = lessonShape().safeParse(each).data as LearnedKey | undefined;
      return lesson === undefined || Date.parse(lesson.at) > systemClock.now() ? [] : [lesson];
    });
  } catch {
    // A convening works without lessons: the server's response teaches them again.
    return [];
  }
}

/**
 * Adds a lesson to the archive in `out`, and replaces an earlier lesson of the same model and key. A known lesson keeps its
 * time; lessons over a week old are dropped. Failing to write the file is not an error, because `metadata.md` also has the
 * lesson.
 */
export async function keepLesson(
  files: FileSystem,
  out: string,
  lesson: LearnedKey,
): Promise<void> {
  const now = Date.parse(lesson.at);
  await changeLessons(files, out, (known) => {
    const current = known.filter(({ at }) => now - Date.parse(at) < LESSON_LIFE);
    return withLesson(current, lesson)?.slice(-MOST_LESSONS);
    // The next convening learns the lesson again.
  }).catch(() => {});
}

/** Replaces the lessons of the archive in `out` by the result of `change`, unless that is undefined. */
function changeLessons(
  files: FileSystem,
  out: string,
  change: (lessons: LearnedKey[]) => LearnedKey[] | undefined,
): Promise<void> {
  return withLock(files, join(out, ".lock"), async () => {
    const lessons = change(await readLessons(files, out));
    if (lessons === undefined) return;
    const json = `${JSON.stringify({ version: 1, lessons }, null, 2)}\n`;
    await writeDurably(files, join(out, ".models.json"), json);
  });
}

/** Removes the lessons of the archive in `out`: those of a model at a server, or all. */
export async function removeLessons(
  files: FileSystem,
  out: string,
  of?: Pick<LearnedKey, "origin" | "model">,
): Promise<void> {
  if (of === undefined) return await files.remove(join(out, ".models.json"));
  const isOther = ({ origin, model }: LearnedKey) => origin !== of.origin || model !== of.model;
  if ((await readLessons(files, out)).every(isOther)) return;
  await changeLessons(files, out, (lessons) => lessons.filter(isOther));
}

/** Returns the directory names of a day's convenings, oldest first. */
async function conveningsOf(files: FileSystem, out: string, day: string): Promise<string[]> {
  const entries = await files.list(join(out, day));
  return entries.filter(({ name, isFolder }) => isFolder && CONVENING.test(name))
    .map(({ name }) => name).sort(byNumber);
}

/** Yields the directories of an archive's convenings whose names begin with `prefix`, newest first. */
export async function* newestDirs(
  files: FileSystem,
  out: string,
  prefix = "",
): AsyncGenerator<string> {
  const days = (await files.list(out)).filter(({ name, isFolder }) =>
    isFolder && DAY.test(name) && name.startsWith(prefix.slice(0, 10))
  ).map(({ name }) => name).sort().reverse();
  for (const day of days) {
    for (const name of (await conveningsOf(files, out, day)).reverse()) {
      if (name.startsWith(prefix)) yield join(out, day, name);
    }
  }
}

/** Compares names by letters, without case, and numbers by value: `a-2` is before `A-10`. Creating a collator takes 20 ms. */
export function byNumber(a: string, b: string): number {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  // Only the rest from the first difference, or from the number around it, decides.
  while (/\d/.test(a[at - 1] ?? "")) at--;
  return compareTexts(numbered(a.slice(at)), numbered(b.slice(at)));
}

/** Pads numbers and replaces `_`, so that comparing code units gives a collator's order, except of letters with accents. */
function numbered(name: string): string {
  return name.toLowerCase().replaceAll("_", "!").replace(/\d+/g, (each) => each.padStart(64, "0"));
}
