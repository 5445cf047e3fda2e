import { join } from "@std/path";
import { RecordError } from "../core/error.ts";
import { FileError, type FileSystem } from "../core/files.ts";
import { sha256 } from "../core/message.ts";
import type { Paper } from "../core/paper.ts";
import type { Metadata } from "./files/metadata_file.ts";
import { pagesFit, PAPER_NAME } from "./files/paper_file.ts";
import { parsePaper } from "./files/paper_reader.ts";

/** The papers of a convening, in their order; what is missing, damaged or edited is among the failures. */
export async function readPapers(
  files: FileSystem,
  dir: string,
  { papers }: Metadata,
): Promise<{ readonly papers: readonly Paper[]; readonly failures: readonly RecordError[] }> {
  const read: Paper[] = [];
  const failures: RecordError[] = [];
  for (const name of papers) {
    try {
      const { paper, failure } = await readPaper(files, dir, name);
      read.push(paper);
      if (failure !== undefined) failures.push(failure);
    } catch (error) {
      if (!(error instanceof RecordError)) throw error;
      failures.push(error);
    }
  }
  return { papers: read, failures };
}

async function readPaper(
  files: FileSystem,
  dir: string,
  name: string,
): Promise<{ readonly paper: Paper; readonly failure?: RecordError | undefined }> {
  if (!PAPER_NAME.test(name)) {
    throw corrupt(join(dir, "metadata.md"), `papers: ${JSON.stringify(name)} is no paper's file`);
  }
  const path = join(dir, name);
  const text = await textOf(files, path);
  const { paper, sha256: expected, characters } = parsePaper(text, path);
  const length = paper.text.length;
  const problem = sha256(paper.text) !== expected
    ? "its body does not match its sha256: the paper was edited"
    : length !== characters
    ? `its characters are ${characters}, but its body has ${length}`
    : !pagesFit(paper)
    ? "its pages do not follow each other within its body"
    : undefined;
  return problem === undefined ? { paper } : { paper, failure: corrupt(path, problem) };
}

async function textOf(files: FileSystem, path: string): Promise<string> {
  try {
    return await files.read(path);
  } catch (error) {
    if (!(error instanceof FileError) || error.problem !== "not_found") throw error;
    throw corrupt(path, "the file that metadata.md names is missing");
  }
}

function corrupt(path: string, problem: string): RecordError {
  return new RecordError("record_corrupt", `Cannot read ${path}: ${problem}`, {
    field: path,
    hint: "Put the file back as it was, from a backup or from version control.",
  });
}
