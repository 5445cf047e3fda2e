import { html } from "hono/html";
import { costText, type Usage } from "../core/message.ts";
import { counted } from "../record/files/assessment_words.ts";
import { headingWords, nameOf } from "../record/transcript_outline.ts";
import { type Markup, problem } from "./page.ts";
import { isOver, roundsOf, type StandingSight, standingWords } from "./standing.ts";

/** Where a convening stands: live, the script keeps it up to date. */
export function statusPanel(sight: StandingSight): Markup {
  const { standing, position, failure, endReason, usage, said } = sight;
  const isEnded = isOver(standing);
  const why = endReason === undefined || endReason === standing
    ? ""
    : ` (${endReason.replaceAll("_", " ")})`;
  return html`<section id="status" class="status" aria-label="Where it stands" data-standing="${standing}">
    <p><span class="badge" data-standing="${standing}">${standingWords(standing)}${
    isEnded ? why : ""
  }</span>
      <span id="position">${
    position === undefined
      ? ""
      : `Number ${position} in the queue: it begins when another one ends.`
  }</span>
      <span id="now">${nowWords(sight)}</span></p>
    <p class="note"><span id="count">${counted(said.length, "message")}</span> ·
      <span id="cost">${usageWords(usage)}</span>${
    isEnded ? "" : html`
      · <a href="#latest">To what is said now</a>
    `
  }</p>
    ${failure === undefined ? "" : problem(failure)}
    <noscript>${
    isEnded
      ? ""
      : html`<p class="note"><a href="">Load the page anew</a> to see what was said since.</p>`
  }</noscript>
  </section>`;
}

/** The phase, and who speaks or is next; the script says it in the same words. */
function nowWords({ standing, start, waitingFor, spoken, place }: StandingSight): string {
  if (standing === "waiting") {
    if (start.kind === "paper-debate") return "Next: the question is picked";
    const names = waitingFor.map(({ participant }) => nameOf(start, participant));
    return names.length === 0 ? "" : `Next: ${names.join(", ")}`;
  }
  if (standing !== "running" || place === undefined) return "";
  const who = spoken.map(({ turn, text }) =>
    `${text === "" ? "next" : "speaking"}: ${turn.name}, ${turn.kind.replaceAll("_", " ")}`
  );
  return [placeWords(place, roundsOf(start)), ...who].join(" · ");
}

function placeWords({ phase, round }: { phase: string; round: number }, rounds: number): string {
  const of = round > 0 && round <= rounds ? ` of ${rounds}` : "";
  return `${headingWords(phase)}${round === 0 ? "" : `, round ${round}${of}`}`;
}

/** The tokens and the cost; the script says them in the same words. */
function usageWords(usage: Usage): string {
  const { inputTokens, outputTokens, costUsd } = usage;
  const count = (tokens: number) => tokens.toLocaleString("en");
  const cost = costUsd === "unknown" ? "cost unknown" : costText(usage);
  return `${count(inputTokens)} tokens read, ${count(outputTokens)} written · ${cost}`;
}
