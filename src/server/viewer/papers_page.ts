import { basename } from "@std/path";
import { html } from "hono/html";
import type { ConveningRow } from "../../output/list.ts";
import type { ShelvedPaper } from "../../reading/paper_shelf.ts";
import { type Markup, own, page, time } from "./page.ts";
import { standingWords } from "./standing.ts";

/** The papers that can be debated, and how another one gets among them. */
export function papersPage(papers: readonly ShelvedPaper[], notice: Markup | "" = ""): Markup {
  return page({
    title: "Papers",
    at: "papers",
    body: html`
      <h1>Papers</h1>
            ${notice}
            <div class="columns">
        <form class="card" method="post" action="/papers" enctype="multipart/form-data">
          <h2>Upload a paper</h2>
          <label>A PDF, markdown or text file
                  <input type="file" name="file" required accept=".pdf,.md,.markdown,.txt,application/pdf,text/*" /></label>
          <label>Title, where the file's own will not do
                  <input type="text" name="title" maxlength="500" /></label>
          <button type="submit">Upload</button>
        </form>
        <details class="card">
          <summary>Paste a text instead</summary>
          <form method="post" action="/papers" enctype="multipart/form-data">
            <label>Title <input type="text" name="title" required maxlength="500" /></label>
            <label>Text <textarea name="text" rows="8" required></textarea></label>
            <button type="submit">Keep it</button>
          </form>
        </details>
      </div>
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

function factsOf({ id, characters, pages }: ShelvedPaper): string {
  return `${id} · ${characters.toLocaleString("en")} characters${
    pages === undefined ? "" : ` · ${pages} pages`
  }`;
}

/** One paper: how a debate over it is begun, and those there were. */
export function paperPage(
  paper: ShelvedPaper,
  { history, notice = "" }: {
    readonly history: readonly ConveningRow[];
    readonly notice?: Markup | "" | undefined;
  },
): Markup {
  return page({
    title: paper.title,
    at: "papers",
    body: html`<div data-state="idle">
      <h1 dir="auto">${paper.title}</h1>
      <p class="note">${factsOf(paper)}</p>
      ${notice}
      <form class="card" method="post" action="/papers/${paper.id}/debates">
        <h2>Debate it</h2>
        <label>A question of your own; without one, questions are put to the paper and you pick
          <textarea name="question" rows="2" maxlength="1000"></textarea></label>
        <div class="row">
          <label>Postures <input type="number" name="postures" min="2" max="8" value="3" required /></label>
          <label class="choice"><input type="checkbox" name="crossExamine" value="yes" /> <span>The debaters answer each other</span></label>
        </div>
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
