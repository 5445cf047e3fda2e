// Searches an archive, and finds earlier convenings on a like topic.
import { resolve } from "@std/path";
import { ConfigurationError } from "../core/error.ts";
import type { EndReason } from "../core/fact.ts";
import { filesBelow } from "./disk_files.ts";
import type { RecordProblem } from "./read.ts";
import type { SearchRow } from "./archive_search.ts";

export type { SearchRow } from "./archive_search.ts";

/** What a search of an archive found, and what it could not look at. */
export interface ArchiveSearch {
  /** Best first, as many as were asked for. */
  readonly rows: readonly SearchRow[];
  /** How many messages have words of the query. */
  readonly found: number;
  /** How many convenings were searched. */
  readonly convenings: number;
  /** How many messages were searched. */
  readonly messages: number;
  /** What was left out because it is damaged: convenings, and files of others, with their whole paths. */
  readonly skipped: readonly RecordProblem[];
}

/** Options of {@linkcode searchArchive}. */
export interface ArchiveSearchOptions {
  /** The most rows. @default 10 */
  readonly limit?: number | undefined;
  /** The directories of the convenings that are searched. @default all */
  readonly within?: ReadonlySet<string> | undefined;
}

/**
 * Searches what was said in an archive's convenings, by words; any text is a query. Writes nothing, loads no index. Fails
 * with `config_invalid` for an empty query.
 */
export async function searchArchive(
  out: string,
  text: string,
  { limit = 10, within }: ArchiveSearchOptions = {},
): Promise<ArchiveSearch> {
  if (text.trim() === "") {
    throw new ConfigurationError("Cannot search: the query is empty", {
      field: "query",
      hint: "Give some words of what you look for.",
    });
  }
  const { listConvenings } = await import("./list.ts");
  const { readMessages } = await import("./fact_files.ts");
  const { searchMessages } = await import("./archive_search.ts");
  const files = filesBelow(resolve(out));
  const skipped: RecordProblem[] = [];
  const found: Parameters<typeof searchMessages>[0][number][] = [];
  let convenings = 0;
  for (const { dir, topic, problem } of await listConvenings(files, resolve(out))) {
    if (within?.has(dir) === false) continue;
    if (topic === undefined) {
      skipped.push({ path: dir, problem: problem ?? "it cannot be read" });
      continue;
    }
    convenings++;
    const { messages, problems } = await readMessages(files, dir);
    for (const { fact: message } of messages) found.push({ dir, topic, message });
    for (const each of problems) skipped.push({ ...each, path: `${dir}/${each.path}` });
  }
  return {
    ...await searchMessages(found, text, { limit }),
    convenings,
    messages: found.length,
    skipped,
  };
}

/** An earlier convening, for one on a like topic. */
export interface Memory {
  /** Its directory. */
  readonly dir: string;
  /** What it was about. */
  readonly topic: string;
  /** Its summary, or that of its early end: words of participants, at most 1,500 code points. */
  readonly summary: string;
  /** ISO 8601, UTC. */
  readonly startedAt: string;
  /** Why it ended. */
  readonly endReason: EndReason | undefined;
  /** The winner's name; null when no one won. */
  readonly winner: string | null;
}

/** Options of {@linkcode memoryOf}. */
export interface MemoryOptions {
  /** The most convenings. @default 3 */
  readonly limit?: number | undefined;
  /** A convening that is not remembered: the one that asks. */
  readonly exclude?: string | undefined;
}

/** The most code points of a remembered summary. */
const SUMMARY_LENGTH = 1500;

/**
 * The ended convenings of an archive that have to do with a topic, the most relevant first (context-network/rules/every_convening.md). One
 * that has no summary, or cannot be read, is not remembered.
 */
export async function memoryOf(
  out: string,
  topic: string,
  { limit = 3, exclude }: MemoryOptions = {},
): Promise<readonly Memory[]> {
  const { listConvenings } = await import("./list.ts");
  const { readSummary } = await import("./fact_files.ts");
  const { readMetadata } = await import("./read.ts");
  const { rankConvenings } = await import("./archive_search.ts");
  const left = exclude === undefined ? undefined : resolve(exclude);
  const files = filesBelow(resolve(out));
  const ended = [];
  for (const row of await listConvenings(files, resolve(out))) {
    const { dir, status, startedAt, topic } = row;
    if (dir === left || topic === undefined) continue;
    if (status !== "completed" && status !== "stopped") continue;
    const summary = cut(await readSummary(files, dir));
    const winner = row.winnerName ?? row.winner;
    if (summary !== "") ended.push({ dir, topic, summary, startedAt, winner });
  }
  return await Promise.all(
    (await rankConvenings(ended, topic, { limit })).map(async (each) => {
      const { progress } = await readMetadata(files, each.dir);
      return { ...each, endReason: progress.endReason };
    }),
  );
}

function cut(text: string): string {
  const points = [...text];
  if (points.length <= SUMMARY_LENGTH) return text;
  return `${points.slice(0, SUMMARY_LENGTH - 1).join("").trimEnd()}…`;
}
