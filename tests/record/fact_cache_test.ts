// Cache of the contents of files.
import assert from "node:assert/strict";
import { FileCache } from "../../src/record/fact_cache.ts";
import { MemoryFileSystem } from "../../src/record/stores.ts";

Deno.test("FileCache counts files that it does not keep, because they changed a moment ago or exceed its bound", async () => {
  for (const modified of [Date.now(), 1000]) {
    const files = new class extends MemoryFileSystem {
      override async stat(path: string) {
        const info = await super.stat(path);
        return info && { ...info, modified };
      }
    }();
    const cache = new FileCache<string>(15);
    let reads = 0;
    for (const name of ["/a", "/b", "/a", "/b"]) {
      await files.write(name, "ten bytes.").catch(() => {});
      await cache.value(files, name, async () => {
        reads++;
        return { value: await files.read(name), isSound: true };
      });
    }
    assert.equal(cache.size, 20);
    assert.equal(reads, modified === 1000 ? 3 : 4);
  }
});
