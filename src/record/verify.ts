// Verifies a convening's directory: reads its files, renders the facts again and compares; checks references, sums, the log
// and the order of the protocol. Also rebuilds derived files and a missing log.
import { isDeepStrictEqual } from "node:util";
import { join } from "@std/path";
import type { TranscriptFormat } from "../config/convening_config.ts";
import { errorMessage, RecordError } from "../core/error.ts";
import { hasEnded, type Status } from "../core/fact.ts";
import { type FileSystem, writeDurably } from "../core/files.ts";
import { compareTexts, defined, type JsonObject, listIn, objectIn } from "../core/values.ts";
import { counted, oneLine, plainLine, thousands, withoutHeadings } from "../core/text.ts";
import { loadTokenCounter } from "../core/tokens.ts";
import { namingOf, renderFact } from "./codec.ts";
import { derivedPages, renderMetadata } from "./derived_files.ts";
import { openRecord } from "./directory_record.ts";
import { FORMAT, hasAllEscapes, type Measure, PAGES, withoutFrontMatter } from "./frontmatter.ts";
import { readFrontMatter } from "./read_pages.ts";
import { namesOf } from "./fact_row.ts";
import { heldStatus } from "./archive.ts";
import { eventsOf, loggedLine, logLine, wholeLines } from "./log.ts";
import { ASSESSMENT, PAPER_RESULTS } from "./metadata_file.ts";
import { PAPER_PAGE, paperFolders } from "./papers.ts";
import { corrupt, ifReadable, readText, RESTORE, withRecordErrors } from "./problems.ts";
import { type Finding, readRecord, readRecordLeniently } from "./read.ts";
import { type RecordContents, RecordModel, transcriptFile } from "./record_model.ts";
import { vectorIn, VECTORS } from "./shelves.ts";
import { renderTranscript } from "./transcript.tsx";
import { checkFacts, checkLog } from "./verify_facts.ts";

/** Result of verifying a directory. */
export interface Verification {
  /** Problems; empty for a sound record, finished or not. */
  readonly findings: readonly Finding[];
  /** A sentence on checks that were skipped; absent if all checks were made. */
  readonly unchecked?: string;
  /** Number of readable message files. */
  readonly messages: number;
  /** Recorded status, or `interrupted`: `running` with no process holding the lock. Absent when `metadata.md` is unreadable. */
  readonly status?: Status | "interrupted";
}

interface Place {
  readonly files: FileSystem;
  readonly dir: string;
}

/** Verifies a convening's directory and writes nothing. Fails with `not_found` where there is no convening. */
export async function verifyRecord(files: FileSystem, dir: string, { check = () => [] }: {
  /**
   * Returns findings that need the rules of the convening's kind or of added kinds of facts, such as a missing message that a
   * later turn depended on. @default no further findings
   */
  readonly check?: (contents: RecordContents) => readonly Finding[] | Promise<readonly Finding[]>;
} = {}): Promise<Verification> {
  const place = { files, dir };
  // The log is read before the messages that it announces, because the convening may be running.
  const log = await readLines(place, "log.jsonl", loggedLine);
  const { contents, files: facts, problems } = await readRecordLeniently(files, dir);
  const damaged = new Set(problems.map(({ path }) => path));
  const seqs = new Set<number>();
  for (const fact of facts.values()) if (fact.type === "message") seqs.add(fact.seq);
  const names = await Array.fromAsync(checkNames(place));
  const first = [
    ...problems,
    ...names.filter(({ path }) => !damaged.has(path)),
  ];
  // Of a rejected directory no message was read.
  const ofLog = contents === undefined && facts.size === 0 ? [] : checkLog(log, seqs);
  if (contents === undefined) return { findings: [...first, ...ofLog], messages: seqs.size };
  // Lists are joined without `push`: a log may have more findings than a call can have arguments.
  const ofFacts = [
    ...first,
    ...checkFacts(contents),
    ...await Array.fromAsync(checkWritten(place, contents)),
    ...await check(contents),
  ];
  const version = await pagesVersion(place);
  const pages = checkPages(place, contents, { isSound: ofFacts.length === 0, version });
  const vectorLines = await readLines(place, VECTORS, (line) => vectorIn(line) !== undefined);
  const findings = [
    ...ofFacts,
    ...ofLog,
    ...await Array.fromAsync(pages),
    ...vectorLines.flatMap((isVector, index) => isVector ? [] : [vectorFinding(index + 1)]),
  ];
  const status = await heldStatus(files, dir, contents.status);
  const verification = { findings, messages: seqs.size, status };
  if (version === PAGES || !hasEnded(contents.status)) return verification;
  const unchecked =
    `Derived pages were not compared: they have version ${version}; convenings index DIR writes version ${PAGES}.`;
  return { ...verification, unchecked };
}

/** Returns the values of the complete lines of a file, in order; an empty list for a file that cannot be read. */
async function readLines<T>(
  { files, dir }: Place,
  name: string,
  valueOf: (line: string) => T,
): Promise<T[]> {
  const values: T[] = [];
  await ifReadable(async () => {
    for await (const line of wholeLines(files, join(dir, name))) values.push(valueOf(line));
  }, () => {});
  return values;
}

/** Finds entries that are neither files nor folders, and names with a backslash or control character; others are allowed. */
async function* checkNames({ files, dir }: Place): AsyncGenerator<Finding> {
  const folders = (await files.list(dir)).filter(({ isFolder }) => isFolder);
  for (const folder of ["", ...folders.map(({ name }) => name)]) {
    for (const { name, isOther } of await files.list(join(dir, folder))) {
      const path = folder === "" ? name : `${folder}/${name}`;
      if (isOther === true) {
        yield {
          path,
          problem: "it is neither a file nor a folder, and may lead out of the directory",
          fix: "Replace it with a plain file or folder, or remove it.",
        };
      } else if (/[\p{Cc}\\]/u.test(name)) {
        const problem = "its name has a backslash or a control character";
        yield { path: plainLine(path), problem, fix: "Rename or remove it." };
      }
    }
  }
}

async function* checkWritten(
  { files, dir }: Place,
  contents: RecordContents,
): AsyncGenerator<Finding> {
  const naming = namingOf(contents);
  for (const [path, fact] of contents.files) {
    const text = await readText(files, join(dir, path));
    const written = renderFact(fact, naming);
    if (text === undefined || text === written) continue;
    const { data, body } = readFrontMatter(text, path);
    const expected = readFrontMatter(written, path);
    for (const key of Object.keys({ ...expected.data, ...data })) {
      const [is, should] = [data[key], expected.data[key]];
      // The file of the answered message is missing, which is another finding.
      if (key === "answers" && should === undefined && fact.type === "message" && fact.replyTo) {
        continue;
      }
      if (!(key in expected.data)) {
        const problem = `the format has no key ${shown(key)}`;
        yield { path, problem, fix: "Remove the key." };
      } else if (key === "gist" && isWordsOf(String(is), expected.body)) {
        continue;
      } else if (!isDeepStrictEqual(is, should)) {
        yield { path, problem: `its ${key} is ${shown(is)}, not ${shown(should)}`, fix: RESTORE };
      }
    }
    if (hasAllEscapes(body, expected.body)) continue;
    yield { path, problem: "its body does not say what its front matter says", fix: RESTORE };
  }
}

/** Returns true for words of a body, which earlier versions cut to a gist by other rules. */
function isWordsOf(gist: string, body: string): boolean {
  const words = gist.replace(/…$/, "");
  return words !== "" &&
    [body, withoutHeadings(body)].some((text) => oneLine(text).includes(words));
}

/** Returns the finding for a line without a vector. The file is only a cache. */
function vectorFinding(line: number): Finding {
  return {
    path: VECTORS,
    problem: `line ${line}: it is not a vector`,
    fix: "Remove the line: its text is embedded again where its vector is needed.",
  };
}

const REBUILD = "Write the derived files again: convenings index DIR.";

const PAGE_TOKENS = 2000;
const MISSING = "it is missing";
const METADATA = "metadata.md";

/** Returns the version of derived pages; the current one if `index.md` is unreadable, which is a finding of its own. */
async function pagesVersion({ files, dir }: Place): Promise<number> {
  const text = await readText(files, join(dir, "index.md"));
  try {
    const { pages = 1 } = readFrontMatter(text ?? "", "index.md").data;
    return typeof pages === "number" ? pages : PAGES;
  } catch {
    return PAGES;
  }
}

/**
 * Finds problems of derived files. They must be up to date only in a finished convening whose truth files are sound. The
 * texts of pages of another version are not compared.
 */
async function* checkPages(
  place: Place,
  contents: RecordContents,
  { isSound, version }: { readonly isSound: boolean; readonly version: number },
): AsyncGenerator<Finding> {
  const measure = await loadTokenCounter();
  const isFinished = hasEnded(contents.status);
  const damaged = new Set<string>();
  for await (const finding of checkIndexPages(place, { measure, isFinished })) {
    damaged.add(finding.path);
    yield finding;
  }
  if (!isFinished || !isSound) return;
  const model = RecordModel.of(contents);
  const lost = lostFacts(model);
  if (lost.length > 0) return yield* lost;
  const derived = [
    ...checkResult(contents, model),
    ...await checkMetadata(place, model, version),
    ...await Array.fromAsync(checkTranscripts(place, model)),
    ...version === PAGES ? await Array.fromAsync(checkDerived(place, model, measure)) : [],
  ];
  yield* derived.filter(({ path }) => !damaged.has(path));
}

/** Checks that each index page exists, is within the token limit, has the right format, and has links that resolve. */
async function* checkIndexPages(
  place: Place,
  { measure, isFinished }: { readonly measure: Measure; readonly isFinished: boolean },
): AsyncGenerator<Finding> {
  for (const path of await indexPages(place)) {
    const text = await readText(place.files, join(place.dir, path));
    const problems = text === undefined
      ? isFinished ? [MISSING] : []
      : pageProblems(text, path, measure);
    for (const target of isFinished ? linksOf(path, text ?? "") : []) {
      if (!await isReachable(place, path, target)) {
        problems.push(`its link ${target} leads nowhere`);
      }
    }
    for (const problem of problems) yield { path, problem, fix: REBUILD };
  }
}

async function indexPages({ files, dir }: Place): Promise<string[]> {
  const pages = ["index.md"];
  for (const folder of ["pages", ...await paperFolders(files, dir)]) {
    for (const { name, isFolder } of await files.list(join(dir, folder))) {
      if (!isFolder && name.endsWith(".md")) pages.push(`${folder}/${name}`);
    }
  }
  return pages;
}

function pageProblems(text: string, path: string, measure: Measure): string[] {
  const tokens = measure(text);
  const problems = tokens > PAGE_TOKENS
    ? [`it has ${counted(tokens, "token")}, more than ${thousands(PAGE_TOKENS)}`]
    : [];
  try {
    const { format } = readFrontMatter(text, path).data;
    if (format !== FORMAT) problems.push(`its format is ${shown(format)}, not ${shown(FORMAT)}`);
  } catch (error) {
    problems.push(errorMessage(error));
  }
  return problems;
}

/** Returns the targets of a page's own links: quoted brackets are escaped, and the text of a paper is skipped. */
function linksOf(path: string, text: string): string[] {
  const body = withoutFrontMatter(text);
  const own = PAPER_PAGE.test(path) ? body.slice(0, body.indexOf("\n") + 1) : body;
  return [...own.matchAll(/(?<!\\)\]\(([^()\s]*)\)/g)].map(([, target]) => target ?? "");
}

async function isReachable({ files, dir }: Place, page: string, target: string): Promise<boolean> {
  const path = join(page, "..", target.replace(/#.*$/, "")).replaceAll("\\", "/");
  // Another process writes the index of the day, and a copied directory has none.
  if (page === "index.md" && path === "../index.md") return true;
  if (/^(?:[a-z][a-z0-9+.-]*:|\/)/i.test(target) || /^\.\.(?:\/|$)/.test(path)) return false;
  // Any entry counts as a target; `checkNames` finds entries that are not plain files.
  return await ifReadable(
    async () => await files.stat(join(dir, path)) !== undefined,
    (error) => error instanceof RecordError,
  );
}

async function* checkDerived(
  { files, dir }: Place,
  model: RecordModel,
  measure: Measure,
): AsyncGenerator<Finding> {
  const index = await readText(files, join(dir, "index.md")) ?? "";
  // A transcript that was exported later need not be in the index; a link to a removed transcript is found with the links.
  const linked = index.matchAll(/\]\((transcript\.[a-z]+)\)/g);
  const transcripts = [...linked].map(([, name = ""]) => name);
  const { rows } = await derivedPages(model, { measure, transcripts });
  for (const row of rows) {
    for (const { path, text: expected } of await row.pages()) {
      const text = await readText(files, join(dir, path));
      if (text === expected || text?.replaceAll("\r\n", "\n") === expected) continue;
      const problem = text === undefined ? MISSING : "it does not say what the truth files say";
      yield { path, problem, fix: REBUILD };
    }
  }
}

async function* checkTranscripts(
  { files, dir }: Place,
  { transcripts }: RecordModel,
): AsyncGenerator<Finding> {
  for (const format of transcripts) {
    const path = transcriptFile(format);
    if (await files.stat(join(dir, path)) === undefined) {
      yield { path, problem: MISSING, fix: REBUILD };
    }
  }
}

function checkResult(
  { outcome, winner = null, status }: RecordContents,
  { assessment: expected }: RecordModel,
): Finding[] {
  if (status !== "completed") return [];
  if (outcome === expected.outcome && winner === expected.winner) return [];
  const made = `${shown(expected.outcome)} for ${shown(expected.winner)}`;
  return [{
    path: "metadata.md",
    problem: `it says ${shown(outcome)} for ${shown(winner)}, but the truth files give ${made}`,
    fix: "Put metadata.md back as it was, then: convenings index DIR.",
  }];
}

/** Keys of `metadata.md` that follow from the truth files and have the same meaning in every version of derived pages. */
const NUMBER_KEYS: readonly string[] = ["scores", "unscored", "usage", "statistics"];
/** Keys of `metadata.md` with findings, whose wording depends on the version of derived pages. */
const FINDING_KEYS = Object.keys({ ...ASSESSMENT, ...PAPER_RESULTS })
  .map((name) => namesOf(name).key);

/** Throws `record_corrupt` if `metadata.md` of an ended convening counts more facts than there are. */
export function refuseLosses(contents: RecordContents): void {
  const [lost] = lostFacts(RecordModel.of(contents));
  if (lost !== undefined) throw damageOf(contents.dir, lost);
}

/** Finds types of facts of which `metadata.md` counts more than there are. */
function lostFacts({ lost }: RecordModel): Finding[] {
  return lost.map(([name, counted, count]) => ({
    path: METADATA,
    problem: `it counts ${counted} ${name}, but the truth files have ${count}`,
    fix: "Put the missing files back, or accept the loss: convenings index DIR.",
  }));
}

/** Compares the derived keys of `metadata.md` with the values that follow from the truth files. */
async function checkMetadata(
  { files, dir }: Place,
  model: RecordModel,
  version: number,
): Promise<Finding[]> {
  const text = await readText(files, join(dir, METADATA)) ?? "";
  const { data: given } = readFrontMatter(text, METADATA);
  const { data: expected } = readFrontMatter(renderMetadata(model), METADATA);
  // The first version had fewer types of facts, and counts of these alone.
  const zeros = Object.fromEntries(
    Object.keys(objectIn(expected["statistics"])).map((type) => [type, 0]),
  );
  const data: JsonObject = { ...given, statistics: { ...zeros, ...objectIn(given["statistics"]) } };
  const names = version === PAGES ? [...NUMBER_KEYS, ...FINDING_KEYS] : NUMBER_KEYS;
  const keys = names
    .filter((key) => version >= EVEN_TOTALS || !earlierTotals(data, expected).includes(key))
    .map((key) => [key, shown(data[key]), shown(expected[key])]);
  const positions = ["position of participants", positionsIn(data), positionsIn(expected)];
  return [...keys, positions].filter(([, is, should]) => is !== should).map((
    [key, is, should],
  ) => ({
    path: METADATA,
    problem: `its ${key} is ${is}, but the truth files make it ${should}`,
    fix: REBUILD,
  }));
}

/**
 * Version of derived pages since which a criterion counts only if every side was scored by it. In earlier totals, such a
 * criterion counted as 0 for a side that was not scored by it.
 */
const EVEN_TOTALS = 6;

/**
 * Returns the keys that follow the rules of earlier versions: nobody has a total if one side has no readable score, or totals
 * also count criteria that did not apply to every side, or scores of turns that another side does not have.
 */
function earlierTotals(data: JsonObject, expected: JsonObject): readonly string[] {
  const given = objectIn(data["scores"]);
  const sides = Object.entries(objectIn(expected["scores"]))
    .map(([id, value]) => [objectIn(given[id]), objectIn(value)] as const);
  const { length: unread } = listIn(expected["unscored"]);
  const isEmpty = unread > 0 && Object.keys(given).length === 0 &&
    listIn(data["unscored"]).length === unread + sides.length;
  if (isEmpty) return ["scores", "unscored"];
  const countsAll = sides.some(([is, should]) => "unmatched" in should && !("unmatched" in is));
  const isUneven = sides.length > 0 && sides.every(([is, should]) => {
    const read = (side: JsonObject) => Number(side["scored"]) + Number(side["unmatched"] ?? 0);
    if (is["missing"] !== should["missing"] || read(is) !== read(should)) return false;
    const [ours, theirs] = [objectIn(should["breakdown"]), objectIn(is["breakdown"])];
    return countsAll || Object.keys(theirs).length > Object.keys(ours).length &&
        Object.entries(ours).every(([criterion, mean]) => theirs[criterion] === mean);
  });
  return isUneven ? ["scores"] : [];
}

/** Serializes the positions of participants, with the messages that state them. */
function positionsIn({ participants }: JsonObject): string {
  return shown(
    Array.isArray(participants)
      ? participants.map(({ id, position, position_from: from }) => ({ id, position, from }))
      : undefined,
  );
}

function shown(value: unknown): string {
  return value === undefined ? "missing" : JSON.stringify(value);
}

/**
 * Rewrites every derived file of the convening in `dir`, a missing `log.jsonl`, and the indexes of the archive. Truth files
 * stay unchanged. Fails with `not_found`, `locked`, `record_corrupt` or `record_unwritable`.
 */
export async function rebuildIndex(files: FileSystem, dir: string): Promise<void> {
  const record = await openRecord(files, { dir });
  try {
    await record.refreshMetadata();
    const path = join(dir, "log.jsonl");
    if (await files.stat(path) !== undefined) return;
    await writeDurably(files, path, rebuiltLog(await readRecord(files, dir)));
  } finally {
    await record.close();
  }
}

function rebuiltLog({ start, facts }: RecordContents): string {
  const made = facts.toSorted((a, b) => compareTexts(a.createdAt, b.createdAt));
  return eventsOf(start, made).map(logLine).join("");
}

/**
 * Repairs the derived files of the convening in `dir` that `verify` finds missing or outdated. Returns their paths; an empty
 * list if there is nothing to repair. Fails as {@linkcode rebuildIndex} does, and with `record_corrupt` if a truth file is
 * missing or damaged.
 */
export async function mendRecord(files: FileSystem, dir: string): Promise<readonly string[]> {
  const { findings } = await verifyRecord(files, dir);
  const damage = findings.find(({ path, fix }) =>
    fix !== REBUILD && path !== "log.jsonl" && path !== VECTORS
  );
  if (damage !== undefined) throw damageOf(dir, damage);
  const paths = findings.filter(({ fix }) => fix === REBUILD).map(({ path }) => path);
  if (paths.length > 0) await rebuildIndex(files, dir);
  return [...new Set(paths)].sort();
}

function damageOf(dir: string, { path, problem, fix: hint }: Finding): RecordError {
  return corrupt(join(dir, path), problem, defined({ hint }));
}

/**
 * Writes a transcript into the convening's directory, and adds it to its index. Returns its path. Fails with `not_found`,
 * `locked`, `record_corrupt` or `record_unwritable`.
 */
export async function exportTranscript(
  files: FileSystem,
  dir: string,
  format: TranscriptFormat,
): Promise<string> {
  const record = await openRecord(files, { dir });
  try {
    const path = join(dir, transcriptFile(format));
    const text = await renderTranscript(format, await readRecord(files, dir));
    await withRecordErrors(() => writeDurably(files, path, text));
    return path;
  } finally {
    await record.close();
  }
}
