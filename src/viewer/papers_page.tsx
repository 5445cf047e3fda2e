// The pages of papers: the shelf, and each paper with the form that starts a debate over it.
/** @jsxRuntime automatic */
/** @jsxImportSource hono/jsx */
import type { ShelvedPaper } from "../inputs/folder_shelf.ts";
import type { Markup } from "../record/html/markup.tsx";
import type { ListRow } from "../operations/list.ts";
import { rowItem } from "./archive_page.tsx";
import {
  EMPTY_FORM,
  errorSummary,
  field,
  type FormState,
  planPart,
  type SentForm,
  settingFields,
  type ShownPlan,
} from "./form_fields.tsx";
import { formSettings } from "./new_configuration.ts";
import { type Page, page } from "./page.tsx";

/** The forms that post a paper: a file, or a pasted text. */
export type PaperForm = "file" | "text";

/** The most characters of a pasted paper. */
const MOST_CHARACTERS = 10_000_000;

/** The papers of the shelf, with the forms that post one; `sent` is a form as it was sent. */
export function papersPage(papers: readonly ShelvedPaper[], sent: SentForm = EMPTY_FORM): Page {
  const formOf = (scope: PaperForm): FormState =>
    sent.scope === scope ? sent : { ...EMPTY_FORM, scope };
  return page({
    title: "Papers",
    at: "papers",
    body: (
      <>
        <h1>Papers</h1>
        {errorSummary(sent)}
        <div class="columns">
          {uploadForm(formOf("file"))}
          {pasteForm(formOf("text"), sent.scope === "text")}
        </div>
        <h2>On the shelf</h2>
        {papers.length === 0 && (
          <p class="note">There is none yet: please upload a paper to start a debate.</p>
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
  const count = pages === undefined ? "" : ` · ${pages} pages`;
  return `${id} · ${characters.toLocaleString("en")} characters${count}`;
}

/** One paper: the form that starts a debate over it, and the debates so far. */
export function paperPage(
  paper: ShelvedPaper,
  form: SentForm,
  { history, plan }: { readonly history: readonly ListRow[]; readonly plan: ShownPlan },
): Page {
  const settings = formSettings("paper-debate");
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
        <form class="card" method="post" action={`/papers/${paper.id}/debates`}>
          <h2>Debate it</h2>
          {settingFields(form, settings, "rules")}
          <details class="more">
            <summary>Models, limits and more</summary>
            <div class="columns">{settingFields(form, settings, "more")}</div>
          </details>
          {planPart(plan, `/papers/${paper.id}/debates`)}
          <button type="submit">Begin</button>
        </form>
        <h2>History</h2>
        {history.length === 0 && <p class="note">It was not debated yet.</p>}
        <ul class="rows" role="list">{history.map((row) => rowItem(row))}</ul>
      </div>
    ),
  });
}
