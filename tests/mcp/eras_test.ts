// Revisions of the protocol, by the official clients of two lines: prompts, changes of lists, and turns of people.
import assert from "node:assert/strict";
import { join } from "@std/path";
import { Client } from "@modelcontextprotocol/client";
import { Client as FormerClient } from "@modelcontextprotocol/sdk/client/index.js";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { withFolder } from "../support/cli.ts";
import { called, withHttp, withStdio } from "./support/mcp_client.ts";

const TALK = {
  kind: "dialogue",
  topic: "What makes a good teacher of small children?",
  participants: [{ id: "ada", name: "Ada", model: "human" }, { id: "ben", name: "Ben" }],
  maxTurns: 3,
  seed: 1,
};

/** Questions that a client's person was asked, and the first change of the list. */
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
  // Both have the methods that are called here.
  return client as unknown as Client;
}

const CLIENTS: Readonly<Record<string, (heard: Heard) => Client>> = {
  "of the current revision": (heard) => currentClient("auto", heard),
  "of the revision before": (heard) => currentClient("legacy", heard),
  "of the line 1.x": formerClient,
};

for (const [name, make] of Object.entries(CLIENTS)) {
  for (const door of ["stdio", "http"] as const) {
    Deno.test(`mcp: a client ${name} over ${door} has prompts, hears of changes, and asks people`, async () => {
      const heard: Heard = { messages: [], changed: Promise.withResolvers() };
      const client = make(heard);
      // Without a session nothing can be asked of a client, or sent to it.
      const hasStream = door === "stdio" || name === "of the current revision";
      const use = async () => {
        assert.equal(client.getServerCapabilities()?.resources?.listChanged, hasStream);
        const { prompts } = await client.listPrompts();
        assert.deepEqual(prompts.map(({ name }) => name), ["debate", "brief", "compare"]);
        const given = { name: "debate", arguments: { topic: 'Is "free" tuition fair?' } };
        const { messages: [prompt] } = await client.getPrompt(given);
        assert.match(JSON.stringify(prompt), /Is .{0,4}free.{0,4} tuition fair\?/);
        const { data } = await called(client, "run", { config: TALK, wait: true });
        assert.equal(data.status, hasStream ? "completed" : "waiting");
        assert.equal(heard.messages.length, hasStream ? 2 : 0);
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
