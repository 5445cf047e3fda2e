// Reads a convening's directory: metadata, truth files, sources and papers.
import { join } from "@std/path";
import type { z } from "zod";
import { RecordError } from "../core/error.ts";
import type { ConveningStart } from "../core/event.ts";
import type { Fact } from "../core/fact.ts";
import { FileError, fileState, type FileSystem, inParallel } from "../core/files.ts";
import { type Message, sha256 } from "../core/message.ts";
import type { Paper, Source } from "../core/paper.ts";
import { defined } from "../core/values.ts";
import { METADATA, type Metadata } from "./metadata_file.ts";
import {
  compareFacts,
  FACT_ROWS,
  factPath,
  factSchema,
  fileSchema,
  namingOf,
  needsOf,
} from "./codec.ts";
import type { FileCache } from "./fact_cache.ts";
import type { Layout } from "./fact_row.ts";
import { pagesFit, PAPER, PAPER_NAME } from "./papers.ts";
import { lastLogged } from "./log.ts";
import { parseFact, parseMetadata, parsePaper } from "./read_pages.ts";
import type { RecordContents } from "./record_model.ts";
import { checkEntries, corrupt, noConvening } from "./problems.ts";

/** A problem with a file of a record. */
export interface RecordProblem {
  /** Path in the directory, with `/`. */
  readonly path: string;
  /** A line that does not repeat the path. */
  readonly problem: string;
}

/** A problem in a convening's directory, and its remedy. */
export interface Finding extends RecordProblem {
  /** A sentence that says how to fix the problem. */
  readonly fix?: string | undefined;
}

interface ReadOptions {
  /** Facts of an earlier reading; only changed files are read again. @default every file is read */
  readonly known?: FileCache<Fact> | undefined;
  /** Types of facts to read; sources and papers are then skipped. @default everything */
  readonly types?: ReadonlySet<Fact["type"]> | undefined;
}

/**
 * Reads a convening. Fails with `not_found` where there is none, and with `record_corrupt`, naming the file, for damaged
 * front matter, an edited message, or a missing message that others refer to.
 */
export async function readRecord(
  files: FileSystem,
  dir: string,
  options: ReadOptions = {},
): Promise<RecordContents> {
  const { failures: [first], contents } = await readAll(files, dir, options);
  if (first !== undefined) throw first;
  return contents!;
}

/** Reads a convening as far as possible, and collects the problems. Fails with `not_found` where there is no convening. */
export async function readRecordLeniently(files: FileSystem, dir: string): Promise<{
  /** Absent when `metadata.md` cannot be read. */
  readonly contents?: RecordContents;
  /** Readable facts by path in the directory. */
  readonly files: ReadonlyMap<string, Fact>;
  readonly problems: readonly Finding[];
}> {
  const { failures, facts, ...reading } = await readAll(files, dir);
  const problems = failures.map((error) => ({
    path: relativePath(error.field ?? "metadata.md", dir),
    problem: problemIn(error),
    fix: error.hint,
  }));
  return { ...reading, files: facts, problems };
}

async function readAll(
  files: FileSystem,
  dir: string,
  options: ReadOptions = {},
) {
  const failures: RecordError[] = [];
  const place = { files, dir, failures };
  await collect(failures, () => checkEntries(files, dir, "read"));
  if (failures.length > 0) return { facts: new Map(), failures };
  const logged = await lastLogged(files, join(dir, "log.jsonl"));
  const metadata = await collect(failures, () => readMetadata(files, dir));
  const facts = await readFacts(place, options);
  if (metadata === undefined) return { facts, failures };
  const { start, progress, layout, outcome, winner, contradictions, usage, statistics } = metadata;
  const given = options.types === undefined ? metadata : { sources: [], papers: [] };
  const sources = await readSources(place, given.sources);
  const papers = await readPapers(place, given.papers);
  const sorted = ownFacts(facts, start, layout).sort(compareFacts);
  failures.push(...lostMessages(sorted, dir, start.parent));
  const contents: RecordContents = defined({
    dir,
    start: defined({ ...start, sources, papers: papers.length === 0 ? undefined : papers }),
    layout,
    ...progress,
    startedAt: start.startedAt,
    outcome,
    winner,
    contradictions,
    usage,
    statistics,
    facts: sorted,
    files: facts,
    lastEvent: logged?.n ?? 0,
    loggedAt: logged?.at,
  });
  return { contents, facts, failures };
}

/** Returns each fact once: a file by the fact's own name counts before a copy, such as `003 (conflict).md` of a sync program. */
function ownFacts(files: ReadonlyMap<string, Fact>, start: ConveningStart, layout: Layout): Fact[] {
  const naming = namingOf({ start, facts: [...files.values()], layout });
  const own = new Map<string, Fact>();
  for (const [path, fact] of files) {
    const name = factPath(fact, naming);
    if (path === name || !own.has(name)) own.set(name, fact);
  }
  return [...own.values()];
}

/** A convening's directory, and the problems found so far. */
interface ReadContext {
  readonly files: FileSystem;
  readonly dir: string;
  readonly failures: RecordError[];
}

/**
 * Reads `metadata.md` alone. Fails with `not_found` where there is no convening, and with `record_corrupt` where an entry of
 * the directory is neither a file nor a folder.
 */
export async function readMetadata(files: FileSystem, dir: string): Promise<Metadata> {
  await checkEntries(files, dir, "read");
  const path = join(dir, "metadata.md");
  const text = await readIfThere(files, path);
  if (text === undefined) throw noConvening(`read ${dir}`, dir);
  return parseMetadata(text, path);
}

async function readFacts(
  { files, dir, failures }: ReadContext,
  { known, types }: ReadOptions,
): Promise<Map<string, Fact>> {
  const found: [path: string, fact: Fact][][] = [];
  // Messages are read last: every other fact refers to a message written before it, so a running convening never seems to
  // lack one.
  for (const { folder, type } of FACT_ROWS.toReversed()) {
    if (types?.has(type) === false) continue;
    const names = (await files.list(join(dir, folder)))
      .filter(({ name, isFolder }) => !isFolder && name.endsWith(".md") && !name.startsWith("."))
      .map(({ name }) => name);
    const read = await inParallel(names, (name) => {
      const path = join(dir, folder, name);
      const readFact = async () => {
        const fact = parseFact(await files.read(path), path, type);
        const isSound = fact.type !== "message" || hasValidHash(fact, path, failures);
        return { value: fact, isSound };
      };
      return collect(
        failures,
        async () =>
          known === undefined ? (await readFact()).value : await known.value(files, path, readFact),
      );
    });
    found.unshift(
      read.flatMap((fact, i) => fact === undefined ? [] : [[`${folder}/${names[i]}`, fact]]),
    );
  }
  return new Map(found.flat());
}

/** Returns true if the body of a message matches its hash; adds a failure if it does not. */
function hasValidHash(message: Message, path: string, failures: RecordError[]): boolean {
  if (sha256(message.body) === message.sha256) return true;
  const hint =
    "Put the text back, or take the change over into a new convening: fork at the message, with edit.";
  failures.push(corrupt(path, "its body does not match its sha256: it was edited", { hint }));
  return false;
}

/** Returns the result of `read`; undefined after a failure, which is added to `failures`. */
async function collect<T>(
  failures: RecordError[],
  read: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof RecordError) || error.code === "not_found") throw error;
    failures.push(error);
    return undefined;
  }
}

const LOST = "the file that metadata.md names is missing";

async function readSources(
  { files, dir, failures }: ReadContext,
  names: readonly string[],
): Promise<Source[]> {
  const read: Source[] = [];
  for (const name of names) {
    await collect(failures, async () => {
      const path = join(dir, "sources", name);
      const isFileName = name !== "" && !name.startsWith(".") && !/[/\\\0]/.test(name);
      const text = isFileName ? await readIfThere(files, path) : undefined;
      if (text === undefined) throw corrupt(path, LOST, { hint: "Put the file back." });
      read.push({ name, text });
    });
  }
  return read;
}

/** Reads the papers of a convening, in their order. */
async function readPapers(
  { files, dir, failures }: ReadContext,
  papers: Metadata["papers"],
): Promise<Paper[]> {
  const read: Paper[] = [];
  for (const { file: name } of papers) {
    await collect(failures, async () => {
      if (!PAPER_NAME.test(name)) {
        const problem = `papers: ${JSON.stringify(name)} is not the name of a paper's file`;
        throw corrupt(join(dir, "metadata.md"), problem);
      }
      const path = join(dir, name);
      const text = await readIfThere(files, path);
      if (text === undefined) throw corrupt(path, LOST);
      const { paper, sha256: expected, characters } = parsePaper(text, path);
      read.push(paper);
      const isAsWritten = sha256(paper.text) === expected && paper.text.length === characters;
      if (!isAsWritten || !pagesFit(paper)) {
        throw corrupt(path, "its sha256, characters or pages do not match its body: it was edited");
      }
    });
  }
  return read;
}

async function readIfThere(files: FileSystem, path: string): Promise<string | undefined> {
  try {
    return await files.read(path);
  } catch (error) {
    if (error instanceof FileError && error.problem === "not_found") return undefined;
    throw error;
  }
}

/**
 * Returns a `record_corrupt` error for each missing message that a fact needs, and for the first that a fork did not copy;
 * other missing numbers are turns in progress.
 */
function lostMessages(
  facts: readonly Fact[],
  dir: string,
  parent?: ConveningStart["parent"],
): RecordError[] {
  const seqs = turnsIn(facts);
  const needed = new Map<number, string>();
  let copied = 1;
  while (seqs.has(copied)) copied++;
  if (parent !== undefined && copied <= parent.seq) {
    needed.set(copied, `the fork begins with ${parent.seq} messages of ${parent.dir}`);
  }
  for (const fact of facts) {
    for (const [seq, why] of needsOf(fact)) {
      if (!seqs.has(seq) && !needed.has(seq)) needed.set(seq, why);
    }
  }
  return [...needed].sort(([a], [b]) => a - b).map(([seq, why]) =>
    corrupt(join(dir, "messages"), `message ${seq} is missing, though ${why}`, {
      hint: `Put the file of message ${seq} back, or fork ${
        parent !== undefined && seq <= parent.seq ? `${parent.dir} again` : "before it"
      }.`,
    })
  );
}

/** Returns the numbers of turns that have a message or have failed. */
export function turnsIn(facts: readonly Fact[]): ReadonlySet<number> {
  return new Set(
    facts.flatMap((fact) => fact.type === "message" || fact.type === "failure" ? fact.seq : []),
  );
}

function relativePath(path: string, dir: string): string {
  const inside = path.startsWith(dir) ? path.slice(dir.length) : path;
  return inside.replaceAll("\\", "/").replace(/^\/+/, "");
}

/** States why a file cannot be read, without its path. */
export function problemIn(error: RecordError | FileError): string {
  if (error instanceof FileError) return fileState(error);
  return error.message.replace(/^Cannot read .*?(?=, line \d+: |: )(?:: )?/s, "")
    .replace(/^, (?=line )/, "");
}

/** Returns the schema of the front matter of every truth file, by `type`. */
export function fileSchemas(): Readonly<Record<string, z.ZodType>> {
  const facts = FACT_ROWS.map((row) => [row.type, factSchema(row)]);
  return {
    metadata: fileSchema("metadata", METADATA),
    paper: fileSchema("paper", PAPER),
    ...Object.fromEntries(facts),
  };
}
