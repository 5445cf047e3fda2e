import type { AgentRequest, ReplySchema } from "../../core/agent.ts";
import type { TokenCounter } from "../../core/tokens.ts";
import type { ToolTrace } from "../../core/tool.ts";
import { claimVerdictAnswer } from "./claim_verdict.ts";
import { claimsAnswer } from "./claims.ts";
import { filledShape } from "./filling.ts";
import { scoreAnswer, verdictAnswer } from "./judging.ts";
import { baselineAnswer, summaryAnswer } from "./overview.ts";
import { type Asked, streamOf } from "./phrasing.ts";
import { insightsAnswer } from "./paper/insights.ts";
import { paperTurn } from "./paper/paper_turns.ts";
import { paperVerdict } from "./paper/paper_verdict.ts";
import { topicScoresAnswer } from "./paper/topic_scores.ts";
import { mergedAnswer, proposalsAnswer } from "./proposals.ts";
import { personaAnswer, roundReviewAnswer, rulingAnswer } from "./review.ts";
import { bidAnswer, nextSpeakerAnswer } from "./selection.ts";
import { fitted, rootShape } from "./shape.ts";
import { stanceAnswer } from "./standing.ts";
import { topicsAnswer } from "./topics.ts";
import { turnFields } from "./turn_fields.ts";

/** By kind of question, what computes its answer: undefined where the question does not carry what it takes. */
const ANSWERS: ReadonlyMap<string, (asked: Asked) => unknown> = new Map<
  string,
  (asked: Asked) => unknown
>([
  ["score", ({ context }) => scoreAnswer(context)],
  ["verdict", ({ context }) => paperVerdict(context) ?? verdictAnswer(context)],
  ["bid", bidAnswer],
  ["next_speaker", nextSpeakerAnswer],
  ["proposals", proposalsAnswer],
  ["proposals_merged", mergedAnswer],
  ["stance", stanceAnswer],
  ["claims", claimsAnswer],
  ["claim_verdict", claimVerdictAnswer],
  ["persona_check", personaAnswer],
  ["ruling", rulingAnswer],
  ["round_review", roundReviewAnswer],
  ["baseline", baselineAnswer],
  ["summary", summaryAnswer],
  ["topics", topicsAnswer],
  ["topic_scores", topicScoresAnswer],
  ["insights", insightsAnswer],
]);

/** What a structured request is answered with. */
export interface AnswerOptions {
  readonly count: TokenCounter;
  /** The tools that were called for it, and what they gave back. @default none */
  readonly traces?: readonly ToolTrace[] | undefined;
}

/** The JSON text that answers a structured request: computed from what it is about, and fitting its schema. */
export function answerQuestion(
  request: AgentRequest,
  schema: ReplySchema,
  { count, traces = [] }: AnswerOptions,
): string {
  const { context, maxTokens } = request;
  const root = rootShape(schema) ?? {};
  const asked = { context, root, random: streamOf(context), count, maxTokens };
  const known = context.purpose === "turn"
    ? paperTurn(asked, traces) ?? turnFields(request, schema, asked)
    : ANSWERS.get(context.kind)?.(asked);
  const value = fitted(known, root);
  if (known !== undefined && schema.type.safeParse(value).success) return JSON.stringify(value);
  return JSON.stringify(filledShape(request, schema, count));
}
