import { html } from "hono/html";
import type { Score } from "../core/fact.ts";
import { type Panel, panelStandings } from "../judging/judge_panels.ts";
import type { ConveningStart } from "../core/record.ts";
import type { Standing } from "../core/outcome.ts";
import { headingWords, nameOf } from "../record/transcript_outline.ts";
import { sideOf } from "./exchange.ts";
import { type Markup, own } from "./page.ts";

/** How far a participant's scores lie apart, on the rubric's scale. */
interface Spread {
  readonly least: number;
  readonly most: number;
}

/** The standings of one set of judges: bars with the spread of the single scores, and the numbers as a table. */
export function standingsChart(panel: Panel, start: ConveningStart): Markup | "" {
  const names = new Map(start.participants.map(({ id, name }) => [id, name]));
  const [first] = panelStandings(panel, names);
  if (first === undefined) return "";
  const scores = panel.scores.filter(({ rubric }) => rubric === first.rubric);
  const scale = scores[0]?.scale ?? [0, 10];
  const rows = Object.entries(first.scores).toSorted(([, a], [, b]) => b.total - a.total);
  if (rows.length === 0) return "";
  return html`<figure class="standings">
    <figcaption>Standings by the rubric ${first.rubric}, from ${scale[0]} to ${
    scale[1]
  }: the mean, and from the least to the most a turn got</figcaption>
    <ul role="list">${
    rows.map(([id, row]) =>
      bar(row, { scale, spread: spreadOf(scores, id), side: sideOf(start, id) })
    )
  }</ul>
    ${
    table(
      rows.map(([, row]) => row),
      `by the rubric ${first.rubric}${panel.own ? "" : ", judged again"}`,
    )
  }
    ${
    first.unscored.map((id) =>
      html`<p class="note">${nameOf(start, id)}: no turn was scored for every side.</p>`
    )
  }
  </figure>`;
}

function spreadOf(scores: readonly Score[], id: string): Spread | undefined {
  const totals = scores.flatMap(({ participant, total }) =>
    participant === id && total !== undefined ? [total] : []
  );
  return totals.length < 2 ? undefined : { least: Math.min(...totals), most: Math.max(...totals) };
}

function bar(
  { name, total }: Standing,
  { scale: [least, most], spread, side }: {
    readonly scale: readonly [number, number];
    readonly spread: Spread | undefined;
    readonly side: number | undefined;
  },
): Markup {
  const share = (value: number) => `${((value - least) / (most - least) * 100).toFixed(2)}%`;
  const whisker = spread === undefined ? "" : html`
    <line class="whisker" x1="${share(spread.least)}" x2="${share(
      spread.most,
    )}" y1="50%" y2="50%" />
    <line class="whisker" x1="${share(spread.least)}" x2="${share(
      spread.least,
    )}" y1="30%" y2="70%" />
    <line class="whisker" x1="${share(spread.most)}" x2="${share(spread.most)}" y1="30%" y2="70%" />
  `;
  return html`
    <li${side === undefined ? "" : html`
      data-side="${side}"
    `}>
      <span class="bar-name">${own(name)}</span>
      <svg class="bar" aria-hidden="true" width="100%" height="22">
          <rect class="track" width="100%" height="100%" rx="4" />
          <rect class="fill" width="${share(total)}" height="100%" rx="4" />${whisker}
        </svg>
      <span class="bar-number">${total.toFixed(2)}${spread === undefined ? "" : html`
        <span class="note">${spread.least.toFixed(2)}–${spread.most.toFixed(2)}</span>
      `}</span>
      </li>
  `;
}

function table(rows: readonly Standing[], by: string): Markup {
  const criteria = Object.keys(rows[0]?.breakdown ?? {});
  return html`
    <details>
      <summary>By criterion</summary>
      <div class="wide" role="region" aria-label="Standings by criterion, ${by}" tabindex="0">
        <table>
          <thead>
            <tr><th scope="col">Participant</th>${criteria.map((id) =>
              html`<th scope="col">${headingWords(id)}</th>`
            )}<th scope="col">Total</th><th scope="col">Scored</th><th scope="col">Missing</th></tr>
          </thead>
          <tbody>${rows.map(({ name, breakdown, total, scored, missing }) =>
            html`<tr><th scope="row">${own(name)}</th>${
              criteria.map((id) => html`<td>${(breakdown[id] ?? 0).toFixed(2)}</td>`)
            }<td>${total.toFixed(4)}</td><td>${scored}</td><td>${missing}</td></tr>`
          )}</tbody>
        </table>
      </div>
    </details>
  `;
}
