import assert from "node:assert/strict";
import { z } from "zod";
import type { RequestContext } from "../../../src/core/agent.ts";
import { checkTopic } from "../../../src/core/topic.ts";
import { ALL, as, ask, dataFor, LABELS, of, stances, text } from "./questions.ts";

Deno.test("createOfflineAgent() bids more where it is addressed or unheard, less after its own turn", async () => {
  const even = { turn: 4, spoken: { a: 2, b: 2, c: 2 } };
  for (let seed = 1; seed <= 10; seed++) {
    const bid = async (body: string, side: number, data: unknown = even) =>
      (await ask("bid", { seed, about: [of(body, side)], data })).bid;
    const plain = await bid("The weather will tell.", 1);
    assert.ok(await bid("What does Advocate A say to that?", 1) > plain);
    assert.ok(await bid("The weather will tell.", 0) < plain);
    assert.ok(
      await bid("The weather will tell.", 1, { turn: 9, spoken: { a: 0, b: 4, c: 4 } }) >
        await bid("The weather will tell.", 1, { turn: 9, spoken: { a: 6, b: 1, c: 1 } }),
    );
  }
  const seeking = { persona: "You seek consensus and common ground.", data: even };
  const apart = { ...seeking, about: [of("No, that is wrong, and I disagree.")] };
  const near = { ...seeking, about: [of("Yes, indeed.")] };
  assert.ok((await ask("bid", apart)).bid > (await ask("bid", near)).bid);
});

Deno.test("createOfflineAgent() calls whoever was addressed, else whoever was heard least, never the last speaker", async () => {
  const call = async (body: string, spoken: Record<string, number>, last: string) =>
    (await ask("next_speaker", {
      about: [of(body, ALL.findIndex(({ id }) => id === last))],
      data: { labels: LABELS, spoken, last },
    })).speaker;
  assert.equal(await call("What does Advocate C hold?", { a: 1, b: 1, c: 1 }, "a"), "Advocate C");
  assert.equal(await call("So much for that.", { a: 3, b: 0, c: 3 }, "a"), "Advocate B");
  assert.notEqual(await call("Advocate A said it.", { a: 0, b: 4, c: 4 }, "a"), "Advocate A");
});

Deno.test("createOfflineAgent() proposes something of its own for each participant, and merges only what is alike", async () => {
  for (let seed = 1; seed <= 10; seed++) {
    const all: { number: number; participant: string; label: string; text: string }[] = [];
    for (const side of [0, 1, 2]) {
      const { proposals } = await ask("proposals", { ...as(side), seed, data: {} });
      for (const each of proposals) {
        all.push({ number: all.length + 1, participant: ALL[side]!.id, label: "", text: each });
      }
    }
    assert.equal(new Set(all.map((each) => each.text)).size, all.length);
    const twice = {
      ...all[0]!,
      number: all.length + 1,
      text: all[0]!.text.replace(/\.$/u, ", too."),
    };
    const merged = await ask("proposals_merged", { seed, data: { proposals: [...all, twice] } });
    const from = merged.proposals.flatMap((each) => each.from).sort((a, b) => a - b);
    assert.deepEqual(from, [...all, twice].map(({ number }) => number));
    assert.ok(
      merged.proposals.some((each) => each.from.includes(1) && each.from.includes(twice.number)),
    );
    assert.equal(merged.proposals.length, all.length);
  }
});

Deno.test("createOfflineAgent() comes to agree in some convenings and stays apart in others", async () => {
  const outcomes = new Set<string>();
  for (let seed = 1; seed <= 20; seed++) {
    const held: string[][] = [];
    for (let round = 2; round <= 5; round++) {
      const row: string[] = [];
      for (const side of [0, 1, 2]) {
        const { stances } = await ask("stance", {
          ...as(side),
          seed,
          round,
          data: dataFor("stance", ""),
        });
        assert.equal(stances[side]!.stance, "agree", "its own");
        row.push(...stances.map(({ stance }) => stance));
      }
      const order = ["disagree", "abstain", "agree"];
      const before = held.at(-1);
      row.forEach((each, i) => {
        assert.ok(before === undefined || order.indexOf(each) >= order.indexOf(before[i]!));
      });
      held.push(row);
    }
    const last = held.at(-1)!;
    if (last.every((each) => each === "agree")) outcomes.add("consensus");
    if (JSON.stringify(held[0]) === JSON.stringify(last)) outcomes.add("impasse");
  }
  assert.deepEqual([...outcomes].sort(), ["consensus", "impasse"]);
});

Deno.test("createOfflineAgent() as a listener is moved by the better case, and abstains at times", async () => {
  const strong =
    "Because buses share the street with cars, they are late; so people drive. Consider a nurse on a late shift: if the bus is late, she drives. Therefore the rule should come first, although it asks something of drivers.";
  const on = ALL.slice(0, 2).map(({ id, label, position }) => ({ id, label, text: position }));
  const type = z.object({
    reasons: z.string(),
    stances: z.array(stances(["Advocate A", "Advocate B"])),
  });
  const listen = async (seed: number, when: string, about: RequestContext["about"]) => {
    const who = {
      participant: `listener-${seed}`,
      label: "Listener",
      position: undefined,
      role: "listener",
    };
    const context = { ...who, seed, about, kind: "stance", data: { on, when, listener: true } };
    const reply = await text(context, { schema: { name: "stance", type } });
    return Object.fromEntries(
      type.parse(JSON.parse(reply)).stances.map((each) => [each.on, each.stance]),
    );
  };
  const counts = { before: 0, after: 0, abstained: 0 };
  for (let seed = 1; seed <= 30; seed++) {
    const about = [of(strong, 0), of("Cars are nice. I like cars.", 1)];
    const before = await listen(seed, "before", about);
    if (before["Advocate A"] === "agree") counts.before++;
    if (before["Advocate A"] === "abstain" && before["Advocate B"] === "abstain") {
      counts.abstained++;
    }
    if ((await listen(seed, "after", about))["Advocate A"] === "agree") counts.after++;
  }
  assert.ok(counts.before > 3 && counts.before < 27, JSON.stringify(counts));
  assert.ok(counts.abstained > 0, JSON.stringify(counts));
  assert.ok(counts.after > counts.before + 5, JSON.stringify(counts));
});

Deno.test("createOfflineAgent() finds a message's claims, and none in a question or a wish", async () => {
  const claims = async (body: string, max = 5) =>
    (await ask("claims", { about: [of(body)], data: { max } })).claims.map((each) => each.text);
  const facts = [
    "Paris closed the road along the Seine in 2016.",
    "Studies show that bus lanes cut delays by 11 %.",
    "Smoking causes cancer.",
    "London is the capital of England.",
  ];
  const talk = "I think we should wait. What would that cost? Imagine a nurse on a late shift.";
  assert.deepEqual(await claims(`${talk} ${facts.join(" ")}`), facts);
  assert.deepEqual(await claims(talk), []);
  assert.equal((await claims(facts.join(" "), 2)).length, 2);
});

Deno.test("createOfflineAgent() judges a claim by what the results say of it", async () => {
  const judge = async (claim: string, ...snippets: string[]) => {
    const hits = snippets.map((snippet) => ({
      title: "A page",
      url: "https://page.example/",
      snippet,
    }));
    const { verdict, sources } = await ask("claim_verdict", { data: { claim, hits } });
    return [verdict, ...sources];
  };
  const lanes = "Bus lanes cut delays by 11 %.";
  assert.deepEqual(
    await judge(lanes, "Rain fell.", "In a trial, bus lanes cut delays by 11 % on average."),
    ["true", 2],
  );
  assert.deepEqual(await judge(lanes, "Bus lanes cut nothing."), ["false", 1]);
  assert.deepEqual(await judge(lanes, "Bus lanes cut delays by 3 percent."), ["false", 1]);
  assert.deepEqual(await judge(lanes, "Bus lanes are painted red."), ["unverifiable"]);
  assert.deepEqual(await judge(lanes), ["unverifiable"]);
  const flat = "The Earth is flat.";
  assert.deepEqual(await judge(flat, "Some believe the Earth is flat. This is a myth."), [
    "false",
    1,
  ]);
  assert.deepEqual(await judge(flat, "The Earth is not flat."), ["false", 1]);
  assert.deepEqual(await judge("The Earth is not flat.", "The Earth is not flat but round."), [
    "true",
    1,
  ]);
  assert.deepEqual(
    await judge("Crime rose after the reform.", "Crime fell after the reform."),
    ["false", 1],
  );
  assert.deepEqual(
    await judge(flat, "The Earth is flat.", "It is false that the Earth is flat."),
    ["unverifiable"],
  );
});

Deno.test("createOfflineAgent() checks personas, rules and rounds by what was really said", async () => {
  const persona =
    "Scientist: A scientist.\nDo not:\n- rest a general claim on a single case or anecdote";
  const check = async (body: string) =>
    (await ask("persona_check", { data: { persona, body } })).consistent;
  assert.ok(await check("What evidence would we measure, and in which sample?"));
  assert.ok(!await check("As a lawyer I ask for the burden of proof."));
  assert.ok(!await check("I rest my general claim on a single case, an anecdote."));

  const rules =
    "Answer the argument, not the person. A turn has at most 60 words. Keep to the topic.";
  const rule = async (body: string) =>
    (await ask("ruling", { about: [of(body)], data: { message: 3, rules } })).rule;
  assert.equal(await rule("Drivers would leave the car at home."), "");
  assert.equal(await rule("You are an idiot."), "Answer the argument, not the person.");
  assert.equal(await rule("Advocate A said “you are an idiot”, and I let it pass."), "");
  assert.equal(await rule("Buses are late. ".repeat(40)), "A turn has at most 60 words.");
  assert.equal(
    await rule(
      "Preheat the oven, butter a tin, sift flour with cocoa, whisk eggs and sugar until pale, fold everything gently, pour, bake forty minutes, cool on a rack, dust with icing, slice, serve alongside cream, raspberries, mint leaves or vanilla custard.",
    ),
    "Keep to the topic.",
  );

  const review = async (...said: string[]) =>
    (await ask("round_review", { about: said.map((each) => of(each)), data: { round: 1 } }))
      .anything_new;
  assert.ok(
    await review("Cars pollute the air.", "Deliveries, ambulances and craftsmen need streets."),
  );
  assert.ok(
    !await review("Cars pollute the air of cities.", "The air of cities: cars pollute it."),
  );
});

Deno.test("createOfflineAgent() gives as many debatable topics as are asked for, all within the topic rule", async () => {
  const propose = async (subject: string, count: number) => {
    const type = z.object({ topics: z.array(z.string()) });
    const reply = await text({ kind: "topics", data: { subject, count } }, {
      schema: { name: "topics", type },
    });
    return type.parse(JSON.parse(reply)).topics;
  };
  for (
    const subject of [
      "electric cars",
      "AI",
      "bomb-making",
      "",
      "هل يجب",
      "a\u0000b",
      "x y ".repeat(3000),
      "{s} $&",
    ]
  ) {
    for (const count of [1, 8, 60]) {
      const topics = await propose(subject, count);
      assert.equal(topics.length, count, subject);
      assert.equal(new Set(topics.map((each) => each.toLowerCase())).size, count);
      for (const each of topics) assert.equal(checkTopic(each), each);
    }
  }
  assert.ok((await propose("electric cars", 8)).every((each) => each.includes("electric cars")));
  assert.ok((await propose("Should zoos be closed?", 3)).includes("Should zoos be closed?"));
});
