// Derived files and a missing log, written again.
import { join } from "@std/path";
import { eventOf } from "../core/event.ts";
import { type FileSystem, writeDurably } from "../core/files.ts";
import { openRecord, type RecordOptions } from "./directory_record.ts";
import { logLine } from "./log.ts";
import { writing } from "./problems.ts";
import { readRecord, type RecordContents } from "./read.ts";
import { renderTranscript, TRANSCRIPT_FORMATS, type TranscriptFormat } from "./transcript.ts";
import { REBUILD, verifyRecord } from "./verify.ts";

/**
 * Writes every derived file of the convening in `dir` again, a missing `log.jsonl` too, and the indexes of its archive.
 * Truth files stay as they are. Fails with `not_found`, `locked`, `record_corrupt` or `record_unwritable`.
 */
export async function rebuildIndex(
  files: FileSystem,
  dir: string,
  options: RecordOptions = {},
): Promise<void> {
  const record = await openRecord(files, { dir }, options);
  try {
    await record.refreshMetadata();
    const path = join(dir, "log.jsonl");
    if (await files.stat(path) === undefined) {
      const log = rebuiltLog(await readRecord(files, dir));
      await writeDurably(files, path, log);
    }
  } finally {
    await record.close();
  }
}

/** The events that a record's truth files stand for, by the time they were made, as a log's text. */
function rebuiltLog({ start, facts }: RecordContents): string {
  const made = facts.toSorted((a, b) =>
    a.createdAt < b.createdAt ? -1 : a.createdAt > b.createdAt ? 1 : 0
  );
  const lines = made.map((fact, index) => {
    const event = eventOf(fact, "usage" in fact ? fact.usage : undefined);
    return `${JSON.stringify({ ...event, n: index + 2, at: fact.createdAt })}\n`;
  });
  return logLine({ n: 1, at: start.startedAt, type: "convening-start", start }) + lines.join("");
}

/**
 * Repairs the derived files of the convening in `dir` that `verify` finds missing or outdated. Returns their paths; none
 * where the record is complete. Fails as {@linkcode rebuildIndex} does.
 */
export async function mendRecord(files: FileSystem, dir: string): Promise<readonly string[]> {
  const { findings } = await verifyRecord(files, dir);
  const paths = findings.filter(({ fix }) => fix === REBUILD).map(({ path }) => path);
  if (paths.length > 0) await rebuildIndex(files, dir);
  return [...new Set(paths)].sort();
}

interface ExportOptions extends RecordOptions {
  /** The forms to write. */
  readonly formats: readonly TranscriptFormat[];
}

/**
 * Writes transcripts into the convening's directory, whose index then lists them. Gives their paths. Fails
 * with `not_found`, `locked` while another process has the convening, `record_corrupt` or `record_unwritable`.
 */
export async function exportTranscripts(
  files: FileSystem,
  dir: string,
  { formats, ...options }: ExportOptions,
): Promise<string[]> {
  const record = await openRecord(files, { dir }, options);
  try {
    const contents = await readRecord(files, dir);
    return await writing(async () => {
      const paths: string[] = [];
      for (const format of formats) {
        const path = join(dir, TRANSCRIPT_FORMATS[format].file);
        await writeDurably(files, path, await renderTranscript(format, contents));
        paths.push(path);
      }
      return paths;
    });
  } finally {
    await record.close();
  }
}
