import { html } from "hono/html";
import { type DebaterRecord, debatersOf } from "../papers/text/debaters.ts";
import type { DebateReport, DebaterScores } from "../papers/text/debate_report.ts";
import { missedWords } from "../papers/text/judge_verdict.ts";
import { headingWords } from "../record/transcript_outline.ts";
import { marksList } from "./evidence_marks.ts";
import { messageHref, sideOf } from "./exchange.ts";
import { type Markup, own, sourceLink } from "./page.ts";
import { said } from "./said.ts";
import type { ConveningSight } from "./standing.ts";

/** What a tab shows: the debaters, the report, and where they stand. */
interface ReportSight extends ConveningSight {
  readonly report: DebateReport;
  readonly debaters: readonly DebaterRecord[];
}

/** The report of a debate over papers: the verdict, then a part for each topic; tabs where the script runs. */
export function paperReport(sight: ConveningSight): Markup | "" {
  const { id, convening: { start, facts, report } } = sight;
  if (report === undefined) return "";
  const given = { ...sight, report, debaters: debatersOf(start, facts) };
  return html`
    <section class="report" aria-labelledby="report-title">
      <div class="head">
        <h2 id="report-title">Report</h2>
        <p
          class="row"><a class="button" href="/convenings/${id}/report" download="${id}.md">Export markdown</a>
            ${again(sight)}</p>
      </div>
      <div class="tabs" data-tabs>
          <nav aria-label="Parts of the report"><a href="#final-verdict">Final Verdict</a> ${report
            .topics.map((topic, at) =>
              html`
                <a href="#topic-${at + 1}" dir="auto">${topic}</a>
              `
            )}</nav>
          <section id="final-verdict" aria-labelledby="final-verdict-title">${verdictTab(
            given,
          )}</section>
          ${report.topics.map((topic, at) =>
            html`<section id="topic-${at + 1}" aria-labelledby="topic-${at + 1}-title">${
              topicTab(given, { topic, at })
            }</section>`
          )}
        </div>
    </section>
  `;
}

function again({ convening: { start } }: ConveningSight): Markup {
  const [paper] = start.papers ?? [];
  return paper === undefined
    ? html`<a class="button second" href="/papers">Run another</a>`
    : html`<a class="button second" href="/papers/${paper.id}">Run another</a>`;
}

function verdictTab({ report }: ReportSight): Markup {
  const { summary, rankedPostures, validatedInsights, controversialPoints, notes, verdict } =
    report;
  const list = (items: readonly string[], none: string) =>
    items.length === 0
      ? html`<p class="note">${none}</p>`
      : html`<ul>${items.map((each) => html`<li dir="auto">${each}</li>`)}</ul>`;
  return html`<h3 id="final-verdict-title">Final Verdict</h3>
    <p><strong>${
    verdict.winner === null
      ? "The judges' comparison names no winner"
      : html`The judges' comparison names ${own(verdict.winner)}`
  }</strong></p>
    <h4>Executive summary</h4>${said(summary)}
    <h4>Ranked postures</h4>
    ${
    rankedPostures.length === 0
      ? html`<p class="note">Nothing was scored.</p>`
      : html`<ol class="ranked">${
        rankedPostures.map(({ posture, score }) =>
          html`<li><span dir="auto">${posture}</span> <strong>${score}</strong>${
            missedWords(report.appendix.scoringTable.find((each) => each.posture === posture))
          }</li>`
        )
      }</ol>`
  }
    <h4>Validated insights</h4>${list(validatedInsights, "The judges named none.")}
    <h4>Controversial points</h4>${list(controversialPoints, "The judges named none.")}
    <h4>Recommended next reads</h4>${nextReads(report)}
    ${notes.length === 0 ? "" : html`<h4>Notes</h4>${list(notes, "")}`}`;
}

function nextReads({ recommendedNextReads, noNextReads }: DebateReport): Markup {
  return recommendedNextReads.length === 0
    ? html`<p class="note">${noNextReads ?? "There are none."}</p>`
    : html`<ul>${
      recommendedNextReads.map(({ title, url, snippet }) =>
        html`<li>${
          sourceLink(title === "" ? url : title, url)
        } <span class="note" dir="auto">${snippet}</span></li>`
      )
    }</ul>`;
}

function topicTab(
  sight: ReportSight,
  { topic, at }: { readonly topic: string; readonly at: number },
): Markup {
  const { debaters } = sight;
  return html`
    <h3 id="topic-${at + 1}-title" dir="auto">${topic}</h3>
    <div class="arguments">${debaters.map((each) =>
      argumentCard(sight, { topic, debater: each })
    )}</div>
  `;
}

function argumentCard(
  { id, report, convening: { start } }: ReportSight,
  { topic, debater }: { readonly topic: string; readonly debater: DebaterRecord },
): Markup {
  const { participant, name, posture, argument, evidence, speech } = debater;
  const found = argument?.perTopic.find((each) => each.topic === topic);
  const rank = report.rankedPostures.findIndex((each) => each.posture === posture);
  const quotations = evidence.flatMap((each) => each.quotations).filter((each) =>
    each.topic === topic
  );
  return html`<article class="argument" data-side="${sideOf(start, participant) ?? 0}">
    <h4>${own(name)}${
    rank === -1 ? "" : html`
      <span class="badge">${placeWords(rank + 1)}</span>
    `
  }</h4>
    <p class="position" dir="auto">${posture}</p>
    ${
    found === undefined ? html`<p class="note">Nothing was argued on this.</p>` : html`
      <p class="claim" dir="auto">${found.claim}</p>
      ${said(found.reasoning)}
      <details>
        <summary>Counterpoints (${found.counterpoints.length})</summary>
        <ul>${found.counterpoints.map((each) => html`<li dir="auto">${each}</li>`)}</ul>
      </details>
      <details open><summary>Evidence</summary>${marksList([found.citations], quotations)}</details>
    `
  }
    ${scoresOf(report, { posture, topic })}
    ${
    speech === undefined ? "" : html`
      <p
        class="note"><a href="${messageHref(
          id,
          speech.seq,
        )}">The whole argument<span class="unseen"> of ${name}</span></a></p>
    `
  }
  </article>`;
}

function placeWords(place: number): string {
  return place === 1 ? "1st" : place === 2 ? "2nd" : place === 3 ? "3rd" : `${place}th`;
}

function scoresOf(
  { appendix, rubric }: DebateReport,
  { posture, topic }: { readonly posture: string; readonly topic: string },
): Markup | "" {
  const row: DebaterScores | undefined = appendix.scoringTable.find((each) =>
    each.posture === posture
  );
  const scored = row?.perTopic.find((each) => each.topic === topic);
  if (scored === undefined || rubric === null) return "";
  const [least, most] = rubric.scale;
  return html`
    <details>
      <summary>Judges' scores</summary>
      <dl class="criteria">${Object.entries(scored.scores).map(([id, value]) =>
        html`
          <div>
            <dt>${headingWords(id)}</dt>
            <dd><meter min="${least}" max="${most}" value="${value}" aria-label="${headingWords(
              id,
            )}">${value}</meter> ${value}</dd>
          </div>
        `
      )}</dl>
      <p class="note" dir="auto">${scored.notes}</p>
    </details>
  `;
}
