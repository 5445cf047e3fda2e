// Pages that use records: answers to a question, the comparison of two records, and the confirmation of a fork.
/** @jsxImportSource hono/jsx */
import type { Message } from "../core/message.ts";
import { counted, headingWords, thousands, totalText } from "../core/text.ts";
import { ownStandings } from "../judging/panels.ts";
import type { ModelAnswer } from "../core/search.ts";
import type { AskResult } from "../operations/search.ts";
import { bidi, column, type Markup, pager, said, wideTable } from "../record/html/markup.tsx";
import { kindWords } from "../record/transcript_outline.ts";
import { outcomeSentence } from "../record/words.ts";
import { askForm } from "./controls.tsx";
import { messageHref, wordCount } from "./convening_parts.tsx";
import { keyWords } from "./sent_forms.ts";
import { type Page, page } from "./page.tsx";
import { type ConveningView, isOver, rowWords, usageCost } from "./standing.tsx";
import { outlineOf } from "./views.ts";

/** Returns the page with the passages that have the words of a question, best first, and the answer of a model. */
export function askPage(
  { id, title, question, found, answer, isReadOnly }: {
    readonly id: string;
    readonly title: string;
    readonly question: string;
    /** Absent without a question. */
    readonly found?: AskResult | undefined;
    /** Answer of a model; absent if no model was asked. */
    readonly answer?: ModelAnswer | undefined;
    /** True on a read-only server, which asks no model. */
    readonly isReadOnly: boolean;
  },
): Page {
  return page({
    title: question === "" ? "Ask the record" : `Asked: ${question}`,
    body: (
      <>
        <h1>Ask the record</h1>
        <p>
          in <a href={`/convenings/${id}`} dir="auto">{title}</a>
        </p>
        <p class="note">
          Passages with the words of the question are shown.
          {!isReadOnly &&
            " A model that you name answers in its own words, and its quotations are looked up in the messages."}
        </p>
        {askForm(id, question)}
        {question !== "" && !isReadOnly && modelForm(id, question)}
        {answer !== undefined && answerOf(id, answer)}
        {found !== undefined && answers(id, found)}
      </>
    ),
  });
}

function modelForm(id: string, question: string): Markup {
  return (
    <form class="row" method="post" action={`/convenings/${id}/ask`} data-slow="Asking the model">
      <input type="hidden" name="q" value={question} />
      <label class="grow">
        Model
        <input type="text" name="model" maxlength={200} required />
      </label>
      <button type="submit" class="second">Ask the model</button>
    </form>
  );
}

function answerOf(id: string, { text, model, passages, leftOut }: ModelAnswer): Markup {
  return (
    <section aria-labelledby="answer">
      <h2 id="answer">{`Answer of ${model}`}</h2>
      <p dir="auto">{text}</p>
      <ul class="findings">
        {passages.map(({ message, name, quote }) => (
          <li dir="auto">
            <a href={messageHref(id, message)}>{`Message ${message}, `}{bidi(name)}</a>
            {`: “${quote}”`}
          </li>
        ))}
      </ul>
      {leftOut > 0 && (
        <p class="note">{`Left out: ${counted(leftOut, "quotation")} found in no message.`}</p>
      )}
    </section>
  );
}

function answers(id: string, { answers, messages, skipped }: AskResult): Markup {
  const count = answers.length === 0 ? "Nothing" : counted(answers.length, "passage");
  return (
    <>
      <h2>{`${count} found in ${counted(messages, "message")}`}</h2>
      {answers.length === 0 && <p>No message has these words. Try others.</p>}
      <ol class="cards" role="list">
        {answers.map(({ seq, name, kind, round, snippet }) => (
          <li class="card">
            <h3>
              <a href={messageHref(id, seq)}>{`Message ${seq}, `}{bidi(name)}</a>{" "}
              <span class="note">
                {`${headingWords(kind).toLowerCase()}${round === 0 ? "" : `, round ${round}`}`}
              </span>
            </h3>
            <blockquote dir="auto">{snippet}</blockquote>
          </li>
        ))}
      </ol>
      {skipped.length > 0 && <p class="note">{`${skipped.length} could not be read.`}</p>}
    </>
  );
}

const PAIRS_A_PAGE = 50;

type Row = readonly [name: string, left: string, right: string];

/** Returns the page that compares two convenings; `at` is the page of their messages, from 1. */
export function comparePage(left: ConveningView, right: ConveningView, at: number): Page {
  const rows = [
    ...differing(resultsOf(left), resultsOf(right)),
    ...configurationRows(left, right),
  ];
  return page({
    title: `Compare: ${left.title}`,
    body: (
      <>
        <h1>Compare two convenings</h1>
        {wideTable({
          label: "Differences",
          class: "compare",
          columns: [
            column("Differs"),
            ...[left, right].map(({ id, title }) =>
              column(
                <>
                  <a href={`/convenings/${id}`} dir="auto">{title}</a>
                  <span class="note">{id}</span>
                </>,
              )
            ),
          ],
          rows: rows.map(([name, ...values]) => [
            name,
            values.map((value) => <td dir="auto">{value}</td>),
          ]),
        })}
        {rows.length === 0 && <p>Configuration, outcome, scores, length and cost are the same.</p>}
        {messages(left, right, at)}
      </>
    ),
  });
}

function resultsOf(view: ConveningView): ReadonlyMap<string, string> {
  const { start, convening: { facts, messages }, usage, standing, isNewFork } = view;
  const { result } = outlineOf(view.convening).outline;
  return new Map([
    ["Kind", kindWords(start.kind)],
    [
      "Forked from",
      start.parent === undefined ? "" : `${start.parent.dir}, message ${start.parent.seq}`,
    ],
    ["Status", rowWords({ status: standing, isNewFork })],
    ...isOver(standing) ? [["Outcome", outcomeSentence(start, result)] as const] : [],
    [
      "Length",
      `${counted(messages.length, "message")}, ${counted(wordCount(messages), "word")}`,
    ],
    ["Cost", usageCost(usage)],
    ["Tokens written", thousands(usage.outputTokens)],
    // Last, so that the rows of two convenings with other sides follow each other.
    ...ownStandings(start, facts).map(({ name, total }) =>
      [`Score of ${name}`, totalText(total)] as const
    ),
  ]);
}

function configurationRows(left: ConveningView, right: ConveningView): readonly Row[] {
  const [a, b] = [left, right].map(({ start }) => {
    const { participants, judges, configuration } = start;
    return new Map([
      ["Judges", judges.map(({ model, rubric }) => `${model}, ${rubric}`).join("; ")] as const,
      ...Object.entries(configuration).filter(([key]) => !OMITTED.has(key)).map(
        ([key, value]) => [keyWords(key), valueWords(value)] as const,
      ),
      ...participants.map(({ name, model, position = "" }) =>
        [name, [model, position].filter((each) => each !== "").join(": ")] as const
      ),
    ]);
  });
  return differing(a!, b!);
}

function valueWords(value: unknown): string {
  if (Array.isArray(value)) return value.map(valueWords).join(", ");
  if (typeof value !== "object" || value === null) return String(value);
  return Object.entries(value).map(([key, each]) => `${key}: ${valueWords(each)}`).join(", ");
}

/** Keys of a configuration that other rows show, or that say nothing beside another key. */
const OMITTED = new Set(["topic", "participants", "judges", "kind", "seedGiven"]);

function differing(
  left: ReadonlyMap<string, string>,
  right: ReadonlyMap<string, string>,
): readonly Row[] {
  return [...new Set([...left.keys(), ...right.keys()])]
    .map((name): Row => [name, left.get(name) || "–", right.get(name) || "–"])
    .filter(([, a, b]) => a !== b);
}

/** Returns the messages by number, side by side; messages with the same words are only counted. */
function messages(left: ConveningView, right: ConveningView, wanted: number): Markup {
  const all = [left, right].map(({ convening }) =>
    new Map(convening.messages.map((each) => [each.seq, each]))
  );
  const seqs = [...new Set(all.flatMap((each) => [...each.keys()]))].sort((a, b) => a - b);
  const other = seqs.filter((seq) => all[0]!.get(seq)?.sha256 !== all[1]!.get(seq)?.sha256);
  const same = counted(seqs.length - other.length, "message");
  const last = Math.ceil(other.length / PAIRS_A_PAGE);
  const at = Math.min(wanted, Math.max(1, last));
  const shown = other.slice((at - 1) * PAIRS_A_PAGE, at * PAIRS_A_PAGE);
  return (
    <section aria-labelledby="messages">
      <h2 id="messages">Messages</h2>
      {other.length < seqs.length && (
        <p class="note">{`${same} with the same words in both: not shown.`}</p>
      )}
      {shown.map((seq) => (
        <div class="pair">
          {messagePart(left.id, seq, all[0]!.get(seq), "left")}
          {messagePart(right.id, seq, all[1]!.get(seq), "right")}
        </div>
      ))}
      {pager({
        ...{ at, last },
        hrefOf: (page) => `/compare?left=${left.id}&right=${right.id}&page=${page}`,
      })}
    </section>
  );
}

/** Returns a message of one side; on a phone the sides stand below each other. */
function messagePart(id: string, seq: number, message: Message | undefined, side: string): Markup {
  if (message === undefined) return <p class="message note">{`No message ${seq}, ${side}`}</p>;
  return (
    <article class="message">
      <h3>
        <a href={messageHref(id, seq)}>{seq}</a> {bidi(message.name)}{" "}
        <span class="note">{`${headingWords(message.kind).toLowerCase()}, ${side}`}</span>
      </h3>
      {said(message.body)}
    </article>
  );
}

export function forkPage(
  { id, title, message: { seq, name, body } }: {
    readonly id: string;
    readonly title: string;
    readonly message: Message;
  },
): Page {
  return page({
    title: `Fork: ${title}`,
    body: (
      <>
        <h1>{`Fork from message ${seq}`}</h1>
        <p>
          {"A new convening takes over what was said up to "}
          <a href={messageHref(id, seq)}>{`message ${seq}, `}{bidi(name)}</a>
          {" of "}
          <a href={`/convenings/${id}`} dir="auto">{title}</a>
          {", which stays as it is. No model is asked before you resume the fork."}
        </p>
        <form
          method="post"
          action={`/convenings/${id}/actions/fork`}
          data-draft={`${id}/fork/${seq}`}
        >
          <input type="hidden" name="at" value={seq} />
          <input type="hidden" name="said" value={body} />
          <label>
            {`Message ${seq} in the fork`}
            <textarea name="edit" rows={14} required maxlength={100_000}>{body}</textarea>
          </label>
          <button type="submit">Fork</button> <a href={messageHref(id, seq)}>Cancel</a>
        </form>
      </>
    ),
  });
}
