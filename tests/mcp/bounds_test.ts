import assert from "node:assert/strict";
import { basename, join } from "@std/path";
import { loadTokenCounter } from "../../src/core/tokens.ts";
import { createMcpServer } from "../../src/mcp/mod.ts";
import { withFolder } from "../support/cli.ts";
import { longRecord } from "./support/long_record.ts";
import { called, connected, refusedBy, withHttp } from "./support/mcp_client.ts";

const DEBATE = {
  kind: "debate",
  topic: "Should cities ban private cars from their centres?",
  roundCount: 2,
  seed: 1,
  judges: [{ name: "Jo" }, { name: "Kim" }],
  factCheck: { mode: "standard", maxClaims: 1 },
  sources: [{ name: "counts.md", text: "Twelve streets had nine cars each." }],
};

Deno.test("mcp: read_scores keeps to maxTokens, and gives every verdict and score once", async () => {
  const count = await loadTokenCounter();
  await withHttp(async (client) => {
    const { id } = (await called(client, "run", { config: DEBATE, wait: true })).data;
    for (const reasons of [false, true]) {
      const seen = { verdicts: 0, scores: 0 };
      let cursor: unknown;
      do {
        const wanted = { id, reasons, maxTokens: 500, ...cursor === undefined ? {} : { cursor } };
        const { data, texts } = await called(client, "read_scores", wanted);
        assert.ok(count(texts.join("\n")) <= 600, String(count(texts.join("\n"))));
        seen.verdicts += Object(data.verdicts ?? []).length;
        seen.scores += Object(data.scores).length;
        if (data.next === null) assert.equal(seen.scores, data.total);
        cursor = data.next ?? undefined;
      } while (cursor !== undefined);
      assert.equal(seen.verdicts, 4);
    }
  });
});

Deno.test("mcp: read_page gives whatever the pages link to, as a tool and as a resource", async () => {
  await withHttp(async (client, out) => {
    const { id } = (await called(client, "run", { config: DEBATE, wait: true })).data;
    const links = new Set<string>();
    for (const page of ["index.md", "scores.md"]) {
      const { texts } = await called(client, "read_page", { id, page });
      for (const [, path = ""] of texts[1]!.matchAll(/\]\(([^)#:]+)\)/g)) {
        if (!path.startsWith("..")) links.add(path);
      }
    }
    const dir = `${out}/${String(id).slice(0, 10)}/${id}`;
    for (const folder of ["fact-checks", "verdicts", "sources", "scores"]) {
      for await (const { name } of Deno.readDir(join(dir, folder))) links.add(`${folder}/${name}`);
    }
    assert.ok(links.has("sources/counts.md") && links.size > 20);
    for (const page of links) {
      assert.ok(
        Object((await called(client, "read_page", { id, page })).data).characters > 0,
        page,
      );
    }
    const former = (await called(client, "read_index", { id })).data;
    assert.deepEqual(former, (await called(client, "read_page", { id })).data);
    const uri = `convening://${id}/sources/counts.md`;
    assert.match(JSON.stringify(await client.readResource({ uri })), /nine cars each/);
    for (const page of ["log.jsonl", ".lock", "../index.md", "sources/../index.md", "none.md"]) {
      const { code, field } = await refusedBy(client, "read_page", { id, page });
      assert.deepEqual([page, code, field], [page, "not_found", "page"]);
    }
  });
});

Deno.test("mcp: what is not there is said by the protocol's error, with the address", async () => {
  await withHttp(async (client) => {
    for (const uri of ["convening://none/index.md", "convening://none/messages/1"]) {
      await assert.rejects(client.readResource({ uri }), (error) => {
        const { code, data } = Object(error);
        assert.deepEqual([code, data], [-32602, { uri }]);
        return true;
      });
    }
  });
});

Deno.test("mcp: numbers given as text are taken; other text is refused", async () => {
  await withFolder(async (out) => {
    const id = basename(await longRecord(out, { messages: 3 }));
    await withHttp(async (client) => {
      const { data } = await called(client, "read_messages", { id, after: "1", limit: "1" });
      assert.deepEqual(Object(data.messages).map(({ seq }: { seq: number }) => seq), [2]);
      assert.equal((await called(client, "read_message", { id, seq: "3" })).data.seq, 3);
      for (const seq of ["three", "", "1e9", "2.5"]) {
        assert.equal((await refusedBy(client, "read_message", { id, seq })).field, "seq");
      }
    }, { out });
  });
});

Deno.test("mcp: resources are listed in pages; a client without a stream is promised no change; a missing archive is an error", async () => {
  await withFolder(async (folder) => {
    const out = join(folder, "archive");
    const server = createMcpServer({ out, readOnly: true });
    const client = await connected(server);
    assert.equal((await refusedBy(client, "list")).code, "not_found");
    assert.equal((await refusedBy(client, "search", { query: "cars" })).code, "not_found");
    await assert.rejects(client.listResources(), /folder is missing/);
    const { tools, resources } = client.getServerCapabilities() ?? {};
    assert.deepEqual([tools?.listChanged, resources?.listChanged], [false, false]);
    for (let count = 0; count < 52; count++) await longRecord(out, { messages: 1 });
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await client.listResources(cursor === undefined ? {} : { cursor });
      seen.push(...page.resources.map(({ uri }) => uri));
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    assert.equal(new Set(seen).size, 53);
    assert.equal(seen.length, 53);
    await server.close();
  });
});
