import assert from "node:assert/strict";
import { lookUpPaperTool, passagesIn } from "../../src/papers/tools.ts";
import type { RetrieveOptions } from "../../src/core/search.ts";
import { createRetriever } from "../../src/papers/retrieval/paper_index.ts";

const PAPER = {
  id: "trams",
  title: "Trams",
  text: "Trams carry 4,000 people an hour. ".repeat(40),
  pages: [0],
};
const TOOL = lookUpPaperTool(createRetriever([PAPER]));

Deno.test("lookUpPaperTool() answers with passages that are read back as they are", async () => {
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

Deno.test("lookUpPaperTool() says so when nothing fits", async () => {
  for (const query of ["zeppelin", "", "((("]) {
    const result = await TOOL.run({ query });
    const { note, hits } = JSON.parse(result);
    assert.match(note, /^Nothing in the papers fits/);
    assert.deepEqual(hits, []);
    assert.deepEqual(passagesIn([{ tool: TOOL.name, args: {}, result, failed: false }]), []);
  }
});

Deno.test("lookUpPaperTool() tells a model its arguments and how to cite, and hands its signal on", async () => {
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
