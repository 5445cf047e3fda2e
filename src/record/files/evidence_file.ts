import type { Evidence } from "../../core/fact.ts";
import {
  type Citations,
  figuresOf,
  type LookupHit,
  markOf,
  namedWords,
  type Quotation,
  type TopicArgument,
  type WebSearchResult,
} from "../../core/evidence.ts";
import type { FrontMatter } from "../frontmatter.ts";
import { markdownText } from "../markdown.ts";
import { common, type FactFile, padded } from "./renderer.ts";

/** How far a quotation or citation is cut in a list of marks, in code points. */
const SHOWN = 200;

/** What a debater's message argues and rests on; the marks are listed once more in the body, for people. */
export const evidenceFile: FactFile<Evidence> = {
  type: "evidence",
  folder: "evidence",
  name: ({ seq }, { width }) => `${padded(seq, width)}.md`,
  page: (evidence) => ({
    data: { ...common("evidence"), ...evidenceData(evidence) },
    body: evidenceBody(evidence),
  }),
  order: ({ seq }) => [seq],
};

/** The keys of an evidence file that are its own: the fact, with its figures. */
export function evidenceData(evidence: Evidence): FrontMatter {
  const { verified, notFound } = figuresOf(evidence);
  return {
    message: evidence.seq,
    turn: evidence.turn,
    participant: evidence.participant,
    posture: evidence.posture,
    per_topic: evidence.perTopic.map(topicData),
    overall_position: evidence.overallPosition,
    citations: citationData(evidence.citations),
    quotations: evidence.quotations.map(quotationData),
    verified,
    not_found: notFound,
    created_at: evidence.createdAt,
  };
}

function topicData({ topic, claim, reasoning, counterpoints, citations }: TopicArgument) {
  return { topic, claim, reasoning, counterpoints, citations: citationData(citations) };
}

function citationData({ paper, web }: Citations): FrontMatter {
  return { paper: paper?.map(hitData), web: web?.map(pageData) };
}

function hitData({ chunkId, text, score, paper, page, start, end, status }: LookupHit) {
  return { chunk_id: chunkId, text, score, paper, page, start, end, status };
}

function pageData({ title, url, snippet, status }: WebSearchResult): FrontMatter {
  return { title, url, snippet, status };
}

function quotationData(
  { text, status, from, source, start, end, page, parts, namedPage, topic }: Quotation,
): FrontMatter {
  return {
    text,
    status,
    from,
    source,
    start,
    end,
    page,
    parts: parts?.map(({ start, end, page }) => ({ start, end, page })),
    named_page: namedPage,
    topic,
  };
}

/** The marks as a person reads them: the figures, then each quotation and citation on a line. */
function evidenceBody(evidence: Evidence): string {
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
