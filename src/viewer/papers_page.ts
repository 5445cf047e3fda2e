import { basename } from "@std/path";
import { html } from "hono/html";
import type { ConveningRow } from "../record/list.ts";
import type { ShelvedPaper } from "../inputs/paper_shelf.ts";
import {
  areaField,
  EMPTY_FORM,
  errorSummary,
  fileField,
  type FormState,
  numberField,
  type SentForm,
  textField,
} from "./form_fields.ts";
import { type Markup, own, type Page, page, time } from "./page.ts";
import { standingWords } from "./standing.ts";

/** The forms that bring a paper: a file, or a text that was pasted. */
export type PaperForm = "file" | "text";

/** The papers that can be debated, and how another one gets among them. */
export function papersPage(
  papers: readonly ShelvedPaper[],
  sent: SentForm = EMPTY_FORM,
): Page {
  return page({
    title: "Papers",
    at: "papers",
    body: html`
      <h1>Papers</h1>
      ${errorSummary(sent)}
      <div class="columns">${uploadForm(sent)}${pasteForm(sent)}</div>
      <h2>On the shelf</h2>
      ${papers.length === 0
        ? html`<p class="note">There is none yet: please upload a paper to start a debate.</p>`
        : html`<ul class="cards" role="list">${
          papers.map((paper) =>
            html`
              <li class="card">
                <h3><a href="/papers/${paper.id}" dir="auto">${paper.title}</a></h3>
                <p class="note">${factsOf(paper)}</p>
              </li>
            `
          )
        }</ul>`}
    `,
  });
}

/** The form as it was sent where it is the one of that scope, else an empty one. */
function formOf(sent: SentForm, scope: PaperForm): FormState {
  return sent.scope === scope ? sent : { ...EMPTY_FORM, scope };
}

function uploadForm(sent: SentForm): Markup {
  const form = formOf(sent, "file");
  return html`
    <form class="card" method="post" action="/papers" enctype="multipart/form-data">
      <h2>Upload a paper</h2>
      ${fileField(form, {
        name: "file",
        label: "A PDF, markdown or text file",
        accept: ".pdf,.md,.markdown,.txt,application/pdf,text/*",
      })}
      ${textField(form, { name: "title", label: "Title, where the file's own will not do" })}
      <button type="submit">Upload</button>
    </form>
  `;
}

function pasteForm(sent: SentForm): Markup {
  const form = formOf(sent, "text");
  return html`
    <details class="card" ${sent.scope === "text" ? html`open` : ""}>
      <summary>Paste a text instead</summary>
      <form method="post" action="/papers" enctype="multipart/form-data">
        ${textField(form, { name: "title", label: "Title", required: true })}
        ${areaField(form, {
          name: "text",
          label: "Text",
          rows: 8,
          most: MOST_CHARACTERS,
          required: true,
        })}
        <button type="submit">Keep it</button>
      </form>
    </details>
  `;
}

/** Of a paper that is pasted. */
const MOST_CHARACTERS = 10_000_000;

function factsOf({ id, characters, pages }: ShelvedPaper): string {
  return `${id} · ${characters.toLocaleString("en")} characters${
    pages === undefined ? "" : ` · ${pages} pages`
  }`;
}

/** One paper: how a debate over it is begun, and those there were. */
export function paperPage(
  paper: ShelvedPaper,
  { history, model, sent = EMPTY_FORM }: {
    readonly history: readonly ConveningRow[];
    /** The model where none is named. */
    readonly model: string;
    /** The form as it was sent. @default an empty one */
    readonly sent?: SentForm | undefined;
  },
): Page {
  return page({
    title: paper.title,
    at: "papers",
    body: html`<div data-state="idle">
      <h1 dir="auto">${paper.title}</h1>
      <p class="note">${factsOf(paper)}</p>
      ${errorSummary(sent)}
      <form class="card" method="post" action="/papers/${paper.id}/debates">
        <h2>Debate it</h2>
        ${
      areaField(sent, {
        name: "question",
        label: "A question of your own",
        note: "Without one, questions are put to the paper, and you pick.",
        rows: 2,
        most: 1000,
      })
    }
        <div class="columns">${[
      numberField(sent, {
        name: "postures",
        label: "Postures, a debater each",
        placeholder: "3",
        least: 2,
        most: 8,
      }),
      textField(sent, { name: "model", label: "Model", placeholder: model }),
      numberField(sent, {
        name: "seed",
        label: "Seed",
        placeholder: "Drawn",
        least: 0,
        most: 4_294_967_295,
      }),
    ]}</div>
        <label class="choice"><input type="checkbox" name="crossExamine" value="yes" ${
      sent.values["crossExamine"] === undefined ? "" : html`checked`
    } /> <span>The debaters answer each other</span></label>
        <button type="submit">Begin</button>
      </form>
      <h2>History</h2>
      ${
      history.length === 0
        ? html`<p class="note">It was not debated yet.</p>`
        : html`<ul class="cards" role="list">${history.map(historyCard)}</ul>`
    }</div>`,
  });
}

function historyCard(
  { dir, topic, status, startedAt, messages, winnerName }: ConveningRow,
): Markup {
  const id = basename(dir);
  return html`
    <li class="card">
      <h3><a href="/convenings/${id}" dir="auto">${topic ?? id}</a></h3>
      <p class="note"><span class="badge" data-standing="${status}">${standingWords(status)}</span>
          ${time(startedAt)} · ${messages} messages${winnerName === undefined ? "" : html`
            · Winner: ${own(winnerName)}
          `}</p>
    </li>
  `;
}
