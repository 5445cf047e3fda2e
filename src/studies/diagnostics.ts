// Diagnostics of a study's judges, and the list of all diagnostics.
import { defined } from "../core/values.ts";
import { krippendorffAlpha } from "../core/alpha.ts";
import { cohenKappa, mean, tailsOf, wilsonInterval } from "../core/statistics.ts";
import { counted, fixed } from "../core/text.ts";
import { NO_MODEL } from "../core/event.ts";
import { isOneModel } from "../judging/panels.ts";
import { mirroredPairs, type PeopleLabel } from "./comparisons.ts";
import {
  agreements,
  availability,
  cost,
  debatesBy,
  decimal,
  type Diagnostic,
  type DiagnosticInput,
  excludes,
  type Finding,
  formats,
  lengthBias,
  percent,
  sampled,
  shareOf,
  sideAdvantage,
  swapConsistency,
  ties,
  topicEffect,
  transitivity,
} from "./debate_diagnostics.ts";
import type { StudyDebate, StudyVote } from "./study.ts";

interface CastVote {
  readonly debate: StudyDebate;
  readonly vote: StudyVote;
}

function votesIn(debates: readonly StudyDebate[]): CastVote[] {
  return debates.flatMap((debate) => debate.votes.map((vote) => ({ debate, vote })));
}

/** Returns 1 for the first seat, 0 for the second, 0.5 for a tie. */
function codeOf({ sides: [first] }: StudyDebate, winner: string | null): number {
  return winner === null ? 0.5 : winner === first!.contestant ? 1 : 0;
}

/** Measures how often a judge votes for the same contestant in both seatings. */
function judgeSwaps({ ended }: DiagnosticInput): Finding {
  const found = shareIn(swapsIn(ended), ({ same }) => same);
  if (found.n === 0) return "no judge voted in both seatings of a pair";
  const sentence = `A judge votes for the same contestant in both seatings of a pair in ` +
    `${percent(found)} of ${counted(found.n, "case")}.`;
  return { ...found, of: "pairs of votes of one judge", sentence };
}

/** Returns, for each pair of seatings, the judges with a vote for a side in both. */
function swapsIn(debates: readonly StudyDebate[]) {
  return mirroredPairs(debates).map(([a, b]) =>
    a.votes.flatMap(({ judge, winner }) => {
      const other = b.votes.find((vote) => vote.judge === judge)?.winner;
      const isDecided = winner !== null && other !== null && other !== undefined;
      return isDecided ? [{ judge, same: winner === other }] : [];
    })
  );
}

/** Returns the share of items that pass the test; items of a group depend on each other, so that the interval has one unit per group. */
function shareIn<T>(groups: readonly (readonly T[])[], test: (item: T) => boolean) {
  const share = shareOf(groups.flat(), test);
  const units = groups.filter(({ length }) => length > 0).length;
  return { ...share, interval: wilsonInterval(share.estimate * units, units) };
}

/** Returns the mean of items with its interval, which has one unit per group, as in {@linkcode shareIn}. */
function meanIn(groups: readonly (readonly number[])[], range?: readonly [number, number]) {
  const filled = groups.filter(({ length }) => length > 0);
  return { ...sampled(filled, (of) => mean(of.flat()), range), n: groups.flat().length };
}

/** Groups the winners of a vote's readable verdicts by the side shown first; null is a tie. */
function passesOf({ verdicts }: StudyVote): Map<string, (string | null)[]> {
  const passes = new Map<string, (string | null)[]>();
  for (const { shownFirst, winner } of verdicts) {
    if (winner === undefined) continue;
    passes.getOrInsert(shownFirst, []).push(winner);
  }
  return passes;
}

/** Returns, for each vote of a debate in two orders, the consistency, and the lean to the side shown first from −1 to 1. */
function ordersIn(debates: readonly StudyDebate[]) {
  return debates.map(({ votes }) =>
    votes.flatMap((vote) => {
      const passes = [...passesOf(vote)].map(([shown, [winner]]) => ({ shown, winner: winner! }));
      if (passes.length < 2) return [];
      const leans = passes.map(({ shown, winner }) =>
        winner === null ? 0 : winner === shown ? 1 : -1
      );
      const same = new Set(passes.map(({ winner }) => winner)).size === 1;
      return [{ judge: vote.judge, same, lean: mean(leans)! }];
    })
  );
}

/** Measures the share of votes unaffected by the order of the sides, and the lean to the side shown first. */
function positionConsistency({ ended }: DiagnosticInput): Finding {
  const orders = ordersIn(ended);
  const share = shareIn(orders, ({ same }) => same);
  if (share.n === 0) return "no judge was asked in two orders";
  const lean = meanIn(orders.map((of) => of.map((each) => each.lean)));
  const words = excludes(lean.interval, 0)
    ? `they lean to the side shown ${lean.estimate! > 0 ? "first" : "last"}`
    : "they do not clearly lean to the side shown first or last";
  const sentence = `Judges give the same answer in both orders in ${percent(share)} of ` +
    `${counted(share.n, "vote")}; ${words}: ${decimal(lean)} from -1 to 1.`;
  return { ...share, of: "votes in two orders", sentence };
}

/** Measures the share of the most frequent answer among repeats of the same question to a judge. */
function repetition({ ended }: DiagnosticInput): Finding {
  const items = ended.map(({ votes }) =>
    votes.flatMap((vote) =>
      [...passesOf(vote).values()].filter(({ length }) => length > 1).map((answers) =>
        Math.max(...Map.groupBy(answers, (each) => each).values().map(({ length }) => length)) /
        answers.length
      )
    )
  );
  const { n, estimate = 0, interval } = meanIn(items, [0, 1]);
  if (n === 0) return "no judge was asked the same twice (verdictRepeats)";
  const sentence =
    "When asked the same question again, a judge gives its most frequent answer in " +
    `${percent({ estimate, interval })} of its replies.`;
  return { n, estimate, interval, of: "repeated questions", sentence };
}

/** Measures the agreement of judges on the winner: alpha, and for each pair of judges the share and kappa. */
function agreement({ ended }: DiagnosticInput): Finding {
  const judged = ended.filter(({ votes }) => votes.length > 1);
  if (judged.length === 0) return "no debate has votes of several judges";
  const judges = [...new Set(judged.flatMap(({ votes }) => votes.map(({ judge }) => judge)))]
    .sort();
  const codes = (debate: StudyDebate, judge: string) => {
    const vote = debate.votes.find((each) => each.judge === judge);
    return vote === undefined ? undefined : codeOf(debate, vote.winner);
  };
  const alpha = sampled(
    judged,
    (of) =>
      krippendorffAlpha(judges.map((judge) => of.map((each) => codes(each, judge))), "nominal"),
  );
  const margin = krippendorffAlpha(
    judges.map((judge) => judged.map((debate) => marginBy(debate, judge))),
  );
  const rows = judges.flatMap((a, at) =>
    judges.slice(at + 1).flatMap((b) => {
      const pairs = judged.flatMap((each) => {
        const [one, other] = [codes(each, a), codes(each, b)];
        return one === undefined || other === undefined ? [] : [[one, other] as const];
      });
      const same = shareOf(pairs, ([one, other]) => one === other);
      const kappa = cohenKappa(pairs);
      const shown = kappa === undefined ? "not known" : fixed(kappa);
      return pairs.length === 0 ? [] : [[`${a}, ${b}`, pairs.length, percent(same), shown]];
    })
  );
  const onMargin = margin === undefined
    ? ""
    : ` On the margin of the totals alpha is ${fixed(margin)}.`;
  return {
    ...alpha,
    of: "debates with several judges",
    sentence: alpha.estimate === undefined
      ? `All votes of ${counted(judged.length, "debate")} are the same: ` +
        "agreement beyond chance cannot be determined."
      : `Judges agree on the winner with an alpha of ${decimal(alpha)}, where 1 is full ` +
        `agreement and 0 is chance.${onMargin}`,
    table: { head: ["judges", "debates", "same vote", "kappa"], rows },
  };
}

/** Returns one judge's total for the first seat minus the total for the second. */
function marginBy({ sides }: StudyDebate, judge: string): number | undefined {
  const [first, second] = sides.map(({ totals }) => totals[judge]);
  return first === undefined || second === undefined ? undefined : first - second;
}

/** Returns a table of shares per judge: unread verdicts, ties, votes for the first seat and the longer side, consistency over seats and orders. */
function judgeTable({ debates, ended }: DiagnosticInput): Finding {
  const nameOf = ({ vote }: CastVote) => `${vote.judge} (${vote.model})`;
  const asked = debatesBy(votesIn(debates), nameOf);
  const cast = Map.groupBy(votesIn(ended), nameOf);
  if (asked.length === 0) return "no judge gave a verdict";
  if (cast.size === 0) return "no judge gave readable verdicts in a debate that counts";
  const [swaps, orders] = [swapsIn(ended).flat(), ordersIn(ended).flat()];
  const share = <T>(all: readonly T[], test: (each: T) => boolean) =>
    all.length === 0 ? "none" : percent(shareOf(all, test));
  const judges = asked.map(([name, all]) => {
    const { judge } = all[0]!.vote;
    const own = cast.get(name) ?? [];
    const decided = own.filter(({ vote }) => vote.winner !== null);
    const longer = ({ debate: { sides: [a, b] }, vote: { winner } }: CastVote) =>
      winner === (a!.words > b!.words ? a! : b!).contestant;
    const uneven = decided.filter(({ debate: { sides: [a, b] } }) => a!.words !== b!.words);
    const { estimate, n } = shareOf(uneven, longer);
    // Each judge is one chance of a false alarm: Bonferroni keeps all together at 5 %.
    const prefersLonger = estimate > 0.5 &&
      tailsOf((2 * estimate - 1) * Math.sqrt(n)) < 0.05 / asked.length;
    return {
      name,
      prefersLonger,
      row: [
        name,
        own.length,
        share(all.flatMap(({ vote }) => vote.verdicts), ({ winner }) => winner === undefined),
        share(own, ({ vote }) => vote.winner === null),
        share(decided, ({ debate, vote }) => codeOf(debate, vote.winner) === 1),
        share(uneven, longer),
        share(swaps.filter((each) => each.judge === judge), ({ same }) => same),
        share(orders.filter((each) => each.judge === judge), ({ same }) => same),
      ],
    };
  });
  const preferring = judges.filter(({ prefersLonger }) => prefersLonger).map(({ name }) => name);
  return {
    n: votesIn(ended).length,
    of: "votes",
    sentence: `${counted(cast.size, "judge")} gave ${counted(votesIn(ended).length, "vote")}; ` +
      (preferring.length === 0
        ? "none votes for the longer side more often than chance."
        : `more often than chance for the longer side: ${preferring.join(", ")}. ` +
          "Strengths are not accounted for: stronger contestants may speak longer."),
    table: {
      head: [
        "judge",
        "votes",
        "unread verdicts",
        "ties",
        "first speaker",
        "longer side",
        "same contestant, seats exchanged",
        "same answer, order exchanged",
      ],
      rows: judges.map(({ row }) => row),
    },
  };
}

/** Minimum votes for a measure of self-preference. */
const LEAST_OWN = 20;

/** Measures the share of votes for a side of the judge's own model, minus the share by other judges of the same debates. */
function selfPreference({ ended }: DiagnosticInput): Finding {
  const cases = ended.map(({ sides, votes }) =>
    votes.flatMap((vote) => {
      const own = sides.filter(({ model }) => isOneModel(model, vote.model));
      const others = votes.filter(({ model }) => !isOneModel(model, vote.model));
      if (own.length !== 1 || others.length === 0 || NO_MODEL.test(vote.model)) return [];
      const isFor = ({ winner }: StudyVote) => winner === own[0]!.contestant ? 1 : 0;
      return [isFor(vote) - mean(others.map(isFor))!];
    })
  );
  const found = meanIn(cases);
  const votes = counted(found.n, "vote");
  if (found.n < LEAST_OWN) {
    return `${votes} on a side of the judge's own model, ${LEAST_OWN} are needed`;
  }
  const often = found.estimate! > 0 ? "more" : "less";
  const words = excludes(found.interval, 0)
    ? `Judges vote ${often} often for their own model than others do`
    : "Judges have no clear preference for their own model";
  const sentence = `${words}: a difference of ${decimal(found)} over ${votes}.`;
  return { ...found, of: "votes on a side of the judge's own model", sentence };
}

/** Lists biases found by the archive's judge checks for the models of the judges. */
function profiles({ debates, biases = new Map() }: DiagnosticInput): Finding {
  const models = [...new Set(votesIn(debates).map(({ vote }) => vote.model))].sort();
  const rows = models.flatMap((model) =>
    (biases.get(model) ?? []).map((bias: string) => [model, bias])
  );
  if (rows.length === 0) return "the archive has no judge check that found a bias of these models";
  return {
    n: new Set(rows.map(([model]) => model)).size,
    of: "models of judges",
    sentence: "Judge checks of the archive found biases of these judges.",
    table: { head: ["model", "bias"], rows },
  };
}

/** Measures the agreement of outcomes with people's labels, and of people with each other. */
function people({ ended, labels }: DiagnosticInput): Finding {
  if (labels === undefined) return "no labels.csv with people's winners was given";
  const byDebate = Map.groupBy(labels, ({ debate }) => debate);
  const cases = ended.flatMap((debate) => {
    const own = byDebate.get(debate.cell.key) ?? [];
    return own.length === 0
      ? []
      : [{ label: majorityOf(debate, own), outcome: codeOf(debate, debate.winner ?? null) }];
  });
  if (cases.length === 0) return "no labelled debate has ended";
  const kappa = sampled(
    cases,
    (of) => cohenKappa(of.map(({ label, outcome }) => [label, outcome] as const)),
  );
  const same = shareOf(cases, ({ label, outcome }) => label === outcome);
  const raters = [...new Set(labels.map(({ rater }) => rater))].sort();
  const ceiling = krippendorffAlpha(
    raters.map((rater) =>
      ended.map((debate) => {
        const own = byDebate.get(debate.cell.key)?.find((each) => each.rater === rater);
        return own && codeOf(debate, own.winner);
      })
    ),
    "nominal",
  );
  const CODES = [[1, "first seat"], [0, "second seat"], [0.5, "tie"]] as const;
  return {
    ...kappa,
    of: "labelled debates",
    sentence: `Outcomes match people's labels in ${percent(same)} of ` +
      counted(cases.length, "debate") +
      (kappa.estimate === undefined
        ? "; agreement beyond chance cannot be determined."
        : `, with a kappa (agreement beyond chance) of ${decimal(kappa)}.`) +
      (ceiling === undefined
        ? ""
        : ` People agree with each other with an alpha of ${fixed(ceiling)}.`),
    table: {
      head: ["people", ...CODES.map(([, name]) => `outcome: ${name}`)],
      rows: CODES.map(([label, name]) => [
        name,
        ...CODES.map(([outcome]) =>
          cases.filter((each) => each.label === label && each.outcome === outcome).length
        ),
      ]),
    },
  };
}

/** Returns the code of the most frequent label; a tie if several are equally frequent. */
function majorityOf(debate: StudyDebate, labels: readonly PeopleLabel[]): number {
  const counts = debatesBy(labels, ({ winner }) => String(codeOf(debate, winner)))
    .map(([code, { length }]) => [Number(code), length] as const).sort((a, b) => b[1] - a[1]);
  return counts[0]![1] === counts[1]?.[1] ? 0.5 : counts[0]![0];
}

/** All diagnostics by id, with names, in the order of reports. */
const ROWS = {
  "side-advantage": ["Advantage of the first seat", sideAdvantage],
  "swap-consistency": ["Same winner from both seats", swapConsistency],
  "length": ["Length", lengthBias],
  "ties": ["Debates without a winner", ties],
  "topics": ["Topics", topicEffect],
  "formats": ["Formats", formats],
  "transitivity": ["Circles", transitivity],
  "judges": ["Judges one by one", judgeTable],
  "agreement": ["Agreement of judges", agreement],
  "judge-swaps": ["Votes over exchanged seats", judgeSwaps],
  "position": ["Order of the sides before a judge", positionConsistency],
  "repetition": ["Repeated questions to a judge", repetition],
  "self-preference": ["Judges and their own model", selfPreference],
  "profiles": ["Judge checks", profiles],
  "consensus": ["Agreements", agreements],
  "people": ["Labels of people", people],
  "availability": ["Availability", availability],
  "cost": ["Cost of a decided debate", cost],
} as const satisfies Record<string, readonly [string, (input: DiagnosticInput) => Finding]>;

/** Computes all diagnostics of a study. */
export function diagnose(input: Omit<DiagnosticInput, "ended">): Diagnostic[] {
  const ended = input.debates
    .filter(({ winner, sides }) => winner !== undefined && sides.length === 2)
    .map((each) => ({ ...each, votes: each.votes.filter(({ split }) => split !== "unread") }));
  return Object.entries(ROWS).map(([id, [name, find]]) => {
    const found = find({ ...input, ended });
    return defined({ id, name, ...typeof found === "string" ? { missing: found } : found });
  });
}
