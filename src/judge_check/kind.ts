// Defines the kind `judge-check`.
import { z } from "zod";
import { type Kind, kindOf } from "../engine/kind.ts";

/** Topic of every judge check, for records and lists. */
export const JUDGE_CHECK_TOPIC = "Which of two short speeches argues better?";

const settings = {
  quick: z.boolean().default(false).describe("Asks a third of the questions."),
} as const;

/** Asks a judge about pairs of speeches and returns the judge's profile. The clerk, whose model is not asked, states the profile. */
export const JUDGE_CHECK: Kind = kindOf({
  name: "judge-check",
  summary: "A judge compares pairs of speeches in every order and label; its biases are measured",
  settings,
  participants: [{ name: "Clerk", role: "moderator" }, { name: "Judge" }],
  create: async (...made) => new (await import("./judge_check.ts")).JudgeCheck(...made),
});
