// Every example program runs offline.
import assert from "node:assert/strict";
import { withFolder } from "./support/cli.ts";
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

const NAMES = [...Deno.readDirSync(EXAMPLES)].map(({ name }) => name)
  .filter((name) => name.endsWith(".ts")).sort();

/** Examples by the flags in their commands, since one process can run all examples with the same flags. */
const byFlags = new Map<string, string[]>();

for (const name of NAMES) {
  const source = await Deno.readTextFile(join(EXAMPLES, name));
  const flags = commandOf(source, name).slice(1, -1).join(" ");
  byFlags.set(flags, [...byFlags.get(flags) ?? [], `./examples/${name}`]);
  Deno.test(`examples/${name} opens with what it teaches, checks itself and imports public entries`, () => {
    assert.match(source, /^\/\*\*\n/);
    assert.match(source, /\bassert\./);
    const [entry, ...more] = [...source.matchAll(/from "(\.[^"]+)"/g)].map(([, path]) => path!);
    assert.equal(entry, "../mod.ts");
    assert.ok(more.every((each) => ENTRIES.includes(each)), "it imports another entry");
  });
}

for (const [flags, paths] of byFlags) {
  withFolder.test(`the examples with the permissions ${flags} run offline`, async (out) => {
    const given = flags.replace("--allow-write=.", `--allow-write=${out}`).split(" ");
    const earlier = paths.slice(0, -1).map((path) => `--preload=${path}`);
    const { code, stderr } = await runDeno(["run", ...given, ...earlier, paths.at(-1)!, out]);
    assert.equal(code, 0, stderr);
  });
}
