import { join } from "@std/path";
import { type FileSystem, isTemporary } from "../core/files.ts";
import { PAPER_PAGE } from "./files/paper_file.ts";
import { FORMAT } from "./frontmatter.ts";
import { readFrontMatter } from "./frontmatter_reader.ts";
import { paperFolders } from "./paper_folders.ts";
import { isThere, readText } from "./verify_files.ts";
import { type Finding, REBUILD, show } from "./verify_finding.ts";

/** The most tokens of an index page. */
export const PAGE_TOKENS = 2000;

/** How {@linkcode checkIndexPages} looks at pages. */
export interface IndexPageOptions {
  readonly countTokens: (text: string) => number;
  /** Pages of a convening that goes on may lag: only what makes one unreadable counts. */
  readonly isFinished: boolean;
}

/** Index pages: whether they are there, short enough, of our format, and their links lead to what is there. */
export async function checkIndexPages(
  files: FileSystem,
  dir: string,
  { countTokens, isFinished }: IndexPageOptions,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  const there = new Map<string, boolean>();
  const exists = async (path: string) => {
    const known = there.get(path) ?? await isThere(files, join(dir, path));
    there.set(path, known);
    return known;
  };
  for (const path of await indexPages(files, dir)) {
    const text = await readText(files, join(dir, path));
    const problems = text === undefined
      ? (isFinished ? ["it is missing"] : [])
      : pageProblems(text, path, countTokens);
    for (const target of isFinished ? linksOf(ownWords(path, text ?? "")) : []) {
      const problem = await linkProblem(path, target, exists);
      if (problem !== undefined) problems.push(problem);
    }
    for (const problem of problems) {
      findings.push({ path, problem, fix: REBUILD });
    }
  }
  return findings;
}

async function indexPages(files: FileSystem, dir: string): Promise<string[]> {
  const pages = ["index.md"];
  for (const folder of ["pages", ...await paperFolders(files, dir)]) {
    for (const { name, isFolder } of await files.list(join(dir, folder))) {
      if (isFolder || !name.endsWith(".md") || isTemporary(name)) continue;
      pages.push(`${folder}/${name}`);
    }
  }
  return pages;
}

/** The body of a page; of a paper's page the first line alone: the words of the paper are below it. */
function ownWords(path: string, text: string): string {
  const body = text.replace(/^---\n[\s\S]*?\n---\n/, "");
  return PAPER_PAGE.test(path) ? body.slice(0, body.indexOf("\n") + 1) : body;
}

function pageProblems(
  text: string,
  path: string,
  countTokens: (text: string) => number,
): string[] {
  const problems: string[] = [];
  const tokens = countTokens(text);
  if (tokens > PAGE_TOKENS) {
    problems.push(`it has ${tokens} tokens, more than ${PAGE_TOKENS}`);
  }
  try {
    const { format } = readFrontMatter(text, path).data;
    if (format !== FORMAT) {
      problems.push(`its format is ${show(format)}, not ${show(FORMAT)}`);
    }
  } catch (error) {
    problems.push(error instanceof Error ? error.message : String(error));
  }
  return problems;
}

/** Where the page's own links lead: brackets in participants' words are escaped. */
function linksOf(text: string): string[] {
  return [...text.matchAll(/(?<!\\)\]\(([^()\s]*)\)/g)]
    .map(([, target]) => target ?? "");
}

async function linkProblem(
  page: string,
  target: string,
  exists: (path: string) => Promise<boolean>,
): Promise<string | undefined> {
  const path = join(page, "..", target.replace(/#.*$/, ""))
    .replaceAll("\\", "/");
  // The day's index is another process's to write, and a copied directory has none.
  if (page === "index.md" && path === "../index.md") return undefined;
  if (/^[a-z][a-z0-9+.-]*:/i.test(target) || target.startsWith("/")) {
    return `its link ${target} is not relative`;
  }
  if (path === ".." || path.startsWith("../")) {
    return `its link ${target} leads out of the directory`;
  }
  return await exists(path) ? undefined : `its link ${target} leads nowhere`;
}
