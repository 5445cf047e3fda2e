import type { Evidence, Fact, LookUp } from "../core/fact.ts";
import type { Message } from "../core/message.ts";
import type { LookupHit, Quotation, WebSearchResult } from "../core/evidence.ts";
import { pagesIn, passagesIn } from "../papers/text/look_ups.ts";
import type { Paper } from "../core/paper.ts";
import { PassageFinder } from "../core/passage_finder.ts";
import type { PaperHit } from "../core/retriever.ts";
import type { ConveningStart } from "../core/record.ts";
import { type Finding, RESTORE } from "./verify_finding.ts";

/** What these checks look at. */
interface EvidenceSet {
  readonly start: ConveningStart;
  readonly files: ReadonlyMap<string, Fact>;
}

/** What evidence can rest on. */
interface Grounds {
  readonly papers: ReadonlyMap<string, Paper>;
  readonly messages: ReadonlyMap<number, Message>;
  /** What the debater's look-ups returned by then. */
  readonly passages: ReadonlyMap<string, PaperHit>;
  readonly addresses: ReadonlySet<string>;
}

/**
 * Evidence must be for what its message stands for, and what it marks verified must be so: a citation was returned by a
 * look-up of the debater, a quotation stands where it is said to.
 */
export function* evidenceFindings({ start, files }: EvidenceSet): Generator<Finding> {
  const facts = [...files.values()];
  const lookUps = facts.filter((fact) => fact.type === "lookup");
  const papers = new Map((start.papers ?? []).map((paper) => [paper.id, paper]));
  const messages = new Map(
    facts.filter((fact) => fact.type === "message").map((message) => [message.seq, message]),
  );
  for (const [path, fact] of files) {
    if (fact.type !== "evidence") continue;
    const grounds = { papers, messages, ...returnedTo(fact, lookUps) };
    for (const problem of evidenceProblems(fact, grounds)) yield { path, problem, fix: RESTORE };
  }
}

function returnedTo(
  { participant, seq }: Evidence,
  lookUps: readonly LookUp[],
): Pick<Grounds, "passages" | "addresses"> {
  const own = lookUps.filter((each) => each.participant === participant && each.seq <= seq);
  return {
    passages: new Map(passagesIn(own).map((hit) => [hit.chunkId, hit])),
    addresses: new Set(pagesIn(own).map(({ url }) => url)),
  };
}

function* evidenceProblems(evidence: Evidence, grounds: Grounds): Generator<string> {
  const { seq, posture, perTopic, citations, quotations } = evidence;
  const position = grounds.messages.get(seq)?.position;
  if (position !== undefined && position !== posture) {
    yield `its posture is not the position of message ${seq}`;
  }
  for (const { paper = [], web = [] } of [...perTopic.map((each) => each.citations), citations]) {
    for (const hit of paper) yield* hitProblem(hit, grounds);
    for (const page of web) yield* pageProblem(page, grounds);
  }
  for (const quotation of quotations) {
    const problem = quotationProblem(quotation, seq, grounds);
    if (problem !== undefined) {
      yield `it marks a quotation ${quotation.status} (${shown(quotation.text)}) that ${problem}`;
    }
  }
}

function* hitProblem(
  { chunkId, text, status, start, end, paper }: LookupHit,
  { passages, papers }: Grounds,
): Generator<string> {
  if (status !== "verified") return;
  const returned = passages.get(chunkId);
  if (returned === undefined) {
    yield `it marks passage ${shown(chunkId)} verified, which no look-up of the debater returned`;
    return;
  }
  const isSame = returned.text === text && (start ?? returned.start) === returned.start &&
    (end ?? returned.end) === returned.end && (paper ?? returned.paper) === returned.paper;
  if (!isSame) yield `its passage ${shown(chunkId)} is not what the look-up returned`;
  const whole = papers.get(returned.paper)?.text;
  if (whole !== undefined && whole.slice(returned.start, returned.end) !== returned.text) {
    yield `its passage ${shown(chunkId)} does not stand in the paper where it is said to`;
  }
}

function* pageProblem(
  { url, status }: WebSearchResult,
  { addresses }: Grounds,
): Generator<string> {
  if (status !== "verified" || addresses.has(url)) return;
  yield `it marks the page ${shown(url)} verified, which no search of the debater returned`;
}

/** Why a quotation that is marked verified is not; undefined where it is, or where nothing can tell. */
function quotationProblem(
  { text, status, from, source = "", start, end, parts }: Quotation,
  seq: number,
  { papers, messages }: Grounds,
): string | undefined {
  if (status === "not found") return undefined;
  if (from === "message") {
    const earlier = Number(source) < seq ? messages.get(Number(source)) : undefined;
    return earlier !== undefined &&
        new PassageFinder(earlier.body).find(text, { anyParts: true }) !== undefined
      ? undefined
      : `does not stand in message ${source}`;
  }
  if (from !== "paper") return undefined;
  const paper = papers.get(source);
  if (paper === undefined) {
    return `is from a paper that is not there: ${shown(source)}`;
  }
  if (start === undefined || end === undefined) return undefined;
  const there = paper.text.slice(start, end);
  const place = new PassageFinder(there).find(text, { anyParts: parts === undefined });
  const isSame = place?.start === 0 && place.end === there.length &&
    (parts === undefined || parts.length === place.parts?.length) &&
    (parts ?? []).every((part, at) =>
      part.start === start + (place.parts?.[at]?.start ?? NaN) &&
      part.end === start + (place.parts?.[at]?.end ?? NaN)
    );
  return isSame ? undefined : `does not stand in the paper at ${start} to ${end}`;
}

function shown(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 79)}…` : text);
}
