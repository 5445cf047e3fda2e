import assert from "node:assert/strict";
import { called, withHttp } from "./support/mcp_client.ts";

const TALK = {
  kind: "dialogue",
  topic: "What makes a good teacher of small children?",
  participants: [{ id: "ada", name: "Ada", model: "human" }, { id: "ben", name: "Ben" }],
  maxTurns: 3,
  seed: 1,
};

Deno.test("mcp: run and resume with wait return when a person is to speak, each time", async () => {
  await withHttp(async (client) => {
    const { data } = await called(client, "run", { config: TALK, wait: true });
    const { id } = data;
    assert.equal(data.status, "waiting");
    assert.deepEqual(data.waitingFor, [{ participant: "p-fdee430d", turn: "turn-1/p-fdee430d" }]);
    await called(client, "say", { id, text: "A teacher listens first." });
    const again = (await called(client, "resume", { id, wait: true })).data;
    assert.deepEqual([again.status, again.waitingFor], [
      "waiting",
      [{ participant: "p-fdee430d", turn: "turn-3/p-fdee430d" }],
    ]);
    const mine = { id, participant: "p-fdee430d", text: "A teacher also laughs." };
    assert.equal((await called(client, "say", mine)).data.participant, "p-fdee430d");
    const end = (await called(client, "resume", { id, wait: true })).data;
    assert.deepEqual([end.status, end.messages], ["completed", 3]);
  });
});

Deno.test("mcp: a debate over papers whose question was picked goes on, and is not waiting", async () => {
  await withHttp(async (client) => {
    const config = { kind: "paper-debate", pick: "ask", seed: 1 };
    const text = "Streets with trees were cooler at noon than streets without any trees.";
    const given = { config, papers: [{ title: "Trees", text }], wait: true };
    const { id, status, waitingFor: waited } = (await called(client, "run", given)).data;
    assert.deepEqual([status, waited], ["waiting", [{ participant: "reader", turn: "pick" }]]);
    await called(client, "say", { id, text: "1" });
    const seen: unknown[] = [];
    const args = { name: "resume", arguments: { id, wait: true } };
    const { structuredContent } = await client.callTool(args, {
      onprogress: ({ message }) => seen.push(message),
    });
    assert.equal(Object(structuredContent).status, "completed");
    assert.equal(seen[0], `convening ${id}: it continues if you stop waiting`);
  });
});

Deno.test("mcp: a client that stops waiting knows the id by then, and the run continues", async () => {
  await withHttp(async (client) => {
    const left = new AbortController();
    const told = Promise.withResolvers<string>();
    const config = { ...TALK, participants: [{ name: "Ada" }, { name: "Ben" }], maxTurns: 400 };
    const call = client.callTool({ name: "run", arguments: { config, wait: true } }, {
      signal: left.signal,
      onprogress: ({ message = "" }) => told.resolve(message),
    });
    const [, id = ""] = /^convening (\S+): it continues/.exec(await told.promise) ?? [];
    left.abort("enough");
    await assert.rejects(call);
    const { data } = await called(client, "status", { id });
    assert.equal(data.status, "running");
    await called(client, "stop", { id });
    assert.equal((await called(client, "status", { id })).data.status, "stopped");
  });
});
