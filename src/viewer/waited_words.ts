import { html } from "hono/html";
import type { WaitedFor } from "../core/event.ts";
import { headingWords, nameOf } from "../record/transcript_outline.ts";
import { messageHref } from "./exchange.ts";
import { type Markup, own } from "./page.ts";
import type { StandingSight } from "./standing.ts";

/** Which turn is waited for, and what it answers or follows: as much as the record tells without its task. */
export function waitedWords(
  { id, start, said }: StandingSight,
  { participant, turn }: WaitedFor,
): Markup {
  const ids = new Set(start.participants.map((each) => each.id));
  const steps = turn.split("/");
  const words = steps.filter((each) => !ids.has(each)).map((each) => each.replace(/[-_]/g, " "));
  const other = steps.findLast((each) => ids.has(each) && each !== participant);
  const answered = said.findLast((each) => each.participant === other);
  const last = answered ?? said.at(-1);
  if (last === undefined) return html`${headingWords(words.join(", "))}, the first to be said`;
  const whose = html`<a href="${messageHref(id, last.seq)}">message ${last.seq}, ${
    own(nameOf(start, last.participant))
  }</a>`;
  return html`${headingWords(words.join(", "))}, ${
    answered === undefined ? "after" : "in answer to"
  } ${whose}`;
}
