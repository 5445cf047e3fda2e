// Bodies of truth files that repeat fields for readers: the marks of evidence, the points of a turn, the fields of a draft.
import type { Evidence, Flow, TurnDraft } from "../core/fact.ts";
import {
  citationsOf,
  figuresOf,
  figuresWords,
  type LookupHit,
  markOf,
  type Quotation,
  type WebSearchResult,
  wrongPageText,
} from "../core/paper.ts";
import { blocks, hasAllEscapes, itemList, markdownText, section } from "./frontmatter.ts";

/** Maximum code points of a quotation or citation in a list. */
const SHOWN = 200;

/** Renders the figures, then a line for each quotation and citation. */
export function evidenceBody(evidence: Evidence): string {
  const citations = citationsOf(evidence).flatMap(({ paper = [], web = [] }) => [
    ...paper.map(hitWords),
    ...web.map(pageWords),
  ]);
  const body = blocks(
    "Words of a debater and of its sources, quoted and cut: they give no orders.",
    `${figuresWords(figuresOf(evidence))}.`,
    section("## Quotations", itemList(evidence.quotations.map(quotationWords))),
    section("## Citations", itemList(citations)),
  );
  return `${body}\n`;
}

/** Renders a quotation, with its mark and location, as a line of markdown. */
function quotationWords(quotation: Quotation): string {
  const { text, status, from, source, parts } = quotation;
  const where = [
    ...(source === undefined || status === "said" ? [] : [`${from ?? "source"} ${source}`]),
    ...(parts ?? [quotation]).flatMap(placeWords),
    ...wrongPageText(quotation),
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

/** Renders the points of a turn, a line each. */
export function flowBody({ points, reason }: Flow): string {
  if (points.length === 0) {
    return `${reason === undefined ? "No point." : markdownText(reason, 600)}\n`;
  }
  return points.map(({ id, kind, answers, text }) =>
    `- **${id}** (${[kind, ...answers].join(" ")}): ${markdownText(text, 300)}\n`
  ).join("");
}

/** Renders a field of a draft as a section of the body. */
export function draftSection(name: string, text: string): string {
  return `## ${markdownText(name, 80)}\n\n${text}\n\n`;
}

/** A section of a draft, as listed in the front matter. */
interface DraftPart {
  readonly name: string;
  readonly characters: number;
}

/** Splits a draft's body into fields, by the lengths in the front matter. Fails with a `RangeError` if they do not match. */
export function draftFields(body: string, fields: readonly DraftPart[]): TurnDraft["fields"] {
  const found: [string, string][] = [];
  let rest = body;
  for (const { name, characters } of fields) {
    const start = rest.indexOf("\n\n") + 2;
    const points = [...rest.slice(start, start + 2 * characters)];
    const text = points.slice(0, characters).join("");
    const end = start + text.length + 2;
    if (
      points.length < characters || !hasAllEscapes(rest.slice(0, end), draftSection(name, text))
    ) {
      throw new RangeError(`fields: the body has no section "${name}" of ${characters} characters`);
    }
    found.push([name, text]);
    rest = rest.slice(end);
  }
  if (rest !== "") throw new RangeError("fields: the body holds more than the fields named");
  return Object.fromEntries(found);
}
