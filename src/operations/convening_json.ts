// Converts convenings, their states and their facts into the JSON of the command line, HTTP and MCP. Caches records and reads
// only changed files again.
import { join, resolve } from "@std/path";
import { z } from "zod";
import type { Fact } from "../core/fact.ts";
import { sha256 } from "../core/message.ts";
import type { JsonObject } from "../core/values.ts";
import { archiveAround } from "../record/archive_place.ts";
import { type FieldKey, fieldKeys, rowOf } from "../record/codec.ts";
import { recordFiles } from "../record/disk_files.ts";
import { FileCache, settledStamp } from "../record/fact_cache.ts";
import { schemaOf } from "../record/fact_row.ts";
import { type Convening, conveningOf, readContents } from "./convening.ts";
import { idOf, linksOf, withoutPaths } from "./client_view.ts";
import type { ReadingContext } from "./operation.ts";
import {
  type ConveningJson,
  conveningOutput,
  jsonOf,
  type ShownStatus,
  type StateJson,
} from "./outputs.ts";
import { paperResultOf, resultJson } from "./results.ts";

/** Returns a convening as JSON, without long texts and paths of this machine. */
export async function conveningJson(
  context: Pick<ReadingContext, "pool">,
  dir: string,
): Promise<ConveningJson> {
  const { start, result, messages, facts } = await readConvening(dir);
  const { sources, papers = [], parent } = start;
  const { startedAt, endedAt, summary } = result;
  const id = idOf(dir);
  const links = linksOf(id);
  const { report, ...json } = resultJson({
    ...result,
    paper: paperResultOf(start, facts, { dir }),
  }, facts);
  return jsonOf(conveningOutput, {
    ...start,
    ...json,
    ...await standingJson(context, dir, result.status),
    id,
    report: report === null ? null : `${links["self"]}/files/report.json`,
    startedAt,
    endedAt: endedAt === "" ? null : endedAt,
    sources: sources.map(({ name }) => name),
    papers,
    parent: parent && { id: parent.dir, seq: parent.seq },
    messages: messages.length,
    summary,
    links,
  });
}

/** Returns the state of a convening from its recorded status, its lock, and the run of this process if `pool` is present. */
export async function standingJson(
  { pool }: Pick<ReadingContext, "pool">,
  dir: string,
  recorded: ShownStatus,
): Promise<StateJson> {
  const { state } = pool?.run(idOf(dir)) ?? {};
  if (state?.state === "queued") return { status: "queued", queuePosition: state.position };
  if (state?.state === "running") {
    return { status: recorded === "waiting" ? recorded : "running", queuePosition: null };
  }
  const { heldStatus } = await import("../record/archive.ts");
  const status = await heldStatus(recordFiles(dir), dir, recorded);
  // Show the error of a failed run only while the convening is down: another process may have resumed it.
  const isDown = status === "failed" || status === "interrupted";
  if (!isDown || state?.state !== "failed") return { status, queuePosition: null };
  const { code, message } = withoutPaths(state.error, archiveAround(dir));
  return { status, queuePosition: null, error: { code, message } };
}

/** Returns the state of a convening after an act, with links. */
export async function standingOf(
  context: Pick<ReadingContext, "pool">,
  dir: string,
): Promise<StateJson & { readonly id: string; readonly links: Readonly<Record<string, string>> }> {
  const { readMetadata } = await import("../record/read.ts");
  const { progress } = await readMetadata(recordFiles(dir), dir);
  const id = idOf(dir);
  return { id, ...await standingJson(context, dir, progress.status), links: linksOf(id) };
}

/** Converts a fact into JSON: its fields, the computed figures of its file, and null for absent optional fields. */
export function factJson(fact: Fact): JsonObject {
  const { type: _type, ...fields } = fact;
  const keys = fieldKeys(rowOf(fact).keys);
  const absent = keys.filter(({ isOptional, computed }) => isOptional && computed === undefined);
  const figures = keys.filter(isFigure).map(({ field, computed }) => [
    field,
    computed!.of(fact, NAMING),
  ]);
  return {
    ...Object.fromEntries(absent.map(({ field }) => [field, null])),
    ...fields,
    ...Object.fromEntries(figures),
  };
}

/** True for a key whose value is computed from other fields and shown in JSON. */
function isFigure({ computed }: FieldKey): boolean {
  return computed !== undefined && computed.to === undefined && computed.shape !== "message name";
}

const NAMING = { width: 0, layout: 2, messageName: () => undefined } as const;

/** Returns the schema of {@linkcode factJson} for a type of fact, with the fields `more`. */
export function factOutput(type: Fact["type"], more: z.ZodRawShape = {}): z.ZodObject {
  const row = rowOf({ type });
  const fields = fieldKeys(row.keys)
    .filter((key) => key.computed === undefined || isFigure(key))
    .map(({ field, shape, isOptional }): [string, z.ZodType] => {
      const schema = schemaOf(shape, "field");
      const isAlwaysThere = !isOptional || field in (row.defaults ?? {});
      return [field, isAlwaysThere ? schema : schema.nullable()];
    });
  return z.object({
    ...Object.fromEntries(fields),
    ...typeof row.body === "string" ? { [row.body]: z.string() } : {},
    ...more,
  });
}

interface CachedConvening {
  /** Hash of the sizes and times of all files; undefined if a file changed a moment before. */
  readonly stamp: string | undefined;
  readonly facts: FileCache<Fact>;
  readonly convening: Promise<Convening>;
}

/** Maximum bytes of files whose convenings are cached, 64 MiB; the least recently used entries are evicted. */
const MAX_BYTES = 1 << 26;
/** Convenings by the path of the directory, least recently used first. */
const cache = new Map<string, CachedConvening>();

/**
 * Reads a convening like `openConvening`, with a cache: an unchanged record is returned from memory, and of a changed record
 * only the changed files are read. Each call stats every file, so changes by other processes are seen. Throws as
 * `openConvening` does.
 */
export async function readConvening(dir: string): Promise<Convening> {
  const path = resolve(dir);
  const stamp = await stampOf(path);
  const found = cache.get(path);
  cache.delete(path);
  const isSame = stamp !== undefined && found?.stamp === stamp;
  const facts = new FileCache(found?.facts);
  const now: CachedConvening = isSame
    ? found
    : { stamp, facts, convening: readContents(path, facts).then(conveningOf) };
  cache.set(path, now);
  try {
    const convening = await now.convening;
    evict();
    return convening;
  } catch (error) {
    if (cache.get(path) === now) cache.delete(path);
    throw error;
  }
}

function evict(): void {
  let size = [...cache.values()].reduce((sum, { facts }) => sum + facts.size, 0);
  for (const [path, { facts }] of cache) {
    if (size <= MAX_BYTES) return;
    cache.delete(path);
    size -= facts.size;
  }
}

const DERIVED: ReadonlySet<string> = new Set(["pages"]);

/** Returns a hash of the sizes and times of a record's files; undefined if one of them changed a moment ago. */
async function stampOf(dir: string): Promise<string | undefined> {
  const files = recordFiles(dir);
  const metadata = settledStamp(await files.stat(join(dir, "metadata.md")));
  // metadata.md changes most often: while it changes, skip the other files.
  if (metadata === undefined) return undefined;
  const stamps = [metadata];
  for (const { name: folder, isFolder } of await files.list(dir)) {
    if (!isFolder || DERIVED.has(folder)) continue;
    const names = (await files.list(join(dir, folder))).map(({ name }) => name);
    for (const [index, info] of (await files.stats(join(dir, folder), names)).entries()) {
      const stamp = settledStamp(info);
      if (stamp === undefined) return undefined;
      stamps.push(`${folder}/${names[index]} ${stamp}`);
    }
  }
  return sha256(stamps.join("\n"));
}
