// The report of a paper debate on its page: the verdict, then a part for each topic; tabs if the script runs.
/** @jsxRuntime automatic */
/** @jsxImportSource hono/jsx */
import { type DebaterRecord, debatersOf, missedWords } from "../papers/text/debaters.ts";
import type { ConveningStart } from "../core/event.ts";
import type { Convening } from "../operations/convening.ts";
import type { DebateReport } from "../papers/text/debate_report.ts";
import { figuresIn } from "../operations/results.ts";
import { marksList } from "../record/html/evidence.tsx";
import {
  criteriaList,
  type Markup,
  own,
  said,
  sourceLink,
  textList,
} from "../record/html/markup.tsx";
import { type MessageContext, sideOf } from "../record/html/message.tsx";
import { messageHref } from "./exchange.tsx";
import { paperHrefOf } from "./paper_text_page.tsx";
import type { ConveningView } from "./standing.tsx";

/** The read model of a report. */
interface ReportView extends Pick<MessageContext, "hrefOf" | "paperHref"> {
  readonly start: ConveningStart;
  readonly report: DebateReport;
  readonly debaters: readonly DebaterRecord[];
}

/** The report; empty while there is none. A paper that is not on the shelf has no page to run another debate from. */
export function paperReport(view: ConveningView, isOnShelf: boolean): Markup {
  const { id, convening: { start, report } } = view;
  if (report === undefined) return <></>;
  const [paper] = start.papers ?? [];
  return (
    <section class="report" aria-labelledby="report-title">
      <div class="title">
        <h2 id="report-title">Report</h2>
        <p class="row">
          <a class="button" href={`/convenings/${id}/report`} download={`${id}.md`}>
            Export markdown
          </a>
          <a class="button second" href={isOnShelf ? `/papers/${paper?.id}` : "/papers"}>
            Run another
          </a>
        </p>
      </div>
      {reportParts(view.convening, {
        hrefOf: (seq) => messageHref(id, seq),
        paperHref: paperHrefOf(id),
      })}
    </section>
  );
}

/** The parts of the report of a paper debate; empty while there is none. */
export function reportParts(
  { start, facts, report, result }: Pick<Convening, "start" | "facts" | "report" | "result">,
  links: Pick<MessageContext, "hrefOf" | "paperHref">,
): Markup {
  if (report === undefined) return <></>;
  const given = { start, report, debaters: debatersOf(start, facts), ...links };
  return (
    <div class="tabs" data-tabs>
      <nav aria-label="Parts of the report">
        <a href="#final-verdict">Final Verdict</a>
        {report.topics.map((topic, at) => (
          <a href={`#topic-${at + 1}`} dir="auto" title={topic}>{topic}</a>
        ))}
      </nav>
      <section id="final-verdict" aria-labelledby="final-verdict-title">
        {given.debaters.map(unfoundWarning)}
        {verdictTab(report, new Set(result.notes))}
      </section>
      {report.topics.map((topic, at) => (
        <section id={`topic-${at + 1}`} aria-labelledby={`topic-${at + 1}-title`}>
          <h3 id={`topic-${at + 1}-title`} dir="auto">{topic}</h3>
          <div class="arguments">
            {given.debaters.map((each) =>
              argumentCard(given, topic, each)
            )}
          </div>
        </section>
      ))}
    </div>
  );
}

/** A warning of a debater most of whose quotations and citations were not found. */
function unfoundWarning({ name, evidence }: DebaterRecord): Markup {
  const { verified, notFound } = figuresIn(evidence);
  if (notFound <= verified) return <></>;
  return (
    <p class="caution">
      {`Most quotations and citations of ${name} were not found: ${notFound} of ${
        verified + notFound
      }.`}
    </p>
  );
}

/** The verdict, with the notes that the outcome does not have. */
function verdictTab(report: DebateReport, noted: ReadonlySet<string>): Markup {
  const { summary, rankedPostures, validatedInsights, controversialPoints } = report;
  const notes = report.notes.filter((each) => !noted.has(each));
  const { winner } = report.verdict;
  return (
    <>
      <h3 id="final-verdict-title">Final Verdict</h3>
      <p>
        <strong>
          The judges' comparison names {winner === null ? "no winner" : own(winner)}
        </strong>
      </p>
      <h4>Executive summary</h4>
      {said(summary)}
      <h4>Ranked postures</h4>
      {rankedPostures.length === 0 && <p class="note">Nothing was scored.</p>}
      <ol class="ranked">
        {rankedPostures.map(({ posture, score }) => (
          <li>
            <span dir="auto">{posture}</span> <strong>{score.toFixed(2)}</strong>
            {missedWords(report.appendix.scoringTable.find((each) => each.posture === posture))}
          </li>
        ))}
      </ol>
      <h4>Validated insights</h4>
      {textList(validatedInsights, "The judges named none.")}
      <h4>Controversial points</h4>
      {textList(controversialPoints, "The judges named none.")}
      <h4>Recommended next reads</h4>
      {nextReads(report)}
      {notes.length > 0 && <h4>Notes</h4>}
      {textList(notes)}
    </>
  );
}

function nextReads({ recommendedNextReads, noNextReads }: DebateReport): Markup {
  if (recommendedNextReads.length === 0) {
    return <p class="note">{noNextReads ?? "There are none."}</p>;
  }
  return (
    <ul class="findings">
      {recommendedNextReads.map((source) => (
        <li>
          {sourceLink(source)} <span class="note" dir="auto">{source.snippet}</span>
        </li>
      ))}
    </ul>
  );
}

function argumentCard(
  { start, report, hrefOf, paperHref }: ReportView,
  topic: string,
  { participant, name, posture, argument, evidence, speech }: DebaterRecord,
): Markup {
  const found = argument?.perTopic.find((each) => each.topic === topic);
  const rank = report.rankedPostures.findIndex((each) => each.posture === posture) + 1;
  const quotations = evidence.flatMap((each) => each.quotations).filter((each) =>
    each.topic === topic
  );
  return (
    <article class="argument" data-side={sideOf(start, participant) ?? 0}>
      <h4>
        {own(name)} {rank > 0 && <span class="badge">{placeWords(rank)}</span>}
      </h4>
      <p class="position" dir="auto">{posture}</p>
      {found === undefined ? <p class="note">There is no argument on this topic.</p> : (
        <>
          <p class="claim" dir="auto">{found.claim}</p>
          {said(found.reasoning)}
          <details>
            <summary>{`Counterpoints (${found.counterpoints.length})`}</summary>
            {textList(found.counterpoints)}
          </details>
          <details open>
            <summary>Evidence</summary>
            {marksList([found.citations], quotations, paperHref)}
          </details>
        </>
      )}
      {scoresOf(report, posture, topic)}
      {speech !== undefined && (
        <p class="note">
          <a href={hrefOf(speech.seq)}>
            The whole argument<span class="unseen">{` of ${name}`}</span>
          </a>
        </p>
      )}
    </article>
  );
}

function placeWords(place: number): string {
  return place === 1 ? "1st" : place === 2 ? "2nd" : place === 3 ? "3rd" : `${place}th`;
}

function scoresOf({ appendix, rubric }: DebateReport, posture: string, topic: string): Markup {
  const scored = appendix.scoringTable.find((each) => each.posture === posture)
    ?.perTopic.find((each) => each.topic === topic);
  if (scored === undefined || rubric === null) return <></>;
  return (
    <details>
      <summary>Judges' scores</summary>
      {criteriaList(scored.scores, rubric.scale)}
      <p class="note" dir="auto">{scored.notes}</p>
    </details>
  );
}
