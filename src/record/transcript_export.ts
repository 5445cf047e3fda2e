import { join } from "@std/path";
import { type FileSystem, writeDurably } from "../core/files.ts";
import { openRecord, type RecordOptions } from "./directory_record.ts";
import { asRecordError } from "./problems.ts";
import { readRecord } from "./read.ts";
import { renderTranscript, TRANSCRIPT_FORMATS, type TranscriptFormat } from "./transcript.ts";

/** Options of {@linkcode exportTranscripts}. */
export interface ExportOptions extends RecordOptions {
  /** The forms to write. */
  readonly formats: readonly TranscriptFormat[];
}

/**
 * Writes transcripts into the convening's directory, beside its index, which then lists them. Gives their paths. Fails
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
    const paths: string[] = [];
    for (const format of formats) {
      const path = join(dir, TRANSCRIPT_FORMATS[format].file);
      const text = await renderTranscript(format, contents);
      await writeDurably(files, path, text);
      paths.push(path);
    }
    return paths;
  } catch (error) {
    throw asRecordError(error);
  } finally {
    await record.close();
  }
}
