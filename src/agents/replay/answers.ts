// Rebuilds the replies to turns and questions from the facts of a record.
import type { AgentRequest } from "../../core/agent.ts";
import type { Choice, Score, Stance, Verdict } from "../../core/fact.ts";
import type { Message } from "../../core/message.ts";
import { jsonSchemaOf, readStructured } from "../../core/schema.ts";
import { fieldOf } from "../../core/turn.ts";
import { defined } from "../../core/values.ts";
import { paperText } from "./paper_text.ts";
import { type AnswerFact, dataOf, type Recording } from "./recording.ts";
import { reasonOf } from "../../core/claims.ts";

/** Field of a structured turn that holds the spoken text. */
const SPEECH = "speech";
/** Mark of a message whose structured reply could not be parsed; its body is the plain reply. */
const UNSTRUCTURED = "unstructured";

/** Returns the reply to a turn or question; undefined if the record has none. */
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
 * Returns the reply to a turn: the body as text, or, for a structured turn, JSON of the speech, the draft's fields and the stances. In
 * a paper debate, returns JSON of the arguments and citations. Text fields that are not recorded, such as those of a person's turn,
 * are empty.
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
  const { properties = {} } = jsonSchemaOf(schema.type);
  const fields = Object.keys(properties).filter((name) => name !== SPEECH);
  return JSON.stringify({
    [SPEECH]: body,
    ...Object.fromEntries(
      fields.map((name) => [name, name === "stances" ? stances : drafted[name] ?? ""]),
    ),
  });
}

/** Beginning of the reasons of an unreadable choice; the reply's text follows after a blank line. */
const UNREAD = "The answer could not be read: ";
/** Replacement for an originally unreadable text that the present schema can parse. */
const UNREADABLE = "(This could not be read.)";

/** Returns the reply to a question from its fact: JSON of the requested schema, or again an unreadable text. */
function answerText(fact: AnswerFact, request: AgentRequest): string {
  if ("status" in fact && (fact.status === "unread" || fact.status === "unscored")) {
    return unreadText(fact.reasons, request);
  }
  switch (fact.type) {
    case "score":
      return scoreText(fact);
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

/** Returns the text if the request's schema cannot parse it, else a replacement that the schema cannot parse. */
function unreadText(text: string, { schema }: AgentRequest): string {
  if (schema === undefined) return text;
  return readStructured(text, schema.type).problem === undefined ? UNREADABLE : text;
}

function scoreText({ reasons, criteria, topics }: Score): string {
  if (topics === undefined) return JSON.stringify({ reasons, scores: criteria });
  const perTopic = topics.filter(({ argued }) => argued !== false).map((
    { topic, notes, criteria: scores },
  ) => ({ topic, notes, scores }));
  return JSON.stringify({ perTopic });
}

function verdictText({ reasons, winner, mainReason }: Verdict, request: AgentRequest): string {
  return JSON.stringify({ reasons, ...defined({ mainReason }), ...winnerIn(winner, request) });
}

function stanceText({ reasons, stances }: Stance, request: AgentRequest): string {
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
  // The fact of an unreadable merge has the form of a readable merge.
  if (choice.kind === "proposals_merged" && said !== undefined) return unreadText(said, request);
  // The value of a judge check's choice is the winner alone.
  const fields = typeof value === "string" ? { winner: value } : value;
  const { type } = request.schema;
  const reply = { reason: reasons, reasons, ...Object(fields), ...restoredFields(choice, request) };
  const { properties = reply } = jsonSchemaOf(type);
  // The schema of a program's own question may refuse other keys.
  const asked = Object.entries(reply).filter(([key]) => Object.hasOwn(properties, key));
  const isRead = fields !== null && type.safeParse(Object.fromEntries(asked)).success;
  return isRead ? JSON.stringify(Object.fromEntries(asked)) : unreadText(said ?? reasons, request);
}

/** Extracts the text of an unreadable answer from a choice's reasons; undefined for a readable answer. */
function textIn(reasons: string): string | undefined {
  if (!reasons.startsWith(UNREAD)) return undefined;
  const end = reasons.indexOf("\n\n");
  return end === -1 ? "" : reasons.slice(end + 2);
}

/** Returns the fields of a reply that the fact stores in another form. */
function restoredFields({ kind, value }: Choice, request: AgentRequest): object {
  switch (kind) {
    case "next_speaker": {
      const speaker = fieldOf(value, "speaker");
      return { speaker: labelOf(String(speaker), request) };
    }
    case "proposals_merged":
      return { proposals: mergedFrom(fieldOf(value, "proposals"), request) };
    case "round_review":
      return { ["anything_new"]: fieldOf(value, "anythingNew") };
    case "baseline": {
      const winner = fieldOf(value, "winner");
      return winnerIn(typeof winner === "string" ? winner : null, request);
    }
    case "pick":
      return { question: fieldOf(value, "pick") ?? fieldOf(value, "question") };
    default:
      return {};
  }
}

/** Restores the numbers of merged proposals. The record has only the authors, so each author counts with all proposals. */
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

function winnerIn(winner: string | null, request: AgentRequest): { readonly winner: string } {
  return { winner: winner === null ? "tie" : labelOf(winner, request) };
}

function labelOf(id: string, { context }: AgentRequest): string {
  const { labels = {} } = dataOf(context);
  return Object.hasOwn(labels, id) ? labels[id]! : id;
}

/** Returns a note-taker's reply: the points of a statement, and its claims if they were recorded. */
function notesText(request: AgentRequest, recording: Recording): string | undefined {
  const seq = statementOf(request, recording);
  const flow = recording.latest("flow", ({ message }) => message === seq);
  if (flow?.status === "unread") return unreadText(flow.reason ?? "", request);
  return flow && JSON.stringify({ points: flow.points, claims: flow.claims });
}

/** Returns the number of the statement that a question is about: of the message with the same body, else from the key. */
function statementOf({ context }: AgentRequest, recording: Recording): number {
  const { body } = dataOf(context);
  return recording.numberOf(Number(context.key.split("/")[1]), (message) => message.body === body);
}

/**
 * Returns a fact checker's reply: the claims of a statement. For an unchecked statement, returns the recorded queries as claims, or,
 * without queries, an unreadable text.
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
  // Claims of older versions have no `quote`.
  return JSON.stringify({ claims: found.map(({ text, quote = body }) => ({ quote, text })) });
}

/** Returns a fact checker's verdict on one claim. */
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
