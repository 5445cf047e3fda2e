// HTTP collection of papers: uploads, formats, ids, limits, hostile folders.
import assert from "node:assert/strict";
import { join } from "@std/path";
import { writePdf } from "../support/pdf_writer.ts";
import { namesIn } from "../support/cli.ts";
import { PAPER, serving } from "./support/paper_server.ts";

const PAGES = [
  ["# Trees and summer heat", "Streets with trees were 2.1 degrees cooler at noon than others."],
  ["The difference was smaller where streets were narrow. We did not measure nights."],
];

async function sent(url: string, body: BodyInit, headers: Readonly<Record<string, string>> = {}) {
  const response = await fetch(url, { method: "POST", body, headers });
  return {
    status: response.status,
    location: response.headers.get("location"),
    body: await response.json(),
  };
}

async function got(url: string, method = "GET") {
  const response = await fetch(url, { method });
  const text = await response.text();
  return { status: response.status, body: text === "" ? undefined : JSON.parse(text) };
}

function formOf(file: Blob, { name, ...fields }: Readonly<Record<string, string>>): FormData {
  const form = new FormData();
  form.set("file", file, name ?? "trees.pdf");
  for (const [key, value] of Object.entries(fields)) form.set(key, value);
  return form;
}

serving.test("POST /api/papers stores a paper from JSON, which is listed, read and deleted", async ({ url, out, post }) => {
  const { status, body, headers } = await post("/api/papers", PAPER);
  const { id, title, text } = PAPER;
  assert.equal(status, 201);
  assert.equal(headers.get("location"), "/api/papers/paper-123");
  assert.deepEqual(body, { id, title, characters: text.length });
  assert.deepEqual(await got(`${url}/api/papers`), { status: 200, body: { papers: [body] } });
  assert.deepEqual((await got(`${url}/api/papers/paper-123`)).body, { ...body, text });
  assert.match(await Deno.readTextFile(join(out, "papers/paper-123.md")), /^type: paper$/m);
  assert.deepEqual(await got(`${url}/api/papers/paper-123`, "DELETE"), {
    status: 204,
    body: undefined,
  });
  for (const method of ["GET", "DELETE"]) {
    const gone = await got(`${url}/api/papers/paper-123`, method);
    assert.deepEqual([gone.status, gone.body.error.code], [404, "not_found"]);
  }
  assert.deepEqual((await got(`${url}/api/papers`)).body, { papers: [] });
});

serving.test("a paper is found by the id that it was posted with, also where the stored id has other characters", async ({ url, post }) => {
  const posted = "arXiv:2301.00001 v2";
  const { body } = await post("/api/papers", { ...PAPER, id: posted });
  assert.equal(body.id, "arXiv-2301.00001-v2");
  const path = `${url}/api/papers/${encodeURIComponent(posted)}`;
  assert.equal((await got(path)).body.id, body.id);
  const questions = await post("/api/mas-debate/questions", { paperId: posted });
  assert.equal(questions.status, 200);
  const request = { paperId: posted, paperIds: [body.id], question: "Does it hold at night?" };
  assert.equal((await post("/api/mas-debate/run", request)).body.papers.length, 1);
  assert.equal((await got(path, "DELETE")).status, 204);

  assert.equal((await post("/api/papers", { ...PAPER, id: "論文" })).body.id, "paper");
  const other = `${url}/api/papers/${encodeURIComponent("樹木")}`;
  assert.deepEqual([(await got(other)).status, (await got(other, "DELETE")).status], [404, 404]);
  assert.equal((await got(`${url}/api/papers/paper`, "DELETE")).status, 204);
});

serving.test("POST /api/papers reads a PDF with its pages from a form and as a raw body", async ({ url }) => {
  const pdf = new Blob([new Uint8Array(writePdf({ pages: PAGES }))]);
  const form = await sent(`${url}/api/papers`, formOf(pdf, { id: "trees", title: "" }));
  assert.equal(form.status, 201);
  assert.deepEqual([form.body.id, form.body.title], ["trees", "Trees and summer heat"]);
  assert.equal(form.body.pages, 2);
  const raw = await sent(`${url}/api/papers?title=On%20trees`, await pdf.bytes(), {
    "content-type": "application/pdf",
  });
  assert.deepEqual([raw.status, raw.body.id, raw.body.title], [201, "On-trees", "On trees"]);
  assert.equal(raw.location, "/api/papers/On-trees");
  const { body } = await got(`${url}/api/papers/trees`);
  assert.match(body.text, /2\.1 degrees cooler at noon/);
  assert.match(body.text, /We did not measure nights/);
});

serving.test("POST /api/papers accepts markdown and text and makes a free id if none is given", async ({ url }) => {
  const text = "# Trees\n\nStreets with trees were cooler.";
  const ids: string[] = [];
  const plain = "Streets at night\n\nNobody measured them.";
  const bodies = [
    [text, "text/markdown"],
    [plain, "text/plain; charset=utf-8"],
    [text, "text/markdown"],
  ] as const;
  for (const [body, type] of bodies) {
    const { status, ...answer } = await sent(`${url}/api/papers`, body, { "content-type": type });
    assert.equal(status, 201);
    ids.push(answer.body.id);
  }
  assert.deepEqual(ids, ["Trees", "Streets-at-night", "Trees-2"]);
  const named = await sent(
    `${url}/api/papers`,
    formOf(new Blob([text]), { name: "../../My trees.md" }),
  );
  assert.deepEqual([named.status, named.body.id], [201, "My-trees"]);
  const hostile = await sent(`${url}/api/papers?id=..%2F..%2Fetc`, text, {
    "content-type": "text/plain",
  });
  assert.deepEqual([hostile.status, hostile.body.id], [201, "etc"]);
  const inForm = await sent(`${url}/api/papers?id=x`, formOf(new Blob([text]), {}));
  assert.deepEqual([inForm.status, inForm.body.error.hint], [400, "Give id in the body."]);
  const inJson = await sent(`${url}/api/papers?title=x`, JSON.stringify(PAPER), {
    "content-type": "application/json",
  });
  assert.deepEqual([inJson.status, inJson.body.error.field], [400, "title"]);
});

serving.test("POST /api/papers accepts a paper in a convening's format under its id", async ({ url, out, post }) => {
  await post("/api/papers", PAPER);
  const kept = await Deno.readTextFile(join(out, "papers/paper-123.md"));
  await got(`${url}/api/papers/paper-123`, "DELETE");
  const again = await sent(`${url}/api/papers`, kept, { "content-type": "text/markdown" });
  assert.deepEqual([again.status, again.body.id], [201, "paper-123"]);
  assert.equal((await got(`${url}/api/papers/paper-123`)).body.text, PAPER.text);
});

serving.test("POST /api/papers answers 409 to an existing id, and one of concurrent uploads wins", async ({ url, post }) => {
  const answers = await Promise.all(Array.from(
    { length: 12 },
    (_, index) => post("/api/papers", { ...PAPER, text: `${PAPER.text} ${index}` }),
  ));
  const won = answers.flatMap(({ status }, index) => status === 201 ? [index] : []);
  assert.equal(won.length, 1);
  for (const { status, body } of answers.filter(({ status }) => status !== 201)) {
    assert.deepEqual([status, body.error.code, body.error.field], [409, "taken", "id"]);
  }
  const { body } = await got(`${url}/api/papers/paper-123`);
  assert.equal(body.text, `${PAPER.text} ${won[0]}`);
  const { status } = await post("/api/papers", { ...PAPER, id: "PAPER-123" });
  assert.equal(status, 409);
});

serving.test("POST /api/papers rejects unreadable papers with reason and position", async ({ url, post, out }) => {
  const wrong = async (body: unknown) => {
    const answer = await post("/api/papers", body);
    return [answer.status, answer.body.error.code, answer.body.error.field];
  };
  assert.deepEqual(await wrong({ ...PAPER, text: " \n" }), [400, "paper_unreadable", "text"]);
  assert.deepEqual(await wrong({ title: "Trees" }), [400, "config_invalid", "text"]);
  const title = "t".repeat(501);
  assert.deepEqual(await wrong({ ...PAPER, title }), [400, "config_invalid", "title"]);
  assert.deepEqual(await wrong({ ...PAPER, path: "/etc/x" }), [400, "config_invalid", "path"]);
  assert.deepEqual(await wrong('{"title": '), [400, "config_invalid", "body"]);
  const raw = async (body: BodyInit, type: string, query = "") => {
    const answer = await sent(`${url}/api/papers${query}`, body, { "content-type": type });
    return [answer.status, answer.body.error.code, answer.body.error.field];
  };
  assert.deepEqual(await raw("%PDF-1.7 half", "application/pdf"), [
    400,
    "paper_unreadable",
    "file",
  ]);
  assert.deepEqual(await raw("a,b", "text/csv"), [415, "unsupported_type", "Content-Type"]);
  assert.deepEqual(await raw("", "text/plain"), [400, "paper_unreadable", "file"]);
  assert.deepEqual(await raw("x", "text/plain", "?name=x"), [400, "config_invalid", "name"]);
  assert.deepEqual(await raw("no form", "multipart/form-data; boundary=x"), [
    400,
    "config_invalid",
    "body",
  ]);
  const form = new FormData();
  for (const [given, field] of [["Trees", "file"], [title, "title"]] as const) {
    form.set("title", given);
    const { status, body } = await sent(`${url}/api/papers`, form);
    assert.deepEqual([status, body.error.field], [400, field]);
  }
  form.append("title", "Trees");
  const { body: twice } = await sent(`${url}/api/papers`, form);
  assert.equal(twice.error.message, "Cannot use title: the body has it twice");
  assert.deepEqual((await got(`${url}/api/papers`)).body, { papers: [] });
  assert.ok(!JSON.stringify(await post("/api/papers", { ...PAPER, text: "" })).includes(out));
});

serving.test("POST /api/papers rejects a paper over the size limits", async ({ url }) => {
  // As a raw body, since Deno writes and reads a form of this size in seconds.
  const large = new Uint8Array(50_000_001).fill(97);
  const { status, body } = await sent(`${url}/api/papers`, large, { "content-type": "text/plain" });
  assert.deepEqual([status, body.error.code], [413, "too_large"]);
});

serving.test("/api/papers serves no links, no folders, and nothing outside its folder", async ({ url, out, post }) => {
  await post("/api/papers", PAPER);
  await Deno.writeTextFile(join(out, "secret.md"), "Nobody may read this.");
  await Deno.symlink(join(out, "secret.md"), join(out, "papers/linked.md"));
  await Deno.mkdir(join(out, "papers/folder.md"));
  await Deno.writeTextFile(join(out, "papers/-odd name.md"), "Strange.");
  const { papers } = (await got(`${url}/api/papers`)).body;
  assert.deepEqual(papers.map(({ id }: { readonly id: string }) => id), ["paper-123"]);
  const { status, body } = await got(`${url}/api/papers/linked`);
  assert.deepEqual([status, body.error.code], [500, "record_corrupt"]);
  assert.ok(!JSON.stringify(body).includes(out));
  const ids = ["folder", "..%2Fsecret", "%2e%2e%2fsecret", "-odd%20name", ".lock", "%00"];
  for (const id of ids) {
    for (const method of ["GET", "DELETE"]) {
      const { status } = await got(`${url}/api/papers/${id}`, method);
      assert.equal(status, 404, `${method} ${id}`);
    }
  }
  assert.equal(await Deno.readTextFile(join(out, "secret.md")), "Nobody may read this.");
});

serving.test("/api/papers accepts markdown files in its folder and lists the others despite a damaged file", async ({ url, out, post }) => {
  await post("/api/papers", PAPER);
  await Deno.writeTextFile(join(out, "papers/by-hand.md"), "# By hand\n\nStreets are warm.");
  await Deno.writeTextFile(
    join(out, "papers/damaged.md"),
    "---\nformat: convenings/1\ntype: paper\nid: [\n",
  );
  await Deno.writeTextFile(join(out, "papers/empty.md"), "");
  const { papers } = (await got(`${url}/api/papers`)).body;
  assert.deepEqual(
    papers.map(({ id, title }: { readonly id: string; readonly title: string }) => [id, title]),
    [["by-hand", "By hand"], ["paper-123", PAPER.title]],
  );
  for (const id of ["damaged", "empty"]) {
    const { status, body } = await got(`${url}/api/papers/${id}`);
    assert.deepEqual([status, body.error.code], [400, "paper_unreadable"]);
    assert.ok(!JSON.stringify(body).includes(out));
  }
  const { status } = await post("/api/papers", { ...PAPER, id: "damaged" });
  assert.equal(status, 409);
});

serving.test("/api/papers neither reads nor writes through a folder that is a link", async ({ url, out, post }) => {
  const elsewhere = join(out, "elsewhere");
  await Deno.mkdir(elsewhere);
  await Deno.writeTextFile(join(elsewhere, "paper.md"), "Not of this archive.");
  await Deno.symlink(elsewhere, join(out, "papers"));
  const answers = [
    await got(`${url}/api/papers`),
    await got(`${url}/api/papers/paper`),
    await post("/api/papers", PAPER),
  ];
  for (const { status, body } of answers) {
    assert.deepEqual([status, body.error.code], [500, "record_corrupt"]);
    assert.equal(body.error.message, "Cannot read papers: it is a symbolic link");
  }
  assert.deepEqual(await namesIn(elsewhere), ["paper.md"]);
});
