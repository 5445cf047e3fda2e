import { html } from "hono/html";
import type { FactCheck, Score } from "../core/fact.ts";
import type { ConveningStart } from "../core/record.ts";
import type { SpokenTurn } from "../operations/live_feed.ts";
import { counted } from "../record/files/assessment_words.ts";
import { checkSentence, headingWords, nameOf } from "../record/transcript_outline.ts";
import { type Entry, halvesOf } from "./entries.ts";
import { evidenceMarks } from "./evidence_marks.ts";
import { type Markup, own, sourceLink } from "./page.ts";
import { said } from "./said.ts";
import { roundsOf } from "./standing.ts";

/** How many messages a page shows. */
export const MESSAGES_A_PAGE = 200;

/** Where a message is shown. */
export function messageHref(id: string, seq: number): string {
  const page = Math.ceil(seq / MESSAGES_A_PAGE);
  return `/convenings/${id}${page <= 1 ? "" : `?page=${page}`}#message-${seq}`;
}

/** Where a file of a convening is served as it is. */
export function fileHref(id: string, path: string): string {
  return `/api/convenings/${id}/files/${path.split("/").map(encodeURIComponent).join("/")}`;
}

/** What an entry is shown with. */
interface ExchangeContext {
  /** The convening's id. */
  readonly id: string;
  readonly start: ConveningStart;
  /** Whether another convening can be begun from a message. */
  readonly canFork: boolean;
}

/** One message, under a heading where a phase or a round begins; replaced by its number while it is followed live. */
export function entryMarkup(entry: Entry, context: ExchangeContext): Markup {
  const { message, opens } = entry;
  const { phase, round, seq } = message;
  const title = headingWords(phase) + (round === 0 ? "" : `, round ${round}`);
  return html`${opens ? html`<h3 class="phase" data-seq="${seq}">${title}</h3>` : ""}${
    article(entry, context)
  }`;
}

/** What the script must know beforehand to show a turn as it is spoken. */
interface LivePlan {
  /** How many rounds were agreed on; 0 where that is not known. */
  readonly rounds: number;
  /** The side of each participant that is on one. */
  readonly sides: Readonly<Record<string, number>>;
  /** The kinds of turns that stand beside another one. */
  readonly halves: readonly string[];
}

/** What a convening's start tells of the turns to come. */
export function livePlan(start: ConveningStart): LivePlan {
  const sides = start.participants.flatMap(({ id }) => {
    const side = sideOf(start, id);
    return side === undefined ? [] : [[id, side] as const];
  });
  return { rounds: roundsOf(start), sides: Object.fromEntries(sides), halves: halvesOf(start) };
}

/** A turn that is being spoken, as far as it has come; the script goes on with it. */
export function draftMarkup({ turn, text }: SpokenTurn, { sides, halves }: LivePlan): Markup {
  const kind = turn.kind.replaceAll("_", " ");
  const side = Object.hasOwn(sides, turn.participant) ? sides[turn.participant] : undefined;
  return html`
    <div class="message draft${halves.includes(turn.kind) ? " half" : ""}" ${side === undefined
      ? ""
      : html`data-side="${side}"`} data-turn="${turn.turn}" data-seq="${turn.seq}">
      <p class="heading">${own(turn.name)} <span class="note">${kind}, ${text === ""
        ? "next to speak"
        : "speaking"}</span></p>
      <p class="words" dir="auto">${text}</p>
    </div>
  `;
}

function article(entry: Entry, { id, start, canFork }: ExchangeContext): Markup {
  const { message, isHalf } = entry;
  const { seq, name, position } = message;
  const side = sideOf(start, message.participant);
  return html`
    <article id="message-${seq}" class="message${isHalf
      ? " half"
      : ""}" data-seq="${seq}" ${side === undefined ? "" : html`
      data-side="${side}"
    `}
      aria-labelledby="by-${seq}">
        <header>
          <h4 id="by-${seq}">${own(name)} <span class="note">${headingWords(message.kind)
            .toLowerCase()}</span></h4>
          <p class="note">${notes(entry, id)}</p>
          ${position === undefined ? "" : html`<p class="position" dir="auto">${position}</p>`}
        </header>
        ${spoken(entry)} ${beside(entry, start)}
        <footer class="note">
          <a href="${fileHref(
            id,
            entry.path,
          )}">File<span class="unseen"> of message ${seq}</span></a>
          ${canFork ? forkForm(id, seq) : ""}
        </footer>
      </article>
  `;
}

/** What was said; of an argument on several topics what it comes to, and the rest on request. */
function spoken({ message, evidence }: Entry): Markup {
  if (evidence === undefined || evidence.perTopic.length === 0) return said(message.body);
  return html`
    ${said(evidence.overallPosition)}
    <details>
      <summary>The whole argument, on ${counted(evidence.perTopic.length, "topic")}</summary>
      ${said(message.body)}
    </details>
  `;
}

/** From 1, in the order of those who take part; the moderator and other helpers are on no side. */
export function sideOf(
  { participants }: Pick<ConveningStart, "participants">,
  id: string,
): number | undefined {
  const sides = participants.filter(({ role }) => !NO_SIDE.has(role));
  const at = sides.findIndex((each) => each.id === id);
  return at === -1 ? undefined : at % 6 + 1;
}

const NO_SIDE: ReadonlySet<string> = new Set([
  "moderator",
  "fact_checker",
  "questioner",
  "reporter",
  "judge",
]);

function notes({ message, answered }: Entry, id: string): Markup {
  const { seq, marks, edited, model } = message;
  return html`<a href="${messageHref(id, seq)}">${seq}</a>${
    answered === undefined ? "" : html`
      · answers <a href="${messageHref(id, answered.seq)}">${answered.seq}, ${own(
        answered.name,
      )}</a>
    `
  } · ${model}${
    marks.map((mark) =>
      html`
        · <span class="mark">${mark.replaceAll("_", " ")}</span>
      `
    )
  }${
    edited === true
      ? html`
        · <span class="mark">edited in this fork</span>
      `
      : ""
  }`;
}

function beside(entry: Entry, start: ConveningStart): Markup | "" {
  const { scores, check, evidence, rejected, draft } = entry;
  const parts = [
    ...scores.length === 0 ? [] : [scoresPart(scores, start)],
    ...check === undefined ? [] : [checkPart(check)],
    ...evidence === undefined ? [] : [evidenceMarks(evidence)],
    ...rejected.length === 0 ? [] : [rejectedPart(entry)],
    ...draft === undefined ? [] : [
      html`<details><summary>Not said: ${Object.keys(draft.fields).join(", ")}</summary>
        ${
        Object.entries(draft.fields).map(([name, text]) =>
          html`<p class="heading">${headingWords(name)}</p>${said(text)}`
        )
      }</details>`,
    ],
  ];
  return parts.length === 0 ? "" : html`<div class="beside">${parts}</div>`;
}

function scoresPart(scores: readonly Score[], start: ConveningStart): Markup {
  const [first] = scores;
  const words = scores.map((score) =>
    score.total === undefined ? "not scored" : `${score.total} of ${score.scale[1]}`
  );
  const by = scores.length === 1 ? nameOf(start, first!.judge) : `${scores.length} judges`;
  return html`<details class="scores"><summary>Scored ${words.join(", ")} by ${own(by)}</summary>
    ${scores.map((score) => scoreTable(score, start))}
  </details>`;
}

function scoreTable(score: Score, start: ConveningStart): Markup {
  const judge = nameOf(start, score.judge);
  if (score.status === "unscored") {
    return html`<p>${own(judge)} gave no score: ${score.reason ?? "no reason is known"}</p>`;
  }
  const [least, most] = score.scale;
  return html`<p class="heading">${
    own(judge)
  } <span class="note">${score.model}, rubric ${score.rubric}</span></p>
    <dl class="criteria">${
    Object.entries(score.criteria).map(([id, value]) =>
      html`
        <div>
          <dt>${headingWords(id)}</dt>
          <dd><meter min="${least}" max="${most}" value="${value}" aria-label="${headingWords(
            id,
          )}">${value}</meter> ${value}</dd>
        </div>
      `
    )
  }</dl>
    ${said(score.reasons)}`;
}

function checkPart(check: FactCheck): Markup {
  return html`<details class="check"><summary>${checkSentence(check)}</summary>
    <ul>${
    check.claims.map(({ text, verdict, confidence, sources }) =>
      html`<li><span class="mark" data-verdict="${verdict}">${verdict}</span> ${own(text)}
        <span class="note">confidence ${confidence}</span>
        ${
        sources.length === 0
          ? ""
          : html`<ul>${
            sources.map(({ title, url, snippet }) =>
              html`<li>${
                sourceLink(title === "" ? url : title, url)
              } <q class="note" dir="auto">${snippet}</q></li>`
            )
          }</ul>`
      }</li>`
    )
  }</ul>
    ${said(check.reasons)}
  </details>`;
}

function rejectedPart({ rejected }: Entry): Markup {
  const count = rejected.length;
  return html`<details class="rejected"><summary>${count} attempt${
    count === 1 ? "" : "s"
  } turned down before this</summary>
    ${
    rejected.map(({ attempt, guard, reason, body }) =>
      html`
        <p class="heading">Attempt ${attempt}, turned down by ${guard}</p><p class="note"
          dir="auto">${reason}</p>${said(body)}
      `
    )
  }</details>`;
}

function forkForm(id: string, seq: number): Markup {
  return html`
    <form method="post" action="/convenings/${id}/actions/fork">
      <input type="hidden" name="at" value="${seq}" />
      <button type="submit"
        class="quiet">Fork from here<span class="unseen">, after message ${seq}</span></button>
    </form>
  `;
}
