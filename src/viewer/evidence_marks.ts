import { html } from "hono/html";
import type { Evidence } from "../core/fact.ts";
import {
  type Citations,
  figuresOf,
  type LookupHit,
  markOf as markWords,
  namedWords,
  type Quotation,
  type WebSearchResult,
} from "../core/evidence.ts";
import { figuresWords } from "../record/paper_findings.ts";
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

function quotationItem(quotation: Quotation): Markup {
  const { text, status, page, from, source, parts } = quotation;
  const pages = new Set((parts ?? [{ page }]).flatMap((part) => part.page ?? []));
  const where = [
    ...from === undefined || status === "said"
      ? []
      : [from === "web" ? "the web" : from === "message" ? "message" : "the paper"],
    ...from === "message" && status !== "said" && source !== undefined ? [source] : [],
    ...[...pages].map((each) => `page ${each}`),
    ...namedWords(quotation),
  ];
  return html`<li>${markOf(status, markWords(quotation))} <q dir="auto">${text}</q>${
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
function markOf(status: Quotation["status"] = "not found", words: string = status): Markup {
  const verdict = { verified: "true", said: "unverifiable", "not found": "false" }[status];
  return html`<span class="mark" data-verdict="${verdict}">${words}</span>`;
}
