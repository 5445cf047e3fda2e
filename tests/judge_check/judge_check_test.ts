// Judge checks of judges with known bias.
import assert from "node:assert/strict";
import { type Agent, composeConvening, memoryRecord, writeBrief } from "../../mod.ts";
import { knownBiases } from "../../src/inputs/lessons.ts";
import { type JudgeProfile, profileText } from "../../src/judge_check/judge_check.ts";
import { withFolder } from "../support/cli.ts";
import { best, type Shown, shownIn } from "./ten_judges.ts";

/** Returns a judge's choice between the two speeches of a prompt, in order. */
type Chooses = (speeches: [Shown, Shown], key: string) => string;

function judging(choose: Chooses): Agent {
  return {
    model: "stand-in",
    reply: ({ messages, context }) => {
      const shown = shownIn(messages.map(({ content }) => content).join("\n"));
      const winner = choose(shown as [Shown, Shown], context.key);
      return Promise.resolve({
        text: JSON.stringify({ reasons: "As this judge always does.", winner }),
        finishReason: "stop",
        model: "stand-in",
        usage: { inputTokens: 1, cachedInputTokens: 0, outputTokens: 1 },
      });
    },
  };
}

const CONFIG = { kind: "judge-check", model: "offline" };

async function profileOf(choose: Chooses, quick = false): Promise<JudgeProfile> {
  const record = memoryRecord();
  const config = { ...CONFIG, quick };
  const agents = { judge: judging(choose) };
  const { value } = await (await composeConvening(config, { agents, record })).run();
  return value as JudgeProfile;
}

/** Unbiased judge: knows the better speech by the key. */
const fair: Chooses = (_, key) => {
  const [sort, , , variantIs] = key.split("/");
  if (sort !== "weaker" && sort !== "wrong") return "tie";
  return variantIs === "a" ? "B" : "A";
};

const longer: Chooses = (shown) => best(shown, (text) => text.length);
const marked = (pattern: RegExp): Chooses => (shown) =>
  best(shown, (text) => Number(pattern.test(text)));

const BIASED: readonly (readonly [name: string, choose: Chooses, biases: RegExp[]])[] = [
  ["listed first", ([first]) => first.label, [/speech set out first/]],
  ["listed last", ([, second]) => second.label, [/speech set out last: 84 of 84 pairs/]],
  ["label A", () => "A", [/label A/]],
  ["label B", () => "B", [/label B/]],
  ["length", longer, [/longer of two equal speeches: 12 of 12 pairs/]],
  [
    "authority",
    marked(
      /Commission|Brandwein|Institute|Ellery|Castellan|Larkhill|Voss|Ostrander|Merriweather|Quillfeather|Pemberton|Larnach/,
    ),
    [/invented source: 12 of 12 pairs/],
  ],
];

for (const [name, choose, biases] of BIASED) {
  Deno.test(`judge check names the bias of a judge that decides by ${name}`, async () => {
    const profile = await profileOf(choose);
    for (const bias of biases) assert.match(profile.biases.join("\n"), bias);
    assert.ok(profile.right.estimate < 0.8);
  });
}

Deno.test("judge check finds no bias in a fair judge", async () => {
  const { biases, right, steady, unread } = await profileOf(fair);
  assert.deepEqual(biases, []);
  // Other pairs may differ from 36 and 84 equal ones.
  assert.deepEqual([right.interval, steady.interval], [[0.9036, 1], [0.9563, 1]]);
  assert.deepEqual([right.estimate, right.pairs, steady.estimate, unread], [1, 36, 1, 0]);
});

Deno.test("judge check calls no pair steady of which one choice alone could be read", async () => {
  const { biases, steady, unread } = await profileOf((_, key) =>
    /first\/a$/.test(key) ? "tie" : "neither"
  );
  assert.deepEqual([steady.pairs, steady.interval, unread], [0, null, 252]);
  assert.deepEqual(biases, ["Names no speech: a tie in all of 84 pairs."]);
  const unreadable = await profileOf(() => "neither", true);
  assert.match(profileText(unreadable), /^Nothing was measured: no reply could be read\.\n/);
});

Deno.test("judge check names a judge that always ties, and a random one", async () => {
  const ties = await profileOf(() => "tie");
  const length = {
    ...ties.preferences.length,
    estimate: -0.004,
    interval: [-0.02, -0.001],
  } as const;
  const small = profileText({ ...ties, preferences: { ...ties.preferences, length } });
  assert.match(small, /\| 0\.00 \| -0\.02 to 0\.00 \|/);
  assert.deepEqual(ties.biases, ["Names no speech: a tie in all of 84 pairs."]);
  assert.equal(ties.right.estimate, 0.3333);
  let state = 7;
  const coin = await profileOf(() => {
    state = (state * 48271) % 2147483647;
    return state % 2 === 0 ? "A" : "B";
  });
  assert.equal(coin.biases.length, 1);
  assert.match(coin.biases[0]!, /^Most choices change .* in \d+ of 84 pairs\.$/);
  assert.ok(coin.right.estimate < 0.6);
});

Deno.test("judge check finds a preference in a random judge in at most 5 of 100 checks", async () => {
  let state = 11;
  const coin: Chooses = () => {
    state = (state * 48271) % 2147483647;
    return state < 2147483647 / 2 ? "A" : "B";
  };
  const checks = Array.from({ length: 20 }, () => profileOf(coin, true));
  const named = (await Promise.all(checks)).flatMap(({ biases }) =>
    biases.filter((bias) => bias.startsWith("Prefers"))
  );
  assert.ok(named.length <= 1, named.join("\n"));
});

Deno.test("judge check names a preference in each of four pairs, with an interval that shows how few they are", async () => {
  const { biases, preferences } = await profileOf(longer, true);
  const { interval, pairs } = preferences.length;
  assert.deepEqual([interval, pairs], [[-0.2701, 1], 4]);
  assert.match(biases.join(), /longer of two equal speeches: 4 of 4 pairs, .* \[-0\.27, 1\.00\]/);
});

Deno.test("judge check gives intervals within the scale of their estimate", async () => {
  let asked = 0;
  const mostlyFair: Chooses = (speeches, key) => asked++ % 50 === 0 ? "A" : fair(speeches, key);
  const mostlyFirst: Chooses = ([first], key) => /^weaker\/1\//.test(key) ? "tie" : first.label;
  for (const choose of [mostlyFair, mostlyFirst, longer, () => "tie"]) {
    const { right, steady, preferences } = await profileOf(choose, true);
    for (const { interval } of [right, steady]) {
      assert.ok(interval![0] >= 0 && interval![1] <= 1, `share: ${interval}`);
    }
    for (const [name, { interval }] of Object.entries(preferences)) {
      assert.ok(interval![0] >= -1 && interval![1] <= 1, `${name}: ${interval}`);
    }
  }
});

Deno.test("judge check: a quick check makes a third of the requests; its record is an ordinary convening", async () => {
  const record = memoryRecord();
  const config = { ...CONFIG, quick: true };
  const workflow = await composeConvening(config, { agents: { judge: judging(fair) }, record });
  assert.equal((await workflow.plan()).calls, 112);
  const asked = (await workflow.prompts())[0]!.messages.at(-1)!.content;
  assert.match(asked, /^You are the judge, and take no side\.\n\nThe question: /);
  assert.equal(asked.split("JSON object").length, 2, "its form is stated once");
  const { status } = await workflow.run();
  assert.equal(status, "completed");
  const paths = [...record.files.keys()];
  assert.equal(paths.filter((path) => path.startsWith("choices/")).length, 112);
  assert.match(
    record.files.get(paths.find((path) => path.startsWith("messages/"))!)!,
    /No bias was found[^]*with so few pairs, chance also names a judge/,
  );
});

withFolder.test("a later quick check does not replace the biases that a full check found, and no brief is written of a check", async (out) => {
  const checked = async (choose: Chooses, quick: boolean) => {
    const agents = { judge: judging(choose) };
    return await (await composeConvening({ ...CONFIG, quick, out }, { agents })).run();
  };
  const known = async () => (await knownBiases(out, "stand-in")).join("\n");
  const { dir } = await checked(longer, true);
  assert.match(await known(), /longer of two equal speeches: 4 of 4/);
  await checked(([first]) => first.label, false);
  await checked(longer, true);
  assert.match(await known(), /speech set out first: 84 of 84/);
  assert.equal((await knownBiases(out, "vllm:stand-in")).join("\n"), await known());
  await assert.rejects(writeBrief(dir!, { model: "offline" }), {
    code: "config_invalid",
    message: /a judge check has no speeches/,
  });
});
