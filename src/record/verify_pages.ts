// Checks of derived pages: they can be read, their links lead somewhere, and they are what the truth files make.
import { join } from "@std/path";
import { RecordError } from "../core/error.ts";
import { type FileSystem, isTemporary } from "../core/files.ts";
import { loadTokenCounter } from "../core/tokens.ts";
import { namesOf } from "./codec.ts";
import { DERIVED_PAGES, PageSources } from "./derived_pages.ts";
import { ASSESSMENT, PAPER_RESULTS, renderMetadata } from "./files/metadata_file.ts";
import { PAPER_PAGE, paperFolders } from "./files/paper_file.ts";
import { FORMAT } from "./frontmatter.ts";
import { readFrontMatter } from "./frontmatter_reader.ts";
import type { Measure } from "./markdown.ts";
import { ifReadable, readText } from "./problems.ts";
import type { Finding, RecordContents } from "./read.ts";
import { RecordModel } from "./record_model.ts";
import { TRANSCRIPT_FORMATS } from "./transcript.ts";

/** What to do about a derived file that does not say what the truth files say. */
export const REBUILD = "Write the derived files again: convenings index DIR.";

/** The most tokens of an index page. */
const PAGE_TOKENS = 2000;
const MISSING = "it is missing";
/** Earlier versions listed next reads in other words, and wrote a report in one file however long. */
const REPORTS = /^report\.(?:md|json)$/;
const PARTS = /^report\//;

/** What is wrong with derived files. Only those of a finished convening whose truth files are sound must be up to date. */
export async function checkPages(
  files: FileSystem,
  contents: RecordContents,
  isSound: boolean,
): Promise<Finding[]> {
  const measure = await loadTokenCounter();
  const isFinished = contents.status === "completed" || contents.status === "stopped";
  const findings = await checkIndexPages(files, contents.dir, { measure, isFinished });
  if (!isFinished || !isSound) return findings;
  const bad = new Set(findings.map(({ path }) => path));
  const derived = await checkDerived(files, contents, measure);
  return [...findings, ...derived.filter(({ path }) => !bad.has(path))];
}

/** Index pages: whether they are there, short enough, of our format, and their links lead to what is there. */
async function checkIndexPages(
  files: FileSystem,
  dir: string,
  { measure, isFinished }: { readonly measure: Measure; readonly isFinished: boolean },
): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const path of await indexPages(files, dir)) {
    const text = await readText(files, join(dir, path));
    const problems = text !== undefined
      ? pageProblems(text, path, measure)
      : isFinished
      ? [MISSING]
      : [];
    for (const target of isFinished ? linksOf(path, text ?? "") : []) {
      const problem = await linkProblem(files, dir, { page: path, target });
      if (problem !== undefined) problems.push(problem);
    }
    for (const problem of problems) findings.push({ path, problem, fix: REBUILD });
  }
  return findings;
}

async function indexPages(files: FileSystem, dir: string): Promise<string[]> {
  const pages = ["index.md"];
  for (const folder of ["pages", ...await paperFolders(files, dir)]) {
    for (const { name, isFolder } of await files.list(join(dir, folder))) {
      if (!isFolder && name.endsWith(".md") && !isTemporary(name)) pages.push(`${folder}/${name}`);
    }
  }
  return pages;
}

function pageProblems(text: string, path: string, measure: Measure): string[] {
  const tokens = measure(text);
  const problems = tokens > PAGE_TOKENS
    ? [`it has ${tokens} tokens, more than ${PAGE_TOKENS}`]
    : [];
  try {
    const { format } = readFrontMatter(text, path).data;
    if (format !== FORMAT) problems.push(`its format is ${shown(format)}, not ${shown(FORMAT)}`);
  } catch (error) {
    problems.push(error instanceof Error ? error.message : String(error));
  }
  return problems;
}

/** Where the page's own links lead: brackets in participants' words are escaped, and words of a paper are left out. */
function linksOf(path: string, text: string): string[] {
  const body = text.replace(/^---\n[\s\S]*?\n---\n/, "");
  const own = PAPER_PAGE.test(path) ? body.slice(0, body.indexOf("\n") + 1) : body;
  return [...own.matchAll(/(?<!\\)\]\(([^()\s]*)\)/g)].map(([, target]) => target ?? "");
}

async function linkProblem(
  files: FileSystem,
  dir: string,
  { page, target }: { readonly page: string; readonly target: string },
): Promise<string | undefined> {
  const path = join(page, "..", target.replace(/#.*$/, "")).replaceAll("\\", "/");
  // The day's index is another process's to write, and a copied directory has none.
  if (page === "index.md" && path === "../index.md") return undefined;
  if (/^[a-z][a-z0-9+.-]*:/i.test(target) || target.startsWith("/")) {
    return `its link ${target} is not relative`;
  }
  if (path === ".." || path.startsWith("../")) {
    return `its link ${target} leads out of the directory`;
  }
  // Whatever is in the place: what is no plain file is found with the names.
  const isThere = await ifReadable(
    async () => await files.stat(join(dir, path)) !== undefined,
    (error) => error instanceof RecordError,
  );
  return isThere ? undefined : `its link ${target} leads nowhere`;
}

/** Whether derived files, and what is derived in `metadata.md`, are what the truth files make. */
async function checkDerived(
  files: FileSystem,
  contents: RecordContents,
  measure: Measure,
): Promise<Finding[]> {
  const { dir } = contents;
  const model = RecordModel.of(contents);
  const index = await readText(files, join(dir, "index.md")) ?? "";
  const findings = [...checkResult(contents, model), ...await checkMetadata(files, dir, model)];
  const earlier = {
    page: await readText(files, join(dir, "report.md")),
    json: await readText(files, join(dir, "report.json")),
    contradictions: model.recorded,
  };
  // A transcript made since is no fault of the index; a link to one that is gone is found with the links.
  const linked = index.matchAll(/\]\((transcript\.[a-z]+)\)/g);
  const transcripts = [...linked].map(([, name = ""]) => name);
  const sources = new PageSources(model, { measure, transcripts, earlier });
  for (const row of DERIVED_PAGES) {
    for (const { path, text: expected } of await row.pages(sources)) {
      const text = await readText(files, join(dir, path));
      if (text === expected) continue;
      if (model.layout === 1 && (text === undefined ? PARTS : REPORTS).test(path)) continue;
      const problem = text === undefined ? MISSING : "it does not say what the truth files say";
      findings.push({ path, problem, fix: REBUILD });
    }
  }
  for (const format of model.transcripts) {
    const { file: path } = TRANSCRIPT_FORMATS[format];
    if (await files.stat(join(dir, path)) !== undefined) continue;
    findings.push({ path, problem: MISSING, fix: REBUILD });
  }
  return findings;
}

/** The outcome against the verdicts it follows from. */
function checkResult(
  { outcome, winner = null, status }: RecordContents,
  { assessment: expected }: RecordModel,
): Finding[] {
  if (status !== "completed") return [];
  if (outcome === expected.outcome && winner === expected.winner) return [];
  const made = `${shown(expected.outcome)} for ${shown(expected.winner)}`;
  return [{
    path: "metadata.md",
    problem: `it says ${shown(outcome)} for ${shown(winner)}, but the truth files come to ${made}`,
    fix: "Put metadata.md back as it was, then: convenings index DIR.",
  }];
}

/** The keys of `metadata.md` that follow from the truth files. */
const DERIVED_KEYS: readonly string[] = [
  "scores",
  "unscored",
  ...Object.keys({ ...ASSESSMENT, ...PAPER_RESULTS }).map((name) => namesOf(name).key),
  "usage",
  "statistics",
];

/** What `metadata.md` shows of the truth files against the same, written again. */
async function checkMetadata(
  files: FileSystem,
  dir: string,
  model: RecordModel,
): Promise<Finding[]> {
  const path = "metadata.md";
  const rendered = renderMetadata(model.start, model.progress, model.results);
  const { data: expected } = readFrontMatter(rendered, path);
  const { data } = readFrontMatter(await readText(files, join(dir, path)) ?? "", path);
  const keys = DERIVED_KEYS.map((key) => [key, shown(data[key]), shown(expected[key])]);
  const positions = ["position of participants", positionsIn(data), positionsIn(expected)];
  return [...keys, positions].filter(([, is, should]) => is !== should).map((
    [key, is, should],
  ) => ({
    path,
    problem: `its ${key} is ${is}, but the truth files make it ${should}`,
    fix: REBUILD,
  }));
}

/** The positions that participants are shown with, and the messages that these are from. */
function positionsIn({ participants }: Readonly<Record<string, unknown>>): string {
  return shown(
    Array.isArray(participants)
      ? participants.map(({ id, position, position_from: from }) => ({ id, position, from }))
      : undefined,
  );
}

/** A value of front matter, as findings show it. */
export function shown(value: unknown): string {
  return value === undefined ? "missing" : JSON.stringify(value);
}
