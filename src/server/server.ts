// The server of an archive, as programs make one.
import { basename, resolve } from "@std/path";
import { ConveningError } from "../core/error.ts";
import { listConvenings } from "../operations/reading_convenings.ts";
import { RunPool } from "../operations/run_pool.ts";
import type { ConnectionInfo } from "./access.ts";
import { type AppOptions, createApp } from "./app.ts";
import { type OperationContext, problemOf, type ServerModels } from "../operations/operation.ts";
import { folderShelf } from "../inputs/folder_shelf.ts";
import { resumeForClient } from "../operations/resume.ts";
import type { McpServerOptions } from "../mcp/archive_server.ts";

/** Options of {@linkcode createServer}. */
export interface ServerOptions
  extends AppOptions, Pick<McpServerOptions, "library" | "maxRunning"> {
  /** The archive's folder; papers that are posted are kept in it too. */
  readonly out: string;
  /** Addresses of models; no request can name another. @default by the environment */
  readonly models?: ServerModels | undefined;
  /** Resumes every interrupted convening of the archive at once. @default false */
  readonly resume?: boolean | undefined;
  /** Lets clients only read: the archive is not changed, and no model is asked. @default false */
  readonly readOnly?: boolean | undefined;
}

/** Outcome of resuming one convening. */
export interface ResumedConvening {
  /** Its id. */
  readonly id: string;
  /** Reason why it was not resumed; absent where it was. */
  readonly error?: ConveningError | undefined;
}

/** A server that is open. */
export interface Server {
  /**
   * Answers one request; never rejects. `connection` is the second argument of a `Deno.serve` handler. Without the
   * connection all clients count as one: ten wrong tokens in a minute then make every client without a session wait.
   */
  readonly fetch: (request: Request, connection?: ConnectionInfo) => Promise<Response>;
  /** Outcomes of `resume`, once each convening runs or is queued; empty without it. */
  readonly resumed: Promise<readonly ResumedConvening[]>;
  /**
   * Ends every stream, starts nothing more, and breaks off what runs, so that it can be resumed; resolves once every
   * record was let go of.
   */
  close(): Promise<void>;
}

/**
 * The server of an archive: the HTTP interface, the pages and MCP, as a function from Request to Response that opens no
 * port.
 *
 * @example
 * ```ts
 * import { createServer } from "@convenings/convenings/server";
 *
 * const server = createServer({ out: "/tmp/convenings-example", models: { model: "offline" } });
 * const { status } = await server.fetch(new Request("http://localhost/healthz"));
 * console.assert(status === 200);
 * await server.close();
 * ```
 */
export function createServer(options: ServerOptions): Server {
  const { models = {}, library, maxRunning, resume = false, readOnly, ...access } = options;
  const catalogue = library?.catalogue;
  const out = resolve(options.out);
  const pool = new RunPool({ out, maxRunning, compose: { env: models.env, catalogue } });
  const streams = new AbortController();
  const context = {
    out,
    pool,
    models,
    catalogue,
    papers: folderShelf(out),
    signal: streams.signal,
    readOnly,
  };
  const app = createApp(context, access);
  const resumed = resume ? resumeAll(context) : Promise.resolve([]);
  // Whoever does not ask is not told.
  resumed.catch(() => {});
  return {
    fetch: async (request, connection) => await app.fetch(request, connection),
    resumed,
    async close() {
      streams.abort("the server is ending");
      await pool.close();
      await resumed.catch(() => {});
    },
  };
}

/** Goes on with every convening of the archive that was broken off, the oldest first; waits where the line is full. */
async function resumeAll(context: OperationContext): Promise<ResumedConvening[]> {
  const rows = await listConvenings(context.out);
  const brokenOff = rows.filter(({ status }) => status === "interrupted").reverse();
  const resumed: ResumedConvening[] = [];
  for (const { dir } of brokenOff) {
    if (context.signal.aborted) break;
    resumed.push(await resumedOne(context, dir));
  }
  return resumed;
}

async function resumedOne(context: OperationContext, dir: string): Promise<ResumedConvening> {
  const { pool } = context;
  for (;;) {
    try {
      const { id } = await resumeForClient(context, dir);
      return { id };
    } catch (error) {
      const isFull = error instanceof ConveningError && error.code === "busy";
      if (!isFull || pool.running.length === 0) return { id: basename(dir), error: known(error) };
      await Promise.race(pool.running.map(({ ended }) => ended));
    }
  }
}

function known(error: unknown): ConveningError {
  if (error instanceof ConveningError) return error;
  const { code, message } = problemOf(error).error;
  return new ConveningError(code, message, { cause: error });
}
