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

/** The beginning of a paper that goes into a prompt. */
interface Excerpt {
  /** At most the characters asked for, cut between paragraphs, sentences or words where it can be. */
  readonly text: string;
  /** Number of characters (UTF-16 units) of the paper that are left out. */
  readonly leftOut: number;
}

/** The first `limit` characters (UTF-16 units) of a paper. */
function excerptOf({ text }: Pick<Paper, "text">, limit: number): Excerpt {
  if (text.length <= limit) return { text, leftOut: 0 };
  const cut = text.slice(0, Math.max(0, limit)).replace(/[\ud800-\udbff]$/, "");
  const ends = [cut.lastIndexOf("\n\n"), cut.lastIndexOf(". ") + 1, cut.lastIndexOf(" ")];
  const end = ends.find((each) => each > cut.length * 0.9) ?? cut.length;
  const kept = cut.slice(0, end).trimEnd();
  return { text: kept, leftOut: text.length - kept.length };
}

/**
 * The beginnings of several papers that together have at most `limit` characters: an equal share each, and what a short
 * one leaves over goes to the others.
 */
export function excerptsOf(papers: readonly Pick<Paper, "text">[], limit: number): Excerpt[] {
  const shares = new Map<Pick<Paper, "text">, number>();
  let room = limit;
  for (const [index, paper] of papers.toSorted(byLength).entries()) {
    const share = Math.min(paper.text.length, Math.floor(room / (papers.length - index)));
    shares.set(paper, share);
    room -= share;
  }
  return papers.map((paper) => excerptOf(paper, shares.get(paper)!));
}

function byLength(a: Pick<Paper, "text">, b: Pick<Paper, "text">): number {
  return a.text.length - b.text.length;
}

/** The name of a paper's file in its convening's directory: `paper.md` for the first, `paper-2.md` and so on after it. */
export function paperFile(index: number): string {
  return index === 0 ? "paper.md" : `paper-${index + 1}.md`;
}
