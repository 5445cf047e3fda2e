import { basename, join, resolve } from "@std/path";
import type { TranscriptFormat } from "../core/convening_config.ts";
import { ConveningError, RecordError } from "../core/error.ts";
import { FileError } from "../core/files.ts";
import type { Message } from "../core/message.ts";
import { diskFiles, readFrom, realPath } from "../output/fs_store.ts";
import type { RecordProblem } from "../output/read.ts";

/** Which part of a long list. */
export interface PageOptions {
  /** What comes after this message's number. @default 0: from the first on */
  readonly after?: number | undefined;
  /** The most messages. @default 50 */
  readonly limit?: number | undefined;
}

/** A part of a convening's messages. */
export interface MessagePage {
  /** By number. */
  readonly messages: readonly (Message & { readonly file: string })[];
  /** The number to go on after; undefined where nothing follows. */
  readonly next: number | undefined;
  /** How many messages the convening has now. */
  readonly total: number;
  /** Those of this part that are left out because they are damaged. */
  readonly skipped: readonly RecordProblem[];
}

/**
 * A part of a convening's messages, of which no others are read; takes no lock. `file` is the path in the directory. Fails
 * with `not_found`.
 */
export async function messagePage(
  dir: string,
  { after = 0, limit = 50 }: PageOptions = {},
): Promise<MessagePage> {
  const path = resolve(dir);
  const { readMetadata } = await import("../output/read.ts");
  const { seqOfName } = await import("../output/files/message_file.ts");
  const { parseFact } = await import("../output/files/reader_registry.ts");
  const files = (await diskFiles.list(join(path, "messages"))).flatMap(({ name, ...entry }) => {
    const seq = entry.isFolder || entry.isLink === true ? undefined : seqOfName(name);
    return seq === undefined ? [] : [{ name, seq }];
  }).sort((a, b) => a.seq - b.seq);
  if (files.length === 0) await readMetadata(diskFiles, path);
  const rest = files.filter(({ seq }) => seq > after);
  const part = rest.slice(0, limit);
  const messages: (Message & { file: string })[] = [];
  const skipped: RecordProblem[] = [];
  await Promise.all(part.map(async ({ name, seq }) => {
    const file = `messages/${name}`;
    try {
      const fact = parseFact(await diskFiles.read(join(path, file)), join(path, file), "messages");
      if (fact.type === "message") messages.push({ ...fact, file });
    } catch (error) {
      if (!(error instanceof RecordError || error instanceof FileError)) throw error;
      skipped.push({ path: file, problem: `message ${seq} is damaged` });
    }
  }));
  return {
    messages: messages.sort((a, b) => a.seq - b.seq),
    next: rest.length > part.length ? part.at(-1)?.seq : undefined,
    total: files.length,
    skipped: skipped.sort((a, b) => a.path < b.path ? -1 : 1),
  };
}

/** The whole transcript as text, of a running convening too: nothing is written, and no lock is taken. */
export async function renderConvening(dir: string, format: TranscriptFormat): Promise<string> {
  const { readRecord } = await import("../output/read.ts");
  const { renderTranscript } = await import("../output/transcript.ts");
  return await renderTranscript(format, await readRecord(diskFiles, resolve(dir)));
}

/** The most bytes of a file that is read whole: 256 MiB. */
const MAX_FILE = 1 << 28;

/**
 * The bytes of a file under an archive's folder, by the names on the way to it. Fails with `not_found` for what is none,
 * has a dot in front, or is reached through a symbolic link; a name is one step, whatever stands in it.
 */
export async function readArchived(
  out: string,
  names: readonly string[],
): Promise<Uint8Array<ArrayBuffer>> {
  const folder = resolve(out);
  const path = join(...names);
  const isThere = names.length > 0 && names.every(isName) && await isReached(folder, path) &&
    (await diskFiles.stat(join(folder, path)))?.isFolder === false;
  if (!isThere) {
    throw new ConveningError("not_found", `Cannot find a file "${basename(path).slice(0, 100)}"`, {
      field: "path",
      hint: "The index of the convening, index.md, has links to its files.",
    });
  }
  const { bytes } = await readFrom(join(folder, path), 0, MAX_FILE);
  return new Uint8Array(bytes);
}

/** Whether something is there, with no symbolic link below the folder on the way to it. */
async function isReached(folder: string, path: string): Promise<boolean> {
  const [root, real] = await Promise.all([realPath(folder), realPath(join(folder, path))]);
  return root !== undefined && real === join(root, path);
}

/** Whether a name is one step down, to something that is not hidden. */
function isName(name: string): boolean {
  return /^[^.\p{Cc}/\\:][^\p{Cc}/\\:]{0,254}$/u.test(name);
}
