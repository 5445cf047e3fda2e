// The text of a paper with its pages, and the passages that a debate quotes from the paper.
/** @jsxRuntime automatic */
/** @jsxImportSource hono/jsx */
import { pageAt, type Paper, type PaperPlace } from "../../core/paper.ts";
import type { Fact } from "../../core/fact.ts";
import { plainText } from "../../core/text.ts";
import type { Markup } from "./markup.tsx";

/** The characters of a part of a long paper. */
const PART = 200_000;

/** The part of a paper that shows a place, from 1. */
export function paperPart(start: number): number {
  return Math.floor(start / PART) + 1;
}

/** The number of parts of a paper. */
export function paperParts({ text }: Pick<Paper, "text">): number {
  return Math.max(1, Math.ceil(text.length / PART));
}

/** The id of the element at a place of a paper. */
export function placeId(start: number): string {
  return `at-${start}`;
}

/** The passages of a paper that facts quote or cite as found. */
export function quotedPlaces(facts: readonly Fact[], paper: string): readonly PaperPlace[] {
  return facts.filter((fact) => fact.type === "evidence").flatMap((evidence) => {
    const cited = [...evidence.perTopic.map(({ citations }) => citations), evidence.citations]
      .flatMap(({ paper: passages = [] }) => passages)
      .filter((each) => each.paper === paper && each.status === "verified")
      .map(({ cited, start }) => cited ?? { start });
    const quoted = evidence.quotations
      .filter(({ status, from, source }) =>
        status === "verified" && from === "paper" && source === paper
      )
      .flatMap((each): readonly PaperPlace[] => each.parts ?? [each]);
    return [...quoted, ...cited];
  });
}

/** A part of a paper's text, page by page; each of `places` is marked, and can be linked to. */
export function paperText(
  paper: Paper,
  { part = 1, places = [] }: {
    readonly part?: number | undefined;
    readonly places?: readonly PaperPlace[] | undefined;
  } = {},
): Markup {
  const { text, pages = [] } = paper;
  // Whole lines: that of a boundary stands in both parts.
  const from = part === 1 ? 0 : text.lastIndexOf("\n", (part - 1) * PART) + 1;
  const after = text.indexOf("\n", part * PART);
  const to = part * PART >= text.length || after === -1 ? text.length : after;
  const inner = pages.filter((start) => start > from && start < to);
  const starts = [from, ...inner];
  return (
    <>
      {starts.map((start, at) => {
        const number = pageAt(paper, start);
        return (
          <section
            class="paper-page"
            aria-labelledby={number === undefined ? undefined : `page-${number}`}
          >
            {number !== undefined && <h2 id={`page-${number}`}>{`Page ${number}`}</h2>}
            <div class="paper-text" dir="auto">
              {marked(text, { from: start, to: starts[at + 1] ?? to }, places)}
            </div>
          </section>
        );
      })}
    </>
  );
}

/** The end of a line within a paragraph, as extracted texts have at the width of their page. */
const WRAP = /(?<=[^\n]{50})\n(?=[\p{L}("“‘])/gu;

/** The characters from one place of a text to another. */
interface Span {
  readonly from: number;
  readonly to: number;
}

/** A piece of text with its places marked; overlapping passages are one mark. */
function marked(text: string, { from, to }: Span, places: readonly PaperPlace[]): Markup {
  const within = places.flatMap(({ start, end = start }) =>
    start === undefined || start >= to || end! < from ? [] : [{ from: start, to: end! }]
  );
  const anchors = [...new Set(within.map((each) => each.from))].filter((at) => at >= from)
    .sort((a, b) => a - b);
  const shown = text.slice(from, to).replace(WRAP, " ");
  const words = (start: number, end: number) => (
    <>{plainText(shown.slice(start - from, end - from))}</>
  );
  const pieces = ({ from, to }: Span): Markup[] => {
    const inside = anchors.filter((each) => each >= from && each < to);
    return [
      words(from, inside[0] ?? to),
      ...inside.flatMap((anchor, at) => [
        <span id={placeId(anchor)}></span>,
        words(anchor, inside[at + 1] ?? to),
      ]),
    ];
  };
  const spans = merged(within, { from, to });
  return (
    <>
      {spans.map((span, at) => (
        <>
          {pieces({ from: spans[at - 1]?.to ?? from, to: span.from })}
          <mark>{pieces(span)}</mark>
        </>
      ))}
      {pieces({ from: spans.at(-1)?.to ?? from, to })}
    </>
  );
}

/** The spans with characters, within bounds; overlapping spans are joined. */
function merged(spans: readonly Span[], bounds: Span): readonly Span[] {
  const joined: Span[] = [];
  const cut = spans.map(({ from, to }) => ({
    from: Math.max(from, bounds.from),
    to: Math.min(to, bounds.to),
  })).filter(({ from, to }) => from < to).sort((a, b) => a.from - b.from);
  for (const span of cut) {
    const last = joined.at(-1);
    if (last === undefined || span.from > last.to) joined.push(span);
    else joined[joined.length - 1] = { from: last.from, to: Math.max(last.to, span.to) };
  }
  return joined;
}
