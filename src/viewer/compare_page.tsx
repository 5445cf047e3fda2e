// The page that shows two convenings side by side: what differs, and what was said.
/** @jsxRuntime automatic */
/** @jsxImportSource hono/jsx */
import { ownStandings } from "../judging/judge_panels.ts";
import { counted } from "../core/text.ts";
import type { Message } from "../core/message.ts";
import { outcomeSentence } from "../record/outcome_words.ts";
import { type Markup, own, said } from "../record/html/markup.tsx";
import { headingWords, kindWords } from "../record/transcript_outline.ts";
import { messageHref } from "./exchange.tsx";
import { keyWords } from "./new_configuration.ts";
import { type Page, page } from "./page.tsx";
import { type ConveningView, isFreshFork, isOver, standingWords, usageCost } from "./standing.tsx";
import { outlineOf } from "./views.ts";

/** Pairs of messages on a page. */
const PAIRS_A_PAGE = 50;

/** A row of the comparison: its name, and the values of both convenings. */
type Row = readonly [name: string, left: string, right: string];

/** Two convenings side by side; `at` is the page of their messages, from 1. */
export function comparePage(left: ConveningView, right: ConveningView, at: number): Page {
  const both = [left, right] as const;
  const rows = [...outcomeRows(left, right), ...configurationRows(left, right)];
  return page({
    title: `Compare: ${left.start.topic}`,
    body: (
      <>
        <h1>Compare two convenings</h1>
        <div class="wide" role="region" aria-label="Differences" tabindex={0}>
          <table class="compare">
            <thead>
              <tr>
                <th scope="col">Differs</th>
                {both.map(({ id, start }) => (
                  <th scope="col">
                    <a href={`/convenings/${id}`} dir="auto">{start.topic}</a>
                    <span class="note">{id}</span>
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map(([name, ...values]) => (
                <tr>
                  <th scope="row">{name}</th>
                  {values.map((value) => <td dir="auto">{value}</td>)}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
        {rows.length === 0 && <p>Configuration, outcome, scores, length and cost are the same.</p>}
        {messages(left, right, at)}
      </>
    ),
  });
}

/** Outcome, scores, length and cost, as far as they differ. */
function outcomeRows(left: ConveningView, right: ConveningView): readonly Row[] {
  const [a, b] = [left, right].map(resultsOf);
  return differing(a!, b!);
}

function resultsOf(view: ConveningView): ReadonlyMap<string, string> {
  const { start, convening: { facts, messages }, usage, standing } = view;
  const { result } = outlineOf(view.convening).outline;
  const words = messages.reduce((sum, { body }) => sum + body.split(/\s+/).length, 0);
  const isFresh = isFreshFork(standing, { parent: start.parent, messages: messages.length });
  return new Map([
    ["Kind", kindWords(start.kind)],
    [
      "Forked from",
      start.parent === undefined ? "" : `${start.parent.dir}, message ${start.parent.seq}`,
    ],
    ["Status", isFresh ? "New fork, not resumed yet" : standingWords(standing)],
    ...isOver(standing) && !isFresh ? [["Outcome", outcomeSentence(start, result)] as const] : [],
    ...ownStandings(start, facts).map(({ name, total }) =>
      [`Score of ${name}`, total.toFixed(2)] as const
    ),
    ["Length", `${counted(messages.length, "message")}, ${words.toLocaleString("en")} words`],
    ["Cost", usageCost(usage)],
    ["Tokens written", usage.outputTokens.toLocaleString("en")],
  ]);
}

/** The participants, the judges and the keys of the configuration, as far as they differ. */
function configurationRows(left: ConveningView, right: ConveningView): readonly Row[] {
  const [a, b] = [left, right].map(({ start }) => {
    const { participants, judges, configuration } = start;
    return new Map([
      ...participants.map(({ name, model, position = "" }) =>
        [name, [model, position].filter((each) => each !== "").join(": ")] as const
      ),
      ["Judges", judges.map(({ model, rubric }) => `${model}, ${rubric}`).join("; ")] as const,
      ...Object.entries(configuration).filter(([key]) => !SHOWN_ABOVE.has(key)).map(
        ([key, value]) => [keyWords(key), valueWords(value)] as const,
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

const SHOWN_ABOVE: ReadonlySet<string> = new Set(["topic", "participants", "judges", "kind"]);

function differing(
  left: ReadonlyMap<string, string>,
  right: ReadonlyMap<string, string>,
): readonly Row[] {
  return [...new Set([...left.keys(), ...right.keys()])]
    .map((name): Row => [name, left.get(name) ?? "–", right.get(name) ?? "–"])
    .filter(([, a, b]) => a !== b);
}

/** The messages by number, side by side; those that both have are only counted. */
function messages(left: ConveningView, right: ConveningView, at: number): Markup {
  const all = [left, right].map(({ convening }) =>
    new Map(convening.messages.map((each) => [each.seq, each]))
  );
  const seqs = [...new Set(all.flatMap((each) => [...each.keys()]))].sort((a, b) => a - b);
  const other = seqs.filter((seq) => all[0]!.get(seq)?.sha256 !== all[1]!.get(seq)?.sha256);
  const pages = Math.ceil(other.length / PAIRS_A_PAGE);
  const shown = other.slice((at - 1) * PAIRS_A_PAGE, at * PAIRS_A_PAGE);
  const link = (to: number, words: string) => (
    <a href={`/compare?left=${left.id}&right=${right.id}&page=${to}`}>{words}</a>
  );
  return (
    <section aria-labelledby="messages">
      <h2 id="messages">Messages</h2>
      {other.length < seqs.length && (
        <p class="note">
          {`${
            counted(seqs.length - other.length, "message")
          } of the same words in both: not shown.`}
        </p>
      )}
      {shown.map((seq) => (
        <div class="pair">
          {[left, right].map(({ id }, side) => messagePart(id, seq, all[side]!.get(seq)))}
        </div>
      ))}
      {pages > 1 && (
        <nav class="pager" aria-label="Pages">
          {at > 1 && link(at - 1, "Previous")}
          <span>{`Page ${at} of ${pages}`}</span>
          {at < pages && link(at + 1, "Next")}
        </nav>
      )}
    </section>
  );
}

function messagePart(id: string, seq: number, message: Message | undefined): Markup {
  if (message === undefined) return <p class="message note">{`No message ${seq}`}</p>;
  return (
    <article class="message">
      <h3>
        <a href={messageHref(id, seq)}>{seq}</a> {own(message.name)}{" "}
        <span class="note">{headingWords(message.kind).toLowerCase()}</span>
      </h3>
      {said(message.body)}
    </article>
  );
}
