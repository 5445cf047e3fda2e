// The report of a study: standings, warnings, and the files of its folder.
import { join } from "@std/path";
import { writeDurably } from "../core/files.ts";
import { sha256 } from "../core/message.ts";
import { markdownOf } from "./blocks.ts";
import type { DiagnosticInput } from "./diagnostic.ts";
import { diagnose } from "./diagnostics.ts";
import type { StudyOnDisk } from "./folder.ts";
import { rateStudy } from "./ratings.ts";
import { diagnosticBlocks, leaderboardBlocks } from "./report_blocks.ts";
import { pageOf } from "./report_page.tsx";
import { studyDebates } from "./results.ts";
import { csvOf, standingOf, type StudyReport, warningsOf } from "./standings.ts";
import type { StudyDebate } from "./study_debate.ts";

/** Options of {@linkcode writeReport}. */
export interface ReportOptions extends Pick<DiagnosticInput, "labels"> {
  /** Number of bootstrap samples. @default as the study says */
  readonly bootstrap?: number | undefined;
  /** Biases that judge checks found of a model. @default none */
  readonly biasesOf?: ((model: string) => Promise<readonly string[]>) | undefined;
}

/** Writes the report of a study, finished or not, from its records. The same records give the same bytes. */
export async function writeReport(
  on: StudyOnDisk,
  options: ReportOptions = {},
): Promise<StudyReport> {
  const { files, study, dir } = on;
  const debates = await studyDebates(on);
  const plan = sha256(await files.read(join(dir, "plan.jsonl")));
  const { report, texts } = await reportOf({ study, dir, plan }, debates, options);
  await files.makeFolder(report.dir);
  for (const [name, text] of Object.entries(texts)) {
    await writeDurably(files, join(report.dir, name), text);
  }
  return report;
}

/** The report of a study's debates, and its files by name. */
export async function reportOf(
  { study, dir, plan }: Pick<StudyOnDisk, "study" | "dir"> & {
    /** SHA-256 of the plan. */
    readonly plan: string;
  },
  debates: readonly StudyDebate[],
  { bootstrap, labels, biasesOf = () => Promise.resolve([]) }: ReportOptions = {},
): Promise<{ readonly report: StudyReport; readonly texts: Readonly<Record<string, string>> }> {
  const settings = { ...study.ratings, bootstrap: bootstrap ?? study.ratings?.bootstrap };
  const ratings = rateStudy({ study: study.study, plan, debates }, settings);
  const biases = new Map<string, readonly string[]>();
  for (const { model } of debates.flatMap(({ votes }) => votes)) {
    if (!biases.has(model)) biases.set(model, await biasesOf(model));
  }
  const diagnostics = diagnose({ debates, ratings, labels, biases });
  const report: StudyReport = {
    study: study.study,
    dir: join(dir, "report"),
    planned: debates.length,
    completed: debates.filter(({ status }) => status === "completed").length,
    warnings: warningsOf(debates, ratings, diagnostics),
    leaderboard: ratings.ratings.map((rating) => standingOf(rating, debates)),
    diagnostics,
  };
  const title = `Study ${study.study}`;
  const blocks = leaderboardBlocks(report, debates, ratings);
  const found = diagnosticBlocks(diagnostics);
  const texts = {
    "ratings.json": `${JSON.stringify(ratings, null, 1)}\n`,
    "leaderboard.csv": csvOf(report.leaderboard),
    "diagnostics.md": markdownOf(`${title}: diagnostics`, found),
    "leaderboard.md": markdownOf(title, blocks),
    "leaderboard.html": await pageOf(title, [...blocks, ...found]),
  };
  return { report, texts };
}
