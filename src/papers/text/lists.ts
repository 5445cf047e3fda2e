// Words of models as markdown that holds nothing but prose; questions, postures and topics as lists.
import { saidLine, saidText, withoutListMarker } from "../../core/text.ts";
import type { FieldsProblem } from "../../core/turn.ts";
import { wordKey } from "../../core/words.ts";
import type { DebateSubject } from "./debate_report.ts";

const PUNCTUATION = "[!-\\/:-@\\[-`{-~]";
/** Signs with a meaning in markdown anywhere in a line. */
const INLINE = new RegExp(
  [
    `\\\\(?=${PUNCTUATION})`,
    "<(?=[A-Za-z/!?])",
    "&(?=#?\\w+;)",
    "(?<=\\])\\(",
    "\\*{2,}|_{2,}",
    "(?<=(?:https?|ftp)):(?=//)",
    "(?<=www)\\.",
  ].join("|"),
  "gi",
);
/** Signs with a meaning in markdown within a computed line. */
const BESIDE = new RegExp(`${INLINE.source}|[*_~\`[\\]|]`, "gi");
/** Signs that begin a block of markdown at the beginning of a line. */
const BLOCK = /^(?=[#>]|[-+*](?:\s|$)|[-=_*\s]+$|~{3}|`{3}|\[[ xX]\]\s|\[.*\]:)/u;
const NUMBERED = /^(\d{1,9})([.)])(?=\s|$)/;
const ESCAPED = new RegExp(`\\\\(${PUNCTUATION})|&lt;|&amp;`, "g");

/**
 * Said words as paragraphs of markdown that hold nothing but prose: every line becomes a paragraph. Escaped are what begins
 * a block at the beginning of a line (headings, lists, quotations, fences, rules and front subject, definitions of links),
 * the `<` of a tag, the `&` of an entity, the bracket that makes `[text](address)` a link or a picture, double asterisks
 * and underscores (what is bold in a message is computed), the address of a bare link, and a backslash that would escape
 * something. Everything else stays as it is.
 */
export function proseMarkdown(text: string): string {
  return saidText(text).split("\n").map((line) => line.trim()).filter((line) => line !== "")
    .map(paragraph).join("\n\n");
}

/** Prose as {@linkcode proseMarkdown} has it, in one line of at most `max` code points. @default max no bound */
export function lineMarkdown(text: string, max = Infinity): string {
  return paragraph(saidLine(text, max));
}

/** Said words within a line that goes on with others: as {@linkcode lineMarkdown}, without any emphasis, code or link. */
export function wordsMarkdown(text: string, max = Infinity): string {
  return escape(saidLine(text, max), BESIDE);
}

/** A text as a span of code, in one line of at most `max` code points; `(none)` where there is nothing. @default max no bound */
export function codeMarkdown(text: string, max = Infinity): string {
  const line = saidLine(text, max);
  if (line === "") return "(none)";
  const fence = "`".repeat(1 + Math.max(0, ...(line.match(/`+/g) ?? []).map((run) => run.length)));
  const pad = line.startsWith("`") || line.endsWith("`") ? " " : "";
  return `${fence}${pad}${line}${pad}${fence}`;
}

/** Text of markdown without its escapes; undoes {@linkcode proseMarkdown} paragraph by paragraph. */
export function unescapedMarkdown(markdown: string): string {
  return markdown.replace(ESCAPED, (found, char) => {
    if (found === "&lt;") return "<";
    return found === "&amp;" ? "&" : char;
  });
}

function paragraph(line: string): string {
  return escape(line, INLINE).replace(BLOCK, "\\").replace(NUMBERED, "$1\\$2");
}

function escape(line: string, what: RegExp): string {
  return line.replace(what, (found) => {
    if (found === "<") return "&lt;";
    if (found === "&") return "&amp;";
    return found.replace(/./g, "\\$&");
  });
}

/** Number of questions that are put to papers (context-network/rules/paper_debate.md). */
const QUESTIONS = { least: 8, most: 12 } as const;
/** The number of the last question that a list can have. */
export const LAST_QUESTION: number = QUESTIONS.most;
/** Number of topics (context-network/rules/paper_debate.md). */
const TOPICS = { least: 3, most: 8 } as const;
/** Code points. */
const LENGTHS = { question: [10, 1_000], posture: [1, 1_000], topic: [1, 120] } as const;

const ITEM = /^\s*(?:\d{1,3}[.)]|[-*+•])\s+(\S.*)$/u;
const HEADING = /^ {0,3}#{1,6}\s+(\S.*)$/;
/** A question that "yes" or "no" answers begins so, in English. */
const CLOSED =
  /^["'“‘(]*(?:(?:is|are|do|does|did|could|would|should|has|have|was|were)(?:n['’]t)?|can(?:not|['’]t)?|will|won['’]t)\s+\S/i;
/** Words that English has not: German asks openly with "Was", Portuguese may begin with "Do". */
const FOREIGN =
  /(?<!\p{L})(?:ist|sind|wird|werden|das|dem|und|für|nicht|eine?|sich|zum|zur|que|quais|qual|uma|não|são)(?!\p{L})/iu;

type PosturesAndTopics = Omit<DebateSubject, "question">;

/** The questions as a numbered list in markdown, one line each, under a line that says what they are. */
export function questionsBody(questions: readonly string[]): string {
  const what = questions.length === 1 ? "A question" : "Questions";
  return `${what} this debate could take up:\n\n${numbered(questions)}`;
}

/** The questions of a body, of one that a person wrote or changed too: every item of a list (`1.`, `1)`, `-`). */
export function questionsIn(body: string): string[] {
  return itemsIn(linesOf(body));
}

/** Postures and topics as two numbered lists in markdown, each under its heading. */
export function posturesBody({ postures, topics }: PosturesAndTopics): string {
  return `## Postures\n\n${numbered(postures)}\n\n## Topics\n\n${numbered(topics)}`;
}

/** The postures and topics of a body, of one that a person wrote or changed too; items before a heading are postures. */
export function posturesIn(body: string): { postures: string[]; topics: string[] } {
  const lines: Record<"postures" | "topics", string[]> = { postures: [], topics: [] };
  let open = lines.postures;
  for (const line of linesOf(body)) {
    const name = wordKey(HEADING.exec(line)?.[1] ?? "");
    if (/^topics?$/.test(name)) open = lines.topics;
    else if (/^postures?$/.test(name)) open = lines.postures;
    else open.push(line);
  }
  return { postures: itemsIn(lines.postures), topics: itemsIn(lines.topics) };
}

/**
 * Problem of the questions of a reply: fewer than 8 or more than 12 different ones, one that "yes" or "no" answers,
 * one under 10 or over 1,000 code points. They are asked for once more; then {@linkcode usableQuestions} are taken, with the
 * mark `few_questions` where fewer than 8 are left. Without any the turn fails.
 */
export function questionsProblem(questions: readonly string[]): FieldsProblem | undefined {
  const [shortest, longest] = LENGTHS.question;
  const cleaned = questions.map(cleanedItem);
  const problems = [
    ...listProblems("questions", cleaned, { ...QUESTIONS, shortest, longest }),
    ...named(
      'To be asked openly ("how", "to what extent", "under what conditions"), not so that yes or no is an answer',
      distinct(cleaned).filter((question) => CLOSED.test(question) && !FOREIGN.test(question)),
    ),
  ];
  if (problems.length === 0) return undefined;
  const left = usableQuestions(questions).length;
  return {
    reason: problems.join(". "),
    maxRetries: 1,
    ...(left < QUESTIONS.least ? { mark: "few_questions" } : {}),
    ...(left === 0 ? { fatal: true } : {}),
  };
}

/** The questions of a reply that can be used: one line each, different ones, 10 code points at least, cut to 1,000; at most 12. */
export function usableQuestions(questions: readonly string[]): string[] {
  return usable(questions, { lengths: LENGTHS.question, most: QUESTIONS.most });
}

/**
 * Problem of postures and topics of a reply: not `count` different postures, fewer than 3 or more than 8 different
 * topics, a blank one, a posture over 1,000 or a topic over 120 code points. They are asked for once more; then
 * {@linkcode usablePostures} are taken, with the mark `few_postures` where fewer than `count` are left, else `few_topics`
 * where fewer than 3 are. Without a posture or a topic the turn fails.
 */
export function posturesProblem(
  { postures, topics }: PosturesAndTopics,
  count: number,
): FieldsProblem | undefined {
  const [[least, posture], [, topic]] = [LENGTHS.posture, LENGTHS.topic];
  const wanted = { least: count, most: count, shortest: least, longest: posture };
  const problems = [
    ...listProblems("postures", postures.map(cleanedItem), wanted),
    ...listProblems("topics", topics.map(cleanedItem), {
      ...TOPICS,
      shortest: least,
      longest: topic,
    }),
  ];
  if (problems.length === 0) return undefined;
  const left = usablePostures({ postures, topics }, count);
  const few = left.topics.length < TOPICS.least ? { mark: "few_topics" } : {};
  return {
    reason: problems.join(". "),
    maxRetries: 1,
    ...(left.postures.length < count ? { mark: "few_postures" } : few),
    ...(left.postures.length === 0 || left.topics.length === 0 ? { fatal: true } : {}),
  };
}

/** The postures and topics of a reply that can be used: one line each, different ones, cut to length; at most `count` and 8. */
export function usablePostures(
  { postures, topics }: PosturesAndTopics,
  count: number,
): { postures: string[]; topics: string[] } {
  return {
    postures: usable(postures, { lengths: LENGTHS.posture, most: count }),
    topics: usable(topics, { lengths: LENGTHS.topic, most: TOPICS.most }),
  };
}

function numbered(items: readonly string[]): string {
  return items.map((item, index) => `${index + 1}. ${lineMarkdown(item)}`).join("\n");
}

function linesOf(body: string): string[] {
  return body.split(/\r\n?|\n/);
}

/** The items of lists; a line that goes on with one belongs to it. */
function itemsIn(lines: readonly string[]): string[] {
  const items: string[] = [];
  let open = false;
  for (const line of lines) {
    const item = ITEM.exec(line)?.[1];
    if (item !== undefined) items.push(item);
    else if (open && line.trim() !== "") items.push(`${items.pop()} ${line.trim()}`);
    open = item !== undefined || (open && line.trim() !== "");
  }
  return items.map((item) => saidLine(unescapedMarkdown(item))).filter((item) => wordKey(item));
}

/** An item as it is kept: one line, without a list's marks or bold ones around it. */
function cleanedItem(item: string): string {
  return withoutListMarker(saidLine(item)).replace(/^(\*\*|__)(.*)\1$/, "$2").trim();
}

function usable(
  items: readonly string[],
  { lengths: [shortest, longest], most }: {
    readonly lengths: readonly [shortest: number, longest: number];
    readonly most: number;
  },
): string[] {
  const long = items.map(cleanedItem).filter((each) => lengthOf(each) >= shortest);
  return distinct(long.map((each) => saidLine(each, longest))).slice(0, most);
}

/** The first of all that have the same words; none without a word. */
function distinct(items: readonly string[]): string[] {
  const keys = new Set<string>([""]);
  return items.filter((item) => keys.size < keys.add(wordKey(item)).size);
}

function lengthOf(text: string): number {
  return [...text].length;
}

function listProblems(
  what: string,
  items: readonly string[],
  { least, most, shortest, longest }: {
    readonly least: number;
    readonly most: number;
    readonly shortest: number;
    readonly longest: number;
  },
): string[] {
  const kept = distinct(items);
  const blank = items.filter((item) => wordKey(item) === "").length;
  const twice = items.length - blank - kept.length;
  const wanted = least === most ? `exactly ${least}` : `${least} to ${most}`;
  const isOdd = kept.length < least || kept.length > most;
  return [
    ...(isOdd ? [`There are ${kept.length} different ${what}, wanted are ${wanted}`] : []),
    ...(blank > 0 ? [`Of the ${what} ${blank} say nothing`] : []),
    ...(twice > 0 ? [`Of the ${what} ${twice} repeat another`] : []),
    ...named(`Under ${shortest} characters`, kept.filter((each) => lengthOf(each) < shortest)),
    ...named(`Over ${longest} characters`, kept.filter((each) => lengthOf(each) > longest)),
  ];
}

function named(problem: string, items: readonly string[]): string[] {
  if (items.length === 0) return [];
  return [`${problem}: ${items.map((item) => `"${saidLine(item, 120)}"`).join(", ")}`];
}
