// Quotations and citations of a message, each with the mark that verification gave.
/** @jsxRuntime automatic */
/** @jsxImportSource hono/jsx */
import type { Evidence } from "../../core/fact.ts";
import {
  type Citations,
  figuresOf,
  type LookupHit,
  markOf as markWords,
  namedWords,
  type Quotation,
  type WebSearchResult,
} from "../../core/evidence.ts";
import { figuresWords } from "../papers.ts";
import { type Markup, own, sourceLink } from "./markup.tsx";

/** The quotations and citations of a message. */
export function evidenceMarks(evidence: Evidence): Markup {
  const cited = [...evidence.perTopic.map(({ citations }) => citations), evidence.citations];
  return (
    <details class="evidence">
      <summary>{`Quotations and citations: ${figuresWords(figuresOf(evidence))}`}</summary>
      {marksList(cited, evidence.quotations)}
    </details>
  );
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
  if (items.length === 0) return <p class="note">Nothing is quoted or cited.</p>;
  return <ul class="marks">{items}</ul>;
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
  return (
    <li>
      {markOf(status, markWords(quotation))} <q dir="auto">{text}</q>{" "}
      <span class="note">{where.join(", ")}</span>
    </li>
  );
}

function passageItem({ chunkId, text, page, status }: LookupHit): Markup {
  const where = `passage ${chunkId}${page === undefined ? "" : `, page ${page}`}`;
  return (
    <li>
      {markOf(status)} <span class="note">{where}</span> {own(text)}
    </li>
  );
}

function webItem({ status, snippet, ...source }: WebSearchResult): Markup {
  return (
    <li>
      {markOf(status)} {sourceLink(source)} <span class="note" dir="auto">{snippet}</span>
    </li>
  );
}

function markOf(status: Quotation["status"] = "not found", words: string = status): Markup {
  const verdict = { verified: "true", said: "unverifiable", "not found": "false" }[status];
  return <span class="mark" data-verdict={verdict}>{words}</span>;
}
