// Bodies of the requests that clients send about a convening.
import { z } from "zod";
import { resumeShape } from "../config/setting.ts";
import { SETTINGS } from "../config/settings.ts";

const model = z.string().min(1).max(200);
const models = z.array(model).min(1).max(20);
const { limits, retry, judgeTemperature } = SETTINGS;

/** What a person says: a turn that is waited for, or an interjection. */
export const sayRequest = z.strictObject({
  text: z.string().max(50_000).describe("What is said, in markdown."),
  participant: z.string().min(1).max(200).optional().describe(
    "The id or name of the one who speaks; needed where several are waited for.",
  ),
  interject: z.boolean().optional().describe(
    "Whether it is said from the audience, before the next turn: it is nobody's turn.",
  ),
});

/** The last message that is taken over, and what it says instead. */
export const forkRequest = z.strictObject({
  at: z.int().min(1).describe("The number of the last message that is taken over."),
  edit: z.string().min(1).max(100_000).optional().describe("What that message says instead."),
});

/** Settings of a resume over the recorded settings: those that may change then and that a client may set. */
export const goOnRequest = z.strictObject({
  ...resumeShape(SETTINGS),
  advocateModels: models.optional().describe("Of a debate: one for all, or one each in order."),
  judgeModels: models.optional().describe("One judge each."),
});

/** Settings of a resume. */
export type GoOnRequest = z.infer<typeof goOnRequest>;

/** Who judges once more, and by what. */
export const judgeRequest = z.strictObject({
  rubric: z.unknown().optional().describe("A built-in rubric's id, or a whole rubric."),
  models: z.array(model).min(1).max(10).optional().describe("One judge each."),
  temperature: judgeTemperature.schema.optional().describe(judgeTemperature.about),
  limits: limits.schema.omit({ maxTurns: true }).optional().describe(limits.about),
  retry: retry.schema.optional().describe(retry.about),
});

/** Who judges once more, and by what. */
export type JudgeRequest = z.infer<typeof judgeRequest>;

/** What is asked of a convening, and how many answers at most. */
export const askRequest = z.strictObject({
  question: z.string().max(2000).describe("A question, or words to look for."),
  limit: z.int().min(1).max(100).optional().describe("The most answers. @default 5"),
});

/** Nothing is said with it. */
export const emptyRequest = z.strictObject({});
