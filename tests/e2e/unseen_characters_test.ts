// Invisible characters never reach a reader.
import assert from "node:assert/strict";
import { basename } from "@std/path";
import { exportConvening } from "../../src/operations/convening.ts";
import { called, withHttp } from "../mcp/support/mcp_client.ts";
import { longRecord } from "../mcp/support/long_record.ts";
import { withApp } from "../server/support/open_app.ts";
import { ran } from "../support/run_main.ts";

/** NUL, BEL, BS, ESC, a C1 control, a direction override, a zero-width space, tag characters. */
const UNSEEN = "\x00\x07\x08\x1b[2J\u009b\u202e\u200b\u{e0049}\u{e0047}";
const FOUND = /(?![\n\t])\p{Cc}|[\u202e\u200b]|\u{e0049}/u;
/** Body with character references, which only a browser turns into characters. */
const BODY = `Before ${UNSEEN} after, &#x202e;turned&#8238; and **bold${UNSEEN}**.`;

withApp.test("no invisible character reaches a reader: pages, transcripts, pipes, MCP", async ({ ask, out }) => {
  const said = { body: BODY, name: `Ada${UNSEEN}`, position: `For${UNSEEN}` };
  const dir = await longRecord(out, {
    messages: 3,
    topic: `Should cities ban${UNSEEN} cars?`,
    other: (seq) => ({ ...said, ...seq === 3 ? { kind: "summary" } : {} }),
  });
  const id = basename(dir);
  const shown: [string, string][] = [];
  for (const path of ["/", `/convenings/${id}`, `/convenings/${id}/parts/2`, "/?q=before"]) {
    const answer = await ask(path, { headers: { accept: "text/html" } });
    assert.equal(answer.status, 200, path);
    shown.push([path, await answer.text()]);
  }
  for (const format of ["md", "txt", "html"] as const) {
    shown.push([format, await Deno.readTextFile(await exportConvening(dir, format))]);
  }
  for (const words of [["show", dir, "2"], ["show", dir], ["list", "--out", out]]) {
    const { stdout } = await ran(words, { folder: out });
    shown.push([words.join(" "), stdout]);
  }
  for (const page of ["index.md", "summary.md"]) {
    shown.push([page, await Deno.readTextFile(`${dir}/${page}`)]);
  }
  await withHttp(async (client) => {
    const calls: [string, Record<string, unknown>][] = [
      ["read_message", { id, seq: 2 }],
      ["read_messages", { id }],
      ["read_page", { id }],
      ["ask", { id, question: "before after" }],
      ["list", {}],
    ];
    for (const [name, args] of calls) {
      const { texts, untrusted } = await called(client, name, args);
      shown.push([name, texts.join("\n")], [
        `${name}, untrusted`,
        String(Object(untrusted).words?.map(({ text }: { text: string }) => text)),
      ]);
    }
  }, { out });
  for (const [of, text] of shown) assert.doesNotMatch(text, FOUND, of);
  for (const [of, text] of shown.slice(1, 3)) assert.match(text, /Before �/, of);
});
