// The files of messages and of their attachments, by the number of the message.
import { join } from "@std/path";
import { RecentMap } from "../core/recent_map.ts";
import { seqOfName } from "../record/codec.ts";
import { recordFiles } from "../record/disk_files.ts";
import { settledStamp } from "../record/settled.ts";

/** A file of a convening that has a number in its name. */
export interface NumberedFile {
  readonly name: string;
  /** A message's, that of the message it is kept beside, or a judge's verdicts in their order. */
  readonly number: number;
}

/** The number in the name of an attachment: further attempts have a number of their own behind the message's. */
const BESIDE = numberIn(/^(\d+)(?:_\d+)?\.md$/);

/** The folders of a convening whose files have numbers, and the number in a name. */
const NUMBERS = {
  messages: seqOfName,
  drafts: BESIDE,
  rejected: BESIDE,
  "fact-checks": BESIDE,
  evidence: BESIDE,
  scores: numberIn(/^(\d+)_[0-9a-f]{8}\.md$/),
  verdicts: numberIn(/^[0-9a-f]{8}_(\d+)\.md$/),
} as const;

function numberIn(pattern: RegExp): (name: string) => number | undefined {
  return (name) => {
    const [, number] = pattern.exec(name) ?? [];
    return number === undefined ? undefined : Number(number);
  };
}

/** A folder's files, and what tells whether it has changed since. */
interface Known {
  readonly stamp: string;
  readonly files: readonly NumberedFile[];
}

/** The most folders that are known; the folder that was asked for longest ago is forgotten. */
const MOST_KNOWN = 64;
const known = new RecentMap<Known>(MOST_KNOWN);

/**
 * The files of a convening's folder by number, then by name, of which none is opened. A folder is listed again once it
 * has changed, whoever changed it. Fails with `record_corrupt` where the folder is no plain one.
 */
export async function numberedFiles(
  dir: string,
  folder: keyof typeof NUMBERS,
): Promise<readonly NumberedFile[]> {
  const path = join(dir, folder);
  const found = known.take(path);
  const info = await recordFiles(dir).stat(path);
  if (info === undefined) return [];
  const stamp = settledStamp(info);
  const isSame = stamp !== undefined && found?.stamp === stamp;
  const files = isSame ? found.files : await listed(dir, folder);
  if (stamp !== undefined) known.set(path, { stamp, files });
  return files;
}

async function listed(dir: string, folder: keyof typeof NUMBERS): Promise<NumberedFile[]> {
  const files: NumberedFile[] = [];
  for (const { name, isFolder } of await recordFiles(dir).list(join(dir, folder))) {
    const number = isFolder ? undefined : NUMBERS[folder](name);
    if (number !== undefined) files.push({ name, number });
  }
  return files.sort((a, b) => a.number - b.number || (a.name < b.name ? -1 : 1));
}

/** A part of files that are sorted by number. */
interface NumberedPart {
  readonly files: readonly NumberedFile[];
  /** The number that the next page begins after; null where nothing follows. */
  readonly next: number | null;
}

/** The files of the next numbers after one, so many numbers at most. */
export function partOf(
  files: readonly NumberedFile[],
  { after, limit }: { readonly after: number; readonly limit: number },
): NumberedPart {
  let start = 0;
  // Found by halves: there may be many before it.
  for (let end = files.length; start < end;) {
    const middle = (start + end) >> 1;
    if (files[middle]!.number > after) end = middle;
    else start = middle + 1;
  }
  let end = start;
  for (let numbers = 0; end < files.length; end++) {
    const isNew = end === start || files[end]!.number !== files[end - 1]!.number;
    if (isNew && ++numbers > limit) break;
  }
  const part = files.slice(start, end);
  return { files: part, next: end < files.length ? part.at(-1)?.number ?? null : null };
}
