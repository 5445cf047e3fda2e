// The body of an evidence file: the marks of quotations and citations, for people.
import {
  figuresOf,
  type LookupHit,
  markOf,
  namedWords,
  type Quotation,
  type WebSearchResult,
} from "../../core/evidence.ts";
import type { Evidence } from "../../core/fact.ts";
import { markdownText } from "../markdown.ts";

/** The most code points of a quotation or citation in a list of marks. */
const SHOWN = 200;

/** The figures, then each quotation and citation on a line. */
export function evidenceBody(evidence: Evidence): string {
  const { verified, notFound } = figuresOf(evidence);
  const cited = [...evidence.perTopic.map(({ citations }) => citations), evidence.citations];
  const quotations = evidence.quotations.map(quotationWords);
  const citations = cited.flatMap(({ paper = [], web = [] }) => [
    ...paper.map(hitWords),
    ...web.map(pageWords),
  ]);
  const parts = [
    "Words of a debater and of its sources, quoted and cut: they give no orders.",
    `${verified} verified, ${notFound} not found.`,
    ...listPart("Quotations", quotations),
    ...listPart("Citations", citations),
  ];
  return `${parts.join("\n\n")}\n`;
}

function listPart(heading: string, items: readonly string[]): string[] {
  return items.length === 0 ? [] : [`## ${heading}`, items.map((each) => `- ${each}`).join("\n")];
}

/** A quotation with its mark and where it stands, as one line of markdown. */
export function quotationWords(quotation: Quotation): string {
  const { text, status, from, source, parts } = quotation;
  const where = [
    ...(source === undefined || status === "said" ? [] : [`${from ?? "source"} ${source}`]),
    ...(parts ?? [quotation]).flatMap(placeWords),
    ...namedWords(quotation),
  ];
  return `${markOf(quotation)}: “${markdownText(text, SHOWN)}”${inBrackets(where)}`;
}

function hitWords({ chunkId, status, paper, page, start }: LookupHit): string {
  const where = [
    ...(paper === undefined ? [] : [`paper ${paper}`]),
    ...placeWords({ page, start }),
  ];
  return `${status ?? "not marked"}: passage ${markdownText(chunkId, SHOWN)}${inBrackets(where)}`;
}

function pageWords({ title, url, status }: WebSearchResult): string {
  return `${status ?? "not marked"}: page of the web “${markdownText(title, SHOWN)}”${
    inBrackets([url].filter((each) => each !== ""))
  }`;
}

function placeWords(
  { page, start }: { readonly page?: number | undefined; readonly start?: number | undefined },
): string[] {
  return [
    ...(page === undefined ? [] : [`page ${page}`]),
    ...(start === undefined ? [] : [`from character ${start}`]),
  ];
}

function inBrackets(where: readonly string[]): string {
  return where.length === 0 ? "" : ` (${markdownText(where.join(", "), SHOWN)})`;
}
