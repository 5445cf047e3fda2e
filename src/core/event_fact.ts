// The events that bring facts into a record: the event's type, and the field that holds the fact.
import type { EventBody } from "./event.ts";
import type { Fact } from "./fact.ts";
import { NO_USAGE, type Usage } from "./message.ts";

/** How a type of fact is told and logged. */
interface FactEvent {
  readonly type: EventBody["type"];
  readonly field: string;
  /** Whether the event says what the record has used with the fact. */
  readonly withUsage: boolean;
}

/** The event of each type of fact. */
export const FACT_EVENTS = {
  message: { type: "message", field: "message", withUsage: true },
  score: { type: "score", field: "score", withUsage: true },
  verdict: { type: "verdict", field: "verdict", withUsage: true },
  rejected: { type: "turn-reject", field: "rejection", withUsage: false },
  failure: { type: "turn-fail", field: "failure", withUsage: false },
  choice: { type: "choice", field: "choice", withUsage: false },
  context: { type: "context", field: "context", withUsage: false },
  lookup: { type: "lookup", field: "lookup", withUsage: false },
  stop: { type: "stop", field: "stop", withUsage: false },
  "fact-check": { type: "fact-check", field: "factCheck", withUsage: true },
  draft: { type: "draft", field: "draft", withUsage: false },
  stance: { type: "stance", field: "stance", withUsage: true },
  evidence: { type: "evidence", field: "evidence", withUsage: false },
  own: { type: "fact", field: "fact", withUsage: false },
} as const satisfies Readonly<Record<Fact["type"], FactEvent>>;

const FIELDS: ReadonlyMap<string, string> = new Map(
  Object.values(FACT_EVENTS).map(({ type, field }) => [type, field]),
);

/** The fact an event carries, which is a truth file of its own. */
export function factOf(event: EventBody): Fact | undefined {
  const field = FIELDS.get(event.type);
  return field === undefined
    ? undefined
    : (event as unknown as Readonly<Record<string, Fact>>)[field];
}

/** A fact as the event that brings it into a record; `usage` is that of the record with it. */
export function eventOf(fact: Fact, usage: Usage = NO_USAGE): EventBody {
  const { type, field, withUsage } = FACT_EVENTS[fact.type];
  const event = { type, [field]: fact, ...(withUsage ? { usage } : {}) };
  return event as unknown as EventBody;
}
