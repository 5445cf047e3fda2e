// Reads `metadata.md` and papers, and has the schema of the front matter of every truth file.
import type { z } from "zod";
import type { EndReason, Outcome } from "../core/fact.ts";
import type { Paper } from "../core/paper.ts";
import type { ConveningStart, ParticipantInfo } from "../core/record.ts";
import { FACT_ROWS } from "./codec.ts";
import { factSchema, pageSchema, readPage } from "./fact_reader.ts";
import { METADATA, type Metadata, type Progress } from "./files/metadata_file.ts";
import { PAPER } from "./files/paper_file.ts";
import { type Layout, optional } from "./files/renderer.ts";

const PAGES = {
  metadata: { schema: pageSchema("metadata", METADATA), keys: METADATA },
  paper: { schema: pageSchema("paper", PAPER), keys: PAPER },
} as const;

/** The schema of the front matter of every truth file, by its `type`. */
export const FILE_SCHEMAS: Readonly<Record<string, z.ZodType>> = {
  metadata: PAGES.metadata.schema,
  paper: PAGES.paper.schema,
  ...Object.fromEntries(FACT_ROWS.map((row) => [row.type, factSchema(row)])),
};

/** The fields of `metadata.md`. */
interface MetadataFields
  extends
    Omit<ConveningStart, "participants" | "sources" | "papers">,
    Omit<Progress, "endReason" | "endedAt"> {
  readonly layout?: Layout;
  readonly endReason: EndReason | null;
  readonly endedAt: string | null;
  readonly outcome: Outcome | null;
  readonly winner: string | null;
  readonly participants: readonly (ParticipantInfo & { readonly positionFrom?: number })[];
  readonly sources: readonly string[];
  readonly papers?: readonly { readonly file: string }[];
}

/** Reads `metadata.md`. Fails with `record_corrupt`, naming the line or key. */
export function parseMetadata(text: string, path: string): Metadata {
  const { fields, data: { contradictions } } = readPage(text, path, PAGES.metadata);
  const read = fields as unknown as MetadataFields;
  const { kind, topic, judges, configuration, seed, startedAt, status, resumes } = read;
  return {
    start: {
      kind,
      topic,
      participants: read.participants.map(({ position, positionFrom, ...rest }) => ({
        ...rest,
        // What messages say is read from them.
        ...optional("position", positionFrom === undefined ? position : undefined),
      })),
      judges,
      configuration,
      seed,
      startedAt,
      sources: [],
      ...optional("expectedMessages", read.expectedMessages),
      ...optional("parent", read.parent),
    },
    progress: {
      status,
      ...optional("endReason", read.endReason ?? undefined),
      ...optional("endedAt", read.endedAt ?? undefined),
      ...optional("waitingFor", read.waitingFor),
      ...optional("value", read.value),
      resumes,
    },
    sources: read.sources,
    papers: (read.papers ?? []).map(({ file }) => file),
    layout: read.layout ?? 1,
    ...optional("outcome", read.outcome ?? undefined),
    winner: read.winner,
    contradictions: Array.isArray(contradictions) ? contradictions.map(String) : [],
  };
}

/** A paper's file, read. */
interface PaperPage {
  readonly paper: Paper;
  /** What the front matter says of the body. */
  readonly sha256: string;
  /** What the front matter says of the body's length, in UTF-16 units. */
  readonly characters: number;
}

/** Reads what `renderPaper` writes. Fails with `record_corrupt`, naming `path` and the line or key. */
export function parsePaper(text: string, path: string): PaperPage {
  const { fields, body } = readPage(text, path, PAGES.paper);
  const { id, title, pages, sha256, characters } = fields as unknown as
    & Omit<PaperPage, "paper">
    & Omit<Paper, "text">;
  return { paper: { id, title, text: body, ...optional("pages", pages) }, sha256, characters };
}
