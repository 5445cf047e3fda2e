// Proves a convening's directory: its files are read, written again and compared; references, sums, log and order of the
// protocol are checked.
import { join } from "@std/path";
import type { Fact, Status } from "../core/fact.ts";
import { type FileSystem, isTemporary } from "../core/files.ts";
import { plainLine } from "../core/text.ts";
import { vectorIn, VECTORS } from "./answers.ts";
import { factBody, factData } from "./codec.ts";
import { readFrontMatter } from "./frontmatter_reader.ts";
import { heldStatus } from "./list.ts";
import { wholeLines } from "./log_reader.ts";
import { ifReadable, readText, RESTORE } from "./problems.ts";
import { type Finding, namingOf, readRecordLeniently, type RecordContents } from "./read.ts";
import { checkFacts } from "./verify_facts.ts";
import { checkPages, shown } from "./verify_pages.ts";

/** Options of {@linkcode verifyRecord}. */
export interface VerifyOptions {
  /**
   * Finds what only the kinds of the convening and of its facts tell, such as a message that was lost though a later turn
   * had waited for it. @default nothing: what links and the status tell
   */
  readonly check?: (
    contents: RecordContents,
  ) => readonly Finding[] | Promise<readonly Finding[]>;
}

/** What verifying a directory brought. */
export interface Verification {
  /** Nothing for a sound record, finished or not. */
  readonly findings: readonly Finding[];
  /** What could not be checked, as a sentence; absent where all was. */
  readonly unchecked?: string;
  /** How many message files could be read. */
  readonly messages: number;
  /** `interrupted`: recorded as running, and no process holds the lock. Absent when `metadata.md` cannot be read. */
  readonly status?: Status | "interrupted";
}

/** Proves a convening's directory against the format; writes nothing. Fails with `not_found` where there is no convening. */
export async function verifyRecord(
  files: FileSystem,
  dir: string,
  { check = () => [] }: VerifyOptions = {},
): Promise<Verification> {
  // Read before the messages it announces: the convening may go on meanwhile.
  const log = await readLog(files, join(dir, "log.jsonl"));
  const { contents, files: facts, problems } = await readRecordLeniently(files, dir);
  const bad = new Set(problems.map(({ path }) => path));
  const there = new Set<number>();
  for (const fact of facts.values()) if (fact.type === "message") there.add(fact.seq);
  const findings = [
    ...problems,
    ...(await checkNames(files, dir)).filter(({ path }) => !bad.has(path)),
    // Of a directory that was refused no message was read.
    ...contents === undefined && facts.size === 0 ? [] : checkLog(log, there),
  ];
  if (contents === undefined) return { findings, messages: there.size };
  findings.push(
    ...checkFacts(contents),
    ...await checkWritten(files, contents),
    ...await check(contents),
  );
  findings.push(...await checkPages(files, contents, findings.length === 0));
  findings.push(...await checkVectors(files, contents.dir));
  const status = await heldStatus(files, dir, contents.status);
  return { findings, messages: there.size, status };
}

/** Entries that are neither files nor folders, and names that no program of ours writes. Unknown files are let be. */
async function checkNames(files: FileSystem, dir: string): Promise<Finding[]> {
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

/** Compares each truth file with its fact, written again. */
async function checkWritten(
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
    for (const key of Object.keys({ ...expected, ...data })) {
      if (!(key in expected)) {
        const problem = `its key ${shown(key)} is none of the format's`;
        findings.push({ path, problem, fix: "Take the key out." });
      } else if (canonical(data[key]) !== canonical(expected[key])) {
        const problem = `its ${key} is ${shown(data[key])}, not ${shown(expected[key])}`;
        findings.push({ path, problem, fix: RESTORE });
      }
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

/** Lines of the vectors' file that hold no vector: a cache, which nothing depends on. */
async function checkVectors(files: FileSystem, dir: string): Promise<Finding[]> {
  const findings: Finding[] = [];
  await ifReadable(async () => {
    let number = 0;
    for await (const line of wholeLines(files, join(dir, VECTORS))) {
      number++;
      if (vectorIn(line) !== undefined) continue;
      findings.push({
        path: VECTORS,
        problem: `line ${number}: it is no vector`,
        fix: "Remove the line: its text is embedded again where its vector is needed.",
      });
    }
  }, () => {});
  return findings;
}

/** A line of a log: its number, and that of the message it announces. */
interface LoggedLine {
  readonly n: number;
  readonly message: number | undefined;
}

/** The whole lines of a log; undefined for a line that is no event. Nothing of a log that cannot be read. */
async function readLog(files: FileSystem, path: string): Promise<(LoggedLine | undefined)[]> {
  const lines: (LoggedLine | undefined)[] = [];
  await ifReadable(async () => {
    for await (const line of wholeLines(files, path)) lines.push(lineOf(line));
  }, () => {});
  return lines;
}

function lineOf(text: string): LoggedLine | undefined {
  try {
    const { n, type, message } = JSON.parse(text) as {
      readonly n?: unknown;
      readonly type?: unknown;
      readonly message?: Partial<Extract<Fact, { type: "message" }>>;
    };
    if (typeof n !== "number" || typeof type !== "string") return undefined;
    return { n, message: type === "message" ? message?.seq : undefined };
  } catch {
    return undefined;
  }
}

/** Lines of the log that are no events or out of order, or announce a message that is missing. */
function* checkLog(
  log: readonly (LoggedLine | undefined)[],
  there: ReadonlySet<number>,
): Generator<Finding> {
  let last = 0;
  for (const [at, line] of log.entries()) {
    const { n = 0, message } = line ?? {};
    const problem = line === undefined
      ? "it is no event"
      : n <= last
      ? `its number ${n} does not follow ${last}`
      : message !== undefined && !there.has(message)
      ? `it announces message ${message}, which is missing`
      : undefined;
    last = Math.max(last, n);
    if (problem === undefined) continue;
    yield {
      path: "log.jsonl",
      problem: `line ${at + 1}: ${problem}`,
      fix: message === undefined
        ? "Remove the log and write it again: convenings index DIR."
        : `Put the file of message ${message} back, or fork before it.`,
    };
  }
}
