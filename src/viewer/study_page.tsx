// Pages of studies: the list, and a study with progress, convenings, failures and report.
/** @jsxImportSource hono/jsx */
import type { StudyDebateJson } from "../operations/study_operations.ts";
import { type StudyJson, studyLine } from "../operations/study_json.ts";
import { thousands } from "../core/text.ts";
import { bidi, column, type Markup, pager, said, wideTable } from "../record/html/markup.tsx";
import { type Page, page } from "./page.tsx";
import { standingBadge } from "./standing.tsx";

interface StudyView {
  readonly study: StudyJson;
  /** Convenings on this page of the plan. */
  readonly debates: readonly StudyDebateJson[];
  readonly page: number;
  readonly pages: number;
  /** Texts of leaderboard.md and diagnostics.md; absent before the first report. */
  readonly report?: { readonly leaderboard: string; readonly diagnostics: string } | undefined;
  /** True on a read-only server: the page has no forms that steer the study. */
  readonly isReadOnly: boolean;
}

export function studiesPage(
  { studies, page: at, pages, isReadOnly }:
    & { readonly studies: readonly StudyJson[] }
    & Pick<StudyView, "page" | "pages" | "isReadOnly">,
): Page {
  return page({
    title: "Studies",
    at: "studies",
    body: (
      <>
        <h1>Studies</h1>
        {pages === 0 && (
          <p class="note">
            There are no studies yet{isReadOnly ? "." : (
              <>
                : <code>convenings study run FILE</code> or <code>POST /api/studies</code> runs one.
              </>
            )}
          </p>
        )}
        <ul class="cards" role="list">
          {studies.map((study) => (
            <li class="card">
              <h2>
                <a href={`/studies/${study.id}`}>{study.id}</a>
              </h2>
              <p class="note">{stateBadge(study)} {studyLine(study)}</p>
            </li>
          ))}
        </ul>
        {pager({ at, last: pages, hrefOf: (page) => `/studies?page=${page}` })}
      </>
    ),
  });
}

export function studyPage(
  { study, debates, page: at, pages, report, isReadOnly }: StudyView,
): Page {
  const { id } = study;
  return page({
    title: id,
    at: "studies",
    body: (
      <div id="study" data-live={study.state === "running" ? id : undefined}>
        <h1>{id}</h1>
        {studyStanding(study, isReadOnly)}
        {report !== undefined && (
          <section class="report" aria-label="Report">
            <h2>Report</h2>
            {reportText(report.leaderboard)}
            <details class="more">
              <summary>Diagnostics</summary>
              {reportText(report.diagnostics)}
            </details>
            <p class="note">
              {REPORT_FILES.map((name, at) => (
                <>
                  {at > 0 && " · "}
                  <a href={`/api/studies/${id}/files?path=report/${name}`}>{name}</a>
                </>
              ))}
            </p>
          </section>
        )}
        <h2>Convenings</h2>
        {debateTable(debates)}
        {pager({ at, last: pages, hrefOf: (page) => `/studies/${id}?page=${page}` })}
      </div>
    ),
  });
}

const REPORT_FILES = ["leaderboard.html", "leaderboard.csv", "ratings.json"] as const;

/** Returns the state of a study and, unless read-only, the forms that steer it. */
function studyStanding(study: StudyJson, isReadOnly: boolean): Markup {
  const { id, state, why, planned, done, failed, codes } = study;
  const act = (action: string, words: string, slow?: string) => (
    <form method="post" action={`/studies/${id}/actions/${action}`} data-slow={slow}>
      <button type="submit">{words}</button>
    </form>
  );
  const isRunning = state === "running";
  return (
    <section id="standing" class="status" aria-label="Status" data-standing={state}>
      <p>{stateBadge(study)} {studyLine(study)}</p>
      <meter min={0} max={Math.max(1, planned)} value={done} aria-label="Convenings done">
        {`${thousands(done)} of ${thousands(planned)}`}
      </meter>
      {why !== null && <p>{`Unfinished: ${why}`}</p>}
      {failed > 0 && (
        <ul class="findings">
          {Object.entries(codes).map(([code, count]) => <li>{`${count} failed: ${code}`}</li>)}
        </ul>
      )}
      {!isReadOnly && (
        <div class="row">
          {isRunning && act("stop", "Stop", "Stopping")}
          {!isRunning && done + failed < planned && act("run", "Run the rest")}
          {!isRunning && failed > 0 && act("retry", "Retry failed convenings")}
          {done > 0 && act("report", "Write the report", "Writing the report")}
        </div>
      )}
      {isRunning && (
        <noscript>
          <p class="note">
            <a href="">Reload the page</a> to see progress.
          </p>
        </noscript>
      )}
    </section>
  );
}

function debateTable(debates: readonly StudyDebateJson[]): Markup {
  const hasSides = debates.some(({ first }) => first !== null);
  const heads = ["Convening", "Status", ...hasSides ? ["First", "Second"] : []];
  return wideTable({
    class: "plan",
    columns: [...heads, "Winner", "Format", "Repeat"].map((each) => column(each)),
    rows: debates.map((each) => [
      each.status === "planned"
        ? bidi(each.topic)
        : <a href={`/convenings/${each.id}`}>{bidi(each.topic)}</a>,
      [
        <td>
          {each.status === "planned"
            ? "Planned"
            : standingBadge(each.status, each.code === null ? "" : ` (${each.code})`)}
        </td>,
        ...hasSides ? [each.first, each.second].map((side) => <td>{bidi(side ?? "")}</td>) : [],
        <td>
          {each.winner === null ? each.status === "completed" ? "None" : "" : bidi(each.winner)}
        </td>,
        <td>{each.format}</td>,
        <td>{String(each.repeat)}</td>,
      ],
    ]),
  });
}

const STATES = {
  running: "Running",
  unfinished: "Unfinished",
  completed: "Completed",
  unreadable: "Unreadable",
} as const;

function stateBadge({ state }: StudyJson): Markup {
  return <span class="badge" data-standing={state}>{STATES[state]}</span>;
}

/** Renders a page of the report without title, list and links of records, because the table of convenings below has the links. */
function reportText(markdown: string): Markup {
  const text = markdown.replace(/^# .*\n/, "")
    .replace(/\n### Debates of each pair\n[^#]*/, "\n")
    .replace(/\[([^|]*?)\]\(\.\.\/debates\/\w+\/index\.md\)/g, "$1")
    .replace(/(\d{4}-\d\d-\d\d)T(\d\d:\d\d):[\d.]+Z/g, "$1 $2 UTC")
    // The top left cell of the matrix of pairs is empty.
    .replace(/^\| +\| /gm, "| contestant | ");
  return <div class="tables">{said(text, { isPage: true })}</div>;
}
