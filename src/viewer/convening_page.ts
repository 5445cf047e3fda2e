import { html } from "hono/html";
import { ConveningError } from "../core/error.ts";
import { headingWords } from "../record/transcript_outline.ts";
import { controls } from "./controls.ts";
import { entriesOf } from "./entries.ts";
import {
  draftMarkup,
  entryMarkup,
  fileHref,
  livePlan,
  messageHref,
  MESSAGES_A_PAGE,
} from "./exchange.ts";
import { outcomeSection } from "./outcome.ts";
import { type Markup, own, type Page, page, time } from "./page.ts";
import { paperBoard } from "./paper_board.ts";
import { paperReport } from "./paper_report.ts";
import { recordTools } from "./record_tools.ts";
import type { Sights } from "./sights.ts";
import { type ConveningSight, isOver, type Standing } from "./standing.ts";
import { statusPanel } from "./status_panel.ts";

/** What one page of a convening shows. */
interface ConveningPageOptions {
  /** The page of the exchange, from 1. @default the last while it goes on, else the first */
  readonly page?: number | undefined;
  /** What was just asked and shows later: `interject` or `pause`. @default nothing */
  readonly done?: string | undefined;
}

const DONE: Readonly<Partial<Record<string, string>>> = {
  interject: "Your remark was left: it is heard before the next turn.",
  pause: "It pauses once the turns that are being spoken are over.",
};

/** Shown while the server does not answer. */
const LOST = html`
  <p id="lost" class="lost"
    hidden>The server does not answer: trying again. What you write is kept in this browser.</p>
`;

/** A convening: what it came to first once it has ended, what is being said while it goes on. */
export function conveningPage(sight: ConveningSight, options: ConveningPageOptions = {}): Page {
  const { id, standing, after, said, start } = sight;
  const over = isOver(standing);
  const isPaper = start.kind === "paper-debate";
  const live = standing === "completed" ? "" : html`
    data-live="${id}" data-after="${after}" data-messages="${said.length}" data-plan="${JSON
      .stringify(livePlan(start))}"
  `;
  return page({
    title: start.topic,
    body: html`
      <div id="convening" data-standing="${standing}" data-kind="${start.kind}" ${live}>
            ${live === "" ? "" : LOST}
            ${head(sight)}
            ${doneNote(standing, options.done)}
            ${over ? "" : html`${statusPanel(sight)}${controls(sight)}`}
            ${over ? html`${outcomeSection(sight)}${isPaper ? paperReport(sight) : ""}` : ""}
            ${isPaper ? paperBoard(sight) : ""}
            ${over ? html`${statusPanel(sight)}${controls(sight)}` : ""}
            ${over ? recordTools(sight) : ""}
            ${exchange(sight, options)}
            ${over ? "" : recordTools(sight)}
            ${files(sight)}
          </div>
    `,
  });
}

function doneNote(standing: Standing, done = ""): Markup | "" {
  const note = Object.hasOwn(DONE, done) ? DONE[done] : undefined;
  const isOld = done === "pause" ? standing !== "running" : isOver(standing);
  return note === undefined || isOld ? "" : html`<p class="done" role="status">${note}</p>`;
}

/**
 * A part of a page that is shown live: `standing` (in short), `status`, `controls`, `board`, or a message by its number.
 * Fails with `not_found`.
 */
export async function conveningPart(sights: Sights, id: string, part: string): Promise<Markup> {
  switch (part) {
    case "standing": {
      const { standing, messages } = await sights.glance(id);
      return html`<p id="standing" data-standing="${standing}" data-messages="${messages}"></p>`;
    }
    case "status":
      return statusPanel(await sights.standing(id));
    case "controls":
      return controls(await sights.standing(id));
    case "board":
      return paperBoard(await sights.of(id));
  }
  if (/^[1-9]\d{0,8}$/.test(part)) {
    const { start, entry } = await sights.message(id, Number(part));
    return entryMarkup(entry, { id, start, canFork: true });
  }
  throw new ConveningError("not_found", `Cannot find part "${part.slice(0, 50)}" of ${id}`, {
    hint: "A part is standing, status, controls, board, or the number of a message.",
  });
}

function head({ id, start }: ConveningSight): Markup {
  const { kind, topic, startedAt, parent, participants, judges } = start;
  return html`
    <h1 dir="auto">${topic}</h1>
    <p class="note">${headingWords(kind.replace("-", " "))} · ${time(
      startedAt,
    )}${parent === undefined ? "" : html`
      · forked from <a href="${messageHref(parent.dir, parent.seq)}">message ${parent
        .seq} of ${parent.dir}</a>
    `} · <a href="${fileHref(id, "index.md")}">index.md</a></p>
    <details class="cast">
      <summary>${participants.length} participants${judges.length === 0
        ? ""
        : `, ${judges.length} judge${judges.length === 1 ? "" : "s"}`}</summary>
      <ul>${participants.map(({ name, role, model, position }) =>
        html`<li><strong>${own(name)}</strong> <span class="note">${
          headingWords(role).toLowerCase()
        }, ${model}</span>${position === undefined ? "" : html`: ${own(position)}`}</li>`
      )}${judges.map(({ name, model, rubric }) =>
        html`<li><strong>${
          own(name)
        }</strong> <span class="note">judge, ${model}, rubric ${rubric}</span></li>`
      )}</ul>
    </details>
  `;
}

function exchange(sight: ConveningSight, options: ConveningPageOptions): Markup {
  const { id, standing, convening } = sight;
  const entries = entriesOf(convening);
  const pages = Math.max(1, Math.ceil((entries.at(-1)?.message.seq ?? 1) / MESSAGES_A_PAGE));
  const at = Math.min(pages, options.page ?? (isOver(standing) ? 1 : pages));
  const shown = entries.filter(({ message: { seq } }) => Math.ceil(seq / MESSAGES_A_PAGE) === at);
  const context = { id, start: convening.start, canFork: true };
  const plan = livePlan(convening.start);
  return html`<section aria-labelledby="exchange-title">
    <h2 id="exchange-title">The exchange</h2>
    ${pager(id, { at, pages })}
    <div id="exchange" class="exchange" data-page="${at}"${
    at === pages
      ? html`
        data-last
      `
      : ""
  }>${shown.map((entry) => entryMarkup(entry, context))}<div id="speaking" class="speaking">${
    at === pages ? sight.spoken.map((each) => draftMarkup(each, plan)) : ""
  }</div></div>
    <p id="latest" class="latest" tabindex="-1"></p>
    ${shown.length === 0 ? html`<p id="nothing" class="note">Nothing was said yet.</p>` : ""}
    ${pager(id, { at, pages })}
  </section>`;
}

function pager(
  id: string,
  { at, pages }: { readonly at: number; readonly pages: number },
): Markup | "" {
  if (pages === 1) return "";
  return html`<nav class="pager" aria-label="Pages of the exchange">
    ${at > 1 ? html`<a href="/convenings/${id}?page=${at - 1}">Earlier</a>` : ""}
    <span>Page ${at} of ${pages}</span>
    ${at < pages ? html`<a href="/convenings/${id}?page=${at + 1}">Later</a>` : ""}
  </nav>`;
}

function files({ id, start, convening: { facts } }: ConveningSight): Markup {
  const judged = facts.some(({ type }) => type === "score" || type === "verdict");
  const isPaper = start.kind === "paper-debate";
  const names = [
    "index.md",
    "metadata.md",
    "summary.md",
    ...judged ? ["scores.md"] : [],
    ...isPaper ? ["paper.md"] : [],
    ...isPaper && facts.some((fact) => fact.type === "message" && fact.kind === "report")
      ? ["report.md", "report.json"]
      : [],
    "log.jsonl",
  ];
  return html`
    <section aria-labelledby="files">
      <h2 id="files">Files</h2>
      <p class="note">The directory ${id} holds all of this as plain files.</p>
      <ul class="files" role="list">${names.map((name) =>
        html`<li><a href="${fileHref(id, name)}">${name}</a></li>`
      )}</ul>
    </section>
  `;
}
