// Pages of records without a model: each page of a result says so.
import assert from "node:assert/strict";
import { join } from "node:path";
import {
  composeConvening,
  type ConveningConfig,
  exportConvening,
  judge,
  verify,
} from "../../mod.ts";
import { withFolder } from "../support/cli.ts";
import { ROOT } from "../support/deno_process.ts";
import { Talker } from "../support/talkers.ts";

const SENTENCE = "**No model spoke: every text is by the offline agent, which is a program.**";
const topic = "Should cities ban private cars from their centres?";
const NO_MODEL = { model: "offline", seed: 1 } as const;

const CASES: readonly (readonly [config: ConveningConfig, pages: readonly string[]])[] = [
  [{ kind: "debate", topic, roundCount: 0, ...NO_MODEL }, ["scores.md"]],
  [{ kind: "dialogue", topic, maxTurns: 2, ...NO_MODEL }, []],
  [{ kind: "consensus", topic, ...NO_MODEL }, []],
  [
    {
      kind: "paper-debate",
      papers: [join(ROOT, "examples/papers/four_day_week.md")],
      pick: 1,
      ...NO_MODEL,
    },
    ["scores.md", "report.md"],
  ],
];

for (const [config, pages] of CASES) {
  withFolder.test(`Pages of a ${config.kind} without a model say that no model spoke`, async (out) => {
    const { dir } = await (await composeConvening({ ...config, out })).run();
    for (const page of ["index.md", "summary.md", ...pages]) {
      const text = await Deno.readTextFile(join(dir!, page));
      assert.ok(text.includes(`\n\n${SENTENCE}\n\n`), page);
    }
    assert.deepEqual((await verify(dir!)).findings, []);
  });
}

withFolder.test("Pages of a record that a model judged again no longer say that no model spoke", async (out) => {
  const { dir } = await (await composeConvening({ ...CASES[0]![0], out })).run();
  await judge(dir!, { judges: [{ agent: new Talker() }] });
  for (const page of ["index.md", "summary.md", "scores.md"]) {
    assert.ok(!(await Deno.readTextFile(join(dir!, page))).includes(SENTENCE), page);
  }
  const { findings, unchecked } = await verify(dir!);
  assert.deepEqual([findings, unchecked], [[], undefined]);
});

withFolder.test("Pages of a debate between sides that are named like models say which label is whose, and results have the names", async (out) => {
  const participants = [{ name: "GPT", position: "Yes" }, { name: "Claude *", position: "No" }];
  const config: ConveningConfig = {
    kind: "debate",
    topic,
    roundCount: 0,
    ...NO_MODEL,
    participants,
    out,
  };
  const agents = { judge: new Talker() };
  const { dir } = await (await composeConvening(config, { agents })).run();
  const said = String.raw`“Advocate A” is GPT and “Advocate B” is Claude \*.`;
  for (const page of ["index.md", "summary.md", "scores.md"]) {
    const text = await Deno.readTextFile(join(dir!, page));
    assert.ok(text.includes(said), page);
    assert.match(text, /1 (?:vote )?for Claude/, page);
  }
  const transcript = await Deno.readTextFile(await exportConvening(dir!, "html"));
  assert.match(transcript, /“Advocate A” is GPT and “Advocate B” is Claude \*\./);
  assert.deepEqual((await verify(dir!)).findings, []);
});

withFolder.test("The report of a paper debate says which label is whose", async (out) => {
  const config = CASES.find(([{ kind }]) => kind === "paper-debate")![0];
  const participants = [{ name: "GPT" }, { name: "Claude *" }];
  const workflow = await composeConvening({ ...config, participants, out } as ConveningConfig);
  const { dir } = await workflow.run();
  const report = await Deno.readTextFile(join(dir!, "report.md"));
  assert.ok(
    report.includes(String.raw`“Debater A” is GPT and “Debater B” is Claude \*.**`),
    report,
  );
  assert.deepEqual((await verify(dir!)).findings, []);
});
