import { z } from "zod";
import { domainOf, wordsOf } from "./domains.ts";
import { lensOf, lensTermsIn } from "./personas.ts";
import { type Asked, phrase } from "./phrasing.ts";
import { sentencesOf } from "./quotation.ts";
import { shareIn, termsOf } from "./terms.ts";

const PersonaData = z.object({ persona: z.string(), body: z.string() });

const KEEPS = [
  "the turn [speaks|argues] in the manner that the persona asks for",
  "nothing in the turn is out of keeping with the persona",
  "the [words|reasons] are such as this persona would use",
];

/** Whether a turn keeps to its persona: by what it is told not to do, and by whose words it uses. */
export function personaAnswer({ context, random }: Asked): unknown {
  const data = PersonaData.safeParse(context.data);
  if (!data.success) return undefined;
  const { persona, body } = data.data;
  const breach = forbidden(persona, body) ?? otherManner(persona, body);
  return breach === undefined
    ? { reason: phrase(KEEPS, {}, random), consistent: true, breach: "" }
    : { reason: `The turn does not keep to the persona: ${breach}.`, consistent: false, breach };
}

/** What a persona must not do and a sentence of the turn does, nearly in the same words. */
function forbidden(persona: string, body: string): string | undefined {
  const list = /^Do not:\n((?:- .*\n?)+)/mu.exec(`${persona}\n`)?.[1] ?? "";
  const said = sentencesOf(body).map(termsOf);
  const found = [...list.matchAll(/^- (.+)$/gmu)].map(([, item = ""]) => item).find((item) => {
    const terms = termsOf(item);
    return terms.size > 2 && said.some((sentence) => shareIn(terms, sentence) >= 0.75);
  });
  return found === undefined ? undefined : `it does what it should not: ${found}`;
}

function otherManner(persona: string, body: string): string | undefined {
  const { id } = lensOf(persona);
  const [, claimed = ""] = /\b(?:as|being) an? (\p{L}+)/iu.exec(body) ?? [];
  const terms = lensTermsIn(body);
  if (id === undefined) return undefined;
  const own = terms.get(id) ?? 0;
  const lower = claimed.toLowerCase();
  if (lower !== id && terms.has(lower) && !wordsOf(persona).includes(lower)) {
    return `it speaks as ${/^[aeiou]/u.test(lower) ? "an" : "a"} ${lower}`;
  }
  const others = [...terms].filter(([other]) => other !== id).sort((a, b) => b[1] - a[1]);
  const [other, count] = others[0] ?? ["", 0];
  return own === 0 && count >= 4
    ? `its words are those of ${/^[aeiou]/u.test(other) ? "an" : "a"} ${other}`
    : undefined;
}

const RulingData = z.object({ rules: z.string().default("") });

const INSULT =
  /\b(idiots?|morons?|imbeciles?|stupid|scum|clowns?|dimwits?|shut up|pathetic|liars?|loser|fools?|brainless|disgusting (person|creature))\b/iu;
const PERSONAL =
  /\byou (?:personally|people|always|never|clearly|obviously|are (?:an?|so|too|just))\b|\bpeople like you\b|\byour (?:ignorance|stupidity|motives|family|looks?|character|kind|real agenda)\b|\b(?:my )?opponent(?:'s|’s)? (?:is|are) (?:an? |too |so |just )?(?:ignorant|dishonest|lazy|corrupt|arrogant|naive|biased|lying)\b/iu;

/** Whether a turn breaks a rule: by insults, personal remarks, being off the topic, or over a stated length. */
export function rulingAnswer({ context, random, count }: Asked): unknown {
  const data = RulingData.safeParse(context.data);
  const turn = context.about.at(-1);
  if (!data.success || turn === undefined) return undefined;
  const { rules } = data.data;
  // What it quotes, others said.
  const own = turn.body.replace(/“[^”]*”|"[^"]*"|«[^»]*»/gu, " ");
  const label = [turn.label];
  const breach = INSULT.test(own)
    ? {
      rule: ruleOn(rules, PERSONS) ?? "Nobody is insulted.",
      says: ["{label} insults someone, which no argument needs"],
    }
    : PERSONAL.test(own)
    ? {
      rule: ruleOn(rules, PERSONS) ?? "The argument is answered, not the person.",
      says: ["{label} turns to the person and away from the argument"],
    }
    : tooLong(rules, turn.body, count)
    ? {
      rule: ruleOn(rules, LENGTHS) ?? "A turn keeps to its length.",
      says: ["{label} goes on well beyond the length that was set"],
    }
    : offTopic(context, turn.body)
    ? {
      rule: ruleOn(rules, TOPICS) ?? "A turn keeps to the topic.",
      says: ["what {label} says has nothing to do with the topic"],
    }
    : undefined;
  if (breach === undefined) {
    return { reason: phrase(IN_ORDER, { label }, random), breach: false, rule: "" };
  }
  return { reason: phrase(breach.says, { label }, random), breach: true, rule: breach.rule };
}

const IN_ORDER = [
  "{label} [keeps|holds] to the matter and to the rules",
  "{label} [speaks|argues] to the point, and [attacks|belittles] nobody",
  "nothing in what {label} [says|said] breaks a rule",
];

const PERSONS = /\b(person\w*|civil\w*|courte\w*|respect\w*|insult\w*|polite\w*|attack\w*)\b/iu;
const LENGTHS = /\b(words|tokens|length|brief|short|long)\b/iu;
const TOPICS = /\b(topic|subject|relevan\w*|point|matter)\b/iu;

/** The sentence of the rules that speaks of something. */
function ruleOn(rules: string, of: RegExp): string | undefined {
  return sentencesOf(rules).find((sentence) => of.test(sentence));
}

function tooLong(rules: string, body: string, count: (text: string) => number): boolean {
  const words = /\b(?:at most|no more than|up to|under|within) (\d{1,5}) words\b/iu.exec(rules)
    ?.[1];
  if (words !== undefined) return wordsOf(body).length > Number(words) * 1.1;
  const tokens = /\b(?:at most|no more than|up to|under|within) (\d{1,5}) tokens\b/iu.exec(rules)
    ?.[1];
  return tokens !== undefined && count(body) > Number(tokens) * 1.1;
}

/** A long text that shares no word with the topic, its field, the positions, or what was said around it. */
function offTopic(
  { topic, position = "", opponents, about }: Asked["context"],
  body: string,
): boolean {
  const positions = [position, ...opponents.map((each) => each.position ?? "")].join(" ");
  const { words, who, one, where, stake, body: bodies } = domainOf(topic, positions);
  const field = [...words, ...who, ...one, ...where, ...stake, ...bodies].join(" ");
  const said = termsOf(body);
  const known = termsOf(
    [topic, positions, field, ...about.slice(0, -1).map((each) => each.body)].join(" "),
  );
  return said.size >= 25 && termsOf(topic).size > 0 && shareIn(said, known) < 0.05;
}

const NEW = [
  "this round [brought|added] [matters|words] that had not been on the table: {terms}",
  "there was something new in it, above all {terms}",
];
const NOT_NEW = [
  "the round [went over|returned to] what had been said already",
  "the speakers [repeated|kept to] their earlier [lines|points] in other words",
];

/** A round brings something new while this share of a later turn's terms is not in the earlier ones. */
const NEW_SHARE = 0.65;

/** Whether a round brought anything new: how many of its turns' terms the turns before them did not have. */
export function roundReviewAnswer({ context, random }: Asked): unknown {
  const { about, topic, round } = context;
  if (about.length === 0) return undefined;
  const known = termsOf(topic);
  const shares: number[] = [];
  let fresh: string[] = [];
  for (const { body } of about) {
    const terms = termsOf(body.replace(/“[^”]*”/gu, " "));
    fresh = [...terms].filter((term) => !known.has(term));
    shares.push(fresh.length / Math.max(1, terms.size));
    for (const term of terms) known.add(term);
  }
  const later = shares.length > 1 ? shares.slice(1) : shares;
  const mean = later.reduce((sum, each) => sum + each, 0) / later.length;
  const tired = 0.02 * Math.max(0, round - 2) + 0.06 * (random() - 0.5);
  const anythingNew = mean - tired > NEW_SHARE;
  const words = wordsOf(about.at(-1)!.body);
  const terms = words.filter((word) =>
    word.length > 5 && termsOf(word).size > 0 && fresh.includes([...termsOf(word)][0]!)
  );
  const named = [...new Set(terms)].slice(0, 3);
  return {
    reason: anythingNew && named.length > 0
      ? phrase(NEW, { terms: [named.map((each) => `“${each}”`).join(", ")] }, random)
      : phrase(
        anythingNew
          ? ["the turns of this round [say|bring] something that was not said before"]
          : NOT_NEW,
        {},
        random,
      ),
    ["anything_new"]: anythingNew,
  };
}
