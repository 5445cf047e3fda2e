import { join } from "@std/path";
import type { FileSystem } from "../core/files.ts";
import { ASSESSMENT_KEYS } from "./files/assessment_data.ts";
import { renderMetadata } from "./files/metadata_file.ts";
import { scoresPage } from "./files/scores_page.ts";
import { summaryPage } from "./files/summary_page.ts";
import { readFrontMatter } from "./frontmatter_reader.ts";
import { IndexPages } from "./index_pages.ts";
import type { Measure } from "./markdown.ts";
import type { RecordContents } from "./read.ts";
import { RecordModel } from "./record_model.ts";
import { readText } from "./verify_files.ts";
import { type Finding, REBUILD, show } from "./verify_finding.ts";

/** Whether derived files, and what is derived in `metadata.md`, are what the truth files of a finished convening make. */
export async function checkDerived(
  files: FileSystem,
  contents: RecordContents,
  measure: Measure,
): Promise<Finding[]> {
  const { dir } = contents;
  const model = modelOf(contents);
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
      problem: text === undefined ? "it is missing" : "it does not say what the truth files say",
      fix: REBUILD,
    });
  }
  return findings;
}

function modelOf(contents: RecordContents): RecordModel {
  const { start, status, endReason, endedAt, resumes, waitingFor } = contents;
  const model = new RecordModel(start, {
    status,
    resumes,
    ...(endReason === undefined ? {} : { endReason }),
    ...(endedAt === undefined ? {} : { endedAt }),
    ...(waitingFor === undefined ? {} : { waitingFor }),
  });
  model.outcome = contents.outcome;
  model.winner = contents.winner ?? null;
  for (const fact of contents.facts) model.add(fact);
  return model;
}

function* derivedPages(
  model: RecordModel,
  index: string,
  measure: Measure,
): Generator<[string, string]> {
  // A transcript made since is no fault of the index; a link to one that is gone is found with the links.
  const transcripts = [...index.matchAll(/\]\((transcript\.[a-z]+)\)/g)]
    .map(([, name]) => name ?? "");
  yield* new IndexPages(model).update(transcripts, measure).texts;
  yield ["summary.md", summaryPage(model)];
  if (model.hasScores) yield ["scores.md", scoresPage(model)];
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
  return DERIVED_KEYS
    .filter((key) => show(data[key]) !== show(expected[key]))
    .map((key) => ({
      path: "metadata.md",
      problem: `its ${key} is ${show(data[key])}, but the truth files make it ${
        show(expected[key])
      }`,
      fix: REBUILD,
    }));
}
