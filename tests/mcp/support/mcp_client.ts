// MCP clients of processes, ports and in-memory servers, and parsed results of tools.
import assert from "node:assert/strict";
import { join } from "@std/path";
import {
  type CallToolResult,
  Client,
  StreamableHTTPClientTransport,
} from "@modelcontextprotocol/client";
import project from "../../../deno.json" with { type: "json" };
import { createMcpServer, type McpArchiveServer } from "../../../src/mcp/mod.ts";
import { createServer } from "../../../src/server/server.ts";
import { ROOT } from "../../support/deno_process.ts";
import { taskFlags, withFolder } from "../../support/cli.ts";
import { ProcessTransport } from "./process_transport.ts";
import { MODEL, startSpeaker } from "../../support/speaking_model.ts";
import { testsWith } from "../../support/tests_with.ts";
import { serveLocally } from "../../support/local_server.ts";

/** A debate without a model. */
export const DEBATE = {
  kind: "debate",
  topic: "Should cities ban private cars from their centres?",
  roundCount: 1,
  seed: 1,
};
/** A dialogue of a person and the offline agent. */
export const TALK = {
  kind: "dialogue",
  topic: "What makes a good teacher of small children?",
  participants: [{ id: "ada", name: "Ada", model: "human" }, { id: "ben", name: "Ben" }],
  maxTurns: 3,
  seed: 1,
};

/** Test code that uses a client. */
export type Use = (client: Client, out: string) => Promise<void>;

/** Returns the flags of the read-only task in `deno.json`. */
export function readFlags(): string[] {
  const words = project.tasks["mcp:read"].command.split(" ");
  return words.slice(2, words.indexOf("src/cli/main.ts"));
}

/** Process that a client connects to. */
interface StdioOptions {
  /** Archive folder. */
  readonly out: string;
  /** Working directory; the only folder that the process may write. */
  readonly folder: string;
  /** @default a client of the current line without capabilities */
  readonly client?: Client;
}

function newClient(): Client {
  return new Client({ name: "test", version: "1" });
}

/** Calls `use` with a client of a process that serves an archive over standard input and output. */
export async function withStdio(
  { out, folder, client = newClient() }: StdioOptions,
  use: (client: Client, transport: ProcessTransport) => Promise<void>,
): Promise<void> {
  await using speaker = await startSpeaker();
  const program = ["run", ...taskFlags("convenings"), join(ROOT, "src/cli/main.ts"), "mcp"];
  const model = ["--model", MODEL, "--base-url", speaker.url];
  const transport = new ProcessTransport([...program, ...model, "--out", out], folder);
  try {
    await client.connect(transport);
    await use(client, transport);
  } finally {
    await transport.close();
  }
  assert.deepEqual(transport.strays, []);
}

/** Connects a client to a server's request handler, without a port. */
export async function connected(
  { fetch }: Pick<McpArchiveServer, "fetch">,
  client: Client = newClient(),
): Promise<Client> {
  const transport = new StreamableHTTPClientTransport(new URL("http://127.0.0.1/mcp"), {
    fetch: (url, init) => fetch(new Request(url, init)),
  });
  await client.connect(transport);
  return client;
}

/** Calls `use` with a client of an MCP server, without a port. */
export async function withServer(
  { client: made, ...options }:
    & Parameters<typeof createMcpServer>[0]
    & Pick<StdioOptions, "client">,
  use: (client: Client) => Promise<void>,
): Promise<void> {
  const server = createMcpServer(options);
  const client = await connected(server, made);
  try {
    await use(client);
  } finally {
    await client.close();
    await server.close();
  }
}

/** Calls `use` with a client of a server on a free local port. */
export async function withHttp(
  use: Use,
  { client = newClient(), out }: Partial<Pick<StdioOptions, "client" | "out">> = {},
): Promise<void> {
  const serve = async (out: string) => {
    await using speaker = await startSpeaker();
    const models = { model: MODEL, baseUrl: speaker.url };
    const server = createServer({ out, models });
    const listener = serveLocally(server.fetch);
    try {
      const url = new URL(`http://127.0.0.1:${listener.addr.port}/mcp`);
      await client.connect(new StreamableHTTPClientTransport(url));
      await use(client, out);
    } finally {
      await client.close();
      await server.close();
      await listener.shutdown();
    }
  };
  if (out === undefined) await withFolder(serve);
  else await serve(out);
}

withHttp.test = testsWith(withHttp);

/** Calls a tool and returns its result; throws for an error. */
export async function called(
  client: Client,
  name: string,
  args: Record<string, unknown> = {},
): Promise<Given> {
  const result = await client.callTool({ name, arguments: args });
  assert.notEqual(result.isError, true, JSON.stringify(result.content));
  return givenBy(result);
}

/** Calls a tool and returns its error; throws for a result. */
export async function refusedBy(
  client: Client,
  name: string,
  args: Record<string, unknown> = {},
): Promise<Record<string, unknown>> {
  const result = await client.callTool({ name, arguments: args });
  assert.equal(result.isError, true, JSON.stringify(result.content));
  const [block] = result.content;
  assert.ok(block?.type === "text");
  return JSON.parse(block.text).error;
}

/** Parsed result of a tool. */
export interface Given {
  /** Structured content without its untrusted part. */
  readonly data: Record<string, unknown>;
  /** Untrusted part of the structured content. */
  readonly untrusted: unknown;
  /** Text blocks. */
  readonly texts: readonly string[];
}

function givenBy({ structuredContent, content }: CallToolResult): Given {
  assert.ok(typeof structuredContent === "object" && structuredContent !== null);
  const { untrusted, ...data } = Object.fromEntries(Object.entries(structuredContent));
  const texts = content.map((block) => block.type === "text" ? block.text : "");
  const { messages: _, ...others } = data;
  const said = JSON.parse(texts[0]!);
  // Lines about messages have the data of the messages' rows.
  assert.deepEqual(said, "messages" in said ? data : others);
  return { data, untrusted, texts };
}
