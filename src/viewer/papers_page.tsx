// Pages of papers: the list of kept papers, a paper with the form that starts a debate, and the text of a paper.
/** @jsxImportSource hono/jsx */
import { ConveningError } from "../core/error.ts";
import type { Fact } from "../core/fact.ts";
import { citationsOf, pageAt, type Paper, type PaperPlace } from "../core/paper.ts";
import { counted, plainText } from "../core/text.ts";
import type { ShelvedPaper } from "../inputs/folder_shelf.ts";
import type { ListRow } from "../operations/list.ts";
import { bidi, type Markup, pager } from "../record/html/markup.tsx";
import { rowItem } from "./archive_page.tsx";
import { paperPart, PART, placeId } from "./convening_parts.tsx";
import { errorSummary, field, isFilled, planPart, settingFields } from "./forms.tsx";
import {
  EMPTY_FORM,
  formSettings,
  type FormState,
  type SentForm,
  type ShownPlan,
} from "./sent_forms.ts";
import { type Page, page } from "./page.tsx";
import type { ConveningView } from "./standing.tsx";

export type PaperForm = "file" | "text";

/** Maximal characters of a pasted paper. */
const MOST_CHARACTERS = 10_000_000;

/**
 * Returns the page of kept papers and, unless read-only, the forms that send a paper; `sent` is a rejected form with its
 * errors.
 */
export function papersPage(
  papers: readonly ShelvedPaper[],
  { sent = EMPTY_FORM, isReadOnly }: {
    readonly sent?: SentForm | undefined;
    readonly isReadOnly: boolean;
  },
): Page {
  const formOf = (scope: PaperForm): FormState =>
    sent.scope === scope ? sent : { ...EMPTY_FORM, scope };
  return page({
    title: "Papers",
    at: "papers",
    body: (
      <>
        <h1>Papers</h1>
        {errorSummary(sent)}
        {!isReadOnly && (
          <div class="columns">
            {uploadForm(formOf("file"))}
            {pasteForm(formOf("text"), sent.scope === "text")}
          </div>
        )}
        <h2>On the shelf</h2>
        {papers.length === 0 && (
          <p class="note">
            {isReadOnly
              ? "There are no papers yet."
              : "There are no papers yet: upload one to start a debate."}
          </p>
        )}
        <ul class="cards" role="list">
          {papers.map((paper) => (
            <li class="card">
              <h3>
                <a href={`/papers/${paper.id}`} dir="auto">{paper.title}</a>
              </h3>
              <p class="note">{factsOf(paper)}</p>
            </li>
          ))}
        </ul>
      </>
    ),
  });
}

function uploadForm(form: FormState): Markup {
  return (
    <form class="card" method="post" action="/papers" enctype="multipart/form-data">
      <h2>Upload a paper</h2>
      {field(form, {
        ...{ name: "file", label: "A PDF, markdown or text file", required: true },
        accept: ".pdf,.md,.markdown,.txt,application/pdf,text/*",
      })}
      {field(form, { name: "title", label: "Title, if the file has none that fits" })}
      <button type="submit">Upload</button>
    </form>
  );
}

function pasteForm(form: FormState, isOpen: boolean): Markup {
  return (
    <details class="card" open={isOpen}>
      <summary>Paste a text instead</summary>
      <form method="post" action="/papers" enctype="multipart/form-data">
        {field(form, { name: "title", label: "Title", required: true })}
        {field(form, {
          ...{ name: "text", label: "Text", rows: 8, most: MOST_CHARACTERS, required: true },
        })}
        <button type="submit">Keep it</button>
      </form>
    </details>
  );
}

function factsOf({ id, characters, pages }: ShelvedPaper): string {
  const count = pages === undefined ? "" : ` · ${counted(pages, "page")}`;
  return `${id} · ${counted(characters, "character")}${count}`;
}

/** Returns the page of a paper with the debates so far and, with a plan, the form that starts a debate. */
export function paperPage(
  paper: ShelvedPaper,
  form: SentForm,
  { history, plan }: {
    readonly history: readonly ListRow[];
    /** Absent on a read-only server, which has no form. */
    readonly plan: ShownPlan | undefined;
  },
): Page {
  return page({
    title: paper.title,
    at: "papers",
    body: (
      <div data-state="idle">
        <h1 dir="auto">{paper.title}</h1>
        <p class="note">
          {`${factsOf(paper)} · `}
          <a href={`/papers/${paper.id}/text`}>Read the paper</a>
        </p>
        {errorSummary(form)}
        {plan !== undefined && debateForm(paper.id, form, plan)}
        <h2>History</h2>
        {history.length === 0 && <p class="note">It has not been debated yet.</p>}
        <ul class="rows" role="list">{history.map((row) => rowItem(row))}</ul>
      </div>
    ),
  });
}

function debateForm(id: string, form: SentForm, plan: ShownPlan): Markup {
  const settings = formSettings("paper-debate");
  const more = settings.filter(([, row]) => row.form.part === "more");
  const action = `/papers/${id}/debates`;
  return (
    <form class="card" method="post" action={action}>
      <h2>Debate it</h2>
      {settingFields(form, settings, "rules")}
      <details class="more" open={isFilled(form, more.map(([path]) => path))}>
        <summary>Models, limits and more</summary>
        <div class="columns">{settingFields(form, more, "more")}</div>
      </details>
      {planPart(plan, action)}
      <button type="submit">Start the debate</button>
    </form>
  );
}

/** Returns the page of a paper in a convening's record, with the quoted passages marked. Fails with `not_found`. */
export function recordPaperPage(
  { id, start, title, convening: { facts } }: ConveningView,
  { paper: name, part }: { readonly paper: string; readonly part: number },
): Page {
  const paper = start.papers?.find((each) => each.id === name);
  if (paper === undefined) {
    throw new ConveningError("not_found", `Cannot find paper "${name.slice(0, 100)}" of ${id}`, {
      hint: "The page of the convening links its papers.",
    });
  }
  return textPage(paper, {
    part,
    path: `/convenings/${id}/papers/${encodeURIComponent(name)}`,
    places: quotedPlaces(facts, name),
    about: (
      <>
        {"A paper of "}
        <a href={`/convenings/${id}`}>{bidi(title)}</a>
        {". Quoted passages are marked."}
      </>
    ),
  });
}

export function shelfPaperPage(
  paper: Paper,
  { part, isReadOnly }: { readonly part: number; readonly isReadOnly: boolean },
): Page {
  return textPage(paper, {
    part,
    path: `/papers/${paper.id}/text`,
    about: (
      <a href={`/papers/${paper.id}`}>
        {isReadOnly ? "Debates over this paper" : "Debate this paper"}
      </a>
    ),
  });
}

function textPage(
  paper: Paper,
  { path, part, places, about }: Pick<NonNullable<Parameters<typeof paperText>[1]>, "places"> & {
    readonly path: string;
    readonly part: number;
    readonly about: ReturnType<typeof bidi>;
  },
): Page {
  const { title, pages = [] } = paper;
  const parts = Math.max(1, Math.ceil(paper.text.length / PART));
  const at = Math.min(part, parts);
  const hrefOf = (number: number, anchor = "") =>
    `${path}${number === 1 ? "" : `?part=${number}`}${anchor}`;
  return page({
    title,
    at: "papers",
    body: (
      <>
        <h1 dir="auto">{title}</h1>
        <p class="note">{about}</p>
        {pages.length > 1 && (
          <nav class="pages" aria-label="Pages of the paper">
            {pages.map((start) => {
              const number = pageAt(paper, start);
              return <a href={hrefOf(paperPart(start), `#page-${number}`)}>{number}</a>;
            })}
          </nav>
        )}
        {paperText(paper, { part: at, places })}
        {pager({ at, last: parts, hrefOf, unit: "Part", label: "Parts of the paper" })}
      </>
    ),
  });
}

function quotedPlaces(facts: readonly Fact[], paper: string): readonly PaperPlace[] {
  return facts.filter((fact) => fact.type === "evidence").flatMap((evidence) => {
    const cited = citationsOf(evidence).flatMap(({ paper: passages = [] }) => passages)
      .filter((each) => each.paper === paper && each.status === "verified")
      .map(({ cited, start }) => cited ?? { start });
    const quoted = evidence.quotations
      .filter(({ status, from, source }) =>
        status === "verified" && from === "paper" && source === paper
      )
      .flatMap((each): readonly PaperPlace[] => each.parts ?? [each]);
    return [...quoted, ...cited];
  });
}

/** Returns a part of a paper's text, page by page. Each of `places` is marked and has an anchor. */
export function paperText(
  paper: Paper,
  { part = 1, places = [] }: {
    readonly part?: number | undefined;
    readonly places?: readonly PaperPlace[] | undefined;
  } = {},
): Markup {
  const { text, pages = [] } = paper;
  // Parts have whole lines; a line across a boundary is in both parts.
  const from = part === 1 ? 0 : text.lastIndexOf("\n", (part - 1) * PART) + 1;
  const after = text.indexOf("\n", part * PART);
  const to = part * PART >= text.length || after === -1 ? text.length : after;
  const inner = pages.filter((start) => start > from && start < to);
  const starts = [from, ...inner];
  return (
    <>
      {starts.map((start, at) => {
        const number = pageAt(paper, start);
        return (
          <section
            class="paper-page"
            aria-labelledby={number === undefined ? undefined : `page-${number}`}
          >
            {number !== undefined && <h2 id={`page-${number}`}>{`Page ${number}`}</h2>}
            <div class="paper-text" dir="auto">
              {marked(text, { from: start, to: starts[at + 1] ?? to }, places)}
            </div>
          </section>
        );
      })}
    </>
  );
}

/** Line break within a paragraph, from the width of the page in an extracted text. */
const WRAP = /(?<=[^\n]{50})\n(?=[\p{L}("“‘])/gu;

/** Returns a range of the text with its places marked, and an anchor at each start; overlapping passages are one mark. */
function marked(
  text: string,
  { from, to }: { readonly from: number; readonly to: number },
  places: readonly PaperPlace[],
): Markup {
  const shown = text.slice(from, to).replace(WRAP, " ");
  const spans = places.flatMap(({ start, end = start }) =>
    start === undefined || start >= to || end! < from ? [] : [{ start, end: end! }]
  );
  const isMarked = (at: number) => spans.some(({ start, end }) => start <= at && at < end);
  const starts = new Set(spans.map(({ start }) => start));
  const ends = spans.map(({ end }) => end).filter((end) => !isMarked(end));
  const cuts = [...new Set([from, ...starts, ...ends])].filter((at) => at >= from && at < to)
    .sort((a, b) => a - b);
  const groups: { readonly isMark: boolean; readonly pieces: Markup[] }[] = [];
  for (const [index, at] of cuts.entries()) {
    const piece = (
      <>
        {starts.has(at) && <span id={placeId(at)}></span>}
        {plainText(shown.slice(at - from, (cuts[index + 1] ?? to) - from))}
      </>
    );
    const isMark = isMarked(at);
    const last = groups.at(-1);
    if (last?.isMark === isMark) last.pieces.push(piece);
    else groups.push({ isMark, pieces: [piece] });
  }
  return (
    <>
      {groups.map(({ isMark, pieces }) => isMark ? <mark>{pieces}</mark> : <>{pieces}</>)}
    </>
  );
}
