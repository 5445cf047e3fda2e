/**
 * Structured conversations between language models, each left as an indexed directory of markdown.
 *
 * A program that holds a debate and follows it:
 *
 * ```ts
 * import {
 *   createAgent,
 *   createDebateModerator,
 *   createDebateParticipant,
 *   createDebateWorkflow,
 *   memoryRecord,
 * } from "@convenings/convenings";
 *
 * const agent = createAgent("offline");
 * const debate = createDebateWorkflow("Should cities ban private cars from their centres?", [
 *   createDebateModerator({}, agent),
 *   createDebateParticipant({ name: "Ada", position: "Yes, they should" }, agent),
 *   createDebateParticipant({ name: "Ben", position: "No, they should not" }, agent),
 * ], { roundCount: 1, seed: 1, record: memoryRecord() });
 * for await (const event of debate.stream()) {
 *   if (event.type === "message") console.assert(event.message.body !== "");
 * }
 * ```
 *
 * Without `record` the debate is written to a new directory under `./convenings`; {@linkcode resume} goes on with one that
 * was interrupted, {@linkcode openConvening} reads one.
 *
 * @module
 */

// Workflows
export { DialogueWorkflow } from "./src/engine/dialogue_workflow.ts";
export type { DialogueOptions } from "./src/engine/workflow_options.ts";
export { DebateWorkflow } from "./src/debate/debate_workflow.ts";
export type { DebateWorkflowResult } from "./src/debate/debate_workflow.ts";
export { DEBATE_DEFAULTS } from "./src/debate/debate_options.ts";
export type {
  DebateJudge,
  DebateKeys,
  DebateListener,
  DebateWorkflowConfig,
} from "./src/debate/debate_options.ts";
export { ConsensusWorkflow } from "./src/consensus/consensus_workflow.ts";
export type { ConsensusWorkflowResult } from "./src/consensus/consensus_workflow.ts";
export { CONSENSUS_DEFAULTS } from "./src/consensus/consensus_workflow.ts";
export type { ConsensusKeys, ConsensusOptions } from "./src/consensus/consensus_workflow.ts";
export { PaperDebateWorkflow } from "./src/papers/debate/paper_debate_workflow.ts";
export type { PaperDebateResult } from "./src/papers/debate/paper_debate_workflow.ts";
export { PAPER_DEBATE_DEFAULTS } from "./src/papers/debate/paper_debate_options.ts";
export type {
  PaperDebateKeys,
  PaperDebateOptions,
} from "./src/papers/debate/paper_debate_options.ts";
export type { Selecting } from "./src/engine/workflow_options.ts";
export type {
  AgentSettings,
  EmbedderSettings,
  HandedIn,
  Judge,
  Remembered,
  WorkflowDesign,
  WorkflowHost,
  WorkflowOptions,
} from "./src/engine/workflow_options.ts";
export type { Helper } from "./src/core/participant.ts";
export type { WorkflowPlan } from "./src/engine/plan.ts";
export type { RetryOptions } from "./src/config/convening_config.ts";
export type { Summariser } from "./src/engine/workflow_options.ts";
export { composeConvening, createAgent, createEmbedder, defaultHost } from "./src/compose.ts";
export {
  createConsensusWorkflow,
  createDebateWorkflow,
  createDialogueWorkflow,
  createPaperDebateWorkflow,
} from "./src/operations/workflows.ts";
export { defaultModel } from "./src/inputs/servers.ts";
export type {
  AgentFactory,
  Catalogue,
  ComposeOptions,
  ConveningMatter,
  LibraryOptions,
  OwnConfig,
  WorkflowOf,
} from "./src/compose.ts";
export type { SearchSettings } from "./src/inputs/servers.ts";

// Kinds of a program's own
export { defineKind } from "./src/engine/kind.ts";
export type { Kind, KindDefinition, KindOptions } from "./src/engine/kind.ts";
export { createLibrary } from "./src/operations/library.ts";
export type { Library } from "./src/operations/library.ts";
export { choiceQuestion } from "./src/core/choice_question.ts";
export type { ChoiceQuestion } from "./src/core/choice_question.ts";

// Protocols
export { ask, begin, beginAsk, results, say, settle, settleWhatCan } from "./src/core/protocol.ts";
export type { Begun, Protocol, ProtocolRequest } from "./src/core/protocol.ts";
export { consensus } from "./src/consensus/protocol.ts";
export type { ConsensusOutcome, ConsensusRules } from "./src/consensus/protocol.ts";
export { CONSENSUS_TEMPLATES } from "./src/consensus/prompts.ts";
export type { ConsensusTemplates } from "./src/consensus/prompts.ts";
export { debate } from "./src/debate/protocol.ts";
export type { DebateOutcome, DebateRules, Exchange, Side } from "./src/debate/protocol.ts";
export { DEBATE_TEMPLATES } from "./src/debate/prompts.ts";
export type { DebateTemplates } from "./src/debate/prompts.ts";
export { paperDebate } from "./src/papers/debate/protocol.ts";
export type { PaperDebateCourse } from "./src/papers/debate/protocol.ts";
export type {
  Judged as PaperJudged,
  Matter,
  PaperRules,
  PaperTurns,
} from "./src/papers/debate/rules.ts";
export { PAPER_TEMPLATES } from "./src/papers/debate/prompts.ts";
export type { PaperTemplates } from "./src/papers/debate/prompts.ts";
export type {
  Answer,
  Fields,
  FieldsProblem,
  Question,
  ReplySight,
  Turn,
  TurnStructure,
} from "./src/core/turn.ts";

// Participants
export { createParticipant } from "./src/core/participant.ts";
export type {
  Participant,
  ParticipantAgentConfig,
  ParticipantOptions,
} from "./src/core/participant.ts";
export { createDebateParticipant } from "./src/core/participant.ts";
export type { DebateParticipant } from "./src/core/participant.ts";
export { createDebateModerator } from "./src/core/participant.ts";

// Papers
export { DebateCoordinator } from "./src/operations/debate_coordinator.ts";
export type {
  CoordinatorOptions,
  DebateProgress,
  Papers,
  StageData,
} from "./src/operations/debate_coordinator.ts";
export { readPaper, readPapers } from "./src/inputs/papers.ts";
export type { ReadPaperOptions } from "./src/inputs/papers.ts";
export { checkPaper } from "./src/papers/text/check_paper.ts";
export type { PaperDraft } from "./src/papers/text/check_paper.ts";
export type { Paper } from "./src/core/paper.ts";
export type { PaperDebateOutcome } from "./src/papers/text/paper_stages.ts";
export type {
  Citations,
  DebaterArgument,
  EvidenceFigures,
  LookupHit,
  PaperPlace,
  Quotation,
  TopicArgument,
  Verification as EvidenceMark,
  WebSearchResult,
} from "./src/core/evidence.ts";
export type {
  DebateReport,
  DebaterScores,
  DebaterVerification,
  DebateSession,
  JudgeVerdict,
} from "./src/papers/text/debate_report.ts";
export { referencesIn } from "./src/papers/text/references.ts";
export { debateReport } from "./src/papers/text/report.ts";
export { reportSchema } from "./src/papers/text/report_schema.ts";
export { createRetriever } from "./src/papers/retrieval/paper_index.ts";
export type { RetrieverOptions } from "./src/papers/retrieval/paper_index.ts";
export type { Embedder, EmbedOptions } from "./src/core/embedder.ts";
export { lookUpPaperTool } from "./src/papers/tools.ts";
export { webSearchTool } from "./src/papers/tools.ts";
export { MAX_PASSAGES } from "./src/core/retriever.ts";
export type { PaperHit, RetrieveOptions, Retriever } from "./src/core/retriever.ts";

// Convenings on disk
export {
  exportConvening,
  fork,
  openConvening,
  rebuildIndex,
  resume,
  verify,
} from "./src/operations/convening.ts";
export { listConvenings, showMessage } from "./src/operations/showing.ts";
export type {
  Convening,
  ForkOptions,
  Resumed,
  ResumeOptions,
  VerifyOptions,
} from "./src/operations/convening.ts";
export { askConvening } from "./src/operations/asking.ts";
export type { Answer as MessageAnswer, AskOptions, AskResult } from "./src/operations/asking.ts";
export { interject, pauseConvening, speak } from "./src/operations/attending.ts";
export type { Said, SpeakOptions } from "./src/operations/attending.ts";
export { judge } from "./src/operations/judging.ts";
export type { JudgeAgain, Judged, JudgeOptions } from "./src/operations/judging.ts";
export { proposeTopics } from "./src/operations/topics.ts";
export type { ProposedTopics, TopicOptions } from "./src/operations/topics.ts";
export { untilReleased, watchConvening } from "./src/operations/watching.ts";
export type { Watched, WatchOptions } from "./src/operations/watching.ts";
export { memoryOf, searchArchive } from "./src/record/remembered.ts";
export type { Finding, RecordProblem } from "./src/record/read.ts";
export type {
  ArchiveSearch,
  ArchiveSearchOptions,
  Memory,
  MemoryOptions,
  SearchRow,
} from "./src/record/remembered.ts";
export { fileRecord, folderRecord } from "./src/record/fs_store.ts";
export type { FolderPlace } from "./src/record/directory_record.ts";
export { FACT_EVENTS } from "./src/core/event.ts";
export { CLAIM_VERDICTS, END_REASONS } from "./src/core/fact.ts";
export { FileError } from "./src/core/files.ts";
export type {
  FileEntry,
  FileInfo,
  FileLock,
  FilePart,
  FileProblem,
  FileSystem,
  LockAttempt,
  LockOptions,
} from "./src/core/files.ts";
export { memoryRecord } from "./src/record/memory_store.ts";
export type { MemoryRecord } from "./src/record/memory_store.ts";
export type { ConveningRow } from "./src/record/list.ts";
export type { MessageFile } from "./src/record/fact_files.ts";
export type { Verification } from "./src/record/verify.ts";
export type { RecordHolder } from "./src/record/claim.ts";
export type { RecordOptions } from "./src/record/directory_record.ts";

// Agents
export { createOfflineAgent } from "./src/agents/offline.ts";
export type { OfflineOptions } from "./src/agents/offline.ts";
export { createOpenAIAgent } from "./src/agents/openai.ts";
export type { OpenAIAgentOptions } from "./src/agents/openai.ts";
export { createScoringAgent } from "./src/agents/scoring.ts";
export { createReplayAgent } from "./src/agents/replay.ts";
export type { ReplayAnswers, ReplayOptions } from "./src/agents/replay.ts";

// Seams: what an own class implements
export type {
  Agent,
  AgentReply,
  AgentRequest,
  ChatMessage,
  FinishReason,
  ReplyRounds,
  ReplySchema,
  RequestContext,
  Scored,
  Scoring,
  ScoringRubric,
} from "./src/core/agent.ts";
export { defineFact, type FactKind, type OwnFactParts } from "./src/core/own_fact.ts";
export type { Consult, Consultation, Observer, ObserverTools, Once } from "./src/core/observer.ts";
export { MAX_RESULTS } from "./src/core/search.ts";
export type { Searcher, SearchHit, SearchOptions } from "./src/core/search.ts";
export { webSearch } from "./src/checking/web_search.ts";
export type { WebSearchOptions } from "./src/checking/web_search.ts";
export type { Tool, ToolTrace } from "./src/core/tool.ts";
export type { Parsed, Schema, SchemaIssue, SchemaShape, ValuesOf } from "./src/core/schema.ts";
export type { SelectionContext, Speaker, SpeakerSelection } from "./src/core/selection.ts";
export { nextInOrder } from "./src/core/selection.ts";
export type { Clock } from "./src/core/clock.ts";
export type {
  AnswerShelf,
  ConveningStart,
  Inbox,
  KeptAnswer,
  KeptVector,
  OpenRecord,
  Parent,
  ParticipantInfo,
  RecordStore,
  Source,
  Submission,
  VectorShelf,
} from "./src/core/record.ts";

export type { OrderProblem } from "./src/core/order.ts";

// Guards
export { emptyGuard, lengthGuard } from "./src/core/guard.ts";
export type { Draft, Guard, GuardTools, Objection } from "./src/core/guard.ts";
export type { WordRange } from "./src/core/words.ts";
export { coherenceGuard } from "./src/checking/guards/coherence.ts";
export { refusedTermsGuard } from "./src/checking/guards/refused_terms.ts";
export { likenessOf, repetitionGuard } from "./src/checking/guards/repetition.ts";
export type { CoherenceOptions } from "./src/checking/guards/coherence.ts";
export type { RefusedTermsOptions } from "./src/checking/guards/refused_terms.ts";
export type { Likeness, RepetitionOptions } from "./src/checking/guards/repetition.ts";
export type { ActiveGuardMode } from "./src/checking/guards/guard_mode.ts";
export type {
  CoherenceSettings,
  GuardSettings,
  RefusedTermsSettings,
  RepetitionSettings,
} from "./src/config/convening_config.ts";

// Personas
export { personaText } from "./src/core/persona.ts";
export type { Persona } from "./src/core/persona.ts";
export { loadPersona, loadRubric } from "./src/inputs/inputs.ts";

// Rubrics and scores
export { checkRubric, decide, standings, weightedTotal } from "./src/judging/scoring.ts";
export type { ScoredTurn } from "./src/judging/scoring.ts";
export type { Criterion, Rubric } from "./src/config/convening_config.ts";
export type { Decision } from "./src/judging/scoring.ts";
export type { Standing } from "./src/core/outcome.ts";
export { rubricNamed, RUBRICS } from "./src/judging/rubrics.ts";
export { krippendorffAlpha } from "./src/core/statistics.ts";
export type { AlphaMetric } from "./src/core/statistics.ts";
export { debateRubric } from "./src/debate/formats.ts";
export { scorer } from "./src/judging/scorer.ts";
export type { ScorerOptions } from "./src/judging/scorer.ts";

// Configuration
export { configSchema, parseConfig } from "./src/config/config.ts";
export type { Checked } from "./src/config/config.ts";
export type {
  CommonConfig,
  ConsensusConfig,
  ConveningConfig,
  DebateConfig,
  DebateFormat,
  DialogueConfig,
  FactCheckConfig,
  GuardMode,
  JudgeConfig,
  ListenerConfig,
  PaperDebateConfig,
  PresetName,
  RetrievalMode,
  TranscriptFormat,
} from "./src/config/convening_config.ts";
export type { ParticipantConfig } from "./src/core/participant.ts";
export type { AddressSetting, KeyRules } from "./src/core/key_rules.ts";
export type { TopicCheck } from "./src/core/topic.ts";
export type { LimitName, Limits } from "./src/core/limit.ts";
export { BUILT_IN_PRICES } from "./src/config/prices.ts";
export type { Price, Prices } from "./src/config/prices.ts";
export { PLACEHOLDERS } from "./src/core/prompt.ts";
export type { PlaceholderValues } from "./src/core/prompt.ts";

// Events, facts and results
export type {
  ConveningEvent,
  Ending,
  EventBody,
  FactEvent,
  TurnInfo,
  WaitedFor,
} from "./src/core/event.ts";
export { assess } from "./src/judging/assessment.ts";
export type { AssessOptions } from "./src/judging/assessment.ts";
export type { Assessment } from "./src/core/outcome.ts";
export type { Audience, SideSupport } from "./src/core/outcome.ts";
export type { Baseline } from "./src/core/outcome.ts";
export type {
  ClaimCounts,
  FactCheckSummary,
  ParticipantClaims,
} from "./src/core/fact_check_summary.ts";
export { consensusOf } from "./src/judging/consensus.ts";
export type { Consensus, Hold, Proposal, ProposalStanding } from "./src/core/outcome.ts";
export { agreementOf } from "./src/judging/panel.ts";
export type { Agreement, JudgeAgreement } from "./src/core/outcome.ts";
export type {
  CheckedClaim,
  Choice,
  ClaimSource,
  ClaimVerdict,
  Context,
  EndReason,
  Evidence,
  Fact,
  FactCheck,
  Failure,
  LookUp,
  OfTurn,
  Outcome,
  OwnFact,
  Rejection,
  Score,
  Stance,
  StanceOn,
  Status,
  Stop,
  TopicScore,
  TurnDraft,
  Verdict,
} from "./src/core/fact.ts";
export type { Made, Mark, Message, Usage } from "./src/core/message.ts";
export type { ConveningResult } from "./src/core/result.ts";
export type { Stage, StageTeller } from "./src/core/stage.ts";

// Errors
export {
  AgentError,
  CancelledError,
  ConfigurationError,
  ConveningError,
  PaperError,
  RecordError,
  SearchError,
  TopicError,
  TurnOrderError,
} from "./src/core/error.ts";
export type {
  AgentErrorCode,
  AgentErrorDetail,
  ErrorCode,
  ErrorDetail,
  FieldProblem,
} from "./src/core/error.ts";
export type { OwnKinds } from "./src/config/config.ts";
