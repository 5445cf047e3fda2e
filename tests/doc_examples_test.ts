// Examples in doc comments run without a key, a network and the environment, and write to the temporary folder alone; the task
// `check` checks their types.
import assert from "node:assert/strict";
import { join } from "@std/path";
import project from "../deno.json" with { type: "json" };
import { withFolder } from "./support/cli.ts";
import { blocksOf } from "./support/readme_commands.ts";
import { sourceFiles } from "./support/source_files.ts";

Deno.test("the examples in doc comments run", {
  permissions: { read: true, write: ["/tmp"] },
}, async (context) => {
  const doors = new Map(Object.entries(project.exports));
  const inRoot = [...doors.values()].filter((path) => !path.startsWith("./src/"));
  let count = 0;
  await withFolder(async (folder) => {
    for (const { path, text } of await sourceFiles("src", ...inRoot)) {
      const comments = text.match(/^[ \t]*\/\*\*[\s\S]*?\*\//gm) ?? [];
      const markdown = comments.join("\n").replace(/^[ \t]*\* ?/gm, "");
      for (const block of ["ts", "tsx"].flatMap((language) => blocksOf(markdown, language))) {
        const program = join(folder, `${++count}.tsx`);
        await Deno.writeTextFile(
          program,
          block.replace(
            /"@convenings\/convenings(\/[^"]+)?"/g,
            (_, door = "") =>
              JSON.stringify(new URL(doors.get(`.${door}`)!, new URL("../", import.meta.url)).href),
          ),
        );
        await context.step(path, () => import(`file://${program}`));
      }
      assert.equal(
        markdown.match(/^```\w+$/gm)?.length,
        markdown.match(/^```tsx?$/gm)?.length,
        path,
      );
    }
  });
  assert.ok(count > 10);
});
