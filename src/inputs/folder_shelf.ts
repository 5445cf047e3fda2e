// The shelf of papers of an archive: papers that were posted to a server, kept as files.
import { join } from "@std/path";
import { ConveningError, RecordError } from "../core/error.ts";
import { FileError, isTemporary, writeDurably } from "../core/files.ts";
import type { Paper } from "../core/paper.ts";
import { checkPaper, paperId } from "../papers/text/check_paper.ts";
import { filesBelow } from "../record/disk_files.ts";
import { renderPaper } from "../record/papers.ts";
import { MAX_FILE_BYTES, paperIn } from "./papers.ts";

/** A paper of the shelf, without its text. */
export interface ShelvedPaper extends Pick<Paper, "id" | "title"> {
  /** In UTF-16 units. */
  readonly characters: number;
  /** Absent where it has none. */
  readonly pages?: number | undefined;
}

/** The papers that were posted to a server, kept as files. */
export interface PaperShelf {
  list(): Promise<readonly ShelvedPaper[]>;
  /** One with its text. Fails with `not_found`. */
  get(id: string): Promise<Paper>;
  /** Keeps one. Fails with `taken` where its id is, and with `paper_unreadable`. */
  put(paper: Paper): Promise<ShelvedPaper>;
  /** Lets one go. Fails with `not_found`. */
  remove(id: string): Promise<void>;
}

/** The folder of an archive that papers are kept in. */
const FOLDER = "papers";
const ENDING = ".md";
/** Held by whoever changes what is on the shelf. */
const LOCK = ".lock";

/** The file of a paper of an archive's shelf, as a configuration names it; `get` says whether there is one. */
export function shelvedFile(out: string, id: string): string {
  return join(out, FOLDER, `${id}${ENDING}`);
}

export function shelved({ id, title, text, pages }: Paper): ShelvedPaper {
  const characters = text.length;
  return { id, title, characters, ...pages === undefined ? {} : { pages: pages.length } };
}

/**
 * The papers in the folder `papers` of the archive in `out`, an absolute path: a file of markdown each, in the form in
 * which a convening keeps its papers. A file of plain markdown that somebody put there is a paper, too; links and other
 * names are left alone. The folder is made when there is something to keep.
 */
export function folderShelf(out: string): PaperShelf {
  const files = filesBelow(out);
  const folder = join(out, FOLDER);
  const fileOf = (id: string) => shelvedFile(out, id);
  const change = changesOf(out);
  const listed = listedPapers(out);
  const checkThere = async (id: string) => {
    if (paperId(id) !== id || !(await idsIn(out)).includes(id)) throw missing(id);
  };
  return {
    list: async () => await listed(await idsIn(out)),
    async get(id) {
      await checkThere(id);
      return await readPaper(out, id);
    },
    async put(paper) {
      const checked = checkPaper(paper);
      const { id } = checked;
      return await change(`keep paper "${id}"`, async () => {
        // Some disks do not tell the cases of letters apart.
        const names = (await files.list(folder)).map(({ name }) => name.toLowerCase());
        if (names.includes(`${id}${ENDING}`.toLowerCase())) throw taken(id);
        await writeDurably(files, fileOf(id), renderPaper(checked), { truth: true });
        return shelved(checked);
      });
    },
    async remove(id) {
      await checkThere(id);
      await change(`remove paper "${id}"`, async () => {
        await checkThere(id);
        await files.remove(fileOf(id));
        await files.flushFolder(folder);
      });
    },
  };
}

/** The ids of what lies in the folder under a name that a paper can have. */
async function idsIn(out: string): Promise<readonly string[]> {
  const entries = await filesBelow(out).list(join(out, FOLDER));
  return entries.flatMap(({ name, isFolder }) => {
    const id = name.slice(0, -ENDING.length);
    const isPaper = !isFolder && name.endsWith(ENDING) && paperId(id) === id;
    return isPaper ? [id] : [];
  });
}

async function readPaper(out: string, id: string): Promise<Paper> {
  const name = `${FOLDER}/${id}${ENDING}`;
  const { bytes } = await filesBelow(out).readFrom(shelvedFile(out, id), 0, MAX_FILE_BYTES);
  const paper = await paperIn(bytes, { name });
  if (paper.id === id) return paper;
  throw new RecordError(
    "record_corrupt",
    `Cannot read paper "${id}": its file says that it is "${paper.id}"`,
    { field: name, hint: "Name the file after the id that is in it." },
  );
}

/** Lists papers; a file that is as it was is not read again. */
function listedPapers(out: string): (ids: readonly string[]) => Promise<ShelvedPaper[]> {
  /** Papers by id, with the state of the file they were read from; undefined of a file that cannot be read. */
  const known = new Map<string, readonly [stamp: string, paper: ShelvedPaper | undefined]>();
  const listed = async (id: string): Promise<ShelvedPaper | undefined> => {
    let stamp = "";
    let paper: ShelvedPaper | undefined;
    try {
      const info = await filesBelow(out).stat(shelvedFile(out, id));
      if (info === undefined) return undefined;
      stamp = `${info.modified} ${info.size}`;
      const [before, same] = known.get(id) ?? [];
      if (before === stamp) return same;
      paper = shelved(await readPaper(out, id));
    } catch (error) {
      // Whoever asks for it is told what is wrong with it; the others are listed all the same.
      if (!(error instanceof ConveningError)) throw error;
    }
    known.set(id, [stamp, paper]);
    return paper;
  };
  return async (ids) => {
    for (const id of known.keys()) if (!ids.includes(id)) known.delete(id);
    const papers: ShelvedPaper[] = [];
    // One after the other, so that the memory is that of the largest.
    for (const id of ids) {
      const paper = await listed(id);
      if (paper !== undefined) papers.push(paper);
    }
    return papers;
  };
}

/** Does changes while nobody else does one, in this process or in another. */
function changesOf(out: string): <T>(what: string, change: () => Promise<T>) => Promise<T> {
  const files = filesBelow(out);
  const folder = join(out, FOLDER);
  /** Ends when those before have changed the shelf. */
  let last: Promise<void> = Promise.resolve();
  return async (what, change) => {
    const before = last;
    const { promise, resolve } = Promise.withResolvers<void>();
    last = promise;
    await before;
    try {
      await files.makeFolder(folder);
      const { lock } = await files.lock(join(folder, LOCK), { wait: true });
      try {
        // Files that a process was writing when it died.
        const left = (await files.list(folder)).filter(({ name }) => isTemporary(name));
        for (const { name } of left) await files.remove(join(folder, name));
        return await change();
      } finally {
        await lock?.release();
      }
    } catch (error) {
      throw error instanceof FileError ? unwritable(what, error) : error;
    } finally {
      resolve();
    }
  };
}

const STATES: Readonly<Record<FileError["problem"], string>> = {
  ["not_found"]: "its folder is gone",
  exists: "something is in its place",
  denied: "writing to the folder of papers is not permitted",
  full: "the disk is full",
  ["not_a_folder"]: "a file is in the place of the folder of papers",
  other: "the folder of papers cannot be written to",
};

function unwritable(what: string, cause: FileError): RecordError {
  return new RecordError("record_unwritable", `Cannot ${what}: ${STATES[cause.problem]}`, {
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
