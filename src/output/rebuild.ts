import { join } from "@std/path";
import { type FileSystem, writeDurably } from "../core/files.ts";
import { openRecord, type RecordOptions } from "./directory_record.ts";
import { rebuiltLog } from "./event_log.ts";
import { readRecord } from "./read.ts";
import { verifyRecord } from "./verify.ts";
import { REBUILD } from "./verify_finding.ts";

/**
 * Writes every derived file of the convening in `dir` again, a missing `log.jsonl` too, and the indexes of its archive.
 * Truth files stay as they are. Returns the paths of the files that were missing or outdated. Fails with `not_found`,
 * `locked`, `record_corrupt` or `record_unwritable`.
 */
export async function rebuildIndex(
  files: FileSystem,
  dir: string,
  options: RecordOptions = {},
): Promise<readonly string[]> {
  const record = await openRecord(files, { dir }, options);
  try {
    const written = await record.rebuild();
    const path = join(dir, "log.jsonl");
    if (await files.stat(path) !== undefined) return written;
    await writeDurably(files, path, rebuiltLog(await readRecord(files, dir)));
    return [...written, "log.jsonl"];
  } finally {
    await record.close();
  }
}

/**
 * Writes the derived files of the convening in `dir` again where `verify` finds one that is missing or outdated. Returns
 * the paths of the files that changed; none where the record is complete. Fails as {@linkcode rebuildIndex} does.
 */
export async function mendRecord(files: FileSystem, dir: string): Promise<readonly string[]> {
  const { findings } = await verifyRecord(files, dir);
  return findings.some(({ fix }) => fix === REBUILD) ? await rebuildIndex(files, dir) : [];
}
