// Replies to questions, from a record.
import type { AgentRequest } from "../../core/agent.ts";
import type { Choice, Score, Stance, Verdict } from "../../core/fact.ts";
import { readStructured } from "../../core/structured.ts";
import { fieldOf, labelsIn, proposedIn } from "./question_data.ts";
import type { AnswerFact } from "./recording.ts";

/** Beginning of the reasons of a choice that could not be read; its text follows after an empty line. */
const UNREAD = "The answer could not be read: ";
/** Answer where the text that could not be read then could be read now. */
const UNREADABLE = "(This could not be read.)";
/** The ways a reply can say that no one won; the schema that is asked for decides. */
const TIES = [null, "tie", "none", "undecided", "draw"];

/** A question's reply, from the fact it left: JSON of the shape asked for; what could not be read then, unreadable again. */
export function answerText(fact: AnswerFact, request: AgentRequest): string {
  switch (fact.type) {
    case "score":
      return scoreText(fact, request);
    case "verdict":
      return verdictText(fact, request);
    case "stance":
      return stanceText(fact, request);
    case "choice":
      return choiceText(fact, request);
    case "context":
    case "stop":
      return fact.body;
  }
}

/** A text that the request's schema cannot be read out of. */
export function unreadText(text: string, { schema }: AgentRequest): string {
  if (schema === undefined) return text;
  return readStructured(text, schema.type).problem === undefined ? UNREADABLE : text;
}

function scoreText(
  { status, reasons, criteria, topics }: Score,
  request: AgentRequest,
): string {
  if (status === "unscored") return unreadText(reasons, request);
  if (topics === undefined) return JSON.stringify({ reasons, scores: criteria });
  const perTopic = topics.filter(({ argued }) => argued !== false).map((
    { topic, notes, criteria: scores },
  ) => ({ topic, notes, scores }));
  return JSON.stringify({ perTopic });
}

function verdictText(
  { status, reasons, winner, mainReason }: Verdict,
  request: AgentRequest,
): string {
  if (status === "unread") return unreadText(reasons, request);
  const said = { reasons, ...mainReason === undefined ? {} : { mainReason } };
  return fitting([said], winnersFor(winner, request), request) ??
    JSON.stringify({ ...said, winner });
}

function stanceText({ status, reasons, stances }: Stance, request: AgentRequest): string {
  if (status === "unread") return unreadText(reasons, request);
  const labels = labelsIn(request.context.data);
  return JSON.stringify({
    reasons,
    stances: stances.map(({ on, stance, strength, condition = "" }) => ({
      on: labels.get(on) ?? on,
      stance,
      strength,
      condition,
    })),
  });
}

function choiceText(choice: Choice, request: AgentRequest): string {
  const { value, reasons } = choice;
  if (request.schema === undefined) return JSON.stringify(value);
  const said = textIn(reasons);
  // The substitute for an unreadable merge looks like a readable merge.
  if (choice.kind === "proposals_merged" && said !== undefined) return unreadText(said, request);
  const fields = value !== null && typeof value === "object" ? { ...value } : undefined;
  const bases = fields === undefined ? [] : [
    { reason: reasons, reasons, ...fields },
    { reason: reasons, ...fields },
    { reasons, ...fields },
    fields,
  ];
  return fitting(bases, repliesTo(choice, request), request) ??
    unreadText(said ?? reasons, request);
}

/** The text of an answer that could not be read, out of a choice's reasons. */
function textIn(reasons: string): string | undefined {
  if (!reasons.startsWith(UNREAD)) return undefined;
  const end = reasons.indexOf("\n\n");
  return end === -1 ? "" : reasons.slice(end + 2);
}

/** The fields of a reply that its fact holds in other words, in every form that could be asked for. */
function repliesTo({ kind, value }: Choice, request: AgentRequest): readonly object[] {
  switch (kind) {
    case "next_speaker": {
      const speaker = fieldOf(value, "speaker");
      return [{ speaker: labelOf(String(speaker), request) }];
    }
    case "proposals_merged":
      return [{ proposals: mergedFrom(fieldOf(value, "proposals"), request) }];
    case "round_review":
      return [{ ["anything_new"]: fieldOf(value, "anythingNew") }];
    case "baseline": {
      const winner = fieldOf(value, "winner");
      return winnersFor(typeof winner === "string" ? winner : null, request);
    }
    case "pick":
      return [{ question: fieldOf(value, "pick") ?? fieldOf(value, "question") }];
    default:
      return [{}];
  }
}

/** Only whose proposals are in one is on record: all that its participants made are said to be in it. */
function mergedFrom(proposals: unknown, { context }: AgentRequest): unknown {
  if (!Array.isArray(proposals)) return proposals;
  const shown = proposedIn(context.data);
  return proposals.map((each: unknown) => {
    const by = fieldOf(each, "by");
    const from = (Array.isArray(by) ? by : []).flatMap((id) =>
      shown.filter(({ participant }) => participant === id).map(({ number }) => number)
    );
    return { text: fieldOf(each, "text"), from };
  });
}

function winnersFor(
  winner: string | null,
  request: AgentRequest,
): readonly { readonly winner: string | null }[] {
  if (winner === null) return TIES.map((tie) => ({ winner: tie }));
  return [{ winner: labelOf(winner, request) }];
}

function labelOf(id: string, { context }: AgentRequest): string {
  return labelsIn(context.data).get(id) ?? id;
}

/** The first reply that the schema takes, as JSON; without a schema the first one. */
function fitting(
  bases: readonly object[],
  more: readonly object[],
  { schema }: AgentRequest,
): string | undefined {
  const replies = bases.flatMap((base) => more.map((fields) => ({ ...base, ...fields })));
  const fit = replies.find((reply) => schema?.type.safeParse(reply).success ?? true);
  return fit && JSON.stringify(fit);
}
