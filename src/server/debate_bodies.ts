import { z } from "zod";

const paperId = z.string("Give the id of a paper that was posted.").trim()
  .min(1, "Give the id of a paper that was posted.");
const question = z.string("Give the question, 1 to 1000 characters.").trim()
  .min(1, "Give the question, 1 to 1000 characters.")
  .max(1000, "Give the question, 1 to 1000 characters.");
const numPostures = z.int("Give a whole number from 2 to 8.")
  .min(2, "Give a whole number from 2 to 8.").max(8, "Give a whole number from 2 to 8.");

const criteria = z.array(
  z.strictObject({
    id: z.string().min(1),
    weight: z.number().min(0).max(1),
    description: z.string().min(1),
  }),
).min(1).max(20);

/** What judges score by: a built-in rubric's id, the criteria alone (then scored from 0 to 1), or a whole rubric. */
const rubric = z.union(
  [
    z.string().min(1),
    criteria,
    z.strictObject({
      id: z.string().min(1),
      scale: z.tuple([z.number(), z.number()]),
      criteria,
      anchors: z.array(z.strictObject({ from: z.number(), means: z.string().min(1) })).max(20),
    }),
  ],
  "Give a built-in rubric's id, a list of criteria ({id, weight, description}), or a whole rubric.",
);

const whole = {
  numPostures: numPostures.optional(),
  rubric: rubric.optional(),
  /** More papers that are debated together with the first. */
  paperIds: z.array(paperId, "Give a list of ids.").max(19, "Give at most 19 more papers.")
    .optional(),
};

/** `POST /api/mas-debate/questions`. */
export const questionsBody = z.strictObject({ paperId });
/** `POST /api/mas-debate/postures`. */
export const posturesBody = z.strictObject({
  paperId,
  question,
  numPostures: numPostures.optional(),
});
/** `POST /api/mas-debate/run`. */
export const runBody = z.strictObject({ paperId, question, ...whole });
/** `POST /api/mas-debate/run-complete`; the index counts from 0. */
export const runCompleteBody = z.strictObject({
  paperId,
  questionIndex: z.int("Give a whole number from 0.").min(0, "Give a whole number from 0.")
    .optional(),
  ...whole,
});

/** What a whole debate is asked with. */
export type RunBody = z.infer<typeof runBody> | z.infer<typeof runCompleteBody>;
