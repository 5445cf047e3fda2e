// Reads a convening's directory: metadata, truth files, sources and papers.
import { join } from "@std/path";
import { RecordError } from "../core/error.ts";
import type { Fact } from "../core/fact.ts";
import { checkPlain, FileError, type FileSystem, inParallel, isTemporary } from "../core/files.ts";
import { type Message, sha256 } from "../core/message.ts";
import type { Paper } from "../core/paper.ts";
import type { Source } from "../core/record.ts";
import type { Metadata, Progress } from "./metadata_file.ts";
import { parseFact, parseMetadata, parsePaper } from "./fact_reader.ts";
import { compareFacts, FACT_ROWS, factPath, needsOf } from "./codec.ts";
import { pagesFit, PAPER_NAME } from "./papers.ts";
import { defined } from "../core/defined.ts";
import { type Layout, type Naming, seqWidth } from "./fact_row.ts";
import type { KnownFacts } from "./settled.ts";
import { lastLogged } from "./log.ts";
import { corrupt } from "./problems.ts";

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

/** A record read as far as it goes. */
interface LenientReading {
  /** Absent when `metadata.md` cannot be read. */
  readonly contents?: RecordContents;
  /** The facts that could be read, by path in the directory. */
  readonly files: ReadonlyMap<string, Fact>;
  readonly problems: readonly Finding[];
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
  const reading = await readAll(files, dir, options);
  const [first] = reading.failures;
  if (first !== undefined) throw first;
  return reading.contents!;
}

/** Reads a convening as far as it goes, collecting what is wrong. Fails with `not_found` where there is none. */
export async function readRecordLeniently(
  files: FileSystem,
  dir: string,
): Promise<LenientReading> {
  const reading = await readAll(files, dir);
  return defined({
    contents: reading.contents,
    files: reading.facts,
    problems: reading.failures.map((error) => ({
      path: relativePath(error.field ?? "metadata.md", dir),
      problem: withoutPath(error.message),
      fix: error.hint,
    })),
  });
}

interface Reading {
  contents?: RecordContents;
  facts: Map<string, Fact>;
  failures: RecordError[];
}

async function readAll(
  files: FileSystem,
  dir: string,
  { known, types }: ReadOptions = {},
): Promise<Reading> {
  const failures: RecordError[] = [];
  await collect(failures, () => checkPlain(files, dir));
  if (failures.length > 0) return { facts: new Map(), failures };
  const logged = await lastLogged(files, join(dir, "log.jsonl"));
  const metadata = await collect(failures, () => readMetadata(files, dir));
  const facts = await readFacts(files, dir, { known, types, failures });
  if (metadata === undefined) return { facts, failures };
  const given = types === undefined ? metadata : { sources: [], papers: [] };
  const sources = await readSources(files, dir, given, failures);
  const papers = await readPapers(files, dir, given, failures);
  const sorted = [...facts.values()].sort(compareFacts);
  failures.push(...lostMessages(sorted, dir));
  const { start, progress } = metadata;
  const contents: RecordContents = defined({
    dir,
    start: defined({ ...start, sources, papers: papers.length === 0 ? undefined : papers }),
    layout: metadata.layout,
    ...progress,
    startedAt: start.startedAt,
    outcome: metadata.outcome,
    winner: metadata.winner,
    contradictions: metadata.contradictions,
    usage: metadata.usage,
    facts: sorted,
    files: facts,
    lastEvent: logged?.n ?? 0,
    loggedAt: logged?.at,
  });
  return { contents, facts, failures };
}

/**
 * Reads `metadata.md` alone. Fails with `not_found` where there is no convening, and with `record_corrupt` where an entry
 * of its directory is neither a file nor a folder.
 */
export async function readMetadata(
  files: FileSystem,
  dir: string,
): Promise<Metadata> {
  await checkPlain(files, dir);
  const path = join(dir, "metadata.md");
  const text = await readIfThere(files, path);
  if (text === undefined) {
    throw new RecordError(
      "not_found",
      `Cannot read ${dir}: there is no convening in it (no metadata.md)`,
      { field: dir, hint: "Give the directory of one convening." },
    );
  }
  return parseMetadata(text, path);
}

async function readFacts(
  files: FileSystem,
  dir: string,
  { known, types, failures }: ReadOptions & { readonly failures: RecordError[] },
): Promise<Map<string, Fact>> {
  const found: [path: string, fact: Fact][][] = [];
  // Messages, which the others speak of, are read last: a convening that runs meanwhile never lacks one.
  for (const { folder, type } of FACT_ROWS.toReversed()) {
    if (types?.has(type) === false) continue;
    const names = (await files.list(join(dir, folder)))
      .filter((entry) => !entry.isFolder && isPage(entry.name)).map(({ name }) => name);
    const read = await inParallel(
      names,
      (name) =>
        collect(failures, async () => {
          const path = join(dir, folder, name);
          const read = async () => {
            const fact = parseFact(await files.read(path), path, folder);
            return { fact, isSound: fact.type !== "message" || isAsSaid(fact, path, failures) };
          };
          return known === undefined ? (await read()).fact : await known.fact(files, path, read);
        }),
    );
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

async function collect<T>(
  failures: RecordError[],
  read: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof RecordError) || error.code === "not_found") {
      throw error;
    }
    failures.push(error);
    return undefined;
  }
}

async function readSources(
  files: FileSystem,
  dir: string,
  { sources }: Pick<Metadata, "sources">,
  failures: RecordError[],
): Promise<Source[]> {
  const read: Source[] = [];
  for (const name of sources) {
    await collect(failures, async () => {
      const path = join(dir, "sources", name);
      const text = isFileName(name) ? await readIfThere(files, path) : undefined;
      if (text === undefined) throw corrupt(path, LOST, { hint: "Put the file back." });
      read.push({ name, text });
    });
  }
  return read;
}

const LOST = "the file that metadata.md names is missing";

/** The papers of a convening, in their order. */
async function readPapers(
  files: FileSystem,
  dir: string,
  { papers }: Pick<Metadata, "papers">,
  failures: RecordError[],
): Promise<Paper[]> {
  const read: Paper[] = [];
  for (const name of papers) {
    await collect(failures, async () => {
      if (!PAPER_NAME.test(name)) {
        throw corrupt(
          join(dir, "metadata.md"),
          `papers: ${JSON.stringify(name)} is no paper's file`,
        );
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

async function readIfThere(
  files: FileSystem,
  path: string,
): Promise<string | undefined> {
  try {
    return await files.read(path);
  } catch (error) {
    if (
      error instanceof FileError &&
      (error.problem === "not_found" || error.problem === "not_a_folder")
    ) {
      return undefined;
    }
    throw error;
  }
}

/**
 * The messages that are missing though something on record refers to them: each as `record_corrupt`. A number that
 * nothing refers to is work in flight.
 */
export function lostMessages(
  facts: readonly Fact[],
  dir: string,
): RecordError[] {
  const there = new Set<number>();
  const needed = new Map<number, string>();
  for (const fact of facts) {
    if (fact.type === "message" || fact.type === "failure") there.add(fact.seq);
  }
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

/** The naming of a convening's files, by its start and messages. */
export function namingOf(
  { start, facts, layout = 2 }: Pick<RecordContents, "start" | "facts"> & {
    readonly layout?: Layout;
  },
): Naming {
  const width = seqWidth(start.expectedMessages);
  const names = new Map<number, string>();
  const naming: Naming = { width, layout, messageName: (seq) => names.get(seq) };
  for (const fact of facts) {
    if (fact.type !== "message") continue;
    names.set(fact.seq, factPath(fact, naming).slice("messages/".length));
  }
  return naming;
}

function relativePath(path: string, dir: string): string {
  const inside = path.startsWith(dir) ? path.slice(dir.length) : path;
  return inside.replaceAll("\\", "/").replace(/^\/+/, "");
}

function withoutPath(message: string): string {
  return message.replace(/^Cannot read .*?(?=, line \d+: |: )(?:: )?/s, "")
    .replace(/^, (?=line )/, "");
}
