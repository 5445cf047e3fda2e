// Reads a convening's directory: metadata, truth files, sources and papers.
import { setImmediate } from "node:timers/promises";
import { join } from "@std/path";
import type { z } from "zod";
import { systemClock } from "../core/clock.ts";
import { RecordError } from "../core/error.ts";
import type { Fact } from "../core/fact.ts";
import {
  checkPlain,
  FileError,
  type FileInfo,
  type FileSystem,
  inParallel,
  isTemporary,
} from "../core/files.ts";
import { type Message, sha256 } from "../core/message.ts";
import type { Paper, Source } from "../core/paper.ts";
import { type Metadata, METADATA_PAGE, parseMetadata, type Progress } from "./metadata_file.ts";
import { compareFacts, FACT_ROWS, factSchema, needsOf, parseFact } from "./codec.ts";
import { pagesFit, PAPER_NAME, PAPER_PAGES, parsePaper } from "./papers.ts";
import { defined } from "../core/values.ts";
import { lastLogged } from "./log.ts";
import { corrupt, noConvening } from "./problems.ts";

/** A convening as its directory has it. */
export interface RecordContents
  extends Progress, Pick<Metadata, "start" | "layout" | "outcome" | "winner" | "usage"> {
  /** The directory that was read. */
  readonly dir: string;
  readonly startedAt: string;
  readonly contradictions?: readonly string[];
  /** By type, then by number; messages come first. */
  readonly facts: readonly Fact[];
  /** Each fact by its path in the directory, such as `messages/001_moderator_1f0c9a3e.md`. */
  readonly files: ReadonlyMap<string, Fact>;
  /** The number of the last whole line of `log.jsonl`; 0 without one. */
  readonly lastEvent: number;
  /** The time of that line. */
  readonly loggedAt?: string;
}

/** Something that is wrong with a file of a record. */
export interface RecordProblem {
  /** In the directory, with `/`. */
  readonly path: string;
  /** One line, without the path. */
  readonly problem: string;
}

/** A problem in a convening's directory, and what to do about it. */
export interface Finding extends RecordProblem {
  /** One sentence: what to do. */
  readonly fix?: string | undefined;
}

interface ReadOptions {
  /** Facts of an earlier reading. @default every file is read */
  readonly known?: KnownFacts | undefined;
  /** The types of facts that are read, without sources and papers. @default everything */
  readonly types?: ReadonlySet<Fact["type"]> | undefined;
}

/**
 * Reads a convening; of the facts that are known from an earlier reading, only those whose files have changed. Fails with
 * `not_found` where there is none, and with `record_corrupt`, naming the file, for damaged front matter, an edited
 * message, or a message that others refer to and that is missing.
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

/** Reads a convening as far as it goes, collecting what is wrong. Fails with `not_found` where there is none. */
export async function readRecordLeniently(files: FileSystem, dir: string): Promise<{
  /** Absent when `metadata.md` cannot be read. */
  readonly contents?: RecordContents;
  /** The facts that could be read, by path in the directory. */
  readonly files: ReadonlyMap<string, Fact>;
  readonly problems: readonly Finding[];
}> {
  const { failures, facts, ...reading } = await readAll(files, dir);
  const problems = failures.map(({ field = "metadata.md", message, hint: fix }) => ({
    path: relativePath(field, dir),
    problem: withoutPath(message),
    fix,
  }));
  return { ...reading, files: facts, problems };
}

interface Reading {
  readonly contents?: RecordContents;
  readonly facts: ReadonlyMap<string, Fact>;
  readonly failures: readonly RecordError[];
}

async function readAll(
  files: FileSystem,
  dir: string,
  options: ReadOptions = {},
): Promise<Reading> {
  const failures: RecordError[] = [];
  const place = { files, dir, failures };
  await collect(failures, () => checkPlain(files, dir));
  if (failures.length > 0) return { facts: new Map(), failures };
  const logged = await lastLogged(files, join(dir, "log.jsonl"));
  const metadata = await collect(failures, () => readMetadata(files, dir));
  const facts = await readFacts(place, options);
  if (metadata === undefined) return { facts, failures };
  const { start, progress, layout, outcome, winner, contradictions, usage } = metadata;
  const given = options.types === undefined ? metadata : { sources: [], papers: [] };
  const sources = await readSources(place, given.sources);
  const papers = await readPapers(place, given.papers);
  const sorted = [...facts.values()].sort(compareFacts);
  failures.push(...lostMessages(sorted, dir));
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
    facts: sorted,
    files: facts,
    lastEvent: logged?.n ?? 0,
    loggedAt: logged?.at,
  });
  return { contents, facts, failures };
}

/** A convening's directory, and what is wrong in it. */
interface Place {
  readonly files: FileSystem;
  readonly dir: string;
  readonly failures: RecordError[];
}

/**
 * Reads `metadata.md` alone. Fails with `not_found` where there is no convening, and with `record_corrupt` where an entry
 * of its directory is neither a file nor a folder.
 */
export async function readMetadata(files: FileSystem, dir: string): Promise<Metadata> {
  await checkPlain(files, dir);
  const path = join(dir, "metadata.md");
  const text = await readIfThere(files, path);
  if (text === undefined) throw noConvening(`read ${dir}`, dir);
  return parseMetadata(text, path);
}

async function readFacts(
  { files, dir, failures }: Place,
  { known, types }: ReadOptions,
): Promise<Map<string, Fact>> {
  const found: [path: string, fact: Fact][][] = [];
  // Messages, which the others speak of, are read last: a convening that runs meanwhile never lacks one.
  for (const { folder, type } of FACT_ROWS.toReversed()) {
    if (types?.has(type) === false) continue;
    const names = (await files.list(join(dir, folder)))
      .filter((entry) => !entry.isFolder && isPage(entry.name)).map(({ name }) => name);
    const read = await inParallel(names, (name) => {
      const path = join(dir, folder, name);
      const anew = async () => {
        const fact = parseFact(await files.read(path), path, folder);
        return { fact, isSound: fact.type !== "message" || isAsSaid(fact, path, failures) };
      };
      return collect(
        failures,
        async () => known === undefined ? (await anew()).fact : await known.fact(files, path, anew),
      );
    });
    found.unshift(
      read.flatMap((fact, i) => fact === undefined ? [] : [[`${folder}/${names[i]}`, fact]]),
    );
  }
  return new Map(found.flat());
}

function isPage(name: string): boolean {
  return name.endsWith(".md") && !isTemporary(name) && !name.startsWith(".");
}

/** Tells whether a message's body matches its hash; notes a failure where it does not. */
function isAsSaid(message: Message, path: string, failures: RecordError[]): boolean {
  if (sha256(message.body) === message.sha256) return true;
  const hint =
    "Put the text back, or take the change over into a new convening: convenings fork DIR --at N --edit FILE.";
  failures.push(corrupt(path, "its body does not match its sha256: it was edited", { hint }));
  return false;
}

/** The result of `read`; a failure, which is noted, has none. */
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
  { files, dir, failures }: Place,
  names: readonly string[],
): Promise<Source[]> {
  const read: Source[] = [];
  for (const name of names) {
    await collect(failures, async () => {
      const path = join(dir, "sources", name);
      const text = isFileName(name) ? await readIfThere(files, path) : undefined;
      if (text === undefined) throw corrupt(path, LOST, { hint: "Put the file back." });
      read.push({ name, text });
    });
  }
  return read;
}

/** The papers of a convening, in their order. */
async function readPapers(
  { files, dir, failures }: Place,
  names: readonly string[],
): Promise<Paper[]> {
  const read: Paper[] = [];
  for (const name of names) {
    await collect(failures, async () => {
      if (!PAPER_NAME.test(name)) {
        const problem = `papers: ${JSON.stringify(name)} is no paper's file`;
        throw corrupt(join(dir, "metadata.md"), problem);
      }
      const path = join(dir, name);
      const text = await readIfThere(files, path);
      if (text === undefined) throw corrupt(path, LOST);
      const { paper, sha256: expected, characters } = parsePaper(text, path);
      read.push(paper);
      const { length } = paper.text;
      const problem = sha256(paper.text) !== expected
        ? "its body does not match its sha256: the paper was edited"
        : length !== characters
        ? `its characters are ${characters}, but its body has ${length}`
        : !pagesFit(paper)
        ? "its pages do not follow each other within its body"
        : undefined;
      if (problem !== undefined) throw corrupt(path, problem);
    });
  }
  return read;
}

function isFileName(name: string): boolean {
  return name !== "" && !name.startsWith(".") && !/[/\\\0]/.test(name);
}

async function readIfThere(files: FileSystem, path: string): Promise<string | undefined> {
  try {
    return await files.read(path);
  } catch (error) {
    const isMissing = error instanceof FileError &&
      (error.problem === "not_found" || error.problem === "not_a_folder");
    if (isMissing) return undefined;
    throw error;
  }
}

/**
 * The messages that are missing though something on record refers to them: each as `record_corrupt`. A number that
 * nothing refers to is work in flight.
 */
export function lostMessages(facts: readonly Fact[], dir: string): RecordError[] {
  const there = turnsIn(facts);
  const needed = new Map<number, string>();
  for (const fact of facts) {
    for (const [seq, why] of needsOf(fact)) {
      if (!there.has(seq) && !needed.has(seq)) needed.set(seq, why);
    }
  }
  return [...needed].sort(([a], [b]) => a - b).map(([seq, why]) =>
    corrupt(join(dir, "messages"), `message ${seq} is missing, though ${why}`, {
      hint: `Put the file of message ${seq} back, or fork before it.`,
    })
  );
}

/** The numbers of turns that have a message, or failed. */
export function turnsIn(facts: readonly Fact[]): ReadonlySet<number> {
  const there = new Set<number>();
  for (const fact of facts) {
    if (fact.type === "message" || fact.type === "failure") there.add(fact.seq);
  }
  return there;
}

function relativePath(path: string, dir: string): string {
  const inside = path.startsWith(dir) ? path.slice(dir.length) : path;
  return inside.replaceAll("\\", "/").replace(/^\/+/, "");
}

function withoutPath(message: string): string {
  return message.replace(/^Cannot read .*?(?=, line \d+: |: )(?:: )?/s, "")
    .replace(/^, (?=line )/, "");
}

/** Age in milliseconds from which a file counts as settled: longer than a tick of any disk's clock. */
const SETTLED = 2000;

/**
 * The stamp of a file, or of a folder's list of names: the same text as long as nothing has changed. Undefined for a file
 * that changed so recently that it could change again within a tick of the disk's clock, and where the time of the last
 * change is unknown: such files are read again.
 */
export function settledStamp(info: FileInfo | undefined): string | undefined {
  if (info === undefined || info.modified === 0) return undefined;
  const { modified, size } = info;
  return systemClock.now() - modified > SETTLED ? `${modified} ${size}` : undefined;
}

/** Files that are looked at before other work has its turn: a few milliseconds' worth. */
export const LOOKED_AT_ONCE = 1000;

/** Lets others have their turn where so many files have been looked at that it is theirs: looking at one waits for nothing. */
export async function othersInTurn(looked: number): Promise<void> {
  if (looked % LOOKED_AT_ONCE === 0) await setImmediate();
}

interface Known {
  readonly stamp: string;
  readonly fact: Fact;
}

/** The facts of a convening as one reading found them: the next reading opens none of the files that are as they were. */
export class KnownFacts {
  readonly #before: ReadonlyMap<string, Known>;
  readonly #now = new Map<string, Known>();
  #size = 0;
  #looked = 0;

  /** The facts of one reading, which takes over those of the reading before. */
  constructor(before?: KnownFacts) {
    this.#before = before === undefined ? new Map() : before.#now;
  }

  /** Bytes of the files that were looked at. */
  get size(): number {
    return this.#size;
  }

  /** The fact of a file: as it is known, else as `read` gives it; one with something wrong is not known afterwards. */
  async fact(
    files: FileSystem,
    path: string,
    read: () => Promise<{ readonly fact: Fact; readonly isSound: boolean }>,
  ): Promise<Fact> {
    await othersInTurn(++this.#looked);
    const info = await files.stat(path);
    this.#size += info?.size ?? 0;
    const stamp = settledStamp(info);
    const known = this.#before.get(path);
    if (stamp !== undefined && known?.stamp === stamp) {
      this.#now.set(path, known);
      return known.fact;
    }
    const { fact, isSound } = await read();
    if (stamp !== undefined && isSound) this.#now.set(path, { stamp, fact });
    return fact;
  }
}

/** The schema of the front matter of every truth file, by its `type`. */
export function fileSchemas(): Readonly<Record<string, z.ZodType>> {
  const facts = FACT_ROWS.map((row) => [row.type, factSchema(row)]);
  return {
    metadata: METADATA_PAGE.schema(),
    paper: PAPER_PAGES.schema(),
    ...Object.fromEntries(facts),
  };
}
