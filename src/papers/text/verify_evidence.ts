// Verifies quotations and citations against papers, pages and messages.
import { saidLine, saidText } from "../../core/text.ts";
import { defined, distinctBy, memoByObject } from "../../core/values.ts";
import type { Evidence } from "../../core/fact.ts";
import type { Message } from "../../core/message.ts";
import type { PaperHit, SearchHit } from "../../core/search.ts";
import type { FieldsProblem } from "../../core/turn.ts";
import {
  type LookupHit,
  pageAt,
  type Paper,
  type Quotation,
  type TopicArgument,
  type WebSearchResult,
} from "../../core/paper.ts";
import { PassageFinder, passageKey, type Place, wordWeight } from "../../core/passage_finder.ts";
import {
  MIN_WORDS,
  namedPages,
  type QuotedPassage,
  quotedPassages,
} from "../../core/quotations.ts";
import { topicNamed } from "../../core/words.ts";
import { fieldsProblem, named } from "./lists.ts";
import type { ArgumentFields, CitationFields, CrossFields } from "./replies.ts";

/** Maximum code points of unverified ids, passages, titles and URLs, of quotations, and of topics in problems. */
const LENGTHS = {
  id: 200,
  claimed: 500,
  title: 200,
  url: 500,
  quotation: 1_500,
  name: 80,
} as const;
/** Maximum counterpoints per topic (context-network/rules/paper_debate.md). */
const MAX_COUNTERPOINTS = 2;

/** Words that attribute a quotation to a paper; below, words that attribute it to a speaker. */
const PAPER_WORDS =
  /(?<!\p{L})(?:papers?|articles?|stud(?:y|ies)|authors?|abstract|preprint|manuscript|publication|researchers|sections?|tables?|figures?|pages?|pp?\.\s*\d|et al)(?!\p{L})/iu;
const SPEAKER_WORDS =
  /(?<!\p{L})(?:debaters?|advocates?|opponents?|rivals?|moderator|questioner|you|your|(?:message|turn)s?\s+\d+)(?!\p{L})/iu;

export interface KnownPaper {
  readonly paper: Paper;
  readonly finder: PassageFinder;
}

/** Texts that a debater may quote and cite. */
export interface Known {
  readonly papers: readonly KnownPaper[];
  /** Passages returned by the debater's look-ups. */
  readonly passages: readonly PaperHit[];
  /** Pages returned by the debater's web searches. */
  readonly pages: readonly SearchHit[];
  /** Messages in the debater's prompt. */
  readonly messages: readonly Message[];
}

type FoundEvidence = Pick<Evidence, "citations" | "quotations">;

/** Arguments and quotations in the order of the debate's topics, then the quotations of the overall position. */
type ArgumentEvidence = Pick<Evidence, "perTopic" | "overallPosition" | "quotations">;

/** Returns papers with lazy indexes, shared by all turns of a debate. */
export function knownPapers(papers: readonly Paper[]): readonly KnownPaper[] {
  return papers.map((paper) => ({ paper, finder: new PassageFinder(paper.text) }));
}

/**
 * Verifies a debater's argument (context-network/rules/paper_debate.md). A citation is verified if a look-up or search of the
 * debater returned it; it then has the returned text, not the debater's. A quotation is verified if it is in a paper or in a
 * returned page; if only an earlier message has it, it is `said`. Unknown topics are dropped; of several entries on a topic,
 * the first with claim and reasoning is used.
 */
export function argumentEvidence(
  { perTopic: given, overallPosition }: ArgumentFields,
  known: Known,
  { topics }: { readonly topics: readonly string[] },
): ArgumentEvidence {
  const perTopic: TopicArgument[] = [];
  const quotations: Quotation[] = [];
  for (const topic of topics) {
    const entry = entryOf(given.filter((each) => topicNamed(each.topic, topics) === topic));
    if (entry === undefined) continue;
    const claim = saidLine(entry.claim);
    const reasoning = saidText(entry.reasoning);
    const counterpoints = entry.counterpoints.map((each) => saidLine(each))
      .filter((each) => each !== "").slice(0, MAX_COUNTERPOINTS);
    const texts = [claim, reasoning, ...counterpoints];
    const found = evidenceOf(texts, entry.citations, known);
    perTopic.push({ topic, claim, reasoning, counterpoints, citations: found.citations });
    quotations.push(...found.quotations.map((quotation) => ({ ...quotation, topic })));
  }
  const overall = saidText(overallPosition);
  const rest = evidenceOf([overall], { paper: [], web: [] }, known);
  return { perTopic, overallPosition: overall, quotations: [...quotations, ...rest.quotations] };
}

/** Returns the first entry with claim and reasoning, else the first with either; undefined without any. */
function entryOf(
  entries: ArgumentFields["perTopic"],
): ArgumentFields["perTopic"][number] | undefined {
  const has = ({ claim, reasoning }: typeof entries[number]) =>
    [claim, reasoning].filter((each) => saidText(each) !== "").length;
  return entries.find((entry) => has(entry) === 2) ?? entries.find((entry) => has(entry) === 1);
}

/** Verifies a cross-examination as {@linkcode argumentEvidence} does. */
export function crossEvidence({ speech, citations }: CrossFields, known: Known): FoundEvidence {
  return evidenceOf([saidText(speech)], citations, known);
}

/**
 * Returns the problem of an argument with missing, unknown or duplicate topics, or without a claim or reasoning. After one
 * retry, the argument is accepted with the mark `incomplete`; an argument without any text on a topic fails.
 */
export function argumentProblem(
  { perTopic }: ArgumentFields,
  topics: readonly string[],
): FieldsProblem | undefined {
  const all = perTopic.map((entry) => ({ ...entry, of: topicNamed(entry.topic, topics) }));
  const asked = all.filter(({ of }) => of !== undefined);
  const argued = asked.map(({ of }) => of!);
  const without = (field: "claim" | "reasoning") =>
    asked.filter((entry) => saidText(entry[field]) === "");
  const problems = ([
    ["Missing", topics.filter((topic) => !argued.includes(topic))],
    ["Not asked for", namesOf(all.filter(({ of }) => of === undefined))],
    ["More than once", argued.filter((topic, index) => argued.indexOf(topic) < index)],
    ["Without a claim", namesOf(without("claim"))],
    ["Without reasoning", namesOf(without("reasoning"))],
  ] as const).flatMap(([problem, names]) => named(problem, [...new Set(names)], LENGTHS.name));
  if (problems.length === 0) return undefined;
  const wanted = "The topics have to be exactly those given, each once, with a claim and reasoning";
  const whole = [wanted, ...problems, ...named("The topics", topics, LENGTHS.name)];
  return fieldsProblem(whole, { mark: "incomplete", isFatal: entryOf(asked) === undefined });
}

function namesOf(entries: ArgumentFields["perTopic"]): string[] {
  return entries.map(({ topic }) => topic);
}

/**
 * Returns the citations, and the distinct quotations: those in the texts, then words that are cited from a passage that does
 * not contain them, or that no look-up of the turn returned.
 */
function evidenceOf(
  texts: readonly string[],
  { paper, web }: CitationFields,
  known: Known,
): FoundEvidence {
  const cited = paper.filter(({ chunkId, text }) => saidText(chunkId + text) !== "")
    .map((each) => citedPassage(each, known));
  const pages = web.filter(({ title, url }) => saidText(title + url) !== "")
    .map((each) => citedPage(each, known.pages));
  const passages = cited.flatMap(({ hit }) => hit ?? []);
  const quoted = texts.flatMap(quotedPassages).map((passage) => quotationOf(passage, known));
  const misquoted = cited.flatMap((each) => each.misquoted ?? []);
  return {
    citations: {
      paper: distinctBy(passages, ({ chunkId, text }) => chunkId || text),
      web: distinctBy(pages, ({ title, url }) => addressKey(url) || title),
    },
    quotations: distinctBy([...quoted, ...misquoted], ({ text }) => passageKey(text)),
  };
}

/** Returns a cited passage; also, or for a passage that was not returned, a quotation of the cited words. */
function citedPassage(
  { chunkId, text }: CitationFields["paper"][number],
  { passages, papers }: Known,
): { readonly hit?: LookupHit; readonly misquoted?: Quotation } {
  const passage = passageNamed(chunkId, passages);
  const words = shown(text);
  if (passage === undefined) {
    const place = wordWeight(words) < MIN_WORDS ? undefined : inPapers(words, papers);
    if (place !== undefined) return { misquoted: { text: words, ...place } };
    const claimed = {
      chunkId: saidLine(chunkId, LENGTHS.id),
      text: saidLine(text, LENGTHS.claimed),
    };
    return { hit: { ...claimed, score: 0, status: "not found" } };
  }
  const hit = defined(passage);
  if (words === "") return { hit: { ...hit, status: "verified" } };
  const found = new PassageFinder(passage.text).find(words);
  if (found === undefined) {
    const own = papers.filter(({ paper }) => paper.id === passage.paper);
    const place = inPapers(words, own) ?? { status: "not found" };
    return { hit: { ...hit, status: "verified" }, misquoted: { text: words, ...place } };
  }
  const cited = { start: passage.start + found.start, end: passage.start + found.end };
  return { hit: { ...hit, cited, status: "verified" } };
}

/** Returns the passage of an id, which models may put in brackets, quotation marks or code marks. */
function passageNamed(chunkId: string, passages: readonly PaperHit[]): PaperHit | undefined {
  const bare = chunkId.trim().replace(/^[[("'`]+/, "").replace(/[\])"'`]+$/, "");
  return passages.find((hit) => hit.chunkId === chunkId.trim()) ??
    passages.find((hit) => hit.chunkId === bare);
}

function citedPage(
  { title, url }: CitationFields["web"][number],
  pages: readonly SearchHit[],
): WebSearchResult {
  const key = addressKey(url);
  const page = key === "" ? undefined : pages.find((each) => addressKey(each.url) === key);
  if (page !== undefined) {
    return { title: page.title, url: page.url, snippet: page.snippet, status: "verified" };
  }
  const claimed = { title: saidLine(title, LENGTHS.title), url: saidLine(url, LENGTHS.url) };
  return { ...claimed, snippet: "", status: "not found" };
}

/** Returns a normalized URL to compare pages, without the fragment and trailing slashes. */
function addressKey(address: string): string {
  const line = saidLine(address).replace(/^<(.*)>$/, "$1");
  const url = URL.parse(line);
  if (url === null) return line;
  url.hash = "";
  url.pathname = url.pathname.replace(/\/+$/, "");
  return url.href;
}

function quotationOf(passage: QuotedPassage, known: Known): Quotation {
  const place = inPapers(passage.text, known.papers, namedPages(passage)) ??
    elsewhere(passage, known);
  return { text: shown(passage.text), ...place };
}

/** Returns the snippets, titles and messages with finders, which are searched only for text that no paper has. */
const othersOf = memoByObject(({ pages, messages }: Known) => {
  const of = (from: "web" | "message", source: string, text: string) => {
    return { from, source, finder: new PassageFinder(text) };
  };
  return [
    ...pages.flatMap(({ title, snippet, url }) => [of("web", url, snippet), of("web", url, title)]),
    ...messages.map(({ seq, body }) => of("message", String(seq), body)),
  ];
});

function elsewhere(
  { text, before, after }: QuotedPassage,
  known: Known,
): Omit<Quotation, "text"> {
  for (const { from, source, finder } of othersOf(known)) {
    const found = finder.find(text);
    if (found === undefined) continue;
    const { parts } = found;
    if (from === "web") return { status: "verified", from, source, ...parts && { parts } };
    if (!isOfPaper(`${before} ${after}`, known)) return { status: "said", from, source };
  }
  return { status: "not found" };
}

/** Returns true if the words around a quotation attribute it to a paper. */
function isOfPaper(words: string, { papers, messages }: Known): boolean {
  if (SPEAKER_WORDS.test(words) || messages.some(({ name }) => words.includes(name))) return false;
  return PAPER_WORDS.test(words) ||
    papers.some(({ paper: { title } }) => title !== "" && words.includes(title));
}

function shown(passage: string): string {
  return saidLine(passage, LENGTHS.quotation);
}

/** Locates a passage in the first paper that contains it, on the named pages if possible, else the first occurrence. */
function inPapers(
  passage: string,
  papers: readonly KnownPaper[],
  named?: ReturnType<typeof namedPages>,
): Omit<Quotation, "text"> | undefined {
  for (const { paper, finder } of papers) {
    const first = finder.find(passage);
    if (first === undefined) continue;
    const { from = 1, to = Infinity } = named ?? {};
    const isNamed = ({ start, end }: Place) =>
      (pageAt(paper, start) ?? from) <= to && (pageAt(paper, end - 1) ?? from) >= from;
    const later = isNamed(first) ? first : finder.find(passage, { from: paper.pages?.[from - 1] });
    const { parts, ...place } = later !== undefined && isNamed(later) ? later : first;
    return {
      status: "verified",
      from: "paper",
      source: paper.id,
      ...placeOf(paper, place),
      ...(parts === undefined ? {} : { parts: parts.map((part) => placeOf(paper, part)) }),
      ...(isNamed(place) ? {} : { namedPage: from }),
    };
  }
  return undefined;
}

function placeOf(paper: Paper, { start, end }: Place): Place & Pick<Quotation, "page"> {
  const page = pageAt(paper, start);
  return { start, end, ...(page === undefined ? {} : { page }) };
}
