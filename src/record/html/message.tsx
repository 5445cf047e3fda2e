// Renders a message with its scores, checks and evidence, for pages and transcripts.
/** @jsxImportSource hono/jsx */
import type { ConveningStart } from "../../core/event.ts";
import {
  type Citations,
  citationsOf,
  figuresOf,
  figuresWords,
  type LookupHit,
  markOf as markWords,
  type Quotation,
  type WebSearchResult,
  wrongPageText,
} from "../../core/paper.ts";
import { type Evidence, type FactCheck, type Score, THOUGHT_FIELD } from "../../core/fact.ts";
import type { Message } from "../../core/message.ts";
import { capitalized, counted, headingWords, totalText } from "../../core/text.ts";
import { leftSide, partTitle, type TranscriptEntry } from "../transcript_outline.ts";
import { sideOf } from "../../core/participant.ts";
import { cappedWords, checkSentence, judgedLater, judgeName } from "../words.ts";
import { bidi, criteriaList, type Markup, type PaperHref, said, sourceLink } from "./markup.tsx";
import { omittedBy } from "../../core/claims.ts";

export interface MessageContext {
  readonly start: ConveningStart;
  /** Returns the URL of a message of the same convening. */
  hrefOf(seq: number): string;
  /** Returns the URL of a position in a paper. @default papers have no pages */
  readonly paperHref?: PaperHref | undefined;
  /** Returns why the text of a message is folded, as the summary of the fold. @default no text is folded */
  whyFolded?(message: Message): string | undefined;
  /** Renders links and forms below a message. @default none */
  footerOf?(entry: TranscriptEntry): Markup;
}

/** Renders a message, below a heading if the message starts a phase or a round. */
export function messageMarkup(entry: TranscriptEntry, context: MessageContext): Markup {
  const { message, opens } = entry;
  const { seq } = message;
  return (
    <>
      {opens && <h3 id={`part-${seq}`} class="phase" data-seq={seq}>{partTitle(message)}</h3>}
      {article(entry, context)}
    </>
  );
}

function article(entry: TranscriptEntry, context: MessageContext): Markup {
  const { message, isSideBySide, isFirst } = entry;
  const { seq, name, kind, position } = message;
  return (
    <article
      id={`message-${seq}`}
      class={isSideBySide ? "message half" : "message"}
      data-seq={seq}
      data-side={sideOf(context.start, message.participant)}
      aria-labelledby={`by-${seq}`}
    >
      <header>
        <h4 id={`by-${seq}`}>
          <bdi title={position}>{name}</bdi>{" "}
          <span class="note">{headingWords(kind).toLowerCase()}</span>
        </h4>
        <p class="note">{notes(entry, context)}</p>
        {isFirst && position !== undefined && <p class="position" dir="auto">{position}</p>}
      </header>
      {folded(
        context.whyFolded?.(message),
        <>
          {spoken(entry, context)}
          {details(entry, context)}
        </>,
      )}
      {context.footerOf !== undefined && <footer class="note">{context.footerOf(entry)}</footer>}
    </article>
  );
}

function folded(why: string | undefined, body: Markup): Markup {
  if (why === undefined) return body;
  return (
    <details class="folded">
      <summary>{why}</summary>
      {body}
    </details>
  );
}

/**
 * Renders the text of a message. An argument on several topics shows the overall position, and the rest in a collapsed part.
 * The questions of a paper debate are collapsed, because the form for choosing a question shows them.
 */
function spoken({ message, evidence }: TranscriptEntry, { paperHref }: MessageContext): Markup {
  const links = new Map((evidence?.quotations ?? []).flatMap((each) => {
    const href = quotationHref(each, paperHref);
    return href === undefined ? [] : [[each.text, href] as const];
  }));
  const whole = said(message.body, { links });
  if (message.kind === "questions") {
    return (
      <details>
        <summary>The questions</summary>
        {whole}
      </details>
    );
  }
  if (evidence === undefined || evidence.perTopic.length === 0) return whole;
  return (
    <>
      {said(evidence.overallPosition, { links })}
      <details>
        <summary>{`The whole argument, on ${counted(evidence.perTopic.length, "topic")}`}</summary>
        {whole}
      </details>
    </>
  );
}

function notes({ message, answered }: TranscriptEntry, { hrefOf }: MessageContext): Markup {
  const { seq, marks, edited, model } = message;
  const words = [...marks, ...edited === true ? ["edited in this fork"] : []];
  return (
    <>
      <a href={hrefOf(seq)}>{seq}</a>
      {answered !== undefined && (
        <>
          {" · answers "}
          <a href={hrefOf(answered.seq)}>{`${answered.seq}, `}{bidi(answered.name)}</a>
        </>
      )}
      {` · ${model === "template" ? "no model" : model}`}
      {words.map((each) => (
        <>
          {" · "}
          <span class="mark">{each.replaceAll("_", " ")}</span>
        </>
      ))}
    </>
  );
}

function details(entry: TranscriptEntry, { start, paperHref }: MessageContext): Markup {
  const { scores, check, evidence, rejected, draft } = entry;
  const parts = [
    ...scores.length === 0 ? [] : [scoresPart(scores, start)],
    ...check === undefined ? [] : [checkPart(check)],
    ...evidence === undefined ? [] : [evidenceMarks(evidence, paperHref)],
    ...rejected.length === 0 ? [] : [rejectedPart(entry)],
    ...draft === undefined ? [] : [draftPart(draft.fields)],
  ];
  return parts.length === 0 ? <></> : <div class="details">{parts}</div>;
}

function scoresPart(scores: readonly Score[], start: ConveningStart): Markup {
  const own = scores.filter(({ judge }) => !judgedLater(start, judge));
  const shown = own.length === 0 ? scores : own;
  const given = shown.filter(({ total }) => total !== undefined);
  const totals = given.map(({ total, scale }) => `${Number(totalText(total!))} of ${scale[1]}`);
  const list = totals.join(", ").replace(/( of [\d.]+)(?=, [\d.]+\1(?:,|$))/g, "");
  const part = given.length % shown.length === 0 ? "" : `${given.length} of `;
  const by = shown.length === 1 ? judgeName(start, shown[0]!) : `${part}${shown.length} judges`;
  const scored = list === "" ? "Not scored" : `Scored ${list}`;
  return (
    <details class="scores">
      <summary>{`${scored} by `}{bidi(by)}</summary>
      {scores.map((score) => scorePart(score, judgeName(start, score)))}
    </details>
  );
}

function scorePart(score: Score, judge: string): Markup {
  if (score.status === "unscored") {
    return <p>{bidi(judge)}{` gave no score: ${score.reason ?? "no reason is known"}`}</p>;
  }
  const capped = cappedWords(score);
  return (
    <>
      <p class="heading">
        {bidi(judge)} <span class="note">{`${score.model}, rubric ${score.rubric}`}</span>
      </p>
      {criteriaList(score.criteria, score.scale)}
      {capped && <p class="note">{capitalized(capped)}</p>}
      {said(score.reasons)}
    </>
  );
}

function checkPart(check: FactCheck): Markup {
  return (
    <details class="check">
      <summary>{checkSentence(check)}</summary>
      <ul>
        {check.claims.map(({ text, verdict, confidence, omitted, sources }) => (
          <li>
            <span class="mark" data-verdict={verdict}>{verdict}</span> {bidi(text)}
            {omitted !== undefined && bidi(omittedBy({ omitted }))}{" "}
            <span class="note">{`confidence ${confidence}`}</span>
            {sources.length > 0 && (
              <ul>
                {sources.map((source) => (
                  <li>
                    {sourceLink(source)} <q class="note" dir="auto">{source.snippet}</q>
                  </li>
                ))}
              </ul>
            )}
          </li>
        ))}
      </ul>
      {said(check.reasons)}
    </details>
  );
}

function rejectedPart({ rejected }: TranscriptEntry): Markup {
  return (
    <details class="rejected">
      <summary>{`${counted(rejected.length, "attempt")} rejected before this`}</summary>
      {rejected.map(({ attempt, guard, reason, body }) => (
        <>
          <p class="heading">{`Attempt ${attempt}, rejected by ${guard}`}</p>
          <p class="note" dir="auto">{reason}</p>
          {said(body)}
        </>
      ))}
    </details>
  );
}

function draftPart(fields: Readonly<Record<string, string>>): Markup {
  return (
    <details>
      <summary>{`Not said: ${Object.keys(fields).map(draftWords).join(", ")}`}</summary>
      {Object.entries(fields).map(([name, text]) => (
        <>
          <p class="heading">{headingWords(draftWords(name))}</p>
          {said(text)}
        </>
      ))}
    </details>
  );
}

function draftWords(name: string): string {
  return name === THOUGHT_FIELD ? "hidden reasoning of the model" : name;
}

/** Renders the quotations and citations of a message. `paperHref` returns the URL of a position in a paper. */
function evidenceMarks(evidence: Evidence, paperHref?: PaperHref): Markup {
  return (
    <details class="evidence">
      <summary>{`Quotations and citations: ${figuresWords(figuresOf(evidence))}`}</summary>
      {marksList(citationsOf(evidence), evidence.quotations, paperHref)}
    </details>
  );
}

/** Renders citations and quotations as a list, each with a mark that links to the position in the paper. */
export function marksList(
  cited: readonly Citations[],
  quotations: readonly Quotation[],
  paperHref?: PaperHref,
): Markup {
  const items = [
    ...quotations.map((each) => quotationItem(each, paperHref)),
    ...cited.flatMap(({ paper = [], web = [] }) => [
      ...paper.map((each) => passageItem(each, paperHref)),
      ...web.map(webItem),
    ]),
  ];
  if (items.length === 0) return <p class="note">Nothing is quoted or cited.</p>;
  return <ul class="marks">{items}</ul>;
}

/** Returns the URL of a quotation's position in its paper; undefined for a quotation that was not found in a paper. */
function quotationHref(
  { status, from, source, parts: [first] = [], start = first?.start }: Quotation,
  paperHref: PaperHref | undefined,
): string | undefined {
  return status !== "verified" || from !== "paper" || source === undefined || start === undefined
    ? undefined
    : paperHref?.(source, start);
}

function quotationItem(quotation: Quotation, paperHref: PaperHref | undefined): Markup {
  const { text, status, page, from, source, parts } = quotation;
  const pages = new Set((parts ?? [{ page }]).flatMap((part) => part.page ?? []));
  const where = [
    ...from === undefined || status === "said"
      ? []
      : [from === "web" ? "the web" : from === "message" ? "message" : "the paper"],
    ...from === "message" && status !== "said" && source !== undefined ? [source] : [],
    ...[...pages].map((each) => `page ${each}`),
    ...wrongPageText(quotation),
  ];
  return (
    <li>
      {markOf(status, markWords(quotation), quotationHref(quotation, paperHref))}{" "}
      <q dir="auto">{text}</q> <span class="note">{where.join(", ")}</span>
    </li>
  );
}

function passageItem(
  { chunkId, text, page, status, paper, cited, start = cited?.start }: LookupHit,
  paperHref: PaperHref | undefined,
): Markup {
  const where = `passage ${chunkId}${page === undefined ? "" : `, page ${page}`}`;
  const isPlaced = status === "verified" && paper !== undefined && start !== undefined;
  const href = isPlaced ? paperHref?.(paper, cited?.start ?? start) : undefined;
  return (
    <li>
      {markOf(status, status, href)} <span class="note">{where}</span> {bidi(passageWords(text))}
    </li>
  );
}

/** Returns a passage of a paper as running words: a heading ends in a colon, a row of a table in a semicolon. */
function passageWords(text: string): string {
  return text.replace(/^ *#{1,6} +(.*\S) *$/gm, "$1:")
    .replace(/^ *\|[-:| ]+\| *\n/gm, "")
    .replace(
      /^ *\| *(.*\S) *\| *$/gm,
      (_row, cells: string) => `${cells.replace(/ *\| */g, " · ")};`,
    );
}

function webItem({ status, snippet, ...source }: WebSearchResult): Markup {
  return (
    <li>
      {markOf(status)} {sourceLink(source)} <span class="note" dir="auto">{snippet}</span>
    </li>
  );
}

function markOf(
  status: Quotation["status"] = "not found",
  words: string = status,
  href?: string,
): Markup {
  const verdict = { verified: "true", said: "unverifiable", "not found": "false" }[status];
  return href === undefined
    ? <span class="mark" data-verdict={verdict}>{words}</span>
    : <a class="mark" data-verdict={verdict} href={href}>{words}</a>;
}

/** Renders `shown` of all messages for a page of its own, without drafts and rejected attempts, which were not spoken. */
export function spokenExchange(
  all: readonly TranscriptEntry[],
  shown: readonly TranscriptEntry[],
  context: MessageContext,
): Markup {
  return (
    <div class="exchange" data-left={leftSide(context.start, all)}>
      {shown.map(({ draft: _draft, ...entry }) =>
        messageMarkup({ ...entry, rejected: [] }, context)
      )}
    </div>
  );
}

export interface PageSection {
  readonly anchor: string;
  readonly name: string;
}

/** Renders links to the sections and the shown messages. A script of the viewer adds links to later messages. */
export function contents(
  start: ConveningStart,
  { sections, shown }: {
    readonly sections: readonly PageSection[];
    readonly shown: readonly TranscriptEntry[];
  },
): Markup {
  const list = (part: readonly PageSection[]) => (
    <ul role="list">
      {part.map(({ anchor, name }) => (
        <li>
          <a href={`#${anchor}`}>{name}</a>
        </li>
      ))}
    </ul>
  );
  // The list of messages follows the section that contains the messages.
  const at = sections.findIndex(({ anchor }) => anchor.startsWith("exchange")) + 1;
  return (
    <nav class="contents" aria-label="Contents">
      {at > 0 && list(sections.slice(0, at))}
      <ul id="outline" role="list">
        {shown.map(({ message, opens }) => (
          <>
            {opens && (
              <li>
                <a href={`#part-${message.seq}`}>{partTitle(message)}</a>
              </li>
            )}
            <li class="turn" data-side={sideOf(start, message.participant)}>
              <a href={`#message-${message.seq}`}>{`${message.seq} `}{bidi(message.name)}</a>
            </li>
          </>
        ))}
      </ul>
      {sections.length > at && list(sections.slice(at))}
    </nav>
  );
}
