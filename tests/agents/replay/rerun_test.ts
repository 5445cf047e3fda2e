import assert from "node:assert/strict";
import {
  type Agent,
  composeConvening,
  type ConveningConfig,
  type Fact,
  openConvening,
} from "../../../mod.ts";
import { Talker } from "../../workflows/support/talkers.ts";
import { finding, startSearchServer } from "../../support/search_server.ts";

const TOPIC = "Should cities ban private cars from their centres?";
const COMMON = { topic: TOPIC, model: "offline", seed: 7 } as const;

/** A record's facts, without what differs from run to run: times, models, usage. */
function essentials(facts: readonly Fact[]): unknown[] {
  return facts.map((fact) => {
    const { createdAt: _at, model: _by, usage: _used, latencyMs: _took, ...rest } = {
      model: "",
      usage: "",
      latencyMs: 0,
      ...fact,
    };
    return rest;
  }).map((fact) => JSON.stringify(fact)).sort().map((text) => JSON.parse(text));
}

/** Holds a convening, and then again with its directory in the place of every model. */
async function heldTwice(
  config: ConveningConfig,
  { env = {}, agents = {}, between }: {
    readonly env?: Readonly<Record<string, string>>;
    /** Who speaks the first time, by id. */
    readonly agents?: Readonly<Record<string, Agent>>;
    readonly between?: () => void;
  } = {},
): Promise<{ first: readonly Fact[]; second: readonly Fact[] }> {
  const out = await Deno.makeTempDir();
  const held = async (model: string, more = {}) => {
    const options = { env: (name: string) => env[name], ...more };
    const workflow = await composeConvening({ ...config, model, out }, options);
    const { dir = "", status } = await workflow.run();
    assert.equal(status, "completed");
    return { dir, facts: (await openConvening(dir)).facts };
  };
  try {
    const { dir, facts } = await held("offline", { agents });
    between?.();
    return { first: facts, second: (await held(`replay:${dir}`)).facts };
  } finally {
    await Deno.remove(out, { recursive: true });
  }
}

function kindsOf(facts: readonly Fact[]): string[] {
  const kinds = facts.map((fact) =>
    fact.type === "choice" ? `${fact.type} ${fact.kind}` : fact.type
  );
  return [...new Set(kinds)].sort();
}

const CONVENINGS: Readonly<Record<string, { config: ConveningConfig; leaves: string[] }>> = {
  alternating: {
    config: { ...COMMON, kind: "debate", preset: "alternating" },
    leaves: ["message", "score", "verdict"],
  },
  oxford: {
    config: { ...COMMON, kind: "debate", preset: "oxford", roundCount: 1 },
    leaves: ["message", "score", "stance", "verdict"],
  },
  baseline: {
    config: { ...COMMON, kind: "debate", roundCount: 1, baseline: true, judges: [{}, {}] },
    leaves: ["choice baseline", "message", "score", "verdict"],
  },
  "adaptive with rulings and personas": {
    config: {
      ...COMMON,
      kind: "debate",
      roundCount: 2,
      adaptive: true,
      interruptions: "rules",
      summaryBy: "judge",
      guards: { persona: "warn" },
      participants: [
        { name: "Ada", position: "Yes", persona: "Speaks in plain words." },
        { name: "Ben", position: "No", persona: "Never gives a number." },
      ],
    },
    leaves: ["choice persona_check", "choice round_review", "choice ruling", "choice summary"],
  },
  consensus: {
    config: { ...COMMON, kind: "consensus" },
    leaves: ["choice proposals", "choice proposals_merged", "message", "stance"],
  },
  "a dialogue by bids": {
    config: { ...COMMON, kind: "dialogue", select: "bids", participants: three() },
    leaves: ["choice bid", "message"],
  },
  "a dialogue by a moderator": {
    config: { ...COMMON, kind: "dialogue", select: "moderator", participants: three() },
    leaves: ["choice next_speaker", "message"],
  },
};

function three(): { name: string }[] {
  return ["Ada", "Ben", "Cleo"].map((name) => ({ name }));
}

for (const [name, { config, leaves }] of Object.entries(CONVENINGS)) {
  Deno.test(`replay:DIR gives the same again: ${name}`, async () => {
    const { first, second } = await heldTwice(config);
    const kinds = kindsOf(first);
    assert.deepEqual(leaves.filter((each) => !kinds.includes(each)), []);
    assert.deepEqual(essentials(second), essentials(first));
  });
}

/** Takes the first sentences for claims, of the n-th statement n % 3, and finds them false, true, or cannot say. */
function checker(): Talker {
  let statements = 0;
  return new Talker(({ context: { kind, data } }) => {
    if (kind === "claims") {
      const { body } = data as { body: string };
      const claims = body.split(". ").slice(0, statements++ % 3).map((text) => ({ text }));
      return { text: JSON.stringify({ claims }) };
    }
    const { claim } = data as { claim: string };
    const verdict = (["false", "true", "unverifiable"] as const)[claim.length % 3]!;
    if (claim.length % 7 === 0) return { text: "I cannot tell." };
    return {
      text: JSON.stringify({
        reason: `It says so (source: “the count”) of ${claim.length}.`,
        verdict,
        confidence: 0.75,
        sources: verdict === "unverifiable" ? [] : [2],
      }),
    };
  });
}

Deno.test("replay:DIR gives the fact checks again, their look-ups too, and searches nothing", async () => {
  const two = ["The count of 2024", "The count of 2023"].flatMap((title) =>
    finding(`${title} says that cars cost shops no trade.`, { title }).results ?? []
  );
  await using server = await startSearchServer({
    answers: ({ query }) =>
      query.length % 5 === 0 ? { status: 400, error: "No." } : { results: two },
  });
  let searches = 0;
  const { first, second } = await heldTwice({
    ...COMMON,
    kind: "debate",
    preset: "pro-con",
    interruptions: "facts",
    participants: [
      { id: "pro", name: "Pro", position: "Yes, they should" },
      { id: "con", name: "Con", position: "No, they should not" },
      { id: "checker", name: "Checker", role: "fact_checker" },
    ],
  }, {
    env: { TAVILY_BASE_URL: server.url },
    agents: { checker: checker() },
    between: () => searches = server.requests.length,
  });
  assert.ok(searches > 0);
  assert.equal(server.requests.length, searches);
  console.log(
    JSON.stringify(first.filter((f) => f.type === "fact-check"), null, 1).slice(0, 13000),
    kindsOf(first),
    first.flatMap((f) => f.type === "message" ? [f.kind, f.marks] : []),
  );
  assert.deepEqual(essentials(second), essentials(first));
});
