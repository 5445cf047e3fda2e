// Tokens, sessions and rate limits of wrong tokens.
import assert from "node:assert/strict";
import { FailureLimit } from "../../src/server/access.ts";
import { type OpenApp, withApp } from "./support/open_app.ts";

const TOKEN = "a-token-of-one's-own";
const RIGHT = { authorization: `Bearer ${TOKEN}` };
const PAGE = { accept: "text/html,application/xhtml+xml" };

/** Submits the login form. */
function logIn(
  { ask }: Pick<OpenApp, "ask">,
  fields: Readonly<Record<string, string>>,
  { from, headers = {} }: { readonly from?: string; readonly headers?: HeadersInit } = {},
): Promise<Response> {
  const sent = new Headers(headers);
  sent.set("content-type", "application/x-www-form-urlencoded");
  const body = new URLSearchParams(fields).toString();
  return ask("/login", { method: "POST", headers: sent, body }, from);
}

/** Returns the cookie of a response, as a browser sends it back. */
function cookieOf(answer: Response): string {
  return (answer.headers.get("set-cookie") ?? "").split(";")[0]!;
}

const WAYS: Readonly<
  Record<string, (opened: OpenApp, token: string, from: string) => Promise<Response>>
> = {
  header: ({ ask }, token, from) =>
    ask("/api/papers", { headers: { authorization: `Bearer ${token}` } }, from),
  cookie: ({ ask }, token, from) =>
    ask("/api/papers", { headers: { cookie: `convenings_session=${token}` } }, from),
  form: (opened, token, from) => logIn(opened, { token }, { from }),
};

withApp.test(
  "wrong tokens by header, cookie and form alike rate-limit their address, and no other",
  async (opened) => {
    const { ask } = opened;
    const status = async (headers: HeadersInit, from: string) =>
      (await ask("/api/papers", { headers }, from)).status;
    for (const [at, [way, give]] of Object.entries(WAYS).entries()) {
      const from = `192.0.2.${at}`;
      const cookie = cookieOf(await logIn(opened, { token: TOKEN }, { from }));
      const guesses = await Promise.all(
        Array.from({ length: 100 }, (_, at) => give(opened, `guess-${at}`, from)),
      );
      const statuses = guesses.map(({ status }) => status);
      assert.equal(statuses.filter((each) => each === 401).length, 10, way);
      assert.equal(statuses.filter((each) => each === 429).length, 90, way);
      for (const late of Object.values(WAYS)) {
        const answer = await late(opened, TOKEN, from);
        assert.equal(answer.status, 429);
        assert.match(answer.headers.get("retry-after") ?? "", /^(?:[1-5]?\d|60)$/);
        assert.doesNotMatch(answer.headers.get("set-cookie") ?? "", /session=\w/);
      }
      assert.equal(await status({ cookie }, from), 200, "a session is not limited");
      assert.equal(await status({}, from), 401, "a missing token is no guess");
      assert.equal(await status(RIGHT, "198.51.100.1"), 200, "another address does not wait");
    }
  },
  { token: TOKEN },
);

withApp.test(
  "valid tokens are not counted as guesses and do not reset the count",
  async ({ ask }) => {
    const status = async (authorization: string) =>
      (await ask("/api/papers", { headers: { authorization } })).status;
    for (let count = 0; count < 30; count++) assert.equal(await status(RIGHT.authorization), 200);
    for (let count = 0; count < 10; count++) {
      assert.equal(await status("Bearer wrong"), 401);
      assert.equal(await status(RIGHT.authorization), count < 9 ? 200 : 429);
    }
  },
  { token: TOKEN },
);

Deno.test("a client is identified by its address: by network for IPv6, by a proxy's header only if the proxy is trusted", async () => {
  for (const trustProxy of [false, true]) {
    const ifTrusted = trustProxy ? 401 : 429;
    /** Addresses of ten wrong tokens and of the eleventh, or headers of a proxy, and the status of the eleventh. */
    const addresses = [
      ["2001:db8:1:2::7", "2001:db8:1:2:9:9:9:9", 429],
      ["2001:db8:1:3::7", "2001:db8:1:4::7", 401],
      ["::ffff:192.0.2.1", "192.0.2.1", 429],
      ["::ffff:192.0.2.2", "::ffff:192.0.2.3", 401],
    ] as const;
    const headers = [
      ["203.0.113.1", "203.0.113.2", ifTrusted],
      ["1.1.1.1, 203.0.113.3", "2.2.2.2, 203.0.113.3", 429],
      ["203.0.113.4:50001", "203.0.113.4:50002", 429],
      ["[::ffff:203.0.113.5]:50001", "[::ffff:203.0.113.6]:50001", ifTrusted],
    ] as const;
    await withApp(async ({ ask }) => {
      const guess = async (from: string, forwarded = "") => {
        const headers = { authorization: "Bearer wrong", "x-forwarded-for": forwarded };
        return (await ask("/api/papers", { headers }, from)).status;
      };
      for (const [ten, last, status] of addresses) {
        for (let count = 0; count < 10; count++) assert.equal(await guess(ten), 401);
        assert.equal(await guess(last), status, last);
      }
      for (const [at, [ten, last, status]] of headers.entries()) {
        const proxy = `198.51.100.${at}`;
        for (let count = 0; count < 10; count++) assert.equal(await guess(proxy, ten), 401);
        assert.equal(await guess(proxy, last), status, last);
      }
    }, { token: TOKEN, trustProxy });
  }
});

withApp.test(
  "a browser is asked for the token and gets a session that scripts cannot read and that can be ended",
  async (opened) => {
    const { ask } = opened;
    assert.equal((await ask("/api/papers", { headers: PAGE })).status, 401);
    const form = await (await ask("/login")).text();
    assert.match(form, /<form class="card" method="post"/);
    assert.doesNotMatch(form, /href="\/new"|Log out/);
    assert.equal((await ask("/static/style.css")).status, 200);
    assert.equal((await ask("/static/..%2f..%2fapi%2fpapers")).status, 401);
    const wrong = await logIn(opened, { token: "wrong" });
    assert.deepEqual([wrong.status, wrong.headers.has("www-authenticate")], [401, true]);
    const foreign = { headers: { origin: "https://evil.example" } };
    assert.equal((await logIn(opened, { token: TOKEN }, foreign)).status, 403);
    for (const body of ["token=x".repeat(10_000), "token", "%", ""]) {
      const { status } = await ask("/login", { method: "POST", body });
      assert.ok(status === 401 || status === 413, body.slice(0, 20));
    }
    const [known, other] = [
      await logIn(opened, { token: ` ${TOKEN} ` }),
      await logIn(opened, { token: TOKEN }),
    ];
    assert.equal(known.status, 303);
    const set = known.headers.get("set-cookie") ?? "";
    assert.match(
      set,
      /^convenings_session=[\da-f]{64}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Strict$/,
    );
    const cookie = cookieOf(known);
    assert.notEqual(cookie, cookieOf(other));
    const page = await ask("/papers", { headers: { ...PAGE, cookie } });
    assert.match(await page.text(), /action="\/logout"/);
    assert.doesNotMatch(await (await ask("/papers", { headers: RIGHT })).text(), /logout/);
    const out = await ask("/logout", { method: "POST", headers: { cookie } });
    assert.deepEqual([out.status, out.headers.get("location")], [303, "/login"]);
    assert.match(out.headers.get("set-cookie") ?? "", /^convenings_session=; Max-Age=0; /);
    const ended = await ask("/api/papers", { headers: { cookie } });
    assert.equal(ended.status, 401);
    // The browser deletes the session, so that open pages do not count as guesses.
    assert.match(ended.headers.get("set-cookie") ?? "", /^convenings_session=; Max-Age=0; /);
    const headers = { cookie: cookieOf(other) };
    assert.equal((await ask("/api/papers", { headers })).status, 200);
  },
  { token: TOKEN },
);

Deno.test("the cookie is Secure with TLS", async () => {
  for (const trustProxy of [false, true]) {
    await withApp(async (opened) => {
      const headers = { "x-forwarded-proto": "https" };
      const answer = await logIn(opened, { token: TOKEN }, { headers });
      const isSecure = /; Secure/.test(answer.headers.get("set-cookie") ?? "");
      assert.equal(isSecure, trustProxy);
    }, { token: TOKEN, trustProxy });
  }
});

Deno.test("a form that is sent after the session has ended leads through the login back to the form", async () => {
  for (const basePath of ["", "/tools/convenings"]) {
    await withApp(async (opened) => {
      const form = `${basePath}/convenings/none/fork?seq=2`;
      const answer = await opened.ask(`${basePath}/convenings/none/actions/fork`, {
        method: "POST",
        headers: { ...PAGE, referer: `http://localhost${form}` },
        body: new URLSearchParams({ at: "2", edit: "My words." }),
      });
      assert.deepEqual([answer.status, answer.headers.has("www-authenticate")], [401, true]);
      const text = await answer.text();
      assert.match(text, /The session has ended\. Log in, and send the form again\./);
      const [, next = ""] = /name="next" value="([^"]*)"/.exec(text) ?? [];
      const back = await logIn(opened, { token: TOKEN, next });
      assert.equal(back.headers.get("location"), form);
    }, { token: TOKEN, basePath });
  }
});

withApp.test("login redirects to the requested page and to no other site", async (opened) => {
  const { ask } = opened;
  const where = async (path: string) =>
    (await ask(path, { headers: PAGE })).headers.get("location");
  assert.equal(await where("/"), "/login");
  const to = await where("/new?kind=consensus&topic=a%26b") ?? "";
  const form = await (await ask(to)).text();
  const [, next = ""] = /name="next" value="([^"]*)"/.exec(form) ?? [];
  const asked = next.replaceAll("&amp;", "&");
  const back = await logIn(opened, { token: TOKEN, next: asked });
  assert.equal(back.headers.get("location"), "/new?kind=consensus&topic=a%26b");
  const elsewhere = [
    "https://evil.example/",
    "//evil.example/",
    "/\\evil.example/",
    "\\\\evil.example/",
    "/.//evil.example/",
    "/a/..//evil.example/",
    "/\t/evil.example/",
    "javascript:alert(1)",
    "http://localhost//evil.example/",
    "http://[",
  ];
  for (const next of elsewhere) {
    const answer = await logIn(opened, { token: TOKEN, next });
    assert.equal(answer.headers.get("location"), "/", next);
  }
}, { token: TOKEN });

Deno.test("a client with too many failures waits until a failure is a minute old; other clients do not", () => {
  let time = 0;
  const limit = new FailureLimit({ most: 2, within: 1000, clock: { now: () => time } });
  const fail = (client: string, at: number) => {
    time = at;
    limit.add(client);
  };
  fail("a", 0);
  assert.equal(limit.wait("a"), 0);
  fail("a", 400);
  assert.equal(limit.wait("a"), 600);
  assert.equal(limit.wait("b"), 0);
  time = 999;
  assert.equal(limit.wait("a"), 1);
  time = 1000;
  assert.equal(limit.wait("a"), 0);
  fail("a", 1200);
  assert.equal(limit.wait("a"), 200);
  time = 1400;
  assert.equal(limit.wait("a"), 0);
});
