import type { Hono } from "hono";
import type { McpEndpoint } from "../../mcp/http.ts";
import type { ServerContext } from "../../operations/server_context.ts";
import { conveningDir } from "../../operations/convening_dir.ts";

/** `/mcp`: the archive as an MCP server, over streamable HTTP. */
export function mcpRoutes(app: Hono, server: ServerContext): void {
  const { out, signal } = server;
  let endpoint: Promise<McpEndpoint> | undefined;
  const opened = async (): Promise<McpEndpoint> => {
    const { createMcpEndpoint } = await import("../../mcp/http.ts");
    const opened = createMcpEndpoint({
      out,
      dirOf: (id) => conveningDir(out, id),
      runs: server,
      catalogue: server.catalogue,
    });
    signal.addEventListener("abort", () => void opened.close(), { once: true });
    return opened;
  };
  app.post("/mcp", async ({ req }) => await (await (endpoint ??= opened())).answer(req.raw));
}
