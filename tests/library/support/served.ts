import { createServer, type ServerOptions } from "../../../src/server/server.ts";
import { connected } from "../../mcp/support/mcp_client.ts";

type Json = Readonly<Record<string, unknown>>;

/** A server of an archive as its clients see it. */
export interface Served {
  /** The JSON of a path over HTTP; with a body it is posted. */
  at(path: string, body?: unknown): ReturnType<Response["json"]>;
  /** The status of such an answer. */
  status(path: string, body: unknown): Promise<number>;
  /** The text of an answer. */
  text(path: string): Promise<string>;
  /** The structured content of a tool of MCP. */
  call(name: string, args?: Json): Promise<Json>;
}

/** Runs `use` with a server without keys. */
export async function served(
  options: Pick<ServerOptions, "out" | "library">,
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
      call: async (name, args = {}) =>
        Object((await client.callTool({ name, arguments: { ...args } })).structuredContent),
    });
  } finally {
    await client.close();
    await server.close();
  }
}
