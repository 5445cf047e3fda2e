// Judges a convening again, or checks a judge: `judge`.
import { join } from "@std/path";
import { CancelledError, ConfigurationError } from "../../core/error.ts";
import { judge, type JudgeAgain, type Judged } from "../../operations/judge.ts";
import { loadRubric } from "../../inputs/inputs.ts";
import { recordModels } from "../record_models.ts";
import { isYaml } from "../../inputs/absolute_paths.ts";
import { flagSettings } from "../settings.ts";
import type { CommandAction, Invocation, Reply } from "../command.ts";
import type { Flag } from "../flag.ts";
import {
  JUDGE_CHECK_FLAGS,
  JUDGE_FLAGS,
  JUDGE_MODEL,
  JUDGE_TEMPERATURE,
  MODEL,
  QUICK,
  RUBRIC,
  VERDICT_REPEATS,
} from "../flags.ts";
import { JUDGE_CHECK_TOPIC } from "../../judge_check/kind.ts";
import { BUILT_IN } from "../../compose.ts";
import { fieldOf } from "../../core/turn.ts";
import type { JudgeProfile } from "../../judge_check/judge_check.ts";
import { startWith } from "../start.ts";
import { outOf, userPath } from "../directory.ts";
import { findingLines, outcomeLine, standingLines, whyLines, wrapped } from "../report.ts";
import { requirePermissions } from "../permissions.ts";
import { plainLine } from "../../core/text.ts";
import { paperOf } from "../run_convening.ts";
import type { Session } from "../session.ts";
import { panelJson, resultJson } from "../../operations/results.ts";

/** `judge <dir>` and `judge check`. */
export const JUDGE: CommandAction = {
  flags: JUDGE_FLAGS,
  async run(invocation, session) {
    if (invocation.args[0] === "check") return await check(invocation, session);
    refuse(invocation, JUDGE_CHECK_FLAGS, "only judge check takes this flag");
    const judges = await judgesOf(invocation, session);
    const { dir, settings } = await recordModels(invocation, session, {
      flags: JUDGE_FLAGS,
      models: () => judges.map(({ model }) => model),
      writes: true,
    });
    const verdictRepeats = invocation.values.get(VERDICT_REPEATS);
    const judged = await judge(dir, { judges, verdictRepeats, ...settings });
    if (session.signal.aborted) throw new CancelledError(session.signal.reason);
    return replyOf(judged, session);
  },
};

/** Asks a judge about pairs of speeches and keeps its profile in the archive. */
async function check(invocation: Invocation, session: Session): Promise<Reply> {
  refuse(
    invocation,
    [RUBRIC, JUDGE_MODEL, JUDGE_TEMPERATURE, VERDICT_REPEATS],
    "judge check compares speeches by one model, without a rubric",
  );
  const flags = JUDGE_FLAGS.filter(({ name }) => name !== QUICK.name);
  const config: object = {
    kind: "judge-check",
    topic: JUDGE_CHECK_TOPIC,
    ...flagSettings(invocation, flags),
    out: outOf(invocation.values, session),
    ...invocation.values.get(QUICK) === true ? { quick: true } : {},
  };
  const checked = (session.catalogue ?? BUILT_IN).parse(config);
  const reply = await startWith(checked, invocation, { flags, session });
  const profile = fieldOf(reply.json, "value");
  if (profile === undefined) return reply;
  const { profileText } = await import("../../judge_check/judge_check.ts");
  return { ...reply, text: `${profileText(profile as JudgeProfile)}\n\n${reply.text}` };
}

function refuse({ values }: Invocation, flags: readonly Flag<unknown>[], why: string): void {
  const idle = flags.find((flag) => values.get(flag) !== undefined);
  if (idle === undefined) return;
  throw new ConfigurationError(`Cannot use ${idle.name}: ${why}`, {
    field: idle.name,
    hint: "See judge --help.",
  });
}

/** One judge for each model given, each by the rubric given. */
async function judgesOf({ values }: Invocation, session: Session): Promise<JudgeAgain[]> {
  const [one, several] = [values.get(MODEL), values.get(JUDGE_MODEL)];
  if (one !== undefined && several !== undefined) {
    throw new ConfigurationError(`Cannot use --model ${one}: --judge-model names the judges`, {
      field: "--model",
      hint: "Give --model for one judge, or --judge-model once for each.",
    });
  }
  const rubric = await rubricOf(values.get(RUBRIC), session);
  const temperature = values.get(JUDGE_TEMPERATURE);
  return (several ?? [one]).map((model) => ({ model, rubric, temperature }));
}

async function rubricOf(
  value: string | undefined,
  session: Session,
): Promise<JudgeAgain["rubric"]> {
  if (value === undefined || !isYaml(value)) return value;
  const path = userPath(value, session);
  requirePermissions(session.io, { reads: [path] });
  return await loadRubric(path);
}

function replyOf(judged: Judged, session: Session): Reply {
  const paper = paperOf(session);
  const { dir, judges, panel, convening: { result, start } } = judged;
  const panelResult = { ...panel, status: result.status, usage: result.usage };
  const [{ rubric } = { rubric: "" }] = judges;
  const lines = [
    `Judged by ${rubric}: ${judges.map(({ model }) => plainLine(model)).join(", ")}`,
    ...wrapped([
      outcomeLine(panelResult, start),
      ...standingLines(panelResult),
      ...whyLines(panelResult, start),
      ...findingLines({
        ...panelResult,
        factChecks: undefined,
        audience: undefined,
        baseline: undefined,
      }),
    ], session),
    join(dir, "scores.md"),
  ];
  return {
    code: 0,
    json: { ...resultJson({ ...result, dir, paper }), panel: panelJson(judged) },
    text: lines.join("\n") + "\n",
  };
}
