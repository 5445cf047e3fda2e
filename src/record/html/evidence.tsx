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
} from "../../core/paper.ts";
import { figuresWords } from "../papers.ts";
import { type Markup, own, type PaperHref, sourceLink } from "./markup.tsx";

/** The quotations and citations of a message; `paperHref` is the URL of a place of a paper. */
export function evidenceMarks(evidence: Evidence, paperHref?: PaperHref): Markup {
  const cited = [...evidence.perTopic.map(({ citations }) => citations), evidence.citations];
  return (
    <details class="evidence">
      <summary>{`Quotations and citations: ${figuresWords(figuresOf(evidence))}`}</summary>
      {marksList(cited, evidence.quotations, paperHref)}
    </details>
  );
}

/** Citations and quotations as a list, each with its mark, which leads to the place in the paper. */
export function marksList(
  cited: readonly Citations[],
  quotations: readonly Quotation[],
  paperHref?: PaperHref,
): Markup {
  const items = [
    ...quotations.map((each) => quotationItem(each, paperHref)),
    ...cited.flatMap(({ paper = [], web = [] }) => [
      ...paper.map((each) => passageItem(each, paperHref)),
      ...web.map(webItem),
    ]),
  ];
  if (items.length === 0) return <p class="note">Nothing is quoted or cited.</p>;
  return <ul class="marks">{items}</ul>;
}

/** The URL of a quotation's place in its paper; undefined where it was found in none. */
export function quotationHref(
  { status, from, source, parts: [first] = [], start = first?.start }: Quotation,
  paperHref: PaperHref | undefined,
): string | undefined {
  return status !== "verified" || from !== "paper" || source === undefined || start === undefined
    ? undefined
    : paperHref?.(source, start);
}

function quotationItem(quotation: Quotation, paperHref: PaperHref | undefined): Markup {
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
      {markOf(status, markWords(quotation), quotationHref(quotation, paperHref))}{" "}
      <q dir="auto">{text}</q> <span class="note">{where.join(", ")}</span>
    </li>
  );
}

function passageItem(
  { chunkId, text, page, status, paper, cited, start = cited?.start }: LookupHit,
  paperHref: PaperHref | undefined,
): Markup {
  const where = `passage ${chunkId}${page === undefined ? "" : `, page ${page}`}`;
  const isPlaced = status === "verified" && paper !== undefined && start !== undefined;
  const href = isPlaced ? paperHref?.(paper, cited?.start ?? start) : undefined;
  return (
    <li>
      {markOf(status, status, href)} <span class="note">{where}</span> {own(text)}
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

function markOf(
  status: Quotation["status"] = "not found",
  words: string = status,
  href?: string,
): Markup {
  const verdict = { verified: "true", said: "unverifiable", "not found": "false" }[status];
  return href === undefined
    ? <span class="mark" data-verdict={verdict}>{words}</span>
    : <a class="mark" data-verdict={verdict} href={href}>{words}</a>;
}
