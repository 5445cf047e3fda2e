import { html } from "hono/html";
import { nameOf } from "../../output/transcript_outline.ts";
import { type Markup, own } from "./page.ts";
import { said } from "./said.ts";
import { canResume, type ConveningSight } from "./standing.ts";

/** What a reader can do about a convening: forms, which work without the script. */
export function controls(sight: ConveningSight): Markup {
  const { id, standing } = sight;
  const buttons = [
    ...standing === "running"
      ? [button(id, "pause", "Pause"), button(id, "stop", "Stop")]
      : standing === "queued"
      ? [button(id, "stop", "Stop")]
      : standing === "waiting"
      ? [button(id, "stop", "Stop")]
      : [],
    ...canResume(standing) ? [button(id, "resume", "Go on")] : [],
  ];
  const canInterject = sight.convening.start.kind !== "paper-debate" && INTERJECTABLE.has(standing);
  return html`<section id="controls" class="controls" aria-label="What you can do">
    ${turnForms(sight)}
    ${buttons.length === 0 ? "" : html`<div class="row">${buttons}</div>`}
    ${canInterject ? interjectForm(id) : ""}
  </section>`;
}

const INTERJECTABLE: ReadonlySet<string> = new Set(["running", "waiting", "paused", "queued"]);

function button(id: string, action: string, words: string): Markup {
  return html`
    <form method="post"
      action="/convenings/${id}/actions/${action}"><button type="submit">${words}</button></form>
  `;
}

/** A form for every person whose turn it is; the pick of a paper's question has its own. */
function turnForms(
  { id, standing, tasks, convening: { start, result } }: ConveningSight,
): Markup | "" {
  if (standing !== "waiting" || start.kind === "paper-debate") return "";
  return html`${
    (result.waitingFor ?? []).map(({ participant }) => {
      const task = tasks.get(participant);
      return html`<form class="turn" method="post" action="/convenings/${id}/actions/say">
        <h2>Your turn: ${own(nameOf(start, participant))}</h2>
        ${
        task === undefined
          ? ""
          : html`<details open><summary>What is asked</summary>${said(task)}</details>`
      }
        <input type="hidden" name="as" value="${participant}" />
        <label>Your words, in plain text or markdown
          <textarea name="text" rows="8" required maxlength="20000"></textarea></label>
        <button type="submit">Say it</button>
      </form>`;
    })
  }`;
}

function interjectForm(id: string): Markup {
  return html`
    <details class="interject">
      <summary>Interject</summary>
      <form method="post" action="/convenings/${id}/actions/interject">
        <label>A remark that is heard before the next turn
            <textarea name="text" rows="3" required maxlength="20000"></textarea></label>
        <button type="submit">Interject</button>
      </form>
    </details>
  `;
}
