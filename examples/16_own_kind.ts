/**
 * A library with a kind of your own: `examples/kinds/delphi.ts` runs and is read, verified and replayed like the built-in
 * kinds. The command line takes the same module with `--extend`.
 *
 *     deno run --no-prompt --allow-read --allow-write=. examples/16_own_kind.ts
 */
import assert from "node:assert/strict";
import { type Agent, createLibrary } from "../mod.ts";
import delphi from "./kinds/delphi.ts";

/** Creates an expert whose estimate moves half of the way to 50 in every round. */
const experts = (base: string): Agent => ({
  model: `expert:${base}`,
  reply: ({ context }) =>
    Promise.resolve({
      text: JSON.stringify({
        reasons: `I began at ${base}.`,
        estimate: 50 + (Number(base) - 50) / 2 ** context.round,
      }),
      finishReason: "stop",
      model: `expert:${base}`,
      usage: { inputTokens: 10, cachedInputTokens: 0, outputTokens: 5 },
    }),
});

const out = Deno.args[0] ?? "convenings";
const { composeConvening, openConvening, verify } = createLibrary({
  ...delphi,
  agents: { expert: experts },
});
const survey = await composeConvening({
  kind: "delphi",
  topic: "How likely is a four day week by 2035?",
  participants: [
    { name: "Facilitator", model: "expert:0" },
    ...[10, 40, 60, 95].map((base) => ({ name: `Expert ${base}`, model: `expert:${base}` })),
  ],
  until: 10,
  out,
});
const { dir, value } = await survey.run();
console.log(dir, value);

assert.deepEqual(value, { rounds: 3, median: 48.75, converged: true });
assert.deepEqual((await openConvening(dir!)).result.value, value);
assert.deepEqual((await verify(dir!)).findings, []);
