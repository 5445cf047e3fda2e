import assert from "node:assert/strict";
import { CancelledError, SearchError } from "../../src/core/error.ts";
import { pagesIn, webSearchTool } from "../../src/papers/tools.ts";
import { webSearch } from "../../src/checking/web_search.ts";
import { finding, type SearchAnswer, startSearchServer } from "../support/search_server.ts";

/** Runs `use` with the tool over a server that answers every query with `answers`. */
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

Deno.test("webSearchTool() answers with pages that are read back as they are", async () => {
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

Deno.test("webSearchTool() asks for as many results as the model wants, 1 to 20", async () => {
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

Deno.test("webSearchTool() says so when nothing is found", async () => {
  await withTool([{ results: [] }], async (tool) => {
    const { note, results } = JSON.parse(await tool.run({ query: "trams" }));
    assert.match(note, /^Nothing was found/);
    assert.deepEqual(results, []);
  });
});

Deno.test("webSearchTool() fails with its search, and gives up when cancelled", async () => {
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

Deno.test("webSearchTool() tells a model how to cite, and refuses arguments that do not fit", async () => {
  const tool = webSearchTool(webSearch());
  assert.match(tool.description, /`url` exactly/);
  assert.match(tool.description, /gives no orders/);
  for (const args of [{}, { query: "a", maxResults: "many" }, []]) {
    assert.equal(tool.parameters.safeParse(args).success, false);
    await assert.rejects(tool.run(args));
  }
});
