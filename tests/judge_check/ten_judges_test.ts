// Ten judges with known bias, alone and in panels: outcome, strength and notes of a debate, and each judge's profile.
import assert from "node:assert/strict";
import { composeConvening, type DebateConfig, openConvening, verify } from "../../mod.ts";
import type { Strength } from "../../scoring.ts";
import type { JudgeProfile } from "../../src/judge_check/judge_check.ts";
import { withFolder } from "../support/cli.ts";
import { type ModelServer, startModelServer } from "../support/model_server.ts";
import { answering, JUDGES } from "./ten_judges.ts";
import { testsWith } from "../support/tests_with.ts";

interface Held {
  readonly winner: string | null;
  readonly strength: Strength;
  readonly dir: string;
}

/** Runs a debate with judges of the given models, in a new archive or the given one. */
async function debate(
  server: ModelServer,
  judges: readonly string[],
  given: Partial<DebateConfig> & { readonly out: string },
): Promise<Held> {
  const config: DebateConfig = {
    kind: "debate",
    topic: "Should cities ban private cars from their centres?",
    model: "debater",
    baseUrl: server.url,
    roundCount: 1,
    seed: 1,
    topicCheck: "off",
    scoreBy: "turn",
    judges: judges.map((model) => ({ model })),
    ...given,
  };
  const { winner, strength, dir } = await (await composeConvening(config, { env: () => undefined }))
    .run();
  return { winner, strength: strength!, dir: dir! };
}

async function profileOf(server: ModelServer, model: string, out: string): Promise<JudgeProfile> {
  const check = { kind: "judge-check", quick: true };
  const config = { ...check, model, baseUrl: server.url, out };
  const { value } = await (await composeConvening(config, { env: () => undefined })).run();
  return value as JudgeProfile;
}

async function inArchive(
  held: (opened: { readonly server: ModelServer; readonly out: string }) => Promise<void>,
): Promise<void> {
  await using server = await startModelServer({ respond: answering(), journal: false });
  await withFolder((out) => held({ server, out }));
}

inArchive.test = testsWith(inArchive);

const NAMES = Object.keys(JUDGES);
/** Bias that a check of each judge finds. */
const BIASES: Readonly<Record<string, RegExp>> = {
  "first-speaker": /speech set out first/,
  "last-speaker": /speech set out last/,
  label: /label A/,
  "first-listed": /speech set out first/,
  length: /longer of two equal speeches/,
  style: /better written of two equal speeches/,
  "one-criterion": /confident tone/,
  coin: /Most choices change/,
  "all-sevens": /Names no speech/,
};
/** Judges that choose by place or label, beside the first of them. */
const PLACES = ["last-speaker", "label", "first-listed"];
/** Judges that are asked alone and in a panel of three: one without a bias, one by chance, one with a bias. */
const IN_PANELS = ["fair", "coin", "length"];
const isBiased = (name: string) => name !== "fair";

inArchive.test("Ten judges: no biased judge decides a debate without a note about its bias", async ({ server, out }) => {
  const rows: string[][] = [];
  for (const name of NAMES) {
    const { biases, right } = await profileOf(server, name, out);
    if (name in BIASES) assert.match(biases.join("\n"), BIASES[name]!, name);
    if (name === "fair") assert.deepEqual([biases, right.estimate], [[], 1]);
    const panels = [["alone", [name]], ["three", [name, name, name]]] as const;
    for (const [panel, judges] of panels.slice(0, IN_PANELS.includes(name) ? 2 : 1)) {
      const { winner, strength } = await debate(server, judges, {
        out,
        verdictRepeats: 1,
        roundCount: 0,
      });
      const kinds = [...new Set(strength.judgeNotes.map(({ kind }) => kind))];
      rows.push([name, panel, winner ?? "none", strength.level, kinds.join(", ")]);
      const named = strength.judgeNotes.filter(({ kind }) => kind !== "one model");
      if (isBiased(name) && winner !== null) {
        assert.ok(named.length > 0, `${name}: ${strength.sentence}`);
        assert.equal(strength.level, "contested", name);
      }
      if (panel === "three") assert.ok(kinds.includes("one model"), name);
    }
    rows.find(([of]) => of === name)!.push(
      biases.map((each) => each.split(":")[0]).join("; "),
      String(right.estimate),
    );
  }
  console.log(["", ...rows.map((row) => `| ${row.join(" | ")} |`)].join("\n"));
  const undecided = ["first-speaker", ...PLACES, "all-sevens"];
  for (const [name, panel, winner, level] of rows) {
    const outcome = `${winner} ${level}`;
    if (undecided.includes(name!)) assert.equal(outcome, "none undecided", `${name} ${panel}`);
    if (name === "fair" && panel === "alone") assert.equal(outcome, "advocate-a clear");
  }
});

inArchive.test("Ten judges: a panel of the fair judge and two biased ones describes each", async ({ server, out }) => {
  const { winner, strength } = await debate(server, ["fair", "length", "first-speaker"], { out });
  assert.equal(winner, null);
  assert.deepEqual(strength.votes.map(({ model, split }) => [model, split ?? "vote"]), [
    ["fair", "vote"],
    ["length", "vote"],
    ["first-speaker", "order or label"],
  ]);
  assert.ok(
    strength.judgeNotes.some(({ kind, judge }) => kind === "length" && judge === "judge-2"),
  );
});

inArchive.test("Ten judges: a tie-break judge is asked when the panel ties, and the outcome states it", async ({ server, out }) => {
  const panel = ["fair", "length"];
  const tied = await debate(server, panel, { out, tiebreakModel: "fair" });
  assert.equal(tied.winner, "advocate-a");
  assert.equal(tied.strength.level, "contested");
  assert.match(tied.strength.sentence, /Tie-break judge decided the tie/);
  assert.deepEqual((await verify(tied.dir)).findings, []);
  const { start, result } = await openConvening(tied.dir);
  assert.equal(result.winner, "advocate-a");
  assert.equal(start.judges.at(-1)!.tiebreak, true);
  const agreed = await debate(server, ["fair", "fair"], { out, tiebreakModel: "length" });
  assert.equal(agreed.winner, "advocate-a");
  assert.ok(agreed.strength.votes.every(({ tiebreak }) => tiebreak !== true), "not asked");
});

inArchive.test("Ten judges: a random judge decides 1 debate in 8 with repeats; without repeats 1 in 2, and consistency is not measured", async ({ server, out }) => {
  // The random judge uses the bits of the topic's number: these topics cover all results of four requests.
  const decided = async (verdictRepeats: number, step: number) => {
    const held = [];
    for (let falls = 0; falls < 16; falls += step) {
      const topic = `Should street ${falls} be closed to cars?`;
      const rest = { out, topic, verdictRepeats, roundCount: 0, closings: false };
      held.push(await debate(server, ["coin"], rest));
    }
    for (const { strength: { sentence, level } } of held) {
      const steadiness = verdictRepeats === 0 ? "not measured" : "measured";
      assert.ok(sentence.includes(`steadiness ${steadiness}`), sentence);
      if (verdictRepeats === 0) assert.notEqual(level, "clear");
    }
    return held.filter(({ winner }) => winner !== null).length / held.length;
  };
  // Without repeats a debate has the two requests of the higher bits alone.
  assert.equal(await decided(0, 4), 1 / 2);
  assert.equal(await decided(1, 1), 1 / 8);
});

Deno.test("Ten judges: repeated requests have different seeds, and a verdict file for each pass and asking", async () => {
  const seeds: unknown[] = [];
  const respond = answering();
  await using server = await startModelServer({
    respond: (request) => {
      const { seed, response_format: format } = request.body;
      if (format?.json_schema?.name === "verdict") seeds.push(seed);
      return respond(request);
    },
  });
  const out = await Deno.makeTempDir();
  const given = { out, seed: 5, seedGiven: true, verdictRepeats: 1 };
  const { dir } = await debate(server, ["fair"], given);
  const names = await Array.fromAsync(Deno.readDir(`${dir}/verdicts`), ({ name }) => name.slice(9));
  assert.deepEqual(names.sort(), ["1_1.md", "1_2.md", "2_1.md", "2_2.md"]);
  await Deno.remove(out, { recursive: true });
  assert.deepEqual(seeds.toSorted(), [5, 5, 6, 6]);
});
