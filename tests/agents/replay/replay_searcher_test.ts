// Searches in replays.
import assert from "node:assert/strict";
import { replaySearcher } from "../../../src/agents/replay/recording.ts";
import { hostsOf } from "../../../src/inputs/servers.ts";
import { CancelledError, SearchError } from "../../../src/core/error.ts";
import type { LookUp } from "../../../src/core/fact.ts";
import { webResult } from "../../../src/papers/tools.ts";

const HIT = { title: "A count", url: "https://example.org/", snippet: "Fewer cars.", score: 0.5 };
const OTHER = { title: "A report", url: "https://example.org/2", snippet: "More trade." };

function lookUp(seq: number, query: string, more: Partial<LookUp>): LookUp {
  return {
    type: "lookup",
    seq,
    number: 101,
    turn: `opening/${seq}`,
    participant: "pro",
    tool: "webSearch",
    args: { query, claim: 1 },
    failed: false,
    result: "[]",
    createdAt: "2026-11-21T20:33:12.114Z",
    ...more,
  };
}

const searcher = replaySearcher([
  lookUp(2, "cars", { result: JSON.stringify([HIT]) }),
  lookUp(3, "cars", { result: "No.", failed: true }),
  lookUp(4, "cars", { result: JSON.stringify([HIT, OTHER]) }),
  lookUp(4, "buses", { result: "Cannot search the web: status 400", failed: true }),
  lookUp(5, "nothing", {}),
  lookUp(7, "trade", { number: 1, result: webResult([OTHER]) }),
  lookUp(6, "damaged", { result: '[{"title": 1}]' }),
])!;

Deno.test("replaySearcher() answers a query with all recorded results, each once", async () => {
  assert.equal(searcher.name, "webSearch");
  assert.deepEqual(await searcher.search("cars"), [HIT, OTHER]);
  assert.deepEqual(await searcher.search("cars", { maxResults: 1 }), [HIT]);
  assert.deepEqual(await searcher.search("nothing"), []);
  assert.deepEqual(await searcher.search("trade"), [OTHER]);
});

const FAILS: readonly (readonly [query: string, message: RegExp])[] = [
  ["buses", /^Cannot search the web: status 400$/],
  ["trams", /"trams": no look-up of it is recorded/],
  ["damaged", /look-up 101 of message 6/],
];
for (const [query, message] of FAILS) {
  Deno.test(`replaySearcher() fails as recorded, or names the missing query: ${query}`, async () => {
    await assert.rejects(searcher.search(query), (error: unknown) => {
      assert.ok(error instanceof SearchError);
      assert.match(error.message, message);
      return true;
    });
  });
}

Deno.test("replaySearcher() rejects when the signal is already aborted", async () => {
  const signal = AbortSignal.abort("enough");
  await assert.rejects(searcher.search("cars", { signal }), CancelledError);
});

Deno.test("replaySearcher() is undefined without recorded web searches", () => {
  const own = lookUp(2, "cars", { tool: "lookupPaper", number: 1 });
  assert.equal(replaySearcher([own, { ...own, tool: "webSearch", args: {} }]), undefined);
});

Deno.test("hostsOf() names no search server when every model is a replay", () => {
  const env = (name: string) => name === "TAVILY_BASE_URL" ? "http://127.0.0.1:8080" : undefined;
  const config = { kind: "debate", preset: "pro-con", model: "replay:DIR" } as const;
  assert.deepEqual(hostsOf(config, { env }), []);
  assert.deepEqual(hostsOf({ ...config, moderatorModel: "offline" }, { env }), ["127.0.0.1:8080"]);
});
