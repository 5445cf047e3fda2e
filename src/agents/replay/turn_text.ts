// Replies of turns, from a record.
import type { AgentRequest, ReplySchema } from "../../core/agent.ts";
import type { Message } from "../../core/message.ts";
import { paperText } from "./paper_text.ts";
import { fieldOf } from "./question_data.ts";
import type { Recording } from "./recording.ts";

/** The field of a structured turn that is said. */
const SPEECH = "speech";
/** The mark of a structured turn whose reply could not be read: it was said as it came. */
const UNSTRUCTURED = "unstructured";

/**
 * A turn's reply: what was said; where fields are asked for, JSON of it, of what its speaker kept to itself and of its
 * stances; in a debate over papers of what it argues and cites. Text fields without anything on record, such as those of a
 * person's turn, are empty.
 */
export function turnText(message: Message, request: AgentRequest, recording: Recording): string {
  const { turn, body, marks } = message;
  const { schema } = request;
  if (schema === undefined || marks.includes(UNSTRUCTURED)) return body;
  const argued = paperText(message, recording.evidence(turn), request);
  if (argued !== undefined) return argued;
  const drafted = recording.draft(turn)?.fields ?? {};
  const stances = recording.stanceAfter(turn)?.stances ?? [];
  const fields = fieldsOf(schema).filter((name) => name !== SPEECH);
  return JSON.stringify({
    [SPEECH]: body,
    ...Object.fromEntries(
      fields.map((name) => [name, name === "stances" ? stances : drafted[name] ?? ""]),
    ),
  });
}

function fieldsOf({ type }: ReplySchema): string[] {
  const shape = type.toJSONSchema({ io: "input", unrepresentable: "any" });
  return Object.keys(fieldOf(shape, "properties") ?? {});
}
