import { z } from "zod";
import { CancelledError } from "../../core/error.ts";
import { judge } from "../../library/judging.ts";
import { checkPart } from "../asked_config.ts";
import { endingData } from "../running.ts";
import { ID } from "../tool_input.ts";
import { defineWriter } from "../writer.ts";

const JUDGE_OF = z.strictObject({
  name: z.string().min(1).max(200).optional(),
  model: z.string().min(1).max(200).optional().describe("@default the convening's"),
  rubric: z.string().min(1).max(100).optional().describe("A built-in rubric's id."),
  temperature: z.number().min(0).max(2).optional(),
});

/** Judges a convening once more. */
export const JUDGE = defineWriter({
  name: "judge",
  title: "Judge a convening once more",
  about:
    "Has a convening that has ended judged by a new panel, beside the judgement it has, none of which changes; waits for the panel. read_scores gives what it wrote.",
  input: z.strictObject({
    id: ID,
    judges: z.array(JUDGE_OF).min(1).max(10).default([{}]).describe("Who judges; each model once."),
  }),
  async call({ id, judges }, { context, signal: asked }, { models, signal: ends }) {
    checkPart({ judges });
    const dir = await context.dirOf(id);
    const { baseUrl, providers, env } = models;
    const signal = AbortSignal.any([asked, ends]);
    const judged = await judge(dir, { judges, baseUrl, providers, env, signal });
    if (signal.aborted) throw new CancelledError(signal.reason);
    const { panel, convening: { result } } = judged;
    return {
      data: {
        id,
        judges: judged.judges.map(({ id, model, rubric }) => ({ id, model, rubric })),
        panel: endingData({ ...panel, status: result.status, usage: result.usage }),
      },
    };
  },
});
