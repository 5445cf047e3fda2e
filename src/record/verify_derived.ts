import { join } from "@std/path";
import type { FileSystem } from "../core/files.ts";
import { ASSESSMENT_KEYS } from "./files/assessment_data.ts";
import { paperIndexPath } from "./files/paper_file.ts";
import { renderMetadata } from "./files/metadata_file.ts";
import { reportFiles } from "./files/report_files.ts";
import { scoresPage } from "./files/scores_page.ts";
import { summaryPage } from "./files/summary_page.ts";
import { readFrontMatter } from "./frontmatter_reader.ts";
import { IndexPages } from "./index_pages.ts";
import type { Measure } from "./markdown.ts";
import { hasPages, paperPages } from "./paper_pages.ts";
import type { RecordContents } from "./read.ts";
import { RecordModel } from "./record_model.ts";
import { TRANSCRIPT_FORMATS } from "./transcript.ts";
import { readText } from "./verify_files.ts";
import { type Finding, REBUILD, show } from "./verify_finding.ts";

const MISSING = "it is missing";

/** Whether derived files, and what is derived in `metadata.md`, are what the truth files of a finished convening make. */
export async function checkDerived(
  files: FileSystem,
  contents: RecordContents,
  measure: Measure,
): Promise<Finding[]> {
  const { dir } = contents;
  const model = RecordModel.of(contents);
  const index = await readText(files, join(dir, "index.md")) ?? "";
  const findings = [
    ...checkResult(contents, model),
    ...await checkMetadata(files, dir, model),
  ];
  for (const [path, expected] of derivedPages(model, index, measure)) {
    const text = await readText(files, join(dir, path));
    if (text === expected) continue;
    findings.push({
      path,
      problem: text === undefined ? MISSING : "it does not say what the truth files say",
      fix: REBUILD,
    });
  }
  for (const format of model.transcripts) {
    const { file: path } = TRANSCRIPT_FORMATS[format];
    if (await files.stat(join(dir, path)) !== undefined) continue;
    findings.push({ path, problem: MISSING, fix: REBUILD });
  }
  return findings;
}

function* derivedPages(
  model: RecordModel,
  index: string,
  measure: Measure,
): Generator<[string, string]> {
  // A transcript made since is no fault of the index; a link to one that is gone is found with the links.
  const transcripts = [...index.matchAll(/\]\((transcript\.[a-z]+)\)/g)]
    .map(([, name]) => name ?? "");
  const { papers = [] } = model.given;
  const reports = papers.length === 0 ? [] : reportFiles(model.start, model.facts);
  const there = [
    ...reports.map(({ path }) => path),
    ...papers.flatMap((paper, at) => hasPages(paper, measure) ? [paperIndexPath(at)] : []),
  ];
  yield* new IndexPages(model).update([...there, ...transcripts], measure).texts;
  yield ["summary.md", summaryPage(model, there)];
  if (model.hasScores) yield ["scores.md", scoresPage(model)];
  for (const { path, text } of reports) yield [path, text];
  for (const [at, paper] of papers.entries()) {
    for (const { path, text } of paperPages(paper, at, measure)) yield [path, text];
  }
}

/** The outcome against the verdicts it follows from. */
function* checkResult(
  { outcome, winner = null, status }: RecordContents,
  model: RecordModel,
): Generator<Finding> {
  if (status !== "completed") return;
  const expected = model.assessment;
  if (outcome === expected.outcome && winner === expected.winner) return;
  yield {
    path: "metadata.md",
    problem: `it says ${show(outcome)} for ${show(winner)}, but the truth files come to ${
      show(expected.outcome)
    } for ${show(expected.winner)}`,
    fix: "Put metadata.md back as it was, then: convenings index DIR.",
  };
}

const DERIVED_KEYS = ["scores", "unscored", ...ASSESSMENT_KEYS, "usage", "statistics"] as const;

async function checkMetadata(
  files: FileSystem,
  dir: string,
  model: RecordModel,
): Promise<Finding[]> {
  const text = await readText(files, join(dir, "metadata.md")) ?? "";
  const expected = readFrontMatter(
    renderMetadata(model.start, model.progress, model.results),
    "metadata.md",
  ).data;
  const { data } = readFrontMatter(text, "metadata.md");
  const keys = DERIVED_KEYS.map((key) => [key, data[key], expected[key]]);
  const positions = ["position of participants", positionsIn(data), positionsIn(expected)];
  return [...keys, positions]
    .filter(([, is, should]) => show(is) !== show(should))
    .map(([key, is, should]) => ({
      path: "metadata.md",
      problem: `its ${key} is ${show(is)}, but the truth files make it ${show(should)}`,
      fix: REBUILD,
    }));
}

/** The positions that participants are shown with, and the messages that these are from. */
function positionsIn({ participants }: Readonly<Record<string, unknown>>): unknown {
  return Array.isArray(participants)
    ? participants.map(({ id, position, position_from: from }) => ({ id, position, from }))
    : undefined;
}
