// Formats arguments as markdown, and parses them back.
import type { Evidence } from "../../core/fact.ts";
import {
  type Citations,
  type LookupHit,
  markOf,
  placeText,
  type Quotation,
  type TopicArgument,
  type Verification,
  type WebSearchResult,
} from "../../core/paper.ts";
import { unescapedMarkdown } from "../../core/text.ts";
import { topicNamed, wordKey } from "../../core/words.ts";
import {
  codeMarkdown,
  lineMarkdown,
  linkableAddress,
  proseMarkdown,
  wordsMarkdown,
} from "./lists.ts";
import { withSentencesAround } from "./excerpt.ts";

/** Maximum code points of a cited passage without marked words. */
const SHOWN = 200;

const OVERALL = "Overall position";
const CLAIM = "**Claim.**";
const COUNTERPOINTS = "**Counterpoints:**";
const EVIDENCE = "**Evidence:**";
const QUOTATIONS = "**Quotations:**";
const VERIFIED = "**verified**";
const NOT_FOUND = "**not found**";
/** Mark of a citation without a status, passed by a program. */
const NOT_LOOKED_UP = "not looked up";

const HEADING = /^ {0,3}#{1,6}[ \t]+(\S.*)$/;
const CLAIM_LINE = /^(?:\*\*)?Claim[.:](?:\*\*)?:?\s+(?=\S)/i;
const COUNTERPOINTS_LINE = /^(?:\*\*)?Counterpoints?:(?:\*\*)?$/i;
const ITEM = /^ {0,3}(?:[-*+•]|\d{1,3}[.)])\s+(.*)$/u;
const MARKED =
  /^- .* — (?:\*\*(?:verified(?:, with omissions)?|not found|said in message \d+)\*\*|not looked up$)/;
const SENTENCE_END = /(?<![.!?…])[.!?…]+["'”’)\]]*(?=\s)|[。！？]/u;

type ArgumentSpeech = Pick<Evidence, "perTopic" | "overallPosition" | "quotations">;
type CrossMarks = Pick<Evidence, "citations" | "quotations">;

/**
 * Returns an argument as markdown: for every topic a heading, claim, reasoning, and lists of counterpoints, evidence and
 * quotations with marks; then the overall position. The debater's text is escaped by {@linkcode proseMarkdown}: it contains
 * no blocks, tags, links or images, and no bold text, so that bold labels and marks are always computed. A URL that no search
 * returned is shown as code.
 */
export function argumentBody({ perTopic, overallPosition, quotations }: ArgumentSpeech): string {
  const topics = perTopic.flatMap((argument) => topicParts(argument, quotations));
  const unplaced = quotations.filter(({ topic }) =>
    topic === undefined || !perTopic.some((argument) => argument.topic === topic)
  );
  const overall = [proseMarkdown(overallPosition), ...quotationParts(unplaced)].filter(Boolean);
  return [...topics, ...(overall.length === 0 ? [] : [heading(OVERALL), ...overall])].join("\n\n");
}

/** Returns a cross-examination as markdown: the speech, then evidence and quotations as in {@linkcode argumentBody}. */
export function crossBody(speech: string, { citations, quotations }: CrossMarks): string {
  return [proseMarkdown(speech), ...evidenceParts(citations), ...quotationParts(quotations)]
    .filter(Boolean).join("\n\n");
}

/**
 * Parses the argument in a message that has no evidence on record, such as a person's or an edited one. A section is the text
 * under a heading that names a topic. Its claim is the line `**Claim.**`, else the first sentence; its counterpoints are the
 * list under `Counterpoints:`; the rest is reasoning. Other text is the overall position. Lists of evidence are ignored,
 * because their marks are computed.
 */
export function argumentIn(
  body: string,
  topics: readonly string[],
): Pick<ArgumentSpeech, "perTopic" | "overallPosition"> {
  const sections = new Map<string, string[]>();
  const overall: string[] = [];
  let lines = overall;
  for (const line of body.replace(/\r\n?/g, "\n").split("\n")) {
    const name = headingIn(line);
    const open = name === undefined ? [] : topics.filter((each) => !sections.has(each));
    const topic = topicNamed(name ?? "", open);
    if (topic !== undefined) sections.set(topic, lines = []);
    else if (name !== undefined && wordKey(name) === wordKey(OVERALL)) lines = overall;
    else lines.push(line);
  }
  const perTopic = topics.flatMap((topic) => {
    const own = sections.get(topic);
    return own === undefined ? [] : argumentOn(topic, own) ?? [];
  });
  return { perTopic, overallPosition: proseIn(overall) };
}

function topicParts(argument: TopicArgument, quotations: readonly Quotation[]): string[] {
  const { topic, claim, reasoning, counterpoints, citations } = argument;
  return [
    heading(topic),
    claim === "" ? "" : `${CLAIM} ${lineMarkdown(claim)}`,
    proseMarkdown(reasoning),
    ...list(COUNTERPOINTS, counterpoints.map((each) => lineMarkdown(each))),
    ...evidenceParts(citations),
    ...quotationParts(quotations.filter((each) => each.topic === topic)),
  ].filter(Boolean);
}

function heading(name: string): string {
  return `## ${wordsMarkdown(name).replace(/(^|\s)(#+)$/, "$1\\$2")}`;
}

function list(label: string, items: readonly string[]): string[] {
  return items.length === 0 ? [] : [label, items.map((item) => `- ${item}`).join("\n")];
}

function evidenceParts(citations: Citations): string[] {
  return list(EVIDENCE, evidenceItems(citations, []));
}

function quotationParts(quotations: readonly Quotation[]): string[] {
  return list(QUOTATIONS, evidenceItems({}, quotations));
}

type PaperName = (id: string) => string;

const paperById: PaperName = (id) => `paper ${codeMarkdown(id)}`;

/** Returns citations and quotations as items of a markdown list, each with a mark and, if verified, its place. */
export function evidenceItems(
  { paper = [], web = [] }: Citations,
  quotations: readonly Quotation[],
  paperName: PaperName = paperById,
): string[] {
  return [
    ...paper.map((hit) => passageItem(hit, paperName)),
    ...web.map(pageItem),
    ...quotations.map((quotation) => quotationItem(quotation, paperName)),
  ];
}

/** Returns a passage as markdown: the cited words in bold with the sentences around them, else the first 200 code points. */
function passageMarkdown({ text, start = 0, cited }: LookupHit): string {
  if (cited?.start === undefined || cited.end === undefined) return wordsMarkdown(text, SHOWN);
  const [from, to] = [cited.start - start, cited.end - start];
  const [first, last] = withSentencesAround(text, from, to);
  const before = `${first > 0 ? "… " : ""}${text.slice(first, from)}`;
  const after = `${text.slice(to, last)}${last < text.length ? " …" : ""}`;
  const words = linePart(text.slice(from, to));
  return `${linePart(before)}**${words.trim()}**${linePart(after)}`.trim();
}

/** Escapes a part of a line and keeps one space at either end; doubles a final backslash. */
function linePart(text: string): string {
  const words = wordsMarkdown(text).replace(/(?<!\\)(?:\\\\)*\\$/, "$&\\");
  return `${/^\s/u.test(text) ? " " : ""}${words}${words !== "" && /\s$/u.test(text) ? " " : ""}`;
}

function passageItem(hit: LookupHit, paperName: PaperName): string {
  const { chunkId, text, status } = hit;
  const words = text.trim() === "" ? "" : `: “${passageMarkdown(hit)}”`;
  const mark = status === "verified"
    ? `${VERIFIED}, ${placeOf({ ...hit, source: hit.paper }, paperName)}`
    : unverifiedMark(status, "look-up");
  return `Passage ${codeMarkdown(chunkId)}${words} — ${mark}`;
}

function unverifiedMark(status: Verification | undefined, source: "look-up" | "search"): string {
  return status === undefined ? NOT_LOOKED_UP : `${NOT_FOUND}: no ${source} returned it`;
}

function pageItem({ title, url, status }: WebSearchResult): string {
  const words = title.trim() === "" ? "" : `: ${wordsMarkdown(title, SHOWN)}`;
  return status === "verified"
    ? `Page ${addressOf(url)}${words} — ${VERIFIED}`
    : `Page ${codeMarkdown(url)}${words} — ${unverifiedMark(status, "search")}`;
}

function quotationItem(quotation: Quotation, paperName: PaperName): string {
  const words = `“${wordsMarkdown(quotation.text)}” — **${markOf(quotation)}**`;
  return quotation.status === "verified" ? `${words}, ${placeOf(quotation, paperName)}` : words;
}

function placeOf(quotation: Omit<Quotation, "text" | "status">, paperName: PaperName): string {
  const { from = "paper", source = "" } = quotation;
  if (from === "message") return `message ${codeMarkdown(source)}`;
  const what = from === "web" ? `page ${addressOf(source)}` : paperName(source);
  return [what, placeText(quotation)].filter(Boolean).join(", ");
}

/** Returns a verified address: a link if a page may link to it, else code. */
function addressOf(url: string): string {
  const address = linkableAddress(url);
  return address === undefined ? codeMarkdown(url) : `<${address}>`;
}

function headingIn(line: string): string | undefined {
  const name = HEADING.exec(line)?.[1]?.trimEnd().replace(/\s#+$/, "");
  return name === undefined ? undefined : unescapedMarkdown(name);
}

function argumentOn(topic: string, lines: readonly string[]): TopicArgument | undefined {
  const { counterpoints, rest } = withoutCounterpoints(lines);
  const words = proseIn(rest);
  const at = rest.findIndex((line) => CLAIM_LINE.test(line.trim()));
  if (words === "") return undefined;
  if (at !== -1) {
    const claim = unescapedMarkdown(rest[at]!.trim().replace(CLAIM_LINE, ""));
    const reasoning = proseIn(rest.toSpliced(at, 1));
    return { topic, claim, reasoning, counterpoints, citations: {} };
  }
  const paragraph = words.split(/\n\s*\n/)[0]!;
  const end = SENTENCE_END.exec(paragraph);
  const cut = end === null ? paragraph.length : end.index + end[0].length;
  const claim = words.slice(0, cut).replace(/\s+/gu, " ").trim();
  return { topic, claim, reasoning: words.slice(cut).trim(), counterpoints, citations: {} };
}

/** Extracts the list under a line `Counterpoints:`; without a list, the line is part of the text. */
function withoutCounterpoints(
  lines: readonly string[],
): { readonly counterpoints: readonly string[]; readonly rest: readonly string[] } {
  const label = lines.findIndex((line, index) =>
    COUNTERPOINTS_LINE.test(line.trim()) &&
    ITEM.test(lines.slice(index + 1).find((line) => line.trim() !== "") ?? "")
  );
  if (label === -1) return { counterpoints: [], rest: lines };
  let end = label + 1;
  while (lines[end]?.trim() === "") end++;
  const begin = end;
  while (ITEM.test(lines[end] ?? "")) end++;
  const counterpoints = lines.slice(begin, end).map((line) =>
    unescapedMarkdown(ITEM.exec(line)![1]!.trim())
  );
  return { counterpoints, rest: lines.toSpliced(label, end - label) };
}

/** Returns the text of lines without computed labels and marks; keeps paragraphs. */
function proseIn(lines: readonly string[]): string {
  const said = lines.filter((line) =>
    line !== EVIDENCE && line !== QUOTATIONS && !MARKED.test(line)
  );
  return unescapedMarkdown(said.join("\n")).replace(/\n(?:[^\S\n]*\n)+/g, "\n\n").trim();
}
