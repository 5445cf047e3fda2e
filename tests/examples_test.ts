// Every example program runs offline.
import assert from "node:assert/strict";
import { join } from "@std/path";
import { ROOT, runDeno } from "./support/deno_process.ts";

const EXAMPLES = join(ROOT, "examples");

/** Returns the command in an example's first comment, without `deno`. */
function commandOf(source: string, name: string): string[] {
  const command = /^ \*\s+deno (run .+)$/m.exec(source)?.[1];
  assert.ok(command !== undefined, `${name} does not say how it is run`);
  assert.ok(!/ (-A|--allow-all)\b/.test(command), `${name} asks for every permission`);
  assert.ok(command.endsWith(`examples/${name}`), `${name} names another file in its command`);
  return command.split(" ");
}

const ENTRIES = [
  "../protocol.ts",
  "../papers.ts",
  "../scoring.ts",
  "../src/operations/pro_con.ts",
  "./kinds/delphi.ts",
];

for (const { name } of [...Deno.readDirSync(EXAMPLES)].sort((a, b) => a.name < b.name ? -1 : 1)) {
  if (!name.endsWith(".ts")) continue;
  Deno.test(`examples/${name} runs offline with the permissions it names`, async () => {
    const source = await Deno.readTextFile(join(EXAMPLES, name));
    assert.match(source, /^\/\*\*\n/, "it opens with what it teaches");
    assert.match(source, /\bassert\./, "it checks itself");
    const imports = [...source.matchAll(/from "(\.[^"]+)"/g)].map(([, path]) => path);
    const [entry, ...more] = imports;
    assert.equal(entry, "../mod.ts");
    assert.ok(
      more.every((each) => ENTRIES.includes(each!)),
      "it imports another entry",
    );
    const out = await Deno.makeTempDir();
    const args = commandOf(source, name)
      .map((word) => word === "--allow-write=." ? `--allow-write=${out}` : word);
    const { code, stderr } = await runDeno([...args, out]);
    assert.equal(code, 0, stderr);
    await Deno.remove(out, { recursive: true });
  });
}
