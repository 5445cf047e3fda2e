import { html } from "hono/html";
import { RUBRICS } from "../judging/rubrics.ts";
import { headingWords } from "../record/transcript_outline.ts";
import type { Markup } from "./page.ts";
import type { Standing, StandingSight } from "./standing.ts";

/** What can be had of a record: answers, another judgement, the whole as one document. */
export function recordTools(sight: StandingSight): Markup {
  const { id, standing } = sight;
  return html`
    <section class="tools" aria-labelledby="tools">
      <h2 id="tools" class="unseen">The record</h2>
      ${askForm(id)}
      ${JUDGEABLE.has(standing) ? judgeForm(sight) : ""}
      ${exportLinks(id)}
    </section>
  `;
}

const JUDGEABLE: ReadonlySet<Standing> = new Set<Standing>(["completed", "stopped"]);

/** The form that looks for a question's words; its answers have a page of their own. */
export function askForm(id: string, question = ""): Markup {
  return html`
    <form class="row ask" method="get" action="/convenings/${id}/ask" role="search">
      <label class="grow">Ask the record
        <input type="search" name="q" value="${question}" maxlength="1000" required
          placeholder="What was said about …?" dir="auto" /></label>
      <button type="submit" class="second">Ask</button>
    </form>
  `;
}

function judgeForm({ id, start }: StandingSight): Markup {
  const usual = start.kind === "paper-debate" ? "conceptual" : "debate";
  return html`
    <details class="judge">
      <summary>Judge again</summary>
      <form method="post" action="/convenings/${id}/actions/judge"
        data-slow="Judging: this takes a while">
        <p
          class="note">New judges score every turn. Their result is shown beside the convening's own, which
          stays as it is.</p>
        <div class="columns">
          <label>Rubric
            <select name="rubric">${RUBRICS.map((each) =>
              html`
                <option value="${each}" ${each === usual
                  ? html`
                    selected
                  `
                  : ""}>${headingWords(each.replaceAll("-", " "))}</option>
              `
            )}</select></label>
          <label>Models, with commas between them
            <input type="text" name="models" maxlength="500" placeholder="${String(
              start.configuration["model"] ?? "That of the convening",
            )}" /></label>
        </div>
        <button type="submit">Judge again</button>
      </form>
    </details>
  `;
}

function exportLinks(id: string): Markup {
  return html`<p class="row exports"><span>Export the transcript:</span> ${
    EXPORTS.map(([format, words]) =>
      html`
        <a href="/api/convenings/${id}/export?format=${format}"
          download="${id}.${format}">${words}</a>
      `
    )
  }</p>`;
}

const EXPORTS = [
  ["md", "Markdown"],
  ["html", "Web page"],
  ["json", "JSON"],
  ["txt", "Plain text"],
] as const;
