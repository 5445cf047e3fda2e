// Both protocol revisions, through the official clients of both lines: prompts, changes of lists, people's turns.
import assert from "node:assert/strict";
import { Client } from "@modelcontextprotocol/client";
import { Client as FormerClient } from "@modelcontextprotocol/sdk/client/index.js";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { join } from "@std/path";
import { z } from "zod";
import { loadTokenCounter } from "../../src/core/tokens.ts";
import { OPERATIONS } from "../../src/operations/table.ts";
import { shortRecords } from "./support/long_record.ts";
import { called, refusedBy, TALK, withHttp, withServer, withStdio } from "./support/mcp_client.ts";
import { withFolder } from "../support/cli.ts";

/** Questions to the client's person, and the first change of the list. */
interface Heard {
  readonly messages: string[];
  readonly changed: PromiseWithResolvers<void>;
}

const NAME = { name: "test", version: "1" };
const ANSWER = (message: string, { messages }: Heard) => {
  messages.push(message);
  const content = { text: `A teacher listens, ${messages.length}.` };
  return { action: "accept" as const, content };
};
const OPTIONS = ({ changed }: Heard) => ({
  capabilities: { elicitation: { form: {} } },
  listChanged: {
    resources: { autoRefresh: false, debounceMs: 0, onChanged: () => changed.resolve() },
  },
});

function currentClient(mode: "auto" | "legacy", heard: Heard): Client {
  const client = new Client(NAME, { ...OPTIONS(heard), versionNegotiation: { mode } });
  client.setRequestHandler("elicitation/create", ({ params }) => ANSWER(params.message, heard));
  return client;
}

function formerClient(heard: Heard): Client {
  const client = new FormerClient(NAME, OPTIONS(heard));
  type Asked = { readonly params: { readonly message: string } };
  client.setRequestHandler(
    ElicitRequestSchema,
    ({ params }: Asked) => ANSWER(params.message, heard),
  );
  // The methods used here are the same in both lines.
  return client as unknown as Client;
}

const CLIENTS: Readonly<Record<string, (heard: Heard) => Client>> = {
  "of the current revision": (heard) => currentClient("auto", heard),
  "of the revision before": (heard) => currentClient("legacy", heard),
  "of the line 1.x": formerClient,
};

for (const [name, make] of Object.entries(CLIENTS)) {
  for (const door of ["stdio", "http"] as const) {
    // Over HTTP such a client gets what a client of the line 1.x gets.
    if (door === "http" && name === "of the revision before") continue;
    Deno.test(`mcp: a client ${name} over ${door} has prompts, receives errors and changes, and asks people`, async () => {
      const heard: Heard = { messages: [], changed: Promise.withResolvers() };
      const client = make(heard);
      // Without a session the server can neither ask a client nor notify it.
      const hasStream = door === "stdio" || name === "of the current revision";
      const use = async () => {
        assert.equal(client.getServerCapabilities()?.resources?.listChanged, hasStream);
        const { prompts } = await client.listPrompts();
        assert.deepEqual(prompts.map(({ name }) => name), ["debate", "brief", "compare"]);
        for (const { name, arguments: taken = [] } of prompts) {
          const args = Object.fromEntries(taken.map(({ name }) => [name, `Is "${name}" fair?`]));
          const { messages: [prompt] } = await client.getPrompt({ name, arguments: args });
          const { text } = Object(prompt!.content);
          for (const each of Object.values(args)) assert.ok(text.includes(JSON.stringify(each)));
        }
        // A client that knows the output schemas checks results by them.
        await client.listTools();
        assert.equal((await refusedBy(client, "read_page", { id: "none" })).code, "not_found");
        const { data } = await called(client, "run", { config: TALK, wait: true });
        assert.equal(data.status, hasStream ? "completed" : "waiting");
        const asked =
          /^Convening \S+ waits for p-\w+ to speak: turn-(\d)\. read_messages has what was said\.$/;
        const turns = heard.messages.map((message) => asked.exec(message)?.[1]);
        assert.deepEqual(turns, hasStream ? ["1", "3"] : []);
        if (!hasStream) return;
        await heard.changed.promise;
        const { texts } = await called(client, "read_messages", { id: data.id });
        assert.match(texts[1]!, /A teacher listens, 1\.[\s\S]*A teacher listens, 2\./);
      };
      if (door === "http") await withHttp(use, { client });
      else {
        await withFolder((folder) =>
          withStdio({ out: join(folder, "convenings"), folder, client }, use)
        );
      }
    });
  }
}

Deno.test("mcp: a state that the server did not send is rejected", async () => {
  const client = currentClient("auto", { messages: [], changed: Promise.withResolvers() });
  await withHttp(async () => {
    const sent = { name: "list", arguments: {}, requestState: "{" };
    const { content } = await client.callTool(sent);
    const { error } = JSON.parse(Object(content[0]).text);
    assert.deepEqual([error.code, error.field], ["config_invalid", "state"]);
  }, { client });
});

/** Returns the paths in a tool's schema that some client or model's provider rejects. */
function foreign(node: unknown, path: string): string[] {
  const { type, anyOf, items, properties, additionalProperties = false, ...rest } = Object(node);
  const isTyped = typeof type === "string" || Array.isArray(anyOf);
  const isWhole = (type !== "array" || items !== undefined) &&
    typeof additionalProperties === "boolean";
  const others = Object.keys(rest).filter((key) => /^(?:\$|format$|pattern|exclusive)/.test(key));
  const parts = { ...properties, ...anyOf, ...items === undefined ? {} : { items } };
  return [
    ...isTyped && isWhole && others.length === 0 ? [] : [`${path} ${others}`],
    ...Object.entries(parts).flatMap(([key, part]) => foreign(part, `${path}.${key}`)),
  ];
}

withFolder.test("mcp: an operation's tool has the operation's arguments, result and hints", async (out) => {
  await withServer({ out }, async (client) => {
    const { tools } = await client.listTools();
    const rows = OPERATIONS.flatMap((row) => row.tool === undefined ? [] : [{ row, ...row.tool }]);
    assert.ok(rows.length >= 11);
    for (const { row, name = row.name, title, only, waits, names = {} } of rows) {
      const tool = tools.find((each) => each.name === name);
      assert.ok(tool !== undefined, name);
      assert.equal(tool.title, title);
      assert.equal(tool.annotations?.readOnlyHint, !row.writes);
      const args = Object.keys(tool.inputSchema.properties ?? {});
      const wanted = Object.keys(row.input.shape).map((key) => names[key] ?? key);
      assert.deepEqual(wanted.filter((key) => !args.includes(key)), []);
      assert.equal(args.includes("maxTokens"), args.includes("limit"));
      assert.equal(args.includes("wait"), waits === "if asked");
      const results = Object.keys(tool.outputSchema?.["properties"] ?? {});
      const keys = row.output instanceof z.ZodObject ? Object.keys(row.output.shape) : [];
      const given = (only ?? keys).filter((key) => key !== "links");
      if (waits === undefined) assert.deepEqual(results, [...given, "untrusted"]);
    }
    for (const { name, inputSchema } of tools) assert.deepEqual(foreign(inputSchema, name), []);
    // Every tool has an output schema, and clients pay for all of them before their first question.
    assert.deepEqual(tools.filter(({ outputSchema }) => outputSchema === undefined), []);
    const count = await loadTokenCounter();
    const tokens = tools.map((tool) => count(JSON.stringify(tool)));
    assert.ok(tokens.reduce((sum, each) => sum + each) <= 13_000, String(tokens));
  });
});

withFolder.test("mcp: rows that do not fit are left for the next page", async (out) => {
  await shortRecords(out, 30);
  await withServer({ out, readOnly: true }, async (client) => {
    const tokens = await loadTokenCounter();
    const seen = new Set<unknown>();
    let pages = 0;
    let cursor: unknown;
    do {
      const more = cursor === undefined ? {} : { cursor };
      const { data, texts } = await called(client, "list", { limit: 100, maxTokens: 600, ...more });
      assert.ok(tokens(texts.join("\n")) <= 800, String(tokens(texts.join("\n"))));
      for (const { id } of Object(data.convenings)) seen.add(id);
      cursor = data.next;
      pages++;
    } while (cursor !== null);
    assert.equal(seen.size, 30);
    assert.ok(pages > 2);
  });
});
