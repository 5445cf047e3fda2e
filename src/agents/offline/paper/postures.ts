import { shuffled } from "../../../core/random.ts";
import type { Asked } from "../phrasing.ts";
import { keyTerms } from "./key_terms.ts";
import { mattersOf, type TopicArea } from "./matter.ts";
import { outsidePhrase } from "./outside_words.ts";
import { dataOf, PosturesData } from "./paper_data.ts";
import {
  AREA_WORDS,
  PLAIN_TOPIC_NAMES,
  POSTURES,
  type QuestionForm,
  type Stand,
  STANDS,
  TOPIC_NAMES,
} from "./phrases_postures.ts";

type Area = Exclude<TopicArea, "general">;

/** How much of a paper is read for the areas it speaks of, in characters. */
const READ = 200_000;
/** Areas every paper is debated in. */
const ALWAYS: readonly Area[] = ["methodology", "evidence", "generalisability"];
/** From so many words of it on, in a paper, an area is a topic. */
const ENOUGH: Readonly<
  Record<Exclude<Area, "methodology" | "evidence" | "generalisability">, number>
> = {
  theory: 2,
  practice: 2,
  alternatives: 2,
  ethics: 2,
};

/**
 * As many postures as are asked for, from all over the answer space of the question, and 3–8 topics that the papers' words
 * support. Undefined where the request carries no papers.
 */
export function posturesReply({ context, random }: Asked): unknown {
  const data = dataOf(PosturesData, context);
  if (data === undefined) return undefined;
  const { papers, question, count } = data;
  const pools = papers.map(({ text, title }) => keyTerms(text, { most: 30, title }));
  const matters = mattersOf(question, pools.flat());
  const terms = pools.flatMap((pool) => pool.slice(0, 10));
  return {
    postures: posturesOn(matters, { form: formOf(question), count, random }),
    topics: topicsFor(papers.map(({ text }) => text.slice(0, READ)).join("\n"), {
      terms: [
        ...new Set([
          ...matters.filter((each) => pools.flat().includes(each)),
          ...terms,
        ]),
      ],
      random,
    }),
  };
}

/** What a question asks for, by its first words. */
export function formOf(question: string): QuestionForm {
  if (
    /^\W*(?:to what extent|how (?:far|much|strong\w*|well|robust|stable|likely))\b/iu.test(question)
  ) {
    return "extent";
  }
  if (
    /^\W*(?:under (?:what|which)|when|where|in (?:what|which) (?:cases|circumstances|conditions))\b/iu
      .test(question)
  ) {
    return "conditions";
  }
  return /\b(?:mechanisms?|processes)\b|^\W*why\b/iu.test(question) ? "mechanism" : "choice";
}

interface PosturePlan {
  readonly form: QuestionForm;
  readonly count: number;
  readonly random: () => number;
}

function posturesOn(matters: readonly string[], { form, count, random }: PosturePlan): string[] {
  const found = new Set<string>();
  for (let turn = 0; found.size < count && turn < 8; turn++) {
    const m = matters[turn % matters.length]!;
    for (const stand of STANDS) {
      if (found.size >= count) break;
      found.add(postureOf(stand, { form: turn === 0 ? form : "choice", m, random }));
    }
  }
  return [...found].map((each) => each.replace(/\.$/u, ""));
}

function postureOf(
  stand: Stand,
  { form, m, random }: {
    readonly form: QuestionForm;
    readonly m: string;
    readonly random: () => number;
  },
): string {
  const templates = POSTURES[stand][form] ?? POSTURES[stand].any ?? [];
  return outsidePhrase(templates, { m: [m] }, random);
}

/** The areas that a text speaks of, each with the term that a topic is named for. */
function topicsFor(
  text: string,
  { terms, random }: { readonly terms: readonly string[]; readonly random: () => number },
): string[] {
  const further = (["theory", "practice", "alternatives", "ethics"] as const)
    .filter((area) => (text.match(AREA_WORDS[area])?.length ?? 0) >= ENOUGH[area]);
  const areas: readonly Area[] = [...ALWAYS, ...further];
  if (terms.length < 2) return areas.map((area) => PLAIN_TOPIC_NAMES[area]);
  const others = shuffled(terms.slice(1, 6), random);
  return areas.map((area, i) => {
    const t = i % 2 === 0 ? terms[0]! : others[i % others.length]!;
    const u = terms.find((each) => each !== t)!;
    return outsidePhrase(TOPIC_NAMES[area], { t: [t], u: [u] }, random).replace(/\.$/u, "");
  });
}
