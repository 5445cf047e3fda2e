// Tools of debaters in paper debates: look-ups and web search.
import assert from "node:assert/strict";
import { CancelledError, SearchError } from "../../src/core/error.ts";
import { lookUpPaperTool, pagesIn, passagesIn, webSearchTool } from "../../src/papers/tools.ts";
import { webSearch } from "../../src/checking/searchers.ts";
import { finding, type SearchAnswer, startSearchServer } from "../support/search_server.ts";
import type { RetrieveOptions } from "../../src/core/search.ts";
import { createRetriever } from "../../src/papers/retrieval.ts";

/** Calls `use` with a web search tool on a server that answers every query with `answers`. */
async function withTool(
  answers: readonly SearchAnswer[],
  use: (
    tool: ReturnType<typeof webSearchTool>,
    server: Awaited<ReturnType<typeof startSearchServer>>,
  ) => Promise<void>,
): Promise<void> {
  await using server = await startSearchServer({ answers: { "": answers } });
  await use(webSearchTool(webSearch({ baseUrl: server.url, minWait: 1, retries: 0 })), server);
}

Deno.test("webSearchTool() returns pages that can be parsed back unchanged", async () => {
  await withTool([finding("Trams are fast.")], async (tool, server) => {
    assert.equal(tool.name, "webSearch");
    const result = await tool.run({ query: "trams" });
    assert.match(JSON.parse(result).note, /gives you no orders/);
    assert.deepEqual(pagesIn([{ tool: tool.name, args: {}, result, failed: false }]), [{
      title: "A report",
      url: "https://example.org/report",
      snippet: "Trams are fast.",
    }]);
    assert.equal(server.requests[0]?.body["max_results"], 5);
  });
});

Deno.test("webSearchTool() requests the model's number of results, 1 to 20", async () => {
  const results = Array.from({ length: 30 }, (_, i) => ({
    title: "T",
    url: `https://example.org/${i}`,
    content: "C",
  }));
  await withTool([{ results }], async (tool, server) => {
    for (const [maxResults, most] of [[3, 3], [0, 1], [99, 20], [2.7, 2], [null, 5]] as const) {
      const result = await tool.run({ query: "trams", maxResults });
      assert.equal(server.requests.at(-1)?.body["max_results"], most);
      assert.equal(JSON.parse(result).results.length, most);
    }
  });
});

Deno.test("webSearchTool() reports that nothing was found", async () => {
  await withTool([{ results: [] }], async (tool) => {
    const { note, results } = JSON.parse(await tool.run({ query: "trams" }));
    assert.match(note, /^Nothing was found/);
    assert.deepEqual(results, []);
  });
});

Deno.test("webSearchTool() fails with its search and stops when cancelled", async () => {
  await withTool([{ status: 500, error: "down" }], async (tool) => {
    await assert.rejects(tool.run({ query: "trams" }), (error) => {
      assert.ok(error instanceof SearchError);
      assert.match(error.message, /^Cannot search the web .*500/);
      return true;
    });
    const signal = AbortSignal.abort();
    await assert.rejects(tool.run({ query: "trams" }, { signal }), CancelledError);
  });
});

Deno.test("webSearchTool() describes how to cite and rejects invalid arguments", async () => {
  const tool = webSearchTool(webSearch());
  assert.match(tool.description, /`url` exactly/);
  assert.match(tool.description, /gives no orders/);
  for (const args of [{}, { query: "a", maxResults: "many" }, []]) {
    assert.equal(tool.parameters.safeParse(args).success, false);
    await assert.rejects(tool.run(args));
  }
});

const PAPER = {
  id: "trams",
  title: "Trams",
  text: "Trams carry 4,000 people an hour. ".repeat(40),
  pages: [0],
};
const TOOL = lookUpPaperTool(createRetriever([PAPER]));

Deno.test("lookUpPaperTool() returns passages that can be parsed back unchanged", async () => {
  assert.equal(TOOL.name, "lookupPaper");
  const result = await TOOL.run({ query: "people an hour" });
  const { note, hits } = JSON.parse(result);
  assert.match(note, /gives you no orders/);
  assert.equal(hits.length, 4);
  const trace = { tool: TOOL.name, args: {}, result, failed: false };
  const expected = await createRetriever([PAPER]).search("people an hour");
  assert.deepEqual(
    passagesIn([trace]),
    expected.map((each) => ({ ...each, score: Number(each.score.toFixed(2)) })),
  );
  assert.match(hits[0].chunkId, /^trams#\d$/);
});

Deno.test("lookUpPaperTool() names passages that an earlier call returned, without their text", async () => {
  const args = { query: "people an hour" };
  const first = { tool: TOOL.name, args, result: await TOOL.run(args), failed: false };
  const ids = passagesIn([first]).map(({ chunkId }) => chunkId);
  const result = await TOOL.run(args, { earlier: [first] });
  const { hits, seen } = JSON.parse(result);
  assert.deepEqual(hits, []);
  assert.deepEqual(seen, ids);
  assert.deepEqual(passagesIn([first, { ...first, result }]), passagesIn([first]));
  const failed = { ...first, failed: true };
  assert.deepEqual(JSON.parse(await TOOL.run(args, { earlier: [failed] })).seen, undefined);
});

Deno.test("lookUpPaperTool() describes its arguments and how to cite, and passes its signal on", async () => {
  assert.match(TOOL.description, /chunkId/);
  assert.match(TOOL.description, /gives no orders/);
  assert.deepEqual(
    TOOL.parameters.toJSONSchema({ io: "input", unrepresentable: "any" }),
    {
      $schema: "https://json-schema.org/draft/2020-12/schema",
      type: "object",
      properties: {
        query: { type: "string", description: "What to look for: a few words, or a sentence." },
      },
      required: ["query"],
    },
  );
  for (const args of [{}, { query: 3 }, "trams", null]) {
    assert.equal(TOOL.parameters.safeParse(args).success, false);
    await assert.rejects(TOOL.run(args));
  }
  const asked: (RetrieveOptions | undefined)[] = [];
  const tool = lookUpPaperTool({
    name: "own",
    search(_query, options) {
      asked.push(options);
      return Promise.reject(new Error("The shelf fell over"));
    },
  });
  const { signal } = new AbortController();
  await assert.rejects(tool.run({ query: "trams" }, { signal }), /The shelf fell over/);
  assert.equal(asked[0]?.signal, signal);
});
