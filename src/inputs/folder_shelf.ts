// The shelf of an archive: stores papers posted to a server as files.
import { join } from "@std/path";
import { ConveningError, RecordError } from "../core/error.ts";
import { DEVICE, removeTemporaries, withLock, writeDurably } from "../core/files.ts";
import type { Paper } from "../core/paper.ts";
import { checkPaper, paperId } from "../papers/text/check_paper.ts";
import { filesBelow } from "../record/disk_files.ts";
import { renderPaper } from "../record/papers.ts";
import { AGAIN, withRecordErrors } from "../record/problems.ts";
import { MAX_FILE_BYTES, paperIn } from "./papers.ts";

/** A paper of the shelf, without its text. */
export interface ShelvedPaper extends Pick<Paper, "id" | "title"> {
  /** Length of the text in UTF-16 units. */
  readonly characters: number;
  /** Number of pages; absent for a text without pages. */
  readonly pages?: number | undefined;
}

/** Store of the papers posted to a server. */
export interface PaperShelf {
  list(): Promise<readonly ShelvedPaper[]>;
  /** Returns a paper with its text, by its id or the posted id. Rejects with `not_found`, which names `field`, "id" by default. */
  get(id: string, field?: string): Promise<Paper>;
  /** Stores a paper. Rejects with `taken` if the id is in use, and with `paper_unreadable`. */
  put(paper: Paper): Promise<ShelvedPaper>;
  /** Removes a paper. Rejects with `not_found`. */
  remove(id: string): Promise<void>;
}

const FOLDER = "papers";
const ENDING = ".md";
/** Lock file, held while the shelf changes. */
const LOCK = ".lock";

/** Returns the path of a paper's file for a configuration, without checking that the file exists. */
export function shelvedFile(out: string, id: string): string {
  return join(out, FOLDER, `${id}${ENDING}`);
}

export function shelved({ id, title, text, pages }: Paper): ShelvedPaper {
  const characters = text.length;
  return { id, title, characters, ...pages === undefined ? {} : { pages: pages.length } };
}

/**
 * Opens the shelf of the archive in `out`, an absolute path. Each paper is a markdown file in the folder `papers`, in the format of a
 * convening's papers; plain markdown files that a user put there count as papers too. Links and other names are ignored. The folder is
 * created with the first paper.
 */
export function folderShelf(out: string): PaperShelf {
  const files = filesBelow(out);
  const folder = join(out, FOLDER);
  const fileOf = (id: string) => shelvedFile(out, id);
  const change = changeQueue(out);
  const listed = listedPapers(out);
  const idOf = async (given: string, field?: string) => {
    const id = paperId(given);
    // All names without a usable character get the same id, so such a name finds no paper.
    if ((given === id || id !== paperId("")) && (await idsIn(out)).includes(id)) return id;
    throw missing(given, field);
  };
  return {
    list: async () => await listed(await idsIn(out)),
    get: async (given, field) => await readPaper(out, await idOf(given, field)),
    async put(paper) {
      const checked = checkPaper(paper);
      const { id } = checked;
      if (DEVICE.test(id)) throw taken(id, "Windows keeps the name for a device");
      return await change(async () => {
        // Some file systems ignore letter case.
        const names = (await files.list(folder)).map(({ name }) => name.toLowerCase());
        if (names.includes(`${id}${ENDING}`.toLowerCase())) throw taken(id);
        await writeDurably(files, fileOf(id), renderPaper(checked), { truth: true });
        return shelved(checked);
      });
    },
    async remove(given) {
      await idOf(given);
      await change(async () => {
        await files.remove(fileOf(await idOf(given)));
        await files.flushFolder(folder);
      });
    },
  };
}

/** Returns the ids of the files in the folder whose names a paper can have. */
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
    { field: name, hint: "Name the file after the id that it contains." },
  );
}

/** Returns a function that lists papers, with a cache by modification time and size of each file. */
function listedPapers(out: string): (ids: readonly string[]) => Promise<ShelvedPaper[]> {
  /** Papers by id, with the stamp of the file; undefined for an unreadable file. */
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
      // Omit an unreadable paper from the list; `get` reports its error.
      if (!(error instanceof ConveningError)) throw error;
    }
    known.set(id, [stamp, paper]);
    return paper;
  };
  return async (ids) => {
    for (const id of known.keys()) if (!ids.includes(id)) known.delete(id);
    // Read sequentially, so that only one paper is in memory.
    const papers = await Array.fromAsync(ids, (id) => listed(id));
    return papers.filter((paper) => paper !== undefined);
  };
}

/** Returns a function that runs changes of the shelf one at a time, over all processes. */
function changeQueue(out: string): <T>(change: () => Promise<T>) => Promise<T> {
  const files = filesBelow(out);
  const folder = join(out, FOLDER);
  /** Settles after all earlier changes. */
  let last: Promise<unknown> = Promise.resolve();
  return (change) => {
    const changed = last.then(() =>
      withRecordErrors(async () => {
        await files.makeFolder(folder);
        return await withLock(files, join(folder, LOCK), async () => {
          // Temporary files of processes that crashed.
          await removeTemporaries(files, folder);
          return await change();
        });
      }, AGAIN)
    );
    last = changed.catch(() => {});
    return changed;
  };
}

function missing(id: string, field = "id"): RecordError {
  return new RecordError("not_found", `Cannot find paper "${id.slice(0, 100)}"`, {
    field,
    hint: "GET /api/papers lists the papers.",
  });
}

function taken(id: string, state = "the id is taken"): ConveningError {
  return new ConveningError("taken", `Cannot keep paper "${id}": ${state}`, {
    field: "id",
    hint: "Give another id, or remove the paper that has it.",
  });
}
