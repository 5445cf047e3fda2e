// Records as directories: on disk, and in any other file system.
import { z } from "zod";
import { resolve } from "@std/path";
import { checkFields } from "../core/check_fields.ts";
import type { FileSystem } from "../core/files.ts";
import type { RecordStore } from "../core/record.ts";
import { type FolderPlace, openRecord, type RecordOptions } from "./directory_record.ts";
import { filesBelow, recordFiles } from "./disk_files.ts";

const PLACE = z.looseObject({ out: z.string().optional(), dir: z.string().optional() })
  .refine(
    ({ out, dir }) => (out ?? dir) !== undefined,
    "Give out, an archive, or dir, a convening.",
  );
/** A file system; a proxy for one need not say what it has. */
const FILES = z.unknown().superRefine((files, { addIssue }) => {
  for (const name of OPERATIONS) {
    if (typeof Object(files)[name] === "function") continue;
    addIssue({ code: "custom", path: [name], message: "Give a function." });
  }
});
const OPERATIONS: readonly (keyof FileSystem)[] = [
  "makeFolder",
  "write",
  "append",
  "truncate",
  "rename",
  "flushFolder",
  "remove",
  "read",
  "readFrom",
  "list",
  "stat",
  "lock",
  "isLocked",
];
const ON_DISK = z.object({ place: PLACE });
const IN_FILES = z.object({ files: FILES, place: PLACE });

/**
 * A record that is a directory of markdown: a new one, claimed in the archive `out`, or the convening in `dir`, which is
 * locked and read. Relative paths mean the working folder.
 */
export function folderRecord(place: FolderPlace, options: RecordOptions = {}): RecordStore {
  checkFields({ place }, ON_DISK, "arguments of folderRecord");
  const absolute: FolderPlace = place.dir === undefined
    ? { ...place, out: resolve(place.out) }
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
  return { open: (start) => openRecord(files, place, { ...options, start }) };
}

/** The holder of a lock: the pid, and the host name where the permissions allow reading it. */
export function describeHolder(): { pid: number; host: string } {
  const { state } = Deno.permissions.querySync({
    name: "sys",
    kind: "hostname",
  });
  const host = state === "granted" ? Deno.hostname() : "localhost";
  return { pid: Deno.pid, host };
}
