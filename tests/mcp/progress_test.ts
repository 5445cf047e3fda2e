// MCP: progress of tools that wait for models, and arguments and errors as language models send and read them.
import assert from "node:assert/strict";
import { withFolder } from "../support/cli.ts";
import type { ModelReply } from "../support/model_server.ts";
import { MODEL, startSpeaker } from "../support/speaking_model.ts";
import { longRecord } from "./support/long_record.ts";
import { called, DEBATE, refusedBy, TALK, withHttp, withServer } from "./support/mcp_client.ts";

withFolder.test("mcp: a tool that waits for a silent model sends progress all the same", async (out) => {
  const dir = await longRecord(out, { messages: 2 });
  const answer = Promise.withResolvers<ModelReply>();
  await using speaker = await startSpeaker(() => answer.promise);
  await withServer({ out, models: { model: MODEL, baseUrl: speaker.url } }, async (client) => {
    const args = { id: dir.split("/").at(-1), models: [MODEL] };
    const lines: string[] = [];
    const { structuredContent } = await client.callTool({ name: "judge", arguments: args }, {
      onprogress({ message = "" }) {
        lines.push(message);
        answer.resolve({ json: {} });
      },
    });
    assert.equal(lines[0], "judge is working");
    assert.equal(Object(structuredContent).panel.judges[0].model, MODEL);
  });
});

withFolder.test("mcp: an answer of a model that is cut for lack of room is asked for once", async (out) => {
  const dir = await longRecord(out, { messages: 9 });
  await using speaker = await startSpeaker(() => ({
    json: { answer: "Trams. ".repeat(900), passages: [] },
  }));
  await withServer({ out, models: { model: MODEL, baseUrl: speaker.url } }, async (client) => {
    const args = { id: dir.split("/").at(-1), question: "thing", model: MODEL, maxTokens: 200 };
    assert.ok(Number((await called(client, "ask", args)).data.wordsLeftOut) > 0);
    assert.equal(speaker.requests.length, 1);
  });
});

withHttp.test("mcp: arguments in texts of JSON are read, and an error names each problem once", async (client) => {
  const config = JSON.stringify({ ...DEBATE, roundCount: 0 });
  const { data } = await called(client, "run", { config, wait: "true" });
  assert.equal(data.status, "completed");
  const page = await called(client, "read_page", { id: data.id, page: "./scores.md#scores" });
  assert.equal(page.data.next, null);
  const wrong = { config: { ...DEBATE, rounds: 2, judge: "x" } };
  const error = await refusedBy(client, "run", wrong);
  assert.deepEqual(Object.keys(error), ["code", "message", "hint", "field"]);
  assert.match(String(error["message"]), /"rounds".*"judge"/);
});

withHttp.test("mcp: list_kinds gives the names of all settings, and with a kind their schemas", async (client) => {
  const { data: { kinds } } = await called(client, "list_kinds");
  const { data: { kinds: [debate] } } = Object(
    await called(client, "list_kinds", { kind: "debate" }),
  );
  const short = Object(kinds).map(({ configuration }: typeof debate) => configuration);
  const { properties } = short.find(({ properties }: { properties: object }) =>
    Object.hasOwn(properties, "roundCount")
  );
  assert.deepEqual(properties.roundCount, {});
  assert.deepEqual(Object.keys(properties), Object.keys(debate.configuration.properties));
  assert.equal(debate.configuration.properties.roundCount.maximum, 1000);
  assert.ok(JSON.stringify(kinds).length < 6000);
});

withHttp.test(
  "mcp: a filter that fits no message gives the speakers and kinds of the messages",
  async (client, out) => {
    const id = (await longRecord(out, { messages: 2 })).split("/").at(-1);
    const calls: readonly (readonly [name: string, args: Record<string, unknown>])[] = [
      ["search", { query: "thing" }],
      ["ask", { id, question: "thing" }],
      ["read_messages", { id }],
    ];
    for (const [name, args] of calls) {
      assert.equal((await called(client, name, args)).data["known"], undefined);
      for (const filter of [{ speaker: "Nobody" }, { kind: "rebutal" }, { round: 77 }]) {
        const { data, texts } = await called(client, name, { ...args, ...filter });
        assert.deepEqual(data["known"], { kinds: ["argument"] });
        assert.match(texts[1]!, /known\.speakers\.0\n/);
      }
    }
    const later = await called(client, "read_messages", { id, after: 2, kind: "rebutal" });
    assert.equal(later.data["known"], undefined);
  },
);

withHttp.test("mcp: a waiting run has one form, and interjections count among the messages of progress", async (client) => {
  const rested = (await called(client, "run", { config: TALK, wait: true })).data;
  const { id } = rested;
  assert.deepEqual((await called(client, "status", { id })).data, rested);
  assert.equal((await called(client, "resume", { id })).data["status"], "waiting");
  await called(client, "say", { id, text: "And the parents?", interject: true });
  await called(client, "say", { id, text: "A teacher listens." });
  const lines: string[] = [];
  const args = { id, wait: true };
  await client.callTool({ name: "resume", arguments: args }, {
    onprogress: ({ message = "" }) => lines.push(message),
  });
  const numbers = lines.flatMap((line) => /^message (\d of \d)/.exec(line)?.[1] ?? []);
  assert.deepEqual(numbers, ["1 of 3", "2 of 4", "3 of 4"]);
});
