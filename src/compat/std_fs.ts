/**
 * The few functions of `@std/fs` that are used here, with its signatures, over `Deno`: code that imports them runs with
 * the real package too.
 *
 * @module
 */
import { basename, join } from "@std/path";

/** Makes a folder and those above it; fails when the path is something else. */
export async function ensureDir(dir: string): Promise<void> {
  await Deno.mkdir(dir, { recursive: true });
}

/** Options of {@linkcode exists}. */
export interface ExistsOptions {
  /** True if it must be a folder. @default false */
  isDirectory?: boolean;
  /** True if it must be a file. @default false */
  isFile?: boolean;
}

/** True if there is a file or folder at a path. */
export async function exists(
  path: string,
  options: ExistsOptions = {},
): Promise<boolean> {
  try {
    const info = await Deno.stat(path);
    return !(options.isDirectory && !info.isDirectory) &&
      !(options.isFile && !info.isFile);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

/** One thing found by {@linkcode walk}. */
export interface WalkEntry extends Deno.DirEntry {
  /** From the folder that was walked. */
  path: string;
}

/** Entry of {@linkcode walk}. */
export interface WalkOptions {
  /** @default true */
  includeFiles?: boolean;
  /** @default true */
  includeDirs?: boolean;
}

/** Everything under a folder, the folder itself first; links are not followed. */
export async function* walk(
  root: string,
  options: WalkOptions = {},
): AsyncIterableIterator<WalkEntry> {
  const { includeFiles = true, includeDirs = true } = options;
  if (includeDirs) {
    const info = await Deno.lstat(root);
    const { isFile, isDirectory, isSymlink } = info;
    yield { path: root, name: basename(root), isFile, isDirectory, isSymlink };
  }
  for await (const entry of Deno.readDir(root)) {
    const path = join(root, entry.name);
    if (entry.isDirectory) yield* walk(path, options);
    else if (includeFiles) yield { path, ...entry };
  }
}
