/**
 * The MCP server of an archive, for programs that serve language models themselves.
 *
 * @module
 */
export { createMcpServer } from "./archive_server.ts";
export type { McpArchiveServer, McpModels, McpServerOptions } from "./archive_server.ts";
