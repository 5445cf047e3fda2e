// Server of an archive for clients of HTTP and MCP.
import { createServer, type ServerOptions } from "../../../src/server/server.ts";
import { connected } from "../../mcp/support/mcp_client.ts";

type Json = Readonly<Record<string, unknown>>;

/** Requests to a server over HTTP and MCP. */
export interface Served {
  /** Returns the JSON at a path; posts `body` if given. */
  at(path: string, body?: unknown): ReturnType<Response["json"]>;
  /** Returns the status of a POST request. */
  status(path: string, body: unknown): Promise<number>;
  /** Returns the text at a path. */
  text(path: string): Promise<string>;
  /** Calls an MCP tool; returns its data or its error. */
  call(name: string, args?: Json): Promise<Json>;
}

/** Calls `use` with a server without API keys. */
export async function served(
  options: Pick<ServerOptions, "out" | "library" | "onUnexpected">,
  use: (server: Served) => Promise<void>,
): Promise<void> {
  const server = createServer({ ...options, models: { env: () => "" } });
  const client = await connected(server);
  const send = async (path: string, body?: unknown) =>
    await server.fetch(
      new Request(`http://localhost/api/${path}`, {
        ...body === undefined ? {} : { method: "POST", body: JSON.stringify(body) },
        headers: { "content-type": "application/json" },
      }),
    );
  try {
    await use({
      at: async (path, body) => await (await send(path, body)).json(),
      status: async (path, body) => (await send(path, body)).status,
      text: async (path) => await (await send(path)).text(),
      call: async (name, args = {}) => {
        const { content: [block] } = await client.callTool({ name, arguments: { ...args } });
        return block?.type === "text" ? JSON.parse(block.text) : {};
      },
    });
  } finally {
    await client.close();
    await server.close();
  }
}
