// Size limits of MCP results: pages, pieces of texts, lists of resources.
import assert from "node:assert/strict";
import { basename, join } from "@std/path";
import fc from "fast-check";
import { thousands } from "../../src/core/text.ts";
import { loadTokenCounter } from "../../src/core/tokens.ts";
import { fitEntries, pieceOf, separateWords } from "../../src/mcp/reply.ts";
import { longRecord, shortRecords } from "./support/long_record.ts";
import { called, refusedBy, withHttp, withServer } from "./support/mcp_client.ts";
import { withFolder } from "../support/cli.ts";

const DEBATE = {
  kind: "debate",
  topic: "Should cities ban private cars from their centres?",
  roundCount: 2,
  seed: 1,
  judges: [{ name: "Jo" }, { name: "Kim" }],
  factCheck: { mode: "standard", maxClaims: 1 },
  sources: [{ name: "counts.md", text: "Twelve streets had nine cars each." }],
};

withHttp.test(
  "mcp: read_scores respects maxTokens and returns every verdict and score once; read_page returns every file that pages link to, as a tool and as a resource",
  async (client, out) => {
    const count = await loadTokenCounter();
    const { id } = (await called(client, "run", { config: DEBATE, wait: true })).data;
    for (const reasons of [false, true]) {
      const seen = { verdicts: 0, scores: 0 };
      let cursor: unknown;
      do {
        const wanted = { id, reasons, maxTokens: 500, ...cursor === undefined ? {} : { cursor } };
        const { data, texts } = await called(client, "read_scores", wanted);
        assert.ok(count(texts.join("\n")) <= 600, String(count(texts.join("\n"))));
        seen.verdicts += Object(data.verdicts ?? []).length;
        seen.scores += Object(data.scores).length;
        if (data.next === null) assert.equal(seen.scores, data.total);
        cursor = data.next ?? undefined;
      } while (cursor !== undefined);
      assert.equal(seen.verdicts, 4);
    }
    const links = new Set<string>();
    for (const page of ["index.md", "scores.md"]) {
      const { texts } = await called(client, "read_page", { id, page });
      for (const [, path = ""] of texts[1]!.matchAll(/\]\(([^)#:]+)\)/g)) {
        if (!path.startsWith("..")) links.add(path);
      }
    }
    const dir = `${out}/${String(id).slice(0, 10)}/${id}`;
    for (const folder of ["fact-checks", "verdicts", "sources", "scores"]) {
      for await (const { name } of Deno.readDir(join(dir, folder))) links.add(`${folder}/${name}`);
    }
    assert.ok(links.has("sources/counts.md") && links.size > 20);
    for (const page of links) {
      assert.ok(
        Object((await called(client, "read_page", { id, page })).data).characters > 0,
        page,
      );
    }
    const former = (await called(client, "read_index", { id })).data;
    assert.deepEqual(former, (await called(client, "read_page", { id })).data);
    const uri = `convening://${id}/sources/counts.md`;
    assert.match(JSON.stringify(await client.readResource({ uri })), /nine cars each/);
    for (const page of ["log.jsonl", ".lock", "../index.md", "sources/../index.md", "none.md"]) {
      const { code, field } = await refusedBy(client, "read_page", { id, page });
      assert.deepEqual([page, code, field], [page, "not_found", "page"]);
    }
  },
);

withHttp.test("mcp: a missing resource is a protocol error with the URI", async (client) => {
  const uris = ["convening://none/index.md", "convening://none/messages/1", "convening://none/%ff"];
  for (const uri of uris) {
    await assert.rejects(client.readResource({ uri }), (error) => {
      const { code, data } = Object(error);
      assert.deepEqual([code, data], [-32602, { uri }]);
      return true;
    });
  }
});

withFolder.test("mcp: numbers given as text, and null for what is left out, are accepted; other text is rejected", async (out) => {
  const id = basename(await longRecord(out, { messages: 3 }));
  await withHttp(async (client) => {
    const { data } = await called(client, "read_messages", { id, after: "1", limit: "1" });
    assert.deepEqual(Object(data.messages).map(({ seq }: { seq: number }) => seq), [2]);
    assert.equal((await called(client, "read_message", { id, seq: "3" })).data.seq, 3);
    const nulls = { id, speaker: null, round: null, kind: null, limit: null };
    assert.equal(Object((await called(client, "read_messages", nulls)).data.messages).length, 3);
    const missing = await refusedBy(client, "read_message", { id: null, seq: 1 });
    assert.equal(missing.message, "Cannot use the arguments: id is missing");
    for (const seq of ["three", "", "1e9", "2.5"]) {
      assert.equal((await refusedBy(client, "read_message", { id, seq })).field, "seq");
    }
    const config = { kind: "debate", topic: "Should buses run all night?", roundCount: "x" };
    const limits = { maxTurns: "5", maxCost: null };
    const run = { config: { ...config, seed: "1", limits, judges: null }, wait: null };
    assert.match(String((await refusedBy(client, "run", run)).message), /^Cannot use roundCount: /);
  }, { out });
});

withFolder.test("mcp: a search or an answer fits, though the damaged messages do not", async (out) => {
  const dir = await longRecord(out, { messages: 3 });
  const [first] = await Array.fromAsync(Deno.readDir(join(dir, "messages")));
  for (let number = 100; number < 140; number++) {
    const damaged = first!.name.replace(/^\d+/, `00${number}`);
    await Deno.writeTextFile(join(dir, "messages", damaged), "---\n");
  }
  await withHttp(async (client) => {
    const asked = { id: basename(dir), question: "thing" };
    for (
      const [tool, key, args] of [["search", "results", { query: "thing" }], [
        "ask",
        "answers",
        asked,
      ]] as const
    ) {
      const { data } = await called(client, tool, { ...args, maxTokens: 600 });
      assert.ok(Object(data[key]).length > 1, tool);
      assert.ok(Number(data.wordsLeftOut) > 20, tool);
    }
  }, { out });
});

withFolder.test("mcp: resources are listed in pages; a client without a stream is promised no notifications; a missing archive is an error", async (folder) => {
  const out = join(folder, "archive");
  await withServer({ out, readOnly: true }, async (client) => {
    assert.equal((await refusedBy(client, "list")).code, "not_found");
    assert.equal((await refusedBy(client, "search", { query: "cars" })).code, "not_found");
    await assert.rejects(client.listResources(), /folder is missing/);
    const { tools, resources } = client.getServerCapabilities() ?? {};
    assert.deepEqual([tools?.listChanged, resources?.listChanged], [false, false]);
    await shortRecords(out, 52);
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await client.listResources(cursor === undefined ? {} : { cursor });
      seen.push(...page.resources.map(({ uri }) => uri));
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    assert.equal(new Set(seen).size, 52);
    assert.equal(seen.length, 52);
    await assert.rejects(client.listResources({ cursor: "x" }), { code: -32602 });
    await assert.rejects(client.getPrompt({ name: "brief" }), /subject: Give a text\./);
  });
});

const MESSAGES = 500;
const LONG = 300;
/** Some 30,000 tokens, with surrogate pairs near the cuts. */
const LONG_BODY = "Trees cool streets 🌳, and cool streets 🌳 are walked. ".repeat(1800);

withFolder.test("mcp: 500 messages are read completely through bounded results", async (out) => {
  const count = await loadTokenCounter();
  const other = (seq: number) => seq === LONG ? { body: LONG_BODY } : undefined;
  const id = basename(await longRecord(out, { messages: MESSAGES, other }));
  await withHttp(async (client) => {
    const seen: number[] = [];
    let cut: unknown;
    for (let after: unknown = 0; after !== null;) {
      const { data, texts } = await called(client, "read_messages", {
        id,
        after,
        limit: 200,
        maxTokens: 20_000,
      });
      assert.equal(data.total, MESSAGES);
      assert.ok(Number(data.tokens) <= 20_000);
      assert.ok(count(texts.join("")) <= 20_500);
      assert.ok(Array.isArray(data.messages));
      for (const { seq, next } of data.messages) {
        seen.push(seq);
        if (next !== null) cut = { seq, next };
      }
      assert.notEqual(data.next, after);
      after = data.next;
    }
    assert.deepEqual(seen, Array.from({ length: MESSAGES }, (_, at) => at + 1));
    assert.ok(typeof cut === "object" && cut !== null && "seq" in cut && cut.seq === LONG);

    let body = "";
    for (let offset: unknown = 0; offset !== null;) {
      const given = await called(client, "read_message", { id, seq: LONG, offset });
      const [, words] = wordsIn(given.untrusted);
      assert.ok(count(words!) <= 4000);
      body += words;
      offset = given.data.next;
    }
    assert.equal(body, LONG_BODY);

    const { data, untrusted } = await called(client, "read_page", { id });
    assert.ok(Number(data.tokens) < 2000);
    assert.equal(data.next, null);
    const [index = ""] = wordsIn(untrusted);
    const pages = [...index.matchAll(/\((pages\/\w+\.md)\)/g)].map(([, page]) => page);
    assert.ok(pages.length > 1);
    const page = await called(client, "read_page", { id, page: pages[0] });
    assert.ok(Number(page.data.tokens) <= 2000);
    const { resources } = await client.listResources();
    assert.ok(resources.some(({ uri }) => uri === `convening://${id}/index.md`));
    const read = await client.readResource({ uri: `convening://${id}/${pages[0]}` });
    assert.match(JSON.stringify(read.contents[1]), /=== [0-9a-f]{6,} pages/);
    const answers = await called(client, "ask", { id, question: "thing", limit: 100 });
    assert.equal(Object(answers.data.answers).length, 100);
    const refusal = await refusedBy(client, "ask", { id, question: "thing", limit: 101 });
    assert.equal(refusal.code, "config_invalid");
    assert.equal(refusal.field, "limit");
  }, { out });
});

function wordsIn(untrusted: unknown): string[] {
  assert.ok(typeof untrusted === "object" && untrusted !== null && "words" in untrusted);
  assert.ok(Array.isArray(untrusted.words));
  return untrusted.words.map(({ text }) => String(text));
}

Deno.test("separateWords() and fitEntries() cut a text that does not fit, and say how much of the text is left", async () => {
  const page = "word ".repeat(6000);
  const { data, words = [] } = await separateWords({ id: "x", page, notes: "Short." }, 200);
  const [{ of, text } = { of: "", text: "" }, ...others] = words;
  assert.deepEqual([data, others], [{ id: "x", wordsLeftOut: 2 }, []]);
  assert.equal(of, `page, cut: the first ${thousands(text.length)} of 30,000 characters`);
  assert.ok(page.startsWith(text) && text.length > 500);
  const whole = await separateWords({ page });
  assert.deepEqual(whole, { data: {}, words: [{ of: "page", text: page }] });
  const verdict = { data: {}, of: "verdict 1", text: page };
  const { entries } = await fitEntries([verdict], (each) => Promise.resolve(each), {
    maxTokens: 200,
  });
  assert.match(entries[0]!.of, /^verdict 1, cut: the first [\d,]+ of 30,000 characters$/);
});

Deno.test("pieceOf() splits a text between characters into pieces within the token limit", async () => {
  const count = await loadTokenCounter();
  const text = fc.array(fc.oneof(fc.string({ unit: "grapheme" }), fc.constant("𝒳🌳 word ")), {
    maxLength: 40,
  }).map((parts) => parts.join(""));
  await fc.assert(
    fc.asyncProperty(text, fc.integer({ min: 20, max: 80 }), async (text, maxTokens) => {
      let read = "";
      for (let offset: number | undefined = 0; offset !== undefined;) {
        const piece = await pieceOf(text, { offset, maxTokens });
        assert.ok(piece.text.isWellFormed() || !text.isWellFormed());
        assert.equal(piece.tokens, count(piece.text));
        assert.ok(piece.tokens <= maxTokens);
        assert.ok(piece.next === undefined || piece.next > offset);
        read += piece.text;
        offset = piece.next;
      }
      assert.equal(read, text);
    }),
    { numRuns: 60 },
  );
});

Deno.test("pieceOf() rejects a start beyond the text's end", async () => {
  await assert.rejects(pieceOf("abc", { offset: 4, maxTokens: 10 }), {
    code: "config_invalid",
    field: "offset",
  });
});
