import type { RequestContext } from "../../../core/agent.ts";
import { type Asked, phrase, streamOf } from "../phrasing.ts";
import { sentencesOf } from "../quotation.ts";
import { topicPhrase } from "./matter.ts";
import { outsidePhrase } from "./outside_words.ts";
import { dataOf, ReportData, type ReportMatter } from "./paper_data.ts";

/** A posture's name: what stands before its colon, else its first words. */
export function shortPosture(posture: string): string {
  const line = posture.replace(/\s+/gu, " ").replace(/["“”„«»*_`#<>|\[\]{}\\]/gu, "").trim();
  const head = line.split(/\s*[:;]\s/u)[0]!;
  const words = (head === "" ? line : head).split(" ");
  return words.length <= 9
    ? words.join(" ").replace(/[.,]+$/u, "")
    : `${words.slice(0, 8).join(" ")} …`;
}

type Random = Asked["random"];

/**
 * The reporter's summary in two or three paragraphs: what was debated, how the postures rank, what came to light and what
 * stays open; `brief` says less of each. Undefined where the turn does not carry them.
 */
export function reportText(context: RequestContext, brief = false): string | undefined {
  const data = dataOf(ReportData, context);
  if (data === undefined) return undefined;
  const random = streamOf(context);
  const most = brief ? 1 : 2;
  const last = [
    ...broughtToLight({ ...data, insights: data.insights.slice(0, most) }, random),
    ...leftOpen(
      brief ? { ...data, controversialPoints: data.controversialPoints.map(opening) } : data,
      random,
    ),
  ];
  const paragraphs = [whatWasDebated(data, random), ranking(data, random), last];
  return paragraphs.filter((each) => each.length > 0).map((each) => each.join(" ")).join("\n\n");
}

function whatWasDebated(
  { question, topics, ranked, figures, failed }: ReportMatter,
  random: Random,
): string[] {
  const names = [...new Set([...ranked, ...figures].map(({ posture }) => shortPosture(posture)))];
  const asked = question.replace(/\s+/gu, " ").trim().replace(/[.]+$/u, "");
  const named = topics.flatMap((topic) => topicPhrase(topic) ?? []);
  return [
    outsidePhrase(
      [
        "the debate [turned on|was held over] one question: {asked}",
        "one question was [put to|laid before] the debaters: {asked}",
      ],
      { asked: [asked] },
      random,
    ),
    ...(names.length === 0 ? [] : [outsidePhrase([
      "the postures that were [argued|defended] are {names}",
      "it was [argued|answered] from {count}: {names}",
    ], {
      names: [listed(names.map((each) => `“${each}”`))],
      count: [names.length === 1 ? "one side" : `${wordFor(names.length)} sides`],
    }, random)]),
    ...(named.length === 0 ? [] : [outsidePhrase(
      [
        "each of them spoke on {topics}",
        "the [same|common] topics for all were {topics}",
      ],
      { topics: [listed(named)] },
      random,
    )]),
    ...failed.map((each) =>
      outsidePhrase(
        [
          "nobody could be heard for “{name}”, since its debater failed, and the debate was judged without it",
          "the debater for “{name}” failed and is missing from what follows",
        ],
        { name: [shortPosture(each)] },
        random,
      )
    ),
  ];
}

function ranking({ ranked, winner, figures }: ReportMatter, random: Random): string[] {
  const [first, ...rest] = ranked.map(({ posture, total }) => ({
    name: `“${shortPosture(posture)}”`,
    total,
  }));
  if (first === undefined) {
    return [
      phrase(["the judges gave no numbers, so the postures are not ranked"], {}, random),
      ...marks(figures, random),
    ];
  }
  const tied = rest.filter(({ total }) => total === first.total);
  const order = rest.length === 0
    ? outsidePhrase(["only {a} could be scored, with {n}"], {
      a: [first.name],
      n: [String(first.total)],
    }, random)
    : tied.length > 0
    ? outsidePhrase(
      [
        "by the judges’ numbers {a} are level, with {n} each",
        "at the top of the judges’ numbers {a} are tied at {n}",
      ],
      { a: [listed([first, ...tied].map(({ name }) => name))], n: [String(first.total)] },
      random,
    )
    : outsidePhrase([
      "by the judges’ numbers {a} [leads|comes first] with {n}, ahead of {rest}",
      "the highest total went to {a} with {n}, followed by {rest}",
    ], {
      a: [first.name],
      n: [String(first.total)],
      rest: [listed(rest.map(({ name, total }) => `${name} (${total})`))],
    }, random);
  return [
    order,
    ...compared(winner, [first, ...tied].map(({ name }) => name), random),
    ...marks(figures, random),
  ];
}

/** What the comparison of the sides said beside the numbers. */
function compared(winner: string | null, leaders: readonly string[], random: Random): string[] {
  if (winner === null) {
    return [phrase(
      [
        "asked to compare the sides in different orders, the judges [named|found] no winner",
        "the comparison of the sides, made in more than one order, [gave|brought] no winner",
      ],
      {},
      random,
    )];
  }
  const name = `“${shortPosture(winner)}”`;
  const list = leaders.includes(name)
    ? [
      "the comparison of the sides in different orders [agrees|is in line with this]: it names {a} as well",
    ]
    : [
      "the comparison of the sides in different orders disagrees: it names {a}, and both results [stand|are kept] side by side",
    ];
  return [outsidePhrase(list, { a: [name] }, random)];
}

function marks(figures: ReportMatter["figures"], random: Random): string[] {
  const missing = figures.filter(({ notFound }) => notFound > 0);
  const verified = figures.reduce((sum, each) => sum + each.verified, 0);
  if (missing.length > 0) {
    const each = missing.map(({ posture, notFound, verified: found }) =>
      `“${shortPosture(posture)}” (${notFound} of ${notFound + found})`
    );
    return [outsidePhrase(
      [
        "some quotations and citations could not be found where they are said to stand, namely in {list}",
      ],
      { list: [listed(each)] },
      random,
    )];
  }
  if (verified === 0) return [];
  return [phrase(
    [
      "every quotation and citation was found where it is said to stand",
      "all quotations and citations [stood up to|passed] the check against their sources",
    ],
    {},
    random,
  )];
}

function broughtToLight({ insights }: ReportMatter, random: Random): string[] {
  const [one, two] = insights.map(sentence);
  if (one === undefined) return [];
  const start = phrase(
    ["this much came to light", "the judges [took|drew] the following from it"],
    {},
    random,
  );
  return [start.replace(/\.$/u, ":"), one, ...(two === undefined ? [] : [two])];
}

function leftOpen({ controversialPoints }: ReportMatter, random: Random): string[] {
  const [one, ...more] = controversialPoints.map(sentence);
  if (one === undefined) return [phrase(["no point was marked as controversial"], {}, random)];
  const start = phrase(
    ["not everything was [settled|resolved]", "some of it [remains|is still] in dispute"],
    {},
    random,
  );
  const rest = more.length === 0 ? [] : [phrase(
    [
      more.length === 1
        ? "one further point is [listed|given] among the controversial ones"
        : "{n} further points are [listed|given] among the controversial ones",
    ],
    { n: [wordFor(more.length)] },
    random,
  )];
  return [start, one, ...rest];
}

/** The first sentence of a text. */
function opening(text: string): string {
  return sentencesOf(text.slice(0, 2000))[0] ?? text;
}

/** A text of others as sentences: on one line, with an end. */
function sentence(text: string): string {
  const line = text.replace(/\s+/gu, " ").trim();
  return /[.!?…]["”’)]?$/u.test(line) ? line : `${line}.`;
}

function listed(names: readonly string[]): string {
  if (names.length < 2) return names.join("");
  const [comma, and] = names.some((name) => /,| and /u.test(name))
    ? ["; ", "; and "]
    : [", ", " and "];
  return `${names.slice(0, -1).join(comma)}${and}${names.at(-1)}`;
}

function wordFor(count: number): string {
  return ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"][count] ??
    String(count);
}
