import { serveStdio, StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import { createConveningServer } from "./convening_server.ts";
import type { McpContext } from "./mcp_context.ts";

/**
 * Serves one client over standard input and output, on which nothing else may be written. Resolves once the client has
 * gone, or `signal` aborts; runs go on until their pool is closed.
 */
export async function serveOverStdio(context: McpContext, signal: AbortSignal): Promise<void> {
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  const transport = new StdioServerTransport();
  const handle = serveStdio(() => createConveningServer(context), { transport });
  const { onclose } = transport;
  transport.onclose = () => {
    onclose?.();
    resolve();
  };
  const stop = () => void handle.close().finally(resolve);
  signal.addEventListener("abort", stop, { once: true });
  if (signal.aborted) stop();
  await ended;
  signal.removeEventListener("abort", stop);
}
