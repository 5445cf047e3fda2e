import { shuffled } from "../../../core/random.ts";
import type { Asked } from "../phrasing.ts";
import { keyTerms } from "./key_terms.ts";
import { outsidePhrase } from "./outside_words.ts";
import { dataOf, QuestionsData } from "./paper_data.ts";
import {
  QUESTIONS_AT_LARGE,
  QUESTIONS_BY_FINDING,
  QUESTIONS_BY_LIMIT,
  QUESTIONS_BY_TERM,
} from "./phrases_questions.ts";
import { statementsIn } from "./statements.ts";

/** The fewest questions of a paper, and the most. */
const [FEWEST, MOST] = [8, 12];

/**
 * 8–12 open questions of the papers' own terms, findings and reservations, all different; of papers that say too little
 * for that, questions on their argument at large. Undefined where the request carries no papers.
 */
export function questionsReply({ context, random }: Asked): unknown {
  const data = dataOf(QuestionsData, context);
  if (data === undefined) return undefined;
  const { papers } = data;
  const title = papers.map((each) => each.title).join(" ");
  const terms = papers.flatMap(({ text }) =>
    keyTerms(text, { most: papers.length > 1 ? 6 : 10, title })
  );
  const stated = shuffled(papers.flatMap(({ text }) => statementsIn(text)), random);
  const clauses = (limit: boolean) =>
    stated.filter(({ kind }) => limit ? kind === "limit" : kind === "finding").map(({ text }) =>
      text
    );
  const wanted = FEWEST + Math.floor(random() * (MOST - FEWEST + 1));
  const special = [
    ...asked(QUESTIONS_BY_FINDING, clauses(false).slice(0, 3), random),
    ...asked(QUESTIONS_BY_LIMIT, clauses(true).slice(0, 2), random),
  ];
  const plain = terms.length < 2 ? [] : byTerm(terms, random).slice(0, wanted - special.length);
  const rest = shuffled(QUESTIONS_AT_LARGE, random).slice(
    0,
    Math.max(0, FEWEST - special.length - plain.length),
  );
  return { questions: spread([...plain, ...rest], special) };
}

function asked(
  templates: readonly string[],
  clauses: readonly string[],
  random: () => number,
): string[] {
  const some = shuffled(templates, random);
  return clauses.map((clause, i) => outsidePhrase([some[i]!], { c: [clause] }, random));
}

/** One question of each angle, on the terms in turn. */
function byTerm(terms: readonly string[], random: () => number): string[] {
  return shuffled(QUESTIONS_BY_TERM, random).map((angle, i) => {
    const t = terms[i % Math.min(terms.length, 6)]!;
    const others = terms.filter((each) => each !== t);
    const u = others[Math.floor(random() * Math.min(others.length, 5))]!;
    return outsidePhrase(angle, { t: [t], u: [u] }, random);
  });
}

/** Two lists as one, the second's at equal distances. */
function spread(many: readonly string[], few: readonly string[]): string[] {
  const step = Math.max(1, Math.floor(many.length / (few.length + 1)));
  const all = [...many];
  few.forEach((each, i) => all.splice(Math.min(all.length, (i + 1) * step + i), 0, each));
  return all;
}
