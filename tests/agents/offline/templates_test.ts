import assert from "node:assert/strict";

Deno.test("No template of the offline writer has a slot within a choice of wordings: it would be said as it stands", async () => {
  const folder = new URL("../../../src/agents/offline/", import.meta.url);
  const wrong: string[] = [];
  const paths = [folder, new URL("paper/", folder)].map(async (at) => {
    const files = await Array.fromAsync(Deno.readDir(at));
    return files.filter(({ isFile }) => isFile).map(({ name }) => new URL(name, at));
  });
  for (const path of (await Promise.all(paths)).flat()) {
    const text = await Deno.readTextFile(path);
    const name = path.pathname.slice(folder.pathname.length);
    for (const [template] of text.matchAll(/"(?:[^"\\\n]|\\.)*"/g)) {
      if (/\[[^\]]*\{\w+\}[^\]]*\]/.test(template)) wrong.push(`${name}: ${template}`);
    }
  }
  assert.deepEqual(wrong, []);
});
