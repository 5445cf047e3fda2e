// Reads the project's source files and their imports, for tests of the structure.
import { dirname, join, relative } from "@std/path";
import { walk } from "@std/fs";
import { ROOT } from "./deno_process.ts";

/** A source file of the project. */
export interface SourceFile {
  /** Path, relative to the project. */
  readonly path: string;
  readonly text: string;
  /** Text without comments that begin a line. */
  readonly code: string;
  /** Imports, type-only and dynamic ones included: paths relative to the project, or names of packages. */
  readonly imports: readonly string[];
  /** Imports that are dynamic. */
  readonly lazy: readonly string[];
  /** Imports of types alone. */
  readonly types: readonly string[];
}

const IS_SOURCE = /\.tsx?$/;
const COMMENT = /^[ \t]*(?:\/\*[\s\S]*?\*\/|\/\/.*$)/gm;
const STATIC = /^(?:import|export|\})[^;'"]*?from "([^"]+)"|^import "([^"]+)"/gm;
const TYPES = /^(?:import|export) type [^;'"]*?from "([^"]+)"/gm;
const LAZY = /\bimport\(\s*"([^"]+)"/g;

/** Returns the TypeScript files in some of the project's folders, and single files, by path. */
export async function sourceFiles(...places: readonly string[]): Promise<SourceFile[]> {
  const paths: string[] = [];
  for (const place of places) {
    if (IS_SOURCE.test(place)) paths.push(place);
    else {
      for await (const { path } of walk(join(ROOT, place), { includeDirs: false })) {
        if (IS_SOURCE.test(path)) paths.push(relative(ROOT, path));
      }
    }
  }
  return await Promise.all(
    paths.sort().map(async (path) => {
      const text = await Deno.readTextFile(join(ROOT, path));
      const code = text.replace(COMMENT, "");
      const lazy = [...code.matchAll(LAZY)].map(([, name]) => target(path, name!));
      const fixed = [...code.matchAll(STATIC)].map(([, from, whole]) =>
        target(path, (from ?? whole)!)
      );
      const types = [...code.matchAll(TYPES)].map(([, name]) => target(path, name!));
      return { path, text, code, lazy, types, imports: [...fixed, ...lazy] };
    }),
  );
}

function target(importer: string, specifier: string): string {
  return specifier.startsWith(".") ? join(dirname(importer), specifier) : specifier;
}
