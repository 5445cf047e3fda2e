// Fact checker: claims, look-ups, verdicts, failures and concurrency.
import assert from "node:assert/strict";
import { sourceSearcher } from "../../src/checking/searchers.ts";
import type { SearchHit } from "../../src/core/search.ts";
import { FALSE, startSearchServer, TRUE } from "../support/search_server.ts";
import { drain, Talker, VirtualTime } from "../support/talkers.ts";
import { checked, checkedDialogue, checkerAgent, found, searchOf } from "./support/checking.ts";

/** Makes the same two claims in every turn. */
const TWO_CLAIMS = new Talker(() => ({
  text: "Fact: Buses are slow. Fact: Trams are fast. I like both.",
}));

Deno.test("checkOf() records a turn with a false claim, its verdicts and their sources in a file of its own", async () => {
  await using server = await startSearchServer({ answers: { slow: FALSE, fast: TRUE } });
  const { workflow, record } = checkedDialogue(TWO_CLAIMS, checkerAgent(), {
    searchers: [searchOf(server)],
  });
  const { checks, rejections, messages, lookups } = found(await drain(workflow));
  assert.deepEqual(messages.map(({ attempts, marks }) => [attempts, marks]), [[1, []], [1, []]]);
  assert.deepEqual(rejections, []);
  assert.deepEqual(checks.map(({ participant }) => participant), ["ada", "ben"], "both alike");
  const [check] = checks;
  assert.equal(check!.mode, "standard");
  assert.equal(check!.status, "checked");
  assert.equal(check!.factuality, 0.5);
  assert.deepEqual(check!.claims, [
    {
      text: "Buses are slow.",
      quote: "Buses are slow",
      verdict: "false",
      confidence: 0.8,
      sources: [{
        title: "The count of 2024",
        url: "https://example.org/report",
        snippet: "The count contradicts that.",
      }],
    },
    {
      text: "Trams are fast.",
      quote: "Trams are fast",
      verdict: "true",
      confidence: 0.8,
      sources: [{
        title: "A report",
        url: "https://example.org/report",
        snippet: "The count confirms that.",
      }],
    },
  ]);
  assert.match(
    check!.reasons,
    /^- false \(0\.8\): “Buses are slow\.” \S.*“example\.org”\)\n- true/,
  );
  assert.match(record.files.get("fact-checks/001.md")!, /factuality: 0\.5/);
  assert.deepEqual(
    lookups.filter(({ seq }) => seq === 1).map(({ number, tool, args, failed, turn }) => [
      number,
      tool,
      args,
      failed,
      turn,
    ]),
    [
      [101, "webSearch", { query: "Buses are slow.", claim: 1 }, false, "turn-1/ada"],
      [102, "webSearch", { query: "Trams are fast.", claim: 2 }, false, "turn-1/ada"],
    ],
  );
  assert.ok(record.files.has("lookups/001_101.md"));
  assert.match(record.files.get("metadata.md")!, /role: fact_checker/);
});

Deno.test("a fact checker without any source finds every claim unverifiable, with the reason, and asks no model for a verdict", async () => {
  const checker = checkerAgent();
  const { checks, lookups } = await checked(TWO_CLAIMS, checker);
  assert.match(checks[0]!.reason!, /no search key is set and the convening has no sources/);
  assert.equal(checks[0]!.factuality, null);
  assert.deepEqual(
    checks[0]!.claims.map(({ verdict, confidence, sources }) => [verdict, confidence, sources]),
    [["unverifiable", 0, []], ["unverifiable", 0, []]],
  );
  assert.deepEqual(checker.keys, ["claims/1/1", "claims/2/1"]);
  assert.deepEqual(lookups, []);
});

Deno.test("a fact checker looks claims up in the convening's own sources and records no look-up", async () => {
  const text = "In this town buses are slow: the timetable confirms it.";
  const { checks, lookups } = await checked(TWO_CLAIMS, checkerAgent(), {
    searchers: [sourceSearcher([{ name: "timetable.md", text }])],
  });
  const [slow] = checks[0]!.claims;
  assert.equal(slow!.verdict, "true");
  assert.equal(slow!.sources[0]!.url, "sources/timetable.md");
  assert.deepEqual(lookups, []);
});

Deno.test("a fact checker reports that nothing was found on any claim", async () => {
  await using server = await startSearchServer();
  const { checks } = await checked(TWO_CLAIMS, checkerAgent(), { searchers: [searchOf(server)] });
  assert.equal(checks[0]!.status, "checked");
  assert.match(checks[0]!.reason!, /a search of webSearch found nothing on any claim/);
});

Deno.test("a fact checker records a check as not checked, with the failed look-ups, when its search is down", async () => {
  await using server = await startSearchServer({ otherwise: { status: 500, error: "down" } });
  const { checks, lookups } = await checked(TWO_CLAIMS, checkerAgent(), {
    searchers: [searchOf(server)],
  });
  assert.deepEqual(
    checks.map(({ status, factuality, claims }) => [status, factuality, claims]),
    [["unchecked", null, []], ["unchecked", null, []]],
  );
  assert.match(checks[0]!.reason!, /could not be looked up.*status 500/);
  assert.match(checks[0]!.reasons, /not checked: “Buses are slow\.” \S/);
  assert.deepEqual(lookups.map(({ failed }) => failed), [true, true, true, true]);
  assert.match(lookups[0]!.result, /status 500/);
});

Deno.test("a fact checker records a failure of a program's searcher, or a result without a title, by the searcher's name", async () => {
  const hit = { url: "https://example.org/", snippet: "Found." } as SearchHit;
  const cases = [
    [() => Promise.resolve([hit]), "a result has no title"],
    [() => Promise.reject(new TypeError("It broke.")), "It broke."],
  ] as const;
  for (const [search, problem] of cases) {
    const searchers = [{ name: "own", search }];
    const { checks, lookups } = await checked(TWO_CLAIMS, checkerAgent(), { searchers });
    assert.deepEqual(checks.map(({ status }) => status), ["unchecked", "unchecked"]);
    assert.equal(lookups[0]!.result, `searcher "own" failed: ${problem}`);
  }
});

Deno.test("a fact checker decides by one search when another is down, and records a failure of one claim with that claim", async () => {
  await using server = await startSearchServer({
    answers: { slow: { status: 500 }, fast: { status: 500 } },
  });
  const sources = sourceSearcher([{ name: "a.md", text: "Trams are fast, the clock confirms." }]);
  const { checks } = await checked(TWO_CLAIMS, checkerAgent(), {
    searchers: [searchOf(server), sources],
  });
  assert.equal(checks[0]!.status, "checked");
  const [slow, fast] = checks[0]!.claims;
  assert.deepEqual([slow!.verdict, fast!.verdict], ["unverifiable", "true"]);
  assert.equal(checks[0]!.factuality, 1, "of the one that was settled");
  assert.match(checks[0]!.reasons, /“Buses are slow\.” It could not be looked up/);
});

Deno.test("a fact checker records a statement as not checked when its claims cannot be found", async () => {
  for (const text of ["no JSON", '{"claims": "many"}']) {
    const checker = checkerAgent(() => ({ text }));
    const { checks } = await checked(TWO_CLAIMS, checker);
    assert.equal(checks[0]!.status, "unchecked");
    assert.match(checks[0]!.reason!, /^The claims could not be found: /);
    assert.equal(checks[0]!.usage.outputTokens, 40, "the reply and its repair");
  }
});

Deno.test("a fact checker finds a claim unverifiable when its verdict is unreadable, and the message not checked when all are", async () => {
  await using server = await startSearchServer({ otherwise: TRUE });
  const run = async (bad: (key: string) => boolean) => {
    const checker = checkerAgent(({ context: { key } }) => bad(key) ? { text: "?" } : undefined);
    const { workflow } = checkedDialogue(TWO_CLAIMS, checker, { searchers: [searchOf(server)] });
    return found(await drain(workflow)).checks[0]!;
  };
  const one = await run((key) => key === "claim-verdict/1/1/1");
  assert.equal(one.status, "checked");
  assert.deepEqual(one.claims.map(({ verdict }) => verdict), ["unverifiable", "true"]);
  assert.match(one.reasons, /“Buses are slow\.” What was found could not be judged/);
  const all = await run((key) => key.startsWith("claim-verdict/"));
  assert.equal(all.status, "unchecked");
  assert.match(all.reason!, /could not be judged/);
});

Deno.test("a fact checker asks again for a verdict without sources and drops invalid source numbers", async () => {
  await using server = await startSearchServer({ otherwise: TRUE });
  const named = [[], [9, 1, 0, -1]];
  const checker = checkerAgent(({ context: { kind } }) =>
    kind === "claims"
      ? { text: '{"claims": [{"quote": "Buses are slow", "text": "Buses are slow."}]}' }
      : {
        text: JSON.stringify({
          reason: "So.",
          verdict: "true",
          confidence: 1,
          sources: named.shift() ?? [],
        }),
      }
  );
  const { checks } = await checked(TWO_CLAIMS, checker, {
    searchers: [searchOf(server)],
    maxTurns: 1,
  });
  assert.equal(checks[0]!.claims[0]!.verdict, "true");
  assert.equal(checks[0]!.claims[0]!.sources.length, 1);
  assert.equal(checker.keys.filter((key) => key === "claim-verdict/1/1/1").length, 2);
});

Deno.test("Standard checks delay no turn and judge claims concurrently; strict checks are awaited", async () => {
  const searchers = [
    sourceSearcher([{ name: "a.md", text: "Buses slow, trams fast: this confirms." }]),
  ];
  await searchers[0]!.search("what is loaded first takes real time");
  const times = async (mode: "standard" | "strict") => {
    const time = new VirtualTime();
    const checker = checkerAgent(async (request) =>
      // Only the virtual time of this reply counts; the answer is computed.
      void await time.agent.reply({ ...request, schema: undefined })
    );
    const speaker = new Talker(async (request) => {
      await time.agent.reply(request);
      return {
        text: ((key) => `Fact: Buses are slow in ${key}. Fact: Trams are fast in ${key}.`)(
          request.context.key,
        ),
      };
    });
    const { workflow } = checkedDialogue(speaker, checker, {
      factCheck: { mode, maxClaims: 2 },
      maxTurns: 4,
      searchers,
      maxPromptTokens: 0,
    });
    await time.run(workflow.run());
    const of = (key: string) => time.spans.find((span) => span.key.startsWith(key))!;
    return { time, last: of("turn-4").end, of };
  };
  const standard = await times("standard");
  assert.equal(standard.last, 4, "four turns in a chain of four calls");
  assert.equal(standard.time.now, 6, "the last turn's check is all that comes after");
  assert.equal(standard.of("claim-verdict/1/1/1").start, standard.of("claim-verdict/1/1/2").start);
  assert.ok(standard.time.during("claims/1/1").includes("turn-2/ben"));
  assert.equal((await times("strict")).last, 10, "each turn waits for the check of the one before");
});

Deno.test("a fact checker drops and counts claims whose words are not in the turn, and keeps the exact words of the others", async () => {
  await using server = await startSearchServer({ otherwise: TRUE });
  const speaker = new Talker(() => ({
    text:
      'As is “well known”, buses are\nslow, and I like them. Nobody needs `git bisect`. In May **41 of 100** voters walked. "Buses tire", says the law.',
  }));
  const claims = [
    { quote: "buses are slow, and I", text: "Buses are slow." },
    { quote: "Nobody needs `git bisect`", text: "Nobody needs the command git bisect." },
    { quote: "In May 41 of 100 voters", text: "In May 41 of 100 voters walked." },
    { quote: '"Buses tire", says the law.', text: "The law says it." },
    { quote: "the mayor takes bribes", text: "The mayor takes bribes." },
    { quote: "slow", text: "Something is slow." },
  ];
  const checker = checkerAgent(({ context: { kind } }) =>
    kind === "claims" ? { text: JSON.stringify({ claims }) } : undefined
  );
  const { workflow, record } = checkedDialogue(speaker, checker, {
    searchers: [searchOf(server)],
    maxTurns: 1,
  });
  const [check] = found(await drain(workflow)).checks;
  const quotes = check!.claims.map(({ quote }) => quote);
  assert.deepEqual(quotes, [
    "buses are slow, and I",
    "Nobody needs `git bisect`",
    "In May **41 of 100** voters",
    '"Buses tire", says the law',
  ]);
  assert.equal(check!.dropped, 2);
  assert.match(check!.reasons, /^- dropped: 2 of the claims found/m);
  assert.match(record.files.get("fact-checks/001.md")!, /^dropped: 2$/m);
  assert.equal(server.requests.length, 4, "a dropped claim is not looked up");
});

Deno.test("a fact checker gives a claim one verdict, whoever repeats it, after a resume too", async () => {
  await using server = await startSearchServer({
    answers: { slow: [FALSE, TRUE], fast: [TRUE, FALSE] },
  });
  const options = { searchers: [searchOf(server)], maxTurns: 4 };
  const { workflow, record } = checkedDialogue(TWO_CLAIMS, checkerAgent(), {
    ...options,
    limits: { maxTurns: 2 },
  });
  assert.equal((await drain(workflow)).result?.endReason, "max_turns");
  const checker = checkerAgent();
  const again = await drain(checkedDialogue(TWO_CLAIMS, checker, { ...options, record }).workflow);
  const verdicts = found(again).checks.map(({ claims }) =>
    claims.map(({ verdict, sources }) => [verdict, sources.length])
  );
  assert.deepEqual(verdicts, Array(2).fill([["false", 1], ["true", 1]]));
  assert.equal(server.requests.length, 2, "each claim once");
  assert.deepEqual(checker.keys, ["claims/3/1", "claims/4/1"]);
});

Deno.test("a fact checker separates misleading and disputed claims from unsettled ones and computes factuality over settled claims", async () => {
  await using server = await startSearchServer({ otherwise: TRUE });
  const verdicts = [
    { verdict: "misleading", omitted: "", sources: [1] },
    { verdict: "misleading", omitted: "Only at night.", sources: [1] },
    { verdict: "disputed", sources: [1] },
  ];
  const speaker = new Talker(() => ({
    text: "Fact: Buses are slow. Fact: Trams are fast. Fact: Nobody knows.",
  }));
  const checker = checkerAgent(({ context: { kind, key } }) =>
    kind !== "claim_verdict" ? undefined : {
      text: JSON.stringify({
        reason: "So.",
        confidence: 0.9,
        ...(key.endsWith("/1")
          ? verdicts.shift()
          : key.endsWith("/2")
          ? { verdict: "disputed", sources: [1] }
          : { verdict: "unverifiable", sources: [] }),
      }),
    }
  );
  const { workflow, record } = checkedDialogue(speaker, checker, {
    searchers: [searchOf(server)],
    maxTurns: 1,
  });
  const [check] = found(await drain(workflow)).checks;
  assert.deepEqual(check!.claims.map(({ verdict, omitted }) => [verdict, omitted]), [
    ["misleading", "Only at night."],
    ["disputed", undefined],
    ["unverifiable", undefined],
  ]);
  assert.equal(check!.factuality, 0.5);
  assert.match(check!.reasons, /^- misleading .* Left out: Only at night\.$/m);
  assert.match(
    record.files.get("scores.md") ?? record.files.get("metadata.md")!,
    /1 misleading, 1 disputed/,
  );
});
