// Renders the participants and the outcome of a convening, for pages and transcripts.
/** @jsxImportSource hono/jsx */
import type { ConveningStart } from "../../core/event.ts";
import type { Verdict } from "../../core/fact.ts";
import { conditionLead, type ProposalStanding, type Standing } from "../../core/outcome.ts";
import { capitalized, counted, headingWords, percentText, totalText } from "../../core/text.ts";
import {
  firstStandings,
  type Panel,
  panelOutcome,
  panelStandings,
  reasonsOf,
  votesOf,
} from "../../judging/panels.ts";
import { lackingWords } from "../../judging/scoring.ts";
import type { RecordModel } from "../record_model.ts";
import type { TranscriptOutline } from "../transcript_outline.ts";
import { sideOf } from "../../core/participant.ts";
import {
  answerWords,
  assessmentSentences,
  castOf,
  judgedStart,
  judgeName,
  nameOf,
  outcomeSentence,
  ranked,
  reasonItems,
} from "../words.ts";
import { bidi, column, type Markup, said, textList, wideTable } from "./markup.tsx";
import { scoreChart, totalsOf } from "./score_chart.tsx";

/** Renders the participants and judges, each with role, model and position. */
export function participantList(start: ConveningStart): Markup {
  return (
    <ul>
      {castOf(start).map(({ name, about, position }) => (
        <li>
          <strong>{bidi(name)}</strong> <span class="note">{about}</span>
          {position !== undefined && <>{": "}{bidi(position)}</>}
        </li>
      ))}
    </ul>
  );
}

/** Renders the outcome of a convening: winner, standings, verdicts, findings and summary. */
export function outcomeSection(
  model: RecordModel,
  outline: TranscriptOutline,
  hrefOf: (seq: number) => string,
): Markup {
  const { start, panels } = model;
  const { result, findings, failures, notices } = outline;
  const judged = panels.find((panel) => panel.own);
  const later = panels.filter((panel) => !panel.own);
  return (
    <section class="outcome" aria-labelledby="result">
      <h2 id="result">{headingOf(model)}</h2>
      {textList(reasonItems(start, result))}
      {result.contradictions.length > 0 && (
        <div class="caution">
          <p>
            <strong>Winner, verdicts and scores do not agree</strong>
          </p>
          {textList(result.contradictions)}
        </div>
      )}
      {failures.map((each) => <p class="problem" dir="auto">{each}</p>)}
      {judged !== undefined && panelPart(judged, start)}
      {stanceTable(outline, start)}
      {judged !== undefined && verdictList(judged.verdicts, start)}
      {textList([...findings, ...assessmentSentences(start, result)])}
      {notesPart(result.notes)}
      {summaryPart(outline, hrefOf)}
      {later.map((panel) => laterPanel(panel, start))}
      {notices.map((each) => <p class="note">{each}</p>)}
    </section>
  );
}

/** Returns the heading of the section. A failed convening has no outcome sentence. */
function headingOf({ start, progress, outcome, decided }: RecordModel): string {
  return outcome === "unscored" && progress.status === "failed"
    ? "No outcome: the convening failed."
    : outcomeSentence(start, decided);
}

function notesPart(notes: readonly string[]): Markup {
  if (notes.length === 0) return <></>;
  return (
    <details>
      <summary>{counted(notes.length, "note")} on the judges</summary>
      {textList(notes.map(capitalized))}
    </details>
  );
}

/** Renders the result of judges added after the end, which does not change the outcome. */
function laterPanel(panel: Panel, start: ConveningStart): Markup {
  const reasons = reasonsOf(panel.verdicts);
  return (
    <section class="again" id={`judged-${panel.rubrics[0]}`}>
      <h3>{`Judged again: rubric ${panel.rubrics.join(", ")}, ${panel.models.join(", ")}`}</h3>
      {reasons.length > 0 && (
        <p>
          <strong>{outcomeSentence(judgedStart(start), panelOutcome(panel))}</strong>
        </p>
      )}
      {textList(reasonItems(start, { reasons }))}
      {panelPart(panel, start)}
      {verdictList(panel.verdicts, start)}
    </section>
  );
}

function stanceTable({ result: { consensus } }: TranscriptOutline, start: ConveningStart): Markup {
  const { agreed = [], open = [] } = consensus ?? {};
  const points = [...agreed, ...open];
  const held = new Set(points.flatMap(({ holds }) => Object.keys(holds)));
  const names = start.participants.filter(({ id }) => held.has(id));
  if (points.length === 0) return <></>;
  return wideTable({
    label: "Stances",
    class: "stances",
    caption: "The stance of each participant, and the share that agrees",
    columns: [column("Proposal"), ...names.map(({ name }) => column(bidi(name))), column("Share")],
    rows: points.map(({ id, text, share, holds }, at) => [
      <>
        <span class="mark" data-verdict={at < agreed.length ? "true" : "unverifiable"}>
          {at < agreed.length ? "agreed" : "open"}
        </span>{" "}
        <strong>{bidi(id)}</strong> {bidi(text)}
      </>,
      [
        ...names.map(({ id }) => <td class="words">{stanceWords(holds[id])}</td>),
        <td>{percentText(share).replace(" ", "\u00a0")}</td>,
      ],
    ]),
  });
}

function stanceWords(held: ProposalStanding["holds"][string] | undefined): Markup {
  if (held === undefined) return <>–</>;
  const { stance, condition } = held;
  return <>{stance}{condition !== undefined && <>, {conditionLead(held)} {bidi(condition)}</>}</>;
}

function verdictList(verdicts: readonly Verdict[], start: ConveningStart): Markup {
  if (verdicts.length === 0) return <></>;
  const judges = new Set(verdicts.map(({ judge }) => judge));
  return (
    <details class="verdicts">
      <summary>
        {`${counted(verdicts.length, "verdict")} of ${counted(judges.size, "judge")}, with reasons`}
      </summary>
      {verdicts.map((verdict) => {
        const { order, reason, reasons } = verdict;
        const shown = order.map((each) => nameOf(start, each)).join(", then ");
        return (
          <>
            <p class="heading">
              {bidi(judgeName(start, verdict))}
              {": "}
              {bidi(answerWords(start, verdict))}{" "}
              <span class="note">
                {`shown ${shown}${reason === undefined ? "" : ` · ${reason}`}`}
              </span>
            </p>
            {said(reasons)}
          </>
        );
      })}
    </details>
  );
}

function summaryPart(
  { summary, summaryOf }: TranscriptOutline,
  hrefOf: (seq: number) => string,
): Markup {
  // The report contains the reporter's summary.
  if (summary === "" || summaryOf?.kind === "report") return <></>;
  return (
    <>
      <h3>Summary</h3>
      {said(summary)}
      {summaryOf !== undefined && (
        <p class="note">
          <a href={hrefOf(summaryOf.seq)}>{`Message ${summaryOf.seq}, `}{bidi(summaryOf.name)}</a>
        </p>
      )}
    </>
  );
}

/** Renders the standings of a panel by its first rubric: bars with the range of single scores, and a table. */
function panelPart(panel: Panel, start: ConveningStart): Markup {
  const [first] = panelStandings(start, panel);
  if (first === undefined) return <></>;
  const scores = panel.scores.filter(({ rubric }) => rubric === first.rubric);
  const scale = scores[0]?.scale ?? [0, 10];
  const positions = new Map(start.participants.map(({ id, position }) => [id, position]));
  const rows = ranked(first.scores);
  const rubric = `by the rubric ${first.rubric}`;
  const by = panel.own ? rubric : `${rubric}, judged again`;
  const range = `from ${scale[0]} to ${scale[1]}`;
  const hasSpread = rows.some(([id]) => totalsOf(scores, id).length > 1);
  return (
    <>
      {rows.length > 0 && (
        <figure class="standings">
          <figcaption>
            {`Standings ${rubric}, ${range}: the mean${
              hasSpread ? ", and the lowest and highest turn" : ""
            }`}
          </figcaption>
          <ul role="list">
            {rows.map(([id, row]) => (
              <li data-side={sideOf(start, id)}>
                {bar(row, scale, totalsOf(scores, id), positions.get(id))}
              </li>
            ))}
          </ul>
        </figure>
      )}
      <div class="figures">
        {scoreChart({ start, scores, messages: panel.messages, scale, by })}
        {rows.length > 0 &&
          standingsTable(rows.map(([, row]) => row), by)}
      </div>
      {judgeTable(panel, start, by)}
      {first.unscored.map((id) => (
        <p class="note">{bidi(nameOf(start, id))}: no turn was scored for every side.</p>
      ))}
    </>
  );
}

function bar(
  row: Standing,
  [least, most]: readonly [number, number],
  totals: readonly number[],
  position: string | undefined,
): Markup {
  const { name, total } = row;
  const share = (value: number) => `${((value - least) / (most - least) * 100).toFixed(2)}%`;
  const ends = totals.length < 2 ? [] : [Math.min(...totals), Math.max(...totals)];
  const [from, to] = ends.map(share);
  const notes = [ends.map(totalText).join("–"), lackingWords(row)];
  return (
    <>
      <span class="bar-name">
        {bidi(name)}
        {position !== undefined && <span class="note" dir="auto">{position}</span>}
      </span>
      <svg class="bar" aria-hidden="true" width="100%" height="22">
        <rect class="track" width="100%" height="100%" rx="4" />
        <rect class="fill" width={share(total)} height="100%" rx="4" />
        {from !== undefined && <line class="whisker" x1={from} x2={to} y1="50%" y2="50%" />}
        {ends.map(share).map((x) => <line class="whisker" x1={x} x2={x} y1="30%" y2="70%" />)}
      </svg>
      <span class="bar-number">
        {totalText(total)}{" "}
        <span class="note">{notes.filter((each) => each !== "").join(", ")}</span>
      </span>
    </>
  );
}

/** Renders the judges with the vote and each side's total, in the order of the standings; empty for a single judge, shown by the bars. */
function judgeTable(panel: Panel, start: ConveningStart, by: string): Markup {
  const { scores, verdicts } = panel;
  const judges = [...Map.groupBy(scores, ({ judge }) => judge)];
  if (judges.length < 2) return <></>;
  const ranks = ranked(firstStandings(start, panel).scores).map(([id]) => id);
  const sides = [...new Set([...ranks, ...scores.map(({ participant }) => participant)])];
  const names = sides.map((id) => column(bidi(nameOf(start, id))));
  const votes = votesOf(verdicts);
  return wideTable({
    label: `Judges, ${by}`,
    caption: "Judges: the total of each side, and the vote",
    columns: [column("Judge"), ...names, column("Vote")],
    rows: judges.map(([judge, given]) => {
      const winner = votes.find((each) => each.judge === judge)?.winner ?? null;
      const totals = firstStandings(start, { ...panel, scores: given }).scores;
      return [
        <>
          {bidi(judgeName(start, given[0]!))}{" "}
          <span class="note">{`scale ${given[0]!.scale.join("–")}`}</span>
        </>,
        [
          ...sides.map((id) => <td>{totals[id] ? totalText(totals[id].total) : "–"}</td>),
          <td class="words">{winner === null ? "none" : bidi(nameOf(start, winner))}</td>,
        ],
      ];
    }),
  });
}

/** Maximum participants for which the table by criterion is expanded. */
const MAX_EXPANDED = 6;

function standingsTable(rows: readonly Standing[], by: string): Markup {
  const criteria = Object.keys(rows[0]?.breakdown ?? {});
  const counts = [
    { title: "Total", of: ({ total }: Standing) => totalText(total) },
    { title: "Scores", of: ({ scored }: Standing) => scored },
    { title: "Scores missing", of: ({ missing }: Standing) => missing },
  ];
  return (
    <details open={rows.length <= MAX_EXPANDED}>
      <summary>By criterion</summary>
      {wideTable({
        label: `Standings by criterion, ${by}`,
        columns: [column("Criterion"), ...rows.map(({ name }) => column(bidi(name)))],
        rows: [
          ...criteria.map((id) =>
            [
              headingWords(id),
              rows.map(({ breakdown }) => <td>{totalText(breakdown[id] ?? 0)}</td>),
            ] as const
          ),
          ...counts.map(({ title, of }) => [title, rows.map((row) => <td>{of(row)}</td>)] as const),
        ],
      })}
    </details>
  );
}
