// The page of a convening, and its parts that the script loads while the convening runs.
/** @jsxRuntime automatic */
/** @jsxImportSource hono/jsx */
import { ConveningError } from "../core/error.ts";
import { factPath } from "../record/codec.ts";
import { type Markup, said, time } from "../record/html/markup.tsx";
import { messageMarkup } from "../record/html/message.tsx";
import { castList, outcomeSection } from "../record/html/outcome.tsx";
import { namingOf } from "../record/read.ts";
import { kindWords } from "../record/transcript_outline.ts";
import { controls, recordTools } from "./controls.tsx";
import {
  draftMarkup,
  fileHref,
  livePlan,
  messageContext,
  messageHref,
  MESSAGES_A_PAGE,
} from "./exchange.tsx";
import { type Page, page } from "./page.tsx";
import { paperBoard } from "./paper_board.tsx";
import { paperReport } from "./paper_report.tsx";
import { type ConveningView, isOver, type Standing, statusPanel } from "./standing.tsx";
import { outlineOf, type Views } from "./views.ts";

interface ConveningPageOptions {
  /** The page of the exchange, from 1. @default the last while it runs, else the first */
  readonly page?: number | undefined;
  /** An action that was just taken and shows later: `interject` or `pause`. @default none */
  readonly done?: string | undefined;
}

const DONE: Readonly<Partial<Record<string, string>>> = {
  interject: "Your remark was left: it is heard before the next turn.",
  pause: "It pauses once the turns that are being spoken are over.",
};

/** A convening: the outcome first once it has ended, the exchange as it comes while it runs. */
export function conveningPage(view: ConveningView, options: ConveningPageOptions = {}): Page {
  const { id, standing, after, said, start, convening } = view;
  const over = isOver(standing);
  const isPaper = start.kind === "paper-debate";
  const isLive = standing !== "completed";
  const { record, outline } = outlineOf(convening);
  const steering = <>{statusPanel(view)}{controls(view)}</>;
  return page({
    title: start.topic,
    body: (
      <div
        id="convening"
        data-standing={standing}
        data-kind={start.kind}
        data-live={isLive ? id : undefined}
        data-after={isLive ? after : undefined}
        data-messages={isLive ? said.length : undefined}
        data-plan={isLive ? JSON.stringify(livePlan(start)) : undefined}
      >
        {isLive && (
          <p id="lost" class="lost" hidden>
            The server does not answer: trying again. What you write is kept in this browser.
          </p>
        )}
        {preamble(view)}
        {doneNote(standing, options.done)}
        {!over && steering}
        {over && outcomeSection(record, outline, (seq) => messageHref(id, seq))}
        {over && isPaper && paperReport(view)}
        {isPaper && paperBoard(view)}
        {briefSection(view)}
        {over && <>{steering}{recordTools(view)}</>}
        {exchange(view, options)}
        {!over && recordTools(view)}
        {files(view)}
      </div>
    ),
  });
}

function doneNote(standing: Standing, done = ""): Markup {
  const note = Object.hasOwn(DONE, done) ? DONE[done] : undefined;
  const isOld = done === "pause" ? standing !== "running" : isOver(standing);
  return note === undefined || isOld ? <></> : <p class="done" role="status">{note}</p>;
}

/**
 * A part of a page that is shown live: `standing` (in short), `status`, `controls`, `board`, or a message by its number.
 * Fails with `not_found`.
 */
export async function conveningPart(views: Views, id: string, part: string): Promise<Markup> {
  switch (part) {
    case "standing": {
      const { standing, messages } = await views.glance(id);
      return <p id="standing" data-standing={standing} data-messages={messages}></p>;
    }
    case "status":
      return statusPanel(await views.standing(id));
    case "controls":
      return controls(await views.standing(id));
    case "board":
      return paperBoard(await views.of(id));
  }
  if (/^[1-9]\d{0,8}$/.test(part)) {
    const { start, entry, path } = await views.message(id, Number(part));
    return messageMarkup(entry, messageContext(id, start, () => path));
  }
  throw new ConveningError("not_found", `Cannot find part "${part.slice(0, 50)}" of ${id}`, {
    hint: "A part is standing, status, controls, board, or the number of a message.",
  });
}

function preamble({ id, start }: ConveningView): Markup {
  const { kind, topic, startedAt, parent, participants, judges } = start;
  const judged = judges.length === 0
    ? ""
    : `, ${judges.length} judge${judges.length === 1 ? "" : "s"}`;
  return (
    <>
      <h1 dir="auto">{topic}</h1>
      <p class="note">
        {`${kindWords(kind)} · `}
        {time(startedAt)}
        {parent !== undefined && (
          <>
            {" · forked from "}
            <a href={messageHref(parent.dir, parent.seq)}>
              {`message ${parent.seq} of ${parent.dir}`}
            </a>
          </>
        )}
        {" · "}
        <a href={fileHref(id, "index.md")}>index.md</a>
      </p>
      <details class="cast">
        <summary>{`${participants.length} participants${judged}`}</summary>
        {castList(start)}
      </details>
    </>
  );
}

function exchange(view: ConveningView, options: ConveningPageOptions): Markup {
  const { id, standing, convening } = view;
  const { entries } = outlineOf(convening).outline;
  const pages = Math.max(1, Math.ceil((entries.at(-1)?.message.seq ?? 1) / MESSAGES_A_PAGE));
  const at = Math.min(pages, options.page ?? (isOver(standing) ? 1 : pages));
  const shown = entries.filter(({ message: { seq } }) => Math.ceil(seq / MESSAGES_A_PAGE) === at);
  const naming = namingOf(convening);
  const context = messageContext(id, convening.start, (message) => factPath(message, naming));
  const plan = livePlan(convening.start);
  const isLast = at === pages;
  return (
    <section aria-labelledby="exchange-title">
      <h2 id="exchange-title">The exchange</h2>
      {pager(id, at, pages)}
      <div id="exchange" class="exchange" data-page={at} data-last={isLast ? "" : undefined}>
        {shown.map((entry) => messageMarkup(entry, context))}
        <div id="speaking" class="speaking">
          {isLast && view.spoken.map((each) => draftMarkup(each, plan))}
        </div>
      </div>
      <p id="latest" class="latest" tabindex={-1}></p>
      {shown.length === 0 && <p id="nothing" class="note">There is no message yet.</p>}
      {pager(id, at, pages)}
    </section>
  );
}

/** The newest brief; its links to messages lead to those of the page. */
function briefSection({ brief, id }: ConveningView): Markup {
  if (brief === undefined) return <></>;
  const words = brief.replace(/^---\n[\s\S]*?\n---\n/, "").replace(/^# .*\n/, "");
  return (
    <section aria-labelledby="brief">
      <h2 id="brief">Brief</h2>
      {said(words)}
      <p class="note">
        <a href={fileHref(id, "brief.md")}>brief.md</a>
      </p>
    </section>
  );
}

function pager(id: string, at: number, pages: number): Markup {
  if (pages === 1) return <></>;
  const link = (to: number, words: string) => <a href={`/convenings/${id}?page=${to}`}>{words}</a>;
  return (
    <nav class="pager" aria-label="Pages of the exchange">
      {at > 1 && link(at - 1, "Earlier")}
      <span>{`Page ${at} of ${pages}`}</span>
      {at < pages && link(at + 1, "Later")}
    </nav>
  );
}

function files({ id, start, convening: { facts } }: ConveningView): Markup {
  const judged = facts.some(({ type }) => type === "score" || type === "verdict");
  const isPaper = start.kind === "paper-debate";
  const hasReport = facts.some((fact) => fact.type === "message" && fact.kind === "report");
  const names = [
    "index.md",
    "metadata.md",
    "summary.md",
    ...judged ? ["scores.md"] : [],
    ...facts.some(({ type }) => type === "brief") ? ["brief.md"] : [],
    ...facts.some(({ type }) => type === "flow") ? ["arguments.md"] : [],
    ...isPaper ? ["paper.md"] : [],
    ...isPaper && hasReport ? ["report.md", "report.json"] : [],
    "log.jsonl",
  ];
  return (
    <section aria-labelledby="files">
      <h2 id="files">Files</h2>
      <p class="note">{`The directory ${id} holds all of this as plain files.`}</p>
      <ul class="files" role="list">
        {names.map((name) => (
          <li>
            <a href={fileHref(id, name)}>{name}</a>
          </li>
        ))}
      </ul>
    </section>
  );
}
