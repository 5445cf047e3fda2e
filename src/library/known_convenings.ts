import { setImmediate } from "node:timers/promises";
import { join, resolve } from "@std/path";
import { sha256 } from "../core/message.ts";
import { diskFiles } from "../output/fs_store.ts";
import { settledStamp } from "../output/settled.ts";
import { type Convening, openConvening } from "./convening.ts";

/** A convening as it was read, and what tells whether its files have changed since. */
interface Known {
  readonly stamp: string;
  /** Bytes of its files. */
  readonly size: number;
  readonly convening: Promise<Convening>;
}

/** The most bytes of files whose convenings are kept in mind, 64 MiB; the one asked for longest ago is forgotten. */
const MOST_BYTES = 1 << 26;
/** How many files are looked at before others have their turn. */
const LOOKED_AT_ONCE = 500;
const known = new Map<string, Known>();

/**
 * A convening as `openConvening` reads it, for those who ask again and again: one of which no file has changed since is
 * given as it was read. Every file is looked at each time, so that a change is seen, whoever makes it. Fails as
 * `openConvening` does.
 */
export async function readConvening(dir: string): Promise<Convening> {
  const path = resolve(dir);
  const state = await stateOf(path);
  const found = known.get(path);
  known.delete(path);
  if (state === undefined) return await openConvening(path);
  const isSame = found?.stamp === state.stamp;
  const now: Known = isSame ? found : { ...state, convening: openConvening(path) };
  known.set(path, now);
  forget();
  try {
    return await now.convening;
  } catch (error) {
    if (known.get(path) === now) known.delete(path);
    throw error;
  }
}

/** Forgets what there is no room for. */
function forget(): void {
  let size = [...known.values()].reduce((sum, each) => sum + each.size, 0);
  for (const [path, each] of known) {
    if (size <= MOST_BYTES) return;
    known.delete(path);
    size -= each.size;
  }
}

/** Where pages lie that are made of the others. */
const DERIVED: ReadonlySet<string> = new Set(["pages"]);

/** What tells whether any file that a record is read from has changed; undefined while one of them may still change. */
async function stateOf(dir: string): Promise<Omit<Known, "convening"> | undefined> {
  const metadata = await diskFiles.stat(join(dir, "metadata.md"));
  const stamp = settledStamp(metadata);
  if (metadata === undefined || stamp === undefined) return undefined;
  const stamps = [stamp];
  let size = metadata.size;
  let looked = 0;
  for (const { name: folder, isFolder } of await diskFiles.list(dir)) {
    if (!isFolder || DERIVED.has(folder)) continue;
    for (const { name } of await diskFiles.list(join(dir, folder))) {
      const info = await diskFiles.stat(join(dir, folder, name));
      const stamp = settledStamp(info);
      if (info === undefined || stamp === undefined) return undefined;
      stamps.push(`${folder}/${name} ${stamp}`);
      size += info.size;
      if (++looked % LOOKED_AT_ONCE === 0) await setImmediate();
    }
  }
  return { stamp: sha256(stamps.join("\n")), size };
}
