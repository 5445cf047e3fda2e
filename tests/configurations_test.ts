// Every configuration in examples/configurations runs offline.
import assert from "node:assert/strict";
import { basename, join } from "@std/path";
import { parse } from "@std/yaml";
import { type Convening, loadPersona, loadRubric, openConvening } from "../mod.ts";
import { personaText } from "../protocol.ts";
import { jsonOf, withFolder } from "./support/cli.ts";
import { ROOT } from "./support/deno_process.ts";
import { ran } from "./support/run_main.ts";

const FOLDER = "examples/configurations";
const PERSONA = `${FOLDER}/personas/night_nurse.yaml`;
const RUBRIC = `${FOLDER}/rubrics/plain_speech.yaml`;

const kindsOf = ({ messages }: Convening) => messages.map(({ kind }) => kind);
const countOf = ({ facts }: Convening, type: string) =>
  facts.filter((fact) => fact.type === type).length;

/** Checks of each configuration's record, besides its validity. */
const SHOWN: Readonly<Record<string, (convening: Convening) => void | Promise<void>>> = {
  "formal.yaml": (convening) => {
    assert.deepEqual(kindsOf(convening), [
      "introduction",
      ...["opening_statement", "opening_statement"],
      ...["argument", "rebuttal", "reply", "argument", "rebuttal", "reply", "round_summary"],
      ...["argument", "rebuttal", "reply", "argument", "rebuttal", "reply", "round_summary"],
      ...["closing_statement", "closing_statement"],
      "summary",
    ]);
  },
  "casual.yaml": (convening) => {
    assert.ok(!kindsOf(convening).includes("round_summary"));
    assert.deepEqual(Object.keys(convening.result.scores).sort(), ["jo", "mara"]);
  },
  "educational.yaml": async (convening) => {
    assert.deepEqual(convening.start.sources.map(({ name }) => name), ["late_buses.md"]);
    assert.ok(countOf(convening, "fact-check") > 0);
    const reviews = convening.facts.filter((fact) =>
      fact.type === "choice" && fact.kind === "round_review"
    );
    assert.ok(reviews.length > 0, "each round is reviewed");
    assert.ok((await Deno.stat(join(convening.dir, "transcript.html"))).size > 1000);
  },
  "competitive.yaml": ({ start, result, messages }) => {
    assert.deepEqual(start.judges.map(({ rubric }) => rubric), [
      "debate-competitive",
      "debate-competitive",
      "plain_speech",
    ]);
    assert.equal(result.baseline?.length, 3);
    const closings = messages.filter(({ kind }) => kind === "closing_statement");
    const openings = messages.filter(({ kind }) => kind === "opening_statement");
    assert.equal(closings[0]!.participant, openings[1]!.participant);
  },
  "alternating.yaml": async ({ messages, start }) => {
    assert.deepEqual(
      messages.map(({ name }) => name),
      Array.from({ length: 6 }, () => ["Ida", "Noor"]).flat(),
    );
    const participants = JSON.stringify(start.configuration.participants);
    for (const persona of ["historian", PERSONA]) {
      const quoted = JSON.stringify(personaText(await loadPersona(persona)));
      assert.ok(participants.includes(quoted.slice(1, -1)), persona);
    }
  },
  "pro-con.yaml": (convening) => {
    assert.deepEqual(kindsOf(convening), [
      ...["round_introduction", "statement", "statement"],
      ...["round_introduction", "statement", "statement"],
    ]);
    assert.equal(countOf(convening, "draft"), 4);
    assert.equal(convening.result.factChecks?.mode, "strict");
  },
  "oxford.yaml": (convening) => {
    assert.equal(convening.result.audience?.members, 3);
    assert.equal(countOf(convening, "stance"), 6);
    assert.equal(convening.result.winner, convening.result.audience.winner);
  },
  "self-play.yaml": ({ start, messages }) => {
    assert.equal(new Set(start.participants.map(({ model }) => model)).size, 1);
    const rounds = messages.filter(({ round }) => round === 1).map(({ kind }) => kind);
    assert.deepEqual(rounds.slice(0, 4), ["argument", "argument", "rebuttal", "rebuttal"]);
  },
  "consensus.yaml": (convening) => {
    const { endReason, consensus } = convening.result;
    assert.ok(["consensus", "impasse"].includes(endReason ?? ""), endReason);
    assert.equal(consensus?.threshold, 0.8);
    assert.ok(countOf(convening, "stance") > 0);
  },
  "paper_debate.yaml": async ({ dir, start, result, messages, facts }) => {
    assert.deepEqual(start.papers?.map(({ id }) => id), ["four_day_week", "compressed_week"]);
    assert.deepEqual(
      [...new Set(messages.map(({ kind }) => kind))],
      ["question", "postures", "argument", "cross_examination", "verdict", "report"],
    );
    assert.equal(messages.filter(({ kind }) => kind === "argument").length, 5);
    const scores = facts.filter((fact) => fact.type === "score");
    assert.deepEqual([...new Set(scores.map(({ rubric }) => rubric))], ["academic"]);
    assert.deepEqual(start.judges.map(({ name }) => name), ["Methodologist", "Practitioner"]);
    assert.equal(Object.keys(result.scores).length, 5);
    const report = await Deno.readTextFile(join(dir, "report.md"));
    assert.match(report, /## Executive Summary/);
  },
  "panel.yaml": ({ start, result, facts }) => {
    assert.deepEqual(start.judges.map(({ rubric }) => rubric), [
      "debate",
      "debate",
      "academic",
      "conceptual",
    ]);
    assert.equal(result.agreement?.judges.length, 4);
    const orders = new Set(
      facts.flatMap((fact) => fact.type === "verdict" ? [fact.order.join()] : []),
    );
    assert.equal(orders.size, 3, "every rotation of three sides");
  },
};

const NAMES = [...Deno.readDirSync(join(ROOT, FOLDER))].filter(({ isFile }) => isFile)
  .map(({ name }) => name).sort();

Deno.test("examples/configurations has one file for each format, each preset and each other kind", () => {
  assert.deepEqual(NAMES, Object.keys(SHOWN).sort());
});

for (const name of NAMES) {
  withFolder.test(`examples/configurations/${name} is short, explained, and runs offline to a valid record`, async (out) => {
    const path = `${FOLDER}/${name}`;
    const text = await Deno.readTextFile(join(ROOT, path));
    assert.match(text, /^# [A-Z]/, "it opens with what it shows");
    assert.ok(text.split("\n").length <= 30);
    const options = { folder: ROOT };
    const args = ["--config", path, "--seed", "3", "--out", out, "--json"];
    const kind = kindOf(text);
    const end = await ran([kind === "paper-debate" ? "paper" : kind, ...args], options);
    const dir = String(jsonOf(end)["dir"]);
    await ran(["verify", dir], options);
    await SHOWN[name]!(await openConvening(dir));
  });
}

function kindOf(yaml: string): string {
  const data: unknown = parse(yaml, { schema: "core" });
  assert.ok(data !== null && typeof data === "object" && "kind" in data);
  return String(data.kind);
}

Deno.test("examples/configurations: the custom persona and rubric are used by a configuration and read completely", async () => {
  const texts = await Promise.all(
    NAMES.map((name) => Deno.readTextFile(join(ROOT, FOLDER, name))),
  );
  for (const path of [PERSONA, RUBRIC]) {
    assert.ok(texts.some((text) => text.includes(path)), `${basename(path)} is used by none`);
  }
  assert.ok((await loadPersona(join(ROOT, PERSONA))).doesNot.length > 0);
  const { criteria } = await loadRubric(join(ROOT, RUBRIC));
  assert.deepEqual(criteria.map(({ id }) => id), ["plainness", "honesty", "answer"]);
});
