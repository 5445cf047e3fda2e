/**
 * Debates over research papers: reading of papers, retrieval, the workflow, the report, and their types.
 *
 * @module
 */

// Workflows
export { PaperDebateWorkflow } from "./src/papers/debate/paper_debate_workflow.ts";
export type { PaperDebateResult } from "./src/papers/debate/paper_debate_workflow.ts";
export { PAPER_DEBATE_DEFAULTS } from "./src/papers/debate/paper_debate_plan.ts";
export type { PaperDebateKeys, PaperDebateOptions } from "./src/papers/debate/paper_debate_plan.ts";
export type { EmbedderSettings } from "./src/engine/workflow_options.ts";
export { createEmbedder } from "./src/compose.ts";

// Protocols
export { paperDebate } from "./src/papers/debate/protocol.ts";
export type {
  Judged as PaperJudged,
  PaperDebateCourse,
  PaperRules,
  PaperTurns,
} from "./src/papers/debate/protocol.ts";
export { PAPER_TEMPLATES, type PaperTemplates } from "./src/papers/debate/paper_debate_plan.ts";

// Papers
export type {
  CoordinatorOptions,
  DebateProgress,
  Papers,
} from "./src/operations/debate_coordinator.ts";
export { readPaper, type ReadPaperOptions, readPapers } from "./src/inputs/papers.ts";
export type { PaperCharacters } from "./src/papers/text/excerpt.ts";
export { checkPaper, type PaperDraft } from "./src/papers/text/check_paper.ts";
export type {
  Citations,
  DebaterArgument,
  EvidenceFigures,
  LookupHit,
  Paper,
  PaperPlace,
  Quotation,
  TopicArgument,
  Verification as EvidenceMark,
  WebSearchResult,
} from "./src/core/paper.ts";
export type { PaperDebateOutcome } from "./src/papers/text/report.ts";
export { reportSchema } from "./src/papers/text/debate_report.ts";
export type {
  DebateReport,
  DebaterScores,
  DebaterVerification,
  DebateSession,
  DebateSubject,
  JudgeVerdict,
  StageData,
} from "./src/papers/text/debate_report.ts";
export { referencesIn } from "./src/papers/text/references.ts";
export { debateReport } from "./src/papers/text/report.ts";
export { createRetriever, type RetrieverOptions } from "./src/papers/retrieval.ts";
export { MAX_PASSAGES } from "./src/core/search.ts";
export type {
  Embedder,
  EmbeddingMeter,
  EmbedOptions,
  MeteredEmbedder,
  PaperHit,
  RetrieveOptions,
  Retriever,
} from "./src/core/search.ts";
export { lookUpPaperTool, webSearchTool } from "./src/papers/tools.ts";

// Configuration
export type { PaperDebateConfig, RetrievalMode } from "./src/config/convening_config.ts";

// Events, facts and results
export type { Evidence, TopicScore } from "./src/core/fact.ts";
