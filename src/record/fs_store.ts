import { resolve } from "@std/path";
import type { ConveningStart, OpenRecord, RecordStore } from "../core/record.ts";
import { openRecord, type RecordOptions } from "./directory_record.ts";
import { filesBelow, recordFiles } from "./disk_files.ts";

/** Where a folder record is kept: a new directory in an archive, or an existing convening's. */
export type FolderPlace =
  | { readonly out: string; readonly dir?: undefined }
  | {
    readonly dir: string;
    readonly out?: undefined;
    /** Keys of its configuration that are other from now on; undefined takes one out. @default none */
    readonly changed?: Readonly<Record<string, unknown>> | undefined;
  };

/**
 * A record that is a directory of markdown: a new one, claimed in the archive `out`, or the convening in `dir`, which is
 * locked and read. Relative paths mean the working folder.
 */
export function folderRecord(
  place: FolderPlace,
  options: RecordOptions = {},
): RecordStore {
  const absolute = place.dir === undefined
    ? { out: resolve(place.out), dir: undefined }
    : { ...place, dir: resolve(place.dir) };
  const files = absolute.dir === undefined ? filesBelow(absolute.out) : recordFiles(absolute.dir);
  return {
    open: (start: ConveningStart): Promise<OpenRecord> =>
      openRecord(files, absolute, {
        holder: describeHolder,
        ...options,
        start,
      }),
  };
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
