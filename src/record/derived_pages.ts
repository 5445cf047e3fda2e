// The table of derived pages: the change that makes each kind of page outdated, and its rendering from the record model. Also
// renders `metadata.md`.
import type { Fact } from "../core/fact.ts";
import { paperFile } from "../core/paper.ts";
import { counted } from "../core/text.ts";
import { statedPositions } from "../judging/assessment.ts";
import { argumentPages, ARGUMENTS } from "./arguments_page.ts";
import { briefPage, newestBrief } from "./brief_page.ts";
import { writtenKeys } from "./fact_row.ts";
import { indexPages } from "./index_pages.ts";
import { claimPages, CLAIMS, filePages, FILES, hasFiles } from "./list_pages.ts";
import { common, writeFrontMatter } from "./frontmatter.ts";
import { markdownText, type Measure } from "./markdown.ts";
import {
  ALL_METADATA,
  isNewFork,
  NEW_FORK,
  paperResults,
  waitingSentences,
} from "./metadata_file.ts";
import { PAGE_FOLDERS, type PageText } from "./page_tree.ts";
import type { RecordModel } from "./record_model.ts";
import { paperFolder, paperIndexPath } from "./papers.ts";
import { indexHead, summaryPage } from "./result_pages.ts";
import { scoresPages } from "./scores_page.ts";

const BRIEF = "brief.md";

/** Changes of a record that make pages outdated. */
export type PageChange = "start" | "result" | "index";

/** A kind of derived page that a convening has, or had. */
export interface PageRow {
  /** Change after which the pages are rendered again; pages of `start` are rendered once. */
  readonly after: PageChange;
  /** Folders that contain only these pages. */
  readonly folders: readonly string[];
  /** Renders the pages. */
  pages(): Iterable<PageText> | Promise<Iterable<PageText>>;
}

interface PageSources {
  /** Counts tokens. */
  readonly measure: Measure;
  /** File names of transcripts to link to. */
  readonly transcripts: readonly string[];
}

/** Derived pages of a record. */
interface DerivedPages {
  readonly rows: readonly PageRow[];
  /** Paths of optional pages to link to: brief, arguments, claims, further files, report, top indexes of papers. */
  readonly links: readonly string[];
}

/** Returns the kinds of derived pages of a record. A row renders its pages when they are asked for. */
export async function derivedPages(
  model: RecordModel,
  { measure, transcripts }: PageSources,
): Promise<DerivedPages> {
  const { start, facts, recordedStart: { papers } } = model;
  const paperPages = papers === undefined ? undefined : await import("./paper_pages.ts");
  const report = paperPages?.reportFiles(start, facts, measure) ?? [];
  const indexes = (papers ?? []).flatMap((paper, at) =>
    paperPages?.hasPages(paper, measure) === true ? [paperIndexPath(at)] : []
  );
  const brief = newestBrief(model);
  const has = (type: Fact["type"]) => facts.some((fact) => fact.type === type);
  const [isChecked, isNoted] = [has("fact-check"), has("flow")];
  const links = [
    ...brief === undefined ? [] : [BRIEF],
    ...isNoted ? [ARGUMENTS] : [],
    ...isChecked ? [CLAIMS] : [],
    ...hasFiles(model) ? [FILES] : [],
    ...report.map(({ path }) => path).filter((path) => !path.includes("/")),
    ...indexes,
  ];
  const row = (
    after: PageChange,
    pages: PageRow["pages"],
    folders: PageRow["folders"] = [],
  ): PageRow => ({ after, pages, folders });
  const head = () => indexHead(model, [...links, ...transcripts], measure);
  const rows = [
    row("index", () => indexPages(model, head(), measure), [PAGE_FOLDERS.index]),
    row("result", () => [{ path: "summary.md", text: summaryPage(model, links) }]),
    ...model.hasScores
      ? [row("result", () => scoresPages(model, measure), [PAGE_FOLDERS.scores])]
      : [],
    ...isChecked ? [row("index", () => claimPages(model, measure), [PAGE_FOLDERS.claims])] : [],
    row("index", () => filePages(model, measure), [PAGE_FOLDERS.files]),
    ...papers === undefined ? [] : [row("result", () => report, [PAGE_FOLDERS.report])],
    ...brief === undefined
      ? []
      : [row("result", () => [{ path: BRIEF, text: briefPage(model, brief) }])],
    ...isNoted
      ? [row("result", () => argumentPages(model, measure), [PAGE_FOLDERS.arguments])]
      : [],
    ...papers === undefined || paperPages === undefined ? [] : [row(
      "start",
      // Rendered lazily, a page at a time, because papers are long.
      () => papers.values().flatMap((paper, at) => paperPages.paperPages(paper, at, measure)),
      papers.map((_paper, at) => paperFolder(at)),
    )],
  ];
  return { rows, links };
}

/** Renders `metadata.md`. */
export function renderMetadata(model: RecordModel): string {
  const { recordedStart: start, progress, layout, outcome, winner, usage, statistics } = model;
  const { facts, paperFindings, assessment } = model;
  const stated = statedPositions(start, facts);
  const data = writtenKeys({
    ...start,
    ...progress,
    ...assessment,
    ...paperFindings === undefined ? {} : paperResults(paperFindings),
    ...{ outcome, winner, usage, statistics },
    layout: layout === 1 ? undefined : layout,
    participants: start.participants.map((each) => {
      const from = stated.get(each.id);
      return { ...each, ...from, positionFrom: from?.seq };
    }),
    sources: start.sources.map(({ name }) => name),
    papers: start.papers?.map(({ id, title }, index) => ({ file: paperFile(index), id, title })),
  }, ALL_METADATA);
  return writeFrontMatter({ ...common("metadata"), ...data }, metadataBody(model));
}

function metadataBody({ start, progress, statistics }: RecordModel): string {
  const status = isNewFork(start, progress) ? NEW_FORK : progress.status;
  const waiting = waitingSentences(start, progress, markdownText)
    .map((sentence) => `\n${sentence}\n`);
  return `# ${markdownText(start.topic, 200)}

A ${markdownText(start.kind, 80)}, ${status}: ${counted(statistics.messages ?? 0, "message")}, ${
    counted(start.participants.length, "participant")
  }. The configuration, the participants and the numbers are in the
front matter above; what was said is listed in [index.md](index.md).
${waiting.join("")}`;
}
