// Replies of turns and to questions, from a record.
import type { AgentRequest } from "../../core/agent.ts";
import type { Choice, Score, Stance, Verdict } from "../../core/fact.ts";
import type { Message } from "../../core/message.ts";
import { reasonOf } from "../../core/outcome.ts";
import { readStructured } from "../../core/schema.ts";
import { paperText } from "./paper_text.ts";
import { type AnswerFact, dataOf, fieldOf, type Recording } from "./recording.ts";

/** The field of a structured turn that is said. */
const SPEECH = "speech";
/** The mark of a structured turn whose reply could not be read: it was said as it came. */
const UNSTRUCTURED = "unstructured";

/** The reply of a turn or to a question; undefined where nothing is recorded. */
export function replyText(request: AgentRequest, recording: Recording): string | undefined {
  const { context } = request;
  const message = recording.message(context.key);
  if (message !== undefined) return turnText(message, request, recording);
  if (context.kind === "notes") return notesText(request, recording);
  if (context.kind === "claims") return claimsText(request, recording);
  if (context.kind === "claim_verdict") return claimVerdictText(request, recording);
  const fact = recording.answer(context);
  return fact && answerText(fact, request);
}

/**
 * A turn's reply: what was said; where fields are asked for, JSON of it, of what its speaker kept to itself and of its
 * stances; in a debate over papers of what it argues and cites. Text fields without anything on record, such as those of a
 * person's turn, are empty.
 */
function turnText(message: Message, request: AgentRequest, recording: Recording): string {
  const { turn, body, marks } = message;
  const { schema } = request;
  if (schema === undefined || marks.includes(UNSTRUCTURED)) return body;
  const evidence = recording.latest("evidence", (each) => each.turn === turn);
  const argued = paperText(message, evidence, request);
  if (argued !== undefined) return argued;
  const drafted = recording.latest("draft", (each) => each.turn === turn)?.fields ?? {};
  const stances = recording.stanceAfter(turn)?.stances ?? [];
  const shape = schema.type.toJSONSchema({ io: "input", unrepresentable: "any" });
  const fields = Object.keys(fieldOf(shape, "properties") ?? {}).filter((name) => name !== SPEECH);
  return JSON.stringify({
    [SPEECH]: body,
    ...Object.fromEntries(
      fields.map((name) => [name, name === "stances" ? stances : drafted[name] ?? ""]),
    ),
  });
}

/** Beginning of the reasons of a choice that could not be read; its text follows after an empty line. */
const UNREAD = "The answer could not be read: ";
/** Answer where the text that could not be read then could be read now. */
const UNREADABLE = "(This could not be read.)";
/** The ways a reply can say that no one won; the schema that is asked for decides. */
const TIES = [null, "tie", "none", "undecided", "draw"];

/** A question's reply, from the fact it left: JSON of the shape asked for; what could not be read then, unreadable again. */
function answerText(fact: AnswerFact, request: AgentRequest): string {
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
function unreadText(text: string, { schema }: AgentRequest): string {
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
  return JSON.stringify({
    reasons,
    stances: stances.map(({ on, stance, strength, condition = "" }) => ({
      on: labelOf(on, request),
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
  const { proposals: shown = [] } = dataOf(context);
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
  const { labels = {} } = dataOf(context);
  return Object.hasOwn(labels, id) ? labels[id]! : id;
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

/** A note-taker's reply: the points of a statement, and its claims where they were noted. */
function notesText(request: AgentRequest, recording: Recording): string | undefined {
  const seq = statementOf(request, recording);
  const flow = recording.latest("flow", ({ message }) => message === seq);
  if (flow?.status === "unread") return unreadText(flow.reason ?? "", request);
  return flow && JSON.stringify({ points: flow.points, claims: flow.claims });
}

/** The number of the statement that a question is about: of the message that says the same, else of the key. */
function statementOf({ context }: AgentRequest, recording: Recording): number {
  const { body } = dataOf(context);
  return recording.numberOf(Number(context.key.split("/")[1]), (message) => message.body === body);
}

/**
 * A fact checker's reply: the claims of a statement. Those that were not checked are answered so that they are not: with
 * their queries, where they were looked up, else with nothing that could be read.
 */
function claimsText(request: AgentRequest, recording: Recording): string | undefined {
  const seq = statementOf(request, recording);
  const check = recording.latest("fact-check", ({ message }) => message === seq);
  if (check === undefined) return undefined;
  const { body = "" } = dataOf(request.context);
  const found = check.status === "checked"
    ? check.claims
    : recording.queriesFor(check.message).map((text) => ({ text, quote: body }));
  if (check.status === "unchecked" && found.length === 0) return unreadText(check.reasons, request);
  // Claims of earlier versions name no words of the message.
  return JSON.stringify({ claims: found.map(({ text, quote = body }) => ({ quote, text })) });
}

/** A fact checker's verdict on one claim. */
function claimVerdictText(request: AgentRequest, recording: Recording): string | undefined {
  const { claim, hits } = dataOf(request.context);
  if (claim === undefined || hits === undefined) return undefined;
  const check = recording.checkWith(Number(request.context.key.split("/")[1]), claim);
  if (check === undefined) return undefined;
  const checked = check.claims.find(({ text }) => text === claim);
  if (checked === undefined) return unreadText(check.reasons, request);
  const { verdict, omitted, confidence, sources } = checked;
  return JSON.stringify({
    reason: reasonOf(checked, check),
    verdict,
    omitted: omitted ?? "",
    confidence,
    sources: hits.flatMap(({ url, snippet }, at) =>
      sources.some((source) => source.url === url && snippet.startsWith(source.snippet))
        ? [at + 1]
        : []
    ),
  });
}
