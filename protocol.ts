/**
 * Extension of the library: kinds of convenings, protocols, agents, guards, observers, searchers and records that a program
 * defines; the types of everything that is recorded.
 *
 * @module
 */

// Workflows
export type {
  DialogueOptions,
  HandedIn,
  Remembered,
  Selecting,
  Summariser,
  WorkflowDesign,
  WorkflowHost,
  WorkflowOptions,
} from "./src/engine/workflow_options.ts";
export { DEBATE_DEFAULTS } from "./src/debate/settings.ts";
export type { DebateJudge, DebateKeys, DebateListener } from "./src/debate/settings.ts";
export { CONSENSUS_DEFAULTS, ConsensusWorkflow } from "./src/consensus/consensus_workflow.ts";
export type {
  ConsensusKeys,
  ConsensusOptions,
  ConsensusWorkflowResult,
} from "./src/consensus/consensus_workflow.ts";
export type {
  Helper,
  ParticipantAgentConfig,
  ParticipantConfig,
  ParticipantOptions,
} from "./src/core/participant.ts";
export type { PlannedPrompt, RecordedPrompt, WorkflowPlan } from "./src/engine/plan.ts";
export type {
  CoherenceSettings,
  CommonConfig,
  ConsensusConfig,
  DebateFormat,
  DialogueConfig,
  FactCheckConfig,
  GuardSettings,
  ListenerConfig,
  PresetName,
  RefusedTermsSettings,
  RepetitionSettings,
  TranscriptFormat,
} from "./src/config/convening_config.ts";
export type { AgentSettings, ProviderConfig, RetryOptions } from "./src/core/key_rules.ts";
export type { Consult, Consultation, GuardMode } from "./src/core/turn.ts";
export { defaultHost } from "./src/compose.ts";
export type {
  AgentFactory,
  Catalogue,
  ComposeOptions,
  ConveningInputs,
  LibraryOptions,
  OwnConfig,
  WorkflowOf,
} from "./src/compose.ts";
export { defaultModel, type SearchSettings } from "./src/inputs/servers.ts";

// Kinds that a program defines
export { defineKind, type Kind, type KindDefinition, type KindOptions } from "./src/engine/kind.ts";
export { type ChoiceQuestion, choiceQuestion } from "./src/core/turn.ts";

// Protocols
export { ask, begin, beginAsk, results, say, settle, settleWhatCan } from "./src/core/protocol.ts";
export type { Begun, Protocol, ProtocolRequest } from "./src/core/protocol.ts";
export { consensus, CONSENSUS_TEMPLATES } from "./src/consensus/protocol.ts";
export type {
  ConsensusOutcome,
  ConsensusRules,
  ConsensusTemplates,
} from "./src/consensus/protocol.ts";
export { debate } from "./src/debate/protocol.ts";
export type { DebateOutcome, DebateRules, Exchange, Side } from "./src/debate/rules.ts";
export { DEBATE_TEMPLATES, type DebateTemplates } from "./src/debate/formats.ts";
export type {
  Answer,
  Fields,
  FieldsProblem,
  Question,
  ReplyContext,
  ShownRecord,
  Turn,
  TurnStructure,
} from "./src/core/turn.ts";

// Convenings on disk
export type { ForkOptions, ResumeOptions, VerifyOptions } from "./src/operations/convening.ts";
export type { Resumed } from "./src/operations/active_run.ts";
export type { Answer as MessageAnswer, AskOptions, AskResult } from "./src/operations/search.ts";
export type { Said, SpeakOptions } from "./src/operations/attending.ts";
export type {
  BriefOptions,
  FlowOptions,
  JudgeAgain,
  Judged,
  JudgeOptions,
  WrittenBrief,
} from "./src/operations/ended_convening.ts";
export type { SiteOptions } from "./src/viewer/site/site.ts";
export type { WrittenSite } from "./src/viewer/site/writer.ts";
export type { NotedFlow } from "./src/debate/flow_sheet.ts";
export type { RecordModelOptions } from "./src/operations/record_question.ts";
export type { TopicOptions } from "./src/operations/topics.ts";
export type { Watched, WatchOptions } from "./src/operations/watching.ts";
export { memoryOf } from "./src/record/search.ts";
export type {
  ArchiveSearch,
  ArchiveSearchOptions,
  KnownMessages,
  Memory,
  MemoryOptions,
  MessageFilter,
  SearchRow,
} from "./src/record/search.ts";
export type { Finding, RecordProblem } from "./src/record/read.ts";
export type { MemoryRecord } from "./src/record/stores.ts";
export { fileRecord } from "./src/record/directory_record.ts";
export type { FolderPlace, RecordOptions } from "./src/record/directory_record.ts";
export { FACT_EVENTS, factOf } from "./src/core/event.ts";
export { END_REASONS } from "./src/core/fact.ts";
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
export type { MessageFile } from "./src/record/fact_files.ts";
export type { Verification } from "./src/record/verify.ts";
export type { RecordHolder } from "./src/record/claim.ts";

// Agents
export type { OfflineOptions } from "./src/agents/offline.ts";
export type { LanguageModelOptions } from "./src/agents/ai_sdk.ts";
export type { LanguageModelLike } from "./src/agents/ai_sdk_wire.ts";
export type { OpenAIAgentOptions } from "./src/agents/openai_client.ts";
export type { Effort } from "./src/core/profile.ts";
export type { ReplayAnswers } from "./src/agents/replay/recording.ts";
export type { ReplayOptions } from "./src/agents/replay/replay_agent.ts";

// Interfaces that a program can implement
export type {
  AgentNote,
  AgentReply,
  AgentRequest,
  ChatMessage,
  FinishReason,
  ModelSource,
  ParameterDropped,
  ProfileLearned,
  ReplyRounds,
  ReplySchema,
  RequestContext,
  Tool,
  ToolTrace,
} from "./src/core/agent.ts";
export { defineFact, type FactKind, type OwnFactParts } from "./src/core/record.ts";
export type {
  AnswerShelf,
  Inbox,
  KeptAnswer,
  KeptVector,
  OpenRecord,
  RecordStore,
  Submission,
  VectorShelf,
} from "./src/core/record.ts";
export type { Observer, ObserverTools, Once } from "./src/core/guard.ts";
export {
  type AnswerPassage,
  MAX_RESULTS,
  type ModelAnswer,
  type Searcher,
  type SearchHit,
  type SearchOptions,
} from "./src/core/search.ts";
export { webSearch, type WebSearchOptions } from "./src/checking/searchers.ts";
export type { SchemaShape, ValuesOf } from "./src/core/schema.ts";
export { nextInOrder } from "./src/core/protocol.ts";
export type { SelectionContext, Speaker, SpeakerSelection } from "./src/core/protocol.ts";
export type { Clock } from "./src/core/clock.ts";
export type { ConveningRow, ConveningStart, Parent, ParticipantInfo } from "./src/core/event.ts";
export type { Source } from "./src/core/paper.ts";
export type { OrderProblem } from "./src/core/play.ts";

// Guards
export { emptyGuard, lengthGuard, refusedTermsGuard } from "./src/core/guard.ts";
export type {
  ActiveGuardMode,
  Draft,
  Guard,
  GuardTools,
  Objection,
  RefusedTermsOptions,
} from "./src/core/guard.ts";
export type { WordRange } from "./src/core/words.ts";
export { coherenceGuard, type CoherenceOptions } from "./src/checking/guards.ts";
export { likenessOf, repetitionGuard } from "./src/checking/repetition.ts";
export type { Likeness, RepetitionOptions } from "./src/checking/repetition.ts";

// Personas
export { type Persona, personaText } from "./src/core/participant.ts";

// Configuration
export type { Checked, OwnKinds } from "./src/config/config.ts";
export type { AddressSetting, KeyRules } from "./src/core/key_rules.ts";
export type { ProposedTopics, TopicCheck } from "./src/core/topic.ts";
export type { LimitName } from "./src/core/limit.ts";
export type { Price, Prices } from "./src/config/prices.ts";
export { PLACEHOLDERS, type PlaceholderValues } from "./src/core/prompt.ts";

// Events, facts and results
export type {
  Ending,
  EventBody,
  FactEvent,
  Stage,
  StageTeller,
  TurnInfo,
  WaitedFor,
} from "./src/core/event.ts";
export type { ClientRequest } from "./src/engine/people.ts";
export type {
  Brief,
  CheckedClaim,
  Choice,
  ClaimSource,
  Context,
  EndReason,
  Fact,
  FactCheck,
  Failure,
  Flow,
  LookUp,
  OfTurn,
  OwnFact,
  Point,
  Rejection,
  Stance,
  StatedClaim,
  Status,
  Stop,
  Thought,
  TurnDraft,
} from "./src/core/fact.ts";
export type {
  BriefConsequence,
  BriefCrux,
  BriefForm,
  BriefPoint,
  BriefQuestion,
  BriefQuote,
} from "./src/core/brief.ts";
export type { Made, Mark, Served } from "./src/core/message.ts";

// Errors
export type {
  AgentErrorCode,
  AgentErrorDetail,
  ErrorDetail,
  FieldProblem,
  UsedUp,
} from "./src/core/error.ts";
export {
  CLAIM_VERDICTS,
  type ClaimVerdict,
  type Outcome,
  type StanceOn,
} from "./src/core/outcome.ts";
export type { Parsed, Schema, SchemaIssue } from "./src/core/values.ts";
