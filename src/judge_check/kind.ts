// The kind of convening that checks a judge.
import { z } from "zod";
import { defineKind, type Kind } from "../engine/kind.ts";

/** Topic of every check, for records and lists. */
export const JUDGE_CHECK_TOPIC = "Which of two short speeches argues better?";

const settings = {
  quick: z.boolean().default(false).describe("Asks a third of the questions."),
} as const;

/** `judge-check`: asks a judge about pairs of speeches and gives its profile. The clerk states the profile and is not asked. */
export const JUDGE_CHECK: Kind = defineKind({
  name: "judge-check",
  summary: "A judge compares pairs of speeches in every order and label; its biases are measured",
  settings,
  participants: [{ name: "Clerk", role: "moderator" }, { name: "Judge" }],
  create: async (...made) => new (await import("./judge_check.ts")).JudgeCheck(...made),
});
