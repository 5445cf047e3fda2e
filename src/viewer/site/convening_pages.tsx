// The pages of a convening in a site: the outcome first, then what was said, 200 messages a page.
/** @jsxRuntime automatic */
/** @jsxImportSource hono/jsx */
import type { Convening } from "../../operations/convening.ts";
import type { ListRow } from "../../operations/list.ts";
import { flowIn } from "../../record/arguments_page.ts";
import { factPath } from "../../record/codec.ts";
import { type Markup, time } from "../../record/html/markup.tsx";
import { leftSide, messageMarkup } from "../../record/html/message.tsx";
import { outcomeSection } from "../../record/html/outcome.tsx";
import type { PageText } from "../../record/page_tree.ts";
import type { RecordModel } from "../../record/record_model.ts";
import {
  kindWords,
  statusSentence,
  type TranscriptEntry,
} from "../../record/transcript_outline.ts";
import { contents, type PageSection } from "../../record/html/contents.tsx";
import { argumentsPart, briefPart, castPart, lengthOf } from "../convening_page.tsx";
import { MESSAGES_A_PAGE, pageOf } from "../exchange.tsx";
import { reportParts } from "../paper_report.tsx";
import { freshBadge, isFreshFork, standingBadge, usageCost } from "../standing.tsx";
import { outlineOf } from "../views.ts";
import { sitePage } from "./site_page.tsx";

/** The name of a page of a convening, by its number from 1. */
export function pageName(number: number): string {
  return number === 1 ? "index.html" : `page-${number}.html`;
}

/** A convening as its pages show it. */
interface ConveningParts {
  readonly convening: Convening;
  readonly model: RecordModel;
  readonly status: ListRow["status"];
  /** The markdown beside the pages. */
  readonly pages: readonly PageText[];
  /** The place of its parent in the site; absent where the site has none. */
  readonly parentPath?: string | undefined;
  /** The path to the site's folder, such as `../../`. */
  readonly root: string;
}

/** The pages of a convening, one at a time. */
export async function* conveningPages(parts: ConveningParts): AsyncGenerator<PageText> {
  const { convening: { start }, root, convening } = parts;
  const { outline } = outlineOf(convening);
  const byPage = Map.groupBy(outline.entries, ({ message }) => pageOf(message.seq));
  // Pages with messages alone: a record that is not whole may lack any number of them.
  const numbers = [...new Set([1, ...byPage.keys()])].sort((a, b) => a - b);
  for (const number of numbers) {
    const shown = byPage.get(number) ?? [];
    const sections = number === 1 ? sectionsOf(parts) : [];
    const html = await sitePage(
      start.topic,
      <div id="convening">
        {contents(start, { sections, shown })}
        <div class="convening">
          {number === 1 ? head(parts) : furtherHead(start.topic)}
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

/** Links to messages of other pages lead there; quotation marks in words are escaped: what matches is markup. */
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

function sectionsOf({ pages, convening }: ConveningParts): readonly PageSection[] {
  return [
    { anchor: "result", name: "Outcome" },
    ...convening.report === undefined ? [] : [{ anchor: "report-title", name: "Report" }],
    ...briefIn(pages) === undefined ? [] : [{ anchor: "brief", name: "Brief" }],
    { anchor: "exchange-title", name: "The exchange" },
    ...flowIn(convening) === undefined ? [] : [{ anchor: "arguments", name: "Arguments" }],
    { anchor: "files", name: "Files" },
  ];
}

function head({ convening, status, pages, parentPath, root }: ConveningParts): Markup {
  const { start, report, result: { usage } } = convening;
  const { kind, topic, startedAt, parent } = start;
  const { record, outline } = outlineOf(convening);
  const isFresh = isFreshFork(status, { parent, messages: convening.messages.length });
  return (
    <>
      <h1 dir="auto">{topic}</h1>
      <p class="note">
        {isFresh ? freshBadge() : standingBadge(status)}
        {` ${kindWords(kind)} · `}
        {time(startedAt)}
        {` · ${lengthOf(convening)} · ${usageCost(usage)} · `}
        <a href="index.md">index.md</a>
      </p>
      {status !== "completed" && !isFresh && <p>{statusSentence(record)}</p>}
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
      {outcomeSection(record, outline, hrefOf)}
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

function furtherHead(topic: string): Markup {
  return (
    <h1 dir="auto">
      <a href="index.html">{topic}</a>
    </h1>
  );
}

function exchange(
  { convening, model }: ConveningParts,
  { shown, number, numbers }: {
    readonly shown: readonly TranscriptEntry[];
    readonly number: number;
    /** Of all pages. */
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
      {pager(number, numbers)}
      <div class="exchange" data-left={leftSide(start, outlineOf(convening).outline.entries)}>
        {
          // Private thoughts and rejected attempts were not said.
          shown.map(({ draft: _draft, ...entry }) =>
            messageMarkup({ ...entry, rejected: [] }, { start, hrefOf, footerOf })
          )
        }
      </div>
      {shown.length === 0 && <p class="note">There is no message yet.</p>}
      {pager(number, numbers)}
    </section>
  );
}

function pager(number: number, numbers: readonly number[]): Markup {
  if (numbers.length === 1) return <></>;
  const at = numbers.indexOf(number);
  const link = (to: number | undefined, words: string) =>
    to !== undefined && <a href={`${pageName(to)}#exchange-title`}>{words}</a>;
  return (
    <nav class="pager" aria-label="Pages of the exchange">
      {link(numbers[at - 1], "Earlier")}
      <details>
        <summary>{`Page ${at + 1} of ${numbers.length}`}</summary>
        {numbers.map((each) => (
          <>{link(each, `From message ${(each - 1) * MESSAGES_A_PAGE + 1}`)}{" "}</>
        ))}
      </details>
      {link(numbers[at + 1], "Later")}
    </nav>
  );
}

function files({ pages }: ConveningParts): Markup {
  const names = pages.map(({ path }) => path).filter((path) => !path.includes("/")).sort();
  return (
    <section aria-labelledby="files">
      <h2 id="files">Files</h2>
      <p class="note">The same in markdown: index.md leads to every message.</p>
      <ul class="files" role="list">
        {names.map((name) => (
          <li>
            <a href={name}>{name}</a>
          </li>
        ))}
      </ul>
    </section>
  );
}
