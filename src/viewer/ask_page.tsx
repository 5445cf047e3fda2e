// The page that answers a question about a convening with passages of its record.
/** @jsxRuntime automatic */
/** @jsxImportSource hono/jsx */
import type { AskResult, ModelAnswer } from "../operations/search.ts";
import { counted } from "../core/text.ts";
import { type Markup, own } from "../record/html/markup.tsx";
import { headingWords } from "../record/transcript_outline.ts";
import { askForm } from "./controls.tsx";
import { messageHref } from "./exchange.tsx";
import { type Page, page } from "./page.tsx";

/** The passages of a convening that have the words of a question, the best first. */
export function askPage(
  { id, topic, question, found, answer }: {
    readonly id: string;
    readonly topic: string;
    readonly question: string;
    /** Absent while there is no question. */
    readonly found?: AskResult | undefined;
    /** The answer of the model that was named. */
    readonly answer?: ModelAnswer | undefined;
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
        <p class="note">
          Passages with the words of the question are shown. A model that you name answers in its
          own words, and its quotations are looked up in the messages.
        </p>
        {askForm(id, question)}
        {question !== "" && modelForm(id, question)}
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
      <button type="submit" class="second">Have it answer</button>
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
            <a href={messageHref(id, message)}>{`Message ${message}, `}{own(name)}</a>
            {`: “${quote}”`}
          </li>
        ))}
      </ul>
      {leftOut > 0 && (
        <p class="note">{`${counted(leftOut, "quotation")} that no message has: left out.`}</p>
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
