// Checks of evidence: a citation that is marked verified was returned by a look-up, a quotation stands where it is said to.
import type { LookupHit, Quotation } from "../core/evidence.ts";
import type { Evidence, Fact } from "../core/fact.ts";
import type { Message } from "../core/message.ts";
import type { Paper } from "../core/paper.ts";
import { PassageFinder } from "../core/passage_finder.ts";
import type { ConveningStart } from "../core/record.ts";
import { pagesIn, passagesIn } from "../papers/tools.ts";

/** What evidence can rest on. */
interface Grounds {
  readonly papers: ReadonlyMap<string, Paper>;
  readonly messages: ReadonlyMap<number, Message>;
}

/** A check of evidence against the papers, messages and look-ups of its record: what is wrong, a sentence each. */
export function evidenceProblems(
  start: ConveningStart,
  facts: readonly Fact[],
): (evidence: Evidence) => Generator<string> {
  const lookUps = facts.filter((fact) => fact.type === "lookup");
  const grounds: Grounds = {
    papers: new Map((start.papers ?? []).map((paper) => [paper.id, paper])),
    messages: new Map(
      facts.filter((fact) => fact.type === "message").map((message) => [message.seq, message]),
    ),
  };
  return function* (evidence) {
    const { seq, participant, posture, perTopic, citations, quotations } = evidence;
    const position = grounds.messages.get(seq)?.position;
    if (position !== undefined && position !== posture) {
      yield `its posture is not the position of message ${seq}`;
    }
    const own = lookUps.filter((each) => each.participant === participant && each.seq <= seq);
    const passages = new Map(passagesIn(own).map((hit) => [hit.chunkId, hit]));
    const addresses = new Set(pagesIn(own).map(({ url }) => url));
    const cited = [...perTopic.map((each) => each.citations), citations];
    for (const hit of cited.flatMap(({ paper = [] }) => paper)) {
      const problem = hit.status === "verified"
        ? hitProblem(hit, passages.get(hit.chunkId), grounds)
        : undefined;
      if (problem !== undefined) yield problem;
    }
    for (const { url, status } of cited.flatMap(({ web = [] }) => web)) {
      if (status !== "verified" || addresses.has(url)) continue;
      yield `it marks the page ${shown(url)} verified, which no search of the debater returned`;
    }
    for (const quotation of quotations) {
      const problem = quotationProblem(quotation, seq, grounds);
      if (problem === undefined) continue;
      yield `it marks a quotation ${quotation.status} (${shown(quotation.text)}) that ${problem}`;
    }
  };
}

/** Why a passage that is marked verified is not. */
function hitProblem(
  { chunkId, text, start, end, paper }: LookupHit,
  returned: ReturnType<typeof passagesIn>[number] | undefined,
  { papers }: Grounds,
): string | undefined {
  if (returned === undefined) {
    return `it marks passage ${shown(chunkId)} verified, which no look-up of the debater returned`;
  }
  const isSame = returned.text === text && (start ?? returned.start) === returned.start &&
    (end ?? returned.end) === returned.end && (paper ?? returned.paper) === returned.paper;
  if (!isSame) return `its passage ${shown(chunkId)} is not what the look-up returned`;
  const whole = papers.get(returned.paper)?.text;
  return whole === undefined || whole.slice(returned.start, returned.end) === returned.text
    ? undefined
    : `its passage ${shown(chunkId)} does not stand in the paper where it is said to`;
}

/** Why a quotation that is marked found is not; undefined where nothing can tell. */
function quotationProblem(
  { text, status, from, source = "", start, end, parts }: Quotation,
  seq: number,
  { papers, messages }: Grounds,
): string | undefined {
  if (status === "not found") return undefined;
  if (from === "message") {
    const said = Number(source) < seq ? messages.get(Number(source))?.body : undefined;
    const isThere = said !== undefined &&
      new PassageFinder(said).find(text, { anyParts: true }) !== undefined;
    return isThere ? undefined : `does not stand in message ${source}`;
  }
  if (from !== "paper") return undefined;
  const paper = papers.get(source);
  if (paper === undefined) return `is from a paper that is not there: ${shown(source)}`;
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
