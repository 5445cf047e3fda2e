import assert from "node:assert/strict";
import { basename } from "@std/path";
import { loadTokenCounter } from "../../src/core/tokens.ts";
import { withFolder } from "../support/cli.ts";
import { longRecord } from "./support/long_record.ts";
import { called, refusedBy, withHttp } from "./support/mcp_client.ts";

const MESSAGES = 10_000;
const LONG = 5_000;
/** Some 30,000 tokens, with characters of two units where cuts come. */
const LONG_BODY = "Trees cool streets 🌳, and cool streets 🌳 are walked. ".repeat(1800);

Deno.test("mcp: 10,000 messages are read whole through bounded results", async () => {
  const count = await loadTokenCounter();
  await withFolder(async (out) => {
    const other = (seq: number) => seq === LONG ? { body: LONG_BODY } : undefined;
    const id = basename(await longRecord(out, { messages: MESSAGES, other }));
    await withHttp(async (client) => {
      const seen: number[] = [];
      let cut: unknown;
      for (let after: unknown = 0; after !== null;) {
        const { data, texts } = await called(client, "read_messages", {
          id,
          after,
          limit: 500,
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
});

function wordsIn(untrusted: unknown): string[] {
  assert.ok(typeof untrusted === "object" && untrusted !== null && "words" in untrusted);
  assert.ok(Array.isArray(untrusted.words));
  return untrusted.words.map(({ text }) => String(text));
}
