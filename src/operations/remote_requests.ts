import { z } from "zod";
import { debateSchema, paperDebateSchema } from "../config/config.ts";

const model = z.string().min(1).max(200);
const models = z.array(model).min(1).max(20);
const { limits, retry, ...shared } = debateSchema.shape;

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

/** Settings to go on with over the recorded ones: what `resume` takes, but for what names a place of this machine. */
export const goOnRequest = z.strictObject({
  model: model.optional().describe("Of every role whose model was the convening's."),
  moderatorModel: model.optional(),
  advocateModels: models.optional().describe("Of a debate: one for all, or one each in order."),
  judgeModels: models.optional().describe("One judge each."),
  limits: limits.describe("Of the whole convening; they stand over the recorded ones one by one."),
  retry,
  personTimeout: shared.personTimeout,
  idleTimeout: shared.idleTimeout,
  totalTimeout: shared.totalTimeout,
  maxReplyBytes: shared.maxReplyBytes,
  transcript: shared.transcript,
  question: paperDebateSchema.shape.question.describe(
    "What is debated, of a debate over papers that has no question yet.",
  ),
  pick: paperDebateSchema.shape.pick.describe(
    "Which of the questions that were put to the papers is debated, from 1.",
  ),
});

/** Settings to go on with. */
export type GoOnRequest = z.infer<typeof goOnRequest>;

/** Who judges once more, and by what. */
export const judgeRequest = z.strictObject({
  rubric: z.unknown().optional().describe("A built-in rubric's id, or a whole rubric."),
  models: z.array(model).min(1).max(10).optional().describe("One judge each."),
  temperature: shared.judgeTemperature,
  limits: limits.unwrap().omit({ maxTurns: true }).optional(),
  retry,
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
