// The shelf of papers of an archive: papers that were posted to a server, kept as files.
import { join } from "@std/path";
import { ConveningError, RecordError } from "../core/error.ts";
import { FileError, isTemporary, writeDurably } from "../core/files.ts";
import { checkPaper, paperId } from "../papers/text/check_paper.ts";
import type { Paper } from "../core/paper.ts";
import { renderPaper } from "../record/papers.ts";
import { type DenoFileSystem, filesBelow } from "../record/disk_files.ts";
import { MAX_FILE_BYTES, paperIn } from "./papers.ts";

/** The folder of an archive that papers are kept in. */
const FOLDER = "papers";
const ENDING = ".md";
/** Held by whoever changes what is on the shelf. */
const LOCK = ".lock";

/** The file of a paper of an archive's shelf, as a configuration names it; `get` says whether there is one. */
export function shelvedFile(out: string, id: string): string {
  return join(out, FOLDER, `${id}${ENDING}`);
}

/** A paper as lists show it. */
export function shelved({ id, title, text, pages }: Paper): ShelvedPaper {
  const characters = text.length;
  return { id, title, characters, ...pages === undefined ? {} : { pages: pages.length } };
}

/** A paper of the list, and the file it was read from as it was then. */
interface Known {
  readonly stamp: string;
  /** Undefined of a file that cannot be read. */
  readonly paper: ShelvedPaper | undefined;
}

/**
 * The papers in the folder `papers` of the archive in `out`, an absolute path: a file of markdown each, in the form in
 * which a convening keeps its papers. A file of plain markdown that somebody put there is a paper, too; links and other
 * names are left alone. The folder is made when there is something to keep.
 */
export function folderShelf(out: string): PaperShelf {
  return new FolderShelf(out);
}

class FolderShelf implements PaperShelf {
  readonly #out: string;
  readonly #folder: string;
  readonly #files: DenoFileSystem;
  readonly #known = new Map<string, Known>();
  /** Ends when those before have changed the shelf. */
  #before: Promise<void> = Promise.resolve();

  constructor(out: string) {
    this.#out = out;
    this.#folder = join(out, FOLDER);
    this.#files = filesBelow(out);
  }

  async list(): Promise<readonly ShelvedPaper[]> {
    const ids = await this.#ids();
    for (const id of this.#known.keys()) if (!ids.includes(id)) this.#known.delete(id);
    const papers: ShelvedPaper[] = [];
    // One after the other, so that the memory is that of the largest.
    for (const id of ids) {
      const paper = await this.#listed(id);
      if (paper !== undefined) papers.push(paper);
    }
    return papers;
  }

  async get(id: string): Promise<Paper> {
    if (paperId(id) !== id || !(await this.#ids()).includes(id)) throw missing(id);
    return await this.#read(id);
  }

  async put(paper: Paper): Promise<ShelvedPaper> {
    const checked = checkPaper(paper);
    const { id } = checked;
    return await this.#changing(`keep paper "${id}"`, async () => {
      // Some disks do not tell the cases of letters apart.
      const names = (await this.#files.list(this.#folder)).map(({ name }) => name.toLowerCase());
      if (names.includes(`${id}${ENDING}`.toLowerCase())) throw taken(id);
      const text = renderPaper(checked);
      await writeDurably(this.#files, shelvedFile(this.#out, id), text, { truth: true });
      return shelved(checked);
    });
  }

  async remove(id: string): Promise<void> {
    if (paperId(id) !== id || !(await this.#ids()).includes(id)) throw missing(id);
    await this.#changing(`remove paper "${id}"`, async () => {
      if (!(await this.#ids()).includes(id)) throw missing(id);
      await this.#files.remove(shelvedFile(this.#out, id));
      await this.#files.flushFolder(this.#folder);
    });
  }

  /** The ids of what lies in the folder under a name that a paper can have. */
  async #ids(): Promise<string[]> {
    const entries = await this.#files.list(this.#folder);
    return entries.flatMap(({ name, isFolder }) => {
      const id = name.slice(0, -ENDING.length);
      const isPaper = !isFolder && name.endsWith(ENDING) && paperId(id) === id;
      return isPaper ? [id] : [];
    });
  }

  async #read(id: string): Promise<Paper> {
    const { bytes } = await this.#files.readFrom(shelvedFile(this.#out, id), 0, MAX_FILE_BYTES);
    const paper = await paperIn(bytes, { name: `${FOLDER}/${id}${ENDING}` });
    if (paper.id === id) return paper;
    throw new RecordError(
      "record_corrupt",
      `Cannot read paper "${id}": its file says that it is "${paper.id}"`,
      { field: `${FOLDER}/${id}${ENDING}`, hint: "Name the file after the id that is in it." },
    );
  }

  async #listed(id: string): Promise<ShelvedPaper | undefined> {
    let stamp = "";
    let paper: ShelvedPaper | undefined;
    try {
      const info = await this.#files.stat(shelvedFile(this.#out, id));
      if (info === undefined) return undefined;
      stamp = `${info.modified} ${info.size}`;
      const known = this.#known.get(id);
      if (known?.stamp === stamp) return known.paper;
      paper = shelved(await this.#read(id));
    } catch (error) {
      // Whoever asks for it is told what is wrong with it; the others are listed all the same.
      if (!(error instanceof ConveningError)) throw error;
    }
    this.#known.set(id, { stamp, paper });
    return paper;
  }

  /** Does a change while nobody else does one, in this process or in another. */
  async #changing<T>(what: string, change: () => Promise<T>): Promise<T> {
    const before = this.#before;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#before = promise;
    await before;
    try {
      await this.#files.makeFolder(this.#folder);
      const { lock } = await this.#files.lock(join(this.#folder, LOCK), { wait: true });
      try {
        await this.#clear();
        return await change();
      } finally {
        await lock?.release();
      }
    } catch (error) {
      throw error instanceof FileError ? unwritable(what, STATES[error.problem], error) : error;
    } finally {
      resolve();
    }
  }

  /** Removes what was being written when a process died. */
  async #clear(): Promise<void> {
    for (const { name } of await this.#files.list(this.#folder)) {
      if (isTemporary(name)) await this.#files.remove(join(this.#folder, name));
    }
  }
}

const STATES: Readonly<Record<FileError["problem"], string>> = {
  ["not_found"]: "its folder is gone",
  exists: "something is in its place",
  denied: "writing to the folder of papers is not permitted",
  full: "the disk is full",
  ["not_a_folder"]: "a file is in the place of the folder of papers",
  other: "the folder of papers cannot be written to",
};

function unwritable(what: string, state: string, cause?: unknown): RecordError {
  return new RecordError("record_unwritable", `Cannot ${what}: ${state}`, {
    field: FOLDER,
    hint: "Whoever runs the server has to make room for it.",
    cause,
  });
}

function missing(id: string): RecordError {
  return new RecordError("not_found", `Cannot find paper "${id.slice(0, 100)}"`, {
    field: "id",
    hint: "GET /api/papers lists what there is.",
  });
}

function taken(id: string): ConveningError {
  return new ConveningError("taken", `Cannot keep paper "${id}": there is one of that id`, {
    field: "id",
    hint: "Give another id, or remove the one there is.",
  });
}

/** A paper of the shelf, without its text. */
export interface ShelvedPaper extends Pick<Paper, "id" | "title"> {
  /** In UTF-16 units. */
  readonly characters: number;
  /** Absent where it has none. */
  readonly pages?: number | undefined;
}

/** The papers that were posted to a server, kept as files. */
export interface PaperShelf {
  /** All, by id. */
  list(): Promise<readonly ShelvedPaper[]>;
  /** One with its text. Fails with `not_found`. */
  get(id: string): Promise<Paper>;
  /** Keeps one. Fails with `taken` where its id is, and with `paper_unreadable`. */
  put(paper: Paper): Promise<ShelvedPaper>;
  /** Lets one go. Fails with `not_found`. */
  remove(id: string): Promise<void>;
}
