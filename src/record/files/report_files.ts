import type { ConveningStart } from "../../core/convening_start.ts";
import type { Fact } from "../../core/fact.ts";
import { debateReport } from "../../papers/text/report.ts";
import { writeFrontMatter } from "../frontmatter.ts";
import { common } from "./renderer.ts";

/** A file of a report: where it stands in its convening's directory, and its text. */
export interface ReportFile {
  readonly path: "report.md" | "report.json";
  readonly text: string;
}

/** `report.md` and `report.json`, by the record alone; none for other kinds, nor while there is no report. */
export function reportFiles(start: ConveningStart, facts: readonly Fact[]): readonly ReportFile[] {
  const report = debateReport(start, facts);
  if (report === undefined) return [];
  const data = {
    ...common("report"),
    index: "index.md",
    question: report.question.toWellFormed(),
    papers: report.papers.map(({ id }) => id.toWellFormed()),
    data: "report.json",
  };
  return [
    { path: "report.md", text: writeFrontMatter(data, report.markdown.toWellFormed()) },
    { path: "report.json", text: `${JSON.stringify(report, null, 2)}\n` },
  ];
}
