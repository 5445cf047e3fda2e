// Effects of keys about judges and audience.
import assert from "node:assert/strict";
import type { Score } from "../../../scoring.ts";
import { promptOf } from "../../support/talkers.ts";
import { type KeyCase, shows, withValue } from "../support/key_case.ts";
import { RUBRIC } from "../support/whole.ts";
import { hold, type Seen, type Settings, settingsOf } from "../support/holding.ts";
import { finding, startSearchServer } from "../../support/search_server.ts";
import { refuting } from "./check_cases.ts";
import { debates, JUDGED, judged, preambleOf } from "./debate_cases.ts";

function scores({ facts }: Seen): Score[] {
  return facts.filter((fact): fact is Score => fact.type === "score")
    .toSorted((a, b) => a.message - b.message);
}

function judges(seen: Seen): string[] {
  return [...new Set(scores(seen).map(({ judge }) => judge))].sort();
}

function temperatures({ requests }: Seen): (number | undefined)[] {
  return [
    ...new Set(
      requests.filter(({ context }) => context.role === "judge")
        .map(({ temperature }) => temperature),
    ),
  ];
}

function listener({ requests }: Seen): string {
  return promptOf(requests.find(({ context }) => context.key === "stance/before/listener-1")!);
}

/** Returns cases of the keys of a custom rubric. */
function rubricCases(): KeyCase[] {
  const base = { rubric: RUBRIC };
  const inHead = (text: string) => (seen: Seen) => preambleOf(seen).includes(text);
  const [first, second] = RUBRIC.criteria;
  return [
    judged({
      key: "rubric/id",
      changes: "the name that scores are kept under",
      base,
      value: "simple",
      of: (seen) => scores(seen)[0]?.rubric,
      is: ["plain", "simple"],
    }),
    judged({
      key: "rubric/scale",
      changes: "the numbers that judges may give",
      base,
      value: [0, 6],
      of: (seen) => [preambleOf(seen).includes("scored from 0 to 6"), scores(seen)[0]?.scale],
      is: [[false, [0, 10]], [true, [0, 6]]],
    }),
    judged({
      key: "rubric/criteria",
      changes: "what judges look at",
      base,
      value: [{ ...first!, weight: 1 }],
      of: (seen) => Object.keys(scores(seen)[0]!.criteria).sort(),
      is: [["honesty", "plainness"], ["plainness"]],
    }),
    ...["from", "means"].map((part) =>
      judged({
        key: `rubric/criteria/0/anchors/0/${part}`,
        changes: `the ${part} of a number of one criterion`,
        base,
        value: part === "from" ? 3 : "Plain as day.",
        of: inHead(part === "from" ? "3: Plain enough." : "5: Plain as day."),
        is: [false, true],
      })
    ),
    judged({
      key: "rubric/criteria/0/anchors",
      changes: "the meaning of numbers for one criterion",
      base,
      value: [{ from: 4, means: "Halting." }],
      of: inHead("4: Halting."),
      is: [false, true],
    }),
    judged({
      key: "rubric/criteria/0/id",
      changes: "the name of a criterion",
      base,
      value: "clarity",
      of: (seen) => Object.keys(scores(seen)[0]!.criteria).sort(),
      is: [["honesty", "plainness"], ["clarity", "honesty"]],
    }),
    judged({
      key: "rubric/criteria/0/description",
      changes: "what judges are told of a criterion",
      base,
      value: "Whether a child could follow it.",
      of: inHead("Whether a child could follow it."),
      is: [false, true],
    }),
    shows({
      key: "rubric/criteria/0/weight",
      changes: "how much a criterion counts",
      kinds: JUDGED,
      async check(kind) {
        const criteria = [{ ...first!, weight: 0.9 }, { ...second!, weight: 0.1 }];
        const settings = settingsOf(kind, base);
        const [one, other] = [
          scores(await hold(settings))[0]!,
          scores(await hold(withValue(settings, "rubric/criteria", criteria)))[0]!,
        ];
        assert.deepEqual(one.criteria, other.criteria);
        assert.notEqual(one.total, other.total);
        assert.equal(other.weights["plainness"], 0.9);
      },
    }),
    shows({
      key: "rubric/criteria/0/answers",
      changes: "whether the first speech is scored on a criterion",
      kinds: JUDGED,
      async check(kind) {
        // Without cross-examination, which would make debaters answer each other.
        const own = kind === "paper-debate" ? { ...base, crossExamine: false } : base;
        const criteriaOf = (seen: Seen) => Object.keys(scores(seen)[0]!.criteria).sort();
        const settings = settingsOf(kind, own);
        assert.deepEqual(criteriaOf(await hold(settings)), ["honesty", "plainness"]);
        const changed = withValue(settings, "rubric/criteria/0/answers", true);
        assert.deepEqual(criteriaOf(await hold(changed)), ["honesty"]);
      },
    }),
    shows({
      key: "rubric/criteria/0/evidence",
      changes: "whether refuted claims cap the numbers of a criterion",
      kinds: JUDGED,
      async check(kind) {
        await using search = await startSearchServer({ otherwise: finding("Trams are slow.") });
        const factCheck = { mode: "standard", searchUrl: search.url };
        const settings = settingsOf(kind, { ...base, factCheck });
        const judgedOf = async (given: Settings) =>
          scores(await hold(given, { say: refuting(0.9) })).flatMap(({ judged = {} }) =>
            Object.keys(judged)
          );
        assert.deepEqual(await judgedOf(settings), []);
        const capped = await judgedOf(withValue(settings, "rubric/criteria/0/evidence", true));
        assert.deepEqual([...new Set(capped)], ["plainness"]);
      },
    }),
    judged({
      key: "rubric/anchors",
      changes: "whether judges are told what numbers mean",
      base,
      value: [],
      of: inHead("Bands:"),
      is: [true, false],
    }),
    judged({
      key: "rubric/anchors/0/from",
      changes: "where a band begins",
      base,
      value: 7,
      of: (seen) => /Bands: ([^.]*)\./.exec(preambleOf(seen))?.[1],
      is: ["5+ Good enough", "7+ Good enough"],
    }),
    judged({
      key: "rubric/anchors/0/means",
      changes: "what a band means",
      base,
      value: "Splendid.",
      of: (seen) => /Bands: ([^.]*)\./.exec(preambleOf(seen))?.[1],
      is: ["5+ Good enough", "5+ Splendid"],
    }),
  ];
}

/** Keys of judges. */
const JUDGE_CASES: readonly KeyCase[] = [
  judged({
    key: "judges",
    changes: "who judges",
    value: [{}, {}],
    of: judges,
    is: [["judge"], ["judge-1", "judge-2"]],
  }),
  judged({
    key: "judges/0/id",
    changes: "how records know a judge",
    base: { judges: [{}] },
    value: "jo",
    of: judges,
    is: [["judge"], ["jo"]],
  }),
  judged({
    key: "judges/0/name",
    changes: "how readers know a judge",
    base: { judges: [{}] },
    value: "Josephine",
    of: ({ files }) => files.get("scores.md")!.includes("| Josephine |"),
    is: [false, true],
  }),
  judged({
    key: "judges/0/model",
    changes: "a judge's model",
    base: { judges: [{}] },
    value: "small",
    held: { server: {} },
    of: (seen) => scores(seen)[0]?.model,
    is: ["one", "small"],
  }),
  ...["rubric", "judges/0/rubric"].map((key) =>
    judged({
      key,
      changes: "what a judge scores by",
      base: key === "rubric" ? {} : { judges: [{}] },
      value: "academic",
      of: (seen) => scores(seen)[0]?.rubric,
      is: (kind) => [kind === "debate" ? "debate" : "conceptual", "academic"],
    })
  ),
  judged({
    key: "judges/0/temperature",
    changes: "the temperature a judge is asked with",
    base: { judges: [{}], judgeTemperature: 1 },
    value: 0,
    of: temperatures,
    is: [[1], [0]],
  }),
  judged({
    key: "judgeTemperature",
    changes: "the temperature judges are asked with",
    value: 0.1,
    of: temperatures,
    is: (kind) => [[kind === "debate" ? undefined : 0.3], [0.1]],
  }),
  judged({
    key: "verdictRepeats",
    changes: "the askings of each pass of a verdict",
    value: 1,
    of: ({ facts }) => facts.filter(({ type }) => type === "verdict").length,
    is: [2, 4],
  }),
  debates({
    key: "tiebreakModel",
    changes: "the judge that is asked where the panel ties",
    value: "small",
    held: { server: {} },
    of: ({ files }) => files.get("metadata.md")!.includes("name: Tie-break judge, model: small"),
    is: [false, true],
  }),
  debates({
    key: "scoringEnabled",
    changes: "whether anyone judges",
    value: false,
    of: (seen) => [scores(seen).length, seen.result?.outcome],
    is: [[8, "decided"], [0, "unscored"]],
  }),
  debates({
    key: "scoreBy",
    changes: "what a judge scores in one request",
    value: "round",
    of: ({ requests }) => requests.some(({ context: { kind } }) => kind === "round_scores"),
    is: [false, true],
  }),
  debates({
    key: "baseline",
    changes: "whether judges answer the topic alone",
    value: true,
    of: ({ result }) => result?.baseline?.length,
    is: [undefined, 1],
  }),
];

/** Keys of the audience. */
const AUDIENCE_CASES: readonly KeyCase[] = [
  debates({
    key: "decision",
    changes: "who names the winner",
    value: "audience",
    of: ({ result }) => [result?.winner, result?.audience?.members],
    is: [["ada", undefined], [null, 5]],
  }),
  debates({
    key: "audience",
    changes: "who listens",
    value: [{}, {}, {}],
    of: ({ facts }) => facts.filter(({ type }) => type === "stance").length,
    is: [0, 6],
  }),
  debates({
    key: "audience/0/name",
    changes: "a listener's name",
    base: { audience: [{}] },
    value: "Mira",
    of: (seen) => /You are ([^,]+), one of the audience/.exec(listener(seen))?.[1],
    is: ["Listener 1", "Mira"],
  }),
  debates({
    key: "audience/0/persona",
    changes: "who a listener is",
    base: { audience: [{}] },
    value: "Bakes bread at four in the morning.",
    of: (seen) => listener(seen).includes("Bakes bread at four"),
    is: [false, true],
  }),
  debates({
    key: "audience/0/model",
    changes: "a listener's model",
    base: { audience: [{}] },
    value: "small",
    held: { server: {} },
    of: ({ facts }) => facts.find((fact) => fact.type === "stance")?.model,
    is: ["one", "small"],
  }),
];

/** Keys of judges and audience. */
export const JUDGING_CASES: readonly KeyCase[] = [
  ...JUDGE_CASES,
  ...rubricCases(),
  ...AUDIENCE_CASES,
];
