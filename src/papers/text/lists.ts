// Escapes model output as plain prose in markdown; formats, parses and checks lists of questions, postures and topics.
import { ESCAPABLE, itemLine, saidLine, saidText, unescapedMarkdown } from "../../core/text.ts";
import type { Mark } from "../../core/message.ts";
import type { FieldsProblem } from "../../core/turn.ts";
import { distinctBy } from "../../core/values.ts";
import { wordKey } from "../../core/words.ts";
import type { DebateSubject } from "./debate_report.ts";

/** Minimum and maximum code points of a question (context-network/rules/paper_debate.md). */
export const QUESTION_LENGTH = { least: 10, most: 1000 } as const;

/** Characters with a meaning in markdown anywhere in a line. */
const INLINE = new RegExp(
  [
    `\\\\(?=${ESCAPABLE})`,
    "<(?=[A-Za-z/!?])",
    "&(?=#?\\w+;)",
    "(?<=\\])\\(",
    "\\*{2,}|_{2,}",
    "(?<=(?:https?|ftp)):(?=//)",
    "(?<=www)\\.",
  ].join("|"),
  "gi",
);
/** Characters to escape within a computed line: the above, emphasis, code, brackets and table cells. */
const BESIDE = new RegExp(`${INLINE.source}|[*_~\`[\\]|]`, "gi");
/** Start of a line that begins a markdown block. */
const BLOCK = /^(?=[#>]|[-+*](?:\s|$)|[-=_*\s]+$|~{3}|`{3}|\[[ xX]\]\s|\[.*\]:)/u;
const NUMBERED = /^(\d{1,9})([.)])(?=\s|$)/;

/**
 * Returns a text as markdown that renders as plain paragraphs, one per line. Escapes the start of blocks (headings, lists,
 * quotations, fences, rules and front matter, link definitions), the `<` of a tag, the `&` of an entity, the parenthesis of
 * `[text](address)`, double asterisks and underscores (bold text in a message is computed), bare URLs, and backslashes before
 * punctuation. Other characters are unchanged.
 */
export function proseMarkdown(text: string): string {
  // A line that breaks off within a sentence continues in the next, as words copied from a paper do.
  const joined = saidText(text).replace(/(?<=[\p{L}\p{N},])[^\S\n]*\n(?=\p{Ll})/gu, " ");
  const lines = joined.split("\n").map((line) => line.trim());
  return lines.filter((line) => line !== "").map(paragraph).join("\n\n");
}

/** Returns a text as {@linkcode proseMarkdown}, on one line of at most `max` code points. @default max no limit */
export function lineMarkdown(text: string, max = Infinity): string {
  return paragraph(saidLine(text, max));
}

/** Returns a text to embed in a line: as {@linkcode lineMarkdown}, without emphasis, code or links. */
export function wordsMarkdown(text: string, max = Infinity): string {
  return escape(saidLine(text, max), BESIDE);
}

/** Returns a text as a code span; `(none)` for an empty text. */
export function codeMarkdown(text: string): string {
  const line = saidLine(text, Infinity);
  if (line === "") return "(none)";
  const fence = "`".repeat(1 + Math.max(0, ...(line.match(/`+/g) ?? []).map((run) => run.length)));
  const pad = line.startsWith("`") || line.endsWith("`") ? " " : "";
  return `${fence}${pad}${line}${pad}${fence}`;
}

/** Returns the normalized URL if a page may link to it: `http` or `https` without user and password; otherwise undefined. */
export function linkableAddress(text: string): string | undefined {
  const url = URL.parse(text.trim());
  if (url === null || !/^https?:$/.test(url.protocol)) return undefined;
  return url.username === "" && url.password === "" ? url.href : undefined;
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

/** Number of items of a generated list, and of code points in an item (context-network/rules/paper_debate.md). */
interface ListRule {
  readonly what: string;
  readonly least: number;
  readonly most: number;
  readonly shortest: number;
  readonly longest: number;
}

const QUESTIONS = { what: "questions", least: 8, most: 12, shortest: 10, longest: 1_000 } as const;
const TOPICS = { what: "topics", least: 3, most: 8, shortest: 1, longest: 120 } as const;
const POSTURES = { what: "postures", shortest: 1, longest: 1_000 } as const;
/** Highest number of a generated question. */
export const LAST_QUESTION: number = QUESTIONS.most;

const ITEM = /^\s*(?:\d{1,3}[.)]|[-*+•])\s+(\S.*)$/u;
const HEADING = /^ {0,3}#{1,6}\s+(\S.*)$/;
/** Start of an English yes-no question. */
const CLOSED =
  /^["'“‘(]*(?:(?:is|are|do|does|did|could|would|should|has|have|was|were)(?:n['’]t)?|can(?:not|['’]t)?|will|won['’]t)\s+\S/i;
/** Words of other languages, in which `CLOSED` may match an open question: German "Was", Portuguese "Do". */
const FOREIGN =
  /(?<!\p{L})(?:ist|sind|wird|werden|das|dem|und|für|nicht|eine?|sich|zum|zur|que|quais|qual|uma|não|são)(?!\p{L})/iu;

/** Label that a model puts before a posture, such as `Posture B:`; it would name the debater to judges who see no names. */
const POSTURE_LABEL = /^(?:(?:posture|position)\s+\w{1,2}\s*[:.)–—-]|[A-H][:)])\s+/i;

type PosturesAndTopics = Omit<DebateSubject, "question">;

/** Returns the questions as a numbered markdown list with an introduction. */
export function questionsBody(questions: readonly string[]): string {
  const what = questions.length === 1 ? "A question" : "Questions";
  return `${what} this debate could take up:\n\n${numbered(questions)}`;
}

/** Parses questions from a message, also one written or edited by a person: every list item (`1.`, `1)`, `-`). */
export function questionsIn(body: string): string[] {
  return itemsIn(linesOf(body));
}

/** Returns postures and topics as two numbered markdown lists with headings. */
export function posturesBody({ postures, topics }: PosturesAndTopics): string {
  return `## Postures\n\n${numbered(postures)}\n\n## Topics\n\n${numbered(topics)}`;
}

/** Parses postures and topics from a message, also one written or edited by a person; items before a heading are postures. */
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

/** A reply with lists: the usable items, and the problem of the reply if it breaks a rule. */
interface CheckedLists<T> {
  readonly usable: T;
  readonly problem: FieldsProblem | undefined;
}

/**
 * Checks a reply with questions: 8 to 12 different ones, none a yes-no question, each of 10 to 1,000 code points. After one
 * retry, the usable ones are taken, with the mark `few_questions` if fewer than 8 are usable. Without a usable question the
 * turn fails.
 */
export function checkQuestions(questions: readonly string[]): CheckedLists<string[]> {
  const { kept, usable, problems } = checkList(questions, QUESTIONS);
  const closed = kept.filter((question) => CLOSED.test(question) && !FOREIGN.test(question));
  const openly =
    'To be asked openly ("how", "to what extent", "under what conditions"), not so that yes or no is an answer';
  const problem = fieldsProblem([...problems, ...named(openly, closed)], {
    mark: usable.length < QUESTIONS.least ? "few_questions" : undefined,
    isFatal: usable.length === 0,
  });
  return { usable, problem };
}

/**
 * Checks a reply with postures and topics: `count` different postures of at most 1,000 code points, 3 to 8 different topics of
 * at most 120, none blank. After one retry, the usable ones are taken, with the mark `few_postures` if fewer than `count` are
 * usable, else `few_topics` if fewer than 3 are. Without a usable posture or topic the turn fails.
 */
export function checkPostures(
  given: PosturesAndTopics,
  count: number,
): CheckedLists<{ postures: string[]; topics: string[] }> {
  const unlabelled = given.postures.map((each) => itemLine(each).replace(POSTURE_LABEL, ""));
  const postures = checkList(unlabelled, { ...POSTURES, least: count, most: count });
  const topics = checkList(given.topics, TOPICS);
  const fewTopics = topics.usable.length < TOPICS.least ? "few_topics" : undefined;
  return {
    usable: { postures: postures.usable, topics: topics.usable },
    problem: fieldsProblem([...postures.problems, ...topics.problems], {
      mark: postures.usable.length < count ? "few_postures" : fewTopics,
      isFatal: postures.usable.length === 0 || topics.usable.length === 0,
    }),
  };
}

/** Returns the problem of a reply that is asked for once more; undefined without problems. */
export function fieldsProblem(
  problems: readonly string[],
  { mark, isFatal }: { readonly mark: Mark | undefined; readonly isFatal: boolean },
): FieldsProblem | undefined {
  if (problems.length === 0) return undefined;
  return {
    reason: problems.join(". "),
    maxRetries: 1,
    ...(mark === undefined ? {} : { mark }),
    ...(isFatal ? { fatal: true } : {}),
  };
}

function numbered(items: readonly string[]): string {
  return items.map((item, index) => `${index + 1}. ${lineMarkdown(item)}`).join("\n");
}

function linesOf(body: string): string[] {
  return body.split(/\r\n?|\n/);
}

/** Returns list items with their continuation lines. */
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

/** Removes items with the same words as an earlier one, and items without words. */
function distinct(items: readonly string[]): string[] {
  return distinctBy(items, wordKey).filter((item) => wordKey(item) !== "");
}

/** Returns the different items of a list, those that can be used (on one line, cut to length), and the broken rules. */
function checkList(given: readonly string[], rule: ListRule) {
  const { what, least, most, shortest, longest } = rule;
  const items = given.map((item) => itemLine(item));
  const kept = distinct(items);
  const blank = items.filter((item) => wordKey(item) === "").length;
  const twice = items.length - blank - kept.length;
  const isShort = (item: string) => [...item].length < shortest;
  const lines = items.filter((item) => !isShort(item)).map((item) => saidLine(item, longest));
  const isOdd = kept.length < least || kept.length > most;
  const wanted = least === most ? `exactly ${least}` : `${least} to ${most}`;
  const problems = [
    ...(isOdd ? [`There are ${kept.length} different ${what}, expected ${wanted}`] : []),
    ...(blank > 0 ? [`Blank ${what}: ${blank}`] : []),
    ...(twice > 0 ? [`Repeated ${what}: ${twice}`] : []),
    ...named(`Under ${shortest} characters`, kept.filter(isShort)),
    ...named(`Over ${longest} characters`, kept.filter((item) => [...item].length > longest)),
  ];
  return { kept, usable: distinct(lines).slice(0, most), problems };
}

/** Returns a problem with the items that have it, each cut to `max` code points; an empty list without items. */
export function named(problem: string, items: readonly string[], max = 120): string[] {
  if (items.length === 0) return [];
  return [`${problem}: ${items.map((item) => `"${saidLine(item, max)}"`).join(", ")}`];
}
