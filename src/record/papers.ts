// Papers of a convening: writes their files, and describes the results of a debate over them.
import { ConfigurationError } from "../core/error.ts";
import type { FileSystem } from "../core/files.ts";
import { sha256 } from "../core/message.ts";
import {
  type EvidenceFigures,
  figuresIn,
  figuresWords,
  type Paper,
  paperFile,
  unreadPages,
} from "../core/paper.ts";
import type { Fact } from "../core/fact.ts";
import type { ConveningStart } from "../core/event.ts";
import { type LeftOut, leftOutOf, leftOutSentence } from "../papers/text/excerpt.ts";
import { type Keys, writtenKeys } from "./fact_row.ts";
import { common, writeFrontMatter } from "./frontmatter.ts";
import { nameOf } from "./words.ts";

/** Front matter of a paper's file. */
export const PAPER: Keys = {
  id: "text",
  title: "text",
  characters: "count",
  "pages?": { list: "count" },
  index: "text",
  sha256: "hash",
};

export const PAPER_NAME = /^paper(?:-[1-9]\d*)?\.md$/;
const PAPER_FOLDER = /^paper(?:-[1-9]\d*)?$/;
export const PAPER_PAGE = /^paper(?:-[1-9]\d*)?\/\d+\.md$/;
export const PAPER_INDEX = /^paper(?:-[1-9]\d*)?\/index\.md$/;

/** Returns the folder of a paper's pages, by zero-based index of the paper: `paper`, `paper-2` and so on. */
export function paperFolder(index: number): string {
  return paperFile(index).slice(0, -".md".length);
}

/** Returns the path of the top index of a paper's pages, by zero-based index of the paper. */
export function paperIndexPath(index: number): string {
  return `${paperFolder(index)}/index.md`;
}

/** Returns true if the start offsets of pages are ascending and within the text. */
export function pagesFit({ text, pages = [] }: Pick<Paper, "text" | "pages">): boolean {
  return pages.every((start, index) => start >= (pages[index - 1] ?? 0) && start <= text.length);
}

/** Renders a paper's file: the body is the exact text, offsets are in UTF-16 units. Fails with `config_invalid` for bad pages. */
export function renderPaper(paper: Paper): string {
  const { id, title, text, pages } = paper;
  if (!pagesFit(paper)) {
    throw new ConfigurationError(
      `Cannot keep the paper "${id}": its pages do not begin one after the other within its text`,
      { field: "papers", hint: "Give where each page begins, in order, or no pages." },
    );
  }
  const body = text.toWellFormed();
  const fields = {
    id,
    title,
    characters: body.length,
    pages,
    index: "index.md",
    sha256: sha256(body),
  };
  return writeFrontMatter({ ...common("paper"), ...writtenKeys(fields, PAPER) }, body);
}

export async function paperFolders(files: FileSystem, dir: string): Promise<string[]> {
  return (await files.list(dir)).filter(({ name, isFolder }) => isFolder && PAPER_FOLDER.test(name))
    .map(({ name }) => name);
}

export interface PaperFindings {
  /** Question of the debate; absent until it is asked. */
  readonly question?: string | undefined;
  readonly papers: readonly Paper[];
  /** Figures of each debater's quotations and citations, by id, in the order of the participants. */
  readonly figures: ReadonlyMap<string, EvidenceFigures>;
  /** Failed turns without a message. */
  readonly failed: readonly { readonly participant: string; readonly message: string }[];
  readonly leftOut: readonly LeftOut[];
}

/** Returns the results of a debate over papers; undefined for other convenings. */
export function paperFindings(
  start: ConveningStart,
  facts: readonly Fact[],
): PaperFindings | undefined {
  const { papers = [], participants } = start;
  if (papers.length === 0) return undefined;
  const spoken = new Set(
    facts.flatMap((fact) => fact.type === "message" ? [fact.turn] : []),
  );
  const evidence = facts.filter((fact) => fact.type === "evidence");
  const figures = [...Map.groupBy(evidence, ({ participant }) => participant)]
    .map(([id, all]) => [id, figuresIn(all)] as const);
  const ids = participants.map(({ id }) => id);
  return {
    question: questionIn(facts),
    papers,
    figures: new Map(figures.sort(([a], [b]) => ids.indexOf(a) - ids.indexOf(b))),
    failed: facts.filter((fact) => fact.type === "failure")
      .filter(({ turn }) => !spoken.has(turn))
      .sort((a, b) => a.seq - b.seq),
    leftOut: leftOutOf(start, facts),
  };
}

/** Returns the title of a convening: the question of a debate over papers, once it is known; else the topic. */
export function conveningTitle(
  { papers, topic }: ConveningStart,
  facts: readonly Fact[],
): string {
  return papers === undefined ? topic : questionIn(facts) ?? topic;
}

function questionIn(facts: readonly Fact[]): string | undefined {
  return facts.filter((fact) => fact.type === "message")
    .findLast(({ kind }) => kind === "question")?.body;
}

/** Describes failed debaters, figures of quotations, pages without text, and parts left out of prompts. */
export function paperSentences(start: ConveningStart, found: PaperFindings): string[] {
  const figures = [...found.figures].map(([id, each]) =>
    `Quotations and citations of ${nameOf(start, id)}: ${figuresWords(each)}.`
  );
  const failed = found.failed.map(({ participant, message }) =>
    `${nameOf(start, participant)} failed: ${message}`
  );
  return [
    ...failed,
    ...figures,
    ...unreadPages(found.papers),
    ...found.leftOut.map(leftOutSentence),
  ];
}
