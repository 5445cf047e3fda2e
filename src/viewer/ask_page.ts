import { html } from "hono/html";
import type { AskResult } from "../operations/asking.ts";
import { counted } from "../record/files/assessment_words.ts";
import { headingWords } from "../record/transcript_outline.ts";
import { messageHref } from "./exchange.ts";
import { type Markup, own, type Page, page } from "./page.ts";
import { askForm } from "./record_tools.ts";

/** What of a convening has to do with a question: passages, the best first, each with where it stands. */
export function askPage(
  { id, topic, question, found }: {
    readonly id: string;
    readonly topic: string;
    readonly question: string;
    /** Absent before anything was asked. */
    readonly found?: AskResult | undefined;
  },
): Page {
  return page({
    title: question === "" ? "Ask the record" : `Asked: ${question}`,
    body: html`
      <h1>Ask the record</h1>
      <p>in <a href="/convenings/${id}" dir="auto">${topic}</a></p>
      <p class="note">The passages that have the words of a question; no model is asked.</p>
      ${askForm(id, question)}
      ${found === undefined ? "" : answers(id, found)}
    `,
  });
}

function answers(id: string, { answers, messages, skipped }: AskResult): Markup {
  const count = answers.length === 0 ? "Nothing" : counted(answers.length, "passage");
  return html`
    <h2>${count} found in ${counted(messages, "message")}</h2>
    ${answers.length === 0
      ? html`<p>None of the words were said. Other words may have been.</p>`
      : html`<ol class="cards" role="list">${answers.map((each) => answerCard(id, each))}</ol>`}
    ${skipped.length === 0 ? "" : html`<p class="note">${skipped.length} could not be read.</p>`}
  `;
}

function answerCard(
  id: string,
  { seq, name, kind, round, snippet }: AskResult["answers"][number],
): Markup {
  const place = `${headingWords(kind).toLowerCase()}${round === 0 ? "" : `, round ${round}`}`;
  return html`
    <li class="card">
      <h3><a href="${messageHref(id, seq)}">Message ${seq}, ${own(name)}</a>
        <span class="note">${place}</span></h3>
      <blockquote dir="auto">${snippet}</blockquote>
    </li>
  `;
}
