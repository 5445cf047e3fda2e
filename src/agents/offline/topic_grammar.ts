import { wordsOf } from "./domains.ts";
import {
  ADJECTIVES,
  AFTER_ADJECTIVE,
  AGENTS,
  DOUBLING,
  ENGLISH,
  FINITE,
  FOREIGN,
  KEEPING,
  PARTICIPLES,
  VERBS,
  VERBS_OR_NOUNS,
} from "./grammar_words.ts";

/** What a text says, in the grammatical forms that sentences need. */
export interface Reading {
  /** `proposal`: something should be done; `claim`: something is so; `phrase`: a thing; `quoted`: none of these. */
  readonly kind: "proposal" | "claim" | "phrase" | "quoted";
  /** What is proposed, or the thing itself, as a noun phrase. */
  readonly act: string;
  /** The clause that affirms it. */
  readonly yes: string;
  /** The clause that denies it. */
  readonly no: string;
  /** Whether affirming it means keeping what there is. */
  readonly keeps: boolean;
}

/** Reads a topic or position; what is not understood, or not English, is quoted. */
export function readTopic(text: string): Reading {
  const line = text.replace(/\s+/gu, " ").trim();
  if (OPEN.test(line)) return openReading(line);
  const quoted = quotedReading(line);
  if (!isEnglish(line) || /[.?!;:]\s/u.test(line)) return quoted;
  const bare = line.replace(/[\s?!.…]+$/u, "")
    .replace(/^(resolved|motion|topic|debate|proposition)\s*[:,-]\s*(that\s+)?/iu, "")
    .replace(/^(this house|we) (believes?|thinks?|holds?) that /iu, "");
  const words = bare.split(" ");
  const first = words[0]!.toLowerCase();
  const rest = words.slice(1);
  const house = /^this house (?:would|should|will) (not )?(.+)$/iu.exec(bare);
  if (house !== null) return proposal("we", house[2]!, house[1] !== undefined);
  if (first === "should" || first === "must") return shouldQuestion(rest) ?? quoted;
  if (/^(is|are) (it|there) /iu.test(bare)) return itIs(words) ?? quoted;
  if (first === "is" || first === "are") return isQuestion(first, rest) ?? quoted;
  if (/^(does|do|can|will|could|would|may)$/u.test(first)) {
    return auxQuestion(first, rest) ?? quoted;
  }
  if (/^(has|have|had|did|was|were|if)$/u.test(first)) return quoted;
  return statement(bare) ?? phrase(bare);
}

/** Questions that yes and no do not answer. */
const OPEN = /^(what|how|why|when|where|who|which|whose)\b|\b(or|versus|vs)\b/iu;

function openReading(text: string): Reading {
  const words = quote(text);
  const two = /\b(or|versus|vs)\b/iu.test(text);
  return {
    kind: "quoted",
    act: `the usual answer to ${words}`,
    yes: two
      ? `the first answer to ${words} is the better one`
      : `the best answer to ${words} is a modest and practical one`,
    no: two
      ? `the second answer to ${words} is the better one`
      : `the best answer to ${words} is one that breaks with habit`,
    keeps: false,
  };
}

/** A text between quotation marks, on one line and without marks that would end a sentence. */
export function quote(text: string): string {
  const line = text.replace(/\s+/gu, " ").replace(/[“”„"«»]/gu, "’").trim().replace(/^[¿¡]+/u, "")
    .replace(/[\s.?!…。！？؟]+$/u, "").replace(/[.?!…。！？؟]+(?=\s)/gu, ",");
  return `“${line}”`;
}

/** The first letter made small, unless the word looks like a name, an acronym or “I”. */
export function lowerFirst(text: string): string {
  const word = /^[\p{L}\p{N}’'-]+/u.exec(text)?.[0] ?? "";
  if (/\p{Lu}.*\p{Lu}|\d/u.test(word) || /^I(’|'|$)/u.test(word)) return text;
  return NAMES.has(word.toLowerCase()) ? text : text.charAt(0).toLowerCase() + text.slice(1);
}

const NAMES = new Set(
  "europe european america american africa asia china chinese britain british england english france french germany german russia russian india indian japan japanese israel ukraine canada australia mars christmas god google facebook twitter tiktok wikipedia netflix amazon apple microsoft shakespeare latin spanish internet brexit pluto christianity islam buddhism catholic christian muslim jewish olympic monday friday sunday"
    .split(" "),
);

function isEnglish(text: string): boolean {
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  const ascii = text.match(/[A-Za-z]/g)?.length ?? 0;
  if (letters < 4 || ascii < letters * 0.97) return false;
  if (/[^\p{L}\p{N}\p{Zs}\p{P}$€£%+]/u.test(text) || /[<>{}\[\]#*_`|\\/]/u.test(text)) return false;
  const words = wordsOf(text);
  const foreign = words.filter((word) => FOREIGN.has(word)).length;
  const english = words.filter((word) => ENGLISH.has(word)).length;
  return foreign <= english;
}

function quotedReading(text: string): Reading {
  const words = quote(text);
  return {
    kind: "quoted",
    act: `a yes to ${words}`,
    yes: `the better answer to ${words} is yes`,
    no: `the better answer to ${words} is no`,
    keeps: false,
  };
}

function phrase(text: string): Reading {
  const act = lowerFirst(text);
  return {
    kind: "phrase",
    act,
    yes: `${act} would do more good than harm`,
    no: `${act} would do more harm than good`,
    keeps: false,
  };
}

function proposal(subject: string, verbPhrase: string, negated = false): Reading {
  const words = verbPhrase.split(" ");
  const affirm = `${lowerFirst(subject)} should ${verbPhrase}`;
  const deny = `${lowerFirst(subject)} should not ${verbPhrase}`;
  return {
    kind: "proposal",
    act: actOf(lowerFirst(subject), words),
    yes: negated ? deny : affirm,
    no: negated ? affirm : deny,
    keeps: negated || KEEPING.has(words[0]!.toLowerCase()),
  };
}

/** What is proposed, as a noun phrase: “banning private cars”, “regulating AI”, “making voting mandatory”. */
function actOf(subject: string, words: readonly string[]): string {
  const [first = "", second = "", ...rest] = words;
  const adverb = /ly$/u.test(first) && words.length > 1 && !VERBS.has(first);
  if (adverb) return `${first} ${actOf(subject, words.slice(1))}`;
  if (first.toLowerCase() !== "be") {
    const last = subject.split(" ").at(-1)!.toLowerCase();
    if (!AGENTS.has(last) && !/[^s]s$/u.test(last)) {
      return `letting ${subject} ${words.join(" ")}`;
    }
    return [gerund(first), ...words.slice(1)].join(" ");
  }
  const tail = rest.length === 0 ? "" : ` ${rest.join(" ")}`;
  const irregular = PARTICIPLES[second.toLowerCase()];
  if (irregular !== undefined) return `${irregular} ${subject}${tail}`;
  if (/\wied$/u.test(second)) return `${second.slice(0, -3)}ying ${subject}${tail}`;
  if (/\w{2}ed$/u.test(second)) return `${second.slice(0, -2)}ing ${subject}${tail}`;
  return second === "" ? `letting ${subject} be` : `making ${subject} ${second}${tail}`;
}

/** A verb's -ing form. */
export function gerund(verb: string): string {
  const lower = verb.toLowerCase();
  if (DOUBLING.has(lower)) return verb + verb.at(-1) + "ing";
  if (/ie$/u.test(lower)) return verb.slice(0, -2) + "ying";
  if (/[^eoy]e$/u.test(lower)) return verb.slice(0, -1) + "ing";
  return verb + "ing";
}

function shouldQuestion(words: readonly string[]): Reading | undefined {
  const at = verbAt(words);
  if (at === undefined) return undefined;
  let end = at;
  if (/ly$/u.test(words[at - 1]!) && at > 1) end--;
  if (words[end - 1] === "not" && end > 1) return undefined;
  return proposal(words.slice(0, end).join(" "), words.slice(end).join(" "));
}

/** Where the verb stands that follows a subject. */
function verbAt(words: readonly string[]): number | undefined {
  for (let i = 1; i < words.length; i++) {
    const word = words[i]!.toLowerCase();
    if (words[i - 1]!.toLowerCase() === "to") continue;
    if (VERBS.has(word)) return i;
    if (VERBS_OR_NOUNS.has(word)) {
      const next = words[i + 1]?.toLowerCase() ?? "";
      return VERBS.has(next) ? i + 1 : i;
    }
  }
  return /^(we|i|you|they|people|everyone|everybody|he|she)$/iu.test(words[0] ?? "") &&
      words.length > 1
    ? 1
    : undefined;
}

/** “Is it fair to keep animals in zoos?” */
function itIs(words: readonly string[]): Reading | undefined {
  const [verb, it, ...rest] = words.map((word, i) => i < 2 ? word.toLowerCase() : word);
  if (it === "there") {
    return claim(`there ${verb} ${rest.join(" ")}`, `there ${verb} not ${rest.join(" ")}`);
  }
  const to = rest.indexOf("to");
  if (to > 0 && rest.length > to + 1) {
    const [action, ...tail] = rest.slice(to + 1);
    const what = rest.slice(0, to).join(" ");
    const act = [gerund(action!), ...tail].join(" ");
    return { ...claim(`${act} is ${what}`, `${act} is not ${what}`), act };
  }
  return claim(`it ${verb} ${rest.join(" ")}`, `it ${verb} not ${rest.join(" ")}`);
}

function isQuestion(verb: string, words: readonly string[]): Reading | undefined {
  for (let i = 1; i < words.length; i++) {
    const word = words[i]!.toLowerCase();
    const next = words[i + 1]?.toLowerCase();
    const ends = next === undefined || AFTER_ADJECTIVE.has(next);
    const opens =
      /^(a|an|the|more|less|too|not|just|still|good|really|never|always|doing|getting|becoming|making|killing|destroying)$/u
        .test(word);
    const adjective = (ADJECTIVES.has(word) || /(able|ible|ous|ful|less|ed)$/u.test(word)) && ends;
    if (opens || adjective) {
      const subject = lowerFirst(words.slice(0, i).join(" "));
      const rest = words.slice(i).join(" ");
      return {
        ...claim(`${subject} ${verb} ${rest}`, `${subject} ${verb} not ${rest}`),
        act: subject,
      };
    }
  }
  return undefined;
}

function auxQuestion(aux: string, words: readonly string[]): Reading | undefined {
  const at = verbAt(words);
  if (at === undefined) return undefined;
  const subject = lowerFirst(words.slice(0, at).join(" "));
  const [verb, ...rest] = words.slice(at);
  const tail = rest.length === 0 ? "" : ` ${rest.join(" ")}`;
  const no = aux === "can" ? "cannot" : `${aux} not`;
  if (aux === "do" || aux === "does") {
    const finite = aux === "do" ? verb! : thirdPerson(verb!);
    return {
      ...claim(`${subject} ${finite}${tail}`, `${subject} ${no} ${verb}${tail}`),
      act: subject,
    };
  }
  return {
    ...claim(`${subject} ${aux} ${verb}${tail}`, `${subject} ${no} ${verb}${tail}`),
    act: subject,
  };
}

function thirdPerson(verb: string): string {
  if (verb === "have") return "has";
  if (/(s|x|ch|sh|o)$/u.test(verb)) return `${verb}es`;
  return /[^aeiou]y$/u.test(verb) ? `${verb.slice(0, -1)}ies` : `${verb}s`;
}

function statement(text: string): Reading | undefined {
  const should = /^(.+?) (?:should|must|ought to) (not )?(.+)$/iu.exec(text);
  if (should !== null) return proposal(should[1]!, should[3]!, should[2] !== undefined);
  const words = text.split(" ");
  const at = words.findIndex((word, i) =>
    i > 0 && FINITE.has(word.toLowerCase()) && !/^(who|that|which|to|not)$/iu.test(words[i - 1]!)
  );
  if (at < 0 || at === words.length - 1) return sentenceWithVerb(text, words);
  const verb = words[at]!.toLowerCase();
  const before = lowerFirst(words.slice(0, at).join(" "));
  const after = words.slice(at + 1);
  const yes = lowerFirst(text);
  if (after[0] === "not") return claim(yes, `${before} ${verb} ${after.slice(1).join(" ")}`);
  const plain = /^(is|are|was|were|will|would|could|may|can)$/u.test(verb);
  const no = verb === "can" ? "cannot" : `${verb} not`;
  return claim(
    yes,
    plain ? `${before} ${no} ${after.join(" ")}` : `it is not the case that ${yes}`,
  );
}

/** “The technology offers more benefits than risks”: a clause whose verb ends in -s. */
function sentenceWithVerb(text: string, words: readonly string[]): Reading | undefined {
  const at = words.findIndex((word, i) => {
    const base = word.toLowerCase().replace(/(?<=(s|x|ch|sh|o))es$|s$/u, "");
    return i > 0 && i < words.length - 1 && word.endsWith("s") && VERBS.has(base);
  });
  const plural = words.findIndex((word, i) =>
    i > 0 && i < words.length - 1 && VERBS.has(word.toLowerCase()) &&
    /[^s]s$/u.test(words[i - 1]!)
  );
  if (at < 0 && plural < 0) return undefined;
  const yes = lowerFirst(text);
  return claim(yes, `it is not the case that ${yes}`);
}

function claim(yes: string, no: string): Reading {
  return { kind: "claim", act: `the view that ${yes}`, yes, no, keeps: false };
}
