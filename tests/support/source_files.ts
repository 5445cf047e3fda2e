import { dirname, join, relative } from "@std/path";
import { walk } from "@std/fs";
import { ROOT } from "./deno_process.ts";

/** One file of the project. */
export interface SourceFile {
  /** From the project's folder. */
  readonly path: string;
  readonly text: string;
  /** The text without comments that begin a line. */
  readonly code: string;
  /** What it imports, type-only and lazy imports included: paths from the project's folder, or names of packages. */
  readonly imports: readonly string[];
  /** Those of them that are only loaded when they are needed. */
  readonly lazy: readonly string[];
}

const COMMENT = /^[ \t]*(?:\/\*[\s\S]*?\*\/|\/\/.*$)/gm;
const STATIC = /^(?:import|export|\})[^;'"]*?from "([^"]+)"|^import "([^"]+)"/gm;
const LAZY = /\bimport\(\s*"([^"]+)"/g;

/** The TypeScript files under some of the project's folders, and single files, by path. */
export async function sourceFiles(...places: readonly string[]): Promise<SourceFile[]> {
  const paths: string[] = [];
  for (const place of places) {
    if (place.endsWith(".ts")) paths.push(place);
    else {
      for await (const { path } of walk(join(ROOT, place), { includeDirs: false })) {
        if (path.endsWith(".ts")) paths.push(relative(ROOT, path));
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
      return { path, text, code, lazy, imports: [...fixed, ...lazy] };
    }),
  );
}

function target(importer: string, specifier: string): string {
  return specifier.startsWith(".") ? join(dirname(importer), specifier) : specifier;
}

/** A function's name or first line, and how many lines it has. */
export interface FunctionSize {
  readonly name: string;
  readonly lines: number;
}

const HEAD = /^(\s*)(?!(?:if|for|while|switch|return|else|do|try|catch|new)\b)\S.*(?:\(|\{)$/;

/** The functions of a formatted text: one ends where a line with its own indentation closes its braces. */
export function functionSizes(code: string): FunctionSize[] {
  const lines = code.split("\n");
  return lines.flatMap((line, start) => {
    const indent = HEAD.exec(line)?.[1];
    if (indent === undefined) return [];
    const body = line.endsWith("{") ? start : bodyStart(lines, start, indent);
    if (body === undefined || !isFunction(lines.slice(start, body + 1).join(" "))) return [];
    const end = lines.findIndex((each, at) => at > body && each.startsWith(`${indent}}`));
    return end === -1 ? [] : [{ name: line.trim(), lines: end - start + 1 }];
  });
}

/** Where the parameters that begin at `start` end and a body begins; undefined for a call. */
function bodyStart(lines: readonly string[], start: number, indent: string): number | undefined {
  const end = lines.findIndex((line, at) => at > start && line.startsWith(`${indent})`));
  return end !== -1 && lines[end]!.endsWith("{") ? end : undefined;
}

function isFunction(head: string): boolean {
  return /\bfunction\b|=>\s*\{$/.test(head) ||
    /^\s*[\w#* ]+(?:<.*>)?\(.*\)(?:: .*)? \{$/.test(head);
}
