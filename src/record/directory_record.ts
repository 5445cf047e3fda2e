// Records in directories, on disk and in any other file system: events become truth files, log lines and derived files.
import { join, resolve } from "@std/path";
import { z } from "zod";
import { checkFields, refuseUnknownOptions } from "../core/check_fields.ts";
import { type Clock, systemClock } from "../core/clock.ts";
import { type ConveningEvent, type ConveningStart, factOf } from "../core/event.ts";
import { defined } from "../core/values.ts";
import type { Fact, Status } from "../core/fact.ts";
import { ConfigurationError, RecordError } from "../core/error.ts";
import {
  allDone,
  FileError,
  type FileLock,
  type FileSystem,
  safeSources,
  writeDurably,
} from "../core/files.ts";
import { wellFormed } from "../core/text.ts";
import type { AnswerShelf, Inbox, OpenRecord, RecordStore, VectorShelf } from "../core/record.ts";
import { DirectoryAnswers, DirectoryInbox, DirectoryVectors, makeFolderIn } from "./shelves.ts";
import { archiveAt, entryOf, keepLesson } from "./archive.ts";
import { archivePlace } from "./archive_place.ts";
import { claimDirectory, type RecordHolder, reopenDirectory } from "./claim.ts";
import { filesBelow, recordFiles } from "./disk_files.ts";
import { describeHolder } from "./folder_lock.ts";
import { DerivedFiles, renderMetadata } from "./derived_files.ts";
import { factData, factPath, factSchema, misfitsOf, renderFact, rowOf } from "./codec.ts";
import { logLine, LogWriter } from "./log.ts";
import { AGAIN, asRecordError, withRecordErrors } from "./problems.ts";
import { type RecordContents, RecordModel } from "./record_model.ts";

/** Options of an open record. */
export interface RecordOptions {
  /** Delay before outdated derived files are written, in milliseconds; longer on a busy machine. @default 250 */
  readonly refreshDelay?: number | undefined;
  /** Returns the process that the lock file names. @default this process */
  readonly holder?: (() => RecordHolder) | undefined;
  /** Clock for the times in `metadata.md` and the lock file. @default the system clock */
  readonly clock?: Clock | undefined;
  /**
   * True to never replace a truth file: where another process has written the file, the record fails with `locked`. For
   * folders shared between machines, where locks can be lost. @default false
   */
  readonly exclusive?: boolean | undefined;
}

/** Keys of {@linkcode RecordOptions}, for {@linkcode refuseUnknownOptions}. */
export const RECORD_OPTIONS = { clock: true, exclusive: true, holder: true, refreshDelay: true };

type OpenOptions = RecordOptions & {
  /** Required for a new record; for an existing record only the kind is compared. */
  readonly start?: ConveningStart | undefined;
};

/** Location of a record: a new directory in the archive `out`, or the existing directory `dir`. */
export type FolderPlace =
  | {
    readonly out: string;
    readonly dir?: undefined;
    /** Path in the archive, with `/`; fails with `taken` if a convening is there. @default by day, start time and kind */
    readonly as?: string | undefined;
  }
  | {
    readonly dir: string;
    readonly out?: undefined;
    /** Configuration keys to replace; undefined removes a key. @default none */
    readonly changed?: Readonly<Record<string, unknown>> | undefined;
  };

/** Opens a record over any file system: claims a new directory, or locks and reads the existing directory `dir`. */
export function openRecord(
  files: FileSystem,
  place: FolderPlace,
  options: OpenOptions = {},
): Promise<DirectoryRecord> {
  const { start: given, holder = describeHolder, clock = systemClock } = options;
  return withRecordErrors(async () => {
    const holding = { holder: holder(), clock };
    if (place.dir !== undefined) {
      const { dir, changed = {} } = place;
      const { lock, contents } = await reopenDirectory(files, dir, {
        kind: given?.kind,
        ...holding,
      });
      const configuration = defined({ ...contents.start.configuration, ...changed });
      const model = RecordModel.of({ ...contents, start: { ...contents.start, configuration } });
      const isStale = Object.keys(changed).length === 0 && model.lost.length === 0;
      return new DirectoryRecord(files, { dir, lock, model, contents, isStale }, options);
    }
    if (given === undefined) throw new TypeError("Cannot open a new record: it needs a start");
    const start = wellFormed({ ...given, sources: safeSources(given.sources) });
    const model = new RecordModel(start, { status: "running", resumes: [] });
    const { out, as } = place;
    const metadata = renderMetadata(model);
    const claim = await claimDirectory(files, out, { start, as, metadata, ...holding });
    return new DirectoryRecord(files, { model, ...claim }, options);
  }, AGAIN);
}

interface Parts {
  readonly dir: string;
  readonly lock: FileLock;
  readonly model: RecordModel;
  /** Contents of an existing record. */
  readonly contents?: RecordContents;
  /** True if `metadata.md` may have the words of an earlier version, which the pages lose. @default false */
  readonly isStale?: boolean;
}

/** A convening's directory, written by this process alone. */
class DirectoryRecord implements OpenRecord {
  readonly dir: string;
  readonly start: ConveningStart;
  readonly resumed: boolean;
  readonly status: Status;
  readonly facts: readonly Fact[];
  readonly lastEvent: number;
  readonly lastTime: string;
  readonly inbox: Inbox;
  readonly answers: AnswerShelf;
  readonly vectors: VectorShelf;
  readonly #files: FileSystem;
  readonly #lock: FileLock;
  readonly #model: RecordModel;
  readonly #log: LogWriter;
  readonly #derived: DerivedFiles;
  readonly #delay: number;
  readonly #exclusive: boolean;
  readonly #folders = new Map<string, Promise<void>>();
  #metadata: Promise<void> = Promise.resolve();
  /** Last write of `metadata.md` for an event. Facts are written after it: their notes on requests must be on disk first. */
  #noteWrite: Promise<void> = Promise.resolve();
  /** Pending while the end is written: notes that arrive with the end are written after the end. */
  #ending: Promise<void> = Promise.resolve();
  /** True while `metadata.md` lacks facts that are on disk, or may have other words than the pages. */
  #isMetadataStale: boolean;
  /** True while the archive's indexes are up to date with the record. */
  #isArchiveCurrent = false;
  #logError: unknown;
  #logTimer: ReturnType<typeof setTimeout> | undefined;
  #closing: Promise<void> | undefined;

  constructor(files: FileSystem, parts: Parts, options: RecordOptions) {
    const { dir, lock, model, contents, isStale = false } = parts;
    this.dir = dir;
    this.start = model.recordedStart;
    this.resumed = contents !== undefined;
    this.status = model.progress.status;
    // A resume makes these facts again.
    this.facts = contents?.facts.filter((fact) => !model.isOrphaned(fact)) ?? [];
    this.lastEvent = contents?.lastEvent ?? 0;
    this.lastTime = [contents?.loggedAt ?? "", model.lastTime].toSorted()[1]!;
    this.inbox = new DirectoryInbox(files, dir);
    this.answers = new DirectoryAnswers(files, dir);
    this.vectors = new DirectoryVectors(files, dir);
    this.#files = files;
    this.#isMetadataStale = isStale;
    this.#lock = lock;
    this.#model = model;
    this.#log = new LogWriter(files, join(dir, "log.jsonl"));
    this.#delay = options.refreshDelay ?? 250;
    this.#exclusive = options.exclusive ?? false;
    this.#derived = new DerivedFiles(files, dir, {
      model,
      delay: this.#delay,
      writeMetadata: () => this.refreshMetadata(),
      updateArchive: (live) => this.#updateArchive(live),
    });
    this.#derived.change({ result: true });
  }

  async apply(given: ConveningEvent): Promise<void> {
    const event = wellFormed(given);
    const ends = event.type === "convening-end";
    const slot = this.#log.reserve();
    try {
      this.#throwPending();
      await (ends ? this.#end(event) : this.#applyTruth(event));
      slot.line = logLine(event);
    } catch (error) {
      slot.line = "";
      throw asRecordError(error);
    } finally {
      this.#logSoon(factOf(event) === undefined);
    }
    if (ends) await this.#flush();
    else this.#derived.change(event);
  }

  /** Records the end: derived files first, `metadata.md` last, so that a record marked as ended is complete. */
  async #end(event: ConveningEvent): Promise<void> {
    const ended = Promise.withResolvers<void>();
    const noted = this.#noteWrite.catch(() => {});
    this.#ending = ended.promise;
    try {
      await Promise.all([noted, this.#log.flush()]);
      await this.#derived.waitForRefresh();
      this.#model.applyEvent(event);
      this.#derived.change(event);
      await this.#derived.flush();
    } finally {
      ended.resolve();
    }
  }

  /** Appends to the log: immediately after a fact, else within the delay, because one line costs as much as many. */
  #logSoon(canWait: boolean): void {
    const flush = () => {
      clearTimeout(this.#logTimer);
      this.#logTimer = undefined;
      this.#log.flush().catch((error) => this.#logError ??= error);
    };
    if (!canWait || this.#closing !== undefined) flush();
    else this.#logTimer ??= setTimeout(flush, this.#delay);
  }

  async #applyTruth(event: ConveningEvent): Promise<void> {
    const fact = factOf(event);
    if (fact !== undefined) {
      await this.#noteWrite;
      await this.#writeFact(fact);
      this.#model.add(fact);
      this.#isMetadataStale = true;
    }
    if (event.type === "convening-resume") {
      // Facts about missing messages are made again with the messages.
      for (const path of this.#model.dropOrphans()) {
        await this.#files.remove(join(this.dir, path));
      }
    }
    // Lists show the question of a debate over papers while the debate runs.
    const asksQuestion = fact?.type === "message" && fact.kind === "question";
    if (this.#model.applyEvent(event) || asksQuestion) {
      await (this.#noteWrite = this.#ending.then(() => this.refreshMetadata()));
    }
    if (event.type !== "profile_learned") return;
    const { type: _type, n: _n, learnedAt: at, ...lesson } = event;
    const place = archivePlace(this.dir);
    if (place !== undefined) await keepLesson(this.#files, place.out, { ...lesson, at });
  }

  async #writeFact(fact: Fact): Promise<void> {
    const path = factPath(fact, this.#model);
    const data = factData(fact, this.#model);
    const schema = factSchema(rowOf(fact), this.#model.layout);
    const { states, hints } = misfitsOf(data, schema);
    if (states !== "") {
      const file = join(this.dir, path);
      throw new ConfigurationError(`Cannot write ${file}: ${states}`, { hint: hints.join("\n") });
    }
    await this.#makeFolder(path.slice(0, path.indexOf("/")));
    const text = renderFact(fact, this.#model, data);
    const exclusive = this.#exclusive;
    try {
      await writeDurably(this.#files, join(this.dir, path), text, { truth: true, exclusive });
    } catch (cause) {
      if (!exclusive || !(cause instanceof FileError) || cause.problem !== "exists") throw cause;
      throw new RecordError(
        "locked",
        `Cannot write ${cause.path}: another process has written it`,
        {
          field: this.dir,
          cause,
          hint:
            "The other process holds this convening by now; resume it once that process is done.",
        },
      );
    }
  }

  async #makeFolder(folder: string): Promise<void> {
    try {
      await this.#folders.getOrInsertComputed(
        folder,
        () => makeFolderIn(this.#files, this.dir, folder),
      );
    } catch (error) {
      this.#folders.delete(folder);
      throw error;
    }
  }

  /** Rewrites `metadata.md` from the truth files. */
  refreshMetadata(): Promise<void> {
    const write = async () => {
      this.#isMetadataStale = false;
      const path = join(this.dir, "metadata.md");
      await writeDurably(this.#files, path, renderMetadata(this.#model), { truth: true });
    };
    return this.#metadata = this.#metadata.catch(() => {}).then(write);
  }

  async #updateArchive(live: boolean): Promise<void> {
    const { out, day, name } = archivePlace(this.dir) ?? {};
    if (out === undefined || day === undefined || name === undefined) return;
    const { start, progress, outcome, winner, paperFindings, assessment } = this.#model;
    const question = paperFindings?.question;
    const strengthLevel = assessment.strength?.level;
    const more = defined({ outcome, question, strengthLevel });
    const entry = entryOf({ start, progress, winner, ...more });
    await archiveAt(this.#files, out).update({ day, name, entry, live });
    this.#isArchiveCurrent = !live;
  }

  #throwPending(): void {
    if (this.#closing !== undefined) {
      throw new TypeError(`Cannot write ${this.dir}: the record is closed`);
    }
    this.#isArchiveCurrent = false;
    const error = this.#logError ?? this.#derived.takeError();
    this.#logError = undefined;
    if (error !== undefined) throw error;
  }

  async #flush(): Promise<void> {
    // No write may be left when the lock is released.
    await withRecordErrors(() => allDone([this.#log.flush(), this.#derived.flush()]));
  }

  close(): Promise<void> {
    return this.#closing ??= this.#close();
  }

  async #close(): Promise<void> {
    try {
      this.#derived.change({ result: false });
      await this.#flush();
      if (this.#isMetadataStale) await this.refreshMetadata();
      if (!this.#isArchiveCurrent) await this.#updateArchive(false);
    } catch (error) {
      throw asRecordError(error);
    } finally {
      this.#derived.stop();
      clearTimeout(this.#logTimer);
      await this.#lock.release();
    }
  }
}

const PLACE = z.looseObject({ out: z.string().optional(), dir: z.string().optional() })
  .refine(
    ({ out, dir }) => (out ?? dir) !== undefined,
    "Give out, an archive, or dir, a convening.",
  );
const FUNCTIONS =
  "makeFolder write append truncate rename flushFolder remove read readFrom list stat lock isLocked"
    .split(" ");
/** Checks methods by access, because a proxy need not list its keys. */
const FILES = z.custom(
  (files) => FUNCTIONS.every((name) => typeof Object(files)[name] === "function"),
  `Give an object with the functions ${FUNCTIONS.join(", ")}.`,
);
const ON_DISK = z.object({ place: PLACE });
const IN_FILES = z.object({ files: FILES, place: PLACE });

/**
 * Returns a store whose record is a directory of markdown: a new directory in the archive `out`, or the existing directory
 * `dir`, which is locked and read. Relative paths are resolved against the working directory.
 */
export function folderRecord(place: FolderPlace, options: RecordOptions = {}): RecordStore {
  checkFields({ place }, ON_DISK, "arguments of folderRecord");
  refuseUnknownOptions<RecordOptions>("folderRecord", options, RECORD_OPTIONS);
  const absolute: FolderPlace = place.dir === undefined
    ? { ...place, out: resolve(place.out) }
    : { ...place, dir: resolve(place.dir) };
  const files = absolute.dir === undefined ? filesBelow(absolute.out) : recordFiles(absolute.dir);
  return fileRecord(files, absolute, options);
}

/**
 * Returns a store like that of {@linkcode folderRecord} over any file system, such as a network store: `files` implements
 * the operations, and the paths of `place` are absolute.
 *
 * @example
 * ```ts
 * import { fileRecord, type FileSystem } from "@convenings/convenings/protocol";
 *
 * const recordIn = (files: FileSystem) => fileRecord(files, { out: "/archive" });
 * console.assert(typeof recordIn === "function");
 * ```
 */
export function fileRecord(
  files: FileSystem,
  place: FolderPlace,
  options: RecordOptions = {},
): RecordStore {
  checkFields({ files, place }, IN_FILES, "arguments of fileRecord");
  refuseUnknownOptions<RecordOptions>("fileRecord", options, RECORD_OPTIONS);
  return { open: (start) => openRecord(files, place, { ...options, start }) };
}
