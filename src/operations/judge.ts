// Has a finished convening judged once more, with a new panel.
import { basename, resolve } from "@std/path";
import { z } from "zod";
import { SETTINGS } from "../config/settings.ts";
import { defined } from "../core/values.ts";
import { CancelledError, ConfigurationError } from "../core/error.ts";
import { assess } from "../judging/assessment.ts";
import type { Assessment } from "../core/outcome.ts";
import type { ConveningStart } from "../core/event.ts";
import { checkRubric } from "../judging/scoring.ts";
import type { Rubric } from "../config/convening_config.ts";
import type { Agent } from "../core/agent.ts";
import { BUILT_IN, type Catalogue } from "../compose.ts";
import { folderRecord } from "../record/stores.ts";
import { idOf } from "../core/participant.ts";
import { rubricNamed } from "../judging/rubrics.ts";
import type { WorkflowOptions } from "../engine/workflow_options.ts";
import { clientConfiguration, refusePlaces } from "./client_configuration.ts";
import { dirOf } from "./convening_dir.ts";
import {
  ACTING,
  askingOf,
  ID,
  OF_CONVENING,
  type Operation,
  operation,
  type RecordModelOptions,
} from "./operation.ts";
import { judgedOutput } from "./outputs.ts";
import { conveningJson } from "./show.ts";
import { panelJson } from "./results.ts";
import { type Convening, openConvening, requireEnded } from "./convening.ts";
import type { PanelJudge } from "./played_again.ts";

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

export const JUDGE: Operation = operation({
  ...ACTING,
  name: "judge",
  summary:
    "Has a convening that has ended judged once more, beside the judgement it has; a judge " +
    "whose reply cannot be read leaves its messages unscored.",
  path: "/api/convenings/{id}/judge",
  errors: ["agent_rate_limited", "agent_timeout", "agent_unreachable", ...OF_CONVENING, "locked"],
  tool: {
    title: "Judge a convening once more",
    about:
      "Has a convening that has ended judged by a new panel, beside the judgement it has, none of which changes; waits for the panel. read_scores gives what it wrote.",
    only: ["id", "panel"],
  },
  input: judgeRequest.extend({ id: ID }),
  output: judgedOutput,
  async run(context, { id, rubric, models = [undefined], temperature, ...settings }, call) {
    const dir = await dirOf(context, id);
    refusePlaces({ rubric, models });
    // A rubric is what it is in a debate's configuration.
    const { config } = clientConfiguration(
      defined({ kind: "debate", topic: basename(dir), rubric }),
    );
    const given = config.kind === "debate" ? config.rubric : undefined;
    const asking = askingOf(context, call);
    const judged = await judge(dir, {
      ...asking,
      ...settings,
      judges: models.map((model) => ({ model, rubric: given, temperature })),
    });
    if (asking.signal?.aborted === true) throw new CancelledError(asking.signal.reason);
    return { ...await conveningJson(context, dir), panel: panelJson(judged) };
  },
});

/** One judge of a new panel; keys that are left out have defaults. */
export interface JudgeAgain {
  /** As readers see it. @default "Judge" and its model */
  readonly name?: string | undefined;
  /** The name of its model. @default the convening's, else the environment's */
  readonly model?: string | undefined;
  /** An instance, in the place of a model's name. */
  readonly agent?: Agent | undefined;
  /** 0 to 2. @default the provider's */
  readonly temperature?: number | undefined;
  /** The rubric: a built-in rubric's id, or a rubric. @default "debate" */
  readonly rubric?: string | Rubric | undefined;
}

/** Options of {@linkcode judge}. */
export interface JudgeOptions extends RecordModelOptions, Pick<WorkflowOptions, "limits"> {
  /** The judges. @default one judge */
  readonly judges?: readonly JudgeAgain[] | undefined;
  /** Further askings of each pass of a verdict. @default 0 */
  readonly verdictRepeats?: number | undefined;
}

/** A new panel's judgement. */
export interface Judged {
  /** The convening's directory. */
  readonly dir: string;
  /** The judges, as records name them. */
  readonly judges: ConveningStart["judges"];
  /** The assessment of this panel, apart from the convening's own. */
  readonly panel: Assessment;
  /** The convening as it stands now: its own outcome and winner are what they were. */
  readonly convening: Convening;
}

/**
 * Has a convening that has ended judged once more: scores and verdicts are written beside those there are, none of which
 * changes. The same judge, model and rubric again ask only for what is missing. Fails with `config_invalid` for one that
 * has not ended, `not_found`, `locked` and the errors of agents.
 */
export async function judge(dir: string, options: JudgeOptions = {}): Promise<Judged> {
  const path = resolve(dir);
  const before = await openConvening(path);
  await requireEnded(before, "judge");
  const { start } = before;
  const { judges: given = [{}], catalogue = BUILT_IN, limits, verdictRepeats, ...models } = options;
  const judged = judgedIn(start, catalogue);
  // Prompts as the convening's own judges had them: what was folded then is on record.
  const { maxPromptTokens } = start.configuration as WorkflowOptions;
  const { recordSettings } = await import("./record_question.ts");
  const { settings, usual } = recordSettings(start, models);
  const rubric = start.kind === "paper-debate" ? "conceptual" : "debate";
  const judges = given.map((each) => panelJudge({ ...each, rubric: each.rubric ?? rubric }, usual));
  checkJudges(judges, start);
  const { JudgingWorkflow } = await import("./played_again.ts");
  await new JudgingWorkflow(before, { judges, judged, verdictRepeats }, {
    host: catalogue.host,
    ...settings,
    limits,
    maxPromptTokens,
    model: usual,
    record: folderRecord({ dir: path }),
  }).run();
  const convening = await openConvening(path);
  const named = judges.map(({ id, name, model = usual, agent, rubric }) => ({
    id,
    name,
    model: agent?.model ?? model,
    rubric: rubric.id,
  }));
  // A panel's outcome is its judges', whoever named the convening's own winner.
  const configuration = { ...start.configuration, decision: "judges" };
  const panel = assess({ ...convening.start, configuration, judges: named }, convening.facts);
  return { dir: path, judges: named, panel, convening };
}

/** The ids of the participants that are judged. Fails with `config_invalid` where the kind is not known, or says of none. */
function judgedIn(start: ConveningStart, { kinds }: Catalogue): readonly string[] {
  const { kind: name } = start;
  const kind = kinds.get(name);
  const judged = kind?.judged?.(start) ?? [];
  if (judged.length > 0) return judged;
  throw new ConfigurationError(
    kind === undefined
      ? `Cannot judge: the kind "${name}" is not known here`
      : `Cannot judge: nothing in a convening of the kind "${name}" is to be judged`,
    {
      field: "dir",
      hint: kind === undefined
        ? "Name the module that defines the kind: --extend FILE, or createLibrary({ kinds })."
        : "A kind names the participants that are judged by `judged` in defineKind.",
    },
  );
}

/** A judge's id tells its model, so that the same one again is found, and never taken for one of the convening's own. */
function panelJudge(
  { model, agent, temperature, name, rubric }: JudgeAgain & {
    readonly rubric: NonNullable<JudgeAgain["rubric"]>;
  },
  usual: string,
): PanelJudge {
  const by = agent?.model ?? model ?? usual;
  return {
    id: `again-${idOf(by)}`,
    name: name ?? `Judge (${by})`,
    model,
    agent,
    temperature,
    rubric: typeof rubric === "string" ? rubricNamed(rubric) : checkRubric(rubric),
  };
}

function checkJudges(judges: readonly PanelJudge[], { participants }: ConveningStart): void {
  const taken = new Set(participants.map(({ id }) => id));
  for (const { id, name } of judges) {
    if (taken.has(id)) {
      throw new ConfigurationError(`Cannot have ${name} judge: it is named twice`, {
        field: "judges",
        hint: "A panel has each model once.",
      });
    }
    taken.add(id);
  }
}
