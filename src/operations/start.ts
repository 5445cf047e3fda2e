// Starts and resumes convenings for a client of a server, who may not name files, folders or addresses of this machine, and
// returns the open prompts for the client's own model.
import { z } from "zod";
import { BUILT_IN, type ConveningInputs } from "../compose.ts";
import { castWith, followModel, refuseContradictions } from "../config/config.ts";
import type { ConveningConfig } from "../config/convening_config.ts";
import { resumeShape } from "../config/setting.ts";
import { SETTINGS } from "../config/settings.ts";
import { ConfigurationError } from "../core/error.ts";
import { MAX_PAPER_CHARACTERS, type Paper } from "../core/paper.ts";
import { jsonSchemaOf } from "../core/schema.ts";
import { defined } from "../core/values.ts";
import type { ClientRequest } from "../engine/people.ts";
import { personTime } from "../inputs/servers.ts";
import { checkPapers, type PaperDraft } from "../papers/text/check_paper.ts";
import type { PooledRun } from "./active_run.ts";
import {
  clientConfiguration,
  refuseLocalValues,
  sentConfiguration,
} from "./client_configuration.ts";
import { type Convening, openConvening } from "./convening.ts";
import { dirOf, idOf } from "./convening_dir.ts";
import {
  ACTING,
  addressesOf,
  ID,
  linksOf,
  OF_CONVENING,
  type Operation,
  operation,
  type OperationContext,
  type Runs,
  whole,
} from "./operation.ts";
import { NAME, named, standingOutput } from "./outputs.ts";
import { refuseChoice } from "./picking.ts";
import { type PlanRow, planRows } from "./plan.ts";
import { runJson, standingOf } from "./show.ts";

const PAPER = z.strictObject({
  id: z.string().max(64).optional(),
  title: z.string().max(500).optional(),
  text: z.string().min(1).meta({ maxLength: MAX_PAPER_CHARACTERS }),
});

export const START: Operation = operation({
  name: "start",
  summary:
    "Starts a convening of any kind from the keys of a configuration, except keys that name " +
    "paths or addresses of the server; sources are [{name, text}], papers are paperIds.",
  tags: ["convenings"],
  method: "post",
  path: "/api/convenings",
  writes: true,
  errors: ["topic_refused", "not_found", "paper_unreadable", "busy", "record_unwritable"],
  body: "config",
  tool: {
    name: "run",
    title: "Run a convening",
    about:
      'Runs a convening of any kind: debate, dialogue, consensus, paper-debate or judge-check (measures the biases of a model that judges). Gives its id at once and continues in the background (follow it with status and read_messages); with `wait` gives progress, then the result, or the state once it waits for a person. Example: {"config": {"kind": "debate", "topic": "Should cities ban private cars from their centres?", "roundCount": 2}, "wait": true}. Further keys: model, participants [{name, position?, persona?, model?}], positions, judges, preset, debateFormat, seed, limits, maxTurns (dialogue), question and postures (paper-debate), quick (judge-check), sources [{name, text}]. An unknown key is refused, and the error lists the keys that are allowed.',
    input: {
      config: z.looseObject({
        // The configuration's own schema checks the values.
        kind: z.unknown().optional().describe(
          "debate, dialogue, consensus, paper-debate or judge-check.",
        ),
        topic: z.unknown().optional().describe(
          "What the convening is about, 10 to 200 characters.",
        ),
      }).describe(
        "The configuration; the resource convening://schema/configuration lists every key.",
      ),
    },
    waits: "if asked",
  },
  input: z.strictObject({
    config: sentConfiguration,
    papers: z.array(PAPER).min(1).max(20).optional().describe(
      "The papers of a paper debate as text; or paperIds in the configuration.",
    ),
  }),
  output: standingOutput,
  answers: { 201: "The convening runs, or is queued." },
  location: ({ links }) => links["self"]!,
  async run(context: OperationContext, { config, papers }) {
    const run = await startForClient(context, config, papers);
    return { ...runJson(run), links: linksOf(run.id) };
  },
});

/**
 * Starts a convening by a client's configuration. Its papers are `drafts`, or uploaded papers by the configuration's
 * `paperIds`. Throws `config_invalid`, `not_found`, `busy` and the errors of a start.
 */
export async function startForClient(
  runs: OperationContext,
  given: unknown,
  drafts?: readonly PaperDraft[],
): Promise<PooledRun> {
  const { config, inputs } = await inputsFor(runs, given, drafts);
  return await runs.pool.start(config, inputs);
}

/** Returns the plan of a convening by a client's configuration, without a start. Throws as a start does. */
export async function planForClient(
  runs: OperationContext,
  given: unknown,
): Promise<readonly PlanRow[]> {
  const { config, inputs } = await inputsFor(runs, given);
  return planRows(config, await runs.pool.plan(config, inputs));
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
    { parse: (input) => catalogue.parse(input) },
  );
  const papers = texts ??
    (paperIds && await Promise.all(paperIds.map((id) => posted.get(id, "paperIds"))));
  const settled: ConveningConfig = {
    ...defined({ model: models.model }),
    ...config,
    ...defined(addressesOf(models)),
  };
  return {
    config: { ...personTime(settled), ...settled },
    inputs: defined({ env: models.env, sources, papers }),
  };
}

function withPapers(given: unknown, texts: readonly Paper[] | undefined): unknown {
  if (texts === undefined || given === null || typeof given !== "object") return given;
  if (!Object.hasOwn(given, "paperIds")) return { ...given, paperIds: texts.map(({ id }) => id) };
  throw new ConfigurationError("Cannot use paperIds: the papers' texts are given", {
    field: "paperIds",
    hint: "Give paperIds, or papers.",
  });
}

const models = z.array(NAME).min(1).max(20);

/** Settings that may change at a resume and that a client may set. */
const resumeRequest = z.strictObject({
  ...resumeShape(SETTINGS),
  advocateModels: models.optional().describe("Of a debate: one for all, or one each in order."),
  judgeModels: models.optional().describe("One judge each."),
});

type ResumeRequest = z.infer<typeof resumeRequest>;

export const RESUME: Operation = operation({
  ...ACTING,
  name: "resume",
  summary:
    "Resumes a convening that was interrupted, paused or stopped, that failed, or that waits; " +
    "settings that are given replace the recorded settings.",
  path: "/api/convenings/{id}/resume",
  errors: [...OF_CONVENING, "locked", "busy"],
  tool: {
    title: "Resume a convening",
    about:
      "Resumes a convening that was interrupted, paused, stopped or forked, or that failed; settings that are given replace the recorded ones, and nothing that was said is asked for again. A completed convening stays as it is. As run does, gives the id at once, or with `wait` the result, or the state once it waits for a person.",
    waits: "if asked",
  },
  input: resumeRequest.extend({ id: ID }),
  output: standingOutput,
  answers: { 200: "The convening had completed.", 202: "The convening runs, or is queued." },
  status: ({ status }) => status === "completed" ? 200 : 202,
  async run(context: OperationContext, { id, ...request }) {
    const run = await resumeForClient(context, await dirOf(context, id), request);
    return { ...runJson(run), links: linksOf(run.id) };
  },
});

/** Resumes a convening; `request` overrides the recorded settings. Throws as `RunPool.resume` does, and `config_invalid`. */
export async function resumeForClient(
  { pool, models }: Runs,
  dir: string,
  request: ResumeRequest = {},
): Promise<PooledRun> {
  const convening = await openConvening(dir);
  // A completed convening is not resumed: it returns its result whatever the settings.
  const isOver = convening.result.status === "completed";
  const given = isOver ? {} : settingsOver(convening, request);
  // The addresses of the process override the recorded ones, even with undefined.
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

/**
 * Returns the settings of a resume as configuration keys. Throws `config_invalid` with the key for a file, a folder or an
 * address of this machine, and for a setting that the convening cannot use.
 */
export function settingsOver(
  convening: Convening,
  request: ResumeRequest,
): Partial<ConveningConfig> {
  refuseLocalValues(request);
  const choice = (["pick", "question"] as const).find((key) => request[key] !== undefined);
  if (choice !== undefined) refuseChoice(choice, convening);
  const { kind, configuration: { moderation, select, retrieval } } = convening.start;
  refuseContradictions({
    ...kind === "paper-debate" ? { retrieval } : { moderation, select },
    ...defined(request),
    kind,
  });
  const { advocateModels, judgeModels, ...settings } = request;
  const { configuration } = convening.start;
  const recorded = request.model === undefined ? configuration : followModel(configuration);
  const models = { moderatorModel: request.moderatorModel, advocateModels, judgeModels };
  return { ...defined(settings), ...castWith(recorded, models) } as Partial<ConveningConfig>;
}

/** Returns the run of a convening in this process; resumes the convening if there is none, or if it has ended. */
export async function liveRun(
  runs: Runs,
  dir: string,
): Promise<PooledRun> {
  return runs.pool.liveRun(idOf(dir)) ?? await resumeForClient(runs, dir);
}

const turnRequest = named(
  "TurnRequest",
  z.object({
    id: z.string().describe("The id that say takes as `request`."),
    turn: z.string().describe("The key of the turn or question."),
    participant: z.string().describe("The id of the participant or judge that is asked."),
    purpose: z.enum(["turn", "question", "fold"]).describe(
      "A speech, a structured answer, or a summary of older turns.",
    ),
    attempt: z.int().describe(
      "From 1; above 1, the last answer was rejected or could not be read.",
    ),
    maxTokens: z.int().nullable().describe("The most tokens that the answer should have."),
    schema: z.record(z.string(), z.unknown()).nullable().describe(
      "The JSON schema of the answer; null for prose.",
    ),
    prompt: z.array(z.object({
      role: z.enum(["system", "user", "assistant"]),
      content: z.string(),
    })).describe("Messages for a model; participants' words in them are fenced."),
  }),
);

export const NEXT_TURN: Operation = operation({
  ...ACTING,
  name: "next_turn",
  summary: 'Gives the prompts of participants and judges whose model is "client", and resumes ' +
    "the convening where no process runs it.",
  path: "/api/convenings/{id}/next-turn",
  errors: [...OF_CONVENING, "locked", "busy"],
  tool: {
    title: "Get the next prompts to answer",
    about:
      'Holds a convening with your own model, without a key: start it with `model: "client"` (or that model for one role), then call next_turn and answer each of its requests by say with `request` and `text`, as the messages of its `prompt` ask, in JSON where it has a `schema`. Requests of one reply may be answered in any order, or by several models at once. Waits up to `seconds` for a request; with none and the status running, call it again. The convening is over when the status is completed. An interrupted convening continues where it was.',
  },
  input: z.strictObject({
    id: ID,
    seconds: whole(0, 50, "Seconds to wait for a request.").default(20),
  }),
  output: named("NextTurn", standingOutput.extend({ requests: z.array(turnRequest) })),
  answers: { 200: "The open requests; none if the run has ended, or asks other models or people." },
  async run(context: OperationContext, { id, seconds }, call) {
    const dir = await dirOf(context, id);
    const run = await liveRun(context, dir);
    const signal = AbortSignal.any([call.signal, AbortSignal.timeout(seconds * 1000)]);
    while (run.requests.length === 0 && !run.feed.ended && !signal.aborted) {
      await run.feed.passed(run.feed.last, signal);
    }
    return { ...await standingOf(context, dir), requests: run.requests.map(requestJson) };
  },
});

function requestJson(
  { id, turn, participant, request }: ClientRequest,
): z.output<typeof turnRequest> {
  const { messages, context: { purpose, attempt }, maxTokens = null, schema } = request;
  return {
    id,
    turn,
    participant,
    purpose,
    attempt,
    maxTokens,
    schema: schema === undefined ? null : { ...jsonSchemaOf(schema.type) },
    prompt: messages.map(({ role, content }) => ({ role, content })),
  };
}
