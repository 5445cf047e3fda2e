// Parts of papers in prompts: whole papers if they fit, else excerpts; passages with the sentences around them.
import { fieldOf } from "../../core/turn.ts";
import type { ConveningStart } from "../../core/event.ts";
import type { Fact } from "../../core/fact.ts";
import type { Paper } from "../../core/paper.ts";
import { counted, oneLine, thousands } from "../../core/text.ts";

/** Maximum characters of all papers together, by prompt; debaters can look up the rest. */
export interface PaperCharacters {
  /** Prompt that asks for questions. */
  readonly questions: number;
  /** Prompt that asks for postures and topics. */
  readonly postures: number;
  /** Prompts of debaters. */
  readonly debaters: number;
  /** Part of a longer paper: the start; or the headings, the sections on results and conclusions, and the start. */
  readonly excerpt: "start" | "sections";
}

interface Excerpt {
  /** Text within the limit, plus lines in square brackets that mark omissions. */
  readonly text: string;
  /** Number of omitted characters (UTF-16 units). */
  readonly leftOut: number;
}

/** Prompts that quote papers: the key of the limit, the kind of message that answers, and words for a sentence. */
const PROMPTS = [
  ["questions", "questions", "the questions"],
  ["postures", "postures", "the postures"],
  ["debaters", "argument", "each argument"],
] as const;

/** Numbers of characters of a paper that prompts left out. */
export interface LeftOut {
  readonly paper: Paper;
  readonly parts: readonly {
    readonly prompt: (typeof PROMPTS)[number][0];
    readonly characters: number;
  }[];
}

/**
 * Returns the least that prompts left out whose answers are recorded, of each paper that was cut: a window that was found smaller
 * during a run shortens later prompts further. Messages from templates have no prompt.
 */
export function leftOutOf(
  { papers = [], configuration: { paperCharacters } }: ConveningStart,
  facts: readonly Fact[],
): LeftOut[] {
  // Old records have no kind of excerpt.
  const kind = fieldOf(paperCharacters, "excerpt") === "sections" ? "sections" : "start";
  const asked = PROMPTS.flatMap(([prompt, answer]) => {
    const limit = fieldOf(paperCharacters, prompt);
    const isAsked = facts.some((fact) =>
      fact.type === "message" && fact.kind === answer && fact.model !== "template"
    );
    if (!isAsked || typeof limit !== "number") return [];
    return [{ prompt, excerpts: excerptsOf(papers, limit, kind) }];
  });
  return papers.map((paper, at) => ({
    paper,
    parts: asked.map(({ prompt, excerpts }) => ({ prompt, characters: excerpts[at]!.leftOut }))
      .filter(({ characters }) => characters > 0),
  })).filter(({ parts }) => parts.length > 0);
}

/** Maximum code points of a title in a sentence. */
const TITLE = 40;

export function leftOutSentence({ paper, parts }: LeftOut): string {
  const left = parts.map(({ prompt, characters }) =>
    `${thousands(characters)} for ${PROMPTS.find(([each]) => each === prompt)![2]}`
  ).join(", ");
  const whole = `${counted(paper.text.length, "character")} of “${oneLine(paper.title, TITLE)}”`;
  return `Of the ${whole}, prompts left out at least ${left}; look-ups can reach the whole paper.`;
}

type Text = Pick<Paper, "text">;

/** Returns excerpts with at most `limit` characters in total: equal shares, and the unused share of short papers for others. */
export function excerptsOf(
  papers: readonly Text[],
  limit: number,
  kind: PaperCharacters["excerpt"],
): Excerpt[] {
  const shares = new Map<Text, number>();
  let room = limit;
  for (const [index, paper] of papers.toSorted((a, b) => a.text.length - b.text.length).entries()) {
    const share = Math.min(paper.text.length, Math.floor(room / (papers.length - index)));
    shares.set(paper, share);
    room -= share;
  }
  return papers.map((paper) => {
    const share = shares.get(paper)!;
    if (paper.text.length <= share) return { text: paper.text, leftOut: 0 };
    return kind === "start" ? startOf(paper, share) : sectionsOf(paper, share);
  });
}

function startOf({ text }: Text, limit: number): Excerpt {
  const kept = cutAt(text, limit);
  return { text: kept, leftOut: text.length - kept.length };
}

/** Cuts a text, at the end of a paragraph, sentence or word if one is near the limit. */
function cutAt(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const cut = text.slice(0, Math.max(0, limit)).replace(/[\ud800-\udbff]$/, "");
  const ends = [cut.lastIndexOf("\n\n"), cut.lastIndexOf(". ") + 1, cut.lastIndexOf(" ")];
  const end = ends.find((each) => each > cut.length * 0.9) ?? cut.length;
  return cut.slice(0, end).trimEnd();
}

/** A heading and the text under it, up to the next heading. */
interface Section {
  readonly text: string;
  /** Length of the heading's line; 0 for the text before the first heading. */
  readonly heading: number;
  /** True for a section on results or conclusions, and for its subsections. */
  readonly isKey: boolean;
}

/** Maximum shares of an excerpt for headings, and for sections on results and conclusions. */
const SHARES = { headings: 0.15, key: 0.6 } as const;
/** Minimum characters of a partial section. */
const LEAST = 300;

/** Selects the headings, then the sections on results and conclusions from the last to the first, then the start. */
function sectionsOf(paper: Text, limit: number): Excerpt {
  const sections = sectionsIn(paper.text);
  if (sections.length === 1) return startOf(paper, limit);
  const shown = sections.map(() => 0);
  let room = limit;
  let headings = SHARES.headings * limit;
  for (const [at, { heading }] of sections.entries()) {
    if (heading === 0 || heading > headings) continue;
    shown[at] = heading;
    headings -= heading;
    room -= heading;
  }
  const show = (at: number, most: number): number => {
    const { text } = sections[at]!;
    const kept = cutAt(text, most + shown[at]!).length;
    if (kept < text.length && kept < LEAST) return 0;
    const cost = kept - shown[at]!;
    shown[at] = kept;
    room -= cost;
    return cost;
  };
  let key = Math.floor(SHARES.key * limit);
  for (let at = sections.length - 1; at >= 0; at--) {
    if (sections[at]!.isKey && key > 0) key -= show(at, Math.min(key, room));
  }
  for (const [at, { text }] of sections.entries()) {
    if (shown[at] === text.length) continue;
    show(at, room);
    if (shown[at]! < text.length) break;
  }
  return excerptFrom(sections, shown);
}

function excerptFrom(sections: readonly Section[], shown: readonly number[]): Excerpt {
  const parts: string[] = [];
  let leftOut = 0;
  let gap = 0;
  const close = () => {
    if (gap > 0) parts.push(`\n\n[${gap} characters of the paper are left out here]\n\n`);
    gap = 0;
  };
  for (const [at, { text }] of sections.entries()) {
    const kept = shown[at]!;
    if (kept > 0) {
      close();
      parts.push(text.slice(0, kept));
    }
    gap += text.length - kept;
    leftOut += text.length - kept;
  }
  close();
  return { text: parts.join("").replace(/\n{3,}/g, "\n\n").trim(), leftOut };
}

/** Markdown heading: `## Results`. */
const MARKED = /^ {0,3}(#{1,6})[ \t]+(\S.*)$/;
/** Numbered heading as a short paragraph: `5.2 Results`, `IV. Results`. */
const NUMBERED =
  /^(?:(\d{1,2}(?:\.\d{1,2}){0,3})[.)]?|(?:[IVX]{1,5}|[A-Z])[.)])\s+\p{L}.*[^.,;:]$/u;
const NAMED =
  /^(?:abstract|summary|introduction|background|related work|(?:materials and )?methods?|methodology|results?(?: and discussion)?|evaluation|experiments?|discussion|limitations?|conclusions?|references|bibliography|acknowledge?ments?|appendix(?: [A-Z])?)[:.]?$/i;
/** Names of sections on results and conclusions, in several languages. */
const KEY =
  /\b(?:conclu\p{L}*|discuss\p{L}*|limitations?|threats to validity|evaluat\p{L}*|results?|findings|experiments?|implications|future work|diskussion|ergebnisse|fazit|schluss\p{L}*|résultats|résumé des résultats|resultados|discusi[oó]n|discussão|limita[cç]\p{L}+)/iu;
/** Maximum characters of a heading that is not markdown. */
const HEADING_LENGTH = 90;

/** Splits a text into sections; the first has no heading if the text does not begin with one. */
function sectionsIn(text: string): Section[] {
  const starts: { readonly at: number; readonly line: string; readonly level: number }[] = [];
  let at = 0;
  for (const [index, line] of text.split("\n").entries()) {
    const level = levelOf(line, index === 0 || text.slice(at - 2, at) === "\n\n");
    if (level !== undefined) starts.push({ at, line, level });
    at += line.length + 1;
  }
  const sections: Section[] = [];
  if (starts[0]?.at !== 0) {
    sections.push({ text: text.slice(0, starts[0]?.at), heading: 0, isKey: false });
  }
  let keyLevel = Infinity;
  for (const [index, { at: from, line, level }] of starts.entries()) {
    // The first heading is the paper's title, not a section.
    if (level <= keyLevel) keyLevel = index > 0 && KEY.test(line) ? level : Infinity;
    const heading = Math.min(line.length + 1, text.length - from);
    const isKey = keyLevel < Infinity;
    sections.push({ text: text.slice(from, starts[index + 1]?.at), heading, isKey });
  }
  return sections;
}

/** Returns the level of a heading, counted from 1; undefined for other lines. */
function levelOf(line: string, isParagraph: boolean): number | undefined {
  const marks = MARKED.exec(line)?.[1];
  if (marks !== undefined) return marks.length;
  if (!isParagraph || line.length > HEADING_LENGTH) return undefined;
  const numbered = NUMBERED.exec(line);
  if (numbered !== null) return numbered[1]?.split(".").length ?? 1;
  return NAMED.test(line.trim()) ? 1 : undefined;
}

/** Sentences on either side of a passage, and their maximum characters. */
const AROUND = { sentences: 2, characters: 600 } as const;

/** Start and end of a part of a text, in UTF-16 units. */
export type Span = readonly [start: number, end: number];

/** Heading at the end of a text, or its number, which reads like the end of a sentence: `## 5.` */
const LAST_HEADING = /\s*\n {0,3}#{1,6}(?:[ \t][^\n]*)?\s*$/u;

const ENDED = "(?:[.!?؟۔।]\\s+|[。！？]\\s*)";
const BETWEEN_SENTENCES = new RegExp(`(?<=${ENDED})(?=\\S)`, "u");
const AFTER_SENTENCE = new RegExp(`${ENDED}$`, "u");

/** Extends a span by two sentences on either side, at most 600 characters each; ends before a heading that would be last. */
export function withSentencesAround(text: string, start: number, end: number): Span {
  const { sentences, characters } = AROUND;
  const before = text.slice(Math.max(0, start - characters), start).split(BETWEEN_SENTENCES);
  const after = text.slice(end, end + characters).split(BETWEEN_SENTENCES);
  // If the passage begins or ends within a sentence, the rest of that sentence is added.
  const lead = before.slice(-sentences - (AFTER_SENTENCE.test(before.at(-1)!) ? 0 : 1)).join("");
  const isWhole = AFTER_SENTENCE.test(`${text.slice(start, end)} `);
  const rest = after.slice(0, sentences + (isWhole ? 0 : 1));
  return [start - lead.length, end + rest.join("").replace(LAST_HEADING, "").length];
}
