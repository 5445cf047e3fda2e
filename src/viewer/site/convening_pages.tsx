// Convening in a site of static pages: the publishable part of the record, its markdown, and its HTML pages with up to 200
// messages each.
/** @jsxImportSource hono/jsx */
import type { ConveningStart } from "../../core/event.ts";
import type { Fact } from "../../core/fact.ts";
import { ADDRESS_SETTINGS } from "../../core/key_rules.ts";
import { paperFile } from "../../core/paper.ts";
import { loadTokenCounter } from "../../core/tokens.ts";
import type { Convening } from "../../operations/convening.ts";
import type { ListRow } from "../../operations/list.ts";
import { flowIn } from "../../record/arguments_page.ts";
import { FACT_ROWS, factPath, renderFact } from "../../record/codec.ts";
import { derivedPages, renderMetadata } from "../../record/derived_files.ts";
import { common, writeFrontMatter } from "../../record/frontmatter.ts";
import { type Markup, pager, standalonePage, time } from "../../record/html/markup.tsx";
import { contents, spokenExchange } from "../../record/html/message.tsx";
import { outcomeSection } from "../../record/html/outcome.tsx";
import type { PageText } from "../../record/page_tree.ts";
import { conveningTitle, paperIndexPath, renderPaper } from "../../record/papers.ts";
import { type RecordContents, RecordModel } from "../../record/record_model.ts";
import {
  kindWords,
  statusSentence,
  type TranscriptEntry,
} from "../../record/transcript_outline.ts";
import {
  argumentsPart,
  briefPart,
  castPart,
  filesPart,
  lengthOf,
  pageOf,
  sectionsOf,
} from "../convening_parts.tsx";
import { reportParts } from "../paper_debate.tsx";
import { showsNewFork } from "../../record/list.ts";
import { standingBadge, usageCost } from "../standing.tsx";
import { outlineOf } from "../views.ts";

/** Types of facts that may be published; other types stay in the archive. */
const SHARED: ReadonlySet<Fact["type"]> = new Set([
  "message",
  "score",
  "verdict",
  "failure",
  "choice",
  "stop",
  "fact-check",
  "flow",
  "stance",
  "evidence",
  "brief",
  "own",
]);
const HIDDEN = new Set(FACT_ROWS.map(({ type }) => type).filter((type) => !SHARED.has(type)));

/** Settings with addresses, or with paths of the machine that ran the convening. */
const PLACES: ReadonlySet<string> = new Set([
  ...ADDRESS_SETTINGS,
  "memory",
  "out",
  "papers",
  "personas",
  "sources",
]);

const NO_TEXT = "The text of the paper is not part of this site.\n";

/** Errors of models and searches, with messages of servers that may contain names of servers and accounts, and limits. */
const ERRORS = /\b(Cannot (?:get a reply|get an answer|search the web))\b.*/g;

/** Removes sources, addresses, paths, the failure of the run, and the messages of servers' errors from a record. */
export function sharedContents(
  { learned: _addresses, failure: _failure, start, facts, ...contents }: RecordContents,
): RecordContents {
  return {
    ...contents,
    start: sharedStart(start),
    // Messages of participants stay unchanged.
    facts: facts.map((fact) => fact.type === "message" ? fact : withoutErrors(fact)),
  };
}

function withoutErrors<T>(value: T): T {
  return JSON.parse(
    JSON.stringify(value),
    (_key, each: unknown) => typeof each === "string" ? each.replace(ERRORS, "$1") : each,
  );
}

/** Returns the model of a record's shared contents, without private facts. */
export function sharedModel(contents: RecordContents): RecordModel {
  return RecordModel.of(contents, HIDDEN);
}

function sharedStart(start: ConveningStart): ConveningStart {
  const configuration = JSON.stringify(
    start.configuration,
    (key, value: unknown) => {
      if (PLACES.has(key)) return undefined;
      // A replay's model is the path of a record; its id remains.
      const isModel = /model$/i.test(key) && typeof value === "string";
      return isModel ? value.replace(/^\s*replay:.*[/\\](?=.)/s, "replay:") : value;
    },
  );
  return { ...start, sources: [], configuration: JSON.parse(configuration) };
}

/** Returns the derived pages and `metadata.md`; papers with title but without text. */
export async function sharedPages(model: RecordModel): Promise<readonly PageText[]> {
  const { papers = [] } = model.recordedStart;
  const measure = await loadTokenCounter();
  const { rows, links } = await derivedPages(model, { measure, transcripts: [] });
  const pages: PageText[] = [{ path: "metadata.md", text: renderMetadata(model) }];
  for (const row of rows) {
    // Pages that are made at the start only are pages of papers, which are replaced below.
    if (row.after !== "start") pages.push(...await row.pages());
  }
  for (const [index, { id, title }] of papers.entries()) {
    pages.push({ path: paperFile(index), text: renderPaper({ id, title, text: NO_TEXT }) });
    const path = paperIndexPath(index);
    if (!links.includes(path)) continue;
    pages.push({ path, text: writeFrontMatter(common("paper-index"), NO_TEXT) });
  }
  return pages;
}

export function* factFiles(model: RecordModel): Generator<PageText> {
  for (const fact of model.facts) {
    yield { path: factPath(fact, model), text: renderFact(fact, model) };
  }
}

const STYLE = `
.rows small { color: var(--soft); }
.outcome h2 { margin-top: 0; }
header.site a:last-child { margin-inline-start: auto; }
#found p { margin: 0.25rem 0; }
#found mark { background: var(--caution); color: inherit; }
`;

/** Returns an HTML page with the site's navigation; `root` is the relative path to the site's folder, such as `../../`. */
export async function sitePage(
  title: string,
  main: Markup,
  { root, at, script, data }: {
    readonly root: string;
    /** Navigation link that is marked as current. @default none */
    readonly at?: "list" | "search" | undefined;
    readonly script?: string | undefined;
    readonly data?: unknown;
  },
): Promise<string> {
  const link = (name: "list" | "search", href: string, words: string) => (
    <a href={root + href} aria-current={at === name ? "page" : undefined}>{words}</a>
  );
  return await standalonePage(`${title} · Convenings`, main, {
    style: STYLE,
    script,
    data,
    header: (
      <header class="site">
        <nav aria-label="Main">
          {link("list", "index.html", "Convenings")}
          {link("search", "search.html", "Search")}
        </nav>
      </header>
    ),
  });
}

/** Returns the file name of a page, by its number from 1. */
export function pageName(number: number): string {
  return number === 1 ? "index.html" : `page-${number}.html`;
}

interface ConveningParts {
  readonly convening: Convening;
  readonly model: RecordModel;
  readonly status: ListRow["status"];
  /** Markdown files next to the HTML pages. */
  readonly pages: readonly PageText[];
  /** Path of the parent in the site; absent if the parent is not in the site. */
  readonly parentPath?: string | undefined;
  /** Relative path to the site's folder, such as `../../`. */
  readonly root: string;
}

export async function* conveningPages(parts: ConveningParts): AsyncGenerator<PageText> {
  const { convening: { start }, root, convening } = parts;
  const { outline } = outlineOf(convening);
  const title = conveningTitle(start, convening.facts);
  const byPage = Map.groupBy(outline.entries, ({ message }) => pageOf(message.seq));
  // Only pages that have messages: an incomplete record may lack any number of messages.
  const numbers = [...new Set([1, ...byPage.keys()])].sort((a, b) => a - b);
  for (const number of numbers) {
    const shown = byPage.get(number) ?? [];
    const sections = number !== 1 ? [] : sectionsOf({
      outcome: true,
      report: convening.report !== undefined,
      brief: briefIn(parts.pages) !== undefined,
      arguments: flowIn(convening) !== undefined,
    });
    const html = await sitePage(
      title,
      <div id="convening">
        {contents(start, { sections, shown })}
        <div class="convening">
          {number === 1 ? head(parts) : (
            <h1 dir="auto">
              <a href="index.html">{title}</a>
            </h1>
          )}
          {exchange(parts, { shown, number, numbers })}
          {number === 1 &&
            argumentsPart(start, flowIn(convening), { hrefOf, fileOf: (name) => name })}
          {number === 1 && files(parts)}
        </div>
      </div>,
      { root },
    );
    yield { path: pageName(number), text: linkedTo(html, number) };
  }
}

/** Adds file names to links to messages on other pages. Texts escape quotation marks, so only attributes match. */
function linkedTo(html: string, number: number): string {
  return html.replace(/ href="#message-(\d+)"/g, (link, seq) => {
    const page = pageOf(Number(seq));
    return page === number ? link : ` href="${pageName(page)}#message-${seq}"`;
  });
}

const hrefOf = (seq: number) => `#message-${seq}`;

function briefIn(pages: ConveningParts["pages"]): string | undefined {
  return pages.find(({ path }) => path === "brief.md")?.text;
}

function head({ convening, status, pages, parentPath, root }: ConveningParts): Markup {
  const { start, report, result: { usage } } = convening;
  const { kind, startedAt, parent } = start;
  const { model, outline } = outlineOf(convening);
  const { isNewFork } = convening;
  return (
    <>
      <h1 dir="auto">{conveningTitle(start, convening.facts)}</h1>
      <p class="note">
        {standingBadge(status, "", isNewFork)}
        {` ${kindWords(kind)} · `}
        {time(startedAt)}
        {` · ${lengthOf(convening)} · ${usageCost(usage)} · `}
        <a href="index.md">index.md</a>
      </p>
      {status !== "completed" && !showsNewFork({ status, isNewFork }) && (
        <p>{statusSentence(model)}</p>
      )}
      {parent !== undefined && (
        <p class="note">
          {"Forked from "}
          {parentPath === undefined ? parent.dir : (
            <a
              href={`${root}${parentPath}/${pageName(pageOf(parent.seq))}#message-${parent.seq}`}
            >
              {parent.dir}
            </a>
          )}
          {` after message ${parent.seq}.`}
        </p>
      )}
      {castPart(start)}
      {outcomeSection(model, outline, hrefOf)}
      {report !== undefined && (
        <section class="report" aria-labelledby="report-title">
          <h2 id="report-title">Report</h2>
          {reportParts(convening, { hrefOf })}
        </section>
      )}
      {briefPart(briefIn(pages), "brief.md")}
    </>
  );
}

function exchange(
  { convening, model }: ConveningParts,
  { shown, number, numbers }: {
    readonly shown: readonly TranscriptEntry[];
    readonly number: number;
    readonly numbers: readonly number[];
  },
): Markup {
  const { start } = convening;
  const footerOf = ({ message }: TranscriptEntry) => (
    <a href={factPath(message, model)}>
      Markdown<span class="unseen">{` of message ${message.seq}`}</span>
    </a>
  );
  return (
    <section aria-labelledby="exchange-title">
      <h2 id="exchange-title">The exchange</h2>
      {pages(number, numbers)}
      {spokenExchange(outlineOf(convening).outline.entries, shown, { start, hrefOf, footerOf })}
      {shown.length === 0 && <p class="note">There are no messages yet.</p>}
      {pages(number, numbers)}
    </section>
  );
}

function pages(number: number, numbers: readonly number[]): Markup {
  return pager({
    ...{ at: numbers.indexOf(number) + 1, last: numbers.length },
    label: "Pages of the exchange",
    hrefOf: (at) => `${pageName(numbers[at - 1]!)}#exchange-title`,
  });
}

function files({ pages }: ConveningParts): Markup {
  const names = pages.map(({ path }) => path).filter((path) => !path.includes("/")).sort();
  const note = "The same in markdown: index.md leads to every message.";
  return filesPart(note, names, (name) => name);
}
