import { html } from "hono/html";
import type { EndReason } from "../core/fact.ts";
import { nameOf } from "../record/transcript_outline.ts";
import { type Markup, own } from "./page.ts";
import { said } from "./said.ts";
import { canResume, type StandingSight } from "./standing.ts";
import { waitedWords } from "./waited_words.ts";

/** What a reader can do about where a convening stands: forms, which work without the script. */
export function controls(sight: StandingSight): Markup {
  const { id, standing, start } = sight;
  const buttons = [
    ...standing === "running" ? [button(id, "pause", "Pause")] : [],
    ...STOPPABLE.has(standing) ? [button(id, "stop", "Stop")] : [],
  ];
  const canInterject = start.kind !== "paper-debate" && INTERJECTABLE.has(standing);
  return html`<section id="controls" class="controls" aria-label="What you can do">
    ${turnForms(sight)}
    ${buttons.length === 0 ? "" : html`<div class="row">${buttons}</div>`}
    ${canResume(standing) ? resumeForm(sight) : ""}
    ${canInterject ? interjectForm(id) : ""}
  </section>`;
}

const STOPPABLE: ReadonlySet<string> = new Set(["running", "queued", "waiting"]);
const INTERJECTABLE: ReadonlySet<string> = new Set(["running", "waiting", "paused", "queued"]);

function button(id: string, action: string, words: string): Markup {
  return html`
    <form method="post"
      action="/convenings/${id}/actions/${action}"><button type="submit">${words}</button></form>
  `;
}

/** A form for every person whose turn it is; the pick of a paper's question has its own. */
function turnForms(sight: StandingSight): Markup | "" {
  const { id, standing, start, tasks, waitingFor } = sight;
  if (standing !== "waiting" || start.kind === "paper-debate") return "";
  return html`${
    waitingFor.map((waited) => {
      const { participant, turn } = waited;
      const task = tasks.get(turn);
      return html`
        <form class="turn" method="post" action="/convenings/${id}/actions/say"
          data-draft="${id}/${turn}">
                <h2>Your turn: ${own(nameOf(start, participant))}</h2>
                <p class="note">${waitedWords(sight, waited)}</p>
                ${task === undefined
                  ? ""
                  : html`<details class="task" open><summary>What is asked</summary>${
                    said(task)
                  }</details>`}
                <input type="hidden" name="as" value="${participant}" />
                <label>Your words, in plain text or markdown
                  <textarea name="text" rows="8" required maxlength="20000"></textarea></label>
                <button type="submit">Say it</button>
              </form>
      `;
    })
  }`;
}

/** Going on; beyond the limit that ended it where one did. */
function resumeForm({ id, endReason, said, usage }: StandingSight): Markup {
  const limit = endReason === undefined ? undefined : LIMITS[endReason];
  const used = endReason === "max_turns"
    ? said.length
    : endReason === "max_cost" && usage.costUsd !== "unknown"
    ? usage.costUsd
    : undefined;
  return html`
    <form class="row resume" method="post" action="/convenings/${id}/actions/resume">
      ${limit === undefined ? "" : html`<label>${limit.label}
        <input type="number" name="${limit.name}" min="0" step="any" required
          value="${used === undefined ? "" : String(used * 2)}" /></label>`}
      <button type="submit">Go on</button>
    </form>
  `;
}

const LIMITS: Readonly<
  Partial<Record<EndReason, { readonly name: string; readonly label: string }>>
> = {
  ["max_turns"]: { name: "maxTurns", label: "Turns, at most" },
  ["max_tokens"]: { name: "maxTokens", label: "Tokens, at most" },
  ["max_cost"]: { name: "maxCost", label: "US dollars, at most" },
  ["max_duration"]: { name: "minutes", label: "Minutes more, at most" },
};

function interjectForm(id: string): Markup {
  return html`
    <details class="interject">
      <summary>Interject</summary>
      <form method="post" action="/convenings/${id}/actions/interject"
        data-draft="${id}/interject">
        <label>A remark that is heard before the next turn
            <textarea name="text" rows="3" required maxlength="20000"></textarea></label>
        <button type="submit">Interject</button>
      </form>
    </details>
  `;
}
