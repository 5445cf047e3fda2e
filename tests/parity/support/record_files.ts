// Compares the files of two records, without times, places and durations.
import { basename, join, relative } from "@std/path";
import { objectOf } from "./door.ts";

/** Patterns of text that differs between records of the same convening: paths, times, durations. */
const DIFFERENT: readonly (readonly [RegExp, string])[] = [
  [/\d{4}-\d\d-\d\dT\d\d[:-]\d\d[:-]\d\d(?:\.\d+Z)?/g, "TIME"],
  [/(?<=\blatency_ms"?: )[\d.]+/g, "0"],
  [/\d{4}-\d\d-\d\d(?= \d\d:\d\d)/g, "DAY"],
  [/\b\d\d:\d\d(?::\d\d)?\b/g, "HOUR"],
  // An interjection's id depends on time and place.
  [/\b(interjection\/)[\da-f-]+/g, "$1KEY"],
];

/** Returns the files of a record by path, without the text that differs. */
export async function filesOf(dir: string): Promise<Readonly<Record<string, string>>> {
  const files: Record<string, string> = {};
  for (const path of await pathsIn(dir)) {
    const text = (await Deno.readTextFile(path)).replaceAll(basename(dir), "ID");
    const plain = DIFFERENT.reduce((text, [each, name]) => text.replaceAll(each, name), text);
    files[relative(dir, path)] = path.endsWith("log.jsonl") ? unordered(plain) : plain;
  }
  return files;
}

/**
 * Sorts the events of a log: judges and debaters answer concurrently, so that numbers of events and intermediate usage
 * differ between runs.
 */
function unordered(log: string): string {
  const lines = log.trimEnd().split("\n").map((line) => {
    // Damaged lines cannot be parsed.
    if (line.includes(",,")) return "damaged";
    const { n: _number, at: _time, usage: _used, ...event } = objectOf(JSON.parse(line, timeless));
    return JSON.stringify(event);
  });
  return lines.sort().join("\n");
}

function timeless(key: string, value: unknown): unknown {
  return key === "latencyMs" || key === "duration" ? 0 : value;
}

/** Returns the texts at the first difference, or undefined if the texts are equal. */
export function firstDifference(a: string, b: string): readonly [string, string] | undefined {
  if (a === b) return undefined;
  let at = 0;
  while (a[at] === b[at]) at++;
  return [a.slice(Math.max(0, at - 80), at + 120), b.slice(Math.max(0, at - 80), at + 120)];
}

async function pathsIn(folder: string): Promise<string[]> {
  const paths: string[] = [];
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    if (name.startsWith(".")) continue;
    if (isDirectory) paths.push(...await pathsIn(join(folder, name)));
    else paths.push(join(folder, name));
  }
  return paths.sort();
}
