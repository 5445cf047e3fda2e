import type { ConveningEvent } from "../core/event.ts";
import type { Fact } from "../core/fact.ts";
import type { RecordContents } from "./read.ts";

/** One event as a line of `log.jsonl`; the texts of sources stay in `sources/`. */
export function logLine(event: ConveningEvent): string {
  if (event.type !== "convening-start") return `${JSON.stringify(event)}\n`;
  const { start } = event;
  const sources = start.sources.map(({ name }) => ({ name }));
  return `${JSON.stringify({ ...event, start: { ...start, sources } })}\n`;
}

/** The fact an event carries, which is a truth file of its own. */
export function factOf(event: ConveningEvent): Fact | undefined {
  switch (event.type) {
    case "message":
      return event.message;
    case "score":
      return event.score;
    case "verdict":
      return event.verdict;
    case "turn-reject":
      return event.rejection;
    case "turn-fail":
      return event.failure;
    case "choice":
      return event.choice;
    case "context":
      return event.context;
    case "lookup":
      return event.lookup;
    case "stop":
      return event.stop;
    default:
      return undefined;
  }
}

/** The events that a record's truth files stand for, by the time they were made, as a log's text. */
export function rebuiltLog({ start, facts }: RecordContents): string {
  const made = facts
    .map((fact, order) => ({ fact, order, at: fact.createdAt }))
    .sort((a, b) => a.at < b.at ? -1 : a.at > b.at ? 1 : a.order - b.order);
  let n = 1;
  let text = logLine({
    n,
    at: start.startedAt,
    type: "convening-start",
    start,
  });
  for (const { fact, at } of made) {
    text += `${JSON.stringify({ ...eventOf(fact), n: ++n, at })}\n`;
  }
  return text;
}

function eventOf(fact: Fact): Record<string, unknown> {
  switch (fact.type) {
    case "rejected":
      return { type: "turn-reject", rejection: fact };
    case "failure":
      return { type: "turn-fail", failure: fact };
    case "message":
    case "score":
    case "verdict":
      return { type: fact.type, [fact.type]: fact, usage: fact.usage };
    default:
      return { type: fact.type, [fact.type]: fact };
  }
}
