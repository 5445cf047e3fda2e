import assert from "node:assert/strict";
import { join } from "@std/path";
import {
  type CallToolResult,
  Client,
  StreamableHTTPClientTransport,
} from "@modelcontextprotocol/client";
import project from "../../../deno.json" with { type: "json" };
import type { McpArchiveServer } from "../../../src/mcp/mod.ts";
import { createServer } from "../../../src/server/server.ts";
import type { SecurityOptions } from "../../../src/server/access.ts";
import { ROOT } from "../../support/deno_process.ts";
import { taskFlags, withFolder } from "../../support/cli.ts";
import { ProcessTransport } from "./process_transport.ts";
import { MODEL, startSpeaker } from "../../support/speaking_model.ts";

/** What a test does with a client. */
export type Use = (client: Client, out: string) => Promise<void>;

/** The flags of the task that only reads, as users get them. */
export function readFlags(): string[] {
  const words = project.tasks["mcp:read"].command.split(" ");
  return words.slice(2, words.indexOf("src/cli/main.ts"));
}

/** Which process a client talks to. */
interface StdioOptions {
  /** The archive. */
  readonly out: string;
  /** Where the process stands: it may write there alone. */
  readonly folder: string;
  /** Whether it is the task that only reads. @default false */
  readonly isReading?: boolean;
  /** @default the current line's, without capabilities */
  readonly client?: Client;
}

function newClient(): Client {
  return new Client({ name: "test", version: "1" });
}

/** A client of a process that serves an archive over standard input and output, with a task's permissions. */
export async function withStdio(
  { out, folder, isReading = false, client = newClient() }: StdioOptions,
  use: (client: Client, transport: ProcessTransport) => Promise<void>,
): Promise<void> {
  const flags = isReading ? readFlags() : taskFlags("convenings");
  await using speaker = await startSpeaker();
  const given = isReading ? ["--read-only"] : ["--model", MODEL, "--base-url", speaker.url];
  const main = join(ROOT, "src/cli/main.ts");
  const transport = new ProcessTransport(
    ["run", ...flags, main, "mcp", ...given, "--out", out],
    folder,
  );
  try {
    await client.connect(transport);
    await use(client, transport);
  } finally {
    await transport.close();
  }
  assert.deepEqual(transport.strays, []);
}

/** A client of a server, without a port. */
export async function connected({ fetch }: Pick<McpArchiveServer, "fetch">): Promise<Client> {
  const client = newClient();
  const transport = new StreamableHTTPClientTransport(new URL("http://127.0.0.1/mcp"), {
    fetch: (url, init) => fetch(new Request(url, init)),
  });
  await client.connect(transport);
  return client;
}

/** A client of a server at a free port of this machine. */
export async function withHttp(
  use: Use,
  { token, client = newClient(), ...more }:
    & SecurityOptions
    & Pick<StdioOptions, "client">
    & { readonly out?: string } = {},
): Promise<void> {
  const serve = async (out: string) => {
    await using speaker = await startSpeaker();
    const models = { model: MODEL, baseUrl: speaker.url };
    const server = createServer({ out, models, token, ...more });
    const listener = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, server.fetch);
    try {
      const url = new URL(`http://127.0.0.1:${listener.addr.port}/mcp`);
      const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
      await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
      await use(client, out);
    } finally {
      await client.close();
      await server.close();
      await listener.shutdown();
    }
  };
  const { out } = more;
  if (out === undefined) await withFolder(serve);
  else await serve(out);
}

/** What a tool gave; fails where that is an error. */
export async function called(
  client: Client,
  name: string,
  args: Record<string, unknown> = {},
): Promise<Given> {
  const result = await client.callTool({ name, arguments: args });
  assert.notEqual(result.isError, true, JSON.stringify(result.content));
  return givenBy(result);
}

/** The error a tool gave; fails where it is none. */
export async function refusedBy(
  client: Client,
  name: string,
  args: Record<string, unknown> = {},
): Promise<Record<string, unknown>> {
  const result = await client.callTool({ name, arguments: args });
  assert.equal(result.isError, true, JSON.stringify(result.content));
  const { error } = givenBy(result).data;
  assert.ok(typeof error === "object" && error !== null);
  return Object.fromEntries(Object.entries(error));
}

/** A tool's result, taken apart. */
export interface Given {
  /** Structured content without what is untrusted. */
  readonly data: Record<string, unknown>;
  /** What is untrusted, as structured content has it. */
  readonly untrusted: unknown;
  /** The blocks of text. */
  readonly texts: readonly string[];
}

function givenBy({ structuredContent, content }: CallToolResult): Given {
  assert.ok(typeof structuredContent === "object" && structuredContent !== null);
  const { untrusted, ...data } = Object.fromEntries(Object.entries(structuredContent));
  const texts = content.map((block) => block.type === "text" ? block.text : "");
  const { messages: _, ...others } = data;
  const said = JSON.parse(texts[0]!);
  // The lines over messages say what the rows of messages do.
  assert.deepEqual(said, "messages" in said ? data : others);
  return { data, untrusted, texts };
}
