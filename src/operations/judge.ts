// Judges an ended convening again, with a new panel.
import { resolve } from "@std/path";
import { checkArguments, refuseUnknownOptions } from "../core/check_fields.ts";
import { ConfigurationError } from "../core/error.ts";
import { AGENT_SETTINGS } from "../core/key_rules.ts";
import { assess } from "../judging/assessment.ts";
import type { Assessment, Rubric } from "../core/outcome.ts";
import type { ConveningStart } from "../core/event.ts";
import type { EndReason } from "../core/fact.ts";
import { checkRubric } from "../judging/scoring.ts";
import type { Agent } from "../core/agent.ts";
import { BUILT_IN, type Catalogue } from "../compose.ts";
import { folderRecord } from "../record/directory_record.ts";
import { idOf } from "../core/participant.ts";
import { rubricNamed } from "../judging/rubrics.ts";
import type { WorkflowOptions } from "../engine/workflow_options.ts";
import { refuseBareAgents } from "../engine/casting.ts";
import type { RecordModelOptions } from "./record_question.ts";
import { type Convening, endedConvening, openConvening, readContents } from "./convening.ts";
import type { PanelJudge } from "./played_again.ts";

/** A judge of a new panel. */
export interface JudgeAgain {
  /** Display name. @default "Judge (MODEL)" */
  readonly name?: string | undefined;
  /** Name of the judge's model. @default the convening's, else the environment's */
  readonly model?: string | undefined;
  /** Agent of the judge, instead of `model`. */
  readonly agent?: Agent | undefined;
  /** Sampling temperature, 0 to 2. @default the provider's */
  readonly temperature?: number | undefined;
  /** Id of a built-in rubric, or a rubric. @default "conceptual" for a paper debate, else "debate" */
  readonly rubric?: string | Rubric | undefined;
}

/** Options of {@linkcode judge}. */
export interface JudgeOptions extends RecordModelOptions, Pick<WorkflowOptions, "limits"> {
  /** Judges of the panel. @default one judge with the defaults of {@linkcode JudgeAgain} */
  readonly judges?: readonly JudgeAgain[] | undefined;
  /** Number of times that each pass of a verdict is asked again. @default 0 */
  readonly verdictRepeats?: number | undefined;
}

/** The result of {@linkcode judge}. */
export interface Judged {
  /** Absolute path of the convening's directory. */
  readonly dir: string;
  /** The new judges, in the form of the record. */
  readonly judges: ConveningStart["judges"];
  /** The assessment of the new panel alone. */
  readonly panel: Assessment;
  /** `completed`, `cancelled`, or the limit that ended the judging; a repeated call asks for what is missing. */
  readonly endReason: EndReason;
  /** The convening with the new scores and verdicts; its own outcome and winner are unchanged. */
  readonly convening: Convening;
}

/**
 * Judges an ended convening again. The new scores and verdicts are added to the record; existing ones do not change. A
 * repeated call with the same model and rubric asks only for missing scores and verdicts. Throws `config_invalid` for a
 * convening that has not ended, `not_found`, `locked` and the errors of agents.
 */
export async function judge(dir: string, options: JudgeOptions = {}): Promise<Judged> {
  checkArguments("judge", { dir, options });
  const own = { catalogue: true, judges: true, limits: true, verdictRepeats: true };
  refuseUnknownOptions<JudgeOptions>("judge", options, { ...AGENT_SETTINGS, ...own });
  const { judges: given = [{}], catalogue = BUILT_IN, limits, verdictRepeats, ...models } = options;
  refuseBareAgents("judges", given);
  const path = resolve(dir);
  const before = await endedConvening(await readContents(path), "judge");
  const { start } = before;
  const judged = judgedIn(start, catalogue);
  // Keep the recorded prompt limit, so that the prompts show the same recorded summaries as the convening's own judges saw.
  const { maxPromptTokens } = start.configuration as WorkflowOptions;
  const { recordSettings, refuseWaitedFor } = await import("./record_question.ts");
  const { settings, fallback } = recordSettings(start, models);
  for (const { agent, model = fallback } of given) {
    if (agent === undefined) refuseWaitedFor(model, "judges");
  }
  const rubric = start.kind === "paper-debate" ? "conceptual" : "debate";
  const judges = given.map((each) =>
    panelJudge({ ...each, rubric: each.rubric ?? rubric }, fallback)
  );
  checkJudges(judges, start);
  const { JudgingWorkflow } = await import("./played_again.ts");
  const { endReason = "completed" } = await new JudgingWorkflow(before, {
    judges,
    judged,
    verdictRepeats,
  }, {
    host: catalogue.host,
    ...settings,
    limits,
    maxPromptTokens,
    model: fallback,
    record: folderRecord({ dir: path }),
  }).run();
  const convening = await openConvening(path);
  const named = judges.map(({ id, name, model = fallback, agent, rubric }) => ({
    id,
    name,
    model: agent?.model ?? model,
    rubric: rubric.id,
  }));
  // The new panel's judges decide its outcome, even if the convening's winner was decided by others.
  const configuration = { ...start.configuration, decision: "judges" };
  const panel = assess({ ...convening.start, configuration, judges: named }, convening.facts);
  return { dir: path, judges: named, panel, endReason, convening };
}

/** Returns the ids of the judged participants. Throws `config_invalid` if the kind is unknown or has none. */
function judgedIn(start: ConveningStart, catalogue: Catalogue): readonly string[] {
  const judged = catalogue.kindOf(start, "judge").judged?.(start) ?? [];
  if (judged.length > 0) return judged;
  throw new ConfigurationError(
    `Cannot judge: nothing in a convening of the kind "${start.kind}" can be judged`,
    {
      field: "dir",
      hint: "A kind names the participants that are judged by `judged` in defineKind.",
    },
  );
}

/** Completes a judge. The id comes from the model: a repeated call finds the judge's facts, and no own judge has the id. */
function panelJudge(
  { model, agent, temperature, name, rubric }: JudgeAgain & {
    readonly rubric: NonNullable<JudgeAgain["rubric"]>;
  },
  fallback: string,
): PanelJudge {
  const by = agent?.model ?? model ?? fallback;
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
      throw new ConfigurationError(`Cannot have ${name} judge: the model is named twice`, {
        field: "judges",
        hint: "Name each model once.",
      });
    }
    taken.add(id);
  }
}
