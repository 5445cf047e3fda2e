// Starts a convening for a client of a server, who may not name files, folders or addresses of this machine.
import { z } from "zod";
import { BUILT_IN, type ConveningInputs } from "../compose.ts";
import type { ConveningConfig } from "../config/convening_config.ts";
import { MAX_PAPER_CHARACTERS, type Paper } from "../core/paper.ts";
import { defined } from "../core/values.ts";
import { ConfigurationError } from "../core/error.ts";
import { checkPapers, type PaperDraft } from "../papers/text/check_paper.ts";
import { personTime } from "../inputs/servers.ts";
import type { PooledRun } from "./active_run.ts";
import {
  addressesOf,
  linksOf,
  type Operation,
  operation,
  type OperationContext,
} from "./operation.ts";
import { standingOutput } from "./outputs.ts";
import { clientConfiguration, sentConfiguration } from "./client_configuration.ts";
import { type PlanRow, planRows } from "./plan.ts";
import { runJson } from "./show.ts";

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
