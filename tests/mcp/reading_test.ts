// MCP tools that read: attachments, rejected attempts, scores; embedding of the server; queue.
import assert from "node:assert/strict";
import { basename, join } from "@std/path";
import { composeConvening } from "../../mod.ts";
import { runStudy } from "../../studies.ts";
import { loadTokenCounter } from "../../src/core/tokens.ts";
import { withFolder } from "../support/cli.ts";
import { startModelServer } from "../support/model_server.ts";
import { called, refusedBy, withHttp, withServer } from "./support/mcp_client.ts";
import { MODEL, startSpeaker } from "../support/speaking_model.ts";
import { STUDY } from "../studies/support/tea_study.ts";

const TOPIC = "Should cities ban private cars from their centres?";
const CHECKED = {
  kind: "debate",
  topic: TOPIC,
  roundCount: 1,
  seed: 1,
  turnForm: "rcr",
  factCheck: { mode: "standard", maxClaims: 2 },
  sources: [{ name: "counts.md", text: "Twelve streets had nine cars each." }],
};

/** Returns the untrusted texts of a result. */
function textsIn(untrusted: unknown): string[] {
  const { words } = Object(untrusted);
  return words.map(({ text }: { text: string }) => text);
}

withHttp.test(
  "mcp: attachments of a message are returned on request and read in pieces; damaged ones are counted",
  async (client, out) => {
    const { id } = (await called(client, "run", { config: CHECKED, wait: true })).data;
    const plain = (await called(client, "read_messages", { id, limit: 2 })).data;
    assert.ok(!("private" in Object(plain.messages)[1]));
    const { data } = await called(client, "read_messages", { id, beside: true });
    const [introduction, ...others] = Object(data.messages);
    assert.deepEqual([introduction.private, introduction.factCheck], [false, null]);
    const { seq, ...row } = others.find((each: { private: boolean }) => each.private);
    assert.deepEqual([row.rejected, row.evidence, row.factCheck.status], [0, null, "checked"]);
    const own = await called(client, "read_message", { id, seq, part: "private" });
    const { private: fields } = JSON.parse(textsIn(own.untrusted)[0]!);
    assert.ok(fields.reflection.length > 0);
    assert.ok(!JSON.stringify(own.data).includes(fields.reflection));
    const facts = await called(client, "read_message", { id, seq, part: "facts" });
    const { factCheck: check } = JSON.parse(textsIn(facts.untrusted)[0]!);
    assert.equal(Object(facts.data.factCheck).claims.length, check.claims.length);
    const none = await called(client, "read_message", { id, seq, part: "rejected" });
    assert.deepEqual(none.data.rejected, []);
    const count = await loadTokenCounter();
    let text = "";
    for (let offset: unknown = 0; offset !== null;) {
      const piece = { id, seq, part: "private", offset, maxTokens: 200 };
      const given = await called(client, "read_message", piece);
      const [words = ""] = textsIn(given.untrusted);
      assert.ok(count(words) <= 200);
      text += words;
      offset = given.data.next;
    }
    assert.deepEqual(JSON.parse(text), { private: fields });
    const missing = await refusedBy(client, "read_message", { id, seq: 99, part: "facts" });
    assert.deepEqual([missing.code, missing.field], ["not_found", "seq"]);
    const drafts = join(out, String(id).slice(0, 10), String(id), "drafts");
    for await (const { name } of Deno.readDir(drafts)) {
      await Deno.writeTextFile(join(drafts, name), "damaged");
    }
    assert.deepEqual((await called(client, "read_messages", { id, beside: true })).data, data);
    // The status reads no message, so that a long convening is polled at low cost.
    const shown = (await called(client, "status", { id })).data;
    const messages = join(drafts, "..", "messages");
    for await (const { name } of Deno.readDir(messages)) {
      await Deno.writeTextFile(join(messages, name), "damaged");
    }
    assert.deepEqual((await called(client, "status", { id })).data, shown);
  },
);

withFolder.test("mcp: rejected attempts are returned with the reason", async (out) => {
  await using server = await startModelServer({
    reply: { text: "Balderdash is what a teacher should not teach." },
  });
  const workflow = await composeConvening({
    kind: "dialogue",
    topic: "What makes a good teacher of small children?",
    model: "good",
    baseUrl: server.url,
    maxTurns: 3,
    out,
  });
  const { dir = "" } = await workflow.run();
  await withHttp(async (client) => {
    const place = { id: basename(dir), seq: 3 };
    const { data, untrusted } = await called(client, "read_message", {
      ...place,
      part: "rejected",
    });
    const [first] = Object(data.rejected);
    assert.deepEqual(first, { attempt: 1, guard: "repetition" });
    assert.doesNotMatch(JSON.stringify(data), /Balderdash/);
    assert.match(textsIn(untrusted)[0]!, /Balderdash/);
  }, { out });
});

withHttp.test("mcp: scores are resources, of all messages and of one", async (client) => {
  const config = { kind: "debate", topic: TOPIC, roundCount: 1, seed: 1 };
  const { id } = (await called(client, "run", { config, wait: true })).data;
  const { resourceTemplates } = await client.listResourceTemplates();
  const names = resourceTemplates.map(({ name }) => name);
  assert.ok(names.includes("scores") && names.includes("message-scores"));
  const read = async (path: string) => {
    const { contents } = await client.readResource({ uri: `convening://${id}/${path}` });
    return contents.map((each) => "text" in each ? each.text : "");
  };
  const [all = "", reasons = ""] = await read("scores");
  const { total, scores, verdicts } = JSON.parse(all);
  assert.deepEqual([scores.length, verdicts.length], [total, 2]);
  assert.match(reasons, /=== [0-9a-f]{6,} verdict 1/);
  const [one = ""] = await read("scores/2");
  assert.deepEqual(
    JSON.parse(one).scores,
    scores.filter(({ message }: { message: number }) => message === 2),
  );
  assert.match((await read("scores.md"))[1]!, /# Scores|Scores/);
  const of = (await called(client, "read_scores", { id, message: 2 })).data;
  assert.deepEqual(of.scores, JSON.parse(one).scores);
  assert.equal((await called(client, "read_scores", { id, message: 1 })).data.total, 0);
  const missing = await refusedBy(client, "read_scores", { id, message: 99 });
  assert.deepEqual([missing.code, missing.field], ["not_found", "message"]);
  await assert.rejects(read("scores/first"), /Cannot read message "first": it is not a number/);
});

withFolder.test("mcp: with room for one run the next run is queued, and its place is returned", async (out) => {
  await using speaker = await startSpeaker();
  const models = { model: MODEL, baseUrl: speaker.url };
  await withServer({ out, maxRunning: 1, models }, async (client) => {
    const config = { kind: "debate", topic: TOPIC, roundCount: 500, seed: 1 };
    const first = (await called(client, "run", { config })).data;
    const second = (await called(client, "run", { config })).data;
    assert.deepEqual([first.status, first.queuePosition], ["running", null]);
    assert.deepEqual([second.status, second.queuePosition], ["queued", 1]);
    const { data } = await called(client, "status", { id: second.id });
    assert.deepEqual([data.status, data.queuePosition], ["queued", 1]);
    const waiting = (await called(client, "list", { status: "queued" })).data;
    assert.deepEqual(Object(waiting.convenings)[0].id, second.id);
    assert.equal(Object(waiting.counts).matching, 1);
    // A convening without a winner is not one whose winner has an empty name.
    const unnamed = (await called(client, "list", { winner: "" })).data;
    assert.deepEqual(unnamed.convenings, []);
    await called(client, "stop", { id: first.id });
    for (let status: unknown = "queued"; status === "queued";) {
      status = (await called(client, "status", { id: second.id })).data.status;
      assert.ok(status === "queued" || status === "running", String(status));
    }
  });
});

Deno.test("mcp: read_messages returns text at most a tenth longer than the messages", async () => {
  const count = await loadTokenCounter();
  const out = new URL("../../examples/records", import.meta.url).pathname;
  await withHttp(async (client) => {
    const { data: { convenings } } = await called(client, "list");
    assert.ok(Array.isArray(convenings) && convenings.length === 2);
    for (const { id } of convenings) {
      let [text, said] = [0, 0];
      for (let after: unknown = 0; after !== null;) {
        const { data, texts } = await called(client, "read_messages", { id, after });
        text += count(texts.join(""));
        assert.ok(Array.isArray(data.messages));
        for (const { tokens } of data.messages) said += Number(tokens);
        after = data.next;
      }
      assert.ok(said > 3000 && text <= said * 1.1, `${id}: ${text} of ${said}`);
    }
  }, { out });
});

withHttp.test(
  "mcp: a study's report ends with the list of debates, which may be cut, and its files are read in pieces",
  async (client, out) => {
    const { study: id } = await runStudy(STUDY, { out, limit: 1 });
    const report = await called(client, "study_report", { id });
    const { words } = Object(report.untrusted);
    assert.deepEqual(words.map(({ of }: { of: string }) => of), ["notes", "page"]);
    let text = "";
    for (let offset: unknown = 0; offset !== null;) {
      const piece = { id, page: "report/leaderboard.md", offset, maxTokens: 200 };
      const given = await called(client, "read_page", piece);
      text += textsIn(given.untrusted)[0];
      offset = given.data.next;
    }
    assert.equal(text, words[1].text);
    const missing = await refusedBy(client, "read_page", { id, page: "report/none.md" });
    assert.deepEqual([missing.code, missing.field], ["not_found", "page"]);
    const plan = await refusedBy(client, "read_page", { id, page: "plan.jsonl" });
    assert.deepEqual([plan.code, plan.field], ["not_found", "id"]);
  },
);
