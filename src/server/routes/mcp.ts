import type { Hono } from "hono";
import type { McpEndpoint } from "../../mcp/http.ts";
import type { ServerContext } from "../context.ts";
import { conveningDir } from "../convening_dir.ts";

/** `/mcp`: the archive as an MCP server, over streamable HTTP. */
export function mcpRoutes(app: Hono, { out, pool, papers, models, signal }: ServerContext): void {
  let endpoint: Promise<McpEndpoint> | undefined;
  const opened = async (): Promise<McpEndpoint> => {
    const { createMcpEndpoint } = await import("../../mcp/http.ts");
    const opened = createMcpEndpoint({
      out,
      dirOf: (id) => conveningDir(out, id),
      runs: { pool, models, paper: (id) => papers.get(id), signal },
    });
    signal.addEventListener("abort", () => void opened.close(), { once: true });
    return opened;
  };
  app.post("/mcp", async ({ req }) => await (await (endpoint ??= opened())).answer(req.raw));
}
