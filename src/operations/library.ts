// Builds a library object: every operation, with the built-in kinds and agents and those of a program.
import {
  Catalogue,
  composeConvening,
  type ConveningInputs,
  defaultHost,
  type LibraryOptions,
  type OwnConfig,
} from "../compose.ts";
import { checkArguments } from "../core/check_fields.ts";
import { searchArchive } from "../record/search.ts";
import { type ConsensusOptions, ConsensusWorkflow } from "../consensus/consensus_workflow.ts";
import type { DebateWorkflowConfig } from "../debate/settings.ts";
import { DebateWorkflow } from "../debate/debate_workflow.ts";
import { DialogueWorkflow } from "../engine/dialogue_workflow.ts";
import type { DialogueOptions } from "../engine/workflow_options.ts";
import type { Participant } from "../core/participant.ts";
import type { PaperDebateOptions } from "../papers/debate/paper_debate_plan.ts";
import { PaperDebateWorkflow } from "../papers/debate/paper_debate_workflow.ts";
import type { PaperDraft } from "../papers/text/check_paper.ts";
import { askConvening } from "./search.ts";
import {
  type BriefOptions,
  type FlowOptions,
  judge,
  type JudgeOptions,
  noteFlow,
  writeBrief,
} from "./ended_convening.ts";
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
import { listConvenings, showMessage } from "./reading_convenings.ts";
import { proposeTopics } from "./topics.ts";
import { untilReleased, watchConvening } from "./watching.ts";

/**
 * Creates a library whose operations know a program's own kinds, agents, facts and searchers. The exported functions of this
 * module are those of a library without own kinds. A server with the option `library` serves the same kinds.
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
      ((config: OwnConfig, inputs?: ConveningInputs) =>
        composeConvening(config, { ...inputs, catalogue })) as unknown as typeof composeConvening,
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

/** The operations over the kinds and agents of one call of {@linkcode createLibrary}. */
export interface Library {
  /** The known kinds, agents, facts and searchers. */
  readonly catalogue: Catalogue;
  /** Finds passages of a convening. */
  readonly askConvening: typeof askConvening;
  /** Creates the workflow of a configuration. */
  readonly composeConvening: typeof composeConvening;
  /** Creates an agent by the name of a model. */
  readonly createAgent: Catalogue["agent"];
  /** Creates a consensus dialogue. */
  readonly createConsensusWorkflow: typeof createConsensusWorkflow;
  /** Creates a coordinator of paper debates. */
  readonly createDebateCoordinator: (options?: CoordinatorOptions) => DebateCoordinator;
  /** Creates a debate. */
  readonly createDebateWorkflow: typeof createDebateWorkflow;
  /** Creates a dialogue. */
  readonly createDialogueWorkflow: typeof createDialogueWorkflow;
  /** Creates a paper debate. */
  readonly createPaperDebateWorkflow: typeof createPaperDebateWorkflow;
  /** Writes a transcript. */
  readonly exportConvening: typeof exportConvening;
  /** Creates a convening from the first messages of another. */
  readonly fork: typeof fork;
  /** Leaves an interjection of the audience for the next turn. */
  readonly interject: typeof interject;
  /** Judges an ended convening again. */
  readonly judge: typeof judge;
  /** Lists an archive. */
  readonly listConvenings: typeof listConvenings;
  /** Reads a convening. */
  readonly openConvening: typeof openConvening;
  /** Pauses a running convening. */
  readonly pauseConvening: typeof pauseConvening;
  /** Proposes debatable topics on a subject. */
  readonly proposeTopics: typeof proposeTopics;
  /** Writes all derived files again. */
  readonly rebuildIndex: typeof rebuildIndex;
  /** Resumes a convening. */
  readonly resume: typeof resume;
  /** Searches an archive. */
  readonly searchArchive: typeof searchArchive;
  /** Reads a message with its file. */
  readonly showMessage: typeof showMessage;
  /** Says a person's turn. */
  readonly speak: typeof speak;
  /** Waits until no process runs a convening. */
  readonly untilReleased: typeof untilReleased;
  /** Checks a directory against the format. */
  readonly verify: (dir: string) => ReturnType<typeof verify>;
  /** Streams the events of a convening that another process runs. */
  readonly watchConvening: typeof watchConvening;
  /** Notes the points of a debate that has ended. */
  readonly noteFlow: typeof noteFlow;
  /** Writes a brief of a convening that has ended. */
  readonly writeBrief: typeof writeBrief;
}

/** Adds the built-in kinds and agents to options. Throws a `ConfigurationError` for options without keys. */
function hosted<T extends object>(options: T): T {
  checkArguments("the workflow", { options });
  return { host: defaultHost, ...options };
}

/**
 * Creates a debate on a topic; see {@linkcode DebateWorkflowConfig} for the options. Throws a `ConfigurationError` for an
 * unknown option or a value that is not allowed, and a `TopicError` for an invalid topic.
 */
export function createDebateWorkflow(
  topic: string,
  participants: readonly Participant[],
  config: DebateWorkflowConfig = {},
): DebateWorkflow {
  return new DebateWorkflow(topic, participants, hosted(config));
}

/** Creates a paper debate; see {@linkcode PaperDebateOptions} for the options. Throws a `ConfigurationError`. */
export function createPaperDebateWorkflow(
  papers: readonly PaperDraft[],
  options: PaperDebateOptions = {},
): PaperDebateWorkflow {
  return new PaperDebateWorkflow(papers, hosted(options));
}

/** Creates a dialogue, in which the participants speak in turn (round-robin). */
export function createDialogueWorkflow(
  topic: string,
  participants: readonly Participant[],
  options: DialogueOptions = {},
): DialogueWorkflow {
  return new DialogueWorkflow(topic, participants, hosted(options));
}

/** Creates a consensus dialogue: proposals, stances, agreement or impasse. */
export function createConsensusWorkflow(
  topic: string,
  participants: readonly Participant[],
  options: ConsensusOptions = {},
): ConsensusWorkflow {
  return new ConsensusWorkflow(topic, participants, hosted(options));
}
