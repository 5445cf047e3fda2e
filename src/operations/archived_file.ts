// Files of an archive that clients may read, with their tags.
import { join, resolve } from "@std/path";
import { ConveningError } from "../core/error.ts";
import { type FileInfo, type FileSystem, MAX_FILE_BYTES } from "../core/files.ts";
import { sha256 } from "../core/message.ts";
import { RecentMap } from "../core/values.ts";
import { filesBelow } from "../record/disk_files.ts";
import { settledStamp } from "../record/read.ts";

/** A file as it lies in an archive. */
interface ArchivedFile {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** The SHA-256 of the bytes, in hex. */
  readonly sum: string;
}

/** A file as it was read, and what tells whether it has changed since. */
interface Known extends ArchivedFile {
  readonly stamp: string;
}

/** The most bytes of a file that is known; of a larger one the sum is made on a thread of its own. */
const SMALL = 1 << 16;
/** Bytes of a large file that are read at once. */
const PIECE = 1 << 20;
/** The most files that are known: at most 16 MiB. The file that was asked for longest ago is forgotten. */
const MOST_KNOWN = 256;
const known = new RecentMap<Known>(MOST_KNOWN);

/**
 * A file under an archive's folder, by the names on the way to it; it is read again once it has changed. Fails with
 * `not_found` for what is none or has a dot in front, and with `record_corrupt` for what is, or is reached through, no
 * plain file or folder; a name is one step, whatever stands in it. `asked` is the path as errors quote the path.
 */
export async function archivedFile(
  out: string,
  names: readonly string[],
  asked: string = names.join("/"),
): Promise<ArchivedFile> {
  const folder = resolve(out);
  const files = filesBelow(folder);
  const path = join(folder, ...names);
  const info = names.every(isName) ? await files.stat(path) : undefined;
  if (info?.isFolder === false) return await knownFile(files, path, info);
  throw new ConveningError("not_found", `Cannot find a file "${asked.slice(0, 200)}"`, {
    field: "path",
    hint: "The index of the convening, index.md, has links to its files.",
  });
}

/** Files that are served at any size. */
const STREAMED = /^(?:log\.jsonl|transcript\.[a-z]+)$/;

/** A log or a transcript under an archive's folder that is too large to be read whole, piece by piece; else undefined. */
export async function largeFile(
  out: string,
  names: readonly string[],
): Promise<{ readonly stream: ReadableStream<Uint8Array>; readonly size: number } | undefined> {
  if (!STREAMED.test(names.at(-1) ?? "") || !names.every(isName)) return undefined;
  const files = filesBelow(resolve(out));
  const path = join(resolve(out), ...names);
  const { size = 0 } = await files.stat(path) ?? {};
  if (size <= MAX_FILE_BYTES) return undefined;
  let offset = 0;
  const stream = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { bytes } = await files.readFrom(path, offset, Math.min(PIECE, size - offset));
      offset += bytes.length;
      if (bytes.length > 0) controller.enqueue(bytes);
      else controller.close();
    },
  });
  return { stream, size };
}

async function knownFile(files: FileSystem, path: string, info: FileInfo): Promise<ArchivedFile> {
  const stamp = settledStamp(info);
  const found = known.take(path);
  const file = stamp !== undefined && found?.stamp === stamp
    ? found
    : await readFile(files, path, info);
  if (stamp === undefined || file.bytes.length > SMALL) return file;
  known.set(path, { ...file, stamp });
  return file;
}

async function readFile(
  files: FileSystem,
  path: string,
  { size }: FileInfo,
): Promise<ArchivedFile> {
  // A file that is too large is rejected by name.
  if (size > MAX_FILE_BYTES) await files.read(path);
  const { bytes } = await files.readFrom(path, 0, size);
  return { bytes, sum: await sumOf(bytes) };
}

/** The SHA-256 of bytes, in hex; of many bytes on a thread of its own. */
export async function sumOf(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  if (bytes.length <= SMALL) return sha256(bytes);
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)).toHex();
}

/** True of a name that is one step down, to something that is not hidden. */
function isName(name: string): boolean {
  return /^[^.\p{Cc}/\\:][^\p{Cc}/\\:]{0,254}$/u.test(name);
}
