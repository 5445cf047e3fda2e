// Hosting: base path, allowed origins, embedding, TLS, log lines.
import assert from "node:assert/strict";
import { withFolder } from "../support/cli.ts";
import { asPost } from "./support/as_post.ts";
import { withApp } from "./support/open_app.ts";
import { startServe } from "./support/serve_process.ts";
import { CERT, KEY } from "../support/tls.ts";

const BASE = "/tools/convenings";
const PAGE = { accept: "text/html" };
const SITE = "https://app.example";
/** Returns the URLs on this server in a page. */
function addressesIn(html: string): readonly string[] {
  return [...html.matchAll(/ (?:href|src|action)="(\/[^"]*)"/g)].map(([, path]) => path!);
}

withApp.test(
  "with a base path all URLs in pages, responses and the OpenAPI document are below it",
  async ({ ask, hold }) => {
    const id = await hold();
    const pages = ["/", "/new", "/papers", "/studies", `/convenings/${id}`, "/nowhere"];
    for (const page of pages) {
      // Some proxies keep the path, others remove it.
      for (const path of [`${BASE}${page}`, page]) {
        const answer = await ask(path, { headers: PAGE });
        assert.equal(answer.status, page === "/nowhere" ? 404 : 200, path);
        const addresses = addressesIn(await answer.text());
        assert.ok(addresses.length > 5);
        assert.deepEqual(addresses.filter((each) => !each.startsWith(`${BASE}/`)), [], path);
      }
    }
    const to = await ask(`${BASE}/convenings/${id}/message?seq=2`);
    assert.equal(to.headers.get("location"), `${BASE}/convenings/${id}#message-2`);
    const shown = await (await ask(`/api/convenings/${id}`)).json();
    assert.equal(shown.links.self, `${BASE}/api/convenings/${id}`);
    assert.equal((await ask(shown.links.messages)).status, 200);
    const { convenings: [row] } = await (await ask(`${BASE}/api/convenings`)).json();
    assert.deepEqual(row.links, shown.links);
    const copied = await ask(`${shown.links.self}/fork`, asPost({ at: 1 }));
    const { links: { self } } = await copied.json();
    assert.equal(self, copied.headers.get("location"));
    const document = await (await ask(`${BASE}/api/openapi.json`)).json();
    assert.deepEqual(document.servers, [{ url: BASE }]);
    assert.equal((await ask(`${BASE}x/api/convenings`)).status, 404);
    // Text that looks like markup stays text.
    const found = await ask(`${BASE}/?q=${encodeURIComponent('" href="/x')}`, { headers: PAGE });
    assert.match(await found.text(), /&quot; href=&quot;\/x/);
  },
  { basePath: `${BASE}/` },
);

withApp.test(
  "with a base path a name that looks like a path stays as it is",
  async ({ ask, hold }) => {
    const participants = ["report", "links"].map((id) => ({ id, name: `/${id}` }));
    const topic = "Should cities ban private cars from their centres?";
    const config = {
      kind: "debate",
      topic,
      participants,
      roundCount: 1,
      model: "offline",
    } as const;
    const id = await hold({ ...config, moderation: "template" });
    const shown = await (await ask(`/api/convenings/${id}`)).json();
    const names = ["report", "links"].map((id) => shown.scores[id].name);
    assert.deepEqual(names, ["/report", "/links"]);
  },
  { basePath: BASE },
);

withApp.test("with a base path the login redirects to the requested page", async ({ ask }) => {
  const sent = await ask(`${BASE}/new?kind=consensus`, { headers: PAGE });
  const login = sent.headers.get("location") ?? "";
  assert.equal(login, `${BASE}/login?next=%2Fnew%3Fkind%3Dconsensus`);
  const form = await (await ask(login, { headers: PAGE })).text();
  assert.match(form, /value="\/new\?kind=consensus"/);
  const done = await ask(`${BASE}/login`, {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: "token=a-right-token&next=%2Fnew%3Fkind%3Dconsensus",
  });
  assert.equal(done.headers.get("location"), `${BASE}/new?kind=consensus`);
}, { basePath: BASE, token: "a-right-token" });

Deno.test("pages of allowed origins may send requests with the token, others may not", async () => {
  const token = "a-right-token";
  await withApp(async ({ ask }) => {
    const asked = { origin: SITE, "access-control-request-method": "POST" };
    const preflight = await ask("/api/convenings", { method: "OPTIONS", headers: asked });
    assert.equal(preflight.status, 204);
    assert.equal(preflight.headers.get("access-control-allow-origin"), SITE);
    assert.match(preflight.headers.get("access-control-allow-headers") ?? "", /authorization/);
    assert.equal(preflight.headers.get("access-control-allow-credentials"), null);
    const headers = { authorization: `Bearer ${token}` };
    const options = await ask("/api/convenings", { method: "OPTIONS", headers });
    assert.equal(options.headers.get("allow"), "GET, HEAD, POST, OPTIONS");
    const talk = { kind: "dialogue", topic: "Should streets have trees?", maxTurns: 2 };
    const start = (origin: string, given = token) =>
      ask("/api/convenings", asPost(talk, { origin, authorization: `Bearer ${given}` }));
    const begun = await start(SITE);
    assert.equal(begun.status, 201);
    assert.equal(begun.headers.get("access-control-allow-origin"), SITE);
    assert.equal((await start(SITE, "a-wrong-token")).status, 401);
    const stranger = await start("https://evil.example");
    assert.equal(stranger.status, 403);
    assert.equal(stranger.headers.get("access-control-allow-origin"), null);
  }, { token, origins: [SITE] });
});

withApp.test(
  "a server for other sites sends a transcript's page without active content",
  async ({ ask, hold }) => {
    const path = `/api/convenings/${await hold()}/export?format=html`;
    const { headers } = await ask(path, { headers: { origin: SITE } });
    assert.equal(headers.get("access-control-allow-origin"), SITE);
    assert.match(headers.get("content-security-policy") ?? "", /^sandbox; default-src 'none';/);
    // An error has the pages' policy.
    const refusal = await ask("/", { headers: { host: "evil.example" } });
    assert.equal(refusal.status, 403);
    assert.match(refusal.headers.get("content-security-policy") ?? "", /script-src 'self'/);
  },
  { origins: [SITE] },
);

Deno.test("another site's page needs the token, also when the browser sends the session", async () => {
  const token = "a-right-token";
  await withApp(async ({ ask }) => {
    const form = { "content-type": "application/x-www-form-urlencoded" };
    const body = `token=${token}`;
    const login = await ask(`${BASE}/login`, { method: "POST", headers: form, body });
    const set = login.headers.get("set-cookie") ?? "";
    assert.match(set, /; Path=\/tools\/convenings;/);
    const [cookie = ""] = set.split(";");
    const start = (headers: Readonly<Record<string, string>>) =>
      ask("/api/convenings", { method: "POST", headers: { cookie, ...headers }, body: "{}" });
    assert.equal((await start({})).status, 415);
    assert.equal((await start({ origin: SITE })).status, 401);
    assert.equal((await ask("/api/convenings", { headers: { cookie, origin: SITE } })).status, 401);
    const authorization = `Bearer ${token}`;
    assert.equal((await start({ origin: SITE, authorization })).status, 415);
  }, { token, origins: [SITE], basePath: BASE });
});

withApp.test("the URL of a message leads to convenings of the archive alone", async ({ ask }) => {
  for (const id of ["..%2F..%2Fother", "%2Fevil.example", "%0D%0ASet-Cookie:%20a=b"]) {
    const to = await ask(`/convenings/${id}/message?seq=1`, { headers: PAGE });
    assert.deepEqual([to.status, to.headers.get("location")], [404, null], id);
  }
});

Deno.test("an invalid base path or origin is rejected by name", async () => {
  for (const basePath of ["tools", "/a b", "/../x", "/x?y", "//host/x"]) {
    await assert.rejects(withApp(async () => {}, { basePath }), { field: "basePath" }, basePath);
  }
  for (const origin of ["app.example", "https://app.example/", "*", "null"]) {
    await assert.rejects(withApp(async () => {}, { origins: [origin] }), { field: "origins" });
  }
});

withFolder.test("serve speaks TLS with certificate and key, and logs a line per request", async (folder) => {
  await Deno.writeTextFile(`${folder}/cert.pem`, CERT);
  await Deno.writeTextFile(`${folder}/key.pem`, KEY);
  const tls = ["--cert", "cert.pem", "--key", "key.pem"];
  const flags = [...tls, "--base-path", BASE, "--access-log", "--trust-proxy"];
  await using server = await startServe(flags, { folder });
  assert.ok(server.url.startsWith("https://127.0.0.1:"));
  assert.ok(server.url.endsWith(BASE));
  using client = Deno.createHttpClient({ caCerts: [CERT] });
  const answer = await fetch(`${server.url}/api/search?q=secret`, { client });
  assert.equal(answer.status, 200);
  await answer.body?.cancel();
  const headers = { "x-forwarded-for": "203.0.113.9, 198.51.100.7" };
  await (await fetch(`${server.url}/healthz`, { client, headers })).body?.cancel();
  server.kill("SIGTERM");
  const { stderr } = await server.end;
  assert.match(stderr, / 198\.51\.100\.7 GET \/tools\/convenings\/healthz 200 /);
  const line = stderr.split("\n").find((each) => each.includes("/api/search")) ?? "";
  assert.match(
    line,
    /^\d{4}-\d\d-\d\dT[\d:.]+Z 127\.0\.0\.1 GET \/tools\/convenings\/api\/search 200 \d+ ms$/,
  );
});
