// The command `judge`: judges a convening again, or measures the biases of a judge (`judge check`).
import { join } from "@std/path";
import { BUILT_IN } from "../../compose.ts";
import { parseConfig } from "../../config/config.ts";
import type { ConveningConfig } from "../../config/convening_config.ts";
import { CancelledError } from "../../core/error.ts";
import { endWords } from "../../core/fact.ts";
import { plainLine } from "../../core/text.ts";
import { fieldOf } from "../../core/turn.ts";
import { defined } from "../../core/values.ts";
import { isYaml, loadRubric } from "../../inputs/inputs.ts";
import type { JudgeProfile } from "../../judge_check/judge_check.ts";
import { type Convening, openConvening } from "../../operations/convening.ts";
import {
  judge,
  type JudgeAgain,
  type Judged,
  type JudgeOptions,
} from "../../operations/ended_convening.ts";
import { panelJson, resultJson } from "../../operations/results.ts";
import { judgedStart, outcomeSentence } from "../../record/words.ts";
import { archiveOf, directoryOf, outOf, userPath } from "../directory.ts";
import { cannotUse, refuseGiven } from "../flag.ts";
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
import { requirePermissions } from "../permissions.ts";
import { findingLines, paperOf, standingLines } from "../report.ts";
import { needsOf, setConvening, startWith } from "../run_convening.ts";
import { type Action, type Invocation, type Reply, replyOf, type Session } from "../session.ts";
import { flagSettings, keyRules } from "../settings.ts";

const SEE_HELP = "See judge --help.";

export const JUDGE: Action = {
  flags: JUDGE_FLAGS,
  async run(invocation, session) {
    if (invocation.args[0] === "check") return await check(invocation, session);
    refuseGiven(JUDGE_CHECK_FLAGS, invocation.values, {
      why: "only judge check takes this flag",
      hint: SEE_HELP,
    });
    const judges = await judgesOf(invocation, session);
    const { dir, settings } = await recordModels(invocation, session, {
      models: () => judges.map(({ model }) => model),
      writes: true,
    });
    const verdictRepeats = invocation.values.get(VERDICT_REPEATS);
    const judged = await judge(dir, { judges, verdictRepeats, ...settings });
    if (session.signal.aborted) throw new CancelledError(session.signal.reason);
    return judgedReply(judged, session);
  },
};

/** Measures a judge's biases by pairs of speeches, and records its profile in the archive. */
async function check(invocation: Invocation, session: Session): Promise<Reply> {
  refuseGiven([RUBRIC, JUDGE_MODEL, JUDGE_TEMPERATURE, VERDICT_REPEATS], invocation.values, {
    why: "judge check compares speeches by one model, without a rubric",
    hint: SEE_HELP,
  });
  const config: object = {
    kind: "judge-check",
    ...flagSettings(invocation.values),
    out: await outOf(invocation.values, session),
    ...invocation.values.get(QUICK) === true ? { quick: true } : {},
  };
  const checked = (session.catalogue ?? BUILT_IN).parse(config);
  const reply = await startWith(checked, invocation, session);
  const profile = fieldOf(reply.json, "value");
  if (profile === undefined) return reply;
  const { profileText } = await import("../../judge_check/judge_check.ts");
  return { ...reply, text: `${profileText(profile as JudgeProfile)}\n\n${reply.text}` };
}

/** Returns a judge for each model of the flags, all with the rubric of the flags. */
async function judgesOf({ values }: Invocation, session: Session): Promise<JudgeAgain[]> {
  const [one, several] = [values.get(MODEL), values.get(JUDGE_MODEL)];
  if (one !== undefined && several !== undefined) {
    const hint = "Give --model for one judge, or --judge-model once for each.";
    throw cannotUse(`--model ${one}`, "--judge-model names the judges", hint);
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

/** Findings of the convening that are left out of a new panel's result. */
const NOT_JUDGED_AGAIN = { factChecks: undefined, audience: undefined, baseline: undefined };

function judgedReply(judged: Judged, session: Session): Reply {
  const paper = paperOf(session);
  const { dir, judges, panel, endReason, convening: { result, start, facts } } = judged;
  const panelResult = { ...panel, status: result.status, usage: result.usage };
  const [{ rubric } = { rubric: "" }] = judges;
  const isWhole = endReason === "completed";
  const lines = [
    `Judged by the rubric ${rubric}: ${judges.map(({ model }) => plainLine(model)).join(", ")}`,
    ...isWhole ? [] : [
      `Stopped: ${endWords(endReason)}. To get what is missing, judge again with a higher limit`,
    ],
    ...session.wrapped([
      outcomeSentence(judgedStart(start), panelResult, { show: plainLine }),
      ...standingLines(panelResult, start),
      ...findingLines({ ...panelResult, ...NOT_JUDGED_AGAIN }, start),
    ]),
    join(dir, "scores.md"),
  ];
  const json = { ...resultJson({ ...result, dir, paper }, facts), panel: panelJson(judged) };
  return replyOf(json, lines, isWhole ? 0 : 3);
}

/** Reads the record in the first argument; returns model settings from the record and the flags, and checks permissions. */
export async function recordModels(
  invocation: Invocation,
  session: Session,
  { models, writes }: {
    /** Returns the models to ask; undefined stands for the convening's model. */
    readonly models: (convening: Convening) => readonly (string | undefined)[];
    readonly writes: boolean;
  },
): Promise<{ readonly dir: string; readonly settings: Omit<JudgeOptions, "judges"> }> {
  const { io, catalogue, signal } = session;
  const dir = await directoryOf(invocation, session);
  requirePermissions(io, { reads: [dir] });
  const convening = await openConvening(dir);
  const { model, baseUrl, providers, limits, retry } = parseConfig({
    kind: "debate",
    topic: convening.start.topic,
    ...pickKeys(convening.start.configuration, ["model", "baseUrl", "providers"]),
    ...pickKeys(flagSettings(invocation.values), ["baseUrl", "limits", "retry"]),
  });
  const asked: Partial<ConveningConfig> = {
    kind: "debate",
    model,
    baseUrl,
    providers,
    participants: [],
    judges: models(convening).map((each) => ({ model: each })),
  };
  const rules = keyRules(invocation, session, { ofRecord: true });
  requirePermissions(io, {
    ...needsOf(asked, session, rules),
    reads: [dir],
    ...writes ? { writes: archiveOf(dir) } : {},
  });
  setConvening(convening, session);
  const given = { baseUrl, providers, retry, env: io.env, signal, catalogue, ...rules };
  return { dir, settings: { ...given, ...defined({ limits }) } };
}

function pickKeys(from: Readonly<Record<string, unknown>>, keys: readonly string[]): object {
  return defined(Object.fromEntries(keys.map((key) => [key, from[key]])));
}
