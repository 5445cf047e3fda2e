import assert from "node:assert/strict";

Deno.test("No template of the offline writer has a slot within a choice of wordings: it would be said as it stands", async () => {
  const folder = new URL("../../../src/agents/offline/", import.meta.url);
  const wrong: string[] = [];
  for await (const { name } of Deno.readDir(folder)) {
    const text = await Deno.readTextFile(new URL(name, folder));
    for (const [template] of text.matchAll(/"(?:[^"\\\n]|\\.)*"/g)) {
      if (/\[[^\]]*\{\w+\}[^\]]*\]/.test(template)) wrong.push(`${name}: ${template}`);
    }
  }
  assert.deepEqual(wrong, []);
});
