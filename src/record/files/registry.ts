import type { Fact } from "../../core/fact.ts";
import { writeFrontMatter } from "../frontmatter.ts";
import { choiceFile, contextFile, stopFile } from "./course_files.ts";
import { evidenceFile } from "./evidence_file.ts";
import { factCheckFile, stanceFile } from "./finding_files.ts";
import { scoreFile, verdictFile } from "./judging_files.ts";
import { messageFile } from "./message_file.ts";
import { draftFile } from "./private_files.ts";
import type { FactFile, Naming } from "./renderer.ts";
import { failureFile, lookUpFile, rejectedFile } from "./turn_files.ts";

/** Every type of truth file, in the order in which records are read. */
export const FACT_FILES = {
  message: messageFile,
  score: scoreFile,
  verdict: verdictFile,
  rejected: rejectedFile,
  failure: failureFile,
  choice: choiceFile,
  context: contextFile,
  lookup: lookUpFile,
  stop: stopFile,
  "fact-check": factCheckFile,
  draft: draftFile,
  stance: stanceFile,
  evidence: evidenceFile,
} as const satisfies {
  [T in Fact["type"]]: FactFile<Extract<Fact, { type: T }>>;
};

/** The renderer of a fact's type. */
function fileOf(fact: Fact): FactFile<Fact> {
  return FACT_FILES[fact.type] as unknown as FactFile<Fact>;
}

/** Every renderer. */
export const ALL_FACT_FILES: readonly FactFile<Fact>[] = Object.values(
  FACT_FILES,
) as unknown as readonly FactFile<Fact>[];

/** Where a fact stands in its convening's directory, such as `scores/002_a41c7710.md`. */
export function factPath(fact: Fact, naming: Naming): string {
  const file = fileOf(fact);
  return `${file.folder}/${file.name(fact, naming)}`;
}

/** A fact as the text of its file. */
export function renderFact(fact: Fact, naming: Naming): string {
  const { data, body } = fileOf(fact).page(fact, naming);
  return writeFrontMatter(data, body);
}

/** Facts in the order of the record: by type as in {@linkcode FACT_FILES}, then by number. */
export function compareFacts(a: Fact, b: Fact): number {
  if (a.type !== b.type) {
    return TYPES.indexOf(a.type) - TYPES.indexOf(b.type);
  }
  const left = fileOf(a).order(a);
  const right = fileOf(b).order(b);
  for (const [i, value] of left.entries()) {
    if (value !== right[i]) return value - (right[i] ?? 0);
  }
  return 0;
}

const TYPES = Object.keys(FACT_FILES);
