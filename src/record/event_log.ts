import type { ConveningEvent } from "../core/event.ts";
import { eventOf } from "../core/event_fact.ts";
import type { RecordContents } from "./read.ts";

/** One event as a line of `log.jsonl`; the texts of sources and papers stay in their files. */
export function logLine(event: ConveningEvent): string {
  if (event.type !== "convening-start") return `${JSON.stringify(event)}\n`;
  const { start } = event;
  const sources = start.sources.map(({ name }) => ({ name }));
  const papers = start.papers?.map(({ id, title }) => ({ id, title }));
  return `${JSON.stringify({ ...event, start: { ...start, sources, papers } })}\n`;
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
    text += `${
      JSON.stringify({ ...eventOf(fact, "usage" in fact ? fact.usage : undefined), n: ++n, at })
    }\n`;
  }
  return text;
}
