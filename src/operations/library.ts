// The library as an object: every operation over the built-in kinds and agents and those of a program.
import {
  Catalogue,
  composeConvening,
  type ConveningInputs,
  defaultHost,
  type LibraryOptions,
  type OwnConfig,
} from "../compose.ts";
import { askConvening } from "./search.ts";
import { type BriefOptions, writeBrief } from "./briefing.ts";
import { type FlowOptions, noteFlow } from "./flow.ts";
import { interject, pauseConvening, speak, type SpeakOptions } from "./attending.ts";
import {
  exportConvening,
  fork,
  openConvening,
  rebuildIndex,
  resume,
  type ResumeOptions,
  verify,
} from "./convening.ts";
import { type CoordinatorOptions, DebateCoordinator } from "./debate_coordinator.ts";
import { judge, type JudgeOptions } from "./judge.ts";
import { listConvenings, showMessage } from "./reading_convenings.ts";
import { searchArchive } from "../record/search.ts";
import { proposeTopics } from "./topics.ts";
import { untilReleased, watchConvening } from "./watching.ts";
import { type ConsensusOptions, ConsensusWorkflow } from "../consensus/consensus_workflow.ts";
import type { DebateWorkflowConfig } from "../debate/settings.ts";
import { DebateWorkflow } from "../debate/debate_workflow.ts";
import { DialogueWorkflow } from "../engine/dialogue_workflow.ts";
import type { DialogueOptions } from "../engine/workflow_options.ts";
import type { Participant } from "../core/participant.ts";
import type { PaperDebateOptions } from "../papers/debate/paper_debate_options.ts";
import { PaperDebateWorkflow } from "../papers/debate/paper_debate_workflow.ts";
import type { PaperDraft } from "../papers/text/check_paper.ts";

/**
 * A library with kinds and agents of a program's own: every operation knows them. The functions of this module are those
 * of a library without any; as the option `library` of the servers it serves the same kinds.
 *
 * @example
 * ```ts
 * import { createAgent, createLibrary } from "@convenings/convenings";
 *
 * const library = createLibrary({ agents: { mine: () => createAgent("offline") } });
 * console.assert(library.createAgent("mine:one").model === "offline");
 * ```
 */
export function createLibrary(options: LibraryOptions = {}): Library {
  const catalogue = new Catalogue(options);
  const { host } = catalogue;
  return {
    catalogue,
    askConvening: (dir, question, more) => askConvening(dir, question, { ...more, catalogue }),
    exportConvening,
    fork,
    interject,
    listConvenings,
    openConvening,
    pauseConvening,
    rebuildIndex,
    searchArchive,
    showMessage,
    untilReleased,
    watchConvening,
    createAgent: (name, settings) => catalogue.agent(name, settings),
    createDialogueWorkflow: (topic, cast, more) =>
      createDialogueWorkflow(topic, cast, { host, ...more }),
    createDebateWorkflow: (topic, cast, more) =>
      createDebateWorkflow(topic, cast, { host, ...more }),
    createConsensusWorkflow: (topic, cast, more) =>
      createConsensusWorkflow(topic, cast, { host, ...more }),
    createPaperDebateWorkflow: (papers, more) =>
      createPaperDebateWorkflow(papers, { host, ...more }),
    createDebateCoordinator: (more) => new DebateCoordinator({ host, ...more }),
    composeConvening:
      ((config: OwnConfig, matter?: ConveningInputs) =>
        composeConvening(config, { ...matter, catalogue })) as unknown as typeof composeConvening,
    proposeTopics: async (subject, { agent, model, ...more } = {}) =>
      await proposeTopics(subject, { ...more, agent: agent ?? catalogue.agent(model, more) }),
    resume: (dir, more?: ResumeOptions) => resume(dir, { ...more, catalogue }),
    speak: (dir, text, more?: SpeakOptions) => speak(dir, text, { ...more, catalogue }),
    judge: (dir, more?: JudgeOptions) => judge(dir, { ...more, catalogue }),
    verify: (dir) => verify(dir, { catalogue }),
    noteFlow: (dir, more?: FlowOptions) => noteFlow(dir, { ...more, catalogue }),
    writeBrief: (dir, more?: BriefOptions) => writeBrief(dir, { ...more, catalogue }),
  };
}

/** Every operation, over the kinds and agents of one {@linkcode createLibrary}. */
export interface Library {
  /** The kinds, agents, facts and searchers there are. */
  readonly catalogue: Catalogue;
  /** Finds passages of a convening. */
  readonly askConvening: typeof askConvening;
  /** Makes the workflow of a configuration. */
  readonly composeConvening: typeof composeConvening;
  /** Makes the agent that a name stands for. */
  readonly createAgent: Catalogue["agent"];
  /** Makes a consensus dialogue. */
  readonly createConsensusWorkflow: typeof createConsensusWorkflow;
  /** Makes a coordinator of paper debates. */
  readonly createDebateCoordinator: (options?: CoordinatorOptions) => DebateCoordinator;
  /** Makes a debate. */
  readonly createDebateWorkflow: typeof createDebateWorkflow;
  /** Makes a dialogue. */
  readonly createDialogueWorkflow: typeof createDialogueWorkflow;
  /** Makes a debate over papers. */
  readonly createPaperDebateWorkflow: typeof createPaperDebateWorkflow;
  /** Writes a transcript. */
  readonly exportConvening: typeof exportConvening;
  /** Makes a new convening of the first messages of another. */
  readonly fork: typeof fork;
  /** Leaves words of the audience for the next turn. */
  readonly interject: typeof interject;
  /** Judges a finished convening once more. */
  readonly judge: typeof judge;
  /** Lists an archive. */
  readonly listConvenings: typeof listConvenings;
  /** Reads a convening. */
  readonly openConvening: typeof openConvening;
  /** Pauses a running convening. */
  readonly pauseConvening: typeof pauseConvening;
  /** Proposes debatable topics on a subject. */
  readonly proposeTopics: typeof proposeTopics;
  /** Writes every derived file again. */
  readonly rebuildIndex: typeof rebuildIndex;
  /** Resumes a convening. */
  readonly resume: typeof resume;
  /** Searches an archive. */
  readonly searchArchive: typeof searchArchive;
  /** Reads a message with its file. */
  readonly showMessage: typeof showMessage;
  /** Says a person's turn. */
  readonly speak: typeof speak;
  /** Waits until no process holds a convening. */
  readonly untilReleased: typeof untilReleased;
  /** Checks a directory against the format. */
  readonly verify: (dir: string) => ReturnType<typeof verify>;
  /** Follows a convening that another process runs. */
  readonly watchConvening: typeof watchConvening;
  /** Notes the points of a debate that has ended. */
  readonly noteFlow: typeof noteFlow;
  /** Writes a brief of a convening that has ended. */
  readonly writeBrief: typeof writeBrief;
}

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
