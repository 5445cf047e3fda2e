// Security of all routes: token, host names, origins, headers, paths, sizes, secrets.
import assert from "node:assert/strict";
import { join } from "@std/path";
import { walk } from "@std/fs";
import { listen } from "../../src/cli/listen.ts";
import { MAX_BODY } from "../../src/server/request_body.ts";
import { startModelServer } from "../support/model_server.ts";
import { startSearchServer } from "../support/search_server.ts";
import { MODEL, startSpeaker } from "../support/speaking_model.ts";
import { asPost } from "./support/as_post.ts";
import { answerText, filled, type OpenApp, routesOf, withApp } from "./support/open_app.ts";

const TOKEN = "a-token-of-one's-own";
const CANARY = "what lies outside of the archive";
const ANYWHERE = "2026-01-01T00-00-00_dialogue";

/** Returns a plausible request for a route. */
function anyRequest(
  opened: OpenApp,
  method: string,
  path: string,
  given: Readonly<Record<string, string>> = {},
  from?: string,
) {
  const { headers, ...init } = asPost({}, given);
  const verb = method === "ALL" ? "POST" : method;
  const sent = verb === "GET" || verb === "DELETE" ? { method: verb } : { ...init, method: verb };
  return opened.ask(path, { ...sent, headers }, from);
}

async function codeOf(response: Response): Promise<unknown> {
  return (await response.json()).error?.code;
}

withApp.test(
  "without the token every route except /healthz answers 401 and does nothing",
  async (opened) => {
    assert.equal((await opened.ask("/healthz")).status, 200);
    let nextAddress = 0;
    const open = /^\/(?:healthz|login|static\/.*)$/;
    for (const { method, path } of routesOf(opened).filter(({ path }) => !open.test(path))) {
      const at = filled(path, () => ANYWHERE);
      const wrong: readonly Record<string, string>[] = [
        {},
        { authorization: "Bearer wrong" },
        { authorization: `Basic ${TOKEN}` },
        { authorization: "Bearer " },
        { cookie: "convenings_session=%zz; other=1" },
        { cookie: `convenings_session=${encodeURIComponent(TOKEN)}` },
      ];
      for (const headers of wrong) {
        const from = `10.0.${nextAddress++}.1`;
        const response = await anyRequest(opened, method, at, headers, from);
        assert.equal(response.status, 401, `${method} ${path}`);
        assert.equal(response.headers.get("www-authenticate"), 'Bearer realm="convenings"');
        assert.equal(await codeOf(response), "unauthorized");
      }
    }
    const right = { authorization: `Bearer ${TOKEN}` };
    const known = await opened.ask("/api/papers", { headers: right });
    assert.deepEqual(await known.json(), { papers: [] });
  },
  { token: TOKEN },
);

withApp.test(
  "a foreign host name is rejected on every route, the server's own names are not",
  async (opened) => {
    for (const { method, path } of routesOf(opened)) {
      const at = filled(path, () => ANYWHERE);
      const response = await anyRequest(opened, method, at, { host: "evil.example" });
      assert.equal(response.status, 403, `${method} ${path}`);
      assert.equal(await codeOf(response), "forbidden");
    }
    const statuses = {
      403: [
        "127.0.0.1.evil.example",
        "localhost.evil.example",
        "10.0.0.7",
        "localhost:a",
        "web:81",
      ],
      200: ["LOCALHOST:4000", "127.0.0.1:1", "[::1]:4000", "Box.local", "web", "web:80"],
    };
    for (const [status, hosts] of Object.entries(statuses)) {
      for (const host of hosts) {
        const answer = await opened.ask("/healthz", { headers: { host } });
        assert.equal(answer.status, Number(status), host);
      }
    }
  },
  { hosts: ["box.local", "web:80"] },
);

withApp.test(
  "when listening on every address, numeric hosts are accepted and names are not",
  async ({ ask }) => {
    const status = async (host: string) => (await ask("/healthz", { headers: { host } })).status;
    assert.equal(await status("192.168.1.20:4000"), 200);
    assert.equal(await status("[fe80::1]:4000"), 200);
    assert.equal(await status("evil.example:4000"), 403);
  },
  { anyAddress: true, token: TOKEN },
);

withApp.test("another site's page can start, steer and delete nothing", async (opened) => {
  const id = await opened.hold();
  const changing = routesOf(opened).filter(({ method }) => method !== "GET");
  assert.ok(changing.length > 5);
  for (const { method, path } of changing) {
    for (const origin of ["https://evil.example", "null", "http://127.0.0.1:9", "nonsense"]) {
      const headers = { origin, host: "127.0.0.1:4000" };
      const response = await anyRequest(opened, method, filled(path, () => id), headers);
      assert.equal(response.status, 403, `${method} ${path} from ${origin}`);
      await response.body?.cancel();
    }
  }
  const own = { origin: "http://localhost:4000", host: "localhost:4000" };
  const response = await anyRequest(opened, "POST", "/api/papers", own);
  assert.equal(response.status, 400);
});

withApp.test("no response can be read, run, framed or sniffed by another site, or kept for another client", async (opened) => {
  const id = await opened.hold();
  const paths = routesOf(opened).filter(({ method }) => method === "GET")
    .map(({ path }) => filled(path, (name) => name === "id" ? id : "index.md"));
  const origin = "https://evil.example";
  for (const path of [...paths, "/nowhere", "/api/convenings/none"]) {
    for (const method of ["GET", "OPTIONS"]) {
      const headers: Record<string, string> = method === "OPTIONS"
        ? { "access-control-request-method": "POST" }
        : { origin };
      const response = await opened.ask(path, { method, headers });
      await response.body?.cancel();
      const names = [...response.headers.keys()];
      assert.deepEqual(names.filter((each) => /^access-control-/.test(each)), [], path);
      const policy = response.headers.get("content-security-policy") ?? "";
      assert.match(policy, /default-src 'none'; script-src 'self'; style-src 'self'/, path);
      assert.doesNotMatch(policy, /unsafe|\*/);
      assert.equal(response.headers.get("x-content-type-options"), "nosniff", path);
      assert.equal(response.headers.get("x-frame-options"), "DENY", path);
      if (!path.startsWith("/static/")) {
        assert.equal(response.headers.get("cache-control"), "private, no-cache", path);
      }
      if (method === "OPTIONS") assert.ok([204, 404].includes(response.status), path);
    }
  }
});

const WAYS_OUT = [
  "..",
  "..%2f..%2fsecret.md",
  "%2e%2e%2f%2e%2e%2fsecret.md",
  "..%5c..%5csecret.md",
  "..%c0%afsecret.md",
  "%2fetc%2fpasswd",
  "secret.md%00.md",
  "%252e%252e%252f%252e%252e%252fsecret.md",
  "%5c%5c127.0.0.1%5cshare%5csecret.md",
  "file:%2f%2f%2fetc%2fpasswd",
  "%ef%bc%8e%ef%bc%8e%ef%bc%8fsecret.md",
  "%",
  "%0d%0aX-Evil:%201",
  "link.md",
  "linked%2fsecret.md",
  "2026-01-02T00-00-00_linked",
  ANYWHERE,
  "a".repeat(5000),
];

withApp.test("no path parameter leads outside the archive, not even through links", async (opened) => {
  const id = await opened.hold();
  const { folder, out } = opened;
  const dir = join(out, id.slice(0, 10), id);
  const outside = join(folder, "2026-01-02T00-00-00_linked");
  await Deno.writeTextFile(join(folder, "secret.md"), CANARY);
  await Deno.mkdir(outside);
  for await (const { name, isFile } of Deno.readDir(dir)) {
    if (!isFile || name === ".lock") continue;
    const text = await Deno.readTextFile(join(dir, name));
    await Deno.writeTextFile(join(outside, name), `${text}\n${CANARY}\n`);
  }
  await Deno.mkdir(join(out, "2026-01-02"));
  await Deno.symlink(outside, join(out, "2026-01-02", "2026-01-02T00-00-00_linked"));
  await Deno.symlink(join(folder, "secret.md"), join(dir, "link.md"));
  await Deno.symlink(folder, join(dir, "linked"));
  for (const { method, path } of routesOf(opened).filter(({ path }) => /[:*]/.test(path))) {
    const names = [...path.matchAll(/:(\w+)|\*$/g)].map(([, name = "*"]) => name);
    for (const concerned of names) {
      for (const way of WAYS_OUT) {
        const at = filled(path, (name) => name === concerned ? way : name === "id" ? id : "1");
        const response = await anyRequest(opened, method, at);
        const text = await response.text();
        assert.ok(!text.includes(CANARY), `${method} ${at} gave what lies outside`);
        const isLink = text.includes("it is a symbolic link");
        const told = `${method} ${at}: ${response.status} ${text}`;
        assert.ok(response.status < 500 || isLink, told);
        if (!isLink && concerned === "id" && path.startsWith("/api/convenings/")) {
          assert.deepEqual([response.status, JSON.parse(text).error.code], [404, "not_found"]);
        }
      }
    }
  }
  assert.equal(await Deno.readTextFile(join(folder, "secret.md")), CANARY);
});

withApp.test("raw paths that ordinary clients never send lead nowhere", async ({ app, folder }) => {
  await Deno.writeTextFile(join(folder, "secret.md"), CANARY);
  const place = { hostname: "127.0.0.1", port: 0 };
  const server = await listen(async (request) => await app.fetch(request), place);
  const { port } = server;
  const raw = async (target: string, host = "localhost"): Promise<string> => {
    using connection = await Deno.connect({ hostname: "127.0.0.1", port });
    const head = `GET ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;
    await connection.write(new TextEncoder().encode(head));
    return await new Response(connection.readable).text();
  };
  assert.match(await raw("/healthz"), /^HTTP\/1\.1 200 /);
  const targets = [
    "/api/convenings/../../secret.md",
    "/../secret.md",
    "/static/../../secret.md",
    `http://localhost/../secret.md`,
    `/api/convenings/${ANYWHERE}/files/../../../../secret.md`,
    `/api/convenings/${ANYWHERE}/files//etc/passwd`,
    "/\u0000secret.md",
  ];
  for (const target of targets) {
    const answer = await raw(target);
    assert.match(answer, /^HTTP\/1\.1 4\d\d /, target);
    assert.ok(!answer.includes(CANARY), target);
  }
  assert.match(await raw("/healthz", "evil.example"), /^HTTP\/1\.1 403 /);
  assert.match(await raw("http://evil.example/healthz"), /^HTTP\/1\.1 403 /);
  await server.close();
});

withApp.test("every route with a body rejects a body that is too large", async (opened) => {
  const id = await opened.hold();
  const posts = routesOf(opened).filter(({ method }) => method === "POST");
  for (const { path } of posts) {
    const large = asPost({}, { "content-length": "60000000" });
    const response = await opened.ask(filled(path, () => id), large);
    assert.equal(response.status, 413, path);
    assert.equal(await codeOf(response), "too_large");
  }
  const chunk = new TextEncoder().encode(" ".repeat(100_000));
  let sent = 0;
  const endless = new ReadableStream<Uint8Array>({
    pull(controller) {
      sent += chunk.length;
      controller.enqueue(chunk);
    },
  });
  const headers = { "content-type": "application/json" };
  const path = "/api/mas-debate/questions";
  const response = await opened.ask(path, { method: "POST", headers, body: endless });
  assert.equal(response.status, 413);
  assert.ok(sent < 2 * MAX_BODY, `${sent} bytes were read`);
});

withApp.test("a rejected body is read to its end, so that a client that sends all of it first gets the status", async ({ ask }) => {
  const cases: readonly (readonly [status: number, headers: Record<string, string>])[] = [
    [413, {}],
    [403, { origin: "http://evil.example" }],
  ];
  for (const [status, more] of cases) {
    let left = 30;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        if (left-- > 0) controller.enqueue(new Uint8Array(100_000));
        else controller.close();
      },
    });
    const headers = { "content-type": "application/json", "content-length": "3000000", ...more };
    const response = await ask("/api/convenings", { method: "POST", headers, body });
    assert.equal(response.status, status);
    assert.ok(left < 0, `${left} chunks are unread`);
  }
});

Deno.test("an API key is in no response and in no file", async () => {
  const key = "sk-canary-0123456789abcdef";
  await using models = await startModelServer({
    respond: ({ index }) =>
      index < 3 ? {} : { status: 401, error: { message: `Incorrect API key: ${key}` } },
  });
  const env = (name: string) => name === "OPENAI_API_KEY" ? key : undefined;
  const reached = { model: "test-model", baseUrl: models.url, env };
  await withApp(async (opened) => {
    const id = await opened.hold({
      kind: "dialogue",
      topic: "What makes a good teacher?",
      model: "test-model",
      baseUrl: models.url,
      maxTurns: 6,
    });
    assert.ok(models.requests.length > 3);
    assert.equal(models.requests[0]!.headers["authorization"], `Bearer ${key}`);
    // The request that deletes the convening comes last.
    const last = ({ method }: { method: string }) => Number(method === "DELETE");
    for (const { method, path } of routesOf(opened).toSorted((a, b) => last(a) - last(b))) {
      if (path === "/mcp") continue;
      const at = filled(path, (name) => name === "id" ? id : "index.md");
      const response = await anyRequest(opened, method, at);
      assert.ok(!(await answerText(path, response)).includes(key), `${method} ${at}`);
    }
    // Some of the requests resumed the convening.
    await opened.pool.close();
    for await (const { path } of walk(opened.out, { includeDirs: false })) {
      assert.ok(!(await Deno.readTextFile(path)).includes(key), path);
    }
  }, { models: reached });
});

Deno.test("a resumed record names no server for searches: claims are looked up where this server's own are", async () => {
  await using speaker = await startSpeaker(({ body }) => {
    if (body.response_format?.json_schema?.name !== "claims") return undefined;
    const last = JSON.stringify(body.messages);
    const quote = /<statement>\\n(.*?)\\n<\/statement>/.exec(last)?.[1];
    return { json: { claims: [{ quote, text: "Buses run at night." }] } };
  });
  await using named = await startSearchServer();
  await using own = await startSearchServer();
  const env = { ...speaker.env, ["TAVILY_BASE_URL"]: own.url };
  const models = { model: MODEL, env: (name: string) => env[name as keyof typeof env] };
  await withApp(async ({ ask, hold, pool }) => {
    const id = await hold({
      kind: "dialogue",
      topic: "What makes a good teacher?",
      maxTurns: 3,
      factCheck: { mode: "standard", searchUrl: named.url },
      limits: { maxTurns: 1 },
    });
    const before = named.requests.length;
    assert.ok(before > 0);
    const on = asPost({ limits: { maxTurns: 3 } });
    const answer = await ask(`/api/convenings/${id}/resume`, on);
    assert.equal(answer.status, 202);
    await pool.run(id)!.ended;
    assert.equal(named.requests.length, before);
    assert.ok(own.requests.length > 0);
  }, { models });
});
