// Replays of convenings of every kind.
import assert from "node:assert/strict";
import type { Agent, ConveningConfig } from "../../../mod.ts";
import type { RequestContext } from "../../../protocol.ts";
import { finding, startSearchServer } from "../../support/search_server.ts";
import { bodyOf, Talker } from "../../support/talkers.ts";
import { COMMON, essentials, heldTwice, kindsOf } from "./held_twice.ts";
import { speakingAgent } from "../../support/speaking_model.ts";

const THREE = ["Ada", "Ben", "Cleo"].map((name) => ({ name }));

/** Convenings of every kind, with the facts that each must leave. */
const CONVENINGS: Readonly<Record<string, { config: ConveningConfig; leaves: string[] }>> = {
  "an alternating debate": {
    config: { ...COMMON, kind: "debate", preset: "alternating" },
    leaves: ["message", "score", "summary", "verdict"],
  },
  "an Oxford debate": {
    config: { ...COMMON, kind: "debate", preset: "oxford", roundCount: 1 },
    leaves: ["message", "score", "stance", "verdict"],
  },
  "a debate with baselines and notes": {
    config: {
      ...{ ...COMMON, kind: "debate", roundCount: 1 },
      ...{ baseline: true, flow: true, judges: [{}, {}] },
    },
    leaves: ["baseline", "flow", "message", "score", "verdict"],
  },
  "a pro and con debate": {
    config: { ...COMMON, kind: "debate", preset: "pro-con", roundCount: 2 },
    leaves: ["draft", "fact-check", "message", "score", "summary", "verdict"],
  },
  "an adaptive debate with rulings and personas": {
    config: {
      ...COMMON,
      kind: "debate",
      roundCount: 2,
      adaptive: true,
      interruptions: "rules",
      guards: { persona: "warn" },
      participants: [
        { name: "Ada", position: "Yes", persona: "Speaks in plain words." },
        { name: "Ben", position: "No", persona: "Never gives a number." },
      ],
    },
    leaves: ["message", "persona_check", "round_review", "ruling", "score", "verdict"],
  },
  "a consensus dialogue": {
    config: { ...COMMON, kind: "consensus", limits: { maxTurns: 12 } },
    leaves: ["message", "proposals", "proposals_merged", "stance"],
  },
  "a judge check": {
    config: { ...COMMON, kind: "judge-check", quick: true } as never,
    leaves: ["message", "pair"],
  },
  "a dialogue by bids": {
    config: { ...COMMON, kind: "dialogue", select: "bids", participants: THREE },
    leaves: ["bid", "message"],
  },
  "a dialogue by a moderator": {
    config: { ...COMMON, kind: "dialogue", select: "moderator", participants: THREE },
    leaves: ["message", "next_speaker"],
  },
};

for (const [name, { config, leaves }] of Object.entries(CONVENINGS)) {
  Deno.test(`replay:DIR reproduces ${name}`, async () => {
    const { first, second } = await heldTwice(config);
    assert.deepEqual(kindsOf(first), leaves);
    assert.equal(second.status, first.status);
    assert.deepEqual(essentials(second), essentials(first));
  });

  Deno.test(`replay:DIR reproduces unreadable answers: ${name}`, async () => {
    const ids = ["moderator", "advocate-a", "advocate-b", "pro", "con", "judge", "judge-1", "ada"];
    const agents = [...ids, "judge-2", "ben", "cleo"].map((id) => [id, mumbler()]);
    const { first, second } = await heldTwice(config, { agents: Object.fromEntries(agents) });
    assert.ok(first.facts.every((fact) => fact.type !== "score" || fact.status === "unscored"));
    assert.equal(second.status, first.status);
    assert.deepEqual(essentials(second), essentials(first));
  });
}

Deno.test("replay:DIR reproduces speeches that begin with the speaker's name twice", async () => {
  const ada = speakingAgent((text) => `Ada: Ada: ${text}`);
  const { first, second } = await heldTwice({ ...COMMON, kind: "dialogue", participants: THREE }, {
    agents: { ada },
  });
  assert.match(JSON.stringify(first.facts), /"body":"Ada: [^A]/);
  assert.deepEqual(essentials(second), essentials(first));
});

/** Creates an agent that speaks but answers no question readably. */
function mumbler(): Agent {
  return speakingAgent((text, { schema, context: { key, kind, topic, purpose } }) => {
    if (schema === undefined) return text;
    return purpose === "turn"
      ? `As to ${topic} ${`I say of ${key} what I think. `.repeat(30)}`
      : `{"${kind}": of ${key}?}\n\nHm.`;
  });
}

/** Claims of each statement, in the order of requests; null gives an unreadable answer. */
const CLAIMS = [
  [],
  ["Shops lose trade", "Cars are loud"],
  ["Buses fail", "Nobody can tell", "Shops lose trade"],
  ["Buses fail"],
  ["Nobody can tell"],
  null,
  ["Nothing is known of it", "Cars are loud"],
] as const;

/** Creates a fact checker that finds {@linkcode CLAIMS} and judges each the same way every time. */
function checker(): Talker {
  const statements: string[] = [];
  return new Talker(({ context }) => {
    const { key, kind, data } = context;
    if (kind === "claims") {
      if (!statements.includes(key)) statements.push(key);
      const claims = CLAIMS[statements.indexOf(key)]?.map((text) => ({
        quote: bodyOf(context),
        text,
      }));
      return { text: claims === undefined ? "Hm." : JSON.stringify({ claims }) };
    }
    const { claim } = data as { claim: string };
    const verdict = claim === "Cars are loud" ? "false" : "true";
    const reason = `The count says so (source: “it”) of: ${claim}.`;
    return claim === "Nobody can tell" ? { text: "Hm." } : {
      text: JSON.stringify({ reason, verdict, confidence: 0.75, sources: [2] }),
    };
  });
}

/** Starts a search server: two results for most queries, none for one, an error for another. */
function startSearches(): ReturnType<typeof startSearchServer> {
  const results = ["The count of 2024", "The count of 2023"].flatMap((title) =>
    finding(`${title} has it.`, { title }).results ?? []
  );
  const answers = { "buses fail": { status: 400, error: "No." }, "nothing is known": {} };
  return startSearchServer({ answers, otherwise: { results } });
}

const PARTICIPANTS = [
  { id: "pro", name: "Pro", position: "Yes, they should" },
  { id: "con", name: "Con", position: "No, they should not" },
  { id: "checker", name: "Checker", role: "fact_checker" },
];

Deno.test("replay:DIR reproduces fact checks, look-ups and interruptions without a search", async () => {
  await using server = await startSearches();
  let searches = 0;
  const { first, second } = await heldTwice({
    ...COMMON,
    kind: "debate",
    preset: "pro-con",
    interruptions: "facts",
    participants: PARTICIPANTS,
  }, {
    env: { TAVILY_BASE_URL: server.url },
    agents: { checker: checker() },
    between: () => searches = server.requests.length,
  });
  const checks = first.facts.filter((fact) => fact.type === "fact-check");
  assert.deepEqual(
    new Set(checks.flatMap(({ claims }) => claims.map(({ verdict }) => verdict))),
    new Set(["true", "false", "unverifiable"]),
  );
  const reasons = checks.map(({ reason = "" }) => reason).join("\n");
  for (const why of [/not be looked up/, /not be judged/, /claims could not be found/]) {
    assert.match(reasons, why);
  }
  assert.ok(first.facts.some((fact) => fact.type === "message" && fact.kind === "interruption"));
  assert.deepEqual(essentials(second), essentials(first));
  assert.ok(searches > 0);
  assert.equal(server.requests.length, searches);
});

Deno.test("replay:DIR reproduces the reason when claims had no source", async () => {
  const config = { ...COMMON, kind: "dialogue", maxTurns: 2, factCheck: {} } as const;
  const participants = [{ name: "Ada" }, { name: "Ben" }, PARTICIPANTS[2]!];
  const { first, second } = await heldTwice({ ...config, participants }, {
    agents: { checker: checker() },
  });
  const checks = ({ facts }: typeof first) =>
    facts.flatMap((fact) => fact.type === "fact-check" ? [[fact.reason, fact.reasons]] : []);
  assert.match(String(checks(first)), /There was no source to check it against/);
  assert.deepEqual(checks(second), checks(first));
});

Deno.test("replay:DIR says the accepted attempt at once when earlier ones were rejected for false claims", async () => {
  await using server = await startSearches();
  const { first, second } = await heldTwice({
    ...COMMON,
    kind: "debate",
    preset: "pro-con",
    roundCount: 1,
    factCheck: { mode: "strict" },
    participants: PARTICIPANTS,
  }, { env: { TAVILY_BASE_URL: server.url }, agents: { checker: strictChecker() } });
  const rejected = (facts: typeof first.facts) =>
    facts.flatMap((fact) => fact.type === "rejected" ? [[fact.participant, fact.guard]] : []);
  const lasting = Array(3).fill(["con", "facts"]);
  assert.deepEqual(rejected(first.facts), [["pro", "facts"], ...lasting]);
  assert.deepEqual(rejected(second.facts), lasting);
  const said = (facts: typeof first.facts) =>
    facts.flatMap((fact) => fact.type === "message" ? [[fact.turn, fact.body, fact.marks]] : []);
  assert.deepEqual(said(second.facts), said(first.facts));
});

/** Creates a fact checker that rejects one side's first attempt and every attempt of the other. */
function strictChecker(): Talker {
  return new Talker(({ context }: { context: RequestContext }) => {
    const { key, kind } = context;
    const [, seq, attempt] = key.split("/");
    const claims = seq === "3" || attempt === "1"
      ? [{ quote: bodyOf(context), text: "Cars are loud" }]
      : [];
    const reply = { reason: "It says so.", verdict: "false", confidence: 1, sources: [1] };
    return { text: JSON.stringify(kind === "claims" ? { claims } : reply) };
  });
}
