// Reads convenings of an archive again only where their files have changed.
import { join, resolve } from "@std/path";
import { sha256 } from "../core/message.ts";
import { recordFiles } from "../record/disk_files.ts";
import { KnownFacts, LOOKED_AT_ONCE, othersInTurn, settledStamp } from "../record/settled.ts";
import { readRecord } from "../record/read.ts";
import { type Convening, conveningOf } from "./convening.ts";

/** Facts known of a directory. */
interface Known {
  /** Tells whether any file has changed since; undefined where one of them changed a moment before. */
  readonly stamp: string | undefined;
  readonly facts: KnownFacts;
  readonly convening: Promise<Convening>;
}

/** The most bytes of files whose convenings are kept in mind, 64 MiB; the one asked for longest ago is forgotten. */
const MOST_BYTES = 1 << 26;
const known = new Map<string, Known>();

/**
 * A convening as `openConvening` reads it, for those who ask again and again: one of which no file has changed since is
 * given as it was read, and of another only what has changed is read. Every file is looked at each time, so that a
 * change is seen, whoever makes it. Fails as `openConvening` does.
 */
export async function readConvening(dir: string): Promise<Convening> {
  const path = resolve(dir);
  const stamp = await stampOf(path);
  const found = known.get(path);
  known.delete(path);
  const isSame = stamp !== undefined && found?.stamp === stamp;
  const now: Known = isSame ? found : { stamp, ...readAgain(path, found?.facts) };
  known.set(path, now);
  try {
    const convening = await now.convening;
    forget();
    return convening;
  } catch (error) {
    if (known.get(path) === now) known.delete(path);
    throw error;
  }
}

function readAgain(
  dir: string,
  before: KnownFacts | undefined,
): Pick<Known, "facts" | "convening"> {
  const facts = new KnownFacts(before);
  return {
    facts,
    convening: readRecord(recordFiles(dir), dir, { known: facts }).then(conveningOf),
  };
}

/** Forgets what there is no room for. */
function forget(): void {
  let size = [...known.values()].reduce((sum, { facts }) => sum + facts.size, 0);
  for (const [path, { facts }] of known) {
    if (size <= MOST_BYTES) return;
    known.delete(path);
    size -= facts.size;
  }
}

/** Folders of pages that are made of other files. */
const DERIVED: ReadonlySet<string> = new Set(["pages"]);

/** Tells whether any file that a record is read from has changed; undefined where one of them did a moment ago. */
async function stampOf(dir: string): Promise<string | undefined> {
  const files = recordFiles(dir);
  const metadata = settledStamp(await files.stat(join(dir, "metadata.md")));
  // It is what is written most often: while it changes, nothing else need be looked at.
  if (metadata === undefined) return undefined;
  const stamps = [metadata];
  for (const { name: folder, isFolder } of await files.list(dir)) {
    if (!isFolder || DERIVED.has(folder)) continue;
    const names = (await files.list(join(dir, folder))).map(({ name }) => name);
    for (let at = 0; at < names.length; at += LOOKED_AT_ONCE) {
      const some = names.slice(at, at + LOOKED_AT_ONCE);
      for (const [index, info] of (await files.stats(join(dir, folder), some)).entries()) {
        const stamp = settledStamp(info);
        if (stamp === undefined) return undefined;
        stamps.push(`${folder}/${some[index]} ${stamp}`);
      }
      await othersInTurn(at);
    }
  }
  return sha256(stamps.join("\n"));
}
