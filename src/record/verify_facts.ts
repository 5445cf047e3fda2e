// Checks readable truth files: names, numbers, sums, references, and the quotations and citations of evidence. Checks the log.
import {
  citationsOf,
  type LookupHit,
  type Paper,
  paperFile,
  type Quotation,
} from "../core/paper.ts";
import type { SearchHit } from "../core/search.ts";
import type { Brief, Evidence, Fact, FactCheck, Flow, LookUp, Score } from "../core/fact.ts";
import type { Message } from "../core/message.ts";
import { oneLine } from "../core/text.ts";
import { isBuiltIn } from "../config/setting.ts";
import { PassageFinder } from "../core/passage_finder.ts";
import { MAX_QUOTED_LENGTH } from "../core/quotations.ts";
import { mean, round4 } from "../core/statistics.ts";
import { weightedTotal } from "../judging/scoring.ts";
import { pagesIn, passagesIn } from "../papers/tools.ts";
import { aboutOf, factPath, fieldOf, namingOf, needsOf, rowOf } from "./codec.ts";
import type { LoggedLine } from "./log.ts";
import { RESTORE } from "./problems.ts";
import type { Finding } from "./read.ts";
import type { RecordContents } from "./record_model.ts";
import { factualityOf } from "../core/claims.ts";

/** Indexes over facts and papers for the checks. */
interface Known {
  readonly isCompleted: boolean;
  /** Ids of participants and judges. */
  readonly ids: ReadonlySet<string>;
  /** Configured positions by participant; empty for a program's kind, whose turns may have other positions. */
  readonly positions: ReadonlyMap<string, string | undefined>;
  readonly messages: ReadonlyMap<number, Message>;
  /** Numbers of failed turns. */
  readonly failed: ReadonlySet<number>;
  readonly papers: ReadonlyMap<string, Paper>;
  readonly lookUps: readonly LookUp[];
  /** Texts of sources and papers, by path in the directory. */
  readonly texts: ReadonlyMap<string, string>;
  /** Numbers of the messages that a point's id occurs in, by id. */
  readonly points: ReadonlyMap<string, readonly { readonly message: number }[]>;
}

function knownOf({ start, status, facts }: RecordContents): Known {
  const messages = facts.filter((fact) => fact.type === "message");
  const points = facts.filter((fact) => fact.type === "flow")
    .flatMap(({ message, points }) => points.map(({ id }) => ({ id, message })));
  return {
    isCompleted: status === "completed",
    ids: new Set([...start.participants, ...start.judges].map(({ id }) => id)),
    positions: new Map(
      isBuiltIn(start.kind) ? start.participants.map(({ id, position }) => [id, position]) : [],
    ),
    messages: new Map(messages.map((message) => [message.seq, message])),
    failed: new Set(facts.flatMap((fact) => fact.type === "failure" ? [fact.seq] : [])),
    papers: new Map((start.papers ?? []).map((paper) => [paper.id, paper])),
    lookUps: facts.filter((fact) => fact.type === "lookup"),
    texts: new Map([
      ...start.sources.map(({ name, text }) => [`sources/${name}`, text] as const),
      ...(start.papers ?? []).map(({ text }, index) => [paperFile(index), text] as const),
    ]),
    points: Map.groupBy(points, ({ id }) => id),
  };
}

/** Finds lines of the log that are not events, are out of order, or announce a missing message. */
export function* checkLog(
  log: readonly (LoggedLine | undefined)[],
  seqs: ReadonlySet<number>,
): Generator<Finding> {
  let last = 0;
  for (const [at, line] of log.entries()) {
    const { n = 0, message } = line ?? {};
    const problem = line === undefined
      ? "it is not an event"
      : n <= last
      ? `its number ${n} does not follow ${last}`
      : message !== undefined && !seqs.has(message)
      ? `it announces message ${message}, which is missing`
      : undefined;
    last = Math.max(last, n);
    if (problem === undefined) continue;
    yield {
      path: "log.jsonl",
      problem: `line ${at + 1}: ${problem}`,
      fix: message === undefined
        ? "Remove the log and write it again: convenings index DIR."
        : `Put the file of message ${message} back, or fork before it.`,
    };
  }
}

/** Finds problems in names, numbers, keys, sums and references of truth files. */
export function checkFacts(contents: RecordContents): Finding[] {
  const facts = [...contents.files.values()];
  const known = knownOf({ ...contents, facts });
  const naming = namingOf({ start: contents.start, facts });
  const findings = [...duplicates(contents.files), ...gaps(facts, known)];
  for (const [path, fact] of contents.files) {
    const check = CHECKS[fact.type] as Check<Fact> | undefined;
    const expected = factPath(fact, naming);
    const problems = [
      path === expected
        ? undefined
        : `its name does not fit its front matter, which asks for ${expected}`,
      ...referenceProblems(fact, known),
      ...check?.(fact, known) ?? [],
    ];
    for (const problem of problems) {
      if (problem !== undefined) findings.push({ path, problem, fix: RESTORE });
    }
  }
  return findings;
}

/** Finds files that share a value that the table of facts declares unique. */
function* duplicates(files: RecordContents["files"]): Generator<Finding> {
  const seen = new Map<string, string>();
  for (const [path, fact] of files) {
    for (const [what, field] of Object.entries(rowOf(fact).unique ?? {})) {
      const key = `${what} ${JSON.stringify(fieldOf(fact, field))}`;
      const first = seen.get(key);
      seen.set(key, first ?? path);
      if (first === undefined) continue;
      const fix = "Remove the one that is not the convening's own.";
      yield { path, problem: `it has the same ${key} as ${first}`, fix };
    }
  }
}

/** Finds missing messages of a completed convening; reading the record finds those that other facts need. */
function* gaps(facts: readonly Fact[], { isCompleted, messages, failed }: Known) {
  const needed = facts.flatMap((fact) => [...needsOf(fact)].map(([seq]) => seq));
  const last = isCompleted ? Math.max(0, ...messages.keys()) : 0;
  let next = 1;
  for (const seq of [...messages.keys(), ...failed, ...needed].sort((a, b) => a - b)) {
    if (seq > next && seq <= last) {
      const lost = seq - next === 1 ? `message ${next} is` : `messages ${next} to ${seq - 1} are`;
      yield {
        path: "messages",
        problem: `${lost} missing, though the convening is completed`,
        fix: "Put the files of the missing messages back, or fork before them.",
      };
    }
    next = seq + 1;
  }
}

function* referenceProblems(fact: Fact, known: Known): Generator<string> {
  const { isRemade = false, ids, ...row } = rowOf(fact);
  const shares: readonly string[] = row.shares ?? [];
  for (const id of ids?.(fact) ?? []) {
    if (!known.ids.has(id)) yield `metadata.md knows no participant "${id}"`;
  }
  const about = aboutOf(fact) ?? 0;
  const message = known.messages.get(about);
  if (fact.type === "message") {
    for (const [seq] of needsOf(fact)) {
      if (seq >= about) yield `it refers to a message that is not before it (${seq})`;
    }
  } else if (message !== undefined) {
    for (const field of shares) {
      const [is, should] = [fieldOf(fact, field), fieldOf(message, field)];
      if (is !== should) yield `its ${field} is ${is}, but that of message ${about} is ${should}`;
    }
  } else if (known.isCompleted && about > 0 && !known.failed.has(about)) {
    if (isRemade || shares.includes("turn")) yield `it is about message ${about}, which is missing`;
  }
}

/** Finds problems in numbers, states and references of facts of one type. */
type Check<F extends Fact> = (fact: F, known: Known) => Iterable<string | undefined>;

const CHECKS: { readonly [T in Fact["type"]]?: Check<Extract<Fact, { type: T }>> } = {
  message: ({ participant, position }, { positions }) => {
    const expected = positions.get(participant) ?? position;
    return position === undefined || position === expected
      ? []
      : [`its position is ${shown(position)}, but that of ${participant} is ${shown(expected!)}`];
  },
  score: (score) => {
    const { status, total, criteria } = score;
    if (status === "scored") {
      return hasSoundNumbers(score)
        ? []
        : ["its weights, numbers, scale, topics and total do not fit each other"];
    }
    return total === undefined && Object.keys(criteria).length === 0
      ? []
      : ["it has numbers, though its status is unscored"];
  },
  verdict: ({ winner, status, order }) =>
    winner === null || (status === "read" && order.includes(winner))
      ? []
      : [`its winner "${winner}" is not one of the sides of a read verdict`],
  "fact-check": factCheckProblems,
  stance: ({ status, stances }) =>
    status === "unread" && stances.length > 0
      ? ["it has stances, though its status is unread"]
      : [],
  flow: flowProblems,
  brief: quotationProblems,
  evidence: evidenceProblems,
};

/**
 * Returns true if the weights of a score sum to 1, each criterion has a weight and a number on the scale, a number as judged was
 * capped, and the total is the weighted sum. Before caps, a criterion of a score on several topics is the mean over the topics.
 */
function hasSoundNumbers(
  { weights, criteria, judged = {}, total, topics, scale: [low, high] }: Score,
): boolean {
  const isOnScale = (value = NaN) => value >= low && value <= high;
  const sum = Object.values(weights).reduce((all, each) => all + each, 0);
  const isFit = Object.keys({ ...weights, ...criteria, ...judged }).every((id) => {
    const given = judged[id] ?? criteria[id];
    const numbers = topics?.map((topic) => topic.criteria[id] ?? NaN);
    return weights[id] !== undefined && [criteria[id], given, ...numbers ?? []].every(isOnScale) &&
      (numbers === undefined || round4(mean(numbers) ?? NaN) === given) &&
      (judged[id] === undefined || judged[id] > criteria[id]!);
  });
  return isFit && Math.abs(sum - 1) <= 1e-9 && total === weightedTotal(criteria, weights);
}

/** Finds a factuality that does not follow from the claims, and quoted words that are not in the message, source or paper. */
function* factCheckProblems(
  { message, status, claims, factuality }: FactCheck,
  { messages, texts }: Known,
): Generator<string> {
  const expected = status === "unchecked" ? null : factualityOf([{ claims }]);
  if ((factuality === null ? null : round4(factuality)) !== expected) {
    yield `its factuality is ${factuality}, but its status and claims make it ${expected}`;
  }
  const isSaid = wordsOf(messages.get(message));
  for (const { quote, sources } of claims) {
    if (quote !== undefined && isSaid?.(quote) === false) {
      yield `it quotes words that are not in message ${message}: ${shown(quote)}`;
    }
    for (const { url, snippet } of sources) {
      // An excerpt is a part of the text to the letter, and may end within a word.
      if (texts.get(url)?.includes(snippet) ?? true) continue;
      yield `it quotes words that are not in ${url}: ${shown(snippet)}`;
    }
  }
}

/** Returns the test whether a message has words that `exactWords` found: on one line, and at the maximum length cut within a word. */
function wordsOf(message: Message | undefined): ((words: string) => boolean) | undefined {
  if (message === undefined) return undefined;
  const line = message.body.replace(/\s+/gu, " ");
  const finder = new PassageFinder(line);
  return (words) =>
    finder.find(words, { lenient: true }) !== undefined ||
    (words.length >= MAX_QUOTED_LENGTH && line.includes(words));
}

/** Finds problems of points: duplicate ids, references to points of no earlier message, quotations not in the message. */
function* flowProblems({ message, points }: Flow, known: Known): Generator<string> {
  const isSaid = wordsOf(known.messages.get(message));
  for (const { id, answers, quote } of points) {
    if (known.points.get(id)!.length > 1) yield `another point has the id ${id} of its point`;
    for (const other of answers) {
      if (known.points.get(other)?.some((turn) => turn.message < message) === true) continue;
      yield `its point ${id} refers to ${other}, and no turn before has that point`;
    }
    if (isSaid?.(quote) === false) {
      yield `the words of its point ${id} are not in message ${message}`;
    }
  }
}

/** Finds quotations of a brief that are not in the named message. */
function* quotationProblems(
  { strongest = [], cruxes }: Brief,
  { messages }: Known,
): Generator<string> {
  for (const { message, quote } of [...strongest, ...cruxes]) {
    if (message === undefined || quote === undefined) continue;
    const isSaid = wordsOf(messages.get(message));
    if (isSaid === undefined) yield `it quotes message ${message}, which is missing`;
    else if (!isSaid(quote)) {
      yield `words that it quotes are not in message ${message}: “${oneLine(quote, 80)}”`;
    }
  }
}

/** Checks evidence against the papers, messages and look-ups of the record. */
function* evidenceProblems(
  evidence: Evidence,
  known: Known,
): Generator<string> {
  const { seq, participant, posture, quotations } = evidence;
  const position = known.messages.get(seq)?.position;
  if (position !== undefined && position !== posture) {
    yield `its posture is not the position of message ${seq}`;
  }
  const own = known.lookUps.filter((each) => each.participant === participant && each.seq <= seq);
  const passages = new Map(passagesIn(own).map((hit) => [hit.chunkId, hit]));
  // Searches may return other excerpts of the same page.
  const pages = own.flatMap((lookUp) => pagesIn([lookUp]));
  const cited = citationsOf(evidence);
  for (const hit of cited.flatMap(({ paper = [] }) => paper)) {
    if (hit.status !== "verified" || isReturned(hit, passages.get(hit.chunkId), known)) continue;
    yield `it marks passage ${
      shown(hit.chunkId)
    } verified, which no look-up of the debater returned so`;
  }
  for (const page of cited.flatMap(({ web = [] }) => web)) {
    // Files have no lone surrogates, which the JSON of a look-up escapes.
    const isPage = ({ url, title, snippet }: SearchHit) =>
      url === page.url && title.toWellFormed() === page.title &&
      snippet.toWellFormed() === page.snippet;
    if (page.status !== "verified" || pages.some(isPage)) continue;
    yield `it marks the page ${
      shown(page.url)
    } verified, which no search of the debater returned so`;
  }
  for (const quotation of quotations) {
    if (isThere(quotation, { seq, pages, ...known })) continue;
    const { status, text, from, source = "", start, end } = quotation;
    const place = `${from} ${source}${start === undefined ? "" : ` at ${start} to ${end}`}`;
    yield `it marks a quotation ${status} (${shown(text)}) that is not in ${place}`;
  }
}

/** Returns true if a look-up returned a passage as it is cited, and the paper has the passage at its place. */
function isReturned(
  { text, start, end, paper, cited }: LookupHit,
  returned: ReturnType<typeof passagesIn>[number] | undefined,
  { papers }: Known,
): boolean {
  if (returned === undefined) return false;
  const { start: first = returned.start, end: last = returned.end } = cited ?? {};
  const whole = papers.get(returned.paper)?.text;
  return returned.text === text && (start ?? returned.start) === returned.start &&
    (end ?? returned.end) === returned.end && (paper ?? returned.paper) === returned.paper &&
    first >= returned.start && last > first && last <= returned.end &&
    (whole === undefined || whole.slice(returned.start, returned.end) === text);
}

/** Returns false if a quotation is marked as found in a paper, a web page or a message and is not there. */
function isThere(
  { text, status, from, source = "", start, end, parts }: Quotation,
  { seq, pages, papers, messages }: Pick<Known, "papers" | "messages"> & {
    readonly seq: number;
    /** Pages that the debater's searches returned. */
    readonly pages: readonly SearchHit[];
  },
): boolean {
  if (status === "not found") return true;
  const isIn = (words: string) =>
    new PassageFinder(words).find(text, { lenient: true }) !== undefined;
  if (from === "message") {
    return Number(source) < seq && isIn(messages.get(Number(source))?.body ?? "");
  }
  if (from === "web") {
    return pages.some(({ url, title, snippet }) => url === source && [snippet, title].some(isIn));
  }
  const stated = papers.get(source)?.text.slice(start, end);
  if (stated === undefined || start === undefined || end === undefined) return false;
  const place = new PassageFinder(stated).find(text, { lenient: true });
  return place?.start === 0 && place.end === stated.length &&
    (parts === undefined || parts.length === place.parts?.length) &&
    (parts ?? []).every((part, at) =>
      part.start === start + (place.parts?.[at]?.start ?? NaN) &&
      part.end === start + (place.parts?.[at]?.end ?? NaN)
    );
}

function shown(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 79)}…` : text);
}
