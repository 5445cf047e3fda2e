import { join } from "@std/path";
import { RecordError } from "../core/error.ts";
import type { FileSystem } from "../core/files.ts";
import { INBOX } from "./inbox.ts";
import { ALL_FACT_FILES } from "./files/registry.ts";
import { PAPER_FOLDER, PAPER_NAME } from "./files/paper_file.ts";

/** What a record is read from and written to, in its directory. */
const PARTS: ReadonlySet<string> = new Set([
  "metadata.md",
  "log.jsonl",
  "sources",
  "pages",
  ".lock",
  INBOX,
  ...ALL_FACT_FILES.map(({ folder }) => folder),
]);

/** The name of a part of a convening's record that is a symbolic link; undefined where none is. */
export async function linkedPart(files: FileSystem, dir: string): Promise<string | undefined> {
  return (await files.list(dir)).find(({ name, isLink }) => isLink === true && isPart(name))?.name;
}

function isPart(name: string): boolean {
  return PARTS.has(name) || PAPER_NAME.test(name) || PAPER_FOLDER.test(name);
}

/**
 * Refuses a convening of which a part is a symbolic link: reading it would show, and writing it would change, what lies
 * elsewhere. Fails with `record_corrupt`, naming the part.
 */
export async function checkUnlinked(files: FileSystem, dir: string): Promise<void> {
  const part = await linkedPart(files, dir);
  if (part !== undefined) throw linked(join(dir, part));
}

/** That a part of a record is a symbolic link, which nothing is read through. */
export function linked(path: string): RecordError {
  return new RecordError("record_corrupt", `Cannot read ${path}: it is a symbolic link`, {
    field: path,
    hint: "Put a file or folder in its place; a link may lead out of the archive.",
  });
}
