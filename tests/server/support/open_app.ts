// Server app over a temporary archive, without a port.
import { join } from "@std/path";
import type { Hono } from "hono";
import type { Agent } from "../../../mod.ts";
import type { Catalogue } from "../../../src/compose.ts";
import type { ConveningConfig } from "../../../src/config/convening_config.ts";
import { conveningPool } from "../../../src/operations/client_runs.ts";
import type { PoolOptions, RunPool } from "../../../src/operations/run_pool.ts";
import { type AppOptions, createApp } from "../../../src/server/server.ts";
import type { ServerModels } from "../../../src/core/key_rules.ts";
import { folderShelf } from "../../../src/inputs/folder_shelf.ts";
import { withFolder } from "../../support/cli.ts";
import { MODEL, startSpeaker } from "../../support/speaking_model.ts";
import { testsWith } from "../../support/tests_with.ts";

/** A server app with its archive. */
export interface OpenApp {
  readonly app: Hono;
  readonly pool: RunPool;
  /** Archive folder, inside `folder`, initially empty. */
  readonly out: string;
  readonly folder: string;
  /** Sends a request as a program of this machine, or from another address. */
  ask(path: string, init?: RequestInit, from?: string): Promise<Response>;
  /** Runs a convening to its end; returns its id. */
  hold(config?: ConveningConfig): Promise<string>;
}

const DIALOGUE: ConveningConfig = {
  kind: "dialogue",
  topic: "What makes a good teacher?",
  model: MODEL,
  maxTurns: 2,
  seed: 1,
};

/** Calls `use` with an app and removes its folder afterwards. */
export async function withApp(
  use: (opened: OpenApp) => Promise<void>,
  { models: given, catalogue, agents, runs, ...security }: AppOptions & {
    readonly models?: ServerModels;
    readonly catalogue?: Catalogue;
    /** Agents of participants by id. */
    readonly agents?: Readonly<Record<string, Agent>>;
    /** Options of the pool. */
    readonly runs?: Omit<PoolOptions, "out" | "compose">;
  } = {},
): Promise<void> {
  await using speaker = await startSpeaker();
  const models = given ?? { model: MODEL, env: (name) => speaker.env[name] };
  await withFolder(async (folder) => {
    const out = join(folder, "archive");
    await Deno.mkdir(out);
    const pool = conveningPool({ out, ...runs, compose: { env: models.env, catalogue, agents } });
    const end = new AbortController();
    const app = createApp(
      {
        out,
        pool,
        models,
        catalogue,
        papers: folderShelf(out),
        signal: end.signal,
        readOnly: false,
      },
      security,
    );
    try {
      await use({
        app,
        pool,
        out,
        folder,
        ask: async (path, init, hostname = "127.0.0.1") => {
          const connection = { remoteAddr: { transport: "tcp", hostname } };
          return await app.fetch(new Request(`http://127.0.0.1${path}`, init), connection);
        },
        hold: async (config = DIALOGUE) => {
          const run = await pool.start(config);
          await run.ended;
          return run.id;
        },
      });
    } finally {
      end.abort();
      await pool.close();
    }
  });
}

withApp.test = testsWith(withApp);

/** Returns the routes of an app without middleware. */
export function routesOf({ app }: Pick<OpenApp, "app">): { method: string; path: string }[] {
  const seen = new Set<string>();
  return app.routes.filter(({ method, path }) => {
    const key = `${method} ${path}`;
    if (path === "/*" || seen.has(key)) return false;
    seen.add(key);
    return true;
  }).map(({ method, path }) => ({ method, path }));
}

/** Fills in the parameters of a route's path. */
export function filled(path: string, value: (name: string) => string): string {
  return path.replace(/:(\w+)(?:\{[^}]*\})?\??|\*$/g, (_all, name = "*") => value(name));
}

/** Returns the text of a response; of the archive's endless event stream, the first event. */
export async function answerText(path: string, response: Response): Promise<string> {
  if (path !== "/api/archive/events" || response.body === null) return await response.text();
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  const { value = "" } = await reader.read();
  await reader.cancel();
  return value;
}
