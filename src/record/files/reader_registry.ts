import { ZodError } from "zod";
import { RecordError } from "../../core/error.ts";
import type { Fact } from "../../core/fact.ts";
import { readFrontMatter } from "../frontmatter_reader.ts";
import { choiceReader, contextReader, stopReader } from "./course_readers.ts";
import { evidenceReader } from "./evidence_reader.ts";
import { factCheckReader, stanceReader } from "./finding_readers.ts";
import { scoreReader, verdictReader } from "./judging_readers.ts";
import { messageReader } from "./message_reader.ts";
import { draftReader } from "./private_readers.ts";
import { ALL_FACT_FILES } from "./registry.ts";
import type { FactReader } from "./shapes.ts";
import { failureReader, lookUpReader, rejectedReader } from "./turn_readers.ts";

/** How every type of truth file is read; apart from how it is written, which needs no schemas. */
export const FACT_READERS = {
  message: messageReader,
  score: scoreReader,
  verdict: verdictReader,
  rejected: rejectedReader,
  failure: failureReader,
  choice: choiceReader,
  context: contextReader,
  lookup: lookUpReader,
  stop: stopReader,
  "fact-check": factCheckReader,
  draft: draftReader,
  stance: stanceReader,
  evidence: evidenceReader,
} as const satisfies {
  [T in Fact["type"]]: FactReader<Extract<Fact, { type: T }>>;
};

/**
 * The fact a file holds; the folder says which type it must be. Fails with `record_corrupt`, naming `path` and the line
 * or key at fault.
 */
export function parseFact(text: string, path: string, folder: string): Fact {
  const file = ALL_FACT_FILES.find((each) => each.folder === folder);
  if (file === undefined) {
    throw new RangeError(`Cannot read ${path}: no facts are kept in ${folder}`);
  }
  const { data, body } = readFrontMatter(text, path);
  const reader: FactReader<Fact> = FACT_READERS[file.type];
  return shaped(path, () => reader.fact(data, body));
}

/** Runs `read`, turning what does not fit a schema into `record_corrupt` that names `path` and the key. */
export function shaped<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    const problem = error instanceof ZodError
      ? error.issues.map((issue) => `${issue.path.join(".") || "front matter"}: ${issue.message}`)
        .join("; ")
      : error instanceof Error
      ? error.message
      : String(error);
    throw new RecordError("record_corrupt", `Cannot read ${path}: ${problem}`, {
      cause: error,
      field: path,
      hint: "Put the file back as it was, from a backup or from version control.",
    });
  }
}
