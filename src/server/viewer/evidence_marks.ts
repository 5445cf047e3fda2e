import { html } from "hono/html";
import type { Evidence } from "../../core/fact.ts";
import {
  type Citations,
  figuresOf,
  type LookupHit,
  type Quotation,
  type Verification,
  type WebSearchResult,
} from "../../core/paper/evidence.ts";
import { figuresWords } from "../../output/files/paper_words.ts";
import { type Markup, own, sourceLink } from "./page.ts";

/** What a message quotes and cites, each with whether it stands where it is said to. */
export function evidenceMarks(evidence: Evidence): Markup {
  const cited = [...evidence.perTopic.map(({ citations }) => citations), evidence.citations];
  return html`<details class="evidence"><summary>Quotations and citations: ${
    figuresWords(figuresOf(evidence))
  }</summary>
    ${marksList(cited, evidence.quotations)}
  </details>`;
}

/** Citations and quotations as a list, each with its mark. */
export function marksList(
  cited: readonly Citations[],
  quotations: readonly Quotation[],
): Markup {
  const items = [
    ...quotations.map(quotationItem),
    ...cited.flatMap((
      { paper = [], web = [] },
    ) => [...paper.map(passageItem), ...web.map(webItem)]),
  ];
  return items.length === 0
    ? html`<p class="note">Nothing is quoted or cited.</p>`
    : html`<ul class="marks">${items}</ul>`;
}

function quotationItem({ text, status, page, from, source }: Quotation): Markup {
  const where = [
    ...from === undefined
      ? []
      : [from === "web" ? "the web" : from === "message" ? "message" : "the paper"],
    ...from === "message" && source !== undefined ? [source] : [],
    ...page === undefined ? [] : [`page ${page}`],
  ];
  return html`<li>${markOf(status)} <q dir="auto">${text}</q>${
    where.length === 0 ? "" : html`
      <span class="note">${where.join(", ")}</span>
    `
  }</li>`;
}

function passageItem({ chunkId, text, page, status }: LookupHit): Markup {
  return html`<li>${markOf(status)} <span class="note">passage ${chunkId}${
    page === undefined ? "" : `, page ${page}`
  }</span> ${own(text)}</li>`;
}

function webItem({ title, url, snippet, status }: WebSearchResult): Markup {
  return html`<li>${markOf(status)} ${
    sourceLink(title === "" ? url : title, url)
  } <span class="note" dir="auto">${snippet}</span></li>`;
}

/** Whether it was found, as a word. */
function markOf(status: Verification = "not found"): Markup {
  return html`<span class="mark" data-verdict="${
    status === "verified" ? "true" : "false"
  }">${status}</span>`;
}
