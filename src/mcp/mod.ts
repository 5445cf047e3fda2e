/**
 * MCP server of an archive, for programs that serve language models themselves.
 *
 * @module
 */
import { z } from "zod";
import { checkFields } from "../core/check_fields.ts";
import type { ServerModels } from "../core/key_rules.ts";
import { ARCHIVE_OPTIONS, archiveContext, type ArchiveOptions } from "../operations/client_runs.ts";
import type { McpEndpoint } from "./convening_server.ts";

export type { ArchiveOptions } from "../operations/client_runs.ts";

/** Options of {@linkcode createMcpServer}; with `readOnly` only tools that read are offered. */
export interface McpServerOptions extends ArchiveOptions {}

/** Addresses of models. */
export type McpModels = ServerModels;

/** An MCP server of an archive. */
export interface McpArchiveServer {
  /**
   * Answers one request of MCP over streamable HTTP, from any number of clients. Checks neither a token nor the `Host`
   * header: the caller must, as the server of `./server` does.
   */
  readonly fetch: (request: Request) => Promise<Response>;
  /**
   * Serves one client over standard input and output; no other code may write to standard output. Resolves when the client
   * disconnects or `signal` aborts. Fails with `too_large` for a message of over 8 MB.
   */
  serveStdio(options?: { readonly signal?: AbortSignal | undefined }): Promise<void>;
  /** Aborts requests and runs; the runs can be resumed. Resolves after the locks of all records are released. */
  close(): Promise<void>;
}

/**
 * Creates the MCP server of an archive: tools and resources that read convenings and, unless `readOnly`, run them. Throws
 * a `ConfigurationError` for an unknown option or a value that is not allowed.
 *
 * @example
 * ```ts
 * import { createMcpServer } from "@convenings/convenings/mcp";
 *
 * const server = createMcpServer({ out: "/tmp/convenings-example", readOnly: true });
 * const answer = await server.fetch(
 *   new Request("http://localhost/mcp", {
 *     method: "POST",
 *     headers: {
 *       "content-type": "application/json",
 *       accept: "application/json, text/event-stream",
 *     },
 *     body: JSON.stringify({
 *       jsonrpc: "2.0",
 *       id: 1,
 *       method: "initialize",
 *       params: {
 *         protocolVersion: "2025-06-18",
 *         capabilities: {},
 *         clientInfo: { name: "example", version: "1" },
 *       },
 *     }),
 *   }),
 * );
 * console.assert((await answer.text()).includes('"name":"convenings"'));
 * await server.close();
 * ```
 */
export function createMcpServer(options: McpServerOptions): McpArchiveServer {
  checkFields(options, z.strictObject(ARCHIVE_OPTIONS), "options of createMcpServer");
  const ends = new AbortController();
  const context = archiveContext(options, ends.signal);
  let endpoint: Promise<McpEndpoint> | undefined;
  const opened = async () => (await import("./convening_server.ts")).createMcpEndpoint(context);
  return {
    fetch: async (request) => await (await (endpoint ??= opened())).answer(request),
    async serveStdio({ signal } = {}) {
      const { serveOverStdio } = await import("./convening_server.ts");
      await serveOverStdio(context, AbortSignal.any([ends.signal, ...signal ? [signal] : []]));
    },
    async close() {
      ends.abort("the server is ending");
      await (await endpoint)?.close();
      await context.pool.close();
    },
  };
}
