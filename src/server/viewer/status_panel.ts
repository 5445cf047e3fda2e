import { html } from "hono/html";
import type { Message, Usage } from "../../core/message.ts";
import { headingWords, nameOf } from "../../output/transcript_outline.ts";
import { counted } from "../../output/files/assessment_words.ts";
import { type Markup, problem } from "./page.ts";
import { type ConveningSight, isOver, standingWords } from "./standing.ts";

/** Where a convening stands: live, the script keeps it up to date. */
export function statusPanel(sight: ConveningSight): Markup {
  const { standing, position, failure, convening: { result, messages } } = sight;
  const why = result.endReason === undefined || result.endReason === result.status
    ? ""
    : ` (${result.endReason.replaceAll("_", " ")})`;
  return html`<section id="status" class="status" aria-label="Where it stands">
    <p><span class="badge" data-standing="${standing}">${standingWords(standing)}${
    isOver(standing) ? why : ""
  }</span>
      <span id="position">${
    position === undefined
      ? ""
      : `Number ${position} in the queue: it begins when another one ends.`
  }</span>
      <span id="now">${nowWords(sight)}</span></p>
    <p class="note"><span id="count">${counted(messages.length, "message")}</span> ·
      <span id="cost">${usageWords(result.usage)}</span></p>
    ${failure === undefined ? "" : problem(failure)}
    <noscript>${
    isOver(standing)
      ? ""
      : html`<p class="note"><a href="">Load the page anew</a> to see what was said since.</p>`
  }</noscript>
  </section>`;
}

function nowWords({ standing, convening: { start, result, messages } }: ConveningSight): string {
  if (standing === "waiting") {
    if (start.kind === "paper-debate") return "Next: the question is picked";
    const names = (result.waitingFor ?? []).map(({ participant }) => nameOf(start, participant));
    return names.length === 0 ? "" : `Next: ${names.join(", ")}`;
  }
  const last: Message | undefined = messages.at(-1);
  return standing === "running" && last !== undefined
    ? `${headingWords(last.phase)}${last.round === 0 ? "" : `, round ${last.round}`}`
    : "";
}

/** The tokens and the cost; the script says them in the same words. */
function usageWords({ inputTokens, outputTokens, costUsd }: Usage): string {
  const count = (tokens: number) => tokens.toLocaleString("en");
  const cost = costUsd === "unknown" ? "cost unknown" : `$${costUsd.toFixed(4)}`;
  return `${count(inputTokens)} tokens read, ${count(outputTokens)} written · ${cost}`;
}
