// Hostile requests and contents: nested JSON, prototypes, large forms, headers, links, markup.
import assert from "node:assert/strict";
import { join } from "@std/path";
import type { ConveningConfig } from "../../src/config/convening_config.ts";
import { asPost } from "./support/as_post.ts";
import { answerText, filled, type OpenApp, routesOf, withApp } from "./support/open_app.ts";
import { held, TALK, withTalkers } from "./support/talking_app.ts";
import { MODEL } from "../support/speaking_model.ts";

const CANARY = "what lies outside of the archive";
const PAPER = { title: "Trees", text: "Streets with trees were 2.1 degrees cooler." };
const DIALOGUE: ConveningConfig = {
  kind: "dialogue",
  topic: "What makes a good teacher?",
  model: MODEL,
  maxTurns: 2,
};

/** Sends a text as JSON. */
async function sent({ ask }: OpenApp, path: string, body: string) {
  const response = await ask(path, asPost(body));
  return { status: response.status, headers: response.headers, text: await response.text() };
}

/** Returns the API routes that accept JSON, with an existing convening's id. */
function takingJson(opened: OpenApp, id: string): string[] {
  return routesOf(opened)
    .filter(({ method, path }) => method === "POST" && path.startsWith("/api/"))
    .map(({ path }) => filled(path, () => id));
}

withApp.test("deeply nested JSON is rejected on every route", async (opened) => {
  const id = await opened.hold();
  const deep = (depth: number) => "[".repeat(depth) + "]".repeat(depth);
  const refused = async (path: string, body: string) => {
    const { status, text } = await sent(opened, path, body);
    assert.equal(status, 400, `${path}: ${text.slice(0, 200)}`);
    return text;
  };
  const paths = takingJson(opened, id);
  for (const path of paths) {
    assert.match(await refused(path, deep(100)), /nested more than 64 deep/);
  }
  for (const body of [deep(400_000), `{"rubric":${deep(200_000)}}`]) {
    assert.match(await refused(paths[0]!, body), /nested more than 64 deep/);
  }
  await refused(paths[0]!, '{"a":'.repeat(150_000));
});

withApp.test("a body cannot change object prototypes", async (opened) => {
  const id = await opened.hold();
  for (const path of takingJson(opened, id)) {
    for (const key of ["__proto__", "constructor", "prototype"]) {
      const inner = `{"isOwned": true, "model": "owned", "out": "/tmp", "${key}": {"isOwned": 1}}`;
      const { status } = await sent(opened, path, `{"${key}": ${inner}}`);
      assert.ok([200, 400].includes(status), `${path}: ${status}`);
    }
  }
  assert.equal(Reflect.get({}, "isOwned"), undefined);
  assert.equal(Reflect.get(Object, "isOwned"), undefined);
  const form = new FormData();
  form.set("__proto__", "x");
  form.set("file", new File(["text"], "__proto__.md"));
  const refused = await opened.ask("/api/papers", { method: "POST", body: form });
  assert.equal(refused.status, 400);
  assert.equal((await refused.json()).error.field, "__proto__");
});

withApp.test("a compressed body is rejected by its coding", async ({ ask }) => {
  for (const path of ["/api/convenings", "/mcp", "/new"]) {
    const answer = await ask(path, asPost({}, { "content-encoding": "gzip" }));
    const { error } = await answer.json();
    assert.deepEqual([answer.status, error.code], [415, "unsupported_type"], path);
    assert.equal(error.field, "Content-Encoding");
  }
  const plain = await ask("/api/convenings", asPost({}, { "content-encoding": "Identity" }));
  assert.equal(plain.status, 400);
});

withApp.test("a form with very many parts is rejected before it is parsed", async ({ ask }) => {
  const post = async (parts: string, boundary = "b") => {
    const type = `multipart/form-data; boundary=${boundary}`;
    const headers = { "content-type": type };
    const response = await ask("/api/papers", { method: "POST", headers, body: parts });
    return [response.status, (await response.json()).error?.message];
  };
  const part = '--b\r\nContent-Disposition: form-data; name="x"\r\n\r\n\r\n';
  const many = [400, "Cannot read the form: it has more than 20 parts"];
  assert.deepEqual(await post(`${part.repeat(20_000)}--b--\r\n`), many);
  assert.deepEqual(await post(`${part.repeat(21)}--b--\r\n`), many);
  assert.deepEqual(await post(`${part.repeat(21)}--b--\r\n`, '"b"; charset=utf-8'), many);
  const [status, message] = await post(`${part.repeat(20)}--b--\r\n`);
  assert.deepEqual([status, message], [400, 'Cannot use the body: unknown field "x"']);
  for (const [body, boundary] of [["--b--", "b"], ["", "b"], ["nothing", ""], [part, "other"]]) {
    assert.equal((await post(body!, boundary))[0], 400, `${boundary}: ${body}`);
  }
  const file = `--b\r\nContent-Disposition: form-data; name="file"; filename="t.md"\r\n\r\n`;
  assert.equal((await post(`${file}# Trees\n\nCooler.\r\n--b--\r\n`, '"b"'))[0], 201);
});

withApp.test("no request content becomes a header of a response", async (opened) => {
  const evil = 'x"\r\nX-Evil: 1\r\n\r\n<script>1</script>.html';
  const paper = JSON.stringify({ ...PAPER, id: evil });
  const { status, headers } = await sent(opened, "/api/papers", paper);
  assert.equal(status, 201);
  assert.match(headers.get("location") ?? "", /^\/api\/papers\/[\w.-]+$/);
  const source = { name: evil, text: "<script>1</script>" };
  const refused = JSON.stringify({ ...DIALOGUE, sources: [source] });
  assert.equal((await sent(opened, "/api/convenings", refused)).status, 400);
  const run = await opened.pool.start(DIALOGUE, { sources: [source] });
  await run.ended;
  const { id } = run;
  const { sources } = await (await opened.ask(`/api/convenings/${id}`)).json();
  const paths = [
    `/api/convenings/${id}/files/sources/${encodeURIComponent(sources[0])}`,
    `/api/convenings/${id}/files/sources/${encodeURIComponent(evil)}`,
    `/api/convenings/${id}/export?format=html&name=${encodeURIComponent(evil)}`,
    `/api/convenings/${encodeURIComponent(`${id}\r\nX-Evil: 1`)}/export`,
    `/convenings/${encodeURIComponent(evil)}`,
    `/papers/${encodeURIComponent(evil)}`,
  ];
  for (const path of paths) {
    const answer = await opened.ask(path);
    await answer.body?.cancel();
    assert.equal(answer.headers.get("x-evil"), null, path);
    const disposition = answer.headers.get("content-disposition");
    if (disposition !== null) {
      assert.match(disposition, /^(?:attachment|inline); filename="[\w.-]+"$/);
    }
  }
  const action = await opened.ask(`/convenings/${encodeURIComponent(evil)}/actions/stop`, {
    method: "POST",
    headers: { origin: "http://127.0.0.1" },
    body: new URLSearchParams({}),
  });
  assert.equal(action.status, 404);
  assert.equal(action.headers.get("x-evil"), null);
});

withApp.test("no route returns the target of a link in a convening's messages or sources", async (opened) => {
  const id = await opened.hold(DIALOGUE);
  const dir = opened.pool.run(id)!.dir;
  const [first] = (await (await opened.ask(`/api/convenings/${id}/messages`)).json()).messages;
  const outside = join(opened.folder, "outside.md");
  const message = await Deno.readTextFile(join(dir, first.file));
  await Deno.writeTextFile(outside, message.replace(first.body, CANARY));
  await Deno.remove(join(dir, first.file));
  await Deno.symlink(outside, join(dir, first.file));
  await Deno.mkdir(join(dir, "sources"), { recursive: true });
  await Deno.symlink(outside, join(dir, "sources", "notes.md"));
  const metadata = await Deno.readTextFile(join(dir, "metadata.md"));
  await Deno.writeTextFile(
    join(dir, "metadata.md"),
    metadata.replace("\nsources: []", '\nsources: ["notes.md"]'),
  );
  const formats = ["md", "json", "txt", "html"].map((each) => `?format=${each}`);
  for (const { path } of routesOf(opened).filter(({ method }) => method === "GET")) {
    for (const query of path.endsWith("/export") ? formats : [""]) {
      for (const file of [first.file, "sources/notes.md"]) {
        const at = `${filled(path, (name) => name === "id" ? id : file)}${query}`;
        const response = await opened.ask(at);
        const text = await answerText(path, response);
        assert.ok(!text.includes(CANARY), at);
        assert.ok(!text.includes(opened.out), at);
      }
    }
  }
});

const HOSTILE = [
  "<script>alert(1)</script>",
  '"><img src=x onerror=alert(2)>',
  "<svg/onload=alert(3)>",
  "[a](javascript:alert(4)) [b](JaVaScRiPt&colon;alert(5)) [c](data:text/html,<script>6</script>)",
  "![far](https://tracker.example/p.png) ![near](/api/papers)",
  "<a href='javascript:alert(7)'>x</a> <https://x.example/\"onmouseover=alert(8)>",
  "<iframe srcdoc='<script>alert(9)</script>'></iframe><form action=https://x.example><input>",
  "<style>@import 'https://tracker.example/x.css';</style><base href=https://x.example/>",
];

/** Attributes whose URLs a browser loads or submits to by itself. */
const FETCHED: readonly string[] = ["src", "srcset", "poster", "data", "action", "formaction"];

/** Links in the layout of every page. */
const OWN_LINK =
  /^<link rel="(?:(?:stylesheet|modulepreload)" href="\/static\/[\w.]+"|icon" href="data:image\/svg\+xml,[\w%.'-]+")\/?>$/;

/** Returns the active or externally loaded parts of a page. */
function liveIn(page: string): string[] {
  return [...page.matchAll(/<([a-z]+)([^>]*)>/gi)].flatMap(([tag, name = "", rest = ""]) => {
    const attributes = [
      ...rest.matchAll(/[\s/]([a-z-]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]*))/gi),
    ]
      .map(([, key = "", ...values]) => [key.toLowerCase(), values.join("")] as const);
    const isLive = /^(?:iframe|object|embed|base|style|img|math|link)$/i.test(name) ||
      (name === "script" && !/^\/static\/\w+\.js$/.test(new Map(attributes).get("src") ?? "")) ||
      attributes.some(([key, value]) =>
        key.startsWith("on") || key === "srcdoc" ||
        (FETCHED.includes(key) && !/^\/(?!\/)/.test(value)) ||
        (key === "href" && /^\s*(?:javascript|data|vbscript)/i.test(value))
      );
    return isLive && !OWN_LINK.test(tag) ? [tag] : [];
  });
}

withTalkers.test(
  "no page has active content from records or requests",
  async ({ fetch, post, pool }) => {
    const told = `Is ${HOSTILE.slice(0, 3).join(" or ")} good?`;
    const participants = [{ id: "ada", name: HOSTILE[0] }, { id: "ben", name: HOSTILE[1] }];
    const id = await held({ post, pool }, { ...TALK, topic: told, participants });
    const title = HOSTILE.slice(0, 3).join(" ");
    const paper = { id: "p", title, text: HOSTILE.join("\n\n") };
    assert.equal((await post("/api/papers", paper)).status, 201);
    const asked = encodeURIComponent(HOSTILE.join(" ").slice(0, 180));
    const parts = ["status", "exchange", "outcome", "controls"];
    const pages = [
      "/",
      `/?q=${asked}`,
      `/?q=alert&kind=${asked}&status=${asked}`,
      "/new",
      "/papers",
      "/papers/p",
      "/papers/p/text",
      `/papers/${asked}`,
      `/convenings/${id}`,
      `/convenings/${asked}`,
      `/convenings/${id}?page=${asked}`,
      ...parts.map((part) => `/convenings/${id}/parts/${part}`),
    ];
    for (const path of pages) {
      const answer = await fetch(path, { headers: { accept: "text/html" } });
      const page = await answer.text();
      assert.match(answer.headers.get("content-type") ?? "", /^text\/html/, path);
      assert.deepEqual(liveIn(page), [], path);
    }
    const shown = await (await fetch(`/convenings/${id}`)).text();
    assert.ok(shown.includes("&lt;script&gt;alert(1)&lt;/script&gt;"));
    assert.ok(liveIn(HOSTILE.join("\n")).length > 7);
  },
  { say: ({ context }) => ({ text: `${context.key}\n\n${HOSTILE.join("\n\n")}` }) },
);
