import type { FileSystem } from "../core/files.ts";
import { PAPER_FOLDER } from "./files/paper_file.ts";

/** The folders of papers' pages that are there. */
export async function paperFolders(files: FileSystem, dir: string): Promise<string[]> {
  return (await files.list(dir)).filter(({ name, isFolder }) => isFolder && PAPER_FOLDER.test(name))
    .map(({ name }) => name);
}
