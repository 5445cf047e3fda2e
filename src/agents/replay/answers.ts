// Rebuilds the replies to turns and questions from the facts of a record, those of paper debates included.
import type { AgentReply, AgentRequest } from "../../core/agent.ts";
import { reasonOf } from "../../core/claims.ts";
import type { Choice, Evidence, Score, Stance, Verdict } from "../../core/fact.ts";
import type { Message } from "../../core/message.ts";
import type { Citations, LookupHit, Quotation } from "../../core/paper.ts";
import { PassageFinder, passageKey } from "../../core/passage_finder.ts";
import { quotedPassages } from "../../core/quotations.ts";
import { readStructured } from "../../core/schema.ts";
import { defined } from "../../core/values.ts";
import { argumentIn } from "../../papers/text/argument_body.ts";
import { posturesIn, questionsIn } from "../../papers/text/lists.ts";
import {
  ARGUMENT_REPLY,
  type ArgumentFields,
  type CitationFields,
  CROSS_REPLY,
  type CrossFields,
  POSTURES_REPLY,
  QUESTIONS_REPLY,
} from "../../papers/text/replies.ts";
import { type AnswerFact, dataOf, type Recording, topicsIn } from "./recording.ts";

/** Mark of a message whose structured reply could not be parsed; its body is the plain reply. */
const UNSTRUCTURED = "unstructured";

/** Replies of note-takers and fact checkers, by the kind of the question. */
const CHECKS = new Map([
  ["notes", notesText],
  ["claims", claimsText],
  ["claim_verdict", claimVerdictText],
]);

/** Returns the reply to a turn or question; undefined if the record has none. */
export function replyOf(
  request: AgentRequest,
  recording: Recording,
): Pick<AgentReply, "text" | "recorded"> | undefined {
  const { context } = request;
  const message = recording.message(context.key);
  if (message !== undefined) return turnReply(message, request, recording);
  const fact = recording.answer(context);
  if (fact?.type === "choice") return { text: JSON.stringify(fact.value), recorded: [fact] };
  const text = fact ? answerText(fact, request) : CHECKS.get(context.kind)?.(request, recording);
  return text === undefined ? undefined : { text };
}

/**
 * Returns the reply to a turn: the body, for a structured turn with the turn's facts; in a paper debate JSON of the arguments and
 * citations, which are checked again.
 */
function turnReply(
  message: Message,
  request: AgentRequest,
  recording: Recording,
): Pick<AgentReply, "text" | "recorded"> {
  const { turn, body, marks } = message;
  const { schema } = request;
  // With `recorded` the body is kept whole: a person's words may be longer than a model's maximum.
  if (schema === undefined) return { text: body, recorded: [] };
  if (marks.includes(UNSTRUCTURED)) return { text: body };
  const evidence = recording.latest("evidence", (each) => each.turn === turn);
  const text = paperText(message, evidence, request);
  return text === undefined ? { text: body, recorded: recording.ofTurn(message) } : { text };
}

/** Replacement for an originally unreadable text that the present schema can parse. */
const UNREADABLE = "(This could not be read.)";

/** Returns the reply to a question from its fact: JSON of the requested schema, or again an unreadable text. */
function answerText(fact: Exclude<AnswerFact, Choice>, request: AgentRequest): string {
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
  const label = winner === null ? "tie" : labelOf(winner, request);
  return JSON.stringify({ reasons, ...defined({ mainReason }), winner: label });
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

/**
 * Returns the reply to a turn of a paper debate as JSON of the requested schema; undefined for other schemas. An argument without
 * evidence, such as a person's, is parsed from its message.
 */
export function paperText(
  { body }: Message,
  evidence: Evidence | undefined,
  { schema }: AgentRequest,
): string | undefined {
  switch (schema?.name) {
    case QUESTIONS_REPLY.name:
      return JSON.stringify({ questions: questionsIn(body) });
    case POSTURES_REPLY.name:
      return JSON.stringify(posturesIn(body));
    case ARGUMENT_REPLY:
      return JSON.stringify(argumentFields(body, evidence, topicsIn(schema)));
    case CROSS_REPLY.name:
      return JSON.stringify(crossFields(body, evidence));
    default:
      return undefined;
  }
}

function argumentFields(
  body: string,
  evidence: Evidence | undefined,
  topics: readonly string[],
): ArgumentFields {
  const { perTopic, overallPosition } = evidence ?? argumentIn(body, topics);
  return {
    perTopic: perTopic.map(({ topic, claim, reasoning, counterpoints, citations }) => {
      const quotations = (evidence?.quotations ?? []).filter((each) => each.topic === topic);
      return {
        topic,
        claim,
        reasoning,
        counterpoints: [...counterpoints],
        citations: cited(citations, quotations, [claim, reasoning, ...counterpoints]),
      };
    }),
    overallPosition,
  };
}

/** Returns the fields of a cross-examination; the speech is the body without the computed lists. */
function crossFields(body: string, evidence: Evidence | undefined): CrossFields {
  const speech = argumentIn(body, []).overallPosition;
  const { citations = {}, quotations = [] } = evidence ?? {};
  return { speech, citations: cited(citations, quotations, [speech]) };
}

/**
 * Returns the citation fields. A quotation that is in none of the texts comes from a citation that failed its check. To fail again, the
 * quotation is cited from a passage without these words.
 */
function cited(
  { paper = [], web = [] }: Citations,
  quotations: readonly Quotation[],
  texts: readonly string[],
): CitationFields {
  const inTexts = new Set(texts.flatMap(quotedPassages).map(({ text }) => passageKey(text)));
  const returned = paper.filter(({ status }) => status === "verified");
  const claimed = quotations.filter(({ text }) => !inTexts.has(passageKey(text)))
    .flatMap(({ text }) => {
      const hit = returned.find((each) => new PassageFinder(each.text).find(text) === undefined);
      return hit === undefined ? [] : [{ chunkId: hit.chunkId, text }];
    });
  return {
    paper: [
      ...paper.map((hit) => ({ chunkId: hit.chunkId, text: citedWords(hit) })),
      ...claimed,
    ],
    web: web.map(({ title, url }) => ({ title, url })),
  };
}

/** Returns the words that a debater quoted from a passage; empty if they are not recorded. */
function citedWords({ text, status, start = 0, cited }: LookupHit): string {
  if (status !== "verified") return text;
  return cited === undefined
    ? ""
    : text.slice((cited.start ?? 0) - start, (cited.end ?? 0) - start);
}
