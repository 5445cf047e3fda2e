import type { ConveningEvent, EventBody } from "../core/event.ts";
import type { Fact } from "../core/fact.ts";
import { NO_USAGE, type Usage } from "../core/message.ts";
import type { RecordContents } from "./read.ts";

/** One event as a line of `log.jsonl`; the texts of sources and papers stay in their files. */
export function logLine(event: ConveningEvent): string {
  if (event.type !== "convening-start") return `${JSON.stringify(event)}\n`;
  const { start } = event;
  const sources = start.sources.map(({ name }) => ({ name }));
  const papers = start.papers?.map(({ id, title }) => ({ id, title }));
  return `${JSON.stringify({ ...event, start: { ...start, sources, papers } })}\n`;
}

/** A fact as the event that brings it into a record; `usage` is that of the record with it. */
export function eventOf(fact: Fact, usage: Usage = NO_USAGE): EventBody {
  switch (fact.type) {
    case "message":
      return { type: "message", message: fact, usage };
    case "score":
      return { type: "score", score: fact, usage };
    case "verdict":
      return { type: "verdict", verdict: fact, usage };
    case "rejected":
      return { type: "turn-reject", rejection: fact };
    case "failure":
      return { type: "turn-fail", failure: fact };
    case "choice":
      return { type: "choice", choice: fact };
    case "context":
      return { type: "context", context: fact };
    case "lookup":
      return { type: "lookup", lookup: fact };
    case "stop":
      return { type: "stop", stop: fact };
    case "fact-check":
      return { type: "fact-check", factCheck: fact, usage };
    case "draft":
      return { type: "draft", draft: fact };
    case "stance":
      return { type: "stance", stance: fact, usage };
    case "evidence":
      return { type: "evidence", evidence: fact };
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
    text += `${
      JSON.stringify({ ...eventOf(fact, "usage" in fact ? fact.usage : undefined), n: ++n, at })
    }\n`;
  }
  return text;
}
