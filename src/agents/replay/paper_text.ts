// Rebuilds the structured replies of paper debates from the record.
import type { AgentRequest } from "../../core/agent.ts";
import type { Evidence } from "../../core/fact.ts";
import type { Message } from "../../core/message.ts";
import type { Citations, LookupHit, Quotation } from "../../core/paper.ts";
import { PassageFinder, passageKey } from "../../core/passage_finder.ts";
import { quotedPassages } from "../../core/quotations.ts";
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
import { topicsIn } from "./recording.ts";

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
