import { defined } from "../../core/defined.ts";
import type { DebaterVerification } from "./debate_report.ts";
import type { DebaterRecord } from "./debaters.ts";
import {
  type Citations,
  figuresOf,
  type LookupHit,
  type Quotation,
  type TopicArgument,
  type WebSearchResult,
} from "../../core/evidence.ts";

/**
 * A debater's evidence as a report has it: every key in one order and none without a value, so that a report made while a
 * debate runs is to the letter the one made from its files.
 */
export function verificationOf(
  { name, posture, speech, argument, evidence }: DebaterRecord,
): DebaterVerification {
  const figures = evidence.map(figuresOf);
  const crossed = evidence.filter(({ seq }) => seq !== speech?.seq)
    .map(({ citations }) => citations);
  return {
    debater: name,
    posture,
    message: speech?.seq ?? null,
    verified: sum(figures.map(({ verified }) => verified)),
    notFound: sum(figures.map(({ notFound }) => notFound)),
    perTopic: (argument?.perTopic ?? []).map(topicOf),
    citations: citationsOf({
      paper: crossed.flatMap(({ paper = [] }) => paper),
      web: crossed.flatMap(({ web = [] }) => web),
    }),
    quotations: evidence.flatMap(({ quotations }) => quotations.map(quotationOf)),
  };
}

function topicOf(
  { topic, claim, reasoning, counterpoints, citations }: TopicArgument,
): TopicArgument {
  return { topic, claim, reasoning, counterpoints, citations: citationsOf(citations) };
}

function citationsOf({ paper = [], web = [] }: Citations): Citations {
  return {
    ...(paper.length === 0 ? {} : { paper: paper.map(passageOf) }),
    ...(web.length === 0 ? {} : { web: web.map(pageOf) }),
  };
}

function passageOf(
  { chunkId, text, score, paper, page, start, end, status }: LookupHit,
): LookupHit {
  return defined({ chunkId, text, score, paper, page, start, end, status });
}

function pageOf({ title, url, snippet, status }: WebSearchResult): WebSearchResult {
  return defined({ title, url, snippet, status });
}

function quotationOf(
  { text, status, from, source, start, end, page, parts, namedPage, topic }: Quotation,
): Quotation {
  return defined({
    text,
    status,
    from,
    source,
    start,
    end,
    page,
    parts: parts?.map(({ start, end, page }) => defined({ start, end, page })),
    namedPage,
    topic,
  });
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
