// Has a convening judged once more for a client of a server.
import { basename } from "@std/path";
import { z } from "zod";
import { SETTINGS } from "../config/settings.ts";
import { defined } from "../core/defined.ts";
import { CancelledError } from "../core/error.ts";
import { clientConfiguration, refusePlaces } from "./client_configuration.ts";
import { dirOf } from "./convening_dir.ts";
import { judge, type Judged } from "./judging.ts";
import {
  addressesOf,
  type ClientRuns,
  ID,
  OF_CONVENING,
  type Operation,
  operation,
} from "./operation.ts";
import { judgedOutput } from "./outputs.ts";
import { conveningJson } from "./show.ts";
import { panelJson } from "./results.ts";

const { limits, retry, judgeTemperature, verdictRepeats } = SETTINGS;

/** Judges of a new panel, and the rubric. */
const judgeRequest = z.strictObject({
  rubric: z.unknown().optional().describe("A built-in rubric's id, or a whole rubric."),
  models: z.array(z.string().min(1).max(200)).min(1).max(10).optional().describe("One judge each."),
  temperature: judgeTemperature.schema.optional().describe(judgeTemperature.about),
  verdictRepeats: verdictRepeats.schema.optional().describe(verdictRepeats.about),
  limits: limits.schema.omit({ maxTurns: true }).optional().describe(limits.about),
  retry: retry.schema.optional().describe(retry.about),
});

/** `POST /api/convenings/{id}/judge`. */
export const JUDGE: Operation = operation({
  name: "judge",
  summary:
    "Has a convening that has ended judged once more, beside the judgement it has; a judge " +
    "whose reply cannot be read leaves its messages unscored.",
  tags: ["convenings"],
  method: "post",
  path: "/api/convenings/{id}/judge",
  writes: true,
  errors: ["agent_rate_limited", "agent_timeout", "agent_unreachable", ...OF_CONVENING, "locked"],
  tool: {
    title: "Judge a convening once more",
    about:
      "Has a convening that has ended judged by a new panel, beside the judgement it has, none of which changes; waits for the panel. read_scores gives what it wrote.",
    only: ["id", "panel"],
  },
  input: judgeRequest.extend({ id: ID }),
  output: judgedOutput,
  async run(context, { id, ...request }, { signal }) {
    const dir = await dirOf(context, id);
    const judged = await judgeForClient(context, dir, { ...request, signal });
    return { ...await conveningJson(context, dir), panel: panelJson(judged) };
  },
});

/** Has a convening judged once more; see `judge`. Fails with `config_invalid` and `cancelled` too. */
async function judgeForClient(
  { models: { env, ...addressed }, signal, catalogue }: Pick<
    ClientRuns,
    "models" | "signal" | "catalogue"
  >,
  dir: string,
  request: z.infer<typeof judgeRequest> & { readonly signal?: AbortSignal | undefined },
): Promise<Judged> {
  const { rubric, models = [undefined], temperature, signal: asked, ...settings } = request;
  refusePlaces({ rubric, models });
  // A rubric is what it is in a debate's configuration.
  const { config } = clientConfiguration(
    defined({ kind: "debate", topic: basename(dir), rubric }),
  );
  const given = config.kind === "debate" ? config.rubric : undefined;
  const ends = asked === undefined ? signal : AbortSignal.any([signal, asked]);
  const judged = await judge(dir, {
    // The addresses stand over the record's also where the process has none.
    ...addressesOf(addressed),
    env,
    catalogue,
    ...settings,
    signal: ends,
    judges: models.map((model) => ({ model, rubric: given, temperature })),
  });
  if (ends.aborted) throw new CancelledError(ends.reason);
  return judged;
}
