// Records as directories: on disk, and in any other file system.
import { resolve } from "@std/path";
import type { FileSystem } from "../core/files.ts";
import type { RecordStore } from "../core/record.ts";
import { type FolderPlace, openRecord, type RecordOptions } from "./directory_record.ts";
import { filesBelow, recordFiles } from "./disk_files.ts";

/**
 * A record that is a directory of markdown: a new one, claimed in the archive `out`, or the convening in `dir`, which is
 * locked and read. Relative paths mean the working folder.
 */
export function folderRecord(place: FolderPlace, options: RecordOptions = {}): RecordStore {
  const absolute: FolderPlace = place.dir === undefined
    ? { out: resolve(place.out) }
    : { ...place, dir: resolve(place.dir) };
  const files = absolute.dir === undefined ? filesBelow(absolute.out) : recordFiles(absolute.dir);
  return fileRecord(files, absolute, { holder: describeHolder, ...options });
}

/**
 * The same directory of markdown in any file system, such as a store behind a network: `files` has the operations, and
 * the paths of `place` are absolute.
 *
 * @example
 * ```ts
 * import { fileRecord, type FileSystem } from "@convenings/convenings";
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
  return { open: (start) => openRecord(files, place, { ...options, start }) };
}

/** Who holds a lock: the pid, and the host where asking for it is allowed. */
function describeHolder(): { pid: number; host: string } {
  const { state } = Deno.permissions.querySync({
    name: "sys",
    kind: "hostname",
  });
  const host = state === "granted" ? Deno.hostname() : "localhost";
  return { pid: Deno.pid, host };
}
