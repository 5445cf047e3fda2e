import type { EventBody } from "./event.ts";
import type { Fact } from "./fact.ts";

/** The fact an event carries, which is a truth file of its own. */
export function factOf(event: EventBody): Fact | undefined {
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
    case "fact-check":
      return event.factCheck;
    case "draft":
      return event.draft;
    case "stance":
      return event.stance;
    case "evidence":
      return event.evidence;
    default:
      return undefined;
  }
}
