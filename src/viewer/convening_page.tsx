// Page of a convening, and the parts of the page that the script reloads while the convening runs.
/** @jsxImportSource hono/jsx */
import { memoByObject } from "../core/values.ts";
import { ConveningError } from "../core/error.ts";
import { counted, totalText } from "../core/text.ts";
import { ownStandings } from "../judging/panels.ts";
import type { ListRow } from "../operations/list.ts";
import type { Convening } from "../operations/convening.ts";
import { idOf } from "../operations/client_view.ts";
import { type Markup, pager, time } from "../record/html/markup.tsx";
import { contents, messageMarkup } from "../record/html/message.tsx";
import { outcomeSection } from "../record/html/outcome.tsx";
import { kindWords, leftSide, type TranscriptEntry } from "../record/transcript_outline.ts";
import { controls, recordTools } from "./controls.tsx";
import {
  argumentsPart,
  briefPart,
  castPart,
  draftsPart,
  fileHref,
  filesPart,
  lengthOf,
  messageContext,
  messageHref,
  pageOf,
  sectionsOf,
} from "./convening_parts.tsx";
import { type Page, page } from "./page.tsx";
import { paperBoard, paperReport } from "./paper_debate.tsx";
import {
  type ConveningView,
  isOver,
  type Standing,
  statusPanel,
  usageCost,
  windowTitle,
} from "./standing.tsx";
import { outlineOf, type Views } from "./views.ts";

interface ConveningPageOptions {
  /** Page of the exchange, from 1. @default the last while the convening runs, else the first */
  readonly page?: number | undefined;
  /** Action that was just taken and takes effect later: `interject` or `pause`. @default none */
  readonly done?: string | undefined;
  /** True if the first paper of a paper debate is on the shelf. @default false */
  readonly isOnShelf?: boolean | undefined;
  readonly forks?: readonly ListRow[] | undefined;
}

const DONE: Readonly<Partial<Record<string, string>>> = {
  interject: "Your remark is saved: it will be heard before the next turn, or after the last.",
  pause: "The convening pauses after the current turns.",
};

/** Returns the page of a convening. While the convening runs, the exchange comes first; afterwards the outcome. */
export function conveningPage(view: ConveningView, options: ConveningPageOptions = {}): Page {
  const { id, standing, after, start, convening } = view;
  const over = isOver(standing);
  const isPaper = start.kind === "paper-debate";
  const isLive = standing !== "completed";
  const { outline } = outlineOf(convening);
  const steering = <>{statusPanel(view)}{controls(view)}</>;
  // After a failure, the error and the controls come before the outcome; after a stop, they follow the outcome.
  const isSteered = !over || standing === "failed";
  const shown = shownOf(outline.entries, over, options.page);
  const sections = sectionsOf({
    outcome: over,
    report: over && convening.report !== undefined,
    brief: view.brief !== undefined,
    arguments: view.flow !== undefined,
  });
  return page({
    title: windowTitle(view),
    body: (
      <div
        id="convening"
        data-standing={standing}
        data-kind={start.kind}
        data-live={isLive ? id : undefined}
        data-after={isLive ? after : undefined}
      >
        {contents(start, { sections, shown: shown.entries })}
        <div class="convening">
          {isLive && (
            <p id="lost" class="lost" hidden>
              The server does not answer: trying again. What you write is kept in this browser.
            </p>
          )}
          {preamble(view)}
          {doneNote(standing, options.done)}
          {isSteered && steering}
          {over && outcomeOf(convening)}
          {over && isPaper && paperReport(view, options.isOnShelf ?? false)}
          {isPaper && paperBoard(view)}
          {!isSteered && standing !== "completed" && steering}
          {over && recordTools(view)}
          {briefPart(view.brief, fileHref(id, "brief.md"))}
          {exchange(view, shown)}
          {argumentsPart(start, view.flow, {
            hrefOf: (seq) => messageHref(id, seq),
            fileOf: (name) => fileHref(id, name),
          })}
          {standing === "completed" && steering}
          {forkList(id, options.forks)}
          {!over && recordTools(view)}
          {isLive && !over && scoresSoFar(view)}
          {files(view)}
        </div>
      </div>
    ),
  });
}

function forkList(id: string, forks: readonly ListRow[] = []): Markup {
  if (forks.length === 0) return <></>;
  return (
    <section aria-labelledby="forks">
      <h2 id="forks">Forks</h2>
      <ul class="findings">
        {forks.map((fork) => (
          <li>
            <a href={`/convenings/${fork.id}`}>{`From message ${fork.parent!.seq}: ${fork.id}`}</a>
            {` · ${counted(fork.messages, "message")} · `}
            {compareLink(id, fork.id)}
          </li>
        ))}
      </ul>
    </section>
  );
}

function compareLink(left: string, right: string): Markup {
  return <a href={`/compare?${new URLSearchParams({ left, right })}`}>Compare</a>;
}

const outcomeOf: (convening: Convening) => Markup = memoByObject((convening) => {
  const { model, outline } = outlineOf(convening);
  const id = idOf(convening.dir);
  return outcomeSection(model, outline, (seq) => messageHref(id, seq));
});

interface ShownPage {
  readonly entries: readonly TranscriptEntry[];
  /** Number of the page, from 1. */
  readonly at: number;
  readonly pages: number;
}

function shownOf(
  entries: readonly TranscriptEntry[],
  over: boolean,
  wanted: number | undefined,
): ShownPage {
  const pages = pageOf(entries.at(-1)?.message.seq ?? 1);
  const at = Math.min(pages, wanted ?? (over ? 1 : pages));
  return { at, pages, entries: entries.filter(({ message: { seq } }) => pageOf(seq) === at) };
}

function doneNote(standing: Standing, done = ""): Markup {
  const note = Object.hasOwn(DONE, done) ? DONE[done] : undefined;
  const isOld = done === "pause" ? standing !== "running" : isOver(standing);
  return note === undefined || isOld
    ? <></>
    : <p id="done" class="done" role="status" tabindex={-1}>{note}</p>;
}

/**
 * Returns a part of a live page: `status`, `controls`, `scores`, `board`, or a message by its number. Fails with
 * `not_found`.
 */
export async function conveningPart(views: Views, id: string, part: string): Promise<Markup> {
  const view = await views.of(id);
  switch (part) {
    case "status":
      return <>{statusPanel(view)}{draftsPart(view)}</>;
    case "controls":
      return controls(view);
    case "scores":
      return scoresSoFar(view);
    case "board":
      return paperBoard(view);
  }
  const { entries } = outlineOf(view.convening).outline;
  const entry = entries.find(({ message: { seq } }) => `${seq}` === part);
  if (entry !== undefined) return messageMarkup(entry, messageContext(view));
  throw new ConveningError("not_found", `Cannot find part "${part.slice(0, 50)}" of ${id}`, {
    hint: "A part is status, controls, scores, board, or the number of a message.",
  });
}

function preamble({ id, start, title, standing, usage, convening }: ConveningView): Markup {
  const { kind, startedAt, parent } = start;
  return (
    <>
      {parent !== undefined && (
        <p class="fork">
          {"Fork of "}
          <a href={messageHref(parent.dir, parent.seq)}>
            {`${parent.dir} from message ${parent.seq}`}
          </a>
          {" · "}
          {compareLink(parent.dir, id)}
        </p>
      )}
      <h1 dir="auto">{title}</h1>
      <p class="note">
        {`${kindWords(kind)} · `}
        {time(startedAt)}
        {isOver(standing) && ` · ${lengthOf(convening)} · ${usageCost(usage)}`}
        {" · "}
        <a href={fileHref(id, "index.md")}>index.md</a>
      </p>
      {castPart(start)}
    </>
  );
}

/** Returns the standings so far, which stay visible while the reader scrolls. */
function scoresSoFar({ start, convening }: ConveningView): Markup {
  const words = ownStandings(start, convening.facts).map(({ name, total }) =>
    `${name} ${totalText(total)}`
  );
  return (
    <p id="scores" hidden={words.length === 0}>
      {`Scores so far: ${words.join(" · ")}`}
    </p>
  );
}

function exchange(view: ConveningView, { entries, at, pages }: ShownPage): Markup {
  const { id, convening, start } = view;
  const context = messageContext(view);
  const isLast = at === pages;
  return (
    <section aria-labelledby="exchange-title">
      <h2 id="exchange-title">The exchange</h2>
      {exchangePages(id, at, pages)}
      <div
        id="exchange"
        class="exchange"
        data-page={at}
        data-last={isLast ? "" : undefined}
        data-left={leftSide(start, outlineOf(convening).outline.entries)}
      >
        {entries.map((entry) => messageMarkup(entry, context))}
        {isLast && draftsPart(view)}
      </div>
      <p id="latest" class="latest" tabindex={-1}></p>
      {entries.length === 0 && <p id="nothing" class="note">There are no messages yet.</p>}
      {exchangePages(id, at, pages)}
    </section>
  );
}

function exchangePages(id: string, at: number, last: number): Markup {
  return pager({
    ...{ at, last, label: "Pages of the exchange" },
    hrefOf: (page) => `/convenings/${id}?page=${page}#exchange-title`,
    more: (
      <form class="go-to" method="get" action={`/convenings/${id}/message`}>
        <label>
          Message <input type="number" name="seq" min="1" required />
        </label>
        <button type="submit" class="quiet">Go</button>
      </form>
    ),
  });
}

function files({ id, names }: ConveningView): Markup {
  const note = `The directory ${id} holds all of this as plain files.`;
  return filesPart(note, names, (name) => fileHref(id, name));
}
