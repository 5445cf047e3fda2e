// Server of the viewer with offline models, for tests in a browser.
import { listen, socketUpgrade } from "../../../src/cli/listen.ts";
import { Catalogue } from "../../../src/compose.ts";
import { createApp } from "../../../src/server/server.ts";
import { folderShelf } from "../../../src/inputs/folder_shelf.ts";
import { conveningPool } from "../../../src/operations/client_runs.ts";
import type { RunPool } from "../../../src/operations/run_pool.ts";
import { isNewPort } from "../../support/local_server.ts";
import { Gate, gatedAgent } from "./gate.ts";

/** A server with its archive. */
export interface Viewer {
  /** Base URL without a trailing slash. */
  readonly url: string;
  /** Gate of the debates' turns. */
  readonly gate: Gate;
  /** Pool of the server's runs. */
  readonly pool: RunPool;
  /** Archive folder. */
  readonly out: string;
}

const IDS = [
  "moderator",
  "advocate-a",
  "advocate-b",
  "judge",
  "questioner",
  "debater-a",
  "debater-b",
  "debater-c",
  "reporter",
];

/** Options of {@linkcode withViewer}. */
export interface ViewerOptions {
  readonly maxRunning?: number | undefined;
  /** Base path of the server's URLs. @default none */
  readonly basePath?: string | undefined;
}

/** Listens on a port that no earlier server had: the browser keeps drafts of a server's pages by the server's origin. */
async function listenAnew(handler: Parameters<typeof listen>[0]): ReturnType<typeof listen> {
  const server = await listen(handler, { port: 0, hostname: "127.0.0.1" });
  if (isNewPort(server.port)) return server;
  try {
    return await listenAnew(handler);
  } finally {
    await server.close();
  }
}

/** Calls `work` with a server on a free port and closes it afterwards. */
export async function withViewer(
  work: (viewer: Viewer) => Promise<void>,
  { maxRunning, basePath = "" }: ViewerOptions = {},
): Promise<void> {
  const out = await Deno.makeTempDir({ prefix: "viewer-" });
  const gate = new Gate();
  const agent = gatedAgent(gate);
  const agents = Object.fromEntries(IDS.map((id) => [id, agent]));
  const pool = conveningPool({ out, maxRunning, compose: { agents, env: () => undefined } });
  const streams = new AbortController();
  const app = createApp({
    out,
    pool,
    // Studies take their models by name.
    catalogue: new Catalogue({ agents: { gated: () => agent } }),
    papers: folderShelf(out),
    models: { model: "offline", env: () => undefined },
    signal: streams.signal,
    readOnly: false,
  }, { basePath, upgradeWebSocket: await socketUpgrade() });
  const server = await listenAnew(async (request, connection) => {
    const response = await app.fetch(request, connection);
    // Each page asks whether eight files are still the same, which they are during a test.
    if (request.url.includes("/static/")) response.headers.set("cache-control", "max-age=600");
    return response;
  });
  try {
    await work({ url: `http://127.0.0.1:${server.port}${basePath}`, gate, pool, out });
  } finally {
    gate.open();
    streams.abort("the test is over");
    await pool.close();
    await server.close();
    await Deno.remove(out, { recursive: true });
  }
}
