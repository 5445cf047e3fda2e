// Cached reads of an archive's files.
import { join } from "@std/path";
import { sha256 } from "../../src/core/message.ts";
import { archivedFile } from "../../src/operations/reading_convenings.ts";
import { withFolder } from "../support/cli.ts";
import { rest } from "./support/kept_record.ts";
import assert from "node:assert/strict";

Deno.test("archivedFile() detects a change of an idle file, also one of equal length", () =>
  withFolder(async (out) => {
    await Deno.mkdir(join(out, "a"));
    const path = join(out, "a", "b.md");
    const read = async () => {
      const { bytes, sum } = await archivedFile(out, ["a", "b.md"]);
      const text = new TextDecoder().decode(bytes);
      assert.equal(sum, sha256(text));
      return text;
    };
    for (const text of ["one", "two", "x".repeat(200_000), "six"]) {
      await Deno.writeTextFile(path, text);
      assert.equal(await read(), text);
      await rest(out);
      assert.equal(await read(), text);
      assert.equal(await read(), text);
    }
    await Deno.remove(path);
    await assert.rejects(read(), { code: "not_found" });
    await Deno.mkdir(path);
    await assert.rejects(read(), { code: "not_found" });
  }));
