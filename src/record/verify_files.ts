import { join } from "@std/path";
import { RecordError } from "../core/error.ts";
import type { Fact } from "../core/fact.ts";
import { FileError, type FileSystem, isTemporary } from "../core/files.ts";
import { plainLine } from "../core/text.ts";
import { factBody, factData } from "./codec.ts";
import { wholeLines } from "./log_reader.ts";
import { readFrontMatter } from "./frontmatter_reader.ts";
import { namingOf, type RecordContents } from "./read.ts";
import { type Finding, RESTORE, show } from "./verify_finding.ts";

/** Entries that are neither files nor folders, and names that no program of ours writes. Files it does not know are let be. */
export async function checkNames(
  files: FileSystem,
  dir: string,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  const folders = (await files.list(dir)).filter(({ isFolder }) => isFolder);
  for (const folder of ["", ...folders.map(({ name }) => name)]) {
    for (const { name, isOther } of await files.list(join(dir, folder))) {
      const path = folder === "" ? name : `${folder}/${name}`;
      if (isOther === true) {
        findings.push({
          path,
          problem: "it is neither a file nor a folder, and may lead out of the directory",
          fix: "Put a plain file or folder in its place, or take it away.",
        });
      } else if (!isTemporary(name) && /[\p{Cc}\\]/u.test(name)) {
        findings.push({
          path: plainLine(path),
          problem: "its name has a backslash or a control character",
          fix: "Rename or remove it.",
        });
      }
    }
  }
  return findings;
}

/** Whether facts, written again, give the same front matter and body as their files. */
export async function checkWritten(
  files: FileSystem,
  { dir, start, facts, layout, files: paths }: RecordContents,
): Promise<Finding[]> {
  const naming = namingOf({ start, facts, layout });
  const findings: Finding[] = [];
  for (const [path, fact] of paths) {
    const text = await readText(files, join(dir, path));
    if (text === undefined) continue;
    const { data, body } = readFrontMatter(text, path);
    const expected: Readonly<Record<string, unknown>> = factData(fact, naming);
    const keys = Object.keys(expected);
    for (const key of keys) {
      if (canonical(data[key]) === canonical(expected[key])) continue;
      const problem = `its ${key} is ${show(data[key])}, not ${show(expected[key])}`;
      findings.push({ path, problem, fix: RESTORE });
    }
    for (const key of Object.keys(data).filter((key) => !keys.includes(key))) {
      const problem = `its key ${show(key)} is none of the format's`;
      findings.push({ path, problem, fix: "Take the key out." });
    }
    if (body === factBody(fact)) continue;
    const problem = "its body does not say what its front matter says";
    findings.push({ path, problem, fix: RESTORE });
  }
  return findings;
}

/** A value as JSON with sorted keys; undefined for a value that is left out. */
function canonical(value: unknown): string | undefined {
  return JSON.stringify(
    value,
    (_key, each: unknown) =>
      typeof each !== "object" || each === null || Array.isArray(each)
        ? each
        : Object.fromEntries(Object.entries(each).sort(([a], [b]) => a < b ? -1 : a > b ? 1 : 0)),
  );
}

/**
 * Whether every whole line of `log.jsonl` can be read, numbers rise, and each message it announces is on record. A last
 * line cut short is what a crash leaves.
 */
export function checkLog(
  log: readonly (LoggedEvent | undefined)[],
  facts: readonly Fact[],
): Finding[] {
  const there = new Set<number>();
  for (const fact of facts) if (fact.type === "message") there.add(fact.seq);
  const findings: Finding[] = [];
  let last = 0;
  for (const [at, event] of log.entries()) {
    const problem = event === undefined
      ? "it is no event"
      : event.n <= last
      ? `its number ${event.n} does not follow ${last}`
      : event.message !== undefined && !there.has(event.message)
      ? `it announces message ${event.message}, which is missing`
      : undefined;
    last = Math.max(last, event?.n ?? 0);
    if (problem === undefined) continue;
    findings.push({
      path: "log.jsonl",
      problem: `line ${at + 1}: ${problem}`,
      fix: event?.message === undefined
        ? "Remove the log and write it again: convenings index DIR."
        : `Put the file of message ${event.message} back, or fork before it.`,
    });
  }
  return findings;
}

/** A line of a log: its number, and that of the message it announces. */
interface LoggedEvent {
  readonly n: number;
  readonly message: number | undefined;
}

/** The whole lines of a log; undefined for a line that is no event. Nothing of a log that cannot be read. */
export async function readLog(
  files: FileSystem,
  path: string,
): Promise<(LoggedEvent | undefined)[]> {
  const events: (LoggedEvent | undefined)[] = [];
  try {
    for await (const line of wholeLines(files, path)) events.push(eventOf(line));
  } catch (error) {
    if (!(error instanceof FileError || error instanceof RecordError)) throw error;
  }
  return events;
}

function eventOf(line: string): LoggedEvent | undefined {
  try {
    const event = JSON.parse(line) as {
      readonly n?: unknown;
      readonly type?: unknown;
      readonly message?: { readonly seq?: unknown };
    };
    if (typeof event.n !== "number" || typeof event.type !== "string") {
      return undefined;
    }
    const seq = event.message?.seq;
    return {
      n: event.n,
      message: event.type === "message" && typeof seq === "number" ? seq : undefined,
    };
  } catch {
    return undefined;
  }
}

/** Whether there is something at a path, of whatever kind. */
export async function isThere(files: FileSystem, path: string): Promise<boolean> {
  try {
    return await files.stat(path) !== undefined;
  } catch (error) {
    if (error instanceof RecordError) return true;
    throw error;
  }
}

/** The text of a file; undefined where there is none that can be read. */
export async function readText(
  files: FileSystem,
  path: string,
): Promise<string | undefined> {
  try {
    return await files.read(path);
  } catch (error) {
    if (error instanceof FileError || error instanceof RecordError) return undefined;
    throw error;
  }
}
