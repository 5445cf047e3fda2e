// Workflows made of instances: participants and options of a program, with the library's agents and records behind names.
import { defaultHost } from "../compose.ts";
import { parseConfig } from "../config/config.ts";
import { type ConsensusOptions, ConsensusWorkflow } from "../consensus/consensus_workflow.ts";
import type { Agent } from "../core/agent.ts";
import { ConfigurationError } from "../core/error.ts";
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
  checkOptions(config);
  return new DebateWorkflow(topic, participants, { host: defaultHost, ...config });
}

/** A debate over research papers; see {@linkcode PaperDebateOptions} for its options. */
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

/** Options that no configuration has: instances and functions. */
const INSTANCES: ReadonlySet<string> = new Set(
  [
    "allowBaseUrls",
    "clock",
    "design",
    "env",
    "exitCondition",
    "host",
    "moreGuards",
    "observers",
    "record",
    "remember",
    "searchers",
    "signal",
    "sources",
    "untrusted",
  ] satisfies (keyof DebateWorkflowConfig)[],
);
/** Keys of a configuration that are arguments, or parts of participants, where a debate is made of instances. */
const ARGUMENTS = ["kind", "topic", "participants", "positions", "moderatorModel", "personas"];

/** Refuses options that a debate would ignore, and values that a configuration may not have. */
function checkOptions(options: DebateWorkflowConfig): void {
  const ignored = ARGUMENTS.find((key) => Object.hasOwn(options, key));
  if (ignored !== undefined) {
    throw new ConfigurationError(`Cannot use the options of a debate: unknown key "${ignored}"`, {
      field: ignored,
      hint: "Give the topic and the participants before the options; positions are participants'.",
    });
  }
  const { judges, audience, ...others } = options;
  const given = Object.entries({ ...others, judges: plain(judges), audience: plain(audience) });
  const kept = given.filter(([key, value]) => value !== undefined && !INSTANCES.has(key));
  parseConfig({ kind: "debate", topic: "", ...Object.fromEntries(kept) });
}

/** What is set of judges or listeners, without their agents. */
function plain(cast: readonly { readonly agent?: Agent | undefined }[] | undefined): unknown {
  return cast?.map(({ agent: _agent, ...settings }) => settings);
}
