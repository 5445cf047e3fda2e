// Look-ups and web searches of debaters.
import assert from "node:assert/strict";
import { webSearch } from "../../../protocol.ts";
import type { ModelReply } from "../../support/model_server.ts";
import { argumentFor, call, chunkIdsIn, type PaperAsk } from "../../support/paper_model.ts";
import { startSearchServer } from "../../support/search_server.ts";
import { fileOf } from "./support/paper_talkers.ts";
import { onServer, type ServerOptions } from "./support/on_server.ts";

/** Runs a debate whose first debater replies as given; the others reply as usual. */
async function argued(say: (ask: PaperAsk) => ModelReply | undefined, options?: ServerOptions) {
  const isOwn = ({ kind, debater }: PaperAsk) =>
    kind === "debater_argument" && debater === "Debater A";
  const question = "To what extent do trees cool streets?";
  const held = await onServer((ask) => isOwn(ask) ? say(ask) : undefined, { question, ...options });
  assert.equal(held.error, undefined);
  const lookUps = held.events.flatMap((event) =>
    event.type === "lookup" && event.lookup.seq === 3 ? [event.lookup] : []
  );
  return { ...held, own: held.asks.filter(isOwn), lookUps };
}

function idOf({ chunkId }: { readonly chunkId: string }): string {
  return chunkId;
}

Deno.test("Look-ups over several requests are returned to the model, recorded one by one, and can all be cited", async () => {
  const queries = ["narrow streets", "nights", "cooler at noon"];
  const { own, lookUps, report, record } = await argued((ask) => {
    const query = queries[ask.results.length];
    if (query !== undefined) return call("lookupPaper", { query });
    const paper = [...new Set(chunkIdsIn(ask))].map((chunkId) => ({ chunkId, text: "" }));
    return { json: argumentFor(ask, { citations: { paper } }) };
  });
  assert.equal(own.length, 4);
  assert.deepEqual(own.map(({ results }) => results.length), [0, 1, 2, 3]);
  assert.deepEqual(
    lookUps.map(({ number, args }) => [number, args]),
    queries.map((query, i) => [i + 1, { query }]),
  );
  assert.deepEqual(
    lookUps.map(({ result }) => result),
    own[3]!.results,
    "what is kept is what was returned",
  );
  for (const number of [1, 2, 3]) {
    const file = fileOf(record.files, `lookups/003_${number}.md`);
    assert.match(file, /^tool: lookupPaper$/m);
    assert.ok(file.includes(queries[number - 1]!));
  }
  assert.equal(report.verification[0]!.notFound, 0);
});

Deno.test("Several look-ups of one reply are made and recorded in its order, each passage returned once", async () => {
  const { lookUps } = await argued((ask) =>
    ask.results.length > 0 ? undefined : {
      toolCalls: ["narrow", "noon", "narrow"].map((query) => ({
        name: "lookupPaper",
        arguments: JSON.stringify({ query }),
      })),
    }
  );
  assert.deepEqual(
    lookUps.map(({ args }) => args),
    ["narrow", "noon", "narrow"].map((query) => ({ query })),
  );
  const results = lookUps.map(({ result }) => JSON.parse(result));
  const hits = results.flatMap((result) => result.hits.map(idOf));
  assert.ok(hits.length > 0);
  assert.equal(new Set(hits).size, hits.length);
  assert.deepEqual(results[2].hits, []);
  assert.deepEqual(results[2].seen, results[0].hits.map(idOf));
});

Deno.test("A request without tools follows after ten requests with tools", async () => {
  const { own, lookUps, report } = await argued((ask) =>
    ask.tools.length > 0 ? call("lookupPaper", { query: `noon ${ask.results.length}` }) : undefined
  );
  assert.equal(own.length, 11);
  assert.deepEqual(own.map(({ tools }) => tools.length), [...Array(10).fill(1), 0]);
  assert.equal(lookUps.length, 10);
  assert.equal(report.verification[0]!.notFound, 0);
});

Deno.test("Invalid arguments, an unknown tool and text that is not JSON are answered with the reason", async () => {
  const wrong: [string, unknown, RegExp][] = [
    ["lookupPaper", { search: "noon" }, /query: Give a text/],
    ["lookupPaper", '{"query": "noon', /not valid JSON/],
    ["lookupPapers", { query: "noon" }, /no such tool, only lookupPaper$/],
    ["webSearch", { query: "noon" }, /no such tool/],
  ];
  const { own, lookUps, report } = await argued((ask) => {
    const next = wrong[ask.results.length];
    if (next !== undefined) return call(next[0], next[1]);
    return ask.results.length === wrong.length ? call("lookupPaper", { query: "noon" }) : undefined;
  });
  assert.equal(own.length, wrong.length + 2);
  for (const [index, [, , reason]] of wrong.entries()) {
    assert.match(lookUps[index]!.result, reason);
    assert.equal(lookUps[index]!.failed, true);
    assert.ok(own.at(-1)!.results[index]!.includes("Cannot call"));
  }
  assert.equal(lookUps.at(-1)!.failed, false);
  assert.equal(report.verification[0]!.notFound, 0, "what the last one returned is cited");
});

const ODD = [
  "C++",
  "a.*(b",
  "",
  " ",
  "\\",
  "[",
  "x".repeat(10_000),
  "“narrow” OR 1=1",
  "\u0000\ud800",
];
Deno.test("Any query is safe, and a query without a match gets a message", async () => {
  const { lookUps, result } = await argued((ask) => {
    const query = ODD[ask.results.length];
    return query === undefined ? { json: argumentFor(ask) } : call("lookupPaper", { query });
  });
  assert.equal(result?.status, "completed");
  assert.deepEqual(lookUps.map(({ failed }) => failed), ODD.map(() => false));
  assert.match(lookUps[2]!.result, /Nothing in the papers fits/);
});

Deno.test("Without a searcher there is no web search tool and no web citation; a failing searcher is reported and noted", async () => {
  const web = (ask: PaperAsk) =>
    ask.results.length === 0 ? call("webSearch", { query: "trees" }) : {
      json: argumentFor(ask, { citations: { web: [{ title: "A", url: "https://example.org/" }] } }),
    };
  const none = await argued(web);
  assert.deepEqual(none.own[0]!.tools, ["lookupPaper"]);
  assert.match(none.lookUps[0]!.result, /no such tool/);
  assert.equal(none.report.verification[0]!.notFound, 3);
  await using search = await startSearchServer({ otherwise: { status: 432, error: "Plan limit" } });
  const failed = await argued(web, { searchers: [webSearch({ baseUrl: search.url })] });
  assert.equal(failed.lookUps[0]!.failed, true);
  assert.match(failed.own[1]!.results[0]!, /Cannot call webSearch: .*432/);
  assert.match(failed.report.notes.join("\n"), /A web search failed: /);
});

/** Argues on one topic twice, so that the argument misses a topic and is asked for again. */
function missing(ask: PaperAsk): ModelReply {
  const { perTopic, overallPosition } = argumentFor(ask);
  return { json: { perTopic: perTopic.slice(1), overallPosition } };
}

Deno.test("A rejected attempt's look-up is recorded, and the retry may cite it", async () => {
  let seen: readonly string[] = [];
  const { own, lookUps, report, events, record } = await argued((ask) => {
    const retried = ask.prompt.includes("That reply is rejected");
    if (retried) {
      const paper = [...new Set(seen)].map((chunkId) => ({ chunkId, text: "" }));
      return { json: argumentFor(ask, { citations: { paper } }) };
    }
    if (ask.results.length === 0) return call("lookupPaper", { query: "narrow streets" });
    seen = chunkIdsIn(ask);
    return missing(ask);
  });
  assert.equal(own.length, 3);
  assert.match(own[2]!.prompt, /Missing: "Methodology"/);
  assert.equal(lookUps.length, 1);
  assert.ok(record.files.has("rejected/003_1.md"));
  const message = events.find((event) => event.type === "message" && event.message.seq === 3);
  assert.ok(message?.type === "message");
  assert.deepEqual([message.message.attempts, message.message.marks], [2, []]);
  assert.deepEqual(
    [report.verification[0]!.verified, report.verification[0]!.notFound],
    [3 * new Set(seen).size, 0],
  );
});
