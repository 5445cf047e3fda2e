import { lowerFirst } from "../topic_grammar.ts";
import { termsOf } from "../terms.ts";
import { isEnglishText, keyTerms } from "./key_terms.ts";
import { AUXILIARIES, DETERMINERS, OTHERS, PREPOSITIONS } from "./key_words.ts";

/** Stands for the matter of a question that names none; it names nothing of the paper. */
const AT_LARGE = "the central thesis";

/** Words of questions themselves, which name no matter. */
const OF_QUESTIONS: ReadonlySet<string> = new Set(
  ("conditions circumstances extent mechanisms mechanism processes explanations explanation alternative alternatives evidence claim " +
    "claims conclusion conclusions method methods design argument assumptions settings cases weight debate picture link connection " +
    "observation practice practitioners strength research interests rival accounts central test matter hold holds")
    .split(" "),
);

/** What a question is about, as noun phrases without a number: the texts' own terms that it names, else its own. */
export function mattersOf(question: string, terms: readonly string[]): string[] {
  const asked = termsOf(question);
  const named = terms.map((term) => ({ term, words: [...termsOf(term)] }))
    .filter(({ words }) => words.length > 0 && words.every((word) => asked.has(word)))
    .sort((a, b) => b.words.length - a.words.length).map(({ term }) => term);
  if (named.length > 0) return named.slice(0, 3);
  const near = terms.filter((term) => asked.has([...termsOf(term)].at(-1) ?? ""));
  if (near.length > 0) return near.slice(0, 2);
  const own = phrasesIn(question);
  return own.length > 0 ? own : [AT_LARGE];
}

/** The key terms of passages, with those of the debate's own words that stand in them too. */
export function termsFound(
  passages: readonly { readonly text: string; readonly start: number }[],
  words: readonly string[],
): string[] {
  const found = passages.map(({ text, start }) => start === 0 ? text : fromFirstSentence(text))
    .join("\n\n");
  if (!isEnglishText(found)) return keyTerms(found, { most: 30 });
  const flat = found.toLowerCase().replace(/\s+/gu, " ");
  return keyTerms([found, ...words.map((each) => `${each}.`)].join("\n\n"), { most: 30 })
    .filter((term) => flat.includes(term.replace(/^the /u, "").toLowerCase()));
}

/** A passage without what may be the rest of a sentence. */
function fromFirstSentence(text: string): string {
  const end = text.search(/[.!?]\s/u);
  return end < 0 ? text : text.slice(end + 1);
}

/** The words of a text that name something, as they stand, each once. */
export function namingWords(text: string): string[] {
  const words = text.match(/[\p{L}\p{N}][\p{L}\p{N}’'-]*/gu) ?? [];
  return [...new Set(words.filter(isNaming))];
}

function isNaming(word: string): boolean {
  const small = word.toLowerCase();
  return /^\p{L}{3}/u.test(word) &&
    ![DETERMINERS, PREPOSITIONS, AUXILIARIES, OTHERS, OF_QUESTIONS].some((words) =>
      words.has(small)
    );
}

/** The rows of naming words in a question, longest first; of plural ones and names only, since articles are not known. */
function phrasesIn(question: string): string[] {
  const known = keyTerms(question, { most: 3 });
  if (known.length > 0) return known;
  const rows: string[][] = [[]];
  for (const word of question.match(/[\p{L}\p{N}][\p{L}\p{N}’'-]*|[^\s\p{L}\p{N}]/gu) ?? []) {
    if (isNaming(word)) rows.at(-1)!.push(word);
    else rows.push([]);
  }
  return rows.filter((row) => row.length > 1 && row.length < 4 && /[^s]s$/u.test(row.at(-1)!))
    .sort((a, b) => b.length - a.length).map((row) => row.join(" ")).slice(0, 2);
}

/** A topic as it can follow “on”: its first part, with a small letter; `undefined` where it is no short noun phrase. */
export function topicPhrase(topic: string): string | undefined {
  const head = topic.replace(/\s+/gu, " ").replace(/["“”„«»*_`#<>|\[\]{}\\]/gu, "").trim()
    .split(/\s*(?:[:;(]|\s[–—-]\s)/u)[0]!.replace(/[.,!]+$/u, "");
  const words = head.split(" ").length;
  if (head === "" || /\?/u.test(topic) || words > 14 || head.length > 110) return undefined;
  return lowerFirst(head);
}

/** What a topic asks after. */
export type TopicArea =
  | "methodology"
  | "evidence"
  | "generalisability"
  | "theory"
  | "practice"
  | "alternatives"
  | "ethics"
  | "general";

const AREAS: readonly (readonly [TopicArea, RegExp])[] = [
  ["ethics", /ethic|fair|harm|consent|privacy|justice|equit|moral|responsib/iu],
  ["alternatives", /alternativ|rival|confound|other (?:explanation|cause)|compet/iu],
  ["generalisability", /general|transfer|reach|beyond|scope|extern|scal|context/iu],
  ["methodology", /method|measur|design|sampl|procedure|studied|reproduc|replic/iu],
  ["theory", /theor|mechanis|concept|explain|framework|caus/iu],
  ["practice", /practi|polic|appli|implement|use\b|usage|consequence|cost/iu],
  ["evidence", /evidence|data|result|finding|empiric|support|robust/iu],
];

/** What the sentences of an area are likely to say. */
export const AREA_SIGNS: Readonly<Record<TopicArea, string>> = {
  methodology: "method measured recorded sample selected compared",
  evidence: "results found showed effect percent",
  generalisability: "only region sample other settings conditions",
  theory: "mechanism because explain theory cause",
  practice: "practice should use cost plan recommend",
  alternatives: "may reflect instead rather alternative whether",
  ethics: "consent risk harm fair affected",
  general: "",
};

/** The area a topic belongs to, by its words. */
export function areaOf(topic: string): TopicArea {
  return AREAS.find(([, pattern]) => pattern.test(topic))?.[0] ?? "general";
}
