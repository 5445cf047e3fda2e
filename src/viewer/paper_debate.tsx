// Parts of a paper debate's page: the steps with their results so far, and the report, which the script shows as tabs.
/** @jsxImportSource hono/jsx */
import { messagesOf } from "../core/fact.ts";
import type { ConveningStart } from "../core/event.ts";
import { figuresIn, figuresOf, figuresWords } from "../core/paper.ts";
import { oneLine, plainText } from "../core/text.ts";
import type { Convening } from "../operations/convening.ts";
import { isPickKey } from "../operations/picking.ts";
import type { DebateReport, DebateStatus } from "../papers/text/debate_report.ts";
import { type DebaterRecord, debatersOf, missedWords, rankOf } from "../papers/text/debaters.ts";
import { posturesIn, questionsIn } from "../papers/text/lists.ts";
import {
  bidi,
  criteriaList,
  type Markup,
  said,
  sourceLink,
  textList,
} from "../record/html/markup.tsx";
import { sideOf } from "../core/participant.ts";
import { marksList, type MessageContext } from "../record/html/message.tsx";
import { messageHref, paperHrefOf } from "./convening_parts.tsx";
import { type ConveningView, isOver } from "./standing.tsx";

const STEPS: readonly (readonly [DebateStatus, string])[] = [
  ["generating_questions", "Questions"],
  ["selecting_question", "Pick"],
  ["generating_postures", "Postures and topics"],
  ["debating", "Debate"],
  ["judging", "Judging"],
  ["generating_report", "Report"],
];

function debateStatus({ standing, convening: { start, facts } }: ConveningView): DebateStatus {
  if (standing === "completed") return "completed";
  if (isOver(standing)) return "error";
  const has = (kind: string) => messagesOf(facts, kind).length > 0;
  if (has("verdict")) return "generating_report";
  if (facts.some(({ type }) => type === "score")) return "judging";
  if (has("postures")) return "debating";
  if (has("question")) return "generating_postures";
  if (has("questions")) return "selecting_question";
  return start.configuration.question === undefined
    ? "generating_questions"
    : "generating_postures";
}

export function paperBoard(view: ConveningView): Markup {
  const status = debateStatus(view);
  const { id: convening, convening: { start, facts } } = view;
  const papers = start.papers ?? [];
  const question = messagesOf(facts, "question").at(-1)?.body;
  return (
    <section id="board" data-state={status} aria-labelledby="board-title">
      <h2 id="board-title">
        {`The debate over ${papers.length === 1 ? "the paper" : "the papers"}`}
      </h2>
      <p>
        {papers.map(({ id, title }, at) => (
          <>
            {at > 0 && ", "}
            <a href={`/convenings/${convening}/papers/${encodeURIComponent(id)}`}>{bidi(title)}</a>
          </>
        ))}
      </p>
      {status !== "completed" && steps(status, start.configuration.question !== undefined)}
      {status === "selecting_question"
        ? pickForm(view)
        : question !== undefined && (
          <p class="question" dir="auto">
            <strong>{question}</strong>
          </p>
        )}
      {status !== "completed" && debaters(view)}
    </section>
  );
}

/** Returns the list of steps; a given question makes the first two steps unnecessary. */
function steps(status: DebateStatus, isGiven: boolean): Markup {
  const all = isGiven ? STEPS.slice(2) : STEPS;
  const at = all.findIndex(([each]) => each === status);
  const stateOf = (index: number) =>
    at === -1 ? "unknown" : index < at ? "done" : index === at ? "now" : "next";
  return (
    <ol class="steps" aria-label="Steps">
      {all.map(([, words], index) => (
        <li data-step={stateOf(index)} aria-current={index === at ? "step" : undefined}>
          {words}
          {index < at && <span class="unseen">, done</span>}
        </li>
      ))}
    </ol>
  );
}

/** Returns the form in which a person picks or writes a question; a list of the questions if nobody can pick here. */
function pickForm(
  { id, standing, isReadOnly, convening: { facts, result } }: ConveningView,
): Markup {
  const questions = questionsIn(messagesOf(facts, "questions").at(-1)?.body ?? "");
  const waited = result.waitingFor?.find(({ turn }) => isPickKey(turn));
  if (isReadOnly || standing !== "waiting" || waited === undefined) {
    return <ol class="questions">{questions.map((each) => <li dir="auto">{each}</li>)}</ol>;
  }
  return (
    <form
      class="turn"
      method="post"
      action={`/convenings/${id}/actions/pick`}
      data-draft={`${id}/pick`}
    >
      <input type="hidden" name="as" value={waited.participant} />
      <input type="hidden" name="turn" value={waited.turn} />
      <fieldset>
        <legend>Which question is debated?</legend>
        {questions.map((each, at) => (
          <label class="choice">
            <input type="radio" name="pick" value={at + 1} checked={at === 0} />{" "}
            <span dir="auto">{each}</span>
          </label>
        ))}
        <label>
          Or a question of your own, which is debated instead
          <textarea name="own" rows={2} maxlength={1000}></textarea>
        </label>
      </fieldset>
      <button type="submit">Debate it</button>
    </form>
  );
}

function debaters(view: ConveningView): Markup {
  const { convening: { start, facts } } = view;
  const { postures, topics } = posturesIn(messagesOf(facts, "postures")[0]?.body ?? "");
  if (postures.length === 0) return <></>;
  const all = start.participants.filter(({ role }) => role === "debater");
  return (
    <div class="columns">
      <div>
        <h3>Topics</h3>
        <ol>{topics.map((each) => <li dir="auto">{each}</li>)}</ol>
      </div>
      <div>
        <h3>Debaters</h3>
        <ul class="debaters" role="list">
          {all.slice(0, postures.length).map((each, at) =>
            debater(view, { ...each, posture: postures[at] ?? "" })
          )}
        </ul>
      </div>
    </div>
  );
}

const STATUS_WORDS = {
  idle: "has not argued",
  running: "at work",
  complete: "has argued",
  error: "failed",
} as const;

function debater(
  { spoken, convening: { start, facts } }: ConveningView,
  { id, name, posture }: { readonly id: string; readonly name: string; readonly posture: string },
): Markup {
  const draft = spoken.find(({ turn }) => turn.participant === id)?.text;
  const speech = messagesOf(facts, "argument").find(({ participant }) => participant === id);
  const failure = facts.filter((fact) => fact.type === "failure")
    .find((fact) => fact.participant === id && fact.turn.startsWith("argument/"));
  const evidence = facts.filter((fact) => fact.type === "evidence")
    .find((fact) => fact.seq === speech?.seq);
  const failed = failure === undefined ? "idle" : "error";
  const status = speech !== undefined ? "complete" : draft !== undefined ? "running" : failed;
  const [first] = evidence?.perTopic ?? [];
  return (
    <li data-debater={id} data-status={status} data-side={sideOf(start, id) ?? 0}>
      <p>
        <strong>{bidi(name)}</strong>{" "}
        <span class="badge" data-standing={status}>{STATUS_WORDS[status]}</span>{" "}
        {evidence !== undefined && <span class="note">{figuresWords(figuresOf(evidence))}</span>}
      </p>
      <p class="position" dir="auto">{posture}</p>
      <p class="preview" dir="auto">
        {status === "error" ? failure?.message : first !== undefined
          ? (
            <>
              <strong>{`${first.topic}:`}</strong>
              {` ${first.claim}`}
            </>
          )
          : oneLine(plainText(speech?.body ?? draft ?? "").replace(/[#*_>`]+/g, " "), PREVIEW)}
      </p>
    </li>
  );
}

const PREVIEW = 280;

interface ReportView extends Pick<MessageContext, "hrefOf" | "paperHref"> {
  readonly start: ConveningStart;
  readonly report: DebateReport;
  readonly debaters: readonly DebaterRecord[];
}

/** Returns the report; empty if there is none. Without `isOnShelf`, "Run another" leads to all papers. */
export function paperReport(view: ConveningView, isOnShelf: boolean): Markup {
  const { id, isReadOnly, convening: { start, report } } = view;
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
          {!isReadOnly && (
            <a class="button second" href={isOnShelf ? `/papers/${paper?.id}` : "/papers"}>
              Run another
            </a>
          )}
        </p>
      </div>
      {reportParts(view.convening, {
        hrefOf: (seq) => messageHref(id, seq),
        paperHref: paperHrefOf(id),
      })}
    </section>
  );
}

/** Returns the parts of a paper debate's report; empty if there is none. */
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

/** Returns a warning if most quotations and citations of a debater were not found. */
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

/** Returns the verdict, with the notes of the report that the outcome does not show. */
function verdictTab(report: DebateReport, noted: ReadonlySet<string>): Markup {
  const { summary, rankedPostures, validatedInsights, controversialPoints } = report;
  const notes = report.notes.filter((each) => !noted.has(each));
  const { winner } = report.verdict;
  return (
    <>
      <h3 id="final-verdict-title">Final Verdict</h3>
      <p>
        <strong>
          The comparison of the sides names {winner === null ? "no winner" : bidi(winner)}
        </strong>
      </p>
      <h4>Executive summary</h4>
      {said(summary)}
      <h4>Ranked postures</h4>
      {rankedPostures.length === 0 && <p class="note">Nothing was scored.</p>}
      <ul class="findings">
        {rankedPostures.map(({ posture, score }) => (
          <li>
            {rankOf(score, report, placeWords)}: <span dir="auto">{posture}</span>{" "}
            <strong>{score}</strong>
            {missedWords(report.appendix.scoringTable.find((each) => each.posture === posture))}
          </li>
        ))}
      </ul>
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
  const total = report.rankedPostures.find((each) => each.posture === posture)?.score;
  const quotations = evidence.flatMap((each) => each.quotations).filter((each) =>
    each.topic === topic
  );
  return (
    <article class="argument" data-side={sideOf(start, participant) ?? 0}>
      <h4>
        {bidi(name)}{" "}
        {total !== undefined && <span class="badge">{rankOf(total, report, placeWords)}</span>}
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
