// Proves a convening's directory: its files are read, written again and compared; references, sums, log and order of the
// protocol are checked.
import { isDeepStrictEqual } from "node:util";
import { join } from "@std/path";
import type { Status } from "../core/fact.ts";
import { type FileSystem, isTemporary } from "../core/files.ts";
import { jsonIn } from "../core/json_text.ts";
import type { Message } from "../core/message.ts";
import { plainLine } from "../core/text.ts";
import { vectorIn, VECTORS } from "./answers.ts";
import { namesOf, renderFact } from "./codec.ts";
import { readFrontMatter } from "./frontmatter_reader.ts";
import { heldStatus } from "./list.ts";
import { wholeLines } from "./log.ts";
import { ifReadable, readText, RESTORE } from "./problems.ts";
import { type Finding, namingOf, readRecordLeniently, type RecordContents } from "./read.ts";
import { checkFacts } from "./verify_facts.ts";
import { RecordError } from "../core/error.ts";
import { loadTokenCounter } from "../core/tokens.ts";
import { DERIVED_PAGES, PageSources } from "./derived_pages.ts";
import { ASSESSMENT, PAPER_RESULTS, renderMetadata } from "./metadata_file.ts";
import { PAPER_PAGE, paperFolders } from "./papers.ts";
import { FORMAT, PAGES } from "./frontmatter.ts";
import type { Measure } from "./markdown.ts";
import { RecordModel } from "./record_model.ts";
import { TRANSCRIPT_FORMATS } from "./transcript.ts";

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

/** The result of verifying a directory. */
export interface Verification {
  /** Nothing for a sound record, finished or not. */
  readonly findings: readonly Finding[];
  /** Checks that could not be made, as a sentence; absent where all were. */
  readonly unchecked?: string;
  /** Number of message files that could be read. */
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
  // Read before the messages it announces: the convening may run meanwhile.
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
  const version = await pagesVersion(files, dir);
  findings.push(...await checkPages(files, contents, { isSound: findings.length === 0, version }));
  findings.push(...await checkVectors(files, contents.dir));
  const status = await heldStatus(files, dir, contents.status);
  const verification = { findings, messages: there.size, status };
  if (version === PAGES || !hasEnded(contents)) return verification;
  const unchecked =
    `Derived pages were not compared: they have version ${version}; convenings index DIR writes version ${PAGES}.`;
  return { ...verification, unchecked };
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
    const written = renderFact(fact, naming);
    if (text === undefined || text === written) continue;
    const { data, body } = readFrontMatter(text, path);
    const expected = readFrontMatter(written, path);
    for (const key of Object.keys({ ...expected.data, ...data })) {
      const [is, should] = [data[key], expected.data[key]];
      if (!(key in expected.data)) {
        const problem = `its key ${shown(key)} is none of the format's`;
        findings.push({ path, problem, fix: "Take the key out." });
      } else if (!isDeepStrictEqual(is, should)) {
        const problem = `its ${key} is ${shown(is)}, not ${shown(should)}`;
        findings.push({ path, problem, fix: RESTORE });
      }
    }
    if (body === expected.body) continue;
    const problem = "its body does not say what its front matter says";
    findings.push({ path, problem, fix: RESTORE });
  }
  return findings;
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
  const { n, type, message } = (jsonIn(text) ?? {}) as {
    readonly n?: unknown;
    readonly type?: unknown;
    readonly message?: Partial<Message>;
  };
  if (typeof n !== "number" || typeof type !== "string") return undefined;
  return { n, message: type === "message" ? message?.seq : undefined };
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

/** The advice for a derived file that does not say what the truth files say. */
export const REBUILD = "Write the derived files again: convenings index DIR.";

/** The most tokens of an index page. */
const PAGE_TOKENS = 2000;
const MISSING = "it is missing";

/** The version of a record's derived pages: today's where `index.md` cannot be read, whose problem is found by itself. */
async function pagesVersion(files: FileSystem, dir: string): Promise<number> {
  const text = await readText(files, join(dir, "index.md"));
  try {
    const { pages = 1 } = readFrontMatter(text ?? "", "index.md").data;
    return typeof pages === "number" ? pages : PAGES;
  } catch {
    return PAGES;
  }
}

function hasEnded({ status }: RecordContents): boolean {
  return status === "completed" || status === "stopped";
}

/**
 * Finds problems of derived files. Only files of a finished convening whose truth files are sound must be up to date; of
 * another version their words are not compared.
 */
async function checkPages(
  files: FileSystem,
  contents: RecordContents,
  { isSound, version }: { readonly isSound: boolean; readonly version: number },
): Promise<Finding[]> {
  const measure = await loadTokenCounter();
  const isFinished = hasEnded(contents);
  const findings = await checkIndexPages(files, contents.dir, { measure, isFinished });
  if (!isFinished || !isSound) return findings;
  const bad = new Set(findings.map(({ path }) => path));
  const model = RecordModel.of(contents);
  const derived = [
    ...checkResult(contents, model),
    ...await checkMetadata(files, model, { dir: contents.dir, version }),
    ...await checkTranscripts(files, contents.dir, model),
    ...version === PAGES ? await checkDerived(files, contents.dir, { model, measure }) : [],
  ];
  return [...findings, ...derived.filter(({ path }) => !bad.has(path))];
}

/** Index pages: whether they are there, short enough, of our format, and their links lead to what is there. */
async function checkIndexPages(
  files: FileSystem,
  dir: string,
  { measure, isFinished }: { readonly measure: Measure; readonly isFinished: boolean },
): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const path of await indexPages(files, dir)) {
    const text = await readText(files, join(dir, path));
    const problems = text !== undefined
      ? pageProblems(text, path, measure)
      : isFinished
      ? [MISSING]
      : [];
    for (const target of isFinished ? linksOf(path, text ?? "") : []) {
      const problem = await linkProblem(files, dir, { page: path, target });
      if (problem !== undefined) problems.push(problem);
    }
    for (const problem of problems) findings.push({ path, problem, fix: REBUILD });
  }
  return findings;
}

async function indexPages(files: FileSystem, dir: string): Promise<string[]> {
  const pages = ["index.md"];
  for (const folder of ["pages", ...await paperFolders(files, dir)]) {
    for (const { name, isFolder } of await files.list(join(dir, folder))) {
      if (!isFolder && name.endsWith(".md") && !isTemporary(name)) pages.push(`${folder}/${name}`);
    }
  }
  return pages;
}

function pageProblems(text: string, path: string, measure: Measure): string[] {
  const tokens = measure(text);
  const problems = tokens > PAGE_TOKENS
    ? [`it has ${tokens} tokens, more than ${PAGE_TOKENS}`]
    : [];
  try {
    const { format } = readFrontMatter(text, path).data;
    if (format !== FORMAT) problems.push(`its format is ${shown(format)}, not ${shown(FORMAT)}`);
  } catch (error) {
    problems.push(error instanceof Error ? error.message : String(error));
  }
  return problems;
}

/** The targets of a page's own links: brackets in participants' words are escaped, and words of a paper are left out. */
function linksOf(path: string, text: string): string[] {
  const body = text.replace(/^---\n[\s\S]*?\n---\n/, "");
  const own = PAPER_PAGE.test(path) ? body.slice(0, body.indexOf("\n") + 1) : body;
  return [...own.matchAll(/(?<!\\)\]\(([^()\s]*)\)/g)].map(([, target]) => target ?? "");
}

async function linkProblem(
  files: FileSystem,
  dir: string,
  { page, target }: { readonly page: string; readonly target: string },
): Promise<string | undefined> {
  const path = join(page, "..", target.replace(/#.*$/, "")).replaceAll("\\", "/");
  // The day's index is another process's to write, and a copied directory has none.
  if (page === "index.md" && path === "../index.md") return undefined;
  if (/^[a-z][a-z0-9+.-]*:/i.test(target) || target.startsWith("/")) {
    return `its link ${target} is not relative`;
  }
  if (path === ".." || path.startsWith("../")) {
    return `its link ${target} leads out of the directory`;
  }
  // Whatever is in the place: what is no plain file is found with the names.
  const isThere = await ifReadable(
    async () => await files.stat(join(dir, path)) !== undefined,
    (error) => error instanceof RecordError,
  );
  return isThere ? undefined : `its link ${target} leads nowhere`;
}

/** Compares derived pages with what the truth files make. */
async function checkDerived(
  files: FileSystem,
  dir: string,
  { model, measure }: { readonly model: RecordModel; readonly measure: Measure },
): Promise<Finding[]> {
  const findings: Finding[] = [];
  const index = await readText(files, join(dir, "index.md")) ?? "";
  // A transcript made since is no fault of the index; a link to one that is gone is found with the links.
  const linked = index.matchAll(/\]\((transcript\.[a-z]+)\)/g);
  const transcripts = [...linked].map(([, name = ""]) => name);
  const sources = new PageSources(model, { measure, transcripts });
  for (const row of DERIVED_PAGES) {
    for (const { path, text: expected } of await row.pages(sources)) {
      const text = await readText(files, join(dir, path));
      if (text === expected) continue;
      const problem = text === undefined ? MISSING : "it does not say what the truth files say";
      findings.push({ path, problem, fix: REBUILD });
    }
  }
  return findings;
}

/** Transcripts of the record that are missing. */
async function checkTranscripts(
  files: FileSystem,
  dir: string,
  { transcripts }: RecordModel,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const format of transcripts) {
    const { file: path } = TRANSCRIPT_FORMATS[format];
    if (await files.stat(join(dir, path)) !== undefined) continue;
    findings.push({ path, problem: MISSING, fix: REBUILD });
  }
  return findings;
}

/** The outcome against the verdicts it follows from. */
function checkResult(
  { outcome, winner = null, status }: RecordContents,
  { assessment: expected }: RecordModel,
): Finding[] {
  if (status !== "completed") return [];
  if (outcome === expected.outcome && winner === expected.winner) return [];
  const made = `${shown(expected.outcome)} for ${shown(expected.winner)}`;
  return [{
    path: "metadata.md",
    problem: `it says ${shown(outcome)} for ${shown(winner)}, but the truth files come to ${made}`,
    fix: "Put metadata.md back as it was, then: convenings index DIR.",
  }];
}

/** The keys of `metadata.md` that follow from the truth files, and mean the same in every version of derived pages. */
const NUMBER_KEYS: readonly string[] = ["scores", "unscored", "usage", "statistics"];
/** Keys of `metadata.md` with findings, which versions of derived pages word in their own ways. */
const FINDING_KEYS = Object.keys({ ...ASSESSMENT, ...PAPER_RESULTS })
  .map((name) => namesOf(name).key);

/** Compares the derived keys of `metadata.md` with those that the truth files make. */
async function checkMetadata(
  files: FileSystem,
  model: RecordModel,
  { dir, version }: { readonly dir: string; readonly version: number },
): Promise<Finding[]> {
  const path = "metadata.md";
  const rendered = renderMetadata(model.start, model.progress, model.results);
  const { data: expected } = readFrontMatter(rendered, path);
  const { data } = readFrontMatter(await readText(files, join(dir, path)) ?? "", path);
  const names = version === PAGES ? [...NUMBER_KEYS, ...FINDING_KEYS] : NUMBER_KEYS;
  const keys = names.map((key) => [key, shown(data[key]), shown(expected[key])]);
  const positions = ["position of participants", positionsIn(data), positionsIn(expected)];
  return [...keys, positions].filter(([, is, should]) => is !== should).map((
    [key, is, should],
  ) => ({
    path,
    problem: `its ${key} is ${is}, but the truth files make it ${should}`,
    fix: REBUILD,
  }));
}

/** The positions that participants are shown with, and the messages that these are from. */
function positionsIn({ participants }: Readonly<Record<string, unknown>>): string {
  return shown(
    Array.isArray(participants)
      ? participants.map(({ id, position, position_from: from }) => ({ id, position, from }))
      : undefined,
  );
}

/** A value of front matter, as findings show it. */
function shown(value: unknown): string {
  return value === undefined ? "missing" : JSON.stringify(value);
}
