// Tests of the local search server.
import assert from "node:assert/strict";
import { finding, startSearchServer } from "./search_server.ts";

async function search(url: string, query: string, key = "k"): Promise<Response> {
  return await fetch(`${url}/search`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}` },
    body: JSON.stringify({ query, max_results: 5, search_depth: "basic" }),
  });
}

async function contents(url: string, query: string): Promise<unknown> {
  const { results } = await (await search(url, query)).json();
  return results.map((each: { readonly content: string }) => each.content);
}

Deno.test("startSearchServer() answers by parts of the query, in order, and repeats the last answer", async () => {
  await using server = await startSearchServer({
    answers: { "Bus lanes": [finding("First."), finding("Second.")], tram: finding("Trams.") },
    otherwise: finding("Else."),
  });
  assert.deepEqual(await contents(server.url, "do bus lanes help"), ["First."]);
  assert.deepEqual(await contents(server.url, "do bus LANES help"), ["Second."]);
  assert.deepEqual(await contents(server.url, "do bus lanes help"), ["Second."]);
  assert.deepEqual(await contents(server.url, "tram"), ["Trams."]);
  assert.deepEqual(await contents(server.url, "ferry"), ["Else."]);
  assert.deepEqual(server.requests.map(({ before }) => before), [0, 0, 1, 0, 0]);
  assert.equal(server.requests[0]?.body["search_depth"], "basic");
  assert.equal(server.requests[0]?.headers["authorization"], "Bearer k");
  assert.ok(server.requests.every(({ startedAt, endedAt = -1 }) => endedAt >= startedAt));
});

Deno.test("startSearchServer() counts the requests in flight", async () => {
  const all = Promise.withResolvers<void>();
  await using server = await startSearchServer({
    answers: async ({ index }) => {
      if (index === 2) all.resolve();
      await all.promise;
      return finding(`Answer ${index}`);
    },
  });
  await Promise.all(["a", "b", "c"].map((query) => contents(server.url, query)));
  assert.equal(server.mostConcurrent, 3);
});

Deno.test("startSearchServer() rejects keys and queries as the API does", async () => {
  await using server = await startSearchServer({ key: "right" });
  const refused = await search(server.url, "trams", "wrong");
  assert.equal(refused.status, 401);
  assert.match((await refused.json()).detail.error, /API key/);
  const long = await search(server.url, "x".repeat(401), "right");
  assert.equal(long.status, 400);
  assert.match((await long.json()).detail.error, /400 characters/);
});

Deno.test("startSearchServer() fails as configured", async () => {
  await using server = await startSearchServer({
    answers: {
      limited: { status: 429, error: "Slow down.", headers: { "retry-after": "7" } },
      page: { fault: "html" },
      half: { ...finding("Whole."), fault: "malformed" },
      cut: { ...finding("Whole."), fault: "cut" },
      huge: { fault: "huge" },
    },
  });
  const limited = await search(server.url, "limited");
  assert.equal(limited.headers.get("retry-after"), "7");
  assert.deepEqual([limited.status, await limited.json()], [429, {
    detail: { error: "Slow down." },
  }]);
  assert.match(await (await search(server.url, "page")).text(), /^<!doctype/);
  await assert.rejects((await search(server.url, "half")).json(), SyntaxError);
  const cut = await search(server.url, "cut");
  await assert.rejects(cut.text());
  assert.ok((await (await search(server.url, "huge")).text()).length > 2_000_000);
});

Deno.test("startSearchServer() ends hanging requests when it closes", async () => {
  const server = await startSearchServer({ answers: { slow: { fault: "hang" } } });
  const waiting = search(server.url, "slow").then((each) => each.text()).catch(() => "");
  await waitFor(() => server.requests.length === 1);
  await server.close();
  await waiting;
});

async function waitFor(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 1));
}
