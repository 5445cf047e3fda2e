// Diagnostics and reports of drawn debates.
import assert from "node:assert/strict";
import type { Diagnostic } from "../../src/studies/debate_diagnostics.ts";
import { readLabels } from "../../src/studies/comparisons.ts";
import { reportOf, type ReportOptions } from "../../src/studies/report.ts";
import type { StudyDebate, StudyVote } from "../../src/studies/study.ts";
import { ended, simulated } from "./simulated_study.ts";

const report = (
  debates: readonly StudyDebate[],
  { kind = "debate", ...options }: ReportOptions & { readonly kind?: string } = {},
) =>
  reportOf(
    {
      study: { study: "s", base: { kind }, pairs: "all" } as never,
      dir: "/archive/studies/s",
      plan: "0".repeat(64),
    },
    debates,
    options,
  );

/** Ids of the tested diagnostics. */
type Id =
  | "side-advantage"
  | "judges"
  | "agreement"
  | "position"
  | "repetition"
  | "self-preference"
  | "topics"
  | "transitivity"
  | "people"
  | "formats"
  | "profiles";

async function diagnosed(debates: readonly StudyDebate[], options?: ReportOptions) {
  const { diagnostics } = (await report(debates, options)).report;
  return Object.fromEntries(diagnostics.map((each) => [each.id, each])) as Record<Id, Diagnostic>;
}

/** Returns a vote in two orders; `second` wins when the second seat is shown first. */
function vote(
  { sides: [a, b] }: StudyDebate,
  judge: string,
  winner: string | null,
  second = winner,
): StudyVote {
  return {
    judge,
    model: `model-of-${judge}`,
    rubric: "debate",
    winner: winner === second ? winner : null,
    askings: 2,
    verdicts: [
      { shownFirst: a!.contestant, winner, pass: 1 },
      { shownFirst: b!.contestant, winner: second, pass: 2 },
    ],
  };
}

function longerOf({ sides: [a, b] }: StudyDebate): string {
  return a!.words > b!.words ? a!.contestant : b!.contestant;
}

const DRAWN = simulated({ strengths: { a: 1, b: 0.3, c: -0.3, d: -1 }, side: 1, tie: 0.3 }, {
  topics: 8,
  seed: 4,
});

/** Debates with a judge that votes as they ended, and another that votes for the longer side. */
const JUDGED = DRAWN.map((each) => ({
  ...each,
  votes: [vote(each, "fair", each.winner ?? null), vote(each, "long", longerOf(each))],
}));

function holds({ interval }: Pick<Diagnostic, "interval">, value: number): void {
  assert.ok(interval![0] <= value && value <= interval![1], `${interval} without ${value}`);
}

Deno.test("diagnostics: every measure has a number, a unit and a sentence, or a reason why the data are insufficient", async () => {
  const found = await diagnosed(JUDGED);
  for (const { n, of, sentence, missing } of Object.values(found)) {
    assert.ok(
      missing === undefined ? n! > 0 && of !== "" && /\.$/.test(sentence!) : missing !== "",
    );
  }
  assert.deepEqual(
    Object.values(found).filter(({ missing }) => missing !== undefined).map(({ id }) => id),
    ["formats", "repetition", "self-preference", "profiles", "consensus", "people"],
  );
  for (const { missing } of Object.values(await diagnosed([]))) assert.ok(missing !== undefined);
  const alike = JUDGED.map((each, at) => ({
    ...each,
    winner: null,
    cell: { ...each.cell, format: at % 2 === 0 ? "oxford" : "casual" },
  }));
  const { sentence } = (await diagnosed(alike)).formats;
  assert.match(sentence!, /^The share of debates without a winner is 100 % .*in every format\.$/);
});

Deno.test("diagnostics: the advantage of the first seat is found", async () => {
  const found = (await diagnosed(DRAWN))["side-advantage"];
  assert.match(found.sentence!, /^The first speaker wins \d\d % \[\d\d, \d\d\] of \d+ decided/);
  const even = await diagnosed(simulated({ strengths: { a: 0, b: 0 } }, { topics: 60, seed: 2 }));
  assert.match(even["side-advantage"].sentence!, /^The first speaker has no clear advantage/);
});

Deno.test("report: effects of seat and length are in points of the ratings", async () => {
  const { texts, report: { warnings, diagnostics } } = await report(DRAWN);
  const { side, length, model } = JSON.parse(texts["ratings.json"]!);
  const points = ({ estimate, interval }: Diagnostic) => {
    const [own, ...ends] = [estimate!, ...interval!].map((each) =>
      Math.round(each * 400 / Math.LN10)
    );
    return `${own} points [${ends.join(", ")}]`;
  };
  const [sentence, lengths] = ["side-advantage", "length"].map((id) =>
    diagnostics.find((each) => each.id === id)!.sentence!
  );
  assert.ok(sentence!.endsWith(`; the effect is ${points(side)}.`), sentence);
  const [advantage] = points(side).split(" [");
  assert.ok(
    warnings.includes(`Seats matter: the first seat has an advantage of ${advantage}.`),
    warnings.join("\n"),
  );
  // The longer of two sides whose difference is a share s of their sum is longer by 2 s / (1 - s).
  const longer = Math.round(200 * model.lengthScale / (1 - model.lengthScale));
  assert.ok(
    lengths!.endsWith(`: ${points(length)} for a side that is ${longer} % longer.`),
    lengths,
  );
});

Deno.test("diagnostics: a judge that prefers length is named, and others are not", async () => {
  const { judges, agreement } = await diagnosed(JUDGED);
  assert.match(judges.sentence!, /for the longer side: long \(model-of-long\)\. Strengths are not/);
  const [fair, long] = judges.table!.rows;
  assert.match(String(long![5]), /^100 %/);
  assert.doesNotMatch(String(fair![5]), /^100 %/);
  assert.ok(agreement.estimate! < 0.3);
  assert.equal(agreement.table!.rows.length, 1);
});

Deno.test("diagnostics: the more judges, the less chance alone names one that prefers length", async () => {
  // R 4.2.2, binom.test(59, 96)$p.value: 0.0315, which is below 0.05, but not below 0.05 / 7.
  const votesOf = (count: number) =>
    DRAWN.map((each, at) => {
      const shorter = each.sides.find(({ contestant }) => contestant !== longerOf(each))!;
      return {
        ...each,
        votes: Array.from({ length: count }, (_, judge) => {
          const isLonger = judge === 0 ? at < 59 : at % 2 === judge % 2;
          return vote(each, `j${judge}`, isLonger ? longerOf(each) : shorter.contestant);
        }),
      };
    });
  assert.match((await diagnosed(votesOf(1))).judges.sentence!, /for the longer side: j0 /);
  assert.match((await diagnosed(votesOf(7))).judges.sentence!, /none votes for the longer side/);
});

Deno.test("diagnostics: judges who always agree may still differ in other debates", async () => {
  const alike = DRAWN.slice(0, 30).map((each) => ({
    ...each,
    votes: ["one", "two"].map((judge) => vote(each, judge, each.winner ?? null)),
  }));
  const { agreement } = await diagnosed(alike);
  assert.match(agreement.sentence!, / an alpha of 1\.00 \[0\.77, 1\.00\], /);
});

Deno.test("diagnostics: order of the sides, repeated questions and exchanged seats are counted", async () => {
  const debates = simulated({ strengths: { a: 0, b: 0 } }, { topics: 40, seed: 6 }).map(
    (each, at) => {
      const [a, b] = each.sides.map(({ contestant }) => contestant) as [string, string];
      // Half of the votes go to the side shown first, the others to contestant a.
      const own = at % 2 === 0 ? vote(each, "j", a, b) : vote(each, "j", "a");
      const again = { ...own.verdicts[0]!, winner: at % 4 === 0 ? b : own.verdicts[0]!.winner };
      return { ...each, votes: [{ ...own, verdicts: [...own.verdicts, again] }] };
    },
  );
  const found = await diagnosed(debates);
  assert.equal(found.position.estimate, 0.5);
  assert.match(found.position.sentence!, /they lean to the side shown first: 0\.50 /);
  assert.equal(found.repetition.n, 80);
  assert.equal(found.repetition.estimate, (60 + 20 * 0.5) / 80);
  const [, high] = (await diagnosed(debates.slice(1, 12))).repetition.interval!;
  assert.equal(high, 1, "no interval leaves the range of its measure");
  const few = await diagnosed(debates.filter((_, at) => at % 2 === 0).slice(0, 9));
  assert.match(few.position.sentence!, /do not clearly lean .*: 1\.00 from -1 to 1\.$/);
});

Deno.test("diagnostics: judges that vote alike make no interval narrower", async () => {
  const panels = [1, 5].map((count) =>
    DRAWN.map((each) => ({
      ...each,
      votes: Array.from({ length: count }, (_, at) => vote(each, `j${at}`, each.winner ?? null)),
    }))
  );
  const ids = ["position", "judge-swaps"];
  const [one, five] = await Promise.all(panels.map(async (debates) => {
    const { diagnostics } = (await report(debates)).report;
    return diagnostics.filter(({ id }) => ids.includes(id));
  }));
  assert.deepEqual(five!.map(({ interval }) => interval), one!.map(({ interval }) => interval));
  assert.deepEqual(five!.map(({ n }) => n), one!.map(({ n }) => 5 * n!));
});

Deno.test("diagnostics: a judge's preference for its own model is compared with the other judges", async () => {
  const judgedBy = (twins: number) =>
    JUDGED.map((each) => {
      const isOwn = each.sides.some(({ contestant }) => contestant === "d");
      return {
        ...each,
        sides: each.sides.map((side) => ({
          ...side,
          model: side.contestant === "d" ? "model-of-own" : side.model,
        })),
        votes: [
          ...each.votes,
          ...Array(twins).fill(vote(each, "own", isOwn ? "d" : null)),
        ],
      };
    });
  const found = (await diagnosed(judgedBy(1)))["self-preference"];
  assert.match(found.sentence!, /^Judges vote more often for their own model than others do/);
  assert.ok(found.interval![0] > 0.3);
  const twins = (await diagnosed(judgedBy(3)))["self-preference"];
  assert.deepEqual([twins.interval, twins.n], [found.interval, 3 * found.n!]);
});

Deno.test("diagnostics: topics that one seat always won are compared with chance", async () => {
  const seats = { first: "a", second: "b" };
  const debates = ["aaab", "ab", "b"].flatMap((winners, topic) =>
    [...winners].map((winner, at) => ended({ ...seats, topic: `t${topic}`, repeat: at, winner }))
  );
  const { topics } = await diagnosed([
    ...debates,
    ...[1, 2].map((repeat) => ended({ ...seats, topic: "t3", repeat, winner: "a" })),
  ]);
  // The first seat won 6 of 9: (2/3)^4 + (1/3)^4 of the topic with four debates, and 5/9 of each with two.
  assert.equal(
    topics.sentence,
    "Of 3 topics with two or more decided debates, t3 was won from one seat alone; chance gives 1.3.",
  );
});

Deno.test("diagnostics: cycles are compared with chance", async () => {
  const wins = [["a", "b"], ["b", "c"], ["c", "a"]] as const;
  const debates = wins.flatMap(([first, second]) =>
    Array.from({ length: 10 }, (_, at) => ended({ first, second, winner: first, topic: `t${at}` }))
  );
  const { transitivity } = await diagnosed(debates);
  assert.deepEqual([transitivity.n, transitivity.estimate], [1, 1]);
  assert.match(transitivity.sentence!, /In 1 of them/);
  assert.equal(transitivity.interval, undefined, "triads share pairs");
  const last = ["a", "b", "c"].map((first) => ended({ first, second: "d", winner: first }));
  const more = (await diagnosed([...debates, ...last])).transitivity;
  assert.deepEqual([more.n, more.estimate], [4, 0.25]);
});

Deno.test("diagnostics: failed debates lower availability, raise the cost of a decision, and are in no rating", async () => {
  const { winner: _winner, ...first } = DRAWN[0]!;
  const failed: StudyDebate = { ...first, status: "failed", code: "provider_error" };
  const { report: found } = await report([failed, ...DRAWN.slice(1)]);
  const [availability, cost] = ["availability", "cost"].map((id) =>
    found.diagnostics.find((each) => each.id === id)!
  );
  assert.equal(availability!.estimate, (DRAWN.length - 1) / DRAWN.length);
  assert.deepEqual(availability!.table!.rows[0]!.at(-1), "provider_error 1");
  assert.ok(cost!.estimate! > 0.01);
  assert.match(
    cost!.sentence!,
    /^A decided debate costs \$0\.01\d\d \[\$0\.01\d\d, \$0\.01\d\d\], /,
  );
  assert.match(found.warnings[0]!, /unfinished: 1 of 96 debates/);
  const usage = { ...first.usage, costUsd: "unknown" } as const;
  const stopped: StudyDebate = { ...first, status: "stopped", usage };
  const { report: other } = await report([stopped, ...DRAWN.slice(1)]);
  const rowsOf = (id: string) => other.diagnostics.find((each) => each.id === id)!;
  assert.equal(rowsOf("availability").table!.rows[0]!.at(-1), "stopped 1");
  assert.match(rowsOf("cost").sentence!, /; the cost of 1 debate is unknown\.$/);
});

Deno.test("diagnostics: people's labels give agreement, a table and the agreement between people", async () => {
  const text = "debate,winner,rater\n" + DRAWN.flatMap(({ cell, winner }, at) => [
    `${cell.key},${winner ?? "tie"},ann`,
    `${cell.key},${at % 3 === 0 ? "tie" : winner ?? "tie"},"bob, jr"`,
  ]).join("\r\n");
  const labels = readLabels(text, "labels.csv", DRAWN);
  assert.deepEqual([...new Set(labels.map(({ rater }) => rater))], ["ann", "bob, jr"]);
  const [first] = DRAWN;
  assert.deepEqual(
    readLabels(`rater,debate,winner\n,${first!.cell.key},tie\n`, "labels.csv", [first!]),
    [{ debate: first!.cell.key, winner: null, rater: "" }],
  );
  assert.deepEqual(
    readLabels(
      `\uFEFF"debate","comment","winner"\r\n${first!.cell.key},"well\nsaid, ""Ann""\r\n",tie`,
      "labels.csv",
      [first!],
    ),
    [{ debate: first!.cell.key, winner: null, rater: "" }],
  );
  const { people } = await diagnosed(DRAWN, {
    labels: labels.filter(({ rater }) => rater === "ann"),
  });
  assert.equal(people.estimate, 1);
  const both = (await diagnosed(DRAWN, { labels })).people;
  assert.match(both.sentence!, /People agree with each other with an alpha of 0\.[3-9]/);
  const [label] = labels;
  const lone = (await diagnosed([first!], { labels: [label!] })).people;
  assert.match(lone.sentence!, /of 1 debate; agreement beyond chance cannot be determined/);
  const none = (await diagnosed(DRAWN.slice(1), { labels: [label!] })).people;
  assert.equal(none.missing, "no labelled debate has ended");
  const cells = DRAWN.map(({ cell }) => cell);
  for (
    const [wrong, message] of [
      ["debate;winner\n", /line 1: it lacks a column/],
      ['debate,winner,note\nnone,a,"one\ntwo"\n', /line 2: the plan has no debate "none"/],
      [
        `debate,note,winner\n${cells[0]!.key},"one\ntwo",tie\nnone,,a\n`,
        /line 4: the plan has no debate "none"/,
      ],
      ["debate,winner\nnone,a\n", /line 2: the plan has no debate "none"/],
      [`debate,winner\n\n${cells[0]!.key},zoe\n`, /line 3: "zoe" is no side of .* \(a, b, tie\)$/],
      [`${text}\n${cells[0]!.key},tie,ann\n`, /line 194: "ann" labels the debate \S+ twice/],
    ] as const
  ) assert.throws(() => readLabels(wrong, "labels.csv", DRAWN), message);
  const { first: _first, second: _second, ...cell } = first!.cell;
  assert.throws(
    () => readLabels(`debate,winner\n${cell.key},zoe\n`, "labels.csv", [{ ...first!, cell }]),
    /line 2: "zoe" is no side of the debate \S+ \(a, b, tie\)$/,
  );
});

Deno.test("diagnostics: formats are compared, and judge checks are shown with the judges", async () => {
  const debates = JUDGED.map((each, at) => ({
    ...each,
    cell: { ...each.cell, format: at % 2 === 0 ? "formal" : "clash" },
  }));
  const found = await diagnosed(debates, {
    biasesOf: (model) => Promise.resolve(model === "model-of-long" ? ["Prefers the longer."] : []),
  });
  assert.deepEqual(found.formats.table!.rows.map(([name]) => name), ["clash", "formal"]);
  assert.deepEqual(found.profiles.table!.rows, [["model-of-long", "Prefers the longer."]]);
});

Deno.test("report: equal debates give equal bytes, and the leaderboard has ranges, intervals and links", async () => {
  const { texts, report: found } = await report(JUDGED);
  assert.deepEqual((await report(JUDGED)).texts, texts);
  assert.deepEqual(Object.keys(texts).sort(), [
    "diagnostics.md",
    "leaderboard.csv",
    "leaderboard.html",
    "leaderboard.md",
    "ratings.json",
  ]);
  const md = texts["leaderboard.md"]!;
  assert.match(md, /\| a \| 1(?:–2)? \| 1\d{3} \[1\d{3}, 1\d{3}\] \|/);
  assert.match(md, /\[t1, a first\]\(\.\.\/debates\/t1-a-b-1\/index\.md\); \[t1, b first\]/);
  const asFirst = JUDGED.filter(({ sides, winner }) =>
    sides[0]!.contestant === "a" && winner !== null
  );
  assert.ok(asFirst.length > 0);
  assert.match(md, new RegExp(`^\\| a \\|.* \\d+ % of ${asFirst.length} \\|`, "m"));
  const ofPair = DRAWN.filter(({ sides }) => sides.every((side) => /[ab]/.test(side.contestant)));
  const tied = ofPair.filter(({ winner }) => winner === null).length / ofPair.length * 100;
  assert.ok(tied > 0);
  const row = new RegExp(`\\| a – b \\| ${ofPair.length} \\| ${tied.toFixed(0)} % \\[`);
  assert.match(md, row);
  const unrated = ended({ first: "e", second: "a", winner: "a" });
  const { texts: partly } = await report([...JUDGED, unrated]);
  assert.match(md, /: 1500 is the mean, and /);
  assert.match(
    partly["leaderboard.md"]!,
    /: 1500 is the mean of the largest connected group, and /,
  );
  const [leaders = ""] = partly["leaderboard.md"]!.split("## Pairs");
  const columns = leaders.split("\n").filter((line) => /^\| (?:contestant|[ae]) \| /.test(line));
  assert.deepEqual(columns.map((line) => line.split(" | ").length), [11, 11, 11]);
  assert.equal(texts["leaderboard.csv"]!.split("\n").length, 6);
  const { comparisons, fit } = JSON.parse(texts["ratings.json"]!);
  assert.deepEqual([comparisons.length, fit.estimates.length], [96, 7]);
  assert.equal(found.leaderboard[0]!.contestant, "a");
  holds({ interval: found.leaderboard[0]!.interval! }, 1500 + 400 / Math.LN10);
  const decided = simulated({ strengths: { a: 0.2, b: 0 } }, { topics: 20, seed: 4 });
  const { texts: plain } = await report(decided);
  assert.match(plain["leaderboard.md"]!, / 40 comparisons without ties in 20 clusters, with the /);
  assert.match(plain["leaderboard.md"]!, /, as if debates were independent: they hold for these/);
  assert.match(md, /, by cluster \(.* of a pair on a topic\), as if clusters were independent\./);
});

Deno.test("report: the first sentence says which contestant is better, and how sure", async () => {
  const pair = { strengths: { a: 0, b: 0 } };
  const wins = (count: number, all: number, seed = 1) =>
    simulated(pair, { topics: all / 2, seed }).map((each, at): StudyDebate => ({
      ...each,
      winner: at < count ? "a" : "b",
    }));
  const rated = simulated({ strengths: { a: 3, b: 0, c: 0 } }, { topics: 40, seed: 4 });
  const cases: readonly (readonly [readonly StudyDebate[], string | RegExp])[] = [
    [
      wins(12, 12),
      "a is better than b: a has a mean score of 1.00 [0.76, 1.00] of 12 debates, 95 % as if debates were independent; a tie is half.",
    ],
    [
      wins(0, 8),
      /^Too few debates to say whether b or a is better: b has a mean score of 1\.00 \[0\.68, 1\.00\] /,
    ],
    [
      wins(20, 40),
      /^No clear difference between [ab] and [ab] by the ratings: [ab] has a mean score of 0\.50 \[/,
    ],
    [rated, "a is better than every other contestant, at 5 % over all pairs."],
    [
      [...rated, ended({ first: "e", second: "a", winner: "a" })],
      "a is better than every other contestant with a rank, at 5 % over all pairs.",
    ],
    [
      simulated({ strengths: { a: 3, b: 3, c: 0 } }, { topics: 40, seed: 4 }),
      /^The best contestant is one of [ab] and [ab]; which one is not clear, at 5 % /,
    ],
    [
      simulated({ strengths: Object.fromEntries([..."abcdefghijkl"].map((name) => [name, 0])) }, {
        topics: 2,
        seed: 4,
      }),
      /^The best contestant is one of 1\d; which one is not clear, at 5 % /,
    ],
  ];
  for (const [debates, finding] of cases) {
    const { texts, report: found } = await report(debates);
    assert.match(
      found.finding!,
      finding instanceof RegExp ? finding : RegExp(`^${RegExp.escape(finding)}$`),
    );
    assert.equal(texts["leaderboard.md"]!.split("\n")[2], found.finding);
  }
  const { texts } = await report(wins(8, 8));
  assert.match(texts["leaderboard.md"]!, /\| a \| {2}\| 1\.00 \[0\.68, 1\.00\] of 8 \|/);
});

Deno.test("report: verdicts that could not be read are counted, and are no ties of their judge", async () => {
  const unread = (debate: StudyDebate, judge: string): StudyVote => {
    const { verdicts: [first, second], ...rest } = vote(debate, judge, null);
    return { ...rest, split: "unread", verdicts: [first!, { ...second!, winner: undefined }] };
  };
  const debates = DRAWN.map(({ winner, ...each }, at): StudyDebate => ({
    ...each,
    ...at === 0 ? {} : { winner: winner ?? "a" },
    votes: [
      at % 4 === 0 ? unread(each, "j") : vote(each, "j", each.cell.first!),
      unread(each, "mute"),
    ],
  }));
  const { report: { warnings, diagnostics } } = await report(debates);
  assert.match(warnings.join(" "), /because no judge gave a result: 1 debate\./);
  assert.match(
    warnings.join(" "),
    /because the debate with exchanged seats has no result: 1 debate/,
  );
  assert.match(warnings.join(" "), /could not be read: 120 of 384\. /);
  const judges = diagnostics.find(({ id }) => id === "judges")!;
  assert.match(judges.sentence!, /^1 judge gave 72 votes; /);
  const rows = judges.table!.rows.map((row) =>
    row.slice(0, 4).map((each) => `${each}`.split(" [")[0])
  );
  assert.deepEqual(rows, [
    ["j (model-of-j)", "72", "13 %", "0 %"],
    ["mute (model-of-mute)", "0", "50 %", "none"],
  ]);
  const mute = debates.map((each) => ({ ...each, votes: [unread(each, "mute")] }));
  const missing = (await diagnosed(mute)).judges.missing;
  assert.equal(missing, "no judge gave readable verdicts in a debate that counts");
});

Deno.test("report: the page has no script, loads nothing and shows texts of files escaped", async () => {
  const bad = `<script>alert(1)</script>](javascript:x) | "&\u202e`;
  const debates = simulated({ strengths: { [bad]: 0.5, b: 0, c: 0 } }, { topics: 10, seed: 1 })
    .map((each): StudyDebate => ({
      ...each,
      cell: { ...each.cell, topic: bad + each.cell.topic, question: 1 },
      question: bad,
      votes: [{ ...vote(each, bad, each.winner!), model: bad }],
    }));
  const { texts } = await report(debates, { kind: "paper-debate" });
  const html = texts["leaderboard.html"]!;
  assert.doesNotMatch(html, /<script|javascript:x"|\u202e| on\w+=|src=/);
  assert.match(html, /&lt;script&gt;/);
  assert.match(html, /Content-Security-Policy" content="default-src &#39;none&#39;; style-src/);
  assert.match(html, /<svg class="bar" role="img" aria-label="1\d{3}, from 1\d{3} to 1\d{3}"/);
  for (const name of ["leaderboard.md", "diagnostics.md"]) {
    assert.doesNotMatch(texts[name]!, /<script|\]\(javascript|\u202e/);
  }
});

Deno.test("report: the questions on papers are grouped by paper", async () => {
  const debates = DRAWN.slice(0, 4).map((each, at): StudyDebate => ({
    ...each,
    cell: { ...each.cell, topic: at < 2 ? "paper-1" : "paper-2", question: 2 - at % 2 },
    question: `Question ${2 - at % 2}?`,
  }));
  const { texts } = await report(debates, { kind: "paper-debate" });
  const [, papers = ""] = texts["leaderboard.md"]!.split("## Papers");
  assert.match(papers, /### Questions of paper-1[^#]*Question 1[^#]*Question 2/);
  assert.match(papers, /### Questions of paper-2/);
});

Deno.test("report: a study without results is marked as such in every file", async () => {
  const planned = DRAWN.map((each): StudyDebate => {
    const { winner: _winner, startedAt: _startedAt, endedAt: _endedAt, ...rest } = each;
    return { ...rest, status: "planned", sides: [], votes: [] };
  });
  const { texts, report: found } = await report(planned);
  assert.deepEqual(found.warnings, [
    "The study is unfinished: 96 of 96 debates not completed.",
    "No debate of two contestants has ended with a result: there are no ratings.",
  ]);
  assert.equal(found.finding, null);
  assert.match(texts["leaderboard.md"]!, /there are no ratings/);
  assert.doesNotMatch(texts["leaderboard.md"]!, /unknown/);
  const availability = found.diagnostics.find(({ id }) => id === "availability")!;
  assert.deepEqual([availability.estimate, availability.interval], [0, undefined]);
  assert.doesNotMatch(Object.values(texts).join(""), /NaN|Infinity|undefined/);
});
