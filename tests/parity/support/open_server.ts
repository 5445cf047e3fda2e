// Opens the HTTP server's request handler for the parity tests, without a port.
import { join } from "@std/path";
import { conveningPool } from "../../../src/operations/client_runs.ts";
import type { RunPool } from "../../../src/operations/run_pool.ts";
import { folderShelf } from "../../../src/inputs/folder_shelf.ts";
import { createApp } from "../../../src/server/server.ts";
import type { World } from "./door.ts";

/** A request handler with its archive. */
export interface OpenServer {
  readonly fetch: (request: Request) => Promise<Response>;
  readonly pool: RunPool;
  close(): Promise<void>;
}

/** Opens a server whose models are those of the world. */
export async function openServer(
  out: string,
  { model, baseUrl, env = {} }: World,
): Promise<OpenServer> {
  await Deno.mkdir(out, { recursive: true });
  const models = { model, baseUrl, env: (name: string) => env[name] };
  const pool = conveningPool({ out, compose: { env: models.env } });
  const end = new AbortController();
  const app = createApp({
    out,
    pool,
    models,
    papers: folderShelf(out),
    signal: end.signal,
    readOnly: false,
  });
  return {
    pool,
    fetch: async (request) => await app.fetch(request),
    async close() {
      end.abort();
      await pool.close();
    },
  };
}

/** Returns the directory of a convening by its id. */
export function dirOf(out: string, id: unknown): string {
  return join(out, String(id).slice(0, 10), String(id));
}
