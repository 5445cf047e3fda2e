// `mcp`: serves an archive on standard input and output.
import { BUILT_IN } from "../../compose.ts";
import type { McpModels } from "../../mcp/archive_server.ts";
import type { CommandAction, Invocation } from "../command.ts";
import { outOf } from "../directory.ts";
import { BASE_URL, MODEL, OUT } from "../flags.ts";
import { requirePermissions } from "../permissions.ts";
import { isReadOnly, READ_ONLY } from "../serve_flags.ts";
import type { Session } from "../session.ts";
import { requireServing } from "../start.ts";

/** `mcp`. */
export const MCP: CommandAction = {
  flags: [READ_ONLY, MODEL, BASE_URL, OUT],
  async run(invocation, session) {
    const { values } = invocation;
    const out = outOf(values, session);
    const models = modelsOf(invocation, session);
    const isReading = isReadOnly(values);
    if (isReading) requirePermissions(session.io, { reads: [out] });
    else requireServing({ out, ...models }, session);
    // Only an MCP server needs what serves.
    const { createMcpServer } = await import("../../mcp/archive_server.ts");
    const server = createMcpServer({
      out,
      models,
      library: { catalogue: session.catalogue ?? BUILT_IN },
      readOnly: isReading,
    });
    await server.serveStdio({ signal: session.signal });
    await server.close();
    return { code: session.signal.aborted ? 130 : 0, json: undefined, text: "" };
  },
};

/** The models' settings; a model that cannot be used is rejected now, not when the first convening is started. */
function modelsOf({ values }: Invocation, { io, catalogue = BUILT_IN }: Session): McpModels {
  const models = { model: values.get(MODEL), baseUrl: values.get(BASE_URL), env: io.env };
  if (isReadOnly(values)) return models;
  const { model, ...settings } = models;
  catalogue.agent(model, settings);
  return models;
}
