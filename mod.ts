/**
 * Structured conversations between language models; each is recorded as an indexed directory of markdown.
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
 * Without `record`, the debate is written to a new directory under `./convenings`. {@linkcode resume} continues an
 * interrupted one; {@linkcode openConvening} reads one.
 *
 * @module
 */

// Workflows
export { DialogueWorkflow } from "./src/engine/dialogue_workflow.ts";
export { DebateWorkflow, type DebateWorkflowResult } from "./src/debate/debate_workflow.ts";
export type { DebateWorkflowConfig } from "./src/debate/settings.ts";
export { composeConvening, createAgent } from "./src/compose.ts";
export {
  createConsensusWorkflow,
  createDebateWorkflow,
  createDialogueWorkflow,
  createPaperDebateWorkflow,
} from "./src/operations/library.ts";

// Libraries with a program's own kinds
export { createLibrary, type Library } from "./src/operations/library.ts";

// Participants
export {
  createDebateModerator,
  createDebateParticipant,
  createParticipant,
} from "./src/core/participant.ts";
export type { DebateParticipant, Participant } from "./src/core/participant.ts";

// Papers
export type { Paper } from "./src/core/paper.ts";
export type { DebateSession } from "./src/papers/text/debate_report.ts";
export { DebateCoordinator } from "./src/operations/debate_coordinator.ts";

// Convenings on disk
export {
  exportConvening,
  fork,
  openConvening,
  rebuildIndex,
  resume,
  verify,
} from "./src/operations/convening.ts";
export type { Convening } from "./src/operations/convening.ts";
export { listConvenings, showMessage } from "./src/operations/reading_convenings.ts";
export { askConvening } from "./src/operations/search.ts";
export { interject, pauseConvening, speak } from "./src/operations/attending.ts";
export { judge, noteFlow, writeBrief } from "./src/operations/ended_convening.ts";
export { writeSite } from "./src/viewer/site/site.ts";
export { proposeTopics } from "./src/operations/topics.ts";
export { untilReleased, watchConvening } from "./src/operations/watching.ts";
export { searchArchive } from "./src/record/search.ts";
export { memoryRecord } from "./src/record/stores.ts";
export { folderRecord } from "./src/record/directory_record.ts";

// Agents
export { createOfflineAgent } from "./src/agents/offline.ts";
export { languageModel } from "./src/agents/ai_sdk.ts";
export { createOpenAIAgent } from "./src/agents/openai.ts";
export { createReplayAgent } from "./src/agents/replay/replay_agent.ts";

// Interfaces that a program can implement
export type { Agent } from "./src/core/agent.ts";

// Personas and rubrics
export { loadPersona, loadRubric } from "./src/inputs/inputs.ts";

// Configuration
export { configSchema, parseConfig } from "./src/config/config.ts";
export type { ConveningConfig, DebateConfig } from "./src/config/convening_config.ts";
export type { Limits } from "./src/core/limit.ts";

// Events, facts and results
export type { ConveningEvent, ConveningResult } from "./src/core/event.ts";
export type { Message, Usage } from "./src/core/message.ts";

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
export type { ErrorCode } from "./src/core/error.ts";
