import { html } from "hono/html";
import type { ProposalStanding } from "../core/outcome.ts";
import type { Verdict } from "../core/fact.ts";
import { type Panel, panelsOf } from "../judging/judge_panels.ts";
import { onceEach } from "../core/once_each.ts";
import type { ConveningStart } from "../core/record.ts";
import type { Convening } from "../operations/convening.ts";
import {
  consensusLines,
  nameOf,
  outcomeSentence,
  outlineTranscript,
  type TranscriptOutline,
  type TranscriptRecord,
} from "../record/transcript_outline.ts";
import { messageHref } from "./exchange.ts";
import { type Markup, own } from "./page.ts";
import { said } from "./said.ts";
import { standingsChart } from "./standings_chart.ts";
import type { ConveningSight } from "./standing.ts";

/** What a convening came to, first of all who won: a section of its page. */
export function outcomeSection({ id, convening }: ConveningSight): Markup {
  const { start, facts, result } = convening;
  const { record, outline } = outlineOf(convening);
  const { contradictions } = result;
  // What has a place of its own is not told again.
  const shown = new Set([...contradictions, ...consensusLines(start, outline.result)]);
  const others = outline.findings.filter((each) => !shown.has(each));
  const panels = panelsOf(start, facts);
  const own = panels.find((panel) => panel.own);
  return html`<section class="outcome" aria-labelledby="result">
    <h2 id="result">${outcomeSentence(record, outline.result)}</h2>
    ${
    contradictions.length === 0 ? "" : html`
      <div class="caution">
        <p><strong>Numbers and verdicts do not agree</strong></p>
        <ul>${contradictions.map((each) => html`<li dir="auto">${each}</li>`)}</ul>
      </div>
    `
  }
    ${outline.failures.map((each) => html`<p class="problem" dir="auto">${each}</p>`)}
    ${own === undefined ? "" : standingsChart(own, start)}
    ${agreedList(outline, start)}
    ${own === undefined ? "" : verdictList(own.verdicts, start)}
    ${
    others.length === 0
      ? ""
      : html`<ul class="findings">${others.map((each) => html`<li dir="auto">${each}</li>`)}</ul>`
  }
    ${summaryPart(outline, id)}
    ${
    panels.length === (own === undefined ? 0 : 1)
      ? ""
      : html`<div id="judged">${
        panels.filter((panel) => panel !== own).map((panel) =>
          laterPanel(panel, start)
        )
      }</div>`
  }
    ${outline.noModel === undefined ? "" : html`<p class="note">${outline.noModel}</p>`}
  </section>`;
}

/** What judges came to who were asked once it had ended; it changes nothing of the result. */
function laterPanel(panel: Panel, start: ConveningStart): Markup {
  return html`<section class="again">
    <h3>Judged again: rubric ${panel.rubrics.join(", ")}, ${panel.models.join(", ")}</h3>
    ${standingsChart(panel, start)}
    ${verdictList(panel.verdicts, start)}
  </section>`;
}

/** The record and its outline, of one reading of a convening made once. */
const outlineOf = onceEach(({ start, facts, result }: Convening) => {
  const { status, endReason, outcome, winner } = result;
  const record: TranscriptRecord = { start, facts, status, endReason, outcome, winner };
  return { record, outline: outlineTranscript(record) };
});

function agreedList(
  { result: { consensus } }: TranscriptOutline,
  start: ConveningStart,
): Markup | "" {
  if (consensus === undefined) return "";
  const item = (mark: string) => ({ text, share, holds }: ProposalStanding) =>
    html`<li><span class="mark" data-verdict="${
      mark === "agreed" ? "true" : "unverifiable"
    }">${mark}</span>
      ${own(text)} <span class="note">share ${share}: ${
      Object.entries(holds).map(([by, { stance, condition }]) =>
        `${nameOf(start, by)} ${stance}${condition === undefined ? "" : `, if ${condition}`}`
      ).join("; ")
    }</span></li>`;
  return html`<ul class="findings">${consensus.agreed.map(item("agreed"))}${
    consensus.open.map(item("open"))
  }</ul>`;
}

function verdictList(verdicts: readonly Verdict[], start: ConveningStart): Markup | "" {
  if (verdicts.length === 0) return "";
  const word = ({ status, winner }: Verdict) =>
    status === "unread" ? "could not be read" : winner === null ? "a tie" : nameOf(start, winner);
  return html`<details class="verdicts"><summary>Verdicts: ${
    verdicts.map(word).join(", ")
  }</summary>
    ${
    verdicts.map((verdict) =>
      html`<p class="heading">${own(nameOf(start, verdict.judge))}: ${own(word(verdict))}
        <span class="note">shown ${
        verdict.order.map((each) => nameOf(start, each)).join(", then ")
      }${verdict.reason === undefined ? "" : ` · ${verdict.reason}`}</span></p>${
        said(verdict.reasons)
      }`
    )
  }</details>`;
}

function summaryPart(
  { result: { summary, summaryOf } }: TranscriptOutline,
  id: string,
): Markup | "" {
  // That of a reporter stands in the report.
  if (summary === "" || summaryOf?.kind === "report") return "";
  return html`<h3>Summary</h3>${said(summary)}${
    summaryOf === undefined
      ? ""
      : html`<p class="note"><a href="${
        messageHref(id, summaryOf.seq)
      }">Message ${summaryOf.seq}, ${own(summaryOf.name)}</a></p>`
  }`;
}
