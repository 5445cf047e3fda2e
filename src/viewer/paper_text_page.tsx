// The page with a paper's text: of a paper on the shelf, or of the paper that a convening's record holds.
/** @jsxRuntime automatic */
/** @jsxImportSource hono/jsx */
import { ConveningError } from "../core/error.ts";
import { pageAt, type Paper } from "../core/paper.ts";
import { own, type PaperHref } from "../record/html/markup.tsx";
import {
  paperPart,
  paperParts,
  paperText,
  placeId,
  quotedPlaces,
} from "../record/html/paper_text.tsx";
import { type Page, page } from "./page.tsx";
import type { ConveningView } from "./standing.tsx";

/** The URLs of places in the papers of a convening. */
export function paperHrefOf(id: string): PaperHref {
  return (paper, start) => {
    const part = paperPart(start);
    const path = `/convenings/${id}/papers/${encodeURIComponent(paper)}`;
    return `${path}${part === 1 ? "" : `?part=${part}`}#${placeId(start)}`;
  };
}

/** A paper of a convening's record, with the passages that were quoted. Fails with `not_found`. */
export function recordPaperPage(
  { id, start, convening: { facts } }: ConveningView,
  { paper: name, part }: { readonly paper: string; readonly part: number },
): Page {
  const paper = start.papers?.find((each) => each.id === name);
  if (paper === undefined) {
    throw new ConveningError("not_found", `Cannot find paper "${name.slice(0, 100)}" of ${id}`, {
      hint: "The page of the convening links its papers.",
    });
  }
  return textPage(paper, {
    part,
    path: `/convenings/${id}/papers/${encodeURIComponent(name)}`,
    places: quotedPlaces(facts, name),
    about: (
      <>
        {"A paper of "}
        <a href={`/convenings/${id}`}>{own(start.topic)}</a>
        {". Quoted passages are marked."}
      </>
    ),
  });
}

/** A paper of the shelf. */
export function shelfPaperPage(paper: Paper, part: number): Page {
  return textPage(paper, {
    part,
    path: `/papers/${paper.id}/text`,
    about: <a href={`/papers/${paper.id}`}>Debate this paper</a>,
  });
}

function textPage(
  paper: Paper,
  { path, part, places, about }: Pick<NonNullable<Parameters<typeof paperText>[1]>, "places"> & {
    readonly path: string;
    readonly part: number;
    readonly about: ReturnType<typeof own>;
  },
): Page {
  const { title, pages = [] } = paper;
  const parts = paperParts(paper);
  const at = Math.min(part, parts);
  const hrefOf = (number: number, anchor = "") =>
    `${path}${number === 1 ? "" : `?part=${number}`}${anchor}`;
  const link = (number: number, words: string) => <a href={hrefOf(number)}>{words}</a>;
  return page({
    title,
    at: "papers",
    body: (
      <>
        <h1 dir="auto">{title}</h1>
        <p class="note">{about}</p>
        {pages.length > 1 && (
          <nav class="pages" aria-label="Pages of the paper">
            {pages.map((start) => {
              const number = pageAt(paper, start);
              return <a href={hrefOf(paperPart(start), `#page-${number}`)}>{number}</a>;
            })}
          </nav>
        )}
        {paperText(paper, { part: at, places })}
        {parts > 1 && (
          <nav class="pager" aria-label="Parts of the paper">
            {at > 1 && link(at - 1, "Earlier")}
            <span>{`Part ${at} of ${parts}`}</span>
            {at < parts && link(at + 1, "Later")}
          </nav>
        )}
      </>
    ),
  });
}
