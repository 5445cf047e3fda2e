/** Subset of `@std/fs` with the same signatures, for environments without access to JSR; `deno.jsr.json` maps to the original. */
import { basename, join } from "@std/path";

/** Creates a folder with its parents, if missing; rejects if the path is something else. */
export async function ensureDir(dir: string): Promise<void> {
  await Deno.mkdir(dir, { recursive: true });
}

/** Options of {@linkcode exists}. */
export interface ExistsOptions {
  /** True if the path must be a file. @default false */
  isFile?: boolean;
}

/** Returns true if a file or folder exists at a path. */
export async function exists(
  path: string,
  options: ExistsOptions = {},
): Promise<boolean> {
  try {
    const info = await Deno.stat(path);
    return !(options.isFile && !info.isFile);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

/** Entry yielded by {@linkcode walk}. */
export interface WalkEntry extends Deno.DirEntry {
  /** Path, beginning with the root of the walk. */
  path: string;
}

/** Options of {@linkcode walk}. */
export interface WalkOptions {
  /** True if folders are yielded. @default true */
  includeDirs?: boolean;
}

/** Yields everything under a folder, the folder itself first; does not follow symbolic links. */
export async function* walk(
  root: string,
  options: WalkOptions = {},
): AsyncIterableIterator<WalkEntry> {
  const { includeDirs = true } = options;
  if (includeDirs) {
    const info = await Deno.lstat(root);
    const { isFile, isDirectory, isSymlink } = info;
    yield { path: root, name: basename(root), isFile, isDirectory, isSymlink };
  }
  for await (const entry of Deno.readDir(root)) {
    const path = join(root, entry.name);
    if (entry.isDirectory) yield* walk(path, options);
    else yield { path, ...entry };
  }
}
