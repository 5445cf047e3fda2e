import { BUILT_IN, type Catalogue } from "../compose.ts";
import type { ConveningConfig } from "../config/convening_config.ts";
import { defined } from "../core/defined.ts";
import { ConfigurationError } from "../core/error.ts";
import { checkPapers, type PaperDraft } from "../papers/text/check_paper.ts";
import type { Paper } from "../core/paper.ts";
import type { AgentSettings } from "../engine/workflow_options.ts";
import type { PooledRun } from "./active_run.ts";
import { openConvening } from "./convening.ts";
import { settingsOver } from "./going_on.ts";
import { hasPeople } from "./has_people.ts";
import { remoteConfiguration } from "./remote_configuration.ts";
import type { GoOnRequest } from "./remote_requests.ts";
import type { RunPool } from "./run_pool.ts";

/** How convenings are run on behalf of clients that are not the user of this machine. */
export interface RemoteRuns {
  /** What this process runs. */
  readonly pool: RunPool;
  /** How models are reached: never a client's to say. */
  readonly models: RemoteModels;
  /** The kinds and agents there are. @default the built-in ones */
  readonly catalogue?: Catalogue | undefined;
  /** The papers that were posted; `get` fails with `not_found`. */
  readonly papers: { get(id: string): Promise<Paper> };
  /** Aborts when the process ends: what is asked of judges then is broken off. */
  readonly signal: AbortSignal;
}

/** How models are reached. */
export interface RemoteModels extends Pick<AgentSettings, "baseUrl" | "providers" | "env"> {
  /** The model of every role that names none. @default "gpt-4o-mini" with a key or base URL, else "offline" */
  readonly model?: string | undefined;
}

/**
 * The addresses of models as the process has them, to lay over what a client or a record says: no key of any provider
 * goes where a file or a client sends it.
 */
export function addressesOf(
  { baseUrl, providers }: RemoteModels,
): Pick<ConveningConfig, "baseUrl" | "providers"> {
  return { baseUrl, providers };
}

/**
 * How long a run waits for a person before it lets others run, in milliseconds: it then waits on disk, and goes on when
 * the person speaks.
 */
const PERSON_TIME = 60_000;

/**
 * Starts what a client wants to be held, its papers the posted ones it names or, as texts, `drafts`. Fails with
 * `config_invalid`, `not_found`, `busy` and what keeps a convening from beginning.
 */
export async function startRemote(
  { pool, papers: posted, models, catalogue = BUILT_IN }: RemoteRuns,
  given: unknown,
  drafts?: readonly PaperDraft[],
): Promise<PooledRun> {
  const texts = drafts === undefined ? undefined : checkPapers(drafts);
  const { config, sources, paperIds } = remoteConfiguration(
    withPapers(given, texts),
    { parse: (input) => catalogue.parse(input) },
  );
  const papers = texts ?? (paperIds && await Promise.all(paperIds.map((id) => posted.get(id))));
  const settled: ConveningConfig = {
    ...defined({ model: models.model }),
    ...config,
    ...defined(addressesOf(models)),
  };
  return await pool.start(
    { ...personTime(settled), ...settled },
    defined({ env: models.env, sources, papers }),
  );
}

/** How long people have, where some take part. */
function personTime(config: ConveningConfig): Pick<ConveningConfig, "personTimeout"> {
  return hasPeople(config) ? { personTimeout: PERSON_TIME } : {};
}

function withPapers(given: unknown, texts: readonly Paper[] | undefined): unknown {
  if (texts === undefined || given === null || typeof given !== "object") return given;
  if (!Object.hasOwn(given, "paperIds")) return { ...given, paperIds: texts.map(({ id }) => id) };
  throw new ConfigurationError("Cannot use paperIds: the papers' texts are given", {
    field: "paperIds",
    hint: "Give paperIds, or papers.",
  });
}

/** Goes on with a convening, with settings over the recorded ones; see `RunPool.resume`. Fails with `config_invalid` too. */
export async function goOnRemote(
  { pool, models }: Pick<RemoteRuns, "pool" | "models">,
  dir: string,
  request: GoOnRequest = {},
): Promise<PooledRun> {
  const convening = await openConvening(dir);
  // Nothing goes on with one that has completed: it only gives its result.
  const isOver = convening.result.status === "completed";
  const given = isOver ? {} : settingsOver(convening, request);
  // What was recorded is a configuration; the addresses stand over it also where the process has none.
  const recorded = convening.start.configuration as unknown as ConveningConfig;
  const { personTimeout } = {
    ...personTime({ ...recorded, ...given } as ConveningConfig),
    ...recorded,
  };
  const config = {
    ...defined({ personTimeout }),
    ...given,
    ...addressesOf(models),
  } as Partial<ConveningConfig>;
  return await pool.resume(dir, defined({ env: models.env, config }));
}
