// MCP over standard input and output: processes, shutdown, the read-only task.
import assert from "node:assert/strict";
import { Client, type ListToolsResult } from "@modelcontextprotocol/client";
import { join } from "@std/path";
import { createMcpServer } from "../../src/mcp/mod.ts";
import { longRecord } from "./support/long_record.ts";
import {
  called,
  connected,
  DEBATE,
  readFlags,
  refusedBy,
  TALK,
  withHttp,
  withStdio,
} from "./support/mcp_client.ts";
import { ProcessTransport } from "./support/process_transport.ts";
import { jsonOf, namesIn, withFolder } from "../support/cli.ts";
import { ROOT } from "../support/deno_process.ts";
import { blocksOf } from "../support/readme_commands.ts";
import { ran } from "../support/run_main.ts";
import { MODEL } from "../support/speaking_model.ts";

const GOLDEN = join(ROOT, "tests/golden/doors/tools.json");

/** Returns the names of the golden tools that only read. */
async function readingTools(): Promise<string[]> {
  const { tools }: ListToolsResult = JSON.parse(await Deno.readTextFile(GOLDEN));
  return tools.filter(({ annotations }) => annotations?.readOnlyHint).map(({ name }) => name);
}

for (const by of ["input", "SIGTERM"] as const) {
  withFolder.test(`mcp: a run is interrupted and resumable when ${by} ends the server`, async (folder) => {
    const out = join(folder, "convenings");
    let id: unknown;
    await withStdio({ out, folder }, async (client, transport) => {
      const config = { ...DEBATE, roundCount: 500 };
      ({ data: { id } } = await called(client, "run", { config }));
      const { code, errors } = await transport.ended(by);
      assert.equal(code, by === "input" ? 0 : 130);
      assert.doesNotMatch(errors, /rror/);
    });
    await withHttp(async (client) => {
      const { status, messages } = (await called(client, "status", { id })).data;
      assert.equal(status, "interrupted");
      assert.equal((await called(client, "verify", { id })).data.sound, true);
      const limits = { maxTurns: Number(messages) + 6 };
      const { data } = await called(client, "resume", { id, limits, wait: true });
      assert.equal(data.status, "stopped");
      assert.ok(Number(data.messages) > Number(messages));
    }, { out });
  });
}

withFolder.test("mcp: a request after a byte order mark or blank lines, or with null for its parameters, is answered, also in two pieces; a message that is too large ends the server with an error", async (folder) => {
  await withStdio({ out: join(folder, "convenings"), folder }, async (_client, transport) => {
    const sent: [before: string, method: string, params: object | null][] = [
      ["\ufeff", "ping", {}],
      ["\r\n\n", "ping", {}],
      ["", "tools/list", null],
      ["", "tools/list", { _meta: null }],
      ["", "tools/call", { name: "list", arguments: { cursor: null }, _meta: null }],
    ];
    for (const [id, [before, method, params]] of sent.entries()) {
      const { promise, resolve } = Promise.withResolvers<unknown>();
      transport.onmessage = resolve;
      const request = { jsonrpc: "2.0", id: 100 + id, method, params };
      await transport.write(`${before}${JSON.stringify(request)}\r\n`);
      const { id: answered, result } = Object(await promise);
      assert.deepEqual([answered, result?.isError], [100 + id, undefined], JSON.stringify(request));
      assert.ok(result);
    }
    const ids: unknown[] = [];
    const { promise, resolve } = Promise.withResolvers<void>();
    transport.onmessage = (message) => {
      if (ids.push(Object(message).id) === 2) resolve();
    };
    const ping = JSON.stringify({ jsonrpc: "2.0", id: 200, method: "ping" });
    const list = JSON.stringify({ jsonrpc: "2.0", id: 201, method: "tools/list", params: null });
    await transport.write(`${ping}\n${list.slice(0, -6)}`);
    await transport.write(`${list.slice(-6)}\n`);
    await promise;
    assert.deepEqual(ids, [200, 201]);
    await transport.send({ jsonrpc: "2.0", method: "a".repeat(8_100_000) });
    const { code, errors } = await transport.ended("input");
    assert.equal(code, 1);
    assert.match(errors, /Cannot read a message: it has more than 8,000,000 bytes\n/);
  });
});

withFolder.test("mcp --read-only, as started by the guide's configuration block, has only tools that read and needs no permission to write or for the network", async (folder) => {
  assert.deepEqual(readFlags(), [
    "--no-prompt",
    "--allow-read",
    "--ignore-env",
    "--allow-env=INIT_CWD,NO_COLOR,TERM",
  ]);
  const guide = await Deno.readTextFile(join(ROOT, "context-network/guides/mcp.md"));
  const [block = ""] = blocksOf(guide, "jsonc");
  const { command, args } = JSON.parse(block).mcpServers.convenings;
  assert.deepEqual([command, ...args.slice(0, 2)], ["npx", "-y", `deno@${Deno.version.deno}`]);
  const dir = await longRecord(folder, { messages: 4 });
  const before = await namesIn(dir);
  const places: Record<string, string> = {
    "/path/to/convenings": ROOT,
    "/path/to/archive": folder,
  };
  const words = args.slice(2).map((word: string) => places[word] ?? word);
  const transport = new ProcessTransport(words, folder);
  const client = new Client({ name: "test", version: "1" });
  await client.connect(transport);
  const { tools } = await client.listTools();
  assert.deepEqual(tools.map(({ name }) => name), await readingTools());
  assert.ok(tools.every(({ annotations }) => annotations?.readOnlyHint === true));
  const [{ id, status }] = Object((await called(client, "list")).data.convenings);
  assert.equal(status, "completed");
  for (const name of ["read_page", "read_messages", "read_scores", "verify", "status"]) {
    await called(client, name, { id });
  }
  await called(client, "read_message", { id, seq: 1 });
  await called(client, "ask", { id, question: "thing" });
  await called(client, "search", { query: "thing" });
  assert.match(client.getInstructions() ?? "", /This server only reads/);
  const run = client.callTool({ name: "run", arguments: { config: DEBATE } });
  await assert.rejects(run, /run disabled/);
  await transport.close();
  assert.deepEqual(transport.strays, []);
  assert.deepEqual(await namesIn(dir), before);
});

withFolder.test("mcp --read-only rejects a model: no model is called", async (folder) => {
  const end = await ran(["mcp", "--read-only", "--model", MODEL, "--json"], { folder }, 2);
  const { code, field } = Object(jsonOf(end)["error"]);
  assert.deepEqual([code, field], ["config_invalid", "--model"]);
  assert.deepEqual(await namesIn(folder), []);
});

withFolder.test("mcp --read-only distinguishes an interrupted convening from a running one", async (folder) => {
  const out = join(folder, "convenings");
  const dir = await longRecord(out, { messages: 2 });
  const path = join(dir, "metadata.md");
  const text = await Deno.readTextFile(path);
  await Deno.writeTextFile(path, text.replace(/^status: completed$/m, "status: running"));
  const client = await connected(createMcpServer({ out, readOnly: true }));
  const [{ id, status }] = Object((await called(client, "list")).data.convenings);
  assert.equal(status, "interrupted");
  assert.equal((await called(client, "status", { id })).data.status, "interrupted");
  const wanted = (await called(client, "list", { status: "running" })).data.convenings;
  assert.deepEqual(wanted, []);
  await client.close();
});

withFolder.test("mcp: invalid input is an error with a code, and the server continues", async (folder) => {
  const out = join(folder, "convenings");
  const id = (await longRecord(out, { messages: 2 })).split("/").at(-1);
  await withHttp(async (client) => {
    const refused: [string, Record<string, unknown>, string, string][] = [
      ["status", { id: "../../etc" }, "not_found", "id"],
      ["status", {}, "config_invalid", "id"],
      ["status", { id, more: 1 }, "config_invalid", "more"],
      ["list", { cursor: "none" }, "config_invalid", "cursor"],
      ["list", { limit: 0 }, "config_invalid", "limit"],
      ["read_page", { id, page: "../index.md" }, "not_found", "page"],
      ["read_page", { id, offset: 1e6 }, "config_invalid", "offset"],
      ["read_message", { id, seq: 3 }, "not_found", "seq"],
      ["read_scores", { id, cursor: "none" }, "config_invalid", "cursor"],
      ["ask", { id, question: " " }, "config_invalid", "question"],
      ["search", { query: "" }, "config_invalid", "query"],
      ["run", { config: { kind: "quarrel", topic: DEBATE.topic } }, "config_invalid", "kind"],
      ["run", { config: { kind: "debate", topic: "Hm" } }, "topic_refused", "topic"],
      ["run", { config: { ...DEBATE, rounds: 2 } }, "config_invalid", "rounds"],
      ["fork", { id, at: 9 }, "config_invalid", "at"],
      ["run", { config: { kind: "paper-debate", paperIds: ["none"] } }, "not_found", "paperIds"],
      ["run", { config: { ...DEBATE, model: "anthropic:m" } }, "config_invalid", "model"],
      ["run", { config: DEBATE, papers: [{ text: "It holds." }] }, "config_invalid", "papers"],
      ["study_status", { id: "none" }, "not_found", "id"],
    ];
    const hints = new Map<string, string>();
    for (const [name, args, code, field] of refused) {
      const error = await refusedBy(client, name, args);
      assert.deepEqual([name, error.code, error.field], [name, code, field]);
      assert.ok(typeof error.hint === "string" && !JSON.stringify(error).includes(folder), name);
      hints.set(`${name} ${field}`, error.hint);
      if (code === "not_found" && field === "id") {
        assert.match(error.hint, name.includes("study") ? /^list_studies lists/ : /^list lists/);
      }
    }
    const beside = await refusedBy(client, "run", { ...DEBATE, limits: { maxCost: 1 } });
    assert.match(String(beside.hint), /^kind, topic, roundCount, seed: Give it in config\.\n/);
    assert.match(hints.get("run model")!, /Set ANTHROPIC_API_KEY.* Or give the model "client"/);
    assert.match(hints.get("run papers")!, /kind paper-debate/);
    const topics = [{ id: "cars", topic: DEBATE.topic }];
    const study = { study: "cars", base: { kind: "debate" }, topics };
    const places: [Record<string, unknown>, RegExp][] = [
      [study, /^base: Give it in study\.\ntopics: Give it in study\. /],
      [{ study, seeds: 2 }, /^Give it in study\. /],
      [
        { study: { ...study, roundCount: 1, maxCost: 3 } },
        /^r.*: Give it in base\.\nm.* in limits\. /,
      ],
      [{ study: { ...study, base: { ...study.base, seeds: 2 } } }, /^Give seeds beside base\.$/],
      [{ study: { ...study, base: undefined } }, /^Give the kind and the settings/],
    ];
    for (const [args, hint] of places) {
      assert.match(String((await refusedBy(client, "run_study", args)).hint), hint);
    }
    await assert.rejects(client.readResource({ uri: `convening://${id}/..%2Findex.md` }));
    await assert.rejects(client.readResource({ uri: "convening://none/index.md" }), /Cannot find/);
  }, { out });
});

withHttp.test("mcp: run and resume with wait return each time a person's turn is pending", async (client) => {
  const { data, untrusted } = await called(client, "run", { config: TALK, wait: true });
  const { id } = data;
  // Data name the participants by hashes; their names are among the words.
  const ada = { of: "name of p-fdee430d", text: "Ada" };
  assert.deepEqual(Object(untrusted).words, [ada]);
  assert.deepEqual([data.status, data.outcome], ["waiting", null]);
  assert.equal((await called(client, "status", { id })).data.outcome, null);
  assert.deepEqual(data.waitingFor, [{ participant: "p-fdee430d", turn: "turn-1/p-fdee430d" }]);
  await called(client, "say", { id, text: "A teacher listens first." });
  const again = (await called(client, "resume", { id, wait: true })).data;
  assert.deepEqual([again.status, again.waitingFor], [
    "waiting",
    [{ participant: "p-fdee430d", turn: "turn-3/p-fdee430d" }],
  ]);
  const mine = { id, participant: "p-fdee430d", text: "A teacher also laughs." };
  assert.equal((await called(client, "say", mine)).data.participant, "p-fdee430d");
  const { data: end, ...said } = await called(client, "resume", { id, wait: true });
  assert.deepEqual([end.status, end.messages, end.outcome], ["completed", 3, "unscored"]);
  const [first, second] = Object(said.untrusted).words;
  assert.deepEqual([first, second.text], [ada, "Ben"]);
});

withHttp.test("mcp: status expects no more messages than the limit on turns allows, after a resume the new ones", async (client) => {
  const { kind: _kind, ...talk } = DEBATE;
  const people = { participants: [{ name: "Ada" }, { name: "Ben" }], roundCount: undefined };
  const cases = [
    [DEBATE, 3],
    [{ ...talk, ...people, kind: "consensus" }, 3],
    [{ ...talk, ...people, kind: "dialogue", maxTurns: 3 }, 3],
  ] as const;
  for (const [given, more] of cases) {
    const config = { ...given, model: "offline", limits: { maxTurns: 2 } };
    const { data: { id, endReason } } = await called(client, "run", { config, wait: true });
    assert.equal(endReason, "max_turns");
    const status = async () => (await called(client, "status", { id })).data;
    assert.equal((await status()).expectedMessages, 2);
    await called(client, "resume", { id, limits: { maxTurns: more }, wait: true });
    const { messages, expectedMessages } = await status();
    assert.deepEqual([messages, expectedMessages], [more, more]);
  }
});

withHttp.test("mcp: words that a guard rejects wait again with the reason, as untrusted words", async (client) => {
  const config = { ...TALK, words: { min: 200, max: 300 }, guards: { length: "reject" } };
  const { data: { id } } = await called(client, "run", { config, wait: true });
  await called(client, "say", { id, text: "Too short." });
  const again = await called(client, "resume", { id, wait: true });
  for (const { data, untrusted } of [again, await called(client, "status", { id })]) {
    assert.deepEqual(data.waitingFor, [{ participant: "p-fdee430d", turn: "turn-1/p-fdee430d" }]);
    const { of, text } = Object(untrusted).words[1];
    assert.equal(of, "waitingFor.0.rejected");
    assert.match(text, /^The reply had 2 words/);
  }
});

withHttp.test("mcp: a client that cancels its wait already has the id, and the run continues", async (client) => {
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
