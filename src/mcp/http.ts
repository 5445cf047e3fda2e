import { createMcpHandler } from "@modelcontextprotocol/server";
import { createConveningServer } from "./convening_server.ts";
import type { McpContext } from "./mcp_context.ts";

/** The most bytes of a request's body: 8 MB, room for papers. */
const MAX_BODY = 8_000_000;

/** MCP over streamable HTTP. */
export interface McpEndpoint {
  /** Answers one request; who may ask is for the caller to see to. */
  answer(request: Request): Promise<Response>;
  /** Breaks off what is being answered; runs go on until their pool is closed. */
  close(): Promise<void>;
}

/** An endpoint at which any number of clients use an archive. */
export function createMcpEndpoint(context: McpContext): McpEndpoint {
  const handler = createMcpHandler(() => createConveningServer(context), {
    maxRequestBodySize: MAX_BODY,
  });
  return { answer: (request) => handler.fetch(request), close: () => handler.close() };
}
