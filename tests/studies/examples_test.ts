// Every study in examples/studies can be planned, and the prompts study has the texts of prompts.yaml.
import assert from "node:assert/strict";
import { parse } from "@std/yaml";
import { planStudy } from "../../src/operations/study_plan.ts";

const CELLS: Readonly<Record<string, number>> = {
  "offline.yaml": 8,
  "local_models.yaml": 36,
  "order.yaml": 240,
  "prompts_study.yaml": 60,
};

/** Files of the folder that are not studies. */
const OTHERS: readonly string[] = ["prompts.yaml", "compose.yaml"];

Deno.test("examples/studies: every study is planned with the stated number of convenings", async () => {
  const names = (await Array.fromAsync(Deno.readDir("examples/studies"))).map(({ name }) => name)
    .filter((name) => name.endsWith(".yaml") && !OTHERS.includes(name));
  assert.deepEqual(names.sort(), Object.keys(CELLS).sort());
  for (const name of names) {
    const { cells } = await planStudy(`examples/studies/${name}`, { env: () => undefined });
    assert.equal(cells.length, CELLS[name], name);
  }
});

Deno.test("examples/studies: the prompts study has the debate's texts of prompts.yaml", async () => {
  const [texts, study] = await Promise.all(
    ["prompts", "prompts_study"].map(async (name) =>
      Object(parse(await Deno.readTextFile(`examples/studies/${name}.yaml`), { schema: "core" }))
    ),
  );
  assert.deepEqual(study.formats.before.prompts, texts.debate);
});
