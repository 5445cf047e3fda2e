// Starts, resumes and steers convenings for the clients of a server, who may not name files, folders or addresses of this
// machine.
import { resolve } from "@std/path";
import { z } from "zod";
import { BUILT_IN, type Catalogue, type ConveningInputs } from "../compose.ts";
import { castWith, followModel, refuseContradictions } from "../config/config.ts";
import type { ConveningConfig } from "../config/convening_config.ts";
import { resumeShape } from "../config/setting.ts";
import { SETTINGS } from "../config/settings.ts";
import { callable } from "../core/check_fields.ts";
import { cannotUse, ConfigurationError, namingField, TurnOrderError } from "../core/error.ts";
import type { WaitedFor } from "../core/event.ts";
import type { Paper } from "../core/paper.ts";
import { defined, memoByObject, objectIn } from "../core/values.ts";
import { positionHint } from "../debate/formats.ts";
import { personTime } from "../inputs/servers.ts";
import { checkPapers, type PaperDraft } from "../papers/text/check_paper.ts";
import type { ActiveRun } from "./active_run.ts";
import {
  interject,
  isHeld,
  leaveWords,
  metadataOf,
  pauseConvening,
  speakableTurn,
  unlessHeld,
  type Wanted,
} from "./attending.ts";
import { addressesOf, type ServerModels } from "../core/key_rules.ts";
import { folderShelf } from "../inputs/folder_shelf.ts";
import { clientConfiguration, refuseLocal } from "./client_configuration.ts";
import { type Convening, openConvening, resume } from "./convening.ts";
import { idOf } from "./client_view.ts";
import { NAME } from "./outputs.ts";
import { refuseChoice } from "./picking.ts";
import { type PlanRow, planRows } from "./plan.ts";
import type { OperationContext } from "./operation.ts";
import { type PoolOptions, RunPool } from "./run_pool.ts";

/** Options of every server of an archive, over HTTP or MCP. */
export interface ArchiveOptions {
  /** Folder of the archive, with the papers that were posted over HTTP. */
  readonly out: string;
  /** Addresses of models; clients can name no others. @default addresses from the environment */
  readonly models?: ServerModels | undefined;
  /** Library of `createLibrary` whose kinds, agents and facts are served. @default the built-in library */
  readonly library?: { readonly catalogue: Catalogue } | undefined;
  /** Maximal number of concurrent convenings; further convenings are queued. @default 4 */
  readonly maxRunning?: number | undefined;
  /** Lets clients only read: no file is written, and no model is called. @default false */
  readonly readOnly?: boolean | undefined;
  /**
   * Called once with each error that clients see as `unexpected`, without its details, such as a fault of an extension; must not
   * throw. @default such errors are dropped
   */
  readonly onUnexpected?: ((error: unknown) => void) | undefined;
}

/** Schemas of {@linkcode ArchiveOptions}. */
export const ARCHIVE_OPTIONS = {
  out: z.string("Give the folder of the archive."),
  models: z.looseObject({}).optional(),
  library: z.looseObject({
    catalogue: z.looseObject({}, "Give a library, such as createLibrary makes."),
  }).optional(),
  maxRunning: z.int().min(1).optional(),
  readOnly: z.boolean().optional(),
  onUnexpected: callable.optional(),
} satisfies Record<keyof ArchiveOptions, z.ZodType>;

export function archiveContext(
  { models = {}, library, maxRunning, readOnly = false, onUnexpected, ...options }: ArchiveOptions,
  signal: AbortSignal,
): OperationContext {
  const catalogue = library?.catalogue;
  const out = resolve(options.out);
  // Several clients, and several answers to a client, can have the error of one run.
  const tellOnce = memoByObject((error: object) => onUnexpected?.(error));
  const tell = (error: unknown) =>
    error instanceof Object ? tellOnce(error) : onUnexpected?.(error);
  const compose = { env: models.env, catalogue };
  const pool = conveningPool({ out, maxRunning, onUnexpected: tell, compose });
  const papers = folderShelf(out);
  return { out, onUnexpected: tell, pool, models, catalogue, papers, signal, readOnly };
}

export function conveningPool(options: PoolOptions): RunPool {
  return new RunPool(options, resume);
}

type Runs = Pick<OperationContext, "pool" | "models">;

/**
 * Starts a convening by a client's configuration. Its papers are `drafts`, or uploaded papers by the configuration's
 * `paperIds`. Throws `config_invalid`, `not_found`, `busy` and the errors of a start.
 */
export async function startForClient(
  runs: OperationContext,
  given: unknown,
  drafts?: readonly PaperDraft[],
): Promise<ActiveRun> {
  const { config, inputs } = await inputsFor(runs, given, drafts);
  return await runs.pool.start(config, inputs);
}

/** Adds to the hint about a model without its key that the client's own model can answer, and throws the error. */
export function suggestClient(error: unknown): never {
  const isKey = error instanceof ConfigurationError &&
    /^Cannot use model .*: \w+ is not set$/s.test(error.message);
  if (!isKey) throw error;
  const { message, field, hint } = error;
  const own = 'Or give the model "client": your own model then answers, without a key.';
  throw new ConfigurationError(message, { field, hint: `${hint} ${own}`, cause: error });
}

/** Returns the plan of a convening by a client's configuration, without a start. Throws as a start does. */
export async function planForClient(
  runs: OperationContext,
  given: unknown,
): Promise<readonly PlanRow[]> {
  const { config, inputs } = await inputsFor(runs, given);
  const rows = planRows(config, await runs.pool.plan(config, inputs));
  const hint = config.kind === "debate" ? positionHint(config) : undefined;
  // A form has no flags.
  return hint === undefined ? rows : [...rows, ["Sides", hint.replace(" (--position)", "")]];
}

/** Returns the configuration with the process's models and defaults, and the sources and papers of a convening. */
async function inputsFor(
  { papers: posted, models, catalogue = BUILT_IN }: OperationContext,
  given: unknown,
  drafts?: readonly PaperDraft[],
): Promise<{ readonly config: ConveningConfig; readonly inputs: ConveningInputs }> {
  const texts = drafts === undefined ? undefined : checkPapers(drafts);
  const { config, sources, paperIds } = clientConfiguration(
    withPapers(given, texts),
    catalogue.settings,
  );
  const papers = texts ??
    (paperIds && await Promise.all(paperIds.map((id) => posted.get(id, "paperIds"))));
  const complete: ConveningConfig = {
    ...defined({ model: models.model }),
    ...config,
    ...defined(addressesOf(models)),
  };
  return {
    config: { ...personTime(complete), ...complete },
    inputs: defined({ env: models.env, sources, papers }),
  };
}

function withPapers(given: unknown, texts: readonly Paper[] | undefined): unknown {
  if (texts === undefined || given === null || typeof given !== "object") return given;
  if (objectIn(given)["kind"] !== "paper-debate") {
    const hint = "Leave papers out, or give the kind paper-debate.";
    throw cannotUse("papers", "only a paper debate has papers", hint);
  }
  if (!Object.hasOwn(given, "paperIds")) return { ...given, paperIds: texts.map(({ id }) => id) };
  throw cannotUse("paperIds", "the papers' texts are given", "Give paperIds, or papers.");
}

const modelList = z.array(NAME).min(1).max(20);

/** Settings that may change at a resume and that a client may set. */
export const resumeRequest = z.strictObject({
  ...resumeShape(SETTINGS),
  advocateModels: modelList.optional().describe("Of a debate: one for all, or one each in order."),
  judgeModels: modelList.optional().describe("One judge each."),
});

type ResumeRequest = z.infer<typeof resumeRequest>;

/** Resumes a convening; `request` overrides the recorded settings. Throws as `RunPool.resume` does, and `config_invalid`. */
export async function resumeForClient(
  { pool, models }: Runs,
  dir: string,
  request: ResumeRequest = {},
): Promise<ActiveRun> {
  const convening = await openConvening(dir);
  // A completed convening is not resumed: it returns its result whatever the settings.
  const isOver = convening.result.status === "completed";
  const given = isOver ? {} : settingsOver(convening, request);
  const recorded = convening.start.configuration as unknown as ConveningConfig;
  const { factCheck } = recorded;
  const { personTimeout } = {
    ...personTime({ ...recorded, ...given } as ConveningConfig),
    ...recorded,
  };
  // The addresses of the process override the recorded ones, even with undefined.
  const config = {
    ...defined({ personTimeout }),
    ...factCheck && { factCheck: { ...factCheck, searchUrl: undefined } },
    ...given,
    ...addressesOf(models),
  } as Partial<ConveningConfig>;
  const [changed] = isOver ? [] : Object.keys(defined(request));
  return await pool.resume(dir, defined({ env: models.env, config }), changed);
}

/**
 * Returns the settings of a resume as configuration keys. Throws `config_invalid` with the key for a file, a folder or an
 * address of this machine, and for a setting that the convening cannot use.
 */
export function settingsOver(
  convening: Convening,
  request: ResumeRequest,
): Partial<ConveningConfig> {
  refuseLocal(request);
  const choice = (["pick", "question"] as const).find((key) => request[key] !== undefined);
  if (choice !== undefined) refuseChoice(choice, convening);
  const { kind, configuration } = convening.start;
  const { advocateModels, judgeModels, ...settings } = request;
  const { retrieval = configuration.retrieval, embeddingModel } = settings;
  refuseContradictions({ kind, retrieval, embeddingModel, advocateModels, judgeModels });
  const recorded = followModel(configuration, { isNew: request.model !== undefined });
  const models = { moderatorModel: request.moderatorModel, advocateModels, judgeModels };
  return { ...defined(settings), ...castWith(recorded, models) } as Partial<ConveningConfig>;
}

/** Returns the run of a convening; resumes a waiting or interrupted one, and none that was paused or stopped, failed or completed. */
export async function liveRun(runs: Runs, dir: string): Promise<ActiveRun | undefined> {
  const live = await runs.pool.settledRun(idOf(dir));
  if (live !== undefined) return live;
  const { progress: { status } } = await metadataOf(dir);
  return /^(?:running|waiting)$/.test(status) ? await resumeForClient(runs, dir) : undefined;
}

/** Schema of a person's words: a turn, an answer to a request, or an interjection. */
export const sayRequest = z.strictObject({
  text: z.string().max(50_000).describe("What is said, in markdown."),
  participant: NAME.optional().describe(
    "The id or name of the participant who speaks; needed if the convening waits for several.",
  ),
  request: z.string().min(1).max(40).optional().describe(
    "The id of the answered request, as next_turn gives it.",
  ),
  interject: z.boolean().optional().describe(
    "Whether the words come from the audience, before the next turn and outside of the turns.",
  ),
});

type SaidForClient =
  /** `left`: another process runs the convening and says the turn. */
  | { readonly participant: string; readonly left: boolean }
  /** `held`: a process runs the convening, and hears the words before the next turn. */
  | { readonly interjected: true; readonly held: boolean };

/**
 * Says a person's turn or answers a request, and resumes the convening if no process runs it; or interjects. Throws as
 * {@linkcode speak} and {@linkcode interject} do.
 */
export async function sayForClient(
  runs: Runs,
  dir: string,
  { text, participant: as, turn, request, interject: isInterjection = false }:
    & z.infer<typeof sayRequest>
    & Pick<Wanted, "turn">,
): Promise<SaidForClient> {
  if (isInterjection) {
    const field = as !== undefined ? "participant" : request !== undefined ? "request" : undefined;
    if (field === undefined) return { interjected: true, ...await interject(dir, text) };
    const hint = `Leave ${field} out, or interject.`;
    throw cannotUse(field, "an interjection comes from the audience", hint);
  }
  const run = request === undefined ? runs.pool.liveRun(idOf(dir)) : await askingRun(runs, dir);
  const find = async () =>
    request === undefined
      ? await namingField({ as: "participant" }, () => speakableTurn(dir, text, { as, turn }))
      : openRequest(run, request);
  await find();
  // Words that this process could not say now are refused while they are not yet on disk.
  if (run === undefined && !await isHeld(dir)) runs.pool.check();
  // On disk before they are accepted: neither a stop nor a crash of the run loses the words.
  const { participant, turn: key } = await leaveWords(dir, text, find);
  // A run that stopped waiting just before ends without the words, and is resumed below.
  if (await run?.hear(key) === false) await run?.ended;
  // The run of a resume that waits for the end of a paused run says the words, too.
  const next = runs.pool.liveRun(idOf(dir)) ?? await runs.pool.settledRun(idOf(dir));
  if (next !== undefined) return { participant, left: false };
  const resumed = await isHeld(dir)
    ? undefined
    : await resumeForClient(runs, dir).catch(unlessHeld);
  return { participant, left: resumed === undefined };
}

/** Milliseconds without an event after which a run that waits for people has asked all that it asks now. */
const QUIET = 1000;

/** Returns the run as {@linkcode liveRun} does, once any request is open or the run asks for nothing more. */
async function askingRun(runs: Runs, dir: string): Promise<ActiveRun | undefined> {
  const run = await liveRun(runs, dir);
  while (run?.requests.length === 0 && !run.feed.ended) {
    const { feed: { last }, waitingFor: { length } } = run;
    await run.feed.passed(last, length > 0 ? AbortSignal.timeout(QUIET) : undefined);
    if (length > 0 && run.feed.last === last) break;
  }
  return run;
}

/** Returns the turn of an open request. Throws `turn_order` for another request. */
function openRequest(run: ActiveRun | undefined, request: string): WaitedFor {
  const open = run?.requests.find(({ id }) => id === request);
  if (open !== undefined) return open;
  throw new TurnOrderError(`Cannot answer the request ${request}: it is not open`, {
    field: "request",
    hint: "next_turn gives the open requests; after a pause, stop or failure, resume first.",
  });
}

/** Pauses a convening after the current turns, in this process or another; `held` is true if a process runs it. */
export async function pauseForClient(
  { pool }: Pick<Runs, "pool">,
  dir: string,
): Promise<{ readonly held: boolean }> {
  const run = pool.liveRun(idOf(dir));
  run?.pause();
  // A resume that waits for the end of a paused run has its run only after that end.
  const resumed = pool.settledRun(idOf(dir)).then((settled) => {
    settled?.pause();
    return settled;
  });
  return { held: (run ?? await resumed) !== undefined || (await pauseConvening(dir)).held };
}
