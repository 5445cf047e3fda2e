import { join } from "@std/path";
import type { Status } from "../core/fact.ts";
import type { FileSystem } from "../core/files.ts";
import { loadTokenCounter } from "../core/tokens.ts";
import { heldStatus } from "./list.ts";
import { readRecordLeniently, type RecordContents, type RecordProblem } from "./read.ts";
import { checkDerived } from "./verify_derived.ts";
import { checkFacts } from "./verify_facts.ts";
import { checkLog, checkNames, checkWritten, readLog } from "./verify_files.ts";
import { type Finding, RESTORE } from "./verify_finding.ts";
import { checkIndexPages } from "./verify_pages.ts";

/** Options of {@linkcode verifyRecord}. */
export interface VerifyOptions {
  /**
   * Plays the convening's protocol against the record, to find a message that was lost though a later turn had waited
   * for it. @default none: what links and the status tell
   */
  readonly checkOrder?: (
    contents: RecordContents,
  ) => Finding | undefined | Promise<Finding | undefined>;
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
  { checkOrder }: VerifyOptions = {},
): Promise<Verification> {
  // Read before the messages it announces: the convening may go on meanwhile.
  const log = await readLog(files, join(dir, "log.jsonl"));
  const { contents, files: facts, problems } = await readRecordLeniently(files, dir);
  const bad = new Set(problems.map(({ path }) => path));
  const findings = [
    ...problems.map(asFinding),
    ...(await checkNames(files, dir)).filter(({ path }) => !bad.has(path)),
    // Of a directory that was refused no message was read.
    ...contents === undefined && facts.size === 0 ? [] : checkLog(log, [...facts.values()]),
  ];
  const messages = [...facts.values()]
    .filter(({ type }) => type === "message").length;
  if (contents === undefined) return { findings, messages };
  findings.push(
    ...checkFacts({ ...contents, files: facts }),
    ...await checkWritten(files, contents),
  );
  const order = await checkOrder?.(contents);
  if (order !== undefined) findings.push(order);
  findings.push(...await checkPages(files, contents, findings.length === 0));
  return { findings, messages, status: await heldStatus(files, dir, contents.status) };
}

/** Derived files are held to the truth files only where those are sound and the convening is done. */
async function checkPages(
  files: FileSystem,
  contents: RecordContents,
  isSound: boolean,
): Promise<Finding[]> {
  const countTokens = await loadTokenCounter();
  const isFinished = contents.status === "completed" ||
    contents.status === "stopped";
  const findings = await checkIndexPages(files, contents.dir, {
    countTokens,
    isFinished,
  });
  if (!isFinished || !isSound) return findings;
  const bad = new Set(findings.map(({ path }) => path));
  const derived = await checkDerived(files, contents, countTokens);
  return [...findings, ...derived.filter(({ path }) => !bad.has(path))];
}

function asFinding({ path, problem }: RecordProblem): Finding {
  const fix = path.startsWith("messages/") && problem.includes("sha256")
    ? "Put the text back, or take the change over into a new convening: convenings fork DIR --at N --edit FILE."
    : path === "messages"
    ? "Put the message's file back, or fork before it."
    : RESTORE;
  return { path, problem, fix };
}
