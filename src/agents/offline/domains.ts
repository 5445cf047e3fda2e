import type { Domain } from "./domain.ts";
import { HUMAN_DOMAINS } from "./domains_human.ts";
import { PUBLIC_DOMAINS } from "./domains_public.ts";

/** What every topic can be spoken of with. */
const GENERAL: Domain = {
  name: "general",
  words: new Set(),
  who: [
    "ordinary families",
    "people with little spare time",
    "newcomers",
    "older people",
    "young people starting out",
    "small organisations",
    "people without connections",
    "neighbours",
    "volunteers",
    "those who do the daily work",
    "people on modest incomes",
    "careful beginners",
  ],
  one: [
    "a single parent at the end of a long week",
    "a volunteer with the keys to the village hall",
    "a student in a first rented room",
    "a caretaker who has seen three directors come and go",
    "a grandmother who minds two small children",
    "a newcomer in the first month",
    "a shop assistant with a Saturday shift",
    "a retired electrician who still gets asked for help",
  ],
  where: [
    "at a kitchen table",
    "in a waiting room",
    "at a bus stop on a weekday morning",
    "in the hall after a public meeting",
    "behind the counter of a small shop",
    "in a crowded staff room",
  ],
  stake: [
    "mutual trust",
    "the quality of daily life",
    "a fair chance for everyone",
    "the freedom to plan one's own day",
    "the safety of those who depend on others",
    "the sense of being treated with respect",
    "what we leave to those who come after us",
    "the ability to correct mistakes",
  ],
  body: [
    "a local council",
    "a responsible office",
    "a public authority",
    "an independent board",
    "a committee of those affected",
  ],
};

const ALL: readonly Domain[] = [...PUBLIC_DOMAINS, ...HUMAN_DOMAINS];

/**
 * The field of life a topic belongs to, by whole words; a word of the topic counts twice, one of a position once. A
 * topic in two fields is spoken of with half of each.
 */
export function domainOf(topic: string, positions: string): Domain {
  const topicWords = wordsOf(topic);
  const positionWords = wordsOf(positions);
  const [first, second] = ALL.map((domain) => ({
    domain,
    inTopic: countIn(topicWords, domain.words),
    inPositions: countIn(positionWords, domain.words),
  })).map((each) => ({ ...each, score: 2 * each.inTopic + each.inPositions }))
    .filter(({ score }) => score > 0).sort((a, b) => b.score - a.score);
  if (first === undefined) return GENERAL;
  return second === undefined || second.inTopic === 0
    ? first.domain
    : mixed(first.domain, second.domain);
}

const blends = new Map<string, Domain>();

function mixed(a: Domain, b: Domain): Domain {
  const name = `${a.name} and ${b.name}`;
  let blend = blends.get(name);
  if (blend === undefined) {
    const halves = (key: "who" | "one" | "where" | "stake" | "body") => [
      ...new Set([...a[key].slice(0, a[key].length / 2), ...b[key].slice(0, b[key].length / 2)]),
    ];
    blend = {
      ...{ name, words: a.words, who: halves("who"), one: halves("one"), where: halves("where") },
      ...{ stake: halves("stake"), body: halves("body") },
    };
    blends.set(name, blend);
  }
  return blend;
}

/** The words of a text in lower case, in order. */
export function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

function countIn(words: readonly string[], known: ReadonlySet<string>): number {
  let count = 0;
  for (const word of words) {
    if (known.has(word) || (word.endsWith("s") && known.has(word.slice(0, -1)))) {
      count++;
    }
  }
  return count;
}
