import { z } from "zod";
import type { Paper } from "../../core/paper.ts";
import { commonShape, count, hash, shaped } from "../fact_reader.ts";
import { readFrontMatter } from "../frontmatter_reader.ts";
import { optional } from "./renderer.ts";

/** The front matter of a paper's file. */
export const paperSchema = z.object({
  ...commonShape("paper"),
  id: z.string(),
  title: z.string(),
  characters: count,
  pages: z.array(count).optional(),
  index: z.string(),
  sha256: hash,
});

/** A paper's file, read. */
export interface PaperPage {
  readonly paper: Paper;
  /** What the front matter says of the body. */
  readonly sha256: string;
  /** What the front matter says of the body's length, in UTF-16 units. */
  readonly characters: number;
}

/** Reads what `renderPaper` writes. Fails with `record_corrupt`, naming `path` and the line or key. */
export function parsePaper(text: string, path: string): PaperPage {
  const { data, body } = readFrontMatter(text, path);
  const { id, title, pages, sha256, characters } = shaped(path, () => paperSchema.parse(data));
  return { paper: { id, title, text: body, ...optional("pages", pages) }, sha256, characters };
}
