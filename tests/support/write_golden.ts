// Writes the golden files again:
// deno run --config deno.test.json --frozen --allow-read --allow-write --allow-env --allow-net=127.0.0.1 tests/support/write_golden.ts [NAME…]
import { dirname, join } from "@std/path";
import { GOLDEN, GOLDENS } from "./golden.ts";

for (const [name, make] of Object.entries(GOLDENS)) {
  if (Deno.args.length > 0 && !Deno.args.includes(name)) continue;
  const folder = join(GOLDEN, name);
  await Deno.remove(folder, { recursive: true }).catch(() => {});
  for (const [path, text] of await make()) {
    await Deno.mkdir(dirname(join(folder, path)), { recursive: true });
    await Deno.writeTextFile(join(folder, path), text);
  }
}
