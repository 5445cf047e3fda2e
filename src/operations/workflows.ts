// Workflows made of instances: participants and options of a program, with the library's agents and records behind names.
import { defaultHost } from "../compose.ts";
import { type ConsensusOptions, ConsensusWorkflow } from "../consensus/consensus_workflow.ts";
import type { DebateWorkflowConfig } from "../debate/debate_options.ts";
import { DebateWorkflow } from "../debate/debate_workflow.ts";
import { DialogueWorkflow } from "../engine/dialogue_workflow.ts";
import type { DialogueOptions } from "../engine/workflow_options.ts";
import type { Participant } from "../core/participant.ts";
import type { PaperDebateOptions } from "../papers/debate/paper_debate_options.ts";
import { PaperDebateWorkflow } from "../papers/debate/paper_debate_workflow.ts";
import type { PaperDraft } from "../papers/text/check_paper.ts";

/**
 * A debate over a topic; see {@linkcode DebateWorkflowConfig} for its options. Throws a `ConfigurationError` for an unknown
 * option and a value that is not allowed, and a `TopicError`.
 */
export function createDebateWorkflow(
  topic: string,
  participants: readonly Participant[],
  config: DebateWorkflowConfig = {},
): DebateWorkflow {
  return new DebateWorkflow(topic, participants, { host: defaultHost, ...config });
}

/** A debate over research papers; see {@linkcode PaperDebateOptions} for its options. Throws as the others do. */
export function createPaperDebateWorkflow(
  papers: readonly PaperDraft[],
  options: PaperDebateOptions = {},
): PaperDebateWorkflow {
  return new PaperDebateWorkflow(papers, { host: defaultHost, ...options });
}

/** A plain dialogue: round-robin over the participants. */
export function createDialogueWorkflow(
  topic: string,
  participants: readonly Participant[],
  options: DialogueOptions = {},
): DialogueWorkflow {
  return new DialogueWorkflow(topic, participants, { host: defaultHost, ...options });
}

/** A consensus dialogue: proposals, stances, agreement or impasse. */
export function createConsensusWorkflow(
  topic: string,
  participants: readonly Participant[],
  options: ConsensusOptions = {},
): ConsensusWorkflow {
  return new ConsensusWorkflow(topic, participants, { host: defaultHost, ...options });
}
