// Verifies quotations and citations against papers, pages and messages.
import { capitalized, saidLine, saidText } from "../../core/text.ts";
import type { Message } from "../../core/message.ts";
import type { PaperHit, SearchHit } from "../../core/search.ts";
import type { FieldsProblem } from "../../core/turn.ts";
import {
  type Citations,
  type LookupHit,
  pageAt,
  type Paper,
  type Quotation,
  type TopicArgument,
  type WebSearchResult,
} from "../../core/paper.ts";
import { PassageFinder, passageKey, type Place } from "../../core/passage_finder.ts";
import { namedPages, type QuotedPassage, quotedPassages } from "../../core/quotations.ts";
import { topicNamed } from "../../core/words.ts";
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

/** A paper with an index for passages of its text. */
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

/** A debater's argument with the status of its citations and quotations. */
interface ArgumentEvidence {
  /** Arguments in the order of the debate's topics; topics not argued are absent. */
  readonly perTopic: readonly TopicArgument[];
  readonly overallPosition: string;
  /** Quotations in the order of topics, without duplicates in a topic; then those of the overall position. */
  readonly quotations: readonly Quotation[];
}

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
  const lookUp = new Quotations(known);
  const perTopic: TopicArgument[] = [];
  const quotations: Quotation[] = [];
  for (const topic of topics) {
    const entry = entryOf(given.filter((each) => topicNamed(each.topic, topics) === topic));
    if (entry === undefined) continue;
    const counterpoints = entry.counterpoints.map((each) => saidLine(each))
      .filter((each) => each !== "").slice(0, MAX_COUNTERPOINTS);
    const said = { claim: saidLine(entry.claim), reasoning: saidText(entry.reasoning) };
    const citations = citationsOf(entry.citations, known);
    perTopic.push({ topic, ...said, counterpoints, citations });
    const texts = [said.claim, said.reasoning, ...counterpoints];
    const found = lookUp.of(texts, entry.citations);
    quotations.push(...found.map((quotation) => ({ ...quotation, topic })));
  }
  const overall = saidText(overallPosition);
  return {
    perTopic,
    overallPosition: overall,
    quotations: [...quotations, ...lookUp.of([overall], { paper: [], web: [] })],
  };
}

/** Returns the first entry with claim and reasoning, else the first with either; undefined without any. */
function entryOf(
  entries: ArgumentFields["perTopic"],
): ArgumentFields["perTopic"][number] | undefined {
  const said = entries.map((entry) =>
    [entry.claim, entry.reasoning].filter((each) => saidText(each))
  );
  const full = said.findIndex(({ length }) => length === 2);
  return entries[full === -1 ? said.findIndex(({ length }) => length === 1) : full];
}

/** Verifies a cross-examination as {@linkcode argumentEvidence} does. */
export function crossEvidence(
  { speech, citations }: CrossFields,
  known: Known,
): { readonly citations: Citations; readonly quotations: readonly Quotation[] } {
  return {
    citations: citationsOf(citations, known),
    quotations: new Quotations(known).of([saidText(speech)], citations),
  };
}

/**
 * Returns the problem of an argument with missing, unknown or duplicate topics, or without a claim or reasoning. After one
 * retry, the argument is accepted with the mark `incomplete`; an argument without any text on a topic fails.
 */
export function argumentProblem(
  { perTopic }: ArgumentFields,
  topics: readonly string[],
): FieldsProblem | undefined {
  const named = perTopic.map((entry) => ({ ...entry, of: topicNamed(entry.topic, topics) }));
  const argued = named.map(({ of }) => of).filter((of) => of !== undefined);
  const without = (field: "claim" | "reasoning") =>
    named.filter((entry) => entry.of !== undefined && saidText(entry[field]) === "")
      .map(({ topic }) => topic);
  const problems = [
    listed("missing", topics.filter((topic) => !argued.includes(topic))),
    listed("not asked for", named.filter(({ of }) => of === undefined).map(({ topic }) => topic)),
    listed("more than once", argued.filter((topic, index) => argued.indexOf(topic) < index)),
    listed("without a claim", without("claim")),
    listed("without reasoning", without("reasoning")),
  ].filter((each) => each !== "");
  if (problems.length === 0) return undefined;
  const wanted = "The topics have to be exactly those given, each once, with a claim and reasoning";
  const reason = `${wanted}. ${problems.join(". ")}. The topics: ${quoted(topics)}`;
  const nothing = entryOf(named.filter(({ of }) => of !== undefined)) === undefined;
  return { reason, maxRetries: 1, mark: "incomplete", ...(nothing ? { fatal: true } : {}) };
}

function listed(what: string, names: readonly string[]): string {
  if (names.length === 0) return "";
  return `${capitalized(what)}: ${quoted([...new Set(names)])}`;
}

function quoted(names: readonly string[]): string {
  return names.map((name) => `"${saidLine(name, LENGTHS.name)}"`).join(", ");
}

function citationsOf({ paper, web }: CitationFields, known: Known): Citations {
  const passages = paper.filter(({ chunkId, text }) => saidText(chunkId + text) !== "")
    .map((cited) => lookupHit(cited, known.passages));
  const pages = web.filter(({ title, url }) => saidText(title + url) !== "")
    .map((cited) => webResult(cited, known.pages));
  return {
    paper: distinctBy(passages, ({ chunkId, text }) => chunkId || text),
    web: distinctBy(pages, ({ title, url }) => addressKey(url) || title),
  };
}

function distinctBy<T>(all: readonly T[], keyOf: (each: T) => string): T[] {
  const keys = new Set<string>();
  return all.filter((each) => keys.size < keys.add(keyOf(each)).size);
}

function lookupHit(
  { chunkId, text }: CitationFields["paper"][number],
  passages: readonly PaperHit[],
): LookupHit {
  const hit = passageNamed(chunkId, passages);
  if (hit === undefined) {
    const claimed = saidLine(text, LENGTHS.claimed);
    return { chunkId: saidLine(chunkId, LENGTHS.id), text: claimed, score: 0, status: "not found" };
  }
  const { page, ...place } = hit;
  const words = saidLine(text);
  const found = words === "" ? undefined : new PassageFinder(hit.text).find(words);
  return {
    ...place,
    ...(page === undefined ? {} : { page }),
    ...(found && { cited: { start: hit.start + found.start, end: hit.start + found.end } }),
    status: "verified",
  };
}

/** Returns the passage of an id, which models may put in brackets, quotation marks or code marks. */
function passageNamed(chunkId: string, passages: readonly PaperHit[]): PaperHit | undefined {
  const bare = chunkId.trim().replace(/^[[("'`]+/, "").replace(/[\])"'`]+$/, "");
  return passages.find((hit) => hit.chunkId === chunkId.trim()) ??
    passages.find((hit) => hit.chunkId === bare);
}

function webResult(
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

/** Finds and verifies a debater's quotations. */
class Quotations {
  readonly #known: Known;
  /** Lazy indexes of pages and messages, searched only for text that no paper has. */
  #others: readonly (Source & { readonly finder: PassageFinder })[] | undefined;

  constructor(known: Known) {
    this.#known = known;
  }

  /** Returns the distinct quotations in texts, then texts cited from a passage that the passage does not contain. */
  of(texts: readonly string[], { paper }: CitationFields): Quotation[] {
    const inTexts = texts.flatMap(quotedPassages).map((passage) => this.#quotation(passage));
    const cited = paper.flatMap((each) => this.#claimed(each) ?? []);
    return distinctBy([...inTexts, ...cited], ({ text }) => passageKey(text));
  }

  /** Returns a quotation for cited text that is not in the cited passage; undefined if it is. */
  #claimed({ chunkId, text }: CitationFields["paper"][number]): Quotation | undefined {
    const hit = passageNamed(chunkId, this.#known.passages);
    const passage = saidLine(text);
    if (hit === undefined || passage === "") return undefined;
    if (new PassageFinder(hit.text).find(passage) !== undefined) return undefined;
    const papers = this.#known.papers.filter(({ paper }) => paper.id === hit.paper);
    return { text: shown(passage), ...(inPapers(passage, papers) ?? { status: "not found" }) };
  }

  #quotation(passage: QuotedPassage): Quotation {
    const place = inPapers(passage.text, this.#known.papers, namedPages(passage)) ??
      this.#elsewhere(passage);
    return { text: shown(passage.text), ...place };
  }

  #elsewhere({ text, before, after }: QuotedPassage): Omit<Quotation, "text"> {
    const { pages, messages } = this.#known;
    const of = (from: "web" | "message", source: string, text: string) => {
      return { from, source, finder: new PassageFinder(text) };
    };
    this.#others ??= [
      ...pages.flatMap((
        { title, snippet, url },
      ) => [of("web", url, snippet), of("web", url, title)]),
      ...messages.map(({ seq, body }) => of("message", String(seq), body)),
    ];
    for (const { from, source, finder } of this.#others) {
      const found = finder.find(text);
      if (found === undefined) continue;
      const { parts } = found;
      if (from === "web") {
        return { status: "verified", from, source, ...(parts === undefined ? {} : { parts }) };
      }
      if (!this.#isOfPaper(`${before} ${after}`)) return { status: "said", from, source };
    }
    return { status: "not found" };
  }

  /** Returns true if the words around a quotation attribute it to a paper. */
  #isOfPaper(words: string): boolean {
    const { papers, messages } = this.#known;
    if (SPEAKER_WORDS.test(words) || messages.some(({ name }) => words.includes(name))) {
      return false;
    }
    return PAPER_WORDS.test(words) ||
      papers.some(({ paper: { title } }) => title !== "" && words.includes(title));
  }
}

type Source = Required<Pick<Quotation, "from" | "source">>;

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
