/**
 * Scoring and statistics: rubrics, scores and totals, the assessment of verdicts, and the agreement of judges.
 *
 * @module
 */

// Workflows
export type { Judge } from "./src/engine/workflow_options.ts";

// Agents
export { createScoringAgent } from "./src/agents/human.ts";

// Interfaces that a program can implement
export type { Scored, Scoring, ScoringRubric } from "./src/core/agent.ts";

// Rubrics and scores
export {
  checkRubric,
  rubricNamed,
  RUBRICS,
  standings,
  weightedTotal,
} from "./src/judging/scoring.ts";
export type { ScoredTurn } from "./src/judging/scoring.ts";
export { decide, type Decision } from "./src/judging/panels.ts";
export type { Anchor, Criterion, Rubric } from "./src/core/outcome.ts";
export type { Standing } from "./src/core/outcome.ts";
export { type AlphaMetric, krippendorffAlpha } from "./src/core/alpha.ts";
export { debateRubric } from "./src/debate/formats.ts";
export { scorer, type ScorerOptions } from "./src/judging/scorer.ts";

// Configuration
export type { JudgeConfig } from "./src/config/convening_config.ts";

// Events, facts and results
export { assess, type AssessOptions } from "./src/judging/assessment.ts";
export type {
  Agreement,
  Assessment,
  Audience,
  Baseline,
  ClaimCounts,
  Consensus,
  FactCheckSummary,
  Hold,
  JudgeAgreement,
  JudgeNote,
  JudgeNoteKind,
  JudgeReason,
  JudgeVote,
  ParticipantClaims,
  Proposal,
  ProposalStanding,
  SideSupport,
  Strength,
  StrengthLevel,
  VoteSplit,
} from "./src/core/outcome.ts";
export { consensusOf } from "./src/judging/stances.ts";
export { agreementOf } from "./src/judging/agreement.ts";
export type { Score, Verdict } from "./src/core/fact.ts";
