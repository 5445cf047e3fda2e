// The table of derived pages: the change that makes each kind of page outdated, and its rendering from the record model.
import type { Fact } from "../core/fact.ts";
import { ARGUMENT_PAGES, argumentPages, ARGUMENTS, flowIn } from "./arguments_page.ts";
import { briefPage, newestBrief } from "./brief_page.ts";
import type { Measure } from "./markdown.ts";
import type { PageText } from "./page_tree.ts";
import type { RecordModel } from "./record_model.ts";
import { paperFolder, paperIndexPath, REPORT_FOLDER } from "./papers.ts";
import {
  CLAIM_PAGES,
  claimPages,
  CLAIMS,
  FILE_PAGES,
  filePages,
  FILES,
  hasFiles,
} from "./list_pages.ts";
import { SCORE_PAGES } from "./score_table.ts";
import { scoresPages } from "./scores_page.ts";
import { indexHead, summaryPage } from "./result_pages.ts";
import { indexPages } from "./index_pages.ts";

const BRIEF = "brief.md";

/** Folders with derived pages only, except those of papers. */
export const PAGE_FOLDERS: readonly string[] = [
  "pages",
  REPORT_FOLDER,
  ARGUMENT_PAGES,
  CLAIM_PAGES,
  FILE_PAGES,
  SCORE_PAGES,
];

/** Changes of a record that make pages outdated. */
export type PageChange = "start" | "result" | "index";

/** Row of the table: a kind of derived page. */
export interface PageRow {
  /** Change after which the pages are rendered again; pages of `start` are rendered once. */
  readonly after: PageChange;
  /** Folders that contain only these pages. @default none */
  folders?(model: RecordModel): readonly string[];
  /** Returns the pages; none if the convening has no content of the kind. */
  pages(sources: PageSources): Iterable<PageText> | Promise<Iterable<PageText>>;
}

/** Inputs for rendering derived pages. */
export class PageSources {
  readonly model: RecordModel;
  readonly measure: Measure;
  readonly transcripts: readonly string[];
  #report: Promise<readonly PageText[]> | undefined;

  /** Creates the inputs. `measure` counts tokens; `transcripts` are file names to link to. */
  constructor(
    model: RecordModel,
    { measure, transcripts }: {
      readonly measure: Measure;
      readonly transcripts: readonly string[];
    },
  ) {
    this.model = model;
    this.measure = measure;
    this.transcripts = transcripts;
  }

  /** Pages of the report; none without papers. */
  get report(): Promise<readonly PageText[]> {
    return this.#report ??= this.#makeReport();
  }

  async #makeReport(): Promise<readonly PageText[]> {
    const { start, facts, recordedStart } = this.model;
    if (recordedStart.papers === undefined) return [];
    const { reportFiles } = await import("./paper_pages.ts");
    return reportFiles(start, facts, this.measure);
  }

  /** Returns paths of optional pages to link to: brief, arguments, claims, further files, report, top indexes of papers. */
  async links(): Promise<string[]> {
    const { papers = [] } = this.model.recordedStart;
    const { model } = this;
    const own = [
      ...newestBrief(model) === undefined ? [] : [BRIEF],
      ...has(model, "flow") ? [ARGUMENTS] : [],
      ...has(model, "fact-check") ? [CLAIMS] : [],
      ...hasFiles(model) ? [FILES] : [],
    ];
    if (papers.length === 0) return own;
    const { hasPages } = await import("./paper_pages.ts");
    return [
      ...own,
      ...(await this.report).map(({ path }) => path).filter((path) => !path.includes("/")),
      ...papers.flatMap((paper, at) => hasPages(paper, this.measure) ? [paperIndexPath(at)] : []),
    ];
  }
}

function has({ facts }: RecordModel, type: Fact["type"]): boolean {
  return facts.some((fact) => fact.type === type);
}

export const DERIVED_PAGES: readonly PageRow[] = [
  {
    after: "index",
    folders: () => ["pages"],
    pages: async (sources) => {
      const links = [...await sources.links(), ...sources.transcripts];
      const head = indexHead(sources.model, links, sources.measure);
      return await indexPages(sources.model, head, sources.measure);
    },
  },
  {
    after: "result",
    pages: async (sources) => [
      { path: "summary.md", text: summaryPage(sources.model, await sources.links()) },
    ],
  },
  {
    after: "result",
    folders: ({ hasScores }) => hasScores ? [SCORE_PAGES] : [],
    pages: ({ model, measure }) => model.hasScores ? scoresPages(model, measure) : [],
  },
  {
    after: "index",
    folders: (model) => has(model, "fact-check") ? [CLAIM_PAGES] : [],
    pages: ({ model, measure }) => claimPages(model, measure),
  },
  {
    after: "index",
    folders: () => [FILE_PAGES],
    pages: ({ model, measure }) => filePages(model, measure),
  },
  {
    after: "result",
    folders: ({ recordedStart: { papers } }) => papers === undefined ? [] : [REPORT_FOLDER],
    pages: (sources) => sources.report,
  },
  {
    after: "result",
    pages({ model }) {
      const brief = newestBrief(model);
      return brief === undefined ? [] : [{ path: BRIEF, text: briefPage(model, brief) }];
    },
  },
  {
    after: "result",
    folders: (model) => flowIn(model) === undefined ? [] : [ARGUMENT_PAGES],
    pages({ model, measure }) {
      const sheet = flowIn(model);
      return sheet === undefined ? [] : argumentPages(model, sheet, measure);
    },
  },
  {
    after: "start",
    folders: ({ recordedStart: { papers = [] } }) => papers.map((_paper, at) => paperFolder(at)),
    async pages({ model: { recordedStart: { papers = [] } }, measure }) {
      if (papers.length === 0) return [];
      const { paperPages } = await import("./paper_pages.ts");
      // Rendered lazily, a page at a time, because papers are long.
      return papers.values().flatMap((paper, at) => paperPages(paper, at, measure));
    },
  },
];
