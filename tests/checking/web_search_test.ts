// Web search through Tavily's API.
import assert from "node:assert/strict";
import fc from "fast-check";
import { pause } from "../../src/core/clock.ts";
import { CancelledError, ConfigurationError, SearchError } from "../../src/core/error.ts";
import {
  searchServer,
  tavilyFrom,
  webSearch,
  type WebSearchOptions,
} from "../../src/checking/searchers.ts";
import { finding, type SearchAnswer, startSearchServer } from "../support/search_server.ts";

const KEY = "tvly-secret-0123456789";

/** Creates a searcher of a server that gives these answers in order. */
async function serverOf(...answers: readonly SearchAnswer[]) {
  return await startSearchServer({ answers: { "": answers } });
}

function searcherOf(url: string, options: WebSearchOptions = {}) {
  return webSearch({ baseUrl: url, apiKey: KEY, minWait: 1, ...options });
}

/** Returns the error of a search for "trams". */
async function failureOf(url: string, options: WebSearchOptions = {}): Promise<SearchError> {
  try {
    await searcherOf(url, options).search("trams");
  } catch (error) {
    assert.ok(error instanceof SearchError, String(error));
    assert.equal(error.code, "search_unavailable");
    return error;
  }
  throw new assert.AssertionError({ message: "The search did not fail" });
}

Deno.test("webSearch() sends the API's documented request and reads its results", async () => {
  await using server = await startSearchServer({ key: KEY, answers: { trams: finding("Fast.") } });
  const searcher = searcherOf(`${server.url}/`);
  assert.equal(searcher.name, "webSearch");
  assert.deepEqual(await searcher.search("  do trams\n help? ", { maxResults: 3 }), [{
    title: "A report",
    url: "https://example.org/report",
    snippet: "Fast.",
    score: 0.9,
  }]);
  const [request] = server.requests;
  assert.deepEqual(request?.body, {
    query: "do trams help?",
    max_results: 3,
    search_depth: "basic",
  });
  assert.equal(request?.headers["authorization"], `Bearer ${KEY}`);
  assert.equal(request?.headers["content-type"], "application/json");
});

Deno.test("webSearch() requests five results by default, from one to twenty", async () => {
  const results = Array.from({ length: 30 }, (_, i) => ({
    title: "T",
    url: `https://example.org/${i}`,
    content: "C",
  }));
  await using server = await serverOf({ body: JSON.stringify({ results }) });
  const found: number[] = [];
  for (const maxResults of [undefined, 0, -1, NaN, 2.7, 500]) {
    found.push((await searcherOf(server.url).search("trams", { maxResults })).length);
  }
  assert.deepEqual(found, [5, 1, 1, 1, 2, 20]);
  assert.deepEqual(server.requests.map(({ body }) => body["max_results"]), found);
});

Deno.test("webSearch() shortens a query to the API's 400 characters and sends none without words", async () => {
  await using server = await serverOf(finding("Found."));
  const searcher = searcherOf(server.url);
  for (const query of ["word ".repeat(500), "x".repeat(10_000), "😀".repeat(500), "\ud800 trams"]) {
    assert.equal((await searcher.search(query)).length, 1);
  }
  const [words, letters, faces] = server.requests.map(({ query }) => query);
  assert.equal(words, "word ".repeat(80).trim());
  assert.equal(letters?.length, 400);
  assert.equal(faces, "😀".repeat(200));
  assert.deepEqual(await searcher.search(" \n\u0000 "), []);
  assert.equal(server.requests.length, 4);
});

Deno.test("webSearch() returns titles, snippets and addresses as plain text, and web addresses only", async () => {
  const result = { title: "T", url: "https://example.org/", content: "C" };
  await using server = await serverOf({
    results: [
      { ...result, title: "A\u0007\u001b[2J \u202etitle", content: "One.\n\nTwo.\ud800" },
      { ...result, title: "x".repeat(500), content: "😀".repeat(2000), score: 7 },
      { ...result, url: "javascript:alert(1)" },
      { ...result, url: "file:///etc/passwd" },
      { ...result, url: "no address" },
    ],
  }, {
    results: [
      { ...result, url: "https://someone:secret@example.org/a b" },
      { ...result, url: `https://example.org/${"a".repeat(3000)}` },
      { ...result, title: "", score: Number.NaN },
    ],
  });
  const [first, second, ...rest] = await searcherOf(server.url).search("trams");
  assert.deepEqual(rest, []);
  assert.deepEqual(first, {
    title: "A[2J title",
    url: "https://example.org/",
    snippet: "One. Two.\ufffd",
    score: 0.5,
  });
  assert.deepEqual([[...second!.title].length, [...second!.snippet].length], [300, 1000]);
  assert.equal(second?.score, 1);
  assert.deepEqual(await searcherOf(server.url).search("trams"), [
    { title: "T", url: "https://example.org/a%20b", snippet: "C", score: 0.5 },
    { title: "example.org", url: "https://example.org/", snippet: "C" },
  ]);
});

Deno.test("webSearch() retries after 429, 5xx, a broken connection and a timeout", async () => {
  const failures: readonly SearchAnswer[] = [
    { status: 429, headers: { "retry-after": "0" } },
    { status: 500 },
    { status: 503, body: "<html>" },
    { ...finding("Whole."), fault: "cut" },
    { fault: "hang" },
    { ...finding("Whole."), fault: "hang-midway" },
  ];
  const found = { results: [{ title: "T", url: "https://example.org/", content: "Found." }] };
  for (const failure of failures) {
    await using server = await serverOf(failure);
    let asked = 0;
    const hits = await searcherOf(server.url, {
      timeout: failure.fault?.startsWith("hang") ? 100 : 20_000,
      // The second answer comes at once, so that it is never late.
      fetch: (...request) =>
        ++asked === 1 ? fetch(...request) : Promise.resolve(Response.json(found)),
    }).search("trams");
    assert.deepEqual([hits[0]?.snippet, asked], ["Found.", 2], JSON.stringify(failure));
  }
});

Deno.test("webSearch() reads the reply that came while the process stood still, without a second search", async () => {
  const { now } = performance;
  let asked = 0;
  const late = async (_: unknown, init?: { readonly signal?: AbortSignal | null }) => {
    asked++;
    performance.now = () => now.call(performance) + 3_600_000;
    await pause(30, init?.signal ?? undefined);
    return Response.json({ results: [] });
  };
  try {
    assert.deepEqual(await webSearch({ timeout: 20, fetch: late }).search("trams"), []);
  } finally {
    performance.now = now;
  }
  assert.equal(asked, 1);
});

Deno.test("webSearch() waits as long as Retry-After states, up to 30 s", async () => {
  await using patient = await serverOf(
    { status: 429, headers: { "retry-after": "0.15" } },
    finding("Found."),
  );
  assert.equal((await searcherOf(patient.url).search("trams")).length, 1);
  const [first, second] = patient.requests;
  assert.ok(second!.startedAt - first!.startedAt >= 145);

  await using busy = await serverOf({ status: 429, headers: { "retry-after": "31" } });
  const error = await failureOf(busy.url);
  assert.deepEqual([error.status, error.retryAfter, error.retryable], [429, 31_000, true]);
  assert.equal(busy.requests.length, 1);

  const later = new Date(Date.now() + 3_600_000).toUTCString();
  await using dated = await serverOf({ status: 503, headers: { "retry-after": later } });
  assert.ok((await failureOf(dated.url)).retryAfter! > 3_000_000);
  assert.equal(dated.requests.length, 1);
});

Deno.test("webSearch() fails after the last attempt with the reason", async () => {
  const cases: readonly (readonly [SearchAnswer, RegExp, requests: number])[] = [
    [{ status: 500, error: "Oops." }, /: status 500, Oops\.$/, 3],
    [{ status: 429, body: "" }, /: status 429$/, 3],
    [{ fault: "cut" }, /: no connection, /, 3],
    [{ fault: "hang" }, /: no whole reply within 100 ms$/, 3],
    [{ status: 400, body: '{"detail":"Bad topic."}' }, /: status 400, Bad topic\.$/, 1],
    [{ status: 432, error: "Plan." }, /: status 432, Plan\.$/, 1],
    [{ status: 404, body: "<html>" }, /: status 404$/, 1],
    [{ status: 404, body: '{"message":"No such route"}' }, /: status 404, No such route$/, 1],
    [{ status: 401, error: "Who?" }, /: the key was refused \(status 401, Who\?\)$/, 1],
    [{ status: 403 }, /: the key was refused \(status 403\)$/, 1],
    [{ fault: "malformed" }, /: its reply begins "\{"query":.*", and is no list of results$/, 1],
    [{ fault: "html" }, /: its reply begins "<!doctype html>.*", and is no list of results$/, 1],
    [{ body: "" }, /: its reply is empty, and is no list of results$/, 1],
    [{ fault: "huge" }, /: its reply is over 1,000,000 bytes$/, 1],
    [{ body: "[]" }, /and is no list of results$/, 1],
    [{ body: '{"results":{}}' }, /and is no list of results$/, 1],
    [{ body: '{"results":[null]}' }, /and is no list of results$/, 1],
    [{ body: '{"results":[{"title":"T"}]}' }, /and is no list of results$/, 1],
    [{ body: '{"results":[{"url":"https://a.org","content":7}]}' }, /no list of results$/, 1],
  ];
  for (const [answer, message, requests] of cases) {
    await using server = await serverOf(answer);
    let asked = 0;
    const error = await failureOf(server.url, {
      timeout: answer.fault === "hang" ? 100 : 20_000,
      fetch: (...request) => (asked++, fetch(...request)),
    });
    assert.ok(error.message.startsWith(`Cannot search the web (${server.host}): `));
    assert.match(error.message, message);
    assert.equal(asked, requests, error.message);
  }
});

Deno.test("webSearch() follows no redirect: it calls only the configured server", async () => {
  await using elsewhere = await serverOf(finding("From elsewhere."));
  await using server = await serverOf({
    status: 307,
    headers: { location: `${elsewhere.url}/search` },
  });
  assert.match((await failureOf(server.url)).message, /it redirects elsewhere \(status 307\)$/);
  assert.equal(elsewhere.requests.length, 0);
});

Deno.test("webSearch() never opens the addresses in its results", async () => {
  await using tempting = await serverOf(finding("No."));
  await using server = await serverOf(finding("Read more.", { url: `${tempting.url}/search` }));
  const [hit] = await searcherOf(server.url).search("trams");
  assert.equal(hit?.url, `${tempting.url}/search`);
  assert.equal(tempting.requests.length, 0);
});

Deno.test("webSearch() reports where no server answers, after retries", async () => {
  const gone = await startSearchServer();
  await gone.close();
  let asked = 0;
  const error = await failureOf(gone.url, {
    fetch: (...request) => {
      asked++;
      return fetch(...request);
    },
  });
  assert.match(error.message, /: no connection, /);
  assert.equal(error.hint, "Check the network and the address, and that the server runs.");
  assert.equal(asked, 3);
});

Deno.test("webSearch() names a missing permission and does not retry", async () => {
  let asked = 0;
  const error = await failureOf("https://search.example:8443/v1", {
    fetch: () => {
      asked++;
      return Promise.reject(new Deno.errors.NotCapable("Requires net access"));
    },
  });
  assert.match(error.message, /^Cannot search the web \(search\.example:8443\): no connection/);
  assert.match(error.hint ?? "", /--allow-net=search\.example:8443/);
  assert.equal(asked, 1);
});

Deno.test("webSearch() stops when it is cancelled: before, during the wait, between attempts", async () => {
  await using server = await startSearchServer({
    answers: { slow: { fault: "hang" }, busy: { status: 429, headers: { "retry-after": "20" } } },
  });
  const searcher = searcherOf(server.url);
  await assert.rejects(
    searcher.search("slow", { signal: AbortSignal.abort("enough") }),
    (error) => error instanceof CancelledError && error.cause === "enough",
  );
  assert.equal(server.requests.length, 0);
  for (const query of ["slow", "busy"]) {
    const stopping = new AbortController();
    const search = searcher.search(query, { signal: stopping.signal });
    const came = () => server.requests.some((each) => each.query === query);
    while (!came()) await new Promise((resolve) => setTimeout(resolve, 1));
    stopping.abort();
    await assert.rejects(search, CancelledError);
  }
});

Deno.test("webSearch() shows no part of an API key where a long text is cut, and none in results", async () => {
  for (let at = 0; at < 300; at += 50) {
    const error = `${"x".repeat(at)} ${KEY}`;
    await using server = await serverOf({ status: 400, error }, finding(`It was ${KEY}.`));
    assert.doesNotMatch((await failureOf(server.url)).message, /tvly-secret/, `${at}`);
    const [hit] = await searcherOf(server.url).search("trams");
    assert.equal(hit?.snippet, "It was [key].");
  }
});

Deno.test("webSearch() puts no API key into an error or its printed form", async () => {
  await using server = await serverOf({ status: 500, error: `Bad token Bearer ${KEY}` });
  const error = await failureOf(server.url);
  assert.match(error.message, /Bad token Bearer \[key\]$/);
  const shown = [error, searcherOf(server.url)].map((each) =>
    Deno.inspect(each, { depth: 9, showHidden: true }) + JSON.stringify(each)
  ).join();
  assert.ok(!shown.includes(KEY));
  assert.throws(
    () => webSearch({ apiKey: "two\nlines-of-a-key" }),
    (thrown) =>
      thrown instanceof ConfigurationError && !Deno.inspect(thrown).includes("two\nlines"),
  );
});

Deno.test("webSearch() rejects an invalid address, or one with a password, without showing it", () => {
  for (const baseUrl of ["", "trams", "ftp://a.org", "http://u:hush@a.org/x?k=hush", "u:hush@a"]) {
    assert.throws(() => webSearch({ baseUrl }), (error) => {
      assert.ok(error instanceof ConfigurationError);
      assert.equal(error.field, "searchUrl");
      assert.ok(!error.message.includes("hush"), error.message);
      return true;
    });
  }
  assert.throws(() => webSearch({ timeout: 0 }), RangeError);
});

Deno.test("webSearch() reads any reply or reports its problem", async () => {
  const text = fc.oneof(
    fc.json(),
    fc.string(),
    fc.array(fc.dictionary(fc.constantFrom("url", "title", "content", "score"), fc.jsonValue()))
      .map((results) => JSON.stringify({ results })),
  );
  await fc.assert(fc.asyncProperty(text, async (body) => {
    const searcher = webSearch({ fetch: () => Promise.resolve(new Response(body)) });
    try {
      for (const { url, title } of await searcher.search("trams")) {
        assert.match(url, /^https?:\/\//);
        assert.ok(title.length > 0);
      }
    } catch (error) {
      assert.ok(error instanceof SearchError);
    }
  }));
});

Deno.test("tavilyFrom() takes an API key, or a custom server, and prefers the flag to the variable", async () => {
  await using mine = await startSearchServer({ answers: { "": finding("Mine.") } });
  await using named = await startSearchServer({ answers: { "": finding("Named.") } });
  const env = (values: Readonly<Record<string, string>>) => (name: string) => values[name];

  assert.equal(tavilyFrom(env({})), undefined);
  assert.equal(tavilyFrom(env({ TAVILY_API_KEY: " ", TAVILY_BASE_URL: "" })), undefined);
  assert.equal(searchServer(env({})), undefined);
  assert.deepEqual(searchServer(env({ TAVILY_API_KEY: KEY })), {
    url: "https://api.tavily.com/search",
    apiKeyEnv: "TAVILY_API_KEY",
  });

  const variable = env({ TAVILY_BASE_URL: mine.url });
  assert.equal(new URL(searchServer(variable)!.url).host, mine.host);
  const [hit] = await tavilyFrom(variable)!.search("trams");
  assert.equal(hit?.snippet, "Mine.");
  assert.equal(mine.requests[0]?.headers["authorization"], undefined);

  const both = env({ TAVILY_BASE_URL: mine.url, TAVILY_API_KEY: KEY });
  assert.equal(new URL(searchServer(both, { searchUrl: named.url })!.url).host, named.host);
  const [other] = await tavilyFrom(both, { searchUrl: named.url })!.search("trams");
  assert.equal(other?.snippet, "Named.");
  assert.equal(named.requests[0]?.headers["authorization"], `Bearer ${KEY}`);
  assert.equal(mine.requests.length, 1);
});

Deno.test("tavilyFrom() requires an API key if the server does, and names the source of an invalid value", async () => {
  await using server = await startSearchServer({ key: KEY });
  const searcher = tavilyFrom(() => undefined, { searchUrl: server.url })!;
  await assert.rejects(searcher.search("trams"), {
    message: /: it asks for a key \(status 401, Unauthorized: missing or invalid API key\.\)$/,
    hint: "Set TAVILY_API_KEY.",
  });
  const wrong = (name: string) => name === "TAVILY_BASE_URL" ? "nowhere" : undefined;
  assert.throws(() => tavilyFrom(wrong), { field: "TAVILY_BASE_URL" });
  assert.throws(() => searchServer(wrong), { field: "TAVILY_BASE_URL" });
});
