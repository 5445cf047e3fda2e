/** A paper that is debated (context-network/rules/paper_debate.md). */
export interface Paper {
  /** Unique in a debate; citations name the paper by it. */
  readonly id: string;
  /** As readers see it. */
  readonly title: string;
  /** The whole text: line breaks are `\n`, without control characters. */
  readonly text: string;
  /** Start of each page, in UTF-16 units: `pages[0]` is page 1's. @default no pages */
  readonly pages?: readonly number[] | undefined;
}

/** The page a place of a paper is on, from 1; undefined where the paper has no pages. */
export function pageAt({ pages }: Pick<Paper, "pages">, offset: number): number | undefined {
  if (pages === undefined || pages.length === 0) return undefined;
  const after = pages.findIndex((start) => start > offset);
  return after === -1 ? pages.length : Math.max(after, 1);
}

/** The name of a paper's file in its convening's directory: `paper.md` for the first, `paper-2.md` and so on after it. */
export function paperFile(index: number): string {
  return index === 0 ? "paper.md" : `paper-${index + 1}.md`;
}
