import type { ConveningConfig } from "../core/convening_config.ts";
import { defined } from "../core/defined.ts";
import type { PooledRun } from "../library/active_run.ts";
import { openConvening } from "../library/convening.ts";
import { remoteConfiguration } from "../library/remote_configuration.ts";
import { addressesOf, type ServerContext } from "./context.ts";

/**
 * How long a run waits for a person before it lets others run, in milliseconds: it then waits on disk, and goes on when
 * the person speaks.
 */
const PERSON_TIME = 60_000;

/** Starts the convening a request describes, with the server's models. Fails with `config_invalid`, `not_found`, `busy`. */
export async function startRequested(context: ServerContext, body: unknown): Promise<PooledRun> {
  const { pool, papers: shelf, models } = context;
  const { config, sources, paperIds } = remoteConfiguration(body);
  const papers = paperIds && await Promise.all(paperIds.map((id) => shelf.get(id)));
  const settled: ConveningConfig = {
    personTimeout: PERSON_TIME,
    ...defined({ model: models.model }),
    ...config,
    ...defined(addressesOf(models)),
  };
  return await pool.start(settled, defined({ env: models.env, sources, papers }));
}

/** Goes on with a convening, with the server's models; see `RunPool.resume`. */
export async function goOn(
  { pool, models }: ServerContext,
  dir: string,
  { limits }: { readonly limits?: ConveningConfig["limits"] } = {},
): Promise<PooledRun> {
  const { start } = await openConvening(dir);
  const { personTimeout = PERSON_TIME } = start.configuration as Partial<ConveningConfig>;
  // The addresses stand over the record's also where the server has none.
  const config = { personTimeout, ...defined({ limits }), ...addressesOf(models) };
  return await pool.resume(dir, defined({ env: models.env, config }));
}
