// The page that answers a question about a convening with passages of its record.
/** @jsxRuntime automatic */
/** @jsxImportSource hono/jsx */
import type { AskResult } from "../operations/asking.ts";
import { counted } from "../record/words.ts";
import { type Markup, own } from "../record/html/markup.tsx";
import { headingWords } from "../record/transcript_outline.ts";
import { askForm } from "./controls.tsx";
import { messageHref } from "./exchange.tsx";
import { type Page, page } from "./page.tsx";

/** The passages of a convening that have the words of a question, the best first. */
export function askPage(
  { id, topic, question, found }: {
    readonly id: string;
    readonly topic: string;
    readonly question: string;
    /** Absent while there is no question. */
    readonly found?: AskResult | undefined;
  },
): Page {
  return page({
    title: question === "" ? "Ask the record" : `Asked: ${question}`,
    body: (
      <>
        <h1>Ask the record</h1>
        <p>
          in <a href={`/convenings/${id}`} dir="auto">{topic}</a>
        </p>
        <p class="note">The passages that have the words of a question; no model is asked.</p>
        {askForm(id, question)}
        {found !== undefined && answers(id, found)}
      </>
    ),
  });
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
              <a href={messageHref(id, seq)}>{`Message ${seq}, `}{own(name)}</a>{" "}
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
